/* Mistakes found in numbers that were worked out by hand. */
#include "case.h"
#include "core/mistake.h"

/* Two tokens, one head of width 4. q · k: row 1: 2 and 0, row 2: 4 and 6. Right is half of that, 1 / √4. */
static const float q[] = {1, 1, 0, 0, 2, 0, 3, 0}, k[] = {2, 0, 0, 0, 0, 0, 2, 0}, v[] = {1, 0, 0, 0, 0, 1, 0, 0};
static const float raw[] = {2, 0, 4, 6}, half[] = {1, 0, 2, 3}, quarter[] = {0.5f, 0, 1, 1.5f};

static Case attention(void) {
    Case c = case_new();
    case_input(&c, "q", 3, 1, 2, 4, q);
    case_input(&c, "k", 3, 1, 2, 4, k);
    case_input(&c, "v", 3, 1, 2, 4, v);
    c.spec.proj = PROJ_GIVEN;
    case_run(&c);
    return c;
}

static Theirs theirs_of(const Case *c, const char *name, int L, int S, const float *data) {
    return (Theirs){trace_find(c->trace, name), {.name = name, .rank = 3, .dim = {1, L, S, 1}, .data = data}, 1e-5};
}

static int find(Case *c, const Theirs *theirs, int n, Finding *findings) {
    int found;
    assert_true(mistakes_find(c->trace, theirs, n, &(CoreContext){0}, &c->arena, findings, &found, &c->err));
    return found;
}

static void equal_numbers_have_no_finding(void **state) {
    (void)state;
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = attention();
    Theirs theirs[] = {theirs_of(&c, "scores", 2, 2, raw), theirs_of(&c, "scaled", 2, 2, half)};
    assert_int_equal(find(&c, theirs, 2, f), 0);
    case_free(&c);
}

/* Not divided: raw scores again. The first place is [1, 1, 1]: 2 in place of 1; the largest difference 6 - 3. */
static void scores_that_are_not_divided(void **state) {
    (void)state;
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = attention();
    Theirs theirs[] = {theirs_of(&c, "scores", 2, 2, raw), theirs_of(&c, "scaled", 2, 2, raw)};
    assert_int_equal(find(&c, theirs, 2, f), 1);
    assert_int_equal(f[0].at, 1);
    assert_int_equal(f[0].n_causes, 1);
    assert_int_equal(f[0].cause[0], MISTAKE_SCALE_MISSING);
    assert_int_equal(f[0].next, -1);
    assert_near(f[0].difference.theirs, 2, 0);
    assert_near(f[0].difference.right, 1, 0);
    assert_near(f[0].difference.largest, 3, 0);
    assert_int_equal(f[0].difference.count, 3);
    case_free(&c);
}

/* Divided by 4: by d_k, but four heads of width 4 would have √d_model = 4 too. Both are named, the table's earlier one first. */
static void ties_stand_in_the_order_of_the_table(void **state) {
    (void)state;
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = case_new();
    static const float x[] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    float w[16 * 16] = {0};
    for (int i = 0; i < 16; i++) w[17 * i] = (float)(1 + i % 4);
    case_input(&c, "x", 2, 1, 16, 0, x);
    case_input(&c, "w_q", 2, 16, 16, 0, w);
    case_input(&c, "w_k", 2, 16, 16, 0, w);
    case_input(&c, "w_v", 2, 16, 16, 0, w);
    c.spec.n_heads = 4;
    case_run(&c); /* scores 1, 0, 0, 0: one number a head */
    static const float mine[] = {0.25f, 0, 0, 0};
    Theirs theirs = {trace_find(c.trace, "scaled"), {.name = "scaled", .rank = 3, .dim = {4, 1, 1, 1}, .data = mine}, 1e-5};
    assert_int_equal(find(&c, &theirs, 1, f), 1);
    assert_int_equal(f[0].n_causes, 2);
    assert_int_equal(f[0].cause[0], MISTAKE_SCALE_D_MODEL);
    assert_int_equal(f[0].cause[1], MISTAKE_SCALE_D_K);
    case_free(&c);
}

