/* A | B | B − A: three maps of one pitch, or two without a difference. */
#include <math.h>

#include "base/tr.h"
#include "doc/doc_diff.h"
#include "scene/compare.h"
#include "scene/figure_part.h"
#include "scene/look.h"
#include "scene/words.h"

/* Labels of A's tokens under B's positions. */
typedef struct {
    const Run *run;
    TensorId tensor;
    int axis;
} LabelOf;

static const char *label_of_a(void *ctx, int position, char buffer[32]) {
    const LabelOf *of = ctx;
    return words_label(of->run, of->tensor, of->axis, position, buffer);
}

static void label_as_a(const Compare *c, MatrixSide *side) {
    LabelOf *of = ARENA_NEW(c->scene->arena, LabelOf);
    *of = (LabelOf){c->scene->held, c->a, side->axis};
    if (side->axis < 0) return;
    side->label = label_of_a;
    side->label_ctx = of;
}

/* B's tensor carries all three, so that what is hovered or selected in one is in the others too. */
static void make_map(const Compare *c, Matrix *m, const char *title) {
    matrix_init(m, c->scene, c->b, c->head_b, false);
    look_whole(m, c->scene);
    m->film = false;
    m->limit = c->limit;
    m->title = title;
    m->title_color = theme_at(c->scene->view->theme)->ink;
}

static void make_three(const Compare *c, Matrix *a, Matrix *b, Matrix *change) {
    make_map(c, a, compare_side(c->scene, false));
    a->instead = c->value_a;
    a->looks = c->look_a;
    a->mask = TENSOR_NONE;
    label_as_a(c, &a->row);
    label_as_a(c, &a->col);
    make_map(c, b, compare_side(c->scene, true));
    make_map(c, change, arena_printf(c->scene->arena, tr("B − A, range ±%s"), scene_short_number(c->scene, c->change_limit)));
    change->look = MATRIX_SIGNED;
    change->limit = c->change_limit;
    change->instead = c->change;
    change->looks = c->look_change;
    change->mask = TENSOR_NONE;
    change->shares = false;
    change->hide_range = true;
}

static void frame_all(StageView *v, const Matrix *const *maps, int n, int row, int col) {
    for (int i = 0; i < n; i++) matrix_highlight(v->scene, v->dl, matrix_rect(maps[i], row, row + 1, col, col + 1));
}

static bool same_labels(const Compare *c) {
    char one[32], other[32];
    const Tensor *b = trace_tensor(c->scene->run->trace, c->b);
    for (int axis = b->rank >= 2 ? b->rank - 2 : 0; axis < b->rank; axis++)
        for (int i = 0; i < b->dim[axis]; i++)
            if (!str_eq(run_label(c->scene->run, c->b, axis, i, one), run_label(c->scene->held, c->a, axis, i, other))) return false;
    return true;
}

static void draw_three(StageView *v, const Compare *c) {
    Matrix a, b, change;
    make_three(c, &a, &b, &change);
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    StageItem row[] = {{.m = &a}, {.m = &b, .before = 2 * v->pad}, {.m = &change, .before = 2 * v->pad}}, column[] = {row[0], row[1], row[2]};
    bool same = same_labels(c);
    Matrix across[3] = {a, b, change}, down[3] = {a, b, change};
    for (int i = 0; i < 3; i++) row[i].m = &across[i], column[i].m = &down[i];
    if (same) across[1].row.labels = across[2].row.labels = false;
    stage_row(v, area, row, 3);
    stage_column(v, area, column, 3);
    bool wide = stage_worth(v, &across[2]) >= stage_worth(v, &down[2]);
    const Matrix *maps[3];
    Matrix *notes[3];
    for (int i = 0; i < 3; i++) notes[i] = wide ? &across[i] : &down[i], maps[i] = notes[i];
    int r, col;
    bool chosen = stage_chosen(v, maps[1], &r, &col);
    if (chosen)
        for (int i = 0; i < 3; i++) stage_strong(&notes[i]->row, r), stage_strong(&notes[i]->col, col);
    for (int i = 0; i < 3; i++) stage_show(v, maps[i]);
    if (chosen) frame_all(v, maps, 3, r, col);
    stage_footer(v, stage_union(maps, 3), trace_tensor(v->trace, c->b)->rank == 3 ? stage_axis_words(v) : NULL, matrix_notes(notes, 3, v->scene));
}

