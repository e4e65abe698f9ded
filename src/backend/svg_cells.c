#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/png.h"
#include "backend/svg_parts.h"

/* Above the first no cell says what it holds, above the second a map is a picture: files that open slowly are of no use. */
enum { TOLD_MOST = 4096, PATHS_MOST = 65536 };
/* Cells that touch lie a hair over their neighbours: no viewer shows a seam between them. */
static const float HAIR = 0.15f;

typedef struct { const DlCommand *c; const Color *colors; const float *values; const uint8_t *marks; } Cells;

static Rect box_of(const Cells *m, int cell) {
    const DlCells *k = &m->c->cells;
    return dl_cell_box(m->c->box, k->rows, k->cols, k->gap, cell / k->cols, cell % k->cols);
}

/* ---- paths ---- */

typedef struct { Color color; int cell; } Painted;

static int by_color(const void *a, const void *b) {
    const Painted *x = a, *y = b;
    if (x->color != y->color) return x->color < y->color ? -1 : 1;
    return x->cell - y->cell;
}

static void add_box(Svg *svg, Rect box, float radius) {
    float w = box.w - 2 * radius, h = box.h - 2 * radius;
    sb_add(&svg->out, "M");
    svg_number(svg, 0, (double)(box.x + radius));
    svg_number(svg, ' ', (double)box.y);
    if (radius <= 0) {
        sb_add(&svg->out, "h"), svg_number(svg, 0, (double)box.w), sb_add(&svg->out, "v"), svg_number(svg, 0, (double)box.h);
        sb_add(&svg->out, "h"), svg_number(svg, 0, (double)-box.w), sb_add(&svg->out, "z");
        return;
    }
    const float sides[4] = {w, h, -w, -h}, corner[4][2] = {{radius, radius}, {-radius, radius}, {-radius, -radius}, {radius, -radius}};
    for (int i = 0; i < 4; i++) {
        sb_add(&svg->out, i % 2 ? "v" : "h");
        svg_number(svg, 0, (double)sides[i]);
        sb_add(&svg->out, "a");
        svg_number(svg, 0, (double)radius), svg_number(svg, ' ', (double)radius);
        sb_add(&svg->out, " 0 0 1");
        svg_number(svg, ' ', (double)corner[i][0]), svg_number(svg, ' ', (double)corner[i][1]);
    }
    sb_add(&svg->out, "z");
}

/* The same corners as on the screen: small cells stay cells, not dots. */
static float radius_of(const DlCommand *c) {
    Rect first = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, 0, 0);
    float radius = fminf(c->cells.radius, fminf(first.w, first.h) / 4);
    return radius < 1.25f ? 0 : radius;
}

static void draw_paths(Svg *svg, const Cells *m) {
    const DlCells *k = &m->c->cells;
    int count = k->rows * k->cols, n = 0;
    float radius = radius_of(m->c), hair = k->gap > 0 ? 0 : HAIR;
    Painted *list = ARENA_ARRAY(&svg->scratch, Painted, (size_t)count);
    for (int i = 0; i < count; i++)
        if (m->marks[i] != CELL_NONE && (m->colors[i] & 0xff) != 0) list[n++] = (Painted){m->colors[i], i};
    qsort(list, (size_t)n, sizeof *list, by_color);
    for (int i = 0; i < n;) {
        Color color = list[i].color;
        sb_add(&svg->out, "<path");
        svg_paint(svg, "fill", color);
        if (hair > 0) sb_add(&svg->out, " shape-rendering=\"crispEdges\"");
        sb_add(&svg->out, " d=\"");
        while (i < n && list[i].color == color) {
            int last = i; /* neighbours of one colour that touch are one */
            while (hair > 0 && last + 1 < n && list[last + 1].color == color && list[last + 1].cell == list[last].cell + 1 && list[last + 1].cell % k->cols != 0) last++;
            Rect a = box_of(m, list[i].cell), b = box_of(m, list[last].cell);
            add_box(svg, (Rect){a.x, a.y, b.x + b.w - a.x + hair, a.h + hair}, radius);
            i = last + 1;
        }
        sb_add(&svg->out, "\"/>\n");
    }
}

/* ---- signs ---- */

static void add_segment(Svg *svg, float x0, float y0, float x1, float y1) {
    sb_add(&svg->out, "M");
    svg_number(svg, 0, (double)x0), svg_number(svg, ' ', (double)y0);
    sb_add(&svg->out, "L");
    svg_number(svg, 0, (double)x1), svg_number(svg, ' ', (double)y1);
}

/* Masked: a short stroke in the middle. */
static void add_slash(Svg *svg, Rect box) {
    float reach = fminf(fminf(box.w, box.h) * 0.22f + 3, 14), x = box.x + box.w / 2, y = box.y + box.h / 2;
    add_segment(svg, x - reach, y + reach * 0.8f, x + reach, y - reach * 0.8f);
}

