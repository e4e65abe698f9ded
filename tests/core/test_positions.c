/* Positions against numbers worked out by hand. */
#include "case.h"

/* d = 4, place 1: sin 1, cos 1, sin 0.01, cos 0.01 */
static void sinusoid(void **state) {
    (void)state;
    float x[8] = {0};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position.kind = POSITION_SINUSOIDAL;
    case_input(&c, "x", 2, 2, 4, 1, x);
    case_run(&c);
    assert_row(&c, "pe", 0, 0, 0, 1, 0, 1);
    assert_row(&c, "pe", 0, 1, 0.8415, 0.5403, 0.0100, 0.99995);
    assert_row(&c, "x", 0, 1, 0.8415, 0.5403, 0.0100, 0.99995);
    assert_int_not_equal(trace_find(c.trace, "tok"), TENSOR_NONE); /* a given x is then called tok */
    case_free(&c);
}

/* dog bites man: without positions a swap of dog and man leaves bites as it is, with them it does not. */
static void sentence_order(void **state) {
    (void)state;
    float dog[12] = {1, 0, 0, 1, 0, 1, 1, 0, 0, 0, 1, 1}, man[12] = {0, 0, 1, 1, 0, 1, 1, 0, 1, 0, 0, 1};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "tok", 2, 3, 4, 1, dog);
    case_run(&c);
    assert_row(&c, "out", 0, 1, 0.1863, 0.5065, 0.8137, 0.4935);
    c.inputs[0].data = man;
    case_run(&c);
    assert_row(&c, "out", 0, 1, 0.1863, 0.5065, 0.8137, 0.4935);
    c.spec.position.kind = POSITION_SINUSOIDAL;
    case_run(&c);
    assert_row(&c, "out", 0, 1, 0.7142, 1.0230, 0.8432, 1.5253);
    c.inputs[0].data = dog;
    case_run(&c);
    assert_row(&c, "out", 0, 1, 0.9071, 1.0025, 0.6722, 1.5182);
    case_free(&c);
}

/* Rows of a table, or rows that come with the model. */
static void added_rows(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position.kind = POSITION_LEARNED;
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1, 2});
    case_input(&c, "pos_emb", 2, 3, 1, 1, (float[]){10, 20, 30});
    case_run(&c);
    assert_near(case_at(&c, "x", 1, 0, 0), 22, 0);
    c.spec.position.kind = POSITION_GIVEN;
    c.inputs[1] = (TensorInput){.name = "pe", .rank = 2, .dim = {2, 1, 1, 1}, .data = (float[]){5, 6}};
    case_run(&c);
    assert_near(case_at(&c, "x", 1, 0, 0), 8, 0);
    case_free(&c);
}

static Case rotated(PositionKind kind, int L, int d, const float *q) {
    Case c = case_new();
    c.spec.proj = PROJ_GIVEN;
    c.spec.scale = SCALE_NONE;
    c.spec.position.kind = kind;
    case_input(&c, "q", 3, 1, L, d, q);
    case_input(&c, "k", 3, 1, L, d, q);
    case_input(&c, "v", 3, 1, L, d, q);
    return c;
}

/* x = 1 2 3 4 at place 1: pairs turn by 1 and by 0.01. Interleaved (1,2)(3,4): cos 1 - 2 sin 1 = -1.1426 …;
 * halves (1,3)(2,4): cos 1 - 3 sin 1 = -1.9841, 2 cos 0.01 - 4 sin 0.01 = 1.9599 … */
