#include "scene/heads.h"

#include <assert.h>
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/heads_part.h"
#include "scene/legend.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"

/* Where a map's name stands and how much it says: beside the map or below it. */
typedef enum { LABEL_RIGHT, LABEL_TWO, LABEL_ONE, LABEL_NUMBER_RIGHT, LABEL_NUMBER, LABEL_NONE, LABEL_COUNT } LabelMode;

typedef struct {
    bool right, number; /* beside the map; a bare number */
    int lines;
    float least; /* side of a square as large as the map: smaller maps deserve fewer words */
} LabelKind;

static const LabelKind label_kinds[] = {
    [LABEL_RIGHT] = {.right = true, .lines = 2, .least = 40},
    [LABEL_TWO] = {.lines = 2, .least = 60},
    [LABEL_ONE] = {.lines = 1, .least = 40},
    [LABEL_NUMBER_RIGHT] = {.right = true, .number = true, .lines = 1, .least = 12},
    [LABEL_NUMBER] = {.number = true, .lines = 1, .least = 12},
    [LABEL_NONE] = {.lines = 0},
};
static_assert(sizeof label_kinds / sizeof *label_kinds == LABEL_COUNT, "a kind for each label mode");

/* A card is a map and its words with the same edge all around; cards form a grid. */
typedef struct {
    LabelMode mode;
    int across, down;
    float edge, map_w, map_h, words_w, words_h, card_w, card_h, step_x, step_y;
} Grid;

typedef struct {
    HeadsMaps maps;
    const Scene *scene;
    DisplayList *dl;
    bool strip, jobs; /* one row of cards rather than a column; some head has a job */
    float words[LABEL_COUNT];
} Heads;

/* ---- the grid ---- */

static float words_height(const Heads *h, LabelMode mode) {
    float s = h->scene->layout.scale;
    if (label_kinds[mode].number) return 14 * s;
    return (float)(h->jobs ? label_kinds[mode].lines : label_kinds[mode].lines > 0) * 18 * s;
}

static float space_to_words(const Heads *h, LabelMode mode) {
    float s = h->scene->layout.scale;
    if (mode == LABEL_NONE) return 0;
    return label_kinds[mode].number ? (label_kinds[mode].right ? 5 : 2) * s : label_kinds[mode].right ? 10 * s : 4 * s;
}

/* The largest map with this many across; map_w = 0 when there is no room. */
static Grid try_grid(const Heads *h, Rect box, int across, LabelMode mode) {
    const LabelKind *kind = &label_kinds[mode];
    float s = h->scene->layout.scale, space = space_to_words(h, mode);
    Grid g = {.mode = mode, .across = across, .down = (h->maps.n + across - 1) / across};
    g.edge = (kind->number || kind->lines == 0 ? 3 : 6) * s;
    g.words_w = h->words[mode];
    g.words_h = words_height(h, mode);
    g.step_x = (box.w + 4 * s) / (float)across;
    g.step_y = (box.h + 4 * s) / (float)g.down;
    float w = g.step_x - 4 * s - 2 * g.edge, high = g.step_y - 4 * s - 2 * g.edge;
    if (g.words_w > w || g.words_h > high) return g;
    heads_map_size(&h->maps, w - (kind->right ? g.words_w + space : 0), high - (kind->right ? 0 : g.words_h + space), &g.map_w, &g.map_h);
    g.card_w = 2 * g.edge + (kind->right ? g.map_w + space + g.words_w : fmaxf(g.map_w, g.words_w));
    g.card_h = 2 * g.edge + (kind->right ? fmaxf(g.map_h, g.words_h) : g.map_h + space + g.words_h);
    return g;
}

/* Cells are read as squares: what counts is their shorter side, then the area. */
static float worth(const Heads *h, const Grid *g) {
    float cell = fminf(g->map_w / (float)h->maps.cols, g->map_h / (float)h->maps.rows);
    return floorf(cell * 4) * 1e4f + g->map_w * g->map_h;
}

