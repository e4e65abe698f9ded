/* Activations, element by element: in double, rounded once. Those made of exp use the core's own, so they have the same
 * bits everywhere and run as vector code. GELU: Hendrycks & Gimpel 2016; SiLU: Elfwing et al. 2018. */
#include <assert.h>
#include <math.h>

#include "core/internal.h"

enum { PIECE = 256 };

/* sqrt(2 / pi), and the factor of x³ in the tanh form of GELU */
static const double SQRT_2_PI = 0.79788456080286535588, GELU_CUBIC = 0.044715, SQRT_HALF = 0.70710678118654752440;

static double gelu_inner(double x) { return SQRT_2_PI * (x + GELU_CUBIC * x * x * x); }

static double relu_one(double x) { return x > 0.0 || isnan(x) ? x : 0.0; }
static double gelu_one(double x) { return isinf(x) ? relu_one(x) : 0.5 * x * (1.0 + erf(x * SQRT_HALF)); }
static double gelu_tanh_one(double x) { return isinf(x) ? relu_one(x) : x / (1.0 + exp(-2.0 * gelu_inner(x))); }
static double silu_one(double x) { return isinf(x) ? relu_one(x) : x / (1.0 + exp(-x)); }

static double (*const values[])(double x) = {
    [OP_RELU] = relu_one, [OP_GELU] = gelu_one, [OP_GELU_TANH] = gelu_tanh_one, [OP_SILU] = silu_one, [OP_TANH] = tanh,
};

double activation_value(OpKind kind, double x) {
    assert(kind >= OP_RELU && kind <= OP_TANH);
    return values[kind](x);
}

/* ---- pieces: n <= PIECE numbers, in place ---- */

static void relu_piece(double *x, int n) {
    for (int i = 0; i < n; i++) x[i] = x[i] <= 0.0 ? 0.0 : x[i];
}

static void gelu_piece(double *x, int n) {
    for (int i = 0; i < n; i++) x[i] = gelu_one(x[i]);
}

/* x / (1 + exp(gate)): the logistic function of -gate times x. Where exp is inf the result is 0 also for x = -inf. */
static void gate_piece(double *x, double *gate, int n) {
    exp_shifted(gate, 0.0, gate, n);
    for (int i = 0; i < n; i++) x[i] = isinf(gate[i]) ? 0.0 : x[i] / (1.0 + gate[i]);
}

/* x (1 + tanh u) / 2 = x / (1 + exp(-2u)) */
static void gelu_tanh_piece(double *x, int n) {
    double gate[PIECE] = {0};
    for (int i = 0; i < n; i++) gate[i] = -2.0 * SQRT_2_PI * (x[i] + GELU_CUBIC * x[i] * x[i] * x[i]);
    gate_piece(x, gate, n);
}

static void silu_piece(double *x, int n) {
    double gate[PIECE] = {0};
    for (int i = 0; i < n; i++) gate[i] = -x[i];
    gate_piece(x, gate, n);
}

/* 1 - 2 / (exp(2x) + 1), and near 0, where that loses digits, the series x - x³/3 + 2x⁵/15 - … */
static double tanh_near_zero(double x) {
    double s = x * x, p = 21844.0 / 6081075.0;
    p = p * s - 1382.0 / 155925.0;
    p = p * s + 62.0 / 2835.0;
    p = p * s - 17.0 / 315.0;
    p = p * s + 2.0 / 15.0;
    p = p * s - 1.0 / 3.0;
    return x + x * s * p;
}

static void tanh_piece(double *x, int n) {
    double e[PIECE] = {0};
    for (int i = 0; i < n; i++) e[i] = 2.0 * x[i];
    exp_shifted(e, 0.0, e, n);
    for (int i = 0; i < n; i++) x[i] = fabs(x[i]) < 0.125 ? tanh_near_zero(x[i]) : 1.0 - 2.0 / (e[i] + 1.0);
}

static void each_piece(const OpRun *run, size_t first, size_t last, void (*piece)(double *x, int n)) {
    size_t columns = (size_t)run->in[0]->dim[run->in[0]->rank - 1], end = last * columns;
    double x[PIECE];
    float *out = run->data;
    for (size_t at = first * columns; at < end; at += PIECE) {
        int n = end - at < PIECE ? (int)(end - at) : PIECE;
        tensor_load(run->in[0], at, n, x);
        piece(x, n);
        for (int i = 0; i < n; i++) out[at + (size_t)i] = (float)x[i];
    }
}

void op_rows_relu(const OpRun *run, size_t first, size_t last) { each_piece(run, first, last, relu_piece); }
void op_rows_gelu(const OpRun *run, size_t first, size_t last) { each_piece(run, first, last, gelu_piece); }
void op_rows_gelu_tanh(const OpRun *run, size_t first, size_t last) { each_piece(run, first, last, gelu_tanh_piece); }
void op_rows_silu(const OpRun *run, size_t first, size_t last) { each_piece(run, first, last, silu_piece); }
void op_rows_tanh(const OpRun *run, size_t first, size_t last) { each_piece(run, first, last, tanh_piece); }

void op_rows_multiply(const OpRun *run, size_t first, size_t last) {
    size_t columns = (size_t)run->in[0]->dim[run->in[0]->rank - 1];
    const float *a = run->in[0]->data, *b = run->in[1]->data;
    float *out = run->data;
    for (size_t at = first * columns; at < last * columns; at++) out[at] = a[at] * b[at];
}
