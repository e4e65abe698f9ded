/* Readings against numbers worked out by hand and those of the course. */
#include <math.h>

#include "case.h"
#include "core/readings.h"
#include "fixture.h"

static TensorId at(const Case *c, const char *name) { return trace_find(c->trace, name); }

/* Scores 1 3 | 5 7: mean 4, squares 9 1 1 9, variance 20 / 4 = 5. Under a causal mask 1, 5, 7 are left: mean 13/3, squares
 * 100/9 + 4/9 + 64/9 = 168/9, variance 56/9. */
static void spread(void **state) {
    (void)state;
    const float scores[] = {1, 3, 5, 7};
    Case c = case_new();
    case_input(&c, "scores", 3, 1, 2, 2, scores);
    c.spec.scale = SCALE_NONE;
    case_run(&c);
    assert_near(reading_spread(c.trace, at(&c, "scores"), TENSOR_NONE, 0), 2.2360680, 1e-6);
    case_free(&c);
    c = case_new();
    case_input(&c, "scores", 3, 1, 2, 2, scores);
    c.spec.scale = SCALE_NONE;
    c.spec.n_masks = 1;
    c.spec.masks[0].kind = MASK_CAUSAL;
    case_run(&c);
    assert_near(reading_spread(c.trace, at(&c, "scores"), at(&c, "mask"), 0), 2.4944383, 1e-6);
    assert_near(reading_spread(c.trace, at(&c, "masked"), at(&c, "mask"), 0), 2.4944383, 1e-6);
    case_free(&c);
}

/* Components +1 and −1 have mean 0 and variance 1, so q · k has the variance d_k = 64 and the spread 8, scaled 1. Of 4096
 * products the standard deviation is known to about 1 / sqrt(2 · 4096) = 1.1 %, rows and columns share numbers: 10 % is far. */
static void variance_rule(void **state) {
    (void)state;
    enum { N = 64, D = 64 };
    static float q[N * D], k[N * D], v[N * D];
    unsigned long long s = 1;
    for (int i = 0; i < 2 * N * D; i++) {
        s = s * 6364136223846793005ULL + 1442695040888963407ULL;
        (i < N * D ? q : k)[i % (N * D)] = s >> 63 ? 1 : -1;
    }
    Case c = case_new();
    case_input(&c, "q", 3, 1, N, D, q);
    case_input(&c, "k", 3, 1, N, D, k);
    case_input(&c, "v", 3, 1, N, D, v);
    c.spec.proj = PROJ_GIVEN;
    case_run(&c);
    assert_near(reading_spread(c.trace, at(&c, "scores"), TENSOR_NONE, 0), 8, 0.8);
    assert_near(reading_spread(c.trace, at(&c, "scaled"), TENSOR_NONE, 0), 1, 0.1);
    case_free(&c);
}

/* Four equal keys: 2 bits, as 4 keys, .25 · .75. One key: 0 bits, as 1 key, 0. Two: 1 bit, .5 · .5. */
static void sharpness(void **state) {
    (void)state;
    Case c = case_new();
    case_input(&c, "weights", 3, 2, 3, 4, (float[]){0.25f, 0.25f, 0.25f, 0.25f, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0, /* head 2 */ 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1});
    case_run(&c);
    static const double bits[] = {2, 0, 1}, keys[] = {4, 1, 2}, saturation[] = {0.1875, 0, 0.25};
    for (int i = 0; i < 3; i++) {
        SoftmaxReading r = reading_softmax(c.trace, at(&c, "weights"), TENSOR_NONE, 0, i);
        assert_int_equal(r.rows, 1);
        assert_near(r.entropy_bits, bits[i], 1e-9);
        assert_near(r.entropy_most, 2, 1e-9);
        assert_near(r.keys, keys[i], 1e-9);
        assert_near(r.saturation, saturation[i], 1e-9);
    }
    SoftmaxReading all = reading_softmax(c.trace, at(&c, "weights"), TENSOR_NONE, 0, -1);
    assert_int_equal(all.rows, 3);
    assert_near(all.entropy_bits, 1, 1e-9);
    assert_near(all.saturation, 0.4375 / 3, 1e-9);
    SoftmaxReading sharp = reading_softmax(c.trace, at(&c, "weights"), TENSOR_NONE, 1, -1);
    assert_near(sharp.entropy_bits, 0, 0);
    assert_near(sharp.saturation, 0, 0);
    case_free(&c);
}

