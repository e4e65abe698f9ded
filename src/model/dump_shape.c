/* Shapes of a dump, brought to those of the trace file. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/dump_parts.h"

static bool has(const DumpReader *r, int p) { return r->tensor[p].data != NULL; }

static const char *shape_text(const DumpReader *r, int p) {
    return safetensors_shape_text(r->entry[p], arena_alloc(r->arena, 1, SAFETENSORS_SHAPE_TEXT));
}

static void drop_first(DumpTensor *t) {
    memmove(t->dim, t->dim + 1, (size_t)(t->rank - 1) * sizeof *t->dim);
    t->rank--;
}

static const int most_rank[DUMP_FORM_COUNT] = {
    [FORM_ROWS] = 2, [FORM_MATRIX] = 2, [FORM_LIST] = 1, [FORM_QUERIES] = 3, [FORM_KEYS] = 3, [FORM_MAP] = 3, [FORM_MASK] = 3,
};

/* A batch of one goes; of more, one has to be chosen. */
static bool drop_batch(DumpReader *r, int p) {
    DumpTensor *t = &r->tensor[p];
    int most = most_rank[dump_names[p].form];
    while (t->rank > most && t->dim[0] == 1) drop_first(t);
    if (t->rank <= most) return true;
    return dump_refuse(r, ERR_SHAPE, tr("%s %s is a batch of %d: one is compared at a time, so dump the first, %s[:1]"), r->shown[p], shape_text(r, p), t->dim[0], r->shown[p]);
}

/* ---- sizes ---- */

static bool read_meta_int(const DumpReader *r, const char *key, int *value) {
    const char *text = dump_meta(r, key);
    return text && str_to_int(text, value) && *value > 0;
}

/* Rows of a side, where something says so; 0 = nothing does. */
static int rows_known(const DumpReader *r, bool keys) {
    static const int maps[] = {PART_SCORES, PART_SCALED, PART_MASKED, PART_WEIGHTS};
    static const int rows[] = {PART_X, PART_TOK, PART_CONCAT, PART_OUT};
    for (int i = 0; i < 4; i++)
        if (r->tensor[maps[i]].rank >= 2) return r->tensor[maps[i]].dim[r->tensor[maps[i]].rank - (keys ? 1 : 2)];
    if (keys && has(r, PART_X_KV)) return r->tensor[PART_X_KV].dim[0];
    for (int i = 0; i < (keys ? 2 : 4); i++)
        if (has(r, rows[i])) return r->tensor[rows[i]].dim[0];
    return 0;
}

/* Heads before or behind the tokens? */
static bool heads_behind(const DumpTensor *t, int heads, int rows) {
    bool first = rows ? t->dim[1] == rows : true, second = rows ? t->dim[0] == rows : true;
    if (heads) first = first && t->dim[0] == heads, second = second && t->dim[1] == heads;
    return second && !first;
}

static int heads_seen(const DumpReader *r) {
    static const int maps[] = {PART_SCORES, PART_SCALED, PART_MASKED, PART_WEIGHTS}, cut[] = {PART_Q, PART_Q_ROPE, PART_HEAD_OUT};
    for (int i = 0; i < 4; i++)
        if (has(r, maps[i])) return r->tensor[maps[i]].rank == 3 ? r->tensor[maps[i]].dim[0] : 1;
    for (int i = 0; i < 3; i++) {
        const DumpTensor *t = &r->tensor[cut[i]];
        if (t->data && t->rank == 3) return t->dim[heads_behind(t, 0, rows_known(r, false))];
    }
    return 1;
}

static int groups_seen(const DumpReader *r) {
    static const int cut[] = {PART_K, PART_V, PART_K_ROPE};
    int rows = rows_known(r, true);
    for (int i = 0; i < 3; i++) {
        const DumpTensor *t = &r->tensor[cut[i]];
        if (!t->data || t->rank != 3 || (t->dim[0] == 1 && r->heads > 1)) continue;
        bool second = rows ? heads_behind(t, 0, rows) : r->heads % t->dim[0] != 0;
        return t->dim[second];
    }
    if (!has(r, PART_W_K) || !has(r, PART_W_Q)) return r->heads;
    long long wide = (long long)r->tensor[PART_W_K].dim[0] * r->heads, all = r->tensor[PART_W_Q].dim[0];
    return wide % all == 0 && wide / all >= 1 && wide / all <= r->heads ? (int)(wide / all) : r->heads;
}

