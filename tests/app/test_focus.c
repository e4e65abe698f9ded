/* Everything works without a mouse: Tab goes to every control of every screen, in reading order, and shows where it is. */
#include <math.h>
#include <stdio.h>

#include "app/drive.h"
#include "base/str.h"
#include "draw/theme.h"
#include "support/support.h"

static Arena arena;

typedef struct {
    const char *folder;   /* of a model below tests/data/models; NULL = the default document */
    float width, height;
    const char *lines[6]; /* actions */
} Place;

#define SIZES(...) {NULL, 1600, 1000, {__VA_ARGS__}}, {NULL, 1024, 768, {__VA_ARGS__}}, {NULL, 800, 600, {__VA_ARGS__}}
#define MODEL(name, ...) {name, 1600, 1000, {__VA_ARGS__}}, {name, 1024, 768, {__VA_ARGS__}}

static const Place places[] = {
    SIZES("stage embed end"), SIZES("stage project end"), SIZES("stage scores end"), SIZES("stage scale end"), SIZES("stage mask end"),
    SIZES("stage softmax end"), SIZES("stage wsum end"), SIZES("stage concat end"), SIZES("stage output end"), SIZES("stage scores", "step 3"),
    SIZES("stage softmax end", "select weights[2,sat,cat]"), SIZES("stage output end", "select out[sat,3]"), SIZES("stage softmax end", "theme dark"),
    SIZES("source \"le chat\"", "stage scores end"), SIZES("text \"a b c d e f g h i j k l m n o p q r s t u v w x y z 1 2 3 4 5 6 7 8\"", "stage softmax end"),
    SIZES("present"), SIZES("present", "stage softmax end", "select weights[2,sat,cat]"),
    MODEL("tiny-gpt2", "overview"), MODEL("tiny-gpt2", "overview", "sort previous"), MODEL("tiny-gpt2", "layer 2", "stage predict end"), MODEL("tiny-gpt2", "block", "stage ffn end"),
    MODEL("tiny-bart", "overview"), MODEL("tiny-gpt2", "stage softmax end"),
};
enum { PLACES = sizeof places / sizeof places[0] };

static Session *open_place(const Place *place) {
    Session *s = drive_open();
    Err err = {0};
    session_resize(s, place->width, place->height);
    if (place->folder && !session_open_model(s, arena_printf(&arena, "%s/models/%s", TEST_DATA, place->folder), &err)) fail_msg("%s", err.message);
    for (int i = 0; i < 6 && place->lines[i]; i++) must(s, place->lines[i]);
    return s;
}

static const char *told(const Place *place) {
    return arena_printf(&arena, "%s %.0fx%.0f %s", place->folder ? place->folder : "", (double)place->width, (double)place->height, place->lines[0]);
}

typedef struct { const char *name; Rect box; } Control;

static int controls_of(Session *s, Control **out) {
    const DisplayList *list = session_list(s);
    int n = dl_focus_count(list);
    *out = ARENA_ARRAY(&arena, Control, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        const DlGroup *group = dl_focus_at(list, i, &(*out)[i].box);
        (*out)[i].name = arena_strdup(&arena, dl_text_at(list, group->name));
    }
    return n;
}

static int find(const Control *controls, int n, const char *name) {
    for (int i = 0; i < n; i++)
        if (str_eq(controls[i].name, name)) return i;
    return -1;
}

/* Tab from the stage round to the stage: what it passes. */
static int walk(Session *s, unsigned mods, Control *passed, int most) {
    int n = 0;
    must(s, "focus");
    for (;;) {
        press(s, mods, "Tab");
        const char *name = session_view(s)->focus;
        if (!name[0]) return n;
        if (n == most) fail_msg("Tab comes to no end: %s", name);
        passed[n++] = (Control){arena_strdup(&arena, name), control_box(s, name)};
    }
}

enum { PASSED_MAX = 400 };

static void tab_goes_to_every_control(void **unused) {
    (void)unused;
    for (int i = 0; i < PLACES; i++) {
        Session *s = open_place(&places[i]);
        Control *all, passed[PASSED_MAX], back[PASSED_MAX];
        int n = controls_of(s, &all), walked = walk(s, 0, passed, PASSED_MAX), returned = walk(s, MOD_SHIFT, back, PASSED_MAX);
        for (int k = 0; k < n; k++) {
            if (!all[k].name[0]) fail_msg("%s: a control has no name", told(&places[i]));
            if (find(all, n, all[k].name) != k) fail_msg("%s: two controls are called %s", told(&places[i]), all[k].name);
            if (find(passed, walked, all[k].name) < 0) fail_msg("%s: Tab does not go to %s", told(&places[i]), all[k].name);
        }
        assert_int_equal(returned, walked);
        for (int k = 0; k < walked; k++) assert_string_equal(back[walked - 1 - k].name, passed[k].name);
        drive_close(s);
        arena_reset(&arena);
    }
}

