/* Scenario files: what is read, that writing and reading twice gives the same bytes, one key at a time. */
#include "doc_support.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"

static char *write_again(const char *text, Arena *arena) {
    Doc doc;
    View view;
    bool more;
    Err err = {0};
    char message[1200];
    if (!yaml_read(text, strlen(text), "again", 0, &doc, &view, &more, &err))
        fail_msg("%s in\n%s", err_format(&err, message, sizeof message), text);
    char *out = yaml_write(&doc, &view, arena);
    doc_reset(&doc);
    return out;
}

/* Canonical texts: read and written they are the same bytes. */
static const char *const canonical[] = {
    "attnscope: 1\ntext: \"The cat sat on the mat\"\n",
    "attnscope: 1\ntext: \"The cat sat on the mat\"\nmask: causal\n",
    "attnscope: 1\ntext: \"\"\n",
    /* as large as a trace file may say them */
    "attnscope: 1\ntext: \"a\"\nmask: [{kind: window, left: 1048576, right: 65536}, {kind: padding, keys: 0}]\n",
    "attnscope: 1\ntext: \"a\"\nd_k: 1048576\nposition: {kind: rope_half, dim: 8192}\nmask_fill: 1e+305\n",
    "attnscope: 1\ntext: \"quote \\\" back \\\\ line\\nend \\t \\u0007 \\u2028 我爱你 🙂\"\n",
    "attnscope: 1\ntokens: [\"no\", \"on\", \"1e3\", \"null\", \"~\", \"#\", \"\", \" \", \"a: b\", \"- x\", \"\\\"\"]\n",
    "attnscope: 1\ntext: \"ab\"\ntokenizer: characters\n",
    "attnscope: 1\ntext: \"CCO\"\nmodel: molecule\n",
    "attnscope: 1\ntext: \"CCO\"\ntokenizer: words\nmodel: molecule\n",
    "attnscope: 1\ntext: \"CCO\"\ntokenizer: smiles\n",
    "attnscope: 1\ntext: \"a\"\nsource_text: \"b c\"\n",
    "attnscope: 1\ntext: \"a\"\nsource: [\"b\", \"c\"]\n",
    "attnscope: 1\ntext: \"a\"\nmodel: random\nseed: 18446744073709551615\nd_model: 8\nd_k: 2\nd_v: 3\nheads: 4\nkv_heads: 2\nbias: true\n",
    "attnscope: 1\ntext: \"a\"\nmodel: identity\n",
    "attnscope: 1\ntext: \"a\"\nmodel: \"/models/small one\"\n",
    "attnscope: 1\ntext: \"a\"\nprojections: none\nout_proj: true\n",
    "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0.1], [-2.5, 1e-08]]\nw_q: [[1, 2]]\nb_q: [0.33333334]\n",
    "attnscope: 1\nq: [[[1, 2]], [[3, 4]]]\nk: [[[1, 2]], [[3, 4]]]\nv: [[[1]], [[2]]]\n",
    "attnscope: 1\nscores: [[.inf, -.inf], [.nan, 0]]\n",
    "attnscope: 1\nx_kv: [[1]]\nweights: [[1]]\nw_k: [[1]]\nw_v: [[1]]\nw_o: [[1]]\npos_emb: [[1]]\n",
    "attnscope: 1\ntext: \"a\"\nedit:\n  - {at: \"w_q[1, 2]\", value: 0.5}\n  - {at: \"b_q[3]\", value: -.inf}\n  - {at: \"q[1, 2, 3]\", value: 1}\n",
    "attnscope: 1\ntext: \"a\"\nposition: none\n",
    "attnscope: 1\ntext: \"a\"\nposition: {kind: rope_half, dim: 4, theta: 100, offset: 5}\n",
    "attnscope: 1\ntext: \"a\"\nposition: rope_interleaved\n",
    "attnscope: 1\ntext: \"a\"\nposition: {kind: alibi, slopes: [0.5, 0.00390625]}\n",
    "attnscope: 1\ntext: \"a\"\nposition: sinusoidal\nscale: none\ntemperature: 0.7\n",
    "attnscope: 1\ntext: \"a\"\nscale: 0.1\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: window, left: 2, right: 0}\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: padding, keys: [4, 5]}\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: padding, keys: 3, side: left}\n",
    "attnscope: 1\ntext: \"a\"\nmask: [causal, {kind: padding, keys: [1]}]\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: local_block, block: 4, causal: true}\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: global_window, each_side: 0, tokens: [1, 4]}\n",
    "attnscope: 1\ntext: \"a\"\nmask: {kind: strided, stride: 3}\n",
    "attnscope: 1\ntext: \"a\"\nmask: custom\nkeep: [[1, 0], [1, 1]]\n",
    "attnscope: 1\ntext: \"a\"\nmask: [causal, custom]\nkeep: [[[1, 0]], [[1, 1]]]\n",
    "attnscope: 1\ntext: \"a\"\nmask: causal\ncausal_align: top_left\nmask_fill: -1e+09\nmask_op: add\nempty_row: nan\nprecision: f64\n",
    "attnscope: 1\ntext: \"a\"\nview: {stage: softmax}\n",
    "attnscope: 1\ntext: \"a\"\nview: {stage: scores, step: 14, head: 2, selection: \"weights[2, 3, 2]\", theme: dark, palette: viridis, "
    "speed: 0.5, text_scale: 1.25, motion: reduced}\n",
    "attnscope: 1\ntext: \"a\"\nview: {stage: embed, step: 3}\n",
    "attnscope: 1\ntext: \"a\"\nview: {selection: \"layers.3.weights[2, sat, cat]\"}\n",
};

