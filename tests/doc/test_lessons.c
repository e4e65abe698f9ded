/* The set-ups of the course: the numbers of each lesson, worked out elsewhere, by the names that a reader would use. */
#include "doc_support.h"

#include <stdio.h>

static const struct {
    const char *file;
    int which;
    const char *number;
    double value;
} numbers[] = {
    {"L01.yaml", 0, "weights[1, flies, time]", 0.1643}, {"L01.yaml", 0, "weights[1, flies, flies]", 0.4466},
    {"L01.yaml", 0, "weights[1, flies, an]", 0.0604}, {"L01.yaml", 0, "weights[1, flies, arrow]", 0.1643},
    {"L01.yaml", 0, "weights[1, time, time]", 0.5923}, {"L01.yaml", 0, "weights[1, like, like]", 0.4984},
    {"L01.yaml", 0, "weights[1, an, an]", 0.5206}, {"L01.yaml", 1, "weights[1, flies, arrow]", 0.5923},
    {"L01.yaml", 1, "weights[1, flies, flies]", 0.2179},
    {"L02.yaml", 0, "weights[1, sat, The]", 0.0826}, {"L02.yaml", 0, "weights[1, sat, cat]", 0.6103},
    {"L02.yaml", 0, "weights[1, sat, sat]", 0.0826}, {"L02.yaml", 0, "weights[1, sat, down]", 0.2245},
    {"L02.yaml", 0, "weights[1, The, cat]", 0.7112}, {"L02.yaml", 0, "head_out[1, sat, 1]", 0.3304},
    {"L02.yaml", 0, "head_out[1, sat, 2]", 2.1187}, {"L02.yaml", 0, "out[sat, 2]", 2.1187},
    {"L04.yaml", 0, "weights[1, a, b]", 0.5}, {"L04.yaml", 0, "weights[1, b, a]", 0.3302},
    {"L04.yaml", 0, "scores[1, a, b]", 1}, {"L04.yaml", 0, "scores[1, b, a]", 1},
    {"L04.yaml", 1, "weights[1, cat, The]", 0.4404}, {"L04.yaml", 1, "weights[1, cat, cat]", 0.0596},
    {"L04.yaml", 1, "weights[1, cat, sat]", 0.4404}, {"L04.yaml", 2, "head_out[1, loud, 1]", 1},
    {"L05.yaml", 0, "q[1, first, 1]", 1}, {"L05.yaml", 0, "q[1, second, 2]", 6}, {"L05.yaml", 0, "q[2, first, 1]", 3},
    {"L05.yaml", 0, "q[head 2, second, 2]", 8},
    {"L06.yaml", 0, "weights[1, sat, 1]", 1.0 / 3}, {"L06.yaml", 0, "weights[1, sat, 3]", 1.0 / 3},
    {"L06.yaml", 0, "weights[1, sat, down]", 0}, {"L06.yaml", 1, "weights[1, sat, The]", 0.1065},
    {"L06.yaml", 1, "weights[1, sat, cat]", 0.7870}, {"L06.yaml", 1, "weights[1, sat, down]", 0},
    {"L07.yaml", 0, "weights[1, I, tea]", 1.0 / 3}, {"L07.yaml", 0, "weights[1, 4, I]", 1.0 / 3},
    {"L07.yaml", 0, "weights[1, 5, like]", 1.0 / 3}, {"L07.yaml", 0, "weights[1, I, <pad>#2]", 0},
    {"L07.yaml", 1, "weights[1, I, <pad>#1]", 0.5}, {"L07.yaml", 1, "weights[1, tea, 5]", 0.5},
    {"L07.yaml", 1, "weights[1, tea, tea]", 0}, {"L07.yaml", 2, "weights[1, tea, like]", 1.0 / 3},
    {"L07.yaml", 2, "weights[1, tea, 4]", 0},
    {"L08.yaml", 0, "weights[1, q, s]", 0}, {"L08.yaml", 0, "weights[1, s, s]", 0.6652},
    {"L08.yaml", 1, "weights[1, q, s]", NAN}, {"L08.yaml", 1, "weights[1, s, q]", 0.0900},
    {"L08.yaml", 2, "weights[1, q, q]", 1.0 / 3}, {"L08.yaml", 2, "weights[1, q, s]", 1.0 / 3},
    {"L08.yaml", 3, "weights[1, q, s]", 1.0 / 3}, {"L08.yaml", 4, "weights[1, q, q]", 0.0900},
    {"L08.yaml", 4, "weights[1, q, r]", 0.2447}, {"L08.yaml", 4, "weights[1, q, s]", 0.6652},
    {"L08.yaml", 4, "weights[1, r, r]", 0},
    {"L10.yaml", 0, "out[bites, 1]", 0.1863}, {"L10.yaml", 0, "out[bites, 2]", 0.5065}, {"L10.yaml", 0, "out[bites, 3]", 0.8137},
    {"L10.yaml", 0, "out[bites, 4]", 0.4935}, {"L10.yaml", 1, "out[bites, 1]", 0.1863}, {"L10.yaml", 1, "out[bites, 4]", 0.4935},
    {"L10.yaml", 2, "out[bites, 1]", 0.9071}, {"L10.yaml", 2, "out[bites, 2]", 1.0025}, {"L10.yaml", 2, "out[bites, 3]", 0.6722},
    {"L10.yaml", 2, "out[bites, 4]", 1.5182}, {"L10.yaml", 3, "out[bites, 1]", 0.7142}, {"L10.yaml", 3, "out[bites, 4]", 1.5253},
    {"L10.yaml", 2, "pe[bites, 1]", 0.8415}, {"L10.yaml", 2, "pe[bites, 2]", 0.5403}, {"L10.yaml", 2, "pe[2, 3]", 0.0100},
    {"L10.yaml", 4, "x[bites, 1]", 0.5}, {"L10.yaml", 4, "x[man, 1]", 20}, {"L10.yaml", 4, "pe[bites, 1]", 0.5},
    {"L11.yaml", 0, "scores[1, a, a]", 1}, {"L11.yaml", 0, "scores[1, a, b]", 0.5403}, {"L11.yaml", 0, "scores[1, a, c]", -0.4161},
    {"L11.yaml", 0, "scores[1, a, d]", -0.9900}, {"L11.yaml", 1, "scores[1, a, b]", 0.5403},
    {"L11.yaml", 1, "scores[1, d, a]", -0.9900}, {"L11.yaml", 2, "weights[1, d, a]", 0.1015},
    {"L11.yaml", 2, "weights[1, d, b]", 0.1674}, {"L11.yaml", 2, "weights[1, d, d]", 0.4551},
    {"L11.yaml", 3, "weights[1, d, a]", 0.2485}, {"L13.yaml", 0, "weights[1, I, 我]", 0.7870},
    {"L13.yaml", 0, "weights[1, I, 猫]", 0.1065}, {"L13.yaml", 0, "weights[1, <eos>, 爱]", 1.0 / 3},
    {"L14.yaml", 0, "weights[1, 1, O]", 0.1978}, {"L14.yaml", 0, "weights[1, C#2, O]", 0.1978},
    {"L14.yaml", 0, "weights[1, O, 1]", 0.2483}, {"L14.yaml", 0, "weights[1, O, O]", 0.5035},
    {"L14.yaml", 1, "weights[1, 1, 1]", 0.3324}, {"L14.yaml", 1, "weights[1, 1, 2]", 0.4354},
    {"L14.yaml", 1, "weights[1, 2, 1]", 0.2343}, {"L14.yaml", 1, "weights[1, 2, O]", 0.1776},
};

