#include "base/str.h"
#include "base/tr.h"
#include "doc/run_build.h"

/* The indices of a blob that lie within n. */
static const int *keep_indices(const Blob *blob, int n, Arena *arena, int *count) {
    int all = blob ? (int)(blob->size / sizeof(int)) : 0;
    const int *from = blob ? blob->bytes : NULL;
    int *out = ARENA_ARRAY(arena, int, (size_t)all + 1);
    *count = 0;
    for (int i = 0; i < all; i++)
        if (from[i] >= 0 && from[i] < n) out[(*count)++] = from[i];
    return out;
}

/* A custom mask in today's size: new rows and columns keep, those that are gone are dropped. */
static bool fit_keep(const DocMatrix *keep, int L, int S, Arena *arena, const float **out, Err *err) {
    int heads = keep->rank == 3 ? keep->dim[0] : 1;
    int rows = keep->dim[keep->rank - 2], cols = keep->dim[keep->rank - 1];
    const float *from = keep->data->bytes;
    if (rows == L && cols == S) {
        *out = from;
        return true;
    }
    size_t plane = (size_t)L * (size_t)S;
    float *to = arena_try_raw(arena, plane * (size_t)heads, sizeof *to);
    if (!to) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < L; i++)
            for (int j = 0; j < S; j++)
                to[(size_t)h * plane + (size_t)i * (size_t)S + (size_t)j] =
                    i < rows && j < cols ? from[((size_t)h * (size_t)rows + (size_t)i) * (size_t)cols + (size_t)j] : 1;
    *out = to;
    return true;
}

/* Where the padding token stands among the keys. */
static const int *padding_tokens(const TokenList *keys, Arena *arena, int *count) {
    int *out = ARENA_ARRAY(arena, int, (size_t)keys->n + 1);
    *count = 0;
    for (int i = 0; i < keys->n; i++)
        if (str_eq(keys->items[i].text, DOC_PAD)) out[(*count)++] = i;
    return out;
}

static bool build_mask(const RunBuild *build, const DocMask *mask, MaskSpec *out, Err *err) {
    int L = build->run->tokens.n, S = build->run->keys.n;
    Arena *arena = &build->run->arena;
    *out = mask->spec;
    out->align = build->doc->causal_align;
    out->keys = mask->by_token ? padding_tokens(&build->run->keys, arena, &out->n_keys) : keep_indices(mask->keys, S, arena, &out->n_keys);
    out->globals = keep_indices(mask->globals, L > S ? L : S, arena, &out->n_globals);
    if (out->kind != MASK_CUSTOM && out->kind != MASK_CUSTOM_PER_HEAD) return true;
    if (mask->keep.rank < 2)
        return err_set(err, ERR_INPUT, "%s", tr("mask custom needs keep: a matrix with 1 where a key may be read and 0 where not"));
    out->kind = mask->keep.rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM;
    return fit_keep(&mask->keep, L, S, arena, &out->keep, err);
}

bool run_build_masks(RunBuild *build, Err *err) {
    AttentionSpec *spec = &build->run->spec;
    for (int i = 0; i < build->doc->n_masks; i++) {
        const DocMask *mask = &build->doc->masks[i];
        if (mask->spec.kind == MASK_NONE) continue;
        MaskSpec *out = &spec->masks[spec->n_masks];
        if (!build_mask(build, mask, out, err)) return false;
        /* A list of keys that are all gone hides nothing. */
        if (out->kind == MASK_PADDING && (mask->keys || mask->by_token) && out->n_keys == 0) continue;
        spec->n_masks++;
    }
    spec->fill = build->doc->fill;
    spec->mask_op = build->doc->mask_op;
    spec->empty_row = build->doc->empty_row;
    return true;
}
