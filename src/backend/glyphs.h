/* Text as coverage: shaped glyphs drawn with FreeType (light hinting, quarter-pixel positions) onto one sheet. Keeps a
 * bounded store of glyph pictures. Knows no SDL. */
#ifndef BACKEND_GLYPHS_H
#define BACKEND_GLYPHS_H

#include "backend/coverage.h"
#include "backend/font_ft.h"

typedef struct Glyphs Glyphs;

enum { TEXT_TILE = 2048 }; /* pixels: longer texts are drawn in pieces of this length */

/* `fonts` is borrowed. Never NULL. */
Glyphs *glyphs_open(Fonts *fonts);
void glyphs_close(Glyphs *glyphs);
/* How a text is set: `size` in pixels, turned counter-clockwise by `angle` degrees about the start of its baseline, which is
 * `shift` pixels (0 to 1) behind the left edge of pixel 0, 0 of the result. */
typedef struct { FontFace face; float size, angle, shift; } TextLook;

/* Piece `tile` (from 0) of a text. Empty when there is no ink. In `arena`. */
Coverage glyphs_text(Glyphs *glyphs, const TextLook *look, const char *text, int tile, Arena *arena);
/* Bytes held by the glyph store. */
size_t glyphs_memory(const Glyphs *glyphs);

#endif
