/* The kinds of trace files: which machine each describes, and what in its trace the file's outputs are. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/tracefile_internal.h"

const char *const tracefile_kinds[] = {
    [TRACE_ATTENTION] = "attention", [TRACE_POSITIONAL] = "positional", [TRACE_ANALYSIS] = "analysis",
    [TRACE_NORM] = "norm", [TRACE_ACTIVATION] = "activation", [TRACE_FFN] = "ffn",
    [TRACE_ENCODER_BLOCK] = "encoder_block", [TRACE_DECODER_BLOCK] = "decoder_block", [TRACE_ROLLOUT] = "rollout",
};

const char *const tracefile_activations[] = {
    [ACT_RELU] = "relu", [ACT_GELU] = "gelu_exact", [ACT_GELU_TANH] = "gelu_tanh", [ACT_SILU] = "silu", [ACT_TANH] = "tanh",
};
static_assert(sizeof tracefile_activations / sizeof *tracefile_activations == ACT_COUNT, "a name for each activation");

const char tracefile_gated[] = "swiglu";

/* ---- machines ---- */

static bool build_attention(const TraceFile *file, Trace *trace, Err *err) {
    return machine_attention(trace, "", &file->spec, file->inputs, file->n_inputs, err);
}

/* A machine of one op: the sinusoid's rows. */
static bool build_positions(const TraceFile *file, Trace *trace, Err *err) {
    Op op = {.kind = OP_SINUSOID, .in = {TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    trace_begin_stage(trace, STAGE_EMBED, "");
    TensorId pe = trace_add(trace, &op, "", "pe", DTYPE_F32, 2, (int[]){file->spec.L, file->spec.d_model}, err);
    trace_end_stage(trace, pe);
    return pe != TENSOR_NONE;
}

/* Weights by the file's names: those of a decoder's attentions, scopes "self" and "cross", have their scope before them. */
static bool find_weight(void *ctx, const char *scope, const char *name, TensorInput *out) {
    const TraceFile *file = ctx;
    char key[64];
    snprintf(key, sizeof key, "%s%s%s", scope, scope[0] ? "_" : "", name);
    const TensorInput *found = input_find(file->inputs, file->n_inputs, key);
    if (found) *out = *found;
    return found != NULL;
}

static WeightSource weights_of(const TraceFile *file) { return (WeightSource){(void *)(uintptr_t)file, find_weight}; }

/* Rows that come into a block: x or x_kv, of rank 2. */
static bool add_rows(const TraceFile *file, Trace *trace, const char *name, TensorId *id, Err *err) {
    char shape[64];
    const TensorInput *rows = input_find(file->inputs, file->n_inputs, name);
    if (!rows) return err_set(err, ERR_INPUT, tr("the inputs lack %s"), name);
    if (rows->rank != 2)
        return err_set(err, ERR_SHAPE, tr("%s %s needs 2 dimensions."), name, tensor_shape_text(shape, rows->rank, rows->dim));
    *id = trace_add_input(trace, "", rows, err);
    return *id != TENSOR_NONE;
}

static bool build_norm(const TraceFile *file, Trace *trace, Err *err) {
    WeightSource weights = weights_of(file);
    TensorId x = TENSOR_NONE, out;
    return add_rows(file, trace, "x", &x, err) && machine_norm(trace, "", file->block.norm, file->block.eps, x, &weights, &out, err);
}

static bool build_ffn(const TraceFile *file, Trace *trace, Err *err) {
    WeightSource weights = weights_of(file);
    TensorId x = TENSOR_NONE, out;
    return add_rows(file, trace, "x", &x, err) && machine_ffn(trace, "", &file->block, x, &weights, &out, err);
}

static bool build_activations(const TraceFile *file, Trace *trace, Err *err) {
    TensorId x = TENSOR_NONE;
    if (!add_rows(file, trace, "x", &x, err)) return false;
    trace_begin_stage(trace, STAGE_FFN, "");
    bool ok = true;
    for (int n = 0; ok && n < ACT_COUNT; n++) {
        Op op = {.kind = activation_op((Activation)n), .in = {x, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
        ok = trace_add(trace, &op, "", tracefile_activations[n], DTYPE_F32, 2, trace_tensor(trace, x)->dim, err) != TENSOR_NONE;
    }
    trace_end_stage(trace, TENSOR_NONE);
    return ok;
}

static bool build_block(const TraceFile *file, Trace *trace, Err *err) {
    WeightSource weights = weights_of(file);
    TensorId x = TENSOR_NONE, memory = TENSOR_NONE, out;
    return add_rows(file, trace, "x", &x, err) && (!file->block.has_cross || add_rows(file, trace, "x_kv", &memory, err)) &&
           machine_block(trace, "", &file->block, x, memory, &weights, &out, err);
}

static bool build_rollout(const TraceFile *file, Trace *trace, Err *err) {
    const TensorInput *weights = input_find(file->inputs, file->n_inputs, "layer_weights");
    return weights ? machine_rollout(trace, weights, err) : err_set(err, ERR_INPUT, tr("the inputs lack %s"), "layer_weights");
}

/* ---- outputs ---- */

static bool tensor_named(const Trace *trace, const char *id, Tensor *out) {
    TensorId found = trace_find(trace, id);
    if (found != TENSOR_NONE) *out = *trace_tensor(trace, found);
    return found != TENSOR_NONE;
}

static bool value_by_name(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out) {
    (void)file;
    (void)arena;
    return tensor_named(trace, name, out);
}

/* `attn_out` is the attention's `out`, `out` what the block gives: its last stage's. */
static bool value_of_block(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out) {
    static const char *const scopes[] = {"self", "cross"};
    if (str_eq(name, "out")) {
        *out = *trace_tensor(trace, trace_stage(trace, trace_stage_count(trace) - 1)->result);
        return true;
    }
    if (str_eq(name, "attn_out")) return tensor_named(trace, "out", out);
    for (int i = 0; file->block.has_cross && i < 2; i++) {
        size_t length = strlen(scopes[i]);
        if (strncmp(name, scopes[i], length) != 0 || name[length] != '_') continue;
        const char *rest = name + length + 1;
        return tensor_named(trace, arena_printf(arena, "%s.%s", scopes[i], str_eq(rest, "attn_out") ? "out" : rest), out);
    }
    return tensor_named(trace, name, out);
}

/* ---- statistics ---- */

static double row_entropy(const RowStats *s) { return s->entropy_nats; }
static double row_bits(const RowStats *s) { return s->entropy_bits; }
static double row_share(const RowStats *s) { return s->entropy_share; }
static double row_largest(const RowStats *s) { return s->max; }

static const struct {
    const char *name;
    double (*value)(const RowStats *s);
} row_values[] = {
    {"entropy", row_entropy}, {"entropy_bits", row_bits}, {"entropy_norm", row_share}, {"max_weight", row_largest},
};

/* [H, L] from the rows of weights [H, L, S]; `data` has room for them */
static void fill_rows(const Trace *trace, TensorId weights, double (*value)(const RowStats *s), float *data) {
    const Tensor *map = trace_tensor(trace, weights);
    TensorId mask = trace_mask_of(trace, weights);
    for (int h = 0; h < map->dim[0]; h++)
        for (int i = 0; i < map->dim[1]; i++) {
            RowStats s = stats_row(trace, weights, mask, h, i);
            *data++ = (float)value(&s);
        }
}

static bool value_of_analysis(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out) {
    TensorId weights = trace_find(trace, "weights");
    if (value_by_name(file, trace, name, arena, out)) return true;
    if (weights == TENSOR_NONE) return false;
    const Tensor *map = trace_tensor(trace, weights);
    int H = map->dim[0], L = map->dim[1], S = map->dim[2];
    *out = (Tensor){.id = name, .name = name, .rank = 2, .dim = {H, L, 1, 1}, .op = trace_op_count(trace)};
    for (size_t i = 0; i < sizeof row_values / sizeof *row_values; i++) {
        if (!str_eq(name, row_values[i].name)) continue;
        float *data = ARENA_ARRAY(arena, float, (size_t)H * (size_t)L);
        fill_rows(trace, weights, row_values[i].value, data);
        out->data = data;
        return true;
    }
    if (!str_eq(name, "head_avg")) return false;
    double *average = ARENA_ARRAY(arena, double, (size_t)L * (size_t)S);
    stats_head_average(trace, weights, average);
    out->dim[0] = L;
    out->dim[1] = S;
    out->dtype = DTYPE_F64;
    out->data = average;
    return true;
}

/* The layers' tensors one behind the other: [n_layers, L, L]; of entropies [n_layers, H, L] */
static bool value_of_rollout(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out) {
    const int *dim = input_find(file->inputs, file->n_inputs, "layer_weights")->dim;
    bool entropy = str_eq(name, "layer_entropy");
    const char *own = entropy ? "weights" : str_eq(name, "aug") ? "mixed" : name;
    int rows = entropy ? dim[1] : dim[2], op = 0;
    size_t each = (size_t)rows * (size_t)dim[2];
    float *data = ARENA_ARRAY(arena, float, (size_t)dim[0] * each);
    for (int layer = 0; layer < dim[0]; layer++) {
        TensorId id = trace_find(trace, arena_printf(arena, "layers.%d.%s", layer, own));
        if (id == TENSOR_NONE || (!entropy && trace_tensor(trace, id)->rank != 2)) return false;
        if (entropy) fill_rows(trace, id, row_entropy, data + (size_t)layer * each);
        else memcpy(data + (size_t)layer * each, trace_tensor(trace, id)->data, each * sizeof *data);
        op = trace_tensor(trace, id)->op;
    }
    *out = (Tensor){.id = name, .name = name, .rank = 3, .dim = {dim[0], rows, dim[2], 1}, .data = data,
                    .op = entropy ? trace_op_count(trace) : op};
    return true;
}

/* ---- the table ---- */

static const struct {
    bool (*build)(const TraceFile *file, Trace *trace, Err *err);
    bool (*value)(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out);
} kinds[] = {
    [TRACE_ATTENTION] = {build_attention, value_by_name},     [TRACE_POSITIONAL] = {build_positions, value_by_name},
    [TRACE_ANALYSIS] = {build_attention, value_of_analysis},  [TRACE_NORM] = {build_norm, value_by_name},
    [TRACE_ACTIVATION] = {build_activations, value_by_name},  [TRACE_FFN] = {build_ffn, value_by_name},
    [TRACE_ENCODER_BLOCK] = {build_block, value_of_block},    [TRACE_DECODER_BLOCK] = {build_block, value_of_block},
    [TRACE_ROLLOUT] = {build_rollout, value_of_rollout},
};
static_assert(sizeof kinds / sizeof *kinds == TRACE_KIND_COUNT, "each kind can be computed");

static int kind_of(const TraceFile *file) {
    int kind = str_find(tracefile_kinds, TRACE_KIND_COUNT, file->kind);
    assert(kind >= 0);
    return kind;
}

bool tracefile_value(const TraceFile *file, const Trace *trace, const char *name, Arena *arena, Tensor *out) {
    return kinds[kind_of(file)].value(file, trace, name, arena, out);
}

TensorId tracefile_tensor(const TraceFile *file, const Trace *trace, const char *name, Arena *arena) {
    Tensor value;
    if (!tracefile_value(file, trace, name, arena, &value) || value.op >= trace_op_count(trace)) return TENSOR_NONE;
    TensorId id = trace_op(trace, value.op)->out;
    return trace_tensor(trace, id)->data == value.data ? id : TENSOR_NONE;
}

bool tracefile_compute(const TraceFile *file, const CoreContext *cx, Arena *arena, Trace **out, Err *err) {
    Trace *trace = trace_new(arena);
    if (!kinds[kind_of(file)].build(file, trace, err) || !trace_run(trace, cx, err)) return err_place(err, file->path, 0, 0);
    *out = trace;
    return true;
}
