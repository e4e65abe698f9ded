/* The command line as a user meets it: the built program, its exit codes, what it writes where. */
#include "app/command.h"

#include <stdio.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/str.h"

static json_t *parse(const Result *result) {
    json_error_t error;
    json_t *root = json_loadb(result->out, result->out_size, 0, &error);
    if (!root) fail_msg("line %d: %s", error.line, error.text);
    return root;
}

static const json_t *at(const json_t *array, size_t i) {
    return json_array_get(array, i);
}

/* ---- trace ---- */

static void trace_is_json_with_every_tensor(void **unused) {
    (void)unused;
    Result result = run("trace", "The cat sat on the mat", NULL);
    assert_code(result, 0);
    assert_string_equal(result.err, "");
    json_t *root = parse(&result);
    assert_int_equal(json_array_size(json_object_get(root, "tokens")), 6);
    assert_string_equal(json_string_value(at(json_object_get(root, "tokens"), 1)), "cat");
    assert_int_equal(json_array_size(json_object_get(root, "source")), 0);
    assert_int_equal(json_array_size(json_object_get(root, "stages")), 9);
    assert_true(json_is_array(json_object_get(root, "diagnosis")));
    const json_t *weights = json_object_get(json_object_get(root, "tensors"), "weights");
    const json_t *shape = json_object_get(weights, "shape"), *data = json_object_get(weights, "data");
    static const int want[] = {4, 6, 6};
    for (size_t i = 0; i < 3; i++) assert_int_equal(json_integer_value(at(shape, i)), want[i]);
    assert_near(json_number_value(at(at(at(data, 1), 2), 1)), 0.943, 0.0005);
    const json_t *masked = json_object_get(json_object_get(json_object_get(root, "tensors"), "masked"), "data");
    assert_string_equal(json_string_value(at(at(at(masked, 0), 0), 1)), "-Infinity");
    json_decref(root);
}

static void tensors_come_in_computing_order(void **unused) {
    (void)unused;
    Result result = run("trace", "a b", NULL);
    json_t *root = parse(&result), *tensors = json_object_get(root, "tensors"), *value;
    static const char *const order[] = {"x", "q", "scores", "scaled", "masked", "weights", "head_out", "concat", "out"};
    size_t seen = 0;
    const char *key;
    json_object_foreach(tensors, key, value) if (seen < 9 && str_eq(key, order[seen])) seen++;
    assert_int_equal(seen, 9);
    json_decref(root);
}

static void words_and_quotes_give_the_same(void **unused) {
    (void)unused;
    Result one = run("trace", "The cat sat", NULL), three = run("trace", "The", "cat", "sat", NULL), option = run("trace", "--text", "The cat sat", NULL);
    assert_string_equal(one.out, three.out);
    assert_string_equal(one.out, option.out);
    Result behind = run("trace", "--", "--mask", NULL);
    assert_code(behind, 0);
}

static void any_field_is_an_option(void **unused) {
    (void)unused;
    Result result = run("trace", "a b c", "--mask", "none", "--model=random", "--seed", "7", "--heads", "2", "--d-model", "8", NULL);
    assert_code(result, 0);
    json_t *root = parse(&result);
    const json_t *shape = json_object_get(json_object_get(json_object_get(root, "tensors"), "weights"), "shape");
    assert_int_equal(json_integer_value(at(shape, 0)), 2);
    assert_null(json_object_get(json_object_get(root, "tensors"), "mask"));
    json_decref(root);
    assert_refused(run("trace", "a b", "--mask", "cuasal", NULL), "cuasal");
    assert_refused(run("trace", "a b", "--maks", "causal", NULL), "--mask");
    assert_refused(run("trace", "a b", "--mask", NULL), "needs a value");
    assert_refused(run("trace", "a b", "--model", "random", "--d_model", "16", "--heads", "5", NULL), "16");
}

