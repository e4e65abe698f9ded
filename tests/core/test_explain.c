/* What an explanation says: its form, its terms, its rule and its words. */
#include <stdio.h>

#include "case.h"

static Explanation explain(Case *c, const char *id, int a, int b, int e) {
    Explanation x;
    Err err = {0};
    TensorId t = trace_find(c->trace, id);
    assert_int_not_equal(t, TENSOR_NONE);
    if (!trace_explain(c->trace, t, (int[]){a, b, e, 0}, &c->arena, &x, &err)) fail_msg("%s", err.message);
    double value = tensor_at(trace_tensor(c->trace, t), (int[]){a, b, e, 0});
    assert_near(explanation_evaluate(&x), value, 1e-6 * fmax(1.0, isfinite(value) ? fabs(value) : 1.0));
    return x;
}

static void assert_ref(const Case *c, const Ref *ref, const char *id, int a, int b, int e) {
    assert_string_equal(trace_tensor(c->trace, ref->id)->id, id);
    assert_int_equal(ref->index[0], a);
    assert_int_equal(ref->index[1], b);
    assert_int_equal(ref->index[2], e);
    assert_near(ref->value, tensor_at(trace_tensor(c->trace, ref->id), ref->index), 0);
}

/* Two heads of two features over three tokens, with a bias, causal, ALiBi. */
static Case two_heads(void) {
    static const float x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3}, b[4] = {0.5f, 0.25f, 0, 1};
    static float w[16];
    for (int n = 0; n < 16; n++) w[n] = (float)(n % 5) * 0.1f - 0.1f;
    Case c = case_new();
    c.spec.n_heads = 2;
    c.spec.out_proj = true;
    c.spec.position.kind = POSITION_ALIBI;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    case_input(&c, "x", 2, 3, 4, 1, x);
    case_input(&c, "w_q", 2, 4, 4, 1, w);
    case_input(&c, "w_k", 2, 4, 4, 1, w);
    case_input(&c, "w_v", 2, 4, 4, 1, w);
    case_input(&c, "w_o", 2, 4, 4, 1, w);
    case_input(&c, "b_q", 1, 4, 1, 1, b);
    case_run(&c);
    return c;
}

static void projections(void **state) {
    (void)state;
    Case c = two_heads();
    Explanation q = explain(&c, "q", 1, 2, 0); /* head 2, feature 1 = row 2 of w_q */
    assert_int_equal(q.form, FORM_DOT);
    assert_int_equal(q.op, OP_PROJECT);
    assert_int_equal(q.n_terms, 5);
    assert_ref(&c, &q.terms[1].a, "x", 2, 1, 0);
    assert_ref(&c, &q.terms[1].b, "w_q", 2, 1, 0);
    assert_ref(&c, &q.terms[4].a, "b_q", 2, 0, 0);
    assert_int_equal(q.terms[4].b.id, TENSOR_NONE);
    Explanation given = explain(&c, "x", 2, 1, 0);
    assert_int_equal(given.form, FORM_INPUT);
    assert_int_equal(given.n_terms, 0);
    Explanation out = explain(&c, "out", 2, 1, 0);
    assert_int_equal(out.form, FORM_DOT);
    assert_int_equal(out.n_terms, 4); /* no bias */
    assert_ref(&c, &out.terms[3].a, "concat", 2, 3, 0);
    case_free(&c);
}

static void scores_to_weights(void **state) {
    (void)state;
    Case c = two_heads();
    Explanation s = explain(&c, "scores", 1, 2, 0);
    assert_int_equal(s.form, FORM_DOT);
    assert_ref(&c, &s.terms[1].a, "q", 1, 2, 1);
    assert_ref(&c, &s.terms[1].b, "k", 1, 0, 1);
    Explanation scaled = explain(&c, "scaled", 1, 2, 0);
    assert_int_equal(scaled.form, FORM_SCALE);
    assert_near(scaled.number, 0.70710678, 1e-8);
    Explanation kept = explain(&c, "masked", 0, 2, 0);
    assert_int_equal(kept.form, FORM_SUM);
    assert_int_equal(kept.n_terms, 2);
    assert_ref(&c, &kept.terms[1].a, "bias", 0, 2, 0);
    assert_null(kept.rule_text);
    Explanation max = explain(&c, "row_max", 0, 2, 0);
    assert_int_equal(max.form, FORM_MAX);
    assert_int_equal(max.n_terms, 3);
    Explanation e = explain(&c, "exp", 0, 2, 0);
    assert_int_equal(e.form, FORM_EXP);
    assert_ref(&c, &e.terms[0].a, "masked", 0, 2, 0);
    assert_ref(&c, &e.terms[0].b, "row_max", 0, 2, 0);
    Explanation weight = explain(&c, "weights", 0, 2, 0);
    assert_int_equal(weight.form, FORM_RATIO);
    assert_ref(&c, &weight.terms[0].b, "row_sum", 0, 2, 0);
    Explanation sum = explain(&c, "row_sum", 0, 2, 0);
    assert_int_equal(sum.form, FORM_SUM);
    assert_int_equal(sum.n_terms, 3);
    case_free(&c);
}

/* Hidden keys form no term. */
static void weighted_sum(void **state) {
    (void)state;
    Case c = two_heads();
    Explanation h = explain(&c, "head_out", 1, 1, 0);
    assert_int_equal(h.form, FORM_DOT);
    assert_int_equal(h.n_terms, 2);
    assert_int_equal(h.n_hidden, 1);
    assert_ref(&c, &h.terms[1].a, "weights", 1, 1, 1);
    assert_ref(&c, &h.terms[1].b, "v", 1, 1, 0);
    Explanation side = explain(&c, "concat", 1, 3, 0);
    assert_int_equal(side.form, FORM_COPY);
    assert_ref(&c, &side.terms[0].a, "head_out", 1, 1, 1);
    case_free(&c);
}

