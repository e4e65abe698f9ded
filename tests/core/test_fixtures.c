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

static void every_output(void **state) {
    (void)state;
    each_file(compare_all, 83);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_output),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
