#include "scene/matrix.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "doc/film.h"
#include "scene/compare.h"
#include "scene/look.h"
#include "scene/matrix_part.h"
#include "scene/now.h"
#include "scene/words.h"

/* Tensors drawn side by side share a colour scale, so that the same number has the same colour. */
enum { FAMILY_X, FAMILY_V, FAMILY_SIZE = 4 };
static const char *const families[][FAMILY_SIZE] = {
    [FAMILY_X] = {"tok", "pe", "x", "x_kv"},
    [FAMILY_V] = {"v", "head_out", "concat"},
    {"scaled", "bias", "masked"},
    {"rope_cos", "rope_sin"},
};

static TensorId find_beside(const Trace *trace, const Tensor *tensor, const char *name) {
    char id[128];
    size_t scope = (size_t)(tensor->name - tensor->id);
    if (scope + strlen(name) + 1 > sizeof id) return TENSOR_NONE;
    memcpy(id, tensor->id, scope);
    strcpy(id + scope, name);
    return trace_find(trace, id);
}

double matrix_friendly(double magnitude) {
    static const double steps[] = {1, 1.5, 2, 3, 4, 5, 6, 8, 10};
    if (!(magnitude > 0) || !isfinite(magnitude)) return 1;
    double power = pow(10, floor(log10(magnitude)));
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        if (magnitude <= steps[i] * power * (1 + 1e-9)) return steps[i] * power;
    return 10 * power;
}

/* Copies and turned copies hold the same numbers, or numbers of the same length: the tensor that they come from. */
static TensorId source_of(const Trace *trace, TensorId tensor) {
    for (;;) {
        const Op *op = trace_op(trace, trace_tensor(trace, tensor)->op);
        if (op->kind != OP_COPY && op->kind != OP_HEADS && op->kind != OP_ROPE) return tensor;
        tensor = op->in[0];
    }
}

static int family_of(const char *name) {
    for (int f = 0; f < (int)(sizeof families / sizeof *families); f++)
        if (str_find(families[f], FAMILY_SIZE, name) >= 0) return f;
    return -1;
}

double matrix_limit(const Run *run, TensorId tensor) {
    const Trace *trace = run->trace;
    TensorId source = source_of(trace, tensor);
    const Tensor *t = trace_tensor(trace, source);
    int family = family_of(t->name);
    double most = fmax(run->magnitude[source], run->magnitude[tensor]);
    static const char *const turned[] = {"q_rope", "k_rope"};
    for (int i = 0; i < 2; i++) {
        TensorId other = find_beside(trace, t, turned[i]);
        if (other != TENSOR_NONE && source_of(trace, other) == source) most = fmax(most, run->magnitude[other]);
    }
    for (int i = 0; family >= 0 && i < FAMILY_SIZE && families[family][i]; i++) {
        TensorId other = find_beside(trace, t, families[family][i]);
        if (other != TENSOR_NONE) most = fmax(most, run->magnitude[other]);
    }
    /* features count in ones: room above 1 keeps the common 1 a calm colour */
    return matrix_friendly(family == FAMILY_X || family == FAMILY_V ? most * 1.25 : most);
}

static bool all_whole(const Tensor *t) {
    for (size_t i = 0, n = tensor_count(t); i < n; i++) {
        double value = tensor_flat(t, i);
        if (isfinite(value) && value != floor(value)) return false;
    }
    return true;
}

bool matrix_is_whole(const Run *run, TensorId tensor) {
    static const char *const turned[][2] = {{"q", "q_rope"}, {"k", "k_rope"}};
    const Tensor *t = trace_tensor(run->trace, tensor);
    int family = family_of(t->name);
    for (int i = 0; i < 2; i++) {
        TensorId other = str_eq(t->name, turned[i][0]) ? find_beside(run->trace, t, turned[i][1]) : TENSOR_NONE;
        if (other != TENSOR_NONE && !all_whole(trace_tensor(run->trace, other))) return false;
    }
    for (int i = 0; family >= 0 && i < FAMILY_SIZE && families[family][i]; i++) {
        TensorId other = find_beside(run->trace, t, families[family][i]);
        if (other != TENSOR_NONE && other != tensor && !all_whole(trace_tensor(run->trace, other))) return false;
    }
    return all_whole(t);
}

static Color axis_color(const Theme *theme, AxisKind axis) {
    return axis == AXIS_QUERY ? theme->q : axis == AXIS_KEY ? theme->k : theme->muted;
}