static void test_canonical(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t i = 0; i < sizeof canonical / sizeof *canonical; i++) assert_string_equal(write_again(canonical[i], &arena), canonical[i]);
    arena_free(&arena);
}

/* Ways of saying the same thing. */
static const char *const same[][2] = {
    {"attnscope: 1\n", "attnscope: 1\ntext: \"The cat sat on the mat\"\n"},
    {"mask: causal\nattnscope: 1\ntext: 'it''s'\n", "attnscope: 1\ntext: \"it's\"\nmask: causal\n"},
    {"%YAML 1.1\n---\n{attnscope: 1, text: a}\n", "attnscope: 1\ntext: \"a\"\n"},
    {"\xEF\xBB\xBF" "attnscope: 1\ntext: a\n", "attnscope: 1\ntext: \"a\"\n"},
    {"attnscope: 1\r\ntext: a\r\n", "attnscope: 1\ntext: \"a\"\n"},
    {"attnscope: 1\ntext: |\n  two\n  lines\n", "attnscope: 1\ntext: \"two\\nlines\\n\"\n"},
    {"attnscope: 1\ntokens: [no, on, 1e3, ~]\n", "attnscope: 1\ntokens: [\"no\", \"on\", \"1e3\", \"~\"]\n"},
    {"attnscope: 1\ntokens:\n- a\n- b\n", "attnscope: 1\ntokens: [\"a\", \"b\"]\n"},
    {"attnscope: 1\ntext: a\nmask: none\nposition: built-in\nscale: auto\ntemperature: 1\nmodel: classroom\nheads: 4\n",
     "attnscope: 1\ntext: \"a\"\nheads: 4\n"},
    {"attnscope: 1\ntext: a\nmask: [none]\n", "attnscope: 1\ntext: \"a\"\n"},
    {"attnscope: 1\ntext: a\nmask: {kind: causal}\n", "attnscope: 1\ntext: \"a\"\nmask: causal\n"},
    {"attnscope: 1\ntext: a\nmask: custom_per_head\nkeep: [[[1]]]\n", "attnscope: 1\ntext: \"a\"\nmask: custom\nkeep: [[[1]]]\n"},
    {"attnscope: 1\ntext: a\nout_proj: yes\nbias: off\nmask_fill: -inf\n", "attnscope: 1\ntext: \"a\"\nout_proj: true\n"},
    {"attnscope: 1\nx:\n  - [1, .5]\n  -\n    - 1e2\n    - +3\nprojections: none\n", "attnscope: 1\nprojections: none\nx: [[1, 0.5], [100, 3]]\n"},
    {"attnscope: 1\nscores: [[inf, -inf, nan]]\n", "attnscope: 1\nscores: [[.inf, -.inf, .nan]]\n"},
    {"attnscope: 1\nmodel: molecule\n", "attnscope: 1\ntext: \"CCO\"\nmodel: molecule\n"},
    {"attnscope: 1\ntext: a\nview: {step: 3, stage: mask}\n", "attnscope: 1\ntext: \"a\"\nview: {stage: mask, step: 3}\n"},
    {"attnscope: 1\ntext: a\nview: {selection: \"weights[2,3 , 2]\"}\n", "attnscope: 1\ntext: \"a\"\nview: {selection: \"weights[2, 3, 2]\"}\n"},
    {"attnscope: 1\ntext: a\nedit: [{tensor: w_q, index: [1, 2], value: .5}, {value: 2, index: [3], tensor: b_q}]\n",
     "attnscope: 1\ntext: \"a\"\nedit:\n  - {at: \"w_q[1, 2]\", value: 0.5}\n  - {at: \"b_q[3]\", value: 2}\n"},
    {"attnscope: 1\ntext: a\nedit: []\n", "attnscope: 1\ntext: \"a\"\n"},
};

static void test_same_meaning(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t i = 0; i < sizeof same / sizeof *same; i++) assert_string_equal(write_again(same[i][0], &arena), same[i][1]);
    arena_free(&arena);
}

