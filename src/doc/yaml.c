#include "doc/yaml.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/yaml_schema.h"

/* Words of a row are read into an int. */
static_assert(sizeof(TokenizerKind) == sizeof(int) && sizeof(ProjKind) == sizeof(int) && sizeof(MaskOp) == sizeof(int) &&
                  sizeof(EmptyRow) == sizeof(int) && sizeof(Precision) == sizeof(int) && sizeof(CausalAlign) == sizeof(int) &&
                  sizeof(ThemeKind) == sizeof(int) && sizeof(RampKind) == sizeof(int),
              "enums are as wide as int");

enum { MODELS_IN_FILES = MODEL_FOLDER, PROJECTIONS_IN_FILES = PROJ_NONE + 1 };
static_assert(PROJ_NONE == 1 && PROJ_LINEAR == 0 && MODEL_FOLDER == MODEL_KIND_COUNT - 1, "the words of a file come first");

/* ---- the table ---- */

#define CHOICE(name, field, words, n) \
    KEY(name, yaml_read_choice, yaml_write_choice, .at = offsetof(Doc, field), .names = words, .count = n)
#define SIZE(name, field) \
    KEY(name, yaml_read_int, yaml_write_int, .at = offsetof(Doc, field), .min = 1, .max = TENSOR_DIM_MAX)
#define DOUBLE(name, field, lo, hi, text) \
    KEY(name, yaml_read_double, yaml_write_double, .at = offsetof(Doc, field), .min = lo, .max = hi, .expects = text)
#define MATRIX(name, id, ranks, most) \
    KEY(name, yaml_read_matrix, yaml_write_matrix, .matrix = id, .rank_min = ranks, .rank_max = most)

/* In the order in which they are written. */
#define KEYS                                                                                                          \
    KEY("attnscope", yaml_read_version, yaml_write_version, .at = 0)                                                  \
    KEY("text", yaml_read_text, yaml_write_text, .at = offsetof(Doc, text), .text = true)                             \
    KEY("tokens", yaml_read_words, yaml_write_words, .at = offsetof(Doc, tokens))                                     \
    KEY("tokenizer", yaml_read_choice, yaml_write_tokenizer, .at = offsetof(Doc, tokenizer), .names = tokenizer_names, \
        .count = TOKENIZER_KIND_COUNT)                                                                                \
    KEY("source_text", yaml_read_text, yaml_write_text, .at = offsetof(Doc, source_text), .text = true)               \
    KEY("source", yaml_read_words, yaml_write_words, .at = offsetof(Doc, source))                                     \
    KEY("model", yaml_read_model, yaml_write_model, .names = model_names, .count = MODELS_IN_FILES, .text = true)     \
    KEY("seed", yaml_read_seed, yaml_write_seed, .at = offsetof(Doc, seed))                                           \
    SIZE("d_model", d_model)                                                                                          \
    SIZE("d_k", d_k)                                                                                                  \
    SIZE("d_v", d_v)                                                                                                  \
    SIZE("heads", heads)                                                                                              \
    SIZE("kv_heads", kv_heads)                                                                                        \
    CHOICE("projections", projections, proj_names, PROJECTIONS_IN_FILES)                                              \
    KEY("out_proj", yaml_read_out_proj, yaml_write_out_proj, .at = 0)                                                 \
    KEY("tie", yaml_read_bool, yaml_write_bool, .at = offsetof(Doc, tie_qk))                                          \
    KEY("bias", yaml_read_bool, yaml_write_bool, .at = offsetof(Doc, bias))                                           \
    MATRIX("x", MATRIX_X, 2, 2)                                                                                       \
    MATRIX("x_kv", MATRIX_X_KV, 2, 2)                                                                                 \
    MATRIX("q", MATRIX_Q, 2, 3)                                                                                       \
    MATRIX("k", MATRIX_K, 2, 3)                                                                                       \
    MATRIX("v", MATRIX_V, 2, 3)                                                                                       \
    MATRIX("scores", MATRIX_SCORES, 2, 3)                                                                             \
    MATRIX("weights", MATRIX_WEIGHTS, 2, 3)                                                                           \
    MATRIX("w_q", MATRIX_W_Q, 2, 2)                                                                                   \
    MATRIX("w_k", MATRIX_W_K, 2, 2)                                                                                   \
    MATRIX("w_v", MATRIX_W_V, 2, 2)                                                                                   \
    MATRIX("w_o", MATRIX_W_O, 2, 2)                                                                                   \
    MATRIX("b_q", MATRIX_B_Q, 1, 1)                                                                                   \
    MATRIX("b_k", MATRIX_B_K, 1, 1)                                                                                   \
    MATRIX("b_v", MATRIX_B_V, 1, 1)                                                                                   \
    MATRIX("b_o", MATRIX_B_O, 1, 1)                                                                                   \
    MATRIX("pos_emb", MATRIX_POS_EMB, 2, 2)                                                                           \
    KEY("edit", yaml_read_edit, yaml_write_edit, .at = 0)                                                             \
    KEY("position", yaml_read_position, yaml_write_position, .at = 0)                                                 \
    KEY("scale", yaml_read_scale, yaml_write_scale, .at = 0)                                                          \
    DOUBLE("temperature", temperature, DOC_TEMPERATURE_MIN, DOC_TEMPERATURE_MAX, tr_mark("a number from 0.000001 to 1000000"))   \
    KEY("mask", yaml_read_mask, yaml_write_mask, .at = 0)                                                             \
    KEY("keep", yaml_read_keep, yaml_write_keep, .at = 0)                                                             \
    CHOICE("causal_align", causal_align, causal_align_names, ALIGN_COUNT)                                             \
    DOUBLE("mask_fill", fill, -INFINITY, DBL_MAX, tr_mark("-inf or a number"))                                          \
    CHOICE("mask_op", mask_op, mask_op_names, MASK_OP_COUNT)                                                          \
    CHOICE("empty_row", empty_row, empty_row_names, EMPTY_ROW_COUNT)                                                  \
    CHOICE("precision", precision, precision_names, PRECISION_COUNT)                                                  \
    KEY("notes", yaml_read_text, yaml_write_notes, .at = offsetof(Doc, notes), .text = true)                          \
    KEY("view", yaml_read_view, yaml_write_view, .at = 0)

