/* Q · Kᵀ: Q at the left, Kᵀ above, one score where a row meets a column. */
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/stage_part.h"

typedef struct {
    Matrix q, k, y;
} Parts;

/* The two inputs of the product: after RoPE when there is RoPE. */
static bool make_parts(StageView *v, Parts *p) {
    TensorId scores = scene_find(v->scene, "scores");
    if (scores == TENSOR_NONE) return false;
    const Op *op = trace_op(v->trace, trace_tensor(v->trace, scores)->op);
    if (op->kind != OP_SCORES) return false;
    matrix_init(&p->q, v->scene, op->in[0], scene_tensor_head(v->run, op->in[0], v->head), false);
    matrix_init(&p->k, v->scene, op->in[1], scene_tensor_head(v->run, op->in[1], v->head), true);
    matrix_init(&p->y, v->scene, scores, v->head, false);
    p->q.title = "Q";
    p->k.title = "Kᵀ";
    p->k.title_left = true;
    p->q.col.labels = p->k.row.labels = false;
    p->y.row.labels = p->y.col.labels = false;
    p->q.row.color = v->theme->q;
    p->k.col.color = v->theme->k;
    return true;
}

/* At most this part of the room for the thin sides, so that the map stays the largest. */
static float thin(float room, float part) { return floorf(room * part); }

static void share_side(float room, MatrixSide *side, float most) {
    MatrixShare share = {side, 1, most, 1};
    matrix_share(fmaxf(1, room), &share, 1);
}

/* Sizes, with cells of Kᵀ and Q at most so large. */
static void size_parts(StageView *v, Parts *p, Rect area, float k_high, float q_wide) {
    float s = v->s, gap = 3 * v->pad, most_high = 96 * s;
    for (int pass = 0; pass < 6; pass++) {
        Rect q = p->q.reserve, k = p->k.reserve;
        float wide = area.w - q.x - gap - k.w, high = area.h - k.y - gap;
        share_side(thin(high, 0.34f), &p->k.row, k_high * s);
        MatrixSide rows = p->q.row;
        share_side(high - matrix_cells_height(&p->k), &rows, most_high);
        share_side(thin(wide, 0.36f), &p->q.col, fminf(q_wide * s, stage_wide_limit(v, rows.pitch)));
        MatrixSide cols = p->y.col;
        float limit = stage_wide_limit(v, rows.pitch);
        share_side(wide - matrix_cells_width(&p->q), &cols, limit);
        if (rows.block == 1 && cols.block == 1) most_high = fminf(most_high, fmaxf(cols.pitch * 1.2f, 24 * s));
        matrix_set_side(&p->q.row, rows.pitch, rows.block);
        matrix_set_side(&p->y.row, rows.pitch, rows.block);
        matrix_set_side(&p->k.col, cols.pitch, cols.block);
        matrix_set_side(&p->y.col, cols.pitch, cols.block);
        matrix_settle(&p->q, v->scene);
        matrix_settle(&p->k, v->scene);
        matrix_settle(&p->y, v->scene);
    }
}

/* The operands give up room where that lets the scores have their numbers. */
static void arrange(StageView *v, Parts *p, Rect area) {
    Parts before = *p;
    size_parts(v, p, area, 26, 56);
    if (p->y.decimals < 0) {
        Parts large = *p;
        *p = before;
        size_parts(v, p, area, 18, 34);
        if (p->y.decimals < 0) *p = large;
    }
    float gap = 3 * v->pad;
    Rect q = matrix_margins(&p->q), k = matrix_margins(&p->k);
    float w = q.x + matrix_cells_width(&p->q) + gap + matrix_cells_width(&p->y) + k.w;
    float h = k.y + matrix_cells_height(&p->k) + gap + matrix_cells_height(&p->y);
    float x = area.x + fmaxf(0, (area.w - w) / 2) + q.x, y = area.y + fmaxf(0, (area.h - h) / 2) + k.y;
    float map_x = x + matrix_cells_width(&p->q) + gap, map_y = y + matrix_cells_height(&p->k) + gap;
    matrix_place(&p->q, x, map_y);
    matrix_place(&p->k, map_x, y);
    matrix_place(&p->y, map_x, map_y);
}

static void frame_operands(StageView *v, Parts *p, int row, int col) {
    Rect q = matrix_row_band(&p->q, row, row + 1), k = matrix_col_band(&p->k, col, col + 1);
    matrix_frame(v->scene, v->dl, q, v->theme->q);
    matrix_frame(v->scene, v->dl, k, v->theme->k);
    stage_frame_pair(v, (const Matrix *const[]){&p->q, &p->k}, 2);
    stage_highlight(v, &p->y, row, col);
}

/* Several heads may read one head of k. */
static const char *shared_key(StageView *v, const Parts *p) {
    int heads = v->site->spec.n_heads, groups = trace_tensor(v->trace, p->k.tensor)->dim[0];
    if (groups >= heads || groups < 1) return NULL;
    int each = heads / groups, first = p->k.head * each;
    return arena_printf(v->scene->arena, each == 2 ? tr("K is shared by heads %d and %d") : tr("K is shared by heads %d to %d"), first + 1,
                        first + each);
}

void stage_scores(StageView *v) {
    Parts p;
    stage_head_heading(v, NULL);
    if (!make_parts(v, &p)) {
        TensorId scores = scene_find(v->scene, "scores");
        stage_idle(v, scores != TENSOR_NONE ? tr("The scores are given.") : tr("The weights are given: no scores are needed."), scores,
                   tr("scores"));
        return;
    }
    Rect area = v->area;
    /* The heading stands beside Kᵀ, above Q: nothing else is there. */
    rect_cut_bottom(&area, stage_footer_room(v));
    arrange(v, &p, area);
    int row, col;
    bool focus = stage_focus(v, &p.y, &row, &col);
    if (focus) {
        stage_strong(&p.q.row, row);
        stage_strong(&p.k.col, col);
        stage_run_sum(v, &p.y, row, col);
        stage_tie(v, matrix_row_band(&p.q, row, row + 1), matrix_row_band(&p.y, row, row + 1), v->theme->q);
        stage_tie(v, matrix_col_band(&p.k, col, col + 1), matrix_col_band(&p.y, col, col + 1), v->theme->k);
    }
    stage_show(v, &p.q);
    stage_show(v, &p.k);
    stage_show(v, &p.y);
    if (focus) frame_operands(v, &p, row, col);
    const char *note = stage_notes(v, (Matrix *const[]){&p.q, &p.k, &p.y}, 3), *shared = shared_key(v, &p), *words = stage_axis_words(v);
    stage_footer(v, p.y.cells, phrase_list(v->scene->arena, words, shared), note);
}
