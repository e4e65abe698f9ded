/* A norm: every row is brought to one size by numbers of its own (mean and variance, or its root mean square), then each
 * column gets its gain and shift. Rows above and below share their columns. */
#include <math.h>

#include "base/tr.h"
#include "scene/rail.h"
#include "scene/matrix_part.h"
#include "scene/stage_part.h"
#include "scene/words.h"

enum { STATS_MOST = 2, STAT_WIDE = 64, LINE_HIGH = 28 };

typedef struct {
    Matrix x, y, gain, shift, stat[STATS_MOST];
    int n_stats; /* mean and variance; or the root alone */
    bool has_shift;
} Parts;

static void make_line(StageView *v, Matrix *m, TensorId id, const char *title) {
    matrix_init(m, v->scene, id, 0, false);
    m->title = title;
    m->title_left = true;
    m->title_color = v->theme->muted;
    m->col.labels = false;
}

static void make_stat(StageView *v, Parts *p, TensorId id, const char *title) {
    Matrix *m = &p->stat[p->n_stats++];
    matrix_init(m, v->scene, id, 0, true); /* a number for each row: drawn upright */
    m->title = title;
    m->title_color = v->theme->muted;
    m->row.labels = m->col.labels = false;
    m->numbers = v->run->magnitude[id] >= 0.1; /* tiny ones would all be written 0.00 */
}

/* A single row is too low for its scale below the title. */
static void say_scale(StageView *v, Matrix *m) {
    m->title = arena_printf(v->scene->arena, "%s ±%s", m->title, scene_short_number(v->scene, m->limit));
}

static void make_parts(StageView *v, Parts *p, const Op *op) {
    bool layer = op->kind == OP_LAYERNORM;
    TensorId shift = layer ? op->in[4] : TENSOR_NONE;
    *p = (Parts){.has_shift = shift != TENSOR_NONE};
    make_line(v, &p->x, op->in[0], words_symbol_in(v->run, v->site, op->in[0]));
    make_line(v, &p->y, op->out, words_symbol_in(v->run, v->site, op->out));
    make_line(v, &p->gain, op->in[layer ? 3 : 2], tr("gain γ"));
    if (p->has_shift) make_line(v, &p->shift, shift, tr("shift β"));
    say_scale(v, &p->gain);
    if (p->has_shift) say_scale(v, &p->shift);
    p->x.title_color = p->y.title_color = p->x.row.color = p->y.row.color = v->theme->ink;
    p->x.col.labels = true;
    make_stat(v, p, op->in[1], layer ? tr("mean μ") : tr("RMS"));
    if (layer) make_stat(v, p, op->in[2], tr("variance σ²"));
}

/* How wide a column of the rows' own numbers is, its title and scale included. */
static float stat_width(StageView *v, const Matrix *m) {
    Matrix settled = *m;
    matrix_settle(&settled, v->scene);
    return fmaxf(STAT_WIDE * v->s, matrix_title_width(&settled, v->scene));
}

static void place_stats(StageView *v, Parts *p) {
    float x = p->x.cells.x + p->x.cells.w;
    for (int i = 0; i < p->n_stats; i++) {
        Matrix *m = &p->stat[i];
        float room = stat_width(v, m), wide = fminf(room, STAT_WIDE * v->s);
        matrix_set_side(&m->row, p->x.row.pitch, p->x.row.block);
        matrix_set_side(&m->col, wide, 1);
        matrix_settle(m, v->scene);
        matrix_place(m, x + 2 * v->pad + (room - wide) / 2, p->x.cells.y);
        x += 2 * v->pad + room;
    }
}

static void arrange(StageView *v, Parts *p, Rect area) {
    StageItem items[4] = {{.m = &p->x}, {.m = &p->gain, .before = v->pad}};
    int n = 2;
    if (p->has_shift) items[n++] = (StageItem){.m = &p->shift};
    items[n++] = (StageItem){.m = &p->y, .before = v->pad};
    for (int i = 0; i < p->n_stats; i++) rect_cut_right(&area, stat_width(v, &p->stat[i]) + 2 * v->pad);
    float title = ceilf(v->scene->layout.type[TYPE_TITLE] * 1.1f) + v->pad; /* stands above the rows' own numbers */
    rect_cut_top(&area, title);
    stage_column(v, area, items, n);
    place_stats(v, p);
}

/* The same column of gain and shift, the same row of mean and variance. */
static void frame_operands(StageView *v, Parts *p, int row, int col) {
    stage_frame_same(v, &p->x, row, col);
    for (int i = 0; i < p->n_stats; i++) stage_frame_same(v, &p->stat[i], row, 0);
    stage_frame_same(v, &p->gain, 0, col);
    if (p->has_shift) stage_frame_same(v, &p->shift, 0, col);
    stage_highlight(v, &p->y, row, col);
}

static void draw_parts(StageView *v, Parts *p) {
    int row, col;
    bool focus = stage_focus_any(v, (const Matrix *const[]){&p->x, &p->y}, 2, &row, &col);
    Matrix *const all[] = {&p->x, &p->gain, &p->y, &p->stat[0], &p->stat[p->n_stats - 1], &p->shift};
    for (int i = 0; focus && i < 3; i++) {
        if (i != 1) stage_strong(&all[i]->row, row);
        stage_strong(&all[i]->col, col);
    }
    for (int i = 0; i < 3; i++) stage_show(v, all[i]);
    for (int i = 0; i < p->n_stats; i++) stage_show(v, &p->stat[i]);
    if (p->has_shift) stage_show(v, &p->shift);
    if (focus) frame_operands(v, p, row, col);
    Rect below = stage_union((const Matrix *const[]){&p->x, &p->y}, 2);
    stage_footer(v, below, tr("one row for each token; gain and shift are one number for each column"), stage_notes(v, all, 3));
}

/* The op that makes the stage's result. */
static const Op *norm_of(const StageView *v) {
    if (v->stage->result == TENSOR_NONE) return NULL;
    const Op *op = trace_op(v->trace, trace_tensor(v->trace, v->stage->result)->op);
    return op->kind == OP_LAYERNORM || op->kind == OP_RMSNORM ? op : NULL;
}

void stage_norm(StageView *v) {
    const Op *op = norm_of(v);
    if (!op) {
        stage_heading(v, stage_title(v->stage->kind), NULL);
        stage_idle(v, tr("There is no norm here."), v->stage->result, NULL);
        return;
    }
    stage_heading(v, stage_title(v->stage->kind),
                  op->kind == OP_LAYERNORM ? tr("every row moved to mean 0 and scaled to variance 1")
                                           : tr("every row divided by its root mean square"));
    Parts p;
    make_parts(v, &p, op);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    arrange(v, &p, area);
    draw_parts(v, &p);
}
