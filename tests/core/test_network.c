/* Whole networks by hand: the embedding, heads, stages, refusals. Those of trained shapes are compared with their references where
 * folders are read (room model). */
#include <stdio.h>

#include "base/str.h"
#include "hand_net.h"

static void no_tensor(const HandNet *net, const char *id) {
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
    HandNet net = {0};
    Weights *w = &net.w;
    weights_note(w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    weights_note(w, "", "w_pos", 3, 2, NUMBERS(7, 7, 0.5f, 1, 1, -1));
    weights_note(w, "", "w_type", 2, 2, NUMBERS(0, 1, 0.5f, 0));
    weights_note(w, "", "embed_g", 2, 0, NUMBERS(2, 1));
    weights_note(w, "", "embed_b", 2, 0, NUMBERS(0, 10));
    weights_note(w, "", "w_map", 2, 2, NUMBERS(1, 1, 1, -1));
    weights_note(w, "", "b_map", 2, 0, NUMBERS(1, 0));
    weights_put_still_layer(w, "layers.0", 2);
    BlockSpec block = hand_causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids, .types = two_types,
                                   .position = {.kind = POSITION_LEARNED, .learned_offset = 1}, .embed_scale = 2}},
                        .n_stacks = 1, .predict_row = -1};
    hand_run(&net, &spec);
    assert_near(hand_at(&net, "layers.0.tok", 0, 0, 0), 3, 0);
    assert_near(hand_at(&net, "layers.0.tok_scaled", 0, 1, 0), 2, 0);
    assert_near(hand_at(&net, "layers.0.pe", 1, 1, 0), -1, 0);
    assert_near(hand_at(&net, "layers.0.tok_pe", 0, 0, 0), 6.5, 0);
    assert_near(hand_at(&net, "layers.0.type", 0, 0, 0), 0.5, 0);
    assert_near(hand_at(&net, "layers.0.embed", 0, 0, 0), 7, 0);
    assert_near(hand_at(&net, "layers.0.embed_mean", 1, 0, 0), 1.5, 0);
    assert_near(hand_at(&net, "layers.0.embed_var", 1, 0, 0), 2.25, 0);
    assert_near(hand_at(&net, "layers.0.embed_norm", 0, 0, 0), 2, 1e-6);
    assert_near(hand_at(&net, "layers.0.x", 0, 0, 0), 12, 1e-6);
    assert_near(hand_at(&net, "layers.0.x", 1, 1, 0), -7, 1e-6);
    assert_near(hand_at(&net, "layers.0.resid2", 0, 0, 0), 12, 1e-6);
    assert_int_equal(net.results.stack[0].hidden[0], trace_find(net.trace, "layers.0.x"));
    assert_int_equal(net.results.stack[0].hidden[1], trace_find(net.trace, "layers.0.resid2"));
    assert_int_equal(net.results.stack[0].final, net.results.stack[0].hidden[1]);
    assert_int_equal(net.results.logits, TENSOR_NONE);
    hand_explain_all(&net);
    spec.stack[0].types = NULL; /* then all tokens are of the first type */
    hand_run(&net, &spec);
    assert_near(hand_at(&net, "layers.0.type", 0, 1, 0), 1, 0);
    assert_near(hand_at(&net, "layers.0.embed", 0, 0, 0), 6.5, 0);
    arena_free(&w->arena);
}

/* One row of a token table that is all there is of an embedding is called x. */
static void put_plain(Weights *w) {
    weights_note(w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    weights_put_still_layer(w, "layers.0", 2);
}

/* x = (3, 1) (1, 0). Logits · w_logitsᵀ = rows (1, 0) (0, 1) (1, 1) + (0, 0, -1): row 1 (1, 0, 0), row 0 (3, 1, 3).
 * Softmax of row 1: e / (e + 2), 1 / (e + 2), 1 / (e + 2). */
static void logits_by_hand(void **state) {
    (void)state;
    for (int all = 0; all < 2; all++) {
        HandNet net = {0};
        put_plain(&net.w);
        weights_note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
        weights_note(&net.w, "", "b_logits", 3, 0, NUMBERS(0, 0, -1));
        BlockSpec block = hand_causal_block(1);
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                            .head = HEAD_LOGITS, .all_logits = all == 1, .predict_row = 1};
        hand_run(&net, &spec);
        const Tensor *logits = trace_tensor(net.trace, net.results.logits);
        assert_string_equal(logits->id, "logits");
        assert_int_equal(logits->dim[0], all ? 2 : 1);
        assert_near(hand_at(&net, "logits", all ? 1 : 0, 0, 0), 1, 0);
        assert_near(hand_at(&net, "logits", all ? 1 : 0, 2, 0), 0, 0);
        if (all) assert_near(hand_at(&net, "logits", 0, 2, 0), 3, 0);
        double e = 2.718281828459045;
        assert_string_equal(trace_tensor(net.trace, net.results.probs)->id, "probs");
        assert_near(hand_at(&net, "probs", 0, 0, 0), e / (e + 2), 1e-7);
        assert_near(hand_at(&net, "probs", 0, 0, 2), 1 / (e + 2), 1e-7);
        hand_explain_all(&net);
        arena_free(&net.w.arena);
    }
}