Color matrix_tensor_color(const Theme *theme, const char *name) {
    static const char *const q[] = {"q", "q_rope", "w_q", "b_q"}, *const k[] = {"k", "k_rope", "w_k", "b_k"},
                             *const v[] = {"v", "w_v", "b_v"}, *const out[] = {"head_out", "concat", "w_o", "b_o", "out"};
    if (str_find(q, 4, name) >= 0) return theme->q;
    if (str_find(k, 4, name) >= 0) return theme->k;
    if (str_find(v, 3, name) >= 0) return theme->v;
    if (str_find(out, 5, name) >= 0) return theme->out;
    return theme->ink;
}

static MatrixSide whole_axis(const Scene *scene, const Theme *theme, TensorId tensor, int axis) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    MatrixSide side = {.axis = axis, .count = axis < 0 ? 1 : t->dim[axis], .block = 1, .label_every = 1};
    side.labels = axis >= 0;
    side.color = axis < 0 ? theme->muted : axis_color(theme, run_axis(scene->run, tensor, axis));
    return side;
}

void matrix_init(Matrix *m, const Scene *scene, TensorId tensor, int head, bool transposed) {
    static const char *const hidden[] = {"masked", "weights", "exp", "head_avg", "head_max", "weighted_length"};
    const Trace *trace = scene->run->trace;
    const Tensor *t = trace_tensor(trace, tensor);
    const Theme *theme = theme_at(scene->view->theme);
    *m = (Matrix){.tensor = tensor,
                  .transposed = transposed,
                  .mask = TENSOR_NONE,
                  .minus = TENSOR_NONE,
                  .film = !compare_on(scene), /* what is compared is there as a whole */
                  .numbers = true,
                  .fill = scene_site(scene)->spec.fill,
                  .decimals = -1,
                  .live_row = -1,
                  .live_col = -1};
    m->head = t->rank == 3 ? (head < t->dim[0] ? head : 0) : 0;
    int last = t->rank - 1, other = t->rank - 2; /* other = -1 for a vector */
    m->row = whole_axis(scene, theme, tensor, transposed ? last : other);
    m->col = whole_axis(scene, theme, tensor, transposed ? other : last);
    m->look = look_is_weight(t->name) ? MATRIX_WEIGHT : str_eq(t->name, "mask") ? MATRIX_KEEP : MATRIX_SIGNED;
    if (m->look == MATRIX_SIGNED) m->limit = matrix_limit(scene->run, tensor);
    if (str_find(hidden, sizeof hidden / sizeof *hidden, t->name) >= 0) m->mask = find_beside(trace, t, "mask");
    m->zeros = true;
    m->form = scene->view->mask_form;
    m->shares = m->look == MATRIX_WEIGHT;
    m->title_color = matrix_tensor_color(theme, t->name);
    m->bright1 = 1 << 30;
    look_take(m, scene);
}

/* ---- positions and places ---- */

int side_shown(const MatrixSide *side) { return side->kept ? side->n_kept : side->count; }
bool side_folds(const MatrixSide *side) { return side->kept && side->n_kept < side->count; }

void side_span(const MatrixSide *side, int drawn, int *p0, int *p1) {
    int shown = side_shown(side), i0 = drawn * side->block, i1 = i0 + side->block;
    if (i1 > shown) i1 = shown;
    if (side->kept) {
        *p0 = i0 < shown ? side->kept[i0] : -1;
        *p1 = i0 < shown ? side->kept[i1 - 1] + 1 : -1;
        return;
    }
    *p0 = side->first + i0;
    *p1 = side->first + i1;
}

int side_position(const MatrixSide *side, int drawn) {
    int p0, p1;
    side_span(side, drawn, &p0, &p1);
    return p0;
}

int side_place(const MatrixSide *side, int position) {
    int place = position - side->first;
    if (side->kept) {
        for (place = 0; place < side->n_kept && side->kept[place] != position; place++) {}
        if (place == side->n_kept) return -1;
    }
    if (place < 0 || place >= side_shown(side)) return -1;
    return place / (side->block > 0 ? side->block : 1);
}

int side_round(const MatrixSide *side, int drawn) {
    int p0, p1, step = side->count_step;
    if (step <= 0) return 0;
    side_span(side, drawn, &p0, &p1);
    int first = side->count_from + p0 - side->first, round = (first + step - 1) / step * step;
    return round < first + p1 - p0 ? round : 0;
}

const char *side_label(const Matrix *m, const Scene *scene, const MatrixSide *side, int position, char buffer[32]) {
    if (side->label) return side->label(side->label_ctx, position, buffer);
    if (side->axis < 0) return "";
    const char *name = trace_tensor(scene->run->trace, m->tensor)->name;
    if (side->axis == 2 && (str_eq(name, "v") || str_eq(name, "head_out"))) { /* these columns may mean something */
        const char *slot = run_slot_label(scene->run, m->tensor, m->head, position);
        if (slot) return tr(slot);
    }
    return words_label(scene->run, m->tensor, side->axis, position, buffer);
}

