/* What is wrong, or worth knowing, in a trace: found by looking at every number once. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"
#include "core/stats.h"

static const double ROW_SUM_TOLERANCE = 1e-5, SATURATED_FROM = 0.999, LEAK_FROM = 1e-6;

const char *const diagnosis_names[DIAGNOSIS_COUNT] = {
    [DIAGNOSIS_ROW_SUM] = "row_sum",
    [DIAGNOSIS_NAN] = "nan",
    [DIAGNOSIS_INF] = "inf",
    [DIAGNOSIS_EMPTY_ROW] = "empty_row",
    [DIAGNOSIS_BELOW_FILL] = "below_fill",
    [DIAGNOSIS_FILL_LEAKS] = "fill_leaks",
    [DIAGNOSIS_SATURATED] = "saturated",
};
static_assert(DIAGNOSIS_COUNT == 7, "name the new diagnosis");

/* The list, the head of the tensor being looked at, and one finding of each kind in it. */
typedef struct {
    const Trace *trace;
    Arena *arena;
    Diagnosis *list;
    int count, max;
    bool *has_nan; /* for each tensor looked at so far */
    TensorId id;
    const Tensor *tensor;
    int head;      /* -1 = the tensor has none */
    Diagnosis found[DIAGNOSIS_COUNT];
} Doctor;

static void push(Doctor *d, const Diagnosis *diagnosis) {
    if (d->count == d->max) {
        int max = d->max ? d->max * 2 : 16;
        Diagnosis *list = ARENA_ARRAY(d->arena, Diagnosis, (size_t)max);
        if (d->count) memcpy(list, d->list, (size_t)d->count * sizeof *list);
        d->list = list;
        d->max = max;
    }
    d->list[d->count++] = *diagnosis;
}

/* One more place; the first is the one that is kept. `index` counts from 0. */
static void find(Doctor *d, DiagnosisKind kind, const int index[TENSOR_RANK_MAX], double value) {
    Diagnosis *f = &d->found[kind];
    if (f->count++) return;
    f->kind = kind;
    f->id = d->id;
    f->value = value;
    memcpy(f->index, index, sizeof f->index);
}

/* ---- words ---- */

static const char *number_text(char out[32], double value) {
    if (isnan(value)) snprintf(out, 32, "NaN");
    else if (isinf(value)) snprintf(out, 32, value < 0.0 ? "−∞" : "∞");
    else snprintf(out, 32, value < 0.0 ? "−%.6g" : "%.6g", fabs(value));
    return out;
}

/* "weights[1, 3, 2]", counted from 1 */
static const char *place_text(Doctor *d, const Diagnosis *f, int axes) {
    char text[160];
    int used = snprintf(text, sizeof text, "%.80s[", d->tensor->id);
    for (int a = 0; a < axes; a++) used += snprintf(text + used, sizeof text - (size_t)used, a ? ", %d" : "%d", f->index[a] + 1);
    snprintf(text + used, sizeof text - (size_t)used, "]");
    return arena_strdup(d->arena, text);
}

static const char *row_sum_words(Doctor *d, const Diagnosis *f) {
    char sum[32];
    const char *row = place_text(d, f, d->tensor->rank - 1);
    number_text(sum, f->value);
    if (f->value == 0.0) return arena_printf(d->arena, tr("The row %s sums to 0, because it has no key to read."), row);
    return arena_printf(d->arena, tr("The row %s sums to %s, not to 1."), row, sum);
}

/* Where the first NaN of a tensor comes from. */
static const char *nan_cause(Doctor *d) {
    const Op *op = trace_op(d->trace, d->tensor->op);
    if (op->kind == OP_INPUT) return tr("it was given so");
    for (int n = 0; n < OP_INPUTS_MAX; n++)
        if (op->in[n] != TENSOR_NONE && d->has_nan[op->in[n]])
            return arena_printf(d->arena, tr("it comes from %s"), trace_tensor(d->trace, op->in[n])->id);
    if (op->kind == OP_EXP) return tr("the row's largest score is infinite, and ∞ − ∞ has no value");
    if (op->kind == OP_DIVIDE) return tr("0 / 0 has no value");
    return tr("∞ − ∞ or 0 · ∞ has no value");
}

static const char *nan_words(Doctor *d, const Diagnosis *f) {
    return arena_printf(d->arena, tr("%s is NaN: %s."), place_text(d, f, d->tensor->rank), nan_cause(d));
}

static const char *inf_words(Doctor *d, const Diagnosis *f) {
    char value[32];
    return arena_printf(d->arena, tr("%s is %s, and no mask put it there: the numbers have grown too large."),
                        place_text(d, f, d->tensor->rank), number_text(value, f->value));
}

