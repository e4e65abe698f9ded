/* What the files of the PDF writer share. */
#ifndef BACKEND_PDF_PARTS_H
#define BACKEND_PDF_PARTS_H

#include <cairo.h>

#include "backend/font_shape.h"
#include "backend/painter.h"
#include "backend/pdf.h"

typedef struct PdfFonts PdfFonts;

typedef struct {
    Fonts *fonts;
    const DisplayList *dl;
    const PictureOptions *options;
    Arena scratch; /* of one command */
    cairo_t *cr;
    PdfFonts *faces;
    Painter *painter; /* for what is drawn as a picture; NULL until then */
    Err *err;
    bool failed;
} Pdf;

/* A path of the box with round corners; 0 = without. */
void pdf_box(Pdf *pdf, Rect box, float radius);
void pdf_color(Pdf *pdf, Color color);
/* Pixels over `box`, not smoothed. */
void pdf_image(Pdf *pdf, const Pixels *pixels, Rect box);
void pdf_cells(Pdf *pdf, const DlCommand *command);
void pdf_text(Pdf *pdf, const DlCommand *command);
/* The open faces of the files that texts came from. Never NULL. */
PdfFonts *pdf_fonts_open(void);
void pdf_fonts_close(PdfFonts *faces);

#endif