static Grid best_grid(const Heads *h, Rect box, LabelMode mode) {
    Grid best = {.mode = mode, .across = 1, .down = h->maps.n};
    for (int across = 1, down = 0; across <= h->maps.n; across++) {
        Grid g = try_grid(h, box, across, mode);
        if (g.down == down) continue; /* as many rows with fewer columns are fuller */
        down = g.down;
        if (g.map_w > 0 && (best.map_w <= 0 || worth(h, &g) >= worth(h, &best))) best = g;
    }
    return best;
}

/* Of words beside the map and below it those that leave the larger map. */
static Grid better_grid(const Heads *h, Rect box, LabelMode beside, LabelMode under, bool beside_allowed) {
    Grid right = best_grid(h, box, beside), below = best_grid(h, box, under);
    return beside_allowed && worth(h, &right) >= worth(h, &below) ? right : below;
}

/* The most telling labels whose maps are still large enough for them, or hardly smaller than they would be with
 * less to read: thin maps are bound by their height, and words beside them cost nothing. */
static Grid choose_grid(const Heads *h, Rect box) {
    static const LabelMode choice[][2] = {{LABEL_RIGHT, LABEL_TWO}, {LABEL_ONE, LABEL_ONE}, {LABEL_NUMBER_RIGHT, LABEL_NUMBER}};
    float s = h->scene->layout.scale;
    Grid bare = better_grid(h, box, LABEL_NUMBER_RIGHT, LABEL_NUMBER, true);
    float enough = 0.6f * bare.map_w * bare.map_h;
    for (size_t i = 0; i < sizeof choice / sizeof *choice; i++) {
        Grid g = better_grid(h, box, choice[i][0], choice[i][1], h->strip || i > 0);
        float area = g.map_w * g.map_h, side = label_kinds[g.mode].least * s;
        if (area > 0 && (area >= side * side || area >= enough)) return g;
    }
    return best_grid(h, box, LABEL_NONE);
}

/* ---- one card ---- */

/* "Head 3", "3"; of a map that belongs to several "Heads 5, 6", "5–8". */
static const char *map_name(const Heads *h, int map, bool number) {
    Arena *arena = h->scene->arena;
    int share = h->maps.share, first = map * share + 1;
    if (share <= 1) return arena_printf(arena, number ? "%d" : tr("Head %d"), first);
    const char *format = share == 2 ? (number ? "%d, %d" : tr("Heads %d, %d")) : number ? "%d–%d" : tr("Heads %d–%d");
    return arena_printf(arena, format, first, first + share - 1);
}

/* Under the name: where the head's own range ends, else what it does. */
static const char *second_line(const Heads *h, int map) {
    const char *range = h->maps.tensor == TENSOR_NONE ? NULL : look_range_words(h->scene, h->maps.tensor, map);
    return range ? range : heads_job(h->scene, map);
}

/* -1: no head's. Concat is about one head after the other: the card is lit whose number is explained. */
static int lit_head(const Heads *h) {
    const Scene *scene = h->scene;
    if (look_over_heads(scene)) return -1;
    if (scene_stage(scene)->kind != STAGE_CONCAT || scene_site(scene)->spec.d_v <= 0) return scene->view->head;
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    if (scene_selection(scene, &tensor, index) && tensor == scene_find(scene, "concat")) return index[1] / scene_site(scene)->spec.d_v;
    Now now = scene_now(scene);
    return now.work && now.started ? now.col / scene_site(scene)->spec.d_v : scene->view->head;
}

