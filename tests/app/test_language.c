/* The whole picture in both languages, measured with the real fonts: switching while it runs gives the picture of a start in that
 * language; nothing is cut, lost, laid over something else or left in English where the English picture has none of it. */
#include <ctype.h>
#include <stdio.h>

#include "app/drive.h"
#include "backend/fonts.h"
#include "base/lang.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/action.h"
#include "support/support.h"

static Fonts *fonts;
static Arena lists;

/* ---- what is looked at: each is reached from a fresh session by actions ---- */

typedef struct {
    const char *name;
    const char *lines[6];
} Look;

static const char *const stages[] = {"embed", "project", "scores", "scale", "mask", "softmax", "wsum", "concat", "output"};
static const char *const menus[] = {"model", "mask", "position", "tokenizer", "speed", "examples", "heads", "threshold", "view",
                                    "main", "actions", "keys", "open", "folder", "save"};
static const Look looks[] = {
    {"selected weight", {"stage softmax end", "select weights[2,3,2]"}},
    {"selected score", {"stage scores end", "select scores[1,3,2]"}},
    {"selected feature", {"stage project end", "select q[1,3,1]"}},
    {"selected output", {"stage output end", "select out[3,2]"}},
    {"selected sum", {"stage wsum end", "select head_out[2,3,1]"}},
    {"explained twice", {"stage wsum end", "explain head_out[2,3,1]", "explain weights[2,3,2]"}},
    {"number to edit", {"stage project end", "select w_q[1,noun]", "menu edit"}},
    {"causal, added", {"fill -1e9", "mask_op add", "stage mask end"}},
    {"no scale", {"scale none", "stage scale end"}},
    {"sinusoidal", {"position sinusoidal", "stage embed end", "select x[2,3]"}},
    {"molecule", {"example 14a-molecule-cco", "stage softmax end"}},
    {"cross", {"example 13-cross-attention", "stage scores end"}},
    {"grouped", {"example 17a-grouped-query", "stage project end"}},
    {"nan", {"example 08b-empty-row-nan", "stage softmax end"}},
    {"random", {"model random", "stage concat end"}},
    {"lines", {"stage softmax end", "shape lines"}},
    {"held", {"stage softmax end", "hold", "temperature 2", "compare"}},
    {"held network", {"model " TEST_DATA "/models/tiny-gpt2", "stage softmax end", "hold", "set text \"dog sat\"", "compare"}},
    {"held, nothing typed", {"stage softmax end", "hold", "set text \"\"", "compare"}},
    {"checked", {"check " TEST_DATA "/bugs/kv_tiled.safetensors"}},
    {"checked, all right", {"check " TEST_DATA "/bugs/right_rope_gqa.safetensors", "position rope_interleaved"}},
    {"settings", {"stage softmax end", "controls"}},
    {"overview", {"model " TEST_DATA "/models/tiny-gpt2", "overview"}},
    {"network", {"model " TEST_DATA "/models/tiny-gpt2", "stage softmax end"}},
    {"network norm", {"model " TEST_DATA "/models/tiny-gpt2", "stage norm end"}},
    {"network prediction", {"model " TEST_DATA "/models/tiny-gpt2", "film.end"}},
    {"about", {"model " TEST_DATA "/models/tiny-marian", "menu model.about"}},
    {"presenting", {"stage softmax end", "present"}},
    {"presenting scores", {"stage scores end", "select scores[1,3,2]", "present"}},
    {"average", {"stage softmax end", "aggregate average"}},
    {"zoomed", {"stage softmax end", "zoom 2 2 2"}},
    {"all heads", {"stage softmax end", "heads.show all"}},
    {"large text", {"text.larger", "stage scores end"}},
    {"mask by hand", {"mask custom", "stage mask end", "select mask[3,2]"}},
    {"rollout", {"model " TEST_DATA "/models/tiny-bert-mlm", "overview", "aggregate rollout"}},
    {"two stacks", {"model " TEST_DATA "/models/tiny-marian", "layer decoder 1 cross", "stage scores end"}},
    {"feed-forward", {"model " TEST_DATA "/models/tiny-llama3", "stage ffn end"}},
    {"nothing typed", {"set text \"\""}},
};
enum { STAGES = sizeof stages / sizeof *stages, MENUS = sizeof menus / sizeof *menus, LOOKS = sizeof looks / sizeof *looks };
enum { TEXTS = STAGES * 2 + MENUS + LOOKS };

