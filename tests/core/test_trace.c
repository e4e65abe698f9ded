/* A trace as a structure: names, stages, order, many layers in one. */
#include <stdio.h>

#include "case.h"

static void stage_table(void **state) {
    (void)state;
    float x[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    c.spec.position.kind = POSITION_ROPE_HALF;
    c.spec.masks[c.spec.n_masks++] = (MaskSpec){.kind = MASK_CAUSAL};
    case_input(&c, "x", 2, 4, 2, 1, x);
    case_run(&c);
    static const struct { const char *name, *result; int ops; } want[STAGE_ATTENTION_COUNT] = {
        {"embed", "x", 0}, {"project", "q", 7},         {"scores", "scores", 1},   {"scale", "scaled", 1}, {"mask", "masked", 2},
        {"softmax", "weights", 4}, {"wsum", "head_out", 1}, {"concat", "concat", 1}, {"output", "out", 1},
    };
    assert_int_equal(trace_stage_count(c.trace), STAGE_ATTENTION_COUNT);
    for (int s = 0; s < STAGE_ATTENTION_COUNT; s++) {
        const Stage *stage = trace_stage(c.trace, s);
        assert_int_equal(stage->kind, s);
        assert_string_equal(stage_name(stage->kind), want[s].name);
        assert_string_equal(trace_tensor(c.trace, stage->result)->id, want[s].result);
        assert_int_equal(stage->n_ops, want[s].ops);
        assert_int_equal(trace_stage_find(c.trace, "", (StageKind)s), s);
    }
    assert_int_equal(trace_stage_of(c.trace, trace_find(c.trace, "x")), -1);
    assert_int_equal(trace_stage_of(c.trace, trace_find(c.trace, "mask")), STAGE_MASK);
    assert_int_equal(trace_stage_of(c.trace, trace_find(c.trace, "k_rope")), STAGE_PROJECT);
    assert_int_equal(trace_stage_find(c.trace, "layers.0", STAGE_MASK), -1);
    case_free(&c);
}

/* Given weights: the stages before have nothing to do and nothing to show. */
static void stages_without_work(void **state) {
    (void)state;
    Case c = case_new();
    case_input(&c, "weights", 2, 2, 3, 1, (float[]){0.5f, 0.5f, 0, 0.2f, 0.3f, 0.5f});
    case_run(&c);
    for (int s = 0; s < STAGE_ATTENTION_COUNT; s++) {
        assert_int_equal(trace_stage(c.trace, s)->n_ops, 0);
        assert_true((trace_stage(c.trace, s)->result != TENSOR_NONE) == (s == STAGE_SOFTMAX));
    }
    case_input(&c, "v", 2, 3, 1, 1, (float[]){1, 10, 100});
    case_run(&c);
    assert_near(case_at(&c, "out", 1, 0, 0), 53.2, 1e-5);
    case_free(&c);
}

/* Neither bias nor mask: the mask stage shows `scaled`, and softmax reads it. */
static void no_mask(void **state) {
    (void)state;
    Case c = case_new();
    c.spec.proj = PROJ_NONE;
    case_input(&c, "x", 2, 2, 1, 1, (float[]){1, 2});
    case_run(&c);
    const Stage *stage = trace_stage(c.trace, STAGE_MASK);
    assert_int_equal(stage->n_ops, 0);
    assert_string_equal(trace_tensor(c.trace, stage->result)->id, "scaled");
    assert_int_equal(trace_find(c.trace, "masked"), TENSOR_NONE);
    case_free(&c);
}

enum { LAYERS = 40 };

static void many_layers(void **state) {
    (void)state;
    float x[4] = {1, 2, 3, 4};
    char scope[32], id[64];
    Arena arena = {0};
    Err err = {0};
    Trace *trace = trace_new(&arena);
    TensorInput input = {.name = "x", .rank = 2, .dim = {2, 2, 1, 1}, .data = x};
    AttentionSpec spec = {.proj = PROJ_NONE};
    for (int layer = 0; layer < LAYERS; layer++) {
        snprintf(scope, sizeof scope, "layers.%d", layer);
        assert_true(machine_attention(trace, scope, &spec, &input, 1, &err));
    }
    assert_true(trace_run(trace, &(CoreContext){0}, &err));
    for (int t = 0; t < trace_tensor_count(trace); t++) {
        const Tensor *tensor = trace_tensor(trace, t);
        assert_int_equal(trace_find(trace, tensor->id), t);
        assert_int_equal(trace_op(trace, tensor->op)->out, t);
        assert_non_null(tensor->data);
    }
    snprintf(id, sizeof id, "layers.%d.weights", LAYERS - 1);
    const Tensor *weights = trace_tensor(trace, trace_find(trace, id));
    assert_string_equal(weights->name, "weights");
    assert_int_equal(trace_find(trace, "weights"), TENSOR_NONE);
    assert_int_equal(trace_stage_find(trace, "layers.7", STAGE_SOFTMAX), 7 * STAGE_ATTENTION_COUNT + STAGE_SOFTMAX);
    arena_free(&arena);
}

static void same_scope_twice(void **state) {
    (void)state;
    float x[4] = {1, 2, 3, 4};
    Arena arena = {0};
    Err err = {0};
    Trace *trace = trace_new(&arena);
    TensorInput input = {.name = "x", .rank = 2, .dim = {2, 2, 1, 1}, .data = x};
    AttentionSpec spec = {.proj = PROJ_NONE};
    assert_true(machine_attention(trace, "a", &spec, &input, 1, &err));
    assert_false(machine_attention(trace, "a", &spec, &input, 1, &err));
    assert_string_equal(err.message, "Two tensors are called a.x.");
    arena_free(&arena);
}

static void tables_are_full(void **state) {
    (void)state;
    for (int k = 0; k < OP_KIND_COUNT; k++) {
        assert_true(op_name((OpKind)k)[0] != '\0');
        assert_true(op_formula((OpKind)k)[0] != '\0');
        for (int other = 0; other < k; other++) assert_string_not_equal(op_name((OpKind)k), op_name((OpKind)other));
    }
    for (int k = 0; k < MASK_KIND_COUNT; k++) assert_non_null(mask_names[k]);
    for (int k = 0; k < POSITION_KIND_COUNT; k++) assert_non_null(position_names[k]);
}

static void shapes_and_offsets(void **state) {
    (void)state;
    float data[24];
    for (int n = 0; n < 24; n++) data[n] = (float)n;
    Tensor t = {.rank = 3, .dim = {2, 3, 4, 1}, .data = data};
    char text[64];
    assert_string_equal(tensor_shape_text(text, t.rank, t.dim), "[2, 3, 4]");
    assert_int_equal(tensor_count(&t), 24);
    assert_near(tensor_at(&t, (int[]){1, 2, 3, 0}), 23, 0);
    assert_near(tensor_at(&t, (int[]){1, 0, 2, 0}), 14, 0);
    assert_true(tensor_has(&t, (int[]){1, 2, 3, 0}));
    assert_false(tensor_has(&t, (int[]){2, 0, 0, 0}));
    assert_false(tensor_has(&t, (int[]){0, 0, -1, 0}));
    assert_false(tensor_has(&t, (int[]){0, 0, 0, 1}));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stage_table),      cmocka_unit_test(stages_without_work), cmocka_unit_test(no_mask),
        cmocka_unit_test(many_layers),      cmocka_unit_test(same_scope_twice),    cmocka_unit_test(tables_are_full),
        cmocka_unit_test(shapes_and_offsets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