/* Two keys one standard deviation √d apart, d = 4 and 64, without and with the scale: the winner has .8808 and .9997, scaled .7311. */
static void saturation(void **state) {
    (void)state;
    static const struct {
        float gap;
        double scale, want, within;
    } cases[] = {{2, 1, 0.105, 5e-4}, {8, 1, 0.00034, 5e-6}, {2, 0.5, 0.197, 5e-4}, {8, 0.125, 0.197, 5e-4}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Case c = case_new();
        case_input(&c, "scores", 3, 1, 1, 2, (float[]){cases[i].gap, 0});
        c.spec.scale = SCALE_NUMBER;
        c.spec.scale_number = cases[i].scale;
        case_run(&c);
        assert_near(reading_softmax(c.trace, at(&c, "weights"), TENSOR_NONE, 0, -1).saturation, cases[i].want, cases[i].within);
        case_free(&c);
    }
}

/* The first row of a causal map has one key and no choice: the means are those of the other rows. */
static void rows_without_choice(void **state) {
    (void)state;
    Case c = case_new();
    case_input(&c, "scores", 3, 1, 2, 2, (float[]){1, 1, 1, 1});
    c.spec.scale = SCALE_NONE;
    c.spec.n_masks = 1;
    c.spec.masks[0].kind = MASK_CAUSAL;
    case_run(&c);
    SoftmaxReading r = reading_softmax(c.trace, at(&c, "weights"), at(&c, "mask"), 0, -1);
    assert_int_equal(r.rows, 1);
    assert_near(r.entropy_bits, 1, 1e-9);
    assert_near(r.saturation, 0.25, 1e-9);
    SoftmaxReading first = reading_softmax(c.trace, at(&c, "weights"), at(&c, "mask"), 0, 0);
    assert_int_equal(first.rows, 0);
    assert_true(isnan(first.entropy_bits) && isnan(first.keys) && isnan(first.saturation));
    case_free(&c);
}

static AttentionSpec layer(int d, int heads, int d_k, int n) {
    return (AttentionSpec){.L = n, .S = n, .d_model = d, .n_heads = heads, .n_kv_heads = heads, .d_k = d_k, .d_v = d_k, .proj = PROJ_LINEAR, .out_proj = true};
}

/* pbloem/former#13: d 512, 8 heads: W_Q 262,144; a 64 × 64 matrix a head 32,768; one for all 4,096. Of the course: 4 · 512²
 * whatever the heads, 1,050,624 with biases. */
static void parameters(void **state) {
    (void)state;
    AttentionSpec s = layer(512, 8, 64, 10);
    ParameterReading r = reading_parameters_of(&s, false);
    assert_int_equal(r.w_q, 262144);
    assert_int_equal(r.total, 1048576);
    assert_int_equal(reading_parameters_of(&s, true).total, 1050624);
    s = layer(512, 16, 32, 10);
    assert_int_equal(reading_parameters_of(&s, false).total, 1048576);
    s = layer(64, 8, 64, 10);
    assert_int_equal(reading_parameters_of(&s, false).w_q, 32768);
    s = layer(64, 1, 64, 10);
    assert_int_equal(reading_parameters_of(&s, false).w_q, 4096);
    s = layer(512, 8, 64, 10);
    s.n_kv_heads = 2; /* W_K and W_V a quarter each: 262,144 · 2 + 65,536 · 2 */
    assert_int_equal(reading_parameters_of(&s, false).total, 655360);
    s = layer(512, 8, 64, 10);
    s.tie_qk = true;
    assert_int_equal(reading_parameters_of(&s, false).total, 786432);
    assert_int_equal(reading_parameters_of(&s, true).bias, 512 * 3);
    s.proj = PROJ_NONE;
    s.out_proj = false;
    assert_int_equal(reading_parameters_of(&s, true).total, 0);
}

