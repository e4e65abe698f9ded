#include <assert.h>
#include <math.h>
#include <string.h>

#include "backend/raster_parts.h"

/* A map is one texture of device pixels: cells on whole pixels, gaps left clear, corners and signs painted in. Only the part
 * inside the clip is made. */

typedef struct { int from, to; } Span; /* pixels from the window's edge; may lie outside of it */
typedef struct { int w, h; uint8_t *a; } Sign; /* coverage of a slash or a hatching on a cell of this size */

enum { SIGNS = 8 };

typedef struct {
    Raster *raster;
    const DlCells *cells;
    const Color *colors;
    const uint8_t *marks;
    SDL_Rect window;       /* device pixels that are painted */
    uint32_t *pixels;      /* window.w * window.h, ARGB */
    Span *rows, *cols;
    uint8_t *corner;       /* coverage of the upper left corner, n_corner squared */
    int n_corner;
    Sign signs[CELL_MARK_COUNT][SIGNS];
    Color cell_before;     /* whose ink is known: most cells with a sign have one colour */
    uint32_t ink[CELL_MARK_COUNT];
    bool opaque;
} Canvas;

static Span span_in(const Raster *raster, float start, float size, int origin) {
    return (Span){raster_device(raster, start) - origin, raster_device(raster, start + size) - origin};
}

static bool find_spans(Canvas *c, const DlCommand *command) {
    const DlCells *k = c->cells;
    c->rows = arena_try_raw(&c->raster->scratch, (size_t)k->rows, sizeof(Span));
    c->cols = arena_try_raw(&c->raster->scratch, (size_t)k->cols, sizeof(Span));
    if (c->rows == NULL || c->cols == NULL) return false;
    for (int i = 0; i < k->rows; i++) {
        Rect cell = dl_cell_box(command->box, k->rows, k->cols, k->gap, i, 0);
        c->rows[i] = span_in(c->raster, cell.y, cell.h, c->window.y);
    }
    for (int i = 0; i < k->cols; i++) {
        Rect cell = dl_cell_box(command->box, k->rows, k->cols, k->gap, 0, i);
        c->cols[i] = span_in(c->raster, cell.x, cell.w, c->window.x);
    }
    return true;
}

static bool make_corner(Canvas *c) {
    float smallest = 1e9f;
    for (int i = 0; i < c->cells->rows; i++) smallest = fminf(smallest, (float)(c->rows[i].to - c->rows[i].from));
    for (int i = 0; i < c->cells->cols; i++) smallest = fminf(smallest, (float)(c->cols[i].to - c->cols[i].from));
    float radius = fminf(c->cells->radius * c->raster->scale, smallest / 4); /* small cells stay cells, not dots */
    c->n_corner = radius < 1.25f ? 0 : (int)ceilf(radius);
    int n = c->n_corner;
    c->corner = arena_try_raw(&c->raster->scratch, (size_t)(n * n) + 1, 1);
    if (c->corner == NULL) return false;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            float d = hypotf(radius - (float)x - 0.5f, radius - (float)y - 0.5f) - radius;
            bool round = (float)x + 0.5f < radius && (float)y + 0.5f < radius;
            c->corner[y * n + x] = (uint8_t)(round ? coverage_edge(d) * 255 + 0.5f : 255);
        }
    return true;
}

static int clamp(int v, int low, int high) { return v < low ? low : v > high ? high : v; }

static void fill_row(Canvas *c, int row) {
    int y0 = clamp(c->rows[row].from, 0, c->window.h), y1 = clamp(c->rows[row].to, 0, c->window.h);
    if (y0 >= y1) return;
    uint32_t *line = c->pixels + (size_t)y0 * (size_t)c->window.w;
    for (int col = 0; col < c->cells->cols; col++) {
        size_t i = (size_t)row * (size_t)c->cells->cols + (size_t)col;
        if (c->marks[i] == CELL_NONE) continue;
        uint32_t color = raster_argb(c->colors[i]);
        int x1 = clamp(c->cols[col].to, 0, c->window.w);
        for (int x = clamp(c->cols[col].from, 0, c->window.w); x < x1; x++) line[x] = color;
    }
    for (int y = y0 + 1; y < y1; y++)
        memcpy(c->pixels + (size_t)y * (size_t)c->window.w, line, (size_t)c->window.w * sizeof *line);
}

static uint32_t *pixel_at(const Canvas *c, int x, int y) {
    if (x < 0 || y < 0 || x >= c->window.w || y >= c->window.h) return NULL;
    return c->pixels + (size_t)y * (size_t)c->window.w + x;
}

static void round_cell(Canvas *c, Span row, Span col) {
    int n = c->n_corner;
    for (int y = 0; y < n; y++)
        for (int x = 0; x < n; x++) {
            uint32_t cover = c->corner[y * n + x];
            if (cover == 255) continue;
            int xs[2] = {col.from + x, col.to - 1 - x}, ys[2] = {row.from + y, row.to - 1 - y};
            for (int k = 0; k < 4; k++) {
                uint32_t *p = pixel_at(c, xs[k & 1], ys[k >> 1]);
                if (p != NULL) *p = (*p & 0xffffffu) | ((*p >> 24) * cover + 127) / 255 << 24;
            }
        }
}

