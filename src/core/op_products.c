/* Products and the moves of whole rows around them. H heads, G key/value heads, head h reads h / (H/G). */
#include <math.h>
#include <string.h>

#include "core/internal.h"

static const float *floats(const Tensor *tensor) { return tensor->data; }
static double cells(const Tensor *tensor) { return (double)tensor_count(tensor); }

void op_run_add(const OpRun *run) {
    const float *a = floats(run->in[0]), *b = floats(run->in[1]);
    float *out = run->data;
    size_t count = tensor_count(run->out);
    for (size_t n = 0; n < count; n++) out[n] = a[n] + b[n];
}

/* out [H, T, w] = in0 [T, H*w] */
void op_run_heads(const OpRun *run) {
    size_t H = (size_t)run->out->dim[0], T = (size_t)run->out->dim[1], w = (size_t)run->out->dim[2];
    float *out = run->data;
    for (size_t h = 0; h < H; h++)
        for (size_t t = 0; t < T; t++)
            memcpy(out + (h * T + t) * w, floats(run->in[0]) + t * H * w + h * w, w * sizeof *out);
}

void rope_pair(PositionKind kind, int dim, int i, int *a, int *b) {
    *a = kind == POSITION_ROPE_HALF ? i : 2 * i;
    *b = kind == POSITION_ROPE_HALF ? i + dim / 2 : 2 * i + 1;
}

/* out, in0 [H, T, w]; cos, sin [T', dim/2] with T' >= T; features from dim on pass unchanged */
void op_run_rope(const OpRun *run) {
    int T = run->out->dim[1], w = run->out->dim[2], half = run->in[1]->dim[1];
    const float *c = floats(run->in[1]), *s = floats(run->in[2]);
    for (int row = 0; row < run->out->dim[0] * T; row++) {
        const float *in = floats(run->in[0]) + (size_t)row * (size_t)w;
        float *out = (float *)run->data + (size_t)row * (size_t)w;
        size_t turn = (size_t)(row % T) * (size_t)half;
        memcpy(out, in, (size_t)w * sizeof *out);
        for (int i = 0; i < half; i++) {
            int e, o;
            rope_pair(run->op->position->kind, 2 * half, i, &e, &o);
            double cosine = (double)c[turn + (size_t)i], sine = (double)s[turn + (size_t)i];
            out[e] = (float)((double)in[e] * cosine - (double)in[o] * sine);
            out[o] = (float)((double)in[e] * sine + (double)in[o] * cosine);
        }
    }
}

/* out [H, L, S], head h = q[h] [L, dk] · k[g]ᵀ [S, dk] */
static void scores_head(void *arg, int h) {
    const OpRun *run = arg;
    int L = run->out->dim[1], S = run->out->dim[2], dk = run->in[0]->dim[2];
    int g = h / (run->out->dim[0] / run->in[1]->dim[0]);
    const float *q = floats(run->in[0]) + (size_t)h * (size_t)L * (size_t)dk;
    const float *k = floats(run->in[1]) + (size_t)g * (size_t)S * (size_t)dk;
    product_best(run->cx, true, L, S, dk, q, dk, k, dk, NULL, (float *)run->data + (size_t)h * (size_t)L * (size_t)S, S);
}

void op_run_scores(const OpRun *run) {
    OpRun copy = *run;
    int L = run->out->dim[1], S = run->out->dim[2], dk = run->in[0]->dim[2];
    op_loop(run->cx, cells(run->out) * dk, product_is_large(run->cx, L, S, dk), run->out->dim[0], scores_head, &copy);
}

size_t mask_row(const Tensor *mask, int h, int i) {
    int L = mask->dim[mask->rank - 2], S = mask->dim[mask->rank - 1];
    size_t head = mask->rank == 3 ? (size_t)h : 0;
    return (head * (size_t)L + (size_t)i) * (size_t)S;
}

static bool all_finite(const float *values, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (!isfinite(values[n])) return false;
    return true;
}

/* One row: out[j] = Σ_k weight[k] v[k][j], without the keys that the mask hides and whose weight is 0. */
static void weigh_row(const Tensor *weights, size_t row, const float *mask, int S, const float *v, int dv, float *out) {
    enum { WIDTH = 64 };
    for (int j0 = 0; j0 < dv; j0 += WIDTH) {
        int width = dv - j0 < WIDTH ? dv - j0 : WIDTH;
        double sum[WIDTH] = {0};
        for (int k = 0; k < S; k++) {
            double weight = tensor_flat(weights, row * (size_t)S + (size_t)k);
            if (mask && mask[k] == 0.0f && weight == 0.0) continue;
            const float *value = v + (size_t)k * (size_t)dv + (size_t)j0;
            for (int j = 0; j < width; j++) sum[j] += weight * (double)value[j];
        }
        for (int j = 0; j < width; j++) out[j0 + j] = (float)sum[j];
    }
}

/* A product adds 0 · v for a hidden key, which is nothing as long as v is finite. */
static bool can_multiply(const OpRun *run, const float *v, int S, int dv) {
    if (run->in[0]->dtype != DTYPE_F32 || !product_is_large(run->cx, run->out->dim[1], dv, S)) return false;
    return !run->in[2] || all_finite(v, (size_t)S * (size_t)dv);
}

/* out [H, L, dv], head h = weights[h] [L, S] · v[g] [S, dv]; in2 = mask or none */
static void weigh_head(void *arg, int h) {
    const OpRun *run = arg;
    int L = run->out->dim[1], dv = run->out->dim[2], S = run->in[0]->dim[2];
    int g = h / (run->out->dim[0] / run->in[1]->dim[0]);
    const float *v = floats(run->in[1]) + (size_t)g * (size_t)S * (size_t)dv;
    float *out = (float *)run->data + (size_t)h * (size_t)L * (size_t)dv;
    if (can_multiply(run, v, S, dv)) {
        const float *weights = floats(run->in[0]) + (size_t)h * (size_t)L * (size_t)S;
        product_best(run->cx, false, L, dv, S, weights, S, v, dv, NULL, out, dv);
        return;
    }
    for (int i = 0; i < L; i++) {
        const float *mask = run->in[2] ? floats(run->in[2]) + mask_row(run->in[2], h, i) : NULL;
        size_t row = (size_t)h * (size_t)L + (size_t)i;
        weigh_row(run->in[0], row, mask, S, v, dv, out + (size_t)i * (size_t)dv);
    }
}

void op_run_weighted_sum(const OpRun *run) {
    OpRun copy = *run;
    int L = run->out->dim[1], dv = run->out->dim[2], S = run->in[0]->dim[2];
    op_loop(run->cx, cells(run->out) * S, product_is_large(run->cx, L, dv, S), run->out->dim[0], weigh_head, &copy);
}

/* out [L, H*dv] from in0 [H, L, dv] */
void op_run_concat(const OpRun *run) {
    size_t H = (size_t)run->in[0]->dim[0], L = (size_t)run->in[0]->dim[1], dv = (size_t)run->in[0]->dim[2];
    float *out = run->data;
    for (size_t i = 0; i < L; i++)
        for (size_t h = 0; h < H; h++)
            memcpy(out + i * H * dv + h * dv, floats(run->in[0]) + (h * L + i) * dv, dv * sizeof *out);
}

void op_run_copy(const OpRun *run) { memcpy(run->data, run->in[0]->data, tensor_count(run->out) * sizeof(float)); }
