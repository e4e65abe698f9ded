#include "scene/look.h"

#include <assert.h>
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/matrix_part.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/paint.h"

/* ---- which numbers ---- */

static const struct {
    const char *tensor, *name;
} views[] = {
    [AGGREGATE_HEAD] = {"weights", tr_mark("weights")},
    [AGGREGATE_AVERAGE] = {"head_avg", tr_mark("head average")},
    [AGGREGATE_ROLLOUT] = {"rollout", tr_mark("rollout")},
    [AGGREGATE_LENGTH] = {"weighted_length", tr_mark("weight × |v|")},
    [AGGREGATE_MAXIMUM] = {"head_max", tr_mark("head maximum")},
};
static_assert(sizeof views / sizeof *views == AGGREGATE_KIND_COUNT, "a row for each aggregate");

bool look_is_weight(const char *name) {
    static const char *const names[] = {"weights", "exp", "head_avg", "head_max", "weighted_length", "rollout"};
    return str_find(names, sizeof names / sizeof *names, name) >= 0;
}

/* Rollout runs over layers: it belongs to the overview. */
static TensorId view_of(const Scene *scene, AggregateKind kind) {
    if (kind == AGGREGATE_HEAD || kind == AGGREGATE_ROLLOUT || scene_stage(scene)->kind != STAGE_SOFTMAX) return TENSOR_NONE;
    TensorId id = scene_find(scene, views[kind].tensor);
    return id != TENSOR_NONE && trace_resident(scene->run->trace, id) ? id : TENSOR_NONE;
}

AggregateKind look_aggregate(const Scene *scene) {
    AggregateKind kind = scene->view->aggregate;
    return view_of(scene, kind) == TENSOR_NONE ? AGGREGATE_HEAD : kind;
}

bool look_over_heads(const Scene *scene) {
    AggregateKind kind = look_aggregate(scene);
    return scene_stage(scene)->kind == STAGE_SOFTMAX && (kind == AGGREGATE_AVERAGE || kind == AGGREGATE_MAXIMUM);
}

bool look_lines(const Scene *scene) { return scene->view->shape != MAP_CELLS && scene_stage(scene)->kind == STAGE_SOFTMAX && !overview_on(scene); }

TensorId look_tensor(const Scene *scene) {
    TensorId id = view_of(scene, scene->view->aggregate);
    return id == TENSOR_NONE ? scene_stage_tensor(scene) : id;
}

const char *look_name(AggregateKind kind) { return tr(views[kind].name); }

/* ---- scales ---- */

/* In the row's order, a piece at a time. */
static double largest_of_row(const Tensor *t, size_t from, int cols, const bool *hidden, double most) {
    enum { PIECE = 256 };
    double piece[PIECE];
    for (int j = 0; j < cols; j += PIECE) {
        int n = cols - j < PIECE ? cols - j : PIECE;
        tensor_load(t, from + (size_t)j, n, piece);
        for (int k = 0; k < n; k++)
            if (piece[k] > most && !(hidden && hidden[j + k]) && isfinite(piece[k])) most = piece[k];
    }
    return most;
}

/* The same where floats lie one behind the other and all are shown; infinite where one is. */
static float largest_of_floats(const float *data, size_t n) {
    float most[8] = {0};
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) most[k] = data[i + (size_t)k] > most[k] ? data[i + (size_t)k] : most[k];
    for (; i < n; i++) most[0] = data[i] > most[0] ? data[i] : most[0];
    for (int k = 1; k < 8; k++) most[0] = most[k] > most[0] ? most[k] : most[0];
    return most[0];
}

static bool *hidden_columns(const Scene *scene, int cols) {
    const View *view = scene->view;
    if (view->n_hidden == 0) return NULL;
    bool *hidden = ARENA_ARRAY(scene->arena, bool, (size_t)cols);
    for (int j = 0; j < cols; j++) hidden[j] = view_hidden_at(view, j);
    return hidden;
}

static double largest_shown(const Scene *scene, TensorId tensor, int head) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    int rows = t->dim[t->rank - 2], cols = t->dim[t->rank - 1];
    size_t count = (size_t)rows * (size_t)cols, from = t->rank == 3 ? (size_t)head * count : 0;
    const bool *hidden = hidden_columns(scene, cols);
    double most = 0;
    if (!hidden && t->dtype == DTYPE_F32 && t->data && !t->stored.data) {
        most = (double)largest_of_floats((const float *)t->data + from, count);
        if (isfinite(most)) return most;
    }
    most = 0;
    for (int i = 0; i < rows; i++) most = largest_of_row(t, from + (size_t)i * (size_t)cols, cols, hidden, most);
    return most;
}

