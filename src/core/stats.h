/* Statistics of maps and a diagnosis of a trace as data. */
#ifndef CORE_STATS_H
#define CORE_STATS_H

#include "core/trace.h"

typedef struct {
    double sum, min, max;      /* over finite entries; min > max when there is none */
    int argmax;                /* first largest, -1 when none is finite */
    int n_finite, n_nan, n_inf;
    double entropy_nats, entropy_bits, entropy_share; /* of the row as it is; share = of ln(kept keys), 0 for one */
    int n_kept;                /* keys the mask allows (all when there is no mask) */
} RowStats;

/* The mask [L, S] or [H, L, S] that acts on a map made from it (masked, exp, weights …); TENSOR_NONE when none does. */
TensorId trace_mask_of(const Trace *trace, TensorId id);

/* A row of a [H, L, S] or [L, S] map, in head h, row i. `mask` may be TENSOR_NONE. The entropy is NaN
 * when an entry is not finite; entries of 0 and below add nothing to it. */
RowStats stats_row(const Trace *trace, TensorId id, TensorId mask, int h, int i);
/* sums over rows for each column j, of finite entries, [S] doubles in out */
void stats_column_sums(const Trace *trace, TensorId id, int h, double *out);
/* Least and largest finite value; h = -1: all heads. false when nothing is finite. */
bool stats_range(const Trace *trace, TensorId id, int h, double *min, double *max);
/* mean over heads, [L, S] doubles in out */
void stats_head_average(const Trace *trace, TensorId id, double *out);

typedef enum {
    DIAGNOSIS_ROW_SUM,       /* a weights row is off 1 by more than 1e-5 */
    DIAGNOSIS_NAN,
    DIAGNOSIS_INF,           /* ±inf where the mask did not put it */
    DIAGNOSIS_EMPTY_ROW,     /* no allowed key */
    DIAGNOSIS_BELOW_FILL,    /* a real score lies below the fill value */
    DIAGNOSIS_FILL_LEAKS,    /* a hidden key keeps weight: the fill does not mask */
    DIAGNOSIS_SATURATED,     /* largest weight >= 0.999 with more than one kept key */
    DIAGNOSIS_COUNT
} DiagnosisKind;

typedef struct {
    DiagnosisKind kind;
    TensorId id;
    int index[TENSOR_RANK_MAX]; /* where it is seen first */
    int count;                  /* how many such places in this tensor and head */
    double value;
    const char *message;        /* where and why, in words */
} Diagnosis;

extern const char *const diagnosis_names[DIAGNOSIS_COUNT];

/* In computing order; at most one entry a kind, tensor and head. What is not in memory is not looked at. Lives in `arena`. */
void trace_diagnose(const Trace *trace, Arena *arena, Diagnosis **list, int *count);

#endif
