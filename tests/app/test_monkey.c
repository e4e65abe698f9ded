/* Hostile use: thousands of made-up keys, clicks and texts, the same ones on every machine. Nothing may
 * crash, no list may be left open, and undoing everything leads back to the first document. */
#include "app/drive.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"

enum { INPUTS = 1500 };

static const char *const keys[] = {"Space", "Backspace", "Left", "Right", "Up", "Down", "Home", "End", "PageUp", "PageDown", "Enter", "Esc", "Tab",
                                   "Delete", "F1", "F2", "F5", "F10", "h", "m", "t", "p", "b", ".", "?", "k", "l", "a", "c", "v", "x", "z", "o", "s",
                                   "+", "-", "0", "1", "2", "3", "4", "5", "6", "7", "8", "9"};
static const char *const texts[] = {"a", "The cat ", "\xE7\x8C\xAB", "e\xCC\x81", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9", "  ", "\n", "\"", "[(=#%12Cl", "\xFF\xC0",
                                    "0.5", "theme", "-inf", "\xE2\x80\xAE" "abc", "]]]", "../", "~/"};

static unsigned pick(uint64_t *state, unsigned n) {
    return (unsigned)(random_next(state) % n);
}

/* Actions that only move about: no files are touched by a monkey. */
static bool is_safe(const Session *s) {
    const char *menu = session_view(s)->menu;
    return !str_eq(menu, "open") && !str_eq(menu, "save") && !str_eq(menu, "actions");
}

static Input random_key(uint64_t *state, const Session *s) {
    static const unsigned mods[] = {0, 0, 0, MOD_SHIFT, MOD_CTRL, MOD_CTRL | MOD_SHIFT, MOD_ALT};
    Input input = {.kind = INPUT_KEY, .mods = mods[pick(state, 7)]};
    const char *key = keys[pick(state, sizeof keys / sizeof keys[0])];
    if (str_eq(key, "Enter") && !is_safe(s)) key = "Esc";
    snprintf(input.key, sizeof input.key, "%s", key);
    return input;
}

static Input random_input(uint64_t *state, Session *s, float width, float height) {
    unsigned which = pick(state, 100);
    Input input = {.x = (float)pick(state, (unsigned)width), .y = (float)pick(state, (unsigned)height), .button = pick(state, 6) ? 1 : 3, .clicks = 1 + (int)pick(state, 3)};
    if (which < 45) return random_key(state, s);
    if (which < 60) input.kind = INPUT_TEXT, input.text = texts[pick(state, sizeof texts / sizeof texts[0])];
    else if (which < 64) input.kind = INPUT_COMPOSITION, input.text = texts[pick(state, sizeof texts / sizeof texts[0])];
    else if (which < 78) input.kind = INPUT_MOUSE_MOVE;
    else if (which < 86 && is_safe(s)) input.kind = INPUT_MOUSE_DOWN;
    else if (which < 93 && is_safe(s)) input.kind = INPUT_MOUSE_UP;
    else if (which < 96) input.kind = INPUT_WHEEL, input.y = (float)pick(state, 7) - 3;
    else if (which < 98) input.kind = INPUT_PASTE, input.text = texts[pick(state, sizeof texts / sizeof texts[0])];
    else if (which < 99) input.kind = INPUT_FOCUS, input.button = (int)pick(state, 2);
    else input.kind = INPUT_RESIZE, input.x = 300 + (float)pick(state, 2000), input.y = 200 + (float)pick(state, 1500);
    return input;
}

/* Clicks on "Export" would write files: the export of these sessions is refused, as they have no painter. */
static void run_monkey(uint64_t seed) {
    Session *s = drive_open();
    float width = 1600, height = 1000;
    uint64_t state = seed;
    for (int i = 0; i < INPUTS; i++) {
        Input input = random_input(&state, s, width, height);
        if (input.kind == INPUT_RESIZE) width = input.x, height = input.y;
        session_update(s, &input, pick(&state, 4) * 0.05);
        if (input.kind == INPUT_MOUSE_DOWN && pick(&state, 2)) { /* a click */
            input.kind = INPUT_MOUSE_UP;
            session_update(s, &input, 0);
        }
        dl_finish(session_list(s));
        SessionEffects effects;
        session_take_effects(s, &effects);
        assert_true(strlen(session_view(s)->notice) < VIEW_TEXT_MAX);
        if (session_doc(s)->text && session_doc(s)->text->size > 400) must(s, "text \"short again\"");
    }
    Err err = {0};
    int undone = 0;
    while (session_do(s, "undo", &err)) undone++;
    assert_true(undone > 0);
    drive_close(s);
}

static void monkeys_cannot_break_it(void **unused) {
    (void)unused;
    for (uint64_t seed = 1; seed <= 4; seed++) run_monkey(seed);
}

/* Every stage of every reference file, at its start, half way and at its end, as a screen and as a figure. */
static void every_trace_file_can_be_looked_at(void **unused) {
    (void)unused;
    Arena arena = {0}, frame = {0};
    char **names, folder[1024];
    int n = 0;
    Err err = {0};
    snprintf(folder, sizeof folder, "%s", data_path("attention"));
    if (!file_list(folder, &arena, &names, &n, &err)) fail_msg("%s", err.message);
    Session *s = drive_open();
    int opened = 0;
    for (int i = 0; i < n; i++) {
        Err refused = {0};
        if (!str_ends(names[i], ".safetensors")) continue;
        if (!session_open_file(s, path_join(&arena, folder, names[i]), 0, &refused)) {
            bool other_kind = strstr(refused.message, "kind") || str_ends(names[i], "pe_table_L64_d96.safetensors");
            if (!other_kind) fail_msg("%s: %s", names[i], refused.message);
            continue;
        }
        opened++;
        for (int stage = 0; stage < 9; stage++) {
            static const char *const places[] = {"start", "end"};
            for (int place = 0; place < 2; place++) {
                must(s, arena_printf(&arena, "stage %d %s", stage + 1, places[place]));
                dl_finish(session_list(s));
            }
            DisplayList figure;
            arena_reset(&frame);
            session_figure(s, &(FigureSpec){.head = -1, .width = 800, .height = 600}, &frame, &figure);
        }
    }
    assert_true(opened > 50);
    drive_close(s);
    arena_free(&arena);
    arena_free(&frame);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(monkeys_cannot_break_it),
        cmocka_unit_test(every_trace_file_can_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
