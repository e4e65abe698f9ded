/* Every tensor of every layer of whole models: a sample of its elements is explained by terms that give its value and lead back to
 * earlier tensors, to weights or to a rule. */
#include "model_kit.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"

enum { SAMPLE = 24 };

/* Does the reference lie before the explained tensor and hold what it says? */
static bool leads_back(const Trace *trace, const Ref *ref, TensorId self) {
    if (ref->id == TENSOR_NONE) return true;
    if (ref->id < 0 || ref->id >= self) return false;
    const Tensor *tensor = trace_tensor(trace, ref->id);
    return tensor_has(tensor, ref->index) && near_equal(tensor_at(tensor, ref->index), ref->value, 0.0);
}

static bool is_sound(const Trace *trace, const Explanation *x) {
    if (x->form == FORM_INPUT) return x->n_terms == 0;
    if (x->form == FORM_RULE) return x->rule && x->rule[0] && x->rule_text && x->rule_text[0];
    for (int n = 0; n < x->n_terms; n++)
        if (!leads_back(trace, &x->terms[n].a, x->self.id) || !leads_back(trace, &x->terms[n].b, x->self.id)) return false;
    return x->n_terms > 0 || x->n_hidden > 0;
}

/* The error that float sums of these terms may have. */
static double tolerance_of(const Explanation *x, double value) {
    double sum = fmax(1, fabs(value));
    for (int n = 0; n < x->n_terms; n++)
        if (isfinite(x->terms[n].value)) sum += fabs(x->terms[n].value);
    return 1e-6 * sum;
}

static int explain_sample(const char *model, const Trace *trace, TensorId id, uint64_t *state, Arena *arena) {
    const Tensor *tensor = trace_tensor(trace, id);
    size_t count = tensor_count(tensor);
    for (size_t n = 0; n < (count < SAMPLE ? count : SAMPLE); n++) {
        size_t at = count <= SAMPLE ? n : (size_t)(random_unit(state) * (double)count), rest = at;
        int index[TENSOR_RANK_MAX] = {0};
        Explanation x;
        Err err = {0};
        for (int a = tensor->rank - 1; a >= 0; rest /= (size_t)tensor->dim[a--]) index[a] = (int)(rest % (size_t)tensor->dim[a]);
        arena_reset(arena);
        if (!trace_explain(trace, id, index, arena, &x, &err)) fail_msg("%s: %s: %s", model, tensor->id, err.message);
        double value = tensor_flat(tensor, at), got = explanation_evaluate(&x);
        if (near_equal(got, value, tolerance_of(&x, value)) && is_sound(trace, &x)) continue;
        print_error("%s: %s[%zu] is %.9g, explained as %.9g (form %d)\n", model, tensor->id, at, value, got, (int)x.form);
        return 1;
    }
    return 0;
}

static void explain_model(const char *folder, int *tensors) {
    Model model = model_open(folder);
    const CheckpointInfo *info = checkpoint_info(model.checkpoint);
    Arena arena = {0};
    int ids[14], decoder_ids[9], bad = 0;
    uint64_t state = 5;
    for (int i = 0; i < 14; i++) ids[i] = (int)(random_unit(&state) * info->vocabulary);
    for (int i = 0; i < 9; i++) decoder_ids[i] = (int)(random_unit(&state) * info->vocabulary);
    int places = info->stack[0].n_positions;
    model_run(&model, ids, places > 0 && places < 14 ? places : 14, decoder_ids, 9);
    for (int t = 0; t < trace_tensor_count(model.trace); t++, ++*tensors)
        if (trace_resident(model.trace, t)) bad += explain_sample(info->name, model.trace, t, &state, &arena);
    assert_int_equal(bad, 0);
    assert_true(trace_tensor_count(model.trace) > 60);
    arena_free(&arena);
    model_close(&model);
}

static void test_own_folders(void **unused) {
    (void)unused;
    char folder[1200];
    int tensors = 0;
    for (int i = 0; model_own[i]; i++) {
        snprintf(folder, sizeof folder, "%s/%s", data_path("models"), model_own[i]);
        explain_model(folder, &tensors);
    }
    assert_true(tensors > 1000);
}

static void explain_shared(const char *set, const char *const *names) {
    char folder[1200];
    int tensors = 0;
    for (int i = 0; names[i]; i++) {
        snprintf(folder, sizeof folder, "%s/%s", set, names[i]);
        const char *path = models_path(folder);
        if (!path) {
            skip();
            return;
        }
        snprintf(folder, sizeof folder, "%s", path);
        explain_model(folder, &tensors);
    }
}

static void test_random_folders(void **unused) {
    (void)unused;
    explain_shared("random", model_random);
}

static void test_trained_folders(void **unused) {
    (void)unused;
    explain_shared("trained", model_trained);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_own_folders), cmocka_unit_test(test_random_folders), cmocka_unit_test(test_trained_folders)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
