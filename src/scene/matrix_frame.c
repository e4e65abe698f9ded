#include <math.h>
#include <stdlib.h>

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

void matrix_frame(const Scene *scene, DisplayList *dl, Rect area, Color color) {
    if (area.w <= 0 || area.h <= 0) return;
    float s = scene->layout.scale;
    Rect box = around(area);
    dl_rect(dl, box, fminf(6 * s, fminf(box.w, box.h) / 2), COLOR_NONE, color, is_tiny(area) ? 1.5f : 2.5f * fminf(s, 2));
}

void matrix_highlight(const Scene *scene, DisplayList *dl, Rect area) {
    if (area.w <= 0 || area.h <= 0) return;
    const Theme *theme = theme_at(scene->view->theme);
    Rect box = around(area), edge = rect_inset(box, -1);
    float radius = fminf(6, fminf(box.w, box.h) / 2), width = is_tiny(area) ? 1.5f : 3;
    dl_rect(dl, edge, radius + 1, COLOR_NONE, theme->ink, width + 2);
    dl_rect(dl, box, radius, COLOR_NONE, theme->highlight, width);
}

/* Smallest and largest of the steps between labels, in positions; 1 = all are there. */
static void label_steps(const Matrix *m, int *least, int *most) {
    const MatrixSide *sides[] = {&m->row, &m->col};
    for (int i = 0; i < 2; i++) {
        int step = sides[i]->label_every * sides[i]->block;
        if (!sides[i]->labels || sides[i]->drawn <= 1 || step <= 1) continue;
        *least = *least == 0 || step < *least ? step : *least;
        *most = step > *most ? step : *most;
    }
}

const char *matrix_notes(Matrix *const *list, int n, const Scene *scene) {
    int least = 0, most = 0, rows = 1, cols = 1;
    bool same = true;
    for (int i = 0; i < n; i++) {
        const Matrix *m = list[i];
        label_steps(m, &least, &most);
        same = same && m->row.block == list[0]->row.block && m->col.block == list[0]->col.block;
        if (m->row.block * m->col.block <= rows * cols) continue;
        rows = m->row.block;
        cols = m->col.block;
    }
    Arena *arena = scene->arena;
    const char *labels = most <= 1      ? NULL
                         : least < most ? arena_printf(arena, tr("labels: 1 in %d to 1 in %d"), least, most)
                                        : arena_printf(arena, tr("labels: 1 in %d"), most);
    if (rows * cols == 1) return labels;
    const char *words = same ? tr("each square: the largest of %d × %d numbers") : tr("squares: the largest of up to %d × %d numbers");
    const char *blocks = arena_printf(arena, words, rows, cols);
    return labels ? arena_printf(arena, "%s · %s", blocks, labels) : blocks;
}

const char *matrix_note(const Matrix *m, const Scene *scene) {
    Matrix copy = *m, *one = &copy;
    return matrix_notes(&one, 1, scene);
}
