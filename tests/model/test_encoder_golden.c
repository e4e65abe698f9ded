/* Encodings of the reference library (Rust, 0.23.2), one JSON object a line: small tokenizers here, the real ones where the
 * folder of models lies beside the project. ids, tokens, places in characters and bytes, with and without added tokens. */
#include "support/support.h"

#include "base/file.h"
#include "base/str.h"
#include "model/encoder.h"
#include "model/json_tree.h"

typedef struct {
    const char *tokenizer, *golden; /* below the folder of models */
    int lines;
} Set;

/* ---- one line ---- */

static bool same_ints(const JsonNode *want, const int *got, int n) {
    if (want == NULL) return true;
    if (want->n != n) return false;
    for (int i = 0; i < n; i++)
        if (want->as.items[i].as.number != got[i]) return false;
    return true;
}

static bool same_spans(const JsonNode *want, const int *start, const int *end, int n) {
    if (want == NULL) return true;
    if (want->n != n) return false;
    for (int i = 0; i < n; i++) {
        const JsonNode *span = want->as.items[i].as.items;
        if (span[0].as.number != start[i] || span[1].as.number != end[i]) return false;
    }
    return true;
}

static bool same_tokens(const JsonNode *want, const char *const *got, int n) {
    if (want == NULL) return true;
    if (want->n != n) return false;
    for (int i = 0; i < n; i++)
        if (!str_eq(want->as.items[i].as.text, got[i])) return false;
    return true;
}

/* What differs; NULL = nothing. */
static const char *compare(const JsonNode *line, const Encoding *plain, const Encoding *special) {
    const JsonNode *ids = json_tree_get(line, "ids"), *all = json_tree_get(line, "ids_special");
    if (ids == NULL) return "no ids in the golden line";
    if (!same_ints(ids, plain->ids, plain->n)) return "ids";
    if (!same_ints(all != NULL ? all : ids, special->ids, special->n)) return "ids_special";
    if (!same_tokens(json_tree_get(line, "tokens"), plain->pieces, plain->n)) return "tokens";
    if (!same_spans(json_tree_get(line, "offsets"), plain->char_start, plain->char_end, plain->n)) return "offsets";
    if (!same_spans(json_tree_get(line, "byte_offsets"), plain->start, plain->end, plain->n)) return "byte_offsets";
    if (!same_ints(json_tree_get(line, "type_ids"), special->type_ids, special->n)) return "type_ids";
    return NULL;
}

static const char *check_line(const Encoder *encoder, char *text, size_t size, Arena *arena) {
    const JsonNode *line;
    Encoding found[2];
    Err err = {0};
    if (!json_tree_read(text, size, arena, &line, &err)) return arena_strdup(arena, err.message);
    const JsonNode *first = json_tree_get(line, "text"), *second = json_tree_get(line, "pair");
    if (first == NULL) return "no text in the golden line";
    for (int special = 0; special < 2; special++)
        if (!encoder_encode(encoder, first->as.text, (size_t)first->n, second ? second->as.text : NULL, second ? (size_t)second->n : 0, special, arena, &found[special], &err))
            return arena_strdup(arena, err.message);
    return compare(line, &found[0], &found[1]);
}

static int check_file(const Encoder *encoder, const char *path) {
    Arena arena = {0}, scratch = {0};
    char *data;
    size_t size;
    Err err = {0};
    int number = 0, bad = 0;
    if (!file_read(path, 64 << 20, &arena, &data, &size, &err)) fail_msg("%s", err.message);
    for (char *line = data, *end = data + size; line < end; number++) {
        char *stop = memchr(line, '\n', (size_t)(end - line));
        if (stop == NULL) stop = end;
        *stop = '\0';
        const char *differs = check_line(encoder, line, (size_t)(stop - line), &scratch);
        if (differs != NULL && bad++ < 5) print_error("%s:%d: %s\n", path, number + 1, differs);
        arena_reset(&scratch);
        line = stop + 1;
    }
    arena_free(&arena);
    arena_free(&scratch);
    assert_int_equal(bad, 0);
    return number;
}

static void check_set(const char *folder, const char *golden, int lines) {
    Arena arena = {0};
    Encoder *encoder;
    Err err = {0};
    if (!encoder_open(folder, &arena, &encoder, &err)) fail_msg("%s: %s", folder, err.message);
    assert_int_equal(check_file(encoder, golden), lines);
    arena_free(&arena);
}

/* ---- small tokenizers of the project ---- */

