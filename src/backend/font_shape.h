/* What the drawing parts of this room see of the fonts: shaped glyphs and the open files behind them. Lengths in ems, so
 * that one shaping serves every size; widths are HarfBuzz's unhinted advances everywhere. */
#ifndef BACKEND_FONT_SHAPE_H
#define BACKEND_FONT_SHAPE_H

#include <stddef.h>
#include <stdint.h>

#include <ft2build.h>
#include FT_FREETYPE_H
#include <hb.h>

#include "backend/font_file.h"
#include "backend/font_ft.h"
#include "base/arena.h"

enum { FONT_FILES_MAX = 32 }; /* the program's own and up to 25 of the system's */

typedef struct {
    uint32_t glyph;
    int file;        /* for fonts_file */
    float x, y;      /* pen position, ems, y downwards */
    float advance;   /* ems */
    size_t cluster;  /* byte offset in the text */
} ShapedGlyph;

typedef struct { FT_Face face; hb_font_t *font; hb_blob_t *blob; char *path; int index; float upem; } FontFile;

/* Glyphs of `length` bytes in drawing order, in `arena`; returns the advance width in ems. Any bytes will do: invalid ones
 * are drawn as U+FFFD. glyphs may be NULL when only the width is wanted. */
float fonts_shape(Fonts *fonts, FontFace face, const char *text, size_t length, Arena *arena, ShapedGlyph **glyphs, int *count);
/* The file behind a shaped glyph. */
const FontFile *fonts_file(const Fonts *fonts, int file);

/* For font_shape.c: the file that has all of these code points, best the face's own. Opens fallback files when needed. */
int fonts_file_with(Fonts *fonts, FontFace face, const uint32_t *code_points, int count);
hb_buffer_t *fonts_buffer(Fonts *fonts);

#endif