static void trace_files_go_round(void **unused) {
    (void)unused;
    char *path = in_folder("round.safetensors");
    assert_code(run("trace", "The cat sat on the mat", "-o", path, NULL), 0);
    Result check = run("check", path, NULL);
    assert_code(check, 0);
    assert_non_null(strstr(check.out, "weights"));
    assert_non_null(strstr(check.out, "agree"));
    Result direct = run("trace", "The cat sat on the mat", NULL), again = run("trace", path, NULL);
    assert_code(again, 0);
    json_t *a = parse(&direct), *b = parse(&again);
    const json_t *ta = json_object_get(a, "tensors"), *tb = json_object_get(b, "tensors");
    assert_true(json_equal(json_object_get(ta, "weights"), json_object_get(tb, "weights")));
    assert_true(json_equal(json_object_get(ta, "out"), json_object_get(tb, "out")));
    assert_true(json_equal(json_object_get(a, "tokens"), json_object_get(b, "tokens")));
    json_decref(a);
    json_decref(b);
}

/* With W_Q = W_K there is no w_k: the file says so, and what comes back is tied. */
static void tied_files_go_round(void **unused) {
    (void)unused;
    char *path = in_folder("tied.safetensors");
    assert_code(run("trace", "one two", "--model", "random", "--tie", "true", "-o", path, NULL), 0);
    Result check = run("check", path, NULL);
    assert_code(check, 0);
    assert_non_null(strstr(check.out, "agree"));
    Result again = run("trace", path, NULL);
    json_t *root = parse(&again);
    const json_t *tensors = json_object_get(root, "tensors");
    assert_null(json_object_get(tensors, "w_k"));
    const json_t *scores = at(json_object_get(json_object_get(tensors, "scores"), "data"), 0);
    assert_near(json_number_value(at(at(scores, 0), 1)), json_number_value(at(at(scores, 1), 0)), 1e-6);
    json_decref(root);
}

static void strict_says_what_is_diagnosed(void **unused) {
    (void)unused;
    write_text("even.yaml", "attnscope: 1\ntokens: [\"a\", \"b\"]\nprojections: none\nx: [[0,0],[0,0]]\n");
    assert_code(run("trace", in_folder("even.yaml"), "--strict", NULL), 0);
    write_text("sums.yaml", "attnscope: 1\ntokens: [\"a\", \"b\"]\nprojections: none\nweights: [[0.5,0.4],[0.5,0.5]]\nv: [[1],[2]]\n");
    Result sums = run("trace", in_folder("sums.yaml"), "--strict", NULL);
    assert_code(sums, 1);
    assert_non_null(strstr(sums.err, "row"));
    assert_true(strlen(sums.out) > 100); /* the numbers are there all the same */
    assert_code(run("trace", in_folder("sums.yaml"), NULL), 0);
    write_text("saturated.yaml", "attnscope: 1\ntokens: [\"a\", \"b\"]\nprojections: none\nx: [[90,0],[0,90]]\n");
    assert_code(run("trace", in_folder("saturated.yaml"), "--strict", NULL), 1);
}

/* ---- check ---- */

static void corrupt(const char *from, const char *to, const char *tensor) {
    size_t size;
    char *bytes = slurp(from, &size);
    uint64_t header;
    memcpy(&header, bytes, 8);
    char *name = strstr(bytes + 8, arena_printf(command_arena(), "\"%s\":", tensor));
    assert_non_null(name);
    unsigned long begin;
    assert_int_equal(sscanf(strstr(name, "data_offsets") + strlen("data_offsets\":["), "%lu", &begin), 1);
    float value;
    memcpy(&value, bytes + 8 + header + begin, 4);
    value += 0.5f;
    memcpy(bytes + 8 + header + begin, &value, 4);
    Err err = {0};
    assert_true(file_write(to, bytes, size, &err));
}

static void check_names_the_first_tensor_that_differs(void **unused) {
    (void)unused;
    char *good = in_folder("good.safetensors"), *bad = in_folder("bad.safetensors"), *worse = in_folder("worse.safetensors");
    assert_code(run("trace", "one two three", "-o", good, NULL), 0);
    corrupt(good, bad, "weights");
    Result result = run("check", bad, NULL);
    assert_code(result, 1);
    assert_non_null(strstr(result.out, "weights is the first that differs"));
    corrupt(bad, worse, "scores");
    result = run("check", good, worse, NULL); /* several files; the verdict of each */
    assert_code(result, 1);
    assert_non_null(strstr(result.out, "scores is the first that differs"));
    assert_non_null(strstr(result.out, "agree"));
}

