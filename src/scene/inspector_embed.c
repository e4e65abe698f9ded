/* Where a token stands: two clock hands that turn with every position, the explained column's own one lit, and the sum E + P. */
#include <math.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

enum { NAMES_MOST = 10 };

/* A clock is a pair of columns, sine and cosine of rate × position. */
typedef struct {
    int pair;    /* from 0 */
    double rate; /* radians a position */
    bool lit;    /* it made the number that is explained */
} Clock;

static double wave_rate(int d_model, int pair) { return pow(10000, -2.0 * pair / d_model); }

/* The clock of a column beside another one; false when this run's positions are no clocks. */
static bool find_clocks(const Inspector *in, int column, Clock clock[2]) {
    const Run *run = in->scene->run;
    const AttentionSpec *spec = &scene_site(in->scene)->spec;
    if (spec->position.kind == POSITION_GIVEN && run->source.clock[0] > 0) {
        int first = run->source.clock_first;
        for (int i = 0; i < 2; i++) clock[i] = (Clock){i, run->source.clock[i], first > 0 && column >= first && (column - first) / 2 == i};
        return true;
    }
    if (spec->position.kind != POSITION_SINUSOIDAL || spec->d_model < 4) return false;
    int pair = column / 2, other = pair > 0 ? 0 : 1;
    Clock own = {pair, wave_rate(spec->d_model, pair), true}, beside = {other, wave_rate(spec->d_model, other), false};
    clock[0] = pair > 0 ? beside : own;
    clock[1] = pair > 0 ? own : beside;
    return true;
}

static DlPoint on_circle(float x, float y, float r, double angle) {
    return (DlPoint){x + r * (float)sin(angle), y - r * (float)cos(angle)};
}

static void draw_name(Inspector *in, DlPoint at, float x, bool here, int token) {
    float s = in->scene->layout.scale, w = 60 * s, h = 18 * s;
    float side = at.x - x; /* names stand outside the circle */
    TextAlign align = fabsf(side) < 12 * s ? ALIGN_CENTER : side > 0 ? ALIGN_LEFT : ALIGN_RIGHT;
    Rect box = {align == ALIGN_CENTER ? at.x - w / 2 : align == ALIGN_LEFT ? at.x : at.x - w, at.y - h / 2, w, h};
    inspector_label(in, TYPE_LABEL, here ? FACE_UI_SEMIBOLD : FACE_UI, here ? in->theme->ink : in->theme->muted, box, align,
                    words_token(scene_site(in->scene)->queries, token, in->scene->arena));
}

static void draw_clock(Inspector *in, float x, float y, float r, const Clock *clock, int token, bool names) {
    const Theme *theme = in->theme;
    float s = in->scene->layout.scale;
    int n = scene_site(in->scene)->queries->n;
    Color hand = clock->lit ? theme->accent : theme->muted;
    dl_rect(in->dl, (Rect){x - r, y - r, 2 * r, 2 * r}, r, theme->background, clock->lit ? theme->accent : theme->line, 2 * s);
    for (int i = 0; i < n && i < 64; i++) {
        if (i == token) continue;
        DlPoint at = on_circle(x, y, r, clock->rate * i);
        float dot = 4 * s;
        dl_rect(in->dl, (Rect){at.x - dot, at.y - dot, 2 * dot, 2 * dot}, dot, theme->faint, COLOR_NONE, 0);
        if (names && clock->rate > 0.25) draw_name(in, on_circle(x, y, r + 15 * s, clock->rate * i), x, false, i);
    }
    DlPoint tip = on_circle(x, y, r, clock->rate * token);
    dl_line(in->dl, x, y, tip.x, tip.y, hand, 3 * s);
    float dot = 7 * s;
    dl_rect(in->dl, (Rect){tip.x - dot, tip.y - dot, 2 * dot, 2 * dot}, dot, hand, COLOR_NONE, 0);
    draw_name(in, on_circle(x, y, r + 15 * s, clock->rate * token), x, true, token);
}

