/* PNG: 8 bits, sRGB, with what the picture is told of (Title, Description) and the scenario that leads back to it in text chunks. */
#ifndef BACKEND_PNG_H
#define BACKEND_PNG_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/painter.h"
#include "backend/picture.h"

/* Drawn with the code that draws the screen. Bytes in `arena`. */
bool picture_png(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err);
/* What was drawn already: a frame of a film. */
bool picture_png_pixels(const Pixels *pixels, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err);
/* The scenario in the chunk "attnscope", in `arena`. NULL and err: no PNG, a broken one, or one without (ERR_INPUT). */
const char *picture_png_scenario(const void *data, size_t size, Arena *arena, Err *err);

#endif
