/* Softmax row by row, in place: score, minus the row's maximum, exp, divided by the sum. All heads at once
 * while cells stay large, else the focused head, with its masked scores beside it. */
#include <math.h>

#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/lines.h"
#include "scene/look.h"
#include "scene/stage_part.h"
#include "scene/stages.h"
#include "scene/view_row.h"
#include "scene/zoom_map.h"

/* Units at scale 1. */
enum {
    SCORE_LEAST = 11, /* narrower cells of scores would be seen no more */
    TILE_LEAST = 96   /* smaller maps of all heads have no labels */
};

/* What a row shows before and after the running sub-phase. */
typedef struct {
    TensorId tensor, minus;
    const char *words; /* what the row shows */
} RowLook;

typedef struct {
    TensorId masked, row_max, exp, row_sum, weights; /* row_sum may be TENSOR_NONE */
} Ids;

static bool find_ids(StageView *v, Ids *ids) {
    ids->weights = scene_find(v->scene, "weights");
    ids->exp = scene_find(v->scene, "exp");
    ids->row_max = scene_find(v->scene, "row_max");
    ids->row_sum = scene_find(v->scene, "row_sum");
    if (ids->weights == TENSOR_NONE || ids->exp == TENSOR_NONE || ids->row_max == TENSOR_NONE) return false;
    ids->masked = trace_op(v->trace, trace_tensor(v->trace, ids->exp)->op)->in[0];
    return true;
}

/* A part of one row of the map, in another tensor's numbers. */
static void draw_row_part(StageView *v, const Matrix *map, RowLook look, int row, int col0, int col1) {
    if (col0 < map->col.first) col0 = map->col.first; /* a zoomed map shows a part */
    if (col1 > map->col.first + map->col.count) col1 = map->col.first + map->col.count;
    if (col1 <= col0 || row < map->row.first || row >= map->row.first + map->row.count) return;
    Matrix m;
    matrix_init(&m, v->scene, look.tensor, map->head, false);
    m.minus = look.minus;
    m.mask = map->mask;
    if (map->decimals >= 0) m.look = MATRIX_PLAIN; /* colours would be read as weights */
    m.film = m.row.labels = m.col.labels = false;
    m.row.first = row;
    m.row.count = 1;
    m.col.first = col0;
    m.col.count = col1 - col0;
    matrix_set_side(&m.row, map->row.pitch, 1);
    matrix_set_side(&m.col, map->col.pitch, 1);
    matrix_settle(&m, v->scene);
    m.hidden = map->hidden;
    m.right = 0;
    Rect at = matrix_rect(map, row, row + 1, col0, col1);
    matrix_place(&m, at.x, at.y);
    stage_show(v, &m);
}

enum { LOOKS = 4 };

static void make_looks(const Ids *ids, RowLook looks[LOOKS]) {
    looks[0] = (RowLook){ids->masked, TENSOR_NONE, NULL};
    looks[1] = (RowLook){ids->masked, ids->row_max, tr("in work: score − the row’s largest")};
    looks[2] = (RowLook){ids->exp, TENSOR_NONE, tr("in work: exp of score − largest")};
    looks[3] = (RowLook){ids->weights, TENSOR_NONE, tr("in work: ÷ the row’s sum")};
}

/* What the rows of the running step show, for as long as they are not finished; else NULL. */
static const char *work_words(StageView *v, const Ids *ids) {
    RowLook looks[LOOKS];
    make_looks(ids, looks);
    const Film *film = &v->scene->view->film;
    if (!v->now.work || !v->now.started || v->now.step.phase > 2) return NULL;
    bool finished = v->now.step.phase == 2 && film->position >= v->now.number + 1;
    return finished ? NULL : looks[v->now.step.phase + 1].words;
}