/* Somebody's own tensors: what differs and why, in the exit code too. */
static void check_says_what_is_wrong_with_own_tensors(void **unused) {
    (void)unused;
    Result result = run("check", data_path("bugs/fill_zero.safetensors"), "--heads", "3", "--mask", "causal", "--lang", "en", NULL);
    assert_code(result, 1);
    assert_non_null(strstr(result.out, "masked differs first at [head 1, query 1, key 2]: yours 0, right −∞."));
    assert_non_null(strstr(result.out, "Likely cause: Hidden scores are set to 0"));
    result = run("check", data_path("bugs/fill_zero.safetensors"), "--heads", "3", "--mask", "causal", "--lang", "zh", NULL);
    assert_code(result, 1);
    assert_non_null(strstr(result.out, "可能的原因：被遮住的分数设成了 0"));
    assert_code(run("check", data_path("bugs/right.safetensors"), "--heads", "3", "--mask", "causal", NULL), 0);
    assert_code(run("check", data_path("bugs/fill_zero.safetensors"), "--heads", "3", "--mask", "causal", "--tol", "inf", NULL), 2);
    assert_refused(run("check", data_path("bugs/gelu.safetensors"), NULL), "--activation");
    assert_refused(run("check", data_path("bugs/some_map.safetensors"), NULL), "d_k");
    assert_refused(run("check", data_path("bugs/right.safetensors"), "--heads", "5", NULL), "heads");
    assert_refused(run("check", data_path("bugs/right.safetensors"), "--mask", "caussal", NULL), "caussal");
}

/* A trace file that was changed: its cause too. */
static void check_finds_causes_in_trace_files(void **unused) {
    (void)unused;
    char *good = in_folder("auto.safetensors");
    assert_code(run("trace", "one two three", "--scale", "none", "-o", good, NULL), 0);
    Result result = run("check", good, "--scale", "auto", "--lang", "en", NULL); /* read as one that should have been scaled */
    assert_code(result, 1);
    assert_non_null(strstr(result.out, "Likely cause: The scores are not divided by √dₖ."));
    assert_code(run("check", good, "--scale", "none", NULL), 0);
}

static void broken_trace_files_are_refused(void **unused) {
    (void)unused;
    char *good = in_folder("whole.safetensors"), *bad = in_folder("cut.safetensors");
    assert_code(run("trace", "one two", "-o", good, NULL), 0);
    size_t size;
    char *bytes = slurp(good, &size);
    Err err = {0};
    static const size_t cuts[] = {0, 4, 8, 100, 1000};
    for (int i = 0; i < 5; i++) {
        assert_true(file_write(bad, bytes, cuts[i], &err));
        assert_refused(run("check", bad, NULL), "cut.safetensors");
        assert_refused(run("trace", bad, NULL), "cut.safetensors");
    }
    char *lie = arena_alloc(command_arena(), size, 1);
    memcpy(lie, bytes, size);
    memset(lie, 0xFF, 8); /* a header longer than any file */
    assert_true(file_write(bad, lie, size, &err));
    assert_refused(run("check", bad, NULL), "cut.safetensors");
    assert_refused(run("check", in_folder("absent.safetensors"), NULL), "absent.safetensors");
    assert_refused(run("check", NULL), "trace file");
}

/* ---- explain ---- */

static void narrate_prints_sentences(void **unused) {
    (void)unused;
    Result result = run("narrate", "The cat sat on the mat", "--stage", "softmax", "--head", "2", "--do", "select weights[2,sat,cat]", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "sat reads cat 0.94, The 0.03, sat 0.03."));
    assert_non_null(strstr(result.out, "weights[2, sat, cat] = 0.943."));
    result = run("narrate", "The cat", "--stage", "scores", "--step", "1", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "Scores: stage 3 of 9 · cell 1 of 4."));
    assert_refused(run("narrate", "The cat", "--head", "9", NULL), "9");
}

static void explain_says_the_arithmetic(void **unused) {
    (void)unused;
    Result result = run("explain", "The cat sat on the mat", "weights[2,sat,cat]", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "weights[2, sat, cat] = 0.943"));
    result = run("explain", "The cat sat on the mat", "scores[1,3,2]", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "×"));
    assert_non_null(strstr(result.out, "24.000"));
    assert_refused(run("explain", "a b", "weights[2,9,1]", NULL), "9");
    assert_refused(run("explain", "a b", "wieghts[1,1,1]", NULL), "wieghts");
    assert_refused(run("explain", "the cat the", "weights[1,the,cat]", NULL), "the");
    assert_refused(run("explain", NULL), "weights[2,sat,cat]");
}