static const float sizes[][2] = {{1600, 1000}, {1280, 800}, {1024, 768}};

static const char *look_name(int at) {
    static char name[64];
    if (at < 2 * STAGES) snprintf(name, sizeof name, "%s, %s", stages[at / 2], at % 2 ? "end" : "middle");
    else if (at < 2 * STAGES + MENUS) snprintf(name, sizeof name, "menu %s", menus[at - 2 * STAGES]);
    else snprintf(name, sizeof name, "%s", looks[at - 2 * STAGES - MENUS].name);
    return name;
}

static void go(Session *s, int at) {
    char line[64];
    if (at < 2 * STAGES) {
        snprintf(line, sizeof line, "stage %s%s", stages[at / 2], at % 2 ? " end" : "");
        must(s, line);
        if (at % 2 == 0) must(s, "next");
        pass(s, 1000);
    } else if (at < 2 * STAGES + MENUS) {
        snprintf(line, sizeof line, "menu %s", menus[at - 2 * STAGES]);
        must(s, line);
    } else {
        const Look *look = &looks[at - 2 * STAGES - MENUS];
        for (int i = 0; i < 6 && look->lines[i]; i++) must(s, look->lines[i]);
    }
    pass(s, 10);
}

static Session *start(LanguageKind language) {
    Err err = {0};
    Session *s = session_open(&(SessionOptions){.fonts = fonts, .language = language}, &err);
    if (!s) fail_msg("%s", err.message);
    return s;
}

static const char *picture(Session *s) {
    StrBuf out;
    sb_init(&out, &lists);
    dl_dump(session_list(s), &out);
    return out.data;
}

/* ---- switching ---- */

static void first_difference(const char *a, const char *b, const char *what, const char *where) {
    int line = 1;
    size_t from = 0, i = 0;
    for (; a[i] && a[i] == b[i]; i++)
        if (a[i] == '\n') line++, from = i + 1;
    fail_msg("%s: %s, line %d:\n  %.*s\n  %.*s", where, what, line, (int)strcspn(a + from, "\n"), a + from, (int)strcspn(b + from, "\n"), b + from);
}

static void must_equal(const char *a, const char *b, const char *what, const char *where) {
    if (!str_eq(a, b)) first_difference(a, b, what, where);
}

static void switching_is_like_starting(void **unused) {
    (void)unused;
    for (int at = 0; at < TEXTS; at++) {
        Session *s = start(LANGUAGE_ENGLISH);
        go(s, at);
        const char *english = picture(s);
        must(s, "language zh");
        const char *chinese = picture(s);
        assert_string_not_equal(english, chinese);
        must(s, "language en");
        must_equal(english, picture(s), "English after Chinese", look_name(at));
        must(s, "language zh");
        must_equal(chinese, picture(s), "Chinese a second time", look_name(at));
        session_close(s);
        s = start(LANGUAGE_CHINESE);
        go(s, at);
        must_equal(chinese, picture(s), "switched to Chinese, and started so", look_name(at));
        session_close(s);
        arena_free(&lists);
        lists = (Arena){0};
    }
}

/* ---- the same picture ---- */

typedef struct {
    int cut, over, outside;
    const char *cut_texts;  /* for the message */
    const char *over_texts;
    const char *controls;   /* names, one a line */
} Fit;

static Rect box_of(const DlCommand *c) {
    float w = c->text.width, size = c->text.size;
    if (c->text.angle > 80) return (Rect){c->box.x - 0.7f * size, c->box.y - w, 0.7f * size, w};
    if (c->text.angle > 0) return (Rect){c->box.x, c->box.y - 0.5f * size, 0.5f * size, 0.5f * size};
    return (Rect){c->box.x, c->box.y - 0.7f * size, w, 0.7f * size};
}

