/* One small attention layer, written down in a test. */
#ifndef TESTS_CORE_CASE_H
#define TESTS_CORE_CASE_H

#include "core/attn.h"
#include "support/support.h"

enum { CASE_INPUTS = 18 };

typedef struct {
    Arena arena;
    AttentionSpec spec;
    TensorInput inputs[CASE_INPUTS];
    int n_inputs;
    Trace *trace;
    Err err;
} Case;

/* Settings: fill -inf, everything else 0. */
Case case_new(void);
void case_free(Case *c);
/* An input [d0], [d0, d1] or [d0, d1, d2] with the numbers that follow from `data`. */
void case_input(Case *c, const char *name, int rank, int d0, int d1, int d2, const float *data);
/* A fresh trace of the case; false leaves the reason in c->err. */
bool case_try(Case *c);
/* The same, failing the test when it is refused. */
void case_run(Case *c);
/* An element of a tensor; unused axes 0. */
double case_at(const Case *c, const char *id, int a, int b, int e);
/* Row (a, b) of a tensor of rank 3, or row b of one of rank 2, against `n` values within 5e-5. */
void case_row(const Case *c, const char *id, int a, int b, int n, const double *want, const char *file, int line);
#define assert_row(c, id, a, b, ...) \
    case_row((c), (id), (a), (b), (int)(sizeof((double[]){__VA_ARGS__}) / sizeof(double)), (double[]){__VA_ARGS__}, __FILE__, __LINE__)

#endif
