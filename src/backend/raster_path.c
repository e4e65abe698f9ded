#include <math.h>

#include "backend/raster_parts.h"

/* Strokes of straight lines along an axis are plain rectangles on whole pixels. */
static void draw_upright(Raster *raster, float x0, float y0, float x1, float y1, float width, Color color) {
    int thick = (int)fmaxf(1, floorf(width * raster->scale + 0.5f));
    float half = (float)thick / 2 / raster->scale;
    SDL_Rect area;
    if (y0 == y1) area = (SDL_Rect){raster_device(raster, fminf(x0, x1)), raster_device(raster, y0 - half), 0, thick};
    else area = (SDL_Rect){raster_device(raster, x0 - half), raster_device(raster, fminf(y0, y1)), thick, 0};
    if (y0 == y1) area.w = raster_device(raster, fmaxf(x0, x1)) - area.x;
    else area.h = raster_device(raster, fmaxf(y0, y1)) - area.y;
    raster_fill(raster, area, color);
}

/* Points in pixels relative to the whole pixel at or before the first one, which is returned. */
typedef struct { int x, y; } Anchor;

static Anchor to_pixels(const Raster *raster, const DlPoint *points, int count, DlPoint *out) {
    float s = raster->scale;
    Anchor anchor = {raster_whole(points[0].x * s), raster_whole(points[0].y * s)};
    for (int i = 0; i < count; i++) out[i] = (DlPoint){points[i].x * s - (float)anchor.x, points[i].y * s - (float)anchor.y};
    return anchor;
}

static Coverage sheet_for(Raster *raster, const DlPoint *points, int count, float more) {
    float x0 = points[0].x, y0 = points[0].y, x1 = x0, y1 = y0;
    for (int i = 1; i < count; i++) {
        x0 = fminf(x0, points[i].x), x1 = fmaxf(x1, points[i].x);
        y0 = fminf(y0, points[i].y), y1 = fmaxf(y1, points[i].y);
    }
    return coverage_for(&raster->scratch, x0 - more, y0 - more, x1 + more, y1 + more);
}

static const Sprite *stroke_sprite(Raster *raster, const DlPoint *points, int count, bool closed, float width) {
    struct { uint32_t closed; float width; } look = {closed, width};
    uint64_t key = textures_key(textures_key(KEY_STROKE, &look, sizeof look), points, (size_t)count * sizeof *points);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = sheet_for(raster, points, count, width / 2 + 1);
    for (int i = 0; i + 1 < count; i++) coverage_add_segment(&sheet, points[i], points[i + 1], width);
    if (closed) coverage_add_segment(&sheet, points[count - 1], points[0], width);
    return raster_keep(raster, key, &sheet);
}

static const Sprite *fill_sprite(Raster *raster, const DlPoint *points, int count) {
    uint64_t key = textures_key(KEY_FILL, points, (size_t)count * sizeof *points);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    Coverage sheet = sheet_for(raster, points, count, 1);
    coverage_add_polygon(&sheet, points, count, &raster->scratch);
    return raster_keep(raster, key, &sheet);
}

static void draw_slanted(Raster *raster, DlPoint a, DlPoint b, Color color, float width) {
    DlPoint ends[2] = {a, b}, pixels[2];
    Anchor anchor = to_pixels(raster, ends, 2, pixels);
    raster_sprite(raster, stroke_sprite(raster, pixels, 2, false, width * raster->scale), anchor.x, anchor.y, color);
}

static void draw_piece(Raster *raster, DlPoint a, DlPoint b, Color color, float width) {
    if (a.x == b.x || a.y == b.y) draw_upright(raster, a.x, a.y, b.x, b.y, width, color);
    else draw_slanted(raster, a, b, color, width);
}

void raster_line(Raster *raster, const DlCommand *command) {
    if ((command->stroke & 0xffu) == 0) return;
    DlPoint a = {command->box.x, command->box.y}, b = {a.x + command->box.w, a.y + command->box.h};
    float length = hypotf(b.x - a.x, b.y - a.y), dash = command->line.dash;
    if (dash <= 0 || length / dash > 4096) {
        draw_piece(raster, a, b, command->stroke, command->width);
        return;
    }
    float ux = (b.x - a.x) / length, uy = (b.y - a.y) / length;
    for (float at = 0; at < length; at += 2 * dash) {
        float end = fminf(at + dash, length);
        DlPoint from = {a.x + ux * at, a.y + uy * at}, to = {a.x + ux * end, a.y + uy * end};
        if (a.y == b.y) from.y = to.y = a.y;
        if (a.x == b.x) from.x = to.x = a.x;
        draw_piece(raster, from, to, command->stroke, command->width);
    }
}

void raster_path(Raster *raster, const DlCommand *command) {
    int count = (int)command->path.count;
    DlPoint *pixels = arena_try_raw(&raster->scratch, (size_t)count, sizeof *pixels);
    if (pixels == NULL) return;
    Anchor anchor = to_pixels(raster, raster->dl->points + command->path.first, count, pixels);
    if ((command->fill & 0xffu) != 0)
        raster_sprite(raster, fill_sprite(raster, pixels, count), anchor.x, anchor.y, command->fill);
    if ((command->stroke & 0xffu) != 0)
        raster_sprite(raster, stroke_sprite(raster, pixels, count, command->path.closed, command->width * raster->scale), anchor.x,
                      anchor.y, command->stroke);
}

typedef struct { float x0, y0, h0, x1, y1, h1; } Band; /* pixels */

static const Sprite *ribbon_sprite(Raster *raster, const Band *band) {
    uint64_t key = textures_key(KEY_RIBBON, band, sizeof *band);
    const Sprite *sprite = textures_find(raster->textures, key);
    if (sprite != NULL) return sprite;
    float m0 = band->y0 + band->h0 / 2, m1 = band->y1 + band->h1 / 2;
    float steep = 1.5f * (m1 - m0) / fmaxf(band->x1 - band->x0, 1), thick = fmaxf(band->h0, band->h1);
    float reach = thick / 2 * sqrtf(1 + steep * steep) + 1;
    Coverage sheet = coverage_for(&raster->scratch, band->x0, fminf(m0, m1) - reach, band->x1, fmaxf(m0, m1) + reach);
    coverage_add_ribbon(&sheet, band->x0, band->y0, band->h0, band->x1, band->y1, band->h1);
    return raster_keep(raster, key, &sheet);
}

void raster_ribbon(Raster *raster, const DlCommand *command) {
    if ((command->fill & 0xffu) == 0 || command->box.w <= 0) return;
    float s = raster->scale;
    int x = raster_whole(command->box.x * s), y = raster_whole(command->ribbon.y0 * s);
    Band band = {.x0 = command->box.x * s - (float)x, .x1 = (command->box.x + command->box.w) * s - (float)x,
                 .y0 = command->ribbon.y0 * s - (float)y, .h0 = command->ribbon.h0 * s,
                 .y1 = command->ribbon.y1 * s - (float)y, .h1 = command->ribbon.h1 * s};
    raster_sprite(raster, ribbon_sprite(raster, &band), x, y, command->fill);
}
