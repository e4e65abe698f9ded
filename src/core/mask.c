#include "core/mask.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/tr.h"

/* One cell of one mask. */
typedef struct {
    const MaskSpec *mask;
    int h, i, j, L, S;
} Cell;

typedef struct {
    bool (*check)(const MaskSpec *mask, int n_heads, int L, int S, Err *err); /* NULL = nothing to check */
    bool (*keeps)(const Cell *c);
    void (*reason)(const Cell *c, char out[160]);
} MaskKindRow;

static bool in_list(const int *list, int count, int value) {
    for (int n = 0; n < count; n++)
        if (list[n] == value) return true;
    return false;
}

/* ---- causal: j <= i + offset ---- */

static int offset_of(const Cell *c) { return c->mask->align == ALIGN_BOTTOM_RIGHT ? c->S - c->L : 0; }
static bool causal_keeps(const Cell *c) { return c->j <= c->i + offset_of(c); }

static void causal_reason(const Cell *c, char out[160]) {
    int last = c->i + offset_of(c) + 1; /* the last key this query may read, from 1 */
    bool keeps = causal_keeps(c);
    if (last == c->i + 1)
        snprintf(out, 160, keeps ? tr("key %d does not come after query %d") : tr("key %d comes after query %d"), c->j + 1, c->i + 1);
    else if (last < 1)
        snprintf(out, 160, tr("query %d stands before the first key"), c->i + 1);
    else
        snprintf(out, 160, keeps ? tr("key %d does not come after key %d, where query %d stands")
                                 : tr("key %d comes after key %d, where query %d stands"), c->j + 1, last, c->i + 1);
}

/* Kinds with a causal part on request. */
static bool causal_part(const Cell *c) { return !c->mask->causal || causal_keeps(c); }

/* ---- none ---- */

static bool none_keeps(const Cell *c) {
    (void)c;
    return true;
}

static void none_reason(const Cell *c, char out[160]) {
    (void)c;
    snprintf(out, 160, "%s", tr("no mask"));
}

/* ---- padding ---- */

static bool padding_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads, (void)L;
    for (int n = 0; n < mask->n_keys; n++)
        if (mask->keys[n] < 0 || mask->keys[n] >= S)
            return err_set(err, ERR_INPUT, tr("Padding names key %d, but there are keys 1 to %d."), mask->keys[n] + 1, S);
    if (mask->n_keys == 0 && (mask->pad_keys < 0 || mask->pad_keys > S))
        return err_set(err, ERR_INPUT, tr("Padding hides %d keys, but there are %d."), mask->pad_keys, S);
    return true;
}

static bool padding_keeps(const Cell *c) {
    const MaskSpec *m = c->mask;
    if (m->n_keys > 0) return !in_list(m->keys, m->n_keys, c->j);
    return m->pad_left ? c->j >= m->pad_keys : c->j < c->S - m->pad_keys;
}

static void padding_reason(const Cell *c, char out[160]) {
    snprintf(out, 160, padding_keeps(c) ? tr("key %d is not padding") : tr("key %d is padding"), c->j + 1);
}

/* ---- window ---- */

static bool window_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads, (void)L, (void)S;
    if (mask->left >= 0 && mask->right >= 0) return true;
    return err_set(err, ERR_INPUT, tr("The window reaches %d back and %d ahead; both must be 0 or more."), mask->left, mask->right);
}

static bool window_keeps(const Cell *c) { return c->j - c->i >= -c->mask->left && c->j - c->i <= c->mask->right; }

static void window_reason(const Cell *c, char out[160]) {
    int ahead = c->j - c->i;
    if (window_keeps(c))
        snprintf(out, 160, tr("key %d lies in the window of query %d, %d back to %d ahead"), c->j + 1, c->i + 1, c->mask->left, c->mask->right);
    else if (ahead > 0)
        snprintf(out, 160, tr("key %d is %d ahead of query %d; the window reaches %d ahead"), c->j + 1, ahead, c->i + 1, c->mask->right);
    else
        snprintf(out, 160, tr("key %d is %d before query %d; the window reaches %d back"), c->j + 1, -ahead, c->i + 1, c->mask->left);
}