/* A scale of 0.5 before the logits (T5): row 1 is (0.5, 0, -0.5) with the bias as it is. */
static void scaled_logits(void **state) {
    (void)state;
    HandNet net = {0};
    put_plain(&net.w);
    weights_note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
    weights_note(&net.w, "", "b_logits", 3, 0, NUMBERS(0, 0, -1));
    BlockSpec block = hand_causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                        .head = HEAD_LOGITS, .all_logits = true, .predict_row = -1, .logit_scale = 0.5};
    hand_run(&net, &spec);
    assert_near(hand_at(&net, "logits", 1, 0, 0), 0.5, 0);
    assert_near(hand_at(&net, "logits", 1, 2, 0), -0.5, 0);
    assert_int_equal(net.results.probs, TENSOR_NONE);
    arena_free(&net.w.arena);
}

/* Masked models. x[0] · w_headᵀ + b_head of x[0] = (3, 1) is (3 - 1 + 1, -3, 3 + 3 - 2) = (3, -3, 4), relu (3, 0, 4): mean 7/3,
 * variance 25/3 - 49/9 = 26/9. The normed row sums to 0; the second logit is twice its last number. */
static void masked_head_by_hand(void **state) {
    (void)state;
    HandNet net = {0};
    put_plain(&net.w);
    weights_note(&net.w, "", "w_head", 3, 2, NUMBERS(1, -1, -1, 0, 1, 3));
    weights_note(&net.w, "", "b_head", 3, 0, NUMBERS(1, 0, -2));
    weights_note(&net.w, "", "head_g", 3, 0, NUMBERS(1, 1, 1));
    weights_note(&net.w, "", "w_logits", 2, 3, NUMBERS(1, 1, 1, 0, 0, 2));
    BlockSpec block = hand_causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids, .eps = 0}}, .n_stacks = 1,
                        .head = HEAD_MASKED, .head_activation = ACT_RELU, .predict_row = 0};
    hand_run(&net, &spec);
    assert_near(hand_at(&net, "head_hidden", 0, 0, 0), 3, 0);
    assert_near(hand_at(&net, "head_act", 0, 1, 0), 0, 0);
    assert_near(hand_at(&net, "head_mean", 0, 0, 0), 7.0 / 3, 1e-6);
    assert_near(hand_at(&net, "head_var", 0, 0, 0), 26.0 / 9, 1e-6);
    assert_near(hand_at(&net, "logits", 0, 0, 0), 0, 1e-6);
    assert_near(hand_at(&net, "logits", 0, 1, 0), 2 * (4 - 7.0 / 3) / sqrt(26.0 / 9), 1e-6);
    hand_explain_all(&net);
    arena_free(&net.w.arena);
}

/* x[0] = (3, 1), w_pool (1, -2; 0, 1), b_pool (0, 0.5): tanh(1), tanh(1.5) */
static void pooler_by_hand(void **state) {
    (void)state;
    HandNet net = {0};
    put_plain(&net.w);
    weights_note(&net.w, "", "w_pool", 2, 2, NUMBERS(1, -2, 0, 1));
    weights_note(&net.w, "", "b_pool", 2, 0, NUMBERS(0, 0.5f));
    BlockSpec block = hand_causal_block(1);
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1,
                        .head = HEAD_POOL, .predict_row = -1};
    hand_run(&net, &spec);
    assert_near(hand_at(&net, "pooled", 0, 0, 0), 0.761594155955765, 1e-7);
    assert_near(hand_at(&net, "pooled", 0, 1, 0), 0.905148253644866, 1e-7);
    assert_int_equal(trace_tensor(net.trace, net.results.pooled)->dim[0], 1);
    hand_explain_all(&net);
    arena_free(&net.w.arena);
}

/* ---- stages and scopes ---- */

typedef struct {
    StageKind kind;
    const char *scope, *result;
} Station;

