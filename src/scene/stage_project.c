/* X · W = Q, then K, then V: one head's slice of each weight matrix. RoPE's turns are phases of their own. */
#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"
#include "scene/words.h"

typedef struct {
    const char *name, *weight, *title;
    const char *detail;
} Phase;

static const Phase phases[] = {
    {"q", "w_q", "W_Q", tr_mark("Q = %s · W_Q, what a token asks for")},
    {"k", "w_k", "W_K", tr_mark("K = %s · W_K, what a token offers")},
    {"v", "w_v", "W_V", tr_mark("V = %s · W_V, what a token passes on")},
};

static const Phase *phase_of(const char *name) {
    for (size_t i = 0; i < sizeof phases / sizeof *phases; i++)
        if (str_eq(phases[i].name, name)) return &phases[i];
    return &phases[0];
}

static const char *result_title(const char *name) { return str_eq(name, "q") ? "Q" : str_eq(name, "k") ? "K" : "V"; }

/* Features whose weights for this head are not all 0; NULL when none could fold. */
static int *used_features(StageView *v, const Op *op, int first, int width, int *n) {
    const Tensor *w = trace_tensor(v->trace, op->in[1]);
    int features = w->dim[1];
    int *used = ARENA_ARRAY(v->scene->arena, int, (size_t)features);
    *n = 0;
    for (int f = 0; f < features; f++) {
        bool any = false;
        for (int o = first; o < first + width && !any; o++) any = tensor_at(w, (const int[4]){o, f, 0, 0}) != 0;
        if (any) used[(*n)++] = f;
    }
    return *n > 0 && *n < features ? used : NULL;
}

typedef struct {
    const Run *run;
    TensorId result;
    int head, first; /* of the result; its first column in W */
    bool named;      /* its columns mean something by themselves */
} Columns;

typedef struct {
    const Op *op;
    Matrix x, w, b, y;
    Columns *columns;
    bool has_bias;
    Color color;
} Product;

/* W's columns are named as those of the result. */
static const char *result_label(void *ctx, int position, char buffer[32]) {
    const Columns *columns = ctx;
    const char *slot = run_slot_label(columns->run, columns->result, columns->head, position - columns->first);
    return slot && columns->named ? tr(slot) : words_label(columns->run, columns->result, 2, position - columns->first, buffer);
}

/* Keys made with W_Q. */
static bool is_tied(StageView *v, const Op *op) {
    return str_eq(trace_tensor(v->trace, op->out)->name, "k") && str_eq(trace_tensor(v->trace, op->in[1])->name, "w_q");
}

static void make_product(StageView *v, Product *p, const Op *op) {
    const Scene *scene = v->scene;
    const Tensor *y = trace_tensor(v->trace, op->out);
    const Phase *phase = phase_of(y->name);
    int head = scene_tensor_head(v->run, op->out, v->head), width = y->dim[2];
    *p = (Product){.op = op, .color = matrix_tensor_color(v->theme, y->name), .has_bias = op->in[2] != TENSOR_NONE};
    matrix_init(&p->x, scene, op->in[0], 0, false);
    matrix_init(&p->w, scene, op->in[1], 0, true);
    matrix_init(&p->y, scene, op->out, head, false);
    p->x.title = words_symbol_in(v->run, v->site, op->in[0]);
    p->x.title_color = v->theme->ink;
    p->x.row.color = v->theme->ink;
    p->w.title = is_tied(v, op) ? "W_Q = W_K" : phase->title;
    p->w.col.first = head * width;
    p->w.col.count = width;
    p->columns = ARENA_ARRAY(scene->arena, Columns, 1);
    *p->columns = (Columns){v->run, op->out, head, head * width, str_eq(y->name, "v")};
    p->w.col.label = result_label;
    p->w.col.label_ctx = p->columns;
    p->w.col.color = v->theme->muted;
    p->y.title = result_title(y->name);
    p->y.row.color = p->color;
    if (!p->has_bias) return;
    matrix_init(&p->b, scene, op->in[2], 0, false);
    p->b.col.first = head * width;
    p->b.col.count = width;
    p->b.col.labels = false;
    p->b.zeros = true;
}