#define KEY(name, ...) {name, __VA_ARGS__},
static const YamlKey key_table[] = {KEYS};
#undef KEY
#define KEY(name, ...) name,
static const char *const key_names[] = {KEYS NULL};
#undef KEY
enum { KEY_COUNT = sizeof key_table / sizeof *key_table };

const char *const *yaml_keys(void) {
    return key_names + 1; /* the version is no setting */
}

static int find_key(const char *name) {
    return str_find(key_names, KEY_COUNT, name);
}

/* ---- reading ---- */

/* What a file means by what it leaves out: as the first document, without a mask. */
static void file_defaults(Doc *doc) {
    doc_init(doc);
    doc->n_masks = 0;
    doc->masks[0] = (DocMask){0};
}

typedef struct {
    YamlReader r;
    const YamlNode *value[KEY_COUNT];
    const YamlNode *name[KEY_COUNT];
} FileReader;

static bool sort_keys(FileReader *f, const YamlNode *root) {
    char found[96];
    YamlReader *r = &f->r;
    if (root->kind != NODE_MAP)
        return yaml_bad(r, root, ERR_INPUT, tr("a scenario is a mapping that begins with attnscope: 1, found %s"),
                        yaml_found(root, found));
    const YamlNode *version = NULL;
    for (const YamlNode *k = root->first; k; k = k->next->next)
        if (str_eq(k->text, key_names[0])) version = k->next;
    if (!version)
        return yaml_bad(r, root, ERR_INPUT, "%s", tr("attnscope: 1 is missing, the version of the format"));
    snprintf(r->path, sizeof r->path, "%s", key_names[0]);
    if (!yaml_read_version(r, &key_table[0], version)) return false;
    r->path[0] = 0;
    for (const YamlNode *k = root->first; k; k = k->next->next) {
        int at = yaml_find_key(r, k, key_names, KEY_COUNT);
        if (at < 0) return false;
        f->name[at] = k;
        f->value[at] = k->next;
    }
    return true;
}

static bool check_pairs(FileReader *f) {
    static const char *const pairs[][2] = {{"text", "tokens"}, {"source_text", "source"}};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        int a = find_key(pairs[i][0]), b = find_key(pairs[i][1]);
        if (!f->value[a] || !f->value[b]) continue;
        const YamlNode *later = f->name[a]->line > f->name[b]->line ? f->name[a] : f->name[b];
        return yaml_bad(&f->r, later, ERR_INPUT, tr("%s and %s say the same thing twice: leave one out"), pairs[i][0],
                        pairs[i][1]);
    }
    return true;
}

