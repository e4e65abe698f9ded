/* The plugged-in matrix product: the same numbers as the plain loops, on the thread that calls it. */
#include "support/support.h"

#include <dirent.h>
#include <math.h>

#include "app/product.h"
#include "base/pool.h"
#include "base/str.h"
#include "core/attn.h"

enum { LENGTH = 160, WIDTH = 128, HEADS = 4 };

static TensorInput made_up(Arena *arena, const char *name, int rows, double scale, uint64_t *state) {
    float *data = ARENA_ARRAY(arena, float, (size_t)rows * WIDTH);
    for (int i = 0; i < rows * WIDTH; i++) data[i] = (float)(scale * (2 * random_unit(state) - 1));
    return (TensorInput){.name = name, .rank = 2, .dim = {rows, WIDTH}, .data = data};
}

static Trace *compute(Arena *arena, const CoreContext *cx) {
    AttentionSpec spec = {.n_heads = HEADS, .proj = PROJ_LINEAR, .out_proj = true, .fill = -INFINITY, .masks = {{.kind = MASK_CAUSAL}}, .n_masks = 1};
    uint64_t state = 7;
    TensorInput inputs[] = {made_up(arena, "x", LENGTH, 1, &state), made_up(arena, "w_q", WIDTH, 0.1, &state), made_up(arena, "w_k", WIDTH, 0.1, &state),
                            made_up(arena, "w_v", WIDTH, 0.1, &state), made_up(arena, "w_o", WIDTH, 0.1, &state)};
    Err err = {0};
    Trace *trace = trace_new(arena);
    if (!machine_attention(trace, "", &spec, inputs, 5, &err) || !trace_run(trace, cx, &err)) fail_msg("%s", err.message);
    return trace;
}

static int thread_count(void) {
    DIR *tasks = opendir("/proc/self/task");
    int n = 0;
    assert_non_null(tasks);
    for (const struct dirent *entry = readdir(tasks); entry; entry = readdir(tasks)) n += entry->d_name[0] != '.';
    closedir(tasks);
    return n;
}

static void the_numbers_are_those_of_plain_loops(void **unused) {
    (void)unused;
    Arena arena = {0};
    Pool *pool = pool_open(3);
    CoreContext plain = {0}, fast = {.parallel_for = pool_for, .parallel_ctx = pool, .product_from = 1};
    product_plug(&fast);
    Trace *want = compute(&arena, &plain), *got = compute(&arena, &fast);
    for (TensorId id = 0; id < trace_tensor_count(want); id++) {
        const Tensor *a = trace_tensor(want, id), *b = trace_tensor(got, id);
        for (size_t i = 0; i < tensor_count(a); i++)
            assert_near(tensor_flat(b, i), tensor_flat(a, i), 1e-5 * (1 + fabs(tensor_flat(a, i))));
    }
    pool_close(pool);
    arena_free(&arena);
}

/* Threads of its own beside the program's would only be in their way. */
static void it_stays_on_the_thread_that_calls(void **unused) {
    (void)unused;
    Arena arena = {0};
    CoreContext cx = {.product_from = 1};
    product_plug(&cx);
    int before = thread_count();
    compute(&arena, &cx);
    if (cx.product_one_thread) assert_int_equal(thread_count(), before);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_stays_on_the_thread_that_calls),
        cmocka_unit_test(the_numbers_are_those_of_plain_loops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
