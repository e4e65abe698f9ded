/* What the model predicts: the most likely tokens as a list of bars, from left to right as it is worked out: logit, exp,
 * probability. What is not computed yet is an empty cell, tokens too until all logits are there, for these sort them. A
 * click on a row takes its token, one on a number explains it; what the pointer is on has a frame. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"
#include "scene/words.h"

/* Units at scale 1. */
enum { ROW_MOST = 40, ROW_LEAST = 20, NAME_MOST = 220, LIST_WIDE = 900, BAR_LEAST = 120 };

typedef struct {
    const Network *net;
    TensorId probs, exp, logits;
    bool sorted;   /* all logits are there */
    int n;         /* rows that fit */
    float pitch, name_w, id_w, share_w, exp_w, logit_w; /* 0: there is no room for it */
    Rect box;
} List;

static bool has_rows(const Network *net) {
    return net && net->n_predictions > 0 && net->predict_row >= 0 && net->results.probs != TENSOR_NONE;
}

static const char *token_text(StageView *v, const Prediction *p) { return rich_short(v->scene->arena, p->label); }

static float number_width(const StageView *v, const char *text) {
    return font_width(v->scene->font, FACE_MONO, v->scene->layout.type[TYPE_BODY], text);
}

static float head_width(const StageView *v, const char *text) {
    return font_width(v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], text);
}

static int tokens_of(const StageView *v, const List *list) { return trace_tensor(v->trace, list->logits)->dim[1]; }

/* Where the logit of a token stands: of all rows' logits in the last one's. */
static void logit_at(const StageView *v, const List *list, int id, int at[TENSOR_RANK_MAX]) {
    at[0] = trace_tensor(v->trace, list->logits)->dim[0] > 1 ? list->net->predict_row : 0;
    at[1] = id;
    at[2] = at[3] = 0;
}

/* The film ends each phase with the last token of the vocabulary. */
static void find_progress(const StageView *v, List *list) {
    int last[TENSOR_RANK_MAX];
    logit_at(v, list, tokens_of(v, list) - 1, last);
    list->exp = trace_op(v->trace, trace_tensor(v->trace, list->probs)->op)->in[0];
    list->sorted = film_progress(v->trace, &v->scene->view->film, list->logits, last[0], last[1]) >= 1;
}

static void measure_columns(StageView *v, List *list) {
    list->share_w = fmaxf(number_width(v, "<0.0001 %"), head_width(v, tr("probability"))) + 2 * v->pad;
    list->logit_w = fmaxf(number_width(v, "−00.000"), head_width(v, tr("logit"))) + 2 * v->pad;
    list->exp_w = fmaxf(number_width(v, "0.000"), head_width(v, tr("exp"))) + 2 * v->pad;
    for (int i = 0; i < list->n; i++) {
        const Prediction *p = &list->net->predictions[i];
        float w = font_width(v->scene->font, FACE_UI_SEMIBOLD, v->scene->layout.type[TYPE_BODY], token_text(v, p));
        const char *ends = words_end_of_text(v->run, p->id);
        if (ends) w += head_width(v, ends) + v->pad;
        list->name_w = fmaxf(list->name_w, w + 4 * v->pad);
    }
    list->name_w = fminf(fmaxf(list->name_w, 80 * v->s), fminf(NAME_MOST * v->s, list->box.w * 0.35f));
    list->id_w = head_width(v, arena_printf(v->scene->arena, "%d", tokens_of(v, list))) + 2 * v->pad;
    float *const less[] = {&list->id_w, &list->exp_w};
    for (int i = 0; i < 2; i++)
        if (list->box.w - list->name_w - list->id_w - list->share_w - list->exp_w - list->logit_w < BAR_LEAST * v->s) *less[i] = 0;
}

/* Rows as high as the room allows; what does not fit is left out from the end, and said. */
static List measure(StageView *v, Rect area) {
    const NetworkResults *results = &v->run->network->results;
    List list = {.net = v->run->network, .probs = results->probs, .logits = results->logits, .box = area};
    float head = 3 * v->pad, room = area.h - head;
    list.box.w = fminf(area.w, LIST_WIDE * v->s);
    list.box.x = area.x + (area.w - list.box.w) / 2;
    list.n = list.net->n_predictions;
    while (list.n > 1 && room / (float)list.n < ROW_LEAST * v->s) list.n--;
    list.pitch = fminf(floorf(room / (float)list.n), ROW_MOST * v->s);
    find_progress(v, &list);
    measure_columns(v, &list);
    list.box.y += head + fmaxf(0, (room - list.pitch * (float)list.n) / 3);
    return list;
}

static double reached(const StageView *v, TensorId tensor, int row, int id) {
    return film_progress(v->trace, &v->scene->view->film, tensor, row, id);
}

