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
    [OP_LINEAR] = {"linear", "a · w + b", .run = op_run_linear, .explain = explain_linear},
    [OP_COPY] = {"copy", "a", .run = op_run_copy, .explain = explain_copy},
    [OP_MATMUL] = {"matmul", "a · b", .run = op_run_linear, .explain = explain_linear},
};
static_assert(sizeof op_table / sizeof op_table[0] == OP_KIND_COUNT, "a row for each op kind");

static const char *const stage_names[] = {
    [STAGE_EMBED] = "embed",     [STAGE_PROJECT] = "project",         [STAGE_SCORES] = "scores",
    [STAGE_SCALE] = "scale",     [STAGE_MASK] = "mask",               [STAGE_SOFTMAX] = "softmax",
    [STAGE_WEIGHTED_SUM] = "wsum", [STAGE_CONCAT] = "concat",         [STAGE_OUTPUT] = "output",
};
static_assert(sizeof stage_names / sizeof stage_names[0] == STAGE_ATTENTION_COUNT, "a name for each stage");

const char *op_name(OpKind kind) { return op_table[kind].name; }
const char *op_formula(OpKind kind) { return op_table[kind].formula; }
const char *stage_name(StageKind kind) { return stage_names[kind]; }
