/* What block.c and network.c share: weights looked up by name and checked by shape, and the few ops they are made of. */
#ifndef CORE_NETWORK_BUILD_H
#define CORE_NETWORK_BUILD_H

#include "core/network.h"

typedef struct {
    Trace *trace;
    const WeightSource *weights;
    Err *err;
} Net;

/* "layers.3" and "w_q" as "layers.3.w_q". Returns `out`. */
char *net_id(const char *scope, const char *name, char out[96]);
/* The weight as an input tensor of the trace. d0, d1: its shape, 0 = any; d1 = -1: of rank 1. TENSOR_NONE in *out: the source has
 * none, which is an error when it is required. */
bool net_weight(const Net *net, const char *scope, const char *name, bool required, int d0, int d1, TensorId *out);
int net_dim(const Net *net, TensorId id, int axis);

/* Ops; TENSOR_NONE with an error. Rows are [T, d]. */
TensorId net_add(const Net *net, const Op *op, const char *scope, const char *name, int rank, int d0, int d1, int d2);
TensorId net_linear(const Net *net, const char *scope, const char *name, TensorId x, TensorId weight, TensorId bias);
TensorId net_sum(const Net *net, const char *scope, const char *name, TensorId a, TensorId b);
TensorId net_activation(const Net *net, const char *scope, const char *name, TensorId x, Activation activation);
/* Statistics are called stem_mean and stem_var, or stem_rms. shift may be TENSOR_NONE. */
TensorId net_norm(const Net *net, const char *scope, const char *stem, const char *name, NormKind kind, double eps, TensorId x,
                  TensorId gain, TensorId shift);

/* One block at work. */
typedef struct {
    const char *scope;
    const BlockSpec *spec;
    TensorId x, memory, rel_bias; /* rel_bias: of the stack, or TENSOR_NONE: the block's own */
    bool embedded;                /* the EMBED stage of the block is there already */
    /* what comes out */
    TensorId k, v;                /* of self-attention, as the scores read them */
    TensorId weights, cross_weights, result;
} Block;
bool block_append(const Net *net, Block *block);

/* Views of one attention's maps: head_avg, head_max, and where there is a v v_length and weighted_length. */
bool views_append(const Net *net, const char *scope, TensorId weights, TensorId *average);

/* Pooler or logits of the last stack, as the spec says. */
bool network_head(const Net *net, const NetworkSpec *spec, NetworkResults *out);

#endif
