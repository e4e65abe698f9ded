#include "draw/geom.h"

#include <math.h>

static float at_least_zero(float v) { return v > 0 ? v : 0; }

static float between(float v, float low, float high) { return v < low ? low : v > high ? high : v; }

Rect rect_inset(Rect r, float by) {
    return (Rect){r.x + by, r.y + by, at_least_zero(r.w - 2 * by), at_least_zero(r.h - 2 * by)};
}

bool rect_has(Rect r, float x, float y) { return x >= r.x && y >= r.y && x < r.x + r.w && y < r.y + r.h; }

Rect rect_meet(Rect a, Rect b) {
    float x0 = fmaxf(a.x, b.x), y0 = fmaxf(a.y, b.y);
    float x1 = fminf(a.x + a.w, b.x + b.w), y1 = fminf(a.y + a.h, b.y + b.h);
    return (Rect){x0, y0, at_least_zero(x1 - x0), at_least_zero(y1 - y0)};
}

Rect rect_cut_left(Rect *r, float w) {
    w = between(w, 0, at_least_zero(r->w));
    Rect cut = {r->x, r->y, w, r->h};
    r->x += w;
    r->w -= w;
    return cut;
}

Rect rect_cut_right(Rect *r, float w) {
    w = between(w, 0, at_least_zero(r->w));
    r->w -= w;
    return (Rect){r->x + r->w, r->y, w, r->h};
}

Rect rect_cut_top(Rect *r, float h) {
    h = between(h, 0, at_least_zero(r->h));
    Rect cut = {r->x, r->y, r->w, h};
    r->y += h;
    r->h -= h;
    return cut;
}

Rect rect_cut_bottom(Rect *r, float h) {
    h = between(h, 0, at_least_zero(r->h));
    r->h -= h;
    return (Rect){r->x, r->y + r->h, r->w, h};
}

Color color_alpha(Color c, double alpha) {
    double a = alpha > 0 ? (alpha < 1 ? alpha : 1) : 0; /* NaN gives 0 */
    return (c & 0xffffff00u) | (Color)lround(a * 255);
}

Color color_mix(Color a, Color b, double t) {
    double k = t > 0 ? (t < 1 ? t : 1) : 0;
    Color out = 0;
    for (int shift = 24; shift >= 0; shift -= 8) {
        double from = (double)((a >> shift) & 255u), to = (double)((b >> shift) & 255u);
        out |= (Color)lround(from + (to - from) * k) << shift;
    }
    return out;
}

/* sRGB channel to linear light, WCAG 2.1 "relative luminance". */
static double linear_channel(unsigned byte) {
    double c = byte / 255.0;
    return c <= 0.03928 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

double color_luminance(Color c) {
    return 0.2126 * linear_channel((c >> 24) & 255u) + 0.7152 * linear_channel((c >> 16) & 255u) +
           0.0722 * linear_channel((c >> 8) & 255u);
}

double color_contrast(Color a, Color b) {
    double la = color_luminance(a), lb = color_luminance(b);
    return (fmax(la, lb) + 0.05) / (fmin(la, lb) + 0.05);
}

Color color_ink_on(Color cell) { return color_luminance(cell) > 0.179 ? 0x000000ffu : 0xffffffffu; }
