/* Masks, fills, empty rows, and numbers that must not leak past a mask. */
#include <stdio.h>

#include "case.h"

/* Equal scores of L queries and S keys under one mask. */
static Case equal(int L, int S, MaskSpec mask) {
    static const float zeros[64] = {0};
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    c.spec.masks[c.spec.n_masks++] = mask;
    assert_true(L * S <= 64);
    case_input(&c, "scores", 3, 1, L, S, zeros);
    return c;
}

static int kept(const MaskSpec *mask, int L, int S) {
    int count = 0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < S; j++) count += mask_keeps(mask, 0, i, j, L, S);
    return count;
}

/* q = k = v; the second key is padding, whatever stands in it. */
static void hidden_key_cannot_spoil(void **state) {
    (void)state;
    static const float strange[] = {4, 1e10f, NAN, INFINITY, -INFINITY};
    for (size_t n = 0; n < sizeof strange / sizeof strange[0]; n++)
        for (int which = 0; which < 2; which++) {
            float q[8] = {0, 1, 2, 3, 4, 5, 6, 7}, k[8], v[8];
            memcpy(k, q, sizeof k);
            memcpy(v, q, sizeof v);
            for (int j = 4; j < 8; j++) (which ? v : k)[j] = strange[n];
            Case c = case_new();
            c.spec.proj = PROJ_GIVEN;
            c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_PADDING, .keys = (int[]){1}, .n_keys = 1};
            case_input(&c, "q", 2, 2, 4, 1, q);
            case_input(&c, "k", 2, 2, 4, 1, k);
            case_input(&c, "v", 2, 2, 4, 1, v);
            case_run(&c);
            for (int i = 0; i < 2; i++) {
                assert_row(&c, "weights", 0, i, 1, 0);
                assert_row(&c, "out", 0, i, 0, 1, 2, 3);
            }
            case_free(&c);
        }
}

/* A visible key of weight 0 does spoil: 0 · NaN is NaN, and no mask says otherwise. */
static void visible_key_counts(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    c.spec.proj = PROJ_GIVEN;
    case_input(&c, "scores", 3, 1, 1, 2, (float[]){0, -2000});
    case_input(&c, "v", 3, 1, 2, 1, (float[]){5, NAN});
    case_run(&c);
    assert_near(case_at(&c, "weights", 0, 0, 1), 0, 0);
    assert_near(case_at(&c, "out", 0, 0, 0), (double)NAN, 0);
    case_free(&c);
}

/* Four tokens, equal scores, query 2 may read nothing. */
static void empty_row_policies(void **state) {
    (void)state;
    float keep[16], v[4] = {1, 2, 3, 6};
    for (int n = 0; n < 16; n++) keep[n] = n / 4 != 1 ? 1.0f : 0.0f;
    Case c = equal(4, 4, (MaskSpec){.kind = MASK_CUSTOM, .keep = keep});
    c.spec.proj = PROJ_GIVEN;
    c.spec.empty_row = EMPTY_ROW_NAN;
    case_input(&c, "v", 3, 1, 4, 1, v);
    case_run(&c);
    assert_row(&c, "weights", 0, 1, NAN, NAN, NAN, NAN);
    assert_near(case_at(&c, "out", 1, 0, 0), (double)NAN, 0);
    c.spec.empty_row = EMPTY_ROW_ZERO;
    case_run(&c);
    assert_row(&c, "weights", 0, 1, 0, 0, 0, 0);
    assert_near(case_at(&c, "row_sum", 0, 1, 0), 0, 0);
    assert_near(case_at(&c, "out", 1, 0, 0), 0, 0);
    for (int i = 0; i < 4; i++)
        if (i != 1) {
            assert_row(&c, "weights", 0, i, 0.25, 0.25, 0.25, 0.25);
            assert_near(case_at(&c, "out", i, 0, 0), 3, 0);
        }
    c.spec.fill = -1e9;
    case_run(&c);
    assert_row(&c, "weights", 0, 1, 0.25, 0.25, 0.25, 0.25);
    case_free(&c);
}

/* An empty row of one head of two: NaN in that head's part of concat, and in all of the row of out. */
static void empty_row_of_one_head(void **state) {
    (void)state;
    float keep[8] = {1, 1, 1, 1, 0, 0, 1, 1}, x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, w[16];
    for (int n = 0; n < 16; n++) w[n] = n % 5 == 0;
    Case c = case_new();
    c.spec.n_heads = 2;
    c.spec.out_proj = true;
    c.spec.empty_row = EMPTY_ROW_NAN;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CUSTOM_PER_HEAD, .keep = keep};
    case_input(&c, "x", 2, 2, 4, 1, x);
    static const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
    for (int n = 0; n < 4; n++) case_input(&c, names[n], 2, 4, 4, 1, w);
    case_run(&c);
    assert_int_equal(trace_tensor(c.trace, trace_find(c.trace, "mask"))->rank, 3);
    for (int j = 0; j < 4; j++) {
        assert_int_equal(isnan(case_at(&c, "concat", 0, j, 0)) != 0, j >= 2);
        assert_near(case_at(&c, "out", 0, j, 0), (double)NAN, 0);
        assert_true(isfinite(case_at(&c, "out", 1, j, 0)));
    }
    case_free(&c);
}

