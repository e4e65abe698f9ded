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
    bool found, selected, idle; /* idle: of a stage without work, the first number of what is there */
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
    s.idle = !now.work && scene_in_network(scene->run);
    s.found = now.work || s.idle;
    if (s.idle) s.phase = 1, s.row = s.col = 0;
    if (now.work) follow_row(scene, map, &s);
    scene_index(scene->run, map, scene->view->head, s.row, s.col, s.index);
    return s;
}

enum { SIZE_TEXT, SIZE_MAP, SIZE_WIDE_MAP };

/* The scene in type that can be read from the last row, 4 % of the height. In a map numbers and labels may be half of
 * that: better than none. */
static Scene enlarged(const Scene *scene, int of) {
    Scene big = *scene;
    float *type = big.layout.type, least = type[TYPE_TITLE];
    type[TYPE_SMALL] = of == SIZE_TEXT ? least : least * 0.5f;
    type[TYPE_LABEL] = of == SIZE_WIDE_MAP ? least * 0.85f : least;
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

/* Rows of features have a name, maps of attention are what the stage's own name says. */
static bool stage_names_map(const Scene *scene) {
    return scene_in_network(scene->run) && trace_tensor(scene->run->trace, scene_stage_tensor(scene))->rank == 2;
}

static void draw_map(const Scene *scene, TensorId tensor, const Subject *subject, Rect area, DisplayList *dl) {
    Matrix m;
    matrix_init(&m, scene, tensor, scene_tensor_head(scene->run, tensor, scene->view->head), false);
    if (str_eq(trace_tensor(scene->run->trace, tensor)->name, "v")) m.row.color = scene_theme(scene)->v;
    if (subject->found && !subject->idle) {
        m.row.strong0 = subject->row;
        m.row.strong1 = subject->row + 1;
    }
    if (stage_names_map(scene)) m.title = words_symbol_in(scene->run, scene_site(scene), tensor);
    matrix_fit(&m, scene, area);
    matrix_draw(&m, scene, dl);
    if (!subject->found || subject->idle) return;
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
    Rect box = halves->text;
    float high = rich_paragraph(dl, &style, box, ALIGN_LEFT, words.question);
    rect_cut_top(&box, high + (halves->wide ? 1 : 2) * l->pad);
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
    Rect box = l->caption2;
    float high = rich_height(&style, box.w, second);
    for (float w = box.w; high > 1.5f * style.line && w > 0.6f * box.w && rich_height(&style, w, second) <= high; w -= l->pad) /* no lone last word */
        box = (Rect){l->caption2.x + (l->caption2.w - w) / 2, box.y, w, box.h};
    rich_paragraph(dl, &style, box, ALIGN_CENTER, second);
}

static bool map_has_heads(const Scene *scene) {
    TensorId map = scene_stage_tensor(scene);
    return map != TENSOR_NONE && trace_tensor(scene->run->trace, map)->rank == 3;
}

/* "Layer 3 · head 1", "" where there is one layer and one head. */
static const char *place_words(const Scene *scene) {
    StageKind kind = scene_stage(scene)->kind;
    bool heads = stage_has_digit(kind) && scene_site(scene)->spec.n_heads >= 2 && map_has_heads(scene);
    const char *layer = scene_site(scene)->title, *head = heads ? arena_printf(scene->arena, tr("head %d"), scene->view->head + 1) : "";
    if (layer[0] && kind >= STAGE_FINAL_NORM) layer = tr("after the last layer");
    return layer[0] && heads ? arena_printf(scene->arena, "%s · %s", layer, head) : layer[0] ? layer : head;
}

/* "gpt2s · random": what the model is, in every picture. NULL: not one from a folder. */
static const char *model_words(const Scene *scene) {
    const Network *network = scene->run->network;
    if (!network || !network->checkpoint) return NULL;
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    return arena_printf(scene->arena, "%s · %s", info->name, info->seeded ? tr("random") : tr("trained"));
}

/* Beside the title, in one line or one below the other. */
static void draw_beside(const Scene *scene, Rect box, const char *first, const char *second, DisplayList *dl) {
    const Layout *l = &scene->layout;
    RichStyle style = scene_style(scene, TYPE_BODY, FACE_UI, scene_theme(scene)->muted);
    const char *both = first[0] && second ? NULL : second ? second : first;
    if (both && rich_width(&style, both) <= box.w) {
        rich_label(dl, &style, box, ALIGN_LEFT, both);
        return;
    }
    const char *lines[] = {first, second ? second : ""};
    float half = box.h / 2;
    style.size = fminf(style.size, half * 0.85f);
    for (int i = 0; i < 2; i++) {
        RichStyle line = style;
        while (line.size > l->type[TYPE_TITLE] * 0.5f && rich_width(&line, lines[i]) > box.w) line.size *= 0.94f;
        rich_label(dl, &line, (Rect){box.x, box.y + half * (float)i, box.w, half}, ALIGN_LEFT, lines[i]);
    }
}

static void draw_head(const Scene *scene, const char *title, const char *place, DisplayList *dl) {
    const Layout *l = &scene->layout;
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, scene_theme(scene)->ink);
    const char *model = model_words(scene);
    rich_label(dl, &style, l->rail, ALIGN_LEFT, title);
    if (!place[0] && !model) return;
    float x = l->rail.x + rich_width(&style, title) + 2 * l->pad;
    draw_beside(scene, (Rect){x, l->rail.y, fmaxf(0, l->rail.x + l->rail.w - x), l->rail.h}, place, model, dl);
}

static void draw_title(const Scene *scene, DisplayList *dl) {
    StageKind kind = scene_stage(scene)->kind;
    const char *title = stage_title(kind);
    if (stage_has_digit(kind)) title = arena_printf(scene->arena, "%d %s", (int)kind + 1, title);
    draw_head(scene, title, place_words(scene), dl);
}

void presenter_draw(const Scene *scene, DisplayList *dl) {
    const Scene big = enlarged(scene, SIZE_TEXT);
    if (overview_on(scene)) {
        overview_present(&big, dl); /* whose sentence says which model it is */
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
    const Scene picture = enlarged(scene, halves.wide ? SIZE_WIDE_MAP : SIZE_MAP);
    Subject subject = find_subject(scene, map);
    draw_map(&picture, map, &subject, halves.map, dl);
    draw_question(&big, map, &subject, &halves, dl);
}