/* Does b come before a for who reads lines from the left, columns from above? */
static bool goes_back(Rect a, Rect b) {
    float overlap = fminf(a.y + a.h, b.y + b.h) - fmaxf(a.y, b.y);
    if (overlap > 0.5f * fminf(a.h, b.h)) return b.x + b.w <= a.x + 1;
    return b.y + b.h <= a.y + 1 && b.x < a.x + a.w && a.x < b.x + b.w;
}

/* The inspector is a column of its own beside the stage, or a drawer over it; what closes it comes last. */
static bool in_order(const char *before, const char *name) {
    return str_starts(before, "inspector.") == str_starts(name, "inspector.") && !str_eq(name, "inspector.close");
}

static void tab_goes_in_reading_order(void **unused) {
    (void)unused;
    for (int i = 0; i < PLACES; i++) {
        Session *s = open_place(&places[i]);
        Control passed[PASSED_MAX];
        int walked = walk(s, 0, passed, PASSED_MAX);
        for (int k = 1; k < walked; k++)
            if (in_order(passed[k - 1].name, passed[k].name) && goes_back(passed[k - 1].box, passed[k].box))
                fail_msg("%s: Tab goes from %s (%.0f,%.0f) back to %s (%.0f,%.0f)\n", told(&places[i]), passed[k - 1].name, (double)passed[k - 1].box.x, (double)passed[k - 1].box.y, passed[k].name,
                         (double)passed[k].box.x, (double)passed[k].box.y);
        drive_close(s);
        arena_reset(&arena);
    }
}

/* Frames at a control, around it or around a part of it such as a knob: strokes in the accent's colour, at least 1.5 thick, inside the
 * window. */
static int count_rings(const DisplayList *list, const Theme *theme, Rect box) {
    int rings = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_RECT || c->stroke != theme->accent || c->width < 1.5f) continue;
        bool near = c->box.x > box.x - 9 && c->box.y > box.y - 9 && c->box.x + c->box.w < box.x + box.w + 9 && c->box.y + c->box.h < box.y + box.h + 9;
        bool inside = c->box.x >= -1 && c->box.y >= -1 && c->box.x + c->box.w <= list->width + 1 && c->box.y + c->box.h <= list->height + 1;
        rings += near && inside && c->box.w > 8 && c->box.h > 8;
    }
    return rings;
}

static void the_focus_is_seen_in_every_theme(void **unused) {
    (void)unused;
    for (int i = 0; i < PLACES; i++)
        for (int theme = 0; theme < THEME_COUNT; theme++) {
            Session *s = open_place(&places[i]);
            Control *all;
            must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
            int n = controls_of(s, &all);
            for (int k = 0; k < n; k++) {
                must(s, "focus");
                int before = count_rings(session_list(s), theme_at((ThemeKind)theme), all[k].box);
                must(s, arena_printf(&arena, "focus %s", all[k].name));
                if (count_rings(session_list(s), theme_at((ThemeKind)theme), control_box(s, all[k].name)) <= before)
                    fail_msg("%s, %s: the focus is not seen on %s\n", told(&places[i]), theme_at((ThemeKind)theme)->name, all[k].name);
            }
            drive_close(s);
            arena_reset(&arena);
        }
}

/* Menus and dialogs: every row that does something is reached by Down and by Tab, is lit, and Esc closes. */
static void every_row_of_every_menu_is_reached(void **unused) {
    (void)unused;
    static const char *const menus[] = {"main", "model", "mask", "position", "tokenizer", "examples", "keys", "actions", "open", "folder", "save", "speed", "model.about", "heads", "threshold", "view"};
    int found = 0;
    for (size_t i = 0; i < sizeof menus / sizeof menus[0]; i++) {
        Session *s = drive_open();
        Err err = {0};
        must(s, "stage softmax end");
        if (!session_do(s, arena_printf(&arena, "menu %s", menus[i]), &err) || !session_view(s)->menu[0]) {
            drive_close(s);
            continue;
        }
        found++;
        int first = session_view(s)->menu_item, rows = 0;
        if (first < 0) {
            press(s, 0, "Down");
            first = session_view(s)->menu_item;
        }
        for (int item = first; rows < 500;) {
            rows++;
            if (item >= 0) {
                bool seen = has_control(s, arena_printf(&arena, "menu.%d", item + 1));
                if (!seen) fail_msg("menu %s: row %d is chosen and not seen", menus[i], item + 1);
            }
            press(s, 0, "Down");
            item = session_view(s)->menu_item;
            if (item == first) break;
        }
        assert_true(rows < 500);
        press(s, 0, "Esc");
        assert_string_equal(session_view(s)->menu, "");
        drive_close(s);
        arena_reset(&arena);
    }
    assert_true(found >= 12);
}

static int free_all(void **unused) {
    (void)unused;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tab_goes_to_every_control), cmocka_unit_test(tab_goes_in_reading_order),
        cmocka_unit_test(the_focus_is_seen_in_every_theme), cmocka_unit_test(every_row_of_every_menu_is_reached),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
