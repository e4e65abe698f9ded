#include "backend/glyphs.h"

#include <math.h>
#include <string.h>

#include "backend/font_shape.h"

#include FT_OUTLINE_H

enum { SLOTS = 8192, SLOTS_USED_MAX = 6000, STORE_MAX = 16 << 20, SIZE_MAX_PX = 1000 };

/* One glyph's picture: size in 1/64 px, its position in quarters of a pixel, its turn in whole degrees. */
typedef struct { uint32_t glyph, size; int16_t file, angle; uint8_t sub_x, sub_y, used; } GlyphKey;
typedef struct { GlyphKey key; int left, top, w, h; uint8_t *pixels; } Picture;

struct Glyphs {
    Arena arena, store, scratch;
    Fonts *fonts;
    Picture slots[SLOTS];
    int n_used;
    uint32_t size_now[FONT_FILES_MAX]; /* what FT_Set_Char_Size was last told */
};

Glyphs *glyphs_open(Fonts *fonts) {
    Arena arena = {0};
    Glyphs *glyphs = ARENA_NEW(&arena, Glyphs);
    glyphs->arena = arena;
    glyphs->fonts = fonts;
    return glyphs;
}

void glyphs_close(Glyphs *glyphs) {
    if (glyphs == NULL) return;
    arena_free(&glyphs->store);
    arena_free(&glyphs->scratch);
    Arena arena = glyphs->arena; /* holds the object itself */
    arena_free(&arena);
}

size_t glyphs_memory(const Glyphs *glyphs) { return glyphs->store.used; }

static void forget_all(Glyphs *glyphs) {
    memset(glyphs->slots, 0, sizeof glyphs->slots);
    glyphs->n_used = 0;
    arena_free(&glyphs->store);
}

static bool load_outline(Glyphs *glyphs, const GlyphKey *key, FT_Face face) {
    if (glyphs->size_now[key->file] != key->size) {
        if (FT_Set_Char_Size(face, 0, (FT_F26Dot6)key->size, 72, 72) != 0) return false;
        glyphs->size_now[key->file] = key->size;
    }
    FT_Int32 flags = FT_LOAD_NO_BITMAP | (key->angle != 0 ? FT_LOAD_NO_HINTING : FT_LOAD_TARGET_LIGHT);
    if (FT_Load_Glyph(face, key->glyph, flags) != 0 || face->glyph->format != FT_GLYPH_FORMAT_OUTLINE) return false;
    if (key->angle != 0) {
        double turn = key->angle * 3.14159265358979323846 / 180;
        FT_Fixed c = (FT_Fixed)lround(cos(turn) * 65536), s = (FT_Fixed)lround(sin(turn) * 65536);
        FT_Matrix matrix = {.xx = c, .xy = -s, .yx = s, .yy = c};
        FT_Outline_Transform(&face->glyph->outline, &matrix);
    }
    FT_Outline_Translate(&face->glyph->outline, key->sub_x * 16, -(key->sub_y * 16));
    return FT_Render_Glyph(face->glyph, FT_RENDER_MODE_NORMAL) == 0;
}

static void draw_picture(Glyphs *glyphs, Picture *picture) {
    FT_Face face = fonts_file(glyphs->fonts, picture->key.file)->face;
    if (!load_outline(glyphs, &picture->key, face)) return;
    const FT_Bitmap *bitmap = &face->glyph->bitmap;
    size_t w = bitmap->width, h = bitmap->rows;
    picture->pixels = arena_try(&glyphs->store, w * h + 1, 1);
    if (picture->pixels == NULL) return;
    picture->left = face->glyph->bitmap_left;
    picture->top = -face->glyph->bitmap_top;
    picture->w = (int)w;
    picture->h = (int)h;
    for (size_t y = 0; y < h; y++) memcpy(picture->pixels + y * w, bitmap->buffer + (ptrdiff_t)y * bitmap->pitch, w);
}

static const Picture *picture_of(Glyphs *glyphs, const GlyphKey *key) {
    if (glyphs->n_used >= SLOTS_USED_MAX || glyphs->store.used > STORE_MAX) forget_all(glyphs);
    uint32_t hash = key->glyph * 0x9e3779b1u ^ key->size * 0x85ebca77u ^ (uint32_t)key->file * 0xc2b2ae3du ^
                    (uint32_t)(key->angle * 64 + key->sub_x * 8 + key->sub_y) * 0x27d4eb2fu;
    hash ^= hash >> 15;
    for (uint32_t i = hash % SLOTS;; i = (i + 1) % SLOTS) {
        Picture *slot = &glyphs->slots[i];
        if (slot->key.used && memcmp(&slot->key, key, sizeof *key) == 0) return slot;
        if (slot->key.used) continue;
        slot->key = *key;
        glyphs->n_used++;
        draw_picture(glyphs, slot);
        return slot;
    }
}

typedef struct { const Picture *picture; int x, y; } Placed;

