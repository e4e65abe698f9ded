/* How maps of weights are looked at: ribbons, colours, heads put together, what is left out. The weights follow from scores by hand:
 * e to the ln 3 is 3, so that a row of ln 3 and 0 has the weights 3/4 and 1/4, one of two zeros 1/2 and 1/2. */
#include <stdio.h>
#include <string.h>

#include "draw/ramp.h"
#include "scene/look.h"
#include "scene_kit.h"

static const char *const two_heads = "attnscope: 1\ntokens: [\"a\", \"b\"]\nscale: none\nmask: none\n"
                                     "scores: [[[1.0986123, 0], [0, 0]], [[0, 0], [1.0986123, 0]]]\n"
                                     "v: [[[3, 4], [0, 2]], [[1, 0], [0, 1]]]\n";

static void open_softmax(SceneKit *kit) {
    kit_open(kit, two_heads);
    int stage = 0;
    while (trace_stage(kit->run->trace, stage)->kind != STAGE_SOFTMAX) stage++;
    kit_film(kit, stage, 1e6);
    kit->view.heads_shown = HEADS_ONE;
}

static const float *map_values(SceneKit *kit, const DisplayList *dl, const char *tensor, const DlCommand **map) {
    TensorId id = trace_find(kit->run->trace, tensor);
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor == id && c->box.w > 60) return *map = c, dl->values + c->cells.values;
    }
    fail_msg("%s is not drawn", tensor);
    return NULL;
}

/* Outside of the controls, which show what is chosen anyway. Sentences are drawn word by word. */
static bool says(SceneKit *kit, const DisplayList *dl, const char *part) {
    StrBuf sb;
    bool control[32] = {false};
    int depth = 0;
    sb_init(&sb, &kit->lasting);
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP && depth < 31) depth++, control[depth] = control[depth - 1] || dl->groups[c->group.group].action;
        else if (c->kind == DL_UNGROUP) depth--;
        else if (c->kind == DL_TEXT && !control[depth]) sb_printf(&sb, "%s ", dl_text_at(dl, c->text.text));
    }
    return sb.data && strstr(sb.data, part) != NULL;
}

/* ---- lines ---- */

/* In the order of drawing; `n` must be drawn. */
static void check_ribbons(const DisplayList *dl, const double *weights, int n, double scale) {
    int at = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_RIBBON) continue;
        assert_true(at < n);
        assert_near((double)c->ribbon.h0, weights[at] * scale, 0.001);
        assert_near((double)c->ribbon.h1, weights[at] * scale, 0.001);
        at++;
    }
    assert_int_equal(at, n);
}

/* At scale 1 a weight of 1 is 34 units wide: 25.5 and 8.5 for 3/4 and 1/4. */
static void a_ribbon_is_as_wide_as_its_weight(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    open_softmax(&kit);
    kit.view.shape = MAP_LINES;
    kit.view.selection = (ViewRef){.tensor = "weights", .index = {0, 0, 1}, .rank = 3};
    kit_draw_stage(&kit, 1600, 1000, &dl);
    double scale = 34 * (double)kit_scene(&kit, 1600, 1000).layout.scale;
    check_ribbons(&dl, (const double[]){0.75, 0.25}, 2, scale);
    kit.view.selection.index[1] = 1;
    kit_draw_stage(&kit, 1600, 1000, &dl);
    check_ribbons(&dl, (const double[]){0.5, 0.5}, 2, scale);
    kit.view.shape = MAP_ALL_LINES;
    kit_draw_stage(&kit, 1600, 1000, &dl);
    check_ribbons(&dl, (const double[]){0.75, 0.25, 0.5, 0.5}, 4, scale);
    kit.view.head = 1;
    kit_draw_stage(&kit, 1600, 1000, &dl);
    check_ribbons(&dl, (const double[]){0.5, 0.5, 0.75, 0.25}, 4, scale);
    kit.view.threshold = 0.3; /* 1/4 goes */
    kit_draw_stage(&kit, 1600, 1000, &dl);
    check_ribbons(&dl, (const double[]){0.5, 0.5, 0.75}, 3, scale);
    kit.view.hidden[kit.view.n_hidden++] = 0; /* so does the first key */
    kit_draw_stage(&kit, 1600, 1000, &dl);
    check_ribbons(&dl, (const double[]){0.5}, 1, scale);
    kit_close(&kit);
}

/* ---- heads put together ---- */

static void check_map(SceneKit *kit, AggregateKind kind, const char *tensor, const double *want) {
    DisplayList dl;
    const DlCommand *map = NULL;
    kit->view.aggregate = kind;
    kit_draw_stage(kit, 1600, 1000, &dl);
    const float *values = map_values(kit, &dl, tensor, &map);
    for (int i = 0; i < 4; i++) assert_near((double)values[i], want[i], 1e-6);
}

