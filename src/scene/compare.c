#include "scene/compare.h"

#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "scene/look.h"
#include "scene/matrix_part.h"
#include "scene/words.h"

bool compare_on(const Scene *scene) { return scene->view->comparing && scene->held && scene->held_doc; }

const char *compare_side(const Scene *scene, bool b) {
    if (scene->check) return b ? tr("B, right") : tr("A, yours");
    return b ? tr("B, now") : tr("A, held");
}

/* ---- what is compared ---- */

static bool made_here(const Scene *scene, TensorId id) {
    const Stage *stage = scene_stage(scene);
    int op = trace_tensor(scene->run->trace, id)->op;
    return op >= stage->first_op && op < stage->first_op + stage->n_ops;
}

static TensorId subject(const Scene *scene) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (scene_selection(scene, &id, index) && made_here(scene, id)) return id;
    return scene_stage(scene)->kind == STAGE_SOFTMAX ? look_tensor(scene) : scene_stage_tensor(scene);
}

/* Why A's and B's numbers cannot be subtracted; NULL: they can. */
static const char *reason_of(const Compare *c) {
    Arena *arena = c->scene->arena;
    if (c->b == TENSOR_NONE) return tr("There are no numbers at this stage.");
    if (c->a == TENSOR_NONE) return tr("A has no such numbers: it is another machine, or they were given there.");
    const Tensor *a = trace_tensor(c->scene->held->trace, c->a), *b = trace_tensor(c->scene->run->trace, c->b);
    if (c->scene->held->theirs && c->scene->held->theirs[c->a] < 0) return tr("Your file does not have these numbers.");
    if (!trace_resident(c->scene->held->trace, c->a)) return tr("A’s numbers of this layer are not in memory any more.");
    if (a->rank != b->rank) return tr("A and B have different shapes, so there is no difference.");
    for (int i = a->rank == 3 ? 1 : 0; i < a->rank; i++) {
        if (a->dim[i] == b->dim[i]) continue;
        AxisKind kind = run_axis(c->scene->run, c->b, i);
        if (kind == AXIS_QUERY || kind == AXIS_KEY)
            return arena_printf(arena, tr("A has %d tokens, B has %d: there is no difference between texts of different lengths."), a->dim[i], b->dim[i]);
        return arena_printf(arena, tr("A has %d columns, B has %d, so there is no difference."), a->dim[i], b->dim[i]);
    }
    return NULL;
}

/* ---- the difference ---- */

/* What is written as 0.00 has no strong colour. */
#define LEAST_LIMIT 0.01

typedef struct {
    MatrixReader reader;
    Matrix m;
} Side;

/* Whole and without thresholds or hidden columns: what is looked at is the change. */
static void open_side(Side *side, const Scene *scene, TensorId id, int head) {
    matrix_init(&side->m, scene, id, head, false);
    look_whole(&side->m, scene);
    side->m.film = false;
    side->reader = matrix_reader(&side->m, scene);
}

static bool is_masked(CellMark mark) { return mark == CELL_MASKED; }

static double size_of(double change) { return isnan(change) ? (double)INFINITY : fabs(change); }

/* Cells come row by row: of equal changes the first one met stays before the others. */
static void keep_largest(Compare *c, const CompareCell *cell) {
    double size = size_of(cell->change);
    int at = c->n_cells;
    while (at > 0 && size_of(c->cells[at - 1].change) < size) at--;
    if (at == COMPARE_CELLS) return;
    if (c->n_cells < COMPARE_CELLS) c->n_cells++;
    memmove(&c->cells[at + 1], &c->cells[at], (size_t)(c->n_cells - 1 - at) * sizeof *cell);
    c->cells[at] = *cell;
}

/* Of somebody's numbers what lies within the tolerance is no difference. */
static bool agrees(const Compare *c, double a, double b) {
    const double *theirs = c->scene->held->theirs;
    bool hidden = theirs && a <= MISTAKE_HIDDEN && b <= MISTAKE_HIDDEN && str_eq(trace_tensor(c->scene->run->trace, c->b)->name, "masked");
    return theirs && (hidden || fabs(b - a) <= theirs[c->a]);
}

/* A number that both hide is no number; a hidden weight is 0, a hidden score −∞. */
static void compare_cells(Compare *c, Side *a, Side *b) {
    Arena *arena = c->scene->arena;
    size_t n = (size_t)c->rows * (size_t)c->cols;
    double most = 0;
    c->value_a = ARENA_ARRAY(arena, double, n);
    c->change = ARENA_ARRAY(arena, double, n);
    c->look_a = ARENA_ARRAY(arena, uint8_t, n);
    c->look_change = ARENA_ARRAY(arena, uint8_t, n);
    c->row_change = ARENA_ARRAY(arena, double, (size_t)c->rows);
    for (int i = 0; i < c->rows; i++) {
        c->row_change[i] = 0;
        for (int j = 0; j < c->cols; j++) {
            size_t at = (size_t)i * (size_t)c->cols + (size_t)j;
            MatrixCell x = matrix_read_at(&a->reader, i, j), y = matrix_read_at(&b->reader, i, j);
            bool same = x.value == y.value || (isnan(x.value) && isnan(y.value)) || agrees(c, x.value, y.value); /* −∞ − −∞ is no change */
            c->value_a[at] = x.value;
            c->look_a[at] = (uint8_t)x.mark;
            c->change[at] = same ? 0 : y.value - x.value;
            c->look_change[at] = (uint8_t)(is_masked(x.mark) && is_masked(y.mark) ? CELL_MASKED : isnan(c->change[at]) ? CELL_NAN : CELL_VALUE);
            if (c->change[at] == 0) continue;
            keep_largest(c, &(CompareCell){i, j, x.value, y.value, c->change[at]});
            if (isfinite(c->change[at])) {
                most = fmax(most, fabs(c->change[at]));
                c->row_change[i] += fabs(c->change[at]);
            }
        }
    }
    c->change_limit = most > 0 ? fmax(matrix_friendly(most), LEAST_LIMIT) : 1;
}

