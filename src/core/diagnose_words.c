#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/tr.h"
#include "core/diagnose_parts.h"

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
    if (trace_op(d->trace, d->tensor->op)->kind == OP_INPUT)
        return arena_printf(d->arena, tr("%s is %s: it was given so."), place_text(d, f, d->tensor->rank), number_text(value, f->value));
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

const char *diagnosis_words(Doctor *d, const Diagnosis *found) { return words[found->kind](d, found); }
