/* What the two halves of the attention machine share: the sizes that its inputs agree on, and the ops. */
#ifndef CORE_ATTENTION_BUILD_H
#define CORE_ATTENTION_BUILD_H

#include "core/machine.h"

typedef enum {
    IN_X, IN_TOK, IN_X_KV, IN_PE, IN_POS_EMB, IN_W_Q, IN_W_K, IN_W_V, IN_W_O, IN_B_Q, IN_B_K, IN_B_V, IN_B_O,
    IN_Q, IN_K, IN_V, IN_SCORES, IN_WEIGHTS, IN_COUNT
} AttentionInput;

extern const char *const attention_input_names[IN_COUNT];

typedef struct {
    Trace *trace;
    const char *scope;
    AttentionSpec spec;             /* a copy, its sizes filled */
    TensorInput given[IN_COUNT];    /* data NULL = absent; rank 2 maps already raised to rank 3 */
    bool used[IN_COUNT];
    TensorId id[IN_COUNT];          /* in the trace, once added */
    Err *err;
} AttentionBuild;

/* Fill spec's sizes from the shapes of the inputs; false when two of them do not fit. */
bool attention_sizes(AttentionBuild *b);

#endif
