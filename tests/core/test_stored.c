/* Weights that stay as their file has them: half-precision numbers by their definition, other orders, groups; and products
 * with them, which must not depend on how they lie. */
#include <stdio.h>
#include <stdlib.h>

#include "base/pool.h"
#include "base/str.h"
#include "core/attn.h"
#include "support/support.h"

/* IEEE 754-2008 binary16: sign, exponent - 15 in 5 bits, fraction in 10. Value by hand. */
static const struct { unsigned bits; double value; } halves[] = {
    {0x0000, 0}, {0x3c00, 1}, {0xbc00, -1}, {0x3c01, 1 + 1.0 / 1024}, {0x4000, 2}, {0xc400, -4}, {0x3555, 0.333251953125},
    {0x0001, 0x1p-24}, {0x8001, -0x1p-24}, {0x0002, 0x1p-23}, {0x03ff, 1023 * 0x1p-24}, {0x0200, 0x1p-15}, {0x0400, 0x1p-14},
    {0x0401, 1025 * 0x1p-24}, {0x7bff, 65504}, {0xfbff, -65504}, {0x7c00, INFINITY}, {0xfc00, -INFINITY}, {0x7c01, NAN}, {0x7e00, NAN}, {0xffff, NAN},
};
/* bfloat16: the upper half of a float. */
static const struct { unsigned bits; double value; } bfloats[] = {
    {0x0000, 0}, {0x3f80, 1}, {0xbf80, -1}, {0x3f81, 1 + 1.0 / 128}, {0x4049, 3.140625}, {0x0001, 0x1p-133}, {0x0080, 0x1p-126}, {0x7f7f, 255 * 0x1p120},
    {0x7f80, INFINITY}, {0xff80, -INFINITY}, {0x7fc0, NAN}, {0x7f81, NAN},
};

static Tensor stored_row_of(const uint16_t *data, int n, StoredAs as) {
    return (Tensor){.rank = 2, .dim = {1, n, 1, 1}, .stored = {.data = data, .as = as, .row = n, .column = 1}};
}

static void numbers_by_hand(void **state) {
    (void)state;
    enum { HALVES = sizeof halves / sizeof halves[0], BFLOATS = sizeof bfloats / sizeof bfloats[0] };
    uint16_t bits[HALVES];
    for (int i = 0; i < HALVES; i++) bits[i] = (uint16_t)halves[i].bits;
    Tensor t = stored_row_of(bits, HALVES, STORED_F16);
    for (int i = 0; i < HALVES; i++) assert_near(tensor_at(&t, (int[4]){0, i, 0, 0}), halves[i].value, 0);
    assert_true(signbit(tensor_at(&(Tensor){.rank = 2, .dim = {1, 1}, .stored = {.data = (uint16_t[]){0x8000}, .as = STORED_F16}}, (int[4]){0})));
    for (int i = 0; i < BFLOATS; i++) bits[i] = (uint16_t)bfloats[i].bits;
    t = stored_row_of(bits, BFLOATS, STORED_BF16);
    for (int i = 0; i < BFLOATS; i++) assert_near(tensor_at(&t, (int[4]){0, i, 0, 0}), bfloats[i].value, 0);
}

/* Every half there is, one by one and many at once, against the definition. */
static void every_half(void **state) {
    (void)state;
    uint16_t *all = malloc(65536 * sizeof *all);
    double *loaded = malloc(65536 * sizeof *loaded);
    assert_true(all && loaded);
    for (int i = 0; i < 65536; i++) all[i] = (uint16_t)i;
    Tensor t = stored_row_of(all, 65536, STORED_F16);
    tensor_load(&t, 0, 65536, loaded);
    for (int i = 0; i < 65536; i++) {
        int exponent = i >> 10 & 31, fraction = i & 1023;
        double value = exponent == 31 ? (fraction ? (double)NAN : HUGE_VAL) : exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
        assert_near(loaded[i], i & 0x8000 ? -value : value, 0);
        if (i % 97 == 0) assert_near(tensor_flat(&t, (size_t)i), loaded[i], 0);
    }
    free(all);
    free(loaded);
}

