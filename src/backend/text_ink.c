#include "backend/text_ink.h"

#include <math.h>
#include <string.h>

#include "backend/font_shape.h"
#include "backend/text_pictures.h"
#include "base/utf8.h"

enum { SIZE_MAX_PX = 1000, SLANTED_MAX_PX = 100, FINER = 4 };

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

static Coverage copy_ink(const SDL_Surface *surface, const SDL_Rect *ink, int x, int y, Arena *arena) {
    Coverage sheet = coverage_for(arena, (float)(x + ink->x), (float)(y + ink->y), (float)(x + ink->x + ink->w), (float)(y + ink->y + ink->h));
    for (int j = 0; j < sheet.h; j++)
        for (int i = 0; i < sheet.w; i++) sheet.a[j * sheet.w + i] = alpha_at(surface, ink->x + i, ink->y + j);
    return sheet;
}

/* The piece with its pen `x` fine pixels behind the start of the baseline. */
static Coverage draw_letters(Fonts *fonts, const TextPiece *piece, const char *text, const Fineness *fine, float x, Arena *arena) {
    float across = fine->size * (float)fine->across;
    TTF_Font *font = fonts_ttf(fonts, piece, across, fine->size * (float)fine->high);
    if (font == NULL) return (Coverage){0};
    char lead[LEAD_MAX];
    x += 0.5f; /* SDL2_ttf takes the pixel at or before the pen: now it is the nearest */
    float whole = floorf(x), phase = x - whole, ahead = fonts_lead(fonts, piece->file, across, phase, lead);
    size_t blank = strlen(lead), length = piece->to - piece->from;
    char *line = arena_try(arena, blank + length + 1, 1);
    if (line == NULL) return (Coverage){0};
    memcpy(line + (piece->right_to_left ? length : 0), lead, blank); /* at its left in both directions */
    memcpy(line + (piece->right_to_left ? 0 : blank), text + piece->from, length);
    SDL_Surface *surface = TTF_RenderUTF8_Blended(font, line, (SDL_Color){255, 255, 255, 255});
    if (surface == NULL) return (Coverage){0};
    SDL_Rect ink = ink_of(surface);
    Coverage drawn = copy_ink(surface, &ink, (int)whole - (int)lroundf(ahead - phase), -baseline_of(font, line, surface, &ink), arena);
    SDL_FreeSurface(surface);
    return drawn;
}

static void blend(Coverage *sheet, const Coverage *drawn) {
    for (int j = 0; j < drawn->h; j++) {
        uint8_t *to = sheet->a + (drawn->y + j - sheet->y) * sheet->w + drawn->x - sheet->x;
        const uint8_t *from = drawn->a + j * drawn->w;
        for (int i = 0; i < drawn->w; i++) to[i] = (uint8_t)(to[i] + from[i] > 255 ? 255 : to[i] + from[i]);
    }
}

/* On a sheet whose sides are multiples of `across`. */
static Coverage put_together(const Coverage *drawn, int count, int across, Arena *arena) {
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY, unit = (float)across;
    for (int i = 0; i < count; i++) {
        const Coverage *d = &drawn[i];
        if (d->w == 0) continue;
        x0 = fminf(x0, (float)d->x), y0 = fminf(y0, (float)d->y), x1 = fmaxf(x1, (float)(d->x + d->w)), y1 = fmaxf(y1, (float)(d->y + d->h));
    }
    Coverage sheet = coverage_for(arena, floorf(x0 / unit) * unit, y0, ceilf(x1 / unit) * unit, y1);
    for (int i = 0; i < count && sheet.w > 0; i++) blend(&sheet, &drawn[i]);
    return sheet;
}

/* ---- what no font has ---- */

/* An upright bar of the frame, or one across; sides in fine pixels. */
static void add_bar(Coverage *sheet, float x0, float y0, float x1, float y1) {
    coverage_add_rounded(sheet, x0, y0, x1 - x0, y1 - y0, 0, 0);
}

/* The code points in a frame that reaches from below the baseline to above the capitals. */
static Coverage draw_name(Fonts *fonts, const TextPiece *piece, const char *text, const Fineness *fine, float x, Arena *arena) {
    TextName name = fonts_name(fonts, text, piece->from, piece->to);
    TextPiece letters = {.file = FACE_MONO, .to = strlen(name.text), .script = HB_SCRIPT_LATIN};
    Fineness small = {.size = fmaxf(fine->size * name.size, 1), .across = fine->across, .high = fine->high};
    float wide = fine->size * (float)fine->across, high = fine->size * (float)fine->high;
    Coverage word = draw_letters(fonts, &letters, name.text, &small, x + (name.gap + name.inset) * wide, arena);
    word.y -= (int)lroundf(0.12f * high); /* small letters in the middle of the line's capitals */
    float left = floorf(x + name.gap * wide), right = ceilf(x + (name.width - name.gap) * wide);
    float top = floorf(-0.78f * high), bottom = ceilf(0.06f * high), line = fmaxf(1, roundf(high * 0.05f)), upright = line * (float)fine->across / (float)fine->high;
    Coverage sheet = coverage_for(arena, fminf(left, (float)word.x), fminf(top, (float)word.y), fmaxf(right, (float)(word.x + word.w)), fmaxf(bottom, (float)(word.y + word.h)));
    if (sheet.w == 0) return sheet;
    add_bar(&sheet, left, top, left + upright, bottom);
    add_bar(&sheet, right - upright, top, right, bottom);
    add_bar(&sheet, left + upright, top, right - upright, top + line);
    add_bar(&sheet, left + upright, bottom - line, right - upright, bottom);
    blend(&sheet, &word);
    return sheet;
}

static Coverage draw_piece(Fonts *fonts, const TextPiece *piece, const char *text, const Fineness *fine, float x, Arena *arena) {
    if (piece->file == FILE_NAMED) return draw_name(fonts, piece, text, fine, x, arena);
    if (fonts_file(fonts, piece->file)->picture) return text_pictures(fonts, piece, text, fine->size * (float)fine->across, fine->size * (float)fine->high, x, arena);
    return draw_letters(fonts, piece, text, fine, x, arena);
}

/* ---- whole texts ---- */

/* The part of a text between start and end ems, in fine pixels from `origin` ems on. */
typedef struct { float start, end, origin; } Part;

static Coverage draw_part(Fonts *fonts, const TextLook *look, const Fineness *fine, const char *text, const Part *part, Arena *arena) {
    TextPiece *pieces;
    int count = fonts_pieces(fonts, look->face, text, part->start, part->end, arena, &pieces);
    Coverage *drawn = ARENA_ARRAY(arena, Coverage, (size_t)count);
    for (int i = 0; i < count; i++) {
        float x = look->shift + (pieces[i].x - part->origin) * fine->size;
        drawn[i] = draw_piece(fonts, &pieces[i], text, fine, x * (float)fine->across, arena);
    }
    return put_together(drawn, count, fine->across, arena);
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
