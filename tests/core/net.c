#include "net.h"

#include <math.h>
#include <stdlib.h>

#include "base/str.h"

static double noise(uint64_t *state) { return random_unit(state) + random_unit(state) - 1.0; }

/* A float's nearest half, small normal numbers only: they are what the weights are. */
static uint16_t f16_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    int exponent = (int)(bits >> 23 & 255) - 112;
    if (exponent <= 0) return (uint16_t)(bits >> 16 & 0x8000);
    return (uint16_t)((bits >> 16 & 0x8000) | (uint32_t)exponent << 10 | (bits >> 13 & 0x3ff));
}

static uint16_t bf16_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return (uint16_t)(bits >> 16);
}

static void lay_down(Net *net, TensorInput *out, const float *data) {
    int rows = out->dim[0], columns = out->dim[1];
    NetStored how = out->rank == 2 ? net->shape.stored : NET_DENSE;
    bool turned = how == NET_TURNED || how == NET_BF16_TURNED;
    out->data = how == NET_DENSE ? data : NULL;
    if (how == NET_DENSE) return;
    size_t count = (size_t)rows * (size_t)columns;
    float *floats = ARENA_ARRAY(&net->weights, float, count);
    uint16_t *halves = ARENA_ARRAY(&net->weights, uint16_t, count);
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < columns; c++) {
            size_t at = turned ? (size_t)c * (size_t)rows + (size_t)r : (size_t)r * (size_t)columns + (size_t)c;
            float value = data[(size_t)r * (size_t)columns + (size_t)c];
            floats[at] = value;
            halves[at] = how == NET_F16 ? f16_of(value) : bf16_of(value);
        }
    out->stored = (Stored){.data = how == NET_TURNED ? (const void *)floats : halves,
                           .as = how == NET_TURNED ? STORED_F32 : how == NET_F16 ? STORED_F16 : STORED_BF16,
                           .row = turned ? 1 : columns, .column = turned ? rows : 1};
}

/* Rows and columns by the name; 0 rows: there is no such weight. */
static void shape_of(const NetShape *s, const char *name, int *rows, int *columns) {
    int head = s->d / s->heads, kv = s->kv_heads * head;
    const struct { const char *name; int rows, columns; bool there; } table[] = {
        {"w_q", s->d, s->d, true}, {"w_k", kv, s->d, true}, {"w_v", kv, s->d, true}, {"w_o", s->d, s->d, true},
        {"b_q", s->d, 0, s->bias}, {"b_k", kv, 0, s->bias}, {"b_v", kv, 0, s->bias}, {"b_o", s->d, 0, s->bias},
        {"w_ff1", s->ff, s->d, !s->gated}, {"w_ff2", s->d, s->ff, !s->gated}, {"b_ff1", s->ff, 0, s->bias}, {"b_ff2", s->d, 0, s->bias},
        {"w_gate", s->ff, s->d, s->gated}, {"w_up", s->ff, s->d, s->gated}, {"w_down", s->d, s->ff, s->gated},
        {"ln1_g", s->d, 0, true}, {"ln2_g", s->d, 0, true}, {"ln3_g", s->d, 0, s->decoder}, {"ln1_b", s->d, 0, s->norm == NORM_LAYER},
        {"ln2_b", s->d, 0, s->norm == NORM_LAYER}, {"ln3_b", s->d, 0, s->norm == NORM_LAYER && s->decoder},
        {"final_g", s->d, 0, true}, {"final_b", s->d, 0, s->norm == NORM_LAYER}, {"w_embed", s->vocabulary, s->d, true},
        {"w_logits", s->vocabulary, s->d, true}, {"w_pos", s->positions, s->d, s->positions > 0}, {"rel_bias", 8, s->heads, s->position == POSITION_RELATIVE},
    };
    *rows = 0;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (str_eq(table[i].name, name) && table[i].there) *rows = table[i].rows, *columns = table[i].columns;
}

/* The seed is the place's name, so that every trace sees the same weights. */
static bool find(void *ctx, const char *scope, const char *name, TensorInput *out) {
    Net *net = ctx;
    int rows, columns = 0;
    shape_of(&net->shape, name, &rows, &columns);
    if (!rows) return false;
    uint64_t state = hash_fnv1a(scope, strlen(scope)) ^ hash_fnv1a(name, strlen(name));
    *out = (TensorInput){.name = name, .rank = columns ? 2 : 1, .dim = {rows, columns ? columns : 1, 1, 1}};
    size_t count = (size_t)rows * (size_t)(columns ? columns : 1);
    float *data = ARENA_ARRAY(&net->weights, float, count);
    bool gain = strstr(name, "_g") && !strstr(name, "gate");
    for (size_t i = 0; i < count; i++)
        data[i] = (float)(gain ? 1 + 0.2 * noise(&state) : noise(&state) * (columns ? 2.0 / sqrt(columns) : 0.2));
    lay_down(net, out, data);
    return true;
}

