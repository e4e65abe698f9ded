/* What is wrong, or worth knowing, in a trace: found by looking at every number once. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "core/diagnose_parts.h"
#include "core/internal.h"

static const double ROW_SUM_TOLERANCE = 1e-5, SATURATED_FROM = 0.999, LEAK_FROM = 1e-6;

const char *const diagnosis_names[DIAGNOSIS_COUNT] = {
    [DIAGNOSIS_ROW_SUM] = "row_sum",
    [DIAGNOSIS_NAN] = "nan",
    [DIAGNOSIS_INF] = "inf",
    [DIAGNOSIS_EMPTY_ROW] = "empty_row",
    [DIAGNOSIS_BELOW_FILL] = "below_fill",
    [DIAGNOSIS_FILL_LEAKS] = "fill_leaks",
    [DIAGNOSIS_SATURATED] = "saturated",
};
static_assert(DIAGNOSIS_COUNT == 7, "name the new diagnosis");

static void push(Doctor *d, const Diagnosis *diagnosis) {
    if (d->count == d->max) {
        int max = d->max ? d->max * 2 : 16;
        Diagnosis *list = ARENA_ARRAY(d->arena, Diagnosis, (size_t)max);
        if (d->count) memcpy(list, d->list, (size_t)d->count * sizeof *list);
        d->list = list;
        d->max = max;
    }
    d->list[d->count++] = *diagnosis;
}

/* One more place; the first is the one that is kept. `index` counts from 0. */
static void find(Doctor *d, DiagnosisKind kind, const int index[TENSOR_RANK_MAX], double value) {
    Diagnosis *f = &d->found[kind];
    if (f->count++) return;
    f->kind = kind;
    f->id = d->id;
    f->value = value;
    memcpy(f->index, index, sizeof f->index);
}

/* ---- looking, in short pieces of doubles ---- */

enum { PIECE = 256 };

/* A row of a map and the row of the mask that acts on it. */
typedef struct {
    const Tensor *map, *mask; /* mask NULL = none */
    size_t at, mask_at;
    int length;
} Row;

/* Piece `j` of the row in `value`, of its mask in `keep` (left alone without one); how many cells. */
static int load_piece(const Row *row, int j, double value[PIECE], double keep[PIECE]) {
    int n = row->length - j < PIECE ? row->length - j : PIECE;
    tensor_load(row->map, row->at + (size_t)j, n, value);
    if (row->mask) tensor_load(row->mask, row->mask_at + (size_t)j, n, keep);
    return n;
}

/* Row i of the tensor in question, flat over its head. */
static Row row_of(const Doctor *d, int i, TensorId mask) {
    const Tensor *t = d->tensor;
    int h = d->head < 0 ? 0 : d->head;
    Row row = {.map = t, .length = t->dim[t->rank - 1]};
    size_t rows = d->head < 0 ? 0 : tensor_count(t) / (size_t)t->dim[0] / (size_t)row.length;
    row.at = ((size_t)h * rows + (size_t)i) * (size_t)row.length;
    if (mask != TENSOR_NONE) {
        row.mask = trace_tensor(d->trace, mask);
        row.mask_at = mask_row(row.mask, h, i);
    }
    return row;
}

static int rows_in(const Doctor *d) {
    size_t count = tensor_count(d->tensor) / (size_t)d->tensor->dim[d->tensor->rank - 1];
    return (int)(d->head < 0 ? count : count / (size_t)d->tensor->dim[0]);
}

static void index_of(const Tensor *tensor, size_t flat, int index[TENSOR_RANK_MAX]) {
    for (int a = TENSOR_RANK_MAX - 1; a >= 0; a--) {
        size_t dim = a < tensor->rank ? (size_t)tensor->dim[a] : 1;
        index[a] = (int)(flat % dim);
        flat /= dim;
    }
}

enum { LANES = 8 }; /* partial results side by side: loops that become vector code */

/* Fill up to a whole number of lanes; PIECE is one. */
static void pad(double *piece, int n, double with) {
    for (int k = n; k % LANES; k++) piece[k] = with;
}

