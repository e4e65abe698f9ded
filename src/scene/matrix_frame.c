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

/* Frames stand a little outside of the cells, closer where cells are small. */
static Rect around(Rect area) {
    float small = fminf(area.w, area.h);
    return rect_inset(area, small >= 14 ? -3 : small >= 6 ? -2 : -1.5f);
}

void matrix_frame(const Scene *scene, DisplayList *dl, Rect area, Color color) {
    (void)scene;
    if (area.w <= 0 || area.h <= 0) return;
    Rect box = around(area);
    dl_rect(dl, box, fminf(6, fminf(box.w, box.h) / 2), COLOR_NONE, color, 2.5f);
}

void matrix_highlight(const Scene *scene, DisplayList *dl, Rect area) {
    if (area.w <= 0 || area.h <= 0) return;
    const Theme *theme = theme_at(scene->view->theme);
    bool tiny = fminf(area.w, area.h) < 6;
    Rect box = around(area), edge = rect_inset(box, -1);
    float radius = fminf(6, fminf(box.w, box.h) / 2), width = tiny ? 1.5f : 3;
    dl_rect(dl, edge, radius + 1, COLOR_NONE, theme->ink, width + 2);
    dl_rect(dl, box, radius, COLOR_NONE, theme->highlight, width);
}

const char *matrix_note(const Matrix *m, const Scene *scene) {
    int every = 0;
    const MatrixSide *sides[] = {&m->row, &m->col};
    for (int i = 0; i < 2; i++)
        if (sides[i]->labels && sides[i]->label_every > 1 && sides[i]->drawn > 1)
            every = every > sides[i]->label_every * sides[i]->block ? every : sides[i]->label_every * sides[i]->block;
    const char *labels = every > 1 ? arena_printf(scene->arena, tr("labels: 1 in %d"), every) : NULL;
    if (m->row.block == 1 && m->col.block == 1) return labels;
    const char *blocks = arena_printf(scene->arena, tr("each square: the largest of %d × %d numbers"), m->row.block, m->col.block);
    return labels ? arena_printf(scene->arena, "%s · %s", blocks, labels) : blocks;
}