Net *net_open(const NetShape *shape) {
    Net *net = calloc(1, sizeof *net);
    assert_non_null(net);
    net->shape = *shape;
    if (!net->shape.kv_heads) net->shape.kv_heads = net->shape.heads;
    net->source = (WeightSource){.ctx = net, .find = find};
    uint64_t state = 7;
    for (int i = 0; i < NET_TOKENS_MAX; i++) net->ids[i] = (int)(random_unit(&state) * shape->vocabulary);
    for (int i = 0; i < NET_TOKENS_MAX; i++) net->source_ids[i] = (int)(random_unit(&state) * shape->vocabulary);
    for (int i = 0; i < NET_TOKENS_MAX; i++) net->marked[i] = i % 5 == 0;
    return net;
}

void net_close(Net *net) {
    arena_free(&net->weights);
    arena_free(&net->arena);
    free(net);
}

static AttentionSpec attention_of(const NetShape *s, bool causal) {
    AttentionSpec spec = {.n_heads = s->heads, .n_kv_heads = s->kv_heads, .proj = PROJ_LINEAR, .out_proj = true, .fill = -HUGE_VAL};
    bool rows = s->position == POSITION_LEARNED || s->position == POSITION_SINUSOIDAL;
    if (!rows) spec.position.kind = s->position;
    if (s->position == POSITION_RELATIVE) {
        spec.position.rel_max_distance = 16;
        spec.position.rel_both = !causal;
    }
    if (causal) spec.masks[spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    for (int m = 0; m < s->n_masks; m++) spec.masks[spec.n_masks++] = s->masks[m];
    return spec;
}

static StackSpec stack_of(Net *net, int at, const char *scope, int n, bool causal) {
    const NetShape *s = &net->shape;
    bool cross = s->decoder && at == 1;
    for (int layer = 0; layer < s->layers; layer++) {
        BlockSpec *b = &net->blocks[at][layer];
        *b = (BlockSpec){.self = attention_of(s, causal), .has_cross = cross, .norm = s->norm, .place = s->place, .eps = 1e-5,
                         .activation = s->activation, .gated = s->gated};
        if (cross) b->cross = attention_of(s, false);
    }
    StackSpec stack = {.scope = scope, .n_layers = s->layers, .blocks = net->blocks[at], .n = n, .ids = at == 0 && s->decoder ? net->source_ids : net->ids, .norm = s->norm,
                       .eps = 1e-5, .marked = net->marked};
    if (s->position == POSITION_LEARNED || s->position == POSITION_SINUSOIDAL) stack.position.kind = s->position;
    return stack;
}

StackSpec net_stack(Net *net, int n) { return stack_of(net, net->shape.decoder, net->shape.decoder ? "decoder" : "", n, true); }

Trace *net_build(Net *net, int n) {
    Trace *trace = trace_new(&net->arena);
    Err err = {0};
    const NetShape *s = &net->shape;
    NetworkSpec spec = {.n_stacks = 1 + s->decoder, .head = HEAD_LOGITS, .all_logits = s->all_logits, .predict_row = n - 1, .rollout = s->rollout};
    if (s->decoder) spec.stack[0] = stack_of(net, 0, "encoder", s->source, false);
    spec.stack[s->decoder] = net_stack(net, n);
    if (!machine_network(trace, &spec, &net->source, &net->results, &err)) fail_msg("%s", err.message);
    return trace;
}

Trace *net_run(Net *net, int n, size_t limit, const CoreContext *cx) {
    Trace *trace = net_build(net, n);
    Err err = {0};
    trace_set_limit(trace, limit);
    if (!trace_run(trace, cx, &err)) fail_msg("%s", err.message);
    return trace;
}

int net_compare(const Trace *a, const Trace *b, double tolerance) {
    int compared = 0;
    assert_int_equal(trace_tensor_count(a), trace_tensor_count(b));
    for (int t = 0; t < trace_tensor_count(a); t++) {
        const Tensor *x = trace_tensor(a, t), *y = trace_tensor(b, t);
        assert_string_equal(x->id, y->id);
        if (!trace_resident(a, t) || !trace_resident(b, t)) continue;
        compared++;
        assert_int_equal(tensor_count(x), tensor_count(y));
        for (size_t n = 0; n < tensor_count(x); n++)
            if (!near_equal(tensor_flat(x, n), tensor_flat(y, n), tolerance))
                fail_msg("%s[%zu]: %.9g and %.9g", x->id, n, tensor_flat(x, n), tensor_flat(y, n));
    }
    return compared;
}
