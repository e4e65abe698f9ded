/* What each head added to one number of the output: partial sums of its explanation. */
#include <math.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

typedef struct {
    double value;
    Ref largest; /* the operand that counts most: where a click leads */
} Part;

static int width_of(const Inspector *in) { return scene_site(in->scene)->spec.d_v > 0 ? scene_site(in->scene)->spec.d_v : 1; }

/* Terms of concat · w_o by head; the bias, when there is one, comes behind the heads. */
static Part *make_parts(const Inspector *in, int *n) {
    int heads = scene_site(in->scene)->spec.n_heads, width = width_of(in);
    Part *parts = ARENA_ARRAY(in->scene->arena, Part, (size_t)heads + 1);
    double *most = ARENA_ARRAY(in->scene->arena, double, (size_t)heads + 1);
    *n = heads;
    for (int i = 0; i < heads; i++) most[i] = -1;
    for (int i = 0; i < in->e.n_terms; i++) {
        const Term *term = &in->e.terms[i];
        bool bias = term->b.id == TENSOR_NONE;
        int at = bias ? heads : term->a.index[1] / width;
        if (at > heads) continue;
        if (bias) *n = heads + 1;
        parts[at].value += term->value;
        if (fabs(term->value) > most[at] || bias) {
            most[at] = fabs(term->value);
            parts[at].largest = term->a;
        }
    }
    return parts;
}

typedef struct {
    const char *title, *name;
    Color color;
    double share;      /* of half the track, from its middle: -1..1 */
    const char *value; /* "" = not reached */
} PartLook;

/* Zero lies in the middle: what is taken away goes left, what is added right. */
static void draw_bar(Inspector *in, const PartLook *look, Rect track, float radius) {
    float s = in->scene->layout.scale, zero = track.x + track.w / 2, w = (float)fmin(fabs(look->share), 1) * track.w / 2;
    dl_rect(in->dl, track, radius, in->theme->empty_cell, COLOR_NONE, 0);
    if (fabs(look->share) >= 0.0005) {
        w = fmaxf(w, 2 * s);
        dl_rect(in->dl, (Rect){look->share < 0 ? zero - w : zero, track.y, w, track.h}, fminf(radius, w / 2), look->color, COLOR_NONE, 0);
    }
    dl_line(in->dl, zero, track.y - 2 * s, zero, track.y + track.h + 2 * s, in->theme->muted, fmaxf(1, s));
}

/* Mark, title over name, bar, number. */
static void draw_wide(Inspector *in, const PartLook *look, Rect row) {
    float s = in->scene->layout.scale, mark = fminf(40 * s, row.h * 0.7f), x = row.x + 22 * s;
    bool two = look->name && row.h >= 42 * s;
    dl_rect(in->dl, (Rect){row.x, row.y + (row.h - mark) / 2, 9 * s, mark}, 4 * s, look->color, COLOR_NONE, 0);
    float label_w = row.w * 0.3f, number_w = 76 * s, bar_h = fminf(22 * s, row.h * 0.6f);
    Rect label = {x, row.y, label_w - 22 * s, two ? row.h * 0.55f : row.h};
    inspector_label(in, TYPE_BODY, FACE_UI_SEMIBOLD, in->theme->ink, label, ALIGN_LEFT, look->title);
    if (two)
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, (Rect){x, row.y + row.h * 0.48f, label.w, row.h * 0.4f}, ALIGN_LEFT,
                        look->name);
    Rect track = {row.x + label_w + 8 * s, row.y + (row.h - bar_h) / 2, row.w - label_w - number_w - 16 * s, bar_h};
    draw_bar(in, look, track, 4 * s);
    inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->ink, row, ALIGN_RIGHT, look->value);
}

/* Title, name and number in a line; the bar below it where there is room. */
static void draw_slim(Inspector *in, const PartLook *look, Rect row) {
    float s = in->scene->layout.scale, bar_h = 8 * s, x = row.x + 16 * s;
    bool bar = row.h >= 34 * s;
    Rect line = {x, row.y, row.w - 16 * s, bar ? row.h - bar_h - 6 * s : row.h};
    dl_rect(in->dl, (Rect){row.x, row.y + 2 * s, 7 * s, row.h - 4 * s}, 3 * s, look->color, COLOR_NONE, 0);
    float w = inspector_label(in, TYPE_BODY, FACE_UI_SEMIBOLD, in->theme->ink, line, ALIGN_LEFT, look->title) + 8 * s;
    Rect name = {x + w, line.y, line.w - w - 60 * s, line.h};
    if (look->name) inspector_label(in, TYPE_SMALL, FACE_UI, in->theme->muted, name, ALIGN_LEFT, look->name);
    inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->ink, line, ALIGN_RIGHT, look->value);
    if (bar) draw_bar(in, look, (Rect){x, row.y + row.h - bar_h - 2 * s, row.w - 16 * s, bar_h}, bar_h / 2);
}

static void draw_part(Inspector *in, const Part *part, int i, double scale, Rect row, bool reached) {
    bool bias = i == scene_site(in->scene)->spec.n_heads;
    PartLook look = {.name = bias ? NULL : words_head_job(in->scene->run, i),
                     .color = bias ? in->theme->muted : scene_head_color(in->theme, i)};
    look.title = bias ? tr("bias") : arena_printf(in->scene->arena, tr("head %d"), i + 1);
    look.share = reached && scale > 0 ? part->value / scale : 0;
    look.value = reached ? scene_number(in->scene, part->value, 3) : "";
    inspector_operand(in, row, part->largest.id, part->largest.index);
    if (row.w > 330 * in->scene->layout.scale)
        draw_wide(in, &look, row);
    else
        draw_slim(in, &look, row);
    dl_ungroup(in->dl);
}

float inspector_output(Inspector *in, Rect box) {
    const AttentionSpec *spec = &scene_site(in->scene)->spec;
    if (in->e.terms == NULL || spec->n_heads < 2 || !spec->out_proj) return inspector_terms(in, box);
    int n, shown, heads = spec->n_heads;
    Part *parts = make_parts(in, &n);
    double scale = fabs(in->e.self.value), rest = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(parts[i].value));
    float pitch = inspector_pitch(in, n, box.h, 17, 64, &shown), y = box.y, gap = fminf(4, pitch * 0.1f) * in->scene->layout.scale;
    int reached = inspector_reached(in, n), bias = n - heads;
    if (shown < n) shown = shown > bias ? shown - bias : 0; /* the bias keeps a row of its own */
    if (shown > heads) shown = heads;
    for (int i = 0; i < shown; i++, y += pitch) draw_part(in, &parts[i], i, scale, (Rect){box.x, y, box.w, pitch - gap}, i < reached);
    for (int i = shown; i < heads; i++) rest += parts[i].value;
    if (shown < heads) {
        Rect row = {box.x, y, box.w, pitch - gap};
        const char *more = heads - shown == 1 ? tr("… 1 more") : arena_printf(in->scene->arena, tr("… %d more"), heads - shown);
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, row, ALIGN_LEFT, more);
        if (reached == n) inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->muted, row, ALIGN_RIGHT, scene_number(in->scene, rest, 3));
        y += pitch;
    }
    if (bias) {
        draw_part(in, &parts[heads], heads, scale, (Rect){box.x, y, box.w, pitch - gap}, reached == n);
        y += pitch;
    }
    return y - box.y;
}
