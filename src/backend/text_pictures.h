/* Emoji of fonts that hold pictures instead of outlines, as ink of one colour: the darker a place of the picture, the more ink.
 * A text has one colour, also a muted one, and a page can be printed. */
#ifndef BACKEND_TEXT_PICTURES_H
#define BACKEND_TEXT_PICTURES_H

#include "backend/coverage.h"
#include "backend/font_shape.h"

/* The piece at `across` by `high` pixels an em, its pen `x` pixels behind the start of the baseline. */
Coverage text_pictures(Fonts *fonts, const TextPiece *piece, const char *text, float across, float high, float x, Arena *arena);

#endif