static bool find_heads(DumpReader *r) {
    r->heads = r->told->heads;
    if (!r->heads && !read_meta_int(r, "n_heads", &r->heads)) r->heads = heads_seen(r);
    r->groups = r->told->kv_heads;
    if (!r->groups && !read_meta_int(r, "n_kv_heads", &r->groups)) {
        r->groups = groups_seen(r);
        if (r->heads % r->groups != 0) r->groups = r->heads; /* which tensor does not fit is said there */
    }
    if (r->heads % r->groups == 0) return true;
    return dump_refuse(r, ERR_SHAPE, tr("%d heads cannot share %d key/value heads: say --heads and --kv-heads"), r->heads, r->groups);
}

/* ---- heads ---- */

/* data [T, H, d] -> [H, T, d] */
static void swap_axes(DumpReader *r, DumpTensor *t) {
    int T = t->dim[0], H = t->dim[1], d = t->dim[2];
    float *data = ARENA_ARRAY(r->arena, float, (size_t)T * (size_t)H * (size_t)d);
    for (int i = 0; i < T; i++)
        for (int h = 0; h < H; h++)
            memcpy(data + ((size_t)h * (size_t)T + (size_t)i) * (size_t)d, t->data + ((size_t)i * (size_t)H + (size_t)h) * (size_t)d, (size_t)d * sizeof *data);
    *t = (DumpTensor){.rank = 3, .dim = {H, T, d}, .data = data};
}

/* [H, T, d] from that, from [T, H, d] or from [T, H * d]. Where H = T, the first is meant. */
static bool cut_heads(DumpReader *r, int p, int heads, int rows) {
    DumpTensor *t = &r->tensor[p];
    if (t->rank == 3 && t->dim[0] == 1 && heads > 1) drop_first(t); /* a batch of rows */
    if (t->rank == 3) {
        if (heads_behind(t, heads, rows)) swap_axes(r, t);
        if (t->dim[0] == heads) return true;
        return dump_refuse(r, ERR_SHAPE, tr("%s %s has neither [%d heads, tokens, width] nor [tokens, %d heads, width]: say --heads and --kv-heads"), r->shown[p],
                           shape_text(r, p), heads, heads);
    }
    if (t->rank < 2 || t->dim[1] % heads != 0)
        return dump_refuse(r, ERR_SHAPE, tr("%s %s cannot be cut into %d heads"), r->shown[p], shape_text(r, p), heads);
    *t = (DumpTensor){.rank = 3, .dim = {t->dim[0], heads, t->dim[1] / heads}, .data = t->data};
    swap_axes(r, t);
    return true;
}

/* ---- maps and masks ---- */

static bool raise_map(DumpReader *r, int p) {
    DumpTensor *t = &r->tensor[p];
    if (t->rank == 2) {
        memmove(t->dim + 1, t->dim, 2 * sizeof *t->dim);
        t->dim[0] = 1;
        t->rank = 3;
    }
    if (t->rank == 3 && t->dim[0] == r->heads) return true;
    return dump_refuse(r, ERR_SHAPE, tr("%s %s is no map of %d heads, [%d, queries, keys]: say --heads"), r->shown[p], shape_text(r, p), r->heads, r->heads);
}

/* 1 keeps and 0 hides; what is added to scores, 0 and -inf, becomes that. Rows and heads that are written once count for all. */
static bool read_mask(DumpReader *r) {
    DumpTensor *t = &r->tensor[PART_MASK];
    int L = rows_known(r, false), S = rows_known(r, true);
    if (t->rank == 3 && t->dim[0] == 1) drop_first(t);
    if (t->rank == 1) {
        t->dim[1] = t->dim[0];
        t->dim[0] = 1;
        t->rank = 2;
    }
    bool heads = t->rank == 3, once = t->dim[t->rank - 2] == 1 && L > 1;
    int rows = once ? L : t->dim[t->rank - 2], keys = t->dim[t->rank - 1];
    if ((L && rows != L) || (S && keys != S) || (heads && t->dim[0] != r->heads))
        return dump_refuse(r, ERR_SHAPE, tr("%s %s does not fit %d heads, %d queries and %d keys"), r->shown[PART_MASK], shape_text(r, PART_MASK), r->heads, L, S);
    size_t each = (size_t)rows * (size_t)keys, count = each * (heads ? (size_t)r->heads : 1), stored = once ? (size_t)keys : each;
    float *data = ARENA_ARRAY(r->arena, float, count);
    bool added = false;
    for (size_t i = 0; i < r->entry[PART_MASK]->count; i++) added |= (double)t->data[i] <= DUMP_HIDDEN;
    for (size_t i = 0; i < count; i++) {
        float value = t->data[i / each * stored + i % each % stored];
        data[i] = added ? ((double)value <= DUMP_HIDDEN ? 0.0f : 1.0f) : value;
        if (data[i] != 0.0f && data[i] != 1.0f)
            return dump_refuse(r, ERR_INPUT, tr("%s has the number %g; a mask has 1 (keep) and 0 (hide), or 0 and -inf as it is added"), r->shown[PART_MASK], (double)value);
    }
    *t = (DumpTensor){.rank = heads ? 3 : 2, .dim = {heads ? r->heads : rows, heads ? rows : keys, keys}, .data = data};
    return true;
}

