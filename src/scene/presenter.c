#include "scene/presenter.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/formula.h"
#include "scene/matrix.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/paint.h"
#include "scene/rail.h"
#include "scene/stages.h"
#include "scene/words.h"

enum { KEYS_MOST = 8 };

/* What is asked about: the selection, else the film's current number. */
typedef struct {
    bool found, selected;
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    int row, col; /* of the map that is shown */
    double phase;
} Subject;

/* A selected exp, maximum or sum stands for its row of weights. */
static void follow_row(const Scene *scene, TensorId map, Subject *s) {
    static const char *const parts[] = {"row_max", "exp", "row_sum"};
    const Trace *trace = scene->run->trace;
    int index[TENSOR_RANK_MAX];
    TensorId id;
    if (!str_eq(trace_tensor(trace, map)->name, "weights") || !scene_selection(scene, &id, index)) return;
    if (trace_stage_of(trace, id) != scene->view->film.stage || str_find(parts, 3, trace_tensor(trace, id)->name) < 0) return;
    s->row = index[1];
    s->col = 0;
    s->phase = film_progress(trace, &scene->view->film, map, s->row, 0);
}

static Subject find_subject(const Scene *scene, TensorId map) {
    Subject s = {.tensor = map, .phase = 1};
    Now now = scene_now(scene);
    s.selected = scene_selection(scene, &s.tensor, s.index) && s.tensor == map;
    if (s.selected) {
        int rank = trace_tensor(scene->run->trace, map)->rank;
        s.row = rank > 1 ? s.index[rank - 2] : 0;
        s.col = s.index[rank - 1];
        s.found = true;
        return s;
    }
    s.tensor = map;
    s.row = now.row;
    s.col = now.col;
    s.phase = now.step.tensor == map ? now.phase : 0;
    s.found = now.work;
    if (now.work) follow_row(scene, map, &s);
    scene_index(scene->run, map, scene->view->head, s.row, s.col, s.index);
    return s;
}

/* The scene in type that can be read from the last row. In a wide map numbers may be smaller: better than none. */
static Scene enlarged(const Scene *scene, bool wide_map) {
    Scene big = *scene;
    float *type = big.layout.type, least = type[TYPE_TITLE];
    type[TYPE_SMALL] = wide_map ? least * 0.7f : least;
    type[TYPE_LABEL] = wide_map ? least * 0.85f : least;
    type[TYPE_BODY] = least;
    type[TYPE_TITLE] = least * 1.1f;
    return big;
}

/* Where the map goes, and the question: side by side, or a map with many columns above it. */
typedef struct {
    bool wide;
    Rect map, text;
} Halves;

static Halves cut_halves(const Scene *scene, TensorId map) {
    const Layout *l = &scene->layout;
    const Tensor *t = trace_tensor(scene->run->trace, map);
    int cols = t->dim[t->rank - 1], rows = t->rank > 1 ? t->dim[t->rank - 2] : 1;
    Rect all = l->content;
    Halves halves = {.wide = cols > 9 && cols > rows + rows / 2, .map = all, .text = all};
    if (halves.wide) {
        halves.map.h = all.h * 0.58f;
        rect_cut_top(&halves.text, halves.map.h + 2 * l->pad);
    } else {
        halves.map.w = l->stage.w;
        halves.text = (Rect){l->inspector.x, all.y + 4 * l->pad, l->inspector.w, all.h - 4 * l->pad};
    }
    return halves;
}

static void draw_map(const Scene *scene, TensorId tensor, const Subject *subject, Rect area, DisplayList *dl) {
    Matrix m;
    matrix_init(&m, scene, tensor, scene_tensor_head(scene->run, tensor, scene->view->head), false);
    if (str_eq(trace_tensor(scene->run->trace, tensor)->name, "v")) m.row.color = scene_theme(scene)->v;
    if (subject->found) {
        m.row.strong0 = subject->row;
        m.row.strong1 = subject->row + 1;
    }
    matrix_fit(&m, scene, area);
    matrix_draw(&m, scene, dl);
    if (!subject->found) return;
    bool row = m.look == MATRIX_WEIGHT && !subject->selected;
    matrix_highlight(scene, dl,
                     row ? matrix_rect(&m, subject->row, subject->row + 1, m.col.first, m.col.first + m.col.count)
                         : matrix_rect(&m, subject->row, subject->row + 1, subject->col, subject->col + 1));
}

/* ---- where a row looks ---- */

static double weight_at(const Scene *scene, TensorId weights, const Subject *s, int key) {
    const int at[TENSOR_RANK_MAX] = {s->index[0], s->row, key};
    return tensor_at(trace_tensor(scene->run->trace, weights), at);
}

