#include "backend/text_pictures.h"

#include <math.h>

/* Ink of a pixel 0xAARRGGBB, 0 to 1. Bright places keep some, so that the outline of a pale picture shows. */
static float ink_of(uint32_t argb) {
    float red = (float)(argb >> 16 & 0xffu), green = (float)(argb >> 8 & 0xffu), blue = (float)(argb & 0xffu);
    float light = (0.2126f * red + 0.7152f * green + 0.0722f * blue) / 255;
    return (float)(argb >> 24) / 255 * (1 - 0.8f * light);
}

static float ink_at(const SDL_Surface *surface, int x, int y) {
    if (x < 0 || y < 0 || x >= surface->w || y >= surface->h) return 0;
    const uint8_t *row = (const uint8_t *)surface->pixels + (ptrdiff_t)y * surface->pitch;
    return ink_of(((const uint32_t *)(const void *)row)[x]);
}

/* Mean ink of the area x0..x1, y0..y1 of the surface; its pixels count as far as they lie inside. */
static float mean_ink(const SDL_Surface *surface, float x0, float y0, float x1, float y1) {
    float sum = 0, area = 0;
    for (int y = (int)floorf(y0); (float)y < y1; y++)
        for (int x = (int)floorf(x0); (float)x < x1; x++) {
            float wide = fminf(x1, (float)x + 1) - fmaxf(x0, (float)x), high = fminf(y1, (float)y + 1) - fmaxf(y0, (float)y);
            sum += ink_at(surface, x, y) * wide * high;
            area += wide * high;
        }
    return area > 0 ? sum / area : 0;
}

static float advance_of(Fonts *fonts, const TextPiece *piece, const char *text) {
    hb_buffer_t *buffer = fonts_buffer(fonts, 0);
    hb_buffer_add_utf8(buffer, text + piece->from, (int)(piece->to - piece->from), 0, (int)(piece->to - piece->from));
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(fonts_file(fonts, piece->file)->font, buffer, NULL, 0);
    unsigned n = 0;
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
    long advance = 0;
    for (unsigned i = 0; i < n; i++) advance += at[i].x_advance;
    return (float)advance / fonts_file(fonts, piece->file)->upem;
}

/* Such a font has one size, whatever is asked for: the picture is as wide as the text was measured. */
Coverage text_pictures(Fonts *fonts, const TextPiece *piece, const char *text, float across, float high, float x, Arena *arena) {
    TTF_Font *font = fonts_ttf(fonts, piece, across, high);
    const char *line = arena_strndup(arena, text + piece->from, piece->to - piece->from);
    SDL_Surface *surface = font != NULL ? TTF_RenderUTF8_Blended(font, line, (SDL_Color){255, 255, 255, 255}) : NULL;
    if (surface == NULL) return (Coverage){0};
    float wide = advance_of(fonts, piece, text) * across, shrink = (float)surface->w / fmaxf(wide, 1);
    float tall = (float)surface->h / shrink * high / across, shrink_down = (float)surface->h / fmaxf(tall, 1);
    float top = floorf(-0.38f * high - tall / 2); /* centred on the capitals */
    Coverage sheet = coverage_for(arena, floorf(x), top, ceilf(x + wide), ceilf(top + tall));
    for (int j = 0; j < sheet.h; j++)
        for (int i = 0; i < sheet.w; i++) {
            float left = (float)(sheet.x + i) - x, up = (float)(sheet.y + j) - top;
            float ink = mean_ink(surface, left * shrink, up * shrink_down, (left + 1) * shrink, (up + 1) * shrink_down);
            sheet.a[j * sheet.w + i] = (uint8_t)lroundf(255 * ink);
        }
    SDL_FreeSurface(surface);
    return sheet;
}
