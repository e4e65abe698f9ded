/* The whole program without a window: keys, text, mouse, resizing and time in any order, a picture after each. */
#include <stdio.h>
#include <string.h>

#include "app/session.h"
#include "base/lang.h"
#include "base/str.h"
#include "doc/film.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_list.h"
#include "fuzz/fuzz_run.h"

static const char *const keys[] = {
    "Space", "Backspace", "Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown", "Enter", "Esc", "Tab", "Delete", "Insert", "F1", "F2", "F5", "F10", "F11",
    "h", "m", "t", "p", "b", ".", "?", "k", "l", "a", "c", "v", "x", "z", "y", "o", "s", "e", "+", "-", "=", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
enum { KEYS = sizeof keys / sizeof *keys };
static const char *const texts[] = {
    "a", "The cat ", "\xE7\x8C\xAB", "e\xCC\x81", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", "  ", "\n", "\"", "[(=#%12Cl", "\xFF\xC0", "0.5", "theme", "-inf",
    "\xE2\x80\xAE" "abc", "]]]", "supercalifragilisticexpialidocious", "<pad>", "\xE2\x80\x8B", "1e9", "mask", "molecule"};
enum { TEXTS = sizeof texts / sizeof *texts };
static const char *const lines[] = {
    "example 05-two-heads", "example 13-cross-attention", "example 17a-grouped-query", "example 14a-molecule-cco", "example 22-characters", "example 20-chinese",
    "example 08b-empty-row-nan", "example 11c-alibi", "example 06b-causal", "model random", "model identity", "position learned", "film.end", "stage softmax end", "present",
    "mask custom", "precision f64", "menu actions", "menu edit", "new", "source \"dog barks\"", "edit tok[1,1] nan", "edit w_q[1,2]", "edits", "edit.reset 1", "temperature 1e-6", "set heads 3",
    "language zh", "language en", "hold", "compare", "controls", "zoom 2", "shape lines"};
enum { LINES = sizeof lines / sizeof *lines };

const FuzzTarget fuzz_target = {.name = "fuzz_session", .cases = 200, .max = 3000};

/* Dialogs that would read or write a file by its path are only typed into. */
static bool takes_path(const Session *s) {
    return str_eq(session_view(s)->menu, "open") || str_eq(session_view(s)->menu, "save");
}

static float place(FuzzBytes *bytes, float size) {
    return (float)fuzz_pick(bytes, 1024) / 1000 * size;
}

static Input next_input(FuzzBytes *bytes, const Session *s, const float size[2]) {
    static const unsigned mods[] = {0, 0, 0, 0, MOD_SHIFT, MOD_CTRL, MOD_CTRL | MOD_SHIFT, MOD_ALT};
    static const InputKind kinds[16] = {INPUT_KEY, INPUT_KEY, INPUT_KEY, INPUT_KEY, INPUT_KEY, INPUT_TEXT, INPUT_TEXT, INPUT_COMPOSITION, INPUT_MOUSE_MOVE,
                                        INPUT_MOUSE_DOWN, INPUT_MOUSE_DOWN, INPUT_MOUSE_UP, INPUT_WHEEL, INPUT_PASTE, INPUT_RESIZE, INPUT_FOCUS};
    static const int buttons[16] = {2, 3, 3, 3, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    Input input = {.kind = kinds[fuzz_pick(bytes, 16)], .mods = mods[fuzz_pick(bytes, 8)], .button = buttons[fuzz_pick(bytes, 16)], .clicks = 1};
    if (input.kind == INPUT_KEY) snprintf(input.key, sizeof input.key, "%s", keys[fuzz_pick(bytes, KEYS)]);
    if (takes_path(s) && (str_eq(input.key, "Enter") || input.kind == INPUT_MOUSE_DOWN || input.kind == INPUT_MOUSE_UP)) return (Input){.kind = INPUT_KEY, .key = "Esc"};
    if (input.kind == INPUT_TEXT || input.kind == INPUT_COMPOSITION || input.kind == INPUT_PASTE) input.text = texts[fuzz_pick(bytes, TEXTS)];
    if (input.kind == INPUT_WHEEL) input.y = (float)fuzz_pick(bytes, 7) - 3;
    if (input.kind == INPUT_FOCUS) input.button = (int)fuzz_pick(bytes, 2);
    if (input.kind == INPUT_RESIZE) input.x = 200 + (float)fuzz_pick(bytes, 3800), input.y = 150 + (float)fuzz_pick(bytes, 2200);
    if (input.kind >= INPUT_MOUSE_MOVE && input.kind <= INPUT_MOUSE_UP) {
        input.x = place(bytes, size[0]);
        input.y = place(bytes, size[1]);
        input.clicks = 1 + (int)fuzz_pick(bytes, 3);
    }
    return input;
}

static void check_view(const Session *s) {
    const View *view = session_view(s);
    const Run *run = session_run(s);
    if (!run) return;
    fuzz_check(view->film.stage >= 0 && view->film.stage < trace_stage_count(run->trace), "stage %d", view->film.stage);
    fuzz_check(view->film.position >= 0 && view->film.position <= film_steps(run->trace, view->film.stage), "position %g", view->film.position);
    fuzz_check(view->head >= 0 && view->head < run->spec.n_heads, "head %d", view->head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    float window[2] = {1600, 1000};
    Err err = {0};
    lang_begin();
    Session *s = session_open(&(SessionOptions){0}, &err);
    fuzz_check(s != NULL, "%s", err.message);
    while (fuzz_more(&bytes)) {
        SessionEffects effects;
        Err refused = {0};
        if (fuzz_pick(&bytes, 24) == 0) {
            if (!session_do(s, lines[fuzz_pick(&bytes, LINES)], &refused)) fuzz_error(&refused);
        } else {
            Input input = next_input(&bytes, s, window);
            if (input.kind == INPUT_RESIZE) window[0] = input.x, window[1] = input.y;
            session_update(s, &input, fuzz_pick(&bytes, 4) * 0.07);
            if (input.kind == INPUT_MOUSE_DOWN && !takes_path(s) && fuzz_pick(&bytes, 2)) { /* a click */
                input.kind = INPUT_MOUSE_UP;
                session_update(s, &input, 0);
            }
        }
        session_take_effects(s, &effects);
        if (effects.wants_paste) session_update(s, &(Input){.kind = INPUT_PASTE, .text = texts[fuzz_pick(&bytes, TEXTS)]}, 0);
        if (!fuzz_is_small(session_doc(s)) && !session_do(s, "new", &refused)) fuzz_error(&refused);
        fuzz_check_list(session_list(s), session_view(s));
        check_view(s);
    }
    fuzz_write_back(session_doc(s), session_view(s));
    session_close(s);
    return 0;
}
