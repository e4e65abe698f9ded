/* Masks by hand: one cell, a line of cells, a whole row or column; and how M is written. */
#include <stdlib.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"

bool action_make_custom(const ActionContext *cx, Doc *doc) {
    if (doc->n_masks == 1 && doc->masks[0].keep.rank) return true;
    if (!cx->run) return false;
    TensorId id = trace_find(cx->run->trace, "mask");
    int dim[3] = {cx->run->tokens.n, cx->run->keys.n, 1}, rank = 2;
    const float *data = NULL;
    if (id != TENSOR_NONE) {
        const Tensor *t = trace_tensor(cx->run->trace, id);
        rank = t->rank;
        for (int i = 0; i < rank; i++) dim[i] = t->dim[i];
        data = t->data;
    }
    for (int i = 0; i < MASK_LIST_MAX; i++) doc_mask_reset(&doc->masks[i]);
    doc->masks[0].spec.kind = rank == 3 ? MASK_CUSTOM_PER_HEAD : MASK_CUSTOM;
    doc->n_masks = 1;
    doc_set_matrix(&doc->masks[0].keep, rank, dim, data);
    DocMatrix *keep = &doc->masks[0].keep;
    float *numbers = keep->data ? keep->data->bytes : NULL; /* a new blob: nobody shares it yet */
    for (int i = 0; numbers && !data && i < dim[0] * dim[1]; i++) numbers[i] = 1;
    return numbers != NULL;
}

/* ---- the cells of one head ---- */

typedef struct {
    float *at; /* of a blob that nobody shares yet; NULL = there is none */
    int rows, cols;
} Cells;

/* A custom mask's cells of the head in view, to be written. */
static Cells own_cells(DocMatrix *keep, int head) {
    Cells cells = {.rows = keep->dim[keep->rank - 2], .cols = keep->dim[keep->rank - 1]};
    if (keep->rank == 3 && head >= keep->dim[0]) return cells;
    Blob *copy = blob_new(keep->data->bytes, keep->data->size);
    if (!copy) return cells;
    blob_drop(keep->data);
    keep->data = copy;
    cells.at = (float *)copy->bytes + (size_t)(keep->rank == 3 ? head : 0) * (size_t)cells.rows * (size_t)cells.cols;
    return cells;
}

static float *cell(const Cells *cells, int row, int col) {
    bool inside = cells->at && row >= 0 && col >= 0 && row < cells->rows && col < cells->cols;
    return inside ? cells->at + (size_t)row * (size_t)cells->cols + (size_t)col : NULL;
}

typedef struct {
    int row0, col0, row1, col1; /* both ends included */
    int to;                     /* 0, 1, or -1 for the other one of the first cell */
} Stroke;

/* Every cell that a straight line between the middles of the two passes, along its longer side. */
static bool draw_line(const Cells *cells, const Stroke *s) {
    int down = s->row1 - s->row0, right = s->col1 - s->col0, n = abs(down) > abs(right) ? abs(down) : abs(right);
    float *first = cell(cells, s->row0, s->col0);
    if (!first || !cell(cells, s->row1, s->col1)) return false;
    float value = s->to >= 0 ? (float)s->to : 1 - *first;
    for (int i = 0; i <= n; i++) {
        int row = n ? s->row0 + (2 * down * i + (down < 0 ? -n : n)) / (2 * n) : s->row0;
        int col = n ? s->col0 + (2 * right * i + (right < 0 ? -n : n)) / (2 * n) : s->col0;
        *cell(cells, row, col) = value;
    }
    return true;
}

static bool paint(ActionContext *cx, const Stroke *s, Err *err) {
    Doc changed = {0};
    doc_copy(&changed, cx->doc);
    bool ok = action_make_custom(cx, &changed);
    Cells cells = ok ? own_cells(&changed.masks[0].keep, cx->view->head) : (Cells){0};
    ok = ok && draw_line(&cells, s);
    if (ok) doc_copy(cx->doc, &changed);
    else err_set(err, ERR_INPUT, tr("row %d, column %d lies outside the mask"), s->row1 + 1, s->col1 + 1);
    doc_reset(&changed);
    return ok;
}

/* ---- which cell ---- */