/* Rows of the running step: the part that is done in the new look, the rest in the old one. */
static void draw_running_rows(StageView *v, const Matrix *map, const Ids *ids) {
    RowLook looks[LOOKS];
    make_looks(ids, looks);
    const FilmStep *step = &v->now.step;
    if (map->row.block > 1 || map->col.block > 1 || step->phase > 2) return;
    for (int row = step->row0; row < step->row1; row++) {
        int split = row < v->now.row ? step->n_cols : row > v->now.row ? 0 : v->now.col + (v->now.phase >= 0.5);
        if (step->phase < 2) draw_row_part(v, map, looks[step->phase + 1], row, 0, split); /* weights are the map's own */
        draw_row_part(v, map, looks[step->phase], row, split, step->n_cols);
    }
}

/* ---- a selected number of a sub-phase ---- */

/* The look of the selected number's row; 0: nothing of this stage is selected, or a weight, or it is not computed yet. */
static int chosen_look(const StageView *v, const Ids *ids) {
    if (!v->selected || trace_stage_of(v->trace, v->chosen) != v->scene->view->film.stage) return 0;
    int look = v->chosen == ids->row_max ? 1 : v->chosen == ids->exp || v->chosen == ids->row_sum ? 2 : 0;
    return look && film_progress(v->trace, &v->scene->view->film, v->chosen, v->chosen_index[1], 0) >= 1 ? look : 0;
}

static int largest_column(const StageView *v, const Ids *ids) {
    const Tensor *t = trace_tensor(v->trace, ids->masked);
    int best = 0;
    for (int j = 1; j < t->dim[2]; j++) {
        const int at[TENSOR_RANK_MAX] = {v->chosen_index[0], v->chosen_index[1], j};
        const int most[TENSOR_RANK_MAX] = {v->chosen_index[0], v->chosen_index[1], best};
        if (tensor_at(t, at) > tensor_at(t, most)) best = j;
    }
    return best;
}

/* The row as it stood at the selected number's sub-phase, that number framed: of a maximum where it was found, of a
 * sum the whole row. */
static void draw_chosen_row(StageView *v, const Matrix *map, const Ids *ids) {
    int look = chosen_look(v, ids), row = v->chosen_index[1], cols = trace_tensor(v->trace, ids->weights)->dim[2];
    if (!look || map->head != v->chosen_index[0]) return;
    RowLook looks[LOOKS];
    make_looks(ids, looks);
    if (map->row.block == 1 && map->col.block == 1) draw_row_part(v, map, looks[look], row, 0, cols);
    Rect frame = matrix_row_band(map, row, row + 1);
    int col = v->chosen == ids->row_max ? largest_column(v, ids) : v->chosen_index[2];
    if (v->chosen != ids->row_sum) frame = matrix_rect(map, row, row + 1, col, col + 1);
    matrix_highlight(v->scene, v->dl, frame);
}

/* What a row shows that is not at its weights. */
static const char *row_words(StageView *v, const Ids *ids) {
    static const char *const chosen[] = {NULL, tr_mark("selected row: score − its largest"),
                                         tr_mark("selected row: exp of score − largest")};
    int look = chosen_look(v, ids);
    return look ? tr(chosen[look]) : work_words(v, ids);
}

/* The row that is explained: also that of a number which the weights came from. */
static bool focus_row(const StageView *v, int *row) {
    if (scene_anchor_query(v->scene, row)) return true;
    *row = v->now.row;
    return v->now.work;
}

static void draw_map(StageView *v, Matrix *map, const Ids *ids) {
    int row = 0;
    bool focus = focus_row(v, &row);
    if (focus) stage_strong(&map->row, row);
    map->empty_said = true;
    stage_show(v, map);
    if (v->now.work) draw_running_rows(v, map, ids);
    int r = -1, c = -1;
    bool chosen = stage_chosen(v, map, &r, &c);
    if (focus) matrix_frame(v->scene, v->dl, matrix_row_band(map, row, row + 1), v->theme->q);
    draw_chosen_row(v, map, ids);
    empty_rows_draw(map, v->scene, chosen ? r : -1, c, v->dl); /* no frame strikes its words out */
    if (stage_chosen(v, map, &r, &c)) stage_highlight(v, map, r, c);
}