/* The mask op that reads this mask. */
static const Op *reader_of(const Trace *trace, TensorId mask, OpKind kind) {
    for (int n = 0; n < trace_op_count(trace); n++) {
        const Op *op = trace_op(trace, n);
        if (op->kind == kind && op->in[2] == mask) return op;
    }
    return NULL;
}

static EmptyRow empty_row_policy(const Trace *trace, const Op *mask_op) {
    for (int n = 0; n < trace_op_count(trace); n++) {
        const Op *op = trace_op(trace, n);
        if (op->kind == OP_EXP && op->in[0] == mask_op->out) return op->empty_row;
    }
    return EMPTY_ROW_NAN;
}

static const char *empty_row_words(Doctor *d, const Diagnosis *f) {
    const char *row = place_text(d, f, d->tensor->rank - 1);
    const Op *mask = reader_of(d->trace, d->id, OP_MASK);
    int query = f->index[d->tensor->rank - 2] + 1;
    if (mask && isfinite(mask->number))
        return mask->mask_op == MASK_ADD
            ? arena_printf(d->arena, tr("Query %d may read no key (%s): every score is lowered alike, so the mask hides nothing there."), query, row)
            : arena_printf(d->arena, tr("Query %d may read no key (%s): all scores are equal, so the weights spread evenly over all keys."), query, row);
    if (mask && empty_row_policy(d->trace, mask) == EMPTY_ROW_ZERO)
        return arena_printf(d->arena, tr("Query %d may read no key (%s): its weights are set to 0."), query, row);
    return arena_printf(d->arena, tr("Query %d may read no key (%s): its weights are NaN."), query, row);
}

static const char *below_fill_words(Doctor *d, const Diagnosis *f) {
    char value[32], fill[32];
    number_text(value, f->value);
    number_text(fill, trace_op(d->trace, d->tensor->op)->number);
    return arena_printf(d->arena, tr("%s is a real score of %s, below the fill %s: hidden keys would win over it."),
                        place_text(d, f, d->tensor->rank), value, fill);
}

static const char *leak_words(Doctor *d, const Diagnosis *f) {
    char value[32];
    return arena_printf(d->arena, tr("%s keeps the weight %s although the mask hides this key: the fill is not low enough."),
                        place_text(d, f, d->tensor->rank), number_text(value, f->value));
}

static const char *saturated_words(Doctor *d, const Diagnosis *f) {
    char value[32];
    return arena_printf(d->arena, tr("%s is %s: one key takes nearly all of the row, so learning would barely move it."),
                        place_text(d, f, d->tensor->rank), number_text(value, f->value));
}

static const char *(*const words[])(Doctor *d, const Diagnosis *f) = {
    [DIAGNOSIS_ROW_SUM] = row_sum_words,       [DIAGNOSIS_NAN] = nan_words,         [DIAGNOSIS_INF] = inf_words,
    [DIAGNOSIS_EMPTY_ROW] = empty_row_words,   [DIAGNOSIS_BELOW_FILL] = below_fill_words,
    [DIAGNOSIS_FILL_LEAKS] = leak_words,       [DIAGNOSIS_SATURATED] = saturated_words,
};
static_assert(sizeof words / sizeof words[0] == DIAGNOSIS_COUNT, "words for each diagnosis");

/* ---- looking ---- */

static void index_of(const Tensor *tensor, size_t flat, int index[TENSOR_RANK_MAX]) {
    for (int a = TENSOR_RANK_MAX - 1; a >= 0; a--) {
        size_t dim = a < tensor->rank ? (size_t)tensor->dim[a] : 1;
        index[a] = (int)(flat % dim);
        flat /= dim;
    }
}

/* Did the mask put this -inf here? In `masked` at a hidden cell, in `row_max` of a row that is hidden whole. */
static bool from_mask(const Doctor *d, const int *index) {
    const Op *op = trace_op(d->trace, d->tensor->op);
    TensorId id = trace_mask_of(d->trace, d->id);
    if (id == TENSOR_NONE || (op->kind != OP_MASK && op->kind != OP_ROW_MAX)) return false;
    const Tensor *mask = trace_tensor(d->trace, id);
    size_t row = mask_row(mask, index[0], index[1]);
    if (op->kind == OP_MASK) return tensor_flat(mask, row + (size_t)index[2]) == 0.0;
    for (int j = 0; j < mask->dim[mask->rank - 1]; j++)
        if (tensor_flat(mask, row + (size_t)j) != 0.0) return false;
    return true;
}

static void look_at_values(Doctor *d, size_t first, size_t count) {
    int index[TENSOR_RANK_MAX];
    for (size_t n = first; n < first + count; n++) {
        double value = tensor_flat(d->tensor, n);
        if (isfinite(value)) continue;
        index_of(d->tensor, n, index);
        if (isnan(value)) find(d, DIAGNOSIS_NAN, index, value);
        else if (value > 0.0 || !from_mask(d, index)) find(d, DIAGNOSIS_INF, index, value);
    }
}

