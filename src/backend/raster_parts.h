/* What the files of the raster share. */
#ifndef BACKEND_RASTER_PARTS_H
#define BACKEND_RASTER_PARTS_H

#include "backend/coverage.h"
#include "backend/raster.h"
#include "backend/text_ink.h"
#include "backend/textures.h"

enum { CLIPS_MAX = 64 };

struct Raster {
    Arena arena, scratch; /* scratch: of one command */
    SDL_Renderer *renderer;
    Fonts *fonts;
    Textures *textures;
    const DisplayList *dl; /* while drawing */
    float scale;
    SDL_Rect clips[CLIPS_MAX];
    int n_clips; /* clips[0] is the whole target */
};

/* Kinds of cached pictures: the seeds of their keys. */
enum { KEY_TEXT = 1, KEY_MASK, KEY_CELLS, KEY_LINE, KEY_FILL, KEY_STROKE, KEY_RIBBON, KEY_RIBBONS, KEY_SHADE };

int raster_whole(float pixels); /* the whole pixel at or before; any number will do */
int raster_device(const Raster *raster, float logical); /* nearest whole pixel */
SDL_Rect raster_device_rect(const Raster *raster, Rect box);
const SDL_Rect *raster_clip(const Raster *raster); /* the area that can be seen now */
void raster_fill(Raster *raster, SDL_Rect area, Color color);
/* The sprite at pixel x, y (plus its own offset); `tint` multiplies its colour. */
void raster_sprite(Raster *raster, const Sprite *sprite, int x, int y, Color tint);
/* Turns coverage into a cached white sprite at the sheet's place: the colour is given when it is drawn, so that a fading
 * curve is not made again. */
const Sprite *raster_keep(Raster *raster, uint64_t key, const Coverage *sheet);
uint32_t raster_argb(Color color);

void raster_rect(Raster *raster, const DlCommand *command);
void raster_line(Raster *raster, const DlCommand *command);
void raster_path(Raster *raster, const DlCommand *command);
void raster_ribbon(Raster *raster, const DlCommand *command);
/* Many ribbons one behind the other of one colour and any opacity, as one picture: `n` commands from `command`. */
int raster_ribbon_run(const DisplayList *dl, int first); /* how many there are; 0: too few to be worth it */
void raster_ribbons(Raster *raster, const DlCommand *command, int n);
void raster_shade(Raster *raster, const DlCommand *command);
void raster_cells(Raster *raster, const DlCommand *command);
void raster_text(Raster *raster, const DlCommand *command);

#endif
