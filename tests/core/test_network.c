/* Whole networks: the embedding, stacks, heads and rollout. Numbers are computed by hand beside the test or come from the reference
 * files; networks of trained shapes are compared with their references where the folders are read (room model). */
#include <stdio.h>

#include "base/str.h"
#include "checks.h"
#include "core/network.h"
#include "support/support.h"

/* ---- weights written down in a test ---- */

enum { WEIGHTS_MAX = 96 };

typedef struct {
    Arena arena;
    Err err;
    int n;
    struct { const char *scope, *name; TensorInput input; } weight[WEIGHTS_MAX];
} Weights;

static bool find_weight(void *ctx, const char *scope, const char *name, TensorInput *out) {
    Weights *w = ctx;
    for (int i = 0; i < w->n; i++) {
        if (!str_eq(w->weight[i].scope, scope) || !str_eq(w->weight[i].name, name)) continue;
        *out = w->weight[i].input;
        return true;
    }
    return false;
}

static void put(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data) {
    assert_true(w->n < WEIGHTS_MAX);
    TensorInput input = {.name = name, .rank = d1 ? 2 : 1, .dim = {d0, d1 ? d1 : 1, 1, 1}, .data = data};
    w->weight[w->n].scope = scope;
    w->weight[w->n].name = name;
    w->weight[w->n++].input = input;
}

#define NUMBERS(...) (const float[]){__VA_ARGS__}

static float *filled(Weights *w, int count, float value) {
    float *data = arena_alloc(&w->arena, (size_t)count, sizeof *data);
    for (int i = 0; i < count; i++) data[i] = value;
    return data;
}

/* Small numbers that look like none in particular. */
static float *scattered(Weights *w, int count, unsigned seed) {
    float *data = filled(w, count, 0);
    for (int i = 0; i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        data[i] = (float)((int)(seed >> 16) % 1000) / 1000.0f - 0.3f;
    }
    return data;
}

static const char *const attention_weights[] = {"w_q", "w_k", "w_v", "w_o"};

/* The same, of numbers that need not live longer than the call. */
static void note(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data) {
    size_t count = (size_t)d0 * (size_t)(d1 ? d1 : 1);
    float *copy = arena_alloc(&w->arena, count, sizeof *copy);
    memcpy(copy, data, count * sizeof *copy);
    put(w, scope, name, d0, d1, copy);
}

/* A layer that changes nothing: its attention and its feed-forward layer give 0. Before them stand norms. */
static void put_still_layer(Weights *w, const char *scope, int d) {
    for (int i = 0; i < 4; i++) put(w, scope, attention_weights[i], d, d, filled(w, d * d, 0));
    put(w, scope, "ln1_g", d, 0, filled(w, d, 1));
    put(w, scope, "ln2_g", d, 0, filled(w, d, 1));
    put(w, scope, "w_ff1", 1, d, filled(w, d, 0));
    put(w, scope, "w_ff2", d, 1, filled(w, d, 0));
}

/* A layer that does something. */
static void put_busy_layer(Weights *w, const char *scope, int d, unsigned seed) {
    for (int i = 0; i < 4; i++) put(w, scope, attention_weights[i], d, d, scattered(w, d * d, seed + (unsigned)i));
    put(w, scope, "ln1_g", d, 0, scattered(w, d, seed + 10));
    put(w, scope, "ln1_b", d, 0, scattered(w, d, seed + 11));
    put(w, scope, "ln2_g", d, 0, scattered(w, d, seed + 12));
    put(w, scope, "w_ff1", 3, d, scattered(w, 3 * d, seed + 13));
    put(w, scope, "b_ff1", 3, 0, scattered(w, 3, seed + 14));
    put(w, scope, "w_ff2", d, 3, scattered(w, 3 * d, seed + 15));
}

static WeightSource source(Weights *w) { return (WeightSource){w, find_weight}; }

static BlockSpec causal_block(int heads) {
    return (BlockSpec){.self = {.n_heads = heads, .masks = {{.kind = MASK_CAUSAL}}, .n_masks = 1, .fill = -(double)INFINITY},
                       .eps = 1e-5, .activation = ACT_GELU_TANH};
}

/* ---- networks ---- */

typedef struct {
    Weights w;
    Trace *trace;
    NetworkResults results;
} Net;

static bool build(Net *net, const NetworkSpec *spec) {
    WeightSource weights = source(&net->w);
    net->trace = trace_new(&net->w.arena);
    net->w.err = (Err){0};
    return machine_network(net->trace, spec, &weights, &net->results, &net->w.err);
}

