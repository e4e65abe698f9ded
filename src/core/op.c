/* The table of op kinds. Adding one: an enumerator in trace.h, a row here, a view in scene. */
#include <assert.h>

#include "core/internal.h"

const OpInfo op_table[] = {
    [OP_INPUT] = {"input", "given", .explain = explain_input},
    [OP_SINUSOID] = {"sinusoid", "sin(t / 10000^(2i/d)), cos(t / 10000^(2i/d))", .rule = true,
                     .run = op_run_sinusoid, .explain = explain_sinusoid},
    [OP_ROPE_COS] = {"rope cos", "cos(t · theta^(-2i/dim))", .rule = true, .run = op_run_rope_table,
                     .explain = explain_rope_table},
    [OP_ROPE_SIN] = {"rope sin", "sin(t · theta^(-2i/dim))", .rule = true, .run = op_run_rope_table,
                     .explain = explain_rope_table},
    [OP_ALIBI_SLOPES] = {"alibi slopes", "2^(-8h/H)", .rule = true, .run = op_run_alibi_slopes,
                         .explain = explain_alibi_slopes},
    [OP_ALIBI_BIAS] = {"alibi bias", "-slope · |i - j|", .rule = true, .run = op_run_alibi_bias,
                       .explain = explain_alibi_bias},
    [OP_MASK_RULE] = {"mask rule", "1 keep, 0 hide", .rule = true, .run = op_run_mask_rule,
                      .explain = explain_mask_rule},
    [OP_ROWS] = {"gather", "row t of the table", .run = op_run_rows_of, .explain = explain_rows_of},
    [OP_ADD] = {"add", "a + b", .run = op_run_add, .explain = explain_add},
    [OP_HEADS] = {"heads", "x cut into heads", .run = op_run_heads, .explain = explain_heads},
    [OP_PROJECT] = {"project", "x · w + b, cut into heads", .run = op_run_project, .explain = explain_project},
    [OP_ROPE] = {"rotate", "(e cos - o sin, e sin + o cos)", .run = op_run_rope, .explain = explain_rope},
    [OP_SCORES] = {"matmul", "q · k", .run = op_run_scores, .explain = explain_scores},
    [OP_SCALE] = {"scale", "score · number", .rows = op_rows_scale, .explain = explain_scale},
    [OP_MASK] = {"mask", "keep ? scaled + bias : fill", .rows = op_rows_mask, .explain = explain_mask},
    [OP_ROW_MAX] = {"row max", "max(row)", .rows = op_rows_max, .explain = explain_max},
    [OP_EXP] = {"exp", "exp(a - max)", .rows = op_rows_exp, .explain = explain_exp},
    [OP_ROW_SUM] = {"row sum", "sum(row)", .rows = op_rows_sum, .explain = explain_sum},
    [OP_DIVIDE] = {"divide", "exp / sum", .rows = op_rows_divide, .explain = explain_divide},
    [OP_WEIGHTED_SUM] = {"weighted sum", "weights · v", .run = op_run_weighted_sum, .explain = explain_weighted_sum},
    [OP_CONCAT] = {"concat", "heads side by side", .run = op_run_concat, .explain = explain_concat},
    [OP_LINEAR] = {"linear", "a · w + b", .run = op_run_project, .explain = explain_linear},
    [OP_COPY] = {"copy", "a", .run = op_run_copy, .explain = explain_copy},
    [OP_GATHER] = {"look up", "row id of the table", .run = op_run_gather, .explain = explain_gather},
    [OP_PICK] = {"pick", "one row", .run = op_run_pick, .explain = explain_pick},
    [OP_RELATIVE_BIAS] = {"relative bias", "table[bucket(j - i)]", .run = op_run_relative_bias, .explain = explain_relative_bias},
    [OP_MEAN] = {"mean", "sum(row) / n", .rows = op_rows_mean, .explain = explain_mean},
    [OP_VARIANCE] = {"variance", "sum((a - mean)^2) / n", .rows = op_rows_variance, .explain = explain_variance},
    [OP_RMS] = {"rms", "sqrt(sum(a^2) / n + eps)", .rows = op_rows_rms, .explain = explain_rms},
    [OP_LAYERNORM] = {"layer norm", "(a - mean) / sqrt(variance + eps) · gain + shift", .rows = op_rows_layernorm,
                      .explain = explain_layernorm},
    [OP_RMSNORM] = {"rms norm", "a / rms · gain", .rows = op_rows_rmsnorm, .explain = explain_rmsnorm},
    [OP_RELU] = {"relu", "max(a, 0)", .rows = op_rows_relu, .explain = explain_activation},
    [OP_GELU] = {"gelu", "a (1 + erf(a / sqrt 2)) / 2", .rows = op_rows_gelu, .explain = explain_activation},
    [OP_GELU_TANH] = {"gelu (tanh)", "a (1 + tanh(sqrt(2/pi) (a + 0.044715 a^3))) / 2", .rows = op_rows_gelu_tanh,
                      .explain = explain_activation},
    [OP_SILU] = {"silu", "a / (1 + exp(-a))", .rows = op_rows_silu, .explain = explain_activation},
    [OP_TANH] = {"tanh", "tanh(a)", .rows = op_rows_tanh, .explain = explain_activation},
    [OP_MULTIPLY] = {"multiply", "a · b", .rows = op_rows_multiply, .explain = explain_multiply},
    [OP_HEAD_AVERAGE] = {"head average", "sum over heads / H", .run = op_run_head_average, .explain = explain_head_average},
    [OP_HEAD_MAXIMUM] = {"head maximum", "max over heads", .run = op_run_head_maximum, .explain = explain_head_maximum},
    [OP_MIX_IDENTITY] = {"mix identity", "(a + I) / sum of the row", .rows = op_rows_mix_identity, .explain = explain_mix_identity},
    [OP_MATMUL] = {"product", "a · b", .run = op_run_matmul, .explain = explain_matmul},
    [OP_LENGTH] = {"length", "sqrt(sum(a^2))", .run = op_run_length, .explain = explain_length},
    [OP_TIMES_LENGTH] = {"times length", "weight · length of v", .rows = op_rows_times_length, .explain = explain_times_length},
};
static_assert(sizeof op_table / sizeof op_table[0] == OP_KIND_COUNT, "a row for each op kind");

