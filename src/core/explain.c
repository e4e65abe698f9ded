#include "core/explain.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"

/* ---- evaluating ---- */

static double ref_value(const Ref *ref) { return ref->id == TENSOR_NONE ? 1.0 : ref->value; }
static double term_value(const Term *term) { return term->factor * ref_value(&term->a) * ref_value(&term->b); }

static double eval_number(const Explanation *x) { return x->number; }
static double eval_copy(const Explanation *x) { return x->terms[0].a.value; }
static double eval_scale(const Explanation *x) { return x->terms[0].a.value * x->number; }
static double eval_exp(const Explanation *x) { return x->by_policy ? x->number : exp(x->terms[0].a.value - x->terms[0].b.value); }
static double eval_ratio(const Explanation *x) { return x->by_policy ? x->number : x->terms[0].a.value / x->terms[0].b.value; }

static double eval_sum(const Explanation *x) {
    double sum = 0.0;
    for (int n = 0; n < x->n_terms; n++) sum += term_value(&x->terms[n]);
    return sum;
}

/* NaN when one of them is. */
static double eval_max(const Explanation *x) {
    double max = -HUGE_VAL;
    for (int n = 0; n < x->n_terms; n++) {
        double value = x->terms[n].a.value;
        if (isnan(value)) return value;
        if (value > max) max = value;
    }
    return max;
}

/* Σ of the terms' values from `first` on */
static double sum_from(const Explanation *x, int first) {
    double sum = 0.0;
    for (int n = first; n < x->n_terms; n++) sum += x->terms[n].value;
    return sum;
}

static double eval_mean(const Explanation *x) { return sum_from(x, 0) / x->n_terms; }

static double eval_variance(const Explanation *x) {
    double sum = 0.0;
    for (int n = 0; n < x->n_terms; n++) {
        double away = x->terms[n].a.value - x->terms[n].b.value;
        sum += away * away;
    }
    return sum / x->n_terms;
}

static double eval_root(const Explanation *x) {
    double sum = 0.0;
    for (int n = 0; n < x->n_terms; n++) sum += x->terms[n].a.value * x->terms[n].a.value;
    return sqrt(sum / x->n_terms + x->number);
}

static double eval_length(const Explanation *x) {
    double sum = 0.0;
    for (int n = 0; n < x->n_terms; n++) sum += x->terms[n].a.value * x->terms[n].a.value;
    return sqrt(sum);
}

static double eval_norm(const Explanation *x) {
    const Term *t = x->terms;
    double shift = x->n_terms > 3 ? t[3].a.value : 0.0;
    return (t[0].a.value - t[0].b.value) / sqrt(t[1].a.value + x->number) * t[2].a.value + shift;
}

static double eval_root_norm(const Explanation *x) { return x->terms[0].a.value / x->terms[0].b.value * x->terms[1].a.value; }
static double eval_activation(const Explanation *x) { return activation_value(x->op, x->terms[0].a.value); }
static double eval_mix(const Explanation *x) { return (x->terms[0].a.value + x->number) / (sum_from(x, 1) + 1.0); }

static double (*const evaluators[])(const Explanation *x) = {
    [FORM_INPUT] = eval_number, [FORM_RULE] = eval_number, [FORM_COPY] = eval_copy,       [FORM_SUM] = eval_sum,
    [FORM_DOT] = eval_sum,      [FORM_SCALE] = eval_scale, [FORM_REPLACE] = eval_number,  [FORM_MAX] = eval_max,
    [FORM_EXP] = eval_exp,      [FORM_RATIO] = eval_ratio, [FORM_MEAN] = eval_mean,       [FORM_VARIANCE] = eval_variance,
    [FORM_ROOT] = eval_root,    [FORM_NORM] = eval_norm,   [FORM_ROOT_NORM] = eval_root_norm, [FORM_ACTIVATION] = eval_activation,
    [FORM_MIX] = eval_mix,      [FORM_LENGTH] = eval_length,
};
static_assert(sizeof evaluators / sizeof evaluators[0] == FORM_COUNT, "a way to evaluate each form");

double explanation_evaluate(const Explanation *explanation) { return evaluators[explanation->form](explanation); }

/* ---- following ---- */

static double weight_of_term(const Term *term) { return isnan(term->value) ? HUGE_VAL : fabs(term->value); }
static double value_of_term(const Term *term) { return isnan(term->a.value) ? HUGE_VAL : term->a.value; }

/* How much a term of this form counts; NULL: the first one is the source. */
static double (*const counts[])(const Term *term) = {
    [FORM_SUM] = weight_of_term,
    [FORM_DOT] = weight_of_term,
    [FORM_MAX] = value_of_term,
    [FORM_MEAN] = weight_of_term,
    [FORM_VARIANCE] = weight_of_term,
    [FORM_ROOT] = weight_of_term,
    [FORM_LENGTH] = weight_of_term,
    [FORM_COUNT] = NULL,
};

const Ref *explanation_source(const Explanation *explanation) {
    const Term *best = NULL;
    double (*count)(const Term *term) = counts[explanation->form];
    for (int n = 0; n < explanation->n_terms; n++) {
        const Term *term = &explanation->terms[n];
        if (term->a.id == TENSOR_NONE) continue; /* only a number */
        if (!best || (count && count(term) > count(best))) best = term;
    }
    return best ? &best->a : NULL;
}

/* ---- explaining ---- */

/* "weights[1, 7, 1]", counted from 1 as people count */
static void index_text(const Tensor *tensor, const int *index, char out[160]) {
    int used = snprintf(out, 160, "%.80s[", tensor->id);
    for (int d = 0; d < tensor->rank; d++)
        used += snprintf(out + used, (size_t)(160 - used), d ? ", %lld" : "%lld", (long long)index[d] + 1);
    snprintf(out + used, (size_t)(160 - used), "]");
}

static bool check_readable(const Trace *trace, TensorId id, Err *err) {
    return trace_resident(trace, id) || err_set(err, ERR_INPUT, tr("%s is not in memory now."), trace_tensor(trace, id)->id);
}

bool trace_explain(const Trace *trace, TensorId id, const int index[TENSOR_RANK_MAX], Arena *arena, Explanation *out,
                   Err *err) {
    assert(trace->finished);
    const Tensor *tensor = trace_tensor(trace, id);
    if (!tensor_has(tensor, index)) {
        char where[160], shape[64];
        index_text(tensor, index, where);
        return err_set(err, ERR_INPUT, tr("%s lies outside the shape %s."), where, tensor_shape_text(shape, tensor->rank, tensor->dim));
    }
    const Op *op = trace_op(trace, tensor->op);
    if (!check_readable(trace, id, err)) return false;
    for (int i = 0; i < OP_INPUTS_MAX; i++)
        if (op->in[i] != TENSOR_NONE && !check_readable(trace, op->in[i], err)) return false;
    *out = (Explanation){.op = op->kind, .self = {.id = id, .value = tensor_at(tensor, index)}};
    memcpy(out->self.index, index, sizeof out->self.index);
    Explaining e = {trace, op, tensor, index, arena, out, err};
    return op_table[op->kind].explain(&e);
}
