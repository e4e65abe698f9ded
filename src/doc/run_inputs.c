#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_build.h"

static bool given(const RunBuild *b, MatrixName name) {
    return b->doc->matrix[name].rank > 0;
}

static TensorInput doc_input(const RunBuild *b, MatrixName name) {
    const DocMatrix *m = &b->doc->matrix[name];
    TensorInput in = {.name = doc_matrix_names[name], .rank = m->rank, .dim = {1, 1, 1, 1}, .data = m->data->bytes};
    for (int i = 0; i < m->rank; i++) in.dim[i] = m->dim[i];
    return in;
}

static void add_input(RunBuild *b, TensorInput in, const char *name) {
    assert(b->n_in < RUN_INPUTS_MAX);
    in.name = name;
    b->in[b->n_in++] = in;
}

static bool take_given(RunBuild *b, MatrixName name) {
    if (given(b, name)) add_input(b, doc_input(b, name), doc_matrix_names[name]);
    return given(b, name);
}

/* The document's matrix, else the model's. */
static bool take(RunBuild *b, MatrixName name) {
    if (take_given(b, name)) return true;
    const TensorInput *own = input_find(b->run->source.inputs, b->run->source.n_inputs, doc_matrix_names[name]);
    if (own) add_input(b, *own, own->name);
    return own != NULL;
}

static bool missing(Err *err, const char *name) {
    return err_set(err, ERR_INPUT, tr("%s is missing: give it, or choose a model that has it"), name);
}

/* ---- the model ---- */

/* What has to be made from x, because it is not given. */
static void find_needs(RunBuild *b) {
    bool map = given(b, MATRIX_SCORES) || given(b, MATRIX_WEIGHTS);
    bool rows = given(b, b->cross ? MATRIX_X_KV : MATRIX_X);
    b->needs[0] = !map && !given(b, MATRIX_Q);
    b->needs[1] = !map && !given(b, MATRIX_K);
    b->needs[2] = !given(b, MATRIX_V) && (!map || rows); /* a map alone needs no v: the film ends with it */
    b->mode = b->needs[0] || b->needs[1] || b->needs[2] ? b->doc->projections : PROJ_GIVEN;
    b->out_proj = b->doc->out_proj_set ? b->doc->out_proj : b->mode == PROJ_LINEAR || given(b, MATRIX_W_O);
}

static bool needs_model(const RunBuild *b) {
    static const MatrixName weights[] = {MATRIX_W_Q, MATRIX_W_K, MATRIX_W_V};
    if (b->out_proj && !given(b, MATRIX_W_O)) return true;
    if (b->mode == PROJ_GIVEN) return false;
    if (!given(b, MATRIX_X) || (b->cross && !given(b, MATRIX_X_KV))) return true;
    for (int i = 0; i < 3; i++)
        if (b->mode == PROJ_LINEAR && b->needs[i] && !given(b, weights[i]) && !(i == 1 && b->doc->tie_qk)) return true;
    return false;
}

static void given_source(RunBuild *b) {
    Source *source = &b->run->source;
    source->title = tr("Given numbers");
    source->title_says_made = true;
    source_set_made(source, MADE_GIVEN);
}

static bool model_source(RunBuild *b, Err *err) {
    const Doc *doc = b->doc;
    if (doc->model == MODEL_GIVEN)
        return err_set(err, ERR_INPUT, "%s", tr("model given needs all its matrices: x and w_q, w_k, w_v, or q, k and v"));
    SourceSpec spec = {
        .kind = doc->model,
        .seed = doc->seed,
        .d_model = doc->d_model,
        .n_heads = doc->heads,
        .n_kv_heads = doc->kv_heads,
        .d_k = doc->d_k,
        .d_v = doc->d_v,
        .built_in_position = doc->position_origin == DOC_POSITION_BUILT_IN && !given(b, MATRIX_X),
        .bias = doc->bias,
    };
    if (b->mode != PROJ_LINEAR) spec.n_heads = spec.n_kv_heads = spec.d_k = spec.d_v = 0; /* its rows alone are read */
    bool sized = doc->model == MODEL_RANDOM || doc->model == MODEL_IDENTITY;
    if (given(b, MATRIX_X) && sized && !spec.d_model) spec.d_model = doc->matrix[MATRIX_X].dim[1];
    Run *run = b->run;
    return source_build(&spec, &run->tokens, b->cross ? &run->keys : NULL, b->context->lexicon, &run->arena,
                        &run->source, err);
}

/* Without projections a column of q is a column of x, cut into heads. */
static void name_slots_as_features(Source *source, int heads) {
    source->slot_q = source->slot_v = source->feature;
    source->head_name = source->head_story = NULL;
    source->head_needs = NULL;
    source->n_heads = source->n_kv_heads = heads;
    source->d_k = source->d_v = source->d_model / heads;
}

/* ---- positions ---- */

static bool adds_rows(PositionKind kind) {
    return kind == POSITION_SINUSOIDAL || kind == POSITION_LEARNED || kind == POSITION_GIVEN;
}