/* Masked: one short stroke that rises to the right, in the middle. */
static void paint_slash(Coverage *sheet, float scale) {
    float w = (float)sheet->w, h = (float)sheet->h, less = fminf(w, h);
    if (less < 11 * scale) return; /* many would only be noise; the cell's colour and the map's edges must do */
    float reach = fminf(less * 0.22f + 3 * scale, 14 * scale);
    if (reach < 0.5f) reach = 0.5f;
    DlPoint a = {w / 2 - reach, h / 2 + reach * 0.8f}, b = {w / 2 + reach, h / 2 - reach * 0.8f};
    coverage_add_segment(sheet, a, b, fmaxf(1, scale));
}

/* Not a number: the whole cell hatched, falling to the right. */
static void paint_hatching(Coverage *sheet, float scale) {
    float w = (float)sheet->w, h = (float)sheet->h, step = fminf(6 * scale, fmaxf(3, fminf(w, h) / 3));
    for (float x = -h; x < w; x += step) {
        DlPoint a = {x, 0}, b = {x + h, h};
        coverage_add_segment(sheet, a, b, fmaxf(1, step / 4));
    }
}

static void paint_no_sign(Coverage *sheet, float scale) { (void)sheet, (void)scale; }

typedef struct { void (*paint)(Coverage *sheet, float scale); double strength; } SignKind; /* strength: of the ink */

static const SignKind sign_kinds[CELL_MARK_COUNT] = {
    [CELL_VALUE] = {paint_no_sign, 0}, [CELL_MASKED] = {paint_slash, 0.34},   [CELL_NAN] = {paint_hatching, 0.30},
    [CELL_EMPTY] = {paint_no_sign, 0}, [CELL_NONE] = {paint_no_sign, 0},
};
static_assert(CELL_MARK_COUNT == 5, "a row for each look of a cell");

/* Sizes of a map's cells differ by one pixel at most, so a few signs serve all. */
static const Sign *sign_for(Canvas *c, int mark, int w, int h) {
    Sign *slot = &c->signs[mark][(w * 2 + h) % SIGNS];
    if (slot->a != NULL && slot->w == w && slot->h == h) return slot;
    Coverage sheet = coverage_for(&c->raster->scratch, 0, 0, (float)w, (float)h);
    if (sheet.a == NULL) return NULL;
    sign_kinds[mark].paint(&sheet, c->raster->scale);
    *slot = (Sign){w, h, sheet.a};
    return slot;
}

static uint32_t mix(uint32_t below, uint32_t above, uint32_t cover) {
    uint32_t out = below & 0xff000000u; /* signs take the cell's own alpha */
    for (int shift = 0; shift < 24; shift += 8) {
        uint32_t a = below >> shift & 255u, b = above >> shift & 255u;
        out |= (a * (255 - cover) + b * cover + 127) / 255 << shift;
    }
    return out;
}

static uint32_t sign_ink(Canvas *c, int mark, Color cell) {
    if (cell != c->cell_before || c->ink[CELL_MASKED] == 0)
        for (int i = 0; i < CELL_MARK_COUNT; i++) c->ink[i] = raster_argb(color_mix(cell, color_ink_on(cell), sign_kinds[i].strength));
    c->cell_before = cell;
    return c->ink[mark];
}

static void sign_cell(Canvas *c, int mark, Color cell, Span row, Span col) {
    const Sign *sign = sign_for(c, mark, col.to - col.from, row.to - row.from);
    if (sign == NULL) return;
    uint32_t ink = sign_ink(c, mark, cell);
    for (int y = 0; y < sign->h; y++)
        for (int x = 0; x < sign->w; x++) {
            uint32_t *p = sign->a[y * sign->w + x] > 0 ? pixel_at(c, col.from + x, row.from + y) : NULL;
            if (p != NULL) *p = mix(*p, ink, sign->a[y * sign->w + x]);
        }
}

static void finish_row(Canvas *c, int row) {
    for (int col = 0; col < c->cells->cols; col++) {
        size_t i = (size_t)row * (size_t)c->cells->cols + (size_t)col;
        int mark = c->marks[i];
        if (mark == CELL_NONE || mark >= CELL_MARK_COUNT) continue;
        if (sign_kinds[mark].strength > 0) sign_cell(c, mark, c->colors[i], c->rows[row], c->cols[col]);
        if (c->n_corner > 0) round_cell(c, c->rows[row], c->cols[col]);
    }
}

static bool row_seen(const Canvas *c, int row) { return c->rows[row].to > 0 && c->rows[row].from < c->window.h; }

