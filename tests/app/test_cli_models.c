/* Models from folders on the command line. Right numbers are those of the folders' reference files. */
#include "app/command.h"

#include <stdio.h>
#include <unistd.h>

#include <jansson.h>

#include "base/file.h"
#include "base/str.h"
#include "model/safetensors.h"

static const char *model(const char *name) {
    return arena_strdup(command_arena(), data_path(arena_printf(command_arena(), "models/%s", name)));
}

static json_t *parse(const Result *result) {
    json_error_t error;
    json_t *root = json_loadb(result->out, result->out_size, 0, &error);
    if (!root) fail_msg("line %d: %s", error.line, error.text);
    return root;
}

static json_t *trace_of(const char *first, const char *text, const char *tensors) {
    Result result = run("trace", "--model", first, text, tensors ? "--tensors" : NULL, tensors, NULL);
    assert_code(result, 0);
    return parse(&result);
}

/* A file with whole numbers among its tensors. */
static SafetensorsHeader open_file(const char *path) {
    SafetensorsHeader header;
    Err err = {0};
    size_t size;
    const char *bytes = slurp(path, &size);
    if (!safetensors_header(bytes, size, path, false, command_arena(), &header, &err)) fail_msg("%s", err.message);
    return header;
}

static const char *meta_of(const SafetensorsHeader *file, const char *key) {
    for (int i = 0; i < file->n_meta; i++)
        if (str_eq(file->meta[i].key, key)) return file->meta[i].value;
    fail_msg("%s: no %s in the metadata", file->file, key);
    return "";
}

static const float *floats_of(const SafetensorsHeader *file, const char *name) {
    Err err = {0};
    const float *floats = NULL;
    const SafetensorsEntry *entry = safetensors_entry(file, name);
    if (!entry || !safetensors_floats(file, entry, command_arena(), &floats, &err)) fail_msg("%s: %s: %s", file->file, name, err.message);
    return floats;
}

static void flatten(const json_t *data, const float *want, size_t *at, double tolerance) {
    if (json_is_array(data)) {
        for (size_t i = 0; i < json_array_size(data); i++) flatten(json_array_get(data, i), want, at, tolerance);
        return;
    }
    assert_near((double)(float)json_number_value(data), (double)want[(*at)++], tolerance);
}

static void trace_has_the_reference_s_numbers(void **unused) {
    (void)unused;
    const char *folder = model("tiny-gpt2");
    SafetensorsHeader ref = open_file(path_join(command_arena(), folder, "ref.safetensors"));
    json_t *root = trace_of(folder, meta_of(&ref, "text"), NULL), *tensors = json_object_get(root, "tensors");
    size_t at = 0;
    flatten(json_object_get(json_object_get(tensors, "layers.1.weights"), "data"), floats_of(&ref, "layers.1.attn"), &at, 1e-4);
    assert_int_equal(at, safetensors_entry(&ref, "layers.1.attn")->count);
    at = 0;
    flatten(json_object_get(json_object_get(tensors, "final_norm"), "data"), floats_of(&ref, "hidden.2"), &at, 1e-3);
    assert_int_equal(at, safetensors_entry(&ref, "hidden.2")->count);
    json_decref(root);
}

static void trained_weights_are_written_only_when_named(void **unused) {
    (void)unused;
    json_t *root = trace_of(model("tiny-gpt2"), "The cat", NULL), *value;
    const char *key;
    json_object_foreach(json_object_get(root, "tensors"), key, value) assert_null(strstr(key, ".w_"));
    assert_true(json_array_size(json_object_get(root, "stages")) > 18);
    json_decref(root);
    root = trace_of(model("tiny-gpt2"), "The cat", "layers.*.w_q,probs");
    assert_int_equal(json_object_size(json_object_get(root, "tensors")), 3);
    const json_t *shape = json_object_get(json_object_get(json_object_get(root, "tensors"), "layers.1.w_q"), "shape");
    assert_int_equal(json_integer_value(json_array_get(shape, 0)), 48);
    json_decref(root);
    assert_refused(run("trace", "--model", model("tiny-gpt2"), "a", "--tensors", "layers.0.wights", NULL), "layers.0.weights");
}