/* Scores 1 … 5, all hidden. In float32 numbers near 1e9 are 64 apart, so adding -1e9 makes all equal; in
 * double the differences survive, and softmax gives what it gives without a mask. */
static void add_or_replace(void **state) {
    (void)state;
    Case c = equal(1, 5, (MaskSpec){.kind = MASK_PADDING, .pad_keys = 5});
    c.inputs[0].data = (float[]){1, 2, 3, 4, 5};
    c.spec.fill = -1e9;
    static const struct { MaskOp op; Precision precision; bool survives; } cases[] = {
        {MASK_REPLACE, PRECISION_F32, false}, {MASK_REPLACE, PRECISION_F64, false},
        {MASK_ADD, PRECISION_F32, false}, {MASK_ADD, PRECISION_F64, true}};
    for (size_t n = 0; n < 4; n++) {
        c.spec.mask_op = cases[n].op;
        c.spec.precision = cases[n].precision;
        case_run(&c);
        if (cases[n].survives) assert_row(&c, "weights", 0, 0, 0.0117, 0.0317, 0.0861, 0.2341, 0.6364);
        else assert_row(&c, "weights", 0, 0, 0.2, 0.2, 0.2, 0.2, 0.2);
        assert_int_equal(trace_tensor(c.trace, trace_find(c.trace, "masked"))->dtype, cases[n].precision == PRECISION_F64 ? DTYPE_F64 : DTYPE_F32);
    }
    /* one key left: all ways agree */
    c.spec.masks[0].pad_keys = 4;
    for (size_t n = 0; n < 4; n++) {
        c.spec.mask_op = cases[n].op;
        c.spec.precision = cases[n].precision;
        case_run(&c);
        assert_row(&c, "weights", 0, 0, 1, 0, 0, 0, 0);
    }
    case_free(&c);
}

/* Scores 1 2 3 all hidden: e^0 e^1 e^2 over their sum when -1e9 is added in double. */
static void three_ways_of_nothing(void **state) {
    (void)state;
    Case c = equal(1, 3, (MaskSpec){.kind = MASK_PADDING, .pad_keys = 3});
    c.inputs[0].data = (float[]){1, 2, 3};
    c.spec.empty_row = EMPTY_ROW_NAN;
    case_run(&c);
    assert_row(&c, "weights", 0, 0, NAN, NAN, NAN);
    c.spec.fill = -1e9;
    c.spec.mask_op = MASK_ADD;
    c.spec.precision = PRECISION_F64;
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.0900, 0.2447, 0.6652);
    case_free(&c);
}

/* Fill -e on one of three equal scores: e^-2.71828 = 0.0660 beside 1 and 1. */
static void weak_fill(void **state) {
    (void)state;
    Case c = equal(1, 3, (MaskSpec){.kind = MASK_PADDING, .pad_keys = 1});
    c.spec.fill = -2.71828;
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.4840, 0.4840, 0.0319);
    c.spec.fill = -(double)INFINITY;
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.5, 0.5, 0);
    case_free(&c);
}

/* Two queries, five keys: the triangle in the lower right or the upper left corner. */
static void causal_corners(void **state) {
    (void)state;
    Case c = equal(2, 5, (MaskSpec){.kind = MASK_CAUSAL});
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.25, 0.25, 0.25, 0.25, 0);
    assert_row(&c, "weights", 0, 1, 0.2, 0.2, 0.2, 0.2, 0.2);
    c.spec.masks[0].align = ALIGN_TOP_LEFT;
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 1, 0, 0, 0, 0);
    assert_row(&c, "weights", 0, 1, 0.5, 0.5, 0, 0, 0);
    case_free(&c);
}

/* Three words and a pad, equal scores: every row reads the words alone. */
static void padding_hides_columns(void **state) {
    (void)state;
    MaskSpec ways[] = {{.kind = MASK_PADDING, .pad_keys = 1}, {.kind = MASK_PADDING, .keys = (int[]){3}, .n_keys = 1}};
    for (int n = 0; n < 2; n++) {
        Case c = equal(4, 4, ways[n]);
        case_run(&c);
        for (int i = 0; i < 4; i++) assert_row(&c, "weights", 0, i, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0);
        case_free(&c);
    }
}

