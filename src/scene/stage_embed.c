/* E + P = X: one row for each token, one column for each feature. */
#include "base/tr.h"
#include "scene/stage_part.h"

static void frame_operands(StageView *v, const Matrix *const *operands, int n, const Matrix *x) {
    int row, col;
    if (!stage_focus_any(v, (const Matrix *const[]){operands[0], operands[1], x}, 3, &row, &col)) return;
    for (int i = 0; i < n; i++) stage_frame_same(v, operands[i], row, col);
    stage_highlight(v, x, row, col);
}

static void draw_sum(StageView *v, const Op *add) {
    static const char *const titles[] = {"E", "P", "X"};
    const TensorId ids[] = {add->in[0], add->in[1], add->out};
    Matrix m[4];
    StageItem items[4] = {{.m = &m[0]}, {.m = &m[1], .sign = "+"}, {.m = &m[2], .sign = "="}, {.m = &m[3], .before = v->pad}};
    TensorId source = scene_find(v->scene, "x_kv");
    int n = source == TENSOR_NONE ? 3 : 4;
    if (n == 4) { /* the rows that are looked at come ready */
        matrix_init(&m[3], v->scene, source, 0, false);
        m[3].title = tr("source");
        m[3].title_left = true;
        m[3].title_color = m[3].row.color = v->theme->k;
    }
    for (int i = 0; i < 3; i++) {
        matrix_init(&m[i], v->scene, ids[i], 0, false);
        m[i].title = titles[i];
        m[i].title_left = true;
        m[i].title_color = v->theme->ink;
        m[i].row.color = v->theme->ink;
    }
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool row = stage_flow(v, area, items, n);
    if (n == 4) m[3].row.labels = true;
    int r, c;
    if (stage_focus_any(v, (const Matrix *const[]){&m[0], &m[1], &m[2]}, 3, &r, &c)) {
        for (int i = 0; i < 3; i++) stage_strong(&m[i].row, r);
        for (int i = 0; i < 3; i++) stage_strong(&m[i].col, c);
    }
    for (int i = 0; i < n; i++) stage_show(v, &m[i]);
    stage_signs(v, items, 3, row);
    frame_operands(v, (const Matrix *const[]){&m[0], &m[1]}, 2, &m[2]);
    Matrix *const all[] = {&m[0], &m[1], &m[2], &m[n - 1]};
    stage_footer(v, stage_union((const Matrix *const *)all, 4), tr("one row for each token, one column for each feature"),
                 stage_notes(v, all, 4));
}

/* X as it is, in cross-attention beside the rows of the source text. */
static void draw_rows(StageView *v, TensorId x) {
    Matrix m[2];
    StageItem items[2] = {{.m = &m[0]}, {.m = &m[1], .before = v->pad}};
    TensorId source = scene_find(v->scene, "x_kv");
    int n = source == TENSOR_NONE ? 1 : 2;
    matrix_init(&m[0], v->scene, x, 0, false);
    m[0].title = n == 2 ? tr("X, who looks") : "X";
    m[0].row.color = n == 2 ? v->theme->q : v->theme->ink;
    if (n == 2) {
        matrix_init(&m[1], v->scene, source, 0, false);
        m[1].title = tr("X of the source, what is looked at");
        m[1].row.color = v->theme->k;
    }
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    if (n == 1) {
        matrix_fit(&m[0], v->scene, area);
    } else {
        stage_column(v, area, items, 2);
    }
    for (int i = 0; i < n; i++) stage_show(v, &m[i]);
    stage_footer(v, m[n - 1].cells, tr("one row for each token, one column for each feature"),
                 stage_notes(v, (Matrix *const[]){&m[0], &m[n - 1]}, 2));
}

/* Molecules and single characters are no words. */
static bool of_symbols(const StageView *v) {
    const Doc *doc = v->scene->doc;
    return doc && (doc->tokenizer == TOKENIZER_SMILES || doc->tokenizer == TOKENIZER_CHARACTERS);
}

void stage_embed(StageView *v) {
    if (scene_in_network(v->run)) {
        stage_embed_network(v);
        return;
    }
    TensorId x = scene_find(v->scene, "x");
    if (x == TENSOR_NONE) {
        stage_heading(v, tr("Token rows"), NULL);
        stage_idle(v, tr("Here the later numbers are given, so there are no token rows to start from."), TENSOR_NONE, NULL);
        return;
    }
    const Op *op = trace_op(v->trace, trace_tensor(v->trace, x)->op);
    if (op->kind == OP_ADD) {
        stage_heading(v, tr("Token rows"),
                      of_symbols(v) ? tr("what each symbol is, plus where it stands") : tr("what each word is, plus where it stands"));
        draw_sum(v, op);
    } else {
        bool given = v->scene->doc && v->scene->doc->matrix[MATRIX_X].rank > 0;
        stage_heading(v, tr("Token rows"),
                      given           ? tr("X is given as it stands")
                      : of_symbols(v) ? tr("what each symbol is; no position is added")
                                      : tr("what each word is; no position is added"));
        draw_rows(v, x);
    }
}
