#include "backend/raster.h"

#include <assert.h>
#include <math.h>

#include "backend/raster_parts.h"

enum { TEXTURE_BYTES = 48 << 20 };

Raster *raster_open(SDL_Renderer *renderer, Fonts *fonts) {
    Arena arena = {0};
    Raster *raster = ARENA_NEW(&arena, Raster);
    raster->arena = arena;
    raster->renderer = renderer;
    raster->fonts = fonts;
    raster->textures = textures_open(renderer, TEXTURE_BYTES);
    return raster;
}

void raster_close(Raster *raster) {
    if (raster == NULL) return;
    textures_close(raster->textures);
    arena_free(&raster->scratch);
    Arena arena = raster->arena; /* holds the object itself */
    arena_free(&arena);
}

size_t raster_memory(const Raster *raster) { return textures_bytes(raster->textures); }

int raster_whole(float pixels) {
    const float far = 1e6f; /* beyond any screen; NaN goes there too */
    return !(pixels > -far) ? -1000000 : pixels > far ? 1000000 : (int)floorf(pixels);
}

int raster_device(const Raster *raster, float logical) { return raster_whole(logical * raster->scale + 0.5f); }

SDL_Rect raster_device_rect(const Raster *raster, Rect box) {
    int x0 = raster_device(raster, box.x), y0 = raster_device(raster, box.y);
    return (SDL_Rect){x0, y0, raster_device(raster, box.x + box.w) - x0, raster_device(raster, box.y + box.h) - y0};
}

const SDL_Rect *raster_clip(const Raster *raster) {
    int top = raster->n_clips < CLIPS_MAX ? raster->n_clips : CLIPS_MAX;
    return &raster->clips[top - 1];
}

uint32_t raster_argb(Color color) { return color >> 8 | color << 24; }

void raster_fill(Raster *raster, SDL_Rect area, Color color) {
    if (area.w <= 0 || area.h <= 0 || (color & 0xffu) == 0) return;
    SDL_SetRenderDrawBlendMode(raster->renderer, (color & 0xffu) == 0xffu ? SDL_BLENDMODE_NONE : SDL_BLENDMODE_BLEND);
    SDL_SetRenderDrawColor(raster->renderer, (Uint8)(color >> 24), (Uint8)(color >> 16), (Uint8)(color >> 8), (Uint8)color);
    SDL_RenderFillRect(raster->renderer, &area);
}

void raster_sprite(Raster *raster, const Sprite *sprite, int x, int y, Color tint) {
    if (sprite->texture == NULL) return;
    SDL_SetTextureColorMod(sprite->texture, (Uint8)(tint >> 24), (Uint8)(tint >> 16), (Uint8)(tint >> 8));
    SDL_SetTextureAlphaMod(sprite->texture, (Uint8)tint);
    SDL_Rect to = {x + sprite->x, y + sprite->y, sprite->w, sprite->h};
    if (sprite->strip_w >= sprite->w) {
        SDL_RenderCopy(raster->renderer, sprite->texture, NULL, &to);
        return;
    }
    for (int i = 0; i * sprite->strip_w < sprite->w; i++) {
        int left = i * sprite->strip_w, rest = sprite->w - left, height = sprite->bottom[i] - sprite->top[i];
        SDL_Rect from = {left, sprite->top[i], rest < sprite->strip_w ? rest : sprite->strip_w, height};
        SDL_Rect part = {to.x + left, to.y + sprite->top[i], from.w, height};
        if (height > 0) SDL_RenderCopy(raster->renderer, sprite->texture, &from, &part);
    }
}

const Sprite *raster_keep(Raster *raster, uint64_t key, const Coverage *sheet) {
    size_t count = (size_t)sheet->w * (size_t)sheet->h;
    uint32_t *pixels = arena_try_raw(&raster->scratch, count + 1, sizeof *pixels);
    if (pixels == NULL) return textures_add(raster->textures, key, 0, 0, 0, 0, NULL, false);
    for (size_t i = 0; i < count; i++) pixels[i] = 0xffffffu | (uint32_t)sheet->a[i] << 24;
    return textures_add(raster->textures, key, sheet->x, sheet->y, sheet->w, sheet->h, pixels, false);
}