/* "Head 2" at the left and its job at the right, over the map. A click looks at that head. */
static void title_head(StageView *v, const Matrix *map, int head) {
    float size = v->scene->layout.type[TYPE_BODY], high = 3 * v->pad;
    Rect box = {map->cells.x, map->cells.y - map->col.label_room - high, map->cells.w, high};
    const char *name = stage_head_name(v, head), *range = look_range_words(v->scene, map->tensor, head), *job = stage_head_job(v, head);
    if (range) job = stage_joined(v, job, range);
    Color color = head == v->head && v->site->spec.n_heads > 1 ? v->theme->accent : v->theme->ink;
    const char *control = arena_printf(v->scene->arena, "map.head.%d", head + 1);
    dl_control(v->dl, box, ROLE_HEAD, control, arena_printf(v->scene->arena, "head %d", head + 1), name);
    float w = dl_label(v->dl, v->scene->font, FACE_UI_SEMIBOLD, size, color, box, ALIGN_LEFT, name);
    Rect rest = {box.x + w + v->pad, box.y, box.w - w - v->pad, box.h};
    if (job && font_width(v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], job) <= rest.w)
        dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_LABEL], v->theme->muted, rest, ALIGN_RIGHT, job);
    scene_ring(v->scene, v->dl, control, box, 4 * v->s);
    dl_ungroup(v->dl);
}

/* The ribbons of the row that is explained, or of all; NULL: nothing has to be said about them. */
static const char *draw_lines(StageView *v, const Matrix *map, Rect area, Color color) {
    int row = 0;
    bool focus = focus_row(v, &row), all = v->scene->view->shape == MAP_ALL_LINES;
    if (row < map->row.first || row >= map->row.first + map->row.count) row = map->row.first;
    Lines lines = {.m = map, .query = all ? -1 : row, .color = color, .prefix = arena_printf(v->scene->arena, "lines.%d", map->head + 1)};
    (void)focus;
    return lines_draw(&lines, v->scene, area, v->dl);
}

/* What is left out of a map, and which part of it is shown; what comes last stays when there is little room. */
static const char *left_out(StageView *v, const Matrix *map, const char *note) {
    return stage_joined(v, note, stage_joined(v, look_words(map, v->scene), look_part_words(map, v->scene)));
}

/* The heading's strip; at its right the controls, in as many words as the heading leaves room for. */
static void heading(StageView *v, const char *name, const char *detail) {
    Rect before = v->area;
    float used = 0;
    bool of_head = name == NULL;
    if (name) detail = stage_detail(v, detail);
    else name = stage_head_words(v, &detail);
    if (!v->scene->layout.presenting) {
        float high = fmaxf(view_row_height(v->scene), 0), room = before.w - stage_heading_width(v, name, detail) - 3 * v->pad;
        used = view_row_draw(v->scene, (Rect){before.x + before.w - room, before.y - 2 * v->s, room, high}, v->dl) + 2 * v->pad;
    }
    v->area.w -= used;
    stage_draw_heading(v, name, detail, of_head);
    v->area.w = before.w;
}

/* The next tile of the grid of all heads. */
static Rect tile_of(Rect area, int head, int heads, int across, float gap_x, float gap_y) {
    int down = (heads + across - 1) / across;
    float w = (area.w - gap_x * (float)(across - 1)) / (float)across, h = (area.h - gap_y * (float)(down - 1)) / (float)down;
    return (Rect){area.x + (float)(head % across) * (w + gap_x), area.y + (float)(head / across) * (h + gap_y), w, h};
}

static Matrix map_of(StageView *v, TensorId weights, int head, Rect tile) {
    Matrix map;
    matrix_init(&map, v->scene, weights, head, false);
    if (fminf(tile.w, tile.h) < TILE_LEAST * v->s) map.row.labels = map.col.labels = false;
    return map;
}