static void look_at_mask(Doctor *d) {
    int head = d->head < 0 ? 0 : d->head, L = d->tensor->dim[d->tensor->rank - 2], S = d->tensor->dim[d->tensor->rank - 1];
    for (int i = 0; i < L; i++) {
        size_t row = mask_row(d->tensor, head, i), kept = 0;
        for (int j = 0; j < S; j++) kept += tensor_flat(d->tensor, row + (size_t)j) != 0.0;
        int index[TENSOR_RANK_MAX] = {i};
        if (d->head >= 0) index[0] = head, index[1] = i;
        if (!kept) find(d, DIAGNOSIS_EMPTY_ROW, index, 0.0);
    }
}

/* Kept scores of `masked` below a finite fill. */
static void look_at_masked(Doctor *d) {
    const Op *op = trace_op(d->trace, d->tensor->op);
    if (op->in[2] == TENSOR_NONE || !isfinite(op->number)) return;
    const Tensor *mask = trace_tensor(d->trace, op->in[2]);
    for (int i = 0; i < d->tensor->dim[1]; i++)
        for (int j = 0; j < d->tensor->dim[2]; j++) {
            int index[TENSOR_RANK_MAX] = {d->head, i, j};
            bool kept = tensor_flat(mask, mask_row(mask, d->head, i) + (size_t)j) != 0.0;
            double value = tensor_at(d->tensor, index);
            if (kept && value < op->number) find(d, DIAGNOSIS_BELOW_FILL, index, value);
        }
}

static void look_for_leaks(Doctor *d, const Tensor *mask, int i) {
    for (int j = 0; j < d->tensor->dim[2]; j++) {
        int index[TENSOR_RANK_MAX] = {d->head, i, j};
        double weight = tensor_at(d->tensor, index);
        if (weight > LEAK_FROM && tensor_flat(mask, mask_row(mask, d->head, i) + (size_t)j) == 0.0)
            find(d, DIAGNOSIS_FILL_LEAKS, index, weight);
    }
}

static void look_at_weights(Doctor *d) {
    TensorId mask = trace_mask_of(d->trace, d->id);
    for (int i = 0; i < d->tensor->dim[1]; i++) {
        RowStats s = stats_row(d->trace, d->id, mask, d->head, i);
        int row[TENSOR_RANK_MAX] = {d->head, i};
        if (s.n_nan + s.n_inf == 0 && fabs(s.sum - 1.0) > ROW_SUM_TOLERANCE) find(d, DIAGNOSIS_ROW_SUM, row, s.sum);
        if (mask != TENSOR_NONE && s.n_kept > 0) look_for_leaks(d, trace_tensor(d->trace, mask), i);
        row[2] = s.argmax;
        if (s.n_kept > 1 && s.argmax >= 0 && s.max >= SATURATED_FROM) find(d, DIAGNOSIS_SATURATED, row, s.max);
    }
}

static void look_at_head(Doctor *d) {
    size_t count = tensor_count(d->tensor), first = 0;
    if (d->head >= 0) {
        count /= (size_t)d->tensor->dim[0];
        first = count * (size_t)d->head;
    }
    memset(d->found, 0, sizeof d->found);
    look_at_values(d, first, count);
    OpKind kind = trace_op(d->trace, d->tensor->op)->kind;
    if (kind == OP_MASK_RULE) look_at_mask(d);
    if (kind == OP_MASK) look_at_masked(d);
    if (kind == OP_DIVIDE || (kind == OP_INPUT && strcmp(d->tensor->name, "weights") == 0)) look_at_weights(d);
    d->has_nan[d->id] |= d->found[DIAGNOSIS_NAN].count > 0;
    for (int k = 0; k < DIAGNOSIS_COUNT; k++) {
        if (!d->found[k].count) continue;
        d->found[k].message = words[k](d, &d->found[k]);
        push(d, &d->found[k]);
    }
}

void trace_diagnose(const Trace *trace, Arena *arena, Diagnosis **list, int *count) {
    Doctor d = {.trace = trace, .arena = arena};
    d.has_nan = ARENA_ARRAY(arena, bool, (size_t)trace_tensor_count(trace) + 1);
    for (d.id = 0; d.id < trace_tensor_count(trace); d.id++) {
        d.tensor = trace_tensor(trace, d.id);
        bool heads = d.tensor->rank == 3 || (d.tensor->rank == 2 && (trace_op(trace, d.tensor->op)->kind == OP_ROW_MAX ||
                                                                      trace_op(trace, d.tensor->op)->kind == OP_ROW_SUM));
        for (int h = 0; h < (heads ? d.tensor->dim[0] : 1); h++) {
            d.head = heads ? h : -1;
            look_at_head(&d);
        }
    }
    *list = d.list;
    *count = d.count;
}