/* ---- local blocks ---- */

static bool block_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads, (void)L, (void)S;
    return mask->block >= 1 || err_set(err, ERR_INPUT, tr("The block size is %d; it must be 1 or more."), mask->block);
}

static bool block_keeps(const Cell *c) { return c->i / c->mask->block == c->j / c->mask->block && causal_part(c); }

static void block_reason(const Cell *c, char out[160]) {
    int query = c->i / c->mask->block + 1, key = c->j / c->mask->block + 1;
    if (query != key)
        snprintf(out, 160, tr("key %d is in block %d, query %d in block %d"), c->j + 1, key, c->i + 1, query);
    else if (!causal_part(c))
        causal_reason(c, out);
    else
        snprintf(out, 160, tr("key %d and query %d are both in block %d"), c->j + 1, c->i + 1, key);
}

/* ---- window with global tokens ---- */

static bool global_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads;
    int most = L > S ? L : S;
    if (mask->left < 0) return err_set(err, ERR_INPUT, tr("The window reaches %d to each side; it must be 0 or more."), mask->left);
    for (int n = 0; n < mask->n_globals; n++)
        if (mask->globals[n] < 0 || mask->globals[n] >= most)
            return err_set(err, ERR_INPUT, tr("Global token %d does not exist; there are tokens 1 to %d."), mask->globals[n] + 1, most);
    return true;
}

static bool is_global(const Cell *c, int token) { return in_list(c->mask->globals, c->mask->n_globals, token); }

static bool global_keeps(const Cell *c) {
    if (!causal_part(c)) return false;
    return abs(c->i - c->j) <= c->mask->left || is_global(c, c->i) || is_global(c, c->j);
}

static void global_reason(const Cell *c, char out[160]) {
    if (!causal_part(c))
        causal_reason(c, out);
    else if (is_global(c, c->j))
        snprintf(out, 160, tr("key %d is global"), c->j + 1);
    else if (is_global(c, c->i))
        snprintf(out, 160, tr("query %d is global"), c->i + 1);
    else
        snprintf(out, 160, global_keeps(c) ? tr("key %d is within %d of query %d")
                                           : tr("key %d is more than %d from query %d, and neither is global"),
                 c->j + 1, c->mask->left, c->i + 1);
}

/* ---- strided ---- */

static bool strided_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads, (void)L, (void)S;
    return mask->stride >= 1 || err_set(err, ERR_INPUT, tr("The stride is %d; it must be 1 or more."), mask->stride);
}

static bool strided_keeps(const Cell *c) {
    int far = abs(c->i - c->j);
    return (far < c->mask->stride || far % c->mask->stride == 0) && causal_part(c);
}

static void strided_reason(const Cell *c, char out[160]) {
    int far = abs(c->i - c->j), stride = c->mask->stride;
    if (!causal_part(c))
        causal_reason(c, out);
    else if (far < stride)
        snprintf(out, 160, tr("key %d is %d from query %d, less than %d"), c->j + 1, far, c->i + 1, stride);
    else
        snprintf(out, 160, far % stride == 0 ? tr("key %d is %d from query %d, a multiple of %d")
                                             : tr("key %d is %d from query %d, neither less than %d nor a multiple of it"),
                 c->j + 1, far, c->i + 1, stride);
}

/* ---- custom ---- */

static bool keep_check(const char *name, const float *keep, size_t count, Err *err) {
    if (!keep) return err_set(err, ERR_INPUT, tr("A %s mask needs its cells."), name);
    for (size_t n = 0; n < count; n++)
        if (!(keep[n] == 0.0f || keep[n] == 1.0f))
            return err_set(err, ERR_INPUT, tr("A cell of the %s mask is %g; 1 keeps and 0 hides."), name, (double)keep[n]);
    return true;
}

