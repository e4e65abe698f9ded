/* Pictures without a window: a painter draws display lists on a surface in memory, with the code that draws the screen. */
#ifndef BACKEND_PAINTER_H
#define BACKEND_PAINTER_H

#include <stdbool.h>
#include <stdint.h>

#include "backend/fonts.h"
#include "base/err.h"
#include "draw/dl.h"

typedef struct { int width, height; uint8_t *rgba; } Pixels; /* rows from the top, width*4 bytes a row, alpha not multiplied in */
typedef struct Painter Painter;

/* Keeps its caches from picture to picture (frames of a film). `fonts` is borrowed. Never NULL. */
Painter *painter_open(Fonts *fonts);
void painter_close(Painter *painter);
/* `scale` pixels a logical unit; alpha 255. The pixels are the painter's, valid until the next call. ERR_LIMIT beyond 16384
 * pixels a side. */
bool painter_draw(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err);
/* The same without the list's background: alpha says how much of what lies below is hidden. */
bool painter_draw_clear(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err);

#endif