static double sum_of(double *piece, int n) {
    double lane[LANES] = {0}, sum = 0.0;
    pad(piece, n, 0.0);
    for (int k = 0; k < n; k += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += piece[k + l];
    for (int l = 0; l < LANES; l++) sum += lane[l];
    return sum;
}

/* The largest; NaN is passed over. */
static double max_of(double *piece, int n) {
    double lane[LANES], max = -HUGE_VAL;
    for (int l = 0; l < LANES; l++) lane[l] = -HUGE_VAL;
    pad(piece, n, -HUGE_VAL);
    for (int k = 0; k < n; k += LANES)
        for (int l = 0; l < LANES; l++) lane[l] = piece[k + l] > lane[l] ? piece[k + l] : lane[l];
    for (int l = 0; l < LANES; l++) max = lane[l] > max ? lane[l] : max;
    return max;
}

/* Did the mask put this -inf here? keep NULL = no mask. */
static bool hides(const double *keep, int k, double value) { return keep && keep[k] == 0.0 && value == -HUGE_VAL; }

/* Is every cell finite, or a -inf at a hidden key? x · 0 is 0 for finite x only. */
static bool piece_is_calm(const double *value, const double *keep, int n) {
    double test[PIECE];
    for (int k = 0; k < n; k++) test[k] = value[k] * 0.0;
    if (keep) {
        for (int k = 0; k < n; k++) test[k] = value[k] == -HUGE_VAL ? 0.0 : test[k];
        for (int k = 0; k < n; k++) test[k] = keep[k] == 0.0 ? test[k] : value[k] * 0.0;
    }
    return sum_of(test, n) == 0.0;
}

/* NaN and ±inf; `mask` is the one that may have put -inf here, or none. */
static void look_at_row(Doctor *d, int i, TensorId mask) {
    double value[PIECE], mask_cells[PIECE], *keep = mask == TENSOR_NONE ? NULL : mask_cells;
    Row row = row_of(d, i, mask);
    for (int j = 0; j < row.length; j += PIECE) {
        int n = load_piece(&row, j, value, mask_cells), index[TENSOR_RANK_MAX];
        if (piece_is_calm(value, keep, n)) continue;
        for (int k = 0; k < n; k++) {
            if (isfinite(value[k]) || hides(keep, k, value[k])) continue;
            index_of(d->tensor, row.at + (size_t)(j + k), index);
            find(d, isnan(value[k]) ? DIAGNOSIS_NAN : DIAGNOSIS_INF, index, value[k]);
        }
    }
}

static bool row_is_hidden(const Tensor *mask, int h, int i) {
    double keep[PIECE];
    int S = mask->dim[mask->rank - 1];
    for (int j = 0; j < S; j += PIECE) {
        int n = S - j < PIECE ? S - j : PIECE;
        tensor_load(mask, mask_row(mask, h, i) + (size_t)j, n, keep);
        for (int k = 0; k < n; k++)
            if (keep[k] != 0.0) return false;
    }
    return true;
}

/* row_max [H, L]: -inf is right where the mask hides the whole row. */
static void look_at_maxima(Doctor *d) {
    TensorId mask = trace_mask_of(d->trace, d->id);
    for (int i = 0; i < d->tensor->dim[1]; i++) {
        int index[TENSOR_RANK_MAX] = {d->head, i};
        double max = tensor_at(d->tensor, index);
        if (isfinite(max)) continue;
        if (max < 0.0 && mask != TENSOR_NONE && row_is_hidden(trace_tensor(d->trace, mask), d->head, i)) continue;
        find(d, isnan(max) ? DIAGNOSIS_NAN : DIAGNOSIS_INF, index, max);
    }
}

static void look_at_values(Doctor *d) {
    const Op *op = trace_op(d->trace, d->tensor->op);
    if (op->kind == OP_ROW_MAX) {
        look_at_maxima(d);
        return;
    }
    TensorId mask = op->kind == OP_MASK ? op->in[2] : TENSOR_NONE;
    for (int i = 0; i < rows_in(d); i++) look_at_row(d, i, mask);
}

static void look_at_mask(Doctor *d) {
    int head = d->head < 0 ? 0 : d->head;
    for (int i = 0; i < d->tensor->dim[d->tensor->rank - 2]; i++) {
        int index[TENSOR_RANK_MAX] = {i};
        if (d->head >= 0) index[0] = head, index[1] = i;
        if (row_is_hidden(d->tensor, head, i)) find(d, DIAGNOSIS_EMPTY_ROW, index, 0.0);
    }
}

/* Kept scores of `masked` below a finite fill. */
static void look_below_fill(Doctor *d, int i, const Op *op) {
    double value[PIECE], keep[PIECE], under[PIECE];
    Row row = row_of(d, i, op->in[2]);
    for (int j = 0; j < row.length; j += PIECE) {
        int n = load_piece(&row, j, value, keep);
        for (int k = 0; k < n; k++) under[k] = keep[k] == 0.0 ? -HUGE_VAL : op->number - value[k];
        if (!(max_of(under, n) > 0.0)) continue;
        for (int k = 0; k < n; k++)
            if (keep[k] != 0.0 && value[k] < op->number) find(d, DIAGNOSIS_BELOW_FILL, (int[]){d->head, i, j + k, 0}, value[k]);
    }
}

static void look_at_masked(Doctor *d) {
    const Op *op = trace_op(d->trace, d->tensor->op);
    if (op->in[2] == TENSOR_NONE || !isfinite(op->number)) return;
    for (int i = 0; i < d->tensor->dim[1]; i++) look_below_fill(d, i, op);
}

/* What one row of weights amounts to. */
typedef struct {
    double sum;          /* NaN or inf when a weight is */
    double max, leak;    /* the largest weight, the largest at a hidden key; 0 when there is none */
    double kept;         /* how many keys */
} WeightRow;

static double larger(double a, double b) { return b > a ? b : a; }

static WeightRow weigh(const Row *row) {
    double value[PIECE], keep[PIECE];
    WeightRow w = {0};
    for (int j = 0; j < row->length; j += PIECE) {
        int n = load_piece(row, j, value, keep);
        w.sum += sum_of(value, n);
        w.max = larger(w.max, max_of(value, n));
        w.kept += row->mask ? sum_of(keep, n) : n;
        if (!row->mask) continue;
        for (int k = 0; k < n; k++) value[k] = keep[k] == 0.0 ? value[k] : 0.0;
        w.leak = larger(w.leak, max_of(value, n));
    }
    return w;
}

/* Hidden keys that keep weight, or the key that takes the row. */
static void look_for_cells(Doctor *d, int i, const WeightRow *w, TensorId mask) {
    const Tensor *keep = mask == TENSOR_NONE ? NULL : trace_tensor(d->trace, mask);
    bool full = w->kept > 1.0 && w->max >= SATURATED_FROM;
    for (int j = 0; j < d->tensor->dim[2]; j++) {
        int index[TENSOR_RANK_MAX] = {d->head, i, j};
        double weight = tensor_at(d->tensor, index);
        bool hidden = keep && tensor_flat(keep, mask_row(keep, d->head, i) + (size_t)j) == 0.0;
        if (hidden && w->kept > 0.0 && weight > LEAK_FROM) find(d, DIAGNOSIS_FILL_LEAKS, index, weight);
        if (!full || weight < w->max) continue;
        find(d, DIAGNOSIS_SATURATED, index, weight);
        full = false; /* once a row */
    }
}

static void look_at_weights(Doctor *d) {
    TensorId mask = trace_mask_of(d->trace, d->id);
    for (int i = 0; i < d->tensor->dim[1]; i++) {
        Row row = row_of(d, i, mask);
        WeightRow w = weigh(&row);
        if (isfinite(w.sum) && fabs(w.sum - 1.0) > ROW_SUM_TOLERANCE) find(d, DIAGNOSIS_ROW_SUM, (int[]){d->head, i, 0, 0}, w.sum);
        if (w.leak > LEAK_FROM || (w.kept > 1.0 && w.max >= SATURATED_FROM)) look_for_cells(d, i, &w, mask);
    }
}

static void look_at_head(Doctor *d) {
    memset(d->found, 0, sizeof d->found);
    look_at_values(d);
    OpKind kind = trace_op(d->trace, d->tensor->op)->kind;
    if (kind == OP_MASK_RULE) look_at_mask(d);
    if (kind == OP_MASK) look_at_masked(d);
    if (kind == OP_DIVIDE || (kind == OP_INPUT && strcmp(d->tensor->name, "weights") == 0)) look_at_weights(d);
    d->has_nan[d->id] |= d->found[DIAGNOSIS_NAN].count > 0;
    for (int k = 0; k < DIAGNOSIS_COUNT; k++) {
        if (!d->found[k].count) continue;
        d->found[k].message = diagnosis_words(d, &d->found[k]);
        push(d, &d->found[k]);
    }
}

void trace_diagnose(const Trace *trace, Arena *arena, Diagnosis **list, int *count) {
    Doctor d = {.trace = trace, .arena = arena};
    d.has_nan = ARENA_ARRAY(arena, bool, (size_t)trace_tensor_count(trace) + 1);
    for (d.id = 0; d.id < trace_tensor_count(trace); d.id++) {
        d.tensor = trace_tensor(trace, d.id);
        if (!trace_resident(trace, d.id)) continue;
        bool heads = d.tensor->rank == 3 || (d.tensor->rank == 2 && (trace_op(trace, d.tensor->op)->kind == OP_ROW_MAX ||
                                                                      trace_op(trace, d.tensor->op)->kind == OP_ROW_SUM));
        for (int h = 0; h < (heads ? d.tensor->dim[0] : 1); h++) {
            d.head = heads ? h : -1;
            look_at_head(&d);
        }
    }
    *list = d.list;
    *count = d.count;
}
