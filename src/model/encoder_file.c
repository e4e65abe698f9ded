/* Reading tokenizer.json: members with their key paths, lists of steps, the sections. */
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

/* ---- key paths and errors ---- */

size_t enc_path_push(EncRead *read, const char *name, int index) {
    size_t length = strlen(read->path), room = sizeof read->path - length;
    if (index < 0) snprintf(read->path + length, room, "%s%s", length > 0 ? "." : "", name);
    else snprintf(read->path + length, room, "%s%s[%d]", length > 0 ? "." : "", name, index);
    return length;
}

void enc_path_pop(EncRead *read, size_t length) {
    read->path[length] = '\0';
}

bool enc_refuse(EncRead *read, const char *key, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(read->err, ERR_INPUT, fmt, args);
    va_end(args);
    size_t path = strlen(read->path);
    if (key != NULL) enc_path_push(read, key, -1);
    if (read->path[0] != '\0') err_key(read->err, read->path);
    enc_path_pop(read, path);
    return err_place(read->err, read->file, 0, 0);
}

bool enc_refuse_kind(EncRead *read, const char *key, const JsonNode *node, const char *expected) {
    if (node != NULL && node->kind == JSON_TREE_STRING) return enc_refuse(read, key, tr("found \"%.60s\"; %s is expected"), node->as.text, expected);
    if (node != NULL && node->kind == JSON_TREE_NUMBER) return enc_refuse(read, key, tr("found %.9g; %s is expected"), node->as.number, expected);
    return enc_refuse(read, key, tr("found %s; %s is expected"), json_tree_kind(node), expected);
}

/* ---- members ---- */

static const JsonNode *given(const JsonNode *node, const char *key) {
    const JsonNode *value = json_tree_get(node, key);
    return value != NULL && value->kind == JSON_TREE_NULL ? NULL : value;
}

bool enc_read_bool(EncRead *read, const JsonNode *node, const char *key, bool *out) {
    const JsonNode *value = given(node, key);
    if (value == NULL) return true;
    if (value->kind != JSON_TREE_BOOL) return enc_refuse_kind(read, key, value, tr("true or false"));
    *out = value->as.flag;
    return true;
}

bool enc_read_int(EncRead *read, const JsonNode *node, const char *key, int least, int most, int *out) {
    char expected[80];
    const JsonNode *value = given(node, key);
    if (value == NULL || json_tree_int(value, least, most, out)) return true;
    snprintf(expected, sizeof expected, tr("a whole number from %d to %d"), least, most);
    return enc_refuse_kind(read, key, value, expected);
}

bool enc_read_text(EncRead *read, const JsonNode *node, const char *key, EncBytes *out) {
    const JsonNode *value = given(node, key);
    if (value == NULL) return true;
    if (value->kind != JSON_TREE_STRING) return enc_refuse_kind(read, key, value, tr("a string"));
    *out = (EncBytes){value->as.text, value->n};
    return true;
}

/* "A, B, C" of all names. */
static void list_names(const char *const *names, int count, char *out, size_t size) {
    out[0] = '\0';
    for (int i = 0; i < count; i++) str_list_add(out, size, names[i]);
}

bool enc_read_choice(EncRead *read, const JsonNode *node, const char *key, const char *const *names, int count, int *out) {
    EncBytes text = {NULL, 0};
    char known[300];
    if (!enc_read_text(read, node, key, &text)) return false;
    if (text.bytes == NULL) return true;
    int found = str_find(names, count, text.bytes);
    list_names(names, count, known, sizeof known);
    if (found < 0) return enc_refuse(read, key, tr("found \"%.60s\"; known are %s"), text.bytes, known);
    *out = found;
    return true;
}

bool enc_need(EncRead *read, const JsonNode *node, const char *key, JsonKind kind, const JsonNode **out) {
    JsonNode example = {.kind = kind};
    *out = json_tree_get(node, key);
    if (*out != NULL && (*out)->kind == kind) return true;
    return enc_refuse_kind(read, key, *out, json_tree_kind(&example));
}

/* ---- steps ---- */

typedef struct {
    EncRead *read;
    const EncSection *section;
    EncSteps *out;
} StepReader;

static bool read_step(const StepReader *r, const JsonNode *node, int depth);

static bool read_sequence(const StepReader *r, const JsonNode *node, int depth) {
    const JsonNode *list;
    if (depth >= ENC_NESTED_MAX) return enc_refuse(r->read, NULL, tr("Sequences lie in each other more than %d deep"), ENC_NESTED_MAX);
    if (!enc_need(r->read, node, r->section->list, JSON_TREE_ARRAY, &list)) return false;
    for (int i = 0; i < list->n; i++) {
        size_t path = enc_path_push(r->read, r->section->list, i);
        if (!read_step(r, &list->as.items[i], depth + 1)) return false;
        enc_path_pop(r->read, path);
    }
    return true;
}