/* Element (r, c) of a matrix [6, 3] is 10 r + c, wherever it lies. */
static void orders_and_groups(void **state) {
    (void)state;
    float dense[18], turned[18], grouped[64];
    for (int r = 0; r < 6; r++)
        for (int c = 0; c < 3; c++) {
            dense[r * 3 + c] = turned[c * 6 + r] = (float)(10 * r + c);
            grouped[5 + r / 2 * 20 + r % 2 * 4 + c] = (float)(10 * r + c); /* two rows a group, 20 apart, rows 4 apart */
        }
    const Stored ways[] = {
        {.data = dense, .row = 3, .column = 1}, {.data = turned, .row = 1, .column = 6},
        {.data = grouped + 5, .row = 4, .column = 1, .group = 2, .group_step = 20},
    };
    for (int w = 0; w < 3; w++) {
        Tensor t = {.rank = 2, .dim = {6, 3, 1, 1}, .stored = ways[w]};
        double all[18], some[7];
        tensor_load(&t, 0, 18, all);
        tensor_load(&t, 4, 7, some); /* from the middle of a row to the middle of another */
        for (int n = 0; n < 18; n++) {
            assert_near(all[n], 10 * (n / 3) + n % 3, 0);
            assert_near(tensor_at(&t, (int[4]){n / 3, n % 3, 0, 0}), 10 * (n / 3) + n % 3, 0);
            if (n >= 4 && n < 11) assert_near(some[n - 4], all[n], 0);
        }
    }
}

static void refusals(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    Trace *trace = trace_new(&arena);
    float x[2] = {0};
    assert_int_equal(trace_add_input(trace, "", &(TensorInput){.name = "w", .rank = 2, .dim = {1, 2}}, &err), TENSOR_NONE);
    assert_string_equal(err.message, "w has no numbers.");
    err = (Err){0};
    TensorInput vector = {.name = "b", .rank = 1, .dim = {2}, .stored = {.data = x, .row = 1, .column = 1}};
    assert_int_equal(trace_add_input(trace, "", &vector, &err), TENSOR_NONE);
    assert_string_equal(err.message, "b has 1 dimensions; a stored matrix has 2.");
    arena_free(&arena);
}

/* ---- products ---- */

typedef struct { int n, k, heads; } Size;

/* A matrix of halves in every way it may lie; as floats they are the same numbers. */
enum { WAYS = 7 };

typedef struct {
    Arena arena;
    TensorInput way[WAYS];
} Matrix;

static void *laid(Matrix *m, Size s, const uint16_t *halves_in, StoredAs as, ptrdiff_t row, ptrdiff_t column, int group, ptrdiff_t step, size_t room) {
    float *floats = ARENA_ARRAY(&m->arena, float, room);
    uint16_t *words = ARENA_ARRAY(&m->arena, uint16_t, room);
    for (int r = 0; r < s.n; r++)
        for (int c = 0; c < s.k; c++) {
            ptrdiff_t at = (group ? r / group * step + r % group * row : r * row) + c * column;
            uint16_t word = halves_in[(size_t)r * (size_t)s.k + (size_t)c];
            uint32_t bits = (uint32_t)word << 16;
            words[at] = word;
            memcpy(&floats[at], &bits, sizeof bits);
        }
    return as == STORED_F32 ? (void *)floats : words;
}

static void add_way(Matrix *m, int way, Size s, const uint16_t *numbers, StoredAs as, ptrdiff_t row, ptrdiff_t column, int group, ptrdiff_t step) {
    size_t room = (size_t)s.n * (size_t)s.k * 4;
    m->way[way] = (TensorInput){.name = "w", .rank = 2, .dim = {s.n, s.k, 1, 1}};
    m->way[way].stored = (Stored){.data = laid(m, s, numbers, as, row, column, group, step, room), .as = as, .row = row, .column = column,
                                  .group = group, .group_step = step};
}

