/* When words come and go, what belongs to a token goes with it: edits of x, rows and columns of custom masks,
 * the keys of a padding mask, global tokens. */
#include <string.h>

#include "base/str.h"
#include "doc/action_parts.h"

/* to_new[old] and to_old[new]; -1 = gone, or new. Tokens alike at both ends are the same; between them they
 * correspond in order (a word that is being typed stays the same token). */
typedef struct {
    int n_old, n_new;
    int *to_new, *to_old;
} TokenMap;

static TokenMap map_tokens(const TokenList *before, const TokenList *after, Arena *arena) {
    TokenMap map = {.n_old = before->n, .n_new = after->n};
    map.to_new = ARENA_ARRAY(arena, int, (size_t)before->n + 1);
    map.to_old = ARENA_ARRAY(arena, int, (size_t)after->n + 1);
    int least = before->n < after->n ? before->n : after->n, head = 0, tail = 0;
    while (head < least && str_eq(before->items[head].text, after->items[head].text)) head++;
    while (tail < least - head && str_eq(before->items[before->n - 1 - tail].text, after->items[after->n - 1 - tail].text)) tail++;
    for (int i = 0; i < before->n; i++) map.to_new[i] = -1;
    for (int j = 0; j < after->n; j++) map.to_old[j] = -1;
    for (int i = 0; i < least - tail; i++) map.to_new[i] = map.to_old[i] = i;
    for (int t = 1; t <= tail; t++) {
        map.to_new[before->n - t] = after->n - t;
        map.to_old[after->n - t] = before->n - t;
    }
    return map;
}

static void follow_edits(Doc *doc, bool key_side, const TokenMap *map, Arena *arena) {
    DocEdit *kept = ARENA_ARRAY(arena, DocEdit, (size_t)doc->n_edits + 1);
    MatrixName rows = key_side ? MATRIX_X_KV : MATRIX_X;
    int n = 0;
    for (int i = 0; i < doc->n_edits; i++) {
        DocEdit edit = *doc_edit_at(doc, i);
        int row = edit.index[0];
        if (edit.matrix == rows && row < map->n_old && (edit.index[0] = map->to_new[row]) < 0) continue;
        kept[n++] = edit;
    }
    doc_set_edits(doc, kept, n);
}

static void follow_list(Blob **list, const TokenMap *map, Arena *arena) {
    if (!*list) return;
    int n = (int)((*list)->size / sizeof(int)), kept = 0;
    const int *from = (*list)->bytes;
    int *to = ARENA_ARRAY(arena, int, (size_t)n + 1);
    for (int i = 0; i < n; i++) {
        int at = from[i] < map->n_old ? map->to_new[from[i]] : from[i];
        if (at >= 0) to[kept++] = at;
    }
    doc_set_blob(list, to, (size_t)kept * sizeof *to);
}

/* Rows, columns or both by the map; what is new may be read. */
static void follow_keep(DocMatrix *keep, bool rows, bool cols, const TokenMap *map) {
    int old_rows = keep->dim[keep->rank - 2], old_cols = keep->dim[keep->rank - 1];
    if ((rows && old_rows != map->n_old) || (cols && old_cols != map->n_old)) return; /* it was of another size already */
    int dim[3] = {keep->dim[0], keep->dim[1], keep->dim[2]};
    if (rows) dim[keep->rank - 2] = map->n_new;
    if (cols) dim[keep->rank - 1] = map->n_new;
    DocMatrix made = {0};
    doc_set_matrix(&made, keep->rank, dim, NULL);
    if (!made.data) return;
    int heads = keep->rank == 3 ? dim[0] : 1, n_rows = dim[keep->rank - 2], n_cols = dim[keep->rank - 1];
    const float *from = keep->data->bytes;
    float *to = made.data->bytes; /* new: nobody shares it yet */
    for (int h = 0; h < heads; h++)
        for (int i = 0; i < n_rows; i++)
            for (int j = 0; j < n_cols; j++) {
                int row = rows ? map->to_old[i] : i, col = cols ? map->to_old[j] : j;
                bool known = row >= 0 && col >= 0;
                *to++ = known ? from[((size_t)h * (size_t)old_rows + (size_t)row) * (size_t)old_cols + (size_t)col] : 1;
            }
    blob_drop(keep->data);
    *keep = made;
}

static void follow(Doc *doc, bool key_side, TokenMap map, Arena *arena) {
    bool cross = doc_has_source(doc);
    bool rows = !key_side, cols = key_side || !cross;
    follow_edits(doc, key_side, &map, arena);
    int n = 0;
    for (int i = 0; i < doc->n_masks; i++) {
        DocMask *mask = &doc->masks[i];
        if (cols) follow_list(&mask->keys, &map, arena);
        if (cols) follow_list(&mask->globals, &map, arena);
        if (mask->keep.rank) follow_keep(&mask->keep, rows, cols, &map);
        bool empty = mask->keep.rank && (mask->keep.dim[mask->keep.rank - 1] == 0 || mask->keep.dim[mask->keep.rank - 2] == 0);
        if (empty || (mask->globals && mask->globals->size == 0) || (mask->keys && mask->keys->size == 0)) { /* what it was about is gone */
            doc_mask_reset(mask);
            continue;
        }
        if (n != i) {
            doc->masks[n] = *mask;
            *mask = (DocMask){0};
        }
        n++;
    }
    doc->n_masks = n;
}

void doc_follow_tokens(Doc *doc, bool key_side, const TokenList *before, const TokenList *after, Arena *arena) {
    follow(doc, key_side, map_tokens(before, after, arena), arena);
}

void doc_follow_order(Doc *doc, bool key_side, const int *to_old, int n_new, int n_old, Arena *arena) {
    TokenMap map = {.n_old = n_old, .n_new = n_new};
    map.to_new = ARENA_ARRAY(arena, int, (size_t)n_old + 1);
    map.to_old = ARENA_ARRAY(arena, int, (size_t)n_new + 1);
    for (int i = 0; i < n_old; i++) map.to_new[i] = -1;
    for (int j = 0; j < n_new; j++) {
        map.to_old[j] = to_old[j];
        if (to_old[j] >= 0) map.to_new[to_old[j]] = j;
    }
    follow(doc, key_side, map, arena);
}
