#include "case.h"

#include <stdio.h>

Case case_new(void) {
    return (Case){.spec = {.fill = -(double)INFINITY}};
}

void case_free(Case *c) { arena_free(&c->arena); }

void case_input(Case *c, const char *name, int rank, int d0, int d1, int d2, const float *data) {
    assert_true(c->n_inputs < CASE_INPUTS);
    c->inputs[c->n_inputs++] = (TensorInput){.name = name, .rank = rank, .dim = {d0, d1, d2, 1}, .data = data};
}

bool case_try(Case *c) {
    c->err = (Err){0};
    c->trace = trace_new(&c->arena);
    return machine_attention(c->trace, "", &c->spec, c->inputs, c->n_inputs, &c->err) &&
           trace_run(c->trace, &(CoreContext){0}, &c->err);
}

void case_run(Case *c) {
    if (!case_try(c)) fail_msg("%s", c->err.message);
}

double case_at(const Case *c, const char *id, int a, int b, int e) {
    TensorId t = trace_find(c->trace, id);
    if (t == TENSOR_NONE) fail_msg("no tensor %s", id);
    return tensor_at(trace_tensor(c->trace, t), (int[]){a, b, e, 0});
}

void case_row(const Case *c, const char *id, int a, int b, int n, const double *want, const char *file, int line) {
    TensorId t = trace_find(c->trace, id);
    if (t == TENSOR_NONE) fail_msg("no tensor %s", id);
    const Tensor *tensor = trace_tensor(c->trace, t);
    assert_int_equal(tensor->dim[tensor->rank - 1], n);
    for (int k = 0; k < n; k++) {
        char what[80];
        int index[4] = {a, b, k, 0};
        if (tensor->rank == 2) index[0] = b, index[1] = k, index[2] = 0;
        snprintf(what, sizeof what, "%s[%d, %d, %d]", id, a, b, k);
        assert_near_at(tensor_at(tensor, index), want[k], 5e-5, what, file, line);
    }
}
