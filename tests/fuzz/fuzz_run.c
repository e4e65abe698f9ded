#include "fuzz/fuzz_run.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "doc/film.h"
#include "doc/yaml.h"
#include "fuzz/fuzz.h"

const RunContext *fuzz_context(void) {
    static Arena arena;
    static Lexicon *lexicon;
    static RunContext context;
    Err err = {0};
    if (!lexicon && !lexicon_load(&arena, &lexicon, &err)) fuzz_fail(__FILE__, __LINE__, "lexicon_load", "%s", err.message);
    context.lexicon = lexicon;
    return &context;
}

void fuzz_error(const Err *err) {
    const char *texts[] = {err->message, err->file, err->key};
    fuzz_check(err->code != ERR_NONE && err->message[0], "an error without a message: code %d", (int)err->code);
    for (int i = 0; i < 3; i++)
        fuzz_check(utf8_valid_until(texts[i], strlen(texts[i])) == strlen(texts[i]), "not UTF-8: \"%s\"", texts[i]);
}

/* ---- small enough ---- */

bool fuzz_is_small(const Doc *doc) {
    enum { WIDTH = 96, HEADS = 40, TEXT = 600, WORDS = 80, NUMBERS = 4000 };
    if (doc->d_model > WIDTH || doc->d_k > WIDTH || doc->d_v > WIDTH || doc->heads > HEADS || doc->kv_heads > HEADS) return false;
    if (doc->text && doc->text->size > TEXT) return false;
    if (doc->source_text && doc->source_text->size > TEXT) return false;
    if (doc->tokens.n > WORDS || doc->source.n > WORDS) return false;
    for (int i = 0; i < MATRIX_COUNT; i++)
        if (doc->matrix[i].rank && doc->matrix[i].data->size > NUMBERS * sizeof(float)) return false;
    return true;
}

/* ---- explanations ---- */

/* Sums of numbers so large differ by the order in which they are taken. */
static bool is_moderate(const Explanation *e) {
    for (int i = 0; i < e->n_terms; i++)
        if (!(fabs(e->terms[i].value) < 1e18) || !(fabs(e->terms[i].a.value) < 1e18)) return false;
    return isfinite(e->self.value) && fabs(e->self.value) < 1e18;
}

static double size_of(const Explanation *e) {
    double size = 1;
    for (int i = 0; i < e->n_terms; i++) size += fabs(e->terms[i].value);
    return size + fabs(e->self.value);
}

static void check_ref(const Run *run, const Ref *ref) {
    if (ref->id == TENSOR_NONE) return;
    fuzz_check(ref->id >= 0 && ref->id < trace_tensor_count(run->trace), "a reference to no tensor");
    fuzz_check(tensor_has(trace_tensor(run->trace, ref->id), ref->index), "a reference outside %s", trace_tensor(run->trace, ref->id)->id);
}

static void check_number(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], Arena *arena) {
    Explanation e;
    Err err = {0};
    const Tensor *t = trace_tensor(run->trace, id);
    fuzz_check(trace_explain(run->trace, id, index, arena, &e, &err), "%s: %s", t->id, err.message);
    for (int i = 0; i < e.n_terms; i++) {
        check_ref(run, &e.terms[i].a);
        check_ref(run, &e.terms[i].b);
    }
    double told = explanation_evaluate(&e), value = tensor_at(t, index);
    if (is_moderate(&e))
        fuzz_check(fabs(told - value) <= 2e-5 * size_of(&e), "%s[%d, %d, %d] is %g, explained as %g", t->id, index[0], index[1], index[2], value, told);
}

static void check_name(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX]) {
    char text[160];
    TensorId again;
    int read[TENSOR_RANK_MAX];
    Err err = {0};
    run_ref_text(text, run, id, index);
    fuzz_check(utf8_valid_until(text, strlen(text)) == strlen(text), "not UTF-8: %s", text);
    fuzz_check(run_resolve(run, text, &again, read, &err), "%s is not read back: %s", text, err.message);
    fuzz_check(again == id && memcmp(read, index, sizeof read) == 0, "%s is read back as another number", text);
}

static void check_tensor(const Run *run, TensorId id, uint64_t *state, Arena *arena) {
    const Tensor *t = trace_tensor(run->trace, id);
    fuzz_check(t->data != NULL || tensor_count(t) == 0, "%s was not computed", t->id);
    for (int turn = 0; turn < 3; turn++) {
        int index[TENSOR_RANK_MAX] = {0};
        for (int a = 0; a < t->rank; a++) {
            char label[32];
            index[a] = turn == 0 ? 0 : turn == 1 ? t->dim[a] - 1 : (int)(random_next(state) % (uint64_t)t->dim[a]);
            fuzz_check(run_label(run, id, a, index[a], label) != NULL, "no label");
        }
        check_number(run, id, index, arena);
        check_name(run, id, index);
    }
}

static void check_run(Run *run) {
    Arena arena = {0};
    Err err = {0};
    fuzz_check(run_need_views(run, NULL, &err), "%s", err.message); /* those of a large map are computed when they are looked at */
    uint64_t state = (uint64_t)trace_bytes(run->trace);
    fuzz_check(trace_stage_count(run->trace) == STAGE_ATTENTION_COUNT, "%d stages", trace_stage_count(run->trace));
    for (int stage = 0; stage < trace_stage_count(run->trace); stage++) {
        int steps = film_steps(run->trace, stage);
        fuzz_check(steps >= 1 && steps <= FILM_STEPS_MAX, "stage %d has %d steps", stage, steps);
        FilmStep last = film_step(run->trace, stage, steps - 1);
        fuzz_check(last.seconds > 0, "a step without time");
    }
    for (TensorId id = 0; id < trace_tensor_count(run->trace); id++) check_tensor(run, id, &state, &arena);
    for (int i = 0; i < run->n_diagnosis; i++) {
        const char *text = run->diagnosis[i].message;
        fuzz_check(text[0] && utf8_valid_until(text, strlen(text)) == strlen(text), "a diagnosis is not UTF-8");
    }
    arena_free(&arena);
}

bool fuzz_run(const Doc *doc, Run **out) {
    Err err = {0};
    if (!run_build(doc, fuzz_context(), out, &err)) {
        fuzz_check(*out == NULL, "a run that failed");
        fuzz_error(&err);
        return false;
    }
    check_run(*out);
    return true;
}

/* ---- files ---- */

void fuzz_write_back(const Doc *doc, const View *view) {
    Arena arena = {0};
    Doc again = {0};
    View looked;
    bool more;
    Err err = {0};
    const char *text = yaml_write(doc, view, &arena);
    if (!yaml_read(text, strlen(text), "written", 0, &again, &looked, &more, &err))
        fuzz_fail(__FILE__, __LINE__, "yaml_read", "line %d, %s: %s in\n%.3000s", err.line, err.key, err.message, text);
    fuzz_check(!more, "a second document");
    const char *twice = yaml_write(&again, view ? &looked : NULL, &arena);
    fuzz_check(str_eq(text, twice), "written twice is other bytes:\n%.3000s\n----\n%.3000s", text, twice);
    if (!strstr(text, ".nan")) fuzz_check(doc_equal(doc, &again), "read back as another document:\n%.3000s", text); /* NaN has many bits */
    doc_reset(&again);
    arena_free(&arena);
}
