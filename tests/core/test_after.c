/* A trace that takes over the first rows of an earlier one equals one that computed everything. */
#include <stdio.h>

#include "base/pool.h"
#include "base/str.h"
#include "net.h"

/* Machines of all kinds: norms and their places, positions, gating, masks, stored weights, cross-attention. */
static const NetShape shapes[] = {
    {.layers = 3, .d = 24, .heads = 3, .ff = 40, .vocabulary = 31, .positions = 400, .norm = NORM_LAYER, .place = NORM_PRE,
     .activation = ACT_GELU_TANH, .bias = true, .rollout = true, .all_logits = true, .position = POSITION_LEARNED, .stored = NET_TURNED},
    {.layers = 2, .d = 24, .heads = 6, .kv_heads = 2, .ff = 40, .vocabulary = 31, .norm = NORM_RMS, .place = NORM_PRE, .activation = ACT_SILU,
     .gated = true, .rollout = true, .position = POSITION_ROPE_HALF, .stored = NET_F16},
    {.layers = 2, .d = 24, .heads = 4, .ff = 40, .vocabulary = 31, .norm = NORM_LAYER, .place = NORM_PARALLEL, .activation = ACT_GELU,
     .bias = true, .all_logits = true, .position = POSITION_ALIBI, .stored = NET_BF16_TURNED},
    {.layers = 2, .d = 24, .heads = 2, .ff = 40, .vocabulary = 31, .norm = NORM_LAYER, .place = NORM_POST, .activation = ACT_RELU,
     .position = POSITION_SINUSOIDAL, .masks = {{.kind = MASK_WINDOW, .left = 4, .right = 0}}, .n_masks = 1},
    {.layers = 2, .d = 24, .heads = 2, .ff = 40, .vocabulary = 31, .norm = NORM_RMS, .place = NORM_PRE, .activation = ACT_RELU,
     .position = POSITION_RELATIVE, .decoder = true, .source = 9, .rollout = true},
};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

static Trace *after(Net *net, int n, const Trace *before, int rows, size_t limit, const CoreContext *cx) {
    Trace *trace = net_build(net, n);
    Err err = {0};
    trace_set_limit(trace, limit);
    if (!trace_run_after(trace, before, rows, cx, &err)) fail_msg("%s", err.message);
    return trace;
}

static void compare_summaries(const Trace *a, const Trace *b) {
    int compared = 0;
    for (int t = 0; t < trace_tensor_count(a); t++) {
        const MapSummary *x = trace_summary(a, t), *y = trace_summary(b, t);
        assert_true((x != NULL) == (y != NULL));
        if (!x) continue;
        assert_int_equal(x->bin, y->bin);
        assert_int_equal(x->rows * x->cols, y->rows * y->cols);
        for (int i = 0; i < x->n_heads * x->rows * x->cols; i++) assert_near(x->picture[i], y->picture[i], 1e-6);
        for (int i = 0; i < x->n_heads * MEASURE_COUNT; i++) assert_near(x->measure[i], y->measure[i], 1e-6);
        for (int i = 0; x->hidden && i < x->rows * x->cols; i++) assert_int_equal(x->hidden[i], y->hidden[i]);
        compared++;
    }
    assert_true(compared >= 2);
}

/* Number of tokens before, of tokens now, and how many first ones are the same. */
static const struct { int before, now, rows; } steps[] = {
    {1, 2, 1}, {12, 13, 12}, {12, 13, 7}, {12, 20, 12}, {20, 12, 12}, {12, 12, 5}, {12, 12, 12}, {20, 9, 4}, {63, 66, 63}, {70, 70, 66}, {130, 131, 99},
};

static void equal(const NetShape *shape, size_t limit_before, size_t limit) {
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        Net *net = net_open(shape);
        int kept = net->ids[steps[s].rows];
        CoreContext cx = {0};
        net->ids[steps[s].rows] = (kept + 1) % shape->vocabulary; /* the first token that differs */
        Trace *before = net_run(net, steps[s].before, limit_before, &cx);
        net->ids[steps[s].rows] = kept;
        Trace *now = after(net, steps[s].now, before, steps[s].rows, limit, &cx), *whole = net_run(net, steps[s].now, 0, &cx);
        int compared = net_compare(whole, now, 1e-6), all = limit || limit_before ? 0 : net_compare(whole, whole, 0);
        if (!limit && !limit_before) assert_int_equal(compared, all);
        compare_summaries(whole, now);
        Err err = {0};
        for (int t = 0; t < trace_tensor_count(now); t++) { /* what was dropped is found again */
            assert_true(trace_need(now, t, &cx, &err));
            if (t % 29 == 0) net_compare(whole, now, 1e-6);
        }
        net_close(net);
    }
}