/* ---- export, dl, help ---- */

static void png_size(const char *path, unsigned *width, unsigned *height) {
    size_t size;
    const unsigned char *bytes = (const unsigned char *)slurp(path, &size);
    static const unsigned char signature[8] = {0x89, 'P', 'N', 'G', 0x0D, 0x0A, 0x1A, 0x0A};
    assert_true(size > 24);
    assert_memory_equal(bytes, signature, 8);
    *width = (unsigned)bytes[16] << 24 | (unsigned)bytes[17] << 16 | (unsigned)bytes[18] << 8 | bytes[19];
    *height = (unsigned)bytes[20] << 24 | (unsigned)bytes[21] << 16 | (unsigned)bytes[22] << 8 | bytes[23];
}

static void pictures_have_the_size_that_was_asked_for(void **unused) {
    (void)unused;
    unsigned width, height;
    char *path = in_folder("picture.png");
    assert_code(run("export", "-o", path, NULL), 0);
    png_size(path, &width, &height);
    assert_int_equal(width, 1600);
    assert_int_equal(height, 1000);
    assert_code(run("export", "a b", "-o", path, "--head", "2", "--stage", "softmax", NULL), 0);
    png_size(path, &width, &height);
    assert_in_range(width, 320, 1000); /* as large as its map needs */
    assert_in_range(height, 320, 800);
    assert_code(run("export", "a b", "-o", path, "--head", "2", "--stage", "softmax", "--size", "700x500", NULL), 0);
    png_size(path, &width, &height);
    assert_int_equal(width, 700);
    assert_int_equal(height, 500);
    assert_code(run("export", "a b", "-o", path, "--size", "1024x768", "--scale", "2", "--theme", "dark", "--stage", "3", "--step", "2", NULL), 0);
    png_size(path, &width, &height);
    assert_int_equal(width, 2048);
    assert_int_equal(height, 1536);
    assert_code(run("export", "a b", "-o", path, "--head", "all", NULL), 0);
}

/* A picture opens as the state that it shows: drawn again from itself it is the same file. */
static void a_picture_opens_as_what_it_shows(void **state) {
    (void)state;
    const char *path = in_folder("first.png");
    Err err = {0};
    Arena arena = {0};
    char *first, *second;
    size_t sizes[2];
    assert_code(run("export", "a b c", "-o", path, "--stage", "scores", "--step", "3", "--do", "select scores[1,2,1]", NULL), 0);
    assert_code(run("export", path, "-o", in_folder("again.png"), NULL), 0);
    assert_true(file_read(path, 1 << 24, &arena, &first, &sizes[0], &err) && file_read(in_folder("again.png"), 1 << 24, &arena, &second, &sizes[1], &err));
    assert_int_equal(sizes[0], sizes[1]);
    assert_memory_equal(first, second, sizes[0]);
    arena_free(&arena);
}

static void bad_options_say_what_would_be_right(void **unused) {
    (void)unused;
    char *path = in_folder("bad.png");
    assert_refused(run("export", "a", "-o", path, "--format", "bmp", NULL), "png");
    assert_refused(run("export", NULL), "-o");
    assert_refused(run("export", "-o", in_folder("x.bmp"), NULL), "png");
    assert_refused(run("export", "-o", path, "--size", "huge", NULL), "1600x1000");
    assert_refused(run("export", "-o", path, "--size", "1x1", NULL), "200x150");
    assert_refused(run("export", "-o", path, "--scale", "0", NULL), "--scale");
    assert_refused(run("export", "-o", path, "--stage", "sotfmax", NULL), "softmax");
    assert_refused(run("export", "-o", path, "--stage", "10", NULL), "9");
    assert_refused(run("export", "-o", path, "--stage", "scores", "--step", "1000", NULL), "36");
    assert_refused(run("export", "-o", path, "--head", "5", NULL), "1 to 4");
    assert_refused(run("export", "-o", path, "--theme", "drak", NULL), "dark");
    assert_refused(run("export", "-o", path, "--do", "nxet", NULL), "next");
    assert_refused(run("export", "-o", "/nowhere/at/all.png", NULL), "/nowhere/at/all.png");
    assert_refused(run("trace", "a.yaml", "b.yaml", NULL), "one file");
    assert_refused(run("trace", in_folder("absent.yaml"), NULL), "absent.yaml");
    assert_refused(run("frobnicate", "--nonsense", NULL), "--nonsense");
    assert_false(file_exists(path));
}

