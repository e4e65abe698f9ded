#include "backend/text_ink.h"

#include <math.h>
#include <string.h>

#include "backend/font_shape.h"
#include "base/utf8.h"

enum { SIZE_MAX_PX = 1000, SLANTED_MAX_PX = 100, FINER = 4 };

/* A piece as SDL2_ttf drew it: where its pixels lie, and which of them have ink. */
typedef struct { SDL_Surface *surface; int x, y; SDL_Rect ink; } Drawn;

static uint8_t alpha_at(const SDL_Surface *surface, int x, int y) {
    const uint8_t *row = (const uint8_t *)surface->pixels + (ptrdiff_t)y * surface->pitch;
    return (uint8_t)(((const uint32_t *)(const void *)row)[x] >> 24);
}

static bool row_is_bare(const SDL_Surface *surface, int y) {
    for (int x = 0; x < surface->w; x++)
        if (alpha_at(surface, x, y) != 0) return false;
    return true;
}

static bool column_is_bare(const SDL_Surface *surface, int x, int top, int bottom) {
    for (int y = top; y < bottom; y++)
        if (alpha_at(surface, x, y) != 0) return false;
    return true;
}

static SDL_Rect ink_of(const SDL_Surface *surface) {
    int top = 0, bottom = surface->h, left = 0, right = surface->w;
    while (top < bottom && row_is_bare(surface, top)) top++;
    while (bottom > top && row_is_bare(surface, bottom - 1)) bottom--;
    if (top == bottom) return (SDL_Rect){0};
    while (column_is_bare(surface, left, top, bottom)) left++;
    while (column_is_bare(surface, right - 1, top, bottom)) right--;
    return (SDL_Rect){left, top, right - left, bottom - top};
}

/* Rows by which the highest letter rises above the font's ascent. */
static int letters_above(TTF_Font *font, const char *line) {
    int highest = 0;
    for (size_t pos = 0, length = strlen(line); pos < length;) {
        int top = 0;
        TTF_GlyphMetrics32(font, utf8_next(line, length, &pos), NULL, NULL, NULL, &top, NULL);
        if (top > highest) highest = top;
    }
    return highest - TTF_FontAscent(font);
}

/* Row of the baseline. Ink above the ascent makes the surface higher and moves the baseline down; ink below the descent makes
 * it higher too. */
static int baseline_of(TTF_Font *font, const char *line, const SDL_Surface *surface, const SDL_Rect *ink) {
    int more = surface->h - TTF_FontHeight(font), above = ink->y == 0 ? more : 0;
    if (above > 0 && ink->h == surface->h) above = letters_above(font, line);
    return TTF_FontAscent(font) + (above < 0 ? 0 : above > more ? more : above);
}

/* How many pixels are drawn for one of the result. Letters lie at whole pixels in SDL2_ttf, unless it makes each anew for its
 * place; drawn FINER times as wide and averaged they lie at parts of a pixel and are kept. Slanted texts are also drawn higher. */
typedef struct { float size; int across, high; } Fineness;

/* The piece with its pen `x` fine pixels behind the start of the baseline. */
static Drawn draw_piece(Fonts *fonts, const TextPiece *piece, const char *text, const Fineness *fine, float x, Arena *arena) {
    float across = fine->size * (float)fine->across;
    TTF_Font *font = fonts_ttf(fonts, piece, across, fine->size * (float)fine->high);
    if (font == NULL) return (Drawn){0};
    char lead[LEAD_MAX];
    x += 0.5f; /* SDL2_ttf takes the pixel at or before the pen: now it is the nearest */
    float whole = floorf(x), phase = x - whole, ahead = fonts_lead(fonts, piece->file, across, phase, lead);
    size_t blank = strlen(lead), length = piece->to - piece->from;
    char *line = arena_try(arena, blank + length + 1, 1);
    if (line == NULL) return (Drawn){0};
    memcpy(line + (piece->right_to_left ? length : 0), lead, blank); /* at its left in both directions */
    memcpy(line + (piece->right_to_left ? 0 : blank), text + piece->from, length);
    Drawn drawn = {.surface = TTF_RenderUTF8_Blended(font, line, (SDL_Color){255, 255, 255, 255})};
    if (drawn.surface == NULL) return drawn;
    drawn.ink = ink_of(drawn.surface);
    drawn.x = (int)whole - (int)lroundf(ahead - phase);
    drawn.y = -baseline_of(font, line, drawn.surface, &drawn.ink);
    return drawn;
}

