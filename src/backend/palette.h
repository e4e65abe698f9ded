/* At most 255 colours for a whole film: colours are counted in some of its frames; those of large areas are kept as they are,
 * the rest shared out by median cut (Heckbert, Color image quantization for frame buffer display, 1982). The same pixels in
 * the same order give the same palette. */
#ifndef BACKEND_PALETTE_H
#define BACKEND_PALETTE_H

#include <stdint.h>

#include "backend/painter.h"

enum { PALETTE_MOST = 255 };

typedef struct Palette Palette;

/* Never NULL. */
Palette *palette_open(void);
void palette_close(Palette *palette);
/* Counts the colours of a frame; alpha is not looked at. Not after palette_settle. */
void palette_count(Palette *palette, const Pixels *pixels);
/* Chooses the colours. Returns how many; *rgb: three bytes each, as long as the palette. */
int palette_settle(Palette *palette, const uint8_t **rgb);
/* The nearest colour of each pixel, width*height of them. */
void palette_map(Palette *palette, const Pixels *pixels, uint8_t *indices);

#endif
