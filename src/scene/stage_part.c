#include "scene/stage_part.h"

#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "doc/film.h"
#include "scene/matrix_part.h"
#include "scene/rail.h"
#include "scene/reading.h"
#include "scene/words.h"

double stage_ease(double t) {
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return t * t * (3 - 2 * t);
}

/* ---- heading and words ---- */

/* "layer 4 of 5"; NULL: a single attention, or what stands behind the last layer. */
static const char *layer_words(StageView *v) {
    char text[FILM_TEXT_MAX];
    if (v->stage->kind >= STAGE_FINAL_NORM) return NULL;
    film_layer_text(text, v->trace, v->scene->view->film.stage);
    return text[0] ? arena_strdup(v->scene->arena, text) : NULL;
}

/* What the settings make of these numbers, in one line; smaller where it is long. */
static void draw_reading(StageView *v, bool named) {
    if (!reading_on(v->scene)) return;
    const char *text = reading_line(v->scene, named);
    if (!text) return;
    RichStyle style = scene_style(v->scene, TYPE_LABEL, FACE_UI, v->theme->muted);
    Rect stage = v->scene->layout.stage, line = rect_cut_top(&v->area, reading_room(v->scene));
    line.w = fmaxf(line.w, stage.x + stage.w - line.x); /* under what stands beside the title */
    line.h -= v->pad / 2;
    rich_label(v->dl, &style, line, ALIGN_LEFT, text);
}

/* Large for the name, small for what follows it. */
static void heading_styles(const StageView *v, RichStyle *style, RichStyle *small) {
    bool low = v->area.h < 400 * v->s;
    *style = scene_style(v->scene, low ? TYPE_TITLE : TYPE_HEAD, FACE_UI_BOLD, v->theme->ink);
    *small = scene_style(v->scene, low ? TYPE_LABEL : TYPE_BODY, FACE_UI, v->theme->muted);
}

void stage_draw_heading(StageView *v, const char *name, const char *detail, bool of_head) {
    RichStyle style, small;
    heading_styles(v, &style, &small);
    float baseline = v->area.y + style.size * 0.8f;
    float x = v->area.x + rich_line(v->dl, &style, v->area.x, baseline, name);
    if (detail) {
        Rect box = {x + 1.5f * v->pad, baseline - small.size, v->area.x + v->area.w - x - 1.5f * v->pad, small.size * 1.3f};
        const char *shown = detail;
        if (rich_width(&small, detail) > box.w) { /* words only: no marks to lose */
            size_t n = font_fit(v->scene->font, small.face, small.size, detail, fmaxf(0, box.w - small.size));
            shown = n ? arena_printf(v->scene->arena, "%.*s…", (int)n, detail) : NULL;
        }
        if (shown) rich_line(v->dl, &small, box.x, baseline, shown);
    }
    rect_cut_top(&v->area, ceilf(style.size * 1.1f) + v->pad);
    draw_reading(v, !of_head);
}

const char *stage_detail(StageView *v, const char *detail) { return stage_joined(v, layer_words(v), detail); }

void stage_heading(StageView *v, const char *name, const char *detail) { stage_draw_heading(v, name, stage_detail(v, detail), false); }

float stage_heading_width(const StageView *v, const char *name, const char *detail) {
    RichStyle style, small;
    heading_styles(v, &style, &small);
    return rich_width(&style, name) + (detail ? 1.5f * v->pad + rich_width(&small, detail) : 0);
}

const char *stage_head_name(StageView *v, int head) { return arena_printf(v->scene->arena, tr("Head %d"), head + 1); }

const char *stage_head_job(const StageView *v, int head) { return words_head_job(v->run, head); }

const char *stage_head_words(StageView *v, const char **detail) {
    int heads = v->site->spec.n_heads;
    *detail = stage_detail(v, *detail ? *detail : stage_head_job(v, v->head));
    if (heads <= 1) return tr("One head");
    *detail = stage_joined(v, arena_printf(v->scene->arena, tr("of %d"), heads), *detail);
    return stage_head_name(v, v->head);
}

void stage_head_heading(StageView *v, const char *detail) {
    const char *name = stage_head_words(v, &detail);
    stage_draw_heading(v, name, detail, true);
}