static void rope_layouts(void **state) {
    (void)state;
    float x[] = {1, 2, 3, 4};
    Case c = rotated(POSITION_ROPE_INTERLEAVED, 1, 4, x);
    c.spec.position.rope_offset = 1;
    case_run(&c);
    assert_row(&c, "q_rope", 0, 0, -1.1426, 1.9221, 2.9599, 4.0298);
    c.spec.position.kind = POSITION_ROPE_HALF;
    case_run(&c);
    assert_row(&c, "q_rope", 0, 0, -1.9841, 1.9599, 2.4624, 4.0198);
    c.spec.position.rope_dim = 2; /* the first two features turn, the others pass */
    case_run(&c);
    assert_row(&c, "q_rope", 0, 0, -1.1426, 1.9221, 3, 4);
    assert_int_equal(trace_tensor(c.trace, trace_find(c.trace, "rope_cos"))->dim[1], 1);
    case_free(&c);
}

/* q = k = [1, 0]: the score is the cosine of the distance, wherever both stand. */
static void rope_is_relative(void **state) {
    (void)state;
    float x[] = {1, 0, 1, 0, 1, 0, 1, 0};
    for (int offset = 0; offset <= 100; offset += 100) {
        Case c = rotated(POSITION_ROPE_HALF, 4, 2, x);
        c.spec.position.rope_offset = offset;
        case_run(&c);
        assert_row(&c, "scores", 0, 3, -0.9900, -0.4161, 0.5403, 1);
        case_free(&c);
    }
}

/* More keys than queries: the tables have a row for each key. */
static void rope_of_more_keys(void **state) {
    (void)state;
    float x[] = {1, 0, 1, 0, 1, 0, 1, 0};
    Case c = rotated(POSITION_ROPE_HALF, 4, 2, x);
    c.inputs[0].dim[1] = 1;
    case_run(&c);
    assert_int_equal(trace_tensor(c.trace, trace_find(c.trace, "rope_sin"))->dim[0], 4);
    assert_row(&c, "scores", 0, 0, 1, 0.5403, -0.4161, -0.9900);
    case_free(&c);
}

static void alibi_slopes(void **state) {
    (void)state;
    for (int h = 0; h < 8; h++) assert_near(position_alibi_slope(h, 8), 1.0 / (double)(2 << h), 0);
    for (int h = 0; h < 8; h++) assert_near(position_alibi_slope(h, 12), 1.0 / (double)(2 << h), 0);
    static const double beyond[] = {0.7071, 0.3536, 0.1768, 0.0884};
    for (int h = 8; h < 12; h++) assert_near(position_alibi_slope(h, 12), beyond[h - 8], 5e-5);
    assert_near(position_alibi_slope(0, 1), 1.0 / 256, 0);
}

/* Four equal scores, slope 1/2, causal: e^-1.5 e^-1 e^-0.5 1 over their sum. */
static void alibi_row(void **state) {
    (void)state;
    static const float zeros[16] = {0};
    double half = 0.5;
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    c.spec.position = (PositionSpec){.kind = POSITION_ALIBI, .slopes = &half, .n_slopes = 1};
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    case_input(&c, "scores", 3, 1, 4, 4, zeros);
    case_run(&c);
    assert_row(&c, "bias", 0, 3, -1.5, -1, -0.5, 0);
    assert_row(&c, "bias", 0, 0, 0, -0.5, -1, -1.5);
    assert_row(&c, "weights", 0, 3, 0.1015, 0.1674, 0.2760, 0.4551);
    c.inputs[0].dim[1] = 1; /* one query beside four keys stands at the last of them */
    case_run(&c);
    assert_row(&c, "bias", 0, 0, -1.5, -1, -0.5, 0);
    c.spec.n_masks = 0; /* without a causal mask at the first */
    case_run(&c);
    assert_row(&c, "bias", 0, 0, 0, -0.5, -1, -1.5);
    assert_int_equal(trace_find(c.trace, "mask"), TENSOR_NONE);
    case_free(&c);
}

