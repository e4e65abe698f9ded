/* What the core's own files share: the inside of a trace, the table of op kinds, plain products.
 * No other room includes this. */
#ifndef CORE_INTERNAL_H
#define CORE_INTERNAL_H

#include "core/explain.h"
#include "core/trace.h"

#define TRACE_BYTES_MAX ((size_t)4 << 30) /* refuse larger traces: 4 GiB */

struct Trace {
    Arena *arena;
    Tensor *tensors;
    void **data;        /* [n_tensors] the writable side of Tensor.data; NULL for inputs */
    int n_tensors, max_tensors;
    Op *ops;
    int *op_stage;      /* [n_ops] stage that the op belongs to, -1 = none */
    int n_ops, max_ops;
    Stage *stages;
    int n_stages, max_stages;
    bool stage_open;
    int *slots;         /* hash table: id text -> TensorId, TENSOR_NONE = free; a power of two */
    int n_slots;
    size_t bytes;       /* of all computed tensors */
    bool out_of_memory; /* while building: nothing more can be added */
    bool finished;
};

/* One op at work. */
typedef struct {
    const Trace *trace;
    const CoreContext *cx;
    const Op *op;
    const Tensor *out;
    void *data;                      /* where `out` is written */
    const Tensor *in[OP_INPUTS_MAX]; /* NULL where there is none */
} OpRun;

/* One explanation in the making. */
typedef struct {
    const Trace *trace;
    const Op *op;
    const Tensor *tensor;
    const int *index;
    Arena *arena;
    Explanation *out;
    Err *err;
} Explaining;

/* One kind of arithmetic. Later a `backward` goes here too: gradients of the inputs from the output's. */
typedef struct {
    const char *name;    /* one word for lists */
    const char *formula; /* of one element */
    bool rule;           /* reads parameters only, so it may run before everything else */
    /* Either a whole tensor at once, or rows first..last-1 of in0 (flat over all axes but the last).
     * Row kinds that follow each other run as one pass over blocks of rows that stay in the cache. */
    void (*run)(const OpRun *run);
    void (*rows)(const OpRun *run, size_t first, size_t last);
    bool (*explain)(Explaining *e);
} OpInfo;

extern const OpInfo op_table[OP_KIND_COUNT];

/* Copies of parameters in the trace's memory, for ops to point to. Masks of kind none are left out. */
const PositionSpec *trace_keep_position(Trace *trace, const PositionSpec *position);
const MaskSpec *trace_keep_masks(Trace *trace, const MaskSpec *masks, int n_masks, int *count);

/* All ops' loops: parallel when the context has parallel_for and `work` (multiplications or cells)
 * is worth it. `products`: the body may call the plugged-in product. */
void op_loop(const CoreContext *cx, double work, bool products, int count, void (*body)(void *arg, int i), void *arg);

/* op_rules.c */
void op_run_sinusoid(const OpRun *run);
void op_run_rope_table(const OpRun *run);
void op_run_alibi_slopes(const OpRun *run);
void op_run_alibi_bias(const OpRun *run);
void op_run_mask_rule(const OpRun *run);
/* The value a rule gives in double, before it is rounded for the tensor. */
double rule_sinusoid(const Op *op, const Tensor *out, const int *index);
double rule_rope(const Op *op, const Tensor *out, const int *index);
double rule_alibi_slope(const Op *op, const Tensor *out, const int *index);
double rule_alibi_bias(const Op *op, const Tensor *out, const int *index);
double rule_mask(const Op *op, const Tensor *out, const int *index);

/* op_products.c */
void op_run_rows_of(const OpRun *run);
void op_run_add(const OpRun *run);
void op_run_heads(const OpRun *run);
void op_run_project(const OpRun *run);
void op_run_rope(const OpRun *run);
void op_run_scores(const OpRun *run);
void op_run_weighted_sum(const OpRun *run);
void op_run_concat(const OpRun *run);
void op_run_linear(const OpRun *run);
void op_run_copy(const OpRun *run);
/* Features a and b of pair i of RoPE, by layout. */
void rope_pair(PositionKind kind, int dim, int i, int *a, int *b);
/* Offset of the first key of row (h, i) in a mask [L, S] or [H, L, S]. */
size_t mask_row(const Tensor *mask, int h, int i);

/* op_rows.c */
void op_rows_scale(const OpRun *run, size_t first, size_t last);
void op_rows_mask(const OpRun *run, size_t first, size_t last);
void op_rows_max(const OpRun *run, size_t first, size_t last);
void op_rows_exp(const OpRun *run, size_t first, size_t last);
void op_rows_sum(const OpRun *run, size_t first, size_t last);
void op_rows_divide(const OpRun *run, size_t first, size_t last);
/* Does the policy, not the arithmetic, decide this row? `max` is the row's largest score. */
bool empty_row_decides(const Op *op, double max);

/* product.c: c[m][n] = a[m][k] · b (+ bias[n] or NULL). Sums run in double over k = 0, 1, 2 … and are
 * rounded once: the same bits on every machine; by the context's product when it is large enough. */
void product_best(const CoreContext *cx, bool b_transposed, int m, int n, int k, const float *a, int lda,
                  const float *b, int ldb, const float *bias, float *c, int ldc);
bool product_is_large(const CoreContext *cx, double m, double n, double k);

/* exp.c: out[i] = exp(x[i] - shift) in double, at most 1 ulp off, by IEEE operations alone, so the same
 * bits on every machine. exp(-inf) = 0 exactly, NaN gives NaN, too large gives inf. out may be x. */
void exp_shifted(const double *x, double shift, double *out, int n);

/* explain_rules.c */
bool explain_input(Explaining *e);
bool explain_sinusoid(Explaining *e);
bool explain_rope_table(Explaining *e);
bool explain_alibi_slopes(Explaining *e);
bool explain_alibi_bias(Explaining *e);
bool explain_mask_rule(Explaining *e);
/* Why one cell of a mask is 0 or 1, in words, in the arena. */
const char *mask_words(const Op *rule, const int *index, const Tensor *mask, Arena *arena);

/* explain_sums.c */
bool explain_rows_of(Explaining *e);
bool explain_add(Explaining *e);
bool explain_heads(Explaining *e);
bool explain_project(Explaining *e);
bool explain_rope(Explaining *e);
bool explain_scores(Explaining *e);
bool explain_scale(Explaining *e);
bool explain_mask(Explaining *e);
bool explain_max(Explaining *e);
bool explain_exp(Explaining *e);
bool explain_sum(Explaining *e);
bool explain_divide(Explaining *e);
bool explain_weighted_sum(Explaining *e);
bool explain_concat(Explaining *e);
bool explain_linear(Explaining *e);
bool explain_copy(Explaining *e);

#endif
