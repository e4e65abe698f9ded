#include "scene/inspector.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "doc/film.h"
#include "scene/inspector_part.h"
#include "scene/look.h"
#include "scene/paint.h"

static const InspectorBody bodies[] = {
    [OP_INPUT] = inspector_terms,        [OP_SINUSOID] = inspector_embed,
    [OP_ROPE_COS] = inspector_terms,     [OP_ROPE_SIN] = inspector_terms,
    [OP_ALIBI_SLOPES] = inspector_terms, [OP_ALIBI_BIAS] = inspector_terms,
    [OP_MASK_RULE] = inspector_mask,     [OP_ROWS] = inspector_terms,
    [OP_ADD] = inspector_embed,          [OP_HEADS] = inspector_terms,
    [OP_PROJECT] = inspector_terms,      [OP_ROPE] = inspector_terms,
    [OP_SCORES] = inspector_terms,       [OP_SCALE] = inspector_terms,
    [OP_MASK] = inspector_mask,          [OP_ROW_MAX] = inspector_softmax,
    [OP_EXP] = inspector_softmax,        [OP_ROW_SUM] = inspector_softmax,
    [OP_DIVIDE] = inspector_softmax,     [OP_WEIGHTED_SUM] = inspector_weighted_sum,
    [OP_CONCAT] = inspector_terms,       [OP_LINEAR] = inspector_output,
    [OP_COPY] = inspector_terms,         [OP_GATHER] = inspector_terms,
    [OP_PICK] = inspector_terms,         [OP_RELATIVE_BIAS] = inspector_terms,
    [OP_MEAN] = inspector_terms,         [OP_VARIANCE] = inspector_terms,
    [OP_RMS] = inspector_terms,          [OP_LAYERNORM] = inspector_norm,
    [OP_RMSNORM] = inspector_norm,       [OP_RELU] = inspector_activation,
    [OP_GELU] = inspector_activation,    [OP_GELU_TANH] = inspector_activation,
    [OP_SILU] = inspector_activation,    [OP_TANH] = inspector_activation,
    [OP_MULTIPLY] = inspector_terms,     [OP_HEAD_AVERAGE] = inspector_terms,
    [OP_MIX_IDENTITY] = inspector_terms, [OP_MATMUL] = inspector_terms,
    [OP_HEAD_MAXIMUM] = inspector_terms,
    [OP_LENGTH] = inspector_terms,       [OP_TIMES_LENGTH] = inspector_terms,
};
static_assert(sizeof bodies / sizeof *bodies == OP_KIND_COUNT, "a body for each op kind");

/* One kind of arithmetic can stand for several things: sums of positions or of residuals, softmax over keys or tokens. */
static InspectorBody body_of(const Inspector *in) {
    InspectorBody body = bodies[in->e.op];
    const char *name = trace_tensor(in->scene->run->trace, in->tensor)->name;
    if (body == inspector_softmax && in->predicts) return in->e.n_terms > 2 ? inspector_vocabulary : inspector_terms;
    if (body == inspector_output && !str_eq(name, "out")) return inspector_terms;
    if (body == inspector_embed && str_starts(name, "resid")) return inspector_terms;
    return body;
}

/* ---- shared by the bodies ---- */

void inspector_operand(Inspector *in, Rect box, TensorId tensor, const int *index) {
    char reference[160];
    const char *name = arena_printf(in->scene->arena, "inspector.term.%d", ++in->n_controls);
    run_ref_text(reference, in->scene->run, tensor, index);
    DlGroup group = {.role = ROLE_OPERAND, .tensor = tensor, .at = {index[0], index[1], index[2], index[3]}, .focusable = true};
    group.name = dl_store(in->dl, name);
    group.action = dl_store(in->dl, scene_explain_action(in->scene, tensor, index));
    group.label = dl_store(in->dl, reference);
    dl_group(in->dl, box, &group);
    scene_ring(in->scene, in->dl, name, box, 6 * in->scene->layout.scale);
}

float inspector_pitch(const Inspector *in, int n, float room, float least, float most, int *shown) {
    float s = in->scene->layout.scale, pitch = n > 0 ? room / (float)n : most * s;
    *shown = n;
    if (pitch >= least * s) return fminf(floorf(pitch), most * s);
    int fit = (int)(room / (least * s));
    *shown = fit > 1 ? fit - 1 : 0; /* one row says how many more there are */
    return least * s;
}

