/* What a map of weights looks like at a glance: a small picture of each head and what share of its weight lies where.
 * Made while the map is computed and kept when it is dropped. Formulas stand in measure_formula and on screen. */
#ifndef CORE_SUMMARY_H
#define CORE_SUMMARY_H

#include "core/trace.h"

/* Means over the queries for which the question makes sense (a first token has no previous one). `offset` is where query 0
 * stands among the keys: S - L under a causal mask aligned bottom-right, else 0. A NaN among the weights stays one. */
typedef enum {
    MEASURE_PREVIOUS,  /* weights[i, i-1 + offset] */
    MEASURE_SAME,      /* weights[i, i + offset] */
    MEASURE_NEXT,      /* weights[i, i+1 + offset] */
    MEASURE_FIRST,     /* weights[i, 0] */
    MEASURE_SPECIAL,   /* sum over marked keys: [CLS], [SEP], </s> … ; NaN when none is marked */
    MEASURE_ENTROPY,   /* entropy / ln(kept keys), 0 where one key is kept; not of rows without a kept key */
    MEASURE_COUNT
} Measure;

extern const char *const measure_names[MEASURE_COUNT];    /* "previous token" … */
extern const char *const measure_formulas[MEASURE_COUNT]; /* "mean of weights[i, i − 1]" … */

enum { SUMMARY_SIDE_MAX = 64 };

/* Of one tensor weights [H, L, S]. */
typedef struct {
    int n_heads, L, S;
    int bin;              /* cells of the map a cell of the picture stands for on each axis: a power of two */
    int rows, cols;       /* of the picture: at most SUMMARY_SIDE_MAX */
    float *picture;       /* [H][rows][cols]: the largest weight of each bin; NaN where one is in it */
    bool *hidden;         /* [rows][cols] all cells of the bin masked (of head 1's mask), or NULL: no mask */
    double *measure;      /* [H][MEASURE_COUNT] */
    const bool *marked;   /* [S] special tokens, or NULL: none is */
} MapSummary;

/* While building: make a summary of `weights` when it is computed. marked [S] (copied) or NULL. */
void trace_add_summary(Trace *trace, TensorId weights, const bool *marked);
const MapSummary *trace_summary(const Trace *trace, TensorId weights); /* NULL = none was asked for, or it has not run */

#endif
