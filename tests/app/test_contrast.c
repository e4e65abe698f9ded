/* What is written can be read: WCAG 2.1's contrast of every text with what lies under it, at least 4.5 to 1, and of control states,
 * frames and focus rings with what lies beside them, at least 3 to 1; from the colours themselves and from real pictures, in every
 * theme and with every palette. Texts of what is disabled are exempt, as they are there. */
#include <math.h>
#include <stdio.h>

#include "app/drive.h"
#include "base/str.h"
#include "draw/theme.h"
#include "support/support.h"

static Arena arena;
static const double TEXT_LEAST = 4.5, SIGN_LEAST = 3;

/* ---- the formula, apart from the program's own ---- */

static double channel(Color color, int shift) {
    double c = (double)(color >> shift & 0xffu) / 255;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static double luminance(Color color) { return 0.2126 * channel(color, 24) + 0.7152 * channel(color, 16) + 0.0722 * channel(color, 8); }

static double contrast(Color a, Color b) {
    double x = luminance(a), y = luminance(b);
    return x > y ? (x + 0.05) / (y + 0.05) : (y + 0.05) / (x + 0.05);
}

static Color over(Color top, Color bottom) {
    double alpha = (double)(top & 0xffu) / 255;
    Color out = 0xff;
    for (int shift = 8; shift <= 24; shift += 8)
        out |= (Color)lround(alpha * (double)(top >> shift & 0xffu) + (1 - alpha) * (double)(bottom >> shift & 0xffu)) << shift;
    return out;
}

static void the_formula_is_that_of_wcag(void **unused) {
    (void)unused;
    assert_near(contrast(0x000000ff, 0xffffffff), 21, 1e-9);
    assert_near(contrast(0x777777ff, 0xffffffff), 4.48, 0.005); /* the well-known grey that just fails */
    assert_near(contrast(0x767676ff, 0xffffffff), 4.54, 0.005);
    assert_int_equal(over(0x00000080, 0xffffffff), 0x7f7f7fff);
}

/* ---- colours ---- */

static void roles_can_be_read_on_every_ground(void **unused) {
    (void)unused;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        const Color texts[] = {t->ink, t->muted, t->q, t->k, t->v, t->out, t->head[0], t->head[1], t->head[2], t->head[3], t->error};
        const Color grounds[] = {t->background, t->panel, t->empty_cell, t->button};
        for (size_t k = 0; k < sizeof texts / sizeof texts[0]; k++)
            for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; g++)
                if (contrast(texts[k], grounds[g]) < TEXT_LEAST) fail_msg("%s: text %zu on ground %zu: %.2f", t->name, k, g, contrast(texts[k], grounds[g]));
        assert_true(contrast(t->ink, t->button_hover) >= TEXT_LEAST);
        assert_true(contrast(t->on_accent, t->accent) >= TEXT_LEAST);
        for (size_t g = 0; g < sizeof grounds / sizeof grounds[0]; g++) assert_true(contrast(t->accent, grounds[g]) >= SIGN_LEAST);
    }
}

static void numbers_can_be_read_on_every_ramp(void **unused) {
    (void)unused;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        for (int step = 0; step <= 1000; step++) {
            for (int ramp = 0; ramp < RAMP_COUNT; ramp++) {
                Color cell = theme_weight_color(t, (RampKind)ramp, step / 1000.0);
                assert_true(contrast(color_ink_on(cell), cell) >= TEXT_LEAST);
            }
            Color cell = theme_signed_color(t, step / 500.0 - 1, 1);
            assert_true(contrast(color_ink_on(cell), cell) >= TEXT_LEAST);
        }
    }
}

/* ---- pictures ---- */

typedef struct { float x, y; } Point;

static bool in_polygon(const DisplayList *list, const DlCommand *c, Point p) {
    bool inside = false;
    for (uint32_t i = 0, j = c->path.count - 1; i < c->path.count; j = i++) {
        DlPoint a = list->points[c->path.first + i], b = list->points[c->path.first + j];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x) inside = !inside;
    }
    return inside;
}