/* Where the film begins to compute; NULL when it has begun. */
static const char *first_work(const StageView *v) {
    for (int i = v->scene->view->film.stage; i < trace_stage_count(v->trace); i++) {
        if (trace_stage(v->trace, i)->n_ops == 0) continue;
        const char *name = stage_title(trace_stage(v->trace, i)->kind);
        return i == v->scene->view->film.stage ? NULL : arena_printf(v->scene->arena, tr("The film starts at %s."), name);
    }
    return NULL;
}

void stage_idle(StageView *v, const char *sentence, TensorId tensor, const char *title) {
    RichStyle style = scene_style(v->scene, TYPE_TITLE, FACE_UI_MEDIUM, v->theme->muted);
    Rect rest = v->area;
    const char *starts = tensor == TENSOR_NONE ? first_work(v) : NULL;
    if (starts) sentence = starts; /* the captions say why */
    float wide = fminf(rest.w, 640 * v->s), high = rich_height(&style, wide, sentence);
    if (tensor == TENSOR_NONE) {
        Rect box = {rest.x + (rest.w - wide) / 2, rest.y + fmaxf(0, (rest.h - high) / 2), wide, high};
        rich_paragraph(v->dl, &style, box, ALIGN_CENTER, sentence);
        return;
    }
    Rect box = rect_cut_top(&rest, high + 2 * v->pad);
    rich_paragraph(v->dl, &style, (Rect){box.x + (box.w - wide) / 2, box.y, wide, high}, ALIGN_CENTER, sentence);
    rect_cut_bottom(&rest, stage_footer_room(v));
    Matrix m;
    matrix_init(&m, v->scene, tensor, scene_tensor_head(v->run, tensor, v->head), false);
    m.title = title;
    if (scene_in_network(v->run) && v->stage->kind == STAGE_EMBED) m.row.color = v->theme->ink;
    matrix_fit(&m, v->scene, rest);
    stage_show(v, &m);
    bool map = trace_tensor(v->trace, tensor)->rank == 3;
    stage_footer(v, m.cells, map ? stage_axis_words(v) : tr("one row for each token, one column for each feature"), matrix_note(&m, v->scene));
}

float stage_footer_room(const StageView *v) { return v->scene->layout.type[TYPE_LABEL] + 2 * v->pad; }

static RichStyle footer_style(const StageView *v) { return scene_style(v->scene, TYPE_LABEL, FACE_UI, v->theme->muted); }

const char *stage_joined(StageView *v, const char *a, const char *b) {
    return phrase_list(v->scene->arena, a, b);
}

/* Centred below an area, inside the stage. */
static Rect footer_box(StageView *v, Rect above, const char *text) {
    RichStyle style = footer_style(v);
    float width = rich_width(&style, text), high = style.size * 1.3f;
    float x = fminf(fmaxf(v->area.x, above.x + (above.w - width) / 2), v->area.x + v->area.w - width);
    float y = fminf(above.y + above.h + 1.5f * v->pad, v->area.y + v->area.h - high);
    return (Rect){fmaxf(v->area.x, x), y, width, high};
}

static void draw_footer(StageView *v, Rect box, const char *text) {
    RichStyle style = footer_style(v);
    rich_line(v->dl, &style, box.x, box.y + style.size, text);
}

void stage_footer(StageView *v, Rect above, const char *words, const char *note) {
    RichStyle style = footer_style(v);
    const char *text = stage_joined(v, words, note);
    while (text && rich_width(&style, text) > v->area.w) { /* what comes last says what was left out */
        const char *rest = strstr(text, " · ");
        const char *less = rest ? NULL : strstr(text, "; ");
        if (!rest && !less) less = strstr(text, "；");
        text = rest ? rest + strlen(" · ") : less ? arena_strndup(v->scene->arena, text, (size_t)(less - text)) : NULL;
    }
    if (text) draw_footer(v, footer_box(v, above, text), text);
}

const char *stage_axis_words(StageView *v) {
    RichStyle style = footer_style(v);
    const char *words = tr("rows: queries, who looks · columns: keys, who is looked at");
    return rich_width(&style, words) <= v->area.w * 0.6f ? words : tr("rows: queries · columns: keys");
}