static void a_trace_says_which_model_it_was(void **unused) {
    (void)unused;
    json_t *root = trace_of(model("tiny-gpt2"), "The cat", "probs"), *about = json_object_get(root, "model");
    assert_string_equal(json_string_value(json_object_get(about, "name")), "tiny-gpt2");
    assert_string_equal(json_string_value(json_object_get(about, "architecture")), "GPT2LMHeadModel");
    assert_int_equal(strlen(json_string_value(json_object_get(about, "sha256"))), 64);
    double before = 1;
    const json_t *predictions = json_object_get(root, "predictions");
    assert_true(json_array_size(predictions) > 0);
    for (size_t i = 0; i < json_array_size(predictions); i++) {
        double p = json_number_value(json_object_get(json_array_get(predictions, i), "probability"));
        assert_true(p <= before && p > 0);
        before = p;
    }
    json_decref(root);
}

static void a_trace_file_of_a_network_has_ids_and_scopes(void **unused) {
    (void)unused;
    const char *path = in_folder("network.safetensors");
    assert_code(run("trace", "--model", model("tiny-gpt2"), "The cat sat", "-o", path, NULL), 0);
    SafetensorsHeader file = open_file(path);
    assert_string_equal(meta_of(&file, "kind"), "network");
    assert_string_equal(meta_of(&file, "text"), "The cat sat");
    assert_null(safetensors_entry(&file, "layers.1.w_q"));
    json_t *root = trace_of(model("tiny-gpt2"), "The cat sat", "layers.1.out");
    const json_t *ids = json_array_get(json_object_get(root, "ids"), 0);
    int *stored;
    Err err = {0};
    assert_true(safetensors_ints(&file, safetensors_entry(&file, "input_ids"), command_arena(), &stored, &err));
    for (size_t i = 0; i < json_array_size(ids); i++) assert_int_equal(stored[i], json_integer_value(json_array_get(ids, i)));
    size_t at = 0;
    flatten(json_object_get(json_object_get(json_object_get(root, "tensors"), "layers.1.out"), "data"), floats_of(&file, "layers.1.out"), &at, 0);
    json_decref(root);
}

/* What trace writes, check computes again. */
static void trace_files_of_networks_go_round(void **unused) {
    (void)unused;
    static const char *const names[] = {"tiny-gpt2", "tiny-marian", "tiny-bert-mlm", "tiny-qwen2", "tiny-gpt-neox"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const char *path = in_folder("round.safetensors");
        assert_code(run("trace", "--model", model(names[i]), "The cat sat", "-o", path, NULL), 0);
        Result result = run("check", "--model", model(names[i]), path, "--tol", "0", NULL);
        if (result.code != 0) fail_msg("%s: %s", names[i], result.out);
    }
}

/* The folder as first word and --model are the same thing. */
static void a_folder_may_stand_first(void **unused) {
    (void)unused;
    Result one = run("trace", model("tiny-gpt2"), "The", "cat", "--tensors", "probs", NULL);
    Result two = run("trace", "--model", model("tiny-gpt2"), "The cat", "--tensors", "probs", NULL);
    assert_code(one, 0);
    assert_string_equal(one.out, two.out);
}

static void numbers_of_a_layer_are_explained(void **unused) {
    (void)unused;
    Result result = run("explain", "--model", model("tiny-gpt2"), "The cat sat", "layers.1.weights[2,5,3]", NULL);
    assert_code(result, 0);
    assert_non_null(strstr(result.out, "layers.1.exp"));
    assert_non_null(strstr(result.out, "layers.1.row_sum"));
}