/* Keys that get weight: all in their order, or the `most` with the largest weights, the largest first. */
static int choose_keys(const Scene *scene, TensorId weights, const Subject *s, int most, int keys[KEYS_MOST], int *all) {
    int n = trace_tensor(scene->run->trace, weights)->dim[2], count = 0;
    *all = 0;
    for (int j = 0; j < n; j++) *all += weight_at(scene, weights, s, j) > 0;
    while (count < most && count < *all) {
        int best = -1;
        for (int j = 0; j < n; j++) {
            bool taken = false;
            for (int i = 0; i < count; i++) taken |= keys[i] == j;
            double weight = weight_at(scene, weights, s, j);
            if (!taken && weight > 0 && (best < 0 || (*all > most && weight > weight_at(scene, weights, s, best)))) best = j;
        }
        keys[count++] = best;
    }
    return count;
}

static void draw_key(const Scene *scene, TensorId weights, const Subject *s, int key, Rect row, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    double weight = weight_at(scene, weights, s, key);
    float size = l->type[TYPE_BODY], label_w = fminf(5 * size, row.w * 0.28f), bar_h = fminf(row.h * 0.5f, size);
    float number_w = font_width(scene->font, FACE_MONO_BOLD, size, "0.00") + 2 * l->pad;
    RichStyle name = scene_style(scene, TYPE_BODY, FACE_UI_SEMIBOLD, theme->k);
    rich_label(dl, &name, (Rect){row.x, row.y, label_w - l->pad, row.h}, ALIGN_RIGHT,
               words_name(scene->run, weights, 2, key, scene->arena));
    Rect track = {row.x + label_w, row.y + (row.h - bar_h) / 2, row.w - label_w - number_w, bar_h};
    scene_bar(scene, dl, track, weight, scene_weight_color(scene, weight), 0.5f * l->pad);
    dl_label(dl, scene->font, FACE_MONO_BOLD, size, theme->ink, row, ALIGN_RIGHT, scene_number(scene, weight, 2));
}

static void draw_budget(const Scene *scene, TensorId weights, const Subject *s, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    float least = l->type[TYPE_BODY] * 1.25f;
    int keys[KEYS_MOST], all, most = (int)((box.h - l->pad) / least) - 1;
    if (most < 1) return;
    int n = choose_keys(scene, weights, s, most < KEYS_MOST ? most : KEYS_MOST, keys, &all);
    float pitch = fminf((box.h - l->pad) / (float)(n + 1), 1.8f * l->type[TYPE_BODY]);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += weight_at(scene, weights, s, keys[i]);
        draw_key(scene, weights, s, keys[i], (Rect){box.x, box.y + pitch * (float)i, box.w, pitch}, dl);
    }
    float y = box.y + pitch * (float)n + l->pad / 2;
    dl_line(dl, box.x, y, box.x + box.w, y, theme->line, l->scale);
    Rect row = {box.x, y + l->pad / 2, box.w, pitch};
    RichStyle style = scene_style(scene, TYPE_BODY, FACE_UI, theme->muted);
    const char *says = n < all ? arena_printf(scene->arena, tr("the largest %d of %d"), n, all) : tr("together");
    rich_label(dl, &style, row, ALIGN_LEFT, says);
    dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_BODY], theme->ink, row, ALIGN_RIGHT, scene_number(scene, sum, 2));
}

/* ---- any other number ---- */

/* A long paragraph in smaller type, down to the half. */
static void fit_paragraph(RichStyle *style, Rect box, const char *text) {
    float least = style->size * 0.5f;
    style->line = roundf(style->size * 1.3f);
    while (style->size > least && rich_height(style, box.w, text) > box.h) {
        style->size *= 0.94f;
        style->line = roundf(style->size * 1.3f);
    }
}

static void draw_answer(const Scene *scene, const Explanation *e, const ExplainWords *words, double phase, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    RichStyle name = scene_style(scene, TYPE_BODY, FACE_UI_SEMIBOLD, theme->ink);
    const char *value = phase >= 1 ? scene_number(scene, e->self.value, 3) : "";
    float value_w = font_width(scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], "−00.000") + l->pad;
    Rect line = {box.x, box.y, box.w, roundf(1.2f * l->type[TYPE_TITLE])};
    rich_label(dl, &name, (Rect){line.x, line.y, line.w - value_w, line.h}, ALIGN_LEFT, words->result_name);
    dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], theme->ink, line, ALIGN_RIGHT, value);
    if (phase < 1) return;
    RichStyle text = scene_style(scene, TYPE_BODY, FACE_UI, theme->muted);
    Rect rest = {box.x, box.y + line.h + l->pad, box.w, box.h - line.h - l->pad};
    fit_paragraph(&text, rest, words->meaning);
    rich_paragraph(dl, &text, rest, ALIGN_LEFT, words->meaning);
}

