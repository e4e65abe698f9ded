/* The lens: where cells are too small for numbers, the selected one and its neighbours are shown once more, large. It lies
 * over the stage, beside its cell, and follows the selection. */
#include <math.h>

#include "base/tr.h"
#include "scene/drawer.h"
#include "scene/stage_part.h"

/* Cells at most, and their size in units at scale 1. */
enum { LENS_ROWS = 3, LENS_COLS = 9, LENS_WIDE = 66, LENS_HIGH = 26 };

/* The window of `most` positions around one. */
static void narrow(MatrixSide *side, int position, int most) {
    int end = side->first + side->count, count = side->count < most ? side->count : most;
    int first = position - count / 2;
    if (first + count > end) first = end - count;
    if (first < side->first) first = side->first;
    *side = (MatrixSide){.axis = side->axis, .first = first, .count = count, .block = 1, .labels = true, .label = side->label,
                         .label_ctx = side->label_ctx, .color = side->color, .strong0 = position, .strong1 = position + 1};
}

static const char *which(const StageView *v, const MatrixSide *side, const MatrixSide *whole) {
    if (side->count >= whole->count) return NULL;
    return arena_printf(v->scene->arena, tr("columns %d to %d of %d"), side->first - whole->first + 1,
                        side->first - whole->first + side->count, whole->count);
}

/* The part of the stage that the inspector's drawer leaves free. */
static Rect free_area(const StageView *v) {
    Rect area = v->area;
    if (!v->scene->layout.drawer) return area;
    Rect drawer = drawer_place(v->scene, v->dl, v->from);
    float halo = 8 * v->s, left = drawer.x - halo - area.x, right = area.x + area.w - (drawer.x + drawer.w + halo);
    if (right > left) return (Rect){area.x + area.w - right, area.y, right, area.h};
    return (Rect){area.x, area.y, fminf(left, area.w), area.h};
}

/* Below the cell where there is room, else above, else wherever it fits. */
static Rect beside(const StageView *v, Rect area, Rect cell, float w, float h) {
    float gap = 2 * v->pad, x = cell.x + cell.w / 2 - w / 2, y = cell.y + cell.h + gap;
    float left = area.x, right = area.x + area.w, bottom = area.y + area.h;
    if (y + h > bottom) y = cell.y - gap - h;
    if (y < area.y) y = fmaxf(area.y, bottom - h);
    return (Rect){fminf(fmaxf(left, x), fmaxf(left, right - w)), y, w, h};
}

/* The neighbourhood of the selected cell, as many columns as fit beside their labels. */
static Matrix neighbours(const StageView *v, int row, int col, float room) {
    Matrix lens = v->lens;
    narrow(&lens.row, row, LENS_ROWS);
    narrow(&lens.col, col, LENS_COLS);
    lens.row.labels = v->lens.row.axis >= 0;
    lens.title = NULL;
    lens.above = lens.left = lens.dim = 0;
    matrix_set_side(&lens.row, LENS_HIGH * v->s, 1);
    matrix_set_side(&lens.col, LENS_WIDE * v->s, 1);
    matrix_settle(&lens, v->scene);
    Rect margins = matrix_margins(&lens);
    int most = (int)((room - margins.x - margins.w) / (LENS_WIDE * v->s));
    if (most >= lens.col.count) return lens;
    narrow(&lens.col, col, most > 1 ? most : 1);
    matrix_set_side(&lens.col, LENS_WIDE * v->s, 1);
    matrix_settle(&lens, v->scene);
    return lens;
}

void stage_lens(StageView *v) {
    int row, col;
    if (!v->has_lens || v->scene->view->presenting || !stage_chosen(v, &v->lens, &row, &col)) return;
    Rect cell = matrix_rect(&v->lens, row, row + 1, col, col + 1), area = free_area(v);
    Matrix lens = neighbours(v, row, col, area.w - 3 * v->pad);
    const char *words = which(v, &lens.col, &v->lens.col);
    Rect margins = matrix_margins(&lens);
    float pad = 1.5f * v->pad, line = words ? v->scene->layout.type[TYPE_SMALL] * 1.3f + v->pad : 0;
    float w = margins.x + matrix_cells_width(&lens) + margins.w + 2 * pad;
    Rect box = beside(v, area, cell, w, margins.y + matrix_cells_height(&lens) + margins.h + line + 2 * pad);
    DlGroup group = {.role = ROLE_STAGE, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(v->dl, "lens")}; /* keeps clicks from what lies below */
    dl_group(v->dl, box, &group);
    dl_rect(v->dl, box, 12, v->theme->panel, v->theme->muted, 1);
    matrix_place(&lens, box.x + pad + margins.x, box.y + pad + margins.y);
    matrix_draw(&lens, v->scene, v->dl);
    matrix_frame(v->scene, v->dl, matrix_rect(&lens, row, row + 1, col, col + 1), v->theme->ink); /* gold is the number itself, once */
    if (words) {
        Rect foot = {box.x + pad, box.y + box.h - pad - line + v->pad, box.w - 2 * pad, line - v->pad};
        dl_label(v->dl, v->scene->font, FACE_UI, v->scene->layout.type[TYPE_SMALL], v->theme->muted, foot, ALIGN_CENTER, words);
    }
    dl_ungroup(v->dl);
}