int inspector_reached(const Inspector *in, int n) {
    int reached = in->phase >= 1 ? n : (int)floor(in->phase * (n + 1));
    return reached < n ? reached : n;
}

float inspector_label(Inspector *in, int type, FontFace face, Color color, Rect box, TextAlign align, const char *text) {
    if (!strstr(text, "\xE2\x82")) /* no subscripts */
        return dl_label(in->dl, in->scene->font, face, in->scene->layout.type[type], color, box, align, text);
    RichStyle style = scene_style(in->scene, type, face, color);
    rich_label(in->dl, &style, box, align, text);
    return rich_width(&style, text);
}

const char *inspector_name(const Inspector *in, TensorId tensor, int axis, int i) {
    return words_name(in->scene->run, tensor, axis, i, in->scene->arena);
}

const char *inspector_scale_rule(const Inspector *in) {
    const AttentionSpec *spec = &scene_site(in->scene)->spec;
    Arena *arena = in->scene->arena;
    bool warm = spec->temperature != 0 && spec->temperature != 1;
    const char *root = words_root(spec->d_k, arena), *t = scene_short_number(in->scene, spec->temperature);
    if (spec->scale == SCALE_AUTO) return warm ? arena_printf(arena, "÷ %s ÷ %s", root, t) : arena_printf(arena, "÷ %s", root);
    if (spec->scale == SCALE_NONE) return warm ? arena_printf(arena, "÷ %s", t) : NULL;
    const char *factor = scene_short_number(in->scene, spec->scale_number);
    return warm ? arena_printf(arena, "× %s ÷ %s", factor, t) : arena_printf(arena, "× %s", factor);
}

void inspector_line(Inspector *in, float y) { dl_line(in->dl, in->inner.x, y, in->inner.x + in->inner.w, y, in->theme->line, 1); }

/* ---- what is explained ---- */

/* The likeliest token's exp, then its probability, from when the logits say which it is. */
static bool find_prediction(Inspector *in, int *index) {
    const Scene *scene = in->scene;
    const Trace *trace = scene->run->trace;
    const Network *net = scene->run->network;
    if (scene_stage(scene)->kind != STAGE_PREDICT || !net || net->n_predictions < 1 || net->results.probs == TENSOR_NONE || !in->now.work) return false;
    TensorId running = in->now.step.tensor;
    OpKind kind = trace_op(trace, trace_tensor(trace, running)->op)->kind;
    if (!in->now.started || (kind != OP_EXP && kind != OP_DIVIDE)) return false;
    in->tensor = running;
    index[2] = net->predictions[0].id;
    in->phase = film_progress(trace, &scene->view->film, running, 0, index[2]);
    return true;
}

/* The largest number of the row in view, where the map is of all heads together and the row is there. */
static bool find_of_all_heads(Inspector *in, int *index) {
    const Scene *scene = in->scene;
    const Trace *trace = scene->run->trace;
    if (!look_over_heads(scene)) return false;
    TensorId id = look_tensor(scene);
    const Tensor *t = trace_tensor(trace, id);
    int row = in->now.row;
    if (!trace_resident(trace, id) || film_progress(trace, &scene->view->film, scene_stage_tensor(scene), row, t->dim[1] - 1) < 1) return false;
    in->tensor = id;
    in->phase = 1;
    index[0] = row;
    for (int j = 1; j < t->dim[1]; j++) {
        const int at[TENSOR_RANK_MAX] = {row, j}, best[TENSOR_RANK_MAX] = {row, index[1]};
        if (tensor_at(t, at) > tensor_at(t, best)) index[1] = j;
    }
    return true;
}

/* The film's current number; of a stage without work the first of what is there. */
static bool find_current(Inspector *in, int *index) {
    const Scene *scene = in->scene;
    if (find_prediction(in, index) || find_of_all_heads(in, index)) return true;
    in->tensor = in->now.work ? in->now.step.tensor : scene_stage_tensor(scene);
    if (in->tensor == TENSOR_NONE) return false;
    in->phase = in->now.work ? in->now.phase : 1;
    scene_index(scene->run, in->tensor, scene->view->head, in->now.row, in->now.col, index);
    const Trace *trace = scene->run->trace;
    if (trace_op(trace, trace_tensor(trace, in->tensor)->op)->kind == OP_ROW_MAX && scene_stage(scene)->kind == STAGE_SOFTMAX) { /* [H, L] */
        index[0] = scene->view->head;
        index[1] = in->now.row;
        index[2] = 0;
    }
    return true;
}

