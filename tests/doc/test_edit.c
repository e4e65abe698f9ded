/* Changed numbers: what may be written, which numbers of the picture are the document's own, on which a computed one rests. */
#include "doc_support.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/run_edit.h"

static void test_what_is_a_number(void **state) {
    (void)state;
    static const struct { MatrixName matrix; const char *text; double value; const char *says; } cases[] = {
        {MATRIX_X, "2", 2, NULL}, {MATRIX_X, " -0.5 ", -0.5, NULL}, {MATRIX_X, "−3", -3, NULL}, {MATRIX_X, "1E3", 1000, NULL},
        {MATRIX_X, "- 3", 0, "\"- 3\" is not a number"}, {MATRIX_SCORES, "-inf", -INFINITY, NULL}, {MATRIX_SCORES, "−∞", -INFINITY, NULL}, {MATRIX_X, "NaN", NAN, NULL},
        {MATRIX_X, "12,5", 0, "\"12,5\" is not a number; write 12.5."}, {MATRIX_X, "−0,5", 0, "write -0.5."}, {MATRIX_X, "1,2,3", 0, "write one such as"},
        {MATRIX_X, "", 0, "Type a number"}, {MATRIX_X, "1/2", 0, "\"1/2\" is not a number"}, {MATRIX_X, "1e39", 0, "too large"}, {MATRIX_X, "1e400", 0, "too large"}, {MATRIX_SCORES, "-1e400", 0, "too large"},
        {MATRIX_X, "-inf", 0, "∞ cannot stand here"}, {MATRIX_WEIGHTS, "inf", 0, "∞ cannot stand here"}, {MATRIX_SCORES, "inf", 0, "A score cannot be ∞"},
        {MATRIX_X, "0x10", 0, "not a number"},
        {MATRIX_X, "1111111111111111111111111111111111111111111111111111111111111111111111111", 0, "too long"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = 99;
        Err err = {0};
        bool ok = run_edit_number(cases[i].matrix, cases[i].text, &value, &err);
        if (ok != !cases[i].says) fail_msg("%s: %s", cases[i].text, ok ? "taken" : err.message);
        if (cases[i].says) assert_message(&err, cases[i].says);
        else if (isnan(cases[i].value)) assert_true(isnan(value));
        else assert_true(value == cases[i].value);
    }
}

static void place(const Run *run, const char *text, TensorId *id, int index[TENSOR_RANK_MAX]) {
    Err err = {0};
    if (!run_resolve(run, text, id, index, &err)) fail_msg("%s", err.message);
}

/* Which tensors can be changed, by how the numbers came into the document. */
static void test_editable_tensors(void **state) {
    (void)state;
    static const struct { const char *yaml, *yes[9], *no[9]; } cases[] = {
        {"attnscope: 1\ntext: a b\n", {"tok[1,1]", "w_q[1,1]", "w_k[1,1]", "w_v[1,1]", "w_o[1,1]"}, {"x[1,1]", "pe[1,1]", "q[1,1,1]", "scores[1,1,1]", "out[1,1]"}},
        {"attnscope: 1\ntext: a b\nposition: none\n", {"x[1,1]", "w_q[1,1]"}, {"q[1,1,1]"}},
        {"attnscope: 1\ntext: a b\nmodel: random\nbias: true\nposition: learned\n", {"pe[1,1]", "pos_emb[1,1]", "b_q[1]", "b_k[1]", "b_v[1]", "b_o[1]"}, {"x[1,1]"}},
        {"attnscope: 1\ntext: a b\nposition: alibi\n", {"x[1,1]"}, {"bias[1,1,1]", "alibi_slopes[1]"}},
        {"attnscope: 1\ntext: a b\nposition: rope_half\n", {"x[1,1]"}, {"rope_cos[1,1]", "q_rope[1,1,1]"}},
        {"attnscope: 1\nq: [[1], [2]]\nk: [[1], [2]]\nv: [[1], [2]]\n", {"q[1,2,1]", "k[1,2,1]", "v[1,2,1]"}, {"scores[1,1,1]", "weights[1,1,1]"}},
        {"attnscope: 1\nscores: [[1, 2], [2, 1]]\nd_k: 1\nv: [[1], [2]]\n", {"scores[1,2,1]", "v[1,1,1]"}, {"scaled[1,1,1]", "weights[1,1,1]"}},
        {"attnscope: 1\nweights: [[1, 0], [0, 1]]\nv: [[1], [2]]\n", {"weights[1,2,1]"}, {"head_out[1,1,1]"}},
        {"attnscope: 1\ntext: a b\nsource_text: c d e\n", {"w_q[1,1]"}, {"k[1,3,1]"}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Run *run = run_of_text(cases[i].yaml);
        for (int k = 0; k < 18; k++) {
            const char *text = k < 9 ? cases[i].yes[k] : cases[i].no[k - 9];
            TensorId id;
            int index[TENSOR_RANK_MAX];
            DocEdit edit;
            if (!text) continue;
            place(run, text, &id, index);
            if (run_edit_place(run, id, index, &edit) != (k < 9)) fail_msg("%s: %s", cases[i].yaml, text);
        }
        run_close(run);
    }
}

static bool is(const Run *run, const Ref *ref, const char *text) {
    char name[160];
    return str_eq(run_ref_text(name, run, ref->id, ref->index), text);
}

/* q = 2·5 + 3·7 = 31 and k = 2·1 + 3·0 = 2; the score is 62. Each number times the derivative of the score:
 *   w_q[1] 5·2·2 = 20, w_q[2] 7·3·2 = 42, w_k[1] 1·2·31 = 62, w_k[2] 0,
 *   x[1] 2·(5·2 + 1·31) = 82, x[2] 3·(7·2 + 0·31) = 42.
 * So x[1], w_k[1], then w_q[2] and x[2], w_q[1], and w_k[2], which is 0, at last. */
static void test_inputs_by_what_they_count(void **state) {
    (void)state;
    Arena arena = {0};
    Run *run = run_of_text("attnscope: 1\ntokens: [\"a\"]\nx: [[2, 3]]\nw_q: [[5, 7]]\nw_k: [[1, 0]]\nw_v: [[1, 1]]\nheads: 1\nmask: none\nout_proj: false\nscale: none\n");
    assert_near(value_of(run, "scores[1,1,1]"), 62, 1e-6);
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Ref *refs;
    place(run, "scores[1,1,1]", &id, index);
    assert_int_equal(run_edit_inputs(run, id, index, 20, &arena, &refs), 6);
    assert_true(is(run, &refs[0], "x[a, 1]"));
    assert_true(is(run, &refs[1], "w_k[1, 1]"));
    assert_true((is(run, &refs[2], "w_q[1, 2]") && is(run, &refs[3], "x[a, 2]")) || (is(run, &refs[3], "w_q[1, 2]") && is(run, &refs[2], "x[a, 2]")));
    assert_true(is(run, &refs[4], "w_q[1, 1]"));
    assert_true(is(run, &refs[5], "w_k[1, 2]"));
    assert_int_equal(run_edit_inputs(run, id, index, 2, &arena, &refs), 2);
    assert_true(is(run, &refs[0], "x[a, 1]") && is(run, &refs[1], "w_k[1, 1]"));
    run_close(run);
    run = run_of_text("attnscope: 1\ntext: \"the cat sat\"\nmask: causal\n"); /* causal: the future is hidden, whatever the inputs are */
    place(run, "weights[1,1,2]", &id, index);
    assert_int_equal(run_edit_inputs(run, id, index, 20, &arena, &refs), 0);
    place(run, "masked[1,1,2]", &id, index);
    assert_int_equal(run_edit_inputs(run, id, index, 20, &arena, &refs), 0);
    place(run, "out[3,1]", &id, index);
    assert_true(run_edit_inputs(run, id, index, 20, &arena, &refs) > 0);
    run_close(run);
    arena_free(&arena);
}

/* 200 features, x all 1, the weights 1 but for w_q[150] = w_k[150] = 3: q = k = 202, the score 202². The derivatives of the score:
 *   x[150] 3·202 + 3·202 = 1212, any other x 202 + 202 = 404, any weight 202.
 * Each x counts along two ways, which meet only if it is found again among hundreds of numbers. */
static void test_inputs_of_many(void **state) {
    (void)state;
    enum { N = 200 };
    Arena arena = {0};
    const char *w = "", *ones = "";
    for (int i = 1; i <= N; i++) {
        w = arena_printf(&arena, "%s%s%d", w, i > 1 ? ", " : "", i == 150 ? 3 : 1);
        ones = arena_printf(&arena, "%s%s1", ones, i > 1 ? ", " : "");
    }
    Run *run = run_of_text(arena_printf(&arena, "attnscope: 1\ntokens: [\"a\"]\nx: [[%s]]\nw_q: [[%s]]\nw_k: [[%s]]\nw_v: [[%s]]\nheads: 1\nmask: none\n"
                                                "out_proj: false\nscale: none\n", ones, w, w, ones));
    assert_near(value_of(run, "scores[1,1,1]"), 202 * 202, 1e-6);
    TensorId id;
    int index[TENSOR_RANK_MAX];
    Ref *refs;
    place(run, "scores[1,1,1]", &id, index);
    int n = run_edit_inputs(run, id, index, 1000, &arena, &refs);
    assert_int_equal(n, 3 * 24); /* of each matrix so many are looked at */
    assert_true(is(run, &refs[0], "x[a, 150]"));
    for (int i = 0; i < n; i++) assert_int_equal(refs[i].id == refs[0].id, i < 24);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++) assert_false(refs[i].id == refs[j].id && memcmp(refs[i].index, refs[j].index, sizeof refs[i].index) == 0);
    run_close(run);
    arena_free(&arena);
}

typedef struct {
    Doc doc;
    View view;
    Run *run;
} Session;

static bool try_line(Session *s, const char *text, Err *err) {
    ActionLine line;
    int effect;
    ActionContext cx = {.doc = &s->doc, .view = &s->view, .run = s->run, .context = doc_context()};
    bool ok = action_parse(text, &line, err) && action_run(&cx, &line, &effect, err);
    run_close(s->run);
    s->run = run_of(&s->doc);
    return ok;
}

static void run_line(Session *s, const char *text) {
    Err err = {0};
    if (!try_line(s, text, &err)) fail_msg("%s: %s", text, err.message);
}

static void test_changing_and_giving_back(void **state) {
    (void)state;
    Session s = {0};
    Err err = {0};
    doc_init(&s.doc);
    view_init(&s.view);
    s.run = run_of(&s.doc);
    double first = value_of(s.run, "w_q[1, 13]");
    run_line(&s, "edit w_q[1,13] 3");
    run_line(&s, "edit w_q[1,1] 4");
    run_line(&s, "edit w_q[1,13] 2");
    assert_int_equal(s.doc.n_edits, 2);
    assert_near(value_of(s.run, "w_q[1, 13]"), 2, 0);
    run_line(&s, "edit w_q[1,1] 0"); /* as it was: it counts as unchanged */
    assert_int_equal(s.doc.n_edits, 1);
    run_line(&s, "edit.reset w_q[1,13]");
    assert_near(value_of(s.run, "w_q[1, 13]"), first, 0);
    assert_int_equal(s.doc.n_edits, 0);
    assert_false(try_line(&s, "edit.reset w_q[1,13]", &err));
    assert_message(&err, "not changed");
    err = (Err){0};
    assert_false(try_line(&s, "edit.reset 1", &err));
    assert_message(&err, "no number 1");
    err = (Err){0};
    assert_false(try_line(&s, "edit x[1,1] 3", &err)); /* the error names what can be changed */
    assert_message(&err, "such as tok[The, noun]");
    err = (Err){0};
    assert_false(try_line(&s, "edit pe[1,1] 3", &err));
    assert_message(&err, "learned");
    run_close(s.run);
    doc_reset(&s.doc);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_a_number),
        cmocka_unit_test(test_editable_tensors),
        cmocka_unit_test(test_inputs_by_what_they_count), cmocka_unit_test(test_inputs_of_many),
        cmocka_unit_test(test_changing_and_giving_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