/* The picture and the whole pixel for a glyph whose pen is at x, y pixels. */
static Placed place(Glyphs *glyphs, const ShapedGlyph *g, uint32_t size, int angle, float x, float y) {
    float fx = floorf(x * 4 + 0.5f) / 4, fy = angle != 0 ? floorf(y * 4 + 0.5f) / 4 : floorf(y + 0.5f);
    float ix = floorf(fx), iy = floorf(fy);
    GlyphKey key;
    memset(&key, 0, sizeof key); /* keys are compared as bytes */
    key.glyph = g->glyph, key.size = size, key.file = (int16_t)g->file, key.angle = (int16_t)angle;
    key.sub_x = (uint8_t)((fx - ix) * 4), key.sub_y = (uint8_t)((fy - iy) * 4), key.used = 1;
    return (Placed){picture_of(glyphs, &key), (int)ix, (int)iy};
}

static void blend(Coverage *sheet, const Placed *p) {
    int x0 = p->x + p->picture->left - sheet->x, y0 = p->y + p->picture->top - sheet->y;
    for (int j = 0; j < p->picture->h; j++) {
        int y = y0 + j;
        if (y < 0 || y >= sheet->h) continue;
        for (int i = 0; i < p->picture->w; i++) {
            int x = x0 + i;
            if (x < 0 || x >= sheet->w) continue;
            uint8_t *to = &sheet->a[y * sheet->w + x];
            int sum = *to + p->picture->pixels[j * p->picture->w + i];
            *to = (uint8_t)(sum > 255 ? 255 : sum);
        }
    }
}

/* Box of the ink of one glyph on the sheet. */
static Rect ink(const Placed *p) {
    return (Rect){(float)(p->x + p->picture->left), (float)(p->y + p->picture->top), (float)p->picture->w, (float)p->picture->h};
}

typedef struct { float size, shift; int angle; float from, to; } TextSpec; /* from..to: pixels along the baseline */

static Placed place_on(Glyphs *glyphs, const TextSpec *spec, const ShapedGlyph *g) {
    float x = g->x * spec->size, y = g->y * spec->size;
    double turn = spec->angle * 3.14159265358979323846 / 180;
    float c = (float)cos(turn), s = (float)sin(turn);
    return place(glyphs, g, (uint32_t)lroundf(spec->size * 64), spec->angle, x * c + y * s + spec->shift, y * c - x * s);
}

static bool in_piece(const TextSpec *spec, const ShapedGlyph *g) {
    float x = g->x * spec->size;
    return x >= spec->from && x < spec->to;
}

static Coverage draw_glyphs(Glyphs *glyphs, const TextSpec *spec, const ShapedGlyph *list, int count, Arena *arena) {
    float x0 = 1e9f, y0 = 1e9f, x1 = -1e9f, y1 = -1e9f;
    for (int i = 0; i < count; i++) {
        if (!in_piece(spec, &list[i])) continue;
        Placed p = place_on(glyphs, spec, &list[i]);
        if (p.picture->w == 0 || p.picture->h == 0) continue;
        Rect r = ink(&p);
        x0 = fminf(x0, r.x), y0 = fminf(y0, r.y), x1 = fmaxf(x1, r.x + r.w), y1 = fmaxf(y1, r.y + r.h);
    }
    Coverage sheet = coverage_for(arena, x0, y0, x1, y1);
    if (sheet.w == 0) return sheet;
    for (int i = 0; i < count; i++) {
        if (!in_piece(spec, &list[i])) continue;
        Placed p = place_on(glyphs, spec, &list[i]);
        blend(&sheet, &p);
    }
    return sheet;
}

/* A quarter turn counter-clockwise, pixel for pixel. */
static Coverage turned(const Coverage *sheet, Arena *arena) {
    Coverage out = {.x = sheet->y, .y = -(sheet->x + sheet->w), .w = sheet->h, .h = sheet->w};
    out.a = arena_try(arena, (size_t)out.w * (size_t)out.h, 1);
    if (out.a == NULL) return (Coverage){0};
    for (int y = 0; y < sheet->h; y++)
        for (int x = 0; x < sheet->w; x++) out.a[(sheet->w - 1 - x) * out.w + y] = sheet->a[y * sheet->w + x];
    return out;
}

Coverage glyphs_text(Glyphs *glyphs, const TextLook *look, const char *text, int tile, Arena *arena) {
    float size = look->size < 1 ? 1 : look->size > SIZE_MAX_PX ? SIZE_MAX_PX : look->size;
    int degrees = (int)lroundf(look->angle) % 360;
    arena_reset(&glyphs->scratch);
    ShapedGlyph *list;
    int count;
    fonts_shape(glyphs->fonts, look->face, text, strlen(text), &glyphs->scratch, &list, &count);
    TextSpec spec = {.size = size, .shift = look->shift, .angle = degrees == 90 ? 0 : degrees,
                     .from = tile == 0 ? -1e9f : (float)tile * TEXT_TILE, .to = (float)(tile + 1) * TEXT_TILE};
    Coverage sheet = draw_glyphs(glyphs, &spec, list, count, arena);
    return degrees == 90 && sheet.w > 0 ? turned(&sheet, arena) : sheet;
}
