/* Reads the reference files in tests/data/attention, for tests of the core alone: no escapes in the
 * header, float32 only. The program's own reader (room model) is the one that trusts nobody. */
#ifndef TESTS_CORE_FIXTURE_H
#define TESTS_CORE_FIXTURE_H

#include "core/attn.h"

enum { FIXTURE_TENSORS = 80, FIXTURE_INPUTS = 16 };

typedef struct {
    Arena arena; /* owns everything here */
    const char *name;
    char *header;
    int n_tensors;
    TensorInput tensors[FIXTURE_TENSORS];
} Fixture;

/* Names of all files, sorted. */
char **fixture_names(Arena *arena, int *count);
void fixture_open(Fixture *fixture, const char *name);
void fixture_close(Fixture *fixture);
/* A metadata value, "" when absent. In the fixture's arena. */
const char *fixture_meta(Fixture *fixture, const char *key);
const TensorInput *fixture_tensor(const Fixture *fixture, const char *name);
double fixture_tolerance(Fixture *fixture, const char *tensor);
/* The settings and inputs that the metadata describes. */
void fixture_spec(Fixture *fixture, AttentionSpec *spec, TensorInput inputs[FIXTURE_INPUTS], int *n_inputs);
/* The masks of the metadata key prefix + "mask_kind": "", "self_" or "cross_". */
void fixture_masks(Fixture *fixture, const char *prefix, AttentionSpec *spec);
void fixture_position(Fixture *fixture, AttentionSpec *spec);
int fixture_int(Fixture *fixture, const char *key); /* 0 when absent */
double fixture_number(Fixture *fixture, const char *key);
/* A finished trace of it in the fixture's arena; fails the test when the machine refuses. */
Trace *fixture_trace(Fixture *fixture, const CoreContext *cx);

#endif
