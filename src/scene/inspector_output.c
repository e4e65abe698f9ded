/* What each head added to one number of the output: partial sums of its explanation. */
#include <math.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

typedef struct {
    double value;
    Ref largest;   /* the operand that counts most: where a click leads */
} Part;

static int width_of(const Inspector *in) { return in->scene->run->spec.d_v > 0 ? in->scene->run->spec.d_v : 1; }

/* Terms of concat · w_o by head; the bias, when there is one, comes behind the heads. */
static Part *make_parts(const Inspector *in, int *n) {
    int heads = in->scene->run->spec.n_heads, width = width_of(in);
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

static const char *head_name(const Inspector *in, int head) {
    const Source *s = &in->scene->run->source;
    return s->head_name && head < s->n_heads && s->n_heads == in->scene->run->spec.n_heads && s->head_name[head] ? tr(s->head_name[head]) : NULL;
}

static void draw_part(Inspector *in, const Part *part, int i, double scale, Rect row, bool reached) {
    const Theme *theme = in->theme;
    float s = in->scene->layout.scale;
    bool bias = i == in->scene->run->spec.n_heads;
    const char *name = bias ? NULL : head_name(in, i);
    bool two = name && row.h >= 42 * s;
    Color color = bias ? theme->muted : scene_head_color(theme, i);
    inspector_operand(in, row, part->largest.id, part->largest.index);
    float mark = fminf(40 * s, row.h * 0.7f);
    dl_rect(in->dl, (Rect){row.x, row.y + (row.h - mark) / 2, 9 * s, mark}, 4 * s, color, COLOR_NONE, 0);
    const char *title = bias ? tr("bias") : arena_printf(in->scene->arena, tr("head %d"), i + 1);
    float label_w = row.w > 420 * s ? row.w * 0.3f : row.w * 0.36f, x = row.x + 22 * s;
    Rect label = {x, row.y, label_w - 22 * s, two ? row.h * 0.55f : row.h};
    inspector_label(in, TYPE_BODY, FACE_UI_SEMIBOLD, theme->ink, label, ALIGN_LEFT, title);
    if (two) inspector_label(in, TYPE_LABEL, FACE_UI, theme->muted, (Rect){x, row.y + row.h * 0.48f, label.w, row.h * 0.4f}, ALIGN_LEFT, name);
    float number_w = 76 * s, bar_h = fminf(22 * s, row.h * 0.6f);
    Rect track = {row.x + label_w + 8 * s, row.y + (row.h - bar_h) / 2, row.w - label_w - number_w - 16 * s, bar_h};
    scene_bar(in->scene, in->dl, track, reached && scale > 0 ? fabs(part->value) / scale : 0, color, 4 * s);
    if (reached) inspector_label(in, TYPE_BODY, FACE_MONO, theme->ink, row, ALIGN_RIGHT, scene_number(in->scene, part->value, 3));
    dl_ungroup(in->dl);
}

float inspector_output(Inspector *in, Rect box) {
    const Run *run = in->scene->run;
    if (in->e.terms == NULL || run->spec.n_heads < 2 || !run->spec.out_proj) return inspector_terms(in, box);
    int n, shown;
    Part *parts = make_parts(in, &n);
    double scale = fabs(in->e.self.value), rest = 0;
    for (int i = 0; i < n; i++) scale = fmax(scale, fabs(parts[i].value));
    if (scale < 1 && scale > 0.5) scale = 1;
    float pitch = inspector_pitch(in, n, box.h, 26, 64, &shown), y = box.y, gap = 4 * in->scene->layout.scale;
    int reached = in->phase >= 1 ? n : (int)floor(in->phase * n);
    for (int i = 0; i < shown; i++, y += pitch) draw_part(in, &parts[i], i, scale, (Rect){box.x, y, box.w, pitch - gap}, i < reached);
    for (int i = shown; i < n; i++) rest += parts[i].value;
    if (shown < n) {
        Rect row = {box.x, y, box.w, pitch - gap};
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, row, ALIGN_LEFT, arena_printf(in->scene->arena, tr("… %d more heads"), n - shown));
        if (reached == n) inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->muted, row, ALIGN_RIGHT, scene_number(in->scene, rest, 3));
        y += pitch;
    }
    return y - box.y;
}