static void blend(Coverage *sheet, const Drawn *drawn) {
    for (int j = 0; j < drawn->ink.h; j++) {
        uint8_t *to = sheet->a + (drawn->y + drawn->ink.y + j - sheet->y) * sheet->w + drawn->x + drawn->ink.x - sheet->x;
        for (int i = 0; i < drawn->ink.w; i++) {
            int sum = to[i] + alpha_at(drawn->surface, drawn->ink.x + i, drawn->ink.y + j);
            to[i] = (uint8_t)(sum > 255 ? 255 : sum);
        }
    }
}

/* On a sheet whose sides are multiples of `across`. */
static Coverage put_together(const Drawn *drawn, int count, int across, Arena *arena) {
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, unit = (float)across;
    for (int i = 0; i < count; i++) {
        const SDL_Rect *ink = &drawn[i].ink;
        if (ink->w == 0) continue;
        float x = (float)(drawn[i].x + ink->x), y = (float)(drawn[i].y + ink->y);
        x0 = fminf(x0, x), y0 = fminf(y0, y), x1 = fmaxf(x1, x + (float)ink->w), y1 = fmaxf(y1, y + (float)ink->h);
    }
    Coverage sheet = coverage_for(arena, floorf(x0 / unit) * unit, y0, ceilf(x1 / unit) * unit, y1);
    for (int i = 0; i < count && sheet.w > 0; i++) blend(&sheet, &drawn[i]);
    return sheet;
}

/* The part of a text between start and end ems, in fine pixels from `origin` ems on. */
typedef struct { float start, end, origin; } Part;

static Coverage draw_part(Fonts *fonts, const TextLook *look, const Fineness *fine, const char *text, const Part *part, Arena *arena) {
    TextPiece *pieces;
    int count = fonts_pieces(fonts, look->face, text, part->start, part->end, arena, &pieces);
    Drawn *drawn = ARENA_ARRAY(arena, Drawn, (size_t)count);
    for (int i = 0; i < count; i++) {
        float x = look->shift + (pieces[i].x - part->origin) * fine->size;
        drawn[i] = draw_piece(fonts, &pieces[i], text, fine, x * (float)fine->across, arena);
    }
    Coverage sheet = put_together(drawn, count, fine->across, arena);
    for (int i = 0; i < count; i++) SDL_FreeSurface(drawn[i].surface);
    return sheet;
}

Coverage text_ink(Fonts *fonts, const TextLook *look, const char *text, int tile, Arena *arena) {
    bool slanted = look->angle != 0 && look->angle != 90;
    Fineness fine = {.size = look->size < 1 ? 1 : look->size > SIZE_MAX_PX ? SIZE_MAX_PX : look->size, .across = FINER, .high = 1};
    if (slanted) fine.high = fine.across = fine.size <= SLANTED_MAX_PX ? FINER : 1;
    float ems = TEXT_TILE / fine.size, first = (float)tile * ems;
    Part part = {.start = tile == 0 ? -INFINITY : first, .end = (float)(tile + 1) * ems, .origin = slanted ? 0 : first};
    Coverage sheet = draw_part(fonts, look, &fine, text, &part, arena);
    if (slanted) return coverage_turned(&sheet, look->angle, fine.high, arena);
    Coverage level = coverage_narrowed(&sheet, FINER, arena);
    level.x += tile * TEXT_TILE;
    return look->angle == 90 ? coverage_quarter(&level, arena) : level;
}