static void paint_cells(Canvas *c) {
    for (int row = 0; row < c->cells->rows; row++) {
        if (!row_seen(c, row)) continue;
        fill_row(c, row);
        finish_row(c, row);
    }
}

/* Which of n cells the pixel covers, when there are more cells than pixels. */
static Span cells_of_pixel(float start, float length, int n, float scale, int pixel) {
    float a = ((float)pixel / scale - start) / length * (float)n, b = ((float)(pixel + 1) / scale - start) / length * (float)n;
    int from = clamp((int)floorf(a + 0.001f), 0, n - 1), to = clamp((int)ceilf(b - 0.001f), 1, n);
    return (Span){from, to > from ? to : from + 1};
}

static uint32_t average(const Canvas *c, Span rows, Span cols) {
    uint64_t sum[4] = {0}, count = 0;
    for (int row = rows.from; row < rows.to; row++)
        for (int col = cols.from; col < cols.to; col++) {
            size_t i = (size_t)row * (size_t)c->cells->cols + (size_t)col;
            if (c->marks[i] == CELL_NONE) continue;
            uint32_t color = raster_argb(c->colors[i]);
            for (int k = 0; k < 4; k++) sum[k] += color >> 8 * k & 255u;
            count++;
        }
    uint32_t out = 0;
    for (int k = 0; k < 4 && count > 0; k++) out |= (uint32_t)((sum[k] + count / 2) / count) << 8 * k;
    return out;
}

static void paint_averages(Canvas *c, const DlCommand *command) {
    float s = c->raster->scale;
    for (int x = 0; x < c->window.w; x++)
        c->cols[x] = cells_of_pixel(command->box.x, command->box.w, c->cells->cols, s, c->window.x + x);
    for (int y = 0; y < c->window.h; y++) {
        Span rows = cells_of_pixel(command->box.y, command->box.h, c->cells->rows, s, c->window.y + y);
        for (int x = 0; x < c->window.w; x++) c->pixels[(size_t)y * (size_t)c->window.w + (size_t)x] = average(c, rows, c->cols[x]);
    }
}

/* No clear pixel: no gaps, no corners, every cell there and solid. */
static bool is_opaque(const Canvas *c) {
    size_t count = (size_t)c->window.w * (size_t)c->window.h;
    for (size_t i = 0; i < count; i++)
        if (c->pixels[i] >> 24 != 255u) return false;
    return true;
}

static bool paint(Canvas *c, const DlCommand *command, float pitch) {
    size_t count = (size_t)c->window.w * (size_t)c->window.h;
    c->pixels = arena_try(&c->raster->scratch, count, sizeof *c->pixels);
    if (c->pixels == NULL) return false;
    if (pitch >= 1) {
        if (!find_spans(c, command) || !make_corner(c)) return false;
        paint_cells(c);
    } else {
        c->cols = arena_try_raw(&c->raster->scratch, (size_t)c->window.w, sizeof(Span));
        if (c->cols == NULL) return false;
        paint_averages(c, command);
    }
    c->opaque = is_opaque(c);
    return true;
}

/* The place of the map, not what it shows. */
static uint64_t key_for(const Canvas *c, const DlCommand *command) {
    const DlCells *k = c->cells;
    struct { float x, y, w, h, gap, radius, scale; int rows, cols, wx, wy, ww, wh; } look = {
        command->box.x, command->box.y, command->box.w, command->box.h, k->gap, k->radius, c->raster->scale, k->rows, k->cols,
        c->window.x, c->window.y, c->window.w, c->window.h};
    return textures_key(KEY_CELLS, &look, sizeof look);
}

static uint64_t content_of(const Canvas *c) {
    size_t count = (size_t)c->cells->rows * (size_t)c->cells->cols;
    return textures_key(textures_key(KEY_CELLS, c->colors, count * sizeof *c->colors), c->marks, count);
}

void raster_cells(Raster *raster, const DlCommand *command) {
    const DlCells *k = &command->cells;
    Canvas c = {.raster = raster, .cells = k, .colors = raster->dl->colors + k->colors, .marks = raster->dl->marks + k->marks};
    SDL_Rect area = raster_device_rect(raster, command->box);
    if (!SDL_IntersectRect(&area, raster_clip(raster), &c.window)) return;
    uint64_t key = key_for(&c, command), content = content_of(&c);
    Sprite *sprite = textures_find(raster->textures, key);
    if (sprite == NULL || sprite->content != content) {
        float pitch = fminf(command->box.w / (float)k->cols, command->box.h / (float)k->rows) * raster->scale;
        if (!paint(&c, command, pitch)) return;
        if (sprite == NULL) sprite = textures_add(raster->textures, key, 0, 0, c.window.w, c.window.h, c.pixels, c.opaque);
        else textures_renew(sprite, content, c.pixels, c.opaque);
        sprite->content = content;
    }
    raster_sprite(raster, sprite, c.window.x, c.window.y, 0xffffffffu);
}
