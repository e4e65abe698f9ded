/* tokenize on the command line: the table, lines of JSON, bad lines, refusals. */
#include "app/command.h"

#include <stdio.h>
#include <sys/wait.h>

#include <jansson.h>

#include "base/str.h"

static const char *model_folder(const char *name) {
    return arena_printf(command_arena(), "%s/%s", data_path("models"), name);
}

/* With a file as standard input. */
static Result run_with(const char *input, const char *words) {
    Arena *arena = command_arena();
    char *out = in_folder("out"), *err = in_folder("err");
    size_t ignored;
    const char *line = arena_printf(arena, "%s/attnscope %s <'%s' >'%s' 2>'%s'", TEST_BUILD, words, in_folder(input), out, err);
    int status = system(line);
    Result result = {.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1};
    result.out = slurp(out, &result.out_size);
    result.err = slurp(err, &ignored);
    return result;
}

static void table(void **state) {
    (void)state;
    Result result = run("tokenize", "--model", model_folder("tiny-bert-mlm"), "The", "你好 cat", NULL);
    assert_code(result, 0);
    /* ids of the folder's vocab.txt: the line's number less one */
    assert_string_equal(result.out,
                        "    #       ID  CHARACTERS   PIECE             FROM\n"
                        "    1        2               [CLS]             added by the tokenizer\n"
                        "    2      134  0-3          the               \"The\"\n"
                        "    3        1  4-5          [UNK]             \"你\"\n"
                        "    4       76  5-6          好                \"好\"\n"
                        "    5      144  7-10         cat               \"cat\"\n"
                        "    6        3               [SEP]             added by the tokenizer\n"
                        "6 tokens, 2 of them added; WordPiece with 254 pieces\n");
    result = run("tokenize", "The cat,", "你好", NULL); /* the program's own words have no ids */
    assert_code(result, 0);
    assert_string_equal(result.out,
                        "    #  CHARACTERS   PIECE             FROM\n"
                        "    1  0-3          The               \"The\"\n"
                        "    2  4-7          cat               \"cat\"\n"
                        "    3  7-8          ,                 \",\"\n"
                        "    4  9-10         你                \"你\"\n"
                        "    5  10-11        好                \"好\"\n"
                        "5 tokens; the program's own words\n");
}

static void standard_input(void **state) {
    (void)state;
    write_text("text", "The cat\n");
    Result result = run_with("text", arena_printf(command_arena(), "tokenize --model '%s'", model_folder("tiny-gpt2")));
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "3-5          ␣c                \" c\"\n"));
    assert_non_null(strstr(result.out, "3 tokens; byte-level BPE with 320 pieces\n"));
}

static bool same(const json_t *line, const char *key, const char *want) {
    char *text = json_dumps(json_object_get(line, key), JSON_COMPACT);
    bool equal = text != NULL && strcmp(text, want) == 0;
    if (!equal) print_error("%s is %s, not %s\n", key, text, want);
    free(text);
    return equal;
}

/* Each line gives one line; the bad ones are told by number. */
static void lines(void **state) {
    (void)state;
    write_text("lines", "{\"text\": \"How are you?\", \"pair\": \"Fine\"}\nno\n{\"text\": 5}\n\n{\"text\": \"a\\u0000\"}\n{\"pair\": \"x\"}\n{\"text\": \"\"}");
    Result result = run_with("lines", arena_printf(command_arena(), "tokenize --jsonl --model '%s'", model_folder("tiny-roberta")));
    assert_code(result, 1);
    assert_string_equal(result.err, "attnscope: standard input:2: a value is expected here\n"
                                    "attnscope: standard input:3: \"text\" is a number; a string is expected\n"
                                    "attnscope: standard input:6: \"text\" is nothing; a string is expected\n");
    static const char *const ids[] = {"[43,82,90,263,264,224,92,82,88,34,41,297,72]", NULL, NULL, "[68,192]", NULL, "[]"};
    static const char *const all[] = {"[0,43,82,90,263,264,224,92,82,88,34,2,2,41,297,72,2]", NULL, NULL, "[0,68,192,2]", NULL, "[0,2]"};
    int n = 0;
    for (char *line = result.out, *end; *line; line = end + 1, n++) {
        end = strchr(line, '\n');
        assert_non_null(end);
        json_t *object = json_loadb(line, (size_t)(end - line), JSON_ALLOW_NUL, NULL);
        assert_non_null(object);
        assert_true(n < 6);
        assert_int_equal(json_object_get(object, "error") != NULL, ids[n] == NULL);
        if (ids[n]) assert_true(same(object, "ids", ids[n]) && same(object, "ids_special", all[n]));
        /* a token that is nothing but a space has no place: trim_offsets */
        if (n == 0) assert_true(same(object, "offsets", "[[0,1],[1,2],[2,3],[4,5],[5,7],[8,8],[8,9],[9,10],[10,11],[11,12],[0,1],[1,3],[3,4]]"));
        if (n == 3) assert_true(same(object, "byte_offsets", "[[0,1],[1,2]]") && same(object, "type_ids", "[0,0,0,0]"));
        json_decref(object);
    }
    assert_int_equal(n, 6);
}

static void refusals(void **state) {
    (void)state;
    assert_refused(run("tokenize", "--jsonl", NULL), "--jsonl needs --model");
    assert_refused(run("tokenize", "--jsonl", "--model", model_folder("tiny-gpt2"), "word", NULL), "found the word \"word\"");
    assert_refused(run("tokenize", "--model", in_folder("nowhere"), "a", NULL), "tokenizer.json");
    assert_refused(run("trace", "--jsonl", "a", NULL), "it belongs to tokenize");
}

int main(void) {
    command_begin("cli_tokenize");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table),
        cmocka_unit_test(standard_input),
        cmocka_unit_test(lines),
        cmocka_unit_test(refusals),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    command_end();
    return failed;
}
