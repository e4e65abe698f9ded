/* Networks whose weights are written down in a test. Failing is the test's. */
#ifndef TESTS_CORE_HAND_NET_H
#define TESTS_CORE_HAND_NET_H

#include "core/attn.h"
#include "support/support.h"

enum { WEIGHTS_MAX = 96 };

typedef struct {
    Arena arena;
    Err err;
    int n;
    struct { const char *scope, *name; TensorInput input; } weight[WEIGHTS_MAX];
} Weights;

typedef struct {
    Weights w;
    Trace *trace;
    NetworkResults results;
} HandNet;

#define NUMBERS(...) (const float[]){__VA_ARGS__}

extern const char *const attention_weights[4]; /* w_q w_k w_v w_o */

/* A WeightSource's find over Weights. */
bool weights_find(void *ctx, const char *scope, const char *name, TensorInput *out);
WeightSource weights_source(Weights *w);
/* [d0], or [d0, d1] with d1 > 0, borrowed; or copied. */
void weights_put(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data);
void weights_note(Weights *w, const char *scope, const char *name, int d0, int d1, const float *data);
/* All alike, or small numbers that look like none in particular. In the arena. */
float *weights_filled(Weights *w, int count, float value);
float *weights_scattered(Weights *w, int count, unsigned seed);
/* A layer with norms before its parts that changes nothing: attention and feed-forward layer give 0; one that does something. */
void weights_put_still_layer(Weights *w, const char *scope, int d);
void weights_put_busy_layer(Weights *w, const char *scope, int d, unsigned seed);

BlockSpec hand_causal_block(int heads);
/* A trace of the network in the weights' arena; false leaves the reason in w.err. */
bool hand_build(HandNet *net, const NetworkSpec *spec);
void hand_run(HandNet *net, const NetworkSpec *spec);
double hand_at(const HandNet *net, const char *id, int a, int b, int c);
/* Every element of every tensor is what its explanation gives. */
void hand_explain_all(const HandNet *net);

#endif