/* Something that is drawn between them lies over the first, such as a menu. */
static bool is_covered(const DisplayList *dl, Rect place, int first, int second) {
    for (int i = first + 1; i < second; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_RECT || (c->fill & 0xffu) != 0xffu) continue;
        Rect both = rect_meet(place, c->box);
        if (both.w >= place.w - 1 && both.h >= place.h - 1) return true;
    }
    return false;
}

static void measure_overlaps(const DisplayList *dl, Fit *m, StrBuf *over) {
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_TEXT || c->text.angle > 0) continue;
        Rect a = box_of(c);
        m->outside += a.x < -1 || a.x + a.w > dl->width + 1 || a.y + a.h > dl->height + 1;
        for (int j = 0; j < i; j++) {
            if (dl->commands[j].kind != DL_TEXT || dl->commands[j].text.angle > 0) continue;
            Rect both = rect_meet(rect_inset(a, 1), rect_inset(box_of(&dl->commands[j]), 1));
            if (both.w <= 1 || both.h <= 1 || is_covered(dl, both, j, i)) continue;
            m->over++;
            sb_printf(over, "  '%s' on '%s'\n", dl_text_at(dl, c->text.text), dl_text_at(dl, dl->commands[j].text.text));
        }
    }
}

static Fit fit_of(Session *s) {
    Fit m = {0};
    const DisplayList *dl = session_list(s);
    StrBuf cut, over, controls;
    sb_init(&cut, &lists), sb_init(&over, &lists), sb_init(&controls, &lists);
    sb_add(&cut, ""), sb_add(&over, ""), sb_add(&controls, "");
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_TEXT && str_ends(dl_text_at(dl, c->text.text), "…")) {
            m.cut++;
            sb_printf(&cut, "  %s\n", dl_text_at(dl, c->text.text));
        }
        const char *name = c->kind == DL_GROUP && dl->groups[c->group.group].focusable ? dl_text_at(dl, dl->groups[c->group.group].name) : "";
        if (name[0] && !str_starts(name, "inspector.term.")) sb_printf(&controls, "%s\n", name); /* how many terms fit is a matter of room */
    }
    measure_overlaps(dl, &m, &over);
    m.cut_texts = cut.data, m.over_texts = over.data, m.controls = controls.data;
    return m;
}

/* More of them is fine: the ways to look fold into one button where they do not fit. */
static int lost_controls(const Fit *english, const Fit *chinese, const char *where, float width) {
    int lost = 0;
    const char *name = english->controls;
    while (*name) {
        size_t length = strcspn(name, "\n") + 1;
        const char *line = arena_strndup(&lists, name, length);
        if (!strstr(chinese->controls, line) && !str_eq(line, "view.all\n")) lost++, print_error("%s at %g: there is no %s", where, (double)width, line);
        name += length;
    }
    return lost;
}

static void chinese_has_room_where_english_has(void **unused) {
    (void)unused;
    int wrong = 0;
    for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++)
        for (int at = 0; at < TEXTS; at++) {
            Session *s = start(LANGUAGE_ENGLISH);
            session_resize(s, sizes[size][0], sizes[size][1]);
            go(s, at);
            Fit english = fit_of(s);
            must(s, "language zh");
            Fit chinese = fit_of(s);
            const char *where = look_name(at);
            if (chinese.cut > english.cut)
                wrong++, print_error("%s at %g: %d texts are cut, %d in English:\n%s instead of\n%s", where, (double)sizes[size][0], chinese.cut, english.cut, chinese.cut_texts, english.cut_texts);
            if (chinese.outside > english.outside) wrong++, print_error("%s at %g: %d texts leave the picture\n", where, (double)sizes[size][0], chinese.outside);
            if (chinese.over > english.over)
                wrong++, print_error("%s at %g: texts lie over each other:\n%s instead of\n%s", where, (double)sizes[size][0], chinese.over_texts, english.over_texts);
            wrong += lost_controls(&english, &chinese, where, sizes[size][0]);
            session_close(s);
            arena_free(&lists);
            lists = (Arena){0};
        }
    assert_int_equal(wrong, 0);
}

/* ---- English that is left ---- */

/* Three words of small letters in a row are a phrase, and phrases are translated. Texts that are no words of the program: the tokens,
 * the titles of the examples, names of actions and files. */