static void draw_words(const Heads *h, const Grid *g, int head, bool here, Rect map) {
    const Scene *scene = h->scene;
    const Theme *theme = scene_theme(scene);
    const LabelKind *kind = &label_kinds[g->mode];
    float space = space_to_words(h, g->mode), line = kind->number ? g->words_h : 18 * scene->layout.scale;
    if (kind->lines == 0) return;
    Rect box = {map.x, map.y + g->map_h + space, g->words_w, line};
    if (kind->right) box = (Rect){map.x + g->map_w + space, map.y + (g->map_h - g->words_h) / 2, g->words_w, line};
    const char *name = map_name(h, head, kind->number), *job = second_line(h, head);
    if (kind->lines == 2 && h->jobs && !job && kind->right) box.y += line / 2;
    dl_label(h->dl, scene->font, here ? FACE_UI_SEMIBOLD : FACE_UI, scene->layout.type[kind->number ? TYPE_SMALL : TYPE_LABEL],
             here ? theme->ink : theme->muted, box, ALIGN_LEFT, name);
    box.y += line;
    if (kind->lines == 2 && job)
        dl_label(h->dl, scene->font, FACE_UI, scene->layout.type[TYPE_SMALL], theme->muted, box, ALIGN_LEFT, job);
}

static void draw_card(const Heads *h, const Grid *g, int head, Rect card) {
    const Scene *scene = h->scene;
    const Theme *theme = scene_theme(scene);
    float radius = fminf(scene->layout.pad, g->edge + 2);
    int lit = lit_head(h);
    bool here = lit >= 0 && head == lit / h->maps.share;
    if (here) dl_rect(h->dl, card, radius, theme->panel, theme->accent, 2 * scene->layout.scale);
    Rect map = {card.x + g->edge, card.y + g->edge, g->map_w, g->map_h};
    if (label_kinds[g->mode].right) map.y = floorf(card.y + (card.h - g->map_h) / 2);
    heads_draw_map(&h->maps, head, map, h->dl);
    const char *name = arena_printf(scene->arena, "head.%d", head + 1);
    DlGroup group = {.role = ROLE_HEAD, .tensor = -1, .at = {head, -1, -1, -1}, .focusable = true};
    group.name = dl_store(h->dl, name);
    group.action = dl_store(h->dl, arena_printf(scene->arena, "head %d", head * h->maps.share + 1));
    const char *job = heads_job(scene, head), *label = map_name(h, head, false);
    group.label = dl_store(h->dl, phrase_list(scene->arena, label, job));
    dl_group(h->dl, rect_meet(card, scene->layout.content), &group);
    draw_words(h, g, head, here, map);
    scene_ring(scene, h->dl, name, card, radius);
    dl_ungroup(h->dl);
}

/* Widths that the words of all heads need. */
static void measure_words(Heads *h) {
    const Layout *l = &h->scene->layout;
    const FontMetrics *font = h->scene->font;
    float name = 0, number = 0;
    for (int i = 0; i < h->maps.n; i++) {
        name = fmaxf(name, ceilf(font_width(font, FACE_UI_SEMIBOLD, l->type[TYPE_LABEL], map_name(h, i, false))));
        number = fmaxf(number, ceilf(font_width(font, FACE_UI_SEMIBOLD, l->type[TYPE_SMALL], map_name(h, i, true))));
    }
    float both = name;
    for (int i = 0; i < h->maps.n; i++) {
        const char *job = second_line(h, i);
        if (!job) continue;
        h->jobs = true;
        both = fmaxf(both, ceilf(font_width(font, FACE_UI, l->type[TYPE_SMALL], job)));
    }
    h->words[LABEL_RIGHT] = h->words[LABEL_TWO] = fminf(both, fmaxf(name, 140 * l->scale));
    h->words[LABEL_ONE] = name;
    h->words[LABEL_NUMBER_RIGHT] = h->words[LABEL_NUMBER] = number;
}

