#include "scene/heads.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/legend.h"
#include "scene/matrix.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/stages.h"

/* What the maps show: a tensor with a head axis, a head's columns of a joined one, or what each head adds to the output. */
typedef enum { SHOW_NOTHING, SHOW_HEAD, SHOW_COLUMNS, SHOW_PARTS } Show;

typedef struct {
    const Scene *scene;
    DisplayList *dl;
    Show show;
    TensorId tensor;
    int n, rows, cols;
} Heads;

/* Products to add up for all parts of the output; beyond it the columns of concat are shown. */
enum { PARTS_WORK_MOST = 3000000 };

/* The joined tensors fall into columns of heads; the output into sums, where that costs little. */
static void find_show(Heads *h, StageKind kind) {
    const AttentionSpec *spec = &h->scene->run->spec;
    const Tensor *t = trace_tensor(h->scene->run->trace, h->tensor);
    h->n = spec->n_heads;
    h->show = kind == STAGE_EMBED ? SHOW_NOTHING : kind == STAGE_CONCAT || kind == STAGE_OUTPUT ? SHOW_COLUMNS : SHOW_HEAD;
    if (h->show == SHOW_HEAD && t->rank < 3) h->show = SHOW_NOTHING;
    h->rows = t->rank > 1 ? t->dim[t->rank - 2] : 1;
    h->cols = h->show == SHOW_COLUMNS ? spec->d_v : t->dim[t->rank - 1];
    if (kind != STAGE_OUTPUT || !spec->out_proj) return;
    double work = (double)spec->L * t->dim[1] * spec->n_heads * spec->d_v;
    if (work <= PARTS_WORK_MOST && (double)h->rows * t->dim[1] <= 64 * 256) {
        h->show = SHOW_PARTS;
        h->cols = t->dim[1];
        return;
    }
    TensorId concat = scene_find(h->scene, "concat");
    if (concat != TENSOR_NONE) h->tensor = concat;
}

static Heads find_heads(const Scene *scene, DisplayList *dl) {
    Heads h = {.scene = scene, .dl = dl};
    StageKind kind = scene_stage(scene)->kind;
    h.tensor = scene_stage_tensor(scene);
    if (h.tensor != TENSOR_NONE) find_show(&h, kind);
    return h;
}

bool heads_have_maps(const Scene *scene) {
    Heads h = find_heads(scene, NULL);
    return h.show != SHOW_NOTHING && h.n > 1;
}

/* ---- one map ---- */

static void draw_matrix(const Heads *h, int head, Rect box) {
    Matrix m;
    matrix_init(&m, h->scene, h->tensor, scene_tensor_head(h->scene->run, h->tensor, head), false);
    if (h->show == SHOW_COLUMNS) {
        m.col.first = head * h->cols;
        m.col.count = h->cols;
    }
    matrix_fit_small(&m, h->scene, box);
    matrix_draw(&m, h->scene, h->dl);
}

/* One head's share of out[i, c] = sum over its columns of concat[i, j] w_o[c, j]. */
static double part_of(const Tensor *concat, const Tensor *w_o, int head, int width, int i, int c) {
    double sum = 0;
    for (int j = head * width; j < (head + 1) * width; j++) {
        const int a[TENSOR_RANK_MAX] = {i, j}, b[TENSOR_RANK_MAX] = {c, j};
        sum += tensor_at(concat, a) * tensor_at(w_o, b);
    }
    return sum;
}