static void hidden_cells(void **state) {
    (void)state;
    Case c = two_heads();
    Explanation hidden = explain(&c, "masked", 0, 0, 2);
    assert_int_equal(hidden.form, FORM_REPLACE);
    assert_true(hidden.number == -(double)INFINITY);
    assert_ref(&c, &hidden.terms[0].a, "scaled", 0, 0, 2);
    assert_ref(&c, &hidden.terms[1].a, "mask", 0, 2, 0);
    assert_string_equal(hidden.rule_text, "key 3 comes after query 1");
    Explanation mask = explain(&c, "mask", 0, 2, 0);
    assert_int_equal(mask.form, FORM_RULE);
    assert_string_equal(mask.rule, "mask");
    assert_string_equal(mask.rule_text, "key 3 comes after query 1");
    c.spec.fill = -100;
    c.spec.mask_op = MASK_ADD;
    case_run(&c);
    Explanation added = explain(&c, "masked", 0, 0, 2);
    assert_int_equal(added.form, FORM_SUM);
    assert_int_equal(added.n_terms, 3); /* scaled, bias, the fill as a number */
    assert_int_equal(added.terms[2].a.id, TENSOR_NONE);
    assert_near(added.terms[2].value, -100, 0);
    case_free(&c);
}

static void rule_words(void **state) {
    (void)state;
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Case c = two_heads();
    assert_string_equal(explain(&c, "alibi_slopes", 1, 0, 0).rule_text, "2^(−8 · 2/2)");
    assert_string_equal(explain(&c, "bias", 0, 2, 0).rule_text, "−0.0625 · |3 − 1|");
    assert_string_equal(explain(&c, "bias", 0, 2, 0).rule, "alibi");
    case_free(&c);
    c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position.kind = POSITION_SINUSOIDAL;
    case_input(&c, "x", 2, 2, 4, 1, x);
    case_run(&c);
    assert_string_equal(explain(&c, "pe", 1, 2, 0).rule_text, "sin(1 / 10000^(2/4))");
    assert_string_equal(explain(&c, "pe", 1, 1, 0).rule_text, "cos(1 / 10000^(0/4))");
    Explanation sum = explain(&c, "x", 1, 2, 0);
    assert_int_equal(sum.form, FORM_SUM);
    assert_ref(&c, &sum.terms[0].a, "tok", 1, 2, 0);
    assert_ref(&c, &sum.terms[1].a, "pe", 1, 2, 0);
    assert_ref(&c, &explain(&c, "q", 0, 1, 2).terms[0].a, "x", 1, 2, 0);
    case_free(&c);
}

static void turned_pairs(void **state) {
    (void)state;
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position = (PositionSpec){.kind = POSITION_ROPE_HALF, .rope_offset = 3};
    case_input(&c, "x", 2, 2, 4, 1, x);
    case_run(&c);
    assert_string_equal(explain(&c, "rope_cos", 1, 1, 0).rule_text, "cos(4 · 0.01)");
    Explanation first = explain(&c, "q_rope", 0, 1, 1); /* pair 2 of halves: features 2 and 4 */
    assert_int_equal(first.form, FORM_DOT);
    assert_int_equal(first.n_terms, 2);
    assert_ref(&c, &first.terms[0].a, "q", 0, 1, 1);
    assert_ref(&c, &first.terms[0].b, "rope_cos", 1, 1, 0);
    assert_near(first.terms[1].factor, -1, 0);
    assert_ref(&c, &first.terms[1].a, "q", 0, 1, 3);
    assert_ref(&c, &first.terms[1].b, "rope_sin", 1, 1, 0);
    Explanation second = explain(&c, "k_rope", 0, 1, 3);
    assert_near(second.terms[1].factor, 1, 0);
    c.spec.position.rope_dim = 2;
    case_run(&c);
    assert_int_equal(explain(&c, "q_rope", 0, 1, 3).form, FORM_COPY);
    case_free(&c);
}

static void empty_row(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_PADDING, .pad_keys = 2};
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1, 2});
    case_run(&c);
    assert_true(explain(&c, "exp", 0, 0, 0).by_policy);
    assert_true(explain(&c, "weights", 0, 0, 0).by_policy);
    assert_near(explanation_evaluate(&(Explanation){.form = FORM_RATIO, .by_policy = true}), 0, 0);
    assert_int_equal(explain(&c, "head_out", 0, 0, 0).n_hidden, 2);
    c.spec.empty_row = EMPTY_ROW_NAN;
    case_run(&c);
    assert_false(explain(&c, "weights", 0, 0, 0).by_policy);
    assert_true(isnan(explanation_evaluate(&(Explanation){0}) + case_at(&c, "weights", 0, 0, 0)));
    case_free(&c);
}

static void outside(void **state) {
    (void)state;
    Case c = two_heads();
    Explanation x;
    Err err = {0};
    assert_false(trace_explain(c.trace, trace_find(c.trace, "weights"), (int[]){0, 7, 0, 0}, &c.arena, &x, &err));
    assert_int_equal(err.code, ERR_INPUT);
    assert_string_equal(err.message, "weights[1, 8, 1] lies outside the shape [2, 3, 3].");
    case_free(&c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(projections),  cmocka_unit_test(scores_to_weights), cmocka_unit_test(weighted_sum),
        cmocka_unit_test(hidden_cells), cmocka_unit_test(rule_words),        cmocka_unit_test(turned_pairs),
        cmocka_unit_test(empty_row),    cmocka_unit_test(outside),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