static const Set own[] = {
    {"tiny-gpt2", NULL, 30},  {"tiny-gpt-neox", NULL, 30}, {"tiny-bert-mlm", NULL, 30}, {"tiny-distilbert", NULL, 30}, {"tiny-roberta", NULL, 42},
    {"tiny-llama3", NULL, 30}, {"tiny-marian", NULL, 30},   {"tiny-mistral", NULL, 30},  {"tiny-qwen2", NULL, 30},      {"tiny-t5-encoder", NULL, 216},
};

static void small_tokenizers(void **state) {
    (void)state;
    Arena arena = {0};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        const char *folder = path_join(&arena, data_path("models"), own[i].tokenizer);
        check_set(folder, path_join(&arena, folder, "golden.jsonl"), own[i].lines);
    }
    arena_free(&arena);
}

/* A folder with only these files of another one. */
static const char *part_of(const char *folder, const char *const *files, const char *name, Arena *arena) {
    const char *part = arena_strdup(arena, scratch_folder(name));
    char *data;
    size_t size;
    Err err = {0};
    for (int i = 0; files[i] != NULL; i++)
        if (!file_read(path_join(arena, folder, files[i]), 64 << 20, arena, &data, &size, &err) || !file_write(path_join(arena, part, files[i]), data, size, &err))
            fail_msg("%s", err.message);
    return part;
}

/* Older folders without tokenizer.json mean the same. */
static void older_files(void **state) {
    (void)state;
    static const char *const gpt2[] = {"vocab.json", "merges.txt", "tokenizer_config.json", NULL}, *const bert[] = {"vocab.txt", "tokenizer_config.json", NULL}, *const alone[] = {"vocab.txt", NULL};
    static const struct { const char *name; const char *const *files; } sets[] = {{"tiny-gpt2", gpt2}, {"tiny-bert-mlm", bert}, {"tiny-distilbert", bert}, {"tiny-bert-mlm", alone}};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        const char *folder = path_join(&arena, data_path("models"), sets[i].name);
        const char *part = part_of(folder, sets[i].files, "older_files", &arena);
        check_set(part, path_join(&arena, folder, "golden.jsonl"), 30);
    }
    arena_free(&arena);
}

/* ---- all of them ---- */

static const Set all[] = {
    {"tokenizers/bert-base-uncased", "bert-base-uncased", 216}, {"tokenizers/bert-base-uncased", "bert-base-uncased.pairs", 12},
    {"tokenizers/gpt2", "gpt2", 216}, {"trained/rxn-albert", "rxn-albert", 159}, {"trained/stories260K", "stories260K", 216},
    {"random/tiny-llama", "stories260K", 216}, {"random/tiny-bert-mlm", "tiny-bert-mlm", 216}, {"random/tiny-distilbert", "tiny-distilbert", 216},
    {"random/tiny-gpt-neox", "tiny-gpt-neox", 216}, {"random/tiny-gpt2", "tiny-gpt2", 216}, {"random/tiny-llama3", "tiny-llama3", 216},
    {"random/tiny-marian", "tiny-marian", 216}, {"random/tiny-mistral", "tiny-mistral", 216}, {"random/tiny-qwen2", "tiny-qwen2", 216},
    {"random/tiny-roberta", "tiny-roberta", 216}, {"random/tiny-roberta", "tiny-roberta.pairs", 12}, {"random/tiny-t5-encoder", "tiny-t5-encoder", 216},
};

static void all_tokenizers(void **state) {
    (void)state;
    Arena arena = {0};
    if (models_path("tokenizers/golden") == NULL) skip();
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        const char *golden = models_path(arena_printf(&arena, "tokenizers/golden/%s.jsonl", all[i].golden));
        assert_non_null(golden);
        golden = arena_strdup(&arena, golden);
        const char *folder = models_path(all[i].tokenizer);
        assert_non_null(folder);
        check_set(arena_strdup(&arena, folder), golden, all[i].lines);
    }
    arena_free(&arena);
}

static void real_older_files(void **state) {
    (void)state;
    static const char *const gpt2[] = {"vocab.json", "merges.txt", NULL}, *const bert[] = {"vocab.txt", NULL};
    static const struct { const char *name; const char *const *files; } sets[] = {{"gpt2", gpt2}, {"bert-base-uncased", bert}};
    Arena arena = {0};
    if (models_path("tokenizers/golden") == NULL) skip();
    for (size_t i = 0; i < 2; i++) {
        const char *folder = arena_strdup(&arena, models_path(arena_printf(&arena, "tokenizers/%s", sets[i].name)));
        const char *part = part_of(folder, sets[i].files, "real_older_files", &arena);
        check_set(part, models_path(arena_printf(&arena, "tokenizers/golden/%s.jsonl", sets[i].name)), 216);
    }
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_tokenizers),
        cmocka_unit_test(older_files),
        cmocka_unit_test(all_tokenizers),
        cmocka_unit_test(real_older_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
