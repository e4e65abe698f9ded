/* Text as coverage, made by SDL2_ttf (light hinting, letters at quarters of a pixel): each piece at the place that HarfBuzz
 * measured, all on one sheet. Knows no renderer. */
#ifndef BACKEND_TEXT_INK_H
#define BACKEND_TEXT_INK_H

#include "backend/coverage.h"
#include "backend/fonts.h"

enum { TEXT_TILE = 1024 }; /* pixels: longer texts are drawn in pieces of this length */

/* How a text is set: `size` in pixels, turned counter-clockwise by `angle` degrees about the start of its baseline, which is
 * `shift` pixels (0 to 1) behind the left edge of pixel 0, 0 of the result. */
typedef struct { FontFace face; float size, angle, shift; } TextLook;

/* Part `tile` (from 0) of a text. Empty when there is no ink. In `arena`, which also serves as scratch. */
Coverage text_ink(Fonts *fonts, const TextLook *look, const char *text, int tile, Arena *arena);

#endif
