/* What the model predicts: the most likely tokens as a list of bars. A click on a row takes its token, one on a number
 * explains it; what the pointer is on has a frame. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"
#include "scene/words.h"

/* Units at scale 1. */
enum { ROW_MOST = 40, ROW_LEAST = 20, NAME_MOST = 220, LIST_WIDE = 900, BAR_LEAST = 120 };

typedef struct {
    const Network *net;
    TensorId probs, logits;
    int n;         /* rows that fit */
    float pitch, name_w, id_w, share_w, logit_w; /* id_w 0: there is no room for it */
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

/* Rows as high as the room allows; what does not fit is left out from the end, and said. */
static List measure(StageView *v, Rect area) {
    const NetworkResults *results = &v->run->network->results;
    List list = {.net = v->run->network, .probs = results->probs, .logits = results->logits, .box = area};
    list.share_w = fmaxf(number_width(v, "<0.0001 %"), head_width(v, tr("probability"))) + 2 * v->pad;
    list.logit_w = fmaxf(number_width(v, "−00.000"), head_width(v, tr("logit"))) + 2 * v->pad;
    float head = 3 * v->pad, room = area.h - head;
    list.box.w = fminf(area.w, LIST_WIDE * v->s);
    list.box.x = area.x + (area.w - list.box.w) / 2;
    list.n = list.net->n_predictions;
    while (list.n > 1 && room / (float)list.n < ROW_LEAST * v->s) list.n--;
    list.pitch = fminf(floorf(room / (float)list.n), ROW_MOST * v->s);
    for (int i = 0; i < list.n; i++) {
        const Prediction *p = &list.net->predictions[i];
        float w = font_width(v->scene->font, FACE_UI_SEMIBOLD, v->scene->layout.type[TYPE_BODY], token_text(v, p));
        const char *ends = words_end_of_text(v->run, p->id);
        if (ends) w += head_width(v, ends) + v->pad;
        list.name_w = fmaxf(list.name_w, w + 4 * v->pad);
    }
    list.name_w = fminf(fmaxf(list.name_w, 80 * v->s), fminf(NAME_MOST * v->s, list.box.w * 0.35f));
    list.id_w = head_width(v, arena_printf(v->scene->arena, "%d", trace_tensor(v->trace, list.logits)->dim[1])) + 2 * v->pad;
    if (list.box.w - list.name_w - list.id_w - list.share_w - list.logit_w < BAR_LEAST * v->s) list.id_w = 0;
    list.box.y += head + fmaxf(0, (room - list.pitch * (float)list.n) / 3);
    return list;
}

/* The film adds one row after the other. */
static double reached(const StageView *v, const List *list, int i) {
    double steps = fmax(1, film_steps(v->trace, v->scene->view->film.stage));
    double at = v->scene->view->film.position / steps * list->n - i;
    return at <= 0 ? 0 : at >= 1 ? 1 : at;
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

static void draw_row(StageView *v, const List *list, int i) {
    const Prediction *p = &list->net->predictions[i];
    double done = reached(v, list, i);
    Arena *arena = v->scene->arena;
    Rect row = {list->box.x, list->box.y + list->pitch * (float)i, list->box.w, list->pitch};
    bool takes = p->text[0] != '\0';
    const char *name = arena_printf(arena, "predict.%d", i + 1);
    dl_control(v->dl, row, ROLE_BUTTON, name, takes ? arena_printf(arena, "take %d", i + 1) : NULL, row_label(v, p));
    bool hot = str_eq(v->scene->view->hot, name);
    if (hot && takes) dl_rect(v->dl, row, v->pad / 2, v->theme->empty_cell, v->theme->ink, 1);
    Rect rest = row, text = rect_cut_left(&rest, list->name_w), id = rect_cut_left(&rest, list->id_w);
    rect_cut_right(&text, 1.5f * v->pad);
    rect_cut_right(&id, 1.5f * v->pad);
    draw_token(v, p, text);
    if (list->id_w > 0)
        dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], v->theme->muted, id, ALIGN_RIGHT,
                 arena_printf(arena, "%d", p->id));
    Rect logit = rect_cut_right(&rest, list->logit_w), share = rect_cut_right(&rest, list->share_w);
    float high = fminf(list->pitch * 0.56f, 20 * v->s);
    Rect track = {rest.x, row.y + (row.h - high) / 2, rest.w - v->pad, high};
    scene_bar(v->scene, v->dl, track, p->probability * stage_ease(done), v->theme->accent, 3 * v->s);
    scene_ring(v->scene, v->dl, name, row, v->pad / 2);
    if (done >= 0.5) {
        const int probs[TENSOR_RANK_MAX] = {0, 0, p->id}, logits[TENSOR_RANK_MAX] = {list->net->predict_row, p->id};
        int at[TENSOR_RANK_MAX] = {0, p->id};
        if (trace_tensor(v->trace, list->logits)->dim[0] > 1) at[0] = logits[0];
        number(v, share, words_percent(p->probability, arena), list->probs, probs, arena_printf(arena, "%s.probability", name));
        number(v, logit, scene_number(v->scene, p->logit, 3), list->logits, at, arena_printf(arena, "%s.logit", name));
    }
    dl_ungroup(v->dl);
}

static void draw_head(StageView *v, const List *list) {
    float y = list->box.y - 3 * v->pad, right = list->box.x + list->box.w - list->logit_w, size = v->scene->layout.type[TYPE_LABEL];
    const struct {
        Rect box;
        const char *text;
    } heads[] = {{{list->box.x, y, list->name_w - 1.5f * v->pad, 3 * v->pad}, tr("token")},
                 {{list->box.x + list->name_w, y, fmaxf(0, list->id_w - 1.5f * v->pad), 3 * v->pad}, list->id_w > 0 ? tr("id") : ""},
                 {{right - list->share_w, y, list->share_w - v->pad, 3 * v->pad}, tr("probability")},
                 {{right, y, list->logit_w - v->pad, 3 * v->pad}, tr("logit")}};
    for (int i = 0; i < 4; i++)
        dl_label(v->dl, v->scene->font, FACE_UI, size, v->theme->muted, heads[i].box, ALIGN_RIGHT, heads[i].text);
}

/* What the list is about, and how much of all probability it shows. */
static void draw_list(StageView *v) {
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    List list = measure(v, area);
    double sum = 0;
    draw_head(v, &list);
    for (int i = 0; i < list.n; i++) {
        draw_row(v, &list, i);
        sum += list.net->predictions[i].probability;
    }
    int all = trace_tensor(v->trace, list.logits)->dim[1];
    Rect below = {list.box.x, list.box.y, list.box.w, list.pitch * (float)list.n};
    if (list.n < all) sum = fmin(sum, 1 - 1e-9); /* the others have something too, however little */
    stage_footer(v, below,
                 arena_printf(v->scene->arena, tr("the %d most likely of %d tokens, together %s"), list.n, all, words_percent(sum, v->scene->arena)), NULL);
}

static const char *no_prediction(StageView *v) {
    const char *mask = words_mask_sign(v->run);
    if (!mask) return tr("Nothing is predicted here.");
    return arena_printf(v->scene->arena, tr("Type %s where a word is missing, and the model says what it would put there."), mask);
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
    if (!stage_predict_rows(v)) stage_idle(v, no_prediction(v), TENSOR_NONE, NULL);
}
