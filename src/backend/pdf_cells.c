#include <math.h>

#include "backend/pdf_parts.h"

/* Above so many cells a map is an image: a rectangle each makes files that open slowly. */
enum { RECTANGLES_MOST = 4096 };
/* Cells that touch lie a hair over their neighbours: no viewer shows a seam between them. */
static const float HAIR = 0.15f;

typedef struct { const DlCommand *c; const Color *colors; const uint8_t *marks; } Cells;

static Rect box_of(const Cells *m, int cell) {
    const DlCells *k = &m->c->cells;
    return dl_cell_box(m->c->box, k->rows, k->cols, k->gap, cell / k->cols, cell % k->cols);
}

/* The same corners as on the screen: small cells stay cells, not dots. */
static double radius_of(const DlCommand *c) {
    Rect first = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, 0, 0);
    float radius = fminf(c->cells.radius, fminf(first.w, first.h) / 4);
    return radius < 1.25f ? 0 : (double)radius;
}

static void add_box(cairo_t *cr, double x, double y, double w, double h, double r) {
    if (r <= 0) {
        cairo_rectangle(cr, x, y, w, h);
        return;
    }
    cairo_new_sub_path(cr);
    cairo_arc(cr, x + w - r, y + r, r, -M_PI / 2, 0);
    cairo_arc(cr, x + w - r, y + h - r, r, 0, M_PI / 2);
    cairo_arc(cr, x + r, y + h - r, r, M_PI / 2, M_PI);
    cairo_arc(cr, x + r, y + r, r, M_PI, 3 * M_PI / 2);
    cairo_close_path(cr);
}

static void draw_boxes(Pdf *pdf, const Cells *m) {
    const DlCells *k = &m->c->cells;
    float hair = k->gap > 0 ? 0 : HAIR;
    double radius = radius_of(m->c);
    for (int i = 0; i < k->rows * k->cols; i++) {
        int last = i; /* neighbours of one colour that touch are one */
        if (m->marks[i] == CELL_NONE || (m->colors[i] & 0xff) == 0) continue;
        while (hair > 0 && (last + 1) % k->cols != 0 && m->colors[last + 1] == m->colors[i] && m->marks[last + 1] != CELL_NONE) last++;
        Rect a = box_of(m, i), b = box_of(m, last);
        add_box(pdf->cr, (double)a.x, (double)a.y, (double)(b.x + b.w - a.x + hair), (double)(a.h + hair), radius);
        pdf_color(pdf, m->colors[i]);
        cairo_fill(pdf->cr);
        i = last;
    }
}

static void add_segment(cairo_t *cr, float x0, float y0, float x1, float y1) {
    cairo_move_to(cr, (double)x0, (double)y0);
    cairo_line_to(cr, (double)x1, (double)y1);
}

/* Masked: a short stroke in the middle. */
static void add_slash(cairo_t *cr, Rect box) {
    float reach = fminf(fminf(box.w, box.h) * 0.22f + 3, 14), x = box.x + box.w / 2, y = box.y + box.h / 2;
    add_segment(cr, x - reach, y + reach * 0.8f, x + reach, y - reach * 0.8f);
}

/* Not a number: strokes that fall to the right, each cut at the cell's edges. */
static void add_hatching(cairo_t *cr, Rect box) {
    float step = fminf(6, fmaxf(3, fminf(box.w, box.h) / 3));
    for (float x = -box.h; x < box.w; x += step) {
        float from = fmaxf(0, -x), to = fminf(box.h, box.w - x);
        if (to > from) add_segment(cr, box.x + x + from, box.y + from, box.x + x + to, box.y + to);
    }
}

static void draw_signs(Pdf *pdf, const Cells *m) {
    const DlCells *k = &m->c->cells;
    cairo_set_line_width(pdf->cr, 1);
    for (int i = 0; i < k->rows * k->cols; i++) {
        Rect box = box_of(m, i);
        bool nan = m->marks[i] == CELL_NAN, slash = m->marks[i] == CELL_MASKED && fminf(box.w, box.h) >= 11;
        if (!nan && !slash) continue;
        if (nan) add_hatching(pdf->cr, box);
        else add_slash(pdf->cr, box);
        pdf_color(pdf, color_mix(m->colors[i], color_ink_on(m->colors[i]), nan ? 0.30 : 0.34));
        cairo_stroke(pdf->cr);
    }
}

static void draw_image(Pdf *pdf, const Cells *m) {
    const DlCells *k = &m->c->cells;
    Pixels pixels = {k->cols, k->rows, arena_alloc(&pdf->scratch, (size_t)k->rows * (size_t)k->cols * 4, 1)};
    for (int i = 0; i < k->rows * k->cols; i++) {
        Color color = m->marks[i] == CELL_NONE ? 0 : m->colors[i];
        for (int b = 0; b < 4; b++) pixels.rgba[4 * i + b] = (uint8_t)(color >> (24 - 8 * b));
    }
    pdf_image(pdf, &pixels, m->c->box);
}

void pdf_cells(Pdf *pdf, const DlCommand *command) {
    const DlCells *k = &command->cells;
    Cells m = {command, pdf->dl->colors + k->colors, pdf->dl->marks + k->marks};
    if (k->rows * k->cols > RECTANGLES_MOST) {
        draw_image(pdf, &m);
        return;
    }
    draw_boxes(pdf, &m);
    draw_signs(pdf, &m);
}
