/* The machine `network`: from token ids through stacks of blocks to logits. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/attention_build.h"
#include "core/internal.h"
#include "core/network_build.h"
#include "core/summary.h"

typedef struct {
    const Net *net;
    const NetworkSpec *spec;
    const StackSpec *stack;
    int number;          /* of the stack */
    TensorId memory;     /* what cross-attention reads, or TENSOR_NONE */
    NetworkResults *out;
    char scope[80];      /* of the layer at work */
} Work;

static Trace *trace_of(const Work *w) { return w->net->trace; }

/* "encoder.layers.3", or "layers.3" */
static const char *layer_scope(Work *w, int layer) {
    snprintf(w->scope, sizeof w->scope, "%.40s%slayers.%d", w->stack->scope, w->stack->scope[0] ? "." : "", layer);
    return w->scope;
}

/* ---- embedding ---- */

/* What the rows of the first layer are made of, in order; the last one is called x. */
typedef struct {
    TensorId table, positions, types, gain, shift, map, map_bias;
    int d;              /* width of the table's rows */
    int left;           /* steps to come */
} Embedding;

static bool has_position(const Work *w) {
    return w->stack->position.kind == POSITION_SINUSOIDAL || w->stack->position.kind == POSITION_LEARNED;
}
static bool is_scaled(const Work *w) { return w->stack->embed_scale != 0.0 && w->stack->embed_scale != 1.0; }

static bool check_rows(const Work *w, const char *name, TensorId table, const int *ids, const char *what) {
    char id[96];
    for (int t = 0; t < w->stack->n; t++)
        if (ids[t] < 0 || ids[t] >= net_dim(w->net, table, 0))
            return err_set(w->net->err, ERR_INPUT, tr("%s %d of token %d has no row in %s [%d, %d]."), what, ids[t], t + 1,
                           net_id(w->stack->scope, name, id), net_dim(w->net, table, 0), net_dim(w->net, table, 1));
    return true;
}

static bool check_positions(const Work *w, TensorId table) {
    char id[96];
    int rows = net_dim(w->net, table, 0), offset = w->stack->position.learned_offset;
    if (offset >= 0 && w->stack->n <= rows - offset) return true;
    return err_set(w->net->err, ERR_LIMIT, tr("The text has %d tokens; %s [%d, %d] has rows for %d."), w->stack->n,
                   net_id(w->stack->scope, "w_pos", id), rows, net_dim(w->net, table, 1), rows > offset ? rows - offset : 0);
}

static bool embedding_inputs(const Work *w, Embedding *e) {
    const Net *net = w->net;
    const StackSpec *s = w->stack;
    *e = (Embedding){.positions = TENSOR_NONE};
    if (!net_weight(net, s->scope, "w_embed", true, 0, 0, &e->table)) return false;
    e->d = net_dim(net, e->table, 1);
    if (!check_rows(w, "w_embed", e->table, s->ids, tr("The id"))) return false;
    if (s->position.kind == POSITION_LEARNED &&
        (!net_weight(net, s->scope, "w_pos", true, 0, e->d, &e->positions) || !check_positions(w, e->positions)))
        return false;
    if (!net_weight(net, s->scope, "w_type", s->types != NULL, 0, e->d, &e->types) ||
        !net_weight(net, s->scope, "embed_g", false, e->d, -1, &e->gain) ||
        !net_weight(net, s->scope, "embed_b", false, e->d, -1, &e->shift) ||
        !net_weight(net, s->scope, "w_map", false, 0, e->d, &e->map))
        return false;
    if (e->types != TENSOR_NONE && s->types && !check_rows(w, "w_type", e->types, s->types, tr("The type"))) return false;
    e->map_bias = TENSOR_NONE;
    return e->map == TENSOR_NONE || net_weight(net, s->scope, "b_map", false, net_dim(net, e->map, 0), -1, &e->map_bias);
}

static const char *step_name(Embedding *e, const char *own) { return --e->left == 0 ? "x" : own; }

