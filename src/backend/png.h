/* Pictures without a window: a painter draws display lists on a surface in memory, with the code that draws the screen, and
 * PNG is written from that. */
#ifndef BACKEND_PNG_H
#define BACKEND_PNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "backend/fonts.h"
#include "base/arena.h"
#include "base/err.h"
#include "draw/dl.h"

typedef struct { int width, height; const uint8_t *rgba; } Pixels; /* rows from the top, width*4 bytes a row, alpha 255 */
typedef struct Painter Painter;

/* Keeps its caches from picture to picture (frames of a film). `fonts` is borrowed. Never NULL. */
Painter *painter_open(Fonts *fonts);
void painter_close(Painter *painter);
/* `scale` pixels a logical unit. The pixels are valid until the next call. ERR_LIMIT beyond 16384 pixels a side. */
bool painter_draw(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err);

/* One list to one PNG file: written whole or not at all; "-" = standard output. */
bool backend_png_write(Fonts *fonts, const DisplayList *dl, float scale, const char *path, Err *err);
bool backend_png_encode(Fonts *fonts, const DisplayList *dl, float scale, Arena *arena, void **data, size_t *size, Err *err);

#endif
