/* Which tensor is which weight: names by the family's table, shapes by its sizes. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

enum { NAME_MAX_BYTES = 320, SHOWN_MAX = 120 };

typedef struct {
    Checkpoint *c;
    const StackConfig *stack;
    const WeightName *row;
    int layer;  /* 0 for a stack's own */
    Err *err;
} Bind;

/* ---- names ---- */

/* `pattern` with the prefix, layer, stack and group in it. false: longer than any name. */
static bool spell(const Bind *b, const char *prefix, const char *pattern, char out[NAME_MAX_BYTES]) {
    const ModelConfig *config = &b->c->config;
    int group = config->groups > 0 ? b->layer / (b->stack->n_layers / config->groups) : 0;
    size_t at = (size_t)snprintf(out, NAME_MAX_BYTES, "%s", pattern[0] == '/' ? "" : prefix);
    for (const char *p = pattern + (pattern[0] == '/'); *p && at < NAME_MAX_BYTES - 1; p++) {
        if (p[0] != '{') {
            out[at++] = *p;
            continue;
        }
        size_t left = NAME_MAX_BYTES - at;
        if (p[1] == 'i') at += (size_t)snprintf(out + at, left, "%d", b->layer);
        else if (p[1] == 'g') at += (size_t)snprintf(out + at, left, "%d", group);
        else at += (size_t)snprintf(out + at, left, "%s", b->stack->word);
        p += 2;
    }
    if (at >= NAME_MAX_BYTES) return false;
    out[at] = '\0';
    return true;
}

/* Norms were called gamma and beta once. */
static WeightTensor *older_name(const Bind *b, char name[NAME_MAX_BYTES]) {
    static const char *const names[][2] = {{"LayerNorm.weight", "LayerNorm.gamma"}, {"LayerNorm.bias", "LayerNorm.beta"}};
    for (int i = 0; i < 2; i++)
        if (str_ends(name, names[i][0])) {
            char older[NAME_MAX_BYTES];
            snprintf(older, sizeof older, "%.*s%s", (int)(strlen(name) - strlen(names[i][0])), name, names[i][1]);
            return checkpoint_tensor(b->c, older);
        }
    return NULL;
}

/* The tensor of a row's first name that is there; `name` is then that, else the first one tried. */
static WeightTensor *look_up(const Bind *b, const char *prefix, char name[NAME_MAX_BYTES]) {
    char pattern[PART_MAX], tried[NAME_MAX_BYTES];
    for (int i = 0; checkpoint_part(b->row->names, i, pattern); i++) {
        if (!spell(b, prefix, pattern, tried)) continue;
        if (i == 0) memcpy(name, tried, NAME_MAX_BYTES);
        WeightTensor *tensor = checkpoint_tensor(b->c, tried);
        if (!tensor) tensor = older_name(b, tried);
        if (tensor) return tensor;
    }
    return NULL;
}

/* The prefix is the one with which most of the first layer's tensors are found. */
static bool find_prefix(Checkpoint *c, Err *err) {
    const Family *family = c->config.family;
    char prefix[PART_MAX], name[NAME_MAX_BYTES];
    int most = 0;
    for (int k = 0; checkpoint_part(family->prefixes, k, prefix); k++) {
        int found = 0;
        for (int i = 0; i < family->n_weights; i++) {
            Bind b = {.c = c, .stack = &c->config.stack[0], .row = &family->weights[i]};
            found += b.row->names[0] != '/' && look_up(&b, prefix, name);
        }
        if (found > most) c->prefix = arena_strdup(&c->arena, prefix);
        if (found > most) most = found;
    }
    if (most > 0) return true;
    err_set(err, ERR_INPUT, tr("no tensor has a name that %s uses, such as %s"), family->name, family->weights[0].names);
    return err_place(err, c->files[0].header.file, 0, 0);
}

/* ---- shapes ---- */

void checkpoint_shape(const StackConfig *stack, Role role, TensorInput *out) {
    const RoleInfo *info = &checkpoint_roles[role];
    *out = (TensorInput){.name = info->name, .rank = info->cols == SIZE_NONE ? 1 : 2, .dim = {1, 1, 1, 1}};
    out->dim[0] = stack->size[info->rows];
    if (out->rank == 2) out->dim[1] = stack->size[info->cols];
}

/* As the file should have it: [out, in] turned or with all of q, k and v. */
static void file_shape(const Bind *b, const TensorInput *want, int dim[2]) {
    dim[0] = want->dim[0];
    dim[1] = want->rank == 2 ? want->dim[1] : 1;
    Layout layout = b->row->layout;
    if (layout == LAYOUT_CONV_QKV || layout == LAYOUT_HEADS_QKV) dim[0] *= 3;
    if (want->rank == 2 && (layout == LAYOUT_CONV || layout == LAYOUT_CONV_QKV)) {
        int out = dim[0];
        dim[0] = dim[1];
        dim[1] = out;
    }
}

