#include "hand_net.h"

#include "base/str.h"
#include "checks.h"

bool weights_find(void *ctx, const char *scope, const char *name, TensorInput *out) {
    Weights *w = ctx;
    for (int i = 0; i < w->n; i++) {
        if (!str_eq(w->weight[i].scope, scope) || !str_eq(w->weight[i].name, name)) continue;
        *out = w->weight[i].input;
        return true;
    }
    return false;
}

void weights_put(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data) {
    assert_true(w->n < WEIGHTS_MAX);
    TensorInput input = {.name = name, .rank = d1 ? 2 : 1, .dim = {d0, d1 ? d1 : 1, 1, 1}, .data = data};
    w->weight[w->n].scope = scope;
    w->weight[w->n].name = name;
    w->weight[w->n++].input = input;
}

float *weights_filled(Weights *w, int count, float value) {
    float *data = arena_alloc(&w->arena, (size_t)count, sizeof *data);
    for (int i = 0; i < count; i++) data[i] = value;
    return data;
}

/* Small numbers that look like none in particular. */
float *weights_scattered(Weights *w, int count, unsigned seed) {
    float *data = weights_filled(w, count, 0);
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (float)((int)(seed >> 16) % 1000) / 1000.0f - 0.3f;
    }
    return data;
}

const char *const attention_weights[4] = {"w_q", "w_k", "w_v", "w_o"};

/* The same, of numbers that need not live longer than the call. */
void weights_note(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data) {
    size_t count = (size_t)d0 * (size_t)(d1 ? d1 : 1);
    float *copy = arena_alloc(&w->arena, count, sizeof *copy);
    memcpy(copy, data, count * sizeof *copy);
    weights_put(w, scope, name, d0, d1, copy);
}

/* A layer that changes nothing: its attention and its feed-forward layer give 0. Before them stand norms. */
void weights_put_still_layer(Weights *w, const char *scope, int d) {
    for (int i = 0; i < 4; i++) weights_put(w, scope, attention_weights[i], d, d, weights_filled(w, d * d, 0));
    weights_put(w, scope, "ln1_g", d, 0, weights_filled(w, d, 1));
    weights_put(w, scope, "ln2_g", d, 0, weights_filled(w, d, 1));
    weights_put(w, scope, "w_ff1", 1, d, weights_filled(w, d, 0));
    weights_put(w, scope, "w_ff2", d, 1, weights_filled(w, d, 0));
}

/* A layer that does something. */
void weights_put_busy_layer(Weights *w, const char *scope, int d, unsigned seed) {
    for (int i = 0; i < 4; i++) weights_put(w, scope, attention_weights[i], d, d, weights_scattered(w, d * d, seed + (unsigned)i));
    weights_put(w, scope, "ln1_g", d, 0, weights_scattered(w, d, seed + 10));
    weights_put(w, scope, "ln1_b", d, 0, weights_scattered(w, d, seed + 11));
    weights_put(w, scope, "ln2_g", d, 0, weights_scattered(w, d, seed + 12));
    weights_put(w, scope, "w_ff1", 3, d, weights_scattered(w, 3 * d, seed + 13));
    weights_put(w, scope, "b_ff1", 3, 0, weights_scattered(w, 3, seed + 14));
    weights_put(w, scope, "w_ff2", d, 3, weights_scattered(w, 3 * d, seed + 15));
}

WeightSource weights_source(Weights *w) { return (WeightSource){w, weights_find}; }

BlockSpec hand_causal_block(int heads) {
    return (BlockSpec){.self = {.n_heads = heads, .masks = {{.kind = MASK_CAUSAL}}, .n_masks = 1, .fill = -(double)INFINITY},
                       .eps = 1e-5, .activation = ACT_GELU_TANH};
}

bool hand_build(HandNet *net, const NetworkSpec *spec) {
    WeightSource weights = weights_source(&net->w);
    net->trace = trace_new(&net->w.arena);
    net->w.err = (Err){0};
    return machine_network(net->trace, spec, &weights, &net->results, &net->w.err);
}

void hand_run(HandNet *net, const NetworkSpec *spec) {
    if (!hand_build(net, spec) || !trace_run(net->trace, &(CoreContext){0}, &net->w.err)) fail_msg("%s", net->w.err.message);
}

double hand_at(const HandNet *net, const char *id, int a, int b, int c) {
    TensorId t = trace_find(net->trace, id);
    if (t == TENSOR_NONE) fail_msg("no tensor %s", id);
    return tensor_at(trace_tensor(net->trace, t), (int[]){a, b, c, 0});
}

void hand_explain_all(const HandNet *net) {
    Arena arena = {0};
    Err err = {0};
    int bad = 0;
    for (int t = 0; t < trace_tensor_count(net->trace); t++) /* also what is computed only when it is asked for */
        if (!trace_need(net->trace, t, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int t = 0; t < trace_tensor_count(net->trace); t++) bad += explain_every_element("network", net->trace, t, 1e-6, &arena);
    arena_free(&arena);
    assert_int_equal(bad, 0);
}
