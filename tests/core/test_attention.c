/* Attention against numbers worked out by hand (to four decimals; see each comment). */
#include "case.h"

/* The cat sat down: K = I, Q and V as written. */
static const float Q4[] = {0, 4, 0, 0, 0, 0, 4, 0, 0, 4, 0, 2, 0, 0, 4, 0};
static const float I4[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
static const float V4[] = {1, 0, 0, 2, 3, 0, 0, 4};

static Case cat(void) {
    Case c = case_new();
    c.spec.proj = PROJ_GIVEN;
    case_input(&c, "q", 3, 1, 4, 4, Q4);
    case_input(&c, "k", 3, 1, 4, 4, I4);
    case_input(&c, "v", 3, 1, 4, 2, V4);
    return c;
}

/* Row sat: scores 0 4 0 2, halved 0 2 0 1; e^0 e^2 e^0 e^1 = 1 7.3891 1 2.7183, sum 12.1073. */
static void step_by_step(void **state) {
    (void)state;
    Case c = cat();
    case_run(&c);
    assert_row(&c, "scores", 0, 2, 0, 4, 0, 2);
    assert_row(&c, "scaled", 0, 2, 0, 2, 0, 1);
    assert_near(case_at(&c, "row_max", 0, 2, 0), 2.0, 0);
    assert_row(&c, "exp", 0, 2, 0.1353, 1, 0.1353, 0.3679);
    assert_near(case_at(&c, "row_sum", 0, 2, 0), 1.6386, 5e-5);
    assert_row(&c, "weights", 0, 2, 0.0826, 0.6103, 0.0826, 0.2245);
    assert_row(&c, "weights", 0, 0, 0.0963, 0.7112, 0.0963, 0.0963);
    assert_row(&c, "head_out", 0, 2, 0.3304, 2.1187);
    assert_row(&c, "out", 0, 2, 0.3304, 2.1187);
    case_free(&c);
}

/* Causal: row sat leaves down out: 1 7.3891 1 over 9.3891. Equal scores share alike. */
static void causal_rows(void **state) {
    (void)state;
    Case c = cat();
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    case_run(&c);
    assert_row(&c, "weights", 0, 2, 0.1065, 0.7870, 0.1065, 0);
    float zero[16] = {0};
    c.inputs[0].data = zero;
    case_run(&c);
    assert_row(&c, "weights", 0, 2, 1.0 / 3, 1.0 / 3, 1.0 / 3, 0);
    case_free(&c);
}

/* Under a causal mask another last token changes the last row alone. */
static void last_token_is_not_read_before(void **state) {
    (void)state;
    float k[16], v[8];
    memcpy(k, I4, sizeof k);
    memcpy(v, V4, sizeof v);
    Case a = cat(), b = cat();
    k[15] = 9;
    v[6] = v[7] = -5;
    a.spec.n_masks = b.spec.n_masks = 1;
    a.spec.masks[0] = b.spec.masks[0] = (MaskSpec){.kind = MASK_CAUSAL};
    b.inputs[1].data = k;
    b.inputs[2].data = v;
    case_run(&a);
    case_run(&b);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 2; j++) assert_true((case_at(&a, "out", i, j, 0) == case_at(&b, "out", i, j, 0)) == (i < 3));
    case_free(&a);
    case_free(&b);
}

/* time flies like an arrow: q = k = v = x of ±1, d = 4. Row flies: scores 2 4 2 0 2, halved 1 2 1 0 1. */
static void no_projections(void **state) {
    (void)state;
    float x[] = {1, 1, 1, 1, 1, 1, 1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, -1, 1, -1};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 5, 4, 1, x);
    case_run(&c);
    assert_row(&c, "weights", 0, 1, 0.1643, 0.4466, 0.1643, 0.0604, 0.1643);
    for (int i = 0; i < 5; i++) assert_near(case_at(&c, "weights", 0, i, i), ((double[]){0.5923, 0.4466, 0.4984, 0.5206, 0.4984})[i], 5e-5);
    for (int j = 0; j < 4; j++) x[16 + j] *= 3; /* arrow three times as long */
    case_run(&c);
    assert_near(case_at(&c, "weights", 0, 1, 4), 0.5923, 5e-5);
    assert_near(case_at(&c, "weights", 0, 1, 1), 0.2179, 5e-5);
    case_free(&c);
}