/* Row ids[t] of a table; ids NULL: row 0 for every token. */
static TensorId gather(const Work *w, const char *name, TensorId table, const int *ids) {
    int n = w->stack->n, *kept = arena_try(trace_of(w)->arena, (size_t)n, sizeof *kept);
    if (!kept) {
        err_set(w->net->err, ERR_MEMORY, tr("Out of memory for the trace."));
        return TENSOR_NONE;
    }
    for (int t = 0; t < n; t++) kept[t] = ids ? ids[t] : 0;
    Op op = op_make(OP_GATHER, table, TENSOR_NONE, TENSOR_NONE);
    op.ids = kept;
    return net_add(w->net, &op, w->scope, name, 2, n, net_dim(w->net, table, 1), 1);
}

static TensorId position_rows(const Work *w, const Embedding *e) {
    Op op = op_make(OP_ROWS, e->positions, TENSOR_NONE, TENSOR_NONE);
    if (w->stack->position.kind == POSITION_SINUSOIDAL) {
        op = op_make(OP_SINUSOID, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE);
        op.position = trace_keep_position(trace_of(w), &w->stack->position);
    } else op.row = w->stack->position.learned_offset;
    return net_add(w->net, &op, w->scope, "pe", 2, w->stack->n, e->d, 1);
}

/* a, and b where it is one more part of the sum */
static TensorId add_rows(const Work *w, Embedding *e, const char *own, TensorId a, TensorId b) {
    if (a == TENSOR_NONE || b == TENSOR_NONE) return TENSOR_NONE;
    return net_sum(w->net, w->scope, step_name(e, own), a, b);
}

static TensorId embedding_ops(const Work *w, Embedding *e) {
    const StackSpec *s = w->stack;
    bool typed = e->types != TENSOR_NONE, normed = e->gain != TENSOR_NONE, mapped = e->map != TENSOR_NONE;
    e->left = 1 + is_scaled(w) + has_position(w) + typed + normed + mapped;
    TensorId x = gather(w, step_name(e, "tok"), e->table, s->ids);
    if (x != TENSOR_NONE && is_scaled(w)) {
        Op op = op_make(OP_SCALE, x, TENSOR_NONE, TENSOR_NONE);
        op.number = s->embed_scale;
        x = net_add(w->net, &op, w->scope, step_name(e, "tok_scaled"), 2, s->n, e->d, 1);
    }
    if (has_position(w)) x = add_rows(w, e, typed ? "tok_pe" : "embed", x, position_rows(w, e));
    if (typed) x = add_rows(w, e, "embed", x, gather(w, "type", e->types, s->types));
    if (x != TENSOR_NONE && normed)
        x = net_norm(w->net, w->scope, "embed", step_name(e, "embed_norm"), s->norm, s->eps, x, e->gain, e->shift);
    if (x != TENSOR_NONE && mapped) x = net_linear(w->net, w->scope, step_name(e, "x"), x, e->map, e->map_bias);
    return x;
}

/* ---- layers ---- */

static bool stage_embed(Work *w, TensorId *x) {
    Embedding e;
    char scope[96];
    if (!embedding_inputs(w, &e)) return false;
    const char *layer = layer_scope(w, 0);
    bool cross = w->stack->blocks[0].has_cross;
    snprintf(scope, sizeof scope, "%s%s", layer, cross ? ".self" : "");
    trace_begin_stage(trace_of(w), STAGE_EMBED, scope);
    *x = embedding_ops(w, &e);
    trace_end_stage(trace_of(w), *x);
    return *x != TENSOR_NONE;
}

/* Other views of a layer's maps, behind its stages. *average: of self-attention. */
static bool add_views(Work *w, const Block *block, TensorId *average) {
    char scope[96];
    bool cross = block->cross_weights != TENSOR_NONE;
    snprintf(scope, sizeof scope, "%s%s", w->scope, cross ? ".self" : "");
    if (!views_append(w->net, scope, block->weights, average)) return false;
    trace_keep(trace_of(w), *average);
    if (!cross) return true;
    TensorId cross_average;
    snprintf(scope, sizeof scope, "%s.cross", w->scope);
    if (!views_append(w->net, scope, block->cross_weights, &cross_average)) return false;
    trace_keep(trace_of(w), cross_average);
    return true;
}

