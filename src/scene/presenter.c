#include "scene/presenter.h"

#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/formula.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/presenter_part.h"
#include "scene/rail.h"
#include "scene/spotlight.h"
#include "scene/stages.h"

/* A selected exp, maximum or sum stands for its row of weights. */
static void follow_row(const Scene *scene, Subject *s) {
    static const char *const parts[] = {"row_max", "exp", "row_sum"};
    const Trace *trace = scene->run->trace;
    int index[TENSOR_RANK_MAX];
    TensorId id;
    if (scene_selection(scene, &id, index) && trace_stage_of(trace, id) == scene->view->film.stage && str_find(parts, 3, trace_tensor(trace, id)->name) >= 0) {
        s->row = index[1];
        s->col = 0;
    }
    s->phase = film_progress(trace, &scene->view->film, scene_stage_tensor(scene), s->row, s->col);
}

/* A row of weights, or of what the values are mixed to by them. */
static bool asks_row(const Scene *scene, TensorId map) { return look_is_weight(trace_tensor(scene->run->trace, map)->name) || presented_mixes(scene, map); }

static Subject find_subject(const Scene *scene, TensorId map) {
    Subject s = {.tensor = map, .phase = 1};
    Now now = scene_now(scene);
    s.row_asked = asks_row(scene, map);
    s.selected = scene_selection(scene, &s.tensor, s.index) && s.tensor == map;
    if (s.selected) {
        int rank = trace_tensor(scene->run->trace, map)->rank;
        s.row = rank > 1 ? s.index[rank - 2] : 0;
        s.col = s.index[rank - 1];
        s.found = true;
        s.row_asked = false;
        return s;
    }
    s.tensor = map;
    s.row = now.row;
    s.col = now.col;
    s.phase = now.step.tensor == map ? now.phase : 0;
    s.idle = !now.work && scene_in_network(scene->run);
    s.found = now.work || s.idle;
    if (s.idle) s.phase = 1, s.row = s.col = 0;
    if (now.work && presented_mixes(scene, map)) s.phase = 1; /* the weights are there before the row is */
    else if (now.work && s.row_asked) follow_row(scene, &s);
    scene_index(scene->run, map, scene->view->head, s.row, s.col, s.index);
    return s;
}

/* The scene in type that can be read from the last row, 4 % of the height. */
static Scene enlarged(const Scene *scene) {
    Scene big = *scene;
    float *type = big.layout.type, least = type[TYPE_TITLE];
    type[TYPE_SMALL] = type[TYPE_LABEL] = type[TYPE_BODY] = least;
    type[TYPE_TITLE] = least * 1.1f;
    return big;
}

/* The claim, and under it the second sentence in as many as two lines. */
static void draw_captions(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const char *first, *second;
    scene_captions(scene, &first, &second);
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI_BOLD, scene_theme(scene)->ink);
    rich_label(dl, &style, l->caption, ALIGN_CENTER, first);
    style = scene_style(scene, TYPE_BODY, FACE_UI, scene_theme(scene)->muted);
    presented_fit(&style, l->caption2, 0.5f, second);
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
    if (kind == STAGE_SOFTMAX && look_aggregate(scene) != AGGREGATE_HEAD) heads = true, head = look_name(look_aggregate(scene));
    if (layer[0] && kind >= STAGE_FINAL_NORM) layer = tr("after the last layer");
    return layer[0] ? phrase_list(scene->arena, layer, heads ? head : NULL) : head;
}

/* "gpt2s · random": what the model is, in every picture. NULL: not one from a folder. */
static const char *model_words(const Scene *scene) {
    const Network *network = scene->run->network;
    if (!network || !network->checkpoint) return NULL;
    const CheckpointInfo *info = checkpoint_info(network->checkpoint);
    return phrase_list(scene->arena, info->name, info->seeded ? tr("random") : tr("trained"));
}

/* Beside the title, in one line or one below the other. */
static void draw_beside(const Scene *scene, Rect box, const char *first, const char *second, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Color color = scene_theme(scene)->muted;
    float size = l->type[TYPE_BODY];
    const char *both = first[0] && second ? NULL : second ? second : first;
    if (both && font_width(scene->font, FACE_UI, size, both) <= box.w) {
        dl_label(dl, scene->font, FACE_UI, size, color, box, ALIGN_LEFT, both);
        return;
    }
    const char *lines[] = {both ? both : first, both ? "" : second};
    float half = box.h / (both ? 1 : 2);
    for (int i = 0; i < 2 && lines[i][0]; i++) {
        float least = size * 0.5f, fits = fminf(size, half * 0.85f);
        while (fits * 0.94f > least && font_width(scene->font, FACE_UI, fits, lines[i]) > box.w) fits *= 0.94f;
        dl_label(dl, scene->font, FACE_UI, fits, color, (Rect){box.x, box.y + half * (float)i, box.w, half}, ALIGN_LEFT, lines[i]);
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

/* The question stands at the map's right, or below a wide one. */
static Rect words_place(const Scene *scene, const PresentedMap *map) {
    const Layout *l = &scene->layout;
    Rect all = l->content, place = {l->inspector.x, all.y + 4 * l->pad, l->inspector.w, all.h - 4 * l->pad};
    if (map->beside) return place;
    float end = map->area.y + map->area.h;
    if (!map->part) end = fminf(end, map->matrix.cells.y + map->matrix.cells.h);
    end += 2 * l->pad;
    return (Rect){all.x, end, all.w, all.y + all.h - end};
}

/* Three maps side by side take all the room; their texts are half as large as the others. */
static void draw_comparison(const Scene *scene, DisplayList *dl) {
    Scene maps = *scene;
    float *type = maps.layout.type, least = type[TYPE_TITLE];
    type[TYPE_SMALL] = type[TYPE_LABEL] = least * 0.6f;
    type[TYPE_BODY] = type[TYPE_TITLE] = least * 0.8f;
    stage_draw(&maps, maps.layout.content, dl);
}

/* At Softmax it may be another view of the weights. */
static TensorId shown_tensor(const Scene *scene) {
    return scene_stage(scene)->kind == STAGE_SOFTMAX ? look_tensor(scene) : scene_stage_tensor(scene);
}

static void draw_picture(const Scene *scene, DisplayList *dl) {
    const Scene big = enlarged(scene);
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
    if (scene->view->comparing && scene->held) {
        draw_comparison(scene, dl);
        return;
    }
    TensorId map = shown_tensor(scene);
    if (map == TENSOR_NONE) return;
    Subject subject = find_subject(scene, map);
    PresentedMap presented = presented_map(scene, map, &subject);
    presented_map_draw(&presented, &subject, dl);
    presented_answer(&big, map, &subject, words_place(&big, &presented), dl);
}

void presenter_draw(const Scene *scene, DisplayList *dl) {
    draw_picture(scene, dl);
    spotlight_draw(scene, dl);
}
