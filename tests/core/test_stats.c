/* Statistics of maps, and what a diagnosis finds. */
#include <stdio.h>

#include "base/str.h"
#include "case.h"
#include "fixture.h"

static Case map(int H, int L, int S, const float *weights) {
    Case c = case_new();
    case_input(&c, "weights", 3, H, L, S, weights);
    case_run(&c);
    return c;
}

static RowStats row(const Case *c, const char *id, int h, int i) {
    TensorId t = trace_find(c->trace, id);
    return stats_row(c->trace, t, trace_mask_of(c->trace, t), h, i);
}

/* Rows [.6 .3 .1], [.2 .7 .1], [.5 .4 .1]: columns 1.3, 1.4, 0.3. */
static void sums(void **state) {
    (void)state;
    Case c = map(1, 3, 3, (float[]){0.6f, 0.3f, 0.1f, 0.2f, 0.7f, 0.1f, 0.5f, 0.4f, 0.1f});
    TensorId t = trace_find(c.trace, "weights");
    double columns[3], min, max;
    stats_column_sums(c.trace, t, 0, columns);
    assert_near(columns[0], 1.3, 1e-6);
    assert_near(columns[1], 1.4, 1e-6);
    assert_near(columns[2], 0.3, 1e-6);
    RowStats s = row(&c, "weights", 0, 1);
    assert_near(s.sum, 1, 1e-6);
    assert_near(s.max, 0.7, 1e-6);
    assert_near(s.min, 0.1, 1e-6);
    assert_int_equal(s.argmax, 1);
    assert_int_equal(s.n_kept, 3);
    c.inputs[0].data = (float[]){0.2f, 0.4f, 0.4f, 0, 0, 1, 1, 0, 0};
    case_run(&c);
    assert_int_equal(row(&c, "weights", 0, 0).argmax, 1); /* the first of two */
    c.inputs[0].data = (float[]){0.6f, 0.3f, 0.1f, 0.2f, 0.7f, 0.1f, 0.5f, 0.4f, 0.1f};
    case_run(&c);
    assert_true(stats_range(c.trace, t, 0, &min, &max));
    assert_near(max, 0.7, 1e-6);
    case_free(&c);
}

/* Four equal weights: ln 4 nats, 2 bits, all of the maximum. One certain key: 0. */
static void entropy(void **state) {
    (void)state;
    Case c = map(1, 3, 4, (float[]){0.25f, 0.25f, 0.25f, 0.25f, 1, 0, 0, 0, 0.5f, 0.5f, 0, 0});
    assert_near(row(&c, "weights", 0, 0).entropy_nats, 1.3862944, 1e-6);
    assert_near(row(&c, "weights", 0, 0).entropy_bits, 2, 1e-9);
    assert_near(row(&c, "weights", 0, 0).entropy_share, 1, 1e-9);
    assert_near(row(&c, "weights", 0, 1).entropy_nats, 0, 0);
    assert_near(row(&c, "weights", 0, 2).entropy_share, 0.5, 1e-9);
    case_free(&c);
}

/* The reference's own entropies, where the mask leaves fewer keys. */
static void entropy_of_files(void **state) {
    (void)state;
    static const char *const files[] = {"22_entropy_causal_h2_L10_d16.safetensors", "22_entropy_h4_L12_d32.safetensors"};
    for (int n = 0; n < 2; n++) {
        Fixture f;
        fixture_open(&f, files[n]);
        Trace *trace = fixture_trace(&f, &(CoreContext){0});
        TensorId t = trace_find(trace, "weights");
        const TensorInput *nats = fixture_tensor(&f, "entropy"), *bits = fixture_tensor(&f, "entropy_bits");
        const TensorInput *share = fixture_tensor(&f, "entropy_norm"), *most = fixture_tensor(&f, "max_weight");
        const TensorInput *average = fixture_tensor(&f, "head_avg");
        for (int r = 0; r < nats->dim[0] * nats->dim[1]; r++) {
            RowStats s = stats_row(trace, t, trace_mask_of(trace, t), r / nats->dim[1], r % nats->dim[1]);
            assert_near(s.entropy_nats, (double)nats->data[r], 1e-5);
            assert_near(s.entropy_bits, (double)bits->data[r], 1e-5);
            assert_near(s.entropy_share, (double)share->data[r], 1e-5);
            assert_near(s.max, (double)most->data[r], 1e-5);
        }
        int cells = average->dim[0] * average->dim[1];
        double *mean = ARENA_ARRAY(&f.arena, double, (size_t)cells);
        stats_head_average(trace, t, mean);
        for (int k = 0; k < cells; k++) assert_near(mean[k], (double)average->data[k], 1e-5);
        fixture_close(&f);
    }
}