/* Softmax down the columns of 1 0 | 2 3: e^(1 - 2) / (1 + e^-1) = 0.26894 over 0.73106, 1 / (1 + e^3) = 0.04743 over 0.95257. */
static void softmax_over_queries(void **state) {
    (void)state;
    static const float mine[] = {0.2689414f, 0.0474259f, 0.7310586f, 0.9525741f};
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = attention();
    Theirs theirs[] = {theirs_of(&c, "scaled", 2, 2, half), theirs_of(&c, "weights", 2, 2, mine)};
    assert_int_equal(find(&c, theirs, 2, f), 1);
    assert_int_equal(f[0].at, 1);
    assert_int_equal(f[0].cause[0], MISTAKE_SOFTMAX_QUERIES);
    case_free(&c);
}

/* Divided by d_k, then softmax down the columns of 0.5 0 | 1 1.5: 1 / (1 + e^0.5) = 0.37754 over 0.62246, 1 / (1 + e^1.5) = 0.18243
 * over 0.81757: two mistakes, one behind the other. */
static void a_second_mistake_behind_the_first(void **state) {
    (void)state;
    static const float mine[] = {0.3775407f, 0.1824255f, 0.6224593f, 0.8175745f};
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = attention();
    Theirs theirs[] = {theirs_of(&c, "scaled", 2, 2, quarter), theirs_of(&c, "weights", 2, 2, mine)};
    assert_int_equal(find(&c, theirs, 2, f), 2);
    assert_int_equal(f[0].cause[0], MISTAKE_SCALE_D_K);
    assert_int_equal(f[0].next, 1);
    assert_int_equal(f[1].at, 1);
    assert_int_equal(f[1].cause[0], MISTAKE_SOFTMAX_QUERIES);
    assert_int_equal(f[1].next, -1);
    case_free(&c);
}

static void what_no_mistake_gives_has_no_cause(void **state) {
    (void)state;
    static const float odd[] = {1, 0, 2, 3.5f};
    Finding f[MISTAKE_FINDINGS_MAX];
    Case c = attention();
    Theirs theirs = theirs_of(&c, "scaled", 2, 2, odd);
    assert_int_equal(find(&c, &theirs, 1, f), 1);
    assert_int_equal(f[0].n_causes, 0);
    assert_int_equal(f[0].difference.count, 1);
    assert_int_equal(f[0].difference.first[1], 1);
    assert_int_equal(f[0].difference.first[2], 1);
    case_free(&c);
}

/* ---- comparing ---- */

static Tensor tensor_of(const char *name, const float *data) {
    return (Tensor){.id = name, .name = name, .rank = 3, .dim = {1, 1, 3, 1}, .data = data};
}

static Difference differ(const char *name, const float *right, const float *theirs) {
    Tensor t = tensor_of(name, right);
    return mistake_difference(&t, &(TensorInput){.name = name, .rank = 3, .dim = {1, 1, 3, 1}, .data = theirs}, 1e-3);
}

static void nan_meets_nan_and_infinity_itself(void **state) {
    (void)state;
    const float a[] = {NAN, -INFINITY, 1}, b[] = {NAN, -INFINITY, 1.0005f}, c[] = {0, -INFINITY, 1}, d[] = {NAN, INFINITY, 1};
    assert_false(differ("scores", a, b).differs);
    assert_true(differ("scores", a, c).differs);
    assert_true(isinf(differ("scores", a, c).largest));
    assert_true(differ("scores", a, d).differs);
}

/* -1e9 and -inf weigh 0 alike: in `masked`, nowhere else. */
static void a_hidden_score_is_any_low_number_in_masked(void **state) {
    (void)state;
    const float a[] = {1, -INFINITY, -INFINITY}, b[] = {1, -1e9f, -1e4f}, c[] = {1, -1e9f, -9000};
    assert_false(differ("masked", a, b).differs);
    assert_true(differ("masked", a, c).differs);
    assert_true(differ("scaled", a, b).differs);
}