/* The published position_bias of two small models, read back to buckets: 8 buckets, distances up to 20. */
static void relative_buckets(void **state) {
    (void)state;
    static const int behind[] = {0, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3};        /* keys before the query, both ways */
    static const int one_way[] = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 6, 7, 7, 7, 7, 7};             /* decoders */
    PositionSpec both = {.kind = POSITION_RELATIVE, .rel_max_distance = 20, .rel_both = true}, back = both;
    back.rel_both = false;
    for (int d = 0; d <= 20; d++) assert_int_equal(position_bucket(&both, 8, -d), behind[d]);
    for (int d = 1; d <= 20; d++) assert_int_equal(position_bucket(&both, 8, d), 4 + behind[d]);
    for (int d = 0; d <= 18; d++) assert_int_equal(position_bucket(&back, 8, -d), one_way[d]);
    for (int d = 1; d <= 20; d++) assert_int_equal(position_bucket(&back, 8, d), 0);
    assert_int_equal(position_bucket(&both, 8, -100000), 3);
    assert_int_equal(position_bucket(&back, 8, -100000), 7);
    both.rel_max_distance = 128; /* 32 buckets as in the larger models: 16 a way, 8 of one row, the last from 91 on */
    assert_int_equal(position_bucket(&both, 32, -7), 7);
    assert_int_equal(position_bucket(&both, 32, -11), 8);
    assert_int_equal(position_bucket(&both, 32, -12), 9);
    assert_int_equal(position_bucket(&both, 32, 16), 16 + 10);
    assert_int_equal(position_bucket(&both, 32, 90), 16 + 14);
    assert_int_equal(position_bucket(&both, 32, 91), 16 + 15);
}

/* 4 buckets both ways: 0 itself, 1 before, 3 after (bucket 2 is never used). Rows of the table: 0.5, 1; 2, 3; 9, 9; 4, 5. */
static void relative_bias(void **state) {
    (void)state;
    static const float zeros[16] = {0};
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    c.spec.n_heads = 2;
    c.spec.position = (PositionSpec){.kind = POSITION_RELATIVE, .rel_max_distance = 8, .rel_both = true};
    case_input(&c, "scores", 3, 2, 2, 2, zeros);
    case_input(&c, "rel_bias", 2, 4, 2, 1, (float[]){0.5f, 1, 2, 3, 9, 9, 4, 5});
    case_run(&c);
    assert_row(&c, "bias", 0, 0, 0.5, 4);
    assert_row(&c, "bias", 0, 1, 2, 0.5);
    assert_row(&c, "bias", 1, 0, 1, 5);
    assert_row(&c, "masked", 1, 1, 3, 1);
    assert_row(&c, "weights", 1, 1, 0.8808, 0.1192);
    Explanation told;
    Err err = {0};
    if (!trace_explain(c.trace, trace_find(c.trace, "bias"), (int[]){1, 0, 1, 0}, &c.arena, &told, &err)) fail_msg("%s", err.message);
    assert_int_equal(told.form, FORM_COPY);
    assert_int_equal(told.terms[0].a.id, trace_find(c.trace, "rel_bias"));
    assert_int_equal(told.terms[0].a.index[0], 3);
    assert_non_null(strstr(told.rule_text, "1 after"));
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL}; /* one query stands at the last of two keys */
    c.inputs[0].dim[1] = 1;
    case_run(&c);
    assert_row(&c, "bias", 0, 0, 2, 0.5);
    c.spec.position.rel_max_distance = 1;
    assert_false(case_try(&c));
    assert_non_null(strstr(c.err.message, "buckets"));
    c.spec.position.rel_max_distance = 8;
    c.n_inputs = 1;
    assert_false(case_try(&c));
    assert_non_null(strstr(c.err.message, "rel_bias"));
    case_free(&c);
}

/* Width 8, base 10000: speeds 1, 0.1, 0.01, 0.001, wave lengths 2 pi / speed = 6.28, 62.8, 628, 6283. First trained on 160
 * positions, factors 1 and 4: waves below 40 stay, above 160 are slowed 8 times; 62.8 lies between, s = (160 / 62.8319 - 1) / 3
 * = 0.515493, speed 0.1 · (0.484507 / 8 + 0.515493) = 0.0576056. */
