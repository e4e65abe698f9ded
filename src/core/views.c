/* Other views of one attention's maps: what its heads do together, and what a weight brings. They belong to no stage. */
#include "core/internal.h"
#include "core/machine.h"
#include "core/network_build.h"

/* What each weight brings: weight · length of v. */
static bool add_weighted_length(const Net *net, const char *scope, TensorId weights) {
    char id[96];
    const Tensor *map = trace_tensor(net->trace, weights);
    int H = map->dim[0], L = map->dim[1], S = map->dim[2];
    TensorId v = trace_find(net->trace, net_id(scope, "v", id));
    if (v == TENSOR_NONE) return true; /* scores or weights are given, and nothing to mix */
    Op op = op_make(OP_LENGTH, v, TENSOR_NONE, TENSOR_NONE);
    TensorId length = net_add(net, &op, scope, "v_length", 2, net_dim(net, v, 0), S, 1);
    if (length == TENSOR_NONE) return false;
    op = op_make(OP_TIMES_LENGTH, weights, length, TENSOR_NONE);
    return net_add(net, &op, scope, "weighted_length", 3, H, L, S) != TENSOR_NONE;
}

bool views_append(const Net *net, const char *scope, TensorId weights, TensorId *average) {
    const Tensor *map = trace_tensor(net->trace, weights);
    int L = map->dim[1], S = map->dim[2];
    Op op = op_make(OP_HEAD_AVERAGE, weights, TENSOR_NONE, TENSOR_NONE);
    *average = net_add(net, &op, scope, "head_avg", 2, L, S, 1);
    if (*average == TENSOR_NONE) return false;
    op = op_make(OP_HEAD_MAXIMUM, weights, TENSOR_NONE, TENSOR_NONE);
    return net_add(net, &op, scope, "head_max", 2, L, S, 1) != TENSOR_NONE && add_weighted_length(net, scope, weights);
}

bool machine_views(Trace *trace, const char *scope, Err *err) {
    char id[96];
    Net net = {.trace = trace, .err = err};
    TensorId average, weights = trace_find(trace, net_id(scope, "weights", id));
    if (weights == TENSOR_NONE) return true;
    trace_begin_part(trace, true);
    return views_append(&net, scope, weights, &average);
}