/* Cards stand close together from the left; a column uses its width. */
static void draw_grid(Heads *h, Rect box) {
    float s = h->scene->layout.scale;
    measure_words(h);
    Grid g = choose_grid(h, box);
    float apart = label_kinds[g.mode].number || g.mode == LABEL_NONE ? 12 * s : 20 * s;
    if (h->strip) g.step_x = fminf(g.step_x, g.card_w + apart);
    g.step_y = fminf(g.step_y, g.card_h + apart);
    for (int i = 0; i < h->maps.n; i++) {
        Rect card = {floorf(box.x + g.step_x * (float)(i % g.across)), floorf(box.y + g.step_y * (float)(i / g.across)), g.card_w, g.card_h};
        draw_card(h, &g, i, card);
    }
}

/* ---- places ---- */

/* The legend is that of the coloured result: of the output where the maps still show what the heads found. */
static TensorId legend_tensor(const Heads *h) {
    const Stage *stage = scene_stage(h->scene);
    if (stage->kind == STAGE_SOFTMAX) return look_tensor(h->scene);
    return stage->kind == STAGE_OUTPUT && stage->result != TENSOR_NONE ? stage->result : h->maps.tensor;
}

static void draw_column(Heads *h, Rect box) {
    const Scene *scene = h->scene;
    float s = scene->layout.scale;
    if (heads_have_layers(scene)) {
        heads_layer_draw(scene, rect_cut_top(&box, 26 * s), false, h->dl);
        rect_cut_top(&box, 12 * s);
    }
    Rect title = rect_cut_top(&box, 24 * s);
    dl_label(h->dl, scene->font, FACE_UI_SEMIBOLD, scene->layout.type[TYPE_BODY], scene_theme(scene)->ink, title, ALIGN_LEFT,
             tr("All heads at this step"));
    rect_cut_top(&box, 6 * s);
    Rect legend = rect_cut_bottom(&box, 116 * s);
    rect_cut_bottom(&box, 16 * s);
    legend.w -= 8 * s;
    draw_grid(h, (Rect){box.x - 6 * s, box.y, box.w + 6 * s, box.h}); /* maps, not their edges, stand under the title */
    legend_draw(scene, legend_tensor(h), legend, h->dl);
}

static void draw_strip(Heads *h, Rect box) {
    float s = h->scene->layout.scale;
    if (heads_have_layers(h->scene)) {
        heads_layer_draw(h->scene, rect_cut_left(&box, heads_layer_width(h->scene, true)), true, h->dl);
        rect_cut_left(&box, 24 * s);
    }
    if (box.w > 440 * s) {
        Rect legend = rect_cut_right(&box, 216 * s);
        rect_cut_right(&box, 24 * s);
        legend_draw(h->scene, legend_tensor(h), legend, h->dl);
    }
    draw_grid(h, rect_inset(box, s));
}

/* The legend alone, and beside it the layer. */
static void draw_line(const Heads *h, Rect box) {
    const Scene *scene = h->scene;
    if (heads_have_layers(scene)) {
        float wide = fminf(heads_layer_width(scene, false), box.w * 0.6f);
        heads_layer_draw(scene, rect_cut_right(&box, wide), false, h->dl);
        rect_cut_right(&box, 16 * scene->layout.scale);
    }
    if (h->maps.tensor != TENSOR_NONE) legend_draw_line(scene, legend_tensor(h), box, h->dl);
}

void heads_draw(const Scene *scene, DisplayList *dl) {
    HeadsPlace place = scene->layout.heads_place;
    Heads h = {.maps = heads_find(scene), .scene = scene, .dl = dl, .strip = place == HEADS_STRIP};
    Rect box = scene->layout.heads;
    if ((h.maps.tensor == TENSOR_NONE && !heads_have_layers(scene)) || box.h <= 0 || box.w <= 0) return;
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "heads")};
    dl_group(dl, box, &group);
    if (place == HEADS_LEGEND)
        draw_line(&h, box);
    else if (place == HEADS_COLUMN)
        draw_column(&h, box);
    else
        draw_strip(&h, box);
    dl_ungroup(dl);
}
