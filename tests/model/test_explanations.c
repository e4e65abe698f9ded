/* The invariant of explanations on whole models: a sample of elements of every tensor of every layer is what its terms give, and
 * every trail ends in a weight, a token's row or a rule. */
#include "model_kit.h"

#include <stdio.h>

#include "base/str.h"

enum { SAMPLE = 24, TRAIL_LONGEST = 2000 };

static const int ids[] = {1, 2, 0, 2, 1, 1, 0}, decoder_ids[] = {2, 0, 1, 1};

/* Numbers are rounded to float once; sums of many terms by as much as all of them together. */
static double rounding_of(const Explanation *x, double value) {
    double size = fmax(1.0, fabs(value));
    for (int n = 0; n < x->n_terms; n++) size += isfinite(x->terms[n].value) ? fabs(x->terms[n].value) : 0.0;
    return 3e-7 * size;
}

static bool refers(const Trace *trace, const Ref *ref) {
    if (ref->id == TENSOR_NONE) return true;
    const Tensor *tensor = trace_tensor(trace, ref->id);
    return tensor_has(tensor, ref->index) && near_equal(tensor_at(tensor, ref->index), ref->value, 0.0);
}

static bool is_sound(const Trace *trace, const Explanation *x, double value) {
    for (int n = 0; n < x->n_terms; n++)
        if (!refers(trace, &x->terms[n].a) || !refers(trace, &x->terms[n].b)) return false;
    return near_equal(explanation_evaluate(x), value, rounding_of(x, value));
}

static void explain(Model *model, TensorId id, const int *index, Arena *words, Explanation *out) {
    Err err = {0};
    if (!trace_need(model->trace, id, &(CoreContext){0}, &err) || !trace_explain(model->trace, id, index, words, out, &err))
        fail_msg("%s", err.message);
}

static void place_of(const Tensor *tensor, size_t offset, int index[TENSOR_RANK_MAX]) {
    for (int a = TENSOR_RANK_MAX - 1; a >= 0; a--) {
        size_t size = a < tensor->rank ? (size_t)tensor->dim[a] : 1;
        index[a] = (int)(offset % size);
        offset /= size;
    }
}

/* Elements of one tensor, spread over all of it. */
static int explain_tensor(Model *model, const char *name, TensorId id, Arena *words) {
    const Tensor *tensor = trace_tensor(model->trace, id);
    size_t count = tensor_count(tensor), step = count / SAMPLE + 1;
    for (size_t n = 0; n < count; n += step) {
        Explanation x;
        int index[TENSOR_RANK_MAX];
        arena_reset(words);
        place_of(tensor, n, index);
        explain(model, id, index, words, &x);
        if (is_sound(model->trace, &x, tensor_flat(tensor, n))) continue;
        print_error("%s: %s[%zu] is %.9g, explained as %.9g (form %d)\n", name, tensor->id, n, tensor_flat(tensor, n), explanation_evaluate(&x),
                    (int)x.form);
        return 1;
    }
    return 0;
}

/* From one number to the operand that counts most, and so on to where it began. */
static void follow(Model *model, TensorId id, Arena *words) {
    Ref at = {.id = id};
    for (int steps = 0; steps < TRAIL_LONGEST; steps++) {
        Explanation x;
        arena_reset(words);
        explain(model, at.id, at.index, words, &x);
        const Ref *next = explanation_source(&x);
        if (!next) {
            assert_true(x.form == FORM_INPUT || x.form == FORM_RULE);
            assert_true(steps >= 1);
            return;
        }
        assert_true(next->id < at.id);
        at = *next;
    }
    fail_msg("a trail without an end");
}

static void explain_model(const char *folder) {
    Arena words = {0};
    Model model = model_open(folder);
    int bad = 0;
    model_run(&model, ids, 7, decoder_ids, 4);
    for (int t = 0; t < trace_tensor_count(model.trace); t++) bad += explain_tensor(&model, folder, t, &words);
    for (int s = 0; s < 2; s++)
        if (model.results.stack[s].final != TENSOR_NONE) follow(&model, model.results.stack[s].final, &words);
    if (model.results.logits != TENSOR_NONE) follow(&model, model.results.logits, &words);
    if (model.results.pooled != TENSOR_NONE) follow(&model, model.results.pooled, &words);
    model_close(&model);
    arena_free(&words);
    assert_int_equal(bad, 0);
}

static void own_folders(void **state) {
    (void)state;
    Arena arena = {0};
    for (int i = 0; model_own[i]; i++) explain_model(arena_printf(&arena, "%s/%s", data_path("models"), model_own[i]));
    arena_free(&arena);
}

static void explain_shared(const char *set, const char *const *names) {
    Arena arena = {0};
    if (!models_path(set)) skip();
    for (int i = 0; names[i]; i++) explain_model(models_path(arena_printf(&arena, "%s/%s", set, names[i])));
    arena_free(&arena);
}

static void random_folders(void **state) {
    (void)state;
    explain_shared("random", model_random);
}

static void trained_folders(void **state) {
    (void)state;
    explain_shared("trained", model_trained);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(own_folders), cmocka_unit_test(random_folders), cmocka_unit_test(trained_folders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
