/* Readings: what a setting does to a whole layer, in a few numbers. How far scores lie apart, how sharp the weights are, how
 * much of softmax can still be learned, how many parameters there are, how many multiply-adds a stage costs. Knows no words. */
#ifndef CORE_READINGS_H
#define CORE_READINGS_H

#include "core/machine.h"

/* Of a map of scores [H, L, S] or [L, S], one head, over the cells that the mask allows and that are finite: the population's
 * standard deviation, sqrt(mean of (score − mean)²). Where components of q and k are independent with mean 0 and variance 1,
 * q · k has the variance d_k, so that the spread of scores is about √d_k and that of scaled scores about 1 (Vaswani et al.
 * 2017, footnote 4). NaN: no cell. `mask` may be TENSOR_NONE. */
double reading_spread(const Trace *trace, TensorId scores, TensorId mask, int head);

/* Of a map of weights, one head. Means over the rows that have a choice: at least two allowed keys. */
typedef struct {
    int rows;             /* that have a choice and finite weights; 0: the means are NaN */
    double entropy_bits;  /* −Σ p log₂ p (Shannon 1948); 0 = one key, log₂ n = all of n alike */
    double entropy_most;  /* log₂ of the allowed keys */
    double keys;          /* 2^entropy_bits: as sharp as so many keys of equal weight */
    double saturation;    /* p (1 − p) of the row's largest weight p: the slope of softmax, dp/ds = p (1 − p), which the
                           * learning signal is multiplied by. 0.25 at most; near 0 the row is saturated */
} SoftmaxReading;

/* row -1: the means over all rows, else that row alone (rows is then 0 or 1). */
SoftmaxReading reading_softmax(const Trace *trace, TensorId weights, TensorId mask, int head, int row);

/* Numbers that are learned in one layer of attention. With W_Q = W_K the shared matrix counts once.
 *   W_Q: H·d_k × d_model   W_K: G·d_k × d_kv   W_V: G·d_v × d_kv   W_O: d_model × H·d_v   and a bias for each output column */
typedef struct {
    long long w_q, w_k, w_v, w_o, bias, total;
} ParameterReading;

/* Of the tensors that the trace really has under `scope`; what is given instead of being projected counts nothing. */
ParameterReading reading_parameters(const Trace *trace, const char *scope);
/* The same from the sizes of a complete spec, `bias` = with biases. */
ParameterReading reading_parameters_of(const AttentionSpec *spec, bool bias);

/* Multiply-adds of one layer, for all heads and all cells, also those that a mask hides: a multiply-add is one product and
 * its sum, two operations where operations are counted. Stages that work number by number count none; `cells` = H·L·S is what
 * scale, mask and softmax go through.
 *   project: L·d_model·H·d_k + S·d_kv·G·(d_k + d_v)   scores: H·L·S·d_k   weighted sum: H·L·S·d_v   output: L·H·d_v·d_model
 * With d_k = d_v = d/H and L = S = n: 3nd², n²d, n²d, nd²; both kinds cost the same at n = 2d. */
typedef struct {
    long long project, scores, weighted_sum, output, total, cells;
} CostReading;
CostReading reading_cost(const AttentionSpec *spec);

#endif
