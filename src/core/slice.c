#include "core/slice.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

/* An op without a row here computes all of its result at once: OP_LENGTH, for instance, which is little work and of which later
 * ops want all keys. SAME: T0 of rank 1 and 2, a map of rank 3. */
enum { SAME = AXIS_MAP + 1 };

static const struct {
    bool can;
    unsigned char out, in[OP_INPUTS_MAX];
} axes[OP_KIND_COUNT] = {
    [OP_ROWS] = {true, AXIS_T0, {AXIS_NONE}},
    [OP_GATHER] = {true, AXIS_T0, {AXIS_NONE}},
    [OP_ADD] = {true, SAME, {SAME, SAME}},
    [OP_MULTIPLY] = {true, SAME, {SAME, SAME}},
    [OP_COPY] = {true, SAME, {SAME}},
    [OP_RELU] = {true, SAME, {SAME}},
    [OP_GELU] = {true, SAME, {SAME}},
    [OP_GELU_TANH] = {true, SAME, {SAME}},
    [OP_SILU] = {true, SAME, {SAME}},
    [OP_TANH] = {true, SAME, {SAME}},
    [OP_HEADS] = {true, AXIS_T1, {AXIS_T0}},
    [OP_PROJECT] = {true, AXIS_T1, {AXIS_T0}},
    [OP_ROPE] = {true, AXIS_T1, {AXIS_T1, AXIS_T0, AXIS_T0}},
    [OP_SCORES] = {true, AXIS_MAP, {AXIS_T1, AXIS_K1}},
    [OP_SCALE] = {true, SAME, {SAME}},
    [OP_MASK] = {true, AXIS_MAP, {AXIS_MAP, AXIS_MAP, AXIS_MAP}},
    [OP_ROW_MAX] = {true, AXIS_T1, {AXIS_MAP}},
    [OP_EXP] = {true, AXIS_MAP, {AXIS_MAP, AXIS_T1}},
    [OP_ROW_SUM] = {true, AXIS_T1, {AXIS_MAP}},
    [OP_DIVIDE] = {true, AXIS_MAP, {AXIS_MAP, AXIS_T1}},
    [OP_WEIGHTED_SUM] = {true, AXIS_T1, {AXIS_MAP, AXIS_K1, AXIS_MAP}},
    [OP_CONCAT] = {true, AXIS_T0, {AXIS_T1}},
    [OP_LINEAR] = {true, AXIS_T0, {AXIS_T0}},
    [OP_MEAN] = {true, AXIS_T0, {AXIS_T0}},
    [OP_VARIANCE] = {true, AXIS_T0, {AXIS_T0, AXIS_T0}},
    [OP_RMS] = {true, AXIS_T0, {AXIS_T0}},
    [OP_LAYERNORM] = {true, AXIS_T0, {AXIS_T0, AXIS_T0, AXIS_T0}},
    [OP_RMSNORM] = {true, AXIS_T0, {AXIS_T0, AXIS_T0}},
    [OP_HEAD_AVERAGE] = {true, AXIS_MAP, {AXIS_MAP}},
    [OP_HEAD_MAXIMUM] = {true, AXIS_MAP, {AXIS_MAP}},
    [OP_TIMES_LENGTH] = {true, AXIS_MAP, {AXIS_MAP, AXIS_K1}},
};

static Axis axis_of(int row, const Tensor *tensor) {
    if (row == SAME) return tensor->rank == 3 ? AXIS_MAP : AXIS_T0;
    return (Axis)row;
}

bool slice_can(const Trace *trace, const Op *op) {
    int rank = trace_tensor(trace, op->out)->rank;
    return axes[op->kind].can && rank < TENSOR_RANK_MAX;
}

Axis slice_axis_out(const Trace *trace, const Op *op) { return axis_of(axes[op->kind].out, trace_tensor(trace, op->out)); }

Axis slice_axis_in(const Trace *trace, const Op *op, int i) { return axis_of(axes[op->kind].in[i], trace_tensor(trace, op->in[i])); }

/* A tensor as heads of rows and columns. */
typedef struct {
    size_t heads, rows, cols, size; /* size: bytes of an element */
    unsigned char *data;
} View;

