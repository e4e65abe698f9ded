/* Folders that lie: whatever is in them, opening gives an error that says where and what, or a model that is right. */
#include "model_kit.h"

#include <stdio.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "model/safetensors.h"

static Arena arena;
static const char weights[] = "model.safetensors";

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* The whole message of a folder that must not open. */
static const char *refused(const char *folder) {
    Checkpoint *checkpoint = NULL;
    Err err = {0};
    char text[1200];
    if (checkpoint_open(folder, 1, &checkpoint, &err)) fail_msg("%s was opened", folder);
    assert_null(checkpoint);
    return arena_strdup(&arena, err_format(&err, text, sizeof text));
}

static void want_words(const char *text, const char *const *words, int n) {
    for (int i = 0; i < n; i++)
        if (words[i] && !strstr(text, words[i])) fail_msg("\"%s\" lacks \"%s\"", text, words[i]);
}
#define assert_words(text, ...) \
    want_words((text), (const char *const[]){__VA_ARGS__}, (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(char *)))

/* Does a folder open and meet its own reference? */
static bool is_right(const char *folder) {
    Model model = model_open(folder);
    CheckpointRow *rows;
    int n;
    Err err = {0};
    if (!checkpoint_check(model.checkpoint, path_join(&arena, folder, "ref.safetensors"), -1, &(CoreContext){0}, &arena, &rows, &n, &err)) fail_msg("%s", err.message);
    bool right = n > 0;
    for (int i = 0; i < n; i++) right = right && !rows[i].differs && !rows[i].unknown;
    model_close(&model);
    return right;
}

/* ---- cut off ---- */

static void test_cut_off(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "cut", &arena);
    size_t size, header;
    char *bytes = model_read(folder, weights, &size, &arena);
    uint64_t length;
    memcpy(&length, bytes, 8);
    header = 8 + (size_t)length;
    const size_t cuts[] = {0, 1, 7, 8, 9, 100, header / 2, header - 1, header, header + 1, header + 576, header + (size - header) / 2, size - 4, size - 1};
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        model_write(folder, weights, bytes, cuts[i]);
        assert_words(refused(folder), weights);
    }
    char *longer = arena_alloc(&arena, size + 4, 1);
    memcpy(longer, bytes, size);
    model_write(folder, weights, longer, size + 4);
    assert_words(refused(folder), weights, "follow the header");
    model_write(folder, weights, bytes, size);
    assert_true(is_right(folder));
}

static void test_header_length_lies(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "length", &arena);
    size_t size;
    char *bytes = model_read(folder, weights, &size, &arena);
    const uint64_t lengths[] = {0, 1, 2, 1000, size, size - 8, size - 7, 100000001, UINT64_MAX, UINT64_MAX - 7, (uint64_t)1 << 63, (uint64_t)1 << 32};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        memcpy(bytes, &lengths[i], 8);
        model_write(folder, weights, bytes, size);
        assert_words(refused(folder), weights);
    }
}

/* ---- headers that lie, in texts of the same length ---- */

