/* The heads' outputs slide together: above each head's own block, below the concatenation that they form. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

typedef struct {
    Matrix *head; /* one a head */
    Matrix all;
    int n, width; /* heads; columns of one */
    float between;
    bool alone; /* only the joined table: there is one head, too many rows for two tables, or a part of the columns is enlarged */
} Parts;

enum { TWO_TABLES = 12 };

static void make_parts(StageView *v, Parts *p, const Op *op) {
    const Tensor *heads = trace_tensor(v->trace, op->in[0]);
    *p = (Parts){.n = heads->dim[0], .width = heads->dim[2]};
    p->head = ARENA_ARRAY(v->scene->arena, Matrix, (size_t)p->n);
    for (int h = 0; h < p->n; h++) {
        matrix_init(&p->head[h], v->scene, op->in[0], h, false);
        p->head[h].film = p->head[h].col.labels = false;
        p->head[h].row.labels = h == 0;
    }
    matrix_init(&p->all, v->scene, op->out, 0, false);
    p->all.whole = true;
    p->all.col.labels = false;
    p->all.above = stage_head_bars_room(v, false);
    p->alone = p->n < 2 || heads->dim[1] > TWO_TABLES || p->all.col.window;
}

static void settle(StageView *v, Parts *p) {
    matrix_settle(&p->all, v->scene);
    for (int h = 0; h < p->n; h++) {
        matrix_set_side(&p->head[h].row, p->all.row.pitch, p->all.row.block);
        matrix_set_side(&p->head[h].col, p->all.col.pitch, p->all.col.block);
        if (h == 0) {
            matrix_settle(&p->head[h], v->scene);
            continue;
        }
        p->head[h].row.label_every = p->head[h].col.label_every = 0;
    }
    for (int h = 0; h < p->n; h++) { /* one choice of decimals for all, from the whole */
        p->head[h].decimals = p->all.decimals;
        p->head[h].number_size = p->all.number_size;
    }
}

/* Both tables begin at one left edge. */
static void arrange(StageView *v, Parts *p, Rect area) {
    if (p->alone) {
        p->all.wide_most = 72 * v->s; /* nothing else wants the width */
        matrix_fit(&p->all, v->scene, area);
        return;
    }
    float bars = stage_head_bars_room(v, false), gap_y = 4 * v->pad, most = 72 * v->s;
    matrix_set_side(&p->all.row, 32 * v->s, 1);
    for (int pass = 0; pass < 6; pass++) {
        float labels = p->all.reserve.x;
        p->between = fminf(4 * v->pad, area.w * 0.15f / (float)p->n);
        MatrixShare cols = {&p->all.col, 1,
                            fminf(72 * v->s, fmaxf(32 * v->s, fmaxf(2 * p->all.row.pitch, stage_wide_limit(v, p->all.row.pitch)))), 1};
        matrix_share(area.w - labels - p->between * (float)(p->n - 1) - (float)(p->all.col.block > 1 ? p->n : 0), &cols, 1);
        MatrixSide rows = p->all.row;
        MatrixShare share = {&rows, 1, fminf(most, stage_high_limit(v, p->all.col.pitch)), 1};
        matrix_share((area.h - 2 * bars - gap_y) / 2, &share, 1);
        matrix_set_side(&p->all.row, rows.pitch, rows.block);
        settle(v, p);
    }
    float row_w = matrix_cells_width(&p->head[0]) + p->all.col.gap;
    float labels = p->all.row.label_room, wide = labels + row_w * (float)p->n + p->between * (float)(p->n - 1);
    float high = 2 * bars + gap_y + 2 * matrix_cells_height(&p->all);
    float x = area.x + fmaxf(0, (area.w - wide) / 2) + labels, y = area.y + fmaxf(0, (area.h - high) / 2) + bars;
    for (int h = 0; h < p->n; h++) matrix_place(&p->head[h], x + (float)h * (row_w + p->between), y);
    matrix_place(&p->all, x, y + matrix_cells_height(&p->all) + gap_y + bars);
}

static double head_progress(StageView *v, const Parts *p, int head) {
    return film_progress(v->trace, &v->scene->view->film, p->all.tensor, 0, head * p->width);
}

/* The heads' jobs are written over the blocks if there is room for each. */
static bool jobs_fit(StageView *v, const Parts *p) {
    const FontMetrics *font = v->scene->font;
    float size = v->scene->layout.type[TYPE_LABEL];
    for (int h = 0; h < p->n; h++) {
        const char *job = stage_head_job(v, h);
        const char *name = arena_printf(v->scene->arena, tr("head %d"), h + 1);
        float w = font_width(font, FACE_UI_SEMIBOLD, size, name) + v->pad;
        if (job && w + font_width(font, FACE_UI, size, job) > p->head[h].cells.w) return false;
    }
    return true;
}

