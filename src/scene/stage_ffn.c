/* The feed-forward layer and the pooler: rows of wide vectors below one another, each made from the one above, and
 * beside them the curve of the activation function with the current point. */
#include <math.h>

#include "base/tr.h"
#include "scene/curve.h"
#include "scene/stage_part.h"
#include "scene/words.h"

typedef struct {
    Matrix m[STAGE_ITEMS_MAX];
    StageItem items[STAGE_ITEMS_MAX];
    int n;
    const Op *activation; /* NULL: none */
} Chain;

static bool is_activation(OpKind kind) { return kind >= OP_RELU && kind <= OP_TANH; }

/* Ops whose rows are shown; a bent row stands below what was bent, also where another was computed between them. */
static int choose_ops(const StageView *v, const Op *ops[STAGE_ITEMS_MAX]) {
    int n = 0;
    for (int i = 0; i < v->stage->n_ops && n < STAGE_ITEMS_MAX; i++) {
        const Op *op = trace_op(v->trace, v->stage->first_op + i);
        if (op->kind != OP_LINEAR && op->kind != OP_MULTIPLY && op->kind != OP_PICK && !is_activation(op->kind)) continue;
        int at = n++;
        for (; is_activation(op->kind) && at > 1 && ops[at - 1]->out != op->in[0]; at--) ops[at] = ops[at - 1];
        ops[at] = op;
    }
    return n;
}

/* What stands between a row and the one above. */
static const char *sign_of(const StageView *v, const Op *above, const Op *op, const Op *next) {
    if (next && next->kind == OP_MULTIPLY) return "×";
    if (op->kind == OP_MULTIPLY) return "=";
    if (!above || op->in[0] != above->out) return NULL;
    return is_activation(op->kind) ? curve_name(op->kind) : words_symbol(trace_tensor(v->trace, op->in[1])->name);
}

static void make_chain(StageView *v, Chain *chain) {
    const Op *ops[STAGE_ITEMS_MAX];
    *chain = (Chain){.n = choose_ops(v, ops)};
    for (int i = 0; i < chain->n; i++) {
        Matrix *m = &chain->m[i];
        matrix_init(m, v->scene, ops[i]->out, 0, false);
        m->title = words_symbol(trace_tensor(v->trace, ops[i]->out)->name);
        m->title_left = true;
        m->col.labels = false;
        m->row.color = m->title_color = v->theme->ink;
        chain->items[i] = (StageItem){.m = m, .sign = sign_of(v, i > 0 ? ops[i - 1] : NULL, ops[i], i + 1 < chain->n ? ops[i + 1] : NULL)};
        if (is_activation(ops[i]->kind)) chain->activation = ops[i];
    }
}

/* The number before the function, where the selection or the film is about it. */
static bool current_point(StageView *v, const Chain *chain, double *x) {
    const Op *op = chain->activation;
    const int *index = NULL;
    if (v->selected && (v->chosen == op->in[0] || v->chosen == op->out))
        index = v->chosen_index;
    else if (!v->selected && v->now.work && (v->now.step.tensor == op->out || v->now.step.tensor == op->in[0]))
        index = v->now.index;
    if (index) *x = tensor_at(trace_tensor(v->trace, op->in[0]), index);
    return index != NULL;
}

static void draw_curve(StageView *v, const Chain *chain, Rect area) {
    float title = v->scene->layout.type[TYPE_TITLE] * 1.6f, side = fminf(area.w, area.h - title);
    if (side < 90 * v->s) return;
    Rect box = {area.x, area.y + (area.h - side - title) / 2, area.w, title};
    RichStyle style = scene_style(v->scene, TYPE_BODY, FACE_UI_SEMIBOLD, v->theme->ink);
    rich_label(v->dl, &style, box, ALIGN_CENTER, curve_name(chain->activation->kind));
    double x;
    bool point = current_point(v, chain, &x);
    curve_draw(v->scene, v->dl, (Rect){area.x + (area.w - side) / 2, box.y + title, side, side}, chain->activation->kind, point ? &x : NULL);
}

/* Inside the feed-forward layer columns are units; what it gives back has features again, as all of the pooler has. */
static const char *columns_words(const StageView *v, bool one) {
    if (v->stage->kind != STAGE_FFN) return one ? tr("one column for each feature") : tr("one row for each token, one column for each feature");
    return one ? tr("columns: units, in F features") : tr("one row for each token · columns: units, in F features");
}

static void draw_chain(StageView *v, Chain *chain) {
    Rect area = v->area, curve = {0};
    rect_cut_bottom(&area, stage_footer_room(v));
    if (chain->activation && area.w > 560 * v->s) {
        curve = rect_cut_right(&area, fminf(area.w * 0.24f, 260 * v->s));
        rect_cut_right(&area, 3 * v->pad);
    }
    stage_column(v, area, chain->items, chain->n);
    Matrix *all[STAGE_ITEMS_MAX];
    const Matrix *shown[STAGE_ITEMS_MAX];
    for (int i = 0; i < chain->n; i++) {
        int row, col;
        all[i] = &chain->m[i];
        shown[i] = &chain->m[i];
        bool focus = stage_focus(v, all[i], &row, &col);
        if (focus) stage_strong(&all[i]->row, row);
        if (focus) stage_run_sum(v, all[i], row, col);
        stage_show(v, all[i]);
        if (focus) stage_highlight(v, all[i], row, col);
    }
    stage_signs(v, chain->items, chain->n, false);
    if (curve.w > 0) draw_curve(v, chain, curve);
    bool one = chain->m[0].row.count == 1;
    stage_footer(v, stage_union(shown, chain->n), columns_words(v, one),
                 stage_notes(v, all, chain->n));
}

static void draw(StageView *v, const char *idle) {
    Chain chain;
    make_chain(v, &chain);
    if (chain.n > 0)
        draw_chain(v, &chain);
    else
        stage_idle(v, idle, v->stage->result, NULL);
}

void stage_ffn(StageView *v) {
    stage_heading(v, tr("Feed-forward"), tr("every token by itself: widen, bend, narrow again"));
    draw(v, tr("There is no feed-forward layer here."));
}

void stage_pool(StageView *v) {
    stage_heading(v, tr("Pooler"), tr("one row that stands for the whole text"));
    draw(v, tr("There is no pooler here."));
}