static double selected_phase(const Inspector *in, const int *index) {
    const Trace *trace = in->scene->run->trace;
    const Tensor *t = trace_tensor(trace, in->tensor);
    int row = t->rank > 1 ? index[t->rank - 2] : 0, col = index[t->rank - 1];
    if (str_starts(t->name, "row_")) row = col, col = 0; /* [H, L]: a row of softmax */
    return film_progress(trace, &in->scene->view->film, in->tensor, row, col);
}

static bool find_subject(Inspector *in) {
    const Scene *scene = in->scene;
    int *index = ARENA_ARRAY(scene->arena, int, TENSOR_RANK_MAX);
    in->now = scene_now(scene);
    in->index = index;
    in->selected = scene_selection(scene, &in->tensor, index);
    if (in->selected)
        in->phase = selected_phase(in, index);
    else if (!find_current(in, index))
        return false;
    Err err = {0};
    if (!trace_explain(scene->run->trace, in->tensor, index, scene->arena, &in->e, &err)) return false;
    int stage = trace_stage_of(scene->run->trace, in->tensor);
    in->predicts = stage >= 0 && trace_stage(scene->run->trace, stage)->kind == STAGE_PREDICT;
    words_rich(scene->run, &in->e, scene->arena, &in->words);
    return true;
}

/* ---- parts ---- */

static void draw_question(Inspector *in) {
    const Layout *l = &in->scene->layout;
    RichStyle style = scene_style(in->scene, TYPE_TITLE, FACE_UI, in->theme->muted);
    style.line = roundf(style.size * 1.4f);
    const char *text = in->question ? in->question : in->words.question;
    in->y += rich_paragraph(in->dl, &style, (Rect){in->inner.x, in->y, in->inner.w, 0}, ALIGN_LEFT, text) + 1.5f * l->pad;
}

static bool has_buttons(const Inspector *in) { return !in->scene->layout.paper && in->terse < 3 && in->inner.h > 300 * in->scene->layout.scale; }

static float footer_height(const Inspector *in) {
    const Layout *l = &in->scene->layout;
    return (has_buttons(in) ? 4.5f * l->pad + 1.5f * l->pad : 0) + 2.5f * l->pad;
}

/* The longest label that fits: with the operand's name, without it. */
static const char *source_label(const Inspector *in, const Ref *source, float room) {
    RichStyle style = scene_style(in->scene, TYPE_LABEL, FACE_UI_MEDIUM, in->theme->ink);
    const char *name = words_noun(trace_tensor(in->scene->run->trace, source->id)->name);
    const char *label = arena_printf(in->scene->arena, tr("Where does %s come from?"), name);
    return rich_width(&style, label) <= room ? label : tr("Where from?");
}

/* Addresses count layers and tokens from 0; everything else on screen counts from 1. NULL: nothing to say. */
static const char *reference_note(const Inspector *in) {
    static const char *const turned[] = {"w_q", "w_k", "w_v", "w_o"}; /* the picture has them turned, so that X stands before them */
    char layer[FILM_TEXT_MAX];
    const Run *run = in->scene->run;
    int id = words_id_of(run, in->tensor, in->index), stage = trace_stage_of(run->trace, in->tensor);
    if (id >= 0) return words_id(id, in->scene->arena);
    if (str_find(turned, 4, trace_tensor(run->trace, in->tensor)->name) >= 0 && run->n_sites == 1) return tr("output first, as in PyTorch");
    if (stage < 0 || !trace_stage(run->trace, stage)->scope[0]) return NULL;
    film_layer_text(layer, run->trace, stage);
    return layer[0] ? arena_strdup(in->scene->arena, layer) : NULL;
}

