#include "core/network_build.h"

#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"

char *net_id(const char *scope, const char *name, char out[96]) {
    snprintf(out, 96, "%.60s%s%.30s", scope, scope[0] ? "." : "", name);
    return out;
}

int net_dim(const Net *net, TensorId id, int axis) { return trace_tensor(net->trace, id)->dim[axis]; }

static bool shape_fits(const Net *net, const char *scope, const char *name, const TensorInput *found, int d0, int d1) {
    char id[96], got[64], want[64], other[24];
    int rank = d1 < 0 ? 1 : 2;
    if (found->rank == rank && (d0 == 0 || found->dim[0] == d0) && (d1 <= 0 || found->dim[1] == d1)) return true;
    snprintf(other, sizeof other, "%d", d0);
    if (rank == 1) snprintf(want, sizeof want, "[%s]", d0 ? other : "…");
    else if (d1) snprintf(want, sizeof want, "[%s, %d]", d0 ? other : "…", d1);
    else snprintf(want, sizeof want, "[%s, …]", d0 ? other : "…");
    return err_set(net->err, ERR_SHAPE, tr("%s has the shape %s; %s is expected."), net_id(scope, name, id),
                   tensor_shape_text(got, found->rank, found->dim), want);
}

bool net_weight(const Net *net, const char *scope, const char *name, bool required, int d0, int d1, TensorId *out) {
    TensorInput found = {0};
    char id[96];
    *out = TENSOR_NONE;
    if (!net->weights->find(net->weights->ctx, scope, name, &found))
        return !required || err_set(net->err, ERR_INPUT, tr("The weight %s is missing."), net_id(scope, name, id));
    found.name = name;
    if (!shape_fits(net, scope, name, &found, d0, d1)) return false;
    *out = trace_add_input(net->trace, scope, &found, net->err);
    return *out != TENSOR_NONE;
}

TensorId net_add(const Net *net, const Op *op, const char *scope, const char *name, int rank, int d0, int d1, int d2) {
    return trace_add(net->trace, op, scope, name, DTYPE_F32, rank, (int[]){d0, d1, d2}, net->err);
}

TensorId net_linear(const Net *net, const char *scope, const char *name, TensorId x, TensorId weight, TensorId bias) {
    Op op = op_make(OP_LINEAR, x, weight, bias);
    return net_add(net, &op, scope, name, 2, net_dim(net, x, 0), net_dim(net, weight, 0), 1);
}

TensorId net_sum(const Net *net, const char *scope, const char *name, TensorId a, TensorId b) {
    Op op = op_make(OP_ADD, a, b, TENSOR_NONE);
    return net_add(net, &op, scope, name, 2, net_dim(net, a, 0), net_dim(net, a, 1), 1);
}

static const OpKind activation_ops[ACT_COUNT] = {
    [ACT_RELU] = OP_RELU, [ACT_GELU] = OP_GELU, [ACT_GELU_TANH] = OP_GELU_TANH, [ACT_SILU] = OP_SILU, [ACT_TANH] = OP_TANH,
};

OpKind activation_op(Activation activation) { return activation_ops[activation]; }

TensorId net_activation(const Net *net, const char *scope, const char *name, TensorId x, Activation activation) {
    Op op = op_make(activation_ops[activation], x, TENSOR_NONE, TENSOR_NONE);
    return net_add(net, &op, scope, name, 2, net_dim(net, x, 0), net_dim(net, x, 1), 1);
}

static TensorId layer_norm(const Net *net, const char *scope, const char *stem, const char *name, double eps, TensorId x, TensorId gain,
                           TensorId shift) {
    char part[64];
    int T = net_dim(net, x, 0), d = net_dim(net, x, 1);
    Op op = op_make(OP_MEAN, x, TENSOR_NONE, TENSOR_NONE);
    snprintf(part, sizeof part, "%s_mean", stem);
    TensorId mean = net_add(net, &op, scope, part, 1, T, 1, 1);
    if (mean == TENSOR_NONE) return mean;
    op = op_make(OP_VARIANCE, x, mean, TENSOR_NONE);
    snprintf(part, sizeof part, "%s_var", stem);
    TensorId variance = net_add(net, &op, scope, part, 1, T, 1, 1);
    if (variance == TENSOR_NONE) return variance;
    op = op_make(OP_LAYERNORM, x, mean, variance);
    op.in[3] = gain;
    op.in[4] = shift;
    op.number = eps;
    return net_add(net, &op, scope, name, 2, T, d, 1);
}

static TensorId rms_norm(const Net *net, const char *scope, const char *stem, const char *name, double eps, TensorId x, TensorId gain) {
    char part[64];
    int T = net_dim(net, x, 0), d = net_dim(net, x, 1);
    Op op = op_make(OP_RMS, x, TENSOR_NONE, TENSOR_NONE);
    op.number = eps;
    snprintf(part, sizeof part, "%s_rms", stem);
    TensorId rms = net_add(net, &op, scope, part, 1, T, 1, 1);
    if (rms == TENSOR_NONE) return rms;
    op = op_make(OP_RMSNORM, x, rms, gain);
    return net_add(net, &op, scope, name, 2, T, d, 1);
}

TensorId net_norm(const Net *net, const char *scope, const char *stem, const char *name, NormKind kind, double eps, TensorId x,
                  TensorId gain, TensorId shift) {
    if (kind == NORM_RMS) return rms_norm(net, scope, stem, name, eps, x, gain);
    return layer_norm(net, scope, stem, name, eps, x, gain, shift);
}
