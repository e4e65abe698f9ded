#include "backend/vector_cells.h"

#include <math.h>

VectorCells vector_cells(const DisplayList *dl, const DlCommand *command) {
    const DlCells *k = &command->cells;
    return (VectorCells){command, dl->colors + k->colors, dl->values + k->values, dl->marks + k->marks, k->rows * k->cols};
}

Rect vector_cells_box(const VectorCells *cells, int cell) {
    const DlCells *k = &cells->command->cells;
    return dl_cell_box(cells->command->box, k->rows, k->cols, k->gap, cell / k->cols, cell % k->cols);
}

float vector_cells_radius(const VectorCells *cells) {
    Rect first = vector_cells_box(cells, 0);
    float radius = fminf(cells->command->cells.radius, fminf(first.w, first.h) / 4);
    return radius < 1.25f ? 0 : radius;
}

/* Strokes that fall to the right, each cut at the cell's edges. */
static int hatching(Rect box, DlPoint ends[VECTOR_SIGN_MOST][2]) {
    float step = fminf(6, fmaxf(3, fminf(box.w, box.h) / 3));
    int n = 0;
    step = fmaxf(step, (box.w + box.h) / (VECTOR_SIGN_MOST - 1));
    for (float x = -box.h; x < box.w && n < VECTOR_SIGN_MOST; x += step) {
        float from = fmaxf(0, -x), to = fminf(box.h, box.w - x);
        if (to <= from) continue;
        ends[n][0] = (DlPoint){box.x + x + from, box.y + from};
        ends[n++][1] = (DlPoint){box.x + x + to, box.y + to};
    }
    return n;
}

/* A short stroke in the middle; many in small cells would only be noise. */
static int slash(Rect box, DlPoint ends[VECTOR_SIGN_MOST][2]) {
    float less = fminf(box.w, box.h), reach = fminf(less * 0.22f + 3, 14), x = box.x + box.w / 2, y = box.y + box.h / 2;
    if (less < 11) return 0;
    ends[0][0] = (DlPoint){x - reach, y + reach * 0.8f};
    ends[0][1] = (DlPoint){x + reach, y - reach * 0.8f};
    return 1;
}

int vector_cells_sign(const VectorCells *cells, int cell, DlPoint ends[VECTOR_SIGN_MOST][2], Color *color) {
    bool nan = cells->marks[cell] == CELL_NAN;
    if (!nan && cells->marks[cell] != CELL_MASKED) return 0;
    Color own = cells->colors[cell];
    *color = color_mix(own, color_ink_on(own), nan ? 0.30 : 0.34);
    return nan ? hatching(vector_cells_box(cells, cell), ends) : slash(vector_cells_box(cells, cell), ends);
}

Pixels vector_cells_pixels(const VectorCells *cells, Arena *arena) {
    const DlCells *k = &cells->command->cells;
    Pixels pixels = {k->cols, k->rows, arena_try_raw(arena, (size_t)cells->n, 4)};
    for (int i = 0; pixels.rgba != NULL && i < cells->n; i++) {
        Color color = cells->marks[i] == CELL_NONE ? 0 : cells->colors[i];
        for (int b = 0; b < 4; b++) pixels.rgba[4 * i + b] = (uint8_t)(color >> (24 - 8 * b));
    }
    return pixels;
}