static void draw_reference(Inspector *in, Rect row) {
    const Layout *l = &in->scene->layout;
    const char *text = in->reference ? in->reference : in->words.reference, *note = reference_note(in);
    float used = font_width(in->scene->font, FACE_MONO, l->type[TYPE_SMALL], text) + 2 * l->pad;
    inspector_label(in, TYPE_SMALL, FACE_MONO, in->theme->muted, row, ALIGN_LEFT, text);
    rect_cut_left(&row, used);
    if (note && font_width(in->scene->font, FACE_UI, l->type[TYPE_SMALL], note) <= row.w)
        inspector_label(in, TYPE_SMALL, FACE_UI, in->theme->muted, row, ALIGN_RIGHT, note);
}

/* Room for a word that works as a button, at the right end of `row`, which gives way; empty when it has none. */
static Rect cut_link(const Inspector *in, Rect *row, const char *text) {
    const Layout *l = &in->scene->layout;
    float w = ceilf(font_width(in->scene->font, FACE_UI_MEDIUM, l->type[TYPE_LABEL], text)) + 2;
    if (w > row->w) return (Rect){0};
    Rect box = rect_cut_right(row, w);
    rect_cut_right(row, 1.5f * l->pad);
    return box;
}

static void draw_link(Inspector *in, Rect box, const char *name, const char *action, const char *text) {
    const Layout *l = &in->scene->layout;
    bool hot = str_eq(in->scene->view->hot, name);
    if (box.w <= 0) return;
    dl_control(in->dl, rect_inset(box, -0.5f * l->pad), ROLE_BUTTON, name, action, text);
    dl_label(in->dl, in->scene->font, FACE_UI_MEDIUM, l->type[TYPE_LABEL], hot ? in->theme->ink : in->theme->accent, box, ALIGN_LEFT, text);
    scene_ring(in->scene, in->dl, name, rect_inset(box, -0.5f * l->pad), 4 * l->scale);
    dl_ungroup(in->dl);
}

static const char *reset_action(const Inspector *in) {
    const Tensor *t = trace_tensor(in->scene->run->trace, in->tensor);
    return arena_printf(in->scene->arena, "edit.reset %s", view_index_text(t->id, in->index, t->rank, ",", in->scene->arena));
}

static const char *reset_label(const Inspector *in, int edit) {
    return arena_printf(in->scene->arena, tr("Back to %s"), scene_short_number(in->scene, (double)in->scene->run->edit_was[edit]));
}

/* Where there is no room for buttons: the same as words beside the reference. */
static void draw_links(Inspector *in, Rect row) {
    int edit = run_edit_of(in->scene->run, in->tensor, in->index);
    const Ref *source = edit < 0 ? explanation_source(&in->e) : NULL;
    Rect copy = cut_link(in, &row, tr("Copy…"));
    Rect reset = edit >= 0 ? cut_link(in, &row, reset_label(in, edit)) : (Rect){0}, from = source ? cut_link(in, &row, tr("Where from?")) : (Rect){0};
    draw_reference(in, row);
    if (source) draw_link(in, from, "inspector.source", scene_explain_action(in->scene, source->id, source->index), tr("Where from?"));
    if (edit >= 0) draw_link(in, reset, "inspector.reset", reset_action(in), reset_label(in, edit));
    draw_link(in, copy, "inspector.copy", "menu copy", tr("Copy…"));
}

static void draw_footer(Inspector *in) {
    const Layout *l = &in->scene->layout;
    float bottom = in->inner.y + in->inner.h, gap = 1.25f * l->pad;
    Rect reference = {in->inner.x, bottom - 2 * l->pad, in->inner.w, 2 * l->pad};
    if (!has_buttons(in)) {
        if (in->scene->layout.paper) draw_reference(in, reference);
        else draw_links(in, reference);
        return;
    }
    draw_reference(in, reference);
    Rect row = {in->inner.x, reference.y - 5.5f * l->pad, in->inner.w, 4.5f * l->pad};
    int edit = run_edit_of(in->scene->run, in->tensor, in->index);
    const Ref *source = edit < 0 ? explanation_source(&in->e) : NULL;
    Rect right = row;
    if (source) {
        float copy = font_width(in->scene->font, FACE_UI_MEDIUM, l->type[TYPE_LABEL], tr("Copy…")) + 3 * l->pad, most = row.w - gap - copy;
        RichStyle style = scene_style(in->scene, TYPE_LABEL, FACE_UI_MEDIUM, in->theme->ink);
        const char *label = source_label(in, source, most - 1.5f * l->pad);
        float wide = fminf(most, fmaxf((row.w - gap) / 2, rich_width(&style, label) + 3 * l->pad));
        Rect left = rect_cut_left(&right, wide);
        rect_cut_left(&right, gap);
        scene_button(in->scene, in->dl, left, "inspector.source", scene_explain_action(in->scene, source->id, source->index), label);
    }
    if (edit >= 0) {
        Rect left = rect_cut_left(&right, (row.w - gap) / 2);
        rect_cut_left(&right, gap);
        scene_button(in->scene, in->dl, left, "inspector.reset", reset_action(in), reset_label(in, edit));
    }
    scene_button(in->scene, in->dl, right, "inspector.copy", "menu copy", tr("Copy…"));
}

