#include "core/stats.h"

#include <float.h>
#include <math.h>

#include "core/internal.h"

/* Flat position of row i in head h of a map [H, L, S] or [L, S]. */
static size_t row_at(const Tensor *map, int h, int i) { return mask_row(map, h, i); }
static int columns_of(const Tensor *map) { return map->dim[map->rank - 1]; }
static int rows_of(const Tensor *map) { return map->dim[map->rank - 2]; }

TensorId trace_mask_of(const Trace *trace, TensorId id) {
    while (id != TENSOR_NONE) {
        const Op *op = trace_op(trace, trace_tensor(trace, id)->op);
        if (op->kind == OP_MASK || op->kind == OP_WEIGHTED_SUM) return op->in[2];
        bool softmax = op->kind == OP_ROW_MAX || op->kind == OP_EXP || op->kind == OP_ROW_SUM || op->kind == OP_DIVIDE;
        id = softmax ? op->in[0] : TENSOR_NONE;
    }
    return TENSOR_NONE;
}

static void add_value(RowStats *s, double value, int j) {
    if (isnan(value)) s->n_nan++;
    else if (isinf(value)) s->n_inf++;
    else {
        s->n_finite++;
        s->sum += value;
        if (value > s->max) s->argmax = j;
        s->max = value > s->max ? value : s->max;
        s->min = value < s->min ? value : s->min;
        if (value > 0.0) s->entropy_nats -= value * log(value);
    }
}

RowStats stats_row(const Trace *trace, TensorId id, TensorId mask, int h, int i) {
    const Tensor *map = trace_tensor(trace, id), *keep = mask == TENSOR_NONE ? NULL : trace_tensor(trace, mask);
    int S = columns_of(map);
    RowStats s = {.min = HUGE_VAL, .max = -HUGE_VAL, .argmax = -1};
    for (int j = 0; j < S; j++) {
        add_value(&s, tensor_flat(map, row_at(map, h, i) + (size_t)j), j);
        if (!keep || tensor_flat(keep, mask_row(keep, h, i) + (size_t)j) != 0.0) s.n_kept++;
    }
    if (s.n_nan + s.n_inf) s.entropy_nats = (double)NAN;
    s.entropy_bits = s.entropy_nats / log(2.0);
    s.entropy_share = s.n_kept > 1 || isnan(s.entropy_nats) ? s.entropy_nats / log(s.n_kept > 1 ? s.n_kept : 2) : 0.0;
    return s;
}

enum { PIECE = 256, LANES = 8 };

void stats_column_sums(const Trace *trace, TensorId id, int h, double *out) {
    const Tensor *map = trace_tensor(trace, id);
    int S = columns_of(map), L = rows_of(map);
    double piece[PIECE];
    for (int j = 0; j < S; j++) out[j] = 0.0;
    for (int i = 0; i < L; i++)
        for (int j = 0; j < S; j += PIECE) {
            int n = S - j < PIECE ? S - j : PIECE;
            tensor_load(map, row_at(map, h, i) + (size_t)j, n, piece);
            for (int k = 0; k < n; k++) out[j + k] += fabs(piece[k]) <= DBL_MAX ? piece[k] : 0.0;
        }
}

bool stats_range(const Trace *trace, TensorId id, int h, double *min, double *max) {
    const Tensor *map = trace_tensor(trace, id);
    size_t count = tensor_count(map), first = 0;
    double piece[PIECE], least[LANES], most[LANES];
    if (h >= 0 && map->rank > 2) {
        count /= (size_t)map->dim[0];
        first = count * (size_t)h;
    }
    for (int l = 0; l < LANES; l++) least[l] = HUGE_VAL, most[l] = -HUGE_VAL;
    for (size_t at = 0; at < count; at += PIECE) {
        int n = count - at < PIECE ? (int)(count - at) : PIECE;
        tensor_load(map, first + at, n, piece);
        for (int k = n; k % LANES; k++) piece[k] = (double)NAN; /* PIECE is a multiple of LANES */
        for (int k = 0; k < n; k += LANES)
            for (int l = 0; l < LANES; l++) {
                double value = piece[k + l];
                least[l] = value < least[l] && value >= -DBL_MAX ? value : least[l];
                most[l] = value > most[l] && value <= DBL_MAX ? value : most[l];
            }
    }
    *min = HUGE_VAL;
    *max = -HUGE_VAL;
    for (int l = 0; l < LANES; l++) {
        *min = least[l] < *min ? least[l] : *min;
        *max = most[l] > *max ? most[l] : *max;
    }
    return *min <= *max;
}

void stats_head_average(const Trace *trace, TensorId id, double *out) {
    const Tensor *map = trace_tensor(trace, id);
    size_t heads = map->rank > 2 ? (size_t)map->dim[0] : 1, cells = tensor_count(map) / heads;
    for (size_t n = 0; n < cells; n++) {
        out[n] = 0.0;
        for (size_t h = 0; h < heads; h++) out[n] += tensor_flat(map, h * cells + n);
        out[n] /= (double)heads;
    }
}