/* ---- numbers ---- */

static MatrixData data_of(const Scene *scene, TensorId tensor, int head, int row_axis, int col_axis) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    size_t step[TENSOR_RANK_MAX], size = 1;
    for (int a = t->rank - 1; a >= 0; a--) {
        step[a] = size;
        size *= (size_t)t->dim[a];
    }
    MatrixData d = {0};
    const Stored *stored = &t->stored;
    if (stored->data && stored->as == STORED_F32 && stored->group == 0 && stored->row >= 0 && stored->column >= 0) {
        d.f32 = stored->data; /* dense or strided floats: as quick as our own */
        step[0] = (size_t)stored->row;
        step[1] = (size_t)stored->column;
    } else if (stored->data)
        d.packed = t;
    else if (t->dtype == DTYPE_F64)
        d.f64 = t->data;
    else
        d.f32 = t->data;
    d.row_step = row_axis >= 0 ? step[row_axis] : 0;
    d.col_step = col_axis >= 0 ? step[col_axis] : 0;
    if (t->rank == 3) d.base = (size_t)head * step[0];
    return d;
}

MatrixReader matrix_reader(const Matrix *m, const Scene *scene) {
    MatrixReader r = {.m = m, .scene = scene};
    r.data = data_of(scene, m->tensor, m->head, m->row.axis, m->col.axis);
    if (m->instead) r.data = (MatrixData){.f64 = m->instead, .row_step = (size_t)trace_tensor(scene->run->trace, m->tensor)->dim[m->col.axis], .col_step = 1};
    const Trace *trace = scene->run->trace;
    if (m->mask != TENSOR_NONE) {
        int rank = trace_tensor(trace, m->mask)->rank;
        r.has_mask = true;
        r.mask = data_of(scene, m->mask, m->head, rank - 2, rank - 1);
    }
    if (m->minus != TENSOR_NONE) { /* [H, L]: one number for each row */
        const Tensor *t = trace_tensor(trace, m->minus);
        r.has_minus = true;
        r.minus = data_of(scene, m->minus, 0, 1, -1);
        r.minus.base = (size_t)m->head * (size_t)t->dim[1];
    }
    return r;
}

/* A running step fills its cells one behind the other. */
static double swept(const Scene *scene, TensorId tensor, int row, int col, double fraction) {
    const Film *film = &scene->view->film;
    FilmStep step = film_step(scene->run->trace, film->stage, (int)floor(film->position));
    int rows = step.row1 - step.row0, cols = step.col1 - step.col0;
    bool inside = row >= step.row0 && row < step.row1 && col >= step.col0 && col < step.col1;
    if (step.tensor != tensor || !inside || scene_stage(scene)->kind == STAGE_CONCAT) return fraction;
    double at = (double)(row - step.row0) * cols + (col - step.col0);
    return fmin(1, fmax(0, fraction * rows * cols - at));
}

float matrix_progress(const Matrix *m, const Scene *scene, int row, int col) {
    if (!m->film) return 1;
    int r = m->transposed ? col : row, c = m->transposed ? row : col;
    double progress = film_progress(scene->run->trace, &scene->view->film, m->tensor, r, c);
    if (m->whole && progress < 1) return 0;
    return (float)(progress > 0 && progress < 1 ? swept(scene, m->tensor, r, c, progress) : progress);
}

static MatrixCell read_value(const MatrixReader *r, int row, int col) {
    MatrixCell cell = {.value = matrix_data_at(&r->data, row, col), .mark = CELL_VALUE, .progress = 1};
    bool hidden = r->has_mask && matrix_data_at(&r->mask, row, col) == 0;
    if (hidden && ((cell.value == 0 && r->m->shares) || cell.value == (double)-INFINITY))
        cell.mark = CELL_MASKED;
    else if (r->has_minus)
        cell.value -= matrix_data_at(&r->minus, row, 0);
    if (cell.mark == CELL_VALUE && isnan(cell.value)) cell.mark = CELL_NAN;
    if (r->m->looks) cell.mark = (CellMark)r->m->looks[(size_t)row * r->data.row_step + (size_t)col];
    cell.below = cell.mark == CELL_VALUE && r->m->threshold > 0 && cell.value < r->m->threshold;
    if (r->m->hidden && r->m->hidden[col]) cell.mark = CELL_NONE;
    return cell;
}

MatrixCell matrix_read_at(const MatrixReader *reader, int row, int col) { return read_value(reader, row, col); }

