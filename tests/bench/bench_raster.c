/* A list until the pixels are there: twelve maps and the labels of their rows and columns on 1920×1080, drawn by SDL's
 * software renderer into memory. */
#include <stdio.h>

#include "backend/raster.h"
#include "base/str.h"
#include "bench.h"
#include "draw/theme.h"

typedef struct {
    Raster *raster;
    SDL_Renderer *renderer;
    DisplayList lists[2]; /* turn and turn about, so that no map is the one that is there already */
    int turns;
} Pixels;

static double run_pixels(void *ctx) {
    Pixels *pixels = ctx;
    raster_draw(pixels->raster, &pixels->lists[pixels->turns++ % 2], 1);
    SDL_RenderFlush(pixels->renderer);
    return -1;
}

static void draw_map(DisplayList *dl, const FontMetrics *font, Rect box, int side, uint64_t *state, Arena *arena) {
    const Theme *theme = theme_at(THEME_LIGHT);
    size_t count = (size_t)side * (size_t)side;
    Color *colors = ARENA_ARRAY(arena, Color, count);
    float *values = ARENA_ARRAY(arena, float, count);
    uint8_t *marks = ARENA_ARRAY(arena, uint8_t, count);
    for (size_t i = 0; i < count; i++) {
        values[i] = (float)random_unit(state);
        colors[i] = theme_weight_color(theme, RAMP_THEME, (double)values[i]);
        marks[i] = CELL_VALUE;
    }
    dl_cells(dl, box, side, side, 0, 0, colors, values, marks, -1, 0, 0, 0);
    for (int i = 0; i < 8; i++) { /* some labels at each side: 16 a map, 192 in all */
        char text[16];
        snprintf(text, sizeof text, "word%d", i * side / 8 + 1);
        float at = (float)i / 8;
        dl_text(dl, font, FACE_UI, 12, theme->ink, box.x - 54, box.y + at * box.h + 12, text);
        dl_text_turned(dl, font, FACE_UI, 12, theme->ink, box.x + at * box.w + 12, box.y - 4, 90, text);
    }
}

/* A picture of `maps` maps in four columns. */
static void fill_list(DisplayList *dl, const FontMetrics *font, int maps, int side, uint64_t *state, Arena *arena) {
    dl_init(dl, arena, 1920, 1080, theme_at(THEME_LIGHT)->background);
    for (int i = 0; i < maps; i++) {
        Rect box = {.x = (float)(60 + i % 4 * 470), .y = (float)(70 + i / 4 * 350), .w = 384, .h = 256};
        draw_map(dl, font, box, side, state, arena);
    }
    dl_finish(dl);
}

bool bench_pixels(const char *name, const Budget *budget, int maps, int side) {
    Err err = {0};
    Arena arena = {0};
    Pixels pixels = {0};
    Fonts *fonts = fonts_open(&err);
    SDL_Surface *surface = SDL_CreateRGBSurfaceWithFormat(0, 1920, 1080, 32, SDL_PIXELFORMAT_ARGB8888);
    pixels.renderer = surface ? SDL_CreateSoftwareRenderer(surface) : NULL;
    bool good = fonts && pixels.renderer;
    if (good) {
        uint64_t state = 1;
        pixels.raster = raster_open(pixels.renderer, fonts);
        for (int i = 0; i < 2; i++) fill_list(&pixels.lists[i], fonts_metrics(fonts), maps, side, &state, &arena);
        bench_print(name, bench_median(budget, run_pixels, &pixels), "ms");
        raster_close(pixels.raster);
    } else {
        fprintf(stderr, "%s: %s\n", name, err.code != ERR_NONE ? err.message : SDL_GetError());
    }
    if (pixels.renderer) SDL_DestroyRenderer(pixels.renderer);
    if (surface) SDL_FreeSurface(surface);
    if (fonts) fonts_close(fonts);
    arena_free(&arena);
    return good;
}