static void run(Net *net, const NetworkSpec *spec) {
    if (!build(net, spec) || !trace_run(net->trace, &(CoreContext){0}, &net->w.err)) fail_msg("%s", net->w.err.message);
}

static double at(const Net *net, const char *id, int a, int b, int c) {
    TensorId t = trace_find(net->trace, id);
    if (t == TENSOR_NONE) fail_msg("no tensor %s", id);
    return tensor_at(trace_tensor(net->trace, t), (int[]){a, b, c, 0});
}

static void explain_all(const Net *net) {
    Arena arena = {0};
    Err err = {0};
    int bad = 0;
    for (int t = 0; t < trace_tensor_count(net->trace); t++) /* also what is computed only when it is asked for */
        if (!trace_need(net->trace, t, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int t = 0; t < trace_tensor_count(net->trace); t++) bad += explain_every_element("network", net->trace, t, 1e-6, &arena);
    arena_free(&arena);
    assert_int_equal(bad, 0);
}

static void no_tensor(const Net *net, const char *id) {
    if (trace_find(net->trace, id) != TENSOR_NONE) fail_msg("there is a tensor %s", id);
}

/* ---- embedding and head, by hand ---- */

static const int two_ids[] = {2, 0}, two_types[] = {1, 0};

/* Everything that may stand before the first layer:
 *   tok        rows 2 and 0:          (3, 1) (1, 0)
 *   tok_scaled times 2:               (6, 2) (2, 0)
 *   pe         rows 1 and 2 of w_pos: (0.5, 1) (1, -1)
 *   tok_pe                            (6.5, 3) (3, -1)
 *   type       rows 1 and 0:          (0.5, 0) (0, 1)
 *   embed                             (7, 3) (3, 0)
 *   embed_norm mean 5, variance 4:    (1, -1) · (2, 1) + (0, 10) = (2, 9); mean 1.5, variance 2.25: (2, 9)
 *   x          · w_mapᵀ + b_map       (2 + 9 + 1, 2 - 9) = (12, -7)
 * The layer changes nothing, so x is what comes out; then the logits. */
static void embedding_by_hand(void **state) {
    (void)state;
    Net net = {0};
    Weights *w = &net.w;
    note(w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    note(w, "", "w_pos", 3, 2, NUMBERS(7, 7, 0.5f, 1, 1, -1));
    note(w, "", "w_type", 2, 2, NUMBERS(0, 1, 0.5f, 0));
    note(w, "", "embed_g", 2, 0, NUMBERS(2, 1));
    note(w, "", "embed_b", 2, 0, NUMBERS(0, 10));
    note(w, "", "w_map", 2, 2, NUMBERS(1, 1, 1, -1));
    note(w, "", "b_map", 2, 0, NUMBERS(1, 0));
    put_still_layer(w, "layers.0", 2);
    BlockSpec block = causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids, .types = two_types,
                                   .position = {.kind = POSITION_LEARNED, .learned_offset = 1}, .embed_scale = 2}},
                        .n_stacks = 1, .predict_row = -1};
    run(&net, &spec);
    assert_near(at(&net, "layers.0.tok", 0, 0, 0), 3, 0);
    assert_near(at(&net, "layers.0.tok_scaled", 0, 1, 0), 2, 0);
    assert_near(at(&net, "layers.0.pe", 1, 1, 0), -1, 0);
    assert_near(at(&net, "layers.0.tok_pe", 0, 0, 0), 6.5, 0);
    assert_near(at(&net, "layers.0.type", 0, 0, 0), 0.5, 0);
    assert_near(at(&net, "layers.0.embed", 0, 0, 0), 7, 0);
    assert_near(at(&net, "layers.0.embed_mean", 1, 0, 0), 1.5, 0);
    assert_near(at(&net, "layers.0.embed_var", 1, 0, 0), 2.25, 0);
    assert_near(at(&net, "layers.0.embed_norm", 0, 0, 0), 2, 1e-6);
    assert_near(at(&net, "layers.0.x", 0, 0, 0), 12, 1e-6);
    assert_near(at(&net, "layers.0.x", 1, 1, 0), -7, 1e-6);
    assert_near(at(&net, "layers.0.resid2", 0, 0, 0), 12, 1e-6);
    assert_int_equal(net.results.stack[0].hidden[0], trace_find(net.trace, "layers.0.x"));
    assert_int_equal(net.results.stack[0].hidden[1], trace_find(net.trace, "layers.0.resid2"));
    assert_int_equal(net.results.stack[0].final, net.results.stack[0].hidden[1]);
    assert_int_equal(net.results.logits, TENSOR_NONE);
    explain_all(&net);
    spec.stack[0].types = NULL; /* then all tokens are of the first type */
    run(&net, &spec);
    assert_near(at(&net, "layers.0.type", 0, 1, 0), 1, 0);
    assert_near(at(&net, "layers.0.embed", 0, 0, 0), 6.5, 0);
    arena_free(&w->arena);
}

