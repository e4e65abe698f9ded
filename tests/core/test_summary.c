/* Summaries of maps by hand: pictures and measures. */
#include "case.h"
#include "core/summary.h"

/* A trace with weights = values / 1 (divided by a row sum of ones), so that a map is what the test writes down. */
static const MapSummary *summary_of_map(Case *c, int H, int L, int S, const float *values, const bool *marked, const MaskSpec *mask) {
    Err err = {0};
    Trace *trace = trace_new(&c->arena);
    float *ones = ARENA_ARRAY(&c->arena, float, (size_t)(H * L));
    for (int i = 0; i < H * L; i++) ones[i] = 1;
    TensorId map = trace_add_input(trace, "", &(TensorInput){.name = "exp", .rank = 3, .dim = {H, L, S}, .data = values}, &err);
    TensorId sum = trace_add_input(trace, "", &(TensorInput){.name = "row_sum", .rank = 2, .dim = {H, L}, .data = ones}, &err);
    Op op = {.kind = OP_DIVIDE, .in = {map, sum, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    if (mask) {
        Op rule = {.kind = OP_MASK_RULE, .in = {TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}, .masks = mask, .n_masks = 1};
        TensorId keep = trace_add(trace, &rule, "", "mask", DTYPE_F32, 2, (int[]){L, S}, &err);
        Op masked = {.kind = OP_MASK, .in = {map, TENSOR_NONE, keep, TENSOR_NONE, TENSOR_NONE}};
        op.in[0] = trace_add(trace, &masked, "", "masked", DTYPE_F32, 3, (int[]){H, L, S}, &err);
    }
    TensorId weights = trace_add(trace, &op, "", "weights", DTYPE_F32, 3, (int[]){H, L, S}, &err);
    trace_add_summary(trace, weights, marked);
    assert_null(trace_summary(trace, weights));
    if (!trace_run(trace, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    assert_null(trace_summary(trace, map));
    return trace_summary(trace, weights);
}

static void check(const MapSummary *s, int head, const double *want) {
    for (int m = 0; m < MEASURE_COUNT; m++) {
        if (!near_equal(s->measure[head * MEASURE_COUNT + m], want[m], 1e-6))
            fail_msg("%s of head %d: %g, not %g", measure_names[m], head + 1, s->measure[head * MEASURE_COUNT + m], want[m]);
    }
}

static void measures_by_hand(void **state) {
    (void)state;
    Case c = case_new();
    float two[2 * 9] = {0.5f, 0.25f, 0.25f, 0.1f, 0.6f, 0.3f, 0.2f, 0.7f, 0.1f, 1, 0, 0, 0, 1, 0, 0, 0, 1};
    const MapSummary *s = summary_of_map(&c, 2, 3, 3, two, (bool[]){true, false, true}, NULL);
    double e0 = 0.5 * log(2.0) + 0.5 * log(4.0), e1 = -0.1 * log(0.1) - 0.6 * log(0.6) - 0.3 * log(0.3),
           e2 = -0.2 * log(0.2) - 0.7 * log(0.7) - 0.1 * log(0.1);
    check(s, 0, (double[]){(0.1 + 0.7) / 2, (0.5 + 0.6 + 0.1) / 3, (0.25 + 0.3) / 2, 0.8 / 3, (0.75 + 0.4 + 0.3) / 3, (e0 + e1 + e2) / 3 / log(3.0)});
    check(s, 1, (double[]){0, 1, 0, 1.0 / 3, 2.0 / 3, 0});
    assert_int_equal(s->bin, 1);
    assert_null(s->hidden);
    for (int i = 0; i < 18; i++) assert_near(s->picture[i], two[i], 0);
    assert_true(isnan(summary_of_map(&c, 1, 3, 3, two, NULL, NULL)->measure[MEASURE_SPECIAL]));
    assert_true(isnan(summary_of_map(&c, 1, 3, 3, two, (bool[]){false, false, false}, NULL)->measure[MEASURE_SPECIAL]));
    case_free(&c);
}

/* Causal: the entropy is that share of what the kept keys allow, and 0 where one is kept. */
static void masked_map(void **state) {
    (void)state;
    Case c = case_new();
    float map[9] = {1, 0, 0, 0.5f, 0.5f, 0, 0.25f, 0.25f, 0.5f};
    MaskSpec causal = {.kind = MASK_CAUSAL};
    const MapSummary *s = summary_of_map(&c, 1, 3, 3, map, NULL, &causal);
    double last = (0.5 * log(4.0) + 0.5 * log(2.0)) / log(3.0);
    check(s, 0, (double[]){(0.5 + 0.25) / 2, 2.0 / 3, 0, (1 + 0.5 + 0.25) / 3, (double)NAN, (0 + 1 + last) / 3});
    const bool hidden[9] = {0, 1, 1, 0, 0, 1, 0, 0, 0};
    for (int i = 0; i < 9; i++) assert_int_equal(s->hidden[i], hidden[i]);
    case_free(&c);
}

/* Two queries at the end of four keys, aligned bottom-right: query 1 stands at key 3. */
static void aligned_at_the_end(void **state) {
    (void)state;
    Case c = case_new();
    float map[8] = {0.1f, 0.2f, 0.7f, 0, 0.1f, 0.2f, 0.3f, 0.4f};
    MaskSpec causal = {.kind = MASK_CAUSAL, .align = ALIGN_BOTTOM_RIGHT};
    const MapSummary *s = summary_of_map(&c, 1, 2, 4, map, NULL, &causal);
    assert_near(s->measure[MEASURE_PREVIOUS], (0.2 + 0.3) / 2, 1e-6);
    assert_near(s->measure[MEASURE_SAME], (0.7 + 0.4) / 2, 1e-6);
    assert_near(s->measure[MEASURE_NEXT], 0, 1e-6);
    case_free(&c);
}

/* 130 keys: bins of four; the largest weight of each, NaN where one is in it. */
static void bins(void **state) {
    (void)state;
    Case c = case_new();
    enum { N = 130, SIDE = 33 };
    float *map = ARENA_ARRAY(&c.arena, float, (size_t)N * (size_t)N);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) map[i * N + j] = (float)(i + 1000 * j);
    map[5 * N + 9] = NAN;
    MaskSpec causal = {.kind = MASK_CAUSAL};
    const MapSummary *s = summary_of_map(&c, 1, N, N, map, NULL, NULL), *masked = summary_of_map(&c, 1, N, N, map, NULL, &causal);
    assert_int_equal(s->bin, 4);
    assert_int_equal(s->rows, SIDE);
    assert_int_equal(s->cols, SIDE);
    for (int r = 0; r < SIDE; r++)
        for (int col = 0; col < SIDE; col++) {
            int i = r == SIDE - 1 ? N - 1 : 4 * r + 3, j = col == SIDE - 1 ? N - 1 : 4 * col + 3;
            assert_near(s->picture[r * SIDE + col], r == 1 && col == 2 ? (double)NAN : i + 1000.0 * j, 0);
            assert_int_equal(masked->hidden[r * SIDE + col], col > r);
        }
    assert_near(s->measure[MEASURE_ENTROPY], (double)NAN, 0);
    assert_true(!isnan(s->measure[MEASURE_SAME]));
    case_free(&c);
}

static void one_token(void **state) {
    (void)state;
    Case c = case_new();
    const MapSummary *s = summary_of_map(&c, 1, 1, 1, (float[]){1}, (bool[]){true}, NULL);
    check(s, 0, (double[]){(double)NAN, 1, (double)NAN, 1, 1, 0});
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(measures_by_hand), cmocka_unit_test(masked_map), cmocka_unit_test(aligned_at_the_end),
        cmocka_unit_test(bins),             cmocka_unit_test(one_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
