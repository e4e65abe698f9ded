/* A · V: ribbons as wide as the weights carry rows of V into one row of the head's output. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

typedef struct {
    Matrix a, v, y;
} Parts;

static bool make_parts(StageView *v, Parts *p) {
    TensorId out = scene_find(v->scene, "head_out");
    if (out == TENSOR_NONE) return false;
    const Op *op = trace_op(v->trace, trace_tensor(v->trace, out)->op);
    if (op->kind != OP_WEIGHTED_SUM) return false;
    matrix_init(&p->a, v->scene, op->in[0], v->head, false);
    matrix_init(&p->v, v->scene, op->in[1], scene_tensor_head(v->run, op->in[1], v->head), false);
    matrix_init(&p->y, v->scene, out, v->head, false);
    p->a.title = tr("weights A");
    p->v.title = "V";
    p->y.title = tr("head output");
    p->a.title_color = v->theme->ink;
    p->v.row.color = v->theme->v;
    p->y.row.labels = false;
    return true;
}

static float weight_at(StageView *v, const Matrix *a, int row, int key) {
    double w = matrix_value(a, v->scene, row, key);
    return isfinite(w) ? (float)fmin(1, fmax(0, w)) : 0;
}

/* Each key's ribbon leaves the row stacked under the one before it. */
static void draw_ribbons(StageView *v, const Parts *p, int row) {
    Rect from = matrix_row_band(&p->a, row, row + 1);
    float high = fminf(from.h * 0.8f, 48 * v->s), total = 0;
    int keys = p->v.row.count;
    for (int j = 0; j < keys; j++) total += weight_at(v, &p->a, row, j) * high;
    float x0 = from.x + from.w + 4, x1 = p->v.cells.x - matrix_margins(&p->v).x - 8 * v->s, y0 = from.y + (from.h - total) / 2;
    for (int j = 0; j < keys; j++) {
        float h = weight_at(v, &p->a, row, j) * high;
        Rect to = matrix_rect(&p->v, j, j + 1, 0, 1);
        if (h >= 0.1f && to.h > 0)
            dl_ribbon(v->dl, x0, y0, fmaxf(h, 0.75f), x1, to.y + (to.h - fminf(h, fmaxf(to.h, 2))) / 2,
                      fmaxf(0.75f, fminf(h, fmaxf(to.h, 2))), color_alpha(v->theme->v, 0.8));
        y0 += h;
    }
}

static const char *shared_value(StageView *v, const Parts *p) {
    int heads = v->site->spec.n_heads, groups = trace_tensor(v->trace, p->v.tensor)->dim[0];
    if (groups >= heads || groups < 1) return NULL;
    int each = heads / groups, first = p->v.head * each;
    return arena_printf(v->scene->arena, each == 2 ? tr("V is shared by heads %d and %d") : tr("V is shared by heads %d to %d"), first + 1, first + each);
}

void stage_wsum(StageView *v) {
    Parts p;
    stage_head_heading(v, NULL);
    if (!v->now.work || !make_parts(v, &p)) {
        stage_idle(v, tr("There is no V here, so there is nothing to mix."), scene_find(v->scene, "weights"), tr("weights A"));
        return;
    }
    StageItem items[3] = {{.m = &p.a}, {.m = &p.v, .before = 8 * v->pad}, {.m = &p.y, .before = 3 * v->pad}};
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    stage_row(v, area, items, 3);
    int row, col;
    bool focus = stage_focus(v, &p.y, &row, &col), one = v->selected || v->now.phase < 1; /* one number, or the whole row as the inspector has it */
    if (focus) {
        stage_strong(&p.a.row, row);
        if (one) {
            stage_strong(&p.v.col, col);
            stage_strong(&p.y.col, col);
        }
        p.a.dim = 0.6f;
        p.a.bright0 = row;
        p.a.bright1 = row + 1;
        stage_run_sum(v, &p.y, row, col);
        draw_ribbons(v, &p, row);
    }
    stage_show(v, &p.a);
    stage_show(v, &p.v);
    stage_show(v, &p.y);
    if (focus) {
        matrix_frame(v->scene, v->dl, matrix_row_band(&p.a, row, row + 1), v->theme->q);
        if (one) matrix_frame(v->scene, v->dl, matrix_col_band(&p.v, col, col + 1), v->theme->v);
        stage_frame_pair(v, (const Matrix *const[]){&p.a, &p.v}, 2);
        if (v->selected) stage_highlight(v, &p.y, row, col);
        else matrix_highlight(v->scene, v->dl, matrix_row_band(&p.y, row, row + 1));
    }
    Matrix *const all[] = {&p.a, &p.v, &p.y};
    const char *shared = shared_value(v, &p), *words = tr("a ribbon is as wide as its weight"), *a_note = stage_notes(v, all, 1);
    const char *v_note = stage_notes(v, all + 1, 1), *y_note = stage_notes(v, all + 2, 1);
    if (v_note && a_note && str_eq(v_note, a_note)) v_note = NULL;
    stage_captions(v,
                   (const StageCaption[]){{p.a.cells, stage_joined(v, stage_axis_words(v), a_note), 0},
                                          {p.v.cells, stage_joined(v, shared ? shared : words, v_note), p.v.row.label_room},
                                          {p.y.cells, y_note, 0}},
                   3);
}
