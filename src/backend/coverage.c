#include "backend/coverage.h"

#include <math.h>
#include <string.h>

enum { SIDE_MAX = 8192 };

Coverage coverage_for(Arena *arena, float x0, float y0, float x1, float y1) {
    Coverage sheet = {0};
    if (!(x1 > x0) || !(y1 > y0) || !(fabsf(x0) < 1e6f) || !(fabsf(y0) < 1e6f)) return sheet;
    float w = ceilf(x1) - floorf(x0), h = ceilf(y1) - floorf(y0);
    if (!(w <= SIDE_MAX) || !(h <= SIDE_MAX)) return sheet;
    sheet = (Coverage){.x = (int)floorf(x0), .y = (int)floorf(y0), .w = (int)w, .h = (int)h};
    sheet.a = arena_try(arena, (size_t)sheet.w * (size_t)sheet.h, 1);
    if (sheet.a == NULL) sheet.w = sheet.h = 0;
    return sheet;
}

float coverage_edge(float distance) {
    float c = 0.5f - distance;
    return c < 0 ? 0 : c > 1 ? 1 : c;
}

static void raise_to(uint8_t *pixel, float share) {
    int value = (int)(share * 255 + 0.5f);
    if (value > *pixel) *pixel = (uint8_t)value;
}

/* Signed distance of a point to a rounded rectangle's edge, negative inside. */
static float rounded_distance(float px, float py, float w, float h, float radius) {
    float qx = fabsf(px - w / 2) - (w / 2 - radius), qy = fabsf(py - h / 2) - (h / 2 - radius);
    float ox = qx > 0 ? qx : 0, oy = qy > 0 ? qy : 0;
    float inside = fmaxf(qx, qy);
    return sqrtf(ox * ox + oy * oy) + (inside < 0 ? inside : 0) - radius;
}

void coverage_add_rounded(Coverage *sheet, float x, float y, float w, float h, float radius, float ring) {
    for (int j = 0; j < sheet->h; j++)
        for (int i = 0; i < sheet->w; i++) {
            float d = rounded_distance((float)(sheet->x + i) + 0.5f - x, (float)(sheet->y + j) + 0.5f - y, w, h, radius);
            float share = coverage_edge(d);
            if (ring > 0) share -= coverage_edge(d + ring);
            raise_to(&sheet->a[j * sheet->w + i], share);
        }
}

static float distance_to_segment(float px, float py, DlPoint a, DlPoint b) {
    float dx = b.x - a.x, dy = b.y - a.y, length2 = dx * dx + dy * dy;
    float t = length2 > 0 ? ((px - a.x) * dx + (py - a.y) * dy) / length2 : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    return hypotf(px - a.x - t * dx, py - a.y - t * dy);
}

static int clamp_int(float v, int low, int high) { return v < (float)low ? low : v > (float)high ? high : (int)v; }

/* Pixel columns of one row that a stroke of half width `reach` around the segment can touch. */
static void columns_near(DlPoint a, DlPoint b, float y, float reach, float *x0, float *x1) {
    float low = fminf(a.x, b.x), high = fmaxf(a.x, b.x), dy = b.y - a.y;
    if (fabsf(dy) > 1e-3f) { /* where the band of rows y-reach..y+reach cuts the line */
        float slope = (b.x - a.x) / dy;
        float p = a.x + (y - reach - a.y) * slope, q = a.x + (y + reach - a.y) * slope;
        low = fmaxf(low, fminf(p, q));
        high = fminf(high, fmaxf(p, q));
    }
    *x0 = low - reach;
    *x1 = high + reach;
}

void coverage_add_segment(Coverage *sheet, DlPoint a, DlPoint b, float width) {
    float half = width / 2, reach = half + 1;
    float thin = width < 1 ? width : 1; /* hair lines get paler, not thinner */
    if (half < 0.5f) half = 0.5f;
    int j0 = clamp_int(fminf(a.y, b.y) - reach - (float)sheet->y, 0, sheet->h);
    int j1 = clamp_int(fmaxf(a.y, b.y) + reach + 1 - (float)sheet->y, 0, sheet->h);
    for (int j = j0; j < j1; j++) {
        float y = (float)(sheet->y + j) + 0.5f, x0, x1;
        columns_near(a, b, y, reach + 0.5f, &x0, &x1);
        int i0 = clamp_int(x0 - (float)sheet->x, 0, sheet->w), i1 = clamp_int(x1 + 1 - (float)sheet->x, 0, sheet->w);
        for (int i = i0; i < i1; i++) {
            float d = distance_to_segment((float)(sheet->x + i) + 0.5f, y, a, b);
            raise_to(&sheet->a[j * sheet->w + i], thin * coverage_edge(d - half));
        }
    }
}

enum { SUB_ROWS = 16 }; /* scan lines a pixel; across, coverage is exact */