static void all_in_memory(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++) equal(&shapes[s], 0, 0);
}

/* Of the earlier trace only what it kept is there. */
static void only_the_kept(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES; s++) equal(&shapes[s], 1, 1);
    for (int s = 0; s < SHAPES; s++) equal(&shapes[s], 1, 0);
}

/* A word typed letter by letter, each trace after the one before, which is then given up. */
static void one_after_the_other(void **state) {
    (void)state;
    for (int limited = 0; limited < 2; limited++) {
        Net *net = net_open(&shapes[0]);
        CoreContext cx = {0};
        Arena arenas[2] = {{0}};
        Trace *trace = net_run(net, 5, (size_t)limited, &cx);
        arenas[0] = net->arena;
        for (int n = 6; n < 80; n++) {
            net->arena = (Arena){0};
            Trace *next = after(net, n, trace, n - 1, (size_t)limited, &cx);
            arenas[1] = net->arena;
            arena_free(&arenas[0]);
            arenas[0] = arenas[1];
            trace = next;
        }
        net->arena = (Arena){0};
        Trace *whole = net_run(net, 79, 0, &cx);
        net_compare(whole, trace, 1e-6);
        compare_summaries(whole, trace);
        arena_free(&arenas[0]);
        net_close(net);
    }
}

/* Rows that are taken over are not computed: numbers put into the earlier trace are found again. */
static void rows_are_really_taken_over(void **state) {
    (void)state;
    Net *net = net_open(&shapes[0]);
    CoreContext cx = {0};
    Trace *before = net_run(net, 12, 0, &cx);
    const char *marked[] = {"layers.0.q", "layers.1.ffn_hidden", "layers.1.scores", "layers.2.weights", "layers.2.row_sum", "logits"};
    for (size_t m = 0; m < sizeof marked / sizeof marked[0]; m++)
        ((float *)(uintptr_t)trace_tensor(before, trace_find(before, marked[m]))->data)[0] = 12345;
    Trace *now = after(net, 13, before, 12, 0, &cx);
    for (size_t m = 0; m < sizeof marked / sizeof marked[0]; m++)
        if (tensor_flat(trace_tensor(now, trace_find(now, marked[m])), 0) < 12000) fail_msg("%s was computed", marked[m]);
    net_close(net);
}

/* Also where only the kept is there: a mark in it is found again. */
static void kept_rows_are_really_taken_over(void **state) {
    (void)state;
    for (int s = 0; s < SHAPES - 1; s++) {
        Net *net = net_open(&shapes[s]);
        CoreContext cx = {0};
        Trace *before = net_run(net, 12, 1, &cx);
        int marks = 0;
        for (int t = 0; t < trace_tensor_count(before); t++) {
            const Tensor *tensor = trace_tensor(before, t);
            if (trace_resident(before, t) && tensor->rank == 3 && str_eq(tensor->name, "v")) ((float *)(uintptr_t)tensor->data)[0] = 12345;
        }
        Trace *now = after(net, 13, before, 12, 1, &cx);
        for (int t = 0; t < trace_tensor_count(now); t++) {
            const Tensor *tensor = trace_tensor(now, t);
            if (tensor->rank != 3 || !str_eq(tensor->name, "v")) continue;
            marks++;
            if (tensor_flat(tensor, 0) < 12000) fail_msg("machine %d: %s was computed", s + 1, tensor->id);
        }
        assert_int_equal(marks, shapes[s].layers);
        net_close(net);
    }
}

/* Another machine, no rows: everything is computed. */
static void nothing_to_take_over(void **state) {
    (void)state;
    Net *net = net_open(&shapes[0]), *other = net_open(&shapes[1]);
    CoreContext cx = {0};
    Trace *before = net_run(other, 12, 0, &cx), *whole = net_run(net, 13, 0, &cx);
    net_compare(whole, after(net, 13, before, 12, 0, &cx), 0);
    net_compare(whole, after(net, 13, whole, 0, 0, &cx), 0);
    net_close(net);
    net_close(other);
}

