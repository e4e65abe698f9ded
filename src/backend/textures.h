/* Pictures that stay with one SDL renderer, by key, bounded in number and bytes: the one that was not used for longest goes
 * first. Textures belong to their renderer and are never shared between two. */
#ifndef BACKEND_TEXTURES_H
#define BACKEND_TEXTURES_H

#include <SDL.h>

#include "base/arena.h"

typedef struct { SDL_Texture *texture; int x, y, w, h; } Sprite; /* x, y: offset from the place it is drawn at */
typedef struct Textures Textures;

Textures *textures_open(SDL_Renderer *renderer, size_t bytes_max);
void textures_close(Textures *textures);
/* NULL when it is not there. Valid until the next textures_add. */
const Sprite *textures_find(Textures *textures, uint64_t key);
/* Keeps a copy of w*h pixels ARGB8888, straight alpha. w or h 0: a sprite without ink. The texture may be NULL when SDL has
 * no memory: nothing is drawn then. `opaque`: no pixel needs blending. */
const Sprite *textures_add(Textures *textures, uint64_t key, int x, int y, int w, int h, const uint32_t *pixels, bool opaque);
size_t textures_bytes(const Textures *textures);
int textures_count(const Textures *textures);

/* A fast hash of bytes for keys (not for files: it depends on the machine's byte order). */
uint64_t key_of(uint64_t seed, const void *bytes, size_t size);

#endif