/* The query or the key of what is selected. */
static bool selected_token(const ActionContext *cx, AxisKind kind, int *out, Err *err) {
    const ViewRef *at = &cx->view->selection;
    TensorId id = at->tensor[0] ? trace_find(cx->run->trace, at->tensor) : TENSOR_NONE;
    for (int a = 0; id != TENSOR_NONE && a < at->rank; a++) {
        if (run_axis(cx->run, id, a) != kind) continue;
        *out = at->index[a];
        return true;
    }
    return err_set(err, ERR_USAGE, "%s", kind == AXIS_KEY ? tr("Select a cell of the key first, or name the key.") : tr("Select a cell of the query first, or name the query."));
}

static bool named_token(const ActionContext *cx, const ActionLine *line, int arg, AxisKind kind, int *out, Err *err) {
    if (line->n <= arg) return selected_token(cx, kind, out, err);
    return token_resolve(kind == AXIS_KEY ? &cx->run->keys : &cx->run->tokens, line->arg[arg], out, err);
}

bool action_mask_toggle(ActionContext *cx, const ActionLine *line, Err *err) {
    Stroke s = {.to = -1};
    if (!action_needs_tokens(cx, err)) return false;
    if (line->n == 2) return err_set(err, ERR_USAGE, "%s", tr("mask.toggle takes a row and a column, or nothing for the selected cell"));
    if (!named_token(cx, line, 1, AXIS_QUERY, &s.row0, err) || !named_token(cx, line, 2, AXIS_KEY, &s.col0, err)) return false;
    if (line->n > 3 && !action_int("mask", line->arg[3], 0, 1, &s.to, err)) return false;
    s.row1 = s.row0;
    s.col1 = s.col0;
    return paint(cx, &s, err);
}

bool action_mask_paint(ActionContext *cx, const ActionLine *line, Err *err) {
    Stroke s = {0};
    if (!action_needs_tokens(cx, err)) return false;
    return token_resolve(&cx->run->tokens, line->arg[1], &s.row0, err) && token_resolve(&cx->run->keys, line->arg[2], &s.col0, err) &&
           token_resolve(&cx->run->tokens, line->arg[3], &s.row1, err) && token_resolve(&cx->run->keys, line->arg[4], &s.col1, err) &&
           action_int("mask", line->arg[5], 0, 1, &s.to, err) && paint(cx, &s, err);
}

/* ---- whole rows and columns ---- */

/* Is any cell of this row, or of this column, kept in the head in view? */
static bool any_kept(const ActionContext *cx, int row, int col) {
    TensorId id = trace_find(cx->run->trace, "mask");
    if (id == TENSOR_NONE) return true;
    const Tensor *t = trace_tensor(cx->run->trace, id);
    int n = row >= 0 ? t->dim[t->rank - 1] : t->dim[t->rank - 2];
    for (int i = 0; i < n; i++) {
        int r = row >= 0 ? row : i, c = row >= 0 ? i : col;
        const int three[TENSOR_RANK_MAX] = {cx->view->head, r, c}, two[TENSOR_RANK_MAX] = {r, c};
        if (tensor_at(t, t->rank == 3 ? three : two) != 0) return true;
    }
    return false;
}

static bool in_keys(const DocMask *mask, int key, int *place) {
    int n = mask->keys ? (int)(mask->keys->size / sizeof(int)) : 0;
    const int *keys = mask->keys ? mask->keys->bytes : NULL;
    for (int i = 0; i < n; i++)
        if (keys[i] == key) {
            *place = i;
            return true;
        }
    return false;
}

/* Takes the key out of a list of padding keys; a list that is empty then goes. */
static bool take_key(Doc *doc, int key) {
    for (int m = 0; m < doc->n_masks; m++) {
        DocMask *mask = &doc->masks[m];
        int at, n = mask->keys ? (int)(mask->keys->size / sizeof(int)) : 0;
        if (mask->spec.kind != MASK_PADDING || !in_keys(mask, key, &at)) continue;
        if (n == 1) {
            action_remove_mask(doc, m);
            return true;
        }
        Arena arena = {0};
        int *rest = ARENA_ARRAY(&arena, int, (size_t)n), kept = 0;
        for (int i = 0; i < n; i++)
            if (i != at) rest[kept++] = ((const int *)mask->keys->bytes)[i];
        doc_set_blob(&mask->keys, rest, (size_t)kept * sizeof *rest);
        arena_free(&arena);
        return true;
    }
    return false;
}