/* "next: ÷ √dₖ = ÷ 2  →  12.000" */
static const char *next_line(const Inspector *in, const char **value) {
    TensorId scaled = scene_find(in->scene, "scaled");
    if (in->e.op != OP_SCORES || scaled == TENSOR_NONE || in->phase < 1) return NULL;
    *value = scene_number(in->scene, tensor_at(trace_tensor(in->scene->run->trace, scaled), in->index), 3);
    const char *rule = inspector_scale_rule(in);
    if (scene_site(in->scene)->spec.scale == SCALE_AUTO) {
        bool warm = scene_site(in->scene)->spec.temperature != 0 && scene_site(in->scene)->spec.temperature != 1;
        return arena_printf(in->scene->arena, warm ? tr("next: ÷ √dₖ ÷ T = %s") : tr("next: ÷ √dₖ = %s"), rule);
    }
    return rule ? arena_printf(in->scene->arena, tr("next: %s"), rule) : NULL;
}

static const char *meaning_of(Inspector *in) {
    const char *meaning = in->meaning ? in->meaning : in->words.meaning;
    if (in->phase < 1) return NULL;
    const char *wrong = words_diagnosis(in->scene->run, in->tensor, in->index, in->scene->arena);
    if (!wrong) return meaning;
    return phrase_sentences(in->scene->arena, meaning && meaning[0] ? meaning : NULL, wrong);
}

static RichStyle meaning_style(const Inspector *in) { return scene_style(in->scene, TYPE_BODY, FACE_UI, in->theme->muted); }

/* What is there of the number: the sum so far of products, whose order the stage shows; else nothing before it is done. */
static const char *running_value(const Inspector *in) {
    if (in->value) return in->value;
    bool mask = str_eq(trace_tensor(in->scene->run->trace, in->tensor)->name, "mask");
    if (in->phase >= 1 && mask) return words_mask_number(in->scene->run, in->e.self.value, in->scene->arena);
    if (in->phase >= 1) return scene_number(in->scene, in->e.self.value, 3);
    if (in->phase <= 0) return "";
    double sum = 0;
    int done = in->e.form == FORM_DOT ? inspector_reached(in, in->e.n_terms) : 0;
    if (done < 1) return "…";
    for (int i = 0; i < done; i++) sum += in->e.terms[i].value;
    return scene_number(in->scene, sum, 3);
}

/* Result, next line, meaning. Returns the height; draws when `draw`. */
static float tail(Inspector *in, float y, bool draw) {
    const Layout *l = &in->scene->layout;
    const Theme *theme = in->theme;
    float x = in->inner.x, w = in->inner.w, start = y;
    const char *result = in->result ? in->result : in->words.result_name, *value = running_value(in), *next_value = NULL;
    const char *next = in->terse < 2 ? next_line(in, &next_value) : NULL, *meaning = in->terse < 1 ? meaning_of(in) : NULL;
    float value_w = font_width(in->scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], value) + l->pad;
    if (result[0]) {
        RichStyle name = scene_style(in->scene, TYPE_TITLE, FACE_UI_SEMIBOLD, theme->ink);
        if (rich_width(&name, result) > w - value_w) name = scene_style(in->scene, TYPE_BODY, FACE_UI_SEMIBOLD, theme->ink);
        name.line = roundf(name.size * 1.35f);
        float high = fmaxf(rich_height(&name, w - value_w, result), 3 * l->pad);
        if (draw) {
            inspector_line(in, y + l->pad);
            rich_paragraph(in->dl, &name, (Rect){x, y + 2.5f * l->pad, w - value_w, high}, ALIGN_LEFT, result);
            inspector_label(in, TYPE_TITLE, FACE_MONO_BOLD, in->phase >= 1 ? theme->ink : theme->muted,
                            (Rect){x, y + 2.5f * l->pad, w, name.line}, ALIGN_RIGHT, value);
        }
        y += 2.5f * l->pad + high;
    }
    if (next) {
        RichStyle small = scene_style(in->scene, TYPE_BODY, FACE_UI, theme->muted);
        Rect row = {x, y + 0.5f * l->pad, w, 3 * l->pad};
        if (draw) {
            rich_label(in->dl, &small, row, ALIGN_LEFT, next);
            inspector_label(in, TYPE_BODY, FACE_MONO, theme->muted, row, ALIGN_RIGHT, next_value);
        }
        y += 3.5f * l->pad;
    }
    if (meaning && meaning[0]) {
        RichStyle style = meaning_style(in);
        if (draw && result[0]) inspector_line(in, y + 1.5f * l->pad);
        y += 3 * l->pad;
        if (draw) rich_paragraph(in->dl, &style, (Rect){x, y, w, 0}, ALIGN_LEFT, meaning);
        y += rich_height(&style, w, meaning);
    }
    return y - start;
}

