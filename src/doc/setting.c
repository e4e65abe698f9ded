#include "doc/setting.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"

const Setting setting_table[] = {
    [SETTING_SCALE] = {"scale", tr_mark("Scale"),
                       tr_mark("Scores grow like √dₖ; dividing by it keeps softmax from putting everything on one key."), STAGE_SCALE},
    [SETTING_TEMPERATURE] = {"temperature", tr_mark("Temperature"),
                             tr_mark("Divides the scores before softmax: below 1 the weights get sharper, above 1 more even."), STAGE_SOFTMAX},
    [SETTING_HEADS] = {"heads", tr_mark("Heads"),
                       tr_mark("d_model is cut into this many heads: more heads are narrower ones, with as many parameters in all."), STAGE_PROJECT},
    [SETTING_KV_HEADS] = {"kv_heads", tr_mark("Key/value heads"),
                          tr_mark("Fewer than heads: several heads share keys and values, which saves parameters and memory."), STAGE_PROJECT},
    [SETTING_D_K] = {"d_k", tr_mark("dₖ, width of a head"), tr_mark("How many numbers a query and a key have in one head."), STAGE_SCORES},
    [SETTING_POSITION] = {"position", tr_mark("Positions"), tr_mark("How a token’s place enters; without it attention knows no order."), STAGE_EMBED},
    [SETTING_TIE] = {"tie", tr_mark("W_Q = W_K"),
                     tr_mark("One matrix for queries and keys: scores become symmetric, weights do not."), STAGE_SCORES},
    [SETTING_PROJECTIONS] = {"projections", tr_mark("Projections"), tr_mark("Off: queries, keys and values are the token rows themselves."), STAGE_PROJECT},
    [SETTING_OUT_PROJ] = {"out_proj", tr_mark("Output projection"), tr_mark("Off: the joined heads are the result as they are."), STAGE_OUTPUT},
    [SETTING_SEED] = {"seed", tr_mark("Seed"), tr_mark("One seed gives the same random numbers everywhere; another gives other ones."), STAGE_EMBED},
};
static_assert(sizeof setting_table / sizeof *setting_table == SETTING_COUNT, "one row a setting");

int setting_find(const char *name) {
    for (int i = 0; i < SETTING_COUNT; i++)
        if (str_eq(setting_table[i].name, name)) return i;
    return -1;
}

static const char *const position_titles[] = {
    [POSITION_NONE] = tr_mark("None"),
    [POSITION_SINUSOIDAL] = tr_mark("Sinusoidal"),
    [POSITION_LEARNED] = tr_mark("Learned"),
    [POSITION_ROPE_INTERLEAVED] = tr_mark("RoPE, pairs"),
    [POSITION_ROPE_HALF] = tr_mark("RoPE, halves"),
    [POSITION_ALIBI] = tr_mark("ALiBi"),
    [POSITION_GIVEN] = tr_mark("Given"),
    [POSITION_RELATIVE] = tr_mark("Relative"),
};
static_assert(sizeof position_titles / sizeof position_titles[0] == POSITION_KIND_COUNT, "each kind of position has a title");

const char *position_title(PositionKind kind) { return tr(position_titles[kind]); }

/* ---- defaults ---- */

bool setting_is_default(const Doc *doc, SettingKind kind) {
    switch (kind) {
    case SETTING_SCALE: return doc->scale == SCALE_AUTO;
    case SETTING_TEMPERATURE: return doc->temperature == 1;
    case SETTING_HEADS: return doc->heads == 0;
    case SETTING_KV_HEADS: return doc->kv_heads == 0;
    case SETTING_D_K: return doc->d_k == 0;
    case SETTING_POSITION: return doc->position_origin == DOC_POSITION_BUILT_IN;
    case SETTING_TIE: return !doc->tie_qk;
    case SETTING_PROJECTIONS: return doc->projections == PROJ_LINEAR;
    case SETTING_OUT_PROJ: return !doc->out_proj_set;
    case SETTING_SEED: return doc->seed == 0;
    case SETTING_COUNT: break;
    }
    return true;
}

