#include "doc/doc.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/str.h"

const char *const doc_matrix_names[MATRIX_COUNT] = {
    [MATRIX_X] = "x",           [MATRIX_X_KV] = "x_kv",   [MATRIX_Q] = "q",
    [MATRIX_K] = "k",           [MATRIX_V] = "v",         [MATRIX_SCORES] = "scores",
    [MATRIX_WEIGHTS] = "weights", [MATRIX_W_Q] = "w_q",   [MATRIX_W_K] = "w_k",
    [MATRIX_W_V] = "w_v",       [MATRIX_W_O] = "w_o",     [MATRIX_B_Q] = "b_q",
    [MATRIX_B_K] = "b_k",       [MATRIX_B_V] = "b_v",     [MATRIX_B_O] = "b_o",
    [MATRIX_POS_EMB] = "pos_emb",
};

/* The blobs of a document, in a fixed order: singles, matrices, then three a mask. */
enum { SINGLE_BLOBS = 8, EDITS_SLOT = 6, MASK_BLOBS = 3, DOC_BLOBS = SINGLE_BLOBS + MATRIX_COUNT + MASK_BLOBS * MASK_LIST_MAX };

static Blob **blob_slot(Doc *doc, int i) {
    Blob **const single[SINGLE_BLOBS] = {
        &doc->text,         &doc->tokens.bytes, &doc->source_text, &doc->source.bytes,
        &doc->model_folder, &doc->slopes,       &doc->edits,
        &doc->notes,
    };
    assert(i >= 0 && i < DOC_BLOBS);
    if (i < SINGLE_BLOBS) return single[i];
    i -= SINGLE_BLOBS;
    if (i < MATRIX_COUNT) return &doc->matrix[i].data;
    i -= MATRIX_COUNT;
    DocMask *mask = &doc->masks[i / MASK_BLOBS];
    Blob **const part[MASK_BLOBS] = {&mask->keys, &mask->globals, &mask->keep.data};
    return part[i % MASK_BLOBS];
}

static const Blob *blob_at(const Doc *doc, int i) {
    Doc look = *doc;
    return *blob_slot(&look, i);
}

void doc_init(Doc *doc) {
    *doc = (Doc){
        .tokenizer = TOKENIZER_WORDS,
        .model = MODEL_CLASSROOM,
        .projections = PROJ_LINEAR,
        .scale = SCALE_AUTO,
        .temperature = 1,
        .position_origin = DOC_POSITION_BUILT_IN,
        .masks = {{.spec = {.kind = MASK_CAUSAL}}},
        .n_masks = 1,
        .causal_align = ALIGN_BOTTOM_RIGHT,
        .fill = -(double)INFINITY,
        .mask_op = MASK_REPLACE,
        .empty_row = EMPTY_ROW_ZERO,
        .precision = PRECISION_F32,
    };
    static const char text[] = "The cat sat on the mat";
    doc->text = blob_new(text, sizeof text - 1);
}

void doc_reset(Doc *doc) {
    for (int i = 0; i < DOC_BLOBS; i++) blob_drop(*blob_slot(doc, i));
    *doc = (Doc){0};
}

void doc_copy(Doc *to, const Doc *from) {
    if (to == from) return;
    Doc copy = *from;
    for (int i = 0; i < DOC_BLOBS; i++) blob_keep(*blob_slot(&copy, i));
    doc_reset(to);
    *to = copy;
}

static bool blobs_equal(const Blob *a, const Blob *b) {
    if (a == b) return true;
    if (!a || !b || a->size != b->size) return false;
    return memcmp(a->bytes, b->bytes, a->size) == 0;
}

static bool matrices_equal(const DocMatrix *a, const DocMatrix *b) {
    if (a->rank != b->rank) return false;
    for (int i = 0; i < a->rank; i++)
        if (a->dim[i] != b->dim[i]) return false;
    return true; /* the numbers are compared with the other blobs */
}

