/* Where the presented map goes and how large its texts are. Several ways are tried, and the one that shows most is taken. */
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/lines.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/matrix_part.h"
#include "scene/presenter_part.h"

/* Sizes that are tried, as shares of the 4 % that everything else has: numbers, and labels. None is below the half. */
static const struct {
    float number, label;
} sizes[] = {{1, 1}, {0.85f, 1}, {0.7f, 1}, {0.7f, 0.75f}, {0.6f, 0.75f}, {0.5f, 0.75f}, {0.5f, 0.5f}};
enum { SIZES = sizeof sizes / sizeof *sizes, SMALLER_MOST = 24 };

static const float DIM = 0.62f;         /* of rows that are not in question */
static const float BELOW_SHARE = 0.58f; /* height of a map that stands above the words */

static float unit(const Scene *scene) { return scene->layout.type[TYPE_TITLE]; }

/* The scene with the map's own sizes. */
static Scene sized(const Scene *scene, int size) {
    Scene s = *scene;
    float *type = s.layout.type, u = unit(scene);
    type[TYPE_SMALL] = u * sizes[size].number;
    type[TYPE_LABEL] = u * fmaxf(sizes[size].number, sizes[size].label * 0.8f);
    type[TYPE_BODY] = u * sizes[size].label;
    type[TYPE_TITLE] = u;
    return s;
}

/* ---- what is shown of large maps ---- */

static bool counts_tokens(const Scene *scene, TensorId tensor, const MatrixSide *side) {
    AxisKind axis = side->axis < 0 ? AXIS_OTHER : run_axis(scene->run, tensor, side->axis);
    return axis == AXIS_QUERY || axis == AXIS_KEY;
}

/* `most` positions around `at`. The window moves by half of its size at a time, so that it does not creep with every step. */
static void show_around(MatrixSide *side, int at, int most) {
    if (side->kept || most >= side->count || most < 1) return;
    int half = most > 1 ? most / 2 : 1, first = side->first + (at - side->first) / half * half - (most - half) / 2, last = side->first + side->count - most;
    side->first = first < side->first ? side->first : first > last ? last : first;
    side->count = most;
}

double presented_weight(const Scene *scene, TensorId weights, int head, int row, int key) {
    int at[TENSOR_RANK_MAX];
    scene_index(scene->run, weights, head, row, key, at);
    return tensor_at(trace_tensor(scene->run->trace, weights), at);
}

/* The tallest weight of a row is what its window is about. */
static int column_of(const Scene *scene, const Matrix *m, const Subject *subject) {
    int best = subject->col;
    double most = 0;
    for (int j = m->col.first; subject->row_asked && j < m->col.first + m->col.count; j++) {
        double weight = presented_weight(scene, m->tensor, scene->view->head, subject->row, j);
        if (weight > most) most = weight, best = j;
    }
    return best;
}

typedef struct {
    int rows, cols;
} Most;

/* As many as have room with the least sizes: tokens for their names, features for their numbers. */
static Most most_shown(const Scene *scene, const Matrix *m, Rect area) {
    float least = unit(scene) * 0.5f;
    bool tokens = counts_tokens(scene, m->tensor, &m->col);
    float high = tokens ? least * 1.15f : least + 6, wide = tokens ? least * 1.2f : least * 3.1f + 6;
    return (Most){(int)fmaxf(1, area.h / high), (int)fmaxf(1, area.w / wide)};
}

static bool names_all(const MatrixSide *side) { return side->block == 1 && (side->label_every == 1 || side->count_step || !side->labels || side->axis < 0); }

/* ---- one way to show it ---- */

static Matrix make_matrix(const Scene *scene, TensorId tensor, const Subject *subject) {
    Matrix m;
    matrix_init(&m, scene, tensor, scene_tensor_head(scene->run, tensor, scene->view->head), false);
    m.empty_said = true;
    if (str_eq(trace_tensor(scene->run->trace, tensor)->name, "v")) m.row.color = scene_theme(scene)->v;
    if (subject->found && !subject->idle) {
        m.row.strong0 = m.bright0 = subject->row;
        m.row.strong1 = m.bright1 = subject->row + 1;
        m.dim = DIM;
    }
    bool features = scene_in_network(scene->run) && trace_tensor(scene->run->trace, tensor)->rank == 2;
    if (features) m.title = words_symbol_in(scene->run, scene_site(scene), tensor); /* maps of attention are what the stage's name says */
    return m;
}

