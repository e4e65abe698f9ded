/* The terms of a sum or a single step, one a row: operands on their cells' colours, product, running sum. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/heads_part.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

/* Columns from the left; those with w = 0 are left out. */
typedef struct {
    Rect label, a, times, b, equals, product, sum;
    float pitch, chip_h;
} Columns;

typedef struct {
    const Term **shown; /* not 0, in order */
    int n, zeros;
    const Term *bias; /* NULL, or the last of them: the term that multiplies nothing */
    bool labels, second, products, sorted;
    TensorId a, b; /* of the first term */
    CellScale scale_a, scale_b;
    int decimals, chip_decimals; /* of products and sums; of operands, at most */
} Terms;

/* Above so many terms some are left out, and a sum is long. */
enum { ZEROS_SHOWN = 3, MANY = 16 };

/* Nothing counts: the first products of which one side at least is not 0. */
static void show_zeros(const Explanation *e, Terms *t) {
    for (int i = 0; i < e->n_terms && t->n < ZEROS_SHOWN; i++)
        if (e->terms[i].a.value != 0 || (e->terms[i].b.id != TENSOR_NONE && e->terms[i].b.value != 0)) t->shown[t->n++] = &e->terms[i];
    t->zeros -= t->n;
}

/* Is each term the same number of another head? */
static bool of_heads(const Inspector *in) {
    const char *name = trace_tensor(in->scene->run->trace, in->tensor)->name;
    return str_eq(name, "head_avg") || str_eq(name, "head_max");
}

/* Only those terms count that are not 0. */
static Terms gather(Inspector *in) {
    const Explanation *e = &in->e;
    Terms t = {.shown = ARENA_ARRAY(in->scene->arena, const Term *, (size_t)e->n_terms + 1), .a = TENSOR_NONE, .b = TENSOR_NONE};
    bool sum = e->form == FORM_DOT || e->form == FORM_SUM;
    for (int i = 0; i < e->n_terms; i++) {
        bool bias = e->form == FORM_DOT && e->terms[0].b.id != TENSOR_NONE && e->terms[i].b.id == TENSOR_NONE;
        if (sum && e->n_terms > 2 && e->terms[i].value == 0 && !(bias && e->n_terms > MANY)) /* that of a long sum has its row */
            t.zeros++;
        else
            t.shown[t.n++] = &e->terms[i];
    }
    if (t.n == 0) show_zeros(e, &t);
    if (e->n_terms == 0) return t;
    t.a = e->terms[0].a.id;
    t.b = e->terms[0].b.id;
    t.second = t.b != TENSOR_NONE || e->form == FORM_SCALE;
    t.products = e->form == FORM_DOT || e->form == FORM_VARIANCE;
    if (t.a != TENSOR_NONE) t.scale_a = scene_cell_scale(in->scene, t.a);
    if (t.b != TENSOR_NONE) t.scale_b = scene_cell_scale(in->scene, t.b);
    if (t.a == TENSOR_NONE) return t;
    const Tensor *tensor = trace_tensor(in->scene->run->trace, t.a);
    AxisKind last = run_axis(in->scene->run, t.a, tensor->rank - 1);
    t.labels = of_heads(in) || e->op == OP_ADD || e->op == OP_WEIGHTED_SUM || e->op == OP_ROPE || e->form == FORM_COPY ||
               (last == AXIS_FEATURE && in->scene->run->source.feature) || (e->form == FORM_DOT && scene_in_network(in->scene->run));
    return t;
}

/* What a row is about: a feature, a key, or the tensor that is added. */
static const char *row_label(const Inspector *in, const Term *term) {
    const Ref *a = &term->a;
    if (a->id == TENSOR_NONE) return tr("fill");
    if (in->e.op == OP_ROPE) return term->factor < 0 ? "−" : in->e.n_terms > 1 ? "+" : "";
    const Tensor *t = trace_tensor(in->scene->run->trace, a->id);
    if (of_heads(in)) return phrase_list(in->scene->arena, arena_printf(in->scene->arena, tr("Head %d"), a->index[0] + 1), heads_job(in->scene, a->index[0]));
    if (in->e.op == OP_ADD || in->e.form == FORM_COPY || t->rank == 1)
        return words_symbol_from(in->scene->run, scene_site(in->scene), a->id, in->scene->arena);
    return inspector_name(in, a->id, t->rank - 1, a->index[t->rank - 1]);
}