static void bar_head(StageView *v, const Matrix *m, int head, bool jobs) {
    Color color = scene_head_color(v->theme, head);
    float thick = 4 * v->s, size = v->scene->layout.type[TYPE_LABEL];
    Rect bar = {m->cells.x, m->cells.y - v->pad / 2 - thick, m->cells.w, thick};
    dl_rect(v->dl, bar, thick / 2, color, COLOR_NONE, 0);
    const FontMetrics *font = v->scene->font;
    const char *name = arena_printf(v->scene->arena, tr("head %d"), head + 1), *job = jobs ? stage_head_job(v, head) : NULL;
    if (font_width(font, FACE_UI_SEMIBOLD, size, name) > bar.w) name = arena_printf(v->scene->arena, "%d", head + 1), job = NULL;
    Rect box = {bar.x, bar.y - size * 1.5f, bar.w, size * 1.3f};
    if (font_width(font, FACE_UI_SEMIBOLD, size, name) > bar.w + 2) return;
    float w = dl_label(v->dl, font, FACE_UI_SEMIBOLD, size, color, box, ALIGN_LEFT, name);
    box = (Rect){box.x + w + v->pad, box.y, box.w - w - v->pad, box.h};
    if (job && font_width(font, FACE_UI, size, job) <= box.w) dl_label(v->dl, font, FACE_UI, size, v->theme->muted, box, ALIGN_RIGHT, job);
}

/* A block on its way down into its place. */
static void draw_moving(StageView *v, const Parts *p, int head, double t) {
    Matrix m = p->head[head];
    int first = head * p->width;
    Rect to = matrix_rect(&p->all, 0, 1, first, first + 1);
    float e = (float)stage_ease(t);
    m.row.labels = false;
    m.dim = 0;
    m.cells.x += (to.x - m.cells.x) * e;
    m.cells.y += (to.y - m.cells.y) * e;
    Rect card = rect_inset(m.cells, -v->pad / 2);
    card.y -= v->pad / 2 + 4 * v->s;
    card.h += v->pad / 2 + 4 * v->s;
    dl_rect(v->dl, card, v->pad, v->theme->background, v->theme->line, 1);
    matrix_draw(&m, v->scene, v->dl);
    Rect bar = {m.cells.x, m.cells.y - v->pad / 2 - 4 * v->s, m.cells.w, 4 * v->s};
    dl_rect(v->dl, bar, 2 * v->s, scene_head_color(v->theme, head), COLOR_NONE, 0);
}

static void draw_blocks(StageView *v, Parts *p) {
    bool jobs = jobs_fit(v, p);
    for (int h = 0; h < p->n; h++) {
        if (head_progress(v, p, h) > 0) p->head[h].dim = 0.5f, p->head[h].bright0 = p->head[h].bright1 = -1;
        bar_head(v, &p->head[h], h, jobs);
        stage_show(v, &p->head[h]);
    }
}

/* The number that is explained, and the same number in its head's block. */
static void frame_both(StageView *v, const Parts *p, int row, int col) {
    int head = col / p->width, own = col % p->width;
    double t = head_progress(v, p, head);
    if (t > 0 && t < 1) return; /* it is on its way */
    if (!p->alone) matrix_frame(v->scene, v->dl, matrix_rect(&p->head[head], row, row + 1, own, own + 1), v->theme->ink);
    stage_highlight(v, &p->all, row, col);
}

void stage_concat(StageView *v) {
    TensorId concat = scene_find(v->scene, "concat");
    const Op *op = concat != TENSOR_NONE ? trace_op(v->trace, trace_tensor(v->trace, concat)->op) : NULL;
    if (!v->now.work || !op || op->kind != OP_CONCAT) {
        stage_heading(v, v->site->spec.n_heads > 1 ? tr("All heads") : tr("One head"), NULL);
        stage_idle(v, tr("There are no head outputs to put side by side."), TENSOR_NONE, NULL);
        return;
    }
    bool several = v->site->spec.n_heads > 1;
    stage_heading(v, several ? tr("All heads") : tr("One head"),
                  several ? tr("side by side in one row for each token") : tr("its output is the whole row: there is nothing to join"));
    Parts p;
    make_parts(v, &p, op);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    arrange(v, &p, area);
    int row, col;
    bool focus = stage_focus(v, &p.all, &row, &col);
    if (focus) stage_strong(&p.all.row, row);
    if (!p.alone) draw_blocks(v, &p);
    stage_show(v, &p.all);
    stage_head_bars(v, &p.all, p.width, false);
    for (int h = 0; h < p.n && !p.alone; h++) {
        double t = head_progress(v, &p, h);
        if (t > 0 && t < 1) draw_moving(v, &p, h, t);
    }
    if (focus) frame_both(v, &p, row, col);
    stage_footer(v, p.all.cells, several ? tr("concat: every head keeps its own columns") : NULL,
                 stage_notes(v, (Matrix *const[]){&p.all}, 1));
}
