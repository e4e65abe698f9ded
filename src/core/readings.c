#include "core/readings.h"

#include <math.h>
#include <stdio.h>

#include "core/internal.h"
#include "core/stats.h"

double reading_spread(const Trace *trace, TensorId scores, TensorId mask, int head) {
    const Tensor *map = trace_tensor(trace, scores), *keep = mask == TENSOR_NONE ? NULL : trace_tensor(trace, mask);
    int L = map->dim[map->rank - 2], S = map->dim[map->rank - 1];
    double n = 0, mean = 0, squares = 0; /* Welford 1962: no two large sums are subtracted */
    for (int i = 0; i < L; i++)
        for (int j = 0; j < S; j++) {
            if (keep && tensor_flat(keep, mask_row(keep, head, i) + (size_t)j) == 0.0) continue;
            double value = tensor_flat(map, mask_row(map, head, i) + (size_t)j), from = value - mean;
            if (!isfinite(value)) continue;
            mean += from / ++n;
            squares += from * (value - mean);
        }
    return n > 0 ? sqrt(squares / n) : (double)NAN;
}

SoftmaxReading reading_softmax(const Trace *trace, TensorId weights, TensorId mask, int head, int row) {
    const Tensor *map = trace_tensor(trace, weights);
    SoftmaxReading r = {0};
    int L = map->dim[map->rank - 2];
    for (int i = row < 0 ? 0 : row; i < (row < 0 ? L : row + 1); i++) {
        RowStats s = stats_row(trace, weights, mask, head, i);
        if (s.n_kept < 2 || isnan(s.entropy_bits)) continue;
        r.rows++;
        r.entropy_bits += s.entropy_bits;
        r.entropy_most += log2(s.n_kept);
        r.saturation += s.max * (1 - s.max);
    }
    double n = r.rows > 0 ? r.rows : (double)NAN;
    r.entropy_bits /= n;
    r.entropy_most /= n;
    r.saturation /= n;
    r.keys = exp2(r.entropy_bits);
    return r;
}

/* ---- parameters ---- */

static long long sum_parameters(ParameterReading *r) {
    return r->total = r->w_q + r->w_k + r->w_v + r->w_o + r->bias;
}

static long long count_of(const Trace *trace, const char *scope, const char *name) {
    char id[160];
    snprintf(id, sizeof id, "%.100s%s%s", scope, scope[0] ? "." : "", name);
    TensorId tensor = trace_find(trace, id);
    return tensor == TENSOR_NONE ? 0 : (long long)tensor_count(trace_tensor(trace, tensor));
}

ParameterReading reading_parameters(const Trace *trace, const char *scope) {
    static const char *const biases[] = {"b_q", "b_k", "b_v", "b_o"};
    ParameterReading r = {count_of(trace, scope, "w_q"), count_of(trace, scope, "w_k"), count_of(trace, scope, "w_v"), count_of(trace, scope, "w_o"), 0, 0};
    for (int i = 0; i < 4; i++) r.bias += count_of(trace, scope, biases[i]);
    sum_parameters(&r);
    return r;
}

static int kv_heads_of(const AttentionSpec *s) { return s->n_kv_heads > 0 ? s->n_kv_heads : s->n_heads; }
static int kv_width_of(const AttentionSpec *s) { return s->d_kv > 0 ? s->d_kv : s->d_model; }

ParameterReading reading_parameters_of(const AttentionSpec *s, bool bias) {
    ParameterReading r = {0};
    long long d = s->d_model, queries = (long long)s->n_heads * s->d_k, keys = (long long)kv_heads_of(s) * s->d_k;
    long long values = (long long)kv_heads_of(s) * s->d_v, joined = (long long)s->n_heads * s->d_v, each = bias ? 1 : 0;
    if (s->proj == PROJ_LINEAR) {
        r.w_q = queries * d;
        r.w_k = s->tie_qk ? 0 : keys * kv_width_of(s);
        r.w_v = values * kv_width_of(s);
        r.bias = each * (queries + (s->tie_qk ? 0 : keys) + values);
    }
    if (s->out_proj) {
        r.w_o = d * joined;
        r.bias += each * d;
    }
    sum_parameters(&r);
    return r;
}

/* ---- cost ---- */

CostReading reading_cost(const AttentionSpec *s) {
    CostReading c = {.cells = (long long)s->n_heads * s->L * s->S};
    long long keys = kv_heads_of(s);
    if (s->proj == PROJ_LINEAR)
        c.project = (long long)s->L * s->d_model * s->n_heads * s->d_k + (long long)s->S * kv_width_of(s) * keys * (s->d_k + s->d_v);
    c.scores = c.cells * s->d_k;
    c.weighted_sum = c.cells * s->d_v;
    if (s->out_proj) c.output = (long long)s->L * s->n_heads * s->d_v * s->d_model;
    c.total = c.project + c.scores + c.weighted_sum + c.output;
    return c;
}