/* One row of a token table that is all there is of an embedding is called x. */
static void put_plain(Weights *w) {
    note(w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    put_still_layer(w, "layers.0", 2);
}

/* x = (3, 1) (1, 0). Logits · w_logitsᵀ = rows (1, 0) (0, 1) (1, 1) + (0, 0, -1): row 1 (1, 0, 0), row 0 (3, 1, 3).
 * Softmax of row 1: e / (e + 2), 1 / (e + 2), 1 / (e + 2). */
static void logits_by_hand(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        Net net = {0};
        put_plain(&net.w);
        note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
        note(&net.w, "", "b_logits", 3, 0, NUMBERS(0, 0, -1));
        BlockSpec block = causal_block(1);
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                            .head = HEAD_LOGITS, .all_logits = all == 1, .predict_row = 1};
        run(&net, &spec);
        const Tensor *logits = trace_tensor(net.trace, net.results.logits);
        assert_string_equal(logits->id, "logits");
        assert_int_equal(logits->dim[0], all ? 2 : 1);
        assert_near(at(&net, "logits", all ? 1 : 0, 0, 0), 1, 0);
        assert_near(at(&net, "logits", all ? 1 : 0, 2, 0), 0, 0);
        if (all) assert_near(at(&net, "logits", 0, 2, 0), 3, 0);
        double e = 2.718281828459045;
        assert_string_equal(trace_tensor(net.trace, net.results.probs)->id, "probs");
        assert_near(at(&net, "probs", 0, 0, 0), e / (e + 2), 1e-7);
        assert_near(at(&net, "probs", 0, 0, 2), 1 / (e + 2), 1e-7);
        explain_all(&net);
        arena_free(&net.w.arena);
    }
}

/* A scale of 0.5 before the logits (T5): row 1 is (0.5, 0, -0.5) with the bias as it is. */
static void scaled_logits(void **state) {
    (void)state;
    Net net = {0};
    put_plain(&net.w);
    note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
    note(&net.w, "", "b_logits", 3, 0, NUMBERS(0, 0, -1));
    BlockSpec block = causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                        .head = HEAD_LOGITS, .all_logits = true, .predict_row = -1, .logit_scale = 0.5};
    run(&net, &spec);
    assert_near(at(&net, "logits", 1, 0, 0), 0.5, 0);
    assert_near(at(&net, "logits", 1, 2, 0), -0.5, 0);
    assert_int_equal(net.results.probs, TENSOR_NONE);
    arena_free(&net.w.arena);
}

/* Masked models. x[0] · w_headᵀ + b_head of x[0] = (3, 1) is (3 - 1 + 1, -3, 3 + 3 - 2) = (3, -3, 4), relu (3, 0, 4): mean 7/3,
 * variance 25/3 - 49/9 = 26/9. The normed row sums to 0; the second logit is twice its last number. */
static void masked_head_by_hand(void **state) {
    (void)state;
    Net net = {0};
    put_plain(&net.w);
    note(&net.w, "", "w_head", 3, 2, NUMBERS(1, -1, -1, 0, 1, 3));
    note(&net.w, "", "b_head", 3, 0, NUMBERS(1, 0, -2));
    note(&net.w, "", "head_g", 3, 0, NUMBERS(1, 1, 1));
    note(&net.w, "", "w_logits", 2, 3, NUMBERS(1, 1, 1, 0, 0, 2));
    BlockSpec block = causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids, .eps = 0}}, .n_stacks = 1,
                        .head = HEAD_MASKED, .head_activation = ACT_RELU, .predict_row = 0};
    run(&net, &spec);
    assert_near(at(&net, "head_hidden", 0, 0, 0), 3, 0);
    assert_near(at(&net, "head_act", 0, 1, 0), 0, 0);
    assert_near(at(&net, "head_mean", 0, 0, 0), 7.0 / 3, 1e-6);
    assert_near(at(&net, "head_var", 0, 0, 0), 26.0 / 9, 1e-6);
    assert_near(at(&net, "logits", 0, 0, 0), 0, 1e-6);
    assert_near(at(&net, "logits", 0, 1, 0), 2 * (4 - 7.0 / 3) / sqrt(26.0 / 9), 1e-6);
    explain_all(&net);
    arena_free(&net.w.arena);
}