static void test_header_lies(void **state) {
    (void)state;
    static const struct {
        const char *from, *to, *says[3];
    } lies[] = {
        {"\"shape\":[48,144],\"data_offsets\":[576,28224]", "\"shape\":[144,48],\"data_offsets\":[576,28224]", {"transformer.h.0.attn.c_attn.weight has shape [144, 48]", "[48, 144]"}},
        {"\"shape\":[48,144],\"data_offsets\":[576,28224]", "\"shape\":[ 6912 ],\"data_offsets\":[576,28224]", {"c_attn.weight has shape [6912]", "[48, 144]"}},
        {"\"shape\":[48,144]", "\"shape\":[48,145]", {"c_attn.weight", "[48, 145]", "27840 bytes"}},
        {"\"shape\":[144]", "\"shape\":[145]", {"c_attn.bias", "[145]"}},
        {"\"shape\":[144]", "\"shape\":[-1 ]", {"c_attn.bias", "dimension 1"}},
        {"[576,28224]", "[572,28220]", {"overlap"}},
        {"[576,28224]", "[28224,576]", {"do not lie within"}},
        {"[576,28224]", "[576,99999]", {"c_attn.weight", "its data_offsets hold 99423"}},
        {"[576,28224]", "[576,2822 ]", {"c_attn.weight"}},
        {"\"dtype\":\"F32\",\"shape\":[144]", "\"dtype\":\"I32\",\"shape\":[144]", {"c_attn.bias", "holds I32", "F32, F16, BF16 or F64"}},
        {"\"dtype\":\"F32\",\"shape\":[48,144]", "\"dtype\":\"F16\",\"shape\":[48,144]", {"c_attn.weight", "13824 bytes"}},
        {"\"dtype\":\"F32\",\"shape\":[48,144]", "\"dtype\":\"F99\",\"shape\":[48,144]", {"c_attn.weight", "holds F99"}},
        {"transformer.h.0.ln_1.weight", "transformer.h.0.ln_9.weight", {"tensor transformer.h.0.ln_1.weight is missing", "GPT-2", "[48]"}},
        {"transformer.h.1.mlp.c_fc.bias", "transformer.h.1.mlp.c_fx.bias", {"tensor transformer.h.1.mlp.c_fc.bias is missing", "[192]"}},
        {"transformer.wte.weight", "transformer.wtf.weight", {"tensor transformer.wte.weight is missing", "[320, 48]"}},
        {"transformer.wpe.weight", "transformer.wp\\u0000.weig", {"JSON"}},
        {"transformer.h.0.ln_1.bias", "transformer.h.1.ln_1.bias", {"uplicate"}},
    };
    const char *folder = model_copy("tiny-gpt2", "lies", &arena);
    size_t size;
    char *bytes = model_read(folder, weights, &size, &arena), *changed = arena_alloc(&arena, size, 1);
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        memcpy(changed, bytes, size);
        char *at = memmem(changed, size, lies[i].from, strlen(lies[i].from));
        if (!at) fail_msg("no %s", lies[i].from);
        memcpy(at, lies[i].to, strlen(lies[i].to) < strlen(lies[i].from) ? strlen(lies[i].to) : strlen(lies[i].from));
        model_write(folder, weights, changed, size);
        const char *said = refused(folder);
        assert_words(said, weights);
        want_words(said, lies[i].says, 3);
    }
}

/* Any single changed bit of the header: an error, or a model; never a read outside the file (the sanitizer sees to that). */
static void test_any_bit_of_the_header(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-bert-mlm", "bits", &arena);
    size_t size;
    uint64_t length;
    char *bytes = model_read(folder, weights, &size, &arena);
    memcpy(&length, bytes, 8);
    unlink(path_join(&arena, folder, "tokenizer.json"));
    unlink(path_join(&arena, folder, "vocab.txt"));
    for (size_t at = 0; at < 8 + length; at += at < 400 ? 1 : 23) {
        bytes[at] ^= (char)(1 << at % 8);
        model_write(folder, weights, bytes, size);
        Checkpoint *checkpoint;
        Err err = {0};
        if (checkpoint_open(folder, 1, &checkpoint, &err)) checkpoint_drop(checkpoint);
        else assert_true(err.message[0] != '\0' && strstr(err.file, weights));
        bytes[at] ^= (char)(1 << at % 8);
    }
}

/* ---- layouts that are allowed ---- */

/* The same numbers at addresses that no float may have: they are copied, and right. */
static void test_unaligned(void **state) {
    (void)state;
    static const char *const names[] = {"tiny-gpt2", "tiny-mistral", "tiny-qwen2"};
    for (int i = 0; i < 3; i++)
        for (size_t shift = 1; shift < 4; shift++) {
            const char *folder = model_copy(names[i], "unaligned", &arena);
            size_t size;
            uint64_t length;
            char *bytes = model_read(folder, weights, &size, &arena), *moved = arena_alloc(&arena, size + shift, 1);
            memcpy(&length, bytes, 8);
            memcpy(moved + 8, bytes + 8, (size_t)length);
            memset(moved + 8 + length, ' ', shift);
            memcpy(moved + 8 + length + shift, bytes + 8 + length, size - 8 - (size_t)length);
            length += shift;
            memcpy(moved, &length, 8);
            model_write(folder, weights, moved, size + shift);
            assert_true(is_right(folder));
        }
}

