/* Layer norm and RMS norm, row by row: statistics in double, the variance in two passes (Ba et al. 2016, Zhang &
 * Sennrich 2019). Sums run in eight lanes that are joined in a fixed order. */
#include <math.h>

#include "core/internal.h"

enum { PIECE = 256, LANES = 8 };

static int columns_of(const OpRun *run) { return run->in[0]->dim[run->in[0]->rank - 1]; }
static int piece_at(int j, int columns) { return columns - j < PIECE ? columns - j : PIECE; }

static double joined(const double lane[LANES]) {
    double sum = 0.0;
    for (int l = 0; l < LANES; l++) sum += lane[l];
    return sum;
}

/* lane[] += (piece - center)^power, power 1 or 2 */
static void add_piece(const double *piece, int n, double center, bool square, double lane[LANES]) {
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            double x = piece[i + l] - center;
            lane[l] += square ? x * x : x;
        }
    for (int l = 0; i < n; i++, l++) {
        double x = piece[i] - center;
        lane[l] += square ? x * x : x;
    }
}

/* Mean of (x - center) or of its square over one row of in0. */
static double row_mean(const OpRun *run, size_t row, double center, bool square) {
    int columns = columns_of(run);
    double piece[PIECE], lane[LANES] = {0};
    for (int j = 0; j < columns; j += PIECE) {
        int n = piece_at(j, columns);
        tensor_load(run->in[0], row * (size_t)columns + (size_t)j, n, piece);
        add_piece(piece, n, center, square, lane);
    }
    return joined(lane) / columns;
}

void op_rows_mean(const OpRun *run, size_t first, size_t last) {
    for (size_t row = first; row < last; row++) ((float *)run->data)[row] = (float)row_mean(run, row, 0.0, false);
}

void op_rows_variance(const OpRun *run, size_t first, size_t last) {
    for (size_t row = first; row < last; row++)
        ((float *)run->data)[row] = (float)row_mean(run, row, tensor_flat(run->in[1], row), true);
}

void op_rows_rms(const OpRun *run, size_t first, size_t last) {
    for (size_t row = first; row < last; row++)
        ((float *)run->data)[row] = (float)sqrt(row_mean(run, row, 0.0, true) + run->op->number);
}

/* One row: out = (x - mean) / deviation * gain + shift, shift NULL = 0. */
static void norm_row(const OpRun *run, size_t row, double mean, double deviation, const Tensor *gain, const Tensor *shift) {
    int columns = columns_of(run);
    double x[PIECE], g[PIECE], b[PIECE] = {0};
    float *out = (float *)run->data + row * (size_t)columns;
    for (int j = 0; j < columns; j += PIECE) {
        int n = piece_at(j, columns);
        tensor_load(run->in[0], row * (size_t)columns + (size_t)j, n, x);
        tensor_load(gain, (size_t)j, n, g);
        if (shift) tensor_load(shift, (size_t)j, n, b);
        for (int i = 0; i < n; i++) out[j + i] = (float)((x[i] - mean) / deviation * g[i] + b[i]);
    }
}

void op_rows_layernorm(const OpRun *run, size_t first, size_t last) {
    for (size_t row = first; row < last; row++) {
        double mean = tensor_flat(run->in[1], row), variance = tensor_flat(run->in[2], row);
        norm_row(run, row, mean, sqrt(variance + run->op->number), run->in[3], run->in[4]);
    }
}

void op_rows_rmsnorm(const OpRun *run, size_t first, size_t last) {
    for (size_t row = first; row < last; row++) norm_row(run, row, 0.0, tensor_flat(run->in[1], row), run->in[2], NULL);
}
