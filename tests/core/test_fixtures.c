/* Every output tensor of every reference file at its tolerance; every element explained. */
#include <stdio.h>

#include "base/str.h"
#include "checks.h"
#include "support/support.h"

static int compare_all(Fixture *f, const Trace *trace) {
    char *names = arena_strdup(&f->arena, fixture_meta(f, "outputs"));
    int bad = 0;
    for (char *save, *name = strtok_r(names, " ", &save); name; name = strtok_r(NULL, " ", &save)) bad += !check_tensor(f, trace, name, name);
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

static int explain_tensor(Fixture *f, const Trace *trace, TensorId id, Arena *arena) {
    const Tensor *tensor = trace_tensor(trace, id);
    const char *name = strcmp(tensor->name, "row_max") == 0 ? "scaled" : tensor->name;
    return explain_every_element(f->name, trace, id, fixture_tolerance(f, name), arena);
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