/* x[0] = (3, 1), w_pool (1, -2; 0, 1), b_pool (0, 0.5): tanh(1), tanh(1.5) */
static void pooler_by_hand(void **state) {
    (void)state;
    Net net = {0};
    put_plain(&net.w);
    note(&net.w, "", "w_pool", 2, 2, NUMBERS(1, -2, 0, 1));
    note(&net.w, "", "b_pool", 2, 0, NUMBERS(0, 0.5f));
    BlockSpec block = causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                        .head = HEAD_POOL, .predict_row = -1};
    run(&net, &spec);
    assert_near(at(&net, "pooled", 0, 0, 0), 0.761594155955765, 1e-7);
    assert_near(at(&net, "pooled", 0, 1, 0), 0.905148253644866, 1e-7);
    assert_int_equal(trace_tensor(net.trace, net.results.pooled)->dim[0], 1);
    explain_all(&net);
    arena_free(&net.w.arena);
}

/* ---- stages and scopes ---- */

typedef struct {
    StageKind kind;
    const char *scope, *result;
} Station;

static void expect_stages(const Net *net, const Station *want, int count) {
    assert_int_equal(trace_stage_count(net->trace), count);
    for (int s = 0; s < count; s++) {
        const Stage *stage = trace_stage(net->trace, s);
        assert_int_equal(stage->kind, want[s].kind);
        assert_string_equal(stage->scope, want[s].scope);
        assert_string_equal(trace_tensor(net->trace, stage->result)->id, want[s].result);
        assert_int_equal(trace_stage_find(net->trace, want[s].scope, want[s].kind), s);
    }
}

#define ATTENTION(scope, q) {STAGE_PROJECT, scope, q ".q"}, {STAGE_SCORES, scope, q ".scores"}, {STAGE_SCALE, scope, q ".scaled"}

static void stages_of_a_network(void **state) {
    (void)state;
    static const Station want[] = {
        {STAGE_EMBED, "layers.0", "layers.0.x"}, {STAGE_NORM, "layers.0", "layers.0.ln1"}, ATTENTION("layers.0", "layers.0"),
        {STAGE_MASK, "layers.0", "layers.0.masked"}, {STAGE_SOFTMAX, "layers.0", "layers.0.weights"},
        {STAGE_WEIGHTED_SUM, "layers.0", "layers.0.head_out"}, {STAGE_CONCAT, "layers.0", "layers.0.concat"},
        {STAGE_OUTPUT, "layers.0", "layers.0.out"}, {STAGE_ADD, "layers.0", "layers.0.resid1"},
        {STAGE_FFN_NORM, "layers.0", "layers.0.ln2"}, {STAGE_FFN, "layers.0", "layers.0.ffn_out"},
        {STAGE_FFN_ADD, "layers.0", "layers.0.resid2"},
        {STAGE_EMBED, "layers.1", "layers.0.resid2"}, ATTENTION("layers.1", "layers.1"),
        {STAGE_MASK, "layers.1", "layers.1.masked"}, {STAGE_SOFTMAX, "layers.1", "layers.1.weights"},
        {STAGE_WEIGHTED_SUM, "layers.1", "layers.1.head_out"}, {STAGE_CONCAT, "layers.1", "layers.1.concat"},
        {STAGE_OUTPUT, "layers.1", "layers.1.out"}, {STAGE_ADD, "layers.1", "layers.1.resid1"},
        {STAGE_ADD_NORM, "layers.1", "layers.1.ln1"}, {STAGE_FFN, "layers.1", "layers.1.ffn_out"},
        {STAGE_FFN_ADD, "layers.1", "layers.1.resid2"}, {STAGE_FFN_ADD_NORM, "layers.1", "layers.1.ln2"},
        {STAGE_FINAL_NORM, "", "final_norm"}, {STAGE_PREDICT, "", "probs"},
    };
    Net net = {0};
    put_plain(&net.w);
    put_busy_layer(&net.w, "layers.1", 2, 5);
    note(&net.w, "", "final_g", 2, 0, NUMBERS(1, 1));
    note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
    BlockSpec blocks[2] = {causal_block(1), causal_block(2)};
    blocks[1].place = NORM_POST;
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 2, .ids = two_ids, .eps = 1e-5}}, .n_stacks = 1,
                        .head = HEAD_LOGITS, .all_logits = true, .predict_row = 1};
    run(&net, &spec);
    expect_stages(&net, want, (int)(sizeof want / sizeof want[0]));
    assert_string_equal(trace_tensor(net.trace, net.results.stack[0].final)->id, "final_norm");
    explain_all(&net);
    arena_free(&net.w.arena);
}

