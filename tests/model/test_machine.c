/* The built-in models through the attention machine: what a user sees of them. */
#include "support/support.h"

#include "base/str.h"
#include "model/source.h"

static Arena arena;
static Lexicon *lexicon;

static int open_lexicon(void **state) {
    (void)state;
    Err err = {0};
    return lexicon_load(&arena, &lexicon, &err) ? 0 : -1;
}

static int close_lexicon(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

typedef struct {
    TokenizerKind tokenizer;
    const char *text, *source; /* source NULL: self-attention */
    SourceSpec spec;
    bool causal;
} Run;

static Trace *run(const Run *run) {
    TokenList queries, keys;
    Source s;
    Err err = {0};
    Trace *trace = trace_new(&arena);
    bool good = tokenize(run->tokenizer, run->text, lexicon, &arena, &queries, &err) &&
                (run->source == NULL || tokenize(run->tokenizer, run->source, lexicon, &arena, &keys, &err)) &&
                source_build(&run->spec, &queries, run->source != NULL ? &keys : NULL, lexicon, &arena, &s, &err);
    if (!good) fail_msg("%s", err.message);
    AttentionSpec spec = {.n_heads = s.n_heads, .n_kv_heads = s.n_kv_heads, .d_k = s.d_k, .d_v = s.d_v, .proj = PROJ_LINEAR,
                          .out_proj = true, .masks = {{.kind = MASK_CAUSAL}}, .n_masks = run->causal, .fill = -INFINITY,
                          .position = {.kind = run->spec.built_in_position ? POSITION_GIVEN : POSITION_NONE}};
    if (!machine_attention(trace, "", &spec, s.inputs, s.n_inputs, &err) || !trace_run(trace, &(CoreContext){0}, &err))
        fail_msg("%s", err.message);
    return trace;
}

static double at(const Trace *trace, const char *name, int a, int b, int c) {
    TensorId id = trace_find(trace, name);
    if (id == TENSOR_NONE) fail_msg("no tensor %s", name);
    return tensor_at(trace_tensor(trace, id), (int[4]){a, b, c, 0});
}

static const SourceSpec classroom = {.kind = MODEL_CLASSROOM, .built_in_position = true};

static void test_the_cat_sat(void **state) {
    (void)state;
    Trace *trace = run(&(Run){TOKENIZER_WORDS, "The cat sat on the mat", NULL, classroom, true});
    assert_near(at(trace, "weights", 1, 2, 1), 0.943, 0.0005);
    static const double previous[6] = {1, .97, .95, .95, .95, .95}, first[6] = {1, .97, .97, .97, .97, .97};
    for (int i = 0; i < 6; i++) {
        assert_near(at(trace, "weights", 0, i, i > 0 ? i - 1 : 0), previous[i], 0.006);
        assert_near(at(trace, "weights", 3, i, 0), first[i], 0.006);
    }
    assert_near(at(trace, "weights", 2, 4, 0), 0.5, 0.005); /* the looks at The and itself */
    assert_near(at(trace, "weights", 2, 4, 4), 0.5, 0.005);
    /* what the heads bring home: noun of sat, noun and det of cat, the first token's clocks */
    assert_near(at(trace, "out", 2, 0, 0), 0.943, 0.0005);
    assert_near(at(trace, "out", 1, 0, 0), 0.12, 0.005);
    assert_near(at(trace, "out", 1, 2, 0), 0.88, 0.005);
    assert_near(at(trace, "out", 0, 13, 0), 1, 1e-6);
    assert_near(at(trace, "out", 1, 12, 0), 0.01, 0.006);
    assert_near(at(trace, "scores", 0, 2, 1), 24, 1e-5);
    assert_near(at(trace, "x", 2, 13, 0), 0.399, 0.0005);
}

static void test_32_tokens(void **state) {
    (void)state;
    static const char text[] = "The old cat sat on the mat and a small dog slept near the door while the birds sang "
                               "softly in the tall tree behind our house , not from here .";
    for (int causal = 0; causal < 2; causal++) {
        Trace *trace = run(&(Run){TOKENIZER_WORDS, text, NULL, classroom, causal});
        assert_int_equal(trace_tensor(trace, trace_find(trace, "x"))->dim[0], 32);
        for (int i = 0; i < 32; i++) {
            if (i > 0) assert_true(at(trace, "weights", 0, i, i - 1) >= 0.85);
            assert_true(at(trace, "weights", 3, i, 0) >= 0.9);
        }
    }
}

static void test_chinese_and_cross(void **state) {
    (void)state;
    Trace *trace = run(&(Run){TOKENIZER_WORDS, "猫坐在垫子上", NULL, classroom, false});
    assert_near(at(trace, "weights", 1, 1, 0), exp(3.5) / (exp(3.5) + exp(2) + 3), 1e-6); /* 坐 finds 猫, then 垫子 */
    trace = run(&(Run){TOKENIZER_WORDS, "I love cats", "我爱猫!", classroom, false});
    assert_int_equal(trace_tensor(trace, trace_find(trace, "weights"))->dim[2], 4);
    assert_near(at(trace, "weights", 1, 1, 2), at(trace, "weights", 1, 1, 0), 1e-7); /* love finds 我 and 猫 */
    assert_true(at(trace, "weights", 1, 1, 2) > 0.4);
}

static void test_no_positions(void **state) {
    (void)state;
    Trace *trace = run(&(Run){TOKENIZER_WORDS, "dog bites man", NULL, {.kind = MODEL_CLASSROOM}, false});
    for (int i = 0; i < 3; i++) assert_near(at(trace, "weights", 0, 1, i), 1.0 / 3, 1e-7); /* no clock, no previous token */
    assert_near(at(trace, "weights", 1, 1, 0), at(trace, "weights", 1, 1, 2), 0);
}

static void test_other_models(void **state) {
    (void)state;
    Trace *trace = run(&(Run){TOKENIZER_SMILES, "C1CC1C2CC2", NULL, {.kind = MODEL_MOLECULE, .built_in_position = true}, false});
    assert_near(at(trace, "weights", 2, 1, 4), 0.5, 1e-5); /* ring 1 closes at the other 1 */
    SourceSpec random = {.kind = MODEL_RANDOM, .seed = 5, .d_model = 12, .n_heads = 4, .n_kv_heads = 2, .d_k = 5, .d_v = 2, .bias = true};
    trace = run(&(Run){TOKENIZER_CHARACTERS, "a b\na", "xyz", random, false});
    assert_int_equal(trace_tensor(trace, trace_find(trace, "out"))->dim[1], 12);
    trace = run(&(Run){TOKENIZER_WORDS, "a b a", NULL, {.kind = MODEL_IDENTITY, .d_model = 8, .n_heads = 2}, false});
    for (int d = 0; d < 4; d++) assert_near(at(trace, "q", 1, 2, d), at(trace, "x", 0, 4 + d, 0), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_cat_sat),  cmocka_unit_test(test_32_tokens),    cmocka_unit_test(test_chinese_and_cross),
        cmocka_unit_test(test_no_positions), cmocka_unit_test(test_other_models),
    };
    return cmocka_run_group_tests(tests, open_lexicon, close_lexicon);
}
