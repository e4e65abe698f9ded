/* Comparing what a trace file describes with what it holds. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/tracefile_internal.h"

/* ---- comparing ---- */

static double distance(double got, double want) {
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : (double)INFINITY;
    if (isinf(got) || isinf(want)) return got == want ? 0 : (double)INFINITY;
    return fabs(got - want);
}

/* Absolute, and for a file without tolerances in proportion to the largest value. */
double tracefile_output_tolerance(const TraceFile *file, const TensorInput *stored) {
    double named = tracefile_tolerance(&file->file, stored->name), largest = 1;
    size_t count = 1;
    for (int d = 0; d < stored->rank; d++) count *= (size_t)stored->dim[d];
    if (str_eq(stored->name, "mask")) return 0;
    if (named >= 0) return named;
    for (size_t i = 0; i < count; i++)
        if (isfinite(stored->data[i])) largest = fmax(largest, fabs((double)stored->data[i]));
    return 1e-5 * largest;
}

static bool same_shape(const Tensor *made, const TensorInput *stored) {
    if (made->rank != stored->rank) return false;
    for (int d = 0; d < made->rank; d++)
        if (made->dim[d] != stored->dim[d]) return false;
    return true;
}

static void place_of(const Tensor *tensor, size_t offset, int index[TENSOR_RANK_MAX]) {
    for (int d = TENSOR_RANK_MAX - 1; d >= 0; d--) {
        size_t size = d < tensor->rank ? (size_t)tensor->dim[d] : 1;
        index[d] = (int)(offset % size);
        offset /= size;
    }
}

static void compare(const Tensor *made, const TensorInput *stored, CheckRow *row) {
    size_t count = tensor_count(made), worst = 0;
    for (size_t i = 0; i < count; i++) {
        double d = distance(tensor_flat(made, i), (double)stored->data[i]);
        if (d <= row->difference) continue;
        row->difference = d;
        worst = i;
    }
    row->got = tensor_flat(made, worst);
    row->want = (double)stored->data[worst];
    row->differs = row->difference > row->tolerance;
    place_of(made, worst, row->index);
}

/* A row and the place of its tensor in computing order. */
typedef struct {
    CheckRow row;
    int op; /* that makes its tensor; -1 = nothing does, sorts last */
    int listed;
} Ranked;

static int by_computing_order(const void *a, const void *b) {
    const Ranked *x = a, *y = b;
    if ((x->op < 0) != (y->op < 0)) return x->op < 0 ? 1 : -1;
    if (x->op != y->op) return x->op < y->op ? -1 : 1;
    return (x->listed > y->listed) - (x->listed < y->listed);
}

static bool check_one(const TraceFile *file, const Trace *trace, const TensorInput *stored, Arena *arena, Ranked *out, Err *err) {
    char held[64], computed[64];
    Tensor made;
    out->row = (CheckRow){.name = stored->name, .tolerance = tracefile_output_tolerance(file, stored)};
    out->op = -1;
    if (!tracefile_value(file, trace, stored->name, arena, &made)) {
        out->row.missing = out->row.differs = true;
        out->row.difference = INFINITY;
        return true;
    }
    out->op = made.op;
    if (!same_shape(&made, stored)) {
        err_set(err, ERR_SHAPE, tr("output %s is %s in the file, but %s from its inputs and metadata"), stored->name,
                tensor_shape_text(held, stored->rank, stored->dim), tensor_shape_text(computed, made.rank, made.dim));
        return err_place(err, file->path, 0, 0);
    }
    compare(&made, stored, &out->row);
    return true;
}

bool tracefile_check(const TraceFile *file, const Trace *trace, Arena *arena, CheckRow **rows, int *n_rows, Err *err) {
    if (file->n_outputs == 0) {
        err_set(err, ERR_INPUT, tr("the metadata name no outputs: there is nothing to compare"));
        return err_place(err, file->path, 0, 0);
    }
    Ranked *ranked = ARENA_ARRAY(arena, Ranked, (size_t)file->n_outputs + 1);
    for (int i = 0; i < file->n_outputs; i++) {
        ranked[i].listed = i;
        if (!check_one(file, trace, &file->outputs[i], arena, &ranked[i], err)) return false;
    }
    qsort(ranked, (size_t)file->n_outputs, sizeof *ranked, by_computing_order);
    *rows = ARENA_ARRAY(arena, CheckRow, (size_t)file->n_outputs + 1);
    for (int i = 0; i < file->n_outputs; i++) (*rows)[i] = ranked[i].row;
    *n_rows = file->n_outputs;
    return true;
}