static void make_matrix(Matrix *m, Size s) {
    uint16_t *numbers = ARENA_ARRAY(&m->arena, uint16_t, (size_t)s.n * (size_t)s.k);
    uint64_t seed = 3;
    for (int i = 0; i < s.n * s.k; i++) { /* bfloats: random fractions, magnitudes from 2^-4 to 1/2 */
        unsigned sign = random_unit(&seed) < 0.5 ? 0x8000 : 0, exponent = 123 + (unsigned)(random_unit(&seed) * 3);
        numbers[i] = (uint16_t)(sign | exponent << 7 | (unsigned)(random_unit(&seed) * 128));
    }
    int each = s.n / s.heads;
    add_way(m, 0, s, numbers, STORED_F32, s.k, 1, 0, 0);
    m->way[0].data = m->way[0].stored.data;
    add_way(m, 1, s, numbers, STORED_F32, s.k + 3, 1, 0, 0);
    add_way(m, 2, s, numbers, STORED_F32, 1, s.n + 5, 0, 0);
    add_way(m, 3, s, numbers, STORED_BF16, s.k, 1, 0, 0);
    add_way(m, 4, s, numbers, STORED_BF16, 1, s.n, 0, 0);
    add_way(m, 5, s, numbers, STORED_F32, s.k, 1, each, (ptrdiff_t)3 * each * s.k);
    add_way(m, 6, s, numbers, STORED_BF16, s.k, 1, each, (ptrdiff_t)3 * each * s.k);
}

static void float_product(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda, const float *b, int ldb,
                          float *c, int ldc) {
    ++*(int *)ctx;
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int s = 0; s < k; s++) sum += a[i * lda + s] * (b_transposed ? b[j * ldb + s] : b[s * ldb + j]);
            c[i * ldc + j] = sum;
        }
}

/* project and linear of one matrix; returns the trace. */
static Trace *multiply(Arena *arena, Size s, int m, const TensorInput *weight, const float *x, const float *bias, const CoreContext *cx) {
    Err err = {0};
    Trace *trace = trace_new(arena);
    TensorId a = trace_add_input(trace, "", &(TensorInput){.name = "x", .rank = 2, .dim = {m, s.k}, .data = x}, &err);
    TensorId w = trace_add_input(trace, "", weight, &err);
    TensorId b = bias ? trace_add_input(trace, "", &(TensorInput){.name = "b", .rank = 1, .dim = {s.n}, .data = bias}, &err) : TENSOR_NONE;
    Op op = {.kind = OP_PROJECT, .in = {a, w, b, TENSOR_NONE, TENSOR_NONE}};
    trace_add(trace, &op, "", "project", DTYPE_F32, 3, (int[]){s.heads, m, s.n / s.heads}, &err);
    op.kind = OP_LINEAR;
    trace_add(trace, &op, "", "linear", DTYPE_F32, 2, (int[]){m, s.n}, &err);
    if (!trace_run(trace, cx, &err)) fail_msg("%s", err.message);
    return trace;
}

/* Both results against sums in double over the numbers as they are read. */
static void check(const Trace *trace, Size s, int m, const float *x, const float *bias, double tolerance) {
    const Tensor *w = trace_tensor(trace, trace_find(trace, "w")), *linear = trace_tensor(trace, trace_find(trace, "linear"));
    const Tensor *project = trace_tensor(trace, trace_find(trace, "project"));
    int each = s.n / s.heads;
    double *row = malloc((size_t)s.k * sizeof *row);
    assert_non_null(row);
    for (int j = 0; j < s.n; j++) {
        tensor_load(w, (size_t)j * (size_t)s.k, s.k, row);
        for (int i = 0; i < m; i++) {
            double want = bias ? (double)bias[j] : 0;
            for (int k = 0; k < s.k; k++) want += (double)x[i * s.k + k] * row[k];
            assert_near(tensor_at(linear, (int[4]){i, j, 0, 0}), want, tolerance);
            assert_near(tensor_at(project, (int[4]){j / each, i, j % each, 0}), want, tolerance);
        }
    }
    free(row);
}