static void not_finite(void **state) {
    (void)state;
    double min, max, average[2];
    Case c = map(2, 1, 2, (float[]){NAN, 3, -INFINITY, INFINITY});
    RowStats s = row(&c, "weights", 0, 0);
    assert_int_equal(s.n_nan, 1);
    assert_int_equal(s.n_finite, 1);
    assert_near(s.sum, 3, 0);
    assert_true(isnan(s.entropy_nats) && isnan(s.entropy_bits) && isnan(s.entropy_share));
    assert_int_equal(row(&c, "weights", 1, 0).argmax, -1);
    assert_int_equal(row(&c, "weights", 1, 0).n_inf, 2);
    TensorId t = trace_find(c.trace, "weights");
    assert_true(stats_range(c.trace, t, 0, &min, &max));
    assert_false(stats_range(c.trace, t, 1, &min, &max));
    assert_true(stats_range(c.trace, t, -1, &min, &max));
    stats_head_average(c.trace, t, average);
    assert_true(isnan(average[0]));
    case_free(&c);
}

/* The finding of one kind in one tensor, or NULL. */
static const Diagnosis *find(const Case *c, DiagnosisKind kind, const char *id) {
    Diagnosis *list;
    int count;
    trace_diagnose(c->trace, (Arena *)&c->arena, &list, &count);
    for (int n = 0; n < count; n++)
        if (list[n].kind == kind && strcmp(trace_tensor(c->trace, list[n].id)->id, id) == 0) return &list[n];
    return NULL;
}

static int findings(Case *c) {
    Diagnosis *list;
    int count;
    trace_diagnose(c->trace, &c->arena, &list, &count);
    return count;
}

static void healthy(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    case_input(&c, "x", 2, 3, 1, 1, (float[]){1, 0.5f, 0.25f});
    case_run(&c);
    assert_int_equal(findings(&c), 0); /* -inf that the mask put, and a row of one key, are as they should be */
    case_free(&c);
}

/* Given rows that sum to .7, .9 and 1.2. */
static void row_sums(void **state) {
    (void)state;
    Case c = map(1, 3, 3, (float[]){0.4f, 0.1f, 0.2f, 0.1f, 0.5f, 0.3f, 0.7f, 0.3f, 0.2f});
    const Diagnosis *d = find(&c, DIAGNOSIS_ROW_SUM, "weights");
    assert_non_null(d);
    assert_int_equal(d->count, 3);
    assert_int_equal(d->index[1], 0);
    assert_near(d->value, 0.7, 1e-6);
    assert_string_equal(d->message, "The row weights[1, 1] sums to 0.7, not to 1.");
    case_free(&c);
}

static Case one_row(int S, const float *scores, MaskSpec mask, double fill) {
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    c.spec.fill = fill;
    if (mask.kind != MASK_NONE) c.spec.masks[c.spec.n_masks++] = mask;
    case_input(&c, "scores", 3, 1, 1, S, scores);
    case_run(&c);
    return c;
}

static void empty_rows(void **state) {
    (void)state;
    MaskSpec all = {.kind = MASK_PADDING, .pad_keys = 2};
    Case c = one_row(2, (float[]){1, 2}, all, -(double)INFINITY);
    const Diagnosis *d = find(&c, DIAGNOSIS_EMPTY_ROW, "mask");
    assert_non_null(d);
    assert_string_equal(d->message, "Query 1 may read no key (mask[1]): its weights are set to 0.");
    assert_string_equal(find(&c, DIAGNOSIS_ROW_SUM, "weights")->message, "The row weights[1, 1] sums to 0, because it has no key to read.");
    assert_null(find(&c, DIAGNOSIS_INF, "row_max"));
    assert_null(find(&c, DIAGNOSIS_FILL_LEAKS, "weights"));
    c.spec.empty_row = EMPTY_ROW_NAN;
    case_run(&c);
    assert_string_equal(find(&c, DIAGNOSIS_EMPTY_ROW, "mask")->message, "Query 1 may read no key (mask[1]): its weights are NaN.");
    assert_string_equal(find(&c, DIAGNOSIS_NAN, "exp")->message,
                        "exp[1, 1, 1] is NaN: the row's largest score is infinite, and ∞ − ∞ has no value.");
    assert_string_equal(find(&c, DIAGNOSIS_NAN, "weights")->message, "weights[1, 1, 1] is NaN: it comes from exp.");
    assert_null(find(&c, DIAGNOSIS_ROW_SUM, "weights"));
    case_free(&c);
    c = one_row(2, (float[]){1, 2}, all, -1e9);
    assert_true(strstr(find(&c, DIAGNOSIS_EMPTY_ROW, "mask")->message, "spread evenly") != NULL);
    case_free(&c);
}

