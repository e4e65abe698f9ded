/* One matrix: how room is shared, blocks, folds, labels, hits. */
#include <stdio.h>
#include <stdlib.h>

#include "scene/matrix.h"
#include "scene_kit.h"

static MatrixSide side_of(int count) { return (MatrixSide){.axis = 0, .count = count, .block = 1}; }

static void sharing_fills_the_room(void **state) {
    (void)state;
    MatrixSide a = side_of(4), b = side_of(6);
    MatrixShare shares[] = {{&a, 1, 96, 1}, {&b, 1, 96, 1}};
    matrix_share(300, shares, 2);
    assert_near((double)a.pitch, 30, 0);
    assert_near((double)b.pitch, 30, 0);
    shares[0].most = 12; /* what one does not take the other gets */
    matrix_share(300, shares, 2);
    assert_near((double)a.pitch, 12, 0);
    assert_near((double)b.pitch, 42, 0);
    assert_int_equal(b.drawn, 6);
}

static void too_many_become_blocks(void **state) {
    (void)state;
    MatrixSide a = side_of(2048);
    MatrixShare share = {&a, 1, 96, 1};
    matrix_share(300, &share, 1);
    assert_int_equal(a.block, 7); /* 2048 / 300 = 6.8 */
    assert_int_equal(a.drawn, 293);
    assert_true((float)a.drawn * a.pitch <= 300);
    MatrixSide thin = side_of(4); /* a thin side beside a wide one keeps its cells */
    MatrixShare both[] = {{&a, 1, 96, 1}, {&thin, 10, 96, 1}};
    matrix_share(300, both, 2);
    assert_near((double)thin.pitch, 10, 0);
    assert_true((float)a.drawn * a.pitch + (float)thin.drawn * thin.pitch <= 300);
    assert_true(a.block > 7);
}

static void folds_leave_one_cell(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, NULL);
    Scene scene = kit_scene(&kit, 1600, 1000);
    Matrix m;
    const int kept[] = {0, 1, 5};
    matrix_init(&m, &scene, trace_find(kit.run->trace, "x"), 0, false);
    m.col.kept = kept;
    m.col.n_kept = 3;
    matrix_fit(&m, &scene, (Rect){0, 0, 600, 400});
    assert_int_equal(m.col.drawn, 4);
    Rect cell = matrix_rect(&m, 2, 3, 5, 6), band = matrix_row_band(&m, 2, 3);
    assert_near((double)cell.x, (double)(m.cells.x + 2 * m.col.pitch), 0.01);
    assert_near((double)band.w, (double)m.cells.w, 0);
    assert_near((double)matrix_rect(&m, 2, 3, 4, 5).w, 0, 0); /* folded away */
    DisplayList dl;
    dl_init(&dl, &kit.frame, 600, 400, 0xffffffff);
    matrix_draw(&m, &scene, &dl);
    dl_finish(&dl);
    int runs = 0;
    for (int i = 0; i < dl.n; i++) runs += dl.commands[i].kind == DL_CELLS;
    assert_int_equal(runs, 2); /* noun and verb; animate */
    kit_close(&kit);
}

static void labels_turn_only_when_they_must(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"attention is a soft lookup\"\n");
    Scene scene = kit_scene(&kit, 1600, 1000);
    Matrix m;
    matrix_init(&m, &scene, trace_find(kit.run->trace, "scores"), 0, false);
    matrix_fit(&m, &scene, (Rect){0, 0, 700, 500});
    assert_int_equal(m.col.turn, TURN_NONE);
    assert_int_equal(m.decimals, 2);
    matrix_init(&m, &scene, trace_find(kit.run->trace, "scores"), 0, false);
    matrix_fit(&m, &scene, (Rect){0, 0, 300, 200});
    assert_int_equal(m.col.turn, TURN_45);
    assert_true(m.decimals < 2);
    matrix_init(&m, &scene, trace_find(kit.run->trace, "scores"), 0, false);
    matrix_fit(&m, &scene, (Rect){0, 0, 150, 110});
    assert_true(m.col.label_every > 1 || m.row.label_every > 1);
    assert_non_null(matrix_note(&m, &scene));
    kit_close(&kit);
}

/* Columns that are called by their number are labelled with round ones, upright, each over the column that it is. */
static void numbers_that_are_labels_are_round(void **state) {
    (void)state;
    static const struct {
        int columns;
        float wide;
    } cases[] = {{64, 640}, {64, 300}, {256, 700}, {256, 190}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        SceneKit kit;
        char yaml[128];
        snprintf(yaml, sizeof yaml, "attnscope: 1\nmodel: random\nheads: 1\nd_model: %d\n", cases[k].columns);
        kit_open(&kit, yaml);
        Scene scene = kit_scene(&kit, 1600, 1000);
        Matrix m;
        DisplayList dl;
        matrix_init(&m, &scene, trace_find(kit.run->trace, "q"), 0, false);
        matrix_fit(&m, &scene, (Rect){0, 0, cases[k].wide, 300});
        assert_true(m.col.count_step >= 5);
        assert_int_equal(m.col.turn, TURN_NONE);
        dl_init(&dl, &kit.frame, cases[k].wide, 300, 0xffffffff);
        matrix_draw(&m, &scene, &dl);
        dl_finish(&dl);
        int labels = 0;
        float end = 0;
        for (int i = 0; i < dl.n; i++) {
            const DlCommand *c = &dl.commands[i];
            int number = c->kind == DL_TEXT ? atoi(dl_text_at(&dl, c->text.text)) : 0;
            if (number < 1) continue; /* a token */
            labels++;
            if (number % m.col.count_step) fail_msg("%d columns in %g: %s", cases[k].columns, (double)cases[k].wide, dl_text_at(&dl, c->text.text));
            Rect cell = matrix_rect(&m, 0, 1, number - 1, number);
            assert_near((double)(c->box.x + c->text.width / 2), (double)(cell.x + cell.w / 2), 2);
            assert_true(c->box.x > end && c->box.x + c->text.width <= cases[k].wide);
            end = c->box.x + c->text.width;
        }
        assert_int_equal(labels, cases[k].columns / m.col.count_step);
        const char *note = matrix_note(&m, &scene);
        assert_true(!note || !strstr(note, "is named"));
        kit_close(&kit);
    }
}