/* Add the span x0..x1 of one scan line to a row of areas. */
static void add_span(float *row, int w, float x0, float x1) {
    x0 = fmaxf(x0, 0), x1 = fminf(x1, (float)w);
    if (x1 <= x0) return;
    int i0 = (int)x0, i1 = (int)x1;
    if (i0 == i1) {
        row[i0] += x1 - x0;
        return;
    }
    row[i0] += (float)(i0 + 1) - x0;
    for (int i = i0 + 1; i < i1; i++) row[i] += 1;
    if (i1 < w) row[i1] += x1 - (float)i1;
}

/* Where the polygon's edges cross the scan line y, sorted. */
static int crossings(const DlPoint *points, int count, float y, float *out) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        DlPoint a = points[i], b = points[(i + 1) % count];
        if ((a.y <= y) == (b.y <= y)) continue;
        float x = a.x + (y - a.y) * (b.x - a.x) / (b.y - a.y);
        int k = n++;
        for (; k > 0 && out[k - 1] > x; k--) out[k] = out[k - 1];
        out[k] = x;
    }
    return n;
}

void coverage_add_polygon(Coverage *sheet, const DlPoint *points, int count, Arena *scratch) {
    if (sheet->w == 0 || count < 3) return;
    float *row = arena_try(scratch, (size_t)sheet->w + 1, sizeof(float));
    float *cuts = arena_try(scratch, (size_t)count, sizeof(float));
    if (row == NULL || cuts == NULL) return;
    for (int j = 0; j < sheet->h; j++) {
        memset(row, 0, (size_t)sheet->w * sizeof *row);
        for (int s = 0; s < SUB_ROWS; s++) {
            float y = (float)(sheet->y + j) + ((float)s + 0.5f) / SUB_ROWS;
            int n = crossings(points, count, y, cuts);
            for (int k = 0; k + 1 < n; k += 2) add_span(row, sheet->w, cuts[k] - (float)sheet->x, cuts[k + 1] - (float)sheet->x);
        }
        for (int i = 0; i < sheet->w; i++) raise_to(&sheet->a[j * sheet->w + i], fminf(1, row[i] / SUB_ROWS));
    }
}

enum { SUB_COLUMNS = 4 };

typedef struct { float top, bottom; } Slice;

/* The band at x: an eased middle line, as thick across its direction as on the level ends. Empty outside of x0..x1. */
static Slice ribbon_slice(float x, float x0, float y0, float h0, float x1, float y1, float h1) {
    float t = (x - x0) / (x1 - x0);
    if (!(t >= 0 && t <= 1)) return (Slice){0, 0};
    float ease = t * t * (3 - 2 * t), rise = ((y1 + h1 / 2) - (y0 + h0 / 2)) * 6 * t * (1 - t) / (x1 - x0);
    float middle = (y0 + h0 / 2) + ((y1 + h1 / 2) - (y0 + h0 / 2)) * ease;
    float half = (h0 + (h1 - h0) * ease) / 2 * sqrtf(1 + rise * rise);
    return (Slice){middle - half, middle + half};
}

static float overlap(Slice slice, float row) { return fmaxf(0, fminf(slice.bottom, row + 1) - fmaxf(slice.top, row)); }

/* One layer over what is there; opacity -1: the larger of both. */
static void put(uint8_t *at, float covered, float opacity) {
    if (opacity < 0) raise_to(at, covered);
    else *at = (uint8_t)(255.5f - (255 - (float)*at) * (1 - covered * opacity));
}

static void ribbon(Coverage *sheet, float x0, float y0, float h0, float x1, float y1, float h1, float opacity) {
    if (sheet->w == 0 || !(x1 > x0)) return;
    for (int i = 0; i < sheet->w; i++) {
        Slice slices[SUB_COLUMNS];
        float top = 1e9f, bottom = -1e9f;
        for (int s = 0; s < SUB_COLUMNS; s++) {
            Slice slice = ribbon_slice((float)(sheet->x + i) + ((float)s + 0.5f) / SUB_COLUMNS, x0, y0, h0, x1, y1, h1);
            if (slice.bottom > slice.top) top = fminf(top, slice.top), bottom = fmaxf(bottom, slice.bottom);
            slices[s] = slice;
        }
        int j0 = clamp_int(top - (float)sheet->y, 0, sheet->h), j1 = clamp_int(bottom + 1 - (float)sheet->y, 0, sheet->h);
        for (int j = j0; j < j1; j++) {
            float area = 0;
            for (int s = 0; s < SUB_COLUMNS; s++) area += overlap(slices[s], (float)(sheet->y + j));
            put(&sheet->a[j * sheet->w + i], fminf(1, area / SUB_COLUMNS), opacity);
        }
    }
}

void coverage_add_ribbon(Coverage *sheet, float x0, float y0, float h0, float x1, float y1, float h1) { ribbon(sheet, x0, y0, h0, x1, y1, h1, -1); }

void coverage_lay_ribbon(Coverage *sheet, float x0, float y0, float h0, float x1, float y1, float h1, float opacity) {
    ribbon(sheet, x0, y0, h0, x1, y1, h1, opacity);
}