static bool read_keys(FileReader *f) {
    YamlReader *r = &f->r;
    for (int i = 0; i < KEY_COUNT; i++) {
        if (!f->value[i]) continue;
        snprintf(r->path, sizeof r->path, "%s", key_names[i]);
        if (!key_table[i].read(r, &key_table[i], f->value[i])) return false;
    }
    r->path[0] = 0;
    Doc *doc = r->doc;
    if (!f->value[find_key("text")] && (doc->tokens.n || doc_rows_given(doc))) doc_set_blob(&doc->text, NULL, 0);
    if (!f->value[find_key("text")] && doc->text && doc->model == MODEL_MOLECULE) doc_set_text(doc, "CCO", 3);
    if (!f->value[find_key("tokenizer")]) doc->tokenizer = doc_model_tokenizer(doc->model);
    return yaml_join_keep(r);
}

bool yaml_read(const char *text, size_t size, const char *file, int which, Doc *doc, View *view, bool *more, Err *err) {
    Arena arena = {0};
    View unused;
    YamlNode *root;
    bool follows = false;
    Err own = {0};
    if (!err) err = &own;
    FileReader f = {.r = {.doc = doc, .view = view ? view : &unused, .arena = &arena, .err = err}};
    const char *slash = file ? strrchr(file, '/') : NULL;
    if (slash) f.r.folder = arena_strndup(&arena, file, (size_t)(slash - file) + 1);
    file_defaults(doc);
    view_init(f.r.view);
    bool ok = yaml_nodes(text, size, which, &arena, &root, &follows, err) && sort_keys(&f, root) && check_pairs(&f) &&
              read_keys(&f);
    if (more) *more = follows;
    if (!ok) {
        err_place(err, file, 0, 0);
        doc_reset(doc);
    }
    arena_free(&arena);
    return ok;
}

bool yaml_read_file(const char *path, int which, Doc *doc, View *view, bool *more, Err *err) {
    Arena arena = {0};
    char *text;
    size_t size;
    *doc = (Doc){0};
    bool ok = file_read(path, YAML_BYTES_MAX, &arena, &text, &size, err) &&
              yaml_read(text, size, path, which, doc, view, more, err);
    arena_free(&arena);
    return ok;
}

bool yaml_place(const char *path, int which, Err *err) {
    Arena arena = {0};
    YamlNode *root;
    char *text;
    size_t size;
    bool more, known = err && err->code != ERR_NONE && err->key[0] && err->line == 0;
    if (known && file_read(path, YAML_BYTES_MAX, &arena, &text, &size, NULL) && yaml_nodes(text, size, which, &arena, &root, &more, NULL) &&
        root->kind == NODE_MAP)
        for (const YamlNode *key = root->first; key; key = key->next ? key->next->next : NULL)
            if (str_eq(key->text, err->key)) err_place(err, path, key->line, key->column);
    arena_free(&arena);
    return err_place(err, path, 0, 0);
}

/* ---- writing ---- */

char *yaml_write(const Doc *doc, const View *view, Arena *arena) {
    Doc base = {0};
    View base_view;
    file_defaults(&base);
    view_init(&base_view);
    YamlWriter w = {.doc = doc, .base = &base, .view = view, .base_view = &base_view};
    sb_init(&w.sb, arena);
    for (int i = 0; i < KEY_COUNT; i++) key_table[i].write(&w, &key_table[i]);
    doc_reset(&base);
    return w.sb.data;
}

/* What the file of a document says of one key, where it differs from the other's or stands by itself. */
static const char *value_beside(const Doc *doc, const Doc *other, const YamlKey *key, Arena *arena) {
    View view;
    view_init(&view);
    YamlWriter w = {.doc = doc, .base = other, .base_view = &view};
    sb_init(&w.sb, arena);
    bool no_size = key->write == yaml_write_int && *(const int *)(const void *)((const char *)doc + key->at) < (int)key->min; /* as in no file */
    if (no_size || !key->write(&w, key)) return "";
    char *value = w.sb.data + strlen(key->name) + 1;
    size_t length = strlen(value);
    while (length > 0 && value[length - 1] == '\n') value[--length] = '\0';
    return value + strspn(value, " \n");
}

bool yaml_differs(const Doc *a, const Doc *b, int i, Arena *arena, const char **value_a, const char **value_b) {
    const YamlKey *key = &key_table[i + 1];
    *value_a = value_beside(a, b, key, arena);
    *value_b = value_beside(b, a, key, arena);
    return !str_eq(*value_a, *value_b);
}

const char *yaml_key_beside(const Doc *doc, const char *const *keys) {
    Arena arena = {0};
    Doc base = {0};
    View view;
    const char *found = NULL;
    file_defaults(&base);
    view_init(&view);
    YamlWriter w = {.doc = doc, .base = &base, .base_view = &view};
    sb_init(&w.sb, &arena);
    for (int i = 0; i < KEY_COUNT && !found; i++) {
        bool known = false;
        for (int k = 0; keys[k]; k++) known = known || str_eq(keys[k], key_names[i]);
        if (!known && key_table[i].write(&w, &key_table[i])) found = key_names[i];
    }
    doc_reset(&base);
    arena_free(&arena);
    return found;
}

