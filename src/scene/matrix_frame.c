#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/matrix.h"
#include "scene/matrix_part.h"

static void span_places(const MatrixSide *side, int p0, int p1, int *i0, int *i1) {
    *i0 = *i1 = -1;
    for (int p = p0; p < p1; p++) {
        int place = side_place(side, p);
        if (place < 0) continue;
        if (*i0 < 0) *i0 = place;
        *i1 = place + 1;
        if (!side->kept && p < p1 - 1) p = p1 - 2; /* no folds: the last one is enough */
    }
}

Rect matrix_rect(const Matrix *m, int r0, int r1, int c0, int c1) {
    int i0, i1, j0, j1;
    span_places(&m->row, r0, r1, &i0, &i1);
    span_places(&m->col, c0, c1, &j0, &j1);
    if (i0 < 0 || j0 < 0) return (Rect){m->cells.x, m->cells.y, 0, 0};
    return (Rect){m->cells.x + (float)j0 * m->col.pitch, m->cells.y + (float)i0 * m->row.pitch,
                  (float)(j1 - j0) * m->col.pitch - m->col.gap, (float)(i1 - i0) * m->row.pitch - m->row.gap};
}

Rect matrix_row_band(const Matrix *m, int r0, int r1) {
    int c = side_position(&m->col, 0);
    Rect part = matrix_rect(m, r0, r1, c, c + 1);
    return part.h > 0 ? (Rect){m->cells.x, part.y, m->cells.w, part.h} : part;
}

Rect matrix_col_band(const Matrix *m, int c0, int c1) {
    int r = side_position(&m->row, 0);
    Rect part = matrix_rect(m, r, r + 1, c0, c1);
    return part.w > 0 ? (Rect){part.x, m->cells.y, part.w, m->cells.h} : part;
}

/* Frames stand a little outside of the cells, and are thinner where cells are small. */
static Rect around(Rect area) { return rect_inset(area, -3); }
static bool is_tiny(Rect area) { return fminf(area.w, area.h) < 8; }
/* Around a thin cell round corners would look like the digit 0. */
static float corner(Rect area, Rect box, float most) { return is_tiny(area) ? 1 : fminf(most, fminf(box.w, box.h) / 2); }

void matrix_frame(const Scene *scene, DisplayList *dl, Rect area, Color color) {
    if (area.w <= 0 || area.h <= 0) return;
    float s = scene->layout.scale;
    Rect box = around(area);
    dl_rect(dl, box, corner(area, box, 6 * s), COLOR_NONE, color, is_tiny(area) ? 1.5f : 2.5f * fminf(s, 2));
}

void matrix_highlight(const Scene *scene, DisplayList *dl, Rect area) {
    if (area.w <= 0 || area.h <= 0) return;
    const Theme *theme = theme_at(scene->view->theme);
    Rect box = around(area), edge = rect_inset(box, -1);
    float radius = corner(area, box, 6), width = is_tiny(area) ? 1.5f : 3;
    dl_rect(dl, edge, radius + 1, COLOR_NONE, theme->ink, width + 2);
    dl_rect(dl, box, radius, COLOR_NONE, theme->highlight, width);
}

/* ---- what must be said ---- */

typedef enum { NAMED_TOKEN, NAMED_QUERY, NAMED_KEY, NAMED_COUNT } Named;

static const char *const named[][3] = {
    [NAMED_TOKEN] = {tr_mark("every second token is named"), tr_mark("every third token is named"), tr_mark("one token in %d is named")},
    [NAMED_QUERY] = {tr_mark("every second query is named"), tr_mark("every third query is named"), tr_mark("one query in %d is named")},
    [NAMED_KEY] = {tr_mark("every second key is named"), tr_mark("every third key is named"), tr_mark("one key in %d is named")},
};
static_assert(sizeof named / sizeof *named == NAMED_COUNT, "three sentences for each kind of line");

static bool is_token(const Matrix *m, const Scene *scene, const MatrixSide *side) {
    AxisKind axis = side->axis < 0 ? AXIS_OTHER : run_axis(scene->run, m->tensor, side->axis);
    return axis == AXIS_QUERY || axis == AXIS_KEY;
}