static void rope_scaling(void **state) {
    (void)state;
    PositionSpec p = {.kind = POSITION_ROPE_HALF, .rope_scale = 8, .rope_original = 160, .rope_low = 1, .rope_high = 4};
    assert_near(position_rope_angle(&p, 8, 10, 0), 10, 1e-12);
    assert_near(position_rope_angle(&p, 8, 10, 1), 0.576056, 1e-6);
    assert_near(position_rope_angle(&p, 8, 10, 2), 0.0125, 1e-12);
    assert_near(position_rope_angle(&p, 8, 10, 3), 0.00125, 1e-12);
    p.rope_offset = 2;
    assert_near(position_rope_angle(&p, 8, 8, 2), 0.0125, 1e-12);
    p = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_scale = 4}; /* linear: all of them alike */
    assert_near(position_rope_angle(&p, 8, 10, 0), 2.5, 1e-12);
    assert_near(position_rope_angle(&p, 8, 10, 3), 0.0025, 1e-12);
    Err err = {0};
    p = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_scale = 4, .rope_original = 100, .rope_low = 4, .rope_high = 1};
    assert_false(position_check(&p, 1, 8, &err));
    p = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_scale = -1};
    assert_false(position_check(&p, 1, 8, &err));
}

/* Width 5, place 1: three sines of 1, 1/10000^(2/5), 1/10000^(4/5), then the cosines of the first two. */
static void sinusoid_in_halves(void **state) {
    (void)state;
    float x[10] = {0};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position = (PositionSpec){.kind = POSITION_SINUSOIDAL, .sinusoid_halves = true};
    case_input(&c, "x", 2, 2, 5, 1, x);
    case_run(&c);
    assert_row(&c, "pe", 0, 0, 0, 0, 0, 1, 1);
    assert_row(&c, "pe", 0, 1, 0.84147, 0.02512, 0.00063, 0.54030, 0.99968);
    Explanation told;
    Err err = {0};
    if (!trace_explain(c.trace, trace_find(c.trace, "pe"), (int[]){1, 3, 0, 0}, &c.arena, &told, &err)) fail_msg("%s", err.message);
    assert_string_equal(told.rule_text, "cos(1 / 10000^(0/5))");
    case_free(&c);
}

/* The first token has row 2 of the table; one token more than the table has rows is too many. */
static void learned_rows_from_an_offset(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position = (PositionSpec){.kind = POSITION_LEARNED, .learned_offset = 2};
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1, 2});
    case_input(&c, "pos_emb", 2, 4, 1, 1, (float[]){10, 20, 30, 40});
    case_run(&c);
    assert_near(case_at(&c, "pe", 0, 0, 0), 30, 0);
    assert_near(case_at(&c, "x", 1, 0, 0), 42, 0);
    Explanation told;
    Err err = {0};
    if (!trace_explain(c.trace, trace_find(c.trace, "pe"), (int[]){1, 0, 0, 0}, &c.arena, &told, &err)) fail_msg("%s", err.message);
    assert_int_equal(told.terms[0].a.index[0], 3);
    c.spec.position.learned_offset = 3;
    assert_false(case_try(&c));
    assert_non_null(strstr(c.err.message, "pos_emb [4, 1]"));
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sinusoid),         cmocka_unit_test(sentence_order),    cmocka_unit_test(added_rows),
        cmocka_unit_test(rope_layouts),     cmocka_unit_test(rope_is_relative),  cmocka_unit_test(rope_of_more_keys),
        cmocka_unit_test(alibi_slopes),     cmocka_unit_test(alibi_row),
        cmocka_unit_test(relative_buckets), cmocka_unit_test(relative_bias),     cmocka_unit_test(rope_scaling),
        cmocka_unit_test(sinusoid_in_halves), cmocka_unit_test(learned_rows_from_an_offset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
