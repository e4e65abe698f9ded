#include "scene/view_row.h"

#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"

/* Controls of one group touch; `drop` opens a menu. */
typedef struct {
    const char *name, *action, *text, *tip;
    bool on, drop, first; /* first of its group */
} Control;

enum { CONTROLS_MAX = 12, HIGH = 26, EDGE = 10, APART = 8, ARROW = 14 };

typedef struct {
    const Scene *scene;
    Control items[CONTROLS_MAX];
    int n;
} Row;

static Control *add(Row *row, const char *name, const char *action, const char *text, bool on) {
    assert(row->n < CONTROLS_MAX);
    Control *c = &row->items[row->n++];
    *c = (Control){.name = name, .action = action, .text = text, .on = on, .first = true};
    return c;
}

static const char *heads_text(const Scene *scene) {
    static const char *const shown[] = {[HEADS_FITTING] = tr_mark("Heads that fit"), [HEADS_ONE] = tr_mark("One head"), [HEADS_ALL] = tr_mark("All heads")};
    static_assert(sizeof shown / sizeof *shown == HEADS_SHOWN_COUNT, "words for each choice");
    static const char *const together[] = {[AGGREGATE_HEAD] = "", [AGGREGATE_AVERAGE] = tr_mark("Head average"), [AGGREGATE_ROLLOUT] = "",
                                           [AGGREGATE_LENGTH] = tr_mark("Weight × |v|"), [AGGREGATE_MAXIMUM] = tr_mark("Head maximum")};
    static_assert(sizeof together / sizeof *together == AGGREGATE_KIND_COUNT, "words for each view");
    AggregateKind kind = look_aggregate(scene);
    return tr(kind == AGGREGATE_HEAD ? shown[scene->view->heads_shown] : together[kind]);
}

static void add_shape(Row *row) {
    static const char *const words[] = {[MAP_CELLS] = tr_mark("Map"), [MAP_LINES] = tr_mark("Lines"), [MAP_ALL_LINES] = tr_mark("All lines")};
    static_assert(sizeof words / sizeof *words == MAP_SHAPE_COUNT, "words for each shape");
    for (int i = 0; i < MAP_SHAPE_COUNT; i++) {
        const char *name = arena_printf(row->scene->arena, "view.shape.%s", shape_names[i]), *action = arena_printf(row->scene->arena, "shape %s", shape_names[i]);
        add(row, name, action, tr(words[i]), row->scene->view->shape == (MapShape)i)->first = i == 0;
    }
}

/* Steps in which the row gives way to less room: scales and limits, shapes, at last all go into one menu. */
enum { FOLD_NONE, FOLD_SCALES, FOLD_SHAPES, FOLD_ALL };

static void add_scales(Row *row) {
    const View *view = row->scene->view;
    Arena *arena = row->scene->arena;
    add(row, "view.log", "log", tr("Log"), view->log_scale)->tip = tr("Colours by the logarithm, from 0.001");
    add(row, "view.range", "range", tr("Own range"), view->own_range)->tip = tr("Each head’s colours end at its own largest weight");
    const char *below = view->threshold > 0 ? arena_printf(arena, "≥ %s", scene_short_number(row->scene, view->threshold)) : tr("All weights");
    Control *threshold = add(row, "view.threshold", "menu threshold", below, view->threshold > 0);
    threshold->drop = true;
    threshold->tip = tr("Weights below a threshold are not shown");
    if (view->n_hidden > 0)
        add(row, "view.hidden", "hide.none", arena_printf(arena, tr("%d hidden"), view->n_hidden), true)->tip = tr("Show all columns");
}

static void fill(Row *row, int fold) {
    const View *view = row->scene->view;
    bool heads = look_aggregate(row->scene) != AGGREGATE_HEAD || view->heads_shown != HEADS_FITTING;
    bool scales = view->log_scale || view->own_range || view->threshold > 0 || view->n_hidden > 0;
    row->n = 0;
    if (fold < FOLD_SHAPES) add_shape(row);
    if (fold < FOLD_ALL) add(row, "view.heads", "menu heads", heads_text(row->scene), heads)->drop = true;
    if (fold == FOLD_NONE) {
        add_scales(row);
        return;
    }
    bool on = scales || (fold >= FOLD_SHAPES && view->shape != MAP_CELLS) || (fold == FOLD_ALL && heads);
    Control *rest = add(row, "view.all", "menu view", fold == FOLD_ALL ? tr("View") : tr("More"), on);
    rest->drop = true;
    rest->tip = tr("All ways to look at the weights");
}

static float width_of(const Row *row, const Control *c) {
    float s = row->scene->layout.scale, text = font_width(row->scene->font, FACE_UI_MEDIUM, row->scene->layout.type[TYPE_LABEL], c->text);
    return ceilf(text + 2 * EDGE * s + (c->drop ? ARROW * s : 0));
}

static float row_width(const Row *row) {
    float wide = 0;
    for (int i = 0; i < row->n; i++) wide += width_of(row, &row->items[i]) + (i > 0 && row->items[i].first ? APART * row->scene->layout.scale : 0);
    return wide;
}

static void draw_arrow(const Scene *scene, Rect box, Color color, DisplayList *dl) {
    float s = scene->layout.scale, x = box.x + box.w - EDGE * s - 4 * s, y = box.y + box.h / 2;
    const DlPoint points[] = {{x - 4 * s, y - 2 * s}, {x, y + 2 * s}, {x + 4 * s, y - 2 * s}};
    dl_path(dl, points, 3, false, COLOR_NONE, color, 1.5f * s);
}

static void draw_control(const Scene *scene, const Control *c, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale;
    Color ink = c->on ? theme->on_accent : theme->ink;
    dl_control(dl, box, ROLE_BUTTON, c->name, c->action, c->tip ? c->tip : c->text);
    dl_rect(dl, box, 6 * s, c->on ? theme->accent : theme->button, COLOR_NONE, 0);
    Rect text = {box.x + EDGE * s, box.y, box.w - 2 * EDGE * s - (c->drop ? ARROW * s : 0), box.h};
    dl_label(dl, scene->font, FACE_UI_MEDIUM, scene->layout.type[TYPE_LABEL], ink, (Rect){text.x, text.y, text.w + 1, text.h}, ALIGN_LEFT, c->text);
    if (c->drop) draw_arrow(scene, box, ink, dl);
    scene_ring(scene, dl, c->name, box, 6 * s);
    dl_ungroup(dl);
}

float view_row_height(const Scene *scene) { return ceilf(HIGH * scene->layout.scale); }

float view_row_draw(const Scene *scene, Rect box, DisplayList *dl) {
    Row row = {.scene = scene};
    float s = scene->layout.scale, high = view_row_height(scene);
    for (int fold = FOLD_NONE; fold <= FOLD_ALL; fold++) {
        fill(&row, fold);
        if (row_width(&row) <= box.w) break;
    }
    float wide = row_width(&row), x = box.x + fmaxf(0, box.w - wide), y = box.y + (box.h - high) / 2;
    for (int i = 0; i < row.n; i++) {
        if (i > 0 && row.items[i].first) x += APART * s;
        float w = width_of(&row, &row.items[i]);
        bool joined = i + 1 < row.n && !row.items[i + 1].first;
        draw_control(scene, &row.items[i], (Rect){x, y, w - (joined ? 1 : 0), high}, dl);
        x += w;
    }
    return wide;
}
