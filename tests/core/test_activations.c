/* Activations at their limits, and against the C library's functions in long double. */
#include <stdio.h>

#include "core/attn.h"
#include "support/support.h"

enum { MANY = 4001 };

static const OpKind kinds[] = {OP_RELU, OP_GELU, OP_GELU_TANH, OP_SILU, OP_TANH};

static void apply(OpKind kind, const float *x, int n, float *out) {
    Arena arena = {0};
    Err err = {0};
    Trace *trace = trace_new(&arena);
    TensorId in = trace_add_input(trace, "", &(TensorInput){.name = "x", .rank = 2, .dim = {1, n}, .data = x}, &err);
    Op op = {.kind = kind, .in = {in, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    TensorId y = trace_add(trace, &op, "", "y", DTYPE_F32, 2, (int[]){1, n}, &err);
    if (y == TENSOR_NONE || !trace_run(trace, &(CoreContext){0}, &err)) fail_msg("%s", err.message);
    memcpy(out, trace_tensor(trace, y)->data, (size_t)n * sizeof *out);
    for (int i = 0; i < n; i++) { /* and what is told is what was computed */
        Explanation told;
        Arena words = {0};
        if (!trace_explain(trace, y, (int[]){0, i, 0, 0}, &words, &told, &err)) fail_msg("%s", err.message);
        assert_near((double)(float)explanation_evaluate(&told), (double)out[i], 1e-7 * fabs(fmax((double)out[i], 1e-30)));
        arena_free(&words);
    }
    arena_free(&arena);
}

/* x, then relu, gelu, gelu by tanh, silu, tanh */
static void limits(void **state) {
    (void)state;
    static const float rows[][6] = {
        {INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, 1},
        {-INFINITY, 0, 0, 0, 0, -1},
        {NAN, NAN, NAN, NAN, NAN, NAN},
        {0, 0, 0, 0, 0, 0},
        {1e30f, 1e30f, 1e30f, 1e30f, 1e30f, 1},
        {-1e30f, 0, 0, 0, 0, -1},
        {3e38f, 3e38f, 3e38f, 3e38f, 3e38f, 1},
        {1e-30f, 1e-30f, 5e-31f, 5e-31f, 5e-31f, 1e-30f},
        {-1e-30f, 0, -5e-31f, -5e-31f, -5e-31f, -1e-30f},
        {-40, 0, 0, 0, -1.6993417e-16f, -1},
        {40, 40, 40, 40, 40, 1},
    };
    enum { ROWS = sizeof rows / sizeof rows[0] };
    float x[ROWS], out[ROWS];
    for (int r = 0; r < ROWS; r++) x[r] = rows[r][0];
    for (int k = 0; k < 5; k++) {
        apply(kinds[k], x, ROWS, out);
        for (int r = 0; r < ROWS; r++) assert_near((double)out[r], (double)rows[r][k + 1], 1e-6 * fabs((double)rows[r][k + 1]));
    }
}

static long double exact(OpKind kind, long double x) {
    const long double root = sqrtl(2 / acosl(-1));
    switch (kind) {
    case OP_RELU: return x > 0 ? x : 0;
    case OP_GELU: return x / 2 * erfcl(-x / sqrtl(2));
    case OP_GELU_TANH: return x / 2 * (1 + tanhl(root * (x + 0.044715L * x * x * x)));
    case OP_SILU: return x / (1 + expl(-x));
    default: return tanhl(x);
    }
}

/* Each within one place of the last digit of a float, over -10 … 10 and near 0. */
static void one_rounding(void **state) {
    (void)state;
    static float x[MANY], out[MANY];
    for (int scale = 0; scale < 3; scale++) {
        for (int i = 0; i < MANY; i++) x[i] = (float)(i - MANY / 2) / (scale == 0 ? 200.0f : scale == 1 ? 16000.0f : 4e9f);
        for (int k = 0; k < 5; k++) {
            apply(kinds[k], x, MANY, out);
            for (int i = 0; i < MANY; i++) {
                double want = (double)exact(kinds[k], (long double)x[i]);
                /* far to the left GELU is a small difference of large numbers: in double, too */
                double tolerance = 6.1e-8 * fabs(want) + (kinds[k] == OP_GELU || kinds[k] == OP_GELU_TANH ? 2e-15 : 1e-45);
                assert_near((double)out[i], want, tolerance);
            }
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(limits), cmocka_unit_test(one_rounding)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