static Rect around_both(Rect a, Rect b) {
    float x = fminf(a.x, b.x), y = fminf(a.y, b.y);
    return (Rect){x, y, fmaxf(a.x + a.w, b.x + b.w) - x, fmaxf(a.y + a.h, b.y + b.h) - y};
}

Rect stage_union(const Matrix *const *list, int n) {
    Rect all = list[0]->cells;
    for (int i = 1; i < n; i++) all = around_both(all, list[i]->cells);
    return all;
}

bool stage_captions_meet(StageView *v, const StageCaption *captions, int n) {
    float near = 2 * v->pad;
    for (int i = 0; i < n; i++) {
        if (!captions[i].text) continue;
        Rect box = footer_box(v, captions[i].below, captions[i].text);
        if (box.x < v->area.x || box.x + box.w > v->area.x + v->area.w) return true;
        Rect around = {box.x - near, box.y - 2, box.w + 2 * near, box.h + 4};
        for (int j = 0; j < n; j++) {
            if (j == i) continue;
            Rect other = captions[j].below;
            Rect meet = rect_meet(around, (Rect){other.x - captions[j].left, other.y, other.w + captions[j].left, other.h});
            if (meet.w > 0 && meet.h > 0) return true;
            if (!captions[j].text || j > i) continue;
            meet = rect_meet(around, footer_box(v, captions[j].below, captions[j].text));
            if (meet.w > 0 && meet.h > 0) return true;
        }
    }
    return false;
}

void stage_captions(StageView *v, const StageCaption *captions, int n) {
    if (!stage_captions_meet(v, captions, n)) {
        for (int i = 0; i < n; i++)
            if (captions[i].text) draw_footer(v, footer_box(v, captions[i].below, captions[i].text), captions[i].text);
        return;
    }
    Rect all = captions[0].below;
    for (int i = 1; i < n; i++) all = around_both(all, captions[i].below);
    const char *text = NULL;
    for (int i = 0; i < n; i++)
        if (captions[i].text && !(text && strstr(text, captions[i].text))) text = stage_joined(v, text, captions[i].text);
    stage_footer(v, all, text, NULL);
}

const char *stage_notes(StageView *v, Matrix *const *list, int n) { return matrix_notes(list, n, v->scene); }

/* ---- what is framed ---- */

bool stage_matrix(StageView *v, Matrix *m, const char *name, bool transposed, const char *title) {
    TensorId id = scene_find(v->scene, name);
    if (id == TENSOR_NONE) return false;
    matrix_init(m, v->scene, id, scene_tensor_head(v->run, id, v->head), transposed);
    m->title = title;
    return true;
}

/* Rows and columns of a stored index in the drawn orientation; false when another head is shown. */
static bool in_drawing(const StageView *v, const Matrix *m, const int *index, int *row, int *col) {
    const Tensor *t = trace_tensor(v->trace, m->tensor);
    if (t->rank == 3 && index[0] != m->head) return false;
    int r = t->rank >= 2 ? index[t->rank - 2] : 0, c = index[t->rank - 1];
    *row = m->transposed ? c : r;
    *col = m->transposed ? r : c;
    return side_place(&m->row, *row) >= 0 && side_place(&m->col, *col) >= 0;
}

bool stage_chosen(const StageView *v, const Matrix *m, int *row, int *col) {
    return v->selected && v->chosen == m->tensor && in_drawing(v, m, v->chosen_index, row, col);
}

bool stage_focus(const StageView *v, const Matrix *m, int *row, int *col) {
    if (stage_chosen(v, m, row, col)) return true;
    if (v->selected && v->chosen == m->tensor) return false;
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (scene_anchor(v->scene, &id, index) && id == m->tensor) return in_drawing(v, m, index, row, col);
    if (!v->now.work || v->now.step.tensor != m->tensor) return false;
    return in_drawing(v, m, v->now.index, row, col);
}

