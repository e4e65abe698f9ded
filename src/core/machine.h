/* Machines: builders that append ops to a trace. `attention` is one layer of scaled dot-product
 * attention, softmax(QKᵀ / sqrt(d_k) + M) V, over any number of heads (Vaswani et al. 2017), with
 * grouped keys and values (Ainslie et al. 2023), cross-attention, positions and masks. */
#ifndef CORE_MACHINE_H
#define CORE_MACHINE_H

#include "core/trace.h"

typedef enum {
    PROJ_LINEAR, /* q = x w_qᵀ + b_q …; inputs w_q w_k w_v, biases where given */
    PROJ_NONE,   /* q = k = v = x, one head, no weights */
    PROJ_GIVEN,  /* inputs q [H, L, d_k], k [G, S, d_k], v [G, S, d_v], or scores [H, L, S] or weights for q and k */
    PROJ_KIND_COUNT
} ProjKind;

typedef enum { SCALE_AUTO /* 1 / sqrt(d_k) */, SCALE_NONE, SCALE_NUMBER, SCALE_KIND_COUNT } ScaleKind;
typedef enum { PRECISION_F32, PRECISION_F64 /* scale, mask and softmax in double */, PRECISION_COUNT } Precision;

extern const char *const proj_names[PROJ_KIND_COUNT];
extern const char *const precision_names[PRECISION_COUNT];

/* Sizes that follow from the inputs' shapes may be 0; machine_attention fills and checks them. */
typedef struct {
    int L, S;                 /* queries, keys */
    int d_model, d_kv;        /* width of x and of x_kv */
    int n_heads, n_kv_heads;  /* 0 = 1 and = n_heads */
    int d_k, d_v;
    ProjKind proj;
    bool tie_qk;              /* of PROJ_LINEAR: k is projected by w_q and b_q (W_Q = W_K), and no w_k is read. As many key heads
                               * as query heads; x and x_kv of one width. The scores of self-attention are then symmetric */
    bool out_proj;            /* input w_o [d_model, n_heads*d_v], b_o where given; else out = concat */
    ScaleKind scale;
    double scale_number;      /* SCALE_NUMBER */
    double temperature;       /* divides the scaled scores; 0 = 1 */
    PositionSpec position;
    MaskSpec masks[MASK_LIST_MAX];
    int n_masks;              /* their AND; 0 = no mask */
    double fill;              /* -INFINITY or a number */
    MaskOp mask_op;
    EmptyRow empty_row;
    Precision precision;
} AttentionSpec;

/* Append one attention layer under `scope` ("" or "layers.3"). Nine stages are made, in order.
 * inputs by name: x or tok, x_kv, pe, pos_emb, w_q w_k w_v w_o, b_q b_k b_v b_o, rel_bias, q k v, scores,
 * weights. Makes the tensors of the trace file: (pe x) q k v (rope_cos rope_sin q_rope k_rope)
 * scores scaled (alibi_slopes bias) (mask masked) row_max exp row_sum weights head_out concat out.
 * ERR_SHAPE names both shapes; ERR_LIMIT the limit; an input nobody uses is an error too.
 *
 * Given tensors come before the stages and belong to none. A given q, k or v takes the place of its
 * projection, whatever `proj` is; q, k, v, scores and weights of rank 2 count as one head. `tok` and
 * `x` mean the same as inputs: the tensor is called tok when positions are added to it, else x.
 * Where scores or weights are given v may be absent: there is then nothing from the weighted sum on.
 * With given weights masks, scale and precision have nothing to act on and are left out.
 * Positions are added to x only (x_kv comes as it is). RoPE turns the rows of k by the same rule as
 * those of q. ALiBi's distance is |i + offset - j|, offset = S - L when the masks hold a causal one
 * aligned bottom-right (the last query stands at the last key), else 0. */
bool machine_attention(Trace *trace, const char *scope, const AttentionSpec *spec, const TensorInput *inputs,
                       int n_inputs, Err *err);

/* After it, as a lazy part (trace_need computes it): other views of the layer's weights, head_avg and head_max [L, S], mean and
 * largest over the heads; where there is a v also v_length [G, S] and weighted_length [H, L, S], weight times length of v. They
 * belong to no stage. Without weights nothing is appended. */
bool machine_views(Trace *trace, const char *scope, Err *err);

/* The factor that multiplies scores, whatever the rule. SCALE_AUTO needs d_k. */
double attention_scale(const AttentionSpec *spec);
/* Numbers of heads near n_heads that divide `width`: "25 or 50 would do". Returns `out`. */
char *attention_heads_advice(char out[80], int width, int n_heads);

#endif