static bool masks_equal(const DocMask *a, const DocMask *b) {
    const MaskSpec *m = &a->spec, *n = &b->spec;
    return m->kind == n->kind && m->causal == n->causal && m->pad_keys == n->pad_keys &&
           m->pad_left == n->pad_left && m->left == n->left && m->right == n->right && m->block == n->block &&
           m->stride == n->stride && a->by_token == b->by_token && matrices_equal(&a->keep, &b->keep);
}

static bool edits_equal(const Doc *a, const Doc *b) {
    if (a->n_edits != b->n_edits) return false;
    for (int i = 0; i < a->n_edits; i++) {
        const DocEdit *e = doc_edit_at(a, i), *f = doc_edit_at(b, i);
        if (e->matrix != f->matrix || memcmp(e->index, f->index, sizeof e->index) != 0) return false;
        if (e->value != f->value && !(isnan(e->value) && isnan(f->value))) return false;
    }
    return true;
}

static bool model_equal(const Doc *a, const Doc *b) {
    return a->tokenizer == b->tokenizer && a->tokens.n == b->tokens.n && a->source.n == b->source.n &&
           a->model == b->model && a->seed == b->seed && a->d_model == b->d_model && a->d_k == b->d_k &&
           a->d_v == b->d_v && a->heads == b->heads && a->kv_heads == b->kv_heads &&
           a->projections == b->projections && a->out_proj == b->out_proj &&
           a->out_proj_set == b->out_proj_set && a->bias == b->bias && a->tie_qk == b->tie_qk;
}

static bool settings_equal(const Doc *a, const Doc *b) {
    return a->scale == b->scale && a->scale_number == b->scale_number && a->temperature == b->temperature &&
           a->position_origin == b->position_origin && a->position.kind == b->position.kind &&
           a->position.rope_dim == b->position.rope_dim && a->position.rope_theta == b->position.rope_theta &&
           a->position.rope_offset == b->position.rope_offset && a->n_masks == b->n_masks &&
           a->causal_align == b->causal_align && a->fill == b->fill && a->mask_op == b->mask_op &&
           a->empty_row == b->empty_row && a->precision == b->precision;
}

bool doc_same_model(const Doc *a, const Doc *b) {
    const char *one = a->model_folder ? a->model_folder->bytes : "", *other = b->model_folder ? b->model_folder->bytes : "";
    return a->model == b->model && (a->model != MODEL_FOLDER || strcmp(one, other) == 0);
}

bool doc_equal(const Doc *a, const Doc *b) {
    if (!model_equal(a, b) || !settings_equal(a, b) || !edits_equal(a, b)) return false;
    for (int i = 0; i < MATRIX_COUNT; i++)
        if (!matrices_equal(&a->matrix[i], &b->matrix[i])) return false;
    for (int i = 0; i < a->n_masks; i++)
        if (!masks_equal(&a->masks[i], &b->masks[i])) return false;
    for (int i = 0; i < DOC_BLOBS; i++) {
        if (i == EDITS_SLOT) continue; /* compared above: their structs have padding */
        if (!blobs_equal(blob_at(a, i), blob_at(b, i))) return false;
    }
    return true;
}

size_t doc_bytes(const Doc *doc) {
    return doc_bytes_beside(doc, NULL);
}

size_t doc_bytes_beside(const Doc *doc, const Doc *other) {
    size_t sum = 0;
    for (int i = 0; i < DOC_BLOBS; i++) {
        const Blob *blob = blob_at(doc, i);
        if (blob && !(other && blob == blob_at(other, i))) sum += sizeof *blob + blob->size;
    }
    return sum;
}

const char *doc_text(const Doc *doc) {
    return doc->text ? doc->text->bytes : "";
}

void doc_set_blob(Blob **slot, const void *bytes, size_t size) {
    Blob *old = *slot; /* `bytes` may lie in it */
    *slot = bytes ? blob_new(bytes, size) : NULL;
    blob_drop(old);
}

void doc_set_text(Doc *doc, const char *text, size_t length) {
    doc_set_blob(&doc->text, text, length);
    doc_set_words(&doc->tokens, NULL, 0);
}