static View view_of(const Tensor *tensor, Axis axis) {
    int row_axis = axis == AXIS_T0 || (axis == AXIS_MAP && tensor->rank == 2) ? 0 : 1;
    View view = {.heads = row_axis ? (size_t)tensor->dim[0] : 1, .rows = (size_t)tensor->dim[row_axis], .cols = 1,
                 .size = tensor->dtype == DTYPE_F64 ? sizeof(double) : sizeof(float)};
    for (int d = row_axis + 1; d < tensor->rank; d++) view.cols *= (size_t)tensor->dim[d];
    view.data = (unsigned char *)(uintptr_t)tensor->data;
    return view;
}

int slice_rows(const Tensor *tensor, Axis axis) { return (int)view_of(tensor, axis).rows; }
int slice_keys(const Tensor *tensor, Axis axis) { return axis == AXIS_MAP ? tensor->dim[tensor->rank - 1] : 0; }

/* The part of a view that a region means. */
typedef struct { size_t row, rows, col, cols; } Box;

static Box box_of(const View *view, Axis axis, const Region *region) {
    Box box = {(size_t)region->first, (size_t)(region->end - region->first), 0, view->cols};
    Box keys = {(size_t)region->first_key, (size_t)(region->end_key - region->first_key), 0, 0};
    if (axis == AXIS_K1) {
        box.row = keys.row;
        box.rows = keys.rows;
    } else if (axis == AXIS_MAP) {
        box.col = keys.row;
        box.cols = keys.rows;
    }
    return box;
}

static unsigned char *at(const View *view, size_t head, size_t row, size_t col) {
    return view->data + ((head * view->rows + row) * view->cols + col) * view->size;
}

static void copy_box(const View *to, size_t to_row, size_t to_col, const View *from, size_t row, size_t col, size_t rows, size_t cols) {
    for (size_t h = 0; h < to->heads; h++) {
        if (cols == to->cols && cols == from->cols) {
            memcpy(at(to, h, to_row, 0), at(from, h, row, 0), rows * cols * to->size);
            continue;
        }
        for (size_t r = 0; r < rows; r++) memcpy(at(to, h, to_row + r, to_col), at(from, h, row + r, col), cols * to->size);
    }
}

static Tensor shaped(const Tensor *tensor, Axis axis, const Box *box) {
    Tensor piece = *tensor;
    piece.dim[axis == AXIS_T0 || (axis == AXIS_MAP && tensor->rank == 2) ? 0 : 1] = (int)box->rows;
    if (axis == AXIS_MAP) piece.dim[tensor->rank - 1] = (int)box->cols;
    piece.data = NULL;
    return piece;
}

Tensor slice_new(const Tensor *tensor, Axis axis, const Region *region, Arena *arena) {
    View view = view_of(tensor, axis);
    Box box = box_of(&view, axis, region);
    Tensor piece = shaped(tensor, axis, &box);
    piece.data = arena_try_raw(arena, tensor_bytes(&piece), 1);
    return piece;
}

Tensor slice_take(const Tensor *tensor, Axis axis, const Region *region, Arena *arena) {
    if (axis == AXIS_NONE) return *tensor;
    View view = view_of(tensor, axis);
    Box box = box_of(&view, axis, region);
    Tensor piece = shaped(tensor, axis, &box);
    bool all_rows = box.row == 0 && box.rows == view.rows, all_cols = box.col == 0 && box.cols == view.cols;
    assert(tensor->data && box.row + box.rows <= view.rows && box.col + box.cols <= view.cols);
    if (all_cols && (all_rows || view.heads == 1)) {
        piece.data = at(&view, 0, box.row, 0);
        return piece;
    }
    piece.data = arena_try_raw(arena, tensor_bytes(&piece), 1);
    if (!piece.data) return piece;
    View to = view_of(&piece, axis);
    copy_box(&to, 0, 0, &view, box.row, box.col, box.rows, box.cols);
    return piece;
}

void slice_put(Tensor *to, Axis axis, const Region *region, const Tensor *piece) {
    View view = view_of(to, axis), from = view_of(piece, axis);
    Box box = box_of(&view, axis, region);
    copy_box(&view, box.row, box.col, &from, 0, 0, box.rows, box.cols);
}

void slice_copy(Tensor *to, Axis axis, const Region *region, const Tensor *whole) {
    View view = view_of(to, axis), from = view_of(whole, axis);
    Box box = box_of(&view, axis, region);
    copy_box(&view, box.row, box.col, &from, box.row, box.col, box.rows, box.cols);
}
