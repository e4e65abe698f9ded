/* Rows of a map whose cells stand for blocks of numbers: of each the one of largest magnitude. Long texts have millions of them,
 * so whole rows are compared at once, and only what is special is looked at one by one. */
#include <float.h>
#include <math.h>

#include "scene/matrix_part.h"

/* Floats one behind the other, nothing folded, subtracted or hidden. */
static bool is_plain(const MatrixReader *r) {
    const Matrix *m = r->m;
    return (m->row.block > 1 || m->col.block > 1) && r->data.f32 && r->data.col_step == 1 && !r->has_minus && !m->row.kept && !m->col.kept && !m->hidden && !m->live;
}

/* best[j] = of row numbers r0 … r1-1 in column c0 + j the one of largest magnitude; what is not finite counts for nothing.
 * true: some are not numbers. */
static bool largest_in_columns(const MatrixReader *r, int r0, int r1, int c0, int n, float *best) {
    int odd = 0;
    for (int i = r0; i < r1; i++) {
        const float *row = r->data.f32 + r->data.base + (size_t)i * r->data.row_step + (size_t)c0;
        for (int j = 0; j < n; j++) {
            float v = row[j], size = fabsf(v);
            odd |= v != v;
            size = size <= FLT_MAX ? size : -1;
            best[j] = size > fabsf(best[j]) ? v : best[j];
        }
    }
    return odd != 0;
}

/* The number of a block, or what read_block says of it where the largest alone does not: nothing but zeros or infinities. */
static MatrixCell cell_of(const MatrixReader *r, int r0, int r1, int c0, int c1, float most) {
    if (most == 0) return matrix_read_block(r, r0, r1, c0, c1);
    double value = (double)most;
    return (MatrixCell){.value = value, .mark = CELL_VALUE, .progress = 1, .below = value < r->m->threshold};
}

static float largest_of(const float *best, int n) {
    float most = best[0];
    for (int j = 1; j < n; j++)
        if (fabsf(best[j]) > fabsf(most)) most = best[j];
    return most;
}

static void read_blocks(const MatrixReader *r, int drawn_row, int col0, int cols, const float *progress, MatrixCell *out) {
    const Matrix *m = r->m;
    int r0, r1, from, end, c0, c1;
    side_span(&m->row, drawn_row, &r0, &r1);
    side_span(&m->col, col0, &from, &c1);
    side_span(&m->col, col0 + cols - 1, &c0, &end);
    float *best = ARENA_ARRAY(r->scene->arena, float, (size_t)(end - from));
    bool odd = largest_in_columns(r, r0, r1, from, end - from, best);
    for (int j = 0; j < cols; j++) {
        side_span(&m->col, col0 + j, &c0, &c1);
        out[j] = odd ? matrix_read_block(r, r0, r1, c0, c1) : cell_of(r, r0, r1, c0, c1, largest_of(best + (c0 - from), c1 - c0));
        out[j].progress = progress ? *progress : matrix_progress(m, r->scene, r0, c0);
        if (out[j].progress <= 0) out[j].mark = CELL_EMPTY;
    }
}

void matrix_read_row(const MatrixReader *r, int drawn_row, int col0, int cols, const float *progress, MatrixCell *out) {
    bool begun = !progress || *progress > 0;
    if (begun && is_plain(r)) read_blocks(r, drawn_row, col0, cols, progress, out);
    else
        for (int j = 0; j < cols; j++) out[j] = matrix_read_drawn(r, drawn_row, col0 + j, progress);
}
