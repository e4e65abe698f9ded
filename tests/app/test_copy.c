/* The arithmetic of a network's numbers on the clipboard. Right values are the run's own tensors, put together here by hand. */
#include <stdio.h>

#include "app/drive.h"
#include "base/str.h"

static Arena arena;

static Session *open_model(const char *name) {
    Err err = {0};
    Session *s = session_open(&(SessionOptions){0}, &err);
    if (!s || !session_open_model(s, data_path(arena_printf(&arena, "models/%s", name)), &err)) fail_msg("%s", err.message);
    must(s, "text \"The cat sat\"");
    return s;
}

static const char *copied(Session *s, const char *number, const char *form) {
    must(s, arena_printf(&arena, "explain \"%s\"", number));
    must(s, arena_printf(&arena, "copy %s", form));
    return arena_strdup(&arena, effects_clipboard(s));
}

static double at(const Session *s, const char *id, int i, int j, int k) {
    const Trace *trace = session_run(s)->trace;
    return tensor_at(trace_tensor(trace, trace_find(trace, id)), (int[]){i, j, k, 0});
}

static void says(const char *text, const char *part) {
    if (!strstr(text, part)) fail_msg("'%s' is not in\n%s", part, text);
}

#define SAYS(text, ...) says(text, arena_printf(&arena, __VA_ARGS__))

static void means_and_spreads(void **state) {
    (void)state;
    Session *s = open_model("tiny-gpt2");
    double sum = 0, squares = 0, mean = at(s, "layers.0.ln1_mean", 1, 0, 0), first = at(s, "layers.0.x", 1, 0, 0);
    for (int j = 0; j < 48; j++) sum += at(s, "layers.0.x", 1, j, 0);
    for (int j = 0; j < 48; j++) squares += pow(at(s, "layers.0.x", 1, j, 0) - mean, 2);
    SAYS(copied(s, "layers.0.ln1_mean[2]", "words"), "\n  %.3f / 48 = %.3f\n", sum, sum / 48);
    SAYS(copied(s, "layers.0.ln1_mean[2]", "equation"), " = \\frac{1}{48}\\left(%.3f + ", first);
    const char *words = copied(s, "layers.0.ln1_var[2]", "words"), *latex = copied(s, "layers.0.ln1_var[2]", "equation");
    SAYS(words, "\n  (%.3f - %.3f)² = %.3f ", first, mean, pow(first - mean, 2));
    SAYS(words, "\n  %.3f / 48 = %.3f\n", squares, squares / 48);
    SAYS(latex, mean < 0 ? "\\left((%.3f - (%.3f))^2 + " : "\\left((%.3f - %.3f)^2 + ", first, mean);
    SAYS(latex, "\\right) = %.3f", squares / 48);
    drive_close(s);
}

/* Steps of a LayerNorm: away from the mean, by the spread, times the gain, plus the shift. */
static void norms(void **state) {
    (void)state;
    Session *s = open_model("tiny-gpt2");
    double x = at(s, "layers.0.x", 1, 3, 0), mean = at(s, "layers.0.ln1_mean", 1, 0, 0), var = at(s, "layers.0.ln1_var", 1, 0, 0);
    double gain = at(s, "layers.0.ln1_g", 3, 0, 0), shift = at(s, "layers.0.ln1_b", 3, 0, 0), z = (x - mean) / sqrt(var + 1e-5);
    const char *words = copied(s, "layers.0.ln1[2,4]", "words"), *latex = copied(s, "layers.0.ln1[2,4]", "equation");
    SAYS(words, "\n  %.3f - %.3f = %.3f ", x, mean, x - mean);
    SAYS(words, "\n  %.3f / sqrt(%.3f + 1e-05) = %.3f ", x - mean, var, z);
    SAYS(words, "\n  %.3f × %.3f = %.3f ", z, gain, z * gain);
    SAYS(words, "\n  %.3f + %.3f = %.3f ", z * gain, shift, z * gain + shift);
    SAYS(latex, "{\\sqrt{%.3f + 10^{-5}}} \\cdot ", var);
    SAYS(latex, " = \\frac{%.3f - ", x);
    SAYS(latex, " = %.3f", at(s, "layers.0.ln1", 1, 3, 0));
    drive_close(s);
}

