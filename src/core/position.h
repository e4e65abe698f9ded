/* Positions: how a token's place enters. Sinusoidal and learned rows are added to the token rows
 * (Vaswani et al. 2017, 3.5); RoPE turns pairs of q and k (Su et al. 2021); ALiBi adds a distance
 * penalty to the scaled scores (Press et al. 2022). Angles and slopes are computed in double. */
#ifndef CORE_POSITION_H
#define CORE_POSITION_H

#include <stdbool.h>

#include "base/err.h"

typedef enum {
    POSITION_NONE,
    POSITION_SINUSOIDAL,
    POSITION_LEARNED,          /* needs the input pos_emb [max, d_model] */
    POSITION_ROPE_INTERLEAVED, /* pair i = features 2i, 2i+1 (GPT-J) */
    POSITION_ROPE_HALF,        /* pair i = features i, i + dim/2 (NeoX, Llama) */
    POSITION_ALIBI,
    POSITION_GIVEN,            /* rows of the input pe [L, d_model] are added: a built-in model's own */
    POSITION_RELATIVE,         /* a learned bias for each bucket of distances, added to the scores: needs the input rel_bias
                                * [buckets, H] (Raffel et al. 2020, T5) */
    POSITION_KIND_COUNT
} PositionKind;

typedef struct {
    PositionKind kind;
    int rope_dim;             /* features that turn, even, <= d_k; 0 = d_k */
    double rope_theta;        /* base; 0 = 10000 */
    int rope_offset;          /* position of the first row */
    double rope_scale;        /* 0 or 1 = none, else angles are divided by it; with rope_original (Llama 3) only those of long waves: */
    int rope_original;        /* positions the model was first trained on; 0 = the same for all pairs */
    double rope_low, rope_high; /* wave length > original / low: divided; < original / high: not; between: blended */
    bool sinusoid_halves;     /* SINUSOIDAL: sines in the first half of the columns, cosines in the second */
    int learned_offset;       /* LEARNED: row of the table for the first token */
    int rel_max_distance;     /* RELATIVE: distances from here on share the last bucket */
    bool rel_both;            /* RELATIVE: half of the buckets for keys behind, half for keys ahead (encoders) */
    const double *slopes;     /* ALiBi; NULL = the published rule */
    int n_slopes;
} PositionSpec;

extern const char *const position_names[POSITION_KIND_COUNT];

/* pe[t, i] with base 10000, sines and cosines by turns */
double position_sinusoid(int t, int i, int d_model);
/* The same feature's column when sines and cosines stand by turns: i, or by sinusoid_halves. position may be NULL. */
int position_sinusoid_column(const PositionSpec *position, int i, int d_model);
/* angle of pair i at row t */
double position_rope_angle(const PositionSpec *position, int d_k, int t, int i);
/* slope of head h of n (h from 0): powers of two, every second one of the next list beyond them */
double position_alibi_slope(int h, int n_heads);
/* Bucket of n_buckets for a key `distance` rows after the query (before it: negative). One half of the buckets, one row each, then
 * wider and wider ones up to rel_max_distance; with rel_both that twice, first for keys before. */
int position_bucket(const PositionSpec *position, int n_buckets, int distance);
bool position_check(const PositionSpec *position, int n_heads, int d_k, Err *err);

#endif