static void fills(void **state) {
    (void)state;
    MaskSpec last = {.kind = MASK_PADDING, .pad_keys = 1};
    Case c = one_row(3, (float[]){0, 0, 0}, last, -2.71828);
    const Diagnosis *d = find(&c, DIAGNOSIS_FILL_LEAKS, "weights");
    assert_non_null(d);
    assert_int_equal(d->index[2], 2);
    assert_near(d->value, 0.0319, 5e-5);
    assert_null(find(&c, DIAGNOSIS_BELOW_FILL, "masked"));
    case_free(&c);
    c = one_row(3, (float[]){-50, 0, 0}, last, -20);
    d = find(&c, DIAGNOSIS_BELOW_FILL, "masked");
    assert_non_null(d);
    assert_int_equal(d->index[2], 0);
    assert_string_equal(d->message, "masked[1, 1, 1] is a real score of −50, below the fill −20: hidden keys would win over it.");
    case_free(&c);
    c = one_row(3, (float[]){-50, 0, 0}, last, -1e9);
    assert_null(find(&c, DIAGNOSIS_BELOW_FILL, "masked"));
    assert_null(find(&c, DIAGNOSIS_FILL_LEAKS, "weights"));
    case_free(&c);
}

static void saturation_and_overflow(void **state) {
    (void)state;
    Case c = one_row(3, (float[]){90, 2, -2}, (MaskSpec){0}, 0);
    assert_non_null(find(&c, DIAGNOSIS_SATURATED, "weights"));
    case_free(&c);
    c = one_row(2, (float[]){5, 2}, (MaskSpec){.kind = MASK_PADDING, .pad_keys = 1}, -(double)INFINITY);
    assert_null(find(&c, DIAGNOSIS_SATURATED, "weights")); /* one key kept: 1 is all it can be */
    case_free(&c);
    c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1e30f, 1});
    case_run(&c);
    assert_string_equal(find(&c, DIAGNOSIS_INF, "scores")->message,
                        "scores[1, 1, 1] is ∞, and no mask put it there: the numbers have grown too large.");
    assert_non_null(find(&c, DIAGNOSIS_NAN, "exp"));
    case_free(&c);
    c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 1, 1, (float[]){NAN, 1});
    case_run(&c);
    assert_string_equal(find(&c, DIAGNOSIS_NAN, "x")->message, "x[1, 1] is NaN: it was given so.");
    assert_string_equal(find(&c, DIAGNOSIS_NAN, "q")->message, "q[1, 1, 1] is NaN: it comes from x.");
    case_free(&c);
    c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 1, 1, (float[]){INFINITY, 1});
    case_run(&c);
    assert_string_equal(find(&c, DIAGNOSIS_INF, "x")->message, "x[1, 1] is ∞: it was given so.");
    case_free(&c);
}

/* One entry a kind, tensor and head. */
static void by_head(void **state) {
    (void)state;
    Case c = map(2, 2, 2, (float[]){0.5f, 0.5f, 0.5f, 0.5f, 1, 1, 2, 2});
    Diagnosis *list;
    int count;
    trace_diagnose(c.trace, &c.arena, &list, &count);
    assert_int_equal(count, 2); /* row sums and saturation, both of head 2 */
    assert_int_equal(list[0].index[0], 1);
    assert_int_equal(list[0].count, 2);
    assert_true(str_eq(diagnosis_names[list[0].kind], "row_sum"));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums),       cmocka_unit_test(entropy),   cmocka_unit_test(entropy_of_files), cmocka_unit_test(not_finite),
        cmocka_unit_test(healthy),    cmocka_unit_test(row_sums),  cmocka_unit_test(empty_rows),       cmocka_unit_test(fills),
        cmocka_unit_test(saturation_and_overflow), cmocka_unit_test(by_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