/* As usual: weights end at 1, lengths at a friendly number. */
static double usual_limit(const Scene *scene, TensorId tensor) {
    bool length = str_eq(trace_tensor(scene->run->trace, tensor)->name, "weighted_length");
    return length ? matrix_friendly(scene->run->magnitude[tensor]) : 1;
}

double look_limit(const Scene *scene, TensorId tensor, int head) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    if (!scene->view->own_range || str_eq(t->name, "exp") || t->rank < 2) return usual_limit(scene, tensor);
    double most = largest_shown(scene, tensor, head < 0 || t->rank < 3 ? 0 : head);
    return most > 0 ? most : usual_limit(scene, tensor);
}

double look_shade(bool log_scale, double limit, double value) {
    double end = limit > 0 ? limit : 1;
    if (!log_scale) return value / end;
    if (!(value > LOOK_LOG_FROM)) return 0;
    return end > LOOK_LOG_FROM ? log10(value / LOOK_LOG_FROM) / log10(end / LOOK_LOG_FROM) : 1;
}

/* ---- a matrix ---- */

static void take_window(MatrixSide *side, int n, double zoom, double center) {
    view_window(n, zoom, center, &side->first, &side->count);
    side->window = side->count < n;
}

/* Every side that counts what the result's rows or columns count shows the same part. */
static void take_part(Matrix *m, const Scene *scene) {
    const View *view = scene->view;
    const Run *run = scene->run;
    TensorId result = overview_on(scene) ? m->tensor : look_tensor(scene);
    if (view->zoom <= 1 || result == TENSOR_NONE || trace_tensor(run->trace, result)->rank < 2) return;
    const Tensor *t = trace_tensor(run->trace, result), *own = trace_tensor(run->trace, m->tensor);
    AxisKind row = run_axis(run, result, t->rank - 2), column = run_axis(run, result, t->rank - 1);
    MatrixSide *sides[] = {&m->row, &m->col};
    for (int i = 0; i < 2; i++) {
        if (sides[i]->axis < 0) continue;
        AxisKind kind = run_axis(run, m->tensor, sides[i]->axis);
        int n = own->dim[sides[i]->axis];
        if (kind == row && n == t->dim[t->rank - 2]) take_window(sides[i], n, view->zoom, view->zoom_row);
        else if (kind == column && n == t->dim[t->rank - 1]) take_window(sides[i], n, view->zoom, view->zoom_column);
    }
}

/* Are the rows shares of one whole? The largest of all heads are not. */
static bool adds_up(const Tensor *t) { return !str_eq(t->name, "head_max"); }

void look_take(Matrix *m, const Scene *scene) {
    const View *view = scene->view;
    take_part(m, scene);
    if (m->look != MATRIX_WEIGHT || m->col.axis < 0) return;
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    m->log_scale = view->log_scale;
    m->limit = look_limit(scene, m->tensor, m->head);
    if (str_eq(t->name, "exp")) return;
    m->threshold = view->threshold;
    if (view->n_hidden == 0 || run_axis(scene->run, m->tensor, m->col.axis) != AXIS_KEY) return;
    m->hidden = hidden_columns(scene, t->dim[m->col.axis]);
    if (adds_up(t)) m->right = ceilf(font_width(scene->font, FACE_UI, scene->layout.type[TYPE_SMALL], tr("Σ hidden"))) + scene->layout.pad;
}

void look_whole(Matrix *m, const Scene *scene) {
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    MatrixSide *sides[] = {&m->row, &m->col};
    for (int i = 0; i < 2; i++) {
        if (!sides[i]->window) continue;
        sides[i]->first = 0;
        sides[i]->count = t->dim[sides[i]->axis];
        sides[i]->window = false;
    }
}

/* ---- what is said ---- */

double look_hidden_share(const Matrix *m, const Scene *scene, int row) {
    MatrixReader reader = matrix_reader(m, scene);
    int keys = trace_tensor(scene->run->trace, m->tensor)->dim[m->col.axis];
    double sum = 0;
    for (int j = 0; m->hidden && j < keys; j++) {
        double value = m->hidden[j] ? matrix_data_at(&reader.data, row, j) : 0;
        if (isfinite(value)) sum += value;
    }
    return sum;
}

int look_below(const Matrix *m, const Scene *scene) {
    MatrixReader reader = matrix_reader(m, scene);
    int n = 0;
    if (m->threshold <= 0) return 0;
    for (int i = m->row.first; i < m->row.first + m->row.count; i++)
        for (int j = m->col.first; j < m->col.first + m->col.count; j++) {
            if (m->hidden && m->hidden[j]) continue;
            n += matrix_data_at(&reader.data, i, j) < m->threshold && matrix_read_at(&reader, i, j).mark == CELL_VALUE;
        }
    return n;
}