/* Padding that is counted, or goes by the token, and hides the key becomes a list of the other keys that it hides. */
static bool list_others(const ActionContext *cx, Doc *doc, int key) {
    const AttentionSpec *spec = &cx->run->spec;
    const MaskSpec *padding = NULL;
    DocMask *mask = NULL;
    int which = 0, n = 0;
    for (int i = 0; i < spec->n_masks && !padding; i++)
        if (spec->masks[i].kind == MASK_PADDING && !mask_keeps(&spec->masks[i], 0, 0, key, spec->L, spec->S)) padding = &spec->masks[i];
    for (int i = 0; i < doc->n_masks && !mask; i++)
        if (doc->masks[i].spec.kind == MASK_PADDING && !doc->masks[i].keys) mask = &doc->masks[which = i];
    if (!padding || !mask) return false;
    Arena arena = {0};
    int *others = ARENA_ARRAY(&arena, int, (size_t)spec->S + 1);
    for (int j = 0; j < spec->S; j++)
        if (j != key && !mask_keeps(padding, 0, 0, j, spec->L, spec->S)) others[n++] = j;
    mask->spec = (MaskSpec){.kind = MASK_PADDING};
    mask->by_token = false;
    if (n) doc_set_blob(&mask->keys, others, (size_t)n * sizeof *others);
    else action_remove_mask(doc, which);
    arena_free(&arena);
    return true;
}

/* Puts the key into the list of padding keys: what hid it is then as easily taken back as it came. false: there is no place. */
static bool put_key(Doc *doc, int key) {
    action_drop_idle(doc);
    for (int m = 0; m < doc->n_masks; m++) {
        DocMask *mask = &doc->masks[m];
        if (mask->spec.kind != MASK_PADDING || !mask->keys) continue;
        int n = (int)(mask->keys->size / sizeof(int)), i = 0;
        const int *from = mask->keys->bytes;
        Arena arena = {0};
        int *all = ARENA_ARRAY(&arena, int, (size_t)n + 1);
        for (; i < n && from[i] < key; i++) all[i] = from[i];
        all[i] = key;
        for (; i < n; i++) all[i + 1] = from[i];
        doc_set_blob(&mask->keys, all, (size_t)(n + 1) * sizeof *all);
        arena_free(&arena);
        return true;
    }
    if (doc->n_masks == MASK_LIST_MAX) return false;
    DocMask *mask = &doc->masks[doc->n_masks++];
    mask->spec = (MaskSpec){.kind = MASK_PADDING};
    doc_set_blob(&mask->keys, &key, sizeof key);
    return mask->keys != NULL;
}

/* The mask of cells that stands beside templates: what hides whole queries. Alone, it is what was painted. */
static DocMask *rows_mask(Doc *doc, int *which) {
    for (*which = 0; *which < doc->n_masks; ++*which)
        if (doc->masks[*which].keep.rank == 2) return &doc->masks[*which];
    return NULL;
}

static bool all_are(const float *cells, size_t n, float value) {
    for (size_t i = 0; i < n; i++)
        if (cells[i] > value || cells[i] < value) return false;
    return true;
}

/* Hides the query beside the templates that are there, so that showing it again gives back what they allow. */
static bool put_row(const ActionContext *cx, Doc *doc, int row) {
    int which, dim[3] = {cx->run->tokens.n, cx->run->keys.n, 1};
    action_drop_idle(doc);
    DocMask *mask = rows_mask(doc, &which);
    if (!mask) {
        if (doc->n_masks == MASK_LIST_MAX) return false;
        mask = &doc->masks[doc->n_masks];
        doc_set_matrix(&mask->keep, 2, dim, NULL);
        if (!mask->keep.data) return false;
        float *numbers = mask->keep.data->bytes; /* new: nobody shares it yet */
        for (int i = 0; i < dim[0] * dim[1]; i++) numbers[i] = 1;
        mask->spec = (MaskSpec){.kind = MASK_CUSTOM};
        doc->n_masks++;
    } else if (doc->n_masks == 1) {
        return false;
    }
    Cells cells = own_cells(&mask->keep, 0);
    return draw_line(&cells, &(Stroke){row, 0, row, cells.cols - 1, 0});
}