static MatrixCell read_cell(const MatrixReader *r, int row, int col) {
    MatrixCell cell = read_value(r, row, col);
    cell.progress = matrix_progress(r->m, r->scene, row, col);
    if (cell.progress <= 0) cell.mark = CELL_EMPTY;
    if (r->m->live && row == r->m->live_row && col == r->m->live_col) {
        cell.value = r->m->live_value;
        cell.mark = isnan(cell.value) ? CELL_NAN : CELL_VALUE;
        cell.progress = 1;
    }
    return cell;
}

/* Which of two cells stands for their block? NaN, then the larger magnitude, then any number. */
static bool outranks(const MatrixCell *a, const MatrixCell *b) {
    if (a->mark != b->mark) {
        if (a->mark == CELL_NAN || b->mark == CELL_NAN) return a->mark == CELL_NAN;
        return b->mark == CELL_NONE || (b->mark == CELL_MASKED && a->mark != CELL_NONE);
    }
    return fabs(a->value) > fabs(b->value);
}

MatrixCell matrix_read_block(const MatrixReader *r, int r0, int r1, int c0, int c1) {
    MatrixCell best = read_value(r, r0, c0);
    for (int i = r0; i < r1; i++) {
        for (int j = c0; j < c1; j++) {
            double magnitude = fabs(matrix_data_at(&r->data, i, j));
            bool smaller = magnitude <= fabs(best.value) && best.mark == CELL_VALUE && !r->has_minus; /* best is shown */
            if (smaller) continue; /* the common case: no need to ask the mask */
            MatrixCell cell = read_value(r, i, j);
            if (outranks(&cell, &best)) best = cell;
        }
        if (best.mark == CELL_NAN) break;
    }
    return best;
}

MatrixCell matrix_read_drawn(const MatrixReader *r, int drawn_row, int drawn_col, const float *progress) {
    const Matrix *m = r->m;
    int r0, r1, c0, c1;
    side_span(&m->row, drawn_row, &r0, &r1);
    side_span(&m->col, drawn_col, &c0, &c1);
    if (progress && *progress <= 0) return (MatrixCell){.mark = CELL_EMPTY};
    if (m->row.block == 1 && m->col.block == 1) {
        if (!progress || m->live) return read_cell(r, r0, c0);
        MatrixCell one = read_value(r, r0, c0);
        one.progress = *progress;
        return one;
    }
    MatrixCell best = matrix_read_block(r, r0, r1, c0, c1);
    best.progress = progress ? *progress : matrix_progress(m, r->scene, r0, c0);
    if (best.progress <= 0) best.mark = CELL_EMPTY;
    return best;
}

double matrix_value(const Matrix *m, const Scene *scene, int row, int col) {
    MatrixReader reader = matrix_reader(m, scene);
    return read_value(&reader, row, col).value;
}

/* Of a block the number that is shown: NaN, else the largest finite magnitude. */
static void find_shown(const Tensor *t, int head, const int from[2], const int size[2], int out[2]) {
    double best = -1;
    for (int i = from[0]; i < from[0] + size[0] && i < t->dim[t->rank - 2]; i++)
        for (int j = from[1]; j < from[1] + size[1] && j < t->dim[t->rank - 1]; j++) {
            const int index[TENSOR_RANK_MAX] = {t->rank == 3 ? head : i, t->rank == 3 ? i : j, t->rank == 3 ? j : 0, 0};
            double v = fabs(tensor_at(t, index));
            if (isinf(v) || (v <= best && !isnan(v))) continue;
            best = isnan(v) ? (double)INFINITY : v;
            out[0] = i;
            out[1] = j;
        }
}

void matrix_hit_index(const Tensor *tensor, const DlGroup *group, int head, int row, int col, int index[TENSOR_RANK_MAX]) {
    bool ours = group && group->role == ROLE_TENSOR;
    int block[2] = {ours && group->at[1] > 1 ? group->at[1] : 1, ours && group->at[2] > 1 ? group->at[2] : 1};
    bool turned = ours && group->at[3] == 1;
    int drawn[2] = {row * block[0], col * block[1]}; /* stored order: rows of the tensor first */
    int at[2] = {drawn[turned], drawn[!turned]}, size[2] = {block[turned], block[!turned]};
    memset(index, 0, sizeof(int) * TENSOR_RANK_MAX);
    head = tensor->rank == 3 && head > 0 ? head : 0;
    if (tensor->rank == 1) {
        index[0] = at[1] > 0 ? at[1] : at[0];
    } else {
        if (block[0] * block[1] > 1) find_shown(tensor, head, (const int[2]){at[0], at[1]}, size, at);
        index[tensor->rank - 2] = at[0];
        index[tensor->rank - 1] = at[1];
        if (tensor->rank == 3) index[0] = head;
    }
    for (int a = 0; a < tensor->rank; a++)
        if (index[a] >= tensor->dim[a]) index[a] = tensor->dim[a] - 1;
}
