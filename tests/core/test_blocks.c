/* Blocks, norms, activations and feed-forward layers against the reference files of case 17. */
#include <stdio.h>

#include "base/str.h"
#include "checks.h"
#include "core/network.h"
#include "support/support.h"

/* ---- weights out of a fixture ---- */

typedef struct {
    Fixture *f;
    const char *scope; /* of the block */
} Source;

/* Scope and name of a weight as the file names it: "layers.3.self" and "w_q" as "self_w_q". */
static bool find_weight(void *ctx, const char *scope, const char *name, TensorInput *out) {
    const Source *source = ctx;
    size_t length = strlen(source->scope);
    char key[64];
    assert_true(strncmp(scope, source->scope, length) == 0);
    scope += length;
    if (*scope == '.') scope++;
    snprintf(key, sizeof key, "%s%s%s", scope, *scope ? "_" : "", name);
    const TensorInput *found = fixture_tensor(source->f, key);
    if (found) *out = *found;
    return found != NULL;
}

/* The trace's id of a tensor as the file names it. */
static const char *id_of(Fixture *f, const char *scope, const char *name, const char *result) {
    const char *dot = scope[0] ? "." : "";
    bool cross = strncmp(name, "cross_", 6) == 0, self = strncmp(name, "self_", 5) == 0;
    const char *place = cross ? "cross." : self ? "self." : "", *rest = name + strlen(place);
    if (str_eq(rest, "attn_out")) rest = "out";
    else if (str_eq(name, "out")) return result;
    return arena_printf(&f->arena, "%s%s%s%s", scope, dot, place, rest);
}

/* ---- specs out of metadata ---- */

static Activation activation_of(const char *name) {
    static const char *const names[ACT_COUNT] = {"relu", "gelu_exact", "gelu_tanh", "silu", "tanh"};
    if (str_eq(name, "swiglu")) return ACT_SILU;
    int at = str_find(names, ACT_COUNT, name);
    assert_true(at >= 0);
    return (Activation)at;
}

static AttentionSpec attention_of(Fixture *f, const char *prefix) {
    AttentionSpec s = {.n_heads = fixture_int(f, "n_heads"), .n_kv_heads = fixture_int(f, "n_kv_heads"), .scale = SCALE_NUMBER,
                       .scale_number = fixture_number(f, "scale")};
    fixture_masks(f, prefix, &s);
    fixture_position(f, &s);
    return s;
}

static BlockSpec block_of(Fixture *f) {
    bool decoder = str_eq(fixture_meta(f, "kind"), "decoder_block");
    BlockSpec b = {.self = attention_of(f, decoder ? "self_" : ""), .has_cross = decoder,
                   .norm = str_eq(fixture_meta(f, "norm"), "rmsnorm") ? NORM_RMS : NORM_LAYER,
                   .place = str_eq(fixture_meta(f, "norm_placement"), "pre") ? NORM_PRE : NORM_POST, .eps = fixture_number(f, "ln_eps"),
                   .activation = activation_of(fixture_meta(f, "ffn_act")), .gated = str_eq(fixture_meta(f, "ffn_act"), "swiglu")};
    if (decoder) b.cross = attention_of(f, "cross_");
    return b;
}

/* ---- running ---- */

typedef struct {
    Fixture f;
    Trace *trace;
    const char *scope, *result;
} Run;

static void open_run(Run *r, const char *file, const char *scope) {
    fixture_open(&r->f, file);
    r->trace = trace_new(&r->f.arena);
    r->scope = scope;
    r->result = "";
}

static TensorId input(Run *r, const char *name) {
    Err err = {0};
    TensorId id = trace_add_input(r->trace, r->scope, fixture_tensor(&r->f, name), &err);
    if (id == TENSOR_NONE) fail_msg("%s", err.message);
    return id;
}

static void finish(Run *r) {
    Err err = {0};
    if (!trace_run(r->trace, &(CoreContext){0}, &err)) fail_msg("%s: %s", r->f.name, err.message);
}

static void run_block(Run *r, const char *file, const char *scope) {
    Err err = {0};
    TensorId result;
    open_run(r, file, scope);
    BlockSpec spec = block_of(&r->f);
    Source source = {&r->f, scope};
    TensorId x = input(r, "x"), memory = spec.has_cross ? input(r, "x_kv") : TENSOR_NONE;
    if (!machine_block(r->trace, scope, &spec, x, memory, &(WeightSource){&source, find_weight}, &result, &err))
        fail_msg("%s: %s", file, err.message);
    r->result = trace_tensor(r->trace, result)->id;
    finish(r);
}

/* Explanations are made of the rounded operands, in double: they meet the value within its own rounding. */
static double rounding_of(const Tensor *tensor) {
    double largest = 1.0;
    for (size_t n = 0; n < tensor_count(tensor); n++)
        if (isfinite(tensor_flat(tensor, n))) largest = fmax(largest, fabs(tensor_flat(tensor, n)));
    return 1.2e-7 * largest;
}

/* Every output of the file, and every element of the trace explained. */
static int check_run(Run *r) {
    Arena arena = {0};
    int bad = 0, count = 0;
    char *names = arena_strdup(&r->f.arena, fixture_meta(&r->f, "outputs"));
    for (char *save, *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save), count++)
        bad += !check_tensor(&r->f, r->trace, name, id_of(&r->f, r->scope, name, r->result));
    for (int t = 0; t < trace_tensor_count(r->trace); t++)
        bad += explain_every_element(r->f.name, r->trace, t, rounding_of(trace_tensor(r->trace, t)), &arena);
    arena_free(&arena);
    return count == 0 ? 1 : bad;
}