static bool check_shape(const Bind *b, const WeightTensor *tensor, const TensorInput *want, const int dim[2]) {
    const SafetensorsEntry *entry = tensor->entry;
    int skipped = entry->rank > want->rank ? entry->rank - want->rank : 0; /* [1, V] is a vector too */
    bool fits = entry->rank >= want->rank;
    for (int i = 0; i < skipped && fits; i++) fits = entry->dim[i] == 1;
    for (int i = 0; i < want->rank && fits; i++) fits = entry->dim[skipped + i] == dim[i];
    char found[SAFETENSORS_SHAPE_TEXT], expected[64];
    if (!fits) {
        err_set(b->err, ERR_SHAPE, tr("tensor %.*s has shape %s; config.json makes it %s"), SHOWN_MAX, entry->name, safetensors_shape_text(entry, found),
                tensor_shape_text(expected, want->rank, dim));
        return err_place(b->err, tensor->file->header.file, 0, 0);
    }
    static const char *const types[] = {"F32", "F16", "BF16", "F64"};
    if (str_find(types, 4, entry->dtype) >= 0) return true;
    err_set(b->err, ERR_INPUT, tr("tensor %.*s holds %.*s; F32, F16, BF16 or F64 is expected"), SHOWN_MAX, entry->name, SHOWN_MAX, entry->dtype);
    return err_place(b->err, tensor->file->header.file, 0, 0);
}

/* ---- numbers ---- */

/* Vectors are widened: part `part` of q, k, v, of all heads in turn or of each. */
static bool widen(const Bind *b, const WeightTensor *tensor, TensorInput *out) {
    const float *all;
    int n = out->dim[0], d_k = b->stack->d_k;
    if (!safetensors_floats(&tensor->file->header, tensor->entry, &b->c->arena, &all, b->err)) return false;
    if (b->row->layout == LAYOUT_CONV_QKV) all += (ptrdiff_t)b->row->part * n;
    if (b->row->layout == LAYOUT_HEADS_QKV) {
        float *picked = arena_try_raw(&b->c->arena, (size_t)n, sizeof *picked);
        if (!picked) return err_set(b->err, ERR_MEMORY, tr("no memory for the weights"));
        for (int i = 0; i < n; i++) picked[i] = all[(i / d_k * 3 + b->row->part) * d_k + i % d_k];
        all = picked;
    }
    out->data = all;
    return true;
}

/* The bytes of a matrix at an address that its numbers may have: where the file keeps them, or a copy. */
static bool align(const Bind *b, WeightTensor *tensor) {
    const SafetensorsEntry *entry = tensor->entry;
    size_t size = entry->end - entry->begin;
    if (tensor->aligned) return true;
    if (str_eq(entry->dtype, "F64")) {
        const float *narrow;
        bool good = safetensors_floats(&tensor->file->header, entry, &b->c->arena, &narrow, b->err);
        tensor->aligned = narrow;
        return good;
    }
    tensor->aligned = entry->data;
    if ((uintptr_t)entry->data % (uintptr_t)entry->bytes == 0) return true;
    void *copy = arena_try_raw(&b->c->arena, size, 1);
    tensor->aligned = copy;
    if (!copy) return err_set(b->err, ERR_MEMORY, tr("no memory for the %zu bytes of tensor %.*s"), size, SHOWN_MAX, entry->name);
    memcpy(copy, entry->data, size);
    return true;
}

static bool point(const Bind *b, WeightTensor *tensor, TensorInput *out) {
    if (!align(b, tensor)) return false;
    ptrdiff_t rows = out->dim[0], cols = out->dim[1], part = b->row->part, first = 0;
    int d_k = b->stack->d_k;
    StoredAs as = str_eq(tensor->entry->dtype, "F16") ? STORED_F16 : str_eq(tensor->entry->dtype, "BF16") ? STORED_BF16 : STORED_F32;
    Stored stored = {.as = as, .row = cols, .column = 1};
    switch (b->row->layout) {
    case LAYOUT_CONV: stored.row = 1, stored.column = rows; break;
    case LAYOUT_CONV_QKV: stored.row = 1, stored.column = 3 * rows, first = part * rows; break;
    case LAYOUT_HEADS_QKV: stored.group = d_k, stored.group_step = 3 * d_k * cols, first = part * d_k * cols; break;
    case LAYOUT_LINEAR:
    case LAYOUT_COUNT: break;
    }
    if (as == STORED_F32 && b->row->layout == LAYOUT_LINEAR) {
        out->data = tensor->aligned;
        return true;
    }
    stored.data = (const unsigned char *)tensor->aligned + first * (as == STORED_F32 ? 4 : 2);
    out->stored = stored;
    return true;
}

/* ---- all weights ---- */

