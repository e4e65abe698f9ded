/* `models` and `check --model` as a user meets them. */
#include "command.h"

#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

/* A folder or file of tests/data/models. */
static const char *in_models(const char *name) {
    return arena_printf(command_arena(), "%s/%s", data_path("models"), name);
}

static void want_text(const char *text, const char *part, const char *file, int line) {
    if (strstr(text, part)) return;
    print_error("\"%s\" lacks \"%s\"\n", text, part);
    _fail(file, line);
}
#define assert_says(text, part) want_text((text), (part), __FILE__, __LINE__)

/* The line that begins with a word. */
static const char *line_of(const char *text, const char *word) {
    for (const char *at = text; at && *at; at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL)
        if (str_starts(at, word)) return arena_strndup(command_arena(), at, strcspn(at, "\n"));
    fail_msg("no line begins with %s:\n%s", word, text);
    return "";
}

/* ---- models ---- */

static void one_line_a_folder(void **state) {
    (void)state;
    int lines = 0;
    Result result = run("models", data_path("models"), NULL);
    assert_code(result, 0);
    for (const char *at = result.out; *at; at++) lines += *at == '\n';
    assert_int_equal(lines, 13); /* titles and twelve models */
    assert_true(str_starts(result.out, "FOLDER"));
    const char *llama = line_of(result.out, in_models("tiny-llama3"));
    assert_says(llama, "LlamaForCausalLM");
    assert_says(llama, " 4/1 ");
    assert_says(llama, " 45.0 k F32 ");
    assert_says(llama, "byte-level BPE");
    assert_says(llama, "5fbca93dbb09 ");
    assert_true(str_ends(llama, "  yes"));
    const char *bart = line_of(result.out, in_models("tiny-bart"));
    assert_says(bart, " 2+2 ");
    assert_says(bart, " 4+5 ");
    assert_says(line_of(result.out, in_models("tiny-gpt-neox")), "yes, 6 tensors not used");
    assert_says(line_of(result.out, in_models("tiny-qwen2")), " 55.0 k BF16 ");
}

static void full_says_all(void **state) {
    (void)state;
    Result result = run("models", in_models("tiny-gpt-neox"), in_models("tiny-gpt2"), "--full", NULL);
    assert_code(result, 0);
    assert_says(result.out, "    not used: gpt_neox.layers.0.attention.masked_bias\n");
    const char *line = line_of(result.out, in_models("tiny-gpt2")), *hash = strstr(line, "3081460550f3");
    assert_says(line, " 78144 F32 ");
    assert_non_null(hash);
    assert_int_equal(strspn(hash, "0123456789abcdef"), 64);
}

static void what_cannot_be_run(void **state) {
    (void)state;
    const char *folder = in_folder("strange");
    Err err = {0};
    assert_true(file_make_folders(folder, &err));
    file_remove(in_folder("strange/config.json")); /* of a test before */
    Result result = run("models", folder, NULL);
    assert_code(result, 1);
    assert_says(result.out, "no: no model lies in it");
    write_text("strange/config.json", "{\"model_type\": \"mamba\"}");
    result = run("models", folder, NULL);
    assert_code(result, 1);
    assert_says(line_of(result.out, folder), "no: ");
    assert_says(line_of(result.out, folder), "mamba is not known");
    result = run("models", folder, in_models("tiny-gpt2"), NULL); /* one of two is enough */
    assert_code(result, 0);
    assert_says(result.out, "mamba");
    result = run("models", "absent", NULL);
    assert_code(result, 1);
    assert_says(result.out, "not a folder");
    assert_refused(run("models", NULL), "models needs a folder");
}

static void random_ones_are_told(void **state) {
    (void)state;
    Err err = {0};
    assert_true(file_make_folders(in_folder("random"), &err));
    write_text("random/config.json", "{\"model_type\": \"gpt2\", \"n_layer\": 12, \"n_head\": 12, \"n_embd\": 768, \"n_positions\": 1024, \"vocab_size\": 50257}");
    Result result = run("models", in_folder("random"), "--full", NULL);
    assert_code(result, 0);
    assert_says(result.out, " 124439808 F32 "); /* GPT-2's published number of parameters */
    assert_says(result.out, "yes, with random weights");
    assert_says(result.out, ", on token ids: ");
}

