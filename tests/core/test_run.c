/* How a trace is computed: plugged-in products, parallel loops, cancelling, memory that runs out. */
#include <stdio.h>

#include "base/pool.h"
#include "case.h"

static float noise(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (float)((double)(*seed >> 40) / (double)(1 << 24)) - 0.5f;
}

static void random_input(Case *c, const char *name, int rows, int columns) {
    uint64_t seed = (uint64_t)name[0] * 31 + (uint64_t)name[2];
    float *data = ARENA_ARRAY(&c->arena, float, (size_t)rows * (size_t)columns);
    for (int n = 0; n < rows * columns; n++) data[n] = noise(&seed);
    case_input(c, name, 2, rows, columns, 1, data);
}

static Case sized(int L, int d, int heads) {
    Case c = case_new();
    c.spec.n_heads = heads;
    c.spec.out_proj = true;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    random_input(&c, "x_", L, d);
    c.inputs[0].name = "x";
    random_input(&c, "w_q", d, d);
    random_input(&c, "w_k", d, d);
    random_input(&c, "w_v", d, d);
    random_input(&c, "w_o", d, d);
    return c;
}

static Trace *run_with(Case *c, const CoreContext *cx) {
    Trace *trace = trace_new(&c->arena);
    Err err = {0};
    if (!machine_attention(trace, "", &c->spec, c->inputs, c->n_inputs, &err) || !trace_run(trace, cx, &err)) fail_msg("%s", err.message);
    return trace;
}

static void assert_same(const Trace *a, const Trace *b, double tolerance) {
    assert_int_equal(trace_tensor_count(a), trace_tensor_count(b));
    for (int t = 0; t < trace_tensor_count(a); t++) {
        const Tensor *x = trace_tensor(a, t), *y = trace_tensor(b, t);
        assert_int_equal(tensor_count(x), tensor_count(y));
        for (size_t n = 0; n < tensor_count(x); n++)
            if (!near_equal(tensor_flat(x, n), tensor_flat(y, n), tolerance))
                fail_msg("%s[%zu]: %.9g and %.9g", x->id, n, tensor_flat(x, n), tensor_flat(y, n));
    }
}

/* A product in float, as a library would do it; counts its calls. */
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

static void product_gives_the_same(void **state) {
    (void)state;
    int calls = 0;
    Case c = sized(33, 24, 3);
    random_input(&c, "b_q", 1, 24);
    c.inputs[5].rank = 1;
    c.inputs[5].dim[0] = 24;
    Trace *plain = run_with(&c, &(CoreContext){0});
    Trace *plugged = run_with(&c, &(CoreContext){.product = float_product, .product_ctx = &calls, .product_from = 1});
    assert_same(plain, plugged, 1e-5);
    assert_int_equal(calls, 3 + 3 + 3 + 1); /* q k v; scores, weighted sum by head; out */
    calls = 0;
    run_with(&c, &(CoreContext){.product = float_product, .product_ctx = &calls});
    assert_int_equal(calls, 0); /* small products stay in plain loops */
    case_free(&c);
}

/* v of a hidden key is NaN: the plugged-in product would spread it. */
static void product_and_nan(void **state) {
    (void)state;
    int calls = 0;
    float q[6] = {0}, v[3] = {1, 3, NAN};
    Case c = case_new();
    c.spec.proj = PROJ_GIVEN;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_PADDING, .pad_keys = 1};
    case_input(&c, "q", 3, 1, 3, 1, q);
    case_input(&c, "k", 3, 1, 3, 1, q);
    case_input(&c, "v", 3, 1, 3, 1, v);
    Trace *trace = run_with(&c, &(CoreContext){.product = float_product, .product_ctx = &calls, .product_from = 1});
    assert_near(tensor_flat(trace_tensor(trace, trace_find(trace, "out")), 0), 2, 0);
    assert_int_equal(calls, 1); /* scores alone */
    case_free(&c);
}