/* The other way round; a mask that hides nothing more goes. */
static bool take_row(Doc *doc, int row) {
    int which;
    DocMask *mask = rows_mask(doc, &which);
    if (!mask || doc->n_masks == 1) return false;
    Cells cells = own_cells(&mask->keep, 0);
    const float *first = cell(&cells, row, 0);
    if (!first || all_are(first, (size_t)cells.cols, 1)) return false;
    draw_line(&cells, &(Stroke){row, 0, row, cells.cols - 1, 1});
    if (all_are(cells.at, (size_t)cells.rows * (size_t)cells.cols, 1)) action_remove_mask(doc, which);
    return true;
}

static bool is_per_head(const ActionContext *cx) {
    TensorId id = trace_find(cx->run->trace, "mask");
    return id != TENSOR_NONE && trace_tensor(cx->run->trace, id)->rank == 3;
}

/* One of the two on a copy, so that nothing is left half done. */
static bool change_row(ActionContext *cx, int row, int to) {
    Doc changed = {0};
    doc_copy(&changed, cx->doc);
    bool ok = to ? take_row(&changed, row) : put_row(cx, &changed, row);
    if (ok) doc_copy(cx->doc, &changed);
    doc_reset(&changed);
    return ok;
}

bool action_mask_row(ActionContext *cx, const ActionLine *line, Err *err) {
    Stroke s = {0};
    if (!action_needs_tokens(cx, err) || !named_token(cx, line, 1, AXIS_QUERY, &s.row0, err)) return false;
    s.to = !any_kept(cx, s.row0, -1);
    if (line->n > 2 && !action_int("mask", line->arg[2], 0, 1, &s.to, err)) return false;
    if (s.to == 0 && !any_kept(cx, s.row0, -1)) return true;
    if (!is_per_head(cx) && change_row(cx, s.row0, s.to)) return true;
    s.row1 = s.row0;
    s.col1 = cx->run->keys.n - 1;
    return paint(cx, &s, err);
}

/* Without a mask of cells the key becomes padding, so that showing it again gives back what was there. */
bool action_mask_column(ActionContext *cx, const ActionLine *line, Err *err) {
    Stroke s = {0};
    if (!action_needs_tokens(cx, err) || !named_token(cx, line, 1, AXIS_KEY, &s.col0, err)) return false;
    s.to = !any_kept(cx, -1, s.col0);
    if (line->n > 2 && !action_int("mask", line->arg[2], 0, 1, &s.to, err)) return false;
    if (s.to == 1 && (take_key(cx->doc, s.col0) || list_others(cx, cx->doc, s.col0))) return true;
    if (s.to == 0 && !any_kept(cx, -1, s.col0)) return true;
    if (s.to == 0 && !is_per_head(cx) && put_key(cx->doc, s.col0)) return true;
    s.col1 = s.col0;
    s.row1 = cx->run->tokens.n - 1;
    return paint(cx, &s, err);
}

/* Every cell of every head: what a library does that takes True for the other thing. */
bool action_mask_flip(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    Doc changed = {0};
    if (!action_needs_tokens(cx, err)) return false;
    doc_copy(&changed, cx->doc);
    bool ok = action_make_custom(cx, &changed);
    DocMatrix *keep = &changed.masks[0].keep;
    Blob *copy = ok ? blob_new(keep->data->bytes, keep->data->size) : NULL;
    if (copy) {
        float *numbers = copy->bytes; /* new: nobody shares it yet */
        for (size_t i = 0; i < copy->size / sizeof *numbers; i++) numbers[i] = 1 - numbers[i];
        blob_drop(keep->data);
        keep->data = copy;
        doc_copy(cx->doc, &changed);
    } else {
        err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    }
    doc_reset(&changed);
    return copy != NULL;
}

/* ---- how it is written ---- */

bool action_mask_form(ActionContext *cx, const ActionLine *line, Err *err) {
    int form = (int)(cx->view->mask_form + 1) % MASK_FORM_COUNT;
    if (line->n > 1 && !action_choice("mask.form", mask_form_names, MASK_FORM_COUNT, line->arg[1], &form, err)) return false;
    cx->view->mask_form = (MaskForm)form;
    return true;
}
