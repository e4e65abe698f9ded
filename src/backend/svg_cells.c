#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/png.h"
#include "backend/svg_parts.h"
#include "backend/vector_cells.h"
#include "base/tr.h"

/* Above the first no cell says what it holds, above the second a map is a picture: files that open slowly are of no use. */
enum { TOLD_MOST = 4096, PATHS_MOST = 65536 };
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

static void draw_paths(Svg *svg, const VectorCells *m) {
    const DlCells *k = &m->command->cells;
    int n = 0;
    float radius = vector_cells_radius(m), hair = k->gap > 0 ? 0 : VECTOR_HAIR;
    Painted *list = ARENA_ARRAY(&svg->scratch, Painted, (size_t)m->n);
    for (int i = 0; i < m->n; i++)
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
            Rect a = vector_cells_box(m, list[i].cell), b = vector_cells_box(m, list[last].cell);
            add_box(svg, (Rect){a.x, a.y, b.x + b.w - a.x + hair, a.h + hair}, radius);
            i = last + 1;
        }
        sb_add(&svg->out, "\"/>\n");
    }
}

/* ---- signs ---- */

static void draw_signs(Svg *svg, const VectorCells *m) {
    DlPoint ends[VECTOR_SIGN_MOST][2];
    Color color;
    for (int i = 0; i < m->n; i++) {
        int n = vector_cells_sign(m, i, ends, &color);
        if (n == 0) continue;
        sb_add(&svg->out, "<path d=\"");
        for (int k = 0; k < n; k++) {
            sb_add(&svg->out, "M");
            svg_number(svg, 0, (double)ends[k][0].x), svg_number(svg, ' ', (double)ends[k][0].y);
            sb_add(&svg->out, "L");
            svg_number(svg, 0, (double)ends[k][1].x), svg_number(svg, ' ', (double)ends[k][1].y);
        }
        sb_add(&svg->out, "\" fill=\"none\"");
        svg_paint(svg, "stroke", color);
        sb_add(&svg->out, " stroke-width=\"1\"/>\n");
    }
}

/* ---- what the cells hold ---- */

/* Rows and columns count from 1, as on the screen. */
static void tell_cells(Svg *svg, const VectorCells *m) {
    const DlCells *k = &m->command->cells;
    static const char *const marks[CELL_MARK_COUNT] = {[CELL_VALUE] = "", [CELL_MASKED] = " data-mark=\"masked\"", [CELL_NAN] = " data-mark=\"nan\"",
                                                       [CELL_EMPTY] = " data-mark=\"empty\"", [CELL_NONE] = " data-mark=\"none\""};
    sb_add(&svg->out, "<g class=\"cells\" fill=\"none\" pointer-events=\"all\">\n");
    for (int i = 0; i < m->n; i++) {
        Rect box = vector_cells_box(m, i);
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

static void draw_picture(Svg *svg, const VectorCells *m) {
    Pixels pixels = vector_cells_pixels(m, &svg->scratch);
    void *data;
    size_t size;
    if (pixels.rgba == NULL) err_set(svg->err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), pixels.width, pixels.height);
    if (pixels.rgba == NULL || !picture_png_pixels(&pixels, &(PictureOptions){.transparent = true}, &svg->scratch, &data, &size, svg->err)) {
        svg->failed = true;
        return;
    }
    sb_add(&svg->out, "<image preserveAspectRatio=\"none\" style=\"image-rendering:pixelated\" x=\"");
    svg_number(svg, 0, (double)m->command->box.x), sb_add(&svg->out, "\" y=\"");
    svg_number(svg, 0, (double)m->command->box.y), sb_add(&svg->out, "\" width=\"");
    svg_number(svg, 0, (double)m->command->box.w), sb_add(&svg->out, "\" height=\"");
    svg_number(svg, 0, (double)m->command->box.h), sb_add(&svg->out, "\" href=\"data:image/png;base64,");
    svg_base64(svg, data, size);
    sb_add(&svg->out, "\"/>\n");
}

void svg_cells(Svg *svg, const DlCommand *command) {
    VectorCells m = vector_cells(svg->dl, command);
    if (m.n > PATHS_MOST) {
        draw_picture(svg, &m);
        return;
    }
    draw_paths(svg, &m);
    draw_signs(svg, &m);
    if (command->cells.tensor >= 0 && m.n <= TOLD_MOST) tell_cells(svg, &m);
}
