/* Every model folder against reference numbers made by the published modelling code: probabilities within 1e-4, hidden states within
 * 1e-3, logits within 2e-3. */
#include "model_kit.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "model/safetensors.h"

static Arena arena;

static int clean(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

/* All tensors of one file agree, and there are at least `least`. */
static int check_file(const Checkpoint *checkpoint, const char *path, int least) {
    CheckpointRow *rows;
    int n, bad = 0;
    Err err = {0};
    char text[1200];
    if (!checkpoint_check(checkpoint, path, -1, &(CoreContext){0}, &arena, &rows, &n, &err)) fail_msg("%s", err_format(&err, text, sizeof text));
    for (int i = 0; i < n; i++) {
        if (!rows[i].differs && !rows[i].unknown) continue;
        print_error("%s: %s %s %g\n", path, rows[i].name, rows[i].unknown ? "is unknown" : rows[i].problem ? rows[i].problem : "differs by", rows[i].difference);
        bad++;
    }
    if (n < least) fail_msg("%s: only %d tensors", path, n);
    return bad;
}

static void test_own_folders(void **state) {
    (void)state;
    int bad = 0;
    for (int i = 0; model_own[i]; i++) {
        const char *folder = arena_printf(&arena, "%s/%s", data_path("models"), model_own[i]);
        Model model = model_open(folder);
        bad += check_file(model.checkpoint, path_join(&arena, folder, "ref.safetensors"), 2);
        model_close(&model);
    }
    assert_int_equal(bad, 0);
}

/* Every tensor of every reference of every model of a set. */
static void check_shared(const char *set, const char *const *names) {
    if (!models_path(set) || !models_path("refs")) skip();
    int files = 0, bad = 0;
    for (int i = 0; names[i]; i++) {
        Model model = model_open(models_path(arena_printf(&arena, "%s/%s", set, names[i])));
        const char *refs = arena_strdup(&arena, models_path(arena_printf(&arena, "refs/%s", names[i])));
        char **list = NULL;
        int n = 0;
        Err err = {0};
        if (!file_list(refs, &arena, &list, &n, &err)) fail_msg("%s", err.message);
        for (int k = 0; k < n; k++) {
            if (!str_ends(list[k], ".safetensors")) continue;
            bad += check_file(model.checkpoint, path_join(&arena, refs, list[k]), 12);
            files++;
        }
        model_close(&model);
    }
    assert_int_equal(bad, 0);
    assert_true(files >= 11);
}

static void test_random_folders(void **state) {
    (void)state;
    check_shared("random", model_random);
}

static void test_trained_folders(void **state) {
    (void)state;
    check_shared("trained", model_trained);
}

/* ---- the comparer itself ---- */


/* A copy of a folder's reference with one changed byte pattern. */
static CheckpointRow *check_spoilt(const char *from, const char *to, size_t length, double tolerance, int *n) {
    const char *folder = model_copy("tiny-gpt2", "spoilt", &arena);
    size_t size;
    char *bytes = model_read(folder, "ref.safetensors", &size, &arena), *at = memmem(bytes, size, from, length);
    assert_non_null(at);
    memcpy(at, to, length);
    model_write(folder, "ref.safetensors", bytes, size);
    Model model = model_open(folder);
    CheckpointRow *rows = NULL;
    Err err = {0};
    if (!checkpoint_check(model.checkpoint, path_join(&arena, folder, "ref.safetensors"), tolerance, &(CoreContext){0}, &arena, &rows, n, &err))
        fail_msg("%s", err.message);
    model_close(&model);
    return rows;
}

static void test_names_that_nobody_knows(void **state) {
    (void)state;
    int n;
    CheckpointRow *rows = check_spoilt("\"hidden.2\"", "\"hodden.2\"", 10, -1, &n);
    assert_int_equal(n, 2);
    assert_true(rows[1].unknown && !rows[1].differs); /* last */
    assert_string_equal(rows[1].name, "hodden.2");
    assert_false(rows[0].unknown || rows[0].differs);
    rows = check_spoilt("\"hidden.2\"", "\"hidden.3\"", 10, -1, &n); /* behind the last layer */
    assert_true(rows[1].unknown);
    rows = check_spoilt("\"hidden.2\"", "\"hidden.1\"", 10, -1, &n); /* another layer's: other numbers */
    assert_true(rows[0].differs || rows[1].differs);
}

static void test_tolerance_zero_finds_differences(void **state) {
    (void)state;
    int n;
    CheckpointRow *rows = check_spoilt("\"hidden.2\"", "\"hidden.2\"", 10, 0, &n);
    assert_true(rows[0].differs && rows[1].differs);
    assert_true(rows[0].difference > 0 && rows[0].difference < 1e-5);
    rows = check_spoilt("\"hidden.2\"", "\"hidden.2\"", 10, 1e-4, &n);
    assert_false(rows[0].differs || rows[1].differs);
}

/* A shape that does not fit is told for its tensor; the others are compared. */
static void test_shape_that_does_not_fit(void **state) {
    (void)state;
    int n;
    CheckpointRow *rows = check_spoilt("[22,48]", "[48,22]", 7, -1, &n);
    assert_int_equal(n, 2);
    int wrong = rows[0].problem ? 0 : 1;
    assert_true(rows[wrong].differs && rows[wrong].problem);
    assert_non_null(strstr(rows[wrong].problem, "[48, 22] in the file, [22, 48] computed"));
    assert_false(rows[1 - wrong].differs);
}

/* One changed number is found, with its place and both values. */
static void test_one_number(void **state) {
    (void)state;
    const char *folder = model_copy("tiny-gpt2", "one_number", &arena);
    const char *path = path_join(&arena, folder, "ref.safetensors");
    size_t size;
    char *bytes = model_read(folder, "ref.safetensors", &size, &arena);
    SafetensorsHeader header;
    Err err = {0};
    assert_true(safetensors_header(bytes, size, path, false, &arena, &header, &err));
    const SafetensorsEntry *entry = safetensors_entry(&header, "layers.1.attn");
    float number = 0.5f;
    size_t at = (size_t)(entry->data - (const unsigned char *)bytes) + 4 * (size_t)((2 * 22 + 7) * 22 + 3);
    memcpy(bytes + at, &number, sizeof number);
    model_write(folder, "ref.safetensors", bytes, size);
    Model model = model_open(folder);
    CheckpointRow *rows;
    int n;
    assert_true(checkpoint_check(model.checkpoint, path, -1, &(CoreContext){0}, &arena, &rows, &n, &err));
    assert_string_equal(rows[0].name, "layers.1.attn");
    assert_true(rows[0].differs && !rows[1].differs);
    assert_int_equal(rows[0].index[0], 2);
    assert_int_equal(rows[0].index[1], 7);
    assert_int_equal(rows[0].index[2], 3);
    assert_near(rows[0].want, 0.5, 0);
    assert_near(rows[0].difference, fabs(rows[0].got - 0.5), 1e-12);
    model_close(&model);
}

static void test_tolerances(void **state) {
    (void)state;
    assert_near(checkpoint_tolerance("layers.3.attn"), 1e-4, 0);
    assert_near(checkpoint_tolerance("decoder.layers.3.self.weights"), 1e-4, 0);
    assert_near(checkpoint_tolerance("logits"), 2e-3, 0);
    assert_near(checkpoint_tolerance("layers.3.attn_out"), 1e-3, 0);
    assert_near(checkpoint_tolerance("hidden.0"), 1e-3, 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_own_folders), cmocka_unit_test(test_random_folders), cmocka_unit_test(test_trained_folders),
        cmocka_unit_test(test_names_that_nobody_knows), cmocka_unit_test(test_tolerance_zero_finds_differences),
        cmocka_unit_test(test_shape_that_does_not_fit), cmocka_unit_test(test_one_number), cmocka_unit_test(test_tolerances),
    };
    return cmocka_run_group_tests(tests, NULL, clean);
}