static float longest_label(const Inspector *in, const Terms *t) {
    float most = 0, size = in->scene->layout.type[TYPE_LABEL];
    for (int i = 0; i < t->n; i++)
        if (i < 64 || i >= t->n - 8) most = fmaxf(most, font_width(in->scene->font, FACE_UI, size, row_label(in, t->shown[i])));
    return most;
}

static Rect take(float *x, float w, Rect row) {
    Rect box = {*x, row.y, w, row.h};
    *x += w;
    return box;
}

static Columns cut_columns(const Inspector *in, const Terms *t, Rect box) {
    float s = in->scene->layout.scale, x = box.x, sign = 20 * s;
    Columns c = {0};
    Rect row = {box.x, box.y, box.w, 0};
    float label = t->labels ? fminf(longest_label(in, t) + 8 * s, box.w * (t->products ? 0.3f : 0.5f)) : 0;
    float rest = box.w - label;
    bool sums = t->products && in->e.form == FORM_DOT && rest > 270 * s;
    float chip = fminf(fmaxf((rest - 2 * sign - (t->products ? 64 * s : 0) - (sums ? 66 * s : 0)) / 2, 44 * s), 76 * s);
    if (label > 0) c.label = take(&x, label, row);
    c.a = take(&x, chip, row);
    if (t->second) {
        c.times = take(&x, sign, row);
        c.b = take(&x, chip, row);
    }
    if (!t->products) return c;
    c.equals = take(&x, sign, row);
    c.product = take(&x, (box.x + box.w - x) * (sums ? 0.46f : 1), row);
    if (sums) c.sum = take(&x, box.x + box.w - x, row);
    return c;
}

static Rect at_row(Rect column, float y, float h) { return (Rect){column.x, y, column.w, h}; }

static void draw_header(Inspector *in, const Terms *t, const Columns *c, float y) {
    float h = 3 * in->scene->layout.pad;
    Color q = in->e.op == OP_SCORES ? in->theme->q : in->theme->ink, k = in->e.op == OP_SCORES         ? in->theme->k
                                                                         : in->e.op == OP_WEIGHTED_SUM ? in->theme->v
                                                                                                       : in->theme->ink;
    RichStyle style = scene_style(in->scene, TYPE_BODY, FACE_UI_SEMIBOLD, q);
    if (in->e.op != OP_ADD && t->a != TENSOR_NONE)
        rich_label(in->dl, &style, at_row(c->a, y, h), ALIGN_CENTER, words_symbol_in(in->scene->run, scene_site(in->scene), t->a));
    style.color = k;
    const char *second = in->e.op == OP_ROPE ? "cos, sin" : t->b != TENSOR_NONE ? words_symbol_in(in->scene->run, scene_site(in->scene), t->b) : "";
    rich_label(in->dl, &style, at_row(c->b, y, h), ALIGN_CENTER, second);
    if (!t->products) return;
    inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, at_row(c->product, y, h), ALIGN_RIGHT,
                    in->e.form == FORM_VARIANCE ? tr("squared") : tr("product"));
    if (c->sum.w <= 0) return;
    const char *sum = tr("running sum");
    if (font_width(in->scene->font, FACE_UI, in->scene->layout.type[TYPE_LABEL], sum) > c->sum.w - in->scene->layout.pad) sum = tr("sum");
    inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, at_row(c->sum, y, h), ALIGN_RIGHT, sum);
}

static bool fits(const Inspector *in, double value, float room) {
    return font_width(in->scene->font, FACE_MONO, in->scene->layout.type[TYPE_BODY], scene_number(in->scene, value, 3)) <= room;
}