/* X = [[1,0],[1,1]], q = k: scores are symmetric, weights are not. */
static void symmetric_scores(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 2, 1, (float[]){1, 0, 1, 1});
    case_run(&c);
    assert_near(case_at(&c, "scores", 0, 0, 1), case_at(&c, "scores", 0, 1, 0), 0);
    assert_row(&c, "weights", 0, 0, 0.5, 0.5);
    assert_row(&c, "weights", 0, 1, 0.3302, 0.6698);
    case_free(&c);
}

/* Without positions, swapping two tokens swaps their rows: A = [1,0], B = [0,2]. */
static void order_does_not_matter(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 2, 1, (float[]){1, 0, 0, 2});
    case_run(&c);
    assert_row(&c, "out", 0, 0, 0.6698, 0.6605);
    assert_row(&c, "out", 0, 1, 0.0558, 1.8884);
    c.inputs[0].data = (float[]){0, 2, 1, 0};
    case_run(&c);
    assert_row(&c, "out", 0, 0, 0.0558, 1.8884);
    assert_row(&c, "out", 0, 1, 0.6698, 0.6605);
    case_free(&c);
}

/* One number a token: x = 1, 2; q = x, k = 3x, v = 2x, out = 2 head_out. A number added to a key's scores
 * is a mask of op add whose fill is that number. */
static void added_number(void **state) {
    (void)state;
    Case c = case_new();
    c.spec = (AttentionSpec){.out_proj = true, .fill = 1, .mask_op = MASK_ADD, .n_masks = 1};
    c.spec.masks[0] = (MaskSpec){.kind = MASK_PADDING, .n_keys = 1, .keys = (int[]){1}};
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1, 2});
    case_input(&c, "w_q", 2, 1, 1, 1, (float[]){1});
    case_input(&c, "w_k", 2, 1, 1, 1, (float[]){3});
    case_input(&c, "w_v", 2, 1, 1, 1, (float[]){2});
    case_input(&c, "w_o", 2, 1, 1, 1, (float[]){2});
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.0180, 0.9820);
    assert_row(&c, "weights", 0, 1, 0.0009, 0.9991);
    assert_near(case_at(&c, "out", 0, 0, 0), 7.9281, 5e-5);
    assert_near(case_at(&c, "out", 1, 0, 0), 7.9964, 5e-5);
    c.spec.masks[0].keys = (int[]){0};
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.1192, 0.8808);
    assert_row(&c, "weights", 0, 1, 0.0067, 0.9933);
    assert_near(case_at(&c, "out", 0, 0, 0), 7.5232, 5e-5);
    c.spec.n_masks = 0;
    case_run(&c);
    assert_near(case_at(&c, "out", 0, 0, 0), 7.8103, 5e-5);
    assert_near(case_at(&c, "out", 1, 0, 0), 7.9901, 5e-5);
    case_free(&c);
}

/* Given scores: [0.2, 2] unscaled; [16, 0] over sqrt(64) = [2, 0]; large and far apart. */
static void given_scores(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.scale = SCALE_NONE;
    case_input(&c, "scores", 3, 1, 1, 2, (float[]){0.2f, 2});
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.1419, 0.8581);
    c.spec.scale = SCALE_AUTO;
    c.spec.d_k = 64;
    c.inputs[0].data = (float[]){16, 0};
    case_run(&c);
    assert_row(&c, "scaled", 0, 0, 2, 0);
    assert_row(&c, "weights", 0, 0, 0.8808, 0.1192);
    c.spec.scale = SCALE_NONE;
    c.inputs[0].dim[2] = 3;
    c.inputs[0].data = (float[]){90, 2, -2};
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 1, 0, 0);
    c.inputs[0].data = (float[]){1000, 1001, 1002};
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.0900, 0.2447, 0.6652);
    assert_int_equal(trace_find(c.trace, "head_out"), TENSOR_NONE); /* no v: nothing from the weighted sum on */
    case_free(&c);
}

