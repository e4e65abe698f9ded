#include <math.h>

#include "backend/raster_parts.h"

typedef struct { int w, h; float radius, ring; } Mask; /* pixels; ring 0 = filled */

static const Sprite *mask_sprite(Raster *raster, const Mask *mask) {
    uint64_t key = textures_key(KEY_MASK, mask, sizeof *mask);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = coverage_for(&raster->scratch, 0, 0, (float)mask->w, (float)mask->h);
    coverage_add_rounded(&sheet, 0, 0, (float)mask->w, (float)mask->h, mask->radius, mask->ring);
    return raster_keep(raster, key, &sheet);
}

static void fill(Raster *raster, int x, int y, int w, int h, Color color) { raster_fill(raster, (SDL_Rect){x, y, w, h}, color); }

/* The four corners from one small mask whose middle is left out, n pixels a corner. */
static void draw_corners(Raster *raster, SDL_Rect r, int n, const Mask *mask, Color color) {
    const Sprite *sprite = mask_sprite(raster, mask);
    if (sprite->texture == NULL) return;
    SDL_SetTextureColorMod(sprite->texture, (Uint8)(color >> 24), (Uint8)(color >> 16), (Uint8)(color >> 8));
    SDL_SetTextureAlphaMod(sprite->texture, (Uint8)color);
    for (int corner = 0; corner < 4; corner++) {
        int right = corner & 1, low = corner >> 1;
        SDL_Rect from = {right * n, low * n, n, n}, to = {r.x + right * (r.w - n), r.y + low * (r.h - n), n, n};
        SDL_RenderCopy(raster->renderer, sprite->texture, &from, &to);
    }
}

/* ring 0: filled. Otherwise the outermost `ring` pixels. */
static void draw_rounded(Raster *raster, SDL_Rect r, float radius, int ring, Color color) {
    int n = (int)ceilf(fmaxf(radius, (float)ring));
    if (r.w <= 2 * n || r.h <= 2 * n) { /* corners meet: one mask for the whole, as for circles */
        Mask whole = {r.w, r.h, radius, (float)ring};
        raster_sprite(raster, mask_sprite(raster, &whole), r.x, r.y, color);
        return;
    }
    Mask mask = {2 * n, 2 * n, radius, (float)ring};
    draw_corners(raster, r, n, &mask, color);
    int t = ring > 0 ? ring : n;
    fill(raster, r.x + n, r.y, r.w - 2 * n, t, color);
    fill(raster, r.x + n, r.y + r.h - t, r.w - 2 * n, t, color);
    if (ring == 0) t = r.w; /* the whole middle at once */
    fill(raster, r.x, r.y + n, t, r.h - 2 * n, color);
    if (ring > 0) fill(raster, r.x + r.w - t, r.y + n, t, r.h - 2 * n, color);
}

static void draw_square(Raster *raster, SDL_Rect r, int ring, Color color) {
    if (ring == 0 || 2 * ring >= r.w || 2 * ring >= r.h) {
        fill(raster, r.x, r.y, r.w, r.h, color);
        return;
    }
    fill(raster, r.x, r.y, r.w, ring, color);
    fill(raster, r.x, r.y + r.h - ring, r.w, ring, color);
    fill(raster, r.x, r.y + ring, ring, r.h - 2 * ring, color);
    fill(raster, r.x + r.w - ring, r.y + ring, ring, r.h - 2 * ring, color);
}

static void draw_shape(Raster *raster, SDL_Rect r, float radius, int ring, Color color) {
    if (r.w <= 0 || r.h <= 0 || (color & 0xffu) == 0) return;
    radius = fminf(radius, fminf((float)r.w, (float)r.h) / 2);
    if (radius < 0.5f) draw_square(raster, r, ring, color);
    else draw_rounded(raster, r, radius, ring, color);
}

void raster_rect(Raster *raster, const DlCommand *command) {
    SDL_Rect r = raster_device_rect(raster, command->box);
    if (command->box.w > 0 && r.w == 0) r.w = 1; /* thin things stay visible */
    if (command->box.h > 0 && r.h == 0) r.h = 1;
    float radius = command->radius * raster->scale;
    int ring = command->stroke != COLOR_NONE ? (int)fmaxf(1, floorf(command->width * raster->scale + 0.5f)) : 0;
    bool covered = ring > 0 && (command->stroke & 0xffu) == 0xffu;
    if (covered && ring > 1 && radius > 1) { /* the fill must not shine through the soft outer edge of the stroke */
        SDL_Rect inner = {r.x + 1, r.y + 1, r.w - 2, r.h - 2};
        draw_shape(raster, inner, radius - 1, 0, command->fill);
    } else {
        draw_shape(raster, r, radius, 0, command->fill);
    }
    if (ring > 0) draw_shape(raster, r, radius, ring, command->stroke);
}
