/* Which files of a folder make its tokenizer: tokenizer.json, or the older vocab.json with merges.txt, or vocab.txt. */
#include <string.h>

#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

/* The file's name goes into `read`; its text stays with the encoder, its nodes are scratch. */
static bool read_json(EncRead *read, const char *path, const JsonNode **out) {
    char *text;
    size_t size;
    read->file = path;
    if (!file_read(path, ENC_FILE_MAX, read->keep, &text, &size, read->err)) return false;
    return json_tree_read(text, size, read->scratch, out, read->err) || err_place(read->err, path, read->err ? read->err->line : 0, read->err ? read->err->column : 0);
}

/* tokenizer_config.json, or an empty object when there is none. */
static bool read_config(EncRead *read, const char *folder, const JsonNode **out) {
    static const JsonNode empty = {.kind = JSON_TREE_OBJECT};
    const char *path = path_join(read->scratch, folder, "tokenizer_config.json");
    *out = &empty;
    return !file_exists(path) || read_json(read, path, out);
}

/* "mask_token": "[MASK]" or {"content": "[MASK]"} */
static const char *config_token(const JsonNode *config, const char *key, const char *otherwise) {
    const JsonNode *node = json_tree_get(config, key), *content = json_tree_get(node, "content");
    if (content != NULL) node = content;
    return node != NULL && node->kind == JSON_TREE_STRING ? node->as.text : otherwise;
}

/* ---- sections that older folders do not write down ---- */

static bool read_sections(EncRead *read, const char *sections, Encoder *encoder) {
    const JsonNode *root;
    char *text = arena_strdup(read->keep, sections);
    return json_tree_read(text, strlen(text), read->scratch, &root, read->err) && enc_read_steps(read, &enc_normalizers, root, &encoder->normalizers) &&
           enc_read_added(read, json_tree_get(root, "added_tokens"), &encoder->model.vocab, &encoder->normalizers, &encoder->added) &&
           enc_read_steps(read, &enc_pre_tokenizers, root, &encoder->pre_tokenizers) && enc_open_tables(read, encoder) &&
           enc_read_steps(read, &enc_processors, root, &encoder->processors) && enc_check_processors(read, encoder) &&
           enc_read_steps(read, &enc_decoders, root, &encoder->decoders);
}

static bool flag(EncRead *read, const JsonNode *config, const char *key, bool otherwise, bool *out) {
    *out = otherwise;
    return enc_read_bool(read, config, key, out);
}

static const char *quoted(Arena *arena, const char *text) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, "\"");
    for (const char *p = text; *p != '\0'; p++) {
        if (*p == '"' || *p == '\\') sb_add(&sb, "\\");
        if ((unsigned char)*p < 0x20) sb_printf(&sb, "\\u%04x", (unsigned)(unsigned char)*p);
        else sb_add_n(&sb, p, 1);
    }
    sb_add(&sb, "\"");
    return sb.data;
}

/* Adds `{"content": "[MASK]", …}` for a token that the vocabulary has. */
static void add_special(EncRead *read, const EncVocab *vocab, const char *token, const char *more, StrBuf *list) {
    if (enc_vocab_find(vocab, token, (int)strlen(token)) < 0) return;
    sb_printf(list, "%s{\"content\": %s, \"special\": true%s}", list->length > 1 ? ", " : "", quoted(read->scratch, token), more);
}

/* ---- vocab.txt: BERT ---- */

static bool read_lines(EncRead *read, const char *path, EncVocab *vocab) {
    char *text;
    size_t size;
    int count = 0, id = 0;
    read->file = path;
    if (!file_read(path, ENC_FILE_MAX, read->keep, &text, &size, read->err)) return false;
    if (utf8_valid_until(text, size) < size) return enc_refuse(read, NULL, tr("byte %zu is not UTF-8"), utf8_valid_until(text, size) + 1);
    for (size_t i = 0; i < size; i++) count += text[i] == '\n';
    if (!enc_vocab_init(vocab, read->keep, count + 1, count + 1)) return err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), count);
    for (char *line = text, *end = text + size; line < end; id++) {
        char *stop = memchr(line, '\n', (size_t)(end - line)), *next = stop != NULL ? stop + 1 : end;
        if (stop == NULL) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        *stop = '\0';
        if (!enc_vocab_add(vocab, (EncBytes){line, (int)(stop - line)}, id)) return enc_refuse(read, NULL, tr("line %d stands there twice"), id + 1);
        line = next;
    }
    return true;
}

