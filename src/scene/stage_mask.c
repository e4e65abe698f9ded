/* scaled + M = masked. M falls into the map: a hidden cell's curtain comes down over its score. */
#include <math.h>

#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/mask_row.h"
#include "scene/stage_part.h"
#include "scene/words_mask.h"

enum { PARTS_MAX = 4 };

typedef struct {
    Matrix m[PARTS_MAX];
    StageItem items[PARTS_MAX];
    int n, mask; /* which part is M, -1 = none */
} Parts;

static void add_part(Parts *p, TensorId id, StageView *v, const char *title, const char *sign) {
    Matrix *m = &p->m[p->n];
    matrix_init(m, v->scene, id, scene_tensor_head(v->run, id, v->head), false);
    m->title = title;
    m->title_color = v->theme->ink;
    if (p->n > 0) m->row.labels = false;
    p->items[p->n++] = (StageItem){.m = m, .sign = sign};
}

/* True and False are not added to anything, and a finite fill takes the place of the score. */
static const char *mask_sign(const StageView *v, bool sum) {
    MaskForm form = v->scene->view->mask_form;
    if (form == MASK_FORM_KEEP || form == MASK_FORM_IGNORE) return tr("masked by");
    return sum ? "+" : tr("or");
}

static void make_parts(StageView *v, Parts *p, const Op *op) {
    *p = (Parts){.mask = -1};
    add_part(p, op->in[0], v, tr("scaled scores"), NULL);
    bool relative = v->site->spec.position.kind == POSITION_RELATIVE;
    if (op->in[1] != TENSOR_NONE) add_part(p, op->in[1], v, relative ? tr("bias, distance") : tr("ALiBi, distance"), "+");
    if (op->in[2] != TENSOR_NONE) {
        p->mask = p->n;
        bool sum = op->mask_op == MASK_ADD || isinf(op->number);
        add_part(p, op->in[2], v, tr("M, the mask"), mask_sign(v, sum));
        p->items[p->mask].small_sign = p->items[p->mask].sign[0] != '+';
        const Tensor *mask = trace_tensor(v->trace, op->in[2]);
        if (mask->rank == 2) p->m[p->mask].head = 0;
        p->m[p->mask].zeros = sum; /* nothing is added where the score is kept */
    }
    add_part(p, op->out, v, p->mask >= 0 ? tr("masked scores") : relative ? tr("scores with bias") : tr("scores with ALiBi"), "=");
}

static void draw_chip(StageView *v, Rect box, Color fill, Color ink, const char *text) {
    dl_rect(v->dl, box, box.h / 2, fill, v->theme->line, 1);
    dl_label(v->dl, v->scene->font, FACE_UI_MEDIUM, v->scene->layout.type[TYPE_LABEL], ink, box, ALIGN_CENTER, text);
}

static float legend_room(const StageView *v) { return 4 * v->pad + v->pad; }

/* What the two signs of M mean, under it; returns where. */
static Rect draw_legend(StageView *v, const Matrix *m) {
    const char *keep = words_mask_sign_means(v->scene, m->form, true, m->fill, m->zeros);
    const char *hide = words_mask_sign_means(v->scene, m->form, false, m->fill, m->zeros);
    float size = v->scene->layout.type[TYPE_LABEL];
    float least = fmaxf(font_width(v->scene->font, FACE_UI_MEDIUM, size, keep), font_width(v->scene->font, FACE_UI_MEDIUM, size, hide)) + 3 * v->pad;
    float gap = v->pad, w = fminf(fmaxf(least, (m->cells.w - gap) / 2), 24 * v->pad), h = 3.5f * v->pad;
    float x = m->cells.x + (m->cells.w - 2 * w - gap) / 2, y = m->cells.y + m->cells.h + 2 * v->pad;
    Color zero = theme_signed_color(v->theme, 0, 1);
    Rect first = {x, y, w, h}, second = {x + w + gap, y, w, h};
    draw_chip(v, first, zero, color_ink_on(zero), keep);
    draw_chip(v, second, v->theme->empty_cell, color_ink_on(v->theme->empty_cell), hide);
    return (Rect){x, y, 2 * w + gap, h};
}