static void keep_layer(const Work *w, const Block *block) {
    trace_keep(trace_of(w), block->k);
    trace_keep(trace_of(w), block->v);
    trace_keep(trace_of(w), block->result);
    trace_add_summary(trace_of(w), block->weights, w->stack->marked);
    if (block->cross_weights != TENSOR_NONE) trace_add_summary(trace_of(w), block->cross_weights, w->spec->stack[0].marked);
}

static bool one_layer(Work *w, int layer, TensorId rel_bias, TensorId *x, TensorId *average) {
    trace_begin_part(trace_of(w), false);
    if (layer == 0) {
        if (!stage_embed(w, x)) return false;
        trace_keep(trace_of(w), *x);
        w->out->stack[w->number].hidden[0] = *x;
    }
    Block block = {.scope = layer_scope(w, layer), .spec = &w->stack->blocks[layer], .x = *x, .memory = w->memory,
                   .rel_bias = rel_bias, .embedded = layer == 0};
    if (!block_append(w->net, &block)) return false;
    keep_layer(w, &block);
    *x = w->out->stack[w->number].hidden[layer + 1] = block.result;
    return !w->spec->rollout || add_views(w, &block, average);
}

/* ---- rollout ---- */

/* mixed and rollout of each layer: rollout[0] = mixed[0], rollout[i] = mixed[i] · rollout[i - 1] */
static bool rollout_layer(const Net *net, const char *scope, TensorId average, TensorId before, TensorId *out) {
    int L = net_dim(net, average, 0);
    Op op = op_make(OP_MIX_IDENTITY, average, TENSOR_NONE, TENSOR_NONE);
    TensorId mixed = net_add(net, &op, scope, "mixed", 2, L, L, 1);
    if (mixed == TENSOR_NONE) return false;
    op = before == TENSOR_NONE ? op_make(OP_COPY, mixed, TENSOR_NONE, TENSOR_NONE) : op_make(OP_MATMUL, mixed, before, TENSOR_NONE);
    *out = net_add(net, &op, scope, "rollout", 2, L, L, 1);
    return *out != TENSOR_NONE;
}

static bool add_rollout(Work *w, const TensorId *average, TensorId *rollout) {
    trace_begin_part(trace_of(w), true);
    for (int layer = 0; layer < w->stack->n_layers; layer++) {
        char scope[96];
        snprintf(scope, sizeof scope, "%s%s", layer_scope(w, layer), w->stack->blocks[layer].has_cross ? ".self" : "");
        if (!rollout_layer(w->net, scope, average[layer], layer ? rollout[layer - 1] : TENSOR_NONE, &rollout[layer])) return false;
    }
    w->out->stack[w->number].rollout = rollout;
    return true;
}

bool machine_rollout(Trace *trace, const TensorInput *layer_weights, Err *err) {
    Net net = {.trace = trace, .err = err};
    char shape[64];
    if (layer_weights->rank != 4 || layer_weights->dim[2] != layer_weights->dim[3] || !layer_weights->data)
        return err_set(err, ERR_SHAPE, tr("%s has the shape %s; [layers, heads, L, L] is expected."), layer_weights->name,
                       tensor_shape_text(shape, layer_weights->rank, layer_weights->dim));
    TensorId before = TENSOR_NONE;
    int H = layer_weights->dim[1], L = layer_weights->dim[2];
    for (int layer = 0; layer < layer_weights->dim[0]; layer++) {
        char scope[32];
        snprintf(scope, sizeof scope, "layers.%d", layer);
        TensorInput weights = {.name = "weights", .rank = 3, .dim = {H, L, L}};
        weights.data = layer_weights->data + (size_t)layer * (size_t)H * (size_t)L * (size_t)L;
        TensorId id = trace_add_input(trace, scope, &weights, err);
        if (id == TENSOR_NONE) return false;
        Op op = op_make(OP_HEAD_AVERAGE, id, TENSOR_NONE, TENSOR_NONE);
        TensorId average = net_add(&net, &op, scope, "head_avg", 2, L, L, 1);
        if (average == TENSOR_NONE || !rollout_layer(&net, scope, average, before, &before)) return false;
    }
    return true;
}

