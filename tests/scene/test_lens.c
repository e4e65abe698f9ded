/* The lens over wide matrices: it shows the selected number, its cells are those of the tensor, and it keeps clicks from what lies below. */
#include <stdio.h>

#include "scene_kit.h"

static const char wide[] = "attnscope: 1\ntext: \"The cat sat on the mat\"\nmodel: random\nd_model: 384\nheads: 6\nmask: causal\n";

static void select_number(SceneKit *kit, const char *tensor, int row, int col) {
    ViewRef *ref = &kit->view.selection;
    snprintf(ref->tensor, sizeof ref->tensor, "%s", tensor);
    ref->index[0] = row;
    ref->index[1] = col;
    ref->rank = 2;
}

static const DlCommand *lens_group(const DisplayList *dl) {
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP && dl->groups[c->group.group].name != DL_NO_TEXT &&
            strcmp(dl_text_at(dl, dl->groups[c->group.group].name), "lens") == 0)
            return c;
    }
    return NULL;
}

static bool writes(const DisplayList *dl, Rect box, const char *text) {
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_TEXT && rect_has(box, c->box.x, c->box.y) && strcmp(dl_text_at(dl, c->text.text), text) == 0) return true;
    }
    return false;
}

static void shows_the_number_and_its_neighbours(void **state) {
    (void)state;
    static const int columns[] = {0, 200, 383}; /* the first, one in the middle, the last */
    SceneKit kit;
    kit_open(&kit, wide);
    const Tensor *x = trace_tensor(kit.run->trace, trace_find(kit.run->trace, "x"));
    for (int i = 0; i < 3; i++) {
        DisplayList dl;
        kit_film(&kit, STAGE_PROJECT, 1);
        select_number(&kit, "x", 2, columns[i]);
        Rect area = kit_draw_stage(&kit, 1600, 1000, &dl);
        const DlCommand *lens = lens_group(&dl);
        assert_non_null(lens);
        assert_true(lens->box.x >= area.x && lens->box.x + lens->box.w <= area.x + area.w);
        assert_true(lens->box.y >= area.y && lens->box.y + lens->box.h <= area.y + area.h + 1);
        char number[32];
        double value = tensor_at(x, (const int[4]){2, columns[i], 0, 0});
        snprintf(number, sizeof number, "%s%.2f", value < 0 ? "−" : "", fabs(value));
        assert_true(writes(&dl, lens->box, number));
        for (int px = 1; px < (int)lens->box.w; px += 5) { /* whatever is under the pointer there is the tensor's, near the selection, or nothing */
            DlHit hit;
            assert_true(dl_hit(&dl, lens->box.x + (float)px, lens->box.y + lens->box.h / 2, &hit));
            if (hit.row < 0) {
                assert_string_equal(dl_text_at(&dl, hit.group->name), "lens");
                continue;
            }
            assert_int_equal(hit.tensor, trace_find(kit.run->trace, "x"));
            assert_true(abs(hit.col - columns[i]) <= 8);
        }
    }
    kit_close(&kit);
}

static void is_away_where_numbers_can_be_read(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    kit_open(&kit, NULL);
    kit_film(&kit, STAGE_PROJECT, 1);
    select_number(&kit, "x", 2, 3);
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_null(lens_group(&dl));
    kit_close(&kit);
}

/* Narrow windows: the drawer leaves the lens its part of the stage, wherever in the matrix the number is. */
static void the_drawer_leaves_it_free(void **state) {
    (void)state;
    static const int columns[] = {0, 90, 200, 300, 383};
    static const float sizes[][2] = {{1024, 768}, {1200, 800}, {900, 700}};
    SceneKit kit;
    kit_open(&kit, wide);
    for (int i = 0; i < 15; i++) {
        DisplayList dl;
        const float *size = sizes[i / 5];
        kit_film(&kit, STAGE_PROJECT, 1);
        select_number(&kit, "x", 2, columns[i % 5]);
        arena_reset(&kit.frame);
        Scene scene = kit_scene(&kit, size[0], size[1]);
        dl_init(&dl, &kit.frame, size[0], size[1], 0xffffffff);
        scene_draw(&scene, &dl);
        dl_finish(&dl);
        const DlCommand *lens = lens_group(&dl), *drawer = NULL;
        for (int k = 0; k < dl.n; k++) {
            const DlCommand *c = &dl.commands[k];
            bool named = c->kind == DL_GROUP && dl.groups[c->group.group].name != DL_NO_TEXT;
            if (named && strcmp(dl_text_at(&dl, dl.groups[c->group.group].name), "inspector") == 0) drawer = c;
        }
        assert_non_null(lens);
        assert_non_null(drawer);
        Rect both = rect_meet(lens->box, drawer->box);
        if (both.w > 0 && both.h > 0) fail_msg("%g wide, column %d: the drawer hides %g of the lens", (double)size[0], columns[i % 5], (double)both.w);
        assert_true(lens->box.x >= -0.5f && lens->box.x + lens->box.w <= size[0]);
    }
    kit_close(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_the_number_and_its_neighbours),
        cmocka_unit_test(the_drawer_leaves_it_free),
        cmocka_unit_test(is_away_where_numbers_can_be_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
