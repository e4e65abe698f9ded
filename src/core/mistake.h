/* Somebody else's numbers beside a trace: which tensor differs first and where, and the classic mistake that gives just these
 * numbers. A mistake is one changed step: the trace's ops are computed again with it, and what then comes out equal is explained.
 * One row of the table in mistake_rules.c for each. Knows no file and no window. */
#ifndef CORE_MISTAKE_H
#define CORE_MISTAKE_H

#include "core/trace.h"

/* In the order in which attention is computed. Where several mistakes give the same numbers, the earlier one is named first. */
typedef enum {
    MISTAKE_WEIGHT_TRANSPOSED,
    MISTAKE_BIAS_MISSING,
    MISTAKE_Q_K_SWAPPED,
    MISTAKE_HEADS_RESHAPED,
    MISTAKE_ROPE_LAYOUT,
    MISTAKE_ROPE_MISSING,
    MISTAKE_KV_TILED,
    MISTAKE_SCALE_MISSING,
    MISTAKE_SCALE_D_MODEL,
    MISTAKE_SCALE_D_K,
    MISTAKE_SCALE_MULTIPLIED,
    MISTAKE_ALIBI_BEFORE_SCALE,
    MISTAKE_MASK_MISSING,
    MISTAKE_MASK_INVERTED,
    MISTAKE_MASK_SHIFTED,
    MISTAKE_MASK_CORNER,
    MISTAKE_MASK_ADDED,
    MISTAKE_FILL_ZERO,
    MISTAKE_SOFTMAX_QUERIES,
    MISTAKE_SOFTMAX_HEADS,
    MISTAKE_MASK_AFTER_SOFTMAX,
    MISTAKE_WEIGHTS_TRANSPOSED,
    MISTAKE_CONCAT_RESHAPED,
    MISTAKE_OUTPUT_MISSING,
    MISTAKE_GELU,
    MISTAKE_COUNT
} Mistake;

const char *mistake_name(Mistake mistake);             /* "scale_missing" */
const char *mistake_words(Mistake mistake);            /* the cause and what would be right: one or two sentences, by tr() */

/* Numbers of somebody else for one tensor of a trace. */
typedef struct {
    TensorId id;          /* what they should be */
    TensorInput numbers;  /* dense; of another shape they differ */
    double tolerance;     /* absolute */
} Theirs;

typedef struct {
    bool differs;
    bool shape;           /* has another shape: no number was compared */
    size_t count;         /* of numbers beyond the tolerance */
    double largest;       /* |theirs - right|: NaN meets NaN, ∞ itself; INFINITY where they do not */
    int first[TENSOR_RANK_MAX]; /* the first place beyond the tolerance, row by row, from 0 */
    double theirs, right; /* there */
} Difference;

/* Scores from which on a key counts as hidden, for `masked` alone: whatever low number stands there, -1e9 or -inf, weighs 0. */
#define MISTAKE_HIDDEN (-1e4)
Difference mistake_difference(const Tensor *right, const TensorInput *theirs, double tolerance);

enum { MISTAKE_FINDINGS_MAX = 4 };

/* One difference, and what gives the numbers that differ. */
typedef struct {
    int at;               /* position in the list of theirs */
    Difference difference;
    Mistake cause[MISTAKE_COUNT]; int n_causes; /* equally good ones; 0: none of the table gives these numbers */
    int next;             /* with it the next of theirs that still differs; -1 = none: everything is explained */
} Finding;

/* The first difference and its cause; then, that cause taken for granted, the next, up to the first that has none. `theirs` in
 * computing order, of tensors that are in memory. A cause is one that gives the numbers of the first that differs; of several those
 * that explain most of what follows without a gap are named. *n = 0: all agree. ERR_MEMORY, ERR_CANCELLED. */
bool mistakes_find(const Trace *right, const Theirs *theirs, int n_theirs, const CoreContext *cx, Arena *arena,
                   Finding findings[MISTAKE_FINDINGS_MAX], int *n, Err *err);

/* Weights alone, with nothing to compute them from: rows that do not sum to 1, keys that `mask` [L, S] or [H, L, S] hides (1 keeps;
 * NULL = none) and that are read all the same. */
typedef enum { WEIGHTS_FINE, WEIGHTS_ROW_SUM, WEIGHTS_READ_HIDDEN } WeightsFault;
typedef struct {
    WeightsFault fault;
    int index[3];         /* head, query, key of the first; key unused for a sum */
    double value;         /* the sum, or the weight */
    int n_causes; Mistake cause; /* 0 or 1 */
} WeightsCheck;
WeightsCheck mistake_weights(const Tensor *weights, const float *mask, int mask_rank, double tolerance);

/* "[head 1, query 1, key 2]": a place of a tensor of attention, counted from 1, in words. */
char *mistake_place(const char *name, int rank, const int index[TENSOR_RANK_MAX], Arena *arena);

#endif