static bool seed_rows(RunBuild *b, int d_model, Err *err) {
    int rows = b->run->tokens.n > b->run->keys.n ? b->run->tokens.n : b->run->keys.n;
    size_t count = (size_t)rows * (size_t)d_model;
    float *data = arena_try_raw(&b->run->arena, count, sizeof *data);
    if (!data) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    uint64_t state = hash_fnv1a("pos_emb", 7) ^ b->doc->seed;
    for (size_t i = 0; i < count; i++) data[i] = (float)(2 * random_unit(&state) - 1);
    add_input(b, (TensorInput){.rank = 2, .dim = {rows, d_model, 1, 1}, .data = data}, "pos_emb");
    b->run->fields |= RUN_POS_SEEDED;
    return true;
}

static void choose_position(RunBuild *b) {
    const Doc *doc = b->doc;
    PositionSpec *position = &b->run->spec.position;
    const Source *source = &b->run->source;
    if (doc->position_origin == DOC_POSITION_SET) {
        *position = doc->position;
        position->slopes = doc->slopes ? doc->slopes->bytes : NULL;
        position->n_slopes = doc->slopes ? (int)(doc->slopes->size / sizeof(double)) : 0;
    } else if (!given(b, MATRIX_X) && input_find(source->inputs, source->n_inputs, "pe")) {
        position->kind = POSITION_GIVEN;
    }
}

/* Token rows: x, or tok where positions are added to them. */
static bool take_rows(RunBuild *b, Err *err) {
    const Source *source = &b->run->source;
    PositionKind kind = b->run->spec.position.kind;
    const TensorInput *own = input_find(source->inputs, source->n_inputs, "tok");
    if (!own) own = input_find(source->inputs, source->n_inputs, "x");
    if (!own && !given(b, MATRIX_X)) return missing(err, "x");
    TensorInput rows = given(b, MATRIX_X) ? doc_input(b, MATRIX_X) : *own;
    add_input(b, rows, adds_rows(kind) ? "tok" : "x");
    if (kind == POSITION_GIVEN) add_input(b, *input_find(source->inputs, source->n_inputs, "pe"), "pe");
    if (b->cross && (b->needs[1] || b->needs[2]) && !take(b, MATRIX_X_KV)) return missing(err, "x_kv");
    if (kind == POSITION_LEARNED && !take(b, MATRIX_POS_EMB)) return seed_rows(b, rows.dim[rows.rank - 1], err);
    return true;
}

/* ---- the rest ---- */

static bool take_projections(RunBuild *b, Err *err) {
    static const MatrixName weights[] = {MATRIX_W_Q, MATRIX_W_K, MATRIX_W_V};
    static const MatrixName biases[] = {MATRIX_B_Q, MATRIX_B_K, MATRIX_B_V};
    for (int i = 0; i < 3; i++) {
        if (!b->needs[i] || (i == 1 && b->run->spec.tie_qk)) continue;
        if (!take(b, weights[i])) return missing(err, doc_matrix_names[weights[i]]);
        take(b, biases[i]);
    }
    return true;
}

static bool take_output(RunBuild *b, Err *err) {
    if (!b->out_proj) return true;
    if (!take(b, MATRIX_W_O)) return missing(err, "w_o");
    take(b, MATRIX_B_O);
    return true;
}

/* q, k, v or a map of the document. */
static bool take_parts(RunBuild *b, Err *err) {
    static const struct {
        MatrixName matrix;
        int fact;
    } parts[] = {{MATRIX_Q, RUN_GIVEN_QKV}, {MATRIX_K, RUN_GIVEN_QKV}, {MATRIX_V, RUN_GIVEN_QKV},
                 {MATRIX_SCORES, RUN_GIVEN_SCORES}, {MATRIX_WEIGHTS, RUN_GIVEN_WEIGHTS}};
    bool map = given(b, MATRIX_SCORES) || given(b, MATRIX_WEIGHTS);
    if (given(b, MATRIX_SCORES) && given(b, MATRIX_WEIGHTS))
        return err_set(err, ERR_INPUT, "%s", tr("scores and weights are both given; weights follow from scores: give one"));
    if (map && (given(b, MATRIX_Q) || given(b, MATRIX_K)))
        return err_set(err, ERR_INPUT, tr("%s are given, so q and k have nothing to do: leave them out"),
                       given(b, MATRIX_SCORES) ? "scores" : "weights");
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        if (!take_given(b, parts[i].matrix)) continue;
        b->run->fields |= parts[i].fact;
    }
    const AttentionSpec *spec = &b->run->spec;
    if (given(b, MATRIX_SCORES) && spec->scale == SCALE_AUTO && !spec->d_k)
        return err_set(err, ERR_INPUT, "%s", tr("scores are given, so d_k is not known: give d_k, or scale: none, or a number"));
    if (adds_rows(spec->position.kind) && b->mode == PROJ_GIVEN)
        return err_set(err, ERR_INPUT, tr("position %s is added to x, but the numbers behind x are given here"),
                       position_names[spec->position.kind]);
    return true;
}