/* Alpha 0: this command does not cover the point. */
static Color covers(const DisplayList *list, const DlCommand *c, Point p) {
    if (c->kind == DL_RECT && rect_has(c->box, p.x, p.y)) return c->fill;
    if (c->kind == DL_PATH && c->path.count > 2 && (c->fill & 0xffu) && in_polygon(list, c, p)) return c->fill;
    if (c->kind != DL_CELLS || !rect_has(c->box, p.x, p.y)) return COLOR_NONE;
    for (int row = 0; row < c->cells.rows; row++)
        for (int col = 0; col < c->cells.cols; col++) {
            Rect box = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, row, col);
            if (!rect_has(box, p.x, p.y)) continue;
            int at = row * c->cells.cols + col;
            if (list->marks[c->cells.marks + (uint32_t)at] == CELL_NONE) return COLOR_NONE;
            return list->colors[c->cells.colors + (uint32_t)at];
        }
    return COLOR_NONE;
}

enum { CLIPS = 32 };

typedef struct { Rect at[CLIPS]; int n; } Clips;

static void follow_clips(Clips *clips, const DlCommand *c) {
    if (c->kind == DL_CLIP && clips->n < CLIPS) clips->at[clips->n++] = c->box;
    if (c->kind == DL_UNCLIP && clips->n > 0) clips->n--;
}

static bool is_seen(const Clips *clips, Point p) {
    for (int i = 0; i < clips->n; i++)
        if (!rect_has(clips->at[i], p.x, p.y)) return false;
    return true;
}

/* The colour at a point under command `before`. */
static Color ground_at(const DisplayList *list, int before, Point p) {
    Color ground = list->background | 0xffu;
    Clips clips = {.n = 0};
    for (int i = 0; i < before; i++) {
        const DlCommand *c = &list->commands[i];
        follow_clips(&clips, c);
        Color fill = covers(list, c, p);
        if ((fill & 0xffu) && is_seen(&clips, p)) ground = over(fill, ground);
    }
    return ground;
}

/* Is it covered by something opaque that comes later, such as a dialog? */
static bool is_covered(const DisplayList *list, int after, Point p) {
    for (int i = after + 1; i < list->n; i++)
        if ((covers(list, &list->commands[i], p) & 0xffu) > 0x20) return true;
    return false;
}

/* A place in a text, `share` of its length from its start, in the middle of its capitals. */
static Point place_in(const DlCommand *c, float share) {
    float along = c->text.width * share, up = 0.35f * c->text.size, angle = c->text.angle * 3.14159265f / 180;
    return (Point){c->box.x + along * cosf(angle) - up * sinf(angle), c->box.y - along * sinf(angle) - up * cosf(angle)};
}

static int failures;

static void complain(const char *where, const char *what, const char *name, Color color, Color ground, double found) {
    if (failures++ < 40) print_message("%s: %s \"%s\": %06x on %06x is %.2f\n", where, what, name, color >> 8, ground >> 8, found);
}

static void check_texts(const DisplayList *list, const char *where) {
    Clips clips = {.n = 0};
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        follow_clips(&clips, c);
        if (c->kind != DL_TEXT || (c->fill & 0xffu) == 0) continue;
        for (int k = 0; k < 3; k++) {
            Point p = place_in(c, k == 0 ? 0.1f : k == 1 ? 0.5f : 0.9f);
            if (!is_seen(&clips, p) || is_covered(list, i, p)) continue;
            Color ground = ground_at(list, i, p), ink = over(c->fill, ground);
            if (contrast(ink, ground) >= TEXT_LEAST) continue;
            complain(where, "text", dl_text_at(list, c->text.text), ink, ground, contrast(ink, ground));
            break;
        }
    }
}