/* d_k = 64, a gap of 8: 1 / (1 + e^-8) and 1 / (1 + e^-1). */
static void scale_kinds(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.d_k = 64;
    case_input(&c, "scores", 3, 1, 1, 2, (float[]){8, 0});
    c.spec.scale = SCALE_NONE;
    case_run(&c);
    assert_near(case_at(&c, "weights", 0, 0, 0), 0.9997, 5e-5);
    c.spec.scale = SCALE_AUTO;
    case_run(&c);
    assert_near(case_at(&c, "weights", 0, 0, 0), 0.7311, 5e-5);
    c.spec.temperature = 0.5; /* 8 / 8 / 0.5 = 2 */
    case_run(&c);
    assert_near(case_at(&c, "weights", 0, 0, 0), 0.8808, 5e-5);
    c.spec.scale = SCALE_NUMBER;
    c.spec.scale_number = 0.25; /* 8 * 0.25 / 0.5 = 4 */
    case_run(&c);
    assert_near(case_at(&c, "scaled", 0, 0, 0), 4.0, 0);
    assert_near(attention_scale(&c.spec), 0.5, 0);
    case_free(&c);
}

/* Heads are neighbouring columns: [1,2,3,4], [5,6,7,8] cut in two. */
static void heads_are_columns(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.n_heads = 2;
    case_input(&c, "x", 2, 2, 4, 1, (float[]){1, 2, 3, 4, 5, 6, 7, 8});
    case_run(&c);
    assert_row(&c, "q", 0, 0, 1, 2);
    assert_row(&c, "q", 0, 1, 5, 6);
    assert_row(&c, "q", 1, 0, 3, 4);
    assert_row(&c, "q", 1, 1, 7, 8);
    case_free(&c);
}

/* Query head h of H reads key head h / (H / G): its scores say which. k of head g is 10^g. */
static void grouped_heads(void **state) {
    (void)state;
    static const struct { int H, G; int reads[8]; } cases[] = {{4, 2, {0, 0, 1, 1}}, {8, 2, {0, 0, 0, 0, 1, 1, 1, 1}}, {4, 1, {0}}, {4, 4, {0, 1, 2, 3}}};
    float one[8] = {1, 1, 1, 1, 1, 1, 1, 1}, ten[4] = {1, 10, 100, 1000};
    for (size_t n = 0; n < sizeof cases / sizeof cases[0]; n++) {
        Case c = case_new();
        c.spec.proj = PROJ_GIVEN;
        case_input(&c, "q", 3, cases[n].H, 1, 1, one);
        case_input(&c, "k", 3, cases[n].G, 1, 1, ten);
        case_input(&c, "v", 3, cases[n].G, 1, 1, ten);
        case_run(&c);
        for (int h = 0; h < cases[n].H; h++) {
            assert_near(case_at(&c, "scores", h, 0, 0), (double)ten[cases[n].reads[h]], 0);
            assert_near(case_at(&c, "head_out", h, 0, 0), (double)ten[cases[n].reads[h]], 0);
            assert_near(case_at(&c, "concat", 0, h, 0), (double)ten[cases[n].reads[h]], 0);
        }
        case_free(&c);
    }
}

/* Target of 4, source of 3; scaled scores 2 on matching pairs: e^2 against 1, 1; the last row has no match. */
static void cross_attention(void **state) {
    (void)state;
    float x[12] = {2, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0}, eye[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.scale = SCALE_NONE;
    case_input(&c, "x", 2, 4, 3, 1, x);
    case_input(&c, "x_kv", 2, 3, 3, 1, eye);
    case_run(&c);
    assert_row(&c, "weights", 0, 0, 0.7870, 0.1065, 0.1065);
    assert_row(&c, "weights", 0, 3, 1.0 / 3, 1.0 / 3, 1.0 / 3);
    case_free(&c);
}

/* CCO: both carbons the same row. [1,0]·[1,0] / sqrt 2 = 0.7071 against 0. */
static void molecule(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 3, 2, 1, (float[]){1, 0, 1, 0, 0, 1});
    case_run(&c);
    for (int i = 0; i < 2; i++) assert_row(&c, "weights", 0, i, 0.4011, 0.4011, 0.1978);
    assert_row(&c, "weights", 0, 2, 0.2483, 0.2483, 0.5035);
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(step_by_step),      cmocka_unit_test(causal_rows),     cmocka_unit_test(last_token_is_not_read_before),
        cmocka_unit_test(no_projections),    cmocka_unit_test(symmetric_scores), cmocka_unit_test(order_does_not_matter),
        cmocka_unit_test(added_number),      cmocka_unit_test(given_scores),    cmocka_unit_test(scale_kinds),
        cmocka_unit_test(heads_are_columns), cmocka_unit_test(grouped_heads),   cmocka_unit_test(cross_attention),
        cmocka_unit_test(molecule),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