static void draw_all(StageView *v, const Ids *ids, int across) {
    int heads = v->site->spec.n_heads;
    bool lines = v->scene->view->shape != MAP_CELLS;
    Rect area = v->area, used = {0};
    rect_cut_bottom(&area, stage_footer_room(v));
    const char *said = NULL, *note = NULL;
    for (int head = 0; head < heads; head++) {
        Rect tile = tile_of(area, head, heads, across, 3 * v->pad, v->pad);
        rect_cut_top(&tile, 3 * v->pad);
        Matrix map = map_of(v, ids->weights, head, tile);
        if (lines) map.cells = tile; /* where its name stands */
        else matrix_fit(&map, v->scene, tile);
        title_head(v, &map, head);
        if (lines) said = draw_lines(v, &map, tile, scene_head_color(v->theme, head));
        else draw_map(v, &map, ids);
        used = (Rect){area.x, map.cells.y, area.w, map.cells.h};
        if (head == v->head) note = left_out(v, &map, lines ? said : matrix_note(&map, v->scene));
    }
    const char *work = row_words(v, ids), *axis = lines ? tr("queries at the left, keys at the right") : stage_axis_words(v);
    stage_footer(v, used, work ? work : axis, note);
}

/* Side by side the weights are what is read: they get more of the room where that lets them say more, as long as the scores
 * keep their numbers if they had any. true: side by side. */
static bool arrange_one(StageView *v, Rect area, StageItem items[2]) {
    static const float shares[] = {1.25f, 1.5f, 1.75f, 2, 2.5f, 3, 3.5f, 4};
    bool row = stage_flow(v, area, items, 2);
    int had = items[0].m->decimals, best = items[1].m->decimals;
    Matrix first = *items[0].m, second = *items[1].m, scores = first, weights = second;
    for (size_t i = 0; row && i < sizeof shares / sizeof *shares && best < 2; i++) {
        items[1].share = shares[i];
        *items[0].m = first;
        *items[1].m = second;
        stage_row(v, area, items, 2);
        bool keeps = had < 0 || items[0].m->decimals >= 0, seen = items[0].m->col.pitch >= SCORE_LEAST * v->s;
        if (!keeps || !seen || items[1].m->decimals <= best) continue;
        best = items[1].m->decimals;
        scores = *items[0].m;
        weights = *items[1].m;
    }
    *items[0].m = scores;
    *items[1].m = weights;
    return row;
}

/* Lines of the head in view, as large as the stage. */
static void draw_one_lines(StageView *v, TensorId tensor, const char *work) {
    Matrix map;
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v) + v->pad);
    matrix_init(&map, v->scene, tensor, v->head, false);
    const char *said = draw_lines(v, &map, area, map.head == v->head ? scene_head_color(v->theme, v->head) : v->theme->accent);
    const char *words = tr("a ribbon is as wide as its weight");
    stage_footer(v, area, stage_joined(v, tr("queries at the left, keys at the right"), work ? work : words), left_out(v, &map, said));
}

static void draw_one(StageView *v, const Ids *ids) {
    heading(v, NULL, stage_joined(v, stage_head_job(v, v->head), look_scale_words(v->scene)));
    if (v->scene->view->shape != MAP_CELLS) {
        draw_one_lines(v, ids->weights, row_words(v, ids));
        return;
    }
    Matrix masked, map;
    matrix_init(&masked, v->scene, ids->masked, v->head, false);
    matrix_init(&map, v->scene, ids->weights, v->head, false);
    masked.title = str_eq(trace_tensor(v->trace, ids->masked)->name, "masked") ? tr("masked scores") : tr("scaled scores");
    map.title = tr("weights A");
    masked.title_color = map.title_color = v->theme->ink;
    StageItem items[2] = {{.m = &masked}, {.m = &map, .sign = "→"}};
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool row = arrange_one(v, area, items);
    int focus, r, c;
    if (focus_row(v, &focus)) stage_strong(&masked.row, focus);
    stage_show(v, &masked);
    if (focus_row(v, &focus)) matrix_frame(v->scene, v->dl, matrix_row_band(&masked, focus, focus + 1), v->theme->q);
    if (stage_chosen(v, &masked, &r, &c)) stage_highlight(v, &masked, r, c);
    draw_map(v, &map, ids);
    if (row) stage_signs(v, items, 2, row);
    const char *work = row_words(v, ids), *axis = stage_axis_words(v), *note = left_out(v, &map, stage_notes(v, (Matrix *const[]){&map}, 1));
    const char *scores = stage_notes(v, (Matrix *const[]){&masked}, 1);
    if (scores && !note) note = arena_printf(v->scene->arena, tr("scores: %s"), scores);
    if (!row && !work) work = axis;
    const StageCaption captions[2] = {{.below = masked.cells, .text = row ? axis : NULL},
                                      {.below = map.cells, .text = stage_joined(v, work, note)}};
    stage_captions(v, captions, 2);
}

