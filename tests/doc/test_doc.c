/* The document as a value: copies share, equality sees every field, edits and words. */
#include "doc_support.h"

static void test_default(void **state) {
    (void)state;
    Doc doc;
    doc_init(&doc);
    assert_string_equal(doc_text(&doc), "The cat sat on the mat");
    assert_int_equal(doc.n_masks, 1);
    assert_int_equal(doc.masks[0].spec.kind, MASK_CAUSAL);
    assert_true(isinf(doc.fill) && doc.fill < 0);
    assert_false(doc_tokens_listed(&doc));
    doc_reset(&doc);
    Doc zero = {0};
    assert_memory_equal(&doc, &zero, sizeof doc);
}

static void test_copy_shares_blobs(void **state) {
    (void)state;
    Doc a, b = {0};
    doc_init(&a);
    int dim[3] = {100, 100, 1};
    doc_set_matrix(&a.matrix[MATRIX_X], 2, dim, NULL);
    doc_copy(&b, &a);
    assert_ptr_equal(a.matrix[MATRIX_X].data, b.matrix[MATRIX_X].data);
    assert_int_equal(a.matrix[MATRIX_X].data->refs, 2);
    assert_true(doc_bytes(&a) > 40000);
    assert_int_equal(doc_bytes_beside(&a, &b), 0);
    assert_true(doc_equal(&a, &b));
    doc_copy(&b, &b);
    doc_reset(&a);
    assert_int_equal(b.matrix[MATRIX_X].data->refs, 1);
    doc_reset(&b);
}

/* One change each; none may go unseen. */
static const char *const changes[][2] = {
    {"temperature", "1"} /* no change */, {"text", "other"}, {"tokens", "[\"a\", \"b\"]"}, {"tokenizer", "characters"}, {"source_text", "ich"},
    {"source", "[\"a\"]"}, {"model", "random"}, {"seed", "3"}, {"d_model", "8"}, {"d_k", "2"}, {"d_v", "2"},
    {"heads", "2"}, {"kv_heads", "1"}, {"projections", "none"}, {"out_proj", "false"}, {"bias", "true"},
    {"x", "[[1, 2]]"}, {"w_q", "[[1, 2]]"}, {"b_o", "[1]"}, {"q", "[[[1, 2]]]"}, {"pos_emb", "[[1, 2]]"},
    {"edit", "[{at: \"x[1, 1]\", value: 2}]"}, {"position", "none"}, {"position", "{kind: rope_half, dim: 2}"},
    {"position", "{kind: alibi, slopes: [0.5]}"}, {"scale", "none"}, {"scale", "0.25"}, {"temperature", "2"},
    {"mask", "none"}, {"mask", "{kind: padding, keys: [2]}"}, {"mask", "{kind: padding, keys: 2}"},
    {"mask", "{kind: padding, keys: 2, side: left}"}, {"mask", "{kind: window, left: 1, right: 0}"},
    {"mask", "{kind: window, left: 1, right: 1}"}, {"mask", "{kind: strided, stride: 2}"},
    {"mask", "{kind: strided, stride: 2, causal: true}"}, {"mask", "{kind: local_block, block: 2}"},
    {"mask", "{kind: global_window, each_side: 1, tokens: [2]}"}, {"mask", "[causal, {kind: padding, keys: 1}]"},
    {"keep", "[[1, 0], [1, 1]]"}, {"keep", "[[[1, 0], [1, 1]]]"}, {"causal_align", "top_left"}, {"mask_fill", "-1e9"},
    {"mask_op", "add"}, {"empty_row", "nan"}, {"precision", "f64"},
};

static void test_every_change_is_seen(void **state) {
    (void)state;
    enum { N = sizeof changes / sizeof *changes };
    static Doc made[N];
    for (int i = 0; i < N; i++) {
        Err err = {0};
        doc_init(&made[i]);
        if (!yaml_set(&made[i], NULL, changes[i][0], changes[i][1], &err)) fail_msg("%s: %s", changes[i][0], err.message);
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            if (doc_equal(&made[i], &made[j]) != (i == j))
                fail_msg("%s %s and %s %s", changes[i][0], changes[i][1], changes[j][0], changes[j][1]);
    for (int i = 0; i < N; i++) doc_reset(&made[i]);
}

static void test_words(void **state) {
    (void)state;
    Doc doc;
    Arena arena = {0};
    doc_init(&doc);
    const char *words[] = {"I", "like", "<pad>"};
    doc_set_words(&doc.tokens, words, 3);
    assert_string_equal(doc_words(&doc.tokens, &arena)[2], "<pad>");
    assert_true(doc_tokens_listed(&doc));
    doc_set_text(&doc, "cat sat", 3); /* no terminator needed */
    assert_string_equal(doc_text(&doc), "cat");
    assert_int_equal(doc.tokens.n, 0);
    doc_reset(&doc);
    arena_free(&arena);
}

static void test_edits_replace_each_other(void **state) {
    (void)state;
    Doc doc;
    Arena arena = {0};
    doc_init(&doc);
    doc_edit(&doc, &(DocEdit){.matrix = MATRIX_X, .index = {1, 2}, .value = 3}, &arena);
    doc_edit(&doc, &(DocEdit){.matrix = MATRIX_X, .index = {1, 3}, .value = 4}, &arena);
    doc_edit(&doc, &(DocEdit){.matrix = MATRIX_X, .index = {1, 2}, .value = 5}, &arena);
    assert_int_equal(doc.n_edits, 2);
    assert_near(doc_edit_at(&doc, 1)->value, 5, 0);
    assert_near(doc_edit_at(&doc, 0)->value, 4, 0);
    doc_set_edits(&doc, NULL, 0);
    assert_int_equal(doc.n_edits, 0);
    doc_reset(&doc);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default),
        cmocka_unit_test(test_copy_shares_blobs),
        cmocka_unit_test(test_every_change_is_seen),
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_edits_replace_each_other),
    };
    return cmocka_run_group_tests_name("doc", tests, NULL, NULL);
}