static bool same_bits(const Trace *a, const Trace *b, const char *id) {
    const Tensor *x = trace_tensor(a, trace_find(a, id)), *y = trace_tensor(b, trace_find(b, id));
    return memcmp(x->data, y->data, tensor_bytes(x)) == 0;
}

static const Size sizes[] = {{12, 5, 3}, {48, 20, 4}, {192, 300, 3}, {500, 70, 2}, {40, 1100, 5}};
static const int rows[] = {1, 2, 13, 70};

/* Plain loops: the same bits whatever the order; with a product and several threads the same within rounding. */
static void products(void **state) {
    (void)state;
    int calls = 0;
    Pool *pool = pool_open(3);
    const CoreContext contexts[] = {
        {0}, {.parallel_for = pool_for, .parallel_ctx = pool}, {.product = float_product, .product_ctx = &calls, .product_from = 1},
        {.product = float_product, .product_ctx = &calls, .product_from = 1, .product_one_thread = true},
    };
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; n++) {
        Matrix matrix = {0};
        uint64_t seed = 11;
        Size s = sizes[n];
        make_matrix(&matrix, s);
        float *x = ARENA_ARRAY(&matrix.arena, float, (size_t)(70 * s.k)), *bias = ARENA_ARRAY(&matrix.arena, float, (size_t)s.n);
        for (int i = 0; i < 70 * s.k; i++) x[i] = (float)(random_unit(&seed) - 0.5);
        for (int i = 0; i < s.n; i++) bias[i] = (float)(random_unit(&seed) - 0.5);
        for (size_t r = 0; r < sizeof rows / sizeof rows[0]; r++) {
            Trace *first = multiply(&matrix.arena, s, rows[r], &matrix.way[0], x, bias, &contexts[0]);
            check(first, s, rows[r], x, bias, 1e-6);
            for (int way = 0; way < WAYS; way++)
                for (int c = 0; c < 4; c++) {
                    Trace *trace = multiply(&matrix.arena, s, rows[r], &matrix.way[way], x, way % 2 ? NULL : bias, &contexts[c]);
                    if (way % 2) check(trace, s, rows[r], x, NULL, c < 2 ? 1e-6 : 1e-4);
                    else if (c < 2 && rows[r] > 1) assert_true(same_bits(first, trace, "linear") && same_bits(first, trace, "project"));
                    else check(trace, s, rows[r], x, bias, c < 2 ? 1e-6 : 1e-4);
                }
        }
        arena_free(&matrix.arena);
    }
    assert_true(calls > 100);
    pool_close(pool);
}

/* One row through a large matrix: the same bits however many threads. */
static void one_row_and_threads(void **state) {
    (void)state;
    Pool *pool = pool_open(4);
    Matrix matrix = {0};
    uint64_t seed = 5;
    Size s = {640, 321, 4};
    float x[321];
    for (int i = 0; i < 321; i++) x[i] = (float)(random_unit(&seed) - 0.5);
    make_matrix(&matrix, s);
    for (int way = 0; way < WAYS; way++) {
        Trace *alone = multiply(&matrix.arena, s, 1, &matrix.way[way], x, NULL, &(CoreContext){0});
        Trace *many = multiply(&matrix.arena, s, 1, &matrix.way[way], x, NULL, &(CoreContext){.parallel_for = pool_for, .parallel_ctx = pool});
        assert_true(same_bits(alone, many, "linear") && same_bits(alone, many, "project"));
        check(alone, s, 1, x, NULL, 1e-7 * 8);
    }
    arena_free(&matrix.arena);
    pool_close(pool);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_by_hand), cmocka_unit_test(every_half), cmocka_unit_test(orders_and_groups),
        cmocka_unit_test(refusals),        cmocka_unit_test(products),   cmocka_unit_test(one_row_and_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