/* Of different sizes: each in a half of the stage, by itself. */
static void draw_two(StageView *v, const Compare *c) {
    Rect area = v->area;
    rect_cut_bottom(&area, stage_footer_room(v));
    bool wide = area.w > area.h;
    Rect left = wide ? rect_cut_left(&area, (area.w - 3 * v->pad) / 2) : rect_cut_top(&area, (area.h - 3 * v->pad) / 2);
    if (wide) rect_cut_left(&area, 3 * v->pad);
    else rect_cut_top(&area, 3 * v->pad);
    Matrix b;
    make_map(c, &b, compare_side(c->scene, true));
    bool theirs = !c->scene->held->theirs || (c->a != TENSOR_NONE && c->scene->held->theirs[c->a] >= 0);
    if (c->a != TENSOR_NONE && theirs && trace_resident(c->scene->held->trace, c->a)) {
        Matrix a;
        matrix_init(&a, &c->of_a, c->a, c->head_a, false);
        look_whole(&a, &c->of_a);
        a.film = false;
        a.limit = c->limit;
        a.title = compare_side(c->scene, false);
        a.title_color = v->theme->ink;
        matrix_fit(&a, &c->of_a, left);
        int group = v->dl->n_groups, from = v->dl->n;
        matrix_draw(&a, &c->of_a, v->dl); /* its numbers are not those of the run that answers clicks */
        for (int i = group; i < v->dl->n_groups; i++) v->dl->groups[i].tensor = -1;
        for (int i = from; i < v->dl->n; i++)
            if (v->dl->commands[i].kind == DL_CELLS) v->dl->commands[i].cells.tensor = -1;
    } else {
        RichStyle style = scene_style(v->scene, TYPE_BODY, FACE_UI, v->theme->muted);
        rich_paragraph(v->dl, &style, rect_inset(left, 3 * v->pad), ALIGN_CENTER, c->reason);
    }
    matrix_fit(&b, v->scene, area);
    stage_show(v, &b);
}

/* Where the panel has no room the settings stand in the heading. */
static const char *settings(StageView *v) {
    const Layout *l = &v->scene->layout;
    DocChange *list;
    const char *text = NULL;
    if (l->inspector.w > 0 && !l->drawer) return NULL;
    if (v->scene->check) return v->scene->check->why;
    int n = doc_diff(v->scene->held_doc, v->scene->doc, v->scene->arena, &list);
    for (int i = 0; i < n; i++) text = stage_joined(v, text, doc_change_text(&list[i], v->scene->arena));
    return text ? text : tr("nothing is changed yet");
}

void compare_stage(StageView *v) {
    const Compare *c = compare_make(v->scene);
    const char *title = c->b == TENSOR_NONE ? tr("Compare") : arena_printf(v->scene->arena, tr("Compare: %s"), figure_tensor_title(trace_tensor(v->trace, c->b)->name));
    bool heads = c->b != TENSOR_NONE && trace_tensor(v->trace, c->b)->rank == 3 && v->site->spec.n_heads > 1;
    const char *head = heads ? arena_printf(v->scene->arena, tr("head %d of %d"), v->head + 1, v->site->spec.n_heads) : NULL;
    stage_heading(v, title, stage_joined(v, head, settings(v)));
    if (c->b == TENSOR_NONE) stage_idle(v, c->reason, TENSOR_NONE, NULL);
    else if (c->reason) draw_two(v, c);
    else draw_three(v, c);
}