/* Two attentions have scopes of their own, with the norm and sum around them; the feed-forward layer has the block's. */
static void stages_of_a_decoder(void **state) {
    (void)state;
    static const StageKind around[] = {STAGE_EMBED, STAGE_NORM, STAGE_PROJECT, STAGE_SCORES, STAGE_SCALE, STAGE_MASK, STAGE_SOFTMAX,
                                       STAGE_WEIGHTED_SUM, STAGE_CONCAT, STAGE_OUTPUT, STAGE_ADD};
    enum { AROUND = sizeof around / sizeof around[0] };
    Net net = {0};
    note(&net.w, "encoder", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    note(&net.w, "decoder", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    put_busy_layer(&net.w, "encoder.layers.0", 2, 1);
    put_busy_layer(&net.w, "decoder.layers.0", 2, 2);
    for (int i = 0; i < 4; i++) {
        put(&net.w, "decoder.layers.0.self", attention_weights[i], 2, 2, scattered(&net.w, 4, 40 + (unsigned)i));
        put(&net.w, "decoder.layers.0.cross", attention_weights[i], 2, 2, scattered(&net.w, 4, 50 + (unsigned)i));
    }
    note(&net.w, "decoder.layers.0", "ln3_g", 2, 0, NUMBERS(1, 2));
    BlockSpec encoder = causal_block(1), decoder = causal_block(1);
    encoder.self.n_masks = 0;
    decoder.has_cross = true;
    decoder.cross = encoder.self;
    static const int three[] = {0, 1, 2};
    NetworkSpec spec = {.stack = {{.scope = "encoder", .n_layers = 1, .blocks = &encoder, .n = 3, .ids = three},
                                  {.scope = "decoder", .n_layers = 1, .blocks = &decoder, .n = 2, .ids = two_ids}},
                        .n_stacks = 2, .predict_row = -1, .rollout = true};
    run(&net, &spec);
    assert_int_equal(trace_stage_count(net.trace), 14 + 2 * AROUND + 3);
    for (int n = 0; n < 2 * AROUND; n++) {
        const Stage *stage = trace_stage(net.trace, 14 + n);
        assert_int_equal(stage->kind, around[n % AROUND]);
        assert_string_equal(stage->scope, n < AROUND ? "decoder.layers.0.self" : "decoder.layers.0.cross");
    }
    assert_string_equal(trace_stage(net.trace, 14 + 2 * AROUND)->scope, "decoder.layers.0");
    assert_string_equal(trace_tensor(net.trace, trace_stage(net.trace, 14 + AROUND)->result)->id, "decoder.layers.0.resid1");
    assert_string_equal(trace_tensor(net.trace, trace_stage(net.trace, 14 + AROUND + 1)->result)->id, "decoder.layers.0.ln2");
    assert_int_equal(trace_tensor(net.trace, trace_find(net.trace, "decoder.layers.0.cross.weights"))->dim[2], 3);
    assert_int_equal(trace_tensor(net.trace, trace_find(net.trace, "decoder.layers.0.self.rollout"))->dim[0], 2);
    explain_all(&net);
    arena_free(&net.w.arena);
}

/* ---- against the reference files: their rows as a table of tokens ---- */

typedef struct {
    Fixture *f;
    Weights own; /* what the file has not */
} FileWeights;

/* decoder.layers.0.self.w_q is self_w_q of the file; the encoder hands on its rows as they are. */
static bool find_in_file(void *ctx, const char *scope, const char *name, TensorInput *out) {
    FileWeights *w = ctx;
    char key[64];
    const char *layer = strstr(scope, "layers.0");
    if (strncmp(scope, "encoder", 7) == 0 && layer) return find_weight(&w->own, scope, name, out);
    if (str_eq(name, "w_embed")) snprintf(key, sizeof key, "%s", str_eq(scope, "encoder") ? "x_kv" : "x");
    else if (!layer) return false;
    else snprintf(key, sizeof key, "%s%s%s", layer[8] ? layer + 9 : "", layer[8] ? "_" : "", name);
    const TensorInput *found = fixture_tensor(w->f, key);
    if (found) *out = *found;
    return found != NULL;
}

static BlockSpec block_of_file(Fixture *f, bool decoder) {
    bool exact = str_eq(fixture_meta(f, "ffn_act"), "gelu_exact");
    AttentionSpec attention = {.n_heads = fixture_int(f, "n_heads"), .n_kv_heads = fixture_int(f, "n_kv_heads"), .scale = SCALE_AUTO};
    BlockSpec block = {.self = attention, .cross = attention, .has_cross = decoder, .eps = fixture_number(f, "ln_eps"),
                       .place = str_eq(fixture_meta(f, "norm_placement"), "pre") ? NORM_PRE : NORM_POST,
                       .activation = exact ? ACT_GELU : ACT_RELU};
    fixture_masks(f, decoder ? "self_" : "", &block.self);
    if (decoder) fixture_masks(f, "cross_", &block.cross);
    return block;
}

static void decoder_file_as_network(void **state) {
    (void)state;
    static const char *const files[] = {"17_decoder_preln_gelu_exact_h4_L12_S20_d48_ff96.safetensors",
                                        "17_decoder_postln_gelu_exact_pad_h4_L10_S14_d32_ff96.safetensors"};
    static const int count[] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19};
    for (int n = 0; n < 2; n++) {
        Fixture f;
        Err err = {0};
        NetworkResults results;
        fixture_open(&f, files[n]);
        FileWeights weights = {.f = &f};
        put_still_layer(&weights.own, "encoder.layers.0", fixture_int(&f, "d_model"));
        BlockSpec encoder = causal_block(1), decoder = block_of_file(&f, true);
        NetworkSpec spec = {.stack = {{.scope = "encoder", .n_layers = 1, .blocks = &encoder, .n = fixture_int(&f, "S"), .ids = count},
                                      {.scope = "decoder", .n_layers = 1, .blocks = &decoder, .n = fixture_int(&f, "L"), .ids = count}},
                            .n_stacks = 2, .predict_row = -1};
        Trace *trace = trace_new(&f.arena);
        if (!machine_network(trace, &spec, &(WeightSource){&weights, find_in_file}, &results, &err) ||
            !trace_run(trace, &(CoreContext){0}, &err))
            fail_msg("%s", err.message);
        assert_true(check_near(&f, "out", fixture_tensor(&f, "out"), trace_tensor(trace, results.stack[1].final)));
        assert_true(check_tensor(&f, trace, "cross_weights", "decoder.layers.0.cross.weights"));
        assert_true(check_tensor(&f, trace, "resid1", "decoder.layers.0.resid1"));
        arena_free(&weights.own.arena);
        fixture_close(&f);
    }
}

/* ---- blocks side by side ---- */

/* resid1 = x + out of ln1(x); resid2 = resid1 + ffn of ln2(x), or of ln1(x) where there is no second norm. */
static void parallel_blocks(void **state) {
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        Net net = {0};
        note(&net.w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
        put_busy_layer(&net.w, "layers.0", 2, 7);
        for (int i = 0; shared && i < net.w.n; i++)
            if (str_eq(net.w.weight[i].name, "ln2_g")) net.w.weight[i].name = "unused";
        BlockSpec block = causal_block(1);
        block.place = NORM_PARALLEL;
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1, .predict_row = -1};
        run(&net, &spec);
        TensorId x = trace_find(net.trace, "layers.0.x"), read = trace_find(net.trace, shared ? "layers.0.ln1" : "layers.0.ln2");
        const Op *hidden = trace_op(net.trace, trace_tensor(net.trace, trace_find(net.trace, "layers.0.ffn_hidden"))->op);
        assert_int_equal(hidden->in[0], read);
        const Op *norm = trace_op(net.trace, trace_tensor(net.trace, read)->op);
        assert_int_equal(norm->in[0], x);
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 2; c++) {
                double sum = at(&net, "layers.0.x", t, c, 0) + at(&net, "layers.0.out", t, c, 0) + at(&net, "layers.0.ffn_out", t, c, 0);
                assert_near(at(&net, "layers.0.resid2", t, c, 0), sum, 1e-6);
            }
        if (shared) no_tensor(&net, "layers.0.ln2");
        explain_all(&net);
        arena_free(&net.w.arena);
    }
}