/* Width of the row labels, as the layout asks for it. */
static float label_width(const Scene *scene, TensorId weights) {
    float least = 34 * scene->layout.scale;
    Matrix map;
    matrix_init(&map, scene, weights, 0, false);
    matrix_set_side(&map.row, least, 1);
    matrix_set_side(&map.col, least, 1);
    map.numbers = false;
    matrix_settle(&map, scene);
    return map.row.label_room;
}

/* How well a grid uses the area: the size of a cell, which may be wider than high, and less the more stays empty. */
static float grid_worth(const Scene *scene, Rect area, int across, const Matrix *map, float label) {
    float s = scene->layout.scale, pad = scene->layout.pad, least = 34 * s;
    int heads = scene_site(scene)->spec.n_heads, down = (heads + across - 1) / across;
    float free = (area.h - (float)(down - 1) * pad) / (float)down - 7 * pad;
    float w = ((area.w - (float)(across - 1) * 3 * pad) / (float)across - label) / (float)map->col.count;
    float h = fminf(free / (float)map->row.count, 96 * s);
    if (w < least || h < least) return 0;
    w = fminf(w, fminf(120 * s, fmaxf(1.75f * h, 72 * s)));
    h = fminf(h, 1.25f * w);
    return w * h * sqrtf(h * (float)map->row.count / free);
}

static int best_across(const Scene *scene, Rect area, int across, const Matrix *map, float label) {
    float most = grid_worth(scene, area, across, map, label);
    for (int other = 1; other <= scene_site(scene)->spec.n_heads; other++) {
        float worth = grid_worth(scene, area, other, map, label);
        if (worth > most) most = worth, across = other;
    }
    return across;
}

/* With the controls beside it; the presenter has neither. */
static float all_heads_heading(const Scene *scene) {
    return scene->layout.presenting && !scene_in_network(scene->run) ? 0 : 4.5f * scene->layout.pad;
}

/* As many across as make the cells largest, however small. */
static int across_anyhow(const Scene *scene, Rect area, const Matrix *map, float label) {
    int heads = scene_site(scene)->spec.n_heads, best = 1;
    float most = 0, pad = scene->layout.pad;
    for (int across = 1; across <= heads; across++) {
        Rect tile = tile_of(area, 0, heads, across, 3 * pad, pad);
        bool bare = fminf(tile.w, tile.h - 3 * pad) < TILE_LEAST * scene->layout.scale;
        float w = (tile.w - (bare ? 0 : label)) / (float)map->col.count, h = (tile.h - (bare ? 3 : 7) * pad) / (float)map->row.count;
        if (fminf(w, h) <= most) continue;
        most = fminf(w, h);
        best = across;
    }
    return best;
}