/* ---- matrices ---- */

/* q, k and v in one matrix, as nn.MultiheadAttention has them. */
static bool part_joined(DumpReader *r, int joined, int first, int step) {
    DumpTensor *t = &r->tensor[joined];
    if (!t->data) return true;
    if (t->dim[0] % (r->heads + 2 * r->groups) != 0)
        return dump_refuse(r, ERR_SHAPE, tr("%s %s cannot be parted into q, k and v"), r->shown[joined], shape_text(r, joined));
    int head = t->dim[0] / (r->heads + 2 * r->groups), at = 0;
    size_t wide = t->rank == 2 ? (size_t)t->dim[1] : 1;
    for (int i = 0; i < 3; i++) {
        int p = first + i * step, rows = head * (i == 0 ? r->heads : r->groups);
        if (has(r, p)) return dump_refuse(r, ERR_INPUT, tr("%s and %s both mean %s: leave one out"), r->shown[joined], r->shown[p], dump_names[p].name);
        r->tensor[p] = (DumpTensor){.rank = t->rank, .dim = {rows, t->dim[1]}, .data = t->data + (size_t)at * wide};
        r->entry[p] = r->entry[joined];
        r->shown[p] = dump_names[p].name;
        at += rows;
    }
    t->data = NULL;
    return true;
}

/* A matrix [in, out] whose shape shows it is turned; a square one is taken as [out, in]. */
static void turn_matrix(DumpReader *r, int p, int in) {
    DumpTensor *t = &r->tensor[p];
    if (!t->data || t->rank != 2 || in == 0 || t->dim[1] == in || t->dim[0] != in) return;
    size_t rows = (size_t)t->dim[0], columns = (size_t)t->dim[1];
    float *data = ARENA_ARRAY(r->arena, float, rows * columns);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < columns; j++) data[j * rows + i] = t->data[i * columns + j];
    *t = (DumpTensor){.rank = 2, .dim = {(int)columns, (int)rows}, .data = data};
    dump_note(r, arena_printf(r->arena, tr("%s is stored as [in, out] and read so."), r->shown[p]));
}

static void turn_matrices(DumpReader *r) {
    int x = has(r, PART_X) ? PART_X : PART_TOK, kv = has(r, PART_X_KV) ? PART_X_KV : x;
    int in = has(r, x) ? r->tensor[x].dim[1] : 0, in_kv = has(r, kv) ? r->tensor[kv].dim[1] : 0;
    turn_matrix(r, PART_W_Q, in);
    turn_matrix(r, PART_W_K, in_kv);
    turn_matrix(r, PART_W_V, in_kv);
    turn_matrix(r, PART_W_FF1, in);
    const DumpTensor *w_v = &r->tensor[PART_W_V], *v = &r->tensor[PART_V], *concat = &r->tensor[PART_CONCAT];
    int joined = concat->data ? concat->dim[1] : w_v->data ? w_v->dim[0] * r->heads / r->groups : v->data ? v->dim[2] * r->heads : 0;
    turn_matrix(r, PART_W_O, joined);
    if (has(r, PART_W_FF1)) turn_matrix(r, PART_W_FF2, r->tensor[PART_W_FF1].dim[0]);
}

/* ---- all of them ---- */

static bool check_rank(DumpReader *r, int p) {
    int rank = most_rank[dump_names[p].form];
    return r->tensor[p].rank == rank || dump_refuse(r, ERR_SHAPE, tr("%s %s needs %d dimensions"), r->shown[p], shape_text(r, p), rank);
}

static bool shape_one(DumpReader *r, int p) {
    switch (dump_names[p].form) {
    case FORM_QUERIES: return cut_heads(r, p, r->heads, rows_known(r, false));
    case FORM_KEYS: return cut_heads(r, p, r->groups, rows_known(r, true));
    case FORM_MAP: return raise_map(r, p);
    case FORM_MASK: return read_mask(r);
    default: return check_rank(r, p);
    }
}

bool dump_shape(DumpReader *r) {
    for (int p = 0; p < PART_COUNT; p++)
        if (has(r, p) && !drop_batch(r, p)) return false;
    if (!find_heads(r) || !part_joined(r, PART_W_QKV, PART_W_Q, PART_W_K - PART_W_Q) || !part_joined(r, PART_B_QKV, PART_B_Q, PART_B_K - PART_B_Q)) return false;
    for (int p = 0; p < PART_COUNT; p++)
        if (has(r, p) && !shape_one(r, p)) return false;
    turn_matrices(r);
    return true;
}