/* As a cell of a map that is not computed yet. */
static void draw_empty(StageView *v, Rect box) {
    float high = fminf(box.h * 0.56f, 20 * v->s);
    dl_rect(v->dl, (Rect){box.x + v->pad, box.y + (box.h - high) / 2, fmaxf(0, box.w - 2 * v->pad), high}, 3 * v->s, v->theme->empty_cell, COLOR_NONE, 0);
}

static void number(StageView *v, Rect box, const char *text, TensorId tensor, const int *index, const char *name) {
    DlGroup group = {.role = ROLE_OPERAND, .tensor = tensor, .at = {index[0], index[1], index[2], index[3]}, .focusable = true};
    group.name = dl_store(v->dl, name);
    group.action = dl_store(v->dl, scene_explain_action(v->scene, tensor, index));
    dl_group(v->dl, box, &group);
    bool chosen = v->selected && v->chosen == tensor;
    for (int a = 0; a < TENSOR_RANK_MAX && chosen; a++) chosen = v->chosen_index[a] == index[a];
    bool hot = str_eq(v->scene->view->hot, name);
    if (chosen || hot)
        dl_rect(v->dl, rect_inset(box, v->pad / 4), v->pad / 2, COLOR_NONE, chosen ? v->theme->highlight : v->theme->ink, (chosen ? 2 : 1) * v->s);
    Rect text_box = box;
    rect_cut_right(&text_box, v->pad);
    dl_label(v->dl, v->scene->font, FACE_MONO, v->scene->layout.type[TYPE_BODY], v->theme->ink, text_box, ALIGN_RIGHT, text);
    scene_ring(v->scene, v->dl, name, box, v->pad / 2);
    dl_ungroup(v->dl);
}

/* What a click on the row does, or why it does nothing. */
static const char *row_label(StageView *v, const Prediction *p) {
    if (p->text[0]) return arena_printf(v->scene->arena, tr("Take “%s” into the text"), p->label);
    if (p->part) return arena_printf(v->scene->arena, tr("%s is a part of a character; it cannot be taken alone"), p->label);
    return words_end_of_text(v->run, p->id) ? tr("The end of the text: there is nothing to take") : tr("A special token: there is nothing to take");
}

/* The token at the right of its cell; before it, if it ends the text, that it does. */
static void draw_token(StageView *v, const Prediction *p, Rect cell) {
    bool takes = p->text[0] != '\0';
    float size = v->scene->layout.type[TYPE_BODY];
    const char *text = token_text(v, p), *ends = words_end_of_text(v->run, p->id);
    dl_label(v->dl, v->scene->font, FACE_UI_SEMIBOLD, size, takes ? v->theme->ink : v->theme->muted, cell, ALIGN_RIGHT, text);
    rect_cut_right(&cell, font_width(v->scene->font, FACE_UI_SEMIBOLD, size, text) + v->pad);
    if (ends && head_width(v, ends) <= cell.w)
        dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], v->theme->muted, cell, ALIGN_RIGHT, ends);
}

/* A number of the row, once the film has made it. */
static void draw_number(StageView *v, Rect box, bool there, const char *text, TensorId tensor, const int *index, const char *name) {
    if (box.w <= 0) return;
    if (there) number(v, box, text, tensor, index, name);
    else draw_empty(v, box);
}

static void draw_numbers(StageView *v, const List *list, const Prediction *p, const char *name, Rect rest) {
    Arena *arena = v->scene->arena;
    int at[TENSOR_RANK_MAX];
    const int cell[TENSOR_RANK_MAX] = {0, 0, p->id};
    logit_at(v, list, p->id, at);
    double share = list->sorted ? reached(v, list->probs, 0, p->id) : 0;
    bool exp = list->sorted && reached(v, list->exp, 0, p->id) >= 0.5;
    Rect logit_box = rect_cut_left(&rest, list->logit_w), exp_box = rect_cut_left(&rest, list->exp_w), share_box = rect_cut_right(&rest, list->share_w);
    const Tensor *exps = trace_tensor(v->trace, list->exp);
    double value = tensor_readable(exps) ? tensor_at(exps, cell) : (double)NAN;
    float high = fminf(list->pitch * 0.56f, 20 * v->s);
    Rect track = {rest.x + v->pad, rest.y + (rest.h - high) / 2, rest.w - 2 * v->pad, high};
    scene_bar(v->scene, v->dl, track, p->probability * stage_ease(share), v->theme->accent, 3 * v->s);
    draw_number(v, logit_box, list->sorted, scene_number(v->scene, p->logit, 3), list->logits, at, arena_printf(arena, "%s.logit", name));
    draw_number(v, exp_box, exp && !isnan(value), scene_number(v->scene, value, 3), list->exp, cell, arena_printf(arena, "%s.exp", name));
    draw_number(v, share_box, share >= 0.5, words_percent(p->probability, arena), list->probs, cell, arena_printf(arena, "%s.probability", name));
}