static bool read_step(const StepReader *r, const JsonNode *node, int depth) {
    const JsonNode *type;
    char known[300] = "Sequence";
    if (!enc_need(r->read, node, "type", JSON_TREE_STRING, &type)) return false;
    if (str_eq(type->as.text, "Sequence")) return read_sequence(r, node, depth);
    int kind = 0;
    while (kind < r->section->count && !str_eq(r->section->kinds[kind].name, type->as.text)) str_list_add(known, sizeof known, r->section->kinds[kind++].name);
    if (kind == r->section->count) return enc_refuse(r->read, "type", tr("found \"%.60s\"; known are %s"), type->as.text, known);
    if (r->out->n == ENC_STEPS_MAX) return enc_refuse(r->read, NULL, tr("more than %d steps"), ENC_STEPS_MAX);
    EncStep *step = &r->out->items[r->out->n];
    step->kind = kind;
    const EncStepKind *row = &r->section->kinds[kind];
    if (row->read != NULL && !row->read(r->read, node, step)) return false;
    r->out->n++;
    return true;
}

bool enc_read_steps(EncRead *read, const EncSection *section, const JsonNode *root, EncSteps *out) {
    StepReader reader = {read, section, out};
    const JsonNode *node = given(root, section->section);
    *out = (EncSteps){.n = 0};
    if (node == NULL) return true;
    out->items = ARENA_ARRAY(read->keep, EncStep, ENC_STEPS_MAX);
    size_t path = enc_path_push(read, section->section, -1);
    bool ok = read_step(&reader, node, 0);
    enc_path_pop(read, path);
    return ok;
}

bool enc_steps_have(const EncSteps *steps, const EncSection *section, const char *name) {
    for (int i = 0; i < steps->n; i++)
        if (str_eq(section->kinds[steps->items[i].kind].name, name)) return true;
    return false;
}

/* ---- the whole ---- */

/* Pieces by id with the added tokens, and which of them are special. */
bool enc_open_tables(EncRead *read, Encoder *encoder) {
    const EncVocab *vocab = &encoder->model.vocab;
    encoder->size = 0;
    for (int id = 0; id < vocab->size; id++)
        if (vocab->pieces[id].bytes != NULL) encoder->size = id + 1;
    for (int i = 0; i < encoder->added.n; i++)
        if (encoder->added.items[i].id >= encoder->size) encoder->size = encoder->added.items[i].id + 1;
    encoder->pieces = arena_try(read->keep, (size_t)encoder->size, sizeof *encoder->pieces);
    encoder->special = arena_try(read->keep, (size_t)encoder->size, sizeof *encoder->special);
    if (encoder->pieces == NULL || encoder->special == NULL) return err_set(read->err, ERR_MEMORY, tr("not enough memory for %d pieces"), encoder->size);
    for (int id = 0; id < vocab->size && id < encoder->size; id++) encoder->pieces[id] = vocab->pieces[id];
    for (int i = 0; i < encoder->added.n; i++) {
        const EncAdded *added = &encoder->added.items[i];
        encoder->pieces[added->id] = added->content;
        encoder->special[added->id] = added->special;
    }
    encoder->byte_level = enc_steps_have(&encoder->pre_tokenizers, &enc_pre_tokenizers, "ByteLevel") ||
                          enc_steps_have(&encoder->normalizers, &enc_normalizers, "ByteLevel");
    return true;
}

bool enc_open_json(EncRead *read, const JsonNode *root, Encoder *encoder) {
    const JsonNode *model, *added = given(root, "added_tokens");
    if (root->kind != JSON_TREE_OBJECT) return enc_refuse_kind(read, NULL, root, tr("an object"));
    if (!enc_need(read, root, "model", JSON_TREE_OBJECT, &model)) return false;
    return enc_model_read(read, model, &encoder->model) && enc_read_steps(read, &enc_normalizers, root, &encoder->normalizers) &&
           enc_read_added(read, added, &encoder->model.vocab, &encoder->normalizers, &encoder->added) &&
           enc_read_steps(read, &enc_pre_tokenizers, root, &encoder->pre_tokenizers) && enc_open_tables(read, encoder) &&
           enc_read_steps(read, &enc_processors, root, &encoder->processors) && enc_check_processors(read, encoder) &&
           enc_read_steps(read, &enc_decoders, root, &encoder->decoders);
}
