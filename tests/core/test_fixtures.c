/* Every output tensor of every reference file at its tolerance; every element explained. */
#include <stdio.h>

#include "base/str.h"
#include "fixture.h"
#include "support/support.h"

/* One line names the file, tensor, place and both values. */
static bool compare(Fixture *f, const Trace *trace, const char *name) {
    const TensorInput *want = fixture_tensor(f, name);
    TensorId id = trace_find(trace, name);
    if (id == TENSOR_NONE) {
        print_error("%s: no tensor %s\n", f->name, name);
        return false;
    }
    const Tensor *got = trace_tensor(trace, id);
    double tolerance = fixture_tolerance(f, name);
    if (got->rank != want->rank || memcmp(got->dim, want->dim, (size_t)got->rank * sizeof got->dim[0]) != 0) {
        print_error("%s: %s has another shape\n", f->name, name);
        return false;
    }
    for (size_t n = 0; n < tensor_count(got); n++)
        if (!near_equal(tensor_flat(got, n), (double)want->data[n], tolerance)) {
            print_error("%s: %s[%zu] is %.9g, expected %.9g within %g\n", f->name, name, n, tensor_flat(got, n), (double)want->data[n], tolerance);
            return false;
        }
    return true;
}

static int compare_all(Fixture *f, const Trace *trace) {
    char *names = arena_strdup(&f->arena, fixture_meta(f, "outputs"));
    int bad = 0;
    for (char *save, *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) bad += !compare(f, trace, name);
    return bad;
}

static bool is_attention(Fixture *f) { return str_eq(fixture_meta(f, "kind"), "attention"); }

/* Calls `check` with a trace of each attention file; it returns how much was wrong. */
static void each_file(int (*check)(Fixture *f, const Trace *trace), int want_files) {
    Arena arena = {0};
    int count, files = 0, bad = 0;
    char **names = fixture_names(&arena, &count);
    for (int n = 0; n < count; n++) {
        Fixture f;
        fixture_open(&f, names[n]);
        if (is_attention(&f)) {
            files++;
            bad += check(&f, fixture_trace(&f, &(CoreContext){0}));
        }
        fixture_close(&f);
    }
    arena_free(&arena);
    assert_int_equal(bad, 0);
    assert_int_equal(files, want_files);
}

/* ---- explanations ---- */

/* Does the reference say what its tensor holds, and does it lie before the explained one? */
static bool leads_back(const Trace *trace, const Ref *ref, TensorId self) {
    if (ref->id == TENSOR_NONE) return true;
    if (ref->id < 0 || ref->id >= self) return false;
    const Tensor *tensor = trace_tensor(trace, ref->id);
    return tensor_has(tensor, ref->index) && near_equal(tensor_at(tensor, ref->index), ref->value, 0.0);
}

/* Terms lead to earlier tensors, or the trail ends in something given or in a rule with its parameters. Every
 * element of every tensor passes here, so every trail ends so. */
static bool trail_is_sound(const Trace *trace, const Explanation *x) {
    if (x->form == FORM_INPUT) return x->n_terms == 0;
    if (x->form == FORM_RULE) return x->n_terms == 0 && x->rule && x->rule[0] && x->rule_text && x->rule_text[0];
    for (int n = 0; n < x->n_terms; n++)
        if (!leads_back(trace, &x->terms[n].a, x->self.id) || !leads_back(trace, &x->terms[n].b, x->self.id)) return false;
    return x->n_terms > 0 || x->n_hidden > 0;
}

static int explain_tensor(Fixture *f, const Trace *trace, TensorId id, Arena *arena) {
    const Tensor *tensor = trace_tensor(trace, id);
    double tolerance = fixture_tolerance(f, tensor->name);
    if (strcmp(tensor->name, "row_max") == 0) tolerance = fixture_tolerance(f, "scaled");
    for (size_t n = 0; n < tensor_count(tensor); n++) {
        int index[TENSOR_RANK_MAX] = {0};
        size_t rest = n;
        for (int a = tensor->rank - 1; a >= 0; rest /= (size_t)tensor->dim[a--]) index[a] = (int)(rest % (size_t)tensor->dim[a]);
        Explanation x;
        Err err = {0};
        arena_reset(arena);
        if (!trace_explain(trace, id, index, arena, &x, &err)) fail_msg("%s", err.message);
        if (near_equal(explanation_evaluate(&x), tensor_flat(tensor, n), tolerance) && trail_is_sound(trace, &x)) continue;
        print_error("%s: %s[%zu] is %.9g, explained as %.9g (form %d)\n", f->name, tensor->id, n, tensor_flat(tensor, n),
                    explanation_evaluate(&x), (int)x.form);
        return 1;
    }
    return 0;
}

static int explain_all(Fixture *f, const Trace *trace) {
    Arena arena = {0};
    int bad = 0;
    for (int t = 0; t < trace_tensor_count(trace); t++) bad += explain_tensor(f, trace, t, &arena);
    arena_free(&arena);
    return bad;
}

/* Sinusoids alone: a table without attention. */
static void position_table(void **state) {
    (void)state;
    Fixture f;
    Err err = {0};
    fixture_open(&f, "16_pe_table_L64_d96.safetensors");
    Trace *trace = trace_new(&f.arena);
    Op op = {.kind = OP_SINUSOID, .in = {TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE}};
    trace_add(trace, &op, "", "pe", DTYPE_F32, 2, (int[]){64, 96}, &err);
    assert_true(trace_run(trace, &(CoreContext){0}, &err));
    assert_int_equal(compare_all(&f, trace), 0);
    assert_int_equal(explain_all(&f, trace), 0);
    fixture_close(&f);
}

static void every_explanation(void **state) {
    (void)state;
    each_file(explain_all, 83);
}

static void every_output(void **state) {
    (void)state;
    each_file(compare_all, 83);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output),
        cmocka_unit_test(every_explanation),
        cmocka_unit_test(position_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
