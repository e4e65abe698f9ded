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

/* One matrix [rows, columns] as a stack of one head. */
static TensorInput as_head(TensorInput in) {
    if (in.rank == 2) {
        in.rank = 3;
        in.dim[2] = in.dim[1];
        in.dim[1] = in.dim[0];
        in.dim[0] = 1;
    }
    return in;
}

/* The document's matrix, else the model's. */
static bool take(RunBuild *b, MatrixName name) {
    const TensorInput *own = input_find(b->run->source.inputs, b->run->source.n_inputs, doc_matrix_names[name]);
    if (given(b, name)) add_input(b, doc_input(b, name), doc_matrix_names[name]);
    else if (own) add_input(b, *own, own->name);
    else return false;
    return true;
}

static bool missing(Err *err, const char *name) {
    return err_set(err, ERR_INPUT, tr("%s is missing: give it, or choose a model that has it"), name);
}

/* ---- the model ---- */

static const MatrixName parts[] = {MATRIX_Q, MATRIX_K, MATRIX_V, MATRIX_SCORES, MATRIX_WEIGHTS};
enum { PARTS = sizeof parts / sizeof *parts };

/* Given parts stand alone; only without projections they may be mixed with the rows of a given x. */
static ProjKind choose_mode(const RunBuild *b) {
    bool any = false;
    for (int i = 0; i < PARTS; i++) any = any || given(b, parts[i]);
    if (!any || (b->doc->projections == PROJ_NONE && given(b, MATRIX_X))) return b->doc->projections;
    return PROJ_GIVEN;
}

static bool needs_model(const RunBuild *b) {
    if (b->mode == PROJ_GIVEN) return false;
    if (!given(b, MATRIX_X) || (b->cross && !given(b, MATRIX_X_KV))) return true;
    if (b->mode == PROJ_NONE) return b->out_proj && !given(b, MATRIX_W_O);
    return !given(b, MATRIX_W_Q) || !given(b, MATRIX_W_K) || !given(b, MATRIX_W_V) ||
           (b->out_proj && !given(b, MATRIX_W_O));
}

static void given_source(RunBuild *b) {
    Source *source = &b->run->source;
    source->title = tr("Given numbers");
    source->badge = tr("given");
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
    if (b->cross && !take(b, MATRIX_X_KV)) return missing(err, "x_kv");
    if (kind == POSITION_LEARNED && !take(b, MATRIX_POS_EMB)) return seed_rows(b, rows.dim[rows.rank - 1], err);
    return true;
}

/* ---- the three modes ---- */

static int part_flag(MatrixName part) {
    return part == MATRIX_SCORES ? RUN_GIVEN_SCORES : part == MATRIX_WEIGHTS ? RUN_GIVEN_WEIGHTS : RUN_GIVEN_QKV;
}

static bool take_output(RunBuild *b, Err *err) {
    if (!b->out_proj) return true;
    if (!take(b, MATRIX_W_O)) return missing(err, "w_o");
    take(b, MATRIX_B_O);
    return true;
}

static bool linear_inputs(RunBuild *b, Err *err) {
    static const MatrixName weights[] = {MATRIX_W_Q, MATRIX_W_K, MATRIX_W_V};
    static const MatrixName biases[] = {MATRIX_B_Q, MATRIX_B_K, MATRIX_B_V};
    if (!take_rows(b, err)) return false;
    for (int i = 0; i < 3; i++) {
        if (!take(b, weights[i])) return missing(err, doc_matrix_names[weights[i]]);
        take(b, biases[i]);
    }
    AttentionSpec *spec = &b->run->spec;
    const Source *source = &b->run->source;
    spec->n_heads = b->doc->heads ? b->doc->heads : source->n_heads ? source->n_heads : 1;
    spec->n_kv_heads = b->doc->kv_heads ? b->doc->kv_heads : given(b, MATRIX_W_K) ? 0 : source->n_kv_heads;
    return take_output(b, err);
}

static bool plain_inputs(RunBuild *b, Err *err) {
    AttentionSpec *spec = &b->run->spec;
    if (!take_rows(b, err)) return false;
    for (int i = 0; i < PARTS; i++) {
        if (!given(b, parts[i])) continue;
        add_input(b, as_head(doc_input(b, parts[i])), doc_matrix_names[parts[i]]);
        b->run->fields |= part_flag(parts[i]);
    }
    spec->n_heads = b->doc->heads;
    spec->n_kv_heads = b->doc->kv_heads;
    if (b->run->source.inputs) name_slots_as_features(&b->run->source, b->doc->heads > 0 ? b->doc->heads : 1);
    return take_output(b, err);
}

/* q, k or v: given, else the rows of x (x_kv for k and v). */
static bool take_part(RunBuild *b, MatrixName name, TensorInput *out, Err *err) {
    MatrixName rows = b->cross && name != MATRIX_Q ? MATRIX_X_KV : MATRIX_X;
    if (given(b, name)) *out = as_head(doc_input(b, name));
    else if (given(b, rows)) *out = as_head(doc_input(b, rows));
    else return err_set(err, ERR_INPUT, tr("%s is missing: give q, k and v, or x for those that are not given"),
                        doc_matrix_names[name]);
    add_input(b, *out, doc_matrix_names[name]);
    return true;
}

