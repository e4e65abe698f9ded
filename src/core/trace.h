/* A trace: ops in computing order, the named tensors they make, and the stages that group them.
 * A machine (core/machine.h) appends ops; trace_run computes them; after that nothing changes.
 * An op is one kind of arithmetic and makes one tensor; core/op.c holds the table of kinds
 * (name, formula, run, explain). Adding a kind: one enumerator, one row there, one view in scene. */
#ifndef CORE_TRACE_H
#define CORE_TRACE_H

#include "core/mask.h"
#include "core/position.h"
#include "core/tensor.h"

typedef enum {
    OP_INPUT,         /* given from outside */
    /* rules: no operands, only parameters */
    OP_SINUSOID,      /* pe [L, d_model] */
    OP_ROPE_COS,      /* rope_cos [L, dim/2] */
    OP_ROPE_SIN,
    OP_ALIBI_SLOPES,  /* alibi_slopes [H] */
    OP_ALIBI_BIAS,    /* bias [H, L, S] = -slope[h] |i - j| (distance by aligned positions) */
    OP_MASK_RULE,     /* mask [L, S] or [H, L, S], the AND of the masks */
    /* arithmetic */
    OP_ROWS,          /* first L rows of in0: pe from pos_emb */
    OP_ADD,           /* in0 + in1, same shape */
    OP_HEADS,         /* q = x seen as [1, L, d]: a copy */
    OP_PROJECT,       /* in0 [T, d] · in1ᵀ [H*w, d] + in2 [H*w], cut into [H, T, w] */
    OP_ROPE,          /* in0 turned by in1 = cos, in2 = sin */
    OP_SCORES,        /* q [H, L, dk], k [G, S, dk] -> [H, L, S]; head h reads k head h / (H/G) */
    OP_SCALE,         /* in0 * number */
    OP_MASK,          /* in0 scaled, in1 bias or none, in2 mask or none; fill replaced or added */
    OP_ROW_MAX,       /* [H, L] over the last axis */
    OP_EXP,           /* exp(in0 - in1) */
    OP_ROW_SUM,       /* [H, L] */
    OP_DIVIDE,        /* weights = exp / row_sum */
    OP_WEIGHTED_SUM,  /* weights [H, L, S] · v [G, S, dv] -> [H, L, dv] */
    OP_CONCAT,        /* [H, L, dv] -> [L, H*dv] */
    OP_LINEAR,        /* in0 [L, n] · in1ᵀ [m, n] + in2 [m] -> [L, m] */
    OP_COPY,          /* out = concat where there is no output projection */
    /* what stands around attention in a network */
    OP_GATHER,        /* row ids[t] of in0 [V, d] -> [T, d] */
    OP_PICK,          /* row `row` of in0 [T, d] -> [1, d] */
    OP_RELATIVE_BIAS, /* in0 [buckets, H] -> bias [H, L, S]: row of the distance j - i's bucket (Raffel et al. 2020) */
    OP_MEAN,          /* [T, d] -> [T] */
    OP_VARIANCE,      /* [T, d], in1 = mean -> [T], biased, in two passes */
    OP_RMS,           /* sqrt(mean of squares + eps): [T, d] -> [T] */
    OP_LAYERNORM,     /* (in0 - in1 mean) / sqrt(in2 variance + eps) * in3 + in4 (in4 may be none) */
    OP_RMSNORM,       /* in0 / in1 rms * in2 */
    OP_RELU,
    OP_GELU,          /* exact: x (1 + erf(x / sqrt 2)) / 2 */
    OP_GELU_TANH,
    OP_SILU,
    OP_TANH,
    OP_MULTIPLY,      /* in0 * in1, same shape */
    OP_HEAD_AVERAGE,  /* mean over heads: [H, L, S] -> [L, S] */
    OP_HEAD_MAXIMUM,  /* largest of the heads: [H, L, S] -> [L, S]; NaN where one is */
    OP_MIX_IDENTITY,  /* (in0 + I) / 2, each row divided by its sum: [L, L] (Abnar & Zuidema 2020) */
    OP_MATMUL,        /* in0 [m, n] · in1 [n, p]: rollout */
    OP_LENGTH,        /* sqrt(sum of squares) over the last axis: v [G, S, d] -> [G, S] */
    OP_TIMES_LENGTH,  /* weights [H, L, S] * length [G, S] of each key's v: what a weight brings (Kobayashi et al. 2020) */
    OP_KIND_COUNT
} OpKind;