static const char *rate_text(const Inspector *in, const Clock *clock) {
    const char *rate = scene_short_number(in->scene, clock->rate);
    return arena_printf(in->scene->arena, clock->rate == 1 ? tr("clock %d: %s radian a position") : tr("clock %d: %s radians a position"),
                        clock->pair + 1, rate);
}

static float draw_clocks(Inspector *in, Rect box, const Clock clock[2], int token) {
    float s = in->scene->layout.scale, intro = 26 * s, foot = 30 * s, ring = 26 * s;
    float high = (box.h - intro - foot - 2 * ring) / 2, r = fminf(97 * s, fminf(high, box.w / 4 - 60 * s));
    bool names = scene_site(in->scene)->queries->n <= NAMES_MOST && r >= 34 * s;
    if (!names) r = fminf(80 * s, fminf(high, box.w / 4 - 24 * s));
    if (r < 24 * s) return 0;
    RichStyle style = scene_style(in->scene, TYPE_BODY, FACE_UI, in->theme->muted);
    rich_label(in->dl, &style, (Rect){box.x, box.y, box.w, 22 * s}, ALIGN_LEFT,
               tr("Each clock hand turns by the same angle from one position to the next."));
    float y = box.y + intro + ring + r;
    for (int i = 0; i < 2; i++) {
        float x = box.x + box.w * (i ? 0.75f : 0.25f);
        draw_clock(in, x, y, r, &clock[i], token, names);
        style =
            scene_style(in->scene, TYPE_LABEL, clock[i].lit ? FACE_UI_SEMIBOLD : FACE_UI, clock[i].lit ? in->theme->ink : in->theme->muted);
        rich_label(in->dl, &style, (Rect){x - box.w / 4 + 4 * s, y + r + ring, box.w / 2 - 8 * s, 24 * s}, ALIGN_CENTER,
                   rate_text(in, &clock[i]));
    }
    return intro + 2 * ring + 2 * r + foot;
}

/* "E 0.42 + P 0.00" in one row. */
static float draw_sum(Inspector *in, float y) {
    float s = in->scene->layout.scale, h = 34 * s, x = in->inner.x;
    for (int i = 0; i < in->e.n_terms; i++) {
        const Ref *ref = &in->e.terms[i].a;
        if (i) {
            inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, (Rect){x, y, 30 * s, h}, ALIGN_CENTER, "+");
            x += 30 * s;
        }
        RichStyle style = scene_style(in->scene, TYPE_BODY, FACE_UI_SEMIBOLD, in->theme->ink);
        const char *name = words_symbol(trace_tensor(in->scene->run->trace, ref->id)->name);
        float w = rich_width(&style, name) + 8 * s;
        rich_label(in->dl, &style, (Rect){x, y, w, h}, ALIGN_LEFT, name);
        CellScale scale = scene_cell_scale(in->scene, ref->id);
        Rect chip = {x + w, y, 72 * s, h};
        inspector_operand(in, chip, ref->id, ref->index);
        scene_chip(in->scene, in->dl, chip, &scale, ref->value, 3);
        dl_ungroup(in->dl);
        x += w + chip.w;
    }
    return h + 6 * s;
}

float inspector_embed(Inspector *in, Rect box) {
    Clock clock[2] = {{0}};
    float y = box.y, sum = in->e.n_terms > 0 ? 44 * in->scene->layout.scale : 0;
    int token = in->index[0];
    bool clocks = find_clocks(in, in->index[1], clock) && token < scene_site(in->scene)->queries->n && token < 64;
    if (in->selected && !clock[0].lit && !clock[1].lit) clocks = false; /* a column that has nothing to do with positions */
    if (clocks) y += draw_clocks(in, (Rect){box.x, box.y, box.w, box.h - sum}, clock, token);
    if (sum > 0) y += draw_sum(in, y);
    return y - box.y;
}