static bool identity_v(RunBuild *b, TensorInput *out, Err *err) {
    int S = b->run->keys.n;
    float *data = arena_try(&b->run->arena, (size_t)S * (size_t)S, sizeof *data);
    if (!data) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    for (int i = 0; i < S; i++) data[(size_t)i * (size_t)S + (size_t)i] = 1;
    *out = (TensorInput){.rank = 3, .dim = {1, S, S, 1}, .data = data};
    add_input(b, *out, "v");
    Run *run = b->run;
    const char **names = ARENA_ARRAY(&run->arena, const char *, (size_t)S);
    for (int j = 0; j < S; j++) names[j] = run->keys.items[j].label;
    run->source.slot_v = names;
    run->source.n_heads = 1;
    run->source.d_v = S;
    run->fields |= RUN_V_IDENTITY;
    return true;
}

static bool given_map(RunBuild *b, MatrixName name, Err *err) {
    TensorInput map = as_head(doc_input(b, name)), v = {0};
    add_input(b, map, doc_matrix_names[name]);
    bool has_rows = given(b, MATRIX_V) || given(b, b->cross ? MATRIX_X_KV : MATRIX_X);
    if (has_rows ? !take_part(b, MATRIX_V, &v, err) : !identity_v(b, &v, err)) return false;
    AttentionSpec *spec = &b->run->spec;
    spec->n_heads = map.dim[0];
    spec->n_kv_heads = v.dim[0];
    if (name == MATRIX_SCORES && spec->scale == SCALE_AUTO && !spec->d_k)
        return err_set(err, ERR_INPUT, "%s", tr("scores are given, so d_k is not known: give d_k, or scale: none, or a number"));
    b->run->fields |= part_flag(name);
    return true;
}

static bool given_inputs(RunBuild *b, Err *err) {
    PositionKind kind = b->run->spec.position.kind;
    if (adds_rows(kind))
        return err_set(err, ERR_INPUT, tr("position %s is added to x, but the numbers behind x are given here"),
                       position_names[kind]);
    if (given(b, MATRIX_SCORES) || given(b, MATRIX_WEIGHTS)) {
        MatrixName map = given(b, MATRIX_SCORES) ? MATRIX_SCORES : MATRIX_WEIGHTS;
        return given_map(b, map, err) && take_output(b, err);
    }
    TensorInput q, k, v;
    if (!take_part(b, MATRIX_Q, &q, err) || !take_part(b, MATRIX_K, &k, err) || !take_part(b, MATRIX_V, &v, err))
        return false;
    b->run->spec.n_heads = q.dim[0];
    b->run->spec.n_kv_heads = k.dim[0];
    b->run->fields |= RUN_GIVEN_QKV;
    return take_output(b, err);
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
    b->mode = choose_mode(b);
    b->out_proj = doc->out_proj_set ? doc->out_proj : b->mode == PROJ_LINEAR || given(b, MATRIX_W_O);
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
    if (given(b, MATRIX_SCORES) && given(b, MATRIX_WEIGHTS))
        return err_set(err, ERR_INPUT, "%s", tr("scores and weights are both given; weights follow from scores: give one"));
    if (b->mode == PROJ_LINEAR) return linear_inputs(b, err);
    if (b->mode == PROJ_NONE) return plain_inputs(b, err);
    return given_inputs(b, err);
}

/* ---- edits ---- */

static TensorInput *edited_input(RunBuild *b, MatrixName name) {
    for (int i = 0; i < b->n_in; i++) {
        const char *in = b->in[i].name;
        if (str_eq(in, doc_matrix_names[name]) || (name == MATRIX_X && str_eq(in, "tok"))) return &b->in[i];
    }
    return NULL;
}

static bool apply_edit(RunBuild *b, const DocEdit *edit, bool copied[RUN_INPUTS_MAX]) {
    TensorInput *in = edited_input(b, edit->matrix);
    if (!in) return false;
    size_t offset = 0, count = 1;
    for (int i = 0; i < in->rank; i++) {
        if (edit->index[i] < 0 || edit->index[i] >= in->dim[i]) return false;
        offset = offset * (size_t)in->dim[i] + (size_t)edit->index[i];
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
    ((float *)(uintptr_t)in->data)[offset] = (float)edit->value; /* our own copy */
    return true;
}

void run_build_edits(RunBuild *b) {
    bool copied[RUN_INPUTS_MAX] = {false};
    Run *run = b->run;
    run->edit_active = ARENA_ARRAY(&run->arena, bool, (size_t)b->doc->n_edits + 1);
    for (int i = 0; i < b->doc->n_edits; i++) {
        run->edit_active[i] = apply_edit(b, doc_edit_at(b->doc, i), copied);
        run->n_edits_inactive += !run->edit_active[i];
    }
}
