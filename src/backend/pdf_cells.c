#include "backend/pdf_parts.h"
#include "backend/vector_cells.h"
#include "base/tr.h"

/* Above so many cells a map is an image: a rectangle each makes files that open slowly. */
enum { RECTANGLES_MOST = 4096 };

static void draw_boxes(Pdf *pdf, const VectorCells *m) {
    const DlCells *k = &m->command->cells;
    float hair = k->gap > 0 ? 0 : VECTOR_HAIR, radius = vector_cells_radius(m);
    for (int i = 0; i < m->n; i++) {
        int last = i; /* neighbours of one colour that touch are one */
        if (m->marks[i] == CELL_NONE || (m->colors[i] & 0xff) == 0) continue;
        while (hair > 0 && (last + 1) % k->cols != 0 && m->colors[last + 1] == m->colors[i] && m->marks[last + 1] != CELL_NONE) last++;
        Rect a = vector_cells_box(m, i), b = vector_cells_box(m, last);
        pdf_box(pdf, (Rect){a.x, a.y, b.x + b.w - a.x + hair, a.h + hair}, radius);
        pdf_color(pdf, m->colors[i]);
        cairo_fill(pdf->cr);
        i = last;
    }
}

static void draw_signs(Pdf *pdf, const VectorCells *m) {
    DlPoint ends[VECTOR_SIGN_MOST][2];
    Color color;
    cairo_set_line_width(pdf->cr, 1);
    for (int i = 0; i < m->n; i++) {
        int n = vector_cells_sign(m, i, ends, &color);
        for (int k = 0; k < n; k++) {
            cairo_move_to(pdf->cr, (double)ends[k][0].x, (double)ends[k][0].y);
            cairo_line_to(pdf->cr, (double)ends[k][1].x, (double)ends[k][1].y);
        }
        if (n == 0) continue;
        pdf_color(pdf, color);
        cairo_stroke(pdf->cr);
    }
}

void pdf_cells(Pdf *pdf, const DlCommand *command) {
    VectorCells m = vector_cells(pdf->dl, command);
    if (m.n <= RECTANGLES_MOST) {
        draw_boxes(pdf, &m);
        draw_signs(pdf, &m);
        return;
    }
    Pixels pixels = vector_cells_pixels(&m, &pdf->scratch);
    pdf->failed = pixels.rgba == NULL;
    if (pdf->failed) err_set(pdf->err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), pixels.width, pixels.height);
    else pdf_image(pdf, &pixels, command->box);
}
