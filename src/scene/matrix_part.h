/* What the files of the matrix module share; not for others. */
#ifndef SCENE_MATRIX_PART_H
#define SCENE_MATRIX_PART_H

#include "scene/matrix.h"

/* Where the numbers lie: element (r, c) of the drawn orientation is data[base + r * row_step + c * col_step]. */
typedef struct {
    const float *f32;
    const double *f64;
    const Tensor *packed; /* neither: a matrix that lies as its file has it; the place counts its elements row by row */
    size_t base, row_step, col_step;
} MatrixData;

static inline double matrix_data_at(const MatrixData *d, int row, int col) {
    size_t at = d->base + (size_t)row * d->row_step + (size_t)col * d->col_step;
    if (d->packed) return tensor_flat(d->packed, at);
    return d->f32 ? (double)d->f32[at] : d->f64[at];
}

/* Position of a drawn row or column, and the drawn place of a position (-1 = folded or outside). */
int side_position(const MatrixSide *side, int drawn);
int side_place(const MatrixSide *side, int position);
/* Positions that one drawn cell stands for: [*p0, *p1). With folds always one. */
void side_span(const MatrixSide *side, int drawn, int *p0, int *p1);
int side_shown(const MatrixSide *side);  /* positions that are not folded */
bool side_folds(const MatrixSide *side); /* one more cell stands for folded positions */
/* The round number that a drawn cell is labelled with where labels are thinned bare numbers; 0 = none. */
int side_round(const MatrixSide *side, int drawn);
const char *side_label(const Matrix *m, const Scene *scene, const MatrixSide *side, int position, char buffer[32]);

float matrix_title_width(const Matrix *m, const Scene *scene); /* its range included */

typedef struct {
    double value;
    CellMark mark; /* CELL_NONE: its column is hidden */
    bool below;    /* smaller than the threshold */
    float progress; /* 0..1 of the film */
} MatrixCell;

/* One position, in the drawn orientation. */
typedef struct {
    const Matrix *m;
    const Scene *scene;
    MatrixData data, mask, minus;
    bool has_mask, has_minus;
} MatrixReader;
MatrixReader matrix_reader(const Matrix *m, const Scene *scene);
/* How far the film is with a position; 1 when the matrix does not follow the film. */
float matrix_progress(const Matrix *m, const Scene *scene, int row, int col);
/* One position: number and mark, as if the film had reached it. */
MatrixCell matrix_read_at(const MatrixReader *reader, int row, int col);
/* One drawn cell: its position, or of a block the number of largest magnitude (NaN first). */
MatrixCell matrix_read_drawn(const MatrixReader *reader, int drawn_row, int drawn_col, const float *progress);
/* The same for `cols` drawn cells of a row from `col0`. */
void matrix_read_row(const MatrixReader *reader, int drawn_row, int col0, int cols, const float *progress, MatrixCell *out);
/* The number that stands for a block: NaN before all, then the largest magnitude. */
MatrixCell matrix_read_block(const MatrixReader *reader, int r0, int r1, int c0, int c1);

#endif