/* A stroke against what lies outside of it, or else inside. */
static void check_edge(const DisplayList *list, int i, const char *where, const char *what, const char *name) {
    const DlCommand *c = &list->commands[i];
    Point outside = {c->box.x + c->box.w / 2, c->box.y - 1.5f}, inside = {c->box.x + c->box.w / 2, c->box.y + c->width + 1};
    if (is_covered(list, i, inside)) return;
    Color out = ground_at(list, i, outside), in = over(c->fill, ground_at(list, i, inside)), stroke = over(c->stroke, out);
    double found = fmax(contrast(stroke, out), contrast(stroke, in));
    if (found < SIGN_LEAST) complain(where, what, name, stroke, out, found);
}

static void check_controls(const DisplayList *list, const char *where) {
    const char *name = "";
    DlRole role = ROLE_NONE;
    const Theme *theme = NULL;
    for (int i = 0; i < THEME_COUNT; i++)
        if (theme_at((ThemeKind)i)->background == list->background) theme = theme_at((ThemeKind)i);
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind == DL_UNGROUP) role = ROLE_NONE;
        if (c->kind == DL_GROUP) {
            role = list->groups[c->group.group].role;
            name = dl_text_at(list, list->groups[c->group.group].name);
            continue;
        }
        if (c->kind != DL_RECT) continue;
        if (role == ROLE_FIELD && c->stroke) check_edge(list, i, where, "border of field", name);
        else if (theme && c->stroke == theme->accent && c->width >= 1.5f) check_edge(list, i, where, "frame", name);
        if (role == ROLE_SLIDER && c->fill) { /* track, filled part, knob */
            Color ground = ground_at(list, i, (Point){c->box.x + c->box.w / 2, c->box.y - 1.5f}), fill = over(c->fill, ground);
            if (contrast(fill, ground) < SIGN_LEAST && !is_covered(list, i, (Point){c->box.x + c->box.w / 2, c->box.y + 1}))
                complain(where, "slider", name, fill, ground, contrast(fill, ground));
        }
        if (role != ROLE_FIELD && role != ROLE_SLIDER) role = ROLE_NONE;
        else if (role == ROLE_FIELD) role = ROLE_NONE; /* the first is the border */
    }
}

static void look(Session *s, const char *where) {
    check_texts(session_list(s), where);
    check_controls(session_list(s), where);
}

static const char *const ramps[] = {"theme", "viridis", "cividis", "grey", "ylorrd"};

static void stages_can_be_read(void **unused) {
    (void)unused;
    static const char *const texts[] = {"The cat sat on the mat", "我 爱 猫"};
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}};
    failures = 0;
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (int stage = 1; stage <= 9; stage++)
            for (int size = 0; size < 2; size++) {
                Session *s = drive_open();
                session_resize(s, sizes[size][0], sizes[size][1]);
                must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
                must(s, arena_printf(&arena, "text \"%s\"", texts[size]));
                for (int step = 0; step < 3; step++) {
                    must(s, arena_printf(&arena, step == 1 ? "stage %d start" : "stage %d end", stage));
                    if (step == 1) must(s, "step 2");
                    if (step == 2) must(s, "palette viridis");
                    look(s, arena_printf(&arena, "%s, stage %d, %.0f wide, look %d", theme_at((ThemeKind)theme)->name, stage, (double)sizes[size][0], step));
                }
                drive_close(s);
                arena_reset(&arena);
            }
    assert_int_equal(failures, 0);
}

static void every_palette_can_be_read(void **unused) {
    (void)unused;
    failures = 0;
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (size_t ramp = 0; ramp < sizeof ramps / sizeof ramps[0]; ramp++) {
            Session *s = drive_open();
            must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
            must(s, arena_printf(&arena, "palette %s", ramps[ramp]));
            for (int stage = 3; stage <= 7; stage++) {
                must(s, arena_printf(&arena, "stage %d end", stage));
                if (stage == 6) must(s, "select weights[2,sat,cat]");
                look(s, arena_printf(&arena, "%s, %s, stage %d", theme_at((ThemeKind)theme)->name, ramps[ramp], stage));
            }
            drive_close(s);
            arena_reset(&arena);
        }
    assert_int_equal(failures, 0);
}