static void order_rows(Compare *c) {
    c->row_order = ARENA_ARRAY(c->scene->arena, int, (size_t)c->rows);
    for (int i = 0; i < c->rows; i++) {
        int at = i;
        for (; at > 0 && c->row_change[c->row_order[at - 1]] < c->row_change[i]; at--) c->row_order[at] = c->row_order[at - 1];
        c->row_order[at] = i;
    }
}

static Compare begin(const Scene *scene) {
    Compare c = {.scene = scene, .of_a = *scene, .a = TENSOR_NONE, .b = subject(scene)};
    c.of_a.run = scene->held;
    c.of_a.doc = scene->held_doc;
    if (c.b != TENSOR_NONE) c.a = trace_find(scene->held->trace, trace_tensor(scene->run->trace, c.b)->id);
    c.reason = reason_of(&c);
    if (c.b == TENSOR_NONE) return c;
    const Tensor *b = trace_tensor(scene->run->trace, c.b);
    c.head_b = scene_tensor_head(scene->run, c.b, scene->view->head);
    if (c.a != TENSOR_NONE) c.head_a = scene_tensor_head(scene->held, c.a, scene->view->head);
    if (!c.reason && trace_tensor(scene->held->trace, c.a)->rank == 3 && c.head_a >= trace_tensor(scene->held->trace, c.a)->dim[0])
        c.reason = arena_printf(scene->arena, tr("A has no head %d."), scene->view->head + 1);
    c.weights = look_is_weight(b->name);
    c.limit = c.weights ? 1 : matrix_limit(scene->run, c.b);
    if (c.a != TENSOR_NONE && !c.weights) c.limit = fmax(c.limit, matrix_limit(scene->held, c.a));
    if (c.reason) return c;
    c.rows = b->rank >= 2 ? b->dim[b->rank - 2] : 1;
    c.cols = b->dim[b->rank - 1];
    return c;
}

/* View of A: its film has another trace's stages, and nothing of it is selected. */
static const View *view_of_a(const Scene *scene) {
    View *view = ARENA_NEW(scene->arena, View);
    *view = *scene->view;
    film_refit(&view->film, scene->run->trace, scene->held->trace);
    view->selection = view->hover = (ViewRef){0};
    return view;
}

static Compare make(const Scene *scene) {
    Compare c = begin(scene);
    Side a, b;
    c.of_a.view = view_of_a(scene);
    if (c.reason) return c;
    open_side(&a, &c.of_a, c.a, c.head_a);
    open_side(&b, scene, c.b, c.head_b);
    compare_cells(&c, &a, &b);
    order_rows(&c);
    return c;
}

const Compare *compare_make(const Scene *scene) {
    if (scene->compare && *scene->compare) return *scene->compare;
    Compare *c = ARENA_NEW(scene->arena, Compare);
    *c = make(scene);
    if (scene->compare) *scene->compare = c;
    return c;
}

/* Of two lists of n numbers from there on; a NaN counts nothing. */
static double largest_change(const Tensor *a, const Tensor *b, size_t from, size_t n) {
    enum { PIECE = 256 };
    double x[PIECE], y[PIECE], most = 0;
    for (size_t at = 0; at < n; at += PIECE) {
        int count = n - at < PIECE ? (int)(n - at) : PIECE;
        tensor_load(a, from + at, count, x);
        tensor_load(b, from + at, count, y);
        for (int i = 0; i < count; i++) {
            double change = fabs(y[i] - x[i]); /* NaN also of −∞ twice */
            if (change > most) most = change;
        }
    }
    return most;
}

double compare_head_change(const Scene *scene, int head) {
    View view = *scene->view;
    Scene one = *scene;
    view.head = head;
    one.view = &view;
    Compare c = begin(&one);
    if (c.reason) return (double)NAN;
    const Tensor *a = trace_tensor(scene->held->trace, c.a), *b = trace_tensor(scene->run->trace, c.b);
    if (b->rank < 3 || head >= a->dim[0] || head >= b->dim[0]) return (double)NAN;
    return largest_change(a, b, (size_t)head * (size_t)c.rows * (size_t)c.cols, (size_t)c.rows * (size_t)c.cols);
}

/* ---- words ---- */

const char *compare_sentence(const Scene *scene) {
    const Compare *c = compare_make(scene);
    Arena *arena = scene->arena;
    if (c->reason) return c->reason;
    if (c->n_cells == 0) return tr("A and B do not differ here.");
    char row[32], col[32];
    const CompareCell *top = &c->cells[0];
    const Tensor *b = trace_tensor(scene->run->trace, c->b);
    const char *r = b->rank >= 2 ? words_label(scene->run, c->b, b->rank - 2, top->row, row) : "";
    const char *k = words_label(scene->run, c->b, b->rank - 1, top->col, col);
    return arena_printf(arena, tr("The largest change: row %s, column %s, from %s to %s."), rich_name(arena, 'q', r), rich_name(arena, 'k', k),
                        scene_number(scene, top->a, 2), scene_number(scene, top->b, 2));
}