/* Do the widest number and its cell leave each other room? */
static bool roomy(const Matrix *m, const Scene *scene) {
    float wide = 0;
    for (int i = 0; i < m->row.drawn; i++)
        for (int j = 0; j < m->col.drawn; j++) {
            int row = side_position(&m->row, i), col = side_position(&m->col, j);
            if (row < 0 || col < 0) continue;
            double value = matrix_value(m, scene, row, col);
            if (isfinite(value)) wide = fmaxf(wide, font_width(scene->font, FACE_MONO, m->number_size, scene_number(scene, value, m->decimals)));
        }
    return wide <= 0.86f * (m->col.pitch - m->col.gap);
}

static bool fits(const PresentedMap *map) {
    const Matrix *m = &map->matrix;
    const Rect *a = &map->room;
    return m->cells.x + m->cells.w <= a->x + a->w + 1 && m->cells.y + m->cells.h <= a->y + a->h + 1;
}

static float score_of(const PresentedMap *map, const Matrix *whole, float u) {
    const Matrix *m = &map->matrix;
    float share = (float)m->row.count * (float)m->col.count / ((float)whole->row.count * (float)whole->col.count);
    float score = names_all(&m->row) && names_all(&m->col) && fits(map) ? 1000 : 0;
    if (!map->part) score += 400;
    else score += 100 * share;
    if (m->decimals >= 0) score += 200 + 20 * (float)m->decimals + 10 * m->number_size / u + (roomy(m, &map->scene) ? 30 : 0);
    if (m->col.turn == TURN_NONE) score += 60;
    if (map->beside) score += 50;
    return score + 10 * fminf(m->row.label_size, m->col.label_size) / u;
}

static int total(const Scene *scene, const Matrix *m, const MatrixSide *side) {
    return side->axis < 0 ? 1 : trace_tensor(scene->run->trace, m->tensor)->dim[side->axis];
}

/* Which part is shown, and what is left out of it. */
static const char *left_out(const Scene *scene, const Matrix *m) {
    const MatrixSide *r = &m->row, *c = &m->col;
    int rows = total(scene, m, r), cols = total(scene, m, c);
    const char *part = NULL, *look = m->look == MATRIX_WEIGHT ? look_words(m, scene) : NULL;
    if (r->count < rows && c->count < cols)
        part = arena_printf(scene->arena, tr("rows %d to %d of %d, columns %d to %d of %d"), r->first + 1, r->first + r->count, rows, c->first + 1,
                            c->first + c->count, cols);
    else if (r->count < rows) part = arena_printf(scene->arena, tr("rows %d to %d of %d"), r->first + 1, r->first + r->count, rows);
    else if (c->count < cols) part = arena_printf(scene->arena, tr("columns %d to %d of %d"), c->first + 1, c->first + c->count, cols);
    return phrase_list(scene->arena, part, look);
}

static RichStyle says_style(const Scene *scene) {
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI, scene_theme(scene)->muted);
    style.size = unit(scene) * 0.6f;
    style.line = roundf(style.size * 1.3f);
    return style;
}

/* The map in what its words leave of the area. */
static void fit_map(PresentedMap *map, const Scene *scene) {
    RichStyle style = says_style(scene);
    map->room = map->area;
    map->says = left_out(scene, &map->matrix);
    if (map->says) rect_cut_bottom(&map->room, rich_height(&style, map->room.w, map->says) + style.line * 0.4f);
    matrix_fit(&map->matrix, &map->scene, map->room);
}

static PresentedMap try_map(const Scene *scene, TensorId tensor, const Subject *subject, Rect area, bool beside, int size) {
    PresentedMap map = {.scene = sized(scene, size), .area = area, .beside = beside};
    Matrix whole = make_matrix(&map.scene, tensor, subject);
    Most most = most_shown(scene, &whole, area);
    int col = column_of(scene, &whole, subject);
    for (int i = 0; i < SMALLER_MOST; i++) {
        map.matrix = whole;
        show_around(&map.matrix.row, subject->row, most.rows);
        show_around(&map.matrix.col, col, most.cols);
        map.part = map.matrix.row.count < whole.row.count || map.matrix.col.count < whole.col.count;
        fit_map(&map, scene);
        bool rows = names_all(&map.matrix.row) && fits(&map), cols = names_all(&map.matrix.col);
        if ((rows && cols) || (map.matrix.row.count == 1 && map.matrix.col.count == 1)) break;
        if (!rows) most.rows = map.matrix.row.count - 1 - map.matrix.row.count / 8;
        if (!cols) most.cols = map.matrix.col.count - 1 - map.matrix.col.count / 8;
        most.rows = most.rows < 1 ? 1 : most.rows;
        most.cols = most.cols < 1 ? 1 : most.cols;
    }
    map.score = score_of(&map, &whole, unit(scene));
    return map;
}