static void draw_parts(const Heads *h, int head, Rect box) {
    const Scene *scene = h->scene;
    const Trace *trace = scene->run->trace;
    TensorId concat = scene_find(scene, "concat"), w_o = scene_find(scene, "w_o");
    if (concat == TENSOR_NONE || w_o == TENSOR_NONE) return;
    CellScale scale = scene_cell_scale(scene, h->tensor);
    FilmPlan plan = film_plan(trace, scene->view->film.stage);
    size_t count = (size_t)h->rows * (size_t)h->cols;
    Color *colors = ARENA_ARRAY(scene->arena, Color, count);
    float *values = ARENA_ARRAY(scene->arena, float, count);
    uint8_t *marks = ARENA_ARRAY(scene->arena, uint8_t, count);
    const Theme *theme = scene_theme(scene);
    for (int i = 0; i < h->rows; i++)
        for (int c = 0; c < h->cols; c++) {
            size_t at = (size_t)i * (size_t)h->cols + (size_t)c;
            bool done = film_plan_progress(&plan, trace, &scene->view->film, h->tensor, i, c) >= 1;
            double value = part_of(trace_tensor(trace, concat), trace_tensor(trace, w_o), head, scene->run->spec.d_v, i, c);
            values[at] = (float)value;
            colors[at] = done ? scene_cell_color(scene, &scale, value) : theme->empty_cell;
            marks[at] = (uint8_t)(!done ? CELL_EMPTY : isnan(value) ? CELL_NAN : CELL_VALUE);
        }
    float pitch_x = fmaxf(1, floorf(box.w / (float)h->cols)), pitch_y = fmaxf(1, floorf(box.h / (float)h->rows));
    float gap = pitch_x >= 4 && pitch_y >= 4 ? 1 : 0;
    Rect cells = {box.x, box.y, pitch_x * (float)h->cols - gap, pitch_y * (float)h->rows - gap};
    dl_cells(h->dl, cells, h->rows, h->cols, gap, 0, colors, values, marks, -1, -1, 0, 0);
}

/* ---- the grid ---- */

typedef enum { LABEL_RIGHT, LABEL_TWO, LABEL_ONE, LABEL_NUMBER, LABEL_NONE, LABEL_COUNT } LabelMode;

typedef struct {
    LabelMode mode;
    int across, down;
    float map_w, map_h, tile_w, tile_h, label_h, label_w;
    float spare; /* of the gap to the next tile, which a name may use */
} Grid;

static float label_height(LabelMode mode, float s) {
    static const float heights[] = {[LABEL_RIGHT] = 0, [LABEL_TWO] = 40, [LABEL_ONE] = 20, [LABEL_NUMBER] = 16, [LABEL_NONE] = 0};
    static_assert(sizeof heights / sizeof *heights == LABEL_COUNT, "a height for each label mode");
    return heights[mode] * s;
}

/* Largest map with this many across; map_w = 0 when there is no room. `label` = width of labels at the right. */
static Grid try_grid(Rect box, int n, int across, LabelMode mode, float aspect, float label, float s) {
    Grid g = {.mode = mode, .across = across, .down = (n + across - 1) / across, .label_h = label_height(mode, s)};
    g.label_w = mode == LABEL_RIGHT ? label : 0;
    float gap = fminf(16 * s, box.w * 0.2f / (float)across);
    g.tile_w = (box.w - gap * (float)(across - 1)) / (float)across;
    g.tile_h = (box.h - fminf(14 * s, box.h * 0.2f / (float)g.down) * (float)(g.down - 1)) / (float)g.down;
    float w = g.tile_w - g.label_w, h = g.tile_h - g.label_h;
    if (w <= 0 || h <= 0) return g;
    g.map_h = fminf(h, w / aspect);
    g.map_w = g.map_h * aspect;
    return g;
}

static Grid best_grid(Rect box, int n, LabelMode mode, float aspect, float label, float s) {
    Grid best = {.mode = mode, .across = 1, .down = n};
    for (int across = 1; across <= n; across++) {
        Grid g = try_grid(box, n, across, mode, aspect, label, s);
        if (g.map_h > best.map_h) best = g;
    }
    return best;
}

/* What labels need: beside the map, below it in two lines, below it in one. */
typedef struct {
    float right, two, one;
} LabelRoom;

static bool labels_fit(const Grid *g, Rect box, const LabelRoom *room, float s) {
    float pitch = box.w / (float)g->across - 8 * s;
    return g->mode == LABEL_TWO ? room->two <= pitch : g->mode != LABEL_ONE || room->one <= pitch;
}

/* The most telling labels whose maps are still large enough for them; beside the map only where that costs no size. */
static Grid choose_grid(Rect box, int n, bool strip, float aspect, const LabelRoom *room, float s) {
    static const float least[] = {[LABEL_RIGHT] = 56, [LABEL_TWO] = 76, [LABEL_ONE] = 50, [LABEL_NUMBER] = 16, [LABEL_NONE] = 0};
    static_assert(sizeof least / sizeof *least == LABEL_COUNT, "a size for each label mode");
    Grid below = best_grid(box, n, LABEL_TWO, aspect, 0, s);
    for (int mode = strip ? LABEL_RIGHT : LABEL_TWO; mode < LABEL_COUNT; mode++) {
        Grid g = best_grid(box, n, (LabelMode)mode, aspect, room->right, s);
        if (mode == LABEL_RIGHT && g.map_h < below.map_h) continue;
        if (g.map_h > 0 && fmaxf(g.map_h, g.map_w) >= least[mode] * s && labels_fit(&g, box, room, s)) return g;
    }
    return best_grid(box, n, LABEL_NONE, aspect, 0, s);
}