/* All numbers as doubles. */
static void test_doubles(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "doubles", &arena);
    size_t size;
    char *bytes = model_read(folder, weights, &size, &arena);
    SafetensorsHeader header;
    Err err = {0};
    StrBuf text;
    size_t numbers = 0;
    sb_init(&text, &arena);
    assert_true(safetensors_header(bytes, size, weights, false, &arena, &header, &err));
    double *data = arena_alloc(&arena, size / 4, sizeof *data);
    for (int i = 0; i < header.n_entries; i++) {
        const SafetensorsEntry *entry = &header.entries[i];
        const float *floats;
        char shape[SAFETENSORS_SHAPE_TEXT];
        assert_true(safetensors_floats(&header, entry, &arena, &floats, &err));
        sb_printf(&text, "%s\"%s\":{\"dtype\":\"F64\",\"shape\":%s,\"data_offsets\":[%zu,%zu]}", i > 0 ? "," : "{", entry->name,
                  safetensors_shape_text(entry, shape), 8 * numbers, 8 * (numbers + entry->count));
        for (size_t k = 0; k < entry->count; k++) data[numbers++] = (double)floats[k];
    }
    sb_add(&text, "}");
    uint64_t length = text.length;
    char *made = arena_alloc(&arena, 8 + text.length + 8 * numbers, 1);
    memcpy(made, &length, 8);
    memcpy(made + 8, text.data, text.length);
    memcpy(made + 8 + text.length, data, 8 * numbers);
    model_write(folder, weights, made, 8 + text.length + 8 * numbers);
    assert_true(is_right(folder));
    Model model = model_open(folder);
    assert_string_equal(checkpoint_info(model.checkpoint)->stored_as, "F64");
    model_close(&model);
}

/* ---- shards ---- */

static void test_shards(void **state) {
    (void)state;
    static const char index[] = "model.safetensors.index.json", first[] = "model-00001-of-00002.safetensors", second[] = "model-00002-of-00002.safetensors";
    static const struct {
        const char *from, *to, *says[3];
    } lies[] = {
        {"\"embed_out.weight\": \"model-00001", "\"embed_out.waight\": \"model-00001", {"embed_out.waight", "is in no file", "model-00001-of-00002"}},
        {"\"embed_out.weight\": \"model-00001", "\"embed_out.weight\": \"model-00002", {"embed_out.weight", "should be in model-00002-of-00002", "in model-00001-of-00002"}},
        {"\"embed_out.weight\": \"model-00001", "\"embed_out.weight\": \"model-00003", {"model-00003-of-00002.safetensors", "No such file"}},
        {"\"embed_out.weight\": \"model-00001", "\"embed_out.weight\": \"../model-00001", {"embed_out.weight", "in the same folder"}},
        {"\"embed_out.weight\": \"model-00001", "\"embed_out.weight\": \"/etc/passwd", {"embed_out.weight", "in the same folder"}},
        {"\"embed_out.weight\": \"model-00001-of-00002.safetensors\"", "\"embed_out.weight\": 1", {"embed_out.weight"}},
        {"\"embed_out.weight\": \"model-00001-of-00002.safetensors\"", "\"embed_out.weight\": \"config.json\"", {"config.json"}},
        {"\"weight_map\"", "\"wait_map\"", {"no weight_map"}},
        {"{", "[", {"JSON"}},
        {"{", "", {"JSON"}},
    };
    for (size_t i = 0; i < sizeof lies / sizeof *lies; i++) {
        const char *folder = model_copy("tiny-gpt-neox", "shards", &arena);
        model_replace(folder, index, lies[i].from, lies[i].to);
        want_words(refused(folder), lies[i].says, 3);
    }
    const char *folder = model_copy("tiny-gpt-neox", "shards", &arena);
    unlink(path_join(&arena, folder, second));
    assert_words(refused(folder), second, "No such file");
    folder = model_copy("tiny-gpt-neox", "shards", &arena);
    size_t size;
    char *bytes = model_read(folder, first, &size, &arena);
    model_write(folder, second, bytes, size);
    assert_words(refused(folder), "stands in two files", first, second);
    folder = model_copy("tiny-gpt-neox", "shards", &arena);
    unlink(path_join(&arena, folder, index)); /* shards alone are not random weights */
    assert_words(refused(folder), first, index);
}

/* ---- folders ---- */

static void test_not_a_model(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "not", &arena);
    assert_words(refused(path_join(&arena, folder, "absent")), "absent", "not a folder", "config.json");
    assert_words(refused(path_join(&arena, folder, "config.json")), "not a folder");
    unlink(path_join(&arena, folder, "config.json"));
    assert_words(refused(folder), "has no config.json");
}

