/* Networks with random weights, written down in a few words. */
#ifndef TESTS_CORE_NET_H
#define TESTS_CORE_NET_H

#include "core/attn.h"
#include "core/network.h"
#include "support/support.h"

enum { NET_TOKENS_MAX = 400, NET_LAYERS_MAX = 4 };

/* How the weights lie in memory. */
typedef enum { NET_DENSE, NET_TURNED /* [in][out] */, NET_F16, NET_BF16_TURNED, NET_STORED_COUNT } NetStored;

typedef struct {
    int layers, d, heads, kv_heads, ff, vocabulary, positions; /* positions 0: no w_pos */
    NormKind norm;
    NormPlace place;
    Activation activation;
    bool gated, bias, rollout, all_logits, decoder; /* decoder: an encoder of `source` tokens in front, cross-attention */
    PositionKind position;                          /* of attention or of the rows */
    MaskSpec masks[2];
    int n_masks;
    NetStored stored;
    int source;
} NetShape;

typedef struct {
    NetShape shape;
    Arena weights;
    Arena arena; /* of the traces */
    int ids[NET_TOKENS_MAX], source_ids[NET_TOKENS_MAX];
    WeightSource source;
    NetworkResults results;
    BlockSpec blocks[2][NET_LAYERS_MAX];
    bool marked[NET_TOKENS_MAX];
} Net;

/* Causal masks on, ids and weights from a fixed seed. */
Net *net_open(const NetShape *shape);
void net_close(Net *net);
/* The last stack of a network for the first n ids. */
StackSpec net_stack(Net *net, int n);
/* A trace of the first n ids, not run yet. */
Trace *net_build(Net *net, int n);
/* The same, run. */
Trace *net_run(Net *net, int n, size_t limit, const CoreContext *cx);
/* Every tensor that both have in memory; failing names the first that differs. Returns how many were compared. */
int net_compare(const Trace *a, const Trace *b, double tolerance);

#endif