static const char *head_job(const Scene *scene, int head) {
    const Source *source = &scene->run->source;
    return source->head_name && head < source->n_heads && source->head_name[head] ? tr(source->head_name[head]) : NULL;
}

static void draw_name(const Heads *h, const Grid *g, int head, Rect tile) {
    const Scene *scene = h->scene;
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale;
    bool here = head == scene->view->head;
    FontFace face = here ? FACE_UI_SEMIBOLD : FACE_UI;
    Color color = here ? theme->ink : theme->muted;
    bool full = g->mode != LABEL_NUMBER;
    const char *name = arena_printf(scene->arena, full ? tr("Head %d") : "%d", head + 1), *job = head_job(scene, head);
    float size = scene->layout.type[full ? TYPE_LABEL : TYPE_SMALL];
    if (g->mode == LABEL_RIGHT) {
        Rect box = {tile.x + g->map_w + 10 * s, tile.y, tile.w - g->map_w - 10 * s, 20 * s};
        box.y += fmaxf(0, (g->map_h - (job ? 40 : 20) * s) / 2);
        dl_label(h->dl, scene->font, face, size, color, box, ALIGN_LEFT, name);
        box.y += 20 * s;
        if (job) dl_label(h->dl, scene->font, FACE_UI, scene->layout.type[TYPE_SMALL], theme->muted, box, ALIGN_LEFT, job);
        return;
    }
    Rect box = {tile.x, tile.y + g->map_h + 2 * s, tile.w + g->spare, (g->mode == LABEL_NUMBER ? 14 : 18) * s};
    dl_label(h->dl, scene->font, face, size, color, box, ALIGN_LEFT, name);
    box.y += 18 * s;
    if (g->mode == LABEL_TWO && job)
        dl_label(h->dl, scene->font, FACE_UI, scene->layout.type[TYPE_SMALL], theme->muted, box, ALIGN_LEFT, job);
}

static void draw_tile(const Heads *h, const Grid *g, int head, Rect tile) {
    const Scene *scene = h->scene;
    const Theme *theme = scene_theme(scene);
    float out = g->mode <= LABEL_ONE ? 6 * scene->layout.scale : 2, radius = fminf(scene->layout.pad, out + 2);
    bool here = head == scene->view->head;
    Rect frame = rect_inset(tile, -out);
    if (here) dl_rect(h->dl, frame, radius, theme->panel, theme->accent, 2 * scene->layout.scale);
    Rect map = {tile.x, tile.y, g->map_w, g->map_h};
    if (h->show == SHOW_PARTS)
        draw_parts(h, head, map);
    else
        draw_matrix(h, head, map);
    const char *name = arena_printf(scene->arena, "head.%d", head + 1);
    DlGroup group = {.role = ROLE_HEAD, .tensor = -1, .at = {head, -1, -1, -1}, .focusable = true};
    group.name = dl_store(h->dl, name);
    group.action = dl_store(h->dl, arena_printf(scene->arena, "head %d", head + 1));
    const char *job = head_job(scene, head), *label = arena_printf(scene->arena, tr("Head %d"), head + 1);
    group.label = dl_store(h->dl, job ? arena_printf(scene->arena, "%s · %s", label, job) : label);
    dl_group(h->dl, rect_meet(frame, scene->layout.content), &group);
    if (g->mode != LABEL_NONE) draw_name(h, g, head, tile);
    scene_ring(scene, h->dl, name, frame, radius);
    dl_ungroup(h->dl);
}