static bool custom_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    (void)n_heads;
    return keep_check(mask_names[mask->kind], mask->keep, (size_t)L * (size_t)S, err);
}

static bool per_head_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    return keep_check(mask_names[mask->kind], mask->keep, (size_t)n_heads * (size_t)L * (size_t)S, err);
}

static bool custom_keeps(const Cell *c) { return c->mask->keep[(size_t)c->i * (size_t)c->S + (size_t)c->j] != 0.0f; }

static bool per_head_keeps(const Cell *c) {
    size_t row = (size_t)c->h * (size_t)c->L + (size_t)c->i;
    return c->mask->keep[row * (size_t)c->S + (size_t)c->j] != 0.0f;
}

static void custom_reason(const Cell *c, char out[160]) {
    snprintf(out, 160, custom_keeps(c) ? tr("the mask lets query %d read key %d") : tr("the mask does not let query %d read key %d"),
             c->i + 1, c->j + 1);
}

static void per_head_reason(const Cell *c, char out[160]) {
    snprintf(out, 160, per_head_keeps(c) ? tr("the mask of head %d lets query %d read key %d")
                                         : tr("the mask of head %d does not let query %d read key %d"),
             c->h + 1, c->i + 1, c->j + 1);
}

/* ---- tables ---- */

static const MaskKindRow kinds[] = {
    [MASK_NONE] = {NULL, none_keeps, none_reason},
    [MASK_CAUSAL] = {NULL, causal_keeps, causal_reason},
    [MASK_PADDING] = {padding_check, padding_keeps, padding_reason},
    [MASK_WINDOW] = {window_check, window_keeps, window_reason},
    [MASK_LOCAL_BLOCK] = {block_check, block_keeps, block_reason},
    [MASK_GLOBAL_WINDOW] = {global_check, global_keeps, global_reason},
    [MASK_STRIDED] = {strided_check, strided_keeps, strided_reason},
    [MASK_CUSTOM] = {custom_check, custom_keeps, custom_reason},
    [MASK_CUSTOM_PER_HEAD] = {per_head_check, per_head_keeps, per_head_reason},
};
static_assert(sizeof kinds / sizeof kinds[0] == MASK_KIND_COUNT, "a row for each kind of mask");

const char *const mask_names[MASK_KIND_COUNT] = {
    [MASK_NONE] = "none",
    [MASK_CAUSAL] = "causal",
    [MASK_PADDING] = "padding",
    [MASK_WINDOW] = "window",
    [MASK_LOCAL_BLOCK] = "local_block",
    [MASK_GLOBAL_WINDOW] = "global_window",
    [MASK_STRIDED] = "strided",
    [MASK_CUSTOM] = "custom",
    [MASK_CUSTOM_PER_HEAD] = "custom_per_head",
};
static_assert(MASK_KIND_COUNT == 9, "name the new kind");

const char *const causal_align_names[ALIGN_COUNT] = {[ALIGN_BOTTOM_RIGHT] = "bottom_right", [ALIGN_TOP_LEFT] = "top_left"};
const char *const mask_op_names[MASK_OP_COUNT] = {[MASK_REPLACE] = "replace", [MASK_ADD] = "add"};
const char *const empty_row_names[EMPTY_ROW_COUNT] = {[EMPTY_ROW_ZERO] = "zero", [EMPTY_ROW_NAN] = "nan"};

bool mask_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err) {
    return !kinds[mask->kind].check || kinds[mask->kind].check(mask, n_heads, L, S, err);
}

bool mask_keeps(const MaskSpec *mask, int h, int i, int j, int L, int S) {
    return kinds[mask->kind].keeps(&(Cell){mask, h, i, j, L, S});
}

char *mask_reason(char out[160], const MaskSpec *mask, int h, int i, int j, int L, int S) {
    kinds[mask->kind].reason(&(Cell){mask, h, i, j, L, S}, out);
    return out;
}