/* Cells kept, counted by hand: of 8 × 8, a reach of r to each side keeps 8 + 2(7 + … + (8-r)). */
static void counted_cells(void **state) {
    (void)state;
    const struct { MaskSpec mask; int L, S, cells; } cases[] = {
        {{.kind = MASK_WINDOW, .left = 3, .right = 3}, 8, 8, 44},
        {{.kind = MASK_WINDOW, .left = 2, .right = 2}, 8, 8, 34},
        {{.kind = MASK_WINDOW, .left = 1, .right = 1}, 8, 8, 22},
        {{.kind = MASK_WINDOW, .left = 1, .right = 0}, 8, 8, 15},
        {{.kind = MASK_GLOBAL_WINDOW, .left = 1, .globals = (int[]){0}, .n_globals = 1}, 8, 8, 34},
        {{.kind = MASK_CAUSAL}, 8, 8, 36},
        {{.kind = MASK_LOCAL_BLOCK, .block = 3}, 8, 8, 9 + 9 + 4},
        {{.kind = MASK_LOCAL_BLOCK, .block = 3, .causal = true}, 8, 8, 6 + 6 + 3},
        {{.kind = MASK_STRIDED, .stride = 3, .causal = true}, 4, 4, 10}, /* distances 0 1 2 3: all kept */
        {{.kind = MASK_STRIDED, .stride = 2}, 4, 4, 14},                 /* 0 1 near, 2 a multiple, 3 not */
        {{.kind = MASK_PADDING, .pad_keys = 2, .pad_left = true}, 3, 5, 9},
        {{.kind = MASK_NONE}, 3, 5, 15},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        int cells = kept(&cases[n].mask, cases[n].L, cases[n].S);
        if (cells != cases[n].cells) fail_msg("case %zu keeps %d, expected %d", n, cells, cases[n].cells);
    }
}

/* A list of masks keeps what all of them keep. */
static void list_is_and(void **state) {
    (void)state;
    Case c = equal(4, 4, (MaskSpec){.kind = MASK_CAUSAL});
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_NONE};
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_PADDING, .pad_left = true, .pad_keys = 1};
    case_run(&c);
    assert_row(&c, "mask", 0, 0, 0, 0, 0, 0);
    assert_row(&c, "mask", 0, 1, 0, 1, 0, 0);
    assert_row(&c, "mask", 0, 3, 0, 1, 1, 1);
    c.spec.n_masks = 1;
    c.spec.masks[0].kind = MASK_NONE;
    case_run(&c);
    assert_int_equal(trace_find(c.trace, "mask"), TENSOR_NONE);
    assert_int_equal(trace_find(c.trace, "masked"), TENSOR_NONE);
    case_free(&c);
}

static void reasons(void **state) {
    (void)state;
    const struct { MaskSpec mask; int h, i, j, L, S; const char *words; } cases[] = {
        {{.kind = MASK_CAUSAL}, 0, 3, 4, 6, 6, "key 5 comes after query 4"},
        {{.kind = MASK_CAUSAL}, 0, 3, 1, 6, 6, "key 2 does not come after query 4"},
        {{.kind = MASK_CAUSAL}, 0, 0, 4, 2, 5, "key 5 comes after key 4, where query 1 stands"},
        {{.kind = MASK_CAUSAL}, 0, 0, 0, 5, 2, "query 1 stands before the first key"},
        {{.kind = MASK_PADDING, .pad_keys = 1}, 0, 0, 3, 4, 4, "key 4 is padding"},
        {{.kind = MASK_WINDOW, .left = 2}, 0, 3, 0, 4, 4, "key 1 is 3 before query 4; the window reaches 2 back"},
        {{.kind = MASK_WINDOW, .left = 2}, 0, 1, 3, 4, 4, "key 4 is 2 ahead of query 2; the window reaches 0 ahead"},
        {{.kind = MASK_LOCAL_BLOCK, .block = 2}, 0, 0, 3, 4, 4, "key 4 is in block 2, query 1 in block 1"},
        {{.kind = MASK_STRIDED, .stride = 2}, 0, 3, 0, 4, 4, "key 1 is 3 from query 4, neither less than 2 nor a multiple of it"},
        {{.kind = MASK_GLOBAL_WINDOW, .left = 1}, 0, 3, 0, 4, 4, "key 1 is more than 1 from query 4, and neither is global"},
        {{.kind = MASK_CUSTOM, .keep = (float[]){1, 0}}, 0, 0, 1, 1, 2, "the mask does not let query 1 read key 2"},
        {{.kind = MASK_CUSTOM_PER_HEAD, .keep = (float[]){1, 1, 0, 1}}, 1, 0, 0, 1, 2, "the mask of head 2 does not let query 1 read key 1"},
    };
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        char words[160];
        assert_string_equal(mask_reason(words, &cases[n].mask, cases[n].h, cases[n].i, cases[n].j, cases[n].L, cases[n].S), cases[n].words);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hidden_key_cannot_spoil), cmocka_unit_test(visible_key_counts),    cmocka_unit_test(empty_row_policies),
        cmocka_unit_test(empty_row_of_one_head),   cmocka_unit_test(add_or_replace),        cmocka_unit_test(three_ways_of_nothing),
        cmocka_unit_test(weak_fill),               cmocka_unit_test(causal_corners),        cmocka_unit_test(padding_hides_columns),
        cmocka_unit_test(counted_cells),           cmocka_unit_test(list_is_and),           cmocka_unit_test(reasons),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
