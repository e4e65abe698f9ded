/* The machine `block`: attention, residual, norm, feed-forward (Vaswani et al. 2017, 3.1), before or after (Xiong et al. 2020)
 * or side by side (Wang & Komatsuzaki 2021). All inputs come before the stages. */
#include <assert.h>
#include <stdio.h>

#include "base/tr.h"
#include "core/attention_build.h"
#include "core/internal.h"
#include "core/network_build.h"

enum { NORMS_MAX = 3 };

typedef struct {
    const Net *net;
    Block *block;
    AttentionBuild self, cross;
    char self_scope[80], cross_scope[80];
    int norm_at;                     /* the next norm */
    TensorId gain[NORMS_MAX], shift[NORMS_MAX];
    TensorId in, in_bias, gate, gate_bias, out, out_bias; /* feed-forward */
} Build;

static Trace *trace_of(const Build *b) { return b->net->trace; }

/* ---- inputs ---- */

static const AttentionInput attention_weights[] = {IN_W_Q, IN_W_K, IN_W_V, IN_B_Q, IN_B_K, IN_B_V, IN_W_O, IN_B_O};

static bool attention_weights_of(const Build *b, AttentionBuild *a) {
    enum { COUNT = sizeof attention_weights / sizeof attention_weights[0] };
    TensorInput found[COUNT + 1];
    int n = 0;
    const WeightSource *weights = b->net->weights;
    for (int i = 0; i < COUNT; i++) {
        found[n] = (TensorInput){0};
        if (!weights->find(weights->ctx, a->scope, attention_input_names[attention_weights[i]], &found[n])) continue;
        found[n++].name = attention_input_names[attention_weights[i]];
    }
    if (a->spec.position.kind == POSITION_RELATIVE && !a->present[IN_REL_BIAS]) {
        found[n] = (TensorInput){0};
        if (weights->find(weights->ctx, b->block->scope, "rel_bias", &found[n])) found[n++].name = "rel_bias";
    }
    return attention_inputs(a, found, n);
}

static bool check_position(const Build *b, const AttentionSpec *spec) {
    PositionKind kind = spec->position.kind;
    if (kind != POSITION_SINUSOIDAL && kind != POSITION_LEARNED && kind != POSITION_GIVEN) return true;
    return err_set(b->net->err, ERR_INPUT, tr("Position %s is added to the embedding; a block cannot add it."), position_names[kind]);
}

static bool add_attention(Build *b, AttentionBuild *a, const char *scope, const AttentionSpec *spec, TensorId memory) {
    if (!check_position(b, spec)) return false;
    *a = attention_begin(trace_of(b), scope, spec, b->net->err);
    a->spec.proj = PROJ_LINEAR;
    a->spec.out_proj = true;
    a->spec.L = a->spec.S = a->spec.d_model = a->spec.d_kv = 0;
    attention_set(a, IN_X, b->block->x);
    if (memory != TENSOR_NONE) attention_set(a, IN_X_KV, memory);
    if (spec->position.kind == POSITION_RELATIVE && b->block->rel_bias != TENSOR_NONE) attention_set(a, IN_REL_BIAS, b->block->rel_bias);
    if (!attention_weights_of(b, a)) return false;
    if (!a->present[IN_W_O] || a->given[IN_W_O].dim[0] == net_dim(b->net, b->block->x, 1)) return true;
    char name[96];
    return err_set(b->net->err, ERR_SHAPE, tr("%s [%d, %d] gives rows of another width than x: %d."), attention_input_text(a, IN_W_O, name),
                   a->given[IN_W_O].dim[0], a->given[IN_W_O].dim[1], net_dim(b->net, b->block->x, 1));
}

static bool add_norm(Build *b, int n, NormKind norm, bool required) {
    char gain[24], shift[24];
    int d = net_dim(b->net, b->block->x, 1);
    snprintf(gain, sizeof gain, "ln%d_g", n + 1);
    snprintf(shift, sizeof shift, "ln%d_b", n + 1);
    b->shift[n] = TENSOR_NONE;
    if (!net_weight(b->net, b->block->scope, gain, required, d, -1, &b->gain[n])) return false;
    return norm == NORM_RMS || b->gain[n] == TENSOR_NONE || net_weight(b->net, b->block->scope, shift, false, d, -1, &b->shift[n]);
}

