#include "scene/curve.h"

#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "core/explain.h"
#include "scene/paint.h"

static const double REACH = 4; /* of both axes */
enum { CURVE_POINTS = 97 };

typedef struct {
    OpKind kind;
    const char *name, *rule;
} Curve;

static const Curve curves[] = {
    {OP_RELU, "ReLU", tr_mark("max(x, 0)")},
    {OP_GELU, "GELU", tr_mark("x · Φ(x), Φ(x) = (1 + erf(x / √2)) / 2")},
    {OP_GELU_TANH, "GELU", tr_mark("x · (1 + tanh(√2/π · (x + 0.044715 x³))) / 2")},
    {OP_SILU, "SiLU", tr_mark("x / (1 + exp(−x))")},
    {OP_TANH, "tanh", tr_mark("tanh(x)")},
};

static const Curve *find(OpKind kind) {
    for (size_t i = 0; i < sizeof curves / sizeof *curves; i++)
        if (curves[i].kind == kind) return &curves[i];
    return NULL;
}

const char *curve_name(OpKind kind) { return find(kind) ? find(kind)->name : op_name(kind); }
const char *curve_rule(OpKind kind) { return find(kind) ? tr(find(kind)->rule) : op_formula(kind); }

/* As the explanations have it. */
static double value_of(OpKind kind, double x) {
    Term term = {.factor = 1, .a = {.id = TENSOR_NONE, .value = x}, .b = {.id = TENSOR_NONE}};
    return explanation_evaluate(&(Explanation){.form = FORM_ACTIVATION, .op = kind, .n_terms = 1, .terms = &term});
}

/* Place of (x, y) in the square; what lies outside stands at its edge. */
static DlPoint place(Rect box, double x, double y) {
    double u = fmin(fmax(x / REACH, -1), 1), w = fmin(fmax(y / REACH, -1), 1);
    return (DlPoint){box.x + box.w * (float)(u + 1) / 2, box.y + box.h * (float)(1 - w) / 2};
}

static void draw_axes(const Scene *scene, DisplayList *dl, Rect box) {
    const Theme *theme = scene_theme(scene);
    float size = scene->layout.type[TYPE_SMALL], pad = scene->layout.pad;
    DlPoint zero = place(box, 0, 0);
    dl_rect(dl, box, scene->layout.pad, theme->panel, theme->line, 1);
    dl_line(dl, box.x, zero.y, box.x + box.w, zero.y, theme->faint, 1);
    dl_line(dl, zero.x, box.y, zero.x, box.y + box.h, theme->faint, 1);
    Rect below = {box.x + pad / 2, zero.y + 2, box.w - pad, size * 1.4f};
    dl_label(dl, scene->font, FACE_MONO, size, theme->muted, below, ALIGN_LEFT, scene_short_number(scene, -REACH));
    dl_label(dl, scene->font, FACE_MONO, size, theme->muted, below, ALIGN_RIGHT, scene_short_number(scene, REACH));
}

void curve_draw(const Scene *scene, DisplayList *dl, Rect box, OpKind kind, const double *at) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale;
    DlPoint points[CURVE_POINTS];
    draw_axes(scene, dl, box);
    for (int i = 0; i < CURVE_POINTS; i++) {
        double x = REACH * (2.0 * i / (CURVE_POINTS - 1) - 1);
        points[i] = place(box, x, value_of(kind, x));
    }
    dl_path(dl, points, CURVE_POINTS, false, COLOR_NONE, theme->accent, 2 * s);
    if (!at || isnan(*at)) return;
    DlPoint point = place(box, *at, value_of(kind, *at)), zero = place(box, *at, 0);
    float r = 6 * s;
    dl_dash(dl, zero.x, zero.y, point.x, point.y, theme->muted, s, 3 * s);
    dl_rect(dl, (Rect){point.x - r - 1, point.y - r - 1, 2 * r + 2, 2 * r + 2}, r + 1, theme->ink, COLOR_NONE, 0);
    dl_rect(dl, (Rect){point.x - r, point.y - r, 2 * r, 2 * r}, r, theme->highlight, COLOR_NONE, 0);
}