int stage_softmax_across(const Scene *scene, Rect area) {
    HeadsShown shown = scene->view->heads_shown;
    TensorId weights = scene_find(scene, "weights");
    int heads = scene_site(scene)->spec.n_heads;
    if (weights == TENSOR_NONE || heads < 2 || shown == HEADS_ONE || look_aggregate(scene) != AGGREGATE_HEAD) return 0;
    rect_cut_top(&area, all_heads_heading(scene));
    rect_cut_right(&area, zoom_map_room(scene));
    const Tensor *t = trace_tensor(scene->run->trace, weights);
    Matrix map;
    matrix_init(&map, scene, weights, 0, false);
    float label = label_width(scene, weights) + map.right;
    rect_cut_bottom(&area, shown == HEADS_ALL ? scene->layout.type[TYPE_LABEL] + 2 * scene->layout.pad : 0);
    if (shown == HEADS_ALL) return across_anyhow(scene, area, &map, label);
    if (t->dim[1] > 64 || t->dim[2] > 64) return 0;
    int across = layout_all_heads(&scene->layout, area, heads, map.row.count, map.col.count, label);
    return across > 0 ? best_across(scene, area, across, &map, label) : 0;
}

/* ---- the heads together, and what a weight brings ---- */

static const char *together_name(StageView *v, AggregateKind kind) {
    if (kind == AGGREGATE_LENGTH) return v->site->spec.n_heads > 1 ? stage_head_name(v, v->head) : tr("One head");
    return kind == AGGREGATE_AVERAGE ? tr("Head average") : tr("Head maximum");
}

static const char *together_words(StageView *v, AggregateKind kind) {
    if (kind == AGGREGATE_LENGTH) return tr("weight × length of v: what each weight brings");
    int heads = v->site->spec.n_heads;
    return arena_printf(v->scene->arena, kind == AGGREGATE_AVERAGE ? tr("mean of the weights of %d heads, cell by cell") : tr("largest weight of %d heads, cell by cell"), heads);
}

/* The film does not make these: they stand there whole. */
static void draw_together(StageView *v, AggregateKind kind) {
    const char *what = kind == AGGREGATE_LENGTH ? look_name(kind) : NULL; /* the name is the head's */
    heading(v, together_name(v, kind), stage_joined(v, what, look_scale_words(v->scene)));
    TensorId tensor = look_tensor(v->scene);
    if (v->scene->view->shape != MAP_CELLS) {
        draw_one_lines(v, tensor, together_words(v, kind));
        return;
    }
    Matrix map;
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    matrix_init(&map, v->scene, tensor, v->head, false);
    matrix_fit(&map, v->scene, area);
    int row, col;
    if (stage_chosen(v, &map, &row, &col)) stage_strong(&map.row, row);
    stage_show(v, &map);
    if (stage_chosen(v, &map, &row, &col)) matrix_frame(v->scene, v->dl, matrix_row_band(&map, row, row + 1), v->theme->q);
    if (stage_chosen(v, &map, &row, &col)) stage_highlight(v, &map, row, col);
    const char *words = stage_joined(v, together_words(v, kind), stage_axis_words(v));
    stage_footer(v, map.cells, words, left_out(v, &map, matrix_note(&map, v->scene)));
}

void stage_softmax(StageView *v) {
    Ids ids;
    AggregateKind kind = look_aggregate(v->scene);
    if (kind != AGGREGATE_HEAD) {
        draw_together(v, kind);
        return;
    }
    if (!find_ids(v, &ids) || !v->now.work) {
        heading(v, NULL, NULL);
        TensorId weights = scene_find(v->scene, "weights");
        if (weights != TENSOR_NONE && v->scene->view->shape != MAP_CELLS) draw_one_lines(v, weights, NULL);
        else stage_idle(v, tr("The weights are given: there is nothing to turn into shares."), weights, tr("weights A"));
        return;
    }
    int across = stage_softmax_across(v->scene, v->area);
    if (across == 0) {
        draw_one(v, &ids);
        return;
    }
    if (all_heads_heading(v->scene) > 0)
        heading(v, tr("All heads"), stage_joined(v, arena_printf(v->scene->arena, tr("%d at once"), v->site->spec.n_heads), look_scale_words(v->scene)));
    draw_all(v, &ids, across);
}
