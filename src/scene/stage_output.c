/* concat · Wᴼ = out: what the heads found goes back into the features of the token rows. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

typedef struct {
    Matrix concat, w, y;
    int width; /* columns of one head */
} Parts;

static void make_parts(StageView *v, Parts *p, const Op *op) {
    matrix_init(&p->concat, v->scene, op->in[0], 0, false);
    matrix_init(&p->w, v->scene, op->in[1], 0, true);
    matrix_init(&p->y, v->scene, op->out, 0, false);
    p->width = p->concat.col.count / (v->site->spec.n_heads > 0 ? v->site->spec.n_heads : 1);
    p->concat.col.labels = p->w.row.labels = false;
    p->concat.above = stage_head_bars_room(v, false);
    p->w.left = stage_head_bars_room(v, true);
    p->w.title = "Wᴼ";
    p->y.title = tr("out");
    p->y.title_left = false;
}

static void share_side(float room, MatrixSide *side, float most) {
    MatrixShare share = {side, 1, most, 1};
    matrix_share(fmaxf(1, room), &share, 1);
}

/* All three in a row, for low areas. */
static void arrange_row(StageView *v, Parts *p, Rect area) {
    StageItem items[3] = {{.m = &p->concat}, {.m = &p->w, .sign = "×", .group = 1}, {.m = &p->y, .sign = "=", .share = 1.2f}};
    p->y.row.labels = false;
    stage_row(v, area, items, 3);
}

/* Above: concat and Wᴼ side by side; below: out over the whole width, its rows as high as concat's. */
static void arrange_floors(StageView *v, Parts *p, Rect area) {
    float s = v->s, gap_x = 5 * v->pad, gap_y = 2 * v->pad, most = 48 * s;
    for (int pass = 0; pass < 6; pass++) {
        Rect c = p->concat.reserve, w = p->w.reserve, y = p->y.reserve;
        float head = fmaxf(c.y, w.y), high = area.h - head - gap_y - y.y, wide = area.w - c.x - gap_x - w.x - w.w;
        float weight_high = fminf((float)p->w.row.count * 16 * s, high * 0.5f);
        MatrixSide rows = p->concat.row;
        share_side(fminf(high / 2, high - weight_high), &rows, most);
        matrix_set_side(&p->concat.row, rows.pitch, rows.block);
        matrix_set_side(&p->y.row, rows.pitch, rows.block);
        float top = high - matrix_cells_height(&p->y);
        share_side(top, &p->w.row, 24 * s);
        MatrixShare cols[2] = {{&p->concat.col, 1, fminf(48 * s, fmaxf(24 * s, stage_wide_limit(v, rows.pitch))), 1},
                               {&p->w.col, 1, fmaxf(p->w.row.pitch * 1.25f, 16 * s), 0.8f}};
        matrix_share(wide, cols, 2);
        share_side(area.w - y.x - y.w, &p->y.col, fminf(72 * s, fmaxf(40 * s, stage_wide_limit(v, rows.pitch))));
        matrix_settle(&p->concat, v->scene);
        matrix_settle(&p->w, v->scene);
        matrix_settle(&p->y, v->scene);
        if (rows.block == 1) most = fminf(most, fmaxf(24 * s, p->y.col.pitch * 1.2f));
    }
    Rect c = matrix_margins(&p->concat), w = matrix_margins(&p->w), y = matrix_margins(&p->y);
    float head = fmaxf(c.y, w.y), top = fmaxf(matrix_cells_height(&p->concat), matrix_cells_height(&p->w));
    float upper = c.x + matrix_cells_width(&p->concat) + gap_x + w.x + matrix_cells_width(&p->w);
    float lower = y.x + matrix_cells_width(&p->y) + y.w, left = fmaxf(c.x, y.x);
    float right = fmaxf(upper - c.x + w.w, lower - y.x), width = right + left,
          height = head + top + gap_y + y.y + matrix_cells_height(&p->y);
    float x = area.x + fmaxf(0, (area.w - width) / 2) + left, at = area.y + fmaxf(0, (area.h - height) / 2) + head;
    matrix_place(&p->concat, x, at);
    float shift = fminf(matrix_cells_width(&p->y), right - w.w) - (upper - c.x); /* W and out end at one edge */
    matrix_place(&p->w, x + matrix_cells_width(&p->concat) + gap_x + w.x + fmaxf(0, shift), at);
    matrix_place(&p->y, x, at + top + gap_y + y.y);
}