/* Three decimals in all operands, and in all products and sums, where they fit; else two. */
static void choose_decimals(const Inspector *in, Terms *t, const Columns *c) {
    float s = in->scene->layout.scale;
    double sum = 0;
    t->decimals = t->chip_decimals = 3;
    for (int i = 0; i < t->n; i++) {
        const Term *term = t->shown[i];
        sum += term->value;
        if (!fits(in, term->a.value, c->a.w - 8 * s) || (term->b.id != TENSOR_NONE && !fits(in, term->b.value, c->b.w - 8 * s)))
            t->chip_decimals = 2;
        if (!fits(in, term->value, c->product.w - 2 * s) || (c->sum.w > 0 && !fits(in, sum, c->sum.w - 6 * s))) t->decimals = 2;
    }
}

/* The chosen decimals where they fit in type that can be read, else fewer. */
static int chip_decimals(const Inspector *in, double value, float w, int most) {
    float size = in->scene->layout.type[TYPE_SMALL], room = w - 8 * in->scene->layout.scale;
    int decimals = most;
    while (decimals > 0 && font_width(in->scene->font, FACE_MONO, size, scene_number(in->scene, value, decimals)) > room) decimals--;
    return decimals;
}

static void draw_operand(Inspector *in, const Ref *ref, const CellScale *scale, Rect box, int decimals) {
    inspector_operand(in, box, ref->id, ref->index);
    scene_chip(in->scene, in->dl, box, scale, ref->value, chip_decimals(in, ref->value, box.w, decimals));
    dl_ungroup(in->dl);
}

static const char *sign_of(const Inspector *in) {
    if (in->e.form == FORM_EXP || in->e.form == FORM_VARIANCE) return "−";
    return in->e.form == FORM_RATIO ? "÷" : "×";
}

static void draw_second(Inspector *in, const Term *term, const Terms *t, const Columns *c, float y) {
    Rect sign = at_row(c->times, y, c->chip_h);
    if (in->e.form == FORM_SCALE) {
        bool rows = trace_tensor(in->scene->run->trace, in->tensor)->rank == 2; /* no scores: a row with a factor of its own */
        const char *rule = rows ? arena_printf(in->scene->arena, "× %s", scene_short_number(in->scene, in->e.number)) : inspector_scale_rule(in);
        Rect right = {sign.x + 4 * in->scene->layout.scale, sign.y, in->inner.x + in->inner.w - sign.x, sign.h};
        inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->ink, right, ALIGN_LEFT, rule ? rule : "× 1");
        return;
    }
    if (term->b.id == TENSOR_NONE) return; /* a bias stands alone */
    inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, sign, ALIGN_CENTER, sign_of(in));
    draw_operand(in, &term->b, &t->scale_b, at_row(c->b, y, c->chip_h), t->chip_decimals);
}

/* One term; `reached`: its product is there; `sum` = running sum including it. */
static void draw_row(Inspector *in, const Term *term, const Terms *t, const Columns *c, float y, bool reached, double sum, bool last) {
    const Scene *scene = in->scene;
    const Color muted = in->theme->muted, ink = in->theme->ink;
    if (c->label.w > 0) inspector_label(in, TYPE_LABEL, FACE_UI, ink, at_row(c->label, y, c->chip_h), ALIGN_LEFT, row_label(in, term));
    if (term->a.id != TENSOR_NONE) {
        CellScale scale = term->a.id == t->a ? t->scale_a : scene_cell_scale(scene, term->a.id);
        draw_operand(in, &term->a, &scale, at_row(c->a, y, c->chip_h), t->chip_decimals);
    }
    if (t->second) draw_second(in, term, t, c, y);
    if (!t->products) return;
    inspector_label(in, TYPE_BODY, FACE_UI, muted, at_row(c->equals, y, c->chip_h), ALIGN_CENTER, "=");
    if (!reached) return;
    inspector_label(in, TYPE_BODY, FACE_MONO, ink, at_row(c->product, y, c->chip_h), ALIGN_RIGHT,
                    scene_number(scene, term->value, t->decimals));
    if (c->sum.w > 0)
        inspector_label(in, TYPE_BODY, last ? FACE_MONO_BOLD : FACE_MONO, ink, at_row(c->sum, y, c->chip_h), ALIGN_RIGHT,
                        scene_number(scene, sum, t->decimals));
}

