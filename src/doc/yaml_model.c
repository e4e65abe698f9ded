/* The key `model`: a name, or the folder of a trained model; and what goes with it. */
#include <string.h>

#include "base/file.h"
#include "doc/yaml_schema.h"
#include "model/checkpoint.h"

/* A path is kept from the root on: a document that is saved elsewhere means the same folder. */
bool yaml_read_model(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    int model = MODEL_FOLDER;
    const char *path = NULL;
    if (node->kind == NODE_SCALAR && node->text[0] && str_find(key->names, key->count, node->text) < 0)
        path = path_absolute(r->arena, r->folder, node->text);
    bool folder = path && (strchr(node->text, '/') || file_is_folder(path));
    if (!folder && !yaml_choice(r, node, key->names, key->count, &model)) return false;
    r->doc->model = (ModelKind)model;
    doc_set_blob(&r->doc->model_folder, folder ? path : NULL, folder ? strlen(path) : 0);
    return true;
}

bool yaml_write_model(YamlWriter *w, const YamlKey *key) {
    if (w->doc->model == w->base->model) return false;
    sb_printf(&w->sb, "%s: ", key->name);
    if (w->doc->model == MODEL_FOLDER) yaml_put_text(&w->sb, w->doc->model_folder ? w->doc->model_folder->bytes : "");
    else sb_add(&w->sb, key->names[w->doc->model]);
    sb_add(&w->sb, "\n");
    return true;
}

/* The words as one text. */
static Blob *joined(const DocWords *words) {
    Arena arena = {0};
    StrBuf text;
    sb_init(&text, &arena);
    const char **list = doc_words(words, &arena);
    for (int i = 0; i < words->n; i++) sb_printf(&text, "%s%s", i ? " " : "", list[i]);
    Blob *blob = blob_new(text.data, text.length);
    arena_free(&arena);
    return blob;
}

static Blob *text_of(Blob *text, const DocWords *words) {
    return text ? blob_keep(text) : words->n ? joined(words) : NULL;
}

static bool is_empty(const Blob *text) {
    return !text || text->size == 0;
}

/* Words for a model that reads ids become as many of the first ids, some at most. */
static void begin_with_ids(Blob **text, int vocabulary) {
    enum { MOST = 8 };
    if (is_empty(*text) || checkpoint_is_ids((*text)->bytes)) return;
    Arena arena = {0};
    StrBuf ids;
    sb_init(&ids, &arena);
    int n = 0;
    for (const char *c = (*text)->bytes; *c; c += strspn(c, " \t\n"), n++) c += strcspn(c, " \t\n");
    for (int i = 0; i < n && i < MOST && i < vocabulary; i++) sb_printf(&ids, i ? " %d" : "%d", i);
    doc_set_blob(text, ids.data, ids.length);
    arena_free(&arena);
}

static void settle_ids(Doc *doc) {
    int sizes[2] = {0}, texts = doc->model_folder ? checkpoint_id_texts(doc->model_folder->bytes, sizes) : 0;
    if (texts > 0) begin_with_ids(texts == 2 ? &doc->source_text : &doc->text, sizes[0]);
    if (texts == 2) begin_with_ids(&doc->text, sizes[1]);
}

/* What was typed is what the model reads: the source of one that reads a source, else the text. */
static void place_texts(Doc *doc) {
    int texts = doc->model == MODEL_FOLDER && doc->model_folder ? checkpoint_texts(doc->model_folder->bytes) : 0;
    if (texts == 2 && is_empty(doc->source_text)) {
        blob_drop(doc->source_text);
        doc->source_text = doc->text;
        doc->text = blob_new("", 0);
        return;
    }
    bool moves = texts != 2 && is_empty(doc->text) && !is_empty(doc->source_text);
    if (moves) {
        blob_drop(doc->text);
        doc->text = doc->source_text;
        doc->source_text = NULL;
    }
    if (texts == 1) doc_set_blob(&doc->source_text, NULL, 0);
}

void yaml_after_model(Doc *doc, ModelKind before) {
    bool to_folder = doc->model == MODEL_FOLDER;
    if (to_folder == (before == MODEL_FOLDER)) {
        if (doc->tokenizer == doc_model_tokenizer(before)) doc->tokenizer = doc_model_tokenizer(doc->model);
        if (to_folder) place_texts(doc);
        if (to_folder) settle_ids(doc);
        return;
    }
    Doc first = {0};
    doc_init(&first);
    if (to_folder) doc_mask_reset(&first.masks[0]);
    if (to_folder) first.n_masks = 0;
    blob_drop(first.text);
    first.text = text_of(doc->text, &doc->tokens);
    first.source_text = text_of(doc->source_text, &doc->source);
    first.model = doc->model;
    first.model_folder = blob_keep(doc->model_folder);
    first.seed = doc->seed;
    first.notes = doc->notes ? blob_keep(doc->notes) : NULL;
    first.tokenizer = doc_model_tokenizer(doc->model);
    place_texts(&first);
    if (to_folder) settle_ids(&first);
    doc_copy(doc, &first);
    doc_reset(&first);
}