/* Not a number: strokes that fall to the right, each cut at the cell's edges. */
static void add_hatching(Svg *svg, Rect box) {
    float step = fminf(6, fmaxf(3, fminf(box.w, box.h) / 3));
    for (float x = -box.h; x < box.w; x += step) {
        float from = fmaxf(0, -x), to = fminf(box.h, box.w - x);
        if (to > from) add_segment(svg, box.x + x + from, box.y + from, box.x + x + to, box.y + to);
    }
}

static void draw_signs(Svg *svg, const Cells *m) {
    const DlCells *k = &m->c->cells;
    for (int i = 0; i < k->rows * k->cols; i++) {
        Rect box = box_of(m, i);
        bool nan = m->marks[i] == CELL_NAN, slash = m->marks[i] == CELL_MASKED && fminf(box.w, box.h) >= 11;
        if (!nan && !slash) continue;
        sb_add(&svg->out, "<path d=\"");
        if (nan) add_hatching(svg, box);
        else add_slash(svg, box);
        sb_add(&svg->out, "\" fill=\"none\"");
        svg_paint(svg, "stroke", color_mix(m->colors[i], color_ink_on(m->colors[i]), nan ? 0.30 : 0.34));
        sb_add(&svg->out, " stroke-width=\"1\"/>\n");
    }
}

/* ---- what the cells hold ---- */

/* Rows and columns count from 1, as on the screen. */
static void tell_cells(Svg *svg, const Cells *m) {
    const DlCells *k = &m->c->cells;
    static const char *const marks[CELL_MARK_COUNT] = {[CELL_VALUE] = "", [CELL_MASKED] = " data-mark=\"masked\"", [CELL_NAN] = " data-mark=\"nan\"",
                                                       [CELL_EMPTY] = " data-mark=\"empty\"", [CELL_NONE] = " data-mark=\"none\""};
    sb_add(&svg->out, "<g class=\"cells\" fill=\"none\" pointer-events=\"all\">\n");
    for (int i = 0; i < k->rows * k->cols; i++) {
        Rect box = box_of(m, i);
        double value = (double)m->values[i];
        sb_printf(&svg->out, "<rect data-row=\"%d\" data-column=\"%d\" data-value=\"", k->row0 + i / k->cols + 1, k->col0 + i % k->cols + 1);
        if (isnan(value)) sb_add(&svg->out, "NaN");
        else if (isinf(value)) sb_add(&svg->out, value > 0 ? "Infinity" : "-Infinity");
        else sb_printf(&svg->out, "%.9g", value);
        sb_printf(&svg->out, "\"%s x=\"", marks[m->marks[i]]);
        svg_number(svg, 0, (double)box.x), sb_add(&svg->out, "\" y=\"");
        svg_number(svg, 0, (double)box.y), sb_add(&svg->out, "\" width=\"");
        svg_number(svg, 0, (double)box.w), sb_add(&svg->out, "\" height=\"");
        svg_number(svg, 0, (double)box.h), sb_add(&svg->out, "\"/>\n");
    }
    sb_add(&svg->out, "</g>\n");
}

/* ---- a map with too many cells for paths: a picture of one pixel a cell ---- */

static void draw_picture(Svg *svg, const Cells *m) {
    const DlCells *k = &m->c->cells;
    Pixels pixels = {k->cols, k->rows, arena_alloc(&svg->scratch, (size_t)k->rows * (size_t)k->cols * 4, 1)};
    void *data;
    size_t size;
    for (int i = 0; i < k->rows * k->cols; i++) {
        Color color = m->marks[i] == CELL_NONE ? 0 : m->colors[i];
        for (int b = 0; b < 4; b++) pixels.rgba[4 * i + b] = (uint8_t)(color >> (24 - 8 * b));
    }
    if (!picture_png_pixels(&pixels, &(PictureOptions){.transparent = true}, &svg->scratch, &data, &size, svg->err)) {
        svg->failed = true;
        return;
    }
    sb_add(&svg->out, "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" x=\"");
    svg_number(svg, 0, (double)m->c->box.x), sb_add(&svg->out, "\" y=\"");
    svg_number(svg, 0, (double)m->c->box.y), sb_add(&svg->out, "\" width=\"");
    svg_number(svg, 0, (double)m->c->box.w), sb_add(&svg->out, "\" height=\"");
    svg_number(svg, 0, (double)m->c->box.h), sb_add(&svg->out, "\" href=\"data:image/png;base64,");
    svg_base64(svg, data, size);
    sb_add(&svg->out, "\"/>\n");
}

void svg_cells(Svg *svg, const DlCommand *command) {
    const DlCells *k = &command->cells;
    Cells m = {command, svg->dl->colors + k->colors, svg->dl->values + k->values, svg->dl->marks + k->marks};
    int count = k->rows * k->cols;
    if (count > PATHS_MOST) {
        draw_picture(svg, &m);
        return;
    }
    draw_paths(svg, &m);
    draw_signs(svg, &m);
    if (k->tensor >= 0 && count <= TOLD_MOST) tell_cells(svg, &m);
}
