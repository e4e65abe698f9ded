/* Explanations by terms, in the order the sums run. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"

const Ref ref_none = {.id = TENSOR_NONE};

/* The number at [a], [a, b] or [a, b, c] of a tensor, by its rank. */
Ref explain_ref(const Explaining *e, TensorId id, int a, int b, int c) {
    const Tensor *tensor = trace_tensor(e->trace, id);
    Ref r = {.id = id, .index = {a, tensor->rank > 1 ? b : 0, tensor->rank > 2 ? c : 0}};
    r.value = tensor_at(tensor, r.index);
    return r;
}

bool explain_begin(Explaining *e, ExplainForm form, int capacity) {
    e->out->form = form;
    e->out->terms = arena_try(e->arena, (size_t)(capacity ? capacity : 1), sizeof *e->out->terms);
    return e->out->terms || err_set(e->err, ERR_MEMORY, tr("Out of memory for an explanation of %d terms."), capacity);
}

void explain_term(Explaining *e, double factor, Ref a, Ref b) {
    double value = factor * (a.id == TENSOR_NONE ? 1.0 : a.value) * (b.id == TENSOR_NONE ? 1.0 : b.value);
    e->out->terms[e->out->n_terms++] = (Term){factor, a, b, value};
}

bool explain_copy_of(Explaining *e, Ref of) {
    if (!explain_begin(e, FORM_COPY, 1)) return false;
    explain_term(e, 1.0, of, ref_none);
    return true;
}

/* ---- moves ---- */

bool explain_rows_of(Explaining *e) {
    return explain_copy_of(e, explain_ref(e, e->op->in[0], e->op->row + e->index[0], e->index[1], 0));
}

bool explain_copy(Explaining *e) { return explain_copy_of(e, explain_ref(e, e->op->in[0], e->index[0], e->index[1], e->index[2])); }

bool explain_heads(Explaining *e) {
    return explain_copy_of(e, explain_ref(e, e->op->in[0], e->index[1], e->index[0] * e->tensor->dim[2] + e->index[2], 0));
}

bool explain_concat(Explaining *e) {
    int width = trace_tensor(e->trace, e->op->in[0])->dim[2];
    return explain_copy_of(e, explain_ref(e, e->op->in[0], e->index[1] / width, e->index[0], e->index[1] % width));
}

/* ---- sums ---- */

bool explain_add(Explaining *e) {
    if (!explain_begin(e, FORM_SUM, 2)) return false;
    for (int n = 0; n < 2; n++) explain_term(e, 1.0, explain_ref(e, e->op->in[n], e->index[0], e->index[1], e->index[2]), ref_none);
    return true;
}

/* row t of in0 · row `out` of in1 + in2[out] */
static bool row_by_row(Explaining *e, int t, int out) {
    int depth = trace_tensor(e->trace, e->op->in[0])->dim[1];
    if (!explain_begin(e, FORM_DOT, depth + 1)) return false;
    for (int k = 0; k < depth; k++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], t, k, 0), explain_ref(e, e->op->in[1], out, k, 0));
    if (e->op->in[2] != TENSOR_NONE) explain_term(e, 1.0, explain_ref(e, e->op->in[2], out, 0, 0), ref_none);
    return true;
}

bool explain_project(Explaining *e) { return row_by_row(e, e->index[1], e->index[0] * e->tensor->dim[2] + e->index[2]); }

bool explain_linear(Explaining *e) { return row_by_row(e, e->index[0], e->index[1]); }

/* One turned feature: e cos - o sin, or e sin + o cos. */
bool explain_rope(Explaining *e) {
    int h = e->index[0], t = e->index[1], j = e->index[2];
    int half = trace_tensor(e->trace, e->op->in[1])->dim[1];
    if (j >= 2 * half) return explain_copy_of(e, explain_ref(e, e->op->in[0], h, t, j));
    int pair = e->op->position->kind == POSITION_ROPE_HALF ? j % half : j / 2, even, odd;
    rope_pair(e->op->position->kind, 2 * half, pair, &even, &odd);
    if (!explain_begin(e, FORM_DOT, 2)) return false;
    Ref a = explain_ref(e, e->op->in[0], h, t, even), b = explain_ref(e, e->op->in[0], h, t, odd);
    Ref cosine = explain_ref(e, e->op->in[1], t, pair, 0), sine = explain_ref(e, e->op->in[2], t, pair, 0);
    explain_term(e, 1.0, a, j == even ? cosine : sine);
    explain_term(e, j == even ? -1.0 : 1.0, b, j == even ? sine : cosine);
    return true;
}