/* ---- norm, activation, ffn: what a block does, alone ---- */

static TensorId add(Run *r, const Op *op, const char *name, int rank, int d0, int d1) {
    Err err = {0};
    TensorId id = trace_add(r->trace, op, r->scope, name, DTYPE_F32, rank, (int[]){d0, d1}, &err);
    if (id == TENSOR_NONE) fail_msg("%s", err.message);
    return id;
}

static Op op_of(OpKind kind, TensorId a, TensorId b, TensorId c, TensorId d, TensorId e) {
    return (Op){.kind = kind, .in = {a, b, c, d, e}};
}

enum { NONE = TENSOR_NONE };

static void run_norm(Run *r, const char *file) {
    open_run(r, file, "");
    int L = fixture_int(&r->f, "L"), d = fixture_int(&r->f, "d_model");
    TensorId x = input(r, "x"), gain = input(r, "ln1_g");
    Op op = op_of(OP_RMS, x, NONE, NONE, NONE, NONE);
    op.number = fixture_number(&r->f, "ln_eps");
    if (str_eq(fixture_meta(&r->f, "norm"), "rmsnorm")) {
        TensorId rms = add(r, &op, "ln1_rms", 1, L, 1);
        op = op_of(OP_RMSNORM, x, rms, gain, NONE, NONE);
        add(r, &op, "ln1", 2, L, d);
    } else {
        TensorId shift = input(r, "ln1_b");
        op.kind = OP_MEAN;
        op.in[1] = add(r, &op, "ln1_mean", 1, L, 1);
        op.kind = OP_VARIANCE;
        op.in[2] = add(r, &op, "ln1_var", 1, L, 1);
        op.kind = OP_LAYERNORM;
        op.in[3] = gain;
        op.in[4] = shift;
        add(r, &op, "ln1", 2, L, d);
    }
    finish(r);
}

static void run_activations(Run *r, const char *file) {
    static const char *const names[] = {"relu", "gelu_exact", "gelu_tanh", "silu", "tanh"};
    open_run(r, file, "");
    TensorId x = input(r, "x");
    for (int n = 0; n < ACT_COUNT; n++) {
        Op op = op_of((OpKind)(OP_RELU + n), x, NONE, NONE, NONE, NONE);
        add(r, &op, names[n], 2, 1, fixture_int(&r->f, "d_model"));
    }
    finish(r);
}

static void run_ffn(Run *r, const char *file) {
    open_run(r, file, "");
    int L = fixture_int(&r->f, "L"), d = fixture_int(&r->f, "d_model"), wide = fixture_int(&r->f, "d_ff");
    bool gated = str_eq(fixture_meta(&r->f, "ffn_act"), "swiglu"), biased = fixture_int(&r->f, "ffn_bias") == 1;
    TensorId x = input(r, "x"), in = input(r, gated ? "w_up" : "w_ff1"), out = input(r, gated ? "w_down" : "w_ff2");
    OpKind kind = (OpKind)(OP_RELU + activation_of(fixture_meta(&r->f, "ffn_act")));
    Op op = op_of(OP_LINEAR, x, in, biased ? input(r, "b_ff1") : NONE, NONE, NONE);
    TensorId hidden = add(r, &op, "ffn_hidden", 2, L, wide), act = hidden;
    if (gated) {
        op = op_of(OP_LINEAR, x, input(r, "w_gate"), NONE, NONE, NONE);
        act = add(r, &op, "ffn_gate", 2, L, wide);
    }
    op = op_of(kind, act, NONE, NONE, NONE, NONE);
    act = add(r, &op, gated ? "ffn_gate_act" : "ffn_act", 2, L, wide);
    if (gated) {
        op = op_of(OP_MULTIPLY, act, hidden, NONE, NONE, NONE);
        act = add(r, &op, "ffn_act", 2, L, wide);
    }
    op = op_of(OP_LINEAR, act, out, biased ? input(r, "b_ff2") : NONE, NONE, NONE);
    add(r, &op, "ffn_out", 2, L, d);
    finish(r);
}

/* ---- the tests ---- */

static void run_file(Run *r, const char *file, const char *kind, const char *scope) {
    if (str_eq(kind, "norm")) run_norm(r, file);
    else if (str_eq(kind, "activation")) run_activations(r, file);
    else if (str_eq(kind, "ffn")) run_ffn(r, file);
    else run_block(r, file, scope);
}

static void every_file_of_case_17(void **state) {
    (void)state;
    Arena arena = {0};
    int count, files = 0, bad = 0;
    char **names = fixture_names(&arena, &count);
    for (int n = 0; n < count; n++) {
        Run r;
        if (strncmp(names[n], "17_", 3) != 0) continue;
        files++;
        fixture_open(&r.f, names[n]);
        char *kind = arena_strdup(&arena, fixture_meta(&r.f, "kind"));
        fixture_close(&r.f);
        run_file(&r, names[n], kind, files % 2 ? "" : "layers.3");
        bad += check_run(&r);
        fixture_close(&r.f);
    }
    arena_free(&arena);
    assert_int_equal(files, 24);
    assert_int_equal(bad, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_file_of_case_17),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
