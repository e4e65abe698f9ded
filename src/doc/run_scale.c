#include <math.h>

#include "base/tr.h"
#include "doc/run_build.h"

/* Largest magnitude of what the mask keeps: a finite fill must not stretch the scale. */
static double kept_magnitude(const Trace *trace, const Tensor *t, TensorId mask) {
    const Tensor *m = trace_tensor(trace, mask);
    size_t count = tensor_count(t), mask_count = tensor_count(m);
    double most = 0;
    for (size_t i = 0; i < count; i++) {
        if (tensor_flat(m, i % mask_count) == 0) continue;
        double v = fabs(tensor_flat(t, i));
        if (isfinite(v) && v > most) most = v;
    }
    return most;
}

double run_magnitude_of(const Trace *trace, TensorId id) {
    const Tensor *t = trace_tensor(trace, id);
    const Op *op = trace_op(trace, t->op);
    bool share = op->kind == OP_EXP || op->kind == OP_DIVIDE || op->kind == OP_MASK_RULE; /* 0 to 1 */
    if (share) return 1;
    if (op->kind == OP_MASK && op->in[2] != TENSOR_NONE && isfinite(op->number)) return kept_magnitude(trace, t, op->in[2]);
    if (op->kind == OP_MASK && op->in[1] == TENSOR_NONE) id = op->in[0]; /* the same numbers, some hidden */
    double least, most;
    if (!stats_range(trace, id, -1, &least, &most)) return 0;
    return fmax(fabs(least), fabs(most));
}

bool run_build_scales(RunBuild *b, Err *err) {
    Run *run = b->run;
    int n = trace_tensor_count(run->trace);
    run->magnitude = arena_try(&run->arena, (size_t)n, sizeof *run->magnitude);
    if (!run->magnitude) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    for (int i = 0; i < n; i++) run->magnitude[i] = trace_resident(run->trace, i) ? run_magnitude_of(run->trace, i) : (double)NAN;
    return true;
}