bool explain_scores(Explaining *e) {
    const Tensor *q = trace_tensor(e->trace, e->op->in[0]), *k = trace_tensor(e->trace, e->op->in[1]);
    int h = e->index[0], g = h / (e->tensor->dim[0] / k->dim[0]);
    if (!explain_begin(e, FORM_DOT, q->dim[2])) return false;
    for (int n = 0; n < q->dim[2]; n++)
        explain_term(e, 1.0, explain_ref(e, e->op->in[0], h, e->index[1], n), explain_ref(e, e->op->in[1], g, e->index[2], n));
    return true;
}

/* The key forms no term when the mask hides it and nothing of it is left. */
bool explain_weighted_sum(Explaining *e) {
    const Tensor *v = trace_tensor(e->trace, e->op->in[1]);
    const Tensor *mask = e->op->in[2] == TENSOR_NONE ? NULL : trace_tensor(e->trace, e->op->in[2]);
    int h = e->index[0], i = e->index[1], g = h / (e->tensor->dim[0] / v->dim[0]), S = v->dim[1];
    if (!explain_begin(e, FORM_DOT, S)) return false;
    for (int k = 0; k < S; k++) {
        Ref weight = explain_ref(e, e->op->in[0], h, i, k);
        if (mask && weight.value == 0.0 && tensor_flat(mask, mask_row(mask, h, i) + (size_t)k) == 0.0) e->out->n_hidden++;
        else explain_term(e, 1.0, weight, explain_ref(e, e->op->in[1], g, k, e->index[2]));
    }
    return true;
}

/* ---- scale, mask, softmax ---- */

static Ref same_place(const Explaining *e, TensorId id) { return explain_ref(e, id, e->index[0], e->index[1], e->index[2]); }

bool explain_scale(Explaining *e) {
    if (!explain_begin(e, FORM_SCALE, 1)) return false;
    e->out->number = e->op->number;
    explain_term(e, 1.0, same_place(e, e->op->in[0]), ref_none);
    return true;
}

/* The cell of the mask, [L, S] or [H, L, S]. */
static Ref mask_ref(const Explaining *e) {
    const Tensor *mask = trace_tensor(e->trace, e->op->in[2]);
    return mask->rank == 3 ? same_place(e, e->op->in[2]) : explain_ref(e, e->op->in[2], e->index[1], e->index[2], 0);
}

static const char *why_hidden(const Explaining *e, const Ref *cell) {
    const Tensor *mask = trace_tensor(e->trace, cell->id);
    return mask_words(trace_op(e->trace, mask->op), cell->index, mask, e->arena);
}

/* Kept: scaled + bias. Hidden: the fill in its place, or one more term that is only a number. */
bool explain_mask(Explaining *e) {
    Ref cell = e->op->in[2] == TENSOR_NONE ? ref_none : mask_ref(e);
    bool hidden = cell.id != TENSOR_NONE && cell.value == 0.0;
    if (hidden) e->out->rule_text = why_hidden(e, &cell);
    if (hidden && e->op->mask_op == MASK_REPLACE) {
        if (!explain_begin(e, FORM_REPLACE, 2)) return false;
        e->out->number = e->op->number;
        explain_term(e, 1.0, same_place(e, e->op->in[0]), ref_none);
        explain_term(e, 1.0, cell, ref_none);
        return true;
    }
    if (!explain_begin(e, FORM_SUM, 3)) return false;
    explain_term(e, 1.0, same_place(e, e->op->in[0]), ref_none);
    if (e->op->in[1] != TENSOR_NONE) explain_term(e, 1.0, same_place(e, e->op->in[1]), ref_none);
    if (hidden) explain_term(e, e->op->number, ref_none, ref_none);
    return true;
}

/* All of row [h, i] of in0. */
static bool whole_row(Explaining *e, ExplainForm form) {
    int columns = trace_tensor(e->trace, e->op->in[0])->dim[2];
    if (!explain_begin(e, form, columns)) return false;
    for (int j = 0; j < columns; j++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], e->index[1], j), ref_none);
    return true;
}

bool explain_max(Explaining *e) { return whole_row(e, FORM_MAX); }
bool explain_sum(Explaining *e) { return whole_row(e, FORM_SUM); }

bool explain_exp(Explaining *e) {
    if (!explain_begin(e, FORM_EXP, 1)) return false;
    Ref max = explain_ref(e, e->op->in[1], e->index[0], e->index[1], 0);
    e->out->by_policy = empty_row_decides(e->op, max.value);
    explain_term(e, 1.0, same_place(e, e->op->in[0]), max);
    return true;
}

bool explain_divide(Explaining *e) {
    if (!explain_begin(e, FORM_RATIO, 1)) return false;
    Ref sum = explain_ref(e, e->op->in[1], e->index[0], e->index[1], 0);
    e->out->by_policy = e->op->empty_row == EMPTY_ROW_ZERO && sum.value == 0.0;
    explain_term(e, 1.0, same_place(e, e->op->in[0]), sum);
    return true;
}