static void another_shape_differs(void **state) {
    (void)state;
    const float a[] = {1, 2, 3};
    Tensor t = tensor_of("q", a);
    Difference d = mistake_difference(&t, &(TensorInput){.name = "q", .rank = 3, .dim = {1, 3, 1, 1}, .data = a}, 1);
    assert_true(d.differs && d.shape);
}

/* ---- weights alone ---- */

static WeightsCheck look(const float *data, const float *mask) {
    Tensor t = {.id = "weights", .name = "weights", .rank = 3, .dim = {1, 2, 2, 1}, .data = data};
    return mistake_weights(&t, mask, 2, 1e-3);
}

static void weights_alone(void **state) {
    (void)state;
    static const float causal[] = {1, 0, 1, 1};
    assert_int_equal(look((float[]){1, 0, 0.5f, 0.5f}, causal).fault, WEIGHTS_FINE);
    WeightsCheck c = look((float[]){0.25f, 0.5f, 0.75f, 0.5f}, NULL); /* columns sum to 1 */
    assert_int_equal(c.fault, WEIGHTS_ROW_SUM);
    assert_near(c.value, 0.75, 1e-6);
    assert_int_equal(c.cause, MISTAKE_SOFTMAX_QUERIES);
    c = look((float[]){0.75f, 0, 0.5f, 0.5f}, NULL); /* a hole in a row of 0.75 */
    assert_int_equal(c.n_causes, 1);
    assert_int_equal(c.cause, MISTAKE_MASK_AFTER_SOFTMAX);
    c = look((float[]){0.5f, 0.5f, 0.5f, 0.5f}, causal);
    assert_int_equal(c.fault, WEIGHTS_READ_HIDDEN);
    assert_int_equal(c.index[2], 1);
    assert_int_equal(c.cause, MISTAKE_MASK_MISSING);
    c = look((float[]){0.9f, 0.4f, 0.5f, 0.5f}, NULL);
    assert_int_equal(c.fault, WEIGHTS_ROW_SUM);
    assert_int_equal(c.n_causes, 0);
}

static void places_are_said_by_what_the_axes_count(void **state) {
    (void)state;
    Arena arena = {0};
    const int at[TENSOR_RANK_MAX] = {0, 1, 2};
    assert_string_equal(mistake_place("scaled", 3, at, &arena), "[head 1, query 2, key 3]");
    assert_string_equal(mistake_place("k_rope", 3, at, &arena), "[head 1, key 2, feature 3]");
    assert_string_equal(mistake_place("mask", 2, at, &arena), "[query 1, key 2]");
    assert_string_equal(mistake_place("out", 2, at, &arena), "[token 1, feature 2]");
    assert_string_equal(mistake_place("b_q", 1, at, &arena), "[1]");
    arena_free(&arena);
}

static void each_mistake_has_a_name_of_its_own(void **state) {
    (void)state;
    for (int i = 0; i < MISTAKE_COUNT; i++) {
        assert_non_null(mistake_name((Mistake)i));
        assert_true(strlen(mistake_words((Mistake)i)) > 20);
        for (int j = 0; j < i; j++) assert_string_not_equal(mistake_name((Mistake)i), mistake_name((Mistake)j));
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_numbers_have_no_finding),
        cmocka_unit_test(scores_that_are_not_divided),
        cmocka_unit_test(ties_stand_in_the_order_of_the_table),
        cmocka_unit_test(softmax_over_queries),
        cmocka_unit_test(a_second_mistake_behind_the_first),
        cmocka_unit_test(what_no_mistake_gives_has_no_cause),
        cmocka_unit_test(nan_meets_nan_and_infinity_itself),
        cmocka_unit_test(a_hidden_score_is_any_low_number_in_masked),
        cmocka_unit_test(another_shape_differs),
        cmocka_unit_test(weights_alone),
        cmocka_unit_test(places_are_said_by_what_the_axes_count),
        cmocka_unit_test(each_mistake_has_a_name_of_its_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
