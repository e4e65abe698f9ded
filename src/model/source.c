#include "model/source.h"

#include <assert.h>
#include <string.h>

#include "base/tr.h"
#include "model/source_internal.h"

const char *const model_names[] = {
    [MODEL_CLASSROOM] = "classroom", [MODEL_MOLECULE] = "molecule", [MODEL_RANDOM] = "random",
    [MODEL_IDENTITY] = "identity",   [MODEL_GIVEN] = "given",       [MODEL_FOLDER] = "folder"};
static_assert(sizeof model_names / sizeof *model_names == MODEL_KIND_COUNT, "one name a model");

enum { DEFAULT_D = 16, DEFAULT_HEADS = 4, D_MAX = 4096, HEADS_MAX = 256, WIDTH_MAX = 1024, PROJECTION_MAX = 8192 };

float *source_add_input(SourceBuild *build, const char *name, int rows, int columns) {
    Source *out = build->out;
    assert(out->n_inputs < SOURCE_INPUTS_MAX);
    size_t count;
    float *data = size_mul((size_t)(rows > 0 ? rows : 1), (size_t)columns, &count)
                      ? arena_try(build->arena, count, sizeof *data) : NULL;
    if (data == NULL) {
        err_set(build->err, ERR_MEMORY, tr("no memory for %s of %d × %d numbers"), name, rows, columns);
        return NULL;
    }
    TensorInput input = {.name = name, .rank = rows > 0 ? 2 : 1, .dim = {rows, columns, 1, 1}, .data = data};
    if (rows == 0) input.dim[0] = columns, input.dim[1] = 1;
    out->inputs[out->n_inputs++] = input;
    return data;
}

/* ---- sizes ---- */

typedef struct {
    const char *name;
    int value, max;
} SizeLimit;

static bool check_range(const SourceSpec *spec, Err *err) {
    const SizeLimit limits[] = {
        {"d_model", spec->d_model, D_MAX},
        {"heads", spec->n_heads, HEADS_MAX},
        {"kv_heads", spec->n_kv_heads, HEADS_MAX},
        {"d_k", spec->d_k, WIDTH_MAX},
        {"d_v", spec->d_v, WIDTH_MAX},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        const SizeLimit *l = &limits[i];
        if (l->value < 0) return err_set(err, ERR_SHAPE, tr("%s %d is not positive"), l->name, l->value);
        if (l->value > l->max) return err_set(err, ERR_LIMIT, tr("%s %d is above the limit %d"), l->name, l->value, l->max);
    }
    return true;
}

/* Sizes that are free: fills in what is 0 and checks that all fit each other. */
static bool fit_sizes(const SourceSpec *spec, Source *out, Err *err) {
    char advice[80];
    if (!check_range(spec, err)) return false;
    out->n_heads = spec->n_heads > 0 ? spec->n_heads : DEFAULT_HEADS;
    out->d_model = spec->d_model > 0 ? spec->d_model : spec->d_k > 0 ? spec->d_k * out->n_heads : DEFAULT_D;
    if (spec->d_model == 0 && spec->d_k == 0 && out->d_model % out->n_heads != 0) out->d_model = out->n_heads * HAND_DK;
    if (spec->d_k == 0 && out->d_model % out->n_heads != 0) {
        err_set(err, ERR_SHAPE, tr("d_model %d is not divisible by heads %d; %s"), out->d_model, out->n_heads,
                attention_heads_advice(advice, out->d_model, out->n_heads));
        return err_key(err, "heads");
    }
    out->d_k = spec->d_k > 0 ? spec->d_k : out->d_model / out->n_heads;
    out->d_v = spec->d_v > 0 ? spec->d_v : out->d_k;
    out->n_kv_heads = spec->n_kv_heads > 0 ? spec->n_kv_heads : out->n_heads;
    if (out->n_heads % out->n_kv_heads != 0) {
        err_set(err, ERR_SHAPE, tr("heads %d is not divisible by kv_heads %d; %s"), out->n_heads, out->n_kv_heads,
                attention_heads_advice(advice, out->n_heads, out->n_kv_heads));
        return err_key(err, "kv_heads");
    }
    int width = out->d_k > out->d_v ? out->d_k : out->d_v;
    if (out->n_heads * width > PROJECTION_MAX || out->d_model > D_MAX)
        return err_set(err, ERR_LIMIT, tr("%d heads of %d are %d columns over d_model %d; the limits are %d and %d"), out->n_heads,
                       width, out->n_heads * width, out->d_model, PROJECTION_MAX, D_MAX);
    return true;
}

static bool is_or_unset(int value, int own) {
    return value == 0 || value == own;
}