static void expect_stages(const HandNet *net, const Station *want, int count) {
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
    HandNet net = {0};
    put_plain(&net.w);
    weights_put_busy_layer(&net.w, "layers.1", 2, 5);
    weights_note(&net.w, "", "final_g", 2, 0, NUMBERS(1, 1));
    weights_note(&net.w, "", "w_logits", 3, 2, NUMBERS(1, 0, 0, 1, 1, 1));
    BlockSpec blocks[2] = {hand_causal_block(1), hand_causal_block(2)};
    blocks[1].place = NORM_POST;
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 2, .ids = two_ids, .eps = 1e-5}}, .n_stacks = 1,
                        .head = HEAD_LOGITS, .all_logits = true, .predict_row = 1};
    hand_run(&net, &spec);
    expect_stages(&net, want, (int)(sizeof want / sizeof want[0]));
    assert_string_equal(trace_tensor(net.trace, net.results.stack[0].final)->id, "final_norm");
    hand_explain_all(&net);
    arena_free(&net.w.arena);
}

/* Two attentions have scopes of their own, with the norm and sum around them; the feed-forward layer has the block's. */
static void stages_of_a_decoder(void **state) {
    (void)state;
    static const StageKind around[] = {STAGE_EMBED, STAGE_NORM, STAGE_PROJECT, STAGE_SCORES, STAGE_SCALE, STAGE_MASK, STAGE_SOFTMAX,
                                       STAGE_WEIGHTED_SUM, STAGE_CONCAT, STAGE_OUTPUT, STAGE_ADD};
    enum { AROUND = sizeof around / sizeof around[0] };
    HandNet net = {0};
    weights_note(&net.w, "encoder", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    weights_note(&net.w, "decoder", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
    weights_put_busy_layer(&net.w, "encoder.layers.0", 2, 1);
    weights_put_busy_layer(&net.w, "decoder.layers.0", 2, 2);
    for (int i = 0; i < 4; i++) {
        weights_put(&net.w, "decoder.layers.0.self", attention_weights[i], 2, 2, weights_scattered(&net.w, 4, 40 + (unsigned)i));
        weights_put(&net.w, "decoder.layers.0.cross", attention_weights[i], 2, 2, weights_scattered(&net.w, 4, 50 + (unsigned)i));
    }
    weights_note(&net.w, "decoder.layers.0", "ln3_g", 2, 0, NUMBERS(1, 2));
    BlockSpec encoder = hand_causal_block(1), decoder = hand_causal_block(1);
    encoder.self.n_masks = 0;
    decoder.has_cross = true;
    decoder.cross = encoder.self;
    static const int three[] = {0, 1, 2};
    NetworkSpec spec = {.stack = {{.scope = "encoder", .n_layers = 1, .blocks = &encoder, .n = 3, .ids = three},
                                  {.scope = "decoder", .n_layers = 1, .blocks = &decoder, .n = 2, .ids = two_ids}},
                        .n_stacks = 2, .predict_row = -1, .rollout = true};
    hand_run(&net, &spec);
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
    hand_explain_all(&net);
    arena_free(&net.w.arena);
}

/* ---- blocks side by side ---- */

/* resid1 = x + out of ln1(x); resid2 = resid1 + ffn of ln2(x), or of ln1(x) where there is no second norm. */
static void parallel_blocks(void **state) {
    (void)state;
    for (int shared = 0; shared < 2; shared++) {
        HandNet net = {0};
        weights_note(&net.w, "", "w_embed", 3, 2, NUMBERS(1, 0, 9, 9, 3, 1));
        weights_put_busy_layer(&net.w, "layers.0", 2, 7);
        for (int i = 0; shared && i < net.w.n; i++)
            if (str_eq(net.w.weight[i].name, "ln2_g")) net.w.weight[i].name = "unused";
        BlockSpec block = hand_causal_block(1);
        block.place = NORM_PARALLEL;
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 2, .ids = two_ids}}, .n_stacks = 1, .predict_row = -1};
        hand_run(&net, &spec);
        TensorId x = trace_find(net.trace, "layers.0.x"), read = trace_find(net.trace, shared ? "layers.0.ln1" : "layers.0.ln2");
        const Op *hidden = trace_op(net.trace, trace_tensor(net.trace, trace_find(net.trace, "layers.0.ffn_hidden"))->op);
        assert_int_equal(hidden->in[0], read);
        const Op *norm = trace_op(net.trace, trace_tensor(net.trace, read)->op);
        assert_int_equal(norm->in[0], x);
        for (int t = 0; t < 2; t++)
            for (int c = 0; c < 2; c++) {
                double sum = hand_at(&net, "layers.0.x", t, c, 0) + hand_at(&net, "layers.0.out", t, c, 0) + hand_at(&net, "layers.0.ffn_out", t, c, 0);
                assert_near(hand_at(&net, "layers.0.resid2", t, c, 0), sum, 1e-6);
            }
        if (shared) no_tensor(&net, "layers.0.ln2");
        hand_explain_all(&net);
        arena_free(&net.w.arena);
    }
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
        HandNet net = {0};
        put_plain(&net.w);
        weights_put_busy_layer(&net.w, "layers.1", 2, 5);
        for (int i = 0; i < net.w.n; i++) {
            if (!str_eq(net.w.weight[i].scope, "layers.1") || !str_eq(net.w.weight[i].name, broken[n].name)) continue;
            TensorInput *input = &net.w.weight[i].input;
            if (!broken[n].d0) net.w.weight[i].name = "lost";
            input->rank = broken[n].d1 ? 2 : 1;
            input->dim[0] = broken[n].d0;
            input->dim[1] = broken[n].d1 ? broken[n].d1 : 1;
            input->data = weights_filled(&net.w, 16, 0);
        }
        BlockSpec blocks[2] = {hand_causal_block(1), hand_causal_block(1)};
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 2, .ids = two_ids}}, .n_stacks = 1, .predict_row = -1};
        assert_false(hand_build(&net, &spec));
        for (int k = 0; k < 3; k++)
            if (!strstr(net.w.err.message, broken[n].told[k])) fail_msg("\"%s\" does not say %s", net.w.err.message, broken[n].told[k]);
        arena_free(&net.w.arena);
    }
}