static bool open_wordpiece(EncRead *read, const char *path, const JsonNode *config, Encoder *encoder) {
    static const char *const keys[] = {"unk_token", "sep_token", "pad_token", "cls_token", "mask_token"};
    static const char *const usual[] = {"[UNK]", "[SEP]", "[PAD]", "[CLS]", "[MASK]"};
    bool lower, chinese, accents;
    EncModel *model = &encoder->model;
    StrBuf list;
    if (!flag(read, config, "do_lower_case", true, &lower) || !flag(read, config, "tokenize_chinese_chars", true, &chinese) ||
        !flag(read, config, "strip_accents", lower, &accents))
        return false;
    *model = (EncModel){.kind = ENC_WORDPIECE, .prefix = {"##", 2}, .word_max = 100};
    if (!read_lines(read, path, &model->vocab)) return false;
    const char *unknown = config_token(config, "unk_token", "[UNK]"), *cls = config_token(config, "cls_token", "[CLS]"), *sep = config_token(config, "sep_token", "[SEP]");
    model->unknown = enc_vocab_find(&model->vocab, unknown, (int)strlen(unknown));
    sb_init(&list, read->scratch);
    sb_add(&list, "[");
    for (int i = 0; i < 5; i++) add_special(read, &model->vocab, config_token(config, keys[i], usual[i]), "", &list);
    int cls_id = enc_vocab_find(&model->vocab, cls, (int)strlen(cls)), sep_id = enc_vocab_find(&model->vocab, sep, (int)strlen(sep));
    const char *around = cls_id >= 0 && sep_id >= 0 ? arena_printf(read->scratch, "{\"type\": \"BertProcessing\", \"cls\": [\"\", %d], \"sep\": [\"\", %d]}", cls_id, sep_id) : "null";
    const char *sections = arena_printf(read->scratch,
        "{\"added_tokens\": %s], \"normalizer\": {\"type\": \"BertNormalizer\", \"handle_chinese_chars\": %s, \"strip_accents\": %s, \"lowercase\": %s}, "
        "\"pre_tokenizer\": {\"type\": \"BertPreTokenizer\"}, \"post_processor\": %s, \"decoder\": {\"type\": \"WordPiece\"}}",
        list.data, chinese ? "true" : "false", accents ? "true" : "false", lower ? "true" : "false", around);
    return read_sections(read, sections, encoder);
}

/* ---- vocab.json and merges.txt: GPT-2 ---- */

static int count_lines(const char *text, size_t size) {
    int n = 1;
    for (size_t i = 0; i < size; i++) n += text[i] == '\n';
    return n;
}

static bool read_merges(EncRead *read, const char *path, EncModel *model) {
    char *text;
    size_t size;
    int rank = 0;
    read->file = path;
    if (!file_read(path, ENC_FILE_MAX, read->keep, &text, &size, read->err) || !enc_merges_init(read, model, count_lines(text, size))) return false;
    for (char *line = text, *end = text + size; line < end;) {
        char *stop = memchr(line, '\n', (size_t)(end - line)), *next = stop != NULL ? stop + 1 : end;
        if (stop == NULL) stop = end;
        if (stop > line && stop[-1] == '\r') stop--;
        *stop = '\0';
        bool note = str_starts(line, "#version"), empty = stop == line;
        if (!note && !empty && !enc_merges_line(read, model, (EncBytes){line, (int)(stop - line)}, rank++)) return false;
        line = next;
    }
    return true;
}

/* RoBERTa and BART put <s> and </s> around a text, GPT-2 puts nothing. */
static const char *processor_of(EncRead *read, const JsonNode *config, const EncVocab *vocab) {
    const char *class = config_token(config, "tokenizer_class", "");
    bool around = strstr(class, "Roberta") != NULL || strstr(class, "Bart") != NULL || strstr(class, "Longformer") != NULL;
    int cls = enc_vocab_find(vocab, "<s>", 3), sep = enc_vocab_find(vocab, "</s>", 4);
    if (!around || cls < 0 || sep < 0) return "{\"type\": \"ByteLevel\", \"trim_offsets\": false}";
    return arena_printf(read->scratch, "{\"type\": \"RobertaProcessing\", \"cls\": [\"\", %d], \"sep\": [\"\", %d], \"add_prefix_space\": false}", cls, sep);
}

