/* Parts of a trace: what is dropped beyond a limit, computed again when needed, and what stays. */
#include <string.h>

#include "base/pool.h"
#include "net.h"

static const NetShape small = {.layers = 4, .d = 24, .heads = 3, .ff = 40, .vocabulary = 31, .positions = 64, .norm = NORM_LAYER,
                               .activation = ACT_GELU_TANH, .bias = true, .rollout = true, .all_logits = true, .position = POSITION_LEARNED};

static TensorId id_of(const Trace *trace, const char *id) {
    TensorId t = trace_find(trace, id);
    if (t == TENSOR_NONE) fail_msg("no tensor %s", id);
    return t;
}

static void without_a_limit(void **state) {
    (void)state;
    Net *net = net_open(&small);
    Trace *trace = net_run(net, 12, 0, &(CoreContext){0});
    int absent = 0;
    for (int t = 0; t < trace_tensor_count(trace); t++) absent += !trace_resident(trace, t);
    assert_int_equal(absent, 4 + 4); /* the lazy part: mixed and rollout of each layer */
    assert_false(trace_resident(trace, id_of(trace, "layers.3.rollout")));
    Err err = {0};
    assert_true(trace_need(trace, id_of(trace, "layers.3.rollout"), &(CoreContext){0}, &err));
    assert_true(trace_resident(trace, id_of(trace, "layers.0.mixed")));
    assert_int_equal(trace_bytes(trace), trace_bytes_resident(trace));
    net_close(net);
}

/* What was dropped comes back with the same bits, whatever is asked for in whatever order. */
static void need_gives_the_same_bits(void **state) {
    (void)state;
    Net *net = net_open(&small);
    Err err = {0};
    Trace *whole = net_run(net, 12, 0, &(CoreContext){0}), *tight = net_run(net, 12, 1, &(CoreContext){0});
    assert_false(trace_resident(tight, id_of(tight, "layers.0.weights")));
    assert_true(isnan(tensor_flat(trace_tensor(tight, id_of(tight, "layers.0.weights")), 0))); /* what is not there says so */
    assert_true(trace_resident(tight, id_of(tight, "layers.0.k")));
    assert_true(trace_resident(tight, id_of(tight, "layers.0.head_avg")));
    Explanation why;
    const int first[4] = {0};
    assert_false(trace_explain(tight, id_of(tight, "layers.0.weights"), first, &net->arena, &why, &err));
    assert_string_equal(err.message, "layers.0.weights is not in memory now.");
    err = (Err){0};
    assert_false(trace_explain(tight, id_of(tight, "layers.0.k"), first, &net->arena, &why, &err)); /* kept, but not what it is made from */
    err = (Err){0};
    for (int t = trace_tensor_count(tight) - 1; t >= 0; t--) {
        assert_true(trace_need(tight, t, &(CoreContext){0}, &err));
        assert_true(trace_resident(tight, t));
        assert_true(trace_explain(tight, t, first, &net->arena, &why, &err));
        assert_near(explanation_evaluate(&why), why.self.value, 1e-4);
        if (trace_resident(whole, t))
            assert_memory_equal(trace_tensor(tight, t)->data, trace_tensor(whole, t)->data, tensor_bytes(trace_tensor(whole, t)));
    }
    net_close(net);
}

static size_t bytes_of(const Trace *trace, const char *scope) {
    size_t bytes = 0;
    for (int t = 0; t < trace_tensor_count(trace); t++) {
        const Tensor *tensor = trace_tensor(trace, t);
        if (strncmp(tensor->id, scope, strlen(scope)) != 0 || trace_op(trace, tensor->op)->kind == OP_INPUT) continue;
        bytes += tensor_bytes(tensor);
    }
    return bytes;
}

/* Room for two layers beside what is kept: the two needed last are there, whichever they are. */
static void least_recently_needed(void **state) {
    (void)state;
    Net *net = net_open(&small);
    Err err = {0};
    CoreContext cx = {0};
    Trace *trace = net_run(net, 40, 1, &cx);
    size_t kept = trace_bytes_resident(trace);
    trace_set_limit(trace, kept + 2 * bytes_of(trace, "layers.1."));
    const char *ids[] = {"layers.0.weights", "layers.1.weights", "layers.2.weights", "layers.3.weights"};
    static const struct { int need; bool there[4]; } steps[] = {
        {1, {0, 1, 0, 0}}, {2, {0, 1, 1, 0}}, {1, {0, 1, 1, 0}}, {3, {0, 1, 0, 1}}, {0, {1, 0, 0, 1}}, {3, {1, 0, 0, 1}}, {2, {0, 0, 1, 1}},
    };
    for (size_t s = 0; s < sizeof steps / sizeof steps[0]; s++) {
        assert_true(trace_need(trace, id_of(trace, ids[steps[s].need]), &cx, &err));
        for (int layer = 0; layer < 4; layer++)
            if (trace_resident(trace, id_of(trace, ids[layer])) != steps[s].there[layer]) fail_msg("step %zu: layer %d", s + 1, layer + 1);
        assert_true(trace_bytes_resident(trace) <= kept + 2 * bytes_of(trace, "layers.1."));
    }
    net_close(net);
}

