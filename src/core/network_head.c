/* What is read off a network: BERT's pooler, logits, and the probabilities of one row. */
#include <math.h>

#include "base/tr.h"
#include "core/attention_build.h"
#include "core/internal.h"
#include "core/network_build.h"

/* Row `row` of x [T, d] as [1, d], or as [1, 1, d] where softmax reads it. */
static TensorId pick(const Net *net, const char *scope, const char *name, TensorId x, int row, int rank) {
    Op op = op_make(OP_PICK, x, TENSOR_NONE, TENSOR_NONE);
    int d = net_dim(net, x, 1);
    op.row = row;
    return net_add(net, &op, scope, name, rank, 1, rank == 2 ? d : 1, d);
}

static TensorId kept(const Net *net, TensorId id) {
    if (id != TENSOR_NONE) trace_keep(net->trace, id);
    return id;
}

/* ---- pooler ---- */

static bool stage_pool(const Net *net, const char *scope, TensorId x, TensorId *pooled) {
    TensorId weight, bias;
    int d = net_dim(net, x, 1);
    if (!net_weight(net, scope, "w_pool", true, 0, d, &weight) ||
        !net_weight(net, scope, "b_pool", false, net_dim(net, weight, 0), -1, &bias))
        return false;
    trace_begin_stage(net->trace, STAGE_POOL, scope);
    TensorId first = pick(net, scope, "first", x, 0, 2), hidden = TENSOR_NONE;
    if (first != TENSOR_NONE) hidden = net_linear(net, scope, "pool_hidden", first, weight, bias);
    *pooled = hidden == TENSOR_NONE ? hidden : kept(net, net_activation(net, scope, "pooled", hidden, ACT_TANH));
    trace_end_stage(net->trace, *pooled);
    return *pooled != TENSOR_NONE;
}

/* ---- logits ---- */

typedef struct {
    TensorId transform, transform_bias, gain, shift; /* of masked models */
    TensorId table, bias;
} HeadWeights;

static bool head_weights(const Net *net, const NetworkSpec *spec, const char *scope, int d, HeadWeights *h) {
    *h = (HeadWeights){.transform = TENSOR_NONE, .gain = TENSOR_NONE, .shift = TENSOR_NONE};
    if (spec->head == HEAD_MASKED) {
        if (!net_weight(net, scope, "w_head", true, 0, d, &h->transform)) return false;
        d = net_dim(net, h->transform, 0);
        if (!net_weight(net, scope, "b_head", false, d, -1, &h->transform_bias) || !net_weight(net, scope, "head_g", false, d, -1, &h->gain) ||
            !net_weight(net, scope, "head_b", false, d, -1, &h->shift))
            return false;
    }
    return net_weight(net, scope, "w_logits", true, 0, d, &h->table) &&
           net_weight(net, scope, "b_logits", false, net_dim(net, h->table, 0), -1, &h->bias);
}

/* norm(act(x · w_headᵀ + b_head)), the norm where the weights have one */
static TensorId masked_head(const Net *net, const NetworkSpec *spec, const StackSpec *stack, const HeadWeights *h, TensorId x) {
    x = net_linear(net, stack->scope, "head_hidden", x, h->transform, h->transform_bias);
    if (x != TENSOR_NONE) x = net_activation(net, stack->scope, "head_act", x, spec->head_activation);
    if (x == TENSOR_NONE || h->gain == TENSOR_NONE) return x;
    return net_norm(net, stack->scope, "head", "head_norm", stack->norm, stack->eps, x, h->gain, h->shift);
}

static TensorId logits(const Net *net, const NetworkSpec *spec, const StackSpec *stack, const HeadWeights *h, TensorId x) {
    if (!spec->all_logits) x = pick(net, stack->scope, "picked", x, spec->predict_row, 2);
    if (x != TENSOR_NONE && spec->logit_scale != 0.0 && spec->logit_scale != 1.0) {
        Op op = op_make(OP_SCALE, x, TENSOR_NONE, TENSOR_NONE);
        op.number = spec->logit_scale;
        x = net_add(net, &op, stack->scope, "final_scaled", 2, net_dim(net, x, 0), net_dim(net, x, 1), 1);
    }
    if (x != TENSOR_NONE && spec->head == HEAD_MASKED) x = masked_head(net, spec, stack, h, x);
    return x == TENSOR_NONE ? x : kept(net, net_linear(net, stack->scope, "logits", x, h->table, h->bias));
}

static bool probabilities(const Net *net, const NetworkSpec *spec, const char *scope, TensorId all, TensorId *probs) {
    AttentionSpec none = {.fill = -HUGE_VAL};
    AttentionBuild b = attention_begin(net->trace, scope, &none, net->err);
    int V = net_dim(net, all, 1);
    TensorId row = pick(net, scope, "row_logits", all, spec->all_logits ? spec->predict_row : 0, 3);
    if (row == TENSOR_NONE || !attention_softmax(&b, row, DTYPE_F32, (int[]){1, 1, V}, "probs", probs)) return false;
    kept(net, *probs);
    return true;
}

static bool stage_predict(const Net *net, const NetworkSpec *spec, const StackSpec *stack, TensorId x, NetworkResults *out) {
    HeadWeights h;
    if (spec->predict_row >= stack->n)
        return err_set(net->err, ERR_INPUT, tr("Row %d is to be predicted; there are %d."), spec->predict_row + 1, stack->n);
    if (!spec->all_logits && spec->predict_row < 0) { /* the station exists, there is nothing to do */
        trace_begin_stage(net->trace, STAGE_PREDICT, stack->scope);
        trace_end_stage(net->trace, TENSOR_NONE);
        return true;
    }
    if (!head_weights(net, spec, stack->scope, net_dim(net, x, 1), &h)) return false;
    trace_begin_stage(net->trace, STAGE_PREDICT, stack->scope);
    out->logits = logits(net, spec, stack, &h, x);
    bool ok = out->logits != TENSOR_NONE;
    if (ok && spec->predict_row >= 0) ok = probabilities(net, spec, stack->scope, out->logits, &out->probs);
    trace_end_stage(net->trace, ok && out->probs != TENSOR_NONE ? out->probs : out->logits);
    return ok;
}

bool network_head(const Net *net, const NetworkSpec *spec, NetworkResults *out) {
    const StackSpec *stack = &spec->stack[spec->n_stacks - 1];
    TensorId x = out->stack[spec->n_stacks - 1].final;
    if (spec->head == HEAD_NONE) return true;
    if (spec->head == HEAD_POOL) return stage_pool(net, stack->scope, x, &out->pooled);
    return stage_predict(net, spec, stack, x, out);
}