static void actions_run_before_the_picture(void **unused) {
    (void)unused;
    Result plain = run("dl", NULL), dark = run("dl", "--do", "theme dark", NULL), again = run("dl", NULL);
    assert_code(plain, 0);
    assert_string_equal(plain.out, again.out);
    assert_string_not_equal(plain.out, dark.out);
    Result both = run("dl", "--do", "theme dark", "--do", "theme light", NULL);
    assert_string_equal(plain.out, both.out);
}

/* zoom counts the cells of the stage that --stage names, not of the one before. */
static void a_zoom_is_of_the_stage_that_is_asked_for(void **unused) {
    (void)unused;
    Result result = run("dl", "a b c d e f", "--stage", "scores", "--do", "zoom 2 1 1", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "4x4 gap 2.0 radius 3.0 tensor"));
    assert_null(strstr(result.out, " from ")); /* the first row and column */
    assert_non_null(strstr(result.out, "\"1.5×\"")); /* 6 rows, 4 of them in sight */
}

static void one_document_of_several(void **unused) {
    (void)unused;
    write_text("two.yaml", "attnscope: 1\ntext: \"one\"\n---\nattnscope: 1\ntext: \"one two\"\n");
    for (int doc = 1; doc <= 2; doc++) {
        char number[16];
        snprintf(number, sizeof number, "%d", doc);
        Result result = run("trace", in_folder("two.yaml"), "--doc", number, NULL);
        assert_code(result, 0);
        json_t *root = parse(&result);
        assert_int_equal(json_array_size(json_object_get(root, "tokens")), doc);
        json_decref(root);
    }
    assert_refused(run("trace", in_folder("two.yaml"), "--doc", "3", NULL), "two.yaml");
}

static void every_command_has_help(void **unused) {
    (void)unused;
    static const char *const commands[] = {"export", "trace", "explain", "check", "dl", "actions", "help"};
    Result all = run("--help", NULL), page = run("help", "--man", NULL);
    assert_code(all, 0);
    assert_code(page, 0);
    assert_true(str_starts(page.out, ".TH ATTNSCOPE 1"));
    for (int i = 0; i < 7; i++) {
        Result result = run(commands[i], "--help", NULL);
        assert_code(result, 0);
        assert_string_equal(result.err, "");
        assert_non_null(strstr(result.out, arena_printf(command_arena(), "attnscope %s", commands[i])));
        assert_non_null(strstr(all.out, commands[i]));
        assert_non_null(strstr(page.out, arena_printf(command_arena(), "attnscope %s", commands[i])));
        assert_string_equal(run("help", commands[i], NULL).out, result.out);
    }
    assert_non_null(strstr(run("--version", NULL).out, "attnscope "));
    Result actions = run("actions", NULL);
    assert_code(actions, 0);
    assert_non_null(strstr(actions.out, "stage.next"));
}

static void without_a_display_it_says_what_to_do(void **unused) {
    (void)unused;
    assert_refused(run(NULL, NULL), "export");
    assert_refused(run("The cat", NULL), "display");
}

/* ---- hostile input ---- */

static void bad_bytes_are_refused(void **unused) {
    (void)unused;
    assert_refused(run("trace", "caf\xE9", NULL), "UTF-8");
    assert_refused(run("trace", "--text", "\xC0\x80", NULL), "UTF-8");
    assert_refused(run("export", "-o", "\xFF.png", NULL), "UTF-8");
    write_text("bytes.yaml", "attnscope: 1\ntext: \"caf\xE9\"\n");
    assert_refused(run("trace", in_folder("bytes.yaml"), NULL), "bytes.yaml");
}