/* Does a model of this config have this row's weight? */
static bool wanted(const ModelConfig *config, const StackConfig *stack, const WeightName *row) {
    bool gated_part = row->role >= ROLE_W_GATE && row->role <= ROLE_B_DOWN, plain_part = row->role >= ROLE_W_FF1 && row->role <= ROLE_B_FF2;
    bool head = row->role >= ROLE_W_HEAD && row->role <= ROLE_HEAD_B, logits = row->role == ROLE_W_LOGITS || row->role == ROLE_B_LOGITS;
    bool pool = row->role == ROLE_W_POOL || row->role == ROLE_B_POOL, last = stack == &config->stack[config->n_stacks - 1];
    bool word_decoder = str_eq(stack->word, "decoder");
    if ((row->in == IN_DECODER && !word_decoder) || (row->in == IN_ENCODER && word_decoder)) return false;
    if ((gated_part && !config->gated) || (plain_part && config->gated)) return false;
    if (head) return last && config->head == HEAD_MASKED;
    if (logits) return last && (config->head == HEAD_MASKED || config->head == HEAD_LOGITS) && !(row->role == ROLE_W_LOGITS && config->tied);
    if (pool) return last && config->head == HEAD_POOL;
    return true;
}

/* Does a made-up folder of this config have it? Sinusoids need no table. */
static bool made_up(const ModelConfig *config, const WeightName *row) {
    if (!row->optional) return true;
    switch (row->role) {
    case ROLE_B_Q:
    case ROLE_B_K:
    case ROLE_B_V: return config->qkv_bias;
    case ROLE_B_O: return config->out_bias;
    case ROLE_B_GATE:
    case ROLE_B_UP:
    case ROLE_B_DOWN: return config->ff_bias;
    case ROLE_W_POS: return false;
    default: return true;
    }
}

static bool refuse_missing(const Bind *b, const char *name, const TensorInput *want) {
    int dim[2];
    char shape[64];
    file_shape(b, want, dim);
    err_set(b->err, ERR_INPUT, tr("tensor %.*s is missing; %s needs it with shape %s"), SHOWN_MAX, name, b->c->config.family->name,
            tensor_shape_text(shape, want->rank, dim));
    return err_place(b->err, b->c->files[0].header.file, 0, 0);
}

/* One weight of one layer, or of the stack. A present one is not looked up again: alternatives come in rows too. */
static bool bind_one(const Bind *b, Slot *slot) {
    char name[NAME_MAX_BYTES] = "";
    int dim[2];
    TensorInput made;
    checkpoint_shape(b->stack, b->row->role, &made);
    if (b->c->n_files == 0) { /* random: made when somebody asks */
        *slot = (Slot){.present = made_up(&b->c->config, b->row), .input = made};
        return true;
    }
    WeightTensor *tensor = look_up(b, b->c->prefix, name);
    bool pool = b->row->role == ROLE_W_POOL || b->row->role == ROLE_B_POOL;
    if (!tensor) return b->row->optional || pool || refuse_missing(b, name, &made);
    file_shape(b, &made, dim);
    if (!check_shape(b, tensor, &made, dim)) return false;
    tensor->used = true;
    if (!(made.rank == 1 ? widen(b, tensor, &made) : point(b, tensor, &made))) return false;
    *slot = (Slot){.present = true, .input = made};
    return true;
}

static bool bind_stack(Checkpoint *c, int which, Err *err) {
    const ModelConfig *config = &c->config;
    const StackConfig *stack = &config->stack[which];
    StackWeights *weights = &c->weights[which];
    weights->layer = arena_try(&c->arena, (size_t)stack->n_layers, sizeof *weights->layer);
    if (!weights->layer) return err_set(err, ERR_MEMORY, tr("no memory for %d layers"), stack->n_layers);
    for (int i = 0; i < config->family->n_weights; i++) {
        Bind b = {.c = c, .stack = stack, .row = &config->family->weights[i], .err = err};
        if (!wanted(config, stack, b.row)) continue;
        bool block = b.row->role < ROLE_BLOCK_END;
        for (b.layer = 0; b.layer < (block ? stack->n_layers : 1); b.layer++)
            if (!bind_one(&b, block ? &weights->layer[b.layer][b.row->attention][b.row->role] : &weights->own[b.row->role])) return false;
    }
    return true;
}

bool checkpoint_bind(Checkpoint *c, Err *err) {
    if (c->n_files > 0 && !find_prefix(c, err)) return false;
    for (int i = 0; i < c->config.n_stacks; i++)
        if (!bind_stack(c, i, err)) return false;
    StackWeights *last = &c->weights[c->config.n_stacks - 1];
    bool pooled = last->own[ROLE_W_POOL].present && last->own[ROLE_B_POOL].present;
    if (c->config.head == HEAD_POOL && !pooled) c->config.head = HEAD_NONE;
    return true;
}
