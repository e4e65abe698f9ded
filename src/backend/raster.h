/* Draws a display list with an SDL renderer: the window's, or a software renderer on a surface for files. The same code, so
 * that an exported picture is the picture on the screen. One raster for one renderer. */
#ifndef BACKEND_RASTER_H
#define BACKEND_RASTER_H

#include <SDL.h>

#include "backend/fonts.h"
#include "draw/dl.h"

typedef struct Raster Raster;

/* Both are borrowed and must outlive it. Never NULL. */
Raster *raster_open(SDL_Renderer *renderer, Fonts *fonts);
/* Before the renderer is destroyed. */
void raster_close(Raster *raster);
/* Clears the target with the list's background and draws it, `scale` pixels a logical unit. Does not present. */
void raster_draw(Raster *raster, const DisplayList *dl, float scale);
/* Bytes held by the cache of textures: bounded, whatever is drawn. */
size_t raster_memory(const Raster *raster);

#endif