/* Without a tokenizer the text is a list of ids. */
static void token_ids(void **state) {
    (void)state;
    Err err = {0};
    assert_true(file_make_folders(in_folder("bare"), &err));
    write_text("bare/config.json", "{\"model_type\": \"gpt2\", \"n_layer\": 2, \"n_head\": 2, \"n_embd\": 8, \"n_positions\": 16, \"vocab_size\": 6}");
    const char *bare = in_folder("bare");
    Result result = run("trace", "--model", bare, NULL);
    assert_code(result, 0);
    assert_says(result.out, "\"ids\": [[0, 1, 2, 3, 4, 5]]"); /* as many as the default sentence has words */
    result = run("trace", bare, "3", "1,2", NULL);
    assert_code(result, 0);
    assert_says(result.out, "\"ids\": [[3, 1, 2]]");
    assert_refused(run("trace", bare, "The", "cat", NULL), "'The' is not a token id: bare has no tokenizer, and its text is a list of ids from 0 to 5");
    assert_refused(run("trace", "--model", bare, "2 6", NULL), "'6' is not a token id");
    assert_refused(run("trace", "--model", bare, "--text", "2 x", NULL), "'x' is not a token id");
    assert_refused(run("trace", "--model", bare, "00000000000000000000000000000000000000000000000001", NULL), "is not a token id");
    assert_refused(run("trace", "--model", bare, "99999999999999999999", NULL), "is not a token id");
    result = run("tokenize", "--model", bare, "3", "1,2", NULL);
    assert_code(result, 0);
    assert_says(result.out, "    3        2  4-5 ");
    assert_says(result.out, "3 tokens; token ids from 0 to 5 (no tokenizer)");
    assert_refused(run("tokenize", "--model", bare, "cat", NULL), "'cat' is not a token id");
    assert_says(line_of(run("models", bare, NULL).out, bare), "on token ids");
}

/* A name that is a folder's is not taken for a text. */
static void a_folder_without_a_model_is_refused(void **state) {
    (void)state;
    Err err = {0};
    char here[4096];
    assert_true(file_make_folders(in_folder("home"), &err));
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(in_folder("")), 0);
    Result alone = run("trace", "home", NULL), option = run("trace", "--model", "home", NULL), words = run("trace", "home", "again", "-o", "t.safetensors", NULL);
    assert_int_equal(chdir(here), 0);
    assert_refused(alone, "home holds no model: there is no config.json in it");
    assert_refused(option, "home holds no model: there is no config.json in it");
    assert_code(words, 0);
}

/* ---- check --model ---- */

static void every_folder_agrees(void **state) {
    (void)state;
    static const char *const names[] = {"tiny-gpt2", "tiny-bert-mlm", "tiny-bart"};
    for (int i = 0; i < 3; i++) {
        const char *folder = in_models(names[i]);
        Result result = run("check", "--model", folder, path_join(command_arena(), folder, "ref.safetensors"), NULL);
        assert_code(result, 0);
        assert_says(result.out, "tensors agree\n");
        assert_says(result.out, "   ok\n");
        assert_null(strstr(result.out, "DIFFERS"));
    }
}

static void another_model_differs(void **state) {
    (void)state;
    const char *gpt2 = in_models("tiny-gpt2"), *gpt2_ref = in_models("tiny-gpt2/ref.safetensors"), *qwen2_ref = in_models("tiny-qwen2/ref.safetensors");
    Result result = run("check", "--model", gpt2, gpt2_ref, "--tol", "0", NULL);
    assert_code(result, 1);
    assert_says(result.out, "of        0   DIFFERS\n");
    assert_says(result.out, "layers.1.attn is the first, at [");
    assert_code(run("check", "--model", gpt2, gpt2_ref, "--tol", "1e-4", NULL), 0);
    result = run("check", "--model", in_models("tiny-qwen2"), gpt2_ref, qwen2_ref, NULL);
    assert_code(result, 1); /* the second is compared all the same */
    assert_says(result.out, "DIFFERS");
    assert_says(result.out, "tiny-qwen2/ref.safetensors: all 2 tensors agree");
}

static void wrong_use(void **state) {
    (void)state;
    const char *gpt2 = in_models("tiny-gpt2"), *ref = in_models("tiny-gpt2/ref.safetensors");
    assert_refused(run("check", "--model", gpt2, NULL), "needs a file of reference numbers");
    assert_refused(run("check", "--model", "absent", ref, NULL), "absent is not a folder");
    assert_refused(run("check", "--tol", "1", ref, NULL), "attnscope check --model FOLDER");
    assert_refused(run("check", "--model", gpt2, "--tol", "-1", ref, NULL), "--tol takes a number from 0");
    assert_refused(run("check", "--model", gpt2, in_models("tiny-gpt2/model.safetensors"), NULL), "there is no tensor input_ids");
    assert_refused(run("check", "--model", gpt2, in_models("tiny-gpt2/config.json"), NULL), "config.json");
    assert_refused(run("check", "--model", in_models("tiny-bart"), ref, NULL), "there is no tensor decoder_input_ids");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_line_a_folder), cmocka_unit_test(full_says_all), cmocka_unit_test(what_cannot_be_run), cmocka_unit_test(random_ones_are_told), cmocka_unit_test(token_ids),
        cmocka_unit_test(a_folder_without_a_model_is_refused),
        cmocka_unit_test(every_folder_agrees), cmocka_unit_test(another_model_differs), cmocka_unit_test(wrong_use),
    };
    command_begin("cli_folders");
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    command_end();
    return failed;
}