/* Menus, dialogs, messages, what is under the pointer, selected, focused, empty. */
static void menus_and_states_can_be_read(void **unused) {
    (void)unused;
    static const char *const states[][4] = {
        {"menu main"}, {"menu model"}, {"menu mask"}, {"menu position"}, {"menu tokenizer"}, {"menu examples"}, {"menu keys"}, {"menu actions"}, {"menu open"}, {"menu save"},
        {"menu speed"}, {"stage softmax end", "select weights[2,sat,cat]"}, {"stage scores end", "select scores[1,3,2]"}, {"stage output end", "select out[sat,3]"},
        {"focus top.field"}, {"focus play"}, {"focus scrubber"}, {"focus rail.3"}, {"focus top.export"}, {"focus top.mask"}, {"text \"\""}, {"present"}, {"present", "stage softmax end"},
        {"source \"le chat\""}, {"stage mask end", "mask.toggle 2 1"}, {"set seed 3", "model random"},
    };
    failures = 0;
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (size_t i = 0; i < sizeof states / sizeof states[0]; i++) {
            Session *s = drive_open();
            Err err = {0};
            must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
            for (int k = 0; k < 4 && states[i][k]; k++) session_do(s, states[i][k], &err);
            look(s, arena_printf(&arena, "%s, %s", theme_at((ThemeKind)theme)->name, states[i][0]));
            drive_close(s);
            arena_reset(&arena);
        }
    assert_int_equal(failures, 0);
}

/* Every control with the pointer on it. */
static void what_is_pointed_at_can_be_read(void **unused) {
    (void)unused;
    failures = 0;
    for (int theme = 0; theme < THEME_COUNT; theme++) {
        Session *s = drive_open();
        must(s, "stage softmax end");
        must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
        int n = dl_focus_count(session_list(s));
        for (int i = 0; i < n; i++) {
            Rect box;
            const char *name = arena_strdup(&arena, dl_text_at(session_list(s), dl_focus_at(session_list(s), i, &box)->name));
            move_to(s, box.x + box.w / 2, box.y + box.h / 2);
            look(s, arena_printf(&arena, "%s, pointer on %s", theme_at((ThemeKind)theme)->name, name));
        }
        drive_close(s);
        arena_reset(&arena);
    }
    assert_int_equal(failures, 0);
}

static void networks_can_be_read(void **unused) {
    (void)unused;
    static const char *const models[] = {"tiny-gpt2", "tiny-bart"};
    static const char *const lines[] = {"overview", "sort previous", "aggregate length", "look 2 1", "stage softmax end", "block", "stage norm end", "stage ffn end"};
    failures = 0;
    for (int theme = 0; theme < THEME_COUNT; theme++)
        for (int model = 0; model < 2; model++) {
            Session *s = drive_open();
            Err err = {0};
            must(s, arena_printf(&arena, "theme %s", theme_at((ThemeKind)theme)->name));
            if (!session_open_model(s, arena_printf(&arena, "%s/models/%s", TEST_DATA, models[model]), &err)) fail_msg("%s", err.message);
            for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
                session_do(s, lines[i], &err);
                look(s, arena_printf(&arena, "%s, %s, %s", theme_at((ThemeKind)theme)->name, models[model], lines[i]));
            }
            drive_close(s);
            arena_reset(&arena);
        }
    assert_int_equal(failures, 0);
}

static int free_all(void **unused) {
    (void)unused;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_formula_is_that_of_wcag), cmocka_unit_test(roles_can_be_read_on_every_ground), cmocka_unit_test(numbers_can_be_read_on_every_ramp),
        cmocka_unit_test(stages_can_be_read), cmocka_unit_test(every_palette_can_be_read), cmocka_unit_test(menus_and_states_can_be_read),
        cmocka_unit_test(what_is_pointed_at_can_be_read), cmocka_unit_test(networks_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, free_all);
}