/* ---- one key ---- */

/* What belongs together changes together. */
static void after_set(Doc *doc, const Doc *before, const char *key) {
    if (str_eq(key, "text")) doc_set_words(&doc->tokens, NULL, 0);
    if (str_eq(key, "tokens")) doc_set_blob(&doc->text, NULL, 0);
    if (str_eq(key, "source_text")) doc_set_words(&doc->source, NULL, 0);
    if (str_eq(key, "source")) doc_set_blob(&doc->source_text, NULL, 0);
    if (str_eq(key, "notes") && doc->notes && doc->notes->size == 0) doc_set_blob(&doc->notes, NULL, 0);
    if (str_eq(key, "model")) yaml_after_model(doc, before->model);
    if (str_eq(key, "source_text") && doc->source_text && doc->source_text->size == 0) doc_set_blob(&doc->source_text, NULL, 0);
}

/* keep alone means mask: custom. */
static void before_set(Doc *doc, const char *key) {
    if (!str_eq(key, "keep")) return;
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].keep.rank) return;
    for (int i = 0; i < MASK_LIST_MAX; i++) doc_mask_reset(&doc->masks[i]);
    doc->masks[0].spec.kind = MASK_CUSTOM;
    doc->n_masks = 1;
}

/* A mask that is custom again has the matrix that it had. */
static void take_keep(Doc *doc, const Doc *before) {
    const DocMask *had = NULL;
    for (int i = 0; i < before->n_masks; i++)
        if (before->masks[i].keep.rank) had = &before->masks[i];
    for (int i = 0; had && i < doc->n_masks; i++) {
        DocMask *mask = &doc->masks[i];
        if (mask->keep.rank || (mask->spec.kind != MASK_CUSTOM && mask->spec.kind != MASK_CUSTOM_PER_HEAD)) continue;
        mask->spec.kind = had->spec.kind;
        mask->keep = had->keep;
        blob_keep(mask->keep.data);
        return;
    }
}

static const YamlKey *find_setting(YamlReader *r, const char *key) {
    YamlNode name = {.kind = NODE_SCALAR, .text = key};
    if (str_starts(key, "view.")) {
        const char *names[32];
        assert(yaml_view_count <= 32);
        for (int i = 0; i < yaml_view_count; i++) names[i] = yaml_view_table[i].name;
        name.text = key + 5;
        int at = yaml_find_key(r, &name, names, yaml_view_count);
        return at < 0 ? NULL : &yaml_view_table[at];
    }
    int at = yaml_find_key(r, &name, key_names + 1, KEY_COUNT - 1);
    return at < 0 ? NULL : &key_table[at + 1];
}

/* "none" and "0.5" are scalars as they stand; brackets begin YAML. */
static bool value_node(const YamlKey *key, const char *value, Arena *arena, YamlNode **out, Err *err) {
    bool more;
    *out = ARENA_NEW(arena, YamlNode);
    **out = (YamlNode){.kind = NODE_SCALAR, .text = value};
    if (key->text || !strpbrk(value, "[{")) return true;
    if (!yaml_nodes(value, strlen(value), 0, arena, out, &more, err)) return false;
    return !more || err_set(err, ERR_INPUT, "%s", tr("found a second document"));
}

bool yaml_set(Doc *doc, View *view, const char *key, const char *value, Err *err) {
    Arena arena = {0};
    Doc changed = {0};
    View looked;
    YamlNode *node;
    Err own = {0};
    if (!err) err = &own;
    if (view) looked = *view;
    else view_init(&looked);
    doc_copy(&changed, doc);
    YamlReader r = {.doc = &changed, .view = &looked, .arena = &arena, .err = err};
    const YamlKey *row = find_setting(&r, key);
    snprintf(r.path, sizeof r.path, "%s", key);
    bool ok = row && utf8_check(value, strlen(value), err) && value_node(row, value, &arena, &node, err);
    if (ok) {
        before_set(&changed, key);
        ok = row->read(&r, row, node);
        if (ok && str_eq(key, "mask")) take_keep(&changed, doc);
        ok = ok && yaml_join_keep(&r);
    }
    if (ok) {
        after_set(&changed, doc, key);
        doc_copy(doc, &changed);
        if (view) *view = looked;
    } else {
        err_key(err, key);
    }
    doc_reset(&changed);
    arena_free(&arena);
    return ok;
}
