/* What the files of the SVG writer share. */
#ifndef BACKEND_SVG_PARTS_H
#define BACKEND_SVG_PARTS_H

#include "backend/font_shape.h"
#include "backend/svg.h"
#include "base/str.h"

typedef struct {
    Fonts *fonts;
    const DisplayList *dl;
    const PictureOptions *options;
    Arena *arena, scratch; /* scratch: of one command */
    StrBuf out;
    Err *err;
    bool failed;
    int n_clips, n_shades;
    uint64_t *glyphs;      /* defined so far: file and glyph of each */
    int n_glyphs, glyphs_capacity;
} Svg;

/* A coordinate: two decimals at most, no zeros at the end. With a space before it where `before` is one. */
void svg_number(Svg *svg, char before, double value);
/* Text between tags or in quotes. What XML has no place for becomes U+FFFD. */
void svg_escaped(Svg *svg, const char *text);
/* fill="#rrggbb" fill-opacity="…" or stroke=…; nothing for COLOR_NONE but none. */
void svg_paint(Svg *svg, const char *what, Color color);
void svg_cells(Svg *svg, const DlCommand *command);
void svg_text(Svg *svg, const DlCommand *command);
/* Base 64 of bytes that a picture in the file is made of. */
void svg_base64(Svg *svg, const void *data, size_t size);

#endif