static void yaml_bombs_are_refused(void **unused) {
    (void)unused;
    write_text("laugh.yaml", "a: &a [x,x,x,x]\nb: &b [*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b]\nd: [*c,*c,*c,*c]\n");
    assert_refused(run("trace", in_folder("laugh.yaml"), NULL), "laugh.yaml:1");
    StrBuf deep;
    sb_init(&deep, command_arena());
    sb_add(&deep, "attnscope: 1\ntokens: ");
    for (int i = 0; i < 100000; i++) sb_add(&deep, "[");
    write_text("deep.yaml", deep.data);
    assert_refused(run("trace", in_folder("deep.yaml"), NULL), "deep.yaml:2");
    write_text("twice.yaml", "attnscope: 1\nmask: none\nmask: causal\n");
    assert_refused(run("trace", in_folder("twice.yaml"), NULL), "twice.yaml:3");
    write_text("key.yaml", "attnscope: 1\nmaks: none\n");
    assert_refused(run("trace", in_folder("key.yaml"), NULL), "key.yaml:2:1: unknown key 'maks'");
    write_text("empty.yaml", "");
    assert_refused(run("trace", in_folder("empty.yaml"), NULL), "empty.yaml");
}

static void very_long_texts_meet_a_stated_limit(void **unused) {
    (void)unused;
    StrBuf text;
    sb_init(&text, command_arena());
    for (int i = 0; i < 20000; i++) sb_add(&text, "word ");
    assert_refused(run("trace", text.data, NULL), "2048");
    StrBuf one;
    sb_init(&one, command_arena());
    for (int i = 0; i < 100000; i++) sb_add(&one, "a");
    Result result = run("export", one.data, "-o", in_folder("long.png"), NULL); /* one token of 100,000 letters */
    assert_code(result, 0);
}

static void nan_in_the_input_is_carried_and_named(void **unused) {
    (void)unused;
    write_text("nan.yaml", "attnscope: 1\ntokens: [\"a\", \"b\"]\nprojections: none\nx: [[nan,0],[0,inf]]\n");
    Result result = run("trace", in_folder("nan.yaml"), NULL);
    assert_code(result, 0);
    json_t *root = parse(&result);
    const json_t *x = json_object_get(json_object_get(json_object_get(root, "tensors"), "x"), "data");
    assert_string_equal(json_string_value(at(at(x, 0), 0)), "NaN");
    assert_string_equal(json_string_value(at(at(x, 1), 1)), "Infinity");
    assert_true(json_array_size(json_object_get(root, "diagnosis")) > 0);
    json_decref(root);
    assert_code(run("trace", in_folder("nan.yaml"), "--strict", NULL), 1);
    for (int stage = 1; stage <= 9; stage++) {
        char number[16];
        snprintf(number, sizeof number, "%d", stage);
        assert_code(run("export", in_folder("nan.yaml"), "--stage", number, "-o", in_folder("nan.png"), NULL), 0);
    }
}

static int set_up(void **unused) {
    (void)unused;
    command_begin("cli");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_is_json_with_every_tensor),
        cmocka_unit_test(tensors_come_in_computing_order),
        cmocka_unit_test(words_and_quotes_give_the_same),
        cmocka_unit_test(any_field_is_an_option),
        cmocka_unit_test(trace_files_go_round), cmocka_unit_test(tied_files_go_round),
        cmocka_unit_test(strict_says_what_is_diagnosed),
        cmocka_unit_test(check_names_the_first_tensor_that_differs),
        cmocka_unit_test(check_says_what_is_wrong_with_own_tensors),
        cmocka_unit_test(check_finds_causes_in_trace_files),
        cmocka_unit_test(broken_trace_files_are_refused),
        cmocka_unit_test(narrate_prints_sentences),
        cmocka_unit_test(explain_says_the_arithmetic),
        cmocka_unit_test(pictures_have_the_size_that_was_asked_for),
        cmocka_unit_test(a_picture_opens_as_what_it_shows),
        cmocka_unit_test(bad_options_say_what_would_be_right),
        cmocka_unit_test(actions_run_before_the_picture),
        cmocka_unit_test(a_zoom_is_of_the_stage_that_is_asked_for),
        cmocka_unit_test(one_document_of_several),
        cmocka_unit_test(every_command_has_help),
        cmocka_unit_test(without_a_display_it_says_what_to_do),
        cmocka_unit_test(bad_bytes_are_refused),
        cmocka_unit_test(yaml_bombs_are_refused),
        cmocka_unit_test(very_long_texts_meet_a_stated_limit),
        cmocka_unit_test(nan_in_the_input_is_carried_and_named),
    };
    int failed = cmocka_run_group_tests(tests, set_up, NULL);
    command_end();
    return failed;
}