static bool open_gpt2(EncRead *read, const char *vocab, const char *merges, const JsonNode *config, Encoder *encoder) {
    static const char *const keys[] = {"bos_token", "eos_token", "unk_token", "pad_token", "cls_token", "sep_token"};
    const JsonNode *root;
    bool space;
    StrBuf list;
    if (!flag(read, config, "add_prefix_space", false, &space) || !read_json(read, vocab, &root)) return false;
    JsonNode members[] = {{.kind = JSON_TREE_STRING, .n = 5, .as.text = "vocab"}, *root, {.kind = JSON_TREE_STRING, .n = 6, .as.text = "merges"}, {.kind = JSON_TREE_ARRAY}};
    JsonNode model = {.kind = JSON_TREE_OBJECT, .n = 2, .as.items = members};
    if (!enc_model_read(read, &model, &encoder->model) || !read_merges(read, merges, &encoder->model)) return false;
    const EncVocab *pieces = &encoder->model.vocab;
    sb_init(&list, read->scratch);
    sb_add(&list, "[");
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) add_special(read, pieces, config_token(config, keys[i], "<|endoftext|>"), ", \"normalized\": true", &list);
    add_special(read, pieces, config_token(config, "mask_token", "<mask>"), ", \"lstrip\": true", &list);
    const char *sections = arena_printf(read->scratch,
        "{\"added_tokens\": %s], \"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": %s}, \"post_processor\": %s, \"decoder\": {\"type\": \"ByteLevel\"}}",
        list.data, space ? "true" : "false", processor_of(read, config, pieces));
    return read_sections(read, sections, encoder);
}

/* ---- the folder ---- */

static bool open_files(EncRead *read, const char *folder, Encoder *encoder, const JsonNode **config) {
    const char *json = path_join(read->keep, folder, "tokenizer.json"), *vocab = path_join(read->keep, folder, "vocab.json");
    const char *merges = path_join(read->keep, folder, "merges.txt"), *words = path_join(read->keep, folder, "vocab.txt");
    const JsonNode *root;
    if (!read_config(read, folder, config)) return false;
    if (file_exists(json)) return read_json(read, json, &root) && enc_open_json(read, root, encoder);
    if (file_exists(vocab) && file_exists(merges)) return open_gpt2(read, vocab, merges, *config, encoder);
    if (file_exists(words)) return open_wordpiece(read, words, *config, encoder);
    return err_set(read->err, ERR_IO, tr("%s holds no tokenizer: looked for tokenizer.json, for vocab.json with merges.txt, and for vocab.txt"), folder);
}

static int find_mask(const Encoder *encoder, const JsonNode *config) {
    const char *names[] = {config_token(config, "mask_token", "[MASK]"), "[MASK]", "<mask>"};
    int id = -1;
    for (int i = 0; i < 3 && id < 0; i++) id = encoder_find(encoder, names[i]);
    return id;
}

bool encoder_open_text(const char *json, size_t size, const char *name, Arena *arena, Encoder **out, Err *err) {
    static const JsonNode empty = {.kind = JSON_TREE_OBJECT};
    Arena scratch = {0};
    Encoder *encoder = ARENA_NEW(arena, Encoder);
    EncRead read = {.file = name, .keep = arena, .scratch = &scratch, .err = err};
    const JsonNode *root;
    char *text = arena_try_raw(arena, size + 1, 1);
    encoder->model.unknown = -1;
    bool ok = text != NULL || err_set(err, ERR_MEMORY, tr("not enough memory for a file of %zu bytes"), size);
    if (ok) {
        memcpy(text, json, size);
        text[size] = '\0';
        ok = json_tree_read(text, size, &scratch, &root, err) && enc_open_json(&read, root, encoder);
    }
    if (ok) encoder->mask_id = find_mask(encoder, &empty);
    else if (err != NULL) err_place(err, name, err->line, err->column);
    *out = ok ? encoder : NULL;
    arena_free(&scratch);
    return ok;
}

bool encoder_open(const char *folder, Arena *arena, Encoder **out, Err *err) {
    Arena scratch = {0};
    Encoder *encoder = ARENA_NEW(arena, Encoder);
    EncRead read = {.keep = arena, .scratch = &scratch, .err = err};
    const JsonNode *config;
    encoder->model.unknown = -1;
    bool ok = open_files(&read, folder, encoder, &config);
    if (ok) encoder->mask_id = find_mask(encoder, config);
    else if (err != NULL && err->file[0] == '\0' && read.file != NULL && err->code != ERR_IO) err_place(err, read.file, 0, 0);
    *out = ok ? encoder : NULL;
    arena_free(&scratch);
    return ok;
}