/* A thinned label that becomes the strong one is written whole, and moves nothing. */
static void a_strong_label_is_whole(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntext: \"a attention a a a a a a a a a a a a a a a a a a a a a a\"\n");
    Scene scene = kit_scene(&kit, 1600, 1000);
    float room[2][2];
    for (int strong = 0; strong < 2; strong++) {
        Matrix m;
        DisplayList dl;
        matrix_init(&m, &scene, trace_find(kit.run->trace, "scores"), 0, false);
        if (strong) m.row.strong0 = m.col.strong0 = 1, m.row.strong1 = m.col.strong1 = 2;
        matrix_fit(&m, &scene, (Rect){0, 0, 220, 220});
        assert_true(m.col.label_every > 1 && m.row.label_every > 1);
        room[strong][0] = m.row.label_room, room[strong][1] = m.col.label_room;
        dl_init(&dl, &kit.frame, 220, 220, 0xffffffff);
        matrix_draw(&m, &scene, &dl);
        dl_finish(&dl);
        int whole = 0;
        for (int i = 0; i < dl.n; i++) whole += dl.commands[i].kind == DL_TEXT && strcmp(dl_text_at(&dl, dl.commands[i].text.text), "attention") == 0;
        assert_int_equal(whole, 2 * strong);
    }
    assert_memory_equal(room[0], room[1], sizeof room[0]);
    kit_close(&kit);
}

/* Scales end at friendly numbers, and the mask's fill does not stretch them. */
static void scales_end_at_friendly_numbers(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntokens: [\"a\", \"b\"]\nscores: [[7,1],[2,3]]\nscale: none\nmask: causal\nmask_fill: -1000000000.0\n");
    assert_near(matrix_limit(kit.run, trace_find(kit.run->trace, "scores")), 8, 0);
    assert_near(matrix_limit(kit.run, trace_find(kit.run->trace, "masked")), 8, 0);
    kit_close(&kit);
}

/* The same number has the same colour wherever it stands beside itself. */
static void tensors_side_by_side_share_a_scale(void **state) {
    (void)state;
    SceneKit kit;
    kit_open(&kit, "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[3,0],[1,2]]\nprojections: none\nposition: rope_interleaved\n");
    const Trace *trace = kit.run->trace;
    double x = matrix_limit(kit.run, trace_find(trace, "x"));
    static const char *const same[] = {"q", "k", "v", "q_rope", "k_rope"};
    for (int i = 0; i < 5; i++) assert_near(matrix_limit(kit.run, trace_find(trace, same[i])), x, 0);
    assert_false(matrix_is_whole(kit.run, trace_find(trace, "k"))); /* it is turned into numbers with decimals */
    kit_close(&kit);
    kit_open(&kit, "attnscope: 1\nmodel: random\nheads: 2\nd_model: 8\ntext: \"a b c\"\nposition: alibi\nmask: causal\n");
    trace = kit.run->trace;
    double scaled = matrix_limit(kit.run, trace_find(trace, "scaled"));
    assert_near(matrix_limit(kit.run, trace_find(trace, "bias")), scaled, 0);
    assert_near(matrix_limit(kit.run, trace_find(trace, "masked")), scaled, 0);
    kit_close(&kit);
}

static void hits_undo_turning_and_blocks(void **state) {
    (void)state;
    float data[2 * 4 * 6];
    for (int i = 0; i < 48; i++) data[i] = (float)i;
    Tensor t = {.rank = 3, .dim = {2, 4, 6, 1}, .data = data};
    int index[TENSOR_RANK_MAX];
    DlGroup group = {.role = ROLE_TENSOR, .at = {0, 1, 1, 0}};
    matrix_hit_index(&t, &group, 1, 2, 5, index);
    assert_int_equal(index[0], 1);
    assert_int_equal(index[1], 2);
    assert_int_equal(index[2], 5);
    group.at[3] = 1; /* drawn as columns × rows */
    matrix_hit_index(&t, &group, 1, 5, 2, index);
    assert_int_equal(index[1], 2);
    assert_int_equal(index[2], 5);
    group = (DlGroup){.role = ROLE_TENSOR, .at = {0, 2, 3, 0}}; /* a block of 2 × 3: the largest of it */
    matrix_hit_index(&t, &group, 0, 1, 1, index);
    assert_int_equal(index[1], 3);
    assert_int_equal(index[2], 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sharing_fills_the_room),         cmocka_unit_test(too_many_become_blocks),
        cmocka_unit_test(folds_leave_one_cell),           cmocka_unit_test(labels_turn_only_when_they_must),
        cmocka_unit_test(a_strong_label_is_whole),
        cmocka_unit_test(scales_end_at_friendly_numbers), cmocka_unit_test(tensors_side_by_side_share_a_scale),
        cmocka_unit_test(hits_undo_turning_and_blocks),   cmocka_unit_test(numbers_that_are_labels_are_round),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