static void expect_refusal(HandNet *net, const NetworkSpec *spec, ErrCode code, const char *told) {
    assert_false(hand_build(net, spec));
    assert_int_equal(net->w.err.code, code);
    if (!strstr(net->w.err.message, told)) fail_msg("\"%s\" does not say %s", net->w.err.message, told);
}

static void ids_and_positions_have_rows(void **state) {
    (void)state;
    static const int outside[] = {0, 3}, below[] = {-1, 0};
    HandNet net = {0};
    put_plain(&net.w);
    weights_note(&net.w, "", "w_pos", 3, 2, NUMBERS(7, 7, 0.5f, 1, 1, -1));
    weights_note(&net.w, "", "w_type", 2, 2, NUMBERS(0, 1, 0.5f, 0));
    BlockSpec block = hand_causal_block(1);
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
    assert_true(hand_build(&net, &spec));
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

/* D32 (annotated-transformer#1, d2l-en#803): x = 1 2 3 4 and an attention that gives back what it reads. The norm after the sum has
 * mean 0: (-3 -1 1 3) / sqrt(5); before it, x + norm(x) keeps x's mean. */
static void norm_before_or_after(void **state) {
    (void)state;
    static const float unit[] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
    static const double after[] = {-1.3416, -0.4472, 0.4472, 1.3416}, before[] = {-0.3416, 1.5528, 3.4472, 5.3416};
    static const int id[] = {0};
    for (int place = NORM_PRE; place <= NORM_POST; place++) {
        HandNet net = {0};
        Weights *w = &net.w;
        weights_note(w, "", "w_embed", 1, 4, NUMBERS(1, 2, 3, 4));
        for (int i = 0; i < 4; i++) weights_put(w, "layers.0", attention_weights[i], 4, 4, unit);
        for (int i = 1; i <= 2; i++) {
            weights_put(w, "layers.0", i == 1 ? "ln1_g" : "ln2_g", 4, 0, weights_filled(w, 4, 1));
            weights_put(w, "layers.0", i == 1 ? "ln1_b" : "ln2_b", 4, 0, weights_filled(w, 4, 0));
        }
        weights_put(w, "layers.0", "w_ff1", 2, 4, weights_filled(w, 8, 0));
        weights_put(w, "layers.0", "w_ff2", 4, 2, weights_filled(w, 8, 0));
        BlockSpec block = hand_causal_block(1);
        block.place = (NormPlace)place;
        NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 1, .blocks = &block, .n = 1, .ids = id}}, .n_stacks = 1, .predict_row = -1};
        hand_run(&net, &spec);
        for (int i = 0; i < 4; i++)
            assert_near(hand_at(&net, place == NORM_PRE ? "layers.0.resid1" : "layers.0.ln1", 0, i, 0), place == NORM_PRE ? before[i] : after[i], 5e-5);
        arena_free(&net.w.arena);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(embedding_by_hand), cmocka_unit_test(norm_before_or_after),     cmocka_unit_test(logits_by_hand),       cmocka_unit_test(scaled_logits),
        cmocka_unit_test(masked_head_by_hand),   cmocka_unit_test(pooler_by_hand),       cmocka_unit_test(stages_of_a_network),
        cmocka_unit_test(stages_of_a_decoder),   cmocka_unit_test(parallel_blocks),      cmocka_unit_test(refusals_name_the_weight),
        cmocka_unit_test(ids_and_positions_have_rows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
