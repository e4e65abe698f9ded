/* What a network needs around its blocks: rows of a table, relative positions, rollout over maps, and what a weight brings. */
#include <math.h>
#include <string.h>

#include "core/internal.h"

static void store_row(const Tensor *from, size_t offset, int n, float *out) {
    enum { PIECE = 256 };
    if (from->data && from->dtype == DTYPE_F32) {
        memcpy(out, (const float *)from->data + offset, (size_t)n * sizeof *out);
        return;
    }
    double piece[PIECE];
    for (int j = 0; j < n; j += PIECE) {
        int count = n - j < PIECE ? n - j : PIECE;
        tensor_load(from, offset + (size_t)j, count, piece);
        for (int i = 0; i < count; i++) out[j + i] = (float)piece[i];
    }
}

/* out [T, d], row t = row ids[t] of in0 [V, d] */
void op_run_gather(const OpRun *run) {
    int d = run->out->dim[1];
    for (int t = 0; t < run->out->dim[0]; t++)
        store_row(run->in[0], (size_t)run->op->ids[t] * (size_t)d, d, (float *)run->data + (size_t)t * (size_t)d);
}

/* out [L, d] = rows row, row + 1 … of in0 [max, d] */
void op_run_rows_of(const OpRun *run) {
    int d = run->out->dim[1];
    for (int t = 0; t < run->out->dim[0]; t++)
        store_row(run->in[0], (size_t)(run->op->row + t) * (size_t)d, d, (float *)run->data + (size_t)t * (size_t)d);
}

/* out [1, d] or [1, 1, d] = row `row` of in0 [T, d] */
void op_run_pick(const OpRun *run) {
    int d = run->in[0]->dim[1];
    store_row(run->in[0], (size_t)run->op->row * (size_t)d, d, run->data);
}

/* out [H, L, S] from in0 [buckets, H]; number = place of query 0 among the keys */
static void relative_row(void *arg, int row) {
    const OpRun *run = arg;
    int H = run->in[0]->dim[1], L = run->out->dim[1], S = run->out->dim[2], h = row / L, i = row % L;
    float *out = (float *)run->data + (size_t)row * (size_t)S;
    for (int j = 0; j < S; j++) {
        int bucket = position_bucket(run->op->position, run->in[0]->dim[0], j - i - (int)run->op->number);
        out[j] = (float)tensor_flat(run->in[0], (size_t)bucket * (size_t)H + (size_t)h);
    }
}

void op_run_relative_bias(const OpRun *run) {
    OpRun copy = *run;
    op_loop(run->cx, 8.0 * (double)tensor_count(run->out), false, run->out->dim[0] * run->out->dim[1], relative_row, &copy);
}

/* out [L, S] = mean over heads of in0 [H, L, S] */
static void average_row(void *arg, int i) {
    enum { PIECE = 256 };
    const OpRun *run = arg;
    int H = run->in[0]->dim[0], L = run->in[0]->dim[1], S = run->in[0]->dim[2];
    double piece[PIECE], sum[PIECE];
    for (int j = 0; j < S; j += PIECE) {
        int n = S - j < PIECE ? S - j : PIECE;
        for (int k = 0; k < n; k++) sum[k] = 0.0;
        for (int h = 0; h < H; h++) {
            tensor_load(run->in[0], ((size_t)h * (size_t)L + (size_t)i) * (size_t)S + (size_t)j, n, piece);
            for (int k = 0; k < n; k++) sum[k] += piece[k];
        }
        for (int k = 0; k < n; k++) ((float *)run->data)[(size_t)i * (size_t)S + (size_t)(j + k)] = (float)(sum[k] / H);
    }
}

void op_run_head_average(const OpRun *run) {
    OpRun copy = *run;
    op_loop(run->cx, (double)tensor_count(run->in[0]), false, run->in[0]->dim[1], average_row, &copy);
}

