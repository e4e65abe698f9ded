/* Machines made of attention: one block (attention, residual, norm, feed-forward), a stack of blocks, a whole
 * network from token ids to logits. What differs between GPT-2, BERT, Llama, T5 … is in these specs and in the names
 * under which a checkpoint keeps its weights; nothing here knows either a file or a model's name.
 * Vaswani et al. 2017; layer norm Ba et al. 2016; RMS norm Zhang & Sennrich 2019; gating Shazeer 2020. */
#ifndef CORE_NETWORK_H
#define CORE_NETWORK_H

#include "core/machine.h"

typedef enum { NORM_LAYER, NORM_RMS, NORM_KIND_COUNT } NormKind;
typedef enum {
    NORM_PRE,      /* x + f(norm(x)) */
    NORM_POST,     /* norm(x + f(x)) */
    NORM_PARALLEL, /* x + attention(norm1(x)) + ffn(norm2(x)) */
    NORM_PLACE_COUNT
} NormPlace;
typedef enum { ACT_RELU, ACT_GELU, ACT_GELU_TANH, ACT_SILU, ACT_TANH, ACT_COUNT } Activation;

/* Where the weights come from. Names within a block's scope ("layers.3"): ln1_g ln1_b ln2_g ln2_b (ln3_g ln3_b), w_q b_q
 * w_k b_k w_v b_v w_o b_o, w_ff1 b_ff1 w_ff2 b_ff2, gated: w_gate w_up w_down (b_gate b_up b_down). In a block with
 * cross-attention the two attentions have scopes of their own: "decoder.layers.3.self", "decoder.layers.3.cross", with w_q … in them
 * (norms and feed-forward stay in the block's). Norms are numbered in computing order, as the reference files do.
 * Of a stack, in its scope ("", "encoder", "decoder"): w_embed [V, e], w_pos, w_type, embed_g embed_b (norm of the embedding),
 * w_map b_map (from e to d_model), rel_bias, final_g final_b. Of the head, in the scope of the last stack: w_head b_head head_g head_b
 * (masked models' transform), w_logits [V, d] b_logits, w_pool b_pool. Biases, w_pos, w_type … may be absent. */
typedef struct {
    void *ctx;
    /* false: there is no such matrix. `out` keeps borrowed numbers that live as long as the trace. */
    bool (*find)(void *ctx, const char *scope, const char *name, TensorInput *out);
} WeightSource;

/* Sizes (L, S, d_model, d_kv) of the attention specs are filled by the machine; heads, masks, scale, position by the caller. */
typedef struct {
    AttentionSpec self;
    bool has_cross;
    AttentionSpec cross;
    NormKind norm;
    NormPlace place;
    double eps;
    Activation activation;
    bool gated;          /* act(x w_gateᵀ) * (x w_upᵀ), then w_down */
} BlockSpec;

/* Append one block. x: [L, d_model] of this trace; memory: [S, d_kv] that cross-attention reads, or TENSOR_NONE.
 * Stages: EMBED (nothing to do: x stands there) (NORM) PROJECT … OUTPUT ADD (ADD_NORM) (FFN_NORM) FFN FFN_ADD (FFN_ADD_NORM); with
 * cross-attention a second run of EMBED … ADD_NORM before the feed-forward stages. A stage's scope is that of its attention
 * ("layers.3"; "decoder.layers.3.self", "….cross"), also of the norm and the sum around it; the feed-forward stages have the block's.
 * So each scope has a kind of stage once. Tensors as in the reference files' encoder_block and decoder_block, with `out` for the
 * attention's output: in the block's scope ln1_mean ln1_var (or ln1_rms) ln1, resid1 …, ffn_gate, ffn_hidden, ffn_act (gated:
 * ffn_gate_act too), ffn_out. *result = the block's output: resid2 or ln2, with cross-attention resid3 or ln3.
 * NORM_PARALLEL: both norms read x, resid1 = x + out, resid2 = resid1 + ffn_out; without ln2_g the feed-forward layer reads ln1 (GPT-J).
 * Attention needs w_q w_k w_v w_o; its proj, out_proj and sizes are set here. With POSITION_RELATIVE the block has a rel_bias.
 * ERR_INPUT names a missing weight, ERR_SHAPE one that does not fit, with its scope and both shapes. */
bool machine_block(Trace *trace, const char *scope, const BlockSpec *spec, TensorId x, TensorId memory,
                   const WeightSource *weights, TensorId *result, Err *err);