static void threads_give_the_same_bits(void **state) {
    (void)state;
    Pool *pool = pool_open(3);
    CoreContext alone = {0}, many = {.parallel_for = pool_for, .parallel_ctx = pool};
    NetShape wide = shapes[0];
    wide.d = 96, wide.ff = 400, wide.vocabulary = 900;
    for (int stored = 0; stored < NET_STORED_COUNT; stored++) {
        wide.stored = (NetStored)stored;
        Net *net = net_open(&wide);
        Trace *before = net_run(net, 40, 0, &alone), *same = net_run(net, 40, 0, &many);
        net_compare(before, same, 0);
        net_compare(after(net, 41, before, 40, 0, &alone), after(net, 41, before, 40, 0, &many), 0);
        net_compare(net_run(net, 41, 0, &alone), after(net, 41, before, 40, 0, &many), 1e-6);
        net_close(net);
    }
    pool_close(pool);
}

static bool stop_after(void *ctx) { return --*(int *)ctx < 0; }

static void cancelling(void **state) {
    (void)state;
    Net *net = net_open(&shapes[1]);
    CoreContext cx = {0};
    Trace *before[2] = {net_run(net, 9, 0, &cx), net_run(net, 9, 1, &cx)};
    for (int b = 0; b < 2; b++) {
        bool done = false;
        for (int asks = 0; !done; asks++) {
            Trace *trace = net_build(net, 10);
            Err err = {0};
            int left = asks;
            done = trace_run_after(trace, before[b], 9, &(CoreContext){.cancelled = stop_after, .cancel_ctx = &left}, &err);
            if (!done) assert_int_equal(err.code, ERR_CANCELLED);
        }
    }
    net_close(net);
}

/* One random change of a text of n tokens: how long it is then, and how many of its first rows stay. */
typedef struct {
    int now, rows;
} Change;

static Change next_change(Net *net, int n, uint64_t *state) {
    enum { LONGER, SHORTER, OTHER };
    int kind = (int)(random_next(state) % 4);
    if (kind == LONGER) return (Change){n + 1, n};
    if (kind == SHORTER) return (Change){n > 1 ? n - 1 : 1, n > 1 ? n - 2 : 0};
    int now = 1 + (int)(random_next(state) % 140), most = n < now ? n : now;
    int rows = (int)(random_next(state) % (unsigned)(most + 1));
    for (int i = rows; i < NET_TOKENS_MAX; i++) net->ids[i] = (int)(random_next(state) % (unsigned)net->shape.vocabulary);
    return (Change){now, rows};
}

static void look_at_some(Trace *trace, const CoreContext *cx) {
    Err err = {0};
    for (int t = 0; t < trace_tensor_count(trace); t += 7) assert_true(trace_need(trace, t, cx, &err));
}

/* Texts that grow, shrink and change in the middle, one taken over from the other, under all kinds of limits. */
static void chains_of_changes(void **state) {
    (void)state;
    static const size_t limits[] = {0, 1, 60000};
    uint64_t random = 99;
    CoreContext cx = {0};
    for (int round = 0; round < 80; round++) {
        NetShape shape = shapes[round % SHAPES];
        if (round % 3 == 1 && !shape.decoder) {
            shape.masks[0] = (MaskSpec){.kind = MASK_WINDOW, .left = 1 + round % 6, .right = 0};
            shape.n_masks = 1;
        }
        shape.rollout = round % 2;
        shape.all_logits = round % 5 == 0;
        Net *net = net_open(&shape);
        int n = 1 + (int)(random_next(&random) % 90);
        Trace *trace = net_run(net, n, random_next(&random) % 2, &cx);
        for (int step = 0; step < 6; step++) {
            Change change = next_change(net, n, &random);
            trace = after(net, change.now, trace, change.rows, limits[random_next(&random) % 3], &cx);
            Trace *whole = net_run(net, change.now, 0, &cx);
            if (random_next(&random) % 2) look_at_some(trace, &cx);
            net_compare(whole, trace, 2e-6);
            compare_summaries(whole, trace);
            n = change.now;
        }
        net_close(net);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chains_of_changes), cmocka_unit_test(all_in_memory),        cmocka_unit_test(only_the_kept),              cmocka_unit_test(one_after_the_other),
        cmocka_unit_test(nothing_to_take_over), cmocka_unit_test(rows_are_really_taken_over), cmocka_unit_test(threads_give_the_same_bits),
        cmocka_unit_test(cancelling),           cmocka_unit_test(kept_rows_are_really_taken_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
