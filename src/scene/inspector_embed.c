/* Where a token stands: two clock hands that turn a little with every position, and the sum E + P. */
#include <math.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

enum { NAMES_MOST = 10 };

/* Radians a position of the two clocks; false when this run's positions are no clocks. */
static bool clock_rates(const Run *run, double rate[2]) {
    if (run->spec.position.kind == POSITION_GIVEN && run->source.clock[0] > 0) {
        rate[0] = run->source.clock[0];
        rate[1] = run->source.clock[1];
        return rate[1] > 0;
    }
    if (run->spec.position.kind != POSITION_SINUSOIDAL || run->spec.d_model < 4) return false;
    rate[0] = 1;
    rate[1] = pow(10000, -2.0 / run->spec.d_model);
    return true;
}

static DlPoint on_circle(float x, float y, float r, double angle) { return (DlPoint){x + r * (float)sin(angle), y - r * (float)cos(angle)}; }

static void draw_name(Inspector *in, DlPoint at, float x, bool here, int token) {
    float s = in->scene->layout.scale, w = 60 * s, h = 18 * s;
    float side = at.x - x; /* names stand outside the circle */
    TextAlign align = fabsf(side) < 12 * s ? ALIGN_CENTER : side > 0 ? ALIGN_LEFT : ALIGN_RIGHT;
    Rect box = {align == ALIGN_CENTER ? at.x - w / 2 : align == ALIGN_LEFT ? at.x : at.x - w, at.y - h / 2, w, h};
    inspector_label(in, TYPE_LABEL, here ? FACE_UI_SEMIBOLD : FACE_UI, here ? in->theme->ink : in->theme->muted, box, align,
                    rich_short(in->scene->arena, in->scene->run->tokens.items[token].label));
}

static void draw_clock(Inspector *in, float x, float y, float r, double rate, int token) {
    const Theme *theme = in->theme;
    float s = in->scene->layout.scale;
    int n = in->scene->run->tokens.n;
    dl_rect(in->dl, (Rect){x - r, y - r, 2 * r, 2 * r}, r, theme->background, theme->line, 2 * s);
    bool names = n <= NAMES_MOST;
    for (int i = 0; i < n && i < 64; i++) {
        if (i == token) continue;
        DlPoint at = on_circle(x, y, r, rate * i);
        float dot = 4 * s;
        dl_rect(in->dl, (Rect){at.x - dot, at.y - dot, 2 * dot, 2 * dot}, dot, theme->faint, COLOR_NONE, 0);
        if (names) draw_name(in, on_circle(x, y, r + 15 * s, rate * i), x, false, i);
    }
    DlPoint tip = on_circle(x, y, r, rate * token);
    dl_line(in->dl, x, y, tip.x, tip.y, theme->accent, 3 * s);
    float dot = 7 * s;
    dl_rect(in->dl, (Rect){tip.x - dot, tip.y - dot, 2 * dot, 2 * dot}, dot, theme->accent, COLOR_NONE, 0);
    draw_name(in, on_circle(x, y, r + 15 * s, rate * token), x, true, token);
}

static float draw_clocks(Inspector *in, Rect box, const double rate[2], int token) {
    float s = in->scene->layout.scale, intro = 30 * s, foot = 34 * s, ring = 30 * s;
    float r = fminf(97 * s, fminf((box.h - intro - foot - 2 * ring) / 2, box.w / 4 - 60 * s));
    if (r < 34 * s) return 0;
    inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, (Rect){box.x, box.y, box.w, 22 * s}, ALIGN_LEFT, tr("Two clock hands turn a little with every position."));
    float y = box.y + intro + ring + r;
    for (int i = 0; i < 2; i++) {
        float x = box.x + box.w * (i ? 0.75f : 0.25f);
        draw_clock(in, x, y, r, rate[i], token);
        char number[NUM_MAX];
        num_double(number, round(rate[i] * 1e4) / 1e4, NUM_SCREEN);
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, (Rect){x - box.w / 4, y + r + ring, box.w / 2, 24 * s}, ALIGN_CENTER,
                        arena_printf(in->scene->arena, tr("%s radians a position"), number));
    }
    return intro + 2 * ring + 2 * r + foot;
}

float inspector_embed(Inspector *in, Rect box) {
    double rate[2];
    float y = box.y, terms = in->e.n_terms > 0 ? 76 * in->scene->layout.scale : 0;
    int token = in->index[0];
    bool clocks = clock_rates(in->scene->run, rate) && token < in->scene->run->tokens.n && token < 64;
    Rect top = {box.x, box.y, box.w, box.h - terms};
    if (clocks) y += draw_clocks(in, top, rate, token);
    if (terms > 0) y += inspector_terms(in, (Rect){box.x, y, box.w, fminf(box.y + box.h - y, terms)});
    return y - box.y;
}
