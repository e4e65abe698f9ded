/* What the core's own files share: the inside of a trace, the table of op kinds, plain products.
 * No other room includes this. */
#ifndef CORE_INTERNAL_H
#define CORE_INTERNAL_H

#include "core/explain.h"
#include "core/summary.h"
#include "core/trace.h"

#define TRACE_BYTES_MAX ((size_t)4 << 30) /* of computed tensors in memory at once: 4 GiB */

/* A run of ops that is computed and dropped as one. The first part is that of all ops before trace_begin_part; it stays. */
typedef struct {
    int first_op, end_op; /* ops first_op … end_op - 1 */
    bool lazy;
    bool resident;        /* all its tensors are in memory */
    bool made;            /* those of its tensors that are kept are in memory */
    Arena *arena;         /* of its tensors that are not kept; NULL = none yet */
    size_t bytes;         /* of those */
    unsigned needed;      /* when it was needed last, by the trace's clock */
    bool asked;           /* by trace_need, in this trace or the one it was taken over from */
} Part;

/* A summary that was asked for. */
typedef struct {
    TensorId weights;
    bool *marked;         /* [S] or NULL */
    bool made;
    MapSummary map;
    double *row;          /* [H][MEASURE_COUNT][L] what the means are taken over */
    bool *asked;          /* [H][MEASURE_COUNT][L] does the question make sense for this query? */
} Summary;

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
    bool *kept;         /* [n_tensors] stays in memory once computed */
    int *op_part;       /* [n_ops] part that the op belongs to */
    Part *parts;        /* [n_parts], at least one */
    int n_parts, max_parts;
    Summary *summaries;
    int n_summaries, max_summaries;
    Arena *scratch;     /* what one op needs while it runs */
    size_t bytes;       /* of all computed tensors */
    size_t kept_bytes;  /* of those that stay: kept ones and the first part's */
    size_t limit;       /* trace_set_limit */
    unsigned clock;     /* counts what is needed */
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

/* An op without parameters; TENSOR_NONE where there is no input. */
Op op_make(OpKind kind, TensorId in0, TensorId in1, TensorId in2);

/* Copies of parameters in the trace's memory, for ops to point to. Masks of kind none are left out. */
const PositionSpec *trace_keep_position(Trace *trace, const PositionSpec *position);
const MaskSpec *trace_keep_masks(Trace *trace, const MaskSpec *masks, int n_masks, int *count);

/* parts.c: memory for all tensors of a part that is not resident, others making room; and taking it away. */
bool part_allocate(Trace *trace, Part *part, Err *err);
bool part_allocate_kept(Trace *trace, Part *part, Err *err); /* memory for those that are kept alone */
void part_drop(Trace *trace, Part *part);

/* run.c: steps of trace_run that trace_run_after takes too. */
bool run_begin(Trace *trace, Err *err);
void run_end(Trace *trace);
void run_progress(const Trace *trace, const CoreContext *cx, int last); /* parts 0..last are done */
OpRun op_make_run(const Trace *trace, const CoreContext *cx, const Op *op);
/* One op by itself; ERR_CANCELLED. */
bool op_run_one(const OpRun *run, Err *err);
bool run_part(Trace *trace, int part, const CoreContext *cx, Err *err);
bool run_stopped(const CoreContext *cx, Err *err); /* asks whether to cancel */

/* summary.c: those of a part that are not made yet. */
bool summaries_make(Trace *trace, int part, const CoreContext *cx, Err *err);
/* One, from a map that lacks its first rows: `before` has them. */
typedef struct {
    const Tensor *map, *mask; /* weights [H, L - base, S]; the whole mask or NULL */
    int base, first;          /* rows before `first` are taken from `before`; base <= first */
    const Summary *before;    /* NULL: first is 0 */
} SummaryRows;
bool summary_make(Trace *trace, Summary *summary, const SummaryRows *rows, const CoreContext *cx, Err *err);
Summary *summary_of(const Trace *trace, TensorId weights); /* NULL = none was asked for */
int summary_bin(int L, int S);

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
void op_run_add(const OpRun *run);
void op_run_heads(const OpRun *run);
void op_run_project(const OpRun *run);
void op_run_rope(const OpRun *run);
void op_run_scores(const OpRun *run);
void op_run_weighted_sum(const OpRun *run);
void op_run_concat(const OpRun *run);
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