/* ---- rollout ---- */

static void rollout_files(void **state) {
    (void)state;
    static const char *const files[] = {"22_rollout_l1_h1_L5.safetensors", "22_rollout_l3_h2_L8.safetensors",
                                        "22_rollout_l6_h4_L20_causal.safetensors"};
    static const struct { const char *file, *own; } names[] = {{"head_avg", "head_avg"}, {"aug", "mixed"}, {"rollout", "rollout"}};
    for (int n = 0; n < 3; n++) {
        Fixture f;
        Err err = {0};
        Arena arena = {0};
        fixture_open(&f, files[n]);
        Trace *trace = trace_new(&f.arena);
        if (!machine_rollout(trace, fixture_tensor(&f, "layer_weights"), &err) || !trace_run(trace, &(CoreContext){0}, &err))
            fail_msg("%s", err.message);
        for (int k = 0; k < 3; k++) {
            TensorInput all = *fixture_tensor(&f, names[k].file);
            size_t each = (size_t)all.dim[1] * (size_t)all.dim[2];
            for (int layer = 0; layer < all.dim[0]; layer++) {
                const char *id = arena_printf(&f.arena, "layers.%d.%s", layer, names[k].own);
                TensorInput want = {.rank = 2, .dim = {all.dim[1], all.dim[2], 1, 1}, .data = all.data + (size_t)layer * each};
                assert_true(check_near(&f, names[k].file, &want, trace_tensor(trace, trace_find(trace, id))));
            }
        }
        for (int t = 0; t < trace_tensor_count(trace); t++) assert_int_equal(explain_every_element(files[n], trace, t, 1.2e-7, &arena), 0);
        arena_free(&arena);
        fixture_close(&f);
    }
}