/* Returns whether all stand in a row. */
static bool arrange(StageView *v, Parts *p, Rect area) {
    Parts before = *p;
    arrange_row(v, p, area);
    float row = fminf(stage_worth(v, &p->y), stage_worth(v, &p->concat));
    Parts in_row = *p;
    *p = before;
    arrange_floors(v, p, area);
    if (row <= 1.5f * fminf(stage_worth(v, &p->y), stage_worth(v, &p->concat))) return false;
    *p = in_row;
    return true;
}

static void draw_product(StageView *v, const Op *op) {
    Parts p;
    make_parts(v, &p, op);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool in_row = arrange(v, &p, area);
    int row, col;
    bool focus = stage_focus(v, &p.y, &row, &col);
    if (focus) {
        stage_strong(&p.concat.row, row);
        stage_strong(&p.y.row, row);
        stage_strong(&p.y.col, col);
        stage_run_sum(v, &p.y, row, col);
    }
    stage_show(v, &p.concat);
    stage_head_bars(v, &p.concat, p.width, false);
    stage_show(v, &p.w);
    stage_head_bars(v, &p.w, p.width, true);
    stage_show(v, &p.y);
    if (in_row) stage_signs(v, (const StageItem[]){{.m = &p.concat}, {.m = &p.w, .sign = "×"}, {.m = &p.y, .sign = "="}}, 3, true);
    if (focus) {
        matrix_frame(v->scene, v->dl, matrix_row_band(&p.concat, row, row + 1), v->theme->ink);
        matrix_frame(v->scene, v->dl, matrix_col_band(&p.w, col, col + 1), v->theme->out);
        stage_frame_pair(v, (const Matrix *const[]){&p.concat, &p.w}, 2);
        stage_highlight(v, &p.y, row, col);
    }
    bool bias = op->in[2] != TENSOR_NONE;
    const Matrix *const all[] = {&p.concat, &p.w, &p.y};
    stage_footer(v, in_row ? stage_union(all, 3) : p.y.cells,
                 bias ? tr("out: one row for each token, back in the features of X; a bias is added to each column")
                      : tr("out: one row for each token, back in the features of X"),
                 stage_notes(v, (Matrix *const[]){&p.concat, &p.w, &p.y}, 3));
}

/* Without an output projection out is concat. */
static void draw_copy(StageView *v, const Op *op) {
    Matrix m[2];
    StageItem items[2] = {{.m = &m[0]}, {.m = &m[1], .sign = "="}};
    int heads = v->site->spec.n_heads > 0 ? v->site->spec.n_heads : 1;
    matrix_init(&m[0], v->scene, op->in[0], 0, false);
    matrix_init(&m[1], v->scene, op->out, 0, false);
    m[1].zeros = false;
    for (int i = 0; i < 2; i++) {
        m[i].title = i ? tr("out") : tr("concat");
        m[i].title_left = true;
        m[i].col.labels = false;
        m[i].above = stage_head_bars_room(v, false);
    }
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    stage_column(v, area, items, 2);
    int row, col;
    bool focus = stage_focus(v, &m[1], &row, &col);
    if (focus) stage_strong(&m[1].row, row);
    for (int i = 0; i < 2; i++) {
        stage_show(v, &m[i]);
        stage_head_bars(v, &m[i], m[i].col.count / heads, false);
    }
    stage_signs(v, items, 2, false);
    stage_footer(v, m[1].cells, tr("no output projection: out is concat as it stands"), stage_notes(v, (Matrix *const[]){&m[1]}, 1));
}

void stage_output(StageView *v) {
    TensorId out = scene_find(v->scene, "out");
    const Op *op = out != TENSOR_NONE ? trace_op(v->trace, trace_tensor(v->trace, out)->op) : NULL;
    const char *name = v->site->spec.n_heads > 1 ? tr("All heads") : tr("One head");
    if (op && op->kind == OP_LINEAR) {
        stage_heading(v, name, tr("concat · Wᴼ"));
        draw_product(v, op);
    } else if (op && op->kind == OP_COPY) {
        stage_heading(v, name, tr("out = concat"));
        draw_copy(v, op);
    } else {
        stage_heading(v, name, NULL);
        stage_idle(v, tr("There is no output here: what came before was given without V."), TENSOR_NONE, NULL);
    }
}