static void test_weights_of_other_kinds(void **state) {
    (void)state;
    static const char *const names[] = {"pytorch_model.bin", "model.ckpt.index", "tf_model.h5", "weights.gguf", "other.safetensors", "consolidated.00.pth"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = arena_strdup(&arena, scratch_folder("other"));
        size_t size;
        char *config = model_read(path_join(&arena, data_path("models"), "tiny-gpt2"), "config.json", &size, &arena);
        model_write(folder, "config.json", config, size);
        model_write(folder, names[i], "x", 1);
        assert_words(refused(folder), names[i], weights);
    }
    const char *folder = arena_strdup(&arena, scratch_folder("link"));
    size_t size;
    char *config = model_read(path_join(&arena, data_path("models"), "tiny-gpt2"), "config.json", &size, &arena);
    model_write(folder, "config.json", config, size);
    assert_int_equal(symlink("nowhere", path_join(&arena, folder, weights)), 0);
    assert_words(refused(folder), weights);
    unlink(path_join(&arena, folder, weights));
}

/* A tokenizer that cannot be read does not keep the numbers from being seen. */
static void test_broken_tokenizer(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "tokenizer", &arena);
    model_write(folder, "tokenizer.json", "{", 1);
    assert_true(is_right(folder));
    Model model = model_open(folder);
    assert_null(checkpoint_encoder(model.checkpoint));
    assert_words(checkpoint_info(model.checkpoint)->tokenizer_problem, "tokenizer.json");
    Encoding encoding;
    int cut;
    Err err = {0};
    assert_false(checkpoint_encode(model.checkpoint, 0, "text", NULL, &arena, &encoding, &cut, &err));
    assert_true(err.message[0] != '\0');
    model_close(&model);
}

/* ---- changed while it is open ---- */

static void test_changed_while_open(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "changed", &arena);
    Model model = model_open(folder);
    int ids[] = {1, 2, 3};
    CheckpointIds both[2] = {{.n = 3, .ids = ids}};
    NetworkSpec spec;
    WeightSource source;
    Err err = {0};
    assert_true(checkpoint_unchanged(model.checkpoint));
    assert_true(checkpoint_network(model.checkpoint, both, -2, &arena, &spec, &source, &err));
    assert_int_equal(truncate(path_join(&arena, folder, weights), 5000), 0);
    assert_false(checkpoint_unchanged(model.checkpoint));
    assert_false(checkpoint_network(model.checkpoint, both, -2, &arena, &spec, &source, &err));
    assert_words(err.message, weights, "5000 bytes now");
    model_close(&model);
}

static void test_references_are_counted(void **state) {
    (void)state;
    Model model = model_open(path_join(&arena, data_path("models"), "tiny-gpt2"));
    int ids[] = {1, 2, 3};
    assert_ptr_equal(checkpoint_keep(model.checkpoint), model.checkpoint);
    checkpoint_drop(model.checkpoint);
    model_run(&model, ids, 3, NULL, 0); /* still there */
    checkpoint_drop(NULL);
    assert_null(checkpoint_keep(NULL));
    model_close(&model);
}

/* ---- what is asked of a model ---- */

static void test_ids(void **state) {
    (void)state;
    static const struct {
        int n, id, row;
        const char *says[2];
    } bad[] = {{0, 1, -2, {"no tokens"}},        {3, 320, -2, {"token 3 has id 320", "vocabulary of 320"}}, {3, -1, -2, {"id -1"}},
               {129, 1, -2, {"129 tokens", "places for 128"}}, {3, 1, 3, {"there is no token 4", "has 3"}}};
    Model model = model_open(path_join(&arena, data_path("models"), "tiny-gpt2"));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        int ids[129] = {0};
        NetworkSpec spec;
        WeightSource source;
        Err err = {0};
        if (bad[i].n > 0) ids[bad[i].n - 1] = bad[i].id;
        CheckpointIds both[2] = {{.n = bad[i].n, .ids = ids}};
        assert_false(checkpoint_network(model.checkpoint, both, bad[i].row, &arena, &spec, &source, &err));
        want_words(err.message, bad[i].says, 2);
    }
    model_close(&model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_off), cmocka_unit_test(test_header_length_lies), cmocka_unit_test(test_header_lies),
        cmocka_unit_test(test_any_bit_of_the_header), cmocka_unit_test(test_unaligned), cmocka_unit_test(test_doubles), cmocka_unit_test(test_shards),
        cmocka_unit_test(test_not_a_model), cmocka_unit_test(test_weights_of_other_kinds), cmocka_unit_test(test_broken_tokenizer),
        cmocka_unit_test(test_changed_while_open), cmocka_unit_test(test_references_are_counted), cmocka_unit_test(test_ids),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
