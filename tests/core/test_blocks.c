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

static const char *const activations[ACT_COUNT] = {"relu", "gelu_exact", "gelu_tanh", "silu", "tanh"};

static Activation activation_of(const char *name) {
    if (str_eq(name, "swiglu")) return ACT_SILU;
    int at = str_find(activations, ACT_COUNT, name);
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

static void run_norm(Run *r, const char *file, const char *scope) {
    Err err = {0};
    TensorId result;
    open_run(r, file, scope);
    Source source = {&r->f, scope};
    NormKind kind = str_eq(fixture_meta(&r->f, "norm"), "rmsnorm") ? NORM_RMS : NORM_LAYER;
    if (!machine_norm(r->trace, scope, kind, fixture_number(&r->f, "ln_eps"), input(r, "x"), &(WeightSource){&source, find_weight}, &result, &err))
        fail_msg("%s: %s", file, err.message);
    finish(r);
}

static void run_ffn(Run *r, const char *file, const char *scope) {
    Err err = {0};
    TensorId result;
    open_run(r, file, scope);
    Source source = {&r->f, scope};
    BlockSpec spec = block_of(&r->f);
    if (!machine_ffn(r->trace, scope, &spec, input(r, "x"), &(WeightSource){&source, find_weight}, &result, &err))
        fail_msg("%s: %s", file, err.message);
    finish(r);
}

static void run_activations(Run *r, const char *file, const char *scope) {
    Err err = {0};
    open_run(r, file, scope);
    TensorId x = input(r, "x");
    for (int n = 0; n < ACT_COUNT; n++) {
        Op op = {.kind = activation_op((Activation)n), .in = {x, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
        int dim[] = {1, fixture_int(&r->f, "d_model")};
        if (trace_add(r->trace, &op, scope, activations[n], DTYPE_F32, 2, dim, &err) == TENSOR_NONE) fail_msg("%s", err.message);
    }
    finish(r);
}

/* ---- the tests ---- */

static void run_file(Run *r, const char *file, const char *kind, const char *scope) {
    if (str_eq(kind, "norm")) run_norm(r, file, scope);
    else if (str_eq(kind, "activation")) run_activations(r, file, scope);
    else if (str_eq(kind, "ffn")) run_ffn(r, file, scope);
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