static void test_large_matrices_have_a_line_a_row(void **state) {
    (void)state;
    Doc doc;
    Arena arena = {0};
    doc_init(&doc);
    int dim[3] = {2, 60, 40};
    static float numbers[2 * 60 * 40];
    uint64_t random = 7;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) numbers[i] = (float)(random_unit(&random) * 200 - 100);
    doc_set_matrix(&doc.matrix[MATRIX_Q], 3, dim, numbers);
    doc_set_matrix(&doc.matrix[MATRIX_X], 2, dim + 1, numbers);
    const char *words[300];
    for (int i = 0; i < 300; i++) words[i] = arena_printf(&arena, "word%d", i);
    doc_set_words(&doc.tokens, words, 300);
    doc_set_blob(&doc.text, NULL, 0);
    char *text = yaml_write(&doc, NULL, &arena);
    assert_non_null(strstr(text, "x:\n  - ["));
    assert_non_null(strstr(text, "q:\n  - - ["));
    Doc again;
    bool more;
    Err err = {0};
    if (!yaml_read(text, strlen(text), "f", 0, &again, NULL, &more, &err)) fail_msg("%s", err.message);
    assert_true(doc_equal(&doc, &again)); /* every float comes back bit by bit */
    assert_string_equal(yaml_write(&again, NULL, &arena), text);
    doc_reset(&doc);
    doc_reset(&again);
    arena_free(&arena);
}

static void test_several_documents(void **state) {
    (void)state;
    static const char text[] = "attnscope: 1\ntext: one\n---\nattnscope: 1\ntext: two\n---\nattnscope: 1\ntext: three\n...\n";
    static const char *const words[] = {"one", "two", "three"};
    for (int i = 0; i < 3; i++) {
        Doc doc;
        bool more;
        Err err = {0};
        assert_true(yaml_read(text, strlen(text), "f", i, &doc, NULL, &more, &err));
        assert_string_equal(doc_text(&doc), words[i]);
        assert_int_equal(more, i < 2);
        doc_reset(&doc);
    }
    Doc doc;
    bool more;
    Err err = {0};
    assert_false(yaml_read(text, strlen(text), "f", 3, &doc, NULL, &more, &err));
    assert_message(&err, "there is no document 4: the file holds 3");
    /* what is wrong with a later document is told when that one is read */
    static const char later[] = "attnscope: 1\ntext: one\n---\n[\n";
    Err late = {0};
    assert_true(yaml_read(later, strlen(later), "f", 0, &doc, NULL, &more, &late));
    assert_true(more);
    doc_reset(&doc);
    assert_false(yaml_read(later, strlen(later), "f", 1, &doc, NULL, &more, &late));
}

static void test_files(void **state) {
    (void)state;
    Arena arena = {0};
    Doc doc, again;
    View view;
    bool more;
    Err err = {0};
    const char *path = path_join(&arena, scratch_folder("yaml"), "saved.yaml");
    doc_of_file("L08.yaml", 4, &doc);
    view_init(&view);
    view.theme = THEME_DARK;
    char *text = yaml_write(&doc, &view, &arena);
    assert_true(file_write(path, text, strlen(text), &err));
    assert_true(yaml_read_file(path, 0, &again, &view, &more, &err));
    assert_true(doc_equal(&doc, &again));
    assert_int_equal(view.theme, THEME_DARK);
    doc_reset(&doc);
    doc_reset(&again);
    assert_false(yaml_read_file("/nowhere/at-all.yaml", 0, &doc, NULL, &more, &err));
    assert_message(&err, "/nowhere/at-all.yaml");
    assert_int_equal(err.code, ERR_IO);
    arena_free(&arena);
}