/* Which library writes M so, or how it is painted: in M's own caption where that has room, else in one line with all else. */
static void draw_words(StageView *v, Parts *p, Matrix *const *list, Rect chips) {
    const char *note = stage_notes(v, list, p->n), *axis = stage_axis_words(v), *reach = words_mask_reach(v->scene);
    Rect below = p->m[p->n - 1].cells, all = stage_union((const Matrix *const *)list, p->n);
    if (chips.w <= 0) {
        stage_footer(v, all, axis, note);
        return;
    }
    const Matrix *m = &p->m[p->mask];
    const char *source = v->scene->layout.presenting ? NULL : words_mask_source(v->scene, m->form);
    if (m->decimals < 0) source = stage_joined(v, source, words_mask_pattern(v->scene, m->form, m->fill, m->zeros)); /* what comes first is left out first */
    StageCaption captions[3] = {{.below = p->m[0].cells, .text = reach ? axis : NULL},
                                {.below = chips, .text = source},
                                {.below = below, .text = stage_joined(v, reach ? reach : axis, note)}};
    if (!stage_captions_meet(v, captions, 3)) {
        stage_captions(v, captions, 3);
        return;
    }
    all.h += legend_room(v);
    const char *rest = stage_joined(v, source, stage_joined(v, reach, note));
    RichStyle style = scene_style(v->scene, TYPE_LABEL, FACE_UI, v->theme->muted);
    bool room = rest && rich_width(&style, stage_joined(v, axis, rest)) <= v->area.w;
    stage_footer(v, all, room || !rest ? axis : NULL, rest);
}

static bool scores_have_numbers(const Parts *p) {
    for (int i = 0; i < p->n; i++)
        if (i != p->mask && p->m[i].decimals < 0) return false;
    return true;
}

/* All maps of scores show numbers, or none does. M gives up width where that lets the scores have theirs. */
static void arrange(StageView *v, Parts *p, Rect area) {
    Matrix before[PARTS_MAX];
    for (int i = 0; i < p->n; i++) before[i] = p->m[i];
    stage_row(v, area, p->items, p->n);
    if (p->mask >= 0 && !scores_have_numbers(p)) {
        for (int i = 0; i < p->n; i++) p->m[i] = before[i];
        p->items[p->mask].share = 0.6f;
        stage_row(v, area, p->items, p->n);
    }
    if (scores_have_numbers(p)) return;
    for (int i = 0; i < p->n; i++) p->m[i] = before[i];
    p->items[p->mask >= 0 ? p->mask : 0].share = 1;
    stage_row(v, area, p->items, p->n);
    for (int i = 0; i < p->n; i++)
        if (i != p->mask) p->m[i].decimals = -1;
}

/* The curtain of the running cell: the score is still seen below it. */
static void draw_curtain(StageView *v, const Matrix *scaled, const Matrix *masked, int row, int col) {
    if (v->now.phase <= 0 || v->now.phase >= 1 || v->now.step.tensor != masked->tensor || masked->mask == TENSOR_NONE) return;
    const Tensor *mask = trace_tensor(v->trace, masked->mask);
    int index[TENSOR_RANK_MAX] = {row, col, 0, 0};
    if (mask->rank == 3) index[0] = masked->head, index[1] = row, index[2] = col;
    if (tensor_at(mask, index) != 0) return;
    Rect cell = matrix_rect(masked, row, row + 1, col, col + 1);
    double value = matrix_value(scaled, v->scene, row, col);
    dl_rect(v->dl, cell, 3, theme_signed_color(v->theme, value, scaled->limit), COLOR_NONE, 0);
    float down = cell.h * (float)stage_ease(v->now.phase);
    dl_rect(v->dl, (Rect){cell.x, cell.y, cell.w, down}, fminf(3, down / 2), v->theme->empty_cell, COLOR_NONE, 0);
}

static void frame_parts(StageView *v, Parts *p, int row, int col) {
    Matrix *result = &p->m[p->n - 1];
    for (int i = 0; i < p->n - 1; i++) stage_frame_same(v, &p->m[i], row, col);
    draw_curtain(v, &p->m[0], result, row, col);
    stage_highlight(v, result, row, col);
}

