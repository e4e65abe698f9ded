/* Pictures that stay with one SDL renderer, by key, bounded in number and bytes: the one that was not used for longest goes
 * first. Textures belong to their renderer and are never shared between two. */
#ifndef BACKEND_TEXTURES_H
#define BACKEND_TEXTURES_H

#include <SDL.h>

#include "base/arena.h"

enum { STRIPS = 16 };

/* x, y: offset from the place it is drawn at. A picture is drawn in upright strips of strip_w pixels, each from its first to
 * its last row with ink: blending clear pixels is what slanted curves would cost most. */
typedef struct {
    SDL_Texture *texture;
    int x, y, w, h, strip_w;
    int16_t top[STRIPS], bottom[STRIPS];
    uint64_t content; /* the maker's hash of what it shows; 0 = the key says it */
} Sprite;
typedef struct Textures Textures;

Textures *textures_open(SDL_Renderer *renderer, size_t bytes_max);
void textures_close(Textures *textures);
/* NULL when it is not there. Valid until the next textures_add. */
Sprite *textures_find(Textures *textures, uint64_t key);
/* Keeps a copy of w*h pixels ARGB8888, straight alpha. w or h 0: a sprite without ink. The texture may be NULL when SDL has
 * no memory: nothing is drawn then. `opaque`: no pixel needs blending. */
Sprite *textures_add(Textures *textures, uint64_t key, int x, int y, int w, int h, const uint32_t *pixels, bool opaque);
/* Other pixels of the same size for a sprite that was found: a map that changes with every frame keeps its texture. */
void textures_renew(Sprite *sprite, uint64_t content, const uint32_t *pixels, bool opaque);
size_t textures_bytes(const Textures *textures);

/* A fast hash of bytes for keys (not for files: it depends on the machine's byte order). */
uint64_t textures_key(uint64_t seed, const void *bytes, size_t size);

#endif
