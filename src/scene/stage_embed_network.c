/* Where the rows of a layer come from: in the first layer from tables, one summand below the other; in a later one from
 * the layer before. */
#include "base/tr.h"
#include "scene/stage_part.h"
#include "scene/words.h"

typedef struct {
    Matrix m[STAGE_ITEMS_MAX];
    StageItem items[STAGE_ITEMS_MAX];
    int n;
} Rows;

static void add_rows(StageView *v, Rows *rows, TensorId id, const char *sign) {
    if (rows->n == STAGE_ITEMS_MAX) rows->n--; /* the last one is what all comes to */
    Matrix *m = &rows->m[rows->n];
    matrix_init(m, v->scene, id, 0, false);
    m->title = words_symbol(trace_tensor(v->trace, id)->name);
    m->title_left = true;
    m->title_color = m->row.color = v->theme->ink;
    m->col.labels = rows->n == 0;
    rows->items[rows->n] = (StageItem){.m = m, .sign = rows->n > 0 ? sign : NULL};
    rows->n++;
}

/* Is this sum only a step on the way to a longer one? */
static bool goes_on(const StageView *v, const Op *op) {
    for (int i = 0; i < v->stage->n_ops; i++) {
        const Op *later = trace_op(v->trace, v->stage->first_op + i);
        if (later->kind == OP_ADD && later->in[0] == op->out) return true;
    }
    return false;
}

static void make_rows(StageView *v, Rows *rows) {
    *rows = (Rows){0};
    for (int i = 0; i < v->stage->n_ops; i++) {
        const Op *op = trace_op(v->trace, v->stage->first_op + i);
        bool norm = op->kind == OP_LAYERNORM || op->kind == OP_RMSNORM;
        if (op->kind == OP_GATHER || op->kind == OP_ROWS || op->kind == OP_SINUSOID)
            add_rows(v, rows, op->out, "+");
        else if (op->kind == OP_SCALE)
            add_rows(v, rows, op->out, arena_printf(v->scene->arena, "× %s", scene_short_number(v->scene, op->number)));
        else if (norm)
            add_rows(v, rows, op->out, tr("norm"));
        else if (op->kind == OP_LINEAR)
            add_rows(v, rows, op->out, words_symbol(trace_tensor(v->trace, op->in[1])->name));
        else if (op->kind == OP_ADD && !goes_on(v, op))
            add_rows(v, rows, op->out, "=");
    }
}

static void draw_rows(StageView *v, Rows *rows) {
    Rect area = v->area;
    Matrix *all[STAGE_ITEMS_MAX];
    const Matrix *shown[STAGE_ITEMS_MAX];
    int row = 0, col = 0;
    rect_cut_bottom(&area, stage_footer_room(v));
    stage_column(v, area, rows->items, rows->n);
    for (int i = 0; i < rows->n; i++) all[i] = &rows->m[i], shown[i] = &rows->m[i];
    bool focus = stage_focus_any(v, shown, rows->n, &row, &col);
    for (int i = 0; i < rows->n; i++) {
        if (focus) stage_strong(&all[i]->row, row);
        stage_show(v, all[i]);
    }
    stage_signs(v, rows->items, rows->n, false);
    for (int i = 0; focus && i < rows->n - 1; i++)
        if (col < rows->m[i].col.count) stage_frame_same(v, &rows->m[i], row, col);
    if (focus) stage_highlight(v, &rows->m[rows->n - 1], row, col);
    stage_footer(v, stage_union(shown, rows->n), tr("one row for each token, one column for each feature"), stage_notes(v, all, rows->n));
}

void stage_embed_network(StageView *v) {
    Rows rows;
    make_rows(v, &rows);
    if (rows.n > 0) {
        stage_heading(v, tr("Token rows"), rows.n > 1 ? tr("looked up in tables and added") : tr("looked up in a table"));
        draw_rows(v, &rows);
        return;
    }
    stage_heading(v, tr("Token rows"), tr("what goes into this layer"));
    stage_idle(v, words_rows_from(v->run, v->site, v->scene->arena), v->stage->result, "X");
}