void setting_reset(Doc *doc, SettingKind kind) {
    switch (kind) {
    case SETTING_SCALE: doc->scale = SCALE_AUTO; break;
    case SETTING_TEMPERATURE: doc->temperature = 1; break;
    case SETTING_HEADS: doc->heads = 0; break;
    case SETTING_KV_HEADS: doc->kv_heads = 0; break;
    case SETTING_D_K: doc->d_k = 0; break;
    case SETTING_POSITION:
        doc->position_origin = DOC_POSITION_BUILT_IN;
        doc->position = (PositionSpec){0};
        doc_set_blob(&doc->slopes, NULL, 0);
        break;
    case SETTING_TIE: doc->tie_qk = false; break;
    case SETTING_PROJECTIONS: doc->projections = PROJ_LINEAR; break;
    case SETTING_OUT_PROJ: doc->out_proj = doc->out_proj_set = false; break;
    case SETTING_SEED: doc->seed = 0; break;
    case SETTING_COUNT: break;
    }
}

/* ---- what cannot be changed ---- */

static bool is_given(const Doc *doc, MatrixName name) { return doc->matrix[name].rank > 0; }
static bool is_hand(const Doc *doc) { return doc->model == MODEL_CLASSROOM || doc->model == MODEL_MOLECULE; }

static const char *of_folder(const Doc *doc, const Run *run, int stage, SettingKind kind, Arena *arena) {
    View view;
    view_init(&view);
    view.film.stage = stage;
    ActionContext cx = {.doc = (Doc *)(uintptr_t)doc, .view = &view, .run = run};
    ActionLine line = {.n = 1};
    Err err = {0};
    if (kind == SETTING_SEED) {
        bool seeded = run && run->network && checkpoint_info(run->network->checkpoint)->seeded;
        return seeded ? NULL : tr("The numbers are read from the folder: none of them is random.");
    }
    line.arg[0] = line.store;
    snprintf(line.store, sizeof line.store, "%s", setting_table[kind].name);
    return action_allowed(&cx, &line, &err) ? NULL : arena_strdup(arena, err.message);
}

/* q, k and with them all before are the document's. */
static const char *of_given(const Doc *doc, SettingKind kind) {
    bool weights = is_given(doc, MATRIX_WEIGHTS), scores = is_given(doc, MATRIX_SCORES);
    bool qk = is_given(doc, MATRIX_Q) || is_given(doc, MATRIX_K);
    bool sizes = kind == SETTING_HEADS || kind == SETTING_KV_HEADS || kind == SETTING_D_K || kind == SETTING_TIE || kind == SETTING_PROJECTIONS;
    if (weights && (kind == SETTING_SCALE || kind == SETTING_TEMPERATURE || kind == SETTING_POSITION))
        return tr("The weights are given: there are no scores before them.");
    if (!sizes) return NULL;
    if (weights) return tr("The weights are given: nothing is projected.");
    if (scores) return tr("The scores are given: nothing is projected.");
    return qk ? tr("Q and K are given: their shapes say it.") : NULL;
}

static const char *of_sizes(const Doc *doc, SettingKind kind, Arena *arena) {
    bool none = doc->projections == PROJ_NONE, made = is_given(doc, MATRIX_W_Q);
    if (kind == SETTING_KV_HEADS && none) return tr("Without projections each head has its own keys and values.");
    if (kind == SETTING_D_K && none) return tr("Without projections it is d_model divided by the number of heads.");
    if (none) return NULL;
    if (made && kind != SETTING_HEADS) return tr("W_Q and W_K are given: their shapes say it.");
    if (is_hand(doc)) {
        static const char *const says[] = {tr_mark("The model %s is made by hand for its 4 heads; the model random has any number."),
                                           tr_mark("The model %s is made by hand with keys for each head; in the model random heads can share them."),
                                           tr_mark("The model %s is made by hand with dₖ = 4; in the model random it can be chosen.")};
        return arena_printf(arena, tr(says[kind - SETTING_HEADS]), model_names[doc->model]);
    }
    if (doc->model == MODEL_IDENTITY && kind != SETTING_HEADS) return tr("Identity matrices are square: dₖ is d_model divided by heads, and no head shares keys.");
    return NULL;
}

