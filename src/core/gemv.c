#include "core/gemv.h"

#include "core/stored.h"
#include "core/vectors.h"

enum {
    LANES = 16,  /* partial sums of a row side by side */
    DEPTH = 8,   /* rows of an [in][out] matrix taken at once */
    PIECE = 512, /* elements widened at a time */
    SUMS_MAX = 1536,
};

bool gemv_can(const Stored *w) { return w->column == 1 || w->row == 1; }

/* lane[l] += a[k] w[k] for k = l, l + LANES … */
WIDE_VECTORS
static void dot_piece(const float *a, const float *w, int n, double lane[LANES]) {
    double sum[LANES];
    int k = 0;
    for (int l = 0; l < LANES; l++) sum[l] = lane[l];
    for (; k + LANES <= n; k += LANES)
        for (int l = 0; l < LANES; l++) sum[l] += (double)a[k + l] * (double)w[k + l];
    for (int l = 0; k < n; k++, l++) sum[l] += (double)a[k] * (double)w[k];
    for (int l = 0; l < LANES; l++) lane[l] = sum[l];
}

/* sum[j] += a[0] w[0][j] + … + a[7] w[7][j], one after the other; rows `step` apart */
WIDE_VECTORS
static void add_rows(const float *a, const float *w, ptrdiff_t step, int n, double *sum) {
    const float *w0 = w, *w1 = w0 + step, *w2 = w1 + step, *w3 = w2 + step, *w4 = w3 + step, *w5 = w4 + step, *w6 = w5 + step, *w7 = w6 + step;
    double f[DEPTH];
    for (int r = 0; r < DEPTH; r++) f[r] = (double)a[r];
    for (int j = 0; j < n; j++) {
        double s = sum[j];
        s += f[0] * (double)w0[j];
        s += f[1] * (double)w1[j];
        s += f[2] * (double)w2[j];
        s += f[3] * (double)w3[j];
        s += f[4] * (double)w4[j];
        s += f[5] * (double)w5[j];
        s += f[6] * (double)w6[j];
        s += f[7] * (double)w7[j];
        sum[j] = s;
    }
}

WIDE_VECTORS
static void add_row(float a, const float *w, int n, double *sum) {
    for (int j = 0; j < n; j++) sum[j] += (double)a * (double)w[j];
}

/* Rows of w lie one after the other: a dot product each. */
static void by_rows(const Stored *w, int row0, int n, int k0, int k1, const float *a, double *sum) {
    float piece[PIECE];
    for (int j = 0; j < n; j++) {
        double lane[LANES] = {0}, all = 0.0;
        for (int k = k0; k < k1; k += PIECE) {
            int depth = k1 - k < PIECE ? k1 - k : PIECE;
            const float *row = stored_at(w, row0 + j, k);
            if (w->as != STORED_F32) {
                stored_widen(w->as, row, (size_t)depth, piece);
                row = piece;
            }
            dot_piece(a + k, row, depth, lane);
        }
        for (int l = 0; l < LANES; l++) all += lane[l];
        sum[j] += all;
    }
}

/* Columns lie one after the other, as in [in][out] files, and nothing lies between them: memory is read in one go, which is
 * faster than several places at a time as long as the sums stay in the first-level cache. */
static void by_whole_columns(const Stored *w, int row0, int n, int k0, int k1, const float *a, double *sum) {
    for (int k = k0; k < k1; k++) add_row(a[k], stored_at(w, row0, k), n, sum);
}

/* DEPTH columns at once, piece by piece. */
static void by_columns(const Stored *w, int row0, int n, int k0, int k1, const float *a, double *sum) {
    float piece[DEPTH * PIECE];
    bool dense = w->as == STORED_F32;
    for (int k = k0; k < k1; k += DEPTH) {
        int depth = k1 - k < DEPTH ? k1 - k : DEPTH, width = dense ? n : PIECE;
        for (int j = 0; j < n; j += width) {
            int m = n - j < width ? n - j : width;
            const float *from = stored_at(w, row0 + j, k);
            for (int r = 0; !dense && r < depth; r++) stored_widen(w->as, stored_at(w, row0 + j, k + r), (size_t)m, piece + r * PIECE);
            if (!dense) from = piece;
            ptrdiff_t step = dense ? w->column : PIECE;
            if (depth == DEPTH) add_rows(a + k, from, step, m, sum + j);
            else
                for (int r = 0; r < depth; r++) add_row(a[k + r], from + r * step, m, sum + j);
        }
    }
}

void gemv_add(const Stored *w, int row0, int n, int k0, int k1, const float *a, double *sum) {
    if (w->column == 1) by_rows(w, row0, n, k0, k1, a, sum);
    else if (w->as == STORED_F32 && w->column == n && n <= SUMS_MAX) by_whole_columns(w, row0, n, k0, k1, a, sum);
    else by_columns(w, row0, n, k0, k1, a, sum);
}