/* out [L, S] = largest of the heads of in0 [H, L, S] */
static void maximum_row(void *arg, int i) {
    enum { PIECE = 256 };
    const OpRun *run = arg;
    int H = run->in[0]->dim[0], L = run->in[0]->dim[1], S = run->in[0]->dim[2];
    double piece[PIECE], most[PIECE];
    for (int j = 0; j < S; j += PIECE) {
        int n = S - j < PIECE ? S - j : PIECE;
        for (int h = 0; h < H; h++) {
            tensor_load(run->in[0], ((size_t)h * (size_t)L + (size_t)i) * (size_t)S + (size_t)j, n, piece);
            for (int k = 0; k < n; k++) most[k] = h == 0 || piece[k] > most[k] || isnan(piece[k]) ? piece[k] : most[k];
        }
        for (int k = 0; k < n; k++) ((float *)run->data)[(size_t)i * (size_t)S + (size_t)(j + k)] = (float)most[k];
    }
}

void op_run_head_maximum(const OpRun *run) {
    OpRun copy = *run;
    op_loop(run->cx, (double)tensor_count(run->in[0]), false, run->in[0]->dim[1], maximum_row, &copy);
}

/* out [L, L]: (a + I) / 2 divided by its row's sum = (a + I) / (sum of the row of a + 1) */
void op_rows_mix_identity(const OpRun *run, size_t first, size_t last) {
    size_t S = (size_t)run->in[0]->dim[1];
    const float *in = run->in[0]->data;
    float *out = run->data;
    for (size_t i = first; i < last; i++) {
        double sum = 1.0;
        for (size_t j = 0; j < S; j++) sum += (double)in[i * S + j];
        for (size_t j = 0; j < S; j++) out[i * S + j] = (float)(((double)in[i * S + j] + (i == j ? 1.0 : 0.0)) / sum);
    }
}

enum { MATMUL_ROWS = 64 };

/* Rows MATMUL_ROWS*b … of out [m, p] = in0 [m, n] · in1 [n, p] */
static void matmul_rows(const OpRun *run, int first, int rows) {
    int p = run->out->dim[1], n = run->in[0]->dim[1];
    product_best(run->cx, false, rows, p, n, (const float *)run->in[0]->data + (size_t)first * (size_t)n, n, run->in[1]->data, p, NULL,
                 (float *)run->data + (size_t)first * (size_t)p, p);
}

static void matmul_block(void *arg, int b) {
    const OpRun *run = arg;
    int first = b * MATMUL_ROWS, left = run->out->dim[0] - first;
    matmul_rows(run, first, left < MATMUL_ROWS ? left : MATMUL_ROWS);
}

void op_run_matmul(const OpRun *run) {
    OpRun copy = *run;
    int m = run->out->dim[0], p = run->out->dim[1], n = run->in[0]->dim[1];
    bool large = product_is_large(run->cx, m, p, n);
    if (large && !run->cx->product_one_thread) matmul_rows(run, 0, m);
    else op_loop(run->cx, (double)m * p * n, large, (m + MATMUL_ROWS - 1) / MATMUL_ROWS, matmul_block, &copy);
}

/* out [G, S] = length of each row of in0 [G, S, d] */
static void length_row(void *arg, int row) {
    const OpRun *run = arg;
    int d = run->in[0]->dim[2];
    const float *in = (const float *)run->in[0]->data + (size_t)row * (size_t)d;
    double sum = 0.0;
    for (int k = 0; k < d; k++) sum += (double)in[k] * (double)in[k];
    ((float *)run->data)[row] = (float)sqrt(sum);
}

void op_run_length(const OpRun *run) {
    OpRun copy = *run;
    op_loop(run->cx, (double)tensor_count(run->in[0]), false, run->in[0]->dim[0] * run->in[0]->dim[1], length_row, &copy);
}

/* out [H, L, S] = in0 [H, L, S] · in1 [G, S]; head h reads the lengths of h / (H/G). Weights may be double. */
void op_rows_times_length(const OpRun *run, size_t first, size_t last) {
    enum { PIECE = 256 };
    int L = run->in[0]->dim[1], S = run->in[0]->dim[2], shared = run->in[0]->dim[0] / run->in[1]->dim[0];
    double piece[PIECE];
    for (size_t row = first; row < last; row++) {
        const float *length = (const float *)run->in[1]->data + (size_t)((int)(row / (size_t)L) / shared) * (size_t)S;
        for (int j = 0; j < S; j += PIECE) {
            int n = S - j < PIECE ? S - j : PIECE;
            tensor_load(run->in[0], row * (size_t)S + (size_t)j, n, piece);
            for (int k = 0; k < n; k++) ((float *)run->data)[row * (size_t)S + (size_t)(j + k)] = (float)(piece[k] * (double)length[j + k]);
        }
    }
}