/* A network's own rollout: that of its weights, by the machine that the files have proved. */
static void rollout_of_a_network(void **state) {
    (void)state;
    static const int ids[] = {0, 2, 1, 2};
    Net net = {0};
    Err err = {0};
    float given[2 * 2 * 4 * 4];
    put(&net.w, "", "w_embed", 3, 4, scattered(&net.w, 12, 3));
    put_busy_layer(&net.w, "layers.0", 4, 7);
    put_busy_layer(&net.w, "layers.1", 4, 70);
    BlockSpec blocks[2] = {causal_block(2), causal_block(2)};
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 4, .ids = ids}}, .n_stacks = 1, .predict_row = -1,
                        .rollout = true};
    run(&net, &spec);
    if (!trace_need(net.trace, net.results.stack[0].rollout[1], &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int layer = 0; layer < 2; layer++)
        for (int c = 0; c < 32; c++)
            given[layer * 32 + c] = (float)at(&net, layer ? "layers.1.weights" : "layers.0.weights", c / 16, c / 4 % 4, c % 4);
    Trace *alone = trace_new(&net.w.arena);
    TensorInput weights = {.name = "layer_weights", .rank = 4, .dim = {2, 2, 4, 4}, .data = given};
    if (!machine_rollout(alone, &weights, &err) || !trace_run(alone, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int c = 0; c < 16; c++) {
        double want = tensor_flat(trace_tensor(alone, trace_find(alone, "layers.1.rollout")), (size_t)c);
        assert_near(tensor_flat(trace_tensor(net.trace, net.results.stack[0].rollout[1]), (size_t)c), want, 0);
    }
    explain_all(&net);
    arena_free(&net.w.arena);
}

/* ---- what is refused ---- */

typedef struct {
    const char *name;      /* of the weight that is changed */
    int d0, d1;            /* its new shape; 0: it is missing */
    const char *told[3];
} Broken;

static void refusals_name_the_weight(void **state) {
    (void)state;
    static const Broken broken[] = {
        {"w_q", 0, 0, {"layers.1.w_q", "missing", ""}},
        {"w_k", 2, 3, {"layers.1.w_k [2, 3]", "[2, 2]", "3"}},
        {"w_o", 3, 2, {"layers.1.w_o [3, 2]", "2", ""}},
        {"w_q", 3, 2, {"layers.1.w_", "3", ""}},
        {"ln1_g", 3, 0, {"layers.1.ln1_g", "[3]", "[2]"}},
        {"ln2_g", 0, 0, {"layers.1.ln2_g", "missing", ""}},
        {"w_ff1", 3, 3, {"layers.1.w_ff1", "[3, 3]", "[…, 2]"}},
        {"b_ff1", 2, 0, {"layers.1.b_ff1", "[2]", "[3]"}},
        {"w_ff2", 2, 2, {"layers.1.w_ff2", "[2, 2]", "[2, 3]"}},
    };
    for (size_t n = 0; n < sizeof broken / sizeof broken[0]; n++) {
        Net net = {0};
        put_plain(&net.w);
        put_busy_layer(&net.w, "layers.1", 2, 5);
        for (int i = 0; i < net.w.n; i++) {
            if (!str_eq(net.w.weight[i].scope, "layers.1") || !str_eq(net.w.weight[i].name, broken[n].name)) continue;
            TensorInput *input = &net.w.weight[i].input;
            if (!broken[n].d0) net.w.weight[i].name = "lost";
            input->rank = broken[n].d1 ? 2 : 1;
            input->dim[0] = broken[n].d0;
            input->dim[1] = broken[n].d1 ? broken[n].d1 : 1;
            input->data = filled(&net.w, 16, 0);
        }
        BlockSpec blocks[2] = {causal_block(1), causal_block(1)};
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 2, .ids = two_ids}}, .n_stacks = 1, .predict_row = -1};
        assert_false(build(&net, &spec));
        for (int k = 0; k < 3; k++)
            if (!strstr(net.w.err.message, broken[n].told[k])) fail_msg("\"%s\" does not say %s", net.w.err.message, broken[n].told[k]);
        arena_free(&net.w.arena);
    }
}

