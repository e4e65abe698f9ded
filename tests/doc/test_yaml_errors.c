/* What is refused, and where: one table of texts with the message, the line, the column and the key. */
#include "doc_support.h"

#include <stdio.h>

#include "base/str.h"

static const struct {
    const char *text;
    const char *message;
    int line, column;
    const char *key;
} bad[] = {
    /* not YAML, or more than is read */
    {"", "is empty", 0, 0, ""},
    {"   # nothing\n", "is empty", 0, 0, ""},
    {"attnscope: 1\ntext: [a, b\n", "not YAML", 3, 1, ""},
    {"attnscope: 1\n  mask: causal\n", "not YAML", 2, 7, ""},
    {"attnscope: 1\ntext: \"open\n", "not YAML", 3, 1, ""},
    {"attnscope: 1\n\ttext: a\n", "not YAML", 2, 1, ""},
    {"attnscope: 1\ntext: a\n'b'\n", "not YAML", 4, 1, ""},
    {" attnscope: 1\ntext: a\n", "did not find expected <document start>", 2, 1, ""},
    {"{attnscope: 1}\n{text: a}\n", "not YAML", 2, 1, ""},
    {"attnscope: 1\ntext: &t a\n", "anchors", 2, 7, ""},
    {"attnscope: 1\ntext: *t\n", "aliases", 2, 7, ""},
    {"attnscope: &v 1\n", "anchors", 1, 12, ""},
    {"&doc\nattnscope: 1\n", "anchors", 1, 1, ""},
    {"attnscope: 1\ntext: !!str a\n", "tags", 2, 7, ""},
    {"attnscope: 1\nx: !matrix [[1]]\n", "tags", 2, 4, ""},
    {"attnscope: 1\n<<: {text: a}\n", "unknown key '<<'", 2, 1, ""},
    {"attnscope: 1\ntext: a\ntext: b\n", "the key text stands twice; the first time in line 2", 3, 1, ""},
    {"attnscope: 1\nmask: {kind: window, left: 1, left: 2}\n", "stands twice", 2, 31, ""},
    {"attnscope: 1\n[a, b]: c\n", "a key is a word", 2, 1, ""},
    {"attnscope: 1\ntext: \"a\\0b\"\n", "NUL", 2, 7, ""},
    {"- a\n- b\n", "mapping that begins with attnscope: 1, found a list of 2", 1, 1, ""},
    {"hello\n", "found 'hello'", 1, 1, ""},
    {"attnscope: 1\ntext: a\x01z\n", "control character U+0001", 2, 8, ""},
    {"attnscope: 1\ntext: \xc3\x28\n", "0xC3 is not UTF-8", 2, 7, ""},
    {"attnscope: 1\ntext: 我\xe6\x88\n", "0xE6 is not UTF-8", 2, 8, ""},
    {"\xff\xfe" "a", "not UTF-8", 1, 1, ""},
    /* versions and keys */
    {"text: a\n", "attnscope: 1 is missing", 1, 1, ""},
    {"attnscope: 2\n", "this program reads version 1", 1, 12, "attnscope"},
    {"attnscope: 1.0\n", "version is '1.0'", 1, 12, "attnscope"},
    {"attnscope:\n", "version is nothing", 1, 11, "attnscope"},
    {"attnscope: 9\nnew_key: 1\n", "this program reads version 1", 1, 12, "attnscope"},
    {"attnscope: 1\nmask_fil: 1\n", "unknown key 'mask_fil' - did you mean mask_fill?", 2, 1, ""},
    {"attnscope: 1\nmask_fil: 1\n", "tokenizer", 2, 1, ""},
    {"attnscope: 1\nxyzzy: 1\n", "unknown key 'xyzzy'; known are", 2, 1, ""},
    {"attnscope: 1\ntext: a\ntokens: [a]\n", "text and tokens say the same thing twice", 3, 1, ""},
    {"attnscope: 1\nsource: [a]\nsource_text: b\n", "twice", 3, 1, ""},
    /* words */
    {"attnscope: 1\ntext: [a]\n", "expected a text, found a list of 1", 2, 7, "text"},
    {"attnscope: 1\ntokens: a\n", "expected a list of words", 2, 9, "tokens"},
    {"attnscope: 1\ntokens: []\n", "found a list of 0", 2, 9, "tokens"},
    {"attnscope: 1\ntokens: [a, [b]]\n", "expected a word, found a list of 1", 2, 13, "tokens[2]"},
    {"attnscope: 1\ntokenizer: word\n", "did you mean words?", 2, 12, "tokenizer"},
    {"attnscope: 1\nmodel: clasroom\n", "did you mean classroom?", 2, 8, "model"},
    {"attnscope: 1\nmodel: folder\n", "found 'folder'", 2, 8, "model"},
    {"attnscope: 1\nprojections: given\n", "expected one of linear, none", 2, 14, "projections"},
    /* numbers */
    {"attnscope: 1\nheads: two\n", "expected a whole number from 1 to 1048576, found 'two'", 2, 8, "heads"},
    {"attnscope: 1\nheads: 0\n", "found '0'", 2, 8, "heads"},
    {"attnscope: 1\nheads: 2.5\n", "found '2.5'", 2, 8, "heads"},
    {"attnscope: 1\nheads: 99999999999999999999\n", "whole number", 2, 8, "heads"},
    {"attnscope: 1\nheads:\n", "found nothing", 2, 7, "heads"},
    {"attnscope: 1\nheads: {a: 1}\n", "found a mapping", 2, 8, "heads"},
    {"attnscope: 1\nseed: -1\n", "from 0 to 18446744073709551615", 2, 7, "seed"},
    {"attnscope: 1\nseed: 18446744073709551616\n", "found '18446744073709551616'", 2, 7, "seed"},
    {"attnscope: 1\ntemperature: 0\n", "expected a number from 0.000001 to 1000000, found '0'", 2, 14, "temperature"},
    {"attnscope: 1\ntemperature: .nan\n", "from 0.000001", 2, 14, "temperature"},
    {"attnscope: 1\nscale: half\n", "expected auto, none or the number", 2, 8, "scale"},
    {"attnscope: 1\nscale: .inf\n", "found '.inf'", 2, 8, "scale"},
    {"attnscope: 1\nmask_fill: .inf\n", "-inf or a number", 2, 12, "mask_fill"},
    {"attnscope: 1\nout_proj: maybe\n", "true or false, found 'maybe'", 2, 11, "out_proj"},
    {"attnscope: 1\nprecision: f16\n", "f32, f64", 2, 12, "precision"},
    /* matrices */
    {"attnscope: 1\nx: 3\n", "expected a list of rows, [[1, 2], [3, 4]]; found '3' nested 0 deep", 2, 4, "x"},
    {"attnscope: 1\nx: [1, 2]\n", "found a list of 2 nested 1 deep", 2, 4, "x"},
    {"attnscope: 1\nx: [[[1]]]\n", "nested 3 deep", 2, 4, "x"},
    {"attnscope: 1\nq: [[[[1]]]]\n", "one a head; found", 2, 4, "q"},
    {"attnscope: 1\nb_q: [[1]]\n", "expected a list of numbers", 2, 6, "b_q"},
    {"attnscope: 1\nq:\n- [1, 2, 3, 4]\n- [1, 2, 3, 4]\n- [1, 2, 3]\n",
     "row 3 of q has 3 numbers, the rows before have 4", 5, 3, "q[3]"},
    {"attnscope: 1\nq: [[[1, 2], [3, 4]], [[1, 2]]]\n", "head 2 of q has 1 rows, the heads before have 2", 2, 23, "q[2]"},
    {"attnscope: 1\nq: [[[1, 2], [3, 4]], [[1, 2], [3]]]\n", "row 2 of q has 1 numbers", 2, 32, "q[2][2]"},
    {"attnscope: 1\nx: [[1, 2], 3]\n", "expected a list of numbers, found '3'", 2, 13, "x[2]"},
    {"attnscope: 1\nx: [[1, two]]\n", "expected a number, found 'two'", 2, 9, "x[1]"},
    {"attnscope: 1\nx: [[1, [2]]]\n", "expected a number, found a list of 1", 2, 9, "x[1]"},
    {"attnscope: 1\nx: [[1, 0x10]]\n", "found '0x10'", 2, 9, "x[1]"},
    {"attnscope: 1\nx: [[1, 1e39]]\n", "too large for a 32-bit number", 2, 9, "x[1]"},
    {"attnscope: 1\nx: [[]]\n", "empty list", 2, 5, "x"},
    {"attnscope: 1\nx: []\n", "found a list of 0", 2, 4, "x"},
    /* edits */
    {"attnscope: 1\nedit: [3]\n", "expected {at: \"w_q[1, 2]\", value: 0.5}", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: {at: 3}\n", "expected a list", 2, 7, "edit"},
    {"attnscope: 1\nedit: [{at: \"w_q[1, 2]\"}]\n", "value is missing", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: [{tensor: w_q, value: 2}]\n", "index is missing", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: [{index: [1, 2], value: 2}]\n", "tensor is missing", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: [{at: \"w_q[1, 2]\", tensor: w_q, index: [1, 2], value: 2}]\n", "said twice", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: [{tensor: w_q, index: [1, two], value: 2}]\n", "counted from 1", 2, 29, "edit[1]"},
    {"attnscope: 1\nedit: [{tensor: w_q, index: [0, 2], value: 2}]\n", "counted from 1; found w_q[0,2]", 2, 29, "edit[1]"},
    {"attnscope: 1\nedit: [{tensor: exp, index: [1, 2, 3], value: 1}]\n", "exp cannot be edited", 2, 29, "edit[1]"},
    {"attnscope: 1\nedit: [{value: 2}]\n", "at is missing", 2, 8, "edit[1]"},
    {"attnscope: 1\nedit: [{at: \"w_q[1]\", value: 1}]\n", "w_q needs 2 indices, found 1", 2, 13, "edit[1].at"},
    {"attnscope: 1\nedit: [{at: \"exp[1, 2, 3]\", value: 1}]\n", "exp cannot be edited", 2, 13, "edit[1].at"},
    {"attnscope: 1\nedit: [{at: \"w_q[0, 2]\", value: 1}]\n", "counted from 1", 2, 13, "edit[1].at"},
    {"attnscope: 1\nedit: [{at: \"w_q[1, 2]\", value: x}]\n", "expected a number, found 'x'", 2, 33, "edit[1].value"},
    {"attnscope: 1\nedit: [{at: \"w_q[1, 2]\", valu: 1}]\n", "did you mean value?", 2, 26, "edit[1]"},
    /* masks and positions */
    {"attnscope: 1\nmask: casual\n", "found 'casual' - did you mean causal?", 2, 7, "mask"},
    {"attnscope: 1\nmask: window\n", "mask window needs left", 2, 7, "mask"},
    {"attnscope: 1\nmask: {kind: window, left: 2}\n", "needs right", 2, 7, "mask"},
    {"attnscope: 1\nmask: {kind: window, left: -1, right: 0}\n", "whole number from 0", 2, 28, "mask.left"},
    {"attnscope: 1\nmask: {kind: window, lef: 1, right: 0}\n", "did you mean left?", 2, 22, "mask"},
    {"attnscope: 1\nmask: {kind: causal, left: 1}\n", "unknown key 'left'", 2, 22, "mask"},
    {"attnscope: 1\nmask: {left: 1}\n", "kind is missing", 2, 7, "mask"},
    {"attnscope: 1\nmask: {kind: padding, keys: [0]}\n", "whole number from 1", 2, 30, "mask.keys"},
    {"attnscope: 1\nmask: {kind: padding, keys: []}\n", "list of positions", 2, 29, "mask.keys"},
    {"attnscope: 1\nmask: {kind: padding, keys: 2, side: top}\n", "right, left", 2, 38, "mask.side"},
    {"attnscope: 1\nmask: [causal, {kind: strided, stride: 0}]\n", "whole number from 1", 2, 40, "mask[2].stride"},
    {"attnscope: 1\nmask: [causal, causal, causal, causal, causal]\n", "up to 4", 2, 7, "mask"},
    {"attnscope: 1\nmask: custom\n", "mask custom needs keep", 2, 7, "mask"},
    {"attnscope: 1\nmask: causal\nkeep: [[1]]\n", "keep is for mask: custom", 3, 7, "keep"},
    {"attnscope: 1\nmask: custom\nkeep: [[1, 2]]\n", "1 (keep) and 0 (hide), found 2", 3, 7, "keep"},
    {"attnscope: 1\nmask: custom\nkeep: [1, 0]\n", "list of rows", 3, 7, "keep"},
    {"attnscope: 1\nposition: rope\n", "expected one of", 2, 11, "position"},
    {"attnscope: 1\nposition: {kind: rope_half, dims: 4}\n", "did you mean dim?", 2, 29, "position"},
    {"attnscope: 1\nposition: {kind: rope_half, theta: 0}\n", "above 0", 2, 36, "position.theta"},
    {"attnscope: 1\nposition: {kind: alibi, slopes: 2}\n", "list of slopes", 2, 33, "position.slopes"},
    {"attnscope: 1\nposition: {kind: alibi, dim: 2}\n", "unknown key 'dim'", 2, 25, "position"},
    {"attnscope: 1\nposition: {dim: 2}\n", "kind is missing", 2, 11, "position"},
    /* the view */
    {"attnscope: 1\nview: dark\n", "mapping such as {stage: softmax}", 2, 7, "view"},
    {"attnscope: 1\nview: {stage: sofmax}\n", "did you mean softmax?", 2, 15, "view.stage"},
    {"attnscope: 1\nview: {step: 65}\n", "from 0 to 64", 2, 14, "view.step"},
    {"attnscope: 1\nview: {head: 0}\n", "from 1", 2, 14, "view.head"},
    {"attnscope: 1\nview: {speed: 10}\n", "from 0.25 to 8", 2, 15, "view.speed"},
    {"attnscope: 1\nview: {selection: weights}\n", "number's place", 2, 19, "view.selection"},
    {"attnscope: 1\nview: {theme: blue}\n", "light, dark, print", 2, 15, "view.theme"},
    {"attnscope: 1\nview: {colour: blue}\n", "unknown key 'colour'", 2, 8, "view"},
};

static bool read_text(const char *text, size_t size, Err *err) {
    Doc doc;
    View view;
    bool more;
    bool ok = yaml_read(text, size, "file.yaml", 0, &doc, &view, &more, err);
    if (!ok) {
        Doc zero = {0};
        assert_memory_equal(&doc, &zero, sizeof doc);
    }
    doc_reset(&doc);
    return ok;
}

static void test_table(void **state) {
    (void)state;
    int wrong = 0;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        Err err = {0};
        char text[1200];
        bool ok = read_text(bad[i].text, strlen(bad[i].text), &err);
        err_format(&err, text, sizeof text);
        bool right = !ok && strstr(err.message, bad[i].message) && err.line == bad[i].line && err.column == bad[i].column &&
                     strcmp(err.key, bad[i].key) == 0 && strcmp(err.file, "file.yaml") == 0;
        if (right) continue;
        print_error("%s  gives \"%s\" (key '%s'), expected \"%s\" at %d:%d (key '%s')\n", bad[i].text, ok ? "no error" : text, err.key,
                    bad[i].message, bad[i].line, bad[i].column, bad[i].key);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

static void test_nul_bytes(void **state) {
    (void)state;
    static const char text[] = "attnscope: 1\ntext: a\0b\n";
    Err err = {0};
    assert_false(read_text(text, sizeof text - 1, &err));
    assert_message(&err, "file.yaml:2:8: the control character U+0000");
}

static void fill(char *to, size_t n, const char *part) {
    size_t length = strlen(part);
    for (size_t i = 0; i < n; i++) memcpy(to + i * length, part, length);
    to[n * length] = 0;
}

static void test_depth(void **state) {
    (void)state;
    enum { N = 100000 };
    static char text[N + 64];
    snprintf(text, sizeof text, "attnscope: 1\nx: ");
    fill(text + strlen(text), N, "[");
    Err err = {0};
    assert_false(read_text(text, strlen(text), &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_message(&err, "nested more than 32 deep");
    assert_int_equal(err.line, 2);
    /* deep in an unknown key too, and as mappings */
    snprintf(text, sizeof text, "a: ");
    fill(text + strlen(text), 5000, "{a: ");
    Err again = {0};
    assert_false(read_text(text, strlen(text), &again));
    assert_message(&again, "32 deep");
    /* 31 levels under the root are read (and then refused for what they are) */
    snprintf(text, sizeof text, "attnscope: 1\nx: ");
    fill(text + strlen(text), 31, "[");
    fill(text + strlen(text), 31, "]");
    Err third = {0};
    assert_false(read_text(text, strlen(text), &third));
    assert_int_equal(third.code, ERR_SHAPE);
    snprintf(text, sizeof text, "attnscope: 1\nx: ");
    fill(text + strlen(text), 32, "[");
    Err fourth = {0};
    assert_false(read_text(text, strlen(text), &fourth));
    assert_int_equal(fourth.code, ERR_LIMIT);
}

/* "Billion laughs": the first anchor ends it. */
static void test_alias_bomb(void **state) {
    (void)state;
    static const char bomb[] = "attnscope: 1\na: &a [\"lol\", \"lol\"]\nb: &b [*a, *a]\nc: &c [*b, *b]\ntokens: *c\n";
    Err err = {0};
    assert_false(read_text(bomb, strlen(bomb), &err));
    assert_message(&err, "file.yaml:2:4: anchors");
}

static void test_large(void **state) {
    (void)state;
    Arena arena = {0};
    size_t size = (16u << 20) + 1;
    char *text = arena_alloc(&arena, size + 1, 1);
    memset(text, ' ', size);
    Err err = {0};
    assert_false(read_text(text, size, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_message(&err, "16777217 bytes; 16777216 are possible");
    /* a text above the tokenizer's limit */
    size_t n = (size_t)snprintf(text, size, "attnscope: 1\ntext: ");
    memset(text + n, 'a', TEXT_MAX + 1);
    text[n + TEXT_MAX + 1] = '\n';
    Err long_text = {0};
    assert_false(read_text(text, n + TEXT_MAX + 2, &long_text));
    assert_int_equal(long_text.code, ERR_LIMIT);
    /* more tokens than there are */
    n = (size_t)snprintf(text, size, "attnscope: 1\ntokens: [");
    for (int i = 0; i < 3000; i++) n += (size_t)snprintf(text + n, size - n, "a,");
    snprintf(text + n, size - n, "]\n");
    Err tokens = {0};
    assert_false(read_text(text, strlen(text), &tokens));
    assert_message(&tokens, "limit of 2048");
    /* a matrix whose first row promises more than the file holds */
    n = (size_t)snprintf(text, size, "attnscope: 1\nx:\n- [");
    for (int i = 0; i < 50000; i++) n += (size_t)snprintf(text + n, size - n, "1,");
    n += (size_t)snprintf(text + n, size - n, "]\n");
    for (int i = 0; i < 50000; i++) n += (size_t)snprintf(text + n, size - n, "- []\n");
    Err matrix = {0};
    assert_false(read_text(text, n, &matrix));
    assert_int_equal(matrix.code, ERR_LIMIT);
    arena_free(&arena);
}

static void test_many_keys(void **state) {
    (void)state;
    Arena arena = {0};
    size_t n = 0, size = 1 << 20;
    char *text = arena_alloc(&arena, size, 1);
    for (int i = 0; i < 30000; i++) n += (size_t)snprintf(text + n, size - n, "k%d: 1\n", i);
    Err err = {0};
    assert_false(read_text(text, n, &err));
    assert_message(&err, "more than 256 keys");
    arena_free(&arena);
}

/* Damaged scenarios: any byte dropped, doubled or changed gives a document or an error with a message, never more. */
static void test_damage(void **state) {
    (void)state;
    static const char good[] =
        "attnscope: 1\ntokens: [\"a\", 'b', c]\nmodel: random\nx: [[1, .inf], [2, 3], [4, 5e-1]]\nedit: [{at: \"x[1, 2]\", value: 2}]\n"
        "position: {kind: rope_half, dim: 2}\nmask: [causal, {kind: padding, keys: [1]}, custom]\nkeep: [[1, 0], [0, 1]]\n"
        "view: {stage: mask, selection: \"q[1, 1, 1]\"}\n---\nattnscope: 1\ntext: |\n  我\n";
    char text[sizeof good + 2];
    uint64_t random = 11;
    for (size_t i = 0; i < sizeof good - 1; i++)
        for (int kind = 0; kind < 6; kind++) {
            memcpy(text, good, i);
            size_t n = i;
            if (kind == 1) text[n++] = good[i], text[n++] = good[i];
            if (kind >= 2) text[n++] = kind == 2 ? '\n' : kind == 3 ? '[' : kind == 4 ? '"' : (char)(random_next(&random) & 255);
            memcpy(text + n, good + i + 1, sizeof good - 2 - i);
            n += sizeof good - 2 - i;
            Err err = {0};
            if (!read_text(text, n, &err)) assert_true(err.message[0] != 0);
        }
    for (size_t i = 0; i < sizeof good; i++) { /* cut anywhere */
        Err err = {0};
        if (!read_text(good, i, &err)) assert_true(err.message[0] != 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_table), cmocka_unit_test(test_nul_bytes), cmocka_unit_test(test_depth), cmocka_unit_test(test_alias_bomb),
        cmocka_unit_test(test_large), cmocka_unit_test(test_many_keys), cmocka_unit_test(test_damage),
    };
    return cmocka_run_group_tests_name("yaml errors", tests, NULL, NULL);
}