static void pictures_of_layers_and_of_all(void **unused) {
    (void)unused;
    const char *folder = model("tiny-gpt2"), *png = in_folder("layer.png");
    assert_code(run("export", folder, "The cat", "--layer", "2", "--stage", "softmax", "-o", png, NULL), 0);
    Result one = run("dl", folder, "The cat", "--layer", "2", "--stage", "softmax", "--head", "3", NULL);
    assert_code(one, 0);
    static const char *const words[] = {"\"layer\"", "\"2,\"", "\"head\"", "\"3\"", "\"tiny-gpt2\"", "\"trained\"", "\"(SHA-256\""}; /* drawn word by word */
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (!strstr(one.out, words[i])) fail_msg("the figure does not say %s", words[i]);
    Result all = run("dl", folder, "The cat", "--overview", NULL);
    assert_code(all, 0);
    for (int layer = 1; layer <= 2; layer++)
        for (int head = 1; head <= 4; head++)
            assert_non_null(strstr(all.out, arena_printf(command_arena(), "\"overview.map.%d.%d\"", layer, head)));
    Result ffn = run("dl", folder, "The cat", "--stage", "ffn", NULL);
    assert_code(ffn, 0);
    assert_refused(run("export", folder, "a", "--stage", "pool", "-o", png, NULL), "ffn_norm");
    assert_code(run("export", folder, "a", "--stage", "predict", "-o", png, NULL), 0);
    assert_refused(run("export", folder, "a", "--layer", "3", "-o", png, NULL), "2");
}

static void two_texts_have_two_fields(void **unused) {
    (void)unused;
    json_t *root = trace_of(model("tiny-marian"), "the cat", "decoder.layers.0.cross.weights");
    assert_int_equal(json_array_size(json_object_get(root, "tokens")), 1); /* the start token alone */
    assert_true(json_array_size(json_object_get(root, "source")) > 1);
    const json_t *shape = json_object_get(json_object_get(json_object_get(root, "tensors"), "decoder.layers.0.cross.weights"), "shape");
    assert_int_equal(json_integer_value(json_array_get(shape, 1)), 1);
    assert_int_equal(json_integer_value(json_array_get(shape, 2)), json_array_size(json_object_get(root, "source")));
    json_decref(root);
}

/* Words are what the decoder has written where the source is said, else the source; in any order, and from the file too. */
static void a_source_leaves_the_words_to_the_decoder(void **unused) {
    (void)unused;
    const char *folder = model("tiny-marian"), *probs = "decoder.probs";
    Result want = run("trace", "--model", folder, "--source_text", "the cat", "--text", "a dog", "--tensors", probs, NULL);
    assert_code(want, 0);
    const Result same[] = {run("trace", "--model", folder, "a dog", "--source_text", "the cat", "--tensors", probs, NULL),
                           run("trace", "--source_text", "the cat", "--model", folder, "a", "dog", "--tensors", probs, NULL),
                           run("trace", folder, "a", "dog", "--source_text", "the cat", "--tensors", probs, NULL)};
    for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
        assert_code(same[i], 0);
        assert_string_equal(same[i].out, want.out);
    }
    Result bare = run("trace", "--model", folder, "--source_text", "the cat", "--tensors", probs, NULL);
    Result word = run("trace", folder, "the cat", "--tensors", probs, NULL);
    assert_code(bare, 0);
    assert_string_equal(bare.out, word.out);
    assert_string_not_equal(bare.out, want.out);
    assert_refused(run("trace", model("tiny-gpt2"), "a dog", "--source_text", "the cat", NULL), "reads one text");
}

/* The same sentence wherever the option stands. Scale: 1 / sqrt(48 / 4). */
static void what_a_model_has_of_its_own_is_said_in_any_order(void **unused) {
    (void)unused;
    static const char *const refused[][3] = {{"--mask", "none", "mask: The mask of a model from a folder is its own: causal."},
                                             {"--position", "none", "position: The positions of a model from a folder are its own: learned."},
                                             {"--scale", "2", "scale: The scale of a model from a folder is its own: scores times 0.289."},
                                             {"--keep", "[[1]]", "keep: The mask of a model from a folder is its own: causal."},
                                             {"--heads", "2", "heads: The heads of a model from a folder are its own: 4"},
                                             {"--tokenizer", "words", "tokenizer: The tokenizer of a model from a folder is its own: byte-level BPE."},
                                             {"--d_model", "8", "d_model: The numbers of a model from a folder are its own"}};
    const char *folder = model("tiny-gpt2");
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
        const char *key = refused[i][0], *value = refused[i][1], *says = refused[i][2];
        assert_refused(run("trace", key, value, "--model", folder, "a", NULL), says);
        assert_refused(run("trace", "--model", folder, "a", key, value, NULL), says);
        assert_refused(run("trace", folder, "a", key, value, NULL), says);
    }
}