/* Height that lets the body show its first rows. */
static float body_least(const Inspector *in) {
    const float s = in->scene->layout.scale;
    InspectorBody body = body_of(in);
    if (body == inspector_norm) return 120 * s;
    if (body == inspector_activation) return 40 * s;
    if (body == inspector_softmax) return (42 + 22 * (fminf((float)scene_site(in->scene)->spec.S, 5) + 1)) * s;
    if (body == inspector_mask) return in->e.op == OP_MASK ? 34 * s * (float)in->e.n_terms : 0;
    if (body == inspector_embed) return in->e.n_terms > 0 ? 44 * s : 0;
    int n = 0;
    for (int i = 0; i < in->e.n_terms && n < 5; i++) n += in->e.terms[i].value != 0;
    bool more = n < in->e.n_terms;
    return in->e.n_terms > 0 ? (40 + 26 * (float)(n + more)) * s : 0;
}

/* What is left for the body; prose gives way until its first rows fit. */
static float make_room(Inspector *in) {
    float least = body_least(in), room = 0;
    for (in->terse = 0; in->terse <= 3; in->terse++) {
        float limit = in->inner.y + in->inner.h - footer_height(in);
        room = fmaxf(0, limit - in->y - tail(in, in->y, false) - in->scene->layout.pad);
        if (room >= least) return room;
    }
    in->terse = 3;
    return room;
}

/* A row of a table that has not been looked up yet: the number there would be the empty cell's. */
static bool to_come(const Inspector *in) {
    return !in->selected && in->e.form == FORM_COPY && in->phase <= 0 && scene_stage(in->scene)->kind == STAGE_EMBED;
}

void inspector_draw(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Rect box = l->inspector;
    if (box.w <= 0 || box.h <= 0) return;
    Inspector in = {.scene = scene, .dl = dl, .theme = scene_theme(scene), .inner = rect_inset(box, 3 * l->pad)};
    in.y = in.inner.y;
    if (!find_subject(&in)) return; /* the captions say why there is nothing to explain */
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "inspector")};
    dl_group(dl, box, &group);
    dl_rect(dl, box, 1.5f * l->pad, in.theme->panel, in.theme->line, 1);
    dl_clip(dl, rect_inset(box, 1));
    inspector_prepare(&in);
    inspector_trail(&in);
    draw_question(&in);
    float room = make_room(&in), limit = in.inner.y + in.inner.h - footer_height(&in);
    if (!to_come(&in)) in.y += body_of(&in)(&in, (Rect){in.inner.x, in.y, in.inner.w, room});
    in.y += tail(&in, in.y, true) + 2.5f * l->pad;
    bool mask = in.e.op == OP_MASK || in.e.op == OP_MASK_RULE;
    if (mask && in.phase >= 1) in.y += inspector_libraries(&in, (Rect){in.inner.x, in.y, in.inner.w, limit - in.y});
    if (in.phase >= 1) inspector_empty_row(&in, (Rect){in.inner.x, in.y, in.inner.w, limit - in.y});
    draw_footer(&in);
    dl_unclip(dl);
    dl_ungroup(dl);
}