static LabelRoom label_room(const Heads *h) {
    const Layout *l = &h->scene->layout;
    LabelRoom room = {
        .one = font_width(h->scene->font, FACE_UI_SEMIBOLD, l->type[TYPE_LABEL], arena_printf(h->scene->arena, tr("Head %d"), h->n))};
    room.two = room.one;
    for (int i = 0; i < h->n; i++) {
        const char *job = head_job(h->scene, i);
        if (job) room.two = fmaxf(room.two, font_width(h->scene->font, FACE_UI, l->type[TYPE_SMALL], job));
    }
    room.right = fminf(room.two, 140 * l->scale) + 14 * l->scale;
    return room;
}

/* Maps are whole pixels a cell: tiles are no larger than what is in them. */
static void tighten(const Heads *h, Grid *g) {
    if (h->show == SHOW_PARTS) return;
    Matrix m;
    matrix_init(&m, h->scene, h->tensor, 0, false);
    if (h->show == SHOW_COLUMNS) m.col.count = h->cols;
    matrix_fit_small(&m, h->scene, (Rect){0, 0, g->map_w, g->map_h});
    g->map_w = fminf(g->map_w, m.cells.w);
    g->map_h = fminf(g->map_h, m.cells.h);
}

static void draw_grid(const Heads *h, Rect box, bool strip) {
    float s = h->scene->layout.scale;
    float aspect = fminf(fmaxf((float)h->cols / (float)h->rows, 0.7f), 1.5f);
    LabelRoom room = label_room(h);
    Grid g = choose_grid(box, h->n, strip, aspect, &room, s);
    float step_x = g.across > 1 ? (box.w - g.tile_w) / (float)(g.across - 1) : 0;
    float step_y = g.down > 1 ? (box.h - g.tile_h) / (float)(g.down - 1) : 0;
    tighten(h, &g);
    float words = g.mode == LABEL_TWO ? room.two : g.mode == LABEL_ONE ? room.one : 0;
    step_x = fminf(step_x, fmaxf(g.map_w + g.label_w + (strip ? 32 : 24) * s, words + 12 * s));
    step_y = fminf(step_y, g.map_h + g.label_h + 18 * s);
    g.spare = fmaxf(0, fmaxf(step_x, g.tile_w) - fminf(g.tile_w, g.map_w + g.label_w) - 8 * s);
    for (int i = 0; i < h->n; i++) {
        Rect tile = {floorf(box.x + step_x * (float)(i % g.across)), floorf(box.y + step_y * (float)(i / g.across)),
                     fminf(g.tile_w, g.map_w + g.label_w), g.map_h + g.label_h};
        draw_tile(h, &g, i, tile);
    }
}

/* ---- places ---- */

static void draw_column(const Heads *h, Rect box) {
    const Scene *scene = h->scene;
    float s = scene->layout.scale;
    Rect title = rect_cut_top(&box, 24 * s);
    dl_label(h->dl, scene->font, FACE_UI_SEMIBOLD, scene->layout.type[TYPE_BODY], scene_theme(scene)->ink, title, ALIGN_LEFT,
             tr("All heads at this step"));
    rect_cut_top(&box, 12 * s);
    Rect legend = rect_cut_bottom(&box, 116 * s);
    rect_cut_bottom(&box, 16 * s);
    box.w -= 8 * s;
    legend.w -= 8 * s;
    draw_grid(h, box, false);
    legend_draw(scene, h->tensor, legend, h->dl);
}

static void draw_strip(const Heads *h, Rect box) {
    float s = h->scene->layout.scale;
    if (box.w > 440 * s) {
        Rect legend = rect_cut_right(&box, 216 * s);
        rect_cut_right(&box, 24 * s);
        legend_draw(h->scene, h->tensor, legend, h->dl);
    }
    Rect inner = {box.x + 6 * s, box.y + 6 * s, box.w - 12 * s, box.h - 12 * s};
    draw_grid(h, inner, true);
}

void heads_draw(const Scene *scene, DisplayList *dl) {
    Heads h = find_heads(scene, dl);
    Rect box = scene->layout.heads;
    if (h.tensor == TENSOR_NONE || box.h <= 0 || box.w <= 0) return;
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "heads")};
    dl_group(dl, box, &group);
    if (scene->layout.heads_place == HEADS_LEGEND)
        legend_draw_line(scene, h.tensor, box, dl);
    else if (scene->layout.heads_place == HEADS_COLUMN)
        draw_column(&h, box);
    else
        draw_strip(&h, box);
    dl_ungroup(dl);
}
