#include "scene/empty_rows.h"

#include <math.h>

#include "base/tr.h"
#include "scene/matrix_part.h"
#include "scene/now.h"
#include "scene/paint.h"

/* The mask of the site in view, when what it hides is gone for good. */
static const Tensor *hard_mask(const Scene *scene) {
    TensorId id = scene_find(scene, "mask");
    const Tensor *mask = id == TENSOR_NONE ? NULL : trace_tensor(scene->run->trace, id);
    return mask && tensor_readable(mask) && !isfinite(scene_site(scene)->spec.fill) ? mask : NULL;
}

static bool is_empty(const Tensor *mask, int head, int row) {
    int keys = mask->dim[mask->rank - 1];
    size_t plane = mask->rank == 3 && head < mask->dim[0] ? (size_t)head * (size_t)mask->dim[1] : 0;
    size_t from = (plane + (size_t)row) * (size_t)keys;
    for (int j = 0; j < keys; j++)
        if (tensor_flat(mask, from + (size_t)j) != 0) return false;
    return keys > 0;
}

bool empty_rows_at(const Scene *scene, int head, int row) {
    const Tensor *mask = hard_mask(scene);
    return mask && row >= 0 && row < mask->dim[mask->rank - 2] && is_empty(mask, head, row);
}

bool empty_rows_any(const Scene *scene) {
    const Tensor *mask = hard_mask(scene);
    int rows = mask ? mask->dim[mask->rank - 2] : 0;
    for (int i = 0; i < rows; i++)
        if (is_empty(mask, scene->view->head, i)) return true;
    return false;
}

/* The longest words that fit into `room`; NULL: none do. */
static const char *words_for(const Scene *scene, float size, float room) {
    bool nan = scene_site(scene)->spec.empty_row == EMPTY_ROW_NAN;
    const char *const words[] = {nan ? tr("no key allowed → NaN") : tr("no key allowed → zeros"), nan ? tr("no key → NaN") : tr("no key → 0"),
                                 nan ? "→ NaN" : "→ 0"};
    for (int i = 0; i < 3; i++)
        if (font_width(scene->font, FACE_UI_MEDIUM, size, words[i]) <= room) return words[i];
    return NULL;
}

/* A run of empty rows. The cells are seen beside the words: masked, or NaN. `cell` is kept free. */
static void draw_band(const Scene *scene, Rect band, Rect cell, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale, size = scene->layout.type[band.h >= 24 * s ? TYPE_LABEL : TYPE_SMALL];
    dl_rect(dl, rect_inset(band, 1), 4, COLOR_NONE, theme->error, 1.5f * s); /* inside of the frame of the row in view */
    if (cell.w > 0) {
        Rect left = {band.x, band.y, cell.x - band.x, band.h}, right = {cell.x + cell.w, band.y, band.x + band.w - cell.x - cell.w, band.h};
        band = left.w > right.w ? left : right;
    }
    const char *words = words_for(scene, size, band.w - 16 * s);
    if (!words || band.h < size) return;
    float w = font_width(scene->font, FACE_UI_MEDIUM, size, words) + 12 * s, h = fminf(band.h - 2, size * 1.5f);
    Rect tag = {band.x + (band.w - w) / 2, band.y + (band.h - h) / 2, w, h};
    dl_rect(dl, tag, h / 2, theme->panel, theme->line, 1);
    dl_label(dl, scene->font, FACE_UI_MEDIUM, size, theme->ink, tag, ALIGN_CENTER, words);
}

void empty_rows_draw(const Matrix *m, const Scene *scene, int framed_row, int framed_col, DisplayList *dl) {
    const Tensor *mask = hard_mask(scene);
    int end = m->row.first + m->row.count;
    if (!mask || m->mask == TENSOR_NONE || m->transposed || m->row.block > 1 || m->row.n_kept > 0 || end > mask->dim[mask->rank - 2]) return;
    for (int row = m->row.first; row < end; row++) {
        int from = row;
        while (row < end && is_empty(mask, m->head, row) && matrix_progress(m, scene, row, m->col.first + m->col.count - 1) >= 1) row++;
        bool framed = framed_row >= from && framed_row < row;
        Rect cell = framed ? matrix_rect(m, framed_row, framed_row + 1, framed_col, framed_col + 1) : (Rect){0, 0, 0, 0};
        if (row > from) draw_band(scene, matrix_row_band(m, from, row), cell, dl);
    }
}