static void test_numbers(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        Doc doc;
        doc_of_file(numbers[i].file, numbers[i].which, &doc);
        Run *run = run_of(&doc);
        double got = value_of(run, numbers[i].number);
        if (!near_equal(got, numbers[i].value, 5e-5))
            fail_msg("%s document %d: %s is %.6f, expected %.4f", numbers[i].file, numbers[i].which + 1, numbers[i].number, got,
                     numbers[i].value);
        run_close(run);
        doc_reset(&doc);
    }
}

static void test_column_sums(void **state) {
    (void)state;
    Doc doc;
    double sums[8];
    doc_of_file("L01.yaml", 0, &doc);
    Run *run = run_of(&doc);
    stats_column_sums(run->trace, trace_find(run->trace, "weights"), 0, sums);
    assert_near(sums[0], 0.9174, 5e-5);
    assert_near(sums[1], 1.1017, 5e-5);
    run_close(run);
    doc_reset(&doc);
}

static int kept(const char *file, int which) {
    Doc doc;
    doc_of_file(file, which, &doc);
    Run *run = run_of(&doc);
    const Tensor *mask = trace_tensor(run->trace, trace_find(run->trace, "mask"));
    int n = 0;
    for (size_t i = 0; i < tensor_count(mask); i++) n += tensor_flat(mask, i) == 1;
    run_close(run);
    doc_reset(&doc);
    return n;
}