/* The names of rows and columns: a press there is about the whole row or column. One group a side of each map. */
static void mark_bands(StageView *v, Rect cells, float wide, float high, int which) {
    const Rect boxes[2] = {{cells.x, cells.y - high, cells.w, high}, {cells.x - wide, cells.y, wide, cells.h}};
    for (int side = 0; side < 2; side++) {
        DlGroup group = {.role = side ? ROLE_ROW : ROLE_COLUMN, .tensor = -1, .at = {-1, -1, -1, -1}};
        group.name = dl_store(v->dl, arena_printf(v->scene->arena, side ? "mask.queries.%d" : "mask.keys.%d", which + 1));
        group.label = dl_store(v->dl, v->scene->run->doc.model == MODEL_FOLDER ? side ? tr("queries") : tr("keys")
                                : side ? tr("Right button: hide all keys from this query, or show them all") : tr("Right button: hide this key from all queries, or show it again"));
        dl_group(v->dl, boxes[side], &group);
        dl_ungroup(v->dl);
    }
}

static void mark_names(StageView *v, const Matrix *m, int which) {
    mark_bands(v, m->cells, fmaxf(m->row.labels ? m->row.label_room : 0, 2 * v->pad), fmaxf(m->col.labels ? m->col.label_room : 0, 2 * v->pad), which);
}

/* The map of a stage without a mask is the only one since command `from`. */
static void mark_only(StageView *v, int from) {
    for (int i = from; i < v->dl->n; i++) {
        const DlCommand *c = &v->dl->commands[i];
        if (c->kind != DL_CELLS) continue;
        mark_bands(v, c->box, 6 * v->pad, 3 * v->pad, 0);
        return;
    }
}

/* The controls at the right of the heading, and below it where they need more lines. */
static void draw_heading(StageView *v) {
    Rect before = v->area;
    const char *detail = NULL, *name = stage_head_words(v, &detail);
    float beside = fminf(before.w, stage_heading_width(v, name, detail) + 3 * v->pad);
    stage_draw_heading(v, name, detail, true);
    if (v->scene->layout.presenting) return;
    mask_row_draw(v->scene, (Rect){before.x, before.y - 2 * v->s, before.w, 0}, beside, v->area.y, v->dl);
    rect_cut_top(&v->area, mask_row_below(v->scene, before.w - beside, before.w));
}

void stage_mask(StageView *v) {
    draw_heading(v);
    TensorId masked = scene_find(v->scene, "masked");
    const Op *op = masked != TENSOR_NONE ? trace_op(v->trace, trace_tensor(v->trace, masked)->op) : NULL;
    if (!v->now.work || !op || op->kind != OP_MASK) {
        TensorId scaled = scene_find(v->scene, "scaled");
        const char *sentence = scaled == TENSOR_NONE ? tr("The weights are given: there are no scores to mask.")
                                                     : tr("No mask is set: the scaled scores go on as they are.");
        int from = v->dl->n;
        stage_idle(v, sentence, scaled, tr("scaled scores"));
        if (scaled != TENSOR_NONE) mark_only(v, from);
        return;
    }
    Parts p;
    make_parts(v, &p, op);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v) + (p.mask >= 0 ? legend_room(v) : 0));
    arrange(v, &p, area);
    Matrix *list[PARTS_MAX];
    int row, col;
    for (int i = 0; i < p.n; i++) list[i] = &p.m[i];
    bool focus = stage_focus_any(v, (const Matrix *const *)list, p.n, &row, &col);
    p.m[p.n - 1].empty_said = true;
    for (int i = 0; i < p.n; i++) {
        if (focus) stage_strong(&p.m[i].row, row);
        if (focus) stage_strong(&p.m[i].col, col);
        mark_names(v, &p.m[i], i);
        stage_show(v, &p.m[i]);
    }
    empty_rows_draw(&p.m[p.n - 1], v->scene, focus ? row : -1, focus ? col : -1, v->dl);
    stage_signs(v, p.items, p.n, true);
    if (focus) frame_parts(v, &p, row, col);
    draw_words(v, &p, list, p.mask >= 0 ? draw_legend(v, &p.m[p.mask]) : (Rect){0});
}
