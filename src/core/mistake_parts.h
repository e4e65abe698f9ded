/* What the halves of looking for mistakes share: computing again with one of them (mistake.c), and what each changes (mistake_rules.c). */
#ifndef CORE_MISTAKE_PARTS_H
#define CORE_MISTAKE_PARTS_H

#include "core/mistake.h"

/* A trace in the making: the right one's ops, one of them changed. */
typedef struct {
    const Trace *right;
    Trace *made;
    TensorId *map;      /* [tensors of right] -> made */
    Arena *arena;
    int variant;        /* from 0 */
    bool touched;       /* the mistake found something to change */
    Err *err;
} Rewrite;

/* What becomes of one op of the right trace. */
typedef struct {
    Op op;              /* operands are those of `made` */
    int rank, dim[TENSOR_RANK_MAX];
    const float *data;  /* these numbers in place of computed ones; NULL: the op runs */
} Step;

typedef struct {
    const char *name;
    const char *words;  /* by tr_mark() */
    void (*change)(Rewrite *w, const Op *was, Step *step);
    int variants;       /* ways to make it, tried in turn */
} MistakeInfo;
extern const MistakeInfo mistake_table[MISTAKE_COUNT];

#endif