/* A setting and then back: nothing of it stays behind, so that the document is the same as before. */
static void test_there_and_back(void **state) {
    (void)state;
    static const char *const pairs[][3] = {
        {"scale", "2", "auto"}, {"scale", "none", "auto"}, {"position", "{kind: rope_half, dim: 2, theta: 5, offset: 3}", "built-in"},
        {"position", "{kind: alibi, slopes: [1]}", "built-in"}, {"mask", "[{kind: window, left: 1, right: 2}, {kind: padding, keys: [1]}]", "causal"},
        {"mask", "{kind: global_window, each_side: 1, tokens: [1], causal: true}", "causal"}, {"keep", "[[1]]", ""}, {"model", "/a/folder", "classroom"},
        {"model", "molecule", "classroom"}, {"source_text", "a", ""}, {"temperature", "2", "1"}, {"precision", "f64", "f32"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        Doc before, doc;
        Err err = {0};
        doc_init(&before);
        doc_init(&doc);
        const char *back = str_eq(pairs[i][0], "keep") ? "mask" : pairs[i][0], *value = str_eq(pairs[i][0], "keep") ? "causal" : pairs[i][2];
        if (!yaml_set(&doc, NULL, pairs[i][0], pairs[i][1], &err) || !yaml_set(&doc, NULL, back, value, &err)) fail_msg("%s: %s", pairs[i][0], err.message);
        if (!doc_equal(&before, &doc)) fail_msg("%s: %s leaves something behind", pairs[i][0], pairs[i][1]);
        doc_reset(&before);
        doc_reset(&doc);
    }
}

static void test_set(void **state) {
    (void)state;
    Doc doc;
    View view;
    Err err = {0};
    doc_init(&doc);
    view_init(&view);
    assert_true(yaml_set(&doc, &view, "text", "a: [b] {c}", &err)); /* as it stands */
    assert_string_equal(doc_text(&doc), "a: [b] {c}");
    assert_true(yaml_set(&doc, &view, "tokens", "[no, \"b c\"]", &err));
    assert_null(doc.text);
    assert_int_equal(doc.tokens.n, 2);
    assert_true(yaml_set(&doc, &view, "text", "x", &err));
    assert_int_equal(doc.tokens.n, 0);
    assert_true(yaml_set(&doc, &view, "model", "molecule", &err));
    assert_int_equal(doc.tokenizer, TOKENIZER_SMILES);
    assert_true(yaml_set(&doc, &view, "tokenizer", "characters", &err));
    assert_true(yaml_set(&doc, &view, "model", "random", &err));
    assert_int_equal(doc.tokenizer, TOKENIZER_CHARACTERS); /* a choice of one's own stays */
    assert_true(yaml_set(&doc, &view, "mask_fill", "-1e9", &err));
    assert_true(yaml_set(&doc, &view, "view.head", "3", &err));
    assert_int_equal(view.head, 2);
    assert_true(yaml_set(&doc, &view, "view", "{stage: mask, step: 2}", &err));
    assert_int_equal(view.film.stage, 4);
    Doc before = {0};
    doc_copy(&before, &doc);
    static const char *const bad[][3] = {
        {"mask", "casual", "did you mean causal"}, {"mask", "custom", "needs keep"}, {"maks", "causal", "did you mean mask"},
        {"x", "[[1, 2], [3]]", "row 2 of x has 1 numbers"}, {"x", "[[1, 2", "not YAML"}, {"view.hed", "1", "did you mean head"},
        {"keep", "[[2]]", "1 (keep) and 0 (hide)"}, {"attnscope", "1", "unknown key"}, {"heads", "two", "found 'two'"},
        {"text", "\xff\xfe", "not UTF-8"}, {"mask", "[causal]\n---\n[none]", "second document"}, {"x", "1", "list of rows"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err e = {0};
        assert_false(yaml_set(&doc, &view, bad[i][0], bad[i][1], &e));
        assert_message(&e, bad[i][2]);
        assert_true(e.key[0] != 0);
        assert_true(doc_equal(&before, &doc));
    }
    doc_reset(&before);
    doc_reset(&doc);
}

static void test_keys(void **state) {
    (void)state;
    const char *const *keys = yaml_keys();
    int n = 0;
    for (; keys[n]; n++) {
        assert_string_not_equal(keys[n], "attnscope");
        for (int j = 0; j < n; j++) assert_string_not_equal(keys[n], keys[j]);
    }
    assert_true(n > 40);
    for (int i = 0; i < MATRIX_COUNT; i++) assert_true(str_find(keys, n, doc_matrix_names[i]) >= 0);
}

/* The Examples menu: every file there is read, and says the same when it is written. */
static void test_examples(void **state) {
    (void)state;
    Arena arena = {0};
    char **names;
    int count;
    Err err = {0};
    char *folder = path_join(&arena, TEST_SOURCE, "assets/scenarios");
    assert_true(file_list(folder, &arena, &names, &count, &err));
    assert_true(count > 10);
    for (int i = 0; i < count; i++) {
        Doc doc;
        View view;
        bool more;
        Err e = {0};
        char message[1200];
        if (!str_ends(names[i], ".yaml")) continue;
        if (!yaml_read_file(path_join(&arena, folder, names[i]), 0, &doc, &view, &more, &e))
            fail_msg("%s", err_format(&e, message, sizeof message));
        char *text = yaml_write(&doc, &view, &arena);
        assert_string_equal(write_again(text, &arena), text);
        run_close(run_of(&doc));
        doc_reset(&doc);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical), cmocka_unit_test(test_same_meaning),
        cmocka_unit_test(test_large_matrices_have_a_line_a_row), cmocka_unit_test(test_several_documents),
        cmocka_unit_test(test_files), cmocka_unit_test(test_there_and_back), cmocka_unit_test(test_set), cmocka_unit_test(test_keys), cmocka_unit_test(test_examples),
    };
    return cmocka_run_group_tests_name("yaml", tests, NULL, NULL);
}
