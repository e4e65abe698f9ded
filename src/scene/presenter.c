#include "scene/presenter.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/captions.h"
#include "scene/formula.h"
#include "scene/matrix.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/rail.h"
#include "scene/words.h"

enum { KEYS_MOST = 5 };

/* What is asked about: the selection, else the film's current number. */
typedef struct {
    bool found, selected;
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    int row, col; /* of the map that is shown */
    double phase;
} Subject;

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
    scene_index(scene->run, map, scene->view->head, s.row, s.col, s.index);
    return s;
}

static void draw_map(const Scene *scene, TensorId tensor, const Subject *subject, DisplayList *dl) {
    Matrix m;
    matrix_init(&m, scene, tensor, scene_tensor_head(scene->run, tensor, scene->view->head), false);
    if (subject->found) {
        m.row.strong0 = subject->row;
        m.row.strong1 = subject->row + 1;
    }
    matrix_fit(&m, scene, scene->layout.stage);
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

/* The keys with the largest weights, in their order. */
static int choose_keys(const Scene *scene, TensorId weights, const Subject *s, int keys[KEYS_MOST]) {
    int n = trace_tensor(scene->run->trace, weights)->dim[2], count = 0;
    for (int k = 0; k < KEYS_MOST; k++) {
        int best = -1;
        for (int j = 0; j < n; j++) {
            bool taken = false;
            for (int i = 0; i < count; i++) taken |= keys[i] == j;
            double weight = weight_at(scene, weights, s, j);
            if (!taken && weight > 0 && (best < 0 || weight > weight_at(scene, weights, s, best))) best = j;
        }
        if (best < 0) break;
        keys[count++] = best;
    }
    for (int i = 1; i < count; i++)
        for (int j = i; j > 0 && keys[j] < keys[j - 1]; j--) {
            int swap = keys[j];
            keys[j] = keys[j - 1];
            keys[j - 1] = swap;
        }
    return count;
}

static void draw_budget(const Scene *scene, TensorId weights, const Subject *s, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    int keys[KEYS_MOST], n = choose_keys(scene, weights, s, keys);
    float pitch = fminf(box.h / (float)(n + 2), 5.5f * l->pad), bar_h = pitch * 0.5f, number_w = 7 * l->pad;
    float label_w = fminf(10 * l->pad, box.w * 0.28f);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        Rect row = {box.x, box.y + pitch * (float)i, box.w, pitch};
        double weight = weight_at(scene, weights, s, keys[i]);
        char buffer[32];
        const char *name = run_label(scene->run, weights, 2, keys[i], buffer);
        sum += weight;
        dl_label(dl, scene->font, FACE_UI_SEMIBOLD, l->type[TYPE_BODY], theme->k, (Rect){row.x, row.y, label_w - l->pad, row.h},
                 ALIGN_RIGHT, name);
        Rect track = {row.x + label_w, row.y + (pitch - bar_h) / 2, row.w - label_w - number_w, bar_h};
        scene_bar(scene, dl, track, weight, scene_weight_color(scene, weight), 0.5f * l->pad);
        dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_BODY], theme->ink, row, ALIGN_RIGHT, scene_number(scene, weight, 2));
    }
    float y = box.y + pitch * (float)n + l->pad;
    dl_line(dl, box.x, y, box.x + box.w, y, theme->line, l->scale);
    Rect row = {box.x, y + l->pad / 2, box.w, pitch};
    dl_label(dl, scene->font, FACE_UI, l->type[TYPE_LABEL], theme->muted, row, ALIGN_LEFT,
             n < KEYS_MOST ? tr("together") : tr("together, these keys"));
    dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_BODY], theme->ink, row, ALIGN_RIGHT, scene_number(scene, sum, 2));
}

/* ---- any other number ---- */

static void draw_answer(const Scene *scene, const Explanation *e, const ExplainWords *words, double phase, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    RichStyle name = scene_style(scene, TYPE_BODY, FACE_UI_SEMIBOLD, theme->ink);
    const char *value = phase >= 1 ? scene_number(scene, e->self.value, 3) : "";
    float value_w = font_width(scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], "−00.000") + l->pad;
    Rect line = {box.x, box.y, box.w, 4 * l->pad};
    rich_label(dl, &name, (Rect){line.x, line.y, line.w - value_w, line.h}, ALIGN_LEFT, words->result_name);
    dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], theme->ink, line, ALIGN_RIGHT, value);
    if (phase < 1) return;
    RichStyle text = scene_style(scene, TYPE_BODY, FACE_UI, theme->muted);
    Rect rest = {box.x, box.y + 5 * l->pad, box.w, box.h - 5 * l->pad};
    while (text.size > l->type[TYPE_SMALL] * 0.8f && rich_height(&text, rest.w, words->meaning) > rest.h) {
        text.size *= 0.94f;
        text.line = roundf(text.size * 1.4f);
    }
    rich_paragraph(dl, &text, rest, ALIGN_LEFT, words->meaning);
}

static void draw_question(const Scene *scene, TensorId map, const Subject *subject, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Explanation e;
    Err err = {0};
    if (!subject->found || !trace_explain(scene->run->trace, map, subject->index, scene->arena, &e, &err)) return;
    ExplainWords words;
    words_rich(scene->run, &e, scene->arena, &words);
    bool budget = str_eq(trace_tensor(scene->run->trace, map)->name, "weights") && !subject->selected;
    char buffer[32];
    if (budget)
        words.question = arena_printf(scene->arena, tr("Where does %s look?"),
                                      rich_name(scene->arena, 'q', run_label(scene->run, map, 1, subject->row, buffer)));
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI, scene_theme(scene)->muted);
    style.line = roundf(style.size * 1.3f);
    Rect box = l->inspector;
    rect_cut_top(&box, 4 * l->pad);
    float high = rich_paragraph(dl, &style, box, ALIGN_LEFT, words.question);
    rect_cut_top(&box, high + 2 * l->pad);
    if (budget && subject->phase >= 1)
        draw_budget(scene, map, subject, box, dl);
    else if (!budget)
        draw_answer(scene, &e, &words, subject->phase, box, dl);
}

static bool map_has_heads(const Scene *scene) {
    TensorId map = scene_stage_tensor(scene);
    return map != TENSOR_NONE && trace_tensor(scene->run->trace, map)->rank == 3;
}

void presenter_draw(const Scene *scene, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    int stage = scene->view->film.stage;
    const char *title = arena_printf(scene->arena, "%d %s", stage % STAGE_KIND_COUNT + 1, stage_title(scene_stage(scene)->kind));
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, theme->ink);
    rich_label(dl, &style, l->rail, ALIGN_LEFT, title);
    if (scene->run->spec.n_heads > 1 && map_has_heads(scene)) {
        float x = l->rail.x + rich_width(&style, title) + 2 * l->pad;
        RichStyle small = scene_style(scene, TYPE_LABEL, FACE_UI, theme->muted);
        const char *head = arena_printf(scene->arena, tr("head %d"), scene->view->head + 1);
        rich_label(dl, &small, (Rect){x, l->rail.y, l->rail.x + l->rail.w - x, l->rail.h}, ALIGN_LEFT, head);
    }
    formula_draw(scene, l->formula, l->type[TYPE_TITLE], ALIGN_RIGHT, dl);
    captions_draw(scene, dl);
    TensorId map = scene_stage_tensor(scene);
    if (map == TENSOR_NONE) return;
    Subject subject = find_subject(scene, map);
    draw_map(scene, map, &subject, dl);
    draw_question(scene, map, &subject, dl);
}