/* ---- stacks ---- */

static bool final_norm(Work *w, TensorId x) {
    const StackSpec *s = w->stack;
    TensorId gain, shift = TENSOR_NONE;
    int d = net_dim(w->net, x, 1);
    w->out->stack[w->number].final = x;
    trace_begin_part(trace_of(w), false);
    if (!net_weight(w->net, s->scope, "final_g", false, d, -1, &gain)) return false;
    if (gain == TENSOR_NONE) return true;
    if (!net_weight(w->net, s->scope, "final_b", false, d, -1, &shift)) return false;
    trace_begin_stage(trace_of(w), STAGE_FINAL_NORM, s->scope);
    TensorId out = net_norm(w->net, s->scope, "final", "final_norm", s->norm, s->eps, x, gain, shift);
    trace_end_stage(trace_of(w), out);
    if (out == TENSOR_NONE) return false;
    trace_keep(trace_of(w), out);
    w->out->stack[w->number].final = out;
    return true;
}

static TensorId *ids_of(const Work *w, int n) {
    TensorId *ids = arena_try(trace_of(w)->arena, (size_t)n, sizeof *ids);
    if (!ids) err_set(w->net->err, ERR_MEMORY, tr("Out of memory for the trace."));
    for (int i = 0; ids && i < n; i++) ids[i] = TENSOR_NONE;
    return ids;
}

static bool needs_table(const StackSpec *s) {
    for (int layer = 0; layer < s->n_layers; layer++)
        if (s->blocks[layer].self.position.kind == POSITION_RELATIVE) return true;
    return false;
}

static bool add_stack(Work *w) {
    const StackSpec *s = w->stack;
    TensorId x = TENSOR_NONE, rel_bias = TENSOR_NONE;
    if (s->n < 1 || s->n_layers < 1) return err_set(w->net->err, ERR_INPUT, tr("A network needs a layer and a token at least."));
    TensorId *hidden = ids_of(w, s->n_layers + 1), *average = ids_of(w, s->n_layers), *rollout = ids_of(w, s->n_layers);
    if (!hidden || !average || !rollout) return false;
    w->out->stack[w->number].hidden = hidden;
    if (needs_table(s) && !net_weight(w->net, s->scope, "rel_bias", true, 0, 0, &rel_bias)) return false;
    for (int layer = 0; layer < s->n_layers; layer++)
        if (!one_layer(w, layer, rel_bias, &x, &average[layer])) return false;
    if (w->spec->rollout && !add_rollout(w, average, rollout)) return false;
    return final_norm(w, x);
}

bool machine_network(Trace *trace, const NetworkSpec *spec, const WeightSource *weights, NetworkResults *out, Err *err) {
    Net net = {trace, weights, err};
    *out = (NetworkResults){.logits = TENSOR_NONE, .probs = TENSOR_NONE, .pooled = TENSOR_NONE};
    out->stack[0].final = out->stack[1].final = TENSOR_NONE;
    TensorId memory = TENSOR_NONE;
    assert(spec->n_stacks == 1 || spec->n_stacks == 2);
    for (int n = 0; n < spec->n_stacks; n++) {
        Work work = {.net = &net, .spec = spec, .stack = &spec->stack[n], .number = n, .memory = memory, .out = out};
        if (!add_stack(&work)) return false;
        memory = out->stack[n].final;
    }
    return network_head(&net, spec, out);
}