/* Blocks side by side may share their first norm. */
static bool add_norms(Build *b) {
    const BlockSpec *spec = b->block->spec;
    for (int n = 0; n < (spec->has_cross ? 3 : 2); n++)
        if (!add_norm(b, n, spec->norm, spec->place != NORM_PARALLEL || n == 0)) return false;
    return true;
}

static bool add_ffn(Build *b) {
    const Net *net = b->net;
    const char *scope = b->block->scope;
    bool gated = b->block->spec->gated;
    int d = net_dim(net, b->block->x, 1);
    b->gate = b->gate_bias = TENSOR_NONE;
    if (!net_weight(net, scope, gated ? "w_up" : "w_ff1", true, 0, d, &b->in)) return false;
    int hidden = net_dim(net, b->in, 0);
    if (!net_weight(net, scope, gated ? "b_up" : "b_ff1", false, hidden, -1, &b->in_bias)) return false;
    if (gated && (!net_weight(net, scope, "w_gate", true, hidden, d, &b->gate) ||
                  !net_weight(net, scope, "b_gate", false, hidden, -1, &b->gate_bias)))
        return false;
    return net_weight(net, scope, gated ? "w_down" : "w_ff2", true, d, hidden, &b->out) &&
           net_weight(net, scope, gated ? "b_down" : "b_ff2", false, d, -1, &b->out_bias);
}

/* ---- stages ---- */

static bool end(const Build *b, TensorId result) {
    trace_end_stage(trace_of(b), result);
    return result != TENSOR_NONE;
}

/* The next norm, of x, as a stage of its own. */
static bool stage_norm(Build *b, StageKind kind, const char *scope, TensorId x, TensorId *out) {
    const BlockSpec *spec = b->block->spec;
    char name[24];
    int n = b->norm_at++;
    snprintf(name, sizeof name, "ln%d", n + 1);
    trace_begin_stage(trace_of(b), kind, scope);
    *out = net_norm(b->net, b->block->scope, name, name, spec->norm, spec->eps, x, b->gain[n], b->shift[n]);
    return end(b, *out);
}

static bool stage_add(Build *b, StageKind kind, const char *scope, int number, TensorId x, TensorId more, TensorId *out) {
    char name[24];
    snprintf(name, sizeof name, "resid%d", number);
    trace_begin_stage(trace_of(b), kind, scope);
    *out = net_sum(b->net, b->block->scope, name, x, more);
    return end(b, *out);
}

/* x -> after attention, its residual and, behind them, its norm; *normed is what attention read. */
static bool attention_part(Build *b, AttentionBuild *a, int number, TensorId *x, TensorId *normed) {
    bool embedded = number == 1 && b->block->embedded, post = b->block->spec->place == NORM_POST;
    *normed = *x;
    if (!embedded) {
        trace_begin_stage(trace_of(b), STAGE_EMBED, a->scope);
        trace_end_stage(trace_of(b), *x);
    }
    if (!post && !stage_norm(b, STAGE_NORM, a->scope, *x, normed)) return false;
    if (!attention_stages(a, *normed) || !stage_add(b, STAGE_ADD, a->scope, number, *x, a->out, x)) return false;
    return !post || stage_norm(b, STAGE_ADD_NORM, a->scope, *x, x);
}

static TensorId ffn_ops(Build *b, TensorId x) {
    const Net *net = b->net;
    const char *scope = b->block->scope;
    const BlockSpec *spec = b->block->spec;
    TensorId gate = TENSOR_NONE, act;
    if (spec->gated && (gate = net_linear(net, scope, "ffn_gate", x, b->gate, b->gate_bias)) == TENSOR_NONE) return TENSOR_NONE;
    TensorId hidden = net_linear(net, scope, "ffn_hidden", x, b->in, b->in_bias);
    if (hidden == TENSOR_NONE) return TENSOR_NONE;
    act = net_activation(net, scope, spec->gated ? "ffn_gate_act" : "ffn_act", spec->gated ? gate : hidden, spec->activation);
    if (act != TENSOR_NONE && spec->gated) {
        Op op = op_make(OP_MULTIPLY, act, hidden, TENSOR_NONE);
        act = net_add(net, &op, scope, "ffn_act", 2, net_dim(net, hidden, 0), net_dim(net, hidden, 1), 1);
    }
    return act == TENSOR_NONE ? act : net_linear(net, scope, "ffn_out", act, b->out, b->out_bias);
}

