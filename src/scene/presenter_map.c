/* Where the presented map goes and how large its texts are. Several ways are tried, and the one that shows most is taken. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/now.h"
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
    int half = most > 1 ? most / 2 : 1, first = at / half * half - (most - half) / 2, last = side->count - most;
    side->first = first < 0 ? 0 : first > last ? last : first;
    side->count = most;
}

/* The tallest weight of a row is what its window is about. */
static int column_of(const Scene *scene, const Matrix *m, const Subject *subject) {
    if (!subject->row_asked) return subject->col;
    RowLeader leader = words_leader(scene->run, m->tensor, m->head, subject->row);
    return leader.key >= 0 && !leader.nan ? leader.key : subject->col;
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

static float score_of(const PresentedMap *map, const Matrix *whole, float u) {
    const Matrix *m = &map->matrix;
    float share = (float)m->row.count * (float)m->col.count / ((float)whole->row.count * (float)whole->col.count);
    float score = names_all(&m->row) && names_all(&m->col) ? 1000 : 0;
    if (!map->part) score += 400;
    else score += 100 * share;
    if (m->decimals >= 0) score += 200 + 20 * (float)m->decimals + 10 * m->number_size / u;
    if (m->col.turn == TURN_NONE) score += 60;
    if (map->beside) score += 50;
    return score + 10 * fminf(m->row.label_size, m->col.label_size) / u;
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
        Rect room = area;
        if (map.part) rect_cut_bottom(&room, unit(scene)); /* says what is shown */
        matrix_fit(&map.matrix, &map.scene, room);
        bool rows = names_all(&map.matrix.row), cols = names_all(&map.matrix.col);
        if ((rows && cols) || (map.matrix.row.count == 1 && map.matrix.col.count == 1)) break;
        if (!rows) most.rows = map.matrix.row.count - 1 - map.matrix.row.count / 8;
        if (!cols) most.cols = map.matrix.col.count - 1 - map.matrix.col.count / 8;
        most.rows = most.rows < 1 ? 1 : most.rows;
        most.cols = most.cols < 1 ? 1 : most.cols;
    }
    map.score = score_of(&map, &whole, unit(scene));
    return map;
}

PresentedMap presented_map(const Scene *scene, TensorId tensor, const Subject *subject) {
    const Layout *l = &scene->layout;
    Rect beside = {l->content.x, l->content.y, l->stage.w, l->content.h}, above = l->content;
    above.h *= BELOW_SHARE;
    bool upright = l->height > l->width;
    PresentedMap best = {.score = -1};
    for (int place = upright; place < 2; place++)
        for (int size = 0; size < SIZES; size++) {
            PresentedMap map = try_map(scene, tensor, subject, place ? above : beside, !place, size);
            if (map.score > best.score) best = map;
        }
    return best;
}

/* ---- drawing ---- */

static const char *shown_words(const Scene *scene, const Matrix *m) {
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    int rows = t->rank > 1 ? t->dim[t->rank - 2] : 1, cols = t->dim[t->rank - 1];
    const MatrixSide *r = &m->row, *c = &m->col;
    if (c->count == cols) return arena_printf(scene->arena, tr("rows %d to %d of %d"), r->first + 1, r->first + r->count, rows);
    if (r->count == rows) return arena_printf(scene->arena, tr("columns %d to %d of %d"), c->first + 1, c->first + c->count, cols);
    return arena_printf(scene->arena, tr("rows %d to %d of %d, columns %d to %d of %d"), r->first + 1, r->first + r->count, rows, c->first + 1,
                        c->first + c->count, cols);
}

void presented_map_draw(const PresentedMap *map, const Subject *subject, DisplayList *dl) {
    const Scene *scene = &map->scene;
    const Matrix *m = &map->matrix;
    matrix_draw(m, scene, dl);
    if (map->part) {
        RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI, scene_theme(scene)->muted);
        style.size *= 0.6f;
        Rect row = {map->area.x, map->area.y + map->area.h - style.size * 1.3f, map->area.w, style.size * 1.3f};
        rich_label(dl, &style, row, ALIGN_CENTER, shown_words(scene, m));
    }
    if (!subject->found || subject->idle) return;
    Rect frame = subject->row_asked ? matrix_rect(m, subject->row, subject->row + 1, m->col.first, m->col.first + m->col.count)
                                    : matrix_rect(m, subject->row, subject->row + 1, subject->col, subject->col + 1);
    if (frame.w > 0) matrix_highlight(scene, dl, frame);
}