/* "0.31 of the weight", of rows that add up to something else "0.31 of the sum". */
static const char *hidden_words(const Matrix *m, const Scene *scene) {
    const View *view = scene->view;
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    int rows = t->dim[m->row.axis], keys = t->dim[m->col.axis], n = 0, one = 0;
    double hidden = 0;
    for (int j = 0; j < keys; j++)
        if (m->hidden[j]) n++, one = j;
    if (n == 0 || view->n_hidden == 0) return NULL;
    if (!adds_up(t)) return arena_printf(scene->arena, tr_count("%d column is hidden", "%d columns are hidden", n), n);
    MatrixReader reader = matrix_reader(m, scene);
    double all = 0;
    for (int i = 0; i < rows; i++) {
        hidden += look_hidden_share(m, scene, i);
        for (int j = 0; j < keys; j++) {
            double value = matrix_data_at(&reader.data, i, j);
            if (isfinite(value)) all += value;
        }
    }
    char buffer[32];
    const char *share = scene_number(scene, all > 0 ? hidden / all : 0, 2);
    if (n == 1) return arena_printf(scene->arena, tr("column %s is hidden: %s of the weight"), run_label(scene->run, m->tensor, m->col.axis, one, buffer), share);
    return arena_printf(scene->arena, tr("%d columns are hidden: %s of the weight"), n, share);
}

static const char *below_words(const Matrix *m, const Scene *scene) {
    int n = look_below(m, scene);
    if (n == 0) return NULL;
    const char *limit = scene_short_number(scene, m->threshold);
    return n == 1 ? arena_printf(scene->arena, tr("1 weight below %s is not shown"), limit)
                  : arena_printf(scene->arena, tr("%d weights below %s are not shown"), n, limit);
}

const char *look_words(const Matrix *m, const Scene *scene) {
    if (m->look != MATRIX_WEIGHT) return NULL;
    const char *words = m->hidden ? hidden_words(m, scene) : NULL;
    return phrase_list(scene->arena, words, below_words(m, scene));
}

const char *look_part_words(const Matrix *m, const Scene *scene) {
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    const char *rows = NULL, *cols = NULL;
    if (m->row.window)
        rows = arena_printf(scene->arena, tr("rows %d to %d of %d"), m->row.first + 1, m->row.first + m->row.count, t->dim[m->row.axis]);
    if (m->col.window)
        cols = arena_printf(scene->arena, tr("columns %d to %d of %d"), m->col.first + 1, m->col.first + m->col.count, t->dim[m->col.axis]);
    return phrase_list(scene->arena, rows, cols);
}

const char *look_scale_words(const Scene *scene) {
    const View *view = scene->view;
    return phrase_list(scene->arena, view->log_scale ? tr("log scale") : NULL, view->own_range ? tr("own range") : NULL);
}

void look_draw_shares(const Matrix *m, const Scene *scene, DisplayList *dl) {
    float size = scene->layout.type[TYPE_SMALL], pad = scene->layout.pad;
    const Theme *theme = scene_theme(scene);
    if (!m->hidden || m->right <= 0 || m->row.block > 1 || m->row.pitch < size) return;
    Rect head = {m->cells.x + m->cells.w + pad, m->cells.y - pad - size * 1.2f, m->right - pad + 2, size * 1.4f};
    dl_label(dl, scene->font, FACE_UI, size, theme->muted, head, ALIGN_LEFT, tr("Σ hidden"));
    for (int i = 0; i < m->row.drawn; i++) {
        int row = side_position(&m->row, i);
        if (matrix_progress(m, scene, row, m->col.first + m->col.count - 1) < 1) continue;
        Rect box = {head.x, m->cells.y + (float)i * m->row.pitch, head.w, m->row.pitch - m->row.gap};
        dl_label(dl, scene->font, FACE_MONO, size, theme->muted, box, ALIGN_LEFT, scene_number(scene, look_hidden_share(m, scene, row), 2));
    }
}

const char *look_range_words(const Scene *scene, TensorId tensor, int head) {
    if (!scene->view->own_range || !look_is_weight(trace_tensor(scene->run->trace, tensor)->name)) return NULL;
    double limit = look_limit(scene, tensor, head);
    return arena_printf(scene->arena, tr("to %s"), limit < 1 ? scene_number(scene, limit, limit < 0.1 ? 3 : 2) : scene_short_number(scene, limit));
}