static void arrange(StageView *v, Product *p, Rect area) {
    Rect rest = area;
    float bias_room = p->has_bias ? 4 * v->pad : 0;
    StageItem items[3] = {{.m = &p->x}, {.m = &p->w, .sign = "×", .share = 1.15f, .group = 1}, {.m = &p->y, .sign = "=", .share = 1.5f}};
    rest.h -= bias_room;
    stage_row(v, rest, items, 3);
}

/* Fold columns that do not matter for this head when the numbers do not fit otherwise. */
static void arrange_product(StageView *v, Product *p, Rect area) {
    arrange(v, p, area);
    bool numbers = p->x.row.pitch >= 16 * v->s; /* lower rows hold none, whatever is folded */
    if (!numbers || (p->x.decimals >= 0 && p->w.decimals >= 0)) return;
    int n;
    int *used = used_features(v, p->op, p->w.col.first, p->w.col.count, &n);
    if (!used) return;
    p->x.col.kept = p->w.row.kept = used;
    p->x.col.n_kept = p->w.row.n_kept = n;
    arrange(v, p, area);
}

static void place_bias(StageView *v, Product *p) {
    if (!p->has_bias) return;
    matrix_set_side(&p->b.col, p->w.col.pitch, p->w.col.block);
    matrix_set_side(&p->b.row, fmaxf(14, fminf(24 * v->s, p->w.row.pitch)), 1);
    matrix_settle(&p->b, v->scene);
    matrix_place(&p->b, p->w.cells.x, p->w.cells.y + p->w.cells.h + 1.5f * v->pad);
}

static void label_bias(StageView *v, const Product *p) {
    if (!p->has_bias) return;
    Rect box = {p->b.cells.x - 12 * v->pad, p->b.cells.y, 11 * v->pad, p->b.cells.h};
    dl_label(v->dl, v->scene->font, FACE_UI_MEDIUM, v->scene->layout.type[TYPE_SMALL], v->theme->muted, box, ALIGN_RIGHT, tr("+ bias"));
}

static void frame_product(StageView *v, const Product *p, int row, int col) {
    int w_col = p->w.col.first + col;
    matrix_frame(v->scene, v->dl, matrix_row_band(&p->x, row, row + 1), v->theme->ink);
    matrix_frame(v->scene, v->dl, matrix_col_band(&p->w, w_col, w_col + 1), p->color);
    if (p->has_bias) matrix_frame(v->scene, v->dl, matrix_rect(&p->b, 0, 1, w_col, w_col + 1), p->color);
    stage_frame_pair(v, (const Matrix *const[]){&p->x, &p->w}, 2);
    stage_highlight(v, &p->y, row, col);
}

/* Several heads may read one head of K and V; NULL: each has its own. */
static const char *shared_head(StageView *v, const Op *op) {
    const Tensor *y = trace_tensor(v->trace, op->out);
    int heads = v->site->spec.n_heads, groups = y->dim[0];
    if (groups >= heads || groups < 1) return NULL;
    int each = heads / groups, group = v->head / each, first = group * each + 1;
    const char *format = str_eq(y->name, "k") ? each == 2 ? tr("heads %d and %d share this key head (%d of %d)")
                                                          : tr("heads %d to %d share this key head (%d of %d)")
                         : each == 2          ? tr("heads %d and %d share this value head (%d of %d)")
                                              : tr("heads %d to %d share this value head (%d of %d)");
    return arena_printf(v->scene->arena, format, first, first + each - 1, group + 1, groups);
}

static void draw_product(StageView *v, const Op *op) {
    Product p;
    make_product(v, &p, op);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    arrange_product(v, &p, area);
    place_bias(v, &p);
    int row, col;
    bool focus = stage_focus(v, &p.y, &row, &col);
    if (focus) {
        stage_strong(&p.x.row, row);
        stage_strong(&p.y.row, row);
        stage_strong(&p.y.col, col);
        stage_run_sum(v, &p.y, row, col);
    }
    stage_show(v, &p.x);
    stage_show(v, &p.w);
    if (p.has_bias) stage_show(v, &p.b);
    label_bias(v, &p);
    stage_show(v, &p.y);
    stage_signs(v, (const StageItem[]){{.m = &p.x}, {.m = &p.w, .sign = "×"}, {.m = &p.y, .sign = "="}}, 3, true);
    if (focus) frame_product(v, &p, row, col);
    Matrix *const all[] = {&p.x, &p.w, &p.y};
    const char *x_note = stage_notes(v, all, 1), *y_note = stage_notes(v, all + 2, 1);
    if (x_note && y_note && str_eq(x_note, y_note)) y_note = NULL;
    Rect w_cells = p.w.cells;
    if (p.has_bias) w_cells.h = p.b.cells.y + p.b.cells.h - w_cells.y;
    stage_captions(
        v,
        (const StageCaption[]){{p.x.cells, stage_joined(v, tr("one row for each token, one column for each feature"), x_note), 0},
                               {w_cells, stage_notes(v, all + 1, 1), p.w.row.label_room},
                               {p.y.cells, y_note, p.y.row.label_room}},
        3);
}

