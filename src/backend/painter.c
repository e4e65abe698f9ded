#include "backend/painter.h"

#include <math.h>
#include <string.h>

#include <SDL.h>

#include "backend/raster.h"
#include "base/tr.h"

enum { SIDE_MAX = 16384 };

struct Painter {
    Arena arena, pixels;
    Fonts *fonts;
    SDL_Surface *surface;
    SDL_Renderer *renderer;
    Raster *raster;
};

Painter *painter_open(Fonts *fonts) {
    Arena arena = {0};
    Painter *painter = ARENA_NEW(&arena, Painter);
    painter->arena = arena;
    painter->fonts = fonts;
    return painter;
}

static void drop_surface(Painter *painter) {
    raster_close(painter->raster);
    if (painter->renderer != NULL) SDL_DestroyRenderer(painter->renderer);
    if (painter->surface != NULL) SDL_FreeSurface(painter->surface);
    painter->raster = NULL;
    painter->renderer = NULL;
    painter->surface = NULL;
}

void painter_close(Painter *painter) {
    if (painter == NULL) return;
    drop_surface(painter);
    arena_free(&painter->pixels);
    Arena arena = painter->arena; /* holds the object itself */
    arena_free(&arena);
}

static bool surface_for(Painter *painter, int width, int height, Err *err) {
    if (painter->surface != NULL && painter->surface->w == width && painter->surface->h == height) return true;
    drop_surface(painter);
    painter->surface = SDL_CreateRGBSurfaceWithFormat(0, width, height, 32, SDL_PIXELFORMAT_XRGB8888);
    if (painter->surface != NULL) painter->renderer = SDL_CreateSoftwareRenderer(painter->surface);
    if (painter->renderer == NULL) {
        drop_surface(painter);
        return err_set(err, ERR_MEMORY, tr("A picture of %d x %d pixels cannot be made: %s"), width, height, SDL_GetError());
    }
    painter->raster = raster_open(painter->renderer, painter->fonts);
    return true;
}

static void copy_row(uint8_t *to, const uint32_t *from, int width) {
    for (int x = 0; x < width; x++, to += 4) {
        to[0] = (uint8_t)(from[x] >> 16), to[1] = (uint8_t)(from[x] >> 8), to[2] = (uint8_t)from[x];
        to[3] = 255;
    }
}

static void copy_surface(const Painter *painter, uint8_t *rgba) {
    const SDL_Surface *surface = painter->surface;
    const uint8_t *source = surface->pixels;
    for (int y = 0; y < surface->h; y++, source += surface->pitch)
        copy_row(rgba + (size_t)y * (size_t)surface->w * 4, (const uint32_t *)(const void *)source, surface->w);
}

static void draw_on(Painter *painter, const DisplayList *dl, Color background, float scale) {
    DisplayList copy = *dl;
    copy.background = background;
    raster_draw(painter->raster, &copy, scale);
    SDL_RenderFlush(painter->renderer);
}

/* What was drawn on black, and `white` the same on white: where they differ the background is seen through. */
static void find_alpha(const Painter *painter, uint8_t *black) {
    const SDL_Surface *surface = painter->surface;
    for (int y = 0; y < surface->h; y++) {
        const uint32_t *white = (const uint32_t *)(const void *)((const uint8_t *)surface->pixels + (size_t)y * (size_t)surface->pitch);
        for (int x = 0; x < surface->w; x++, black += 4) {
            int seen = ((int)(white[x] >> 8 & 255) - black[1]); /* green: each says the same */
            int alpha = 255 - (seen < 0 ? 0 : seen);
            for (int i = 0; i < 3; i++) {
                int color = alpha > 0 ? (black[i] * 255 + alpha / 2) / alpha : 0;
                black[i] = (uint8_t)(color > 255 ? 255 : color);
            }
            black[3] = (uint8_t)alpha;
        }
    }
}

bool painter_draw(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err) {
    float w = ceilf(dl->width * scale), h = ceilf(dl->height * scale);
    if (!(w >= 1 && h >= 1 && w <= SIDE_MAX && h <= SIDE_MAX))
        return err_set(err, ERR_LIMIT, tr("A picture of %.0f x %.0f pixels is outside of 1 to %d pixels a side."), (double)w, (double)h,
                       SIDE_MAX);
    int width = (int)w, height = (int)h;
    if (!surface_for(painter, width, height, err)) return false;
    arena_reset(&painter->pixels);
    uint8_t *rgba = arena_try_raw(&painter->pixels, (size_t)width * (size_t)height, 4);
    if (rgba == NULL) return err_set(err, ERR_MEMORY, tr("There is no memory for a picture of %d x %d pixels."), width, height);
    draw_on(painter, dl, dl->background, scale);
    copy_surface(painter, rgba);
    *out = (Pixels){width, height, rgba};
    return true;
}

bool painter_draw_clear(Painter *painter, const DisplayList *dl, float scale, Pixels *out, Err *err) {
    DisplayList on_black = *dl;
    on_black.background = 0x000000FF;
    if (!painter_draw(painter, &on_black, scale, out, err)) return false;
    draw_on(painter, dl, 0xFFFFFFFF, scale);
    find_alpha(painter, out->rgba);
    return true;
}