static void test_cells_that_stay(void **state) {
    (void)state;
    assert_int_equal(kept("L15.yaml", 0), 22);
    assert_int_equal(kept("L15.yaml", 1), 34);
    assert_int_equal(kept("L15.yaml", 2), 15);
    assert_int_equal(kept("L15.yaml", 3), 36);
}

/* Lesson 6: a change of the last word moves the last row only. */
static void test_no_leak(void **state) {
    (void)state;
    Doc a, b;
    doc_of_file("L06.yaml", 1, &a);
    doc_of_file("L06.yaml", 2, &b);
    Run *p = run_of(&a), *q = run_of(&b);
    TensorId id = trace_find(p->trace, "out");
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) {
            int index[4] = {i, j, 0, 0};
            double x = tensor_at(trace_tensor(p->trace, id), index), y = tensor_at(trace_tensor(q->trace, id), index);
            if (i < 3) assert_near(x, y, 0);
            else assert_false(near_equal(x, y, 1e-3));
        }
    run_close(p);
    run_close(q);
    doc_reset(&a);
    doc_reset(&b);
}

static void test_shapes(void **state) {
    (void)state;
    Doc doc;
    doc_of_file("L13.yaml", 0, &doc);
    Run *run = run_of(&doc);
    assert_true(run->cross);
    assert_int_equal(run->spec.L, 4);
    assert_int_equal(run->spec.S, 3);
    run_close(run);
    doc_reset(&doc);
    doc_of_file("L14.yaml", 2, &doc);
    run = run_of(&doc);
    assert_int_equal(run->tokens.n, 3);
    assert_string_equal(run->tokens.items[2].text, "Cl");
    run_close(run);
    doc_reset(&doc);
}

/* DESIGN 7: in the default text head 2 sends sat to cat. */
static void test_default_document(void **state) {
    (void)state;
    Doc doc;
    doc_init(&doc);
    Run *run = run_of(&doc);
    assert_near(value_of(run, "weights[2, sat, cat]"), 0.943, 5e-4);
    assert_true(value_of(run, "weights[1, cat, The]") > 0.85);
    assert_near(value_of(run, "scores[1, sat, cat]"), 24, 1e-4);
    assert_int_equal(trace_stage_count(run->trace), 9);
    run_close(run);
    doc_reset(&doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),         cmocka_unit_test(test_column_sums), cmocka_unit_test(test_cells_that_stay),
        cmocka_unit_test(test_no_leak),         cmocka_unit_test(test_shapes),      cmocka_unit_test(test_default_document),
    };
    return cmocka_run_group_tests_name("lessons", tests, NULL, NULL);
}
