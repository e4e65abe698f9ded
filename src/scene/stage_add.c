/* A residual: what went into a part of the block plus what the part found. */
#include "base/tr.h"
#include "scene/rail.h"
#include "scene/stage_part.h"
#include "scene/words.h"

static const Op *sum_of(const StageView *v) {
    if (v->stage->result == TENSOR_NONE) return NULL;
    const Op *op = trace_op(v->trace, trace_tensor(v->trace, v->stage->result)->op);
    return op->kind == OP_ADD ? op : NULL;
}

static void draw_sum(StageView *v, const Op *op) {
    const TensorId ids[] = {op->in[0], op->in[1], op->out};
    Matrix m[3];
    StageItem items[3] = {{.m = &m[0]}, {.m = &m[1], .sign = "+"}, {.m = &m[2], .sign = "="}};
    for (int i = 0; i < 3; i++) {
        matrix_init(&m[i], v->scene, ids[i], 0, false);
        m[i].title = words_symbol_in(v->run, v->site, ids[i]);
        m[i].title_left = true;
        m[i].row.color = v->theme->ink;
    }
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool in_row = stage_flow(v, area, items, 3);
    const Matrix *const parts[] = {&m[0], &m[1], &m[2]};
    int row, col;
    bool focus = stage_focus_any(v, parts, 3, &row, &col);
    for (int i = 0; i < 3; i++) {
        if (focus) stage_strong(&m[i].row, row);
        if (focus) stage_strong(&m[i].col, col);
        stage_show(v, &m[i]);
    }
    stage_signs(v, items, 3, in_row);
    for (int i = 0; focus && i < 2; i++) stage_frame_same(v, &m[i], row, col);
    if (focus) stage_highlight(v, &m[2], row, col);
    stage_footer(v, stage_union(parts, 3), tr("one row for each token, one column for each feature"),
                 stage_notes(v, (Matrix *const[]){&m[0], &m[1], &m[2]}, 3));
}

void stage_add(StageView *v) {
    const Op *op = sum_of(v);
    stage_heading(v, stage_title(v->stage->kind),
                  v->stage->kind == STAGE_ADD ? tr("attention’s output is added to what went in")
                                              : tr("the feed-forward layer’s output is added to what went in"));
    if (op)
        draw_sum(v, op);
    else
        stage_idle(v, tr("There is nothing to add here."), v->stage->result, NULL);
}
