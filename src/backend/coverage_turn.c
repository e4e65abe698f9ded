#include <assert.h>
#include <math.h>

#include "backend/coverage.h"

Coverage coverage_quarter(const Coverage *sheet, Arena *arena) {
    Coverage out = {.x = sheet->y, .y = -(sheet->x + sheet->w), .w = sheet->h, .h = sheet->w};
    out.a = out.w > 0 ? arena_try_raw(arena, (size_t)out.w * (size_t)out.h, 1) : NULL;
    if (out.a == NULL) return (Coverage){0};
    for (int y = 0; y < sheet->h; y++)
        for (int x = 0; x < sheet->w; x++) out.a[(sheet->w - 1 - x) * out.w + y] = sheet->a[y * sheet->w + x];
    return out;
}

Coverage coverage_narrowed(const Coverage *sheet, int finer, Arena *arena) {
    assert(sheet->x % finer == 0 && sheet->w % finer == 0);
    Coverage out = {.x = sheet->x / finer, .y = sheet->y, .w = sheet->w / finer, .h = sheet->h};
    out.a = out.w > 0 ? arena_try_raw(arena, (size_t)out.w * (size_t)out.h, 1) : NULL;
    if (out.a == NULL) return (Coverage){0};
    const uint8_t *from = sheet->a;
    for (int i = 0; i < out.w * out.h; i++) {
        int sum = finer / 2;
        for (int k = 0; k < finer; k++) sum += *from++;
        out.a[i] = (uint8_t)(sum / finer);
    }
    return out;
}

/* Cosine and sine of a turn, and the sheet that is turned. */
typedef struct { const Coverage *sheet; float c, s; int finer; } Turn;

enum { PROBES = 6 };

/* A pixel of the result is the mean of PROBES * PROBES points of the sheet that lie in it. */
static uint8_t mean_of(const Turn *turn, int px, int py) {
    const Coverage *sheet = turn->sheet;
    float finer = (float)turn->finer, step = finer / PROBES, cx = ((float)px + 0.5f) * finer, cy = ((float)py + 0.5f) * finer;
    float x = cx * turn->c - cy * turn->s - (float)sheet->x, y = cx * turn->s + cy * turn->c - (float)sheet->y;
    if (x < -finer || y < -finer || x > (float)sheet->w + finer || y > (float)sheet->h + finer) return 0;
    int sum = 0;
    for (int j = 0; j < PROBES; j++)
        for (int i = 0; i < PROBES; i++) {
            float dx = ((float)i + 0.5f) * step - finer / 2, dy = ((float)j + 0.5f) * step - finer / 2;
            float at_x = x + dx * turn->c - dy * turn->s, at_y = y + dx * turn->s + dy * turn->c;
            if (at_x >= 0 && at_y >= 0 && at_x < (float)sheet->w && at_y < (float)sheet->h) sum += sheet->a[(int)at_y * sheet->w + (int)at_x];
        }
    return (uint8_t)((sum + PROBES * PROBES / 2) / (PROBES * PROBES));
}

Coverage coverage_turned(const Coverage *sheet, float angle, int finer, Arena *arena) {
    if (sheet->w == 0) return (Coverage){0};
    double radians = (double)angle * 3.14159265358979323846 / 180;
    Turn turn = {.sheet = sheet, .c = (float)cos(radians), .s = (float)sin(radians), .finer = finer};
    float x0 = INFINITY, y0 = INFINITY, x1 = -INFINITY, y1 = -INFINITY;
    for (int corner = 0; corner < 4; corner++) {
        float x = (float)(sheet->x + (corner & 1 ? sheet->w : 0)) / (float)finer;
        float y = (float)(sheet->y + (corner & 2 ? sheet->h : 0)) / (float)finer;
        float tx = x * turn.c + y * turn.s, ty = y * turn.c - x * turn.s;
        x0 = fminf(x0, tx), y0 = fminf(y0, ty), x1 = fmaxf(x1, tx), y1 = fmaxf(y1, ty);
    }
    Coverage out = coverage_for(arena, x0 - 1, y0 - 1, x1 + 1, y1 + 1);
    for (int y = 0; y < out.h; y++)
        for (int x = 0; x < out.w; x++) out.a[y * out.w + x] = mean_of(&turn, out.x + x, out.y + y);
    return out;
}