static bool is_phrase(const char *text) {
    int words = 0;
    for (const char *c = text; *c;) {
        size_t length = 0;
        while (islower((unsigned char)c[length])) length++;
        bool ends = c[length] == ' ' || c[length] == '\0' || strchr(",.:;?!", c[length]);
        if (length >= 2 && ends) words++;
        else if (length != 1 || !ends) words = 0;
        if (words >= 3) return true;
        c += length;
        while (*c && !islower((unsigned char)*c)) {
            if (*c != ' ' && *c != '\'') words = 0;
            c++;
        }
    }
    return false;
}

static int tell_once(StrBuf *told, const char *text, const char *where) {
    if (!is_phrase(text) || strstr(told->data, arena_printf(&lists, "\n%s\n", text))) return 0;
    sb_printf(told, "%s\n", text);
    print_error("%s: '%s'\n", where, text);
    return 1;
}

static void no_english_is_left(void **unused) {
    (void)unused;
    static const char *const skipped[] = {"menu examples", "menu actions", "menu open", "menu folder", "menu save", "about"};
    assert_true(is_phrase("Row: what is looked at"));
    assert_false(is_phrase("weights[2, cat, sat]"));
    int wrong = 0;
    StrBuf told;
    sb_init(&told, &lists);
    sb_add(&told, "\n");
    for (int at = 0; at < TEXTS; at++) {
        const char *where = look_name(at);
        bool skip = false;
        for (size_t i = 0; i < sizeof skipped / sizeof *skipped; i++) skip |= str_eq(where, skipped[i]);
        skip |= at >= 2 * STAGES + MENUS && str_starts(looks[at - 2 * STAGES - MENUS].lines[0], "example "); /* English tokens */
        if (skip) continue;
        Session *s = start(LANGUAGE_CHINESE);
        must(s, "set text \"猫 坐 在 垫子 上 面\"");
        go(s, at);
        const DisplayList *dl = session_list(s);
        for (int i = 0; i < dl->n; i++) {
            const char *text = dl->commands[i].kind == DL_TEXT ? dl_text_at(dl, dl->commands[i].text.text) : "";
            const char *label = dl->commands[i].kind == DL_GROUP ? dl_text_at(dl, dl->groups[dl->commands[i].group.group].label) : "";
            wrong += tell_once(&told, text, where) + tell_once(&told, label, where);
        }
        session_close(s);
    }
    assert_int_equal(wrong, 0);
}

/* A path is translated whole: a section and a title, the same section for all that are in it. */
static void menu_paths_stay_paths(void **unused) {
    (void)unused;
    lang_set(LANGUAGE_CHINESE);
    for (int i = 0; i < action_count; i++) {
        const char *path = action_table[i].menu, *other = tr(path), *slash = strchr(other, '/');
        if (!path[0]) continue;
        assert_non_null(strchr(path, '/'));
        if (str_eq(path, other)) continue; /* not translated: another test says so */
        if (!slash || strchr(slash + 1, '/')) fail_msg("%s is no path: %s", path, other);
        for (int k = 0; k < i; k++) {
            const char *before = action_table[k].menu, *said = tr(before);
            if (strcspn(before, "/") != strcspn(path, "/") || strncmp(before, path, strcspn(path, "/")) != 0 || str_eq(before, said)) continue;
            if (strncmp(said, other, (size_t)(slash - other) + 1) != 0) fail_msg("one section has two names: %s and %s", said, other);
        }
    }
    lang_set(LANGUAGE_ENGLISH);
}

static int open_fonts(void **unused) {
    (void)unused;
    Err err = {0};
    lang_begin();
    fonts = fonts_open(&err);
    if (!fonts) print_error("%s\n", err.message);
    return fonts ? 0 : 1;
}

static int close_fonts(void **unused) {
    (void)unused;
    fonts_close(fonts);
    arena_free(&lists);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(switching_is_like_starting),
        cmocka_unit_test(chinese_has_room_where_english_has),
        cmocka_unit_test(menu_paths_stay_paths),
        cmocka_unit_test(no_english_is_left),
    };
    return cmocka_run_group_tests(tests, open_fonts, close_fonts);
}