void doc_set_words(DocWords *words, const char *const *list, int n) {
    size_t size = 0;
    for (int i = 0; i < n; i++) size += strlen(list[i]) + 1;
    Blob *bytes = n ? blob_new(NULL, size) : NULL;
    char *to = bytes ? bytes->bytes : NULL;
    for (int i = 0; bytes && i < n; i++) {
        size_t length = strlen(list[i]) + 1;
        memcpy(to, list[i], length);
        to += length;
    }
    blob_drop(words->bytes);
    *words = (DocWords){.n = bytes ? n : 0, .bytes = bytes};
}

const char **doc_words(const DocWords *words, Arena *arena) {
    const char **list = ARENA_ARRAY(arena, const char *, (size_t)words->n + 1);
    const char *at = words->bytes ? words->bytes->bytes : "";
    for (int i = 0; i < words->n; i++) {
        list[i] = at;
        at += strlen(at) + 1;
    }
    return list;
}

bool doc_rows_given(const Doc *doc) {
    static const MatrixName rows[] = {MATRIX_X, MATRIX_Q, MATRIX_SCORES, MATRIX_WEIGHTS};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (doc->matrix[rows[i]].rank) return true;
    return false;
}

bool doc_has_source(const Doc *doc) {
    return doc->source_text || doc->source.n > 0;
}

bool doc_tokens_listed(const Doc *doc) {
    return doc->tokens.n > 0 || doc_rows_given(doc);
}

void doc_set_matrix(DocMatrix *matrix, int rank, const int *dim, const float *data) {
    DocMatrix made = {.rank = rank};
    size_t count = 1;
    for (int i = 0; i < rank; i++) count *= (size_t)(made.dim[i] = dim[i]);
    if (rank) made.data = blob_new(data, count * sizeof(float));
    if (!made.data) made = (DocMatrix){0};
    blob_drop(matrix->data);
    *matrix = made;
}

int doc_matrix_rank(MatrixName matrix) {
    static const unsigned char rank[MATRIX_COUNT] = {
        [MATRIX_X] = 2,   [MATRIX_X_KV] = 2, [MATRIX_Q] = 3,   [MATRIX_K] = 3,   [MATRIX_V] = 3, [MATRIX_SCORES] = 3,
        [MATRIX_WEIGHTS] = 3, [MATRIX_W_Q] = 2, [MATRIX_W_K] = 2, [MATRIX_W_V] = 2, [MATRIX_W_O] = 2, [MATRIX_B_Q] = 1,
        [MATRIX_B_K] = 1, [MATRIX_B_V] = 1,  [MATRIX_B_O] = 1, [MATRIX_POS_EMB] = 2,
    };
    return rank[matrix];
}

const DocEdit *doc_edit_at(const Doc *doc, int i) {
    assert(i >= 0 && i < doc->n_edits);
    return (const DocEdit *)doc->edits->bytes + i;
}

void doc_set_edits(Doc *doc, const DocEdit *edits, int n) {
    doc_set_blob(&doc->edits, n ? edits : NULL, (size_t)n * sizeof *edits);
    doc->n_edits = doc->edits ? n : 0;
}

void doc_edit(Doc *doc, const DocEdit *edit, Arena *arena) {
    DocEdit *list = ARENA_ARRAY(arena, DocEdit, (size_t)doc->n_edits + 1);
    int n = 0;
    for (int i = 0; i < doc->n_edits; i++) {
        const DocEdit *old = doc_edit_at(doc, i);
        if (old->matrix == edit->matrix && memcmp(old->index, edit->index, sizeof old->index) == 0) continue;
        list[n++] = *old;
    }
    list[n++] = *edit;
    doc_set_edits(doc, list, n);
}

TokenizerKind doc_model_tokenizer(ModelKind model) {
    return model == MODEL_MOLECULE ? TOKENIZER_SMILES : TOKENIZER_WORDS;
}

void doc_mask_reset(DocMask *mask) {
    blob_drop(mask->keys);
    blob_drop(mask->globals);
    blob_drop(mask->keep.data);
    *mask = (DocMask){0};
}