static void heads_are_put_together(void **state) {
    (void)state;
    SceneKit kit;
    open_softmax(&kit);
    check_map(&kit, AGGREGATE_HEAD, "weights", (const double[]){0.75, 0.25, 0.5, 0.5});
    check_map(&kit, AGGREGATE_AVERAGE, "head_avg", (const double[]){0.625, 0.375, 0.625, 0.375});
    check_map(&kit, AGGREGATE_MAXIMUM, "head_max", (const double[]){0.75, 0.5, 0.75, 0.5});
    /* lengths of v in head 1: 5 and 2 */
    check_map(&kit, AGGREGATE_LENGTH, "weighted_length", (const double[]){3.75, 0.5, 2.5, 1});
    kit_close(&kit);
}

static void titles_say_what_is_put_together(void **state) {
    (void)state;
    static const struct {
        AggregateKind kind;
        const char *says;
    } cases[] = {{AGGREGATE_AVERAGE, "average"}, {AGGREGATE_MAXIMUM, "maximum"}, {AGGREGATE_LENGTH, "|v|"}};
    SceneKit kit;
    DisplayList dl;
    open_softmax(&kit);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int shape = 0; shape < MAP_SHAPE_COUNT; shape++) {
            kit.view.aggregate = cases[i].kind;
            kit.view.shape = (MapShape)shape;
            kit_draw_stage(&kit, 1600, 1000, &dl);
            if (!says(&kit, &dl, cases[i].says)) fail_msg("%s, %s: the picture does not say so", aggregate_names[cases[i].kind], shape_names[shape]);
        }
    kit_close(&kit);
}

/* ---- colours ---- */

static Color color_at(SceneKit *kit, int cell) {
    DisplayList dl;
    const DlCommand *map = NULL;
    kit_draw_stage(kit, 1600, 1000, &dl);
    map_values(kit, &dl, "weights", &map);
    return dl.colors[map->cells.colors + (uint32_t)cell];
}

/* From 0.001 to 1 are three powers of ten: 0.25 lies log10(250) = 2.39794 of 3 up, 0.75 log10(750) = 2.87506. */
static void colours_follow_the_scale(void **state) {
    (void)state;
    SceneKit kit;
    open_softmax(&kit);
    kit.view.palette = RAMP_VIRIDIS;
    assert_int_equal(color_at(&kit, 0), ramp_color(RAMP_VIRIDIS, 0.75));
    assert_int_equal(color_at(&kit, 1), ramp_color(RAMP_VIRIDIS, 0.25));
    kit.view.log_scale = true;
    assert_int_equal(color_at(&kit, 0), ramp_color(RAMP_VIRIDIS, 2.87506 / 3));
    assert_int_equal(color_at(&kit, 1), ramp_color(RAMP_VIRIDIS, 2.39794 / 3));
    kit.view.log_scale = false;
    kit.view.own_range = true; /* ends at the head's largest, 3/4: 1/4 lies a third up */
    assert_int_equal(color_at(&kit, 0), ramp_color(RAMP_VIRIDIS, 1));
    assert_int_equal(color_at(&kit, 1), ramp_color(RAMP_VIRIDIS, 1.0 / 3));
    kit_close(&kit);
}

static void a_shade_has_ends(void **state) {
    (void)state;
    assert_near(look_shade(true, 1, 0.001), 0, 1e-12);
    assert_near(look_shade(true, 1, 0.0001), 0, 0);
    assert_near(look_shade(true, 1, 0), 0, 0);
    assert_near(look_shade(true, 1, 0.01), 1.0 / 3, 1e-12);
    assert_near(look_shade(true, 1, 1), 1, 1e-12);
    assert_near(look_shade(true, 0.1, 0.01), 0.5, 1e-12); /* two powers up to 0.1 */
    assert_near(look_shade(false, 0.5, 0.25), 0.5, 0);
}

/* ---- what is left out ---- */

static void what_is_left_out_is_said(void **state) {
    (void)state;
    SceneKit kit;
    DisplayList dl;
    open_softmax(&kit);
    kit.view.threshold = 0.3;
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_true(says(&kit, &dl, "1 weight below 0.3 is not shown"));
    kit.view.threshold = 0.6; /* 1/4 and both halves */
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_true(says(&kit, &dl, "3 weights below 0.6 are not shown"));
    kit.view.threshold = 0;
    kit.view.hidden[kit.view.n_hidden++] = 1; /* 1/4 and 1/2 of 2 */
    kit_draw_stage(&kit, 1600, 1000, &dl);
    assert_true(says(&kit, &dl, "column b is hidden: 0.38 of the weight") || says(&kit, &dl, "column b is hidden: 0.37 of the weight"));
    kit_close(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_ribbon_is_as_wide_as_its_weight),
        cmocka_unit_test(heads_are_put_together),
        cmocka_unit_test(titles_say_what_is_put_together),
        cmocka_unit_test(colours_follow_the_scale),
        cmocka_unit_test(a_shade_has_ends),
        cmocka_unit_test(what_is_left_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
