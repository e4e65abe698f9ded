/* The JSON reader for large files: values, escapes, limits, places of errors. */
#include "support/support.h"

#include "base/str.h"
#include "model/json_tree.h"

static Arena arena;

static const JsonNode *read(const char *text, size_t size, Err *err) {
    const JsonNode *root;
    char *copy = arena_strndup(&arena, text, size);
    return json_tree_read(copy, size, &arena, &root, err) ? root : NULL;
}

static const JsonNode *good(const char *text) {
    Err err = {0};
    const JsonNode *root = read(text, strlen(text), &err);
    if (root == NULL) fail_msg("%s: %s", text, err.message);
    return root;
}

static void values(void **state) {
    (void)state;
    const JsonNode *root = good(" {\"a\": [1, -2.5, 3e2, 12345678901, 0], \"b\": {\"c\": null, \"d\": true, \"e\": false}, \"f\": \"\", \"a\": \"last\"}\r\n");
    assert_int_equal(root->n, 4);
    assert_string_equal(json_tree_get(root, "a")->as.text, "last");
    const JsonNode *list = &root->as.items[1];
    assert_int_equal(list->n, 5);
    const double numbers[] = {1, -2.5, 300, 12345678901.0, 0};
    for (int i = 0; i < 5; i++) assert_near(list->as.items[i].as.number, numbers[i], 0);
    const JsonNode *inner = json_tree_get(root, "b");
    assert_int_equal(json_tree_get(inner, "c")->kind, JSON_TREE_NULL);
    assert_true(json_tree_get(inner, "d")->as.flag);
    assert_false(json_tree_get(inner, "e")->as.flag);
    assert_int_equal(json_tree_get(root, "f")->n, 0);
    assert_null(json_tree_get(root, "g"));
    assert_null(json_tree_get(list, "a"));
    assert_null(json_tree_get(NULL, "a"));
}

static void strings(void **state) {
    (void)state;
    const JsonNode *root = good("[\"\\\"\\\\\\/\\b\\f\\n\\r\\t\", \"\\u00e4\\u4f60\\ud83d\\ude00\", \"a\\u0000b\", \"\xE4\xBD\xA0\"]");
    assert_string_equal(root->as.items[0].as.text, "\"\\/\b\f\n\r\t");
    assert_string_equal(root->as.items[1].as.text, "\u00e4\u4f60\U0001F600");
    assert_int_equal(root->as.items[2].n, 3);
    assert_memory_equal(root->as.items[2].as.text, "a\0b", 4);
    assert_string_equal(root->as.items[3].as.text, "你");
}

static void whole_numbers(void **state) {
    (void)state;
    const JsonNode *root = good("[3, 3.5, -1, 1e300, \"3\", 3.0]");
    int out = 7;
    assert_true(json_tree_int(&root->as.items[0], 0, 10, &out));
    assert_int_equal(out, 3);
    for (int i = 1; i < 5; i++) assert_false(json_tree_int(&root->as.items[i], 0, 10, &out));
    assert_true(json_tree_int(&root->as.items[5], 0, 10, &out));
    assert_false(json_tree_int(&root->as.items[0], 4, 10, &out));
    assert_false(json_tree_int(NULL, 0, 10, &out));
}

static void errors(void **state) {
    (void)state;
    static const struct { const char *text, *says; int line, column; } bad[] = {
        {"", "ends too early", 1, 1}, {"[1,\n 2,\n  x]", "value is expected", 3, 3}, {"{\"a\" 1}", "colon", 1, 6}, {"[1 2]", "comma or ]", 1, 4},
        {"{\"a\": 1 \"b\"}", "comma or }", 1, 9}, {"{a: 1}", "double quotes", 1, 2}, {"[1,]", "value is expected", 1, 4}, {"[1", "too early", 1, 3},
        {"\"abc", "does not end", 1, 1}, {"\"a\nb\"", "control character", 1, 3}, {"\"\\x\"", "backslash", 1, 3}, {"\"\\u12g4\"", "four hexadecimal", 1, 2},
        {"\"\\ud800\"", "surrogate", 1, 2}, {"\"\\udc00\"", "surrogate", 1, 2}, {"\"\\ud800\\u0041\"", "surrogate", 1, 2}, {"\"\\ud800\\ud800\"", "surrogate", 1, 2}, {"1 1", "nothing more", 1, 3}, {"01", "no number", 1, 1},
        {"-", "no number", 1, 1}, {"1.", "no number", 1, 1}, {"1e", "no number", 1, 1}, {"1e999", "larger than", 1, 1}, {"[nul]", "value is expected", 1, 2},
        {"\"\\", "backslash", 1, 2}, {"\"\xff\"", "byte 2 is not UTF-8", 0, 0}, {"[\"a\\n\\n\", x]", "value is expected", 1, 11},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err err = {0};
        assert_null(read(bad[i].text, strlen(bad[i].text), &err));
        if (strstr(err.message, bad[i].says) == NULL) fail_msg("%s: \"%s\", not \"%s\"", bad[i].text, err.message, bad[i].says);
        if (err.line != bad[i].line || err.column != bad[i].column) fail_msg("%s: at %d:%d, not %d:%d", bad[i].text, err.line, err.column, bad[i].line, bad[i].column);
    }
}

static void limits(void **state) {
    (void)state;
    Err err = {0};
    char deep[2 * JSON_DEPTH_MAX + 3] = {0};
    for (int extra = 0; extra < 2; extra++) {
        int n = JSON_DEPTH_MAX + extra;
        memset(deep, '[', (size_t)n);
        memset(deep + n, ']', (size_t)n);
        assert_int_equal(read(deep, (size_t)n * 2, &err) != NULL, extra == 0);
    }
    assert_non_null(strstr(err.message, "too deeply"));
    char digits[200];
    memset(digits, '1', sizeof digits);
    Err again = {0};
    assert_null(read(digits, sizeof digits, &again));
    assert_non_null(strstr(again.message, "too many digits"));
    Err nul = {0};
    assert_null(read("[1]\0[2]", 7, &nul));
    assert_null(read("[\"a\0b\"]", 7, &(Err){0}));
}

/* More items than the reader's first room, in lists that lie in each other. */
static void many(void **state) {
    (void)state;
    StrBuf sb;
    sb_init(&sb, &arena);
    sb_add(&sb, "[");
    for (int i = 0; i < 5000; i++) sb_printf(&sb, "%s[%d, [\"%d\"]]", i > 0 ? "," : "", i, i);
    sb_add(&sb, "]");
    const JsonNode *root = good(sb.data);
    assert_int_equal(root->n, 5000);
    for (int i = 0; i < 5000; i++) {
        int number;
        assert_near(root->as.items[i].as.items[0].as.number, i, 0);
        assert_true(str_to_int(root->as.items[i].as.items[1].as.items[0].as.text, &number) && number == i);
    }
}

static int clear(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(values, clear), cmocka_unit_test_teardown(strings, clear), cmocka_unit_test_teardown(whole_numbers, clear),
        cmocka_unit_test_teardown(errors, clear), cmocka_unit_test_teardown(limits, clear),  cmocka_unit_test_teardown(many, clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
