/* Tensors that follow from parameters alone: each element is computed in double and rounded once. */
#include <math.h>
#include <stdlib.h>

#include "core/internal.h"

double rule_sinusoid(const Op *op, const Tensor *out, const int *index) {
    return position_sinusoid(index[0], position_sinusoid_column(op->position, index[1], out->dim[1]), out->dim[1]);
}

/* rope_cos or rope_sin [T, dim/2] */
double rule_rope(const Op *op, const Tensor *out, const int *index) {
    (void)out;
    double angle = position_rope_angle(op->position, op->width, index[0], index[1]);
    return op->kind == OP_ROPE_COS ? cos(angle) : sin(angle);
}

double rule_alibi_slope(const Op *op, const Tensor *out, const int *index) {
    return op->position->slopes ? op->position->slopes[index[0]] : position_alibi_slope(index[0], out->dim[0]);
}

/* bias [H, L, S]; number = place of query 0 among the keys */
double rule_alibi_bias(const Op *op, const Tensor *out, const int *index) {
    double slope = op->position->slopes ? op->position->slopes[index[0]] : position_alibi_slope(index[0], out->dim[0]);
    return -slope * fabs(index[1] + op->number - index[2]);
}

double rule_mask(const Op *op, const Tensor *out, const int *index) {
    int h = out->rank == 3 ? index[0] : 0, i = index[out->rank - 2], j = index[out->rank - 1];
    int L = out->dim[out->rank - 2], S = out->dim[out->rank - 1];
    for (int m = 0; m < op->n_masks; m++)
        if (!mask_keeps(&op->masks[m], h, i, j, L, S)) return 0.0;
    return 1.0;
}

static void store(const OpRun *run, size_t at, double value) {
    if (run->out->dtype == DTYPE_F64) ((double *)run->data)[at] = value;
    else ((float *)run->data)[at] = (float)value;
}

/* Every element of a tensor of rank 1 or 2 by its rule. */
static void fill_table(const OpRun *run, double (*rule)(const Op *op, const Tensor *out, const int *index)) {
    int columns = run->out->rank > 1 ? run->out->dim[1] : 1;
    for (int t = 0; t < run->out->dim[0]; t++)
        for (int i = 0; i < columns; i++) {
            int index[TENSOR_RANK_MAX] = {t, i};
            store(run, (size_t)t * (size_t)columns + (size_t)i, rule(run->op, run->out, index));
        }
}

void op_run_sinusoid(const OpRun *run) { fill_table(run, rule_sinusoid); }
void op_run_rope_table(const OpRun *run) { fill_table(run, rule_rope); }
void op_run_alibi_slopes(const OpRun *run) { fill_table(run, rule_alibi_slope); }

static void bias_row(void *arg, int row) {
    const OpRun *run = arg;
    int L = run->out->dim[1], S = run->out->dim[2], index[TENSOR_RANK_MAX] = {row / L, row % L, 0};
    double slope = rule_alibi_slope(run->op, run->out, index), place = index[1] + run->op->number;
    for (int j = 0; j < S; j++) store(run, (size_t)row * (size_t)S + (size_t)j, -slope * fabs(place - j));
}

void op_run_alibi_bias(const OpRun *run) {
    OpRun copy = *run;
    op_loop(run->cx, (double)tensor_count(run->out), false, run->out->dim[0] * run->out->dim[1], bias_row, &copy);
}

/* One row of one mask, multiplied into `out`. */
static void mask_apply(const MaskSpec *mask, int h, int i, int L, int S, float *out) {
    for (int j = 0; j < S; j++)
        if (!mask_keeps(mask, h, i, j, L, S)) out[j] = 0.0f;
}

static void mask_one_row(void *arg, int row) {
    const OpRun *run = arg;
    const Tensor *out = run->out;
    int L = out->dim[out->rank - 2], S = out->dim[out->rank - 1];
    float *cells = (float *)run->data + (size_t)row * (size_t)S;
    for (int j = 0; j < S; j++) cells[j] = 1.0f;
    for (int m = 0; m < run->op->n_masks; m++) mask_apply(&run->op->masks[m], row / L, row % L, L, S, cells);
}

void op_run_mask_rule(const OpRun *run) {
    OpRun copy = *run;
    const Tensor *out = run->out;
    int rows = (int)(tensor_count(out) / (size_t)out->dim[out->rank - 1]);
    op_loop(run->cx, (double)tensor_count(out), false, rows, mask_one_row, &copy);
}