static void roots_and_products(void **state) {
    (void)state;
    Session *s = open_model("tiny-llama3");
    double x = at(s, "layers.0.x", 1, 2, 0), rms = at(s, "layers.0.ln1_rms", 1, 0, 0), gain = at(s, "layers.0.ln1_g", 2, 0, 0), squares = 0, length = 0;
    for (int j = 0; j < 40; j++) squares += pow(at(s, "layers.0.x", 1, j, 0), 2);
    SAYS(copied(s, "layers.0.ln1_rms[2]", "words"), "\n  sqrt(%.3f / 40 + 1e-0", squares);
    SAYS(copied(s, "layers.0.ln1_rms[2]", "equation"), " = \\sqrt{\\frac{1}{40}\\left(");
    SAYS(copied(s, "layers.0.ln1[2,3]", "words"), "\n  %.3f / %.3f = %.3f ", x, rms, x / rms);
    SAYS(copied(s, "layers.0.ln1[2,3]", "equation"), " = \\frac{%.3f}{%.3f} \\cdot ", x, rms);
    SAYS(copied(s, "layers.0.ln1[2,3]", "words"), "\n  %.3f × %.3f = %.3f ", x / rms, gain, x / rms * gain);
    double in = at(s, "layers.0.ffn_gate", 1, 2, 0);
    SAYS(copied(s, "layers.0.ffn_gate_act[2,3]", "words"), "\n  SiLU(%.3f) = %.3f ", in, at(s, "layers.0.ffn_gate_act", 1, 2, 0));
    SAYS(copied(s, "layers.0.ffn_gate_act[2,3]", "equation"), " = \\mathrm{SiLU}(%.3f) = ", in);
    for (int j = 0; j < 16; j++) length += pow(at(s, "layers.0.v", 0, 1, j), 2);
    SAYS(copied(s, "layers.0.v_length[1,2]", "words"), "\n  sqrt(%.3f) = %.3f\n", length, sqrt(length));
    SAYS(copied(s, "layers.0.v_length[1,2]", "equation"), " = \\sqrt{");
    double w = at(s, "layers.0.weights", 0, 2, 1), v = sqrt(length);
    SAYS(copied(s, "layers.0.weighted_length[1,3,2]", "words"), "\n  %.3f × %.3f = %.3f ", w, v, w * v);
    SAYS(copied(s, "layers.0.weighted_length[1,3,2]", "equation"), " = %.3f \\cdot %.3f = ", w, v);
    drive_close(s);
}

/* Rollout's mixture: the cell, 1 more on the diagonal, shared by the row's sum and 1. */
static void mixtures(void **state) {
    (void)state;
    Session *s = open_model("tiny-llama3");
    if (!session_view(s)->overview) must(s, "overview");
    must(s, "aggregate rollout");
    for (int j = 1; j < 3; j++) {
        double cell = at(s, "layers.0.head_avg", 2, j, 0);
        const char *number = arena_printf(&arena, "layers.0.mixed[3,%d]", j + 1);
        SAYS(copied(s, number, "words"), "\n  (%.3f + %d) / (1.000 + 1) = %.3f ", cell, j == 2, (cell + (j == 2)) / 2);
        SAYS(copied(s, number, "equation"), " = \\frac{%.3f + %d}{%.3f + ", cell, j == 2, at(s, "layers.0.head_avg", 2, 0, 0));
    }
    SAYS(copied(s, "layers.0.head_avg[3,2]", "equation"), "\\frac{1}{4}\\left(");
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(means_and_spreads),
        cmocka_unit_test(norms),
        cmocka_unit_test(roots_and_products),
        cmocka_unit_test(mixtures),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
