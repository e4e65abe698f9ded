/* Regions of the screen never overlap and never leave the window. */
#include <stdio.h>

#include "scene/layout.h"
#include "support/support.h"

typedef struct {
    const char *name;
    Rect box;
} Region;

static bool overlaps(Rect a, Rect b) {
    Rect common = rect_meet(a, b);
    return common.w > 0.01f && common.h > 0.01f;
}

enum { STAGE = 3, INSPECTOR, HEADS }; /* in the list below */

static bool is_drawer(const Layout *l, int i, int j) { return l->drawer && ((i == STAGE && j == INSPECTOR) || (i == INSPECTOR && j == HEADS)); }

static void check(const Layout *l, const char *what) {
    const Region regions[] = {{"top", l->top},           {"rail", l->rail},           {"formula", l->formula},
                              {"stage", l->stage},       {"inspector", l->inspector}, {"heads", l->heads},
                              {"caption", l->caption},   {"caption2", l->caption2},   {"transport", l->transport},
                              {"scrubber", l->scrubber}, {"hints", l->hints}};
    int n = sizeof regions / sizeof *regions;
    for (int i = 0; i < n; i++) {
        Rect r = regions[i].box;
        if (r.w < 0 || r.h < 0 || r.x < -0.01f || r.y < -0.01f || r.x + r.w > l->width + 0.6f || r.y + r.h > l->height + 0.6f)
            fail_msg("%s: %s (%g %g %g %g) leaves %gx%g", what, regions[i].name, (double)r.x, (double)r.y, (double)r.w, (double)r.h,
                     (double)l->width, (double)l->height);
        for (int j = i + 1; j < n; j++)
            if (overlaps(r, regions[j].box) && !is_drawer(l, i, j)) fail_msg("%s: %s and %s overlap", what, regions[i].name, regions[j].name);
    }
}

static void regions_never_overlap(void **state) {
    (void)state;
    static const float sizes[][2] = {{1024, 768},  {1279, 900},  {1280, 800},  {1280, 820},  {1366, 768},
                                     {1600, 1000}, {1920, 1080}, {2560, 1440}, {3840, 2160}, {1000, 1600}};
    static const double scales[] = {0.75, 1, 1.25, 1.5, 2};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (size_t k = 0; k < sizeof scales / sizeof *scales; k++)
            for (int kind = 0; kind < STAGE_ATTENTION_COUNT; kind++)
                for (int bits = 0; bits < 4; bits++) {
                    View view;
                    view_init(&view);
                    view.text_scale = scales[k];
                    view.film.stage = kind;
                    Layout l = layout_make(sizes[i][0], sizes[i][1], &view);
                    layout_cut(&l, (StageKind)kind, bits & 1, bits & 2);
                    char what[96];
                    snprintf(what, sizeof what, "%gx%g text %g stage %d maps %d selected %d", (double)sizes[i][0], (double)sizes[i][1],
                             scales[k], kind + 1, bits & 1, bits >> 1);
                    check(&l, what);
                    assert_true(l.stage.w > 80 && l.stage.h > 40);
                }
}

static void narrow_and_low_windows_reflow(void **state) {
    (void)state;
    View view;
    view_init(&view);
    Layout wide = layout_make(1600, 1000, &view), small = layout_make(1024, 768, &view);
    assert_false(wide.narrow || wide.low);
    assert_true(small.narrow && small.low);
    assert_true(wide.caption2.h > 0 && small.caption2.h == 0);
    assert_true(wide.hints.w > 0 && small.hints.w == 0);
    assert_true(wide.inspector.w > 0 && small.inspector.w == 0);
    assert_true(small.formula.y == small.rail.y && wide.formula.y > wide.rail.y);
    assert_near(small.type[TYPE_SMALL], 12, 0.001);
    assert_false(small.drawer);
    strcpy(view.selection.tensor, "scores");
    Layout open = layout_make(1024, 768, &view);
    assert_true(open.drawer && open.inspector.w >= 300);
    assert_near(open.inspector.x + open.inspector.w, 1000, 0.001);
    assert_memory_equal(&open.stage, &small.stage, sizeof open.stage); /* it lies over the stage, which stays as it is */
}

static void the_picture_is_met(void **state) {
    (void)state;
    View view;
    view_init(&view);
    view.film.stage = STAGE_SCORES;
    Layout l = layout_make(1600, 1000, &view);
    assert_near(l.top.h, 64, 0.5);
    assert_near(l.bottom.y, 826, 0.5);
    assert_near(l.inspector.w, 424, 1);
    assert_near(l.inspector.y, 236, 1);
    assert_near(l.inspector.y + l.inspector.h, 802, 1);
    assert_int_equal(l.heads_place, HEADS_COLUMN);
}

static void all_heads_need_large_cells(void **state) {
    (void)state;
    View view;
    view_init(&view);
    Layout l = layout_make(1600, 1000, &view);
    assert_int_equal(layout_all_heads(&l, (Rect){0, 0, 880, 566}, 4, 6, 6, 50), 2);
    assert_int_equal(layout_all_heads(&l, (Rect){0, 0, 880, 566}, 4, 12, 12, 50), 0);
    assert_int_equal(layout_all_heads(&l, (Rect){0, 0, 880, 566}, 4, 1, 1, 50), 2);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions_never_overlap),
        cmocka_unit_test(narrow_and_low_windows_reflow),
        cmocka_unit_test(the_picture_is_met),
        cmocka_unit_test(all_heads_need_large_cells),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