static int label_step(const MatrixSide *side) {
    int step = side->label_every * side->block;
    return side->labels && side->drawn > 1 && step > 1 && side->count_step == 0 ? step : 1; /* round numbers speak for themselves */
}

/* What the labels of one side are; tokens are told apart as queries and keys only where one of them is thinned more.
 * NAMED_COUNT: no tokens. Thinned numbers and features need no words, the labels show it themselves. */
static Named named_of(const Matrix *m, const Scene *scene, const MatrixSide *side) {
    const MatrixSide *other = side == &m->row ? &m->col : &m->row;
    AxisKind axis = side->axis < 0 ? AXIS_OTHER : run_axis(scene->run, m->tensor, side->axis);
    if (is_token(m, scene, side)) {
        bool alike = !is_token(m, scene, other) || !other->labels || label_step(other) == label_step(side);
        return alike && !(is_token(m, scene, other) && !other->labels) ? NAMED_TOKEN : axis == AXIS_QUERY ? NAMED_QUERY : NAMED_KEY;
    }
    return NAMED_COUNT;
}

static const char *say_labels(const int *step, Arena *arena) {
    const char *all = NULL;
    for (int k = 0; k < NAMED_COUNT; k++) {
        if (step[k] <= 1 || (k != NAMED_TOKEN && step[k] == step[NAMED_TOKEN])) continue;
        const char *one = step[k] <= 3 ? tr(named[k][step[k] - 2]) : arena_printf(arena, tr(named[k][2]), step[k]);
        all = phrase_list(arena, all, one);
    }
    return all;
}

static const char *say_blocks(Matrix *const *list, int n, Arena *arena) {
    int rows = 1, cols = 1;
    bool same = true;
    for (int i = 0; i < n; i++) {
        const Matrix *m = list[i];
        same = same && m->row.block == list[0]->row.block && m->col.block == list[0]->col.block;
        if (m->row.block * m->col.block <= rows * cols) continue;
        rows = m->row.block;
        cols = m->col.block;
    }
    if (rows * cols == 1) return NULL;
    const char *words = same ? tr("each square: the largest of %d × %d numbers") : tr("squares: the largest of up to %d × %d numbers");
    return arena_printf(arena, words, rows, cols);
}

const char *matrix_notes(Matrix *const *list, int n, const Scene *scene) {
    int step[NAMED_COUNT] = {0};
    for (int i = 0; i < n; i++) {
        const MatrixSide *sides[] = {&list[i]->row, &list[i]->col};
        for (int k = 0; k < 2; k++) {
            Named kind = named_of(list[i], scene, sides[k]);
            int every = label_step(sides[k]);
            if (kind != NAMED_COUNT && every > step[kind]) step[kind] = every;
        }
    }
    return phrase_list(scene->arena, say_blocks(list, n, scene->arena), say_labels(step, scene->arena));
}

const char *matrix_note(const Matrix *m, const Scene *scene) {
    Matrix copy = *m, *one = &copy;
    return matrix_notes(&one, 1, scene);
}

void matrix_hover(const Matrix *m, const Scene *scene, DisplayList *dl) {
    const ViewRef *hover = &scene->view->hover;
    const Tensor *t = trace_tensor(scene->run->trace, m->tensor);
    if (!hover->tensor[0] || !str_eq(hover->tensor, t->id)) return;
    int r = t->rank >= 2 ? hover->index[t->rank - 2] : 0, c = hover->index[t->rank - 1];
    int row = m->transposed ? c : r, col = m->transposed ? r : c;
    bool row_there = side_place(&m->row, row) >= 0, col_there = side_place(&m->col, col) >= 0;
    Color ink = theme_at(scene->view->theme)->ink, band = color_alpha(ink, 0.45);
    if (row_there && m->col.drawn > 1) dl_rect(dl, rect_inset(matrix_row_band(m, row, row + 1), -1), 2, COLOR_NONE, band, 1);
    if (col_there && m->row.drawn > 1) dl_rect(dl, rect_inset(matrix_col_band(m, col, col + 1), -1), 2, COLOR_NONE, band, 1);
    if (row_there && col_there) dl_rect(dl, rect_inset(matrix_rect(m, row, row + 1, col, col + 1), -1), 4, COLOR_NONE, ink, 1);
}
