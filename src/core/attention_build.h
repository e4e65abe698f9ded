/* What the two halves of the attention machine share: the sizes that its inputs agree on, and the ops. */
#ifndef CORE_ATTENTION_BUILD_H
#define CORE_ATTENTION_BUILD_H

#include "core/machine.h"

typedef enum {
    IN_X, IN_TOK, IN_X_KV, IN_PE, IN_POS_EMB, IN_W_Q, IN_W_K, IN_W_V, IN_W_O, IN_B_Q, IN_B_K, IN_B_V, IN_B_O,
    IN_REL_BIAS, IN_Q, IN_K, IN_V, IN_SCORES, IN_WEIGHTS, IN_COUNT
} AttentionInput;

extern const char *const attention_input_names[IN_COUNT];

typedef struct {
    Trace *trace;
    const char *scope;
    AttentionSpec spec;             /* a copy, its sizes filled */
    TensorInput given[IN_COUNT];    /* rank 2 maps already raised to rank 3; of a tensor of the trace only name and shape */
    bool present[IN_COUNT], used[IN_COUNT];
    TensorId id[IN_COUNT];          /* in the trace, once added */
    TensorId q, k, v, weights, out; /* made by the stages: q and k as the scores read them; TENSOR_NONE without work */
    Err *err;
} AttentionBuild;

AttentionBuild attention_begin(Trace *trace, const char *scope, const AttentionSpec *spec, Err *err);
/* An input that is already in the trace. */
void attention_set(AttentionBuild *b, AttentionInput input, TensorId id);
/* Read and check the other inputs, fill the sizes, add the inputs to the trace: all that comes before the stages. */
bool attention_inputs(AttentionBuild *b, const TensorInput *inputs, int n_inputs);
/* PROJECT … OUTPUT, for rows x that may be others than those whose shape was set, of the same shape. */
bool attention_stages(AttentionBuild *b, TensorId x);
/* The four parts of softmax over the last axis of soft [H, L, S]; `last` is the name of what comes out. */
bool attention_softmax(AttentionBuild *b, TensorId soft, Dtype dtype, const int dim[3], const char *last, TensorId *out);

/* Fill spec's sizes from the shapes of the inputs; false when two of them do not fit. */
bool attention_sizes(AttentionBuild *b);
/* "w_q", or "layers.3.w_q" in a scope, for messages. Returns `out`. */
char *attention_input_text(const AttentionBuild *b, AttentionInput input, char out[96]);

#endif
