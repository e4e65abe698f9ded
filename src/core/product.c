/* Matrix products in plain loops. */
#include "core/gemv.h"
#include "core/internal.h"
#include "core/stored.h"

enum { ROWS = 32, COLUMNS = 16, DEPTH = 128 }; /* a block of results, and how much of k is packed at a time */
static const double PRODUCT_FROM = 1 << 18;    /* m*n*k from which the plugged-in product wins, as measured */

/* Rows j0… of b for k = k0..k0+depth-1 as packed[k][COLUMNS], zero where there is none. */
static void pack(const Stored *b, int j0, int columns, int k0, int depth, double packed[DEPTH][COLUMNS]) {
    float row[DEPTH];
    for (int j = 0; j < COLUMNS; j++) {
        if (j < columns) stored_row(b, j0 + j, k0, depth, row);
        for (int k = 0; k < depth; k++) packed[k][j] = j < columns ? (double)row[k] : 0.0;
    }
}

/* sum[j] += a[k] * packed[k][j], k in order; each sum is its own chain, so width does not change bits. */
static void add_row(const float *a, int depth, double packed[DEPTH][COLUMNS], double sum[COLUMNS]) {
    double s[COLUMNS];
    for (int j = 0; j < COLUMNS; j++) s[j] = sum[j];
    for (int k = 0; k < depth; k++) {
        double factor = (double)a[k];
        for (int j = 0; j < COLUMNS; j++) s[j] += factor * packed[k][j];
    }
    for (int j = 0; j < COLUMNS; j++) sum[j] = s[j];
}

void product_plain(int m, int n, int k, const float *a, int lda, const Stored *b, int row0, const float *bias, float *c, int ldc) {
    double packed[DEPTH][COLUMNS], sum[ROWS][COLUMNS];
    for (int i0 = 0; i0 < m; i0 += ROWS)
        for (int j0 = 0; j0 < n; j0 += COLUMNS) {
            int rows = m - i0 < ROWS ? m - i0 : ROWS, columns = n - j0 < COLUMNS ? n - j0 : COLUMNS;
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < COLUMNS; j++) sum[i][j] = 0.0;
            for (int k0 = 0; k0 < k; k0 += DEPTH) {
                int depth = k - k0 < DEPTH ? k - k0 : DEPTH;
                pack(b, row0 + j0, columns, k0, depth, packed);
                for (int i = 0; i < rows; i++) add_row(a + (size_t)(i0 + i) * (size_t)lda + (size_t)k0, depth, packed, sum[i]);
            }
            for (int i = 0; i < rows; i++)
                for (int j = 0; j < columns; j++)
                    c[(size_t)(i0 + i) * (size_t)ldc + (size_t)(j0 + j)] = (float)(bias ? sum[i][j] + (double)bias[j0 + j] : sum[i][j]);
        }
}

/* c[n] = a[k] · bᵀ, some columns at a time. */
static void one_row(int n, int k, const float *a, const Stored *b, const float *bias, float *c) {
    enum { WIDTH = 256 };
    for (int j0 = 0; j0 < n; j0 += WIDTH) {
        double sum[WIDTH] = {0};
        int width = n - j0 < WIDTH ? n - j0 : WIDTH;
        gemv_add(b, j0, width, 0, k, a, sum);
        for (int j = 0; j < width; j++) c[j0 + j] = (float)(bias ? sum[j] + (double)bias[j0 + j] : sum[j]);
    }
}

bool product_is_large(const CoreContext *cx, double m, double n, double k) {
    double from = cx->product_from > 0.0 ? cx->product_from : PRODUCT_FROM;
    return cx->product && m * n * k >= from;
}

void product_best(const CoreContext *cx, bool b_transposed, int m, int n, int k, const float *a, int lda,
                  const float *b, int ldb, const float *bias, float *c, int ldc) {
    Stored matrix = {.data = b, .as = STORED_F32, .row = b_transposed ? ldb : 1, .column = b_transposed ? 1 : ldb};
    if (m == 1 && (double)n * k >= GEMV_FROM) {
        one_row(n, k, a, &matrix, bias, c);
        return;
    }
    if (!product_is_large(cx, m, n, k)) {
        product_plain(m, n, k, a, lda, &matrix, 0, bias, c, ldc);
        return;
    }
    cx->product(cx->product_ctx, b_transposed, m, n, k, a, lda, b, ldb, c, ldc);
    if (!bias) return;
    for (int i = 0; i < m; i++) {
        float *row = c + (size_t)i * (size_t)ldc;
        for (int j = 0; j < n; j++) row[j] += bias[j];
    }
}