static const char *const stage_names[] = {
    [STAGE_EMBED] = "embed",     [STAGE_PROJECT] = "project",         [STAGE_SCORES] = "scores",
    [STAGE_SCALE] = "scale",     [STAGE_MASK] = "mask",               [STAGE_SOFTMAX] = "softmax",
    [STAGE_WEIGHTED_SUM] = "wsum", [STAGE_CONCAT] = "concat",         [STAGE_OUTPUT] = "output",
    [STAGE_NORM] = "norm",       [STAGE_ADD] = "add",                 [STAGE_ADD_NORM] = "add_norm",
    [STAGE_FFN_NORM] = "ffn_norm", [STAGE_FFN] = "ffn",               [STAGE_FFN_ADD] = "ffn_add",
    [STAGE_FFN_ADD_NORM] = "ffn_add_norm", [STAGE_FINAL_NORM] = "final_norm", [STAGE_POOL] = "pool",
    [STAGE_PREDICT] = "predict",
};
static_assert(sizeof stage_names / sizeof stage_names[0] == STAGE_KIND_COUNT, "a name for each stage");

Op op_make(OpKind kind, TensorId in0, TensorId in1, TensorId in2) {
    return (Op){.kind = kind, .out = TENSOR_NONE, .in = {in0, in1, in2, TENSOR_NONE, TENSOR_NONE}};
}

const char *op_name(OpKind kind) { return op_table[kind].name; }
const char *op_formula(OpKind kind) { return op_table[kind].formula; }
const char *stage_name(StageKind kind) { return stage_names[kind]; }