static void folders_that_are_no_model_say_what_one_holds(void **unused) {
    (void)unused;
    const char *empty = arena_strdup(command_arena(), scratch_folder("cli-empty"));
    assert_refused(run("trace", empty, NULL), "model.safetensors");
    assert_refused(run("trace", "--model", empty, "a", NULL), "config.json");
    assert_refused(run("trace", "--model", in_folder("absent"), "a", NULL), "no such folder");
    assert_refused(run("trace", "--model", model("tiny-gpt2"), "a", "--mask", "causal", NULL), "mask");
}

static void a_scenario_may_name_a_folder(void **unused) {
    (void)unused;
    write_text("folder.yaml", arena_printf(command_arena(), "attnscope: 1\ntext: \"The cat\"\nmodel: %s\n", model("tiny-gpt2")));
    Result one = run("trace", in_folder("folder.yaml"), "--tensors", "probs", NULL);
    Result two = run("trace", "--model", model("tiny-gpt2"), "The cat", "--tensors", "probs", NULL);
    assert_code(one, 0);
    assert_string_equal(one.out, two.out);
}

/* A number without its layer is that of the file's layer; one that is not there is refused with its place in the file. */
static void a_scenario_selects_in_its_layer(void **unused) {
    (void)unused;
    static const char *const views[] = {"layer: 2, stage: softmax, selection: \"weights[2, 3, 1]\"", "layer: 2, stage: softmax, selection: \"layers.1.weights[2, 3, 1]\"",
                                        "layer: 2, stage: softmax, selection: \"weights[2, 3, 9]\""};
    Result result[3];
    for (int i = 0; i < 3; i++) {
        write_text("layer.yaml", arena_printf(command_arena(), "attnscope: 1\ntext: \"The cat\"\nmodel: %s\nview: {%s}\n", model("tiny-gpt2"), views[i]));
        result[i] = run("dl", in_folder("layer.yaml"), NULL);
    }
    assert_code(result[0], 0);
    assert_non_null(strstr(result[0].out, "\"inspector.term.1\""));
    assert_string_equal(result[0].out, result[1].out);
    assert_refused(result[2], "layers.1.weights");
}

/* The numbers of a network are no document: check compares them. */
static void a_network_s_trace_file_is_for_check(void **unused) {
    (void)unused;
    const char *path = in_folder("whole.safetensors");
    assert_code(run("trace", "--model", model("tiny-gpt2"), "The cat", "-o", path, NULL), 0);
    const char *says = arena_printf(command_arena(), "attnscope check --model FOLDER %s", path);
    assert_refused(run("export", path, "-o", in_folder("none.png"), NULL), says);
    assert_refused(run("check", path, NULL), says);
    assert_refused(run("dl", path_join(command_arena(), model("tiny-gpt2"), "ref.safetensors"), NULL), "check --model FOLDER");
}

static int set_up(void **unused) {
    (void)unused;
    command_begin("cli-models");
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trace_has_the_reference_s_numbers),
        cmocka_unit_test(trained_weights_are_written_only_when_named),
        cmocka_unit_test(a_trace_says_which_model_it_was),
        cmocka_unit_test(a_trace_file_of_a_network_has_ids_and_scopes),
        cmocka_unit_test(trace_files_of_networks_go_round),
        cmocka_unit_test(a_folder_may_stand_first),
        cmocka_unit_test(numbers_of_a_layer_are_explained),
        cmocka_unit_test(pictures_of_layers_and_of_all),
        cmocka_unit_test(two_texts_have_two_fields),
        cmocka_unit_test(a_source_leaves_the_words_to_the_decoder),
        cmocka_unit_test(what_a_model_has_of_its_own_is_said_in_any_order),
        cmocka_unit_test(folders_that_are_no_model_say_what_one_holds),
        cmocka_unit_test(a_scenario_may_name_a_folder),
        cmocka_unit_test(a_scenario_selects_in_its_layer),
        cmocka_unit_test(a_network_s_trace_file_is_for_check),
    };
    int failed = cmocka_run_group_tests(tests, set_up, NULL);
    command_end();
    return failed;
}