typedef struct { double last; int calls; } Told;

static void told(void *ctx, double done) {
    Told *t = ctx;
    assert_true(done >= t->last); /* a lazy part adds nothing */
    t->last = done;
    t->calls++;
}

static void progress(void **state) {
    (void)state;
    Net *net = net_open(&small);
    Told t = {0};
    net_run(net, 12, 0, &(CoreContext){.progress = told, .progress_ctx = &t});
    assert_true(t.calls >= 5);
    assert_near(t.last, 1, 1e-12);
    net_close(net);
}

static bool stop_after(void *ctx) { return --*(int *)ctx < 0; }

/* A part that was cancelled half-way is not there, and comes when asked for again. */
static void cancelling_need(void **state) {
    (void)state;
    Net *net = net_open(&small);
    Trace *whole = net_run(net, 12, 0, &(CoreContext){0}), *tight = net_run(net, 12, 1, &(CoreContext){0});
    TensorId weights = id_of(tight, "layers.1.weights"), hidden = id_of(tight, "layers.1.k");
    bool done = false;
    for (int asks = 0; !done; asks++) {
        Err err = {0};
        int left = asks;
        done = trace_need(tight, weights, &(CoreContext){.cancelled = stop_after, .cancel_ctx = &left}, &err);
        assert_true(trace_resident(tight, weights) == done);
        assert_true(trace_resident(tight, hidden)); /* kept: never lost */
        if (!done) assert_int_equal(err.code, ERR_CANCELLED);
    }
    net_compare(whole, tight, 0);
    net_close(net);
}

/* Every allocation fails once, with a limit and without: an error, never a crash; memory that is left is used. */
static void memory_runs_out(void **state) {
    (void)state;
    Net *net = net_open(&(NetShape){.layers = 2, .d = 8, .heads = 2, .ff = 8, .vocabulary = 9, .norm = NORM_RMS, .gated = true, .activation = ACT_SILU,
                                    .position = POSITION_ROPE_HALF});
    int failures = 0;
    bool good = false;
    for (size_t limit = 2048; !good; limit += 256) {
        Arena arena = {0};
        arena_init(&arena, limit);
        net->arena = arena;
        Err err = {0};
        NetworkSpec spec = {.n_stacks = 1, .head = HEAD_LOGITS, .predict_row = 3};
        spec.stack[0] = net_stack(net, 4);
        Trace *trace = trace_new(&net->arena);
        good = machine_network(trace, &spec, &net->source, &net->results, &err) && trace_run(trace, &(CoreContext){0}, &err);
        if (!good) {
            assert_int_equal(err.code, ERR_MEMORY);
            failures++;
        }
        arena_free(&net->arena);
    }
    assert_true(failures > 20);
    net_close(net);
}

/* A tensor that another part reads is kept by itself; what the last part alone reads is not. */
static void operands_of_other_parts_stay(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    float x[2] = {3, 4};
    Trace *trace = trace_new(&arena);
    TensorId in = trace_add_input(trace, "", &(TensorInput){.name = "x", .rank = 2, .dim = {1, 2}, .data = x}, &err);
    Op twice = {.kind = OP_ADD, .in = {in, in, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    TensorId ids[3];
    for (int p = 0; p < 3; p++) {
        trace_begin_part(trace, p == 1);
        TensorId inner = trace_add(trace, &twice, "", (const char *[]){"a", "b", "c"}[p], DTYPE_F32, 2, (int[]){1, 2}, &err);
        twice.in[0] = twice.in[1] = inner;
        ids[p] = trace_add(trace, &twice, "", (const char *[]){"aa", "bb", "cc"}[p], DTYPE_F32, 2, (int[]){1, 2}, &err);
        twice.in[0] = twice.in[1] = ids[p];
    }
    trace_set_limit(trace, 1);
    assert_true(trace_run(trace, &(CoreContext){0}, &err));
    assert_false(trace_resident(trace, trace_find(trace, "a")));
    assert_true(trace_resident(trace, ids[0]));
    assert_true(trace_resident(trace, ids[1])); /* lazy, but the last part reads it */
    assert_true(trace_resident(trace, ids[2]));
    assert_near(tensor_flat(trace_tensor(trace, ids[2]), 1), 4 * 64, 0);
    assert_true(trace_need(trace, trace_find(trace, "a"), &(CoreContext){0}, &err));
    assert_near(tensor_flat(trace_tensor(trace, trace_find(trace, "a")), 0), 6, 0);
    assert_false(trace_resident(trace, ids[2])); /* the limit holds one part */
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(without_a_limit), cmocka_unit_test(need_gives_the_same_bits),     cmocka_unit_test(least_recently_needed),
        cmocka_unit_test(progress),        cmocka_unit_test(cancelling_need),              cmocka_unit_test(memory_runs_out),
        cmocka_unit_test(operands_of_other_parts_stay),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
