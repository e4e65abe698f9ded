/* Networks and rollout against the reference files. */
#include <stdio.h>

#include "base/str.h"
#include "checks.h"
#include "hand_net.h"

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
    if (strncmp(scope, "encoder", 7) == 0 && layer) return weights_find(&w->own, scope, name, out);
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
        weights_put_still_layer(&weights.own, "encoder.layers.0", fixture_int(&f, "d_model"));
        BlockSpec encoder = hand_causal_block(1), decoder = block_of_file(&f, true);
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
    HandNet net = {0};
    Err err = {0};
    float given[2 * 2 * 4 * 4];
    weights_put(&net.w, "", "w_embed", 3, 4, weights_scattered(&net.w, 12, 3));
    weights_put_busy_layer(&net.w, "layers.0", 4, 7);
    weights_put_busy_layer(&net.w, "layers.1", 4, 70);
    BlockSpec blocks[2] = {hand_causal_block(2), hand_causal_block(2)};
    NetworkSpec spec = {.stack = {{.scope = "", .n_layers = 2, .blocks = blocks, .n = 4, .ids = ids}}, .n_stacks = 1, .predict_row = -1,
                        .rollout = true};
    hand_run(&net, &spec);
    if (!trace_need(net.trace, net.results.stack[0].rollout[1], &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int layer = 0; layer < 2; layer++)
        for (int c = 0; c < 32; c++)
            given[layer * 32 + c] = (float)hand_at(&net, layer ? "layers.1.weights" : "layers.0.weights", c / 16, c / 4 % 4, c % 4);
    Trace *alone = trace_new(&net.w.arena);
    TensorInput weights = {.name = "layer_weights", .rank = 4, .dim = {2, 2, 4, 4}, .data = given};
    if (!machine_rollout(alone, &weights, &err) || !trace_run(alone, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    for (int c = 0; c < 16; c++) {
        double want = tensor_flat(trace_tensor(alone, trace_find(alone, "layers.1.rollout")), (size_t)c);
        assert_near(tensor_flat(trace_tensor(net.trace, net.results.stack[0].rollout[1]), (size_t)c), want, 0);
    }
    hand_explain_all(&net);
    arena_free(&net.w.arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoder_file_as_network),
        cmocka_unit_test(rollout_files),
        cmocka_unit_test(rollout_of_a_network),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