static bool hand_sizes(const SourceSpec *spec, Source *out, Err *err) {
    bool fits = is_or_unset(spec->d_model, HAND_D) && is_or_unset(spec->n_heads, HAND_HEADS) &&
                is_or_unset(spec->n_kv_heads, HAND_HEADS) && is_or_unset(spec->d_k, HAND_DK) && is_or_unset(spec->d_v, HAND_DK);
    if (!fits) {
        const char *key = !is_or_unset(spec->n_heads, HAND_HEADS)      ? "heads"
                          : !is_or_unset(spec->d_model, HAND_D)        ? "d_model"
                          : !is_or_unset(spec->n_kv_heads, HAND_HEADS) ? "kv_heads"
                          : !is_or_unset(spec->d_k, HAND_DK)           ? "d_k"
                                                                       : "d_v";
        err_set(err, ERR_SHAPE, tr("the %s model is made by hand: d_model %d, heads %d, kv_heads %d, d_k %d, d_v %d and "
                "nothing else; take the model \"random\" for other sizes"),
                model_names[spec->kind], HAND_D, HAND_HEADS, HAND_HEADS, HAND_DK, HAND_DK);
        return err_key(err, key);
    }
    out->d_model = HAND_D;
    out->n_heads = out->n_kv_heads = HAND_HEADS;
    out->d_k = out->d_v = HAND_DK;
    return true;
}

static bool identity_sizes(const SourceSpec *spec, Source *out, Err *err) {
    if (!fit_sizes(spec, out, err)) return false;
    if (out->n_heads * out->d_k != out->d_model)
        return err_set(err, ERR_SHAPE, tr("identity needs d_model = heads · d_k, and %d is not %d · %d; d_model %d would do"),
                       out->d_model, out->n_heads, out->d_k, out->n_heads * out->d_k);
    if (out->d_v != out->d_k || out->n_kv_heads != out->n_heads)
        return err_set(err, ERR_SHAPE, tr("identity needs d_v = d_k = %d and kv_heads = heads = %d, not d_v %d and kv_heads %d"),
                       out->d_k, out->n_heads, out->d_v, out->n_kv_heads);
    return true;
}

/* Given numbers bring their own sizes: what the caller knows is passed on. */
static bool given_sizes(const SourceSpec *spec, Source *out, Err *err) {
    (void)err;
    out->d_model = spec->d_model;
    out->n_heads = spec->n_heads;
    out->n_kv_heads = spec->n_kv_heads;
    out->d_k = spec->d_k;
    out->d_v = spec->d_v;
    return true;
}

static bool no_inputs(SourceBuild *build) {
    (void)build;
    return true;
}

static bool refuse_folder(SourceBuild *build) {
    return err_set(build->err, ERR_INPUT, tr("weights are read from a trace file (.safetensors) only; the models "
                   "\"classroom\", \"molecule\", \"random\" and \"identity\" need no file"));
}

void source_set_made(Source *source, MadeKind made) {
    static const char *const badges[] = {
        [MADE_BY_HAND] = tr_mark("made by hand"),
        [MADE_RANDOM] = tr_mark("random"),
        [MADE_GIVEN] = tr_mark("given"),
        [MADE_TRAINED] = tr_mark("trained"),
    };
    static_assert(sizeof badges / sizeof *badges == MADE_COUNT, "a badge for each");
    source->made = made;
    source->badge = badges[made];
}

/* ---- the table of models ---- */

typedef struct {
    const char *title;
    MadeKind made;
    bool says_made;
    bool (*sizes)(const SourceSpec *spec, Source *out, Err *err);
    bool (*build)(SourceBuild *build);
} Maker;

static const Maker makers[] = {
    [MODEL_CLASSROOM] = {tr_mark("Classroom"), MADE_BY_HAND, false, hand_sizes, source_build_hand},
    [MODEL_MOLECULE] = {tr_mark("Molecule"), MADE_BY_HAND, false, hand_sizes, source_build_hand},
    [MODEL_RANDOM] = {tr_mark("Random"), MADE_RANDOM, true, fit_sizes, source_build_random},
    [MODEL_IDENTITY] = {tr_mark("Identity"), MADE_BY_HAND, false, identity_sizes, source_build_identity},
    [MODEL_GIVEN] = {tr_mark("Given"), MADE_GIVEN, true, given_sizes, no_inputs},
    [MODEL_FOLDER] = {tr_mark("Trained"), MADE_TRAINED, true, given_sizes, refuse_folder},
};
static_assert(sizeof makers / sizeof *makers == MODEL_KIND_COUNT, "one maker a model");

bool source_build(const SourceSpec *spec, const TokenList *queries, const TokenList *keys, const Lexicon *lexicon,
                  Arena *arena, Source *out, Err *err) {
    const Maker *maker = &makers[spec->kind];
    Source made = {.title_says_made = maker->says_made, .inputs = ARENA_ARRAY(arena, TensorInput, SOURCE_INPUTS_MAX)};
    if (spec->kind != MODEL_GIVEN && (queries->n == 0 || (keys != NULL && keys->n == 0)))
        return err_set(err, ERR_INPUT, tr("there are no tokens; type some words"));
    source_set_made(&made, maker->made);
    SourceBuild build = {spec, queries, keys, lexicon, arena, &made, err};
    if (!maker->sizes(spec, &made, err) || !maker->build(&build)) return false;
    made.title = made.d_model > 0 && made.n_heads > 0
                     ? arena_printf(arena, "%s %d×%d", tr(maker->title), made.d_model, made.n_heads) : tr(maker->title);
    *out = made;
    return true;
}