static const char *of_tie(const Doc *doc, const Run *run) {
    if (doc->projections == PROJ_NONE) return tr("Without projections q = k as it is.");
    if (run && !run->network && run->spec.n_kv_heads > 0 && run->spec.n_kv_heads != run->spec.n_heads)
        return tr("It needs as many key/value heads as heads: one matrix cannot have both widths.");
    return NULL;
}

/* Are there matrices for rows of this width? */
static const char *of_projections(const Doc *doc) {
    bool own = is_given(doc, MATRIX_W_Q) && is_given(doc, MATRIX_W_V) && (is_given(doc, MATRIX_W_K) || doc->tie_qk);
    if (own || doc->projections == PROJ_LINEAR) return NULL;
    if (doc->model == MODEL_GIVEN) return tr("W_Q, W_K and W_V are not given: without them the rows stay as they are.");
    bool fits = !is_given(doc, MATRIX_X) || doc->matrix[MATRIX_X].dim[1] == 16;
    return is_hand(doc) && !fits ? tr("The rows are given, and the model’s matrices are made for 16 columns; the model random has some for these.") : NULL;
}

/* Is there a Wᴼ for rows of this width? */
static const char *of_out_proj(const Doc *doc, const Run *run) {
    if (is_given(doc, MATRIX_W_O)) return NULL;
    bool parts = is_given(doc, MATRIX_V) || is_given(doc, MATRIX_SCORES) || is_given(doc, MATRIX_WEIGHTS) || is_given(doc, MATRIX_Q);
    bool fits = !run || (run->spec.n_heads * run->spec.d_v == 16 && run->spec.d_model == 16);
    if (doc->model == MODEL_GIVEN || parts || (is_hand(doc) && !fits)) return tr("Wᴼ is not given: the joined heads are the result.");
    return NULL;
}

static const char *of_seed(const Doc *doc, const Run *run) {
    bool seeded = doc->model == MODEL_RANDOM || (run && (run->fields & RUN_POS_SEEDED));
    return seeded ? NULL : tr("Nothing here is random: the models made by hand need no seed, the model random does.");
}

const char *setting_fixed(const Doc *doc, const Run *run, int stage, SettingKind kind, Arena *arena) {
    if (doc->model == MODEL_FOLDER) return of_folder(doc, run, stage, kind, arena);
    const char *given = of_given(doc, kind);
    if (given) return given;
    switch (kind) {
    case SETTING_HEADS:
    case SETTING_KV_HEADS:
    case SETTING_D_K: return of_sizes(doc, kind, arena);
    case SETTING_TIE: return of_tie(doc, run);
    case SETTING_PROJECTIONS: return of_projections(doc);
    case SETTING_SEED: return of_seed(doc, run);
    case SETTING_OUT_PROJ: return of_out_proj(doc, run);
    default: return NULL;
    }
}

/* ---- what is possible ---- */

static int add_divisors(int of, int most, int *out) {
    int n = 0;
    for (int i = 1; i <= of && n < most; i++)
        if (of % i == 0) out[n++] = i;
    return n;
}

int setting_choices(const Doc *doc, const Run *run, SettingKind kind, int most, int *out) {
    if (!run || most < 1) return 0;
    const AttentionSpec *spec = &run->spec;
    if (kind == SETTING_HEADS) return add_divisors(is_given(doc, MATRIX_W_Q) ? doc->matrix[MATRIX_W_Q].dim[0] : spec->d_model, most, out);
    if (kind == SETTING_KV_HEADS) return add_divisors(spec->n_heads, most, out);
    int n = 0;
    for (int i = 1; kind == SETTING_D_K && i <= 64 && n < most; i *= 2) out[n++] = i;
    return n;
}

/* ---- temperature ---- */

double setting_temperature_at(double fraction) {
    fraction = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    if (fabs(fraction - 0.5) < 0.015) return 1;
    double t = pow(10, 2 * fraction - 1), unit = t < 1 ? 0.01 : 0.1;
    return round(t / unit) * unit;
}

double setting_temperature_fraction(double temperature) {
    double fraction = (log10(temperature) + 1) / 2;
    return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
}