bool stage_focus_any(const StageView *v, const Matrix *const *list, int n, int *row, int *col) {
    for (int i = 0; i < n; i++)
        if (stage_chosen(v, list[i], row, col)) return true;
    return stage_focus(v, list[n - 1], row, col);
}

void stage_frame_same(StageView *v, const Matrix *m, int row, int col) {
    int r, c;
    if (!stage_chosen(v, m, &r, &c)) matrix_frame(v->scene, v->dl, matrix_rect(m, row, row + 1, col, col + 1), v->theme->ink);
}

void stage_strong(MatrixSide *side, int position) {
    side->strong0 = position;
    side->strong1 = position + 1;
}

void stage_show(StageView *v, const Matrix *m) {
    matrix_draw(m, v->scene, v->dl);
    matrix_hover(m, v->scene, v->dl);
    int row, col;
    if (!stage_chosen(v, m, &row, &col)) return;
    matrix_highlight(v->scene, v->dl, matrix_rect(m, row, row + 1, col, col + 1));
    if (m->decimals >= 0 || !m->numbers || m->instead) return;
    v->lens = *m;
    v->has_lens = true;
}

void stage_highlight(StageView *v, const Matrix *m, int row, int col) {
    int r, c;
    Rect cell = matrix_rect(m, row, row + 1, col, col + 1);
    if (v->selected && !stage_chosen(v, m, &r, &c))
        matrix_frame(v->scene, v->dl, cell, v->theme->ink);
    else
        matrix_highlight(v->scene, v->dl, cell);
}

/* Terms of the current cell while its sum is running; how many of them are in. */
static bool running(const StageView *v, Explanation *explanation, int *terms) {
    if (v->selected || !v->now.work || !v->now.step.by_cell || v->now.phase <= 0 || v->now.phase >= 1) return false;
    Err err = {0};
    if (!trace_explain(v->trace, v->now.step.tensor, v->now.index, v->scene->arena, explanation, &err)) return false;
    *terms = (int)(v->now.phase * (explanation->n_terms + 1));
    if (*terms > explanation->n_terms) *terms = explanation->n_terms;
    return explanation->n_terms > 0;
}

void stage_run_sum(StageView *v, Matrix *result, int row, int col) {
    Explanation explanation;
    int terms;
    if (!running(v, &explanation, &terms) || terms < 1 || v->now.step.tensor != result->tensor) return;
    double sum = 0;
    for (int i = 0; i < terms; i++) sum += explanation.terms[i].value;
    result->live = true;
    result->live_row = row;
    result->live_col = col;
    result->live_value = sum;
}

static void frame_ref(StageView *v, const Ref *ref, const Matrix *const *operands, int n) {
    int row, col;
    for (int i = 0; i < n; i++) {
        if (ref->id != operands[i]->tensor || !in_drawing(v, operands[i], ref->index, &row, &col)) continue;
        Rect box = matrix_rect(operands[i], row, row + 1, col, col + 1);
        if (fminf(box.w, box.h) >= 6) dl_rect(v->dl, rect_inset(box, -1), 4, COLOR_NONE, v->theme->ink, 2);
    }
}

void stage_frame_pair(StageView *v, const Matrix *const *operands, int n) {
    Explanation explanation;
    int terms;
    if (!running(v, &explanation, &terms) || terms < 1) return;
    frame_ref(v, &explanation.terms[terms - 1].a, operands, n);
    frame_ref(v, &explanation.terms[terms - 1].b, operands, n);
}

void stage_tie(StageView *v, Rect from, Rect to, Color color) {
    if (from.w <= 0 || to.w <= 0) return;
    bool level = from.y < to.y + to.h && to.y < from.y + from.h;
    color = color_mix(v->theme->background, color, 0.55);
    if (level) {
        float y = to.y + to.h / 2, x = from.x < to.x ? from.x + from.w + 4 : from.x - 4;
        dl_line(v->dl, x, y, from.x < to.x ? to.x : to.x + to.w, y, color, 2.5f);
    } else {
        float x = to.x + to.w / 2, y = from.y < to.y ? from.y + from.h + 4 : from.y - 4;
        dl_line(v->dl, x, y, x, from.y < to.y ? to.y : to.y + to.h, color, 2.5f);
    }
}