typedef enum {
    STAGE_EMBED, STAGE_PROJECT, STAGE_SCORES, STAGE_SCALE, STAGE_MASK, STAGE_SOFTMAX,
    STAGE_WEIGHTED_SUM, STAGE_CONCAT, STAGE_OUTPUT,
    STAGE_ATTENTION_COUNT, /* the nine stations; what follows stands around them in a network */
    STAGE_NORM = STAGE_ATTENTION_COUNT, /* before attention */
    STAGE_ADD,        /* attention's output + what went in */
    STAGE_ADD_NORM,   /* after that (post-LN) */
    STAGE_FFN_NORM,   /* before the feed-forward layer */
    STAGE_FFN,
    STAGE_FFN_ADD,
    STAGE_FFN_ADD_NORM,
    STAGE_FINAL_NORM, /* behind the last layer */
    STAGE_POOL,       /* BERT's pooler: tanh of a linear map of the first token */
    STAGE_PREDICT,    /* logits, and the probabilities of one row */
    STAGE_KIND_COUNT
} StageKind;

enum { OP_INPUTS_MAX = 5 };

typedef struct {
    OpKind kind;
    TensorId out;
    TensorId in[OP_INPUTS_MAX]; /* TENSOR_NONE where there is none */
    double number;              /* SCALE: the factor; MASK: the fill; norms and RMS: eps */
    int row;                    /* PICK; ROWS: the first row */
    const int *ids;             /* GATHER: [T], in the trace's memory */
    int width;                  /* ROPE*: dim; others unused */
    MaskOp mask_op;             /* MASK */
    EmptyRow empty_row;         /* ROW_MAX … DIVIDE: policy for a row without an allowed key */
    const MaskSpec *masks; int n_masks; /* MASK_RULE */
    const PositionSpec *position;       /* position rules */
} Op;

typedef struct {
    StageKind kind;
    const char *scope;      /* "" or "layers.3" */
    int first_op, n_ops;    /* n_ops 0: the station exists, there is nothing to do */
    TensorId result;        /* what the stage is about: q for Project, weights for Softmax; NONE when no work */
} Stage;

typedef struct Trace Trace; /* fields are read through the functions below */

/* loops in i = 0..count-1 that do not touch each other */
typedef void (*ParallelFor)(void *ctx, int count, void (*body)(void *arg, int i), void *arg);
/* c[m][n] = a[m][k] · b, b as [n][k] when b_transposed, else [k][n]; leading dimensions in floats */
typedef void (*ProductFn)(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda,
                          const float *b, int ldb, float *c, int ldc);

/* What the core may use from outside; {0} is valid: plain loops, one thread, no cancelling. */
typedef struct {
    ProductFn product; void *product_ctx;   /* not called inside parallel_for unless product_one_thread */
    bool product_one_thread;                /* the product stays on the calling thread: may run inside */
    double product_from;                    /* m*n*k from which `product` is used; 0 = a measured default */
    ParallelFor parallel_for; void *parallel_ctx;
    bool (*cancelled)(void *ctx); void *cancel_ctx; /* asked between ops */
    void (*progress)(void *ctx, double done); void *progress_ctx; /* told after each part: 0 to 1 of the work; NULL = nobody asks */
} CoreContext;