static void parallel_gives_the_same_bits(void **state) {
    (void)state;
    Pool *pool = pool_open(3);
    for (int f64 = 0; f64 < 2; f64++) {
        Case c = sized(150, 64, 4);
        c.spec.precision = f64 ? PRECISION_F64 : PRECISION_F32;
        c.spec.position.kind = POSITION_ALIBI;
        Trace *serial = run_with(&c, &(CoreContext){0});
        Trace *parallel = run_with(&c, &(CoreContext){.parallel_for = pool_for, .parallel_ctx = pool});
        assert_same(serial, parallel, 0);
        case_free(&c);
    }
    pool_close(pool);
}

/* Backwards: a loop that needs its turns in order would show. */
static void backwards(void *ctx, int count, void (*body)(void *arg, int i), void *arg) {
    ++*(int *)ctx;
    for (int i = count - 1; i >= 0; i--) body(arg, i);
}

static void loops_need_no_order(void **state) {
    (void)state;
    int loops = 0;
    Case c = sized(150, 64, 4);
    Trace *serial = run_with(&c, &(CoreContext){0});
    Trace *other = run_with(&c, &(CoreContext){.parallel_for = backwards, .parallel_ctx = &loops});
    assert_same(serial, other, 0);
    assert_true(loops > 5);
    case_free(&c);
}

/* A product that is not known to stay on its thread is never called inside a parallel loop. */
typedef struct { bool inside, called_inside; int calls; } Watch;

static void watched_loop(void *ctx, int count, void (*body)(void *arg, int i), void *arg) {
    Watch *watch = ctx;
    watch->inside = true;
    for (int i = 0; i < count; i++) body(arg, i);
    watch->inside = false;
}

static void watched_product(void *ctx, bool b_transposed, int m, int n, int k, const float *a, int lda, const float *b, int ldb,
                            float *c, int ldc) {
    Watch *watch = ctx;
    watch->called_inside |= watch->inside;
    float_product(&watch->calls, b_transposed, m, n, k, a, lda, b, ldb, c, ldc);
}

static void product_inside_loops(void **state) {
    (void)state;
    Case c = sized(100, 64, 4);
    for (int one_thread = 0; one_thread < 2; one_thread++) {
        Watch watch = {0};
        run_with(&c, &(CoreContext){.product = watched_product, .product_ctx = &watch, .product_from = 1, .product_one_thread = one_thread,
                                    .parallel_for = watched_loop, .parallel_ctx = &watch});
        assert_true(watch.calls > 0);
        assert_true(watch.called_inside == one_thread);
    }
    case_free(&c);
}

static bool stop_after(void *ctx) { return --*(int *)ctx < 0; }

static void cancelling(void **state) {
    (void)state;
    int finished = 0;
    for (int asks = 0; !finished; asks++) {
        int left = asks;
        Case c = sized(5, 4, 2);
        Trace *trace = trace_new(&c.arena);
        Err err = {0};
        assert_true(machine_attention(trace, "", &c.spec, c.inputs, c.n_inputs, &err));
        if (trace_run(trace, &(CoreContext){.cancelled = stop_after, .cancel_ctx = &left}, &err)) finished = asks;
        else assert_int_equal(err.code, ERR_CANCELLED);
        case_free(&c);
    }
    assert_true(finished >= 10); /* asked at least between the ops */
}

/* Every allocation that may fail fails once: an error, never a crash, and no half-run trace. */
static void memory_runs_out(void **state) {
    (void)state;
    int failures = 0;
    size_t needed = 0;
    for (size_t limit = 256; !needed; limit += 32) { /* 256: room for the empty trace itself */
        Case c = sized(5, 4, 2);
        Arena arena = {0};
        arena_init(&arena, limit);
        Trace *trace = trace_new(&arena);
        Err err = {0};
        bool ok = machine_attention(trace, "", &c.spec, c.inputs, c.n_inputs, &err) && trace_run(trace, &(CoreContext){0}, &err);
        if (ok) needed = limit;
        else {
            assert_int_equal(err.code, ERR_MEMORY);
            failures++;
        }
        arena_free(&arena);
        case_free(&c);
    }
    assert_true(failures > 20);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(product_gives_the_same), cmocka_unit_test(product_and_nan),      cmocka_unit_test(parallel_gives_the_same_bits),
        cmocka_unit_test(loops_need_no_order),    cmocka_unit_test(product_inside_loops), cmocka_unit_test(cancelling),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
