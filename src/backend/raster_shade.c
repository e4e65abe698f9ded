/* A shade with a round hole: the hole's square is one picture for all places of the hole, four rectangles lie around it. */
#include <math.h>

#include "backend/raster_parts.h"

/* Eased from 0 to 1. */
static float ease(float t) {
    t = fminf(fmaxf(t, 0), 1);
    return t * t * (3 - 2 * t);
}

static const Sprite *hole_sprite(Raster *raster, float clear, int reach) {
    struct { float clear; int reach; } look = {clear, reach};
    uint64_t key = textures_key(KEY_SHADE, &look, sizeof look);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = coverage_for(&raster->scratch, (float)-reach, (float)-reach, (float)reach, (float)reach);
    for (int j = 0; j < sheet.h; j++)
        for (int i = 0; i < sheet.w; i++) {
            float far = hypotf((float)(sheet.x + i) + 0.5f, (float)(sheet.y + j) + 0.5f);
            sheet.a[j * sheet.w + i] = (uint8_t)(255 * ease((far - clear) / fmaxf((float)reach - clear, 1)) + 0.5f);
        }
    return raster_keep(raster, key, &sheet);
}

void raster_shade(Raster *raster, const DlCommand *command) {
    SDL_Rect all = raster_device_rect(raster, command->box), old = *raster_clip(raster), seen;
    int x = raster_device(raster, command->shade.x), y = raster_device(raster, command->shade.y), reach = raster_device(raster, command->shade.reach);
    if ((command->fill & 0xffu) == 0 || !SDL_IntersectRect(&all, &old, &seen)) return;
    SDL_Rect square = {x - reach, y - reach, 2 * reach, 2 * reach}, hole;
    const Sprite *sprite = reach > 0 ? hole_sprite(raster, command->shade.clear * raster->scale, reach) : NULL;
    if (sprite == NULL || !SDL_IntersectRect(&seen, &square, &hole)) {
        raster_fill(raster, seen, command->fill);
        return;
    }
    int right = hole.x + hole.w, bottom = hole.y + hole.h;
    raster_fill(raster, (SDL_Rect){seen.x, seen.y, seen.w, hole.y - seen.y}, command->fill);
    raster_fill(raster, (SDL_Rect){seen.x, bottom, seen.w, seen.y + seen.h - bottom}, command->fill);
    raster_fill(raster, (SDL_Rect){seen.x, hole.y, hole.x - seen.x, hole.h}, command->fill);
    raster_fill(raster, (SDL_Rect){right, hole.y, seen.x + seen.w - right, hole.h}, command->fill);
    SDL_RenderSetClipRect(raster->renderer, &hole);
    raster_sprite(raster, sprite, x, y, command->fill);
    SDL_RenderSetClipRect(raster->renderer, &old);
}
