/* Some token rows of an op: which axes of its tensors are tokens, pieces of tensors along them, and the op run on pieces.
 * That is how a trace takes over rows of an earlier one and computes the others. The core's own. */
#ifndef CORE_SLICE_H
#define CORE_SLICE_H

#include "core/internal.h"

/* How a tensor lies to the tokens. */
typedef enum {
    AXIS_NONE, /* not at all: weights, tables */
    AXIS_T0,   /* [T], [T, d] */
    AXIS_T1,   /* [H, T], [H, T, w] */
    AXIS_K1,   /* [G, S, w]: axis 1 is keys */
    AXIS_MAP,  /* [L, S], [H, L, S]: queries and keys */
} Axis;

/* Rows (queries) first … end - 1, keys first_key … end_key - 1. */
typedef struct { int first, end, first_key, end_key; } Region;

/* Can some rows of this op's result be computed from some rows of its operands? */
bool slice_can(const Trace *trace, const Op *op);
Axis slice_axis_out(const Trace *trace, const Op *op);
Axis slice_axis_in(const Trace *trace, const Op *op, int i);
int slice_rows(const Tensor *tensor, Axis axis); /* length of its row axis (of keys for K1) */
int slice_keys(const Tensor *tensor, Axis axis); /* length of the key axis of a map, else 0 */
/* The region of a tensor as a tensor of its own: a view where it lies in one piece, else a copy in `arena`. data NULL = no memory. */
Tensor slice_take(const Tensor *tensor, Axis axis, const Region *region, Arena *arena);
/* A tensor of the region's shape with memory of its own. */
Tensor slice_new(const Tensor *tensor, Axis axis, const Region *region, Arena *arena);
/* The region's numbers into a tensor: from a tensor of the region's shape, or from the same region of a whole one. */
void slice_put(Tensor *to, Axis axis, const Region *region, const Tensor *piece);
void slice_copy(Tensor *to, Axis axis, const Region *region, const Tensor *whole);

#endif