/* Nothing that is smaller could show more. */
static bool shows_all(const PresentedMap *map) {
    const Matrix *m = &map->matrix;
    bool numbers = m->decimals == 2 || (m->decimals == 0 && matrix_is_whole(map->scene.run, m->tensor));
    return map->beside && !map->part && fits(map) && names_all(&m->row) && names_all(&m->col) && m->col.turn == TURN_NONE && numbers && roomy(m, &map->scene);
}

/* Ribbons have two columns of names and no numbers. */
static PresentedMap try_lines(const Scene *scene, TensorId tensor, const Subject *subject, Rect area, bool beside) {
    enum { LABELS = 3 };
    PresentedMap map = {.scene = sized(scene, LABELS), .area = area, .beside = beside, .lines = true};
    map.matrix = make_matrix(&map.scene, tensor, subject);
    int most = (int)(area.h / (unit(scene) * 0.75f * 1.2f)), all = map.matrix.row.count + map.matrix.col.count;
    int col = column_of(scene, &map.matrix, subject);
    show_around(&map.matrix.row, subject->row, most);
    show_around(&map.matrix.col, col, most);
    map.part = map.matrix.row.count + map.matrix.col.count < all;
    map.says = left_out(scene, &map.matrix);
    return map;
}

PresentedMap presented_map(const Scene *scene, TensorId tensor, const Subject *subject) {
    const Layout *l = &scene->layout;
    Rect beside = {l->content.x, l->content.y, l->stage.w, l->content.h}, above = l->content;
    above.h *= BELOW_SHARE;
    bool upright = l->height > l->width;
    if (scene->view->shape != MAP_CELLS && look_is_weight(trace_tensor(scene->run->trace, tensor)->name))
        return try_lines(scene, tensor, subject, upright ? above : beside, !upright);
    PresentedMap best = {.score = -1};
    for (int place = upright; place < 2; place++)
        for (int size = 0; size < SIZES; size++) {
            PresentedMap map = try_map(scene, tensor, subject, place ? above : beside, !place, size);
            if (shows_all(&map)) return map;
            if (map.score > best.score) best = map;
        }
    return best;
}

/* ---- drawing ---- */

static void draw_says(const Scene *scene, Rect area, const char *says, DisplayList *dl) {
    RichStyle style = says_style(scene);
    float high = rich_height(&style, area.w, says);
    rich_paragraph(dl, &style, (Rect){area.x, area.y + area.h - high, area.w, high}, ALIGN_CENTER, says);
}

static void draw_lines(const PresentedMap *map, const Subject *subject, DisplayList *dl) {
    const Scene *scene = &map->scene;
    const Matrix *m = &map->matrix;
    RichStyle style = says_style(scene);
    Rect room = map->area;
    bool all = scene->view->shape == MAP_ALL_LINES;
    int row = subject->row < m->row.first || subject->row >= m->row.first + m->row.count ? m->row.first : subject->row;
    Lines lines = {.m = m, .query = all ? -1 : row, .color = scene_head_color(scene_theme(scene), m->head), .prefix = "lines"};
    rect_cut_bottom(&room, 2.5f * style.line); /* for what has to be said */
    const char *weak = lines_draw(&lines, scene, room, dl);
    const char *says = phrase_list(scene->arena, map->says, weak);
    if (says) draw_says(scene, map->area, says, dl);
}

void presented_map_draw(const PresentedMap *map, const Subject *subject, DisplayList *dl) {
    const Scene *scene = &map->scene;
    const Matrix *m = &map->matrix;
    if (map->lines) {
        draw_lines(map, subject, dl);
        return;
    }
    matrix_draw(m, scene, dl);
    empty_rows_draw(m, scene, subject->found && !subject->row_asked ? subject->row : -1, subject->col, dl);
    if (m->right > 0) look_draw_shares(m, scene, dl);
    if (map->says) draw_says(scene, map->area, map->says, dl);
    if (!subject->found || subject->idle) return;
    Rect frame = subject->row_asked ? matrix_rect(m, subject->row, subject->row + 1, m->col.first, m->col.first + m->col.count)
                                    : matrix_rect(m, subject->row, subject->row + 1, subject->col, subject->col + 1);
    if (frame.w > 0) matrix_highlight(scene, dl, frame);
}
