/* Comparing with reference files, and the invariant of explanations. */
#include "checks.h"

#include <stdio.h>

#include "support/support.h"

bool check_near(Fixture *f, const char *name, const TensorInput *want, const Tensor *got) {
    double tolerance = fixture_tolerance(f, name);
    if (got->rank != want->rank || memcmp(got->dim, want->dim, (size_t)got->rank * sizeof got->dim[0]) != 0) {
        print_error("%s: %s has another shape\n", f->name, name);
        return false;
    }
    for (size_t n = 0; n < tensor_count(got); n++)
        if (!near_equal(tensor_flat(got, n), (double)want->data[n], tolerance)) {
            print_error("%s: %s[%zu] is %.9g, expected %.9g within %g\n", f->name, name, n, tensor_flat(got, n), (double)want->data[n], tolerance);
            return false;
        }
    return true;
}

bool check_tensor(Fixture *f, const Trace *trace, const char *name, const char *id) {
    TensorId found = trace_find(trace, id);
    if (found != TENSOR_NONE) return check_near(f, name, fixture_tensor(f, name), trace_tensor(trace, found));
    print_error("%s: no tensor %s\n", f->name, id);
    return false;
}

/* Does the reference say what its tensor holds, and does it lie before the explained one? */
static bool leads_back(const Trace *trace, const Ref *ref, TensorId self) {
    if (ref->id == TENSOR_NONE) return true;
    if (ref->id < 0 || ref->id >= self) return false;
    const Tensor *tensor = trace_tensor(trace, ref->id);
    return tensor_has(tensor, ref->index) && near_equal(tensor_at(tensor, ref->index), ref->value, 0.0);
}

/* Terms lead to earlier tensors, or the trail ends in something given or in a rule with its parameters. Every
 * element of every tensor passes here, so every trail ends so. */
static bool trail_is_sound(const Trace *trace, const Explanation *x) {
    if (x->form == FORM_INPUT) return x->n_terms == 0;
    if (x->form == FORM_RULE) return x->n_terms == 0 && x->rule && x->rule[0] && x->rule_text && x->rule_text[0];
    for (int n = 0; n < x->n_terms; n++)
        if (!leads_back(trace, &x->terms[n].a, x->self.id) || !leads_back(trace, &x->terms[n].b, x->self.id)) return false;
    return x->n_terms > 0 || x->n_hidden > 0;
}

int explain_every_element(const char *file, const Trace *trace, TensorId id, double tolerance, Arena *arena) {
    const Tensor *tensor = trace_tensor(trace, id);
    for (size_t n = 0; n < tensor_count(tensor); n++) {
        int index[TENSOR_RANK_MAX] = {0};
        size_t rest = n;
        for (int a = tensor->rank - 1; a >= 0; rest /= (size_t)tensor->dim[a--]) index[a] = (int)(rest % (size_t)tensor->dim[a]);
        Explanation x;
        Err err = {0};
        arena_reset(arena);
        if (!trace_explain(trace, id, index, arena, &x, &err)) fail_msg("%s", err.message);
        if (near_equal(explanation_evaluate(&x), tensor_flat(tensor, n), tolerance) && trail_is_sound(trace, &x)) continue;
        print_error("%s: %s[%zu] is %.9g, explained as %.9g (form %d)\n", file, tensor->id, n, tensor_flat(tensor, n),
                    explanation_evaluate(&x), (int)x.form);
        return 1;
    }
    return 0;
}