/* op_norms.c */
void op_rows_mean(const OpRun *run, size_t first, size_t last);
void op_rows_variance(const OpRun *run, size_t first, size_t last);
void op_rows_rms(const OpRun *run, size_t first, size_t last);
void op_rows_layernorm(const OpRun *run, size_t first, size_t last);
void op_rows_rmsnorm(const OpRun *run, size_t first, size_t last);

/* op_activations.c */
void op_rows_relu(const OpRun *run, size_t first, size_t last);
void op_rows_gelu(const OpRun *run, size_t first, size_t last);
void op_rows_gelu_tanh(const OpRun *run, size_t first, size_t last);
void op_rows_silu(const OpRun *run, size_t first, size_t last);
void op_rows_tanh(const OpRun *run, size_t first, size_t last);
void op_rows_multiply(const OpRun *run, size_t first, size_t last);
/* The activation of that op kind, RELU … TANH, of one number in double. */
double activation_value(OpKind kind, double x);

/* op_network.c */
void op_run_rows_of(const OpRun *run);
void op_run_gather(const OpRun *run);
void op_run_pick(const OpRun *run);
void op_run_relative_bias(const OpRun *run);
void op_run_head_average(const OpRun *run);
void op_run_head_maximum(const OpRun *run);
void op_rows_mix_identity(const OpRun *run, size_t first, size_t last);
void op_run_matmul(const OpRun *run);
void op_run_length(const OpRun *run);
void op_rows_times_length(const OpRun *run, size_t first, size_t last);

/* product.c: c[m][n] = a[m][k] · b (+ bias[n] or NULL). Sums run in double over k = 0, 1, 2 … and are
 * rounded once: the same bits on every machine; by the context's product when it is large enough. */
void product_best(const CoreContext *cx, bool b_transposed, int m, int n, int k, const float *a, int lda,
                  const float *b, int ldb, const float *bias, float *c, int ldc);
bool product_is_large(const CoreContext *cx, double m, double n, double k);
/* The plain loops, rows row0 … row0 + n - 1 of b [.., k] as the columns of the product; the rows in one group. */
void product_plain(int m, int n, int k, const float *a, int lda, const Stored *b, int row0, const float *bias, float *c, int ldc);

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

/* explain_norms.c */
bool explain_mean(Explaining *e);
bool explain_variance(Explaining *e);
bool explain_rms(Explaining *e);
bool explain_layernorm(Explaining *e);
bool explain_rmsnorm(Explaining *e);
bool explain_activation(Explaining *e);
bool explain_multiply(Explaining *e);

/* explain_network.c */
bool explain_gather(Explaining *e);
bool explain_pick(Explaining *e);
bool explain_relative_bias(Explaining *e);
bool explain_head_average(Explaining *e);
bool explain_head_maximum(Explaining *e);
bool explain_mix_identity(Explaining *e);
bool explain_matmul(Explaining *e);
bool explain_length(Explaining *e);
bool explain_times_length(Explaining *e);

/* explain_sums.c, for the other explanations: the number at [a], [a, b] or [a, b, c] of a tensor, by its rank; */
Ref explain_ref(const Explaining *e, TensorId id, int a, int b, int c);
/* the form and room for `capacity` terms; ERR_MEMORY; */
bool explain_begin(Explaining *e, ExplainForm form, int capacity);
/* one more term: a, or a · b when b.id is not TENSOR_NONE. */
void explain_term(Explaining *e, double factor, Ref a, Ref b);
bool explain_copy_of(Explaining *e, Ref of);
extern const Ref ref_none;

#endif
