/* Masks: which key j a query i may read. One row of the table in mask.c for each kind.
 * i = 0..L-1, j = 0..S-1; 1 keeps, 0 hides (PyTorch's boolean attn_mask is the other way round). */
#ifndef CORE_MASK_H
#define CORE_MASK_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

typedef enum {
    MASK_NONE,
    MASK_CAUSAL,        /* j <= i + offset; offset = S - L bottom-right, 0 top-left */
    MASK_PADDING,       /* the first (left) or last (right) pad_keys keys are hidden, or the listed keys */
    MASK_WINDOW,        /* -left <= j - i <= right */
    MASK_LOCAL_BLOCK,   /* i / block == j / block, integer division; causal on request */
    MASK_GLOBAL_WINDOW, /* |i - j| <= each_side, or i or j is a global token; causal on request */
    MASK_STRIDED,       /* |i - j| < stride or (i - j) % stride == 0; causal on request */
    MASK_CUSTOM,        /* keep[L][S] */
    MASK_CUSTOM_PER_HEAD, /* keep[H][L][S] */
    MASK_KIND_COUNT
} MaskKind;

typedef enum { ALIGN_BOTTOM_RIGHT, ALIGN_TOP_LEFT, ALIGN_COUNT } CausalAlign;
typedef enum { MASK_REPLACE, MASK_ADD, MASK_OP_COUNT } MaskOp;
typedef enum { EMPTY_ROW_ZERO, EMPTY_ROW_NAN, EMPTY_ROW_COUNT } EmptyRow;

enum { MASK_LIST_MAX = 4 };

/* One mask. Fields a kind does not name are ignored. Borrowed arrays live as long as the trace. */
typedef struct {
    MaskKind kind;
    CausalAlign align;           /* CAUSAL and the causal part of the others */
    bool causal;                 /* LOCAL_BLOCK, GLOBAL_WINDOW, STRIDED: and j <= i + offset */
    int pad_keys;                /* PADDING by count */
    bool pad_left;
    const int *keys; int n_keys; /* PADDING by list (from 0); used when n_keys > 0 */
    int left, right;             /* WINDOW; GLOBAL_WINDOW uses left as each_side */
    int block, stride;
    const int *globals; int n_globals; /* from 0 */
    const float *keep;           /* CUSTOM [L][S], CUSTOM_PER_HEAD [H][L][S]; 0 or 1 */
} MaskSpec;

extern const char *const mask_names[MASK_KIND_COUNT]; /* "causal", as the trace file writes them */
extern const char *const causal_align_names[ALIGN_COUNT];
extern const char *const mask_op_names[MASK_OP_COUNT];
extern const char *const empty_row_names[EMPTY_ROW_COUNT];

/* Are the parameters usable for [L, S]? The error says what would be right. */
bool mask_check(const MaskSpec *mask, int n_heads, int L, int S, Err *err);
/* May query i read key j in head h under this one mask? */
bool mask_keeps(const MaskSpec *mask, int h, int i, int j, int L, int S);
/* The rule in words with its numbers for one cell: "key 5 comes after query 4". At most 160 bytes. */
char *mask_reason(char out[160], const MaskSpec *mask, int h, int i, int j, int L, int S);

#endif