static void apply_clip(Raster *raster) { SDL_RenderSetClipRect(raster->renderer, raster_clip(raster)); }

static void push_clip(Raster *raster, const DlCommand *command) {
    SDL_Rect area = raster_device_rect(raster, command->box), both;
    if (!SDL_IntersectRect(&area, raster_clip(raster), &both)) both = (SDL_Rect){area.x, area.y, 0, 0};
    if (raster->n_clips < CLIPS_MAX) raster->clips[raster->n_clips] = both;
    raster->n_clips++;
    apply_clip(raster);
}

static void pop_clip(Raster *raster, const DlCommand *command) {
    (void)command;
    raster->n_clips--;
    apply_clip(raster);
}

static void draw_nothing(Raster *raster, const DlCommand *command) { (void)raster, (void)command; }

typedef void Draw(Raster *raster, const DlCommand *command);

static Draw *const drawers[DL_KIND_COUNT] = {
    [DL_CLIP] = push_clip, [DL_UNCLIP] = pop_clip, [DL_GROUP] = draw_nothing, [DL_UNGROUP] = draw_nothing,
    [DL_RECT] = raster_rect, [DL_LINE] = raster_line,  [DL_PATH] = raster_path,     [DL_TEXT] = raster_text,
    [DL_CELLS] = raster_cells, [DL_RIBBON] = raster_ribbon, [DL_SHADE] = raster_shade,
};
static_assert(DL_KIND_COUNT == 11, "a function for each kind of command");

/* Can any ink of the command fall into the clip? */
static bool seen(const Raster *raster, const DlCommand *c) {
    Rect box = c->box;
    float more = c->width + 2;
    if (c->kind == DL_CLIP || c->kind == DL_UNCLIP) return true;
    if (c->kind == DL_GROUP || c->kind == DL_UNGROUP) return false;
    if (c->kind == DL_TEXT) more = c->text.size * 2 + (c->text.angle != 0 ? c->text.width : 0);
    if (c->kind == DL_TEXT) box.w = c->text.width;
    if (c->kind == DL_RIBBON) more = fmaxf(c->ribbon.h0, c->ribbon.h1) + box.h;
    if (box.w < 0) box.x += box.w, box.w = -box.w; /* lines go any way */
    if (box.h < 0) box.y += box.h, box.h = -box.h;
    SDL_Rect area = raster_device_rect(raster, (Rect){box.x - more, box.y - more, box.w + 2 * more, box.h + 2 * more});
    return SDL_HasIntersection(&area, raster_clip(raster));
}

void raster_draw(Raster *raster, const DisplayList *dl, float scale) {
    raster->dl = dl;
    raster->scale = scale;
    raster->n_clips = 1;
    raster->clips[0] = (SDL_Rect){0, 0, (int)ceilf(dl->width * scale), (int)ceilf(dl->height * scale)};
    SDL_RenderSetClipRect(raster->renderer, NULL);
    Color b = dl->background;
    SDL_SetRenderDrawBlendMode(raster->renderer, SDL_BLENDMODE_NONE);
    SDL_SetRenderDrawColor(raster->renderer, (Uint8)(b >> 24), (Uint8)(b >> 16), (Uint8)(b >> 8), 255);
    SDL_RenderClear(raster->renderer);
    for (int i = 0; i < dl->n; i++) {
        int run = dl->commands[i].kind == DL_RIBBON ? raster_ribbon_run(dl, i) : 0;
        if (run > 0) {
            raster_ribbons(raster, &dl->commands[i], run);
            arena_reset(&raster->scratch);
            i += run - 1;
            continue;
        }
        if (!seen(raster, &dl->commands[i])) continue;
        drawers[dl->commands[i].kind](raster, &dl->commands[i]);
        arena_reset(&raster->scratch);
    }
    SDL_RenderSetClipRect(raster->renderer, NULL);
    raster->dl = NULL;
}
