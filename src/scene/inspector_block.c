/* A normalised number, step by step; a bent one on its curve; the largest of very many terms. */
#include <math.h>

#include "base/tr.h"
#include "scene/curve.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

/* ---- steps: a sign, an operand, what there is after it ---- */

typedef struct {
    const char *sign, *name;
    const Ref *ref;
    double after;
    bool plain; /* the operand alone: there is no result yet */
    const char *short_name; /* where there is no room for the name; NULL = none */
} Step;

static void draw_step(Inspector *in, const Step *step, Rect row, bool reached) {
    float s = in->scene->layout.scale, sign = 22 * s, chip = 84 * s, high = fminf(row.h - 6 * s, 32 * s);
    Rect line = {row.x, row.y + (row.h - high) / 2, row.w, high}, rest = line;
    inspector_label(in, TYPE_TITLE, FACE_UI, in->theme->muted, rect_cut_left(&rest, sign), ALIGN_LEFT, step->sign);
    Rect box = rect_cut_left(&rest, chip);
    CellScale scale = scene_cell_scale(in->scene, step->ref->id);
    inspector_operand(in, box, step->ref->id, step->ref->index);
    scene_chip(in->scene, in->dl, box, &scale, step->ref->value, 3);
    dl_ungroup(in->dl);
    rect_cut_left(&rest, 10 * s);
    if (!step->plain && reached)
        inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->ink, rest, ALIGN_RIGHT,
                        arena_printf(in->scene->arena, "= %s", scene_number(in->scene, step->after, 3)));
    Rect name = rest;
    if (!step->plain) name.w -= 84 * s;
    RichStyle style = scene_style(in->scene, TYPE_LABEL, FACE_UI, in->theme->muted);
    const char *text = step->short_name && rich_width(&style, step->name) > name.w ? step->short_name : step->name;
    rich_label(in->dl, &style, name, ALIGN_LEFT, text);
}

static int norm_steps(const Inspector *in, Step steps[5]) {
    const Term *t = in->e.terms;
    const char *x = words_symbol_in(in->scene->run, scene_site(in->scene), t[0].a.id);
    bool layer = in->e.form == FORM_NORM;
    double z = t[0].value;
    int n = 0;
    steps[n++] = (Step){"", x, &t[0].a, 0, true, NULL};
    steps[n++] = layer ? (Step){"−", tr("mean μ"), &t[0].b, z, false, "μ"} : (Step){"÷", "RMS", &t[0].b, z, false, NULL};
    if (layer) {
        z /= sqrt(t[1].a.value + in->e.number);
        steps[n++] = (Step){"÷", tr("root of variance + ε"), &t[1].a, z, false, "√σ²\u00a0+\u00a0ε"};
    }
    const Ref *gain = layer ? &t[2].a : &t[1].a;
    z *= gain->value;
    steps[n++] = (Step){"×", tr("gain γ"), gain, z, false, "γ"};
    if (layer && in->e.n_terms > 3) steps[n++] = (Step){"+", tr("shift β"), &t[3].a, z + t[3].a.value, false, "β"};
    return n;
}

float inspector_norm(Inspector *in, Rect box) {
    Step steps[5];
    int n = norm_steps(in, steps), reached = inspector_reached(in, n), shown;
    float pitch = inspector_pitch(in, n, box.h, 24, 44, &shown), y = box.y;
    for (int i = 0; i < n && y + pitch <= box.y + box.h + 1; i++, y += pitch)
        draw_step(in, &steps[i], (Rect){box.x, y, box.w, pitch}, i < reached || in->phase >= 1);
    return y - box.y;
}

/* ---- activation ---- */

float inspector_activation(Inspector *in, Rect box) {
    float s = in->scene->layout.scale, row = fminf(40 * s, box.h), side = fminf(fminf(box.w, 260 * s), box.h - row - 8 * s);
    const Ref *x = &in->e.terms[0].a;
    Step step = {"", words_symbol_in(in->scene->run, scene_site(in->scene), x->id), x, 0, true, NULL};
    draw_step(in, &step, (Rect){box.x, box.y, box.w, row}, true);
    if (side < 90 * s) return row;
    curve_draw(in->scene, in->dl, (Rect){box.x + (box.w - side) / 2, box.y + row + 4 * s, side, side}, in->e.op, &x->value);
    return row + side + 8 * s;
}

/* ---- over all tokens of the vocabulary ---- */

/* The largest terms first: there are too many to show in their order. */
static int *largest(const Inspector *in, int most) {
    int *best = ARENA_ARRAY(in->scene->arena, int, (size_t)most + 1), n = 0;
    for (int i = 0; i < in->e.n_terms; i++) {
        int at = n < most ? n++ : most;
        for (; at > 0 && in->e.terms[best[at - 1]].value < in->e.terms[i].value; at--) best[at] = best[at - 1];
        best[at] = i;
    }
    return best;
}

float inspector_vocabulary(Inspector *in, Rect box) {
    float s = in->scene->layout.scale, y = box.y;
    int shown, n = in->e.n_terms;
    float pitch = inspector_pitch(in, n, box.h, 26, 36, &shown);
    if (shown < 1 || in->phase < 1) return 0;
    const int *best = largest(in, shown);
    double rest = 0;
    for (int i = 0; i < n; i++) rest += in->e.terms[i].value;
    for (int i = 0; i < shown && i < n; i++, y += pitch) {
        const Term *term = &in->e.terms[best[i]];
        int rank = trace_tensor(in->scene->run->trace, term->a.id)->rank;
        Step step = {"", words_vocabulary(in->scene->run, term->a.index[rank - 1], in->scene->arena), &term->a, 0, true, NULL};
        draw_step(in, &step, (Rect){box.x, y, box.w, pitch}, true);
        rest -= term->value;
    }
    if (shown >= n) return y - box.y;
    const char *more = in->e.form == FORM_SUM
                           ? arena_printf(in->scene->arena, tr("largest first; %d more, together %s"), n - shown, scene_number(in->scene, rest, 3))
                           : arena_printf(in->scene->arena, tr("largest first; %d more"), n - shown);
    inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, (Rect){box.x, y, box.w, 26 * s}, ALIGN_LEFT, more);
    return y + pitch - box.y;
}
