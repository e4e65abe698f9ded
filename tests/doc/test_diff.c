/* Changed settings in words: every key of the scenario file is looked at. */
#include "doc_support.h"

#include <string.h>

#include "base/str.h"
#include "doc/doc_diff.h"

static const char *const base = "attnscope: 1\ntext: \"The cat sat\"\nmask: causal\nmodel: random\n";

/* All changes of `to` against `from`, one behind the other. */
static const char *changes(const char *from, const char *to, Arena *arena) {
    Doc a, b;
    DocChange *list;
    doc_of(from, &a);
    doc_of(to, &b);
    int n = doc_diff(&a, &b, arena, &list);
    StrBuf sb;
    sb_init(&sb, arena);
    for (int i = 0; i < n; i++) sb_printf(&sb, "%s%s", i ? "; " : "", doc_change_text(&list[i], arena));
    doc_reset(&a);
    doc_reset(&b);
    return sb.data;
}

static void test_words(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *want;
    } table[] = {
        {"mask: causal\n", "mask: causal\n", ""},
        {"mask: causal\n", "mask: none\n", "mask: causal → none"},
        {"mask: causal\n", "mask: {kind: window, left: 2, right: 0}\n", "mask: causal → window, left: 2, right: 0"},
        {"", "temperature: 2\n", "temperature: 1 → 2"},
        {"temperature: 2\n", "scale: none\n", "scale: auto → none; temperature: 2 → 1"},
        {"text: \"The cat sat\"\n", "text: \"A dog ran\"\n", "text: The cat sat → A dog ran"},
        {"", "seed: 7\n", "seed: 0 → 7"},
        {"", "heads: 2\n", "heads: the model’s own → 2"},
        {"", "model: random\n", "model: classroom → random"},
        {"tokens: [\"a\", \"b\"]\nx: [[1, 0], [0, 1]]\n", "tokens: [\"a\", \"b\"]\nx: [[1, 0], [0, 2]]\n", "x: [[1, 0], [0, 1]] → [[1, 0], [0, 2]]"},
        {"tokens: [\"a\"]\nx: [[1, 2, 3, 4, 5, 6, 7, 8]]\n", "tokens: [\"a\"]\nx: [[1.125, 2.125, 3.125, 4.125, 5.125, 6.125, 7.125, 8.125, 9.125]]\n", "x: others"},
        {"", "notes: \"say hello\"\n", ""},
        {"", "edit: [{at: \"w_q[1, 2]\", value: -3}, {at: \"b_q[1]\", value: 0.5}]\n", "numbers changed by hand: none → w_q[1, 2] = −3, b_q[1] = 0.5"},
        {"edit: [{at: \"b_q[1]\", value: 1}]\n", "edit: [{at: \"b_q[1]\", value: 2}, {at: \"b_q[2]\", value: 2}, {at: \"b_q[3]\", value: 2}, {at: \"b_q[4]\", value: 2}]\n",
         "numbers changed by hand: b_q[1] = 1 → b_q[1] = 2, b_q[2] = 2, b_q[3] = 2, …"},
    };
    Arena arena = {0};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        const char *got = changes(arena_printf(&arena, "attnscope: 1\n%s", table[i].from), arena_printf(&arena, "attnscope: 1\n%s", table[i].to), &arena);
        if (strcmp(got, table[i].want) != 0) fail_msg("%zu: \"%s\", expected \"%s\"", i, got, table[i].want);
    }
    arena_free(&arena);
}

/* A value for every key that a document without it has not. */
static void test_every_key(void **state) {
    (void)state;
    static const char *const other[][2] = {
        {"text", "\"other words\""}, {"tokens", "[\"a\", \"b\"]"}, {"tokenizer", "characters"}, {"source_text", "\"others\""}, {"source", "[\"c\"]"},
        {"model", "identity"}, {"seed", "9"}, {"d_model", "8"}, {"d_k", "2"}, {"d_v", "2"}, {"heads", "2"}, {"kv_heads", "1"}, {"projections", "none"},
        {"out_proj", "false"}, {"bias", "true"}, {"x", "[[1, 2], [3, 4]]"}, {"x_kv", "[[1, 2], [3, 4]]"}, {"q", "[[1], [2]]"}, {"k", "[[1], [2]]"},
        {"v", "[[1], [2]]"}, {"scores", "[[1, 2], [3, 4]]"}, {"weights", "[[1, 0], [0, 1]]"}, {"w_q", "[[1]]"}, {"w_k", "[[1]]"}, {"w_v", "[[1]]"},
        {"w_o", "[[1]]"}, {"b_q", "[1]"}, {"b_k", "[1]"}, {"b_v", "[1]"}, {"b_o", "[1]"}, {"pos_emb", "[[1, 2], [3, 4]]"},
        {"edit", "[{at: \"w_q[1, 2]\", value: 3}]"}, {"position", "sinusoidal"}, {"scale", "none"}, {"temperature", "2"}, {"mask", "none"},
        {"keep", "[[1, 0], [1, 1]]"}, {"causal_align", "top_left"}, {"mask_fill", "-1e9"}, {"mask_op", "add"}, {"empty_row", "nan"}, {"precision", "f64"},
        {"tie", "true"},
    };
    Doc a;
    doc_of(base, &a);
    Arena arena = {0};
    for (const char *const *key = yaml_keys(); *key; key++) {
        if (strcmp(*key, "view") == 0 || strcmp(*key, "notes") == 0) continue;
        const char *value = NULL;
        for (size_t i = 0; i < sizeof other / sizeof *other; i++)
            if (strcmp(other[i][0], *key) == 0) value = other[i][1];
        if (!value) fail_msg("no other value for the key %s stands in this test", *key);
        Doc b = {0};
        Err err = {0};
        doc_copy(&b, &a);
        if (!yaml_set(&b, NULL, *key, value, &err)) fail_msg("%s: %s", *key, err.message);
        DocChange *list;
        int n = doc_diff(&a, &b, &arena, &list);
        bool told = false;
        for (int i = 0; i < n; i++) told = told || strcmp(list[i].key, *key) == 0;
        if (!told) fail_msg("a change of %s is not told", *key);
        doc_reset(&b);
    }
    arena_free(&arena);
    doc_reset(&a);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_words), cmocka_unit_test(test_every_key)};
    return cmocka_run_group_tests_name("diff", tests, NULL, NULL);
}