static void draw_more(Inspector *in, const Terms *t, const Columns *c, float y, const char *text, double value, double sum, bool reached) {
    Rect left = {in->inner.x, y, fmaxf(c->product.x - in->inner.x, in->inner.w * 0.6f), c->chip_h};
    inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, left, ALIGN_LEFT, text);
    if (!reached) return;
    inspector_label(in, TYPE_BODY, FACE_MONO, in->theme->muted, at_row(c->product, y, c->chip_h), ALIGN_RIGHT,
                    scene_number(in->scene, value, value == 0 ? 0 : t->decimals));
    if (c->sum.w > 0 && value != 0)
        inspector_label(in, TYPE_BODY, FACE_MONO_BOLD, in->theme->ink, at_row(c->sum, y, c->chip_h), ALIGN_RIGHT,
                        scene_number(in->scene, sum, t->decimals));
}

static const char *zeros_text(const Inspector *in, const Terms *t) {
    bool features = t->labels && in->e.op == OP_PROJECT;
    Arena *arena = in->scene->arena;
    if (t->n == 0) return arena_printf(arena, features ? tr_count("%d feature", "all %d features", t->zeros) : tr_count("%d product", "all %d products", t->zeros), t->zeros);
    if (t->zeros == 1) return features ? tr("the other feature") : tr("the other product");
    return arena_printf(arena, features ? tr("other %d features") : tr("other %d products"), t->zeros);
}

static int by_size(const void *a, const void *b) {
    const Term *x = *(const Term *const *)a, *y = *(const Term *const *)b;
    double p = fabs(x->value), q = fabs(y->value);
    return p != q ? (p < q ? 1 : -1) : (x > y) - (x < y);
}

/* Of many terms of which only some fit the largest come first, once the sum has run. The bias stays behind all others. */
static void arrange(const Inspector *in, Terms *t, bool folded) {
    const Term *last = t->n > 1 ? t->shown[t->n - 1] : NULL;
    if (folded && last && in->e.form == FORM_DOT && t->b != TENSOR_NONE && last->b.id == TENSOR_NONE) t->bias = last;
    t->sorted = folded && in->phase >= 1 && t->n + t->zeros > MANY;
    if (t->sorted) qsort(t->shown, (size_t)(t->n - (t->bias != NULL)), sizeof *t->shown, by_size);
}

static const char *more_text(const Inspector *in, const Terms *t, int more) {
    return arena_printf(in->scene->arena, t->sorted ? tr("largest first; %d more") : tr("… %d more"), more);
}

float inspector_terms(Inspector *in, Rect box) {
    Terms t = gather(in);
    if (in->e.n_terms == 0) return 0;
    float s = in->scene->layout.scale, y = box.y, header = t.second && t.n > 0 ? 30 * s : 0;
    Columns c = cut_columns(in, &t, box);
    choose_decimals(in, &t, &c);
    int rows = t.n + (t.zeros > 0), shown;
    c.pitch = inspector_pitch(in, rows, box.h - header, 24, 50, &shown);
    c.chip_h = floorf(fminf(c.pitch * 0.8f, c.pitch - 3 * s));
    arrange(in, &t, shown < rows);
    int summands = t.n - (t.bias != NULL), room = shown - (t.bias != NULL), count = room < summands ? (room > 0 ? room : 0) : summands;
    if (header > 0) draw_header(in, &t, &c, y);
    y += header;
    double sum = 0, rest = 0;
    const Term *end = in->e.terms + inspector_reached(in, in->e.n_terms);
    for (int i = 0; i < count; i++, y += c.pitch) {
        sum += t.shown[i]->value;
        draw_row(in, t.shown[i], &t, &c, y, t.shown[i] < end, sum, i == t.n - 1);
    }
    for (int i = count; i < summands; i++) rest += t.shown[i]->value;
    bool all = in->phase >= 1;
    if (count < summands) {
        draw_more(in, &t, &c, y, more_text(in, &t, summands - count + t.zeros), rest, sum + rest, all);
        y += c.pitch;
    } else if (t.zeros > 0) {
        draw_more(in, &t, &c, y, zeros_text(in, &t), 0, sum, all);
        y += c.pitch;
    }
    if (t.bias) {
        draw_row(in, t.bias, &t, &c, y, t.bias < end, sum + rest + t.bias->value, true);
        y += c.pitch;
    }
    return y - box.y;
}