/* No weights: q, k and v are x itself. */
static void draw_copy(StageView *v, const Op *op) {
    const char *name = trace_tensor(v->trace, op->out)->name;
    Matrix x, y;
    matrix_init(&x, v->scene, op->in[0], 0, false);
    matrix_init(&y, v->scene, op->out, 0, false);
    x.title = "X";
    x.row.color = v->theme->ink;
    y.title = result_title(name);
    y.zeros = x.zeros;
    StageItem items[2] = {{.m = &x}, {.m = &y, .sign = "="}};
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool beside = stage_flow(v, area, items, 2);
    int row, col;
    bool focus = stage_focus(v, &y, &row, &col);
    if (focus) {
        stage_strong(&x.row, row);
        stage_strong(&y.row, row);
    }
    stage_show(v, &x);
    stage_show(v, &y);
    stage_signs(v, items, 2, beside);
    if (focus) {
        matrix_frame(v->scene, v->dl, matrix_rect(&x, row, row + 1, col, col + 1), v->theme->ink);
        stage_highlight(v, &y, row, col);
    }
    stage_footer(v, y.cells, NULL, stage_notes(v, (Matrix *const[]){&x, &y}, 2));
}

static const char *idle_sentence(StageView *v) {
    return scene_find(v->scene, "q") != TENSOR_NONE ? tr("Q, K and V are given: there is nothing to project.")
                                                    : tr("The later numbers are given: there is nothing to project.");
}

/* Given q, k and v are shown as they are. */
static void draw_given(StageView *v) {
    stage_head_heading(v, NULL);
    Matrix m[3];
    StageItem items[3] = {{.m = &m[0]}, {.m = &m[1], .before = v->pad}, {.m = &m[2], .before = v->pad}};
    bool all =
        stage_matrix(v, &m[0], "q", false, "Q") && stage_matrix(v, &m[1], "k", false, "K") && stage_matrix(v, &m[2], "v", false, "V");
    if (!all) {
        stage_idle(v, idle_sentence(v), TENSOR_NONE, NULL);
        return;
    }
    RichStyle style = scene_style(v->scene, TYPE_TITLE, FACE_UI_MEDIUM, v->theme->muted);
    Rect area = v->area;
    rich_label(v->dl, &style, rect_cut_top(&area, 4 * v->pad), ALIGN_CENTER, idle_sentence(v));
    rect_cut_bottom(&area, stage_footer_room(v));
    for (int i = 0; i < 3; i++) m[i].row.color = m[i].title_color;
    stage_row(v, area, items, 3);
    for (int i = 0; i < 3; i++) stage_show(v, &m[i]);
    stage_footer(v, m[1].cells, NULL, stage_notes(v, (Matrix *const[]){&m[0], &m[1], &m[2]}, 3));
}

void stage_project(StageView *v) {
    if (!v->now.work) {
        draw_given(v);
        return;
    }
    const Tensor *result = trace_tensor(v->trace, scene_stage_tensor(v->scene));
    const Op *op = trace_op(v->trace, result->op);
    if (op->kind == OP_PROJECT) {
        const char *x = words_symbol_in(v->run, v->site, op->in[0]);
        const char *detail = is_tied(v, op) ? tr("K = %s · W_Q, because W_Q = W_K") : tr(phase_of(result->name)->detail);
        stage_head_heading(v, stage_joined(v, arena_printf(v->scene->arena, detail, x), shared_head(v, op)));
        draw_product(v, op);
    } else if (op->kind == OP_ROPE) {
        stage_rope(v, op);
    } else {
        stage_head_heading(v, tr("no weights: Q, K and V are X itself"));
        draw_copy(v, op);
    }
}