static void expect_refusal(Net *net, const NetworkSpec *spec, ErrCode code, const char *told) {
    assert_false(build(net, spec));
    assert_int_equal(net->w.err.code, code);
    if (!strstr(net->w.err.message, told)) fail_msg("\"%s\" does not say %s", net->w.err.message, told);
}

static void ids_and_positions_have_rows(void **state) {
    (void)state;
    static const int outside[] = {0, 3}, below[] = {-1, 0};
    Net net = {0};
    put_plain(&net.w);
    note(&net.w, "", "w_pos", 3, 2, NUMBERS(7, 7, 0.5f, 1, 1, -1));
    note(&net.w, "", "w_type", 2, 2, NUMBERS(0, 1, 0.5f, 0));
    BlockSpec block = causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = outside}}, .n_stacks = 1, .predict_row = -1};
    expect_refusal(&net, &spec, ERR_INPUT, "w_embed [3, 2]");
    spec.stack[0].ids = below;
    expect_refusal(&net, &spec, ERR_INPUT, "-1 of token 1");
    spec.stack[0].ids = two_ids;
    spec.stack[0].types = outside;
    expect_refusal(&net, &spec, ERR_INPUT, "w_type [2, 2]");
    spec.stack[0].types = NULL;
    spec.stack[0].position = (PositionSpec){.kind = POSITION_LEARNED, .learned_offset = 2};
    expect_refusal(&net, &spec, ERR_LIMIT, "2 tokens; w_pos [3, 2] has rows for 1");
    spec.stack[0].position.learned_offset = 1;
    assert_true(build(&net, &spec));
    spec.predict_row = 2;
    spec.head = HEAD_LOGITS;
    expect_refusal(&net, &spec, ERR_INPUT, "Row 3");
    spec.predict_row = 0;
    expect_refusal(&net, &spec, ERR_INPUT, "w_logits");
    block.self.position.kind = POSITION_SINUSOIDAL;
    expect_refusal(&net, &spec, ERR_INPUT, "sinusoidal");
    block.self.position.kind = POSITION_RELATIVE;
    expect_refusal(&net, &spec, ERR_INPUT, "rel_bias");
    arena_free(&net.w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding_by_hand),     cmocka_unit_test(logits_by_hand),       cmocka_unit_test(scaled_logits),
        cmocka_unit_test(masked_head_by_hand),   cmocka_unit_test(pooler_by_hand),       cmocka_unit_test(stages_of_a_network),
        cmocka_unit_test(stages_of_a_decoder),   cmocka_unit_test(decoder_file_as_network), cmocka_unit_test(parallel_blocks),
        cmocka_unit_test(rollout_files),         cmocka_unit_test(rollout_of_a_network), cmocka_unit_test(refusals_name_the_weight),
        cmocka_unit_test(ids_and_positions_have_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
