/* Kinds that work row by row: scale, mask and the four parts of softmax. Numbers are taken to double in
 * short pieces, and rounded once where they are stored. Rows are counted over all axes but the last. */
#include <math.h>
#include <string.h>

#include "core/internal.h"

enum { PIECE = 256 };

static int columns_of(const OpRun *run) { return run->in[0]->dim[run->in[0]->rank - 1]; }

static void store(const OpRun *run, size_t at, int n, const double *values) {
    if (run->out->dtype == DTYPE_F64) {
        memcpy((double *)run->data + at, values, (size_t)n * sizeof *values);
        return;
    }
    float *out = (float *)run->data + at;
    for (int i = 0; i < n; i++) out[i] = (float)values[i];
}

static int piece_at(int j, int columns) { return columns - j < PIECE ? columns - j : PIECE; }

void op_rows_scale(const OpRun *run, size_t first, size_t last) {
    size_t columns = (size_t)columns_of(run), end = last * columns;
    double piece[PIECE], number = run->op->number;
    for (size_t at = first * columns; at < end; at += PIECE) {
        int n = end - at < PIECE ? (int)(end - at) : PIECE;
        tensor_load(run->in[0], at, n, piece);
        for (int i = 0; i < n; i++) piece[i] *= number;
        store(run, at, n, piece);
    }
}

static void mask_piece(const Op *op, const float *mask, int n, double *piece) {
    double fill = op->number;
    if (op->mask_op == MASK_ADD)
        for (int i = 0; i < n; i++) piece[i] = mask[i] != 0.0f ? piece[i] : piece[i] + fill;
    else
        for (int i = 0; i < n; i++) piece[i] = mask[i] != 0.0f ? piece[i] : fill;
}

/* in0 scaled [H, L, S] + in1 bias [H, L, S], then the fill where in2 mask is 0 */
void op_rows_mask(const OpRun *run, size_t first, size_t last) {
    int columns = columns_of(run), L = run->in[0]->dim[1];
    double piece[PIECE], bias[PIECE];
    for (size_t row = first; row < last; row++) {
        const float *mask = NULL;
        if (run->in[2]) mask = (const float *)run->in[2]->data + mask_row(run->in[2], (int)(row / (size_t)L), (int)(row % (size_t)L));
        for (int j = 0; j < columns; j += PIECE) {
            int n = piece_at(j, columns);
            size_t at = row * (size_t)columns + (size_t)j;
            tensor_load(run->in[0], at, n, piece);
            if (run->in[1]) {
                tensor_load(run->in[1], at, n, bias);
                for (int i = 0; i < n; i++) piece[i] += bias[i];
            }
            if (mask) mask_piece(run->op, mask + j, n, piece);
            store(run, at, n, piece);
        }
    }
}

enum { LANES = 8 }; /* partial results side by side, joined in a fixed order */

/* The largest of a piece and `max`; NaN once there is one. */
static double max_piece(const double *piece, int n, double max) {
    double lane[LANES], trouble[LANES] = {0};
    for (int l = 0; l < LANES; l++) lane[l] = max;
    int i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int l = 0; l < LANES; l++) {
            lane[l] = piece[i + l] > lane[l] ? piece[i + l] : lane[l];
            trouble[l] += piece[i + l] != piece[i + l] ? 1.0 : 0.0;
        }
    for (; i < n; i++) {
        lane[0] = piece[i] > lane[0] ? piece[i] : lane[0];
        trouble[0] += piece[i] != piece[i] ? 1.0 : 0.0;
    }
    for (int l = 0; l < LANES; l++) {
        max = lane[l] > max ? lane[l] : max;
        trouble[0] += l ? trouble[l] : 0.0;
    }
    return trouble[0] > 0.0 ? (double)NAN : max;
}

void op_rows_max(const OpRun *run, size_t first, size_t last) {
    int columns = columns_of(run);
    double piece[PIECE];
    for (size_t row = first; row < last; row++) {
        double max = -HUGE_VAL;
        for (int j = 0; j < columns && !isnan(max); j += PIECE) {
            int n = piece_at(j, columns);
            tensor_load(run->in[0], row * (size_t)columns + (size_t)j, n, piece);
            max = max_piece(piece, n, max);
        }
        store(run, row, 1, &max);
    }
}

bool empty_row_decides(const Op *op, double max) { return op->empty_row == EMPTY_ROW_ZERO && max == -HUGE_VAL; }

/* out = exp(in0 [.., S] - in1 [..]); 0 in a row of -inf only, when the policy says zero */
void op_rows_exp(const OpRun *run, size_t first, size_t last) {
    int columns = columns_of(run);
    double piece[PIECE];
    for (size_t row = first; row < last; row++) {
        double max = tensor_flat(run->in[1], row);
        bool empty = empty_row_decides(run->op, max);
        for (int j = 0; j < columns; j += PIECE) {
            int n = piece_at(j, columns);
            size_t at = row * (size_t)columns + (size_t)j;
            tensor_load(run->in[0], at, n, piece);
            exp_shifted(piece, empty ? 0.0 : max, piece, n); /* exp(-inf - 0) = 0 */
            store(run, at, n, piece);
        }
    }
}

void op_rows_sum(const OpRun *run, size_t first, size_t last) {
    int columns = columns_of(run);
    double piece[PIECE];
    for (size_t row = first; row < last; row++) {
        double lane[LANES] = {0};
        for (int j = 0; j < columns; j += PIECE) {
            int n = piece_at(j, columns), i = 0;
            tensor_load(run->in[0], row * (size_t)columns + (size_t)j, n, piece);
            for (; i + LANES <= n; i += LANES)
                for (int l = 0; l < LANES; l++) lane[l] += piece[i + l];
            for (int l = 0; i < n; i++, l++) lane[l] += piece[i];
        }
        double sum = 0.0;
        for (int l = 0; l < LANES; l++) sum += lane[l];
        store(run, row, 1, &sum);
    }
}

/* out = in0 exp [.., S] / in1 row_sum [..]; 0 where the policy left a sum of 0 */
void op_rows_divide(const OpRun *run, size_t first, size_t last) {
    int columns = columns_of(run);
    double piece[PIECE];
    for (size_t row = first; row < last; row++) {
        double sum = tensor_flat(run->in[1], row);
        if (run->op->empty_row == EMPTY_ROW_ZERO && sum == 0.0) sum = 1.0;
        for (int j = 0; j < columns; j += PIECE) {
            int n = piece_at(j, columns);
            size_t at = row * (size_t)columns + (size_t)j;
            tensor_load(run->in[0], at, n, piece);
            for (int i = 0; i < n; i++) piece[i] /= sum;
            store(run, at, n, piece);
        }
    }
}