/* ---- building (used by machines) ---- */
Trace *trace_new(Arena *arena);
/* Ops that follow belong to this stage; stages are never empty of a kind, only of ops. */
void trace_begin_stage(Trace *trace, StageKind kind, const char *scope);
void trace_end_stage(Trace *trace, TensorId result);
/* A given tensor. ERR_SHAPE / ERR_LIMIT name it. Returns its id or TENSOR_NONE. */
TensorId trace_add_input(Trace *trace, const char *scope, const TensorInput *input, Err *err);
/* `op` is copied; op->out is ignored. dims are checked and multiplied safely. */
TensorId trace_add(Trace *trace, const Op *op, const char *scope, const char *name, Dtype dtype, int rank,
                   const int *dim, Err *err);
/* Compute all ops. ERR_MEMORY, ERR_CANCELLED. Afterwards the trace is immutable. */
bool trace_run(Trace *trace, const CoreContext *cx, Err *err);

/* ---- large traces: parts ----
 * A part is a run of ops that is computed, dropped and computed again as one: a layer of a network. A tensor that another
 * part reads is kept by itself. Ops before the first trace_begin_part stay: without parts everything does. */
/* Ops that follow belong to a new part. `lazy`: trace_run leaves it out, trace_need computes it. */
void trace_begin_part(Trace *trace, bool lazy);
void trace_keep(Trace *trace, TensorId id);           /* stays in memory once computed */
/* Limit of computed bytes in memory, 0 = none (but never above 4 GiB): beyond it, parts needed least recently lose what is
 * not kept. What is kept and one part are always there, also above the limit. Before the run or after it. */
void trace_set_limit(Trace *trace, size_t bytes);
/* After the run: compute a tensor's whole part again when it is not in memory, so that the tensor can be explained too. The
 * values are those of the first time, bit for bit (after trace_run_after: of kept tensors; others within rounding).
 * The only thing that changes a finished trace; not to be called while another thread reads it. */
bool trace_need(Trace *trace, TensorId id, const CoreContext *cx, Err *err);
bool trace_resident(const Trace *trace, TensorId id); /* can it be read? Inputs always */
/* Like trace_run, but the first `rows` token rows of every tensor are those of `before`, a finished trace of the same machine
 * whose first tokens are the same: they are taken over instead of computed. Right only where no row depends on a later one
 * (causal masks, `before` and this trace alike). `before` is only read. Afterwards large parts are not in memory, but for what
 * they keep and for the one that was asked for last in `before`: trace_need brings them. */
bool trace_run_after(Trace *trace, const Trace *before, int rows, const CoreContext *cx, Err *err);

/* Of a finished trace that nobody has read yet: somebody else's numbers, as many, in place of computed ones. What was made from
 * them stays as it is. For a picture beside the right numbers (core/mistake.h). */
void trace_put(Trace *trace, TensorId id, const float *numbers);

/* ---- reading ---- */
int trace_tensor_count(const Trace *trace);
int trace_op_count(const Trace *trace);
int trace_stage_count(const Trace *trace);
const Tensor *trace_tensor(const Trace *trace, TensorId id);  /* asserts a good id */
const Op *trace_op(const Trace *trace, int op);
const Stage *trace_stage(const Trace *trace, int stage);
TensorId trace_find(const Trace *trace, const char *id);      /* full id; TENSOR_NONE when absent */
/* Stage position whose ops make this tensor, or -1 for one that no stage makes. */
int trace_stage_of(const Trace *trace, TensorId id);
int trace_stage_find(const Trace *trace, const char *scope, StageKind kind); /* -1 = absent */
size_t trace_bytes(const Trace *trace);                       /* of all computed tensors, in memory or not */
size_t trace_bytes_resident(const Trace *trace);              /* of those in memory */
const char *op_name(OpKind kind);     /* "matmul", "softmax" … */
const char *op_formula(OpKind kind);  /* "q · k", "exp(a - max)" … */
const char *stage_name(StageKind kind); /* "embed", "project", "scores", "scale", "mask", "softmax", "wsum", "concat", "output", "norm" … */

#endif