static void draw_question(const Scene *scene, TensorId map, const Subject *subject, const Halves *halves, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Explanation e;
    Err err = {0};
    if (!subject->found || !trace_explain(scene->run->trace, map, subject->index, scene->arena, &e, &err)) return;
    ExplainWords words;
    words_rich(scene->run, &e, scene->arena, &words);
    bool budget = str_eq(trace_tensor(scene->run->trace, map)->name, "weights") && !subject->selected;
    if (budget)
        words.question = arena_printf(scene->arena, tr("Where does %s look?"),
                                      rich_name(scene->arena, 'q', words_name(scene->run, map, 1, subject->row, scene->arena)));
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI, scene_theme(scene)->muted);
    style.line = roundf(style.size * 1.25f);
    Rect box = halves->text, left = box;
    if (halves->wide) {
        left = rect_cut_left(&box, box.w * 0.42f);
        rect_cut_left(&box, 4 * l->pad);
    }
    float high = rich_paragraph(dl, &style, left, ALIGN_LEFT, words.question);
    if (!halves->wide) rect_cut_top(&box, high + 2 * l->pad);
    if (budget && subject->phase >= 1)
        draw_budget(scene, map, subject, box, dl);
    else if (!budget)
        draw_answer(scene, &e, &words, subject->phase, box, dl);
}

/* The claim, and under it the second sentence in as many as two lines. */
static void draw_captions(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const char *first, *second;
    scene_captions(scene, &first, &second);
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, scene_theme(scene)->ink);
    rich_label(dl, &style, l->caption, ALIGN_CENTER, first);
    style = scene_style(scene, TYPE_BODY, FACE_UI, scene_theme(scene)->muted);
    fit_paragraph(&style, l->caption2, second);
    rich_paragraph(dl, &style, l->caption2, ALIGN_CENTER, second);
}

static bool map_has_heads(const Scene *scene) {
    TensorId map = scene_stage_tensor(scene);
    return map != TENSOR_NONE && trace_tensor(scene->run->trace, map)->rank == 3;
}

static void draw_title(const Scene *scene, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    StageKind kind = scene_stage(scene)->kind;
    const char *title = stage_title(kind), *place = scene_site(scene)->title;
    if (stage_has_digit(kind)) title = arena_printf(scene->arena, "%d %s", (int)kind + 1, title);
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, theme->ink);
    rich_label(dl, &style, l->rail, ALIGN_LEFT, title);
    bool heads = stage_has_digit(kind) && scene_site(scene)->spec.n_heads >= 2 && map_has_heads(scene);
    if (kind >= STAGE_FINAL_NORM) place = ""; /* behind the last layer */
    if (!heads && !place[0]) return;
    float x = l->rail.x + rich_width(&style, title) + 2 * l->pad;
    RichStyle small = scene_style(scene, TYPE_BODY, FACE_UI, theme->muted);
    const char *head = heads ? arena_printf(scene->arena, tr("head %d"), scene->view->head + 1) : place;
    const char *both = heads && place[0] ? arena_printf(scene->arena, "%s · %s", place, head) : head;
    if (rich_width(&small, both) <= l->rail.x + l->rail.w - x) head = both;
    rich_label(dl, &small, (Rect){x, l->rail.y, l->rail.x + l->rail.w - x, l->rail.h}, ALIGN_LEFT, head);
}

void presenter_draw(const Scene *scene, DisplayList *dl) {
    const Scene big = enlarged(scene, false);
    if (overview_on(scene)) {
        overview_present(&big, dl);
        draw_captions(&big, dl);
        return;
    }
    draw_title(&big, dl);
    formula_draw(&big, big.layout.formula, scene->layout.type[TYPE_TITLE], ALIGN_RIGHT, dl);
    draw_captions(&big, dl);
    if (scene_stage(scene)->kind == STAGE_PREDICT) {
        stage_draw(&big, big.layout.content, dl);
        return;
    }
    TensorId map = scene_stage_tensor(scene);
    if (map == TENSOR_NONE) return;
    Halves halves = cut_halves(scene, map);
    const Scene picture = enlarged(scene, halves.wide);
    Subject subject = find_subject(scene, map);
    draw_map(&picture, map, &subject, halves.map, dl);
    draw_question(&big, map, &subject, &halves, dl);
}