/* Parts of a block alone, as stages NORM and FFN: ln1_g (ln1_b) -> ln1_mean ln1_var (or ln1_rms) ln1; w_ff1 … or w_gate … ->
 * (ffn_gate ffn_gate_act) ffn_hidden ffn_act ffn_out. Of the spec machine_ffn reads activation and gated. */
bool machine_norm(Trace *trace, const char *scope, NormKind norm, double eps, TensorId x, const WeightSource *weights,
                  TensorId *result, Err *err);
bool machine_ffn(Trace *trace, const char *scope, const BlockSpec *spec, TensorId x, const WeightSource *weights, TensorId *result,
                 Err *err);
OpKind activation_op(Activation activation);

typedef struct {
    const char *scope;        /* "", "encoder", "decoder" */
    int n_layers;
    const BlockSpec *blocks;  /* [n_layers] */
    int n;                    /* tokens */
    const int *ids;           /* [n] rows of w_embed; copied */
    const int *types;         /* [n] rows of w_type, or NULL: row 0 where there is a w_type */
    PositionSpec position;    /* added to the rows: NONE, LEARNED (w_pos) or SINUSOIDAL; other kinds belong to the blocks' attention */
    double embed_scale;       /* of the token rows; 0 = 1 */
    NormKind norm;            /* of embed_g and final_g, where the weights have them */
    double eps;
    const bool *marked;       /* [n] special tokens, for the summaries; NULL = none */
} StackSpec;

typedef enum {
    HEAD_NONE,
    HEAD_LOGITS,   /* x · w_logitsᵀ + b_logits */
    HEAD_MASKED,   /* first norm(act(x · w_headᵀ + b_head)) */
    HEAD_POOL,     /* tanh(x[0] · w_poolᵀ + b_pool) */
    HEAD_KIND_COUNT
} HeadKind;

typedef struct {
    StackSpec stack[2];       /* encoder and decoder, or one alone */
    int n_stacks;
    HeadKind head;
    Activation head_activation;
    double logit_scale;       /* of the rows before the logits (T5 with a tied table: 1/sqrt(d_model)); 0 = 1 */
    bool all_logits;          /* every row's; false: only predict_row's */
    int predict_row;          /* row whose probabilities are computed; -1 = none */
    bool rollout;             /* views of every layer's maps: head_avg and head_max [L, S], v_length [G, S], weighted_length [H, L, S] (weight times
                               * length of v), and a lazy part with mixed and rollout */
} NetworkSpec;

/* Where the results are, by stack. Arrays in the trace's memory. */
typedef struct {
    struct {
        TensorId *hidden;     /* [n_layers + 1]: what enters layer 1, what each layer gives */
        TensorId final;       /* after the final norm; = hidden[n_layers] without one */
        TensorId *rollout;    /* [n_layers] or NULL */
    } stack[2];
    TensorId logits;          /* [T, V] or [1, V]; TENSOR_NONE without such a head */
    TensorId probs;           /* [1, 1, V]: softmax of predict_row's logits, or TENSOR_NONE */
    TensorId pooled;          /* [1, d] */
} NetworkResults;

/* Append the whole network. The embedding stands in the first layer's EMBED stage, in its scope: tok (rows of w_embed), tok_scaled, pe,
 * tok_pe, type, embed (their sum), embed_mean embed_var embed_norm, x. What a model has not is left out, and the last one is always
 * called x. Each layer is a part (trace_begin_part); what the next layer reads, k or k_rope, v and head_avg are kept. head_avg, head_max,
 * mixed and rollout belong to no stage and have the scope of the self-attention.
 * Then FINAL_NORM in the scope of each stack that has final_g: final_mean final_var final_norm; POOL or PREDICT in that of the last:
 * first, pool_hidden, pooled; (picked: the one row when not all_logits) (final_scaled) (head_hidden head_act head_norm) logits,
 * row_logits [1, 1, V] row_max exp row_sum probs. The encoder's final rows are the memory of the decoder's cross-attention.
 * Every weights tensor gets a summary (core/summary.h). Errors name scope and weight, both shapes; ERR_LIMIT: more tokens than w_pos
 * has rows. */
bool machine_network(Trace *trace, const NetworkSpec *spec, const WeightSource *weights, NetworkResults *out, Err *err);

/* Append rollout alone: layer_weights [n][H][L][L] given -> for layer i head_avg, mixed, rollout in scope "layers.i". */
bool machine_rollout(Trace *trace, const TensorInput *layer_weights, Err *err);

#endif
