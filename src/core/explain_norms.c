/* Explanations of norms and activations. */
#include "core/internal.h"

static Ref row_of(const Explaining *e, int input) { return explain_ref(e, e->op->in[input], e->index[0], 0, 0); }
static Ref column_of(const Explaining *e, int input) { return explain_ref(e, e->op->in[input], e->index[1], 0, 0); }
static Ref cell_of(const Explaining *e, int input) { return explain_ref(e, e->op->in[input], e->index[0], e->index[1], e->index[2]); }

/* All of row [t] of in0, each beside b. */
static bool whole_row(Explaining *e, ExplainForm form, Ref b, double number) {
    int columns = trace_tensor(e->trace, e->op->in[0])->dim[1];
    if (!explain_begin(e, form, columns)) return false;
    e->out->number = number;
    for (int j = 0; j < columns; j++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], j, 0), b);
    return true;
}

bool explain_mean(Explaining *e) { return whole_row(e, FORM_MEAN, ref_none, 0.0); }
bool explain_rms(Explaining *e) { return whole_row(e, FORM_ROOT, ref_none, e->op->number); }

bool explain_variance(Explaining *e) {
    if (!whole_row(e, FORM_VARIANCE, row_of(e, 1), 0.0)) return false;
    for (int n = 0; n < e->out->n_terms; n++) {
        Term *term = &e->out->terms[n];
        double away = term->a.value - term->b.value;
        term->value = away * away;
    }
    return true;
}

bool explain_layernorm(Explaining *e) {
    if (!explain_begin(e, FORM_NORM, 4)) return false;
    e->out->number = e->op->number;
    explain_term(e, 1.0, cell_of(e, 0), row_of(e, 1));
    explain_term(e, 1.0, row_of(e, 2), ref_none);
    explain_term(e, 1.0, column_of(e, 3), ref_none);
    if (e->op->in[4] != TENSOR_NONE) explain_term(e, 1.0, column_of(e, 4), ref_none);
    e->out->terms[0].value = e->out->terms[0].a.value - e->out->terms[0].b.value;
    return true;
}

bool explain_rmsnorm(Explaining *e) {
    if (!explain_begin(e, FORM_ROOT_NORM, 2)) return false;
    explain_term(e, 1.0, cell_of(e, 0), row_of(e, 1));
    explain_term(e, 1.0, column_of(e, 2), ref_none);
    e->out->terms[0].value = e->out->terms[0].a.value / e->out->terms[0].b.value;
    return true;
}

bool explain_activation(Explaining *e) {
    if (!explain_begin(e, FORM_ACTIVATION, 1)) return false;
    explain_term(e, 1.0, cell_of(e, 0), ref_none);
    return true;
}

bool explain_multiply(Explaining *e) {
    if (!explain_begin(e, FORM_DOT, 1)) return false;
    explain_term(e, 1.0, cell_of(e, 0), cell_of(e, 1));
    return true;
}