/* d 512, n 1024: 4nd² = 2n²d = 1,073,741,824 multiply-adds, 2.147e9 operations each. */
static void cost(void **state) {
    (void)state;
    AttentionSpec s = layer(512, 8, 64, 1024);
    CostReading c = reading_cost(&s);
    assert_int_equal(c.project + c.output, 1073741824LL);
    assert_int_equal(c.scores + c.weighted_sum, 1073741824LL);
    assert_int_equal(c.project, 3 * c.output);
    assert_int_equal(c.total, 2147483648LL);
    assert_int_equal(c.cells, 8LL * 1024 * 1024);
    s.S = 512; /* another text of half the length: scores and weighted sum halve, so do K and V */
    CostReading half = reading_cost(&s);
    assert_int_equal(half.scores, c.scores / 2);
    assert_int_equal(half.project, c.project / 3 * 2);
}

/* x = [1 0], [1 1]; w_q = [1 2], [0 1]; so q = k = [1 0], [3 1], and the scores are 1 3 | 3 10: symmetric. The bias [1, 0] makes
 * rows [2 0], [4 1] of both: 4 8 | 8 17. */
static void tied(void **state) {
    (void)state;
    const float x[] = {1, 0, 1, 1}, w[] = {1, 2, 0, 1}, bias[] = {1, 0};
    Case c = case_new();
    case_input(&c, "x", 2, 2, 2, 1, x);
    case_input(&c, "w_q", 2, 2, 2, 1, w);
    case_input(&c, "w_v", 2, 2, 2, 1, w);
    c.spec.tie_qk = true;
    case_run(&c);
    assert_row(&c, "k", 0, 1, 3, 1);
    assert_row(&c, "scores", 0, 0, 1, 3);
    assert_row(&c, "scores", 0, 1, 3, 10);
    assert_int_equal(at(&c, "w_k"), TENSOR_NONE);
    assert_int_equal(reading_parameters(c.trace, "").total, 8);
    assert_true(case_at(&c, "weights", 0, 0, 1) - case_at(&c, "weights", 0, 1, 0) > 0.1); /* weights are not symmetric */
    case_input(&c, "b_q", 1, 2, 1, 1, bias);
    case_run(&c);
    assert_row(&c, "scores", 0, 0, 4, 8);
    assert_row(&c, "scores", 0, 1, 8, 17);
    assert_int_equal(reading_parameters(c.trace, "").bias, 2);
    case_free(&c);
}

static void tied_sizes(void **state) {
    (void)state;
    static const float numbers[64] = {0};
    Case c = case_new();
    case_input(&c, "x", 2, 2, 4, 1, numbers);
    case_input(&c, "w_q", 2, 4, 4, 1, numbers);
    case_input(&c, "w_v", 2, 2, 4, 1, numbers);
    c.spec.tie_qk = true;
    c.spec.n_heads = 2;
    c.spec.n_kv_heads = 1;
    assert_false(case_try(&c));
    assert_non_null(strstr(c.err.message, "as many key/value heads as heads, not 1 and 2"));
    case_free(&c);
    c = case_new();
    case_input(&c, "x", 2, 2, 4, 1, numbers);
    case_input(&c, "x_kv", 2, 3, 2, 1, numbers);
    case_input(&c, "w_q", 2, 4, 4, 1, numbers);
    case_input(&c, "w_v", 2, 4, 2, 1, numbers);
    c.spec.tie_qk = true;
    assert_false(case_try(&c)); /* rows of 4 and of 2 numbers */
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spread),     cmocka_unit_test(variance_rule), cmocka_unit_test(sharpness),  cmocka_unit_test(saturation),
        cmocka_unit_test(rows_without_choice), cmocka_unit_test(parameters), cmocka_unit_test(cost), cmocka_unit_test(tied),
        cmocka_unit_test(tied_sizes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