static void choose_heads(RunBuild *b) {
    AttentionSpec *spec = &b->run->spec;
    Source *source = &b->run->source;
    spec->n_heads = b->doc->heads;
    spec->n_kv_heads = b->doc->kv_heads;
    if (b->mode == PROJ_NONE && source->inputs) name_slots_as_features(source, spec->n_heads ? spec->n_heads : 1);
    if (b->mode != PROJ_LINEAR || (b->run->fields & RUN_GIVEN_QKV)) return;
    if (!spec->n_heads) spec->n_heads = source->n_heads;
    if (!spec->n_kv_heads && !given(b, MATRIX_W_K)) spec->n_kv_heads = source->n_kv_heads;
}

/* W_Q = W_K says something only where both matrices are there to be one. */
static bool choose_tie(RunBuild *b, Err *err) {
    if (!b->doc->tie_qk) return true;
    b->run->spec.tie_qk = b->mode == PROJ_LINEAR && b->needs[0] && b->needs[1];
    if (b->run->spec.tie_qk || b->mode == PROJ_NONE) return true; /* q = k = x is tied as it is */
    err_set(err, ERR_INPUT, "%s", tr("tie makes k with W_Q, but q, k or the numbers behind them are given here: leave tie out"));
    return err_key(err, "tie");
}

static void note_given(RunBuild *b) {
    static const MatrixName proj[] = {MATRIX_W_Q, MATRIX_W_K, MATRIX_W_V, MATRIX_W_O,
                                      MATRIX_B_Q, MATRIX_B_K, MATRIX_B_V, MATRIX_B_O};
    if (given(b, MATRIX_X)) b->run->fields |= RUN_GIVEN_X;
    for (size_t i = 0; i < sizeof proj / sizeof *proj; i++)
        if (given(b, proj[i])) b->run->fields |= RUN_GIVEN_PROJ;
}

bool run_build_inputs(RunBuild *b, Err *err) {
    const Doc *doc = b->doc;
    AttentionSpec *spec = &b->run->spec;
    find_needs(b);
    spec->proj = b->mode;
    spec->out_proj = b->out_proj;
    spec->scale = doc->scale;
    spec->scale_number = doc->scale_number;
    spec->temperature = doc->temperature;
    spec->precision = doc->precision;
    spec->d_k = doc->d_k;
    spec->d_v = doc->d_v;
    note_given(b);
    if (!needs_model(b)) given_source(b);
    else if (!model_source(b, err)) return false;
    choose_position(b);
    if (!take_parts(b, err) || !choose_tie(b, err)) return false;
    choose_heads(b);
    if (b->mode != PROJ_GIVEN && !take_rows(b, err)) return false;
    if (b->mode == PROJ_LINEAR && !take_projections(b, err)) return false;
    return take_output(b, err);
}

/* ---- edits ---- */

static TensorInput *edited_input(RunBuild *b, MatrixName name) {
    for (int i = 0; i < b->n_in; i++) {
        const char *in = b->in[i].name;
        if (str_eq(in, doc_matrix_names[name]) || (name == MATRIX_X && str_eq(in, "tok"))) return &b->in[i];
    }
    return NULL;
}

static bool apply_edit(RunBuild *b, const DocEdit *edit, bool copied[RUN_INPUTS_MAX], float *was) {
    TensorInput *in = edited_input(b, edit->matrix);
    if (!in) return false;
    size_t offset = 0, count = 1;
    const int *index = edit->index;
    if (doc_matrix_rank(edit->matrix) == in->rank + 1 && *index++ != 0) return false; /* a 2-D q is head 1 */
    for (int i = 0; i < in->rank; i++) {
        if (index[i] < 0 || index[i] >= in->dim[i]) return false;
        offset = offset * (size_t)in->dim[i] + (size_t)index[i];
        count *= (size_t)in->dim[i];
    }
    ptrdiff_t at = in - b->in;
    if (!copied[at]) {
        float *copy = arena_try_raw(&b->run->arena, count, sizeof *copy);
        if (!copy) return false;
        memcpy(copy, in->data, count * sizeof *copy);
        in->data = copy;
        copied[at] = true;
    }
    *was = in->data[offset];
    ((float *)(uintptr_t)in->data)[offset] = (float)edit->value; /* our own copy */
    return true;
}

void run_build_edits(RunBuild *b) {
    bool copied[RUN_INPUTS_MAX] = {false};
    Run *run = b->run;
    run->edit_active = ARENA_ARRAY(&run->arena, bool, (size_t)b->doc->n_edits + 1);
    run->edit_was = ARENA_ARRAY(&run->arena, float, (size_t)b->doc->n_edits + 1);
    for (int i = 0; i < b->doc->n_edits; i++) {
        run->edit_active[i] = apply_edit(b, doc_edit_at(b->doc, i), copied, &run->edit_was[i]);
        run->n_edits_inactive += !run->edit_active[i];
    }
}