static void draw_row(StageView *v, const List *list, int i) {
    const Prediction *p = &list->net->predictions[i];
    Arena *arena = v->scene->arena;
    Rect row = {list->box.x, list->box.y + list->pitch * (float)i, list->box.w, list->pitch};
    bool takes = list->sorted && p->text[0] != '\0';
    const char *name = arena_printf(arena, "predict.%d", i + 1);
    dl_control(v->dl, row, ROLE_BUTTON, name, takes ? arena_printf(arena, "take %d", i + 1) : NULL, list->sorted ? row_label(v, p) : tr("Not computed yet"));
    bool hot = str_eq(v->scene->view->hot, name);
    if (hot && takes) dl_rect(v->dl, row, v->pad / 2, v->theme->empty_cell, v->theme->ink, 1);
    Rect rest = row, text = rect_cut_left(&rest, list->name_w), id = rect_cut_left(&rest, list->id_w);
    if (list->sorted) {
        rect_cut_right(&text, 1.5f * v->pad);
        rect_cut_right(&id, 1.5f * v->pad);
        draw_token(v, p, text);
        if (list->id_w > 0)
            dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], v->theme->muted, id, ALIGN_RIGHT, arena_printf(arena, "%d", p->id));
    } else {
        draw_empty(v, text);
        if (list->id_w > 0) draw_empty(v, id);
    }
    draw_numbers(v, list, p, name, rest);
    scene_ring(v->scene, v->dl, name, row, v->pad / 2);
    dl_ungroup(v->dl);
}

static void draw_head(StageView *v, const List *list) {
    float size = v->scene->layout.type[TYPE_LABEL];
    Rect rest = {list->box.x, list->box.y - 3 * v->pad, list->box.w, 3 * v->pad};
    Rect token = rect_cut_left(&rest, list->name_w), id = rect_cut_left(&rest, list->id_w), logit = rect_cut_left(&rest, list->logit_w);
    Rect exp = rect_cut_left(&rest, list->exp_w), share = rect_cut_right(&rest, list->share_w);
    const struct {
        Rect box;
        float right; /* in pads */
        const char *text;
    } heads[] = {{token, 1.5f, tr("token")}, {id, 1.5f, tr("id")}, {logit, 1, tr("logit")}, {exp, 1, tr("exp")}, {share, 1, tr("probability")}};
    for (size_t i = 0; i < sizeof heads / sizeof *heads; i++) {
        Rect box = heads[i].box;
        if (box.w <= 0) continue;
        rect_cut_right(&box, heads[i].right * v->pad);
        dl_label(v->dl, v->scene->font, FACE_UI, size, v->theme->muted, box, ALIGN_RIGHT, heads[i].text);
    }
}

/* How much of all probability the list shows, as soon as it shows any. */
static const char *list_words(StageView *v, const List *list) {
    int all = tokens_of(v, list), last = all - 1;
    Arena *arena = v->scene->arena;
    double sum = 0;
    if (!list->sorted) return arena_printf(arena, tr("%d tokens, each gets a logit"), all);
    if (reached(v, list->probs, 0, last) < 1) return arena_printf(arena, tr("the %d largest logits of %d tokens"), list->n, all);
    for (int i = 0; i < list->n; i++) sum += list->net->predictions[i].probability;
    if (list->n < all) sum = fmin(sum, 1 - 1e-9); /* the others have something too, however little */
    return arena_printf(arena, tr("the %d most likely of %d tokens, together %s"), list->n, all, words_percent(sum, arena));
}

static void draw_list(StageView *v) {
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    List list = measure(v, area);
    draw_head(v, &list);
    for (int i = 0; i < list.n; i++) draw_row(v, &list, i);
    stage_footer(v, (Rect){list.box.x, list.box.y, list.box.w, list.pitch * (float)list.n}, list_words(v, &list), NULL);
}

static const char *no_prediction(StageView *v) {
    const char *mask = words_mask_sign(v->run);
    if (!mask) return tr("Nothing is predicted here.");
    return arena_printf(v->scene->arena, tr("Type %s where a token is missing, and the model says what it would put there."), mask);
}

bool stage_predict_rows(StageView *v) {
    if (!has_rows(v->run->network)) return false;
    draw_list(v);
    return true;
}

void stage_predict(StageView *v) {
    bool masked = words_mask_sign(v->run) != NULL, list = has_rows(v->run->network);
    if (!v->scene->layout.presenting) /* whose title says it */
        stage_heading(v, tr("Predict"), !list    ? NULL
                                        : masked ? tr("what stands in the gap? a click puts the token there, one on a number explains it")
                                                 : tr("what comes next? a click takes the token, one on a number explains it"));
    if (stage_predict_rows(v)) return;
    v->area.w = fmaxf(v->area.w, v->scene->layout.content.x + v->scene->layout.content.w - v->area.x); /* nothing stands beside it */
    stage_idle(v, no_prediction(v), TENSOR_NONE, NULL);
}