/* entered: what went into the block; read: its first norm */
static bool ffn_part(Build *b, int number, TensorId entered, TensorId read, TensorId *x) {
    NormPlace place = b->block->spec->place;
    const char *scope = b->block->scope;
    TensorId in = *x, out;
    bool shared = place == NORM_PARALLEL && b->gain[b->norm_at] == TENSOR_NONE;
    if (shared) in = read;
    else if (place != NORM_POST && !stage_norm(b, STAGE_FFN_NORM, scope, place == NORM_PARALLEL ? entered : *x, &in)) return false;
    trace_begin_stage(trace_of(b), STAGE_FFN, scope);
    out = ffn_ops(b, in);
    if (!end(b, out) || !stage_add(b, STAGE_FFN_ADD, scope, number, *x, out, x)) return false;
    return place != NORM_POST || stage_norm(b, STAGE_FFN_ADD_NORM, scope, *x, x);
}

static bool build_stages(Build *b) {
    const BlockSpec *spec = b->block->spec;
    TensorId x = b->block->x, read, cross_read;
    if (!attention_part(b, &b->self, 1, &x, &read)) return false;
    if (spec->has_cross && !attention_part(b, &b->cross, 2, &x, &cross_read)) return false;
    if (!ffn_part(b, spec->has_cross ? 3 : 2, b->block->x, read, &x)) return false;
    b->block->k = b->self.k;
    b->block->v = b->self.v;
    b->block->weights = b->self.weights;
    b->block->cross_weights = spec->has_cross ? b->cross.weights : TENSOR_NONE;
    b->block->result = x;
    return true;
}

bool block_append(const Net *net, Block *block) {
    Build b = {.net = net, .block = block};
    const BlockSpec *spec = block->spec;
    assert(!spec->has_cross || block->memory != TENSOR_NONE);
    if (spec->has_cross && spec->place == NORM_PARALLEL)
        return err_set(net->err, ERR_INPUT, tr("Attention and feed-forward cannot stand side by side where there is cross-attention."));
    snprintf(b.self_scope, sizeof b.self_scope, "%s%s%s", block->scope, block->scope[0] && spec->has_cross ? "." : "", spec->has_cross ? "self" : "");
    snprintf(b.cross_scope, sizeof b.cross_scope, "%s%scross", block->scope, block->scope[0] ? "." : "");
    if (!add_attention(&b, &b.self, b.self_scope, &spec->self, TENSOR_NONE)) return false;
    if (spec->has_cross && !add_attention(&b, &b.cross, b.cross_scope, &spec->cross, block->memory)) return false;
    return add_norms(&b) && add_ffn(&b) && build_stages(&b);
}

bool machine_block(Trace *trace, const char *scope, const BlockSpec *spec, TensorId x, TensorId memory,
                   const WeightSource *weights, TensorId *result, Err *err) {
    Net net = {trace, weights, err};
    Block block = {.scope = scope, .spec = spec, .x = x, .memory = memory, .rel_bias = TENSOR_NONE};
    if (!block_append(&net, &block)) return false;
    *result = block.result;
    return true;
}

bool machine_norm(Trace *trace, const char *scope, NormKind norm, double eps, TensorId x, const WeightSource *weights,
                  TensorId *result, Err *err) {
    Net net = {trace, weights, err};
    BlockSpec spec = {.norm = norm, .eps = eps};
    Block block = {.scope = scope, .spec = &spec, .x = x};
    Build b = {.net = &net, .block = &block};
    return add_norm(&b, 0, norm, true) && stage_norm(&b, STAGE_NORM, scope, x, result);
}

bool machine_ffn(Trace *trace, const char *scope, const BlockSpec *spec, TensorId x, const WeightSource *weights, TensorId *result,
                 Err *err) {
    Net net = {trace, weights, err};
    Block block = {.scope = scope, .spec = spec, .x = x};
    Build b = {.net = &net, .block = &block};
    if (!add_ffn(&b)) return false;
    trace_begin_stage(trace, STAGE_FFN, scope);
    *result = ffn_ops(&b, x);
    return end(&b, *result);
}
