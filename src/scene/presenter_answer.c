/* The presented question and its answer. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/now.h"
#include "scene/presenter_part.h"
#include "scene/words.h"
#include "scene/words_mask.h"

enum { KEYS_MOST = 8, TERMS_MOST = 5 };

void presented_fit(RichStyle *style, Rect box, float share, const char *text) {
    float least = style->size * share;
    style->line = roundf(style->size * 1.3f);
    while (style->size * 0.94f >= least && rich_height(style, box.w, text) > box.h) {
        style->size *= 0.94f;
        style->line = roundf(style->size * 1.3f);
    }
}

/* ---- where a row looks ---- */

static double weight_at(const Scene *scene, TensorId weights, const Subject *s, int key) {
    return presented_weight(scene, weights, scene->view->head, s->row, key);
}

static int key_axis(const Scene *scene, TensorId weights) { return trace_tensor(scene->run->trace, weights)->rank - 1; }

/* Keys that get weight: all in their order, or the `most` with the largest weights, the largest first. */
static int choose_keys(const Scene *scene, TensorId weights, const Subject *s, int most, int keys[KEYS_MOST], int *all) {
    int n = trace_tensor(scene->run->trace, weights)->dim[key_axis(scene, weights)], count = 0;
    *all = 0;
    for (int j = 0; j < n; j++) *all += weight_at(scene, weights, s, j) > 0;
    while (count < most && count < *all) {
        int best = -1;
        for (int j = 0; j < n; j++) {
            bool taken = false;
            for (int i = 0; i < count; i++) taken |= keys[i] == j;
            double weight = weight_at(scene, weights, s, j);
            if (!taken && weight > 0 && (best < 0 || (*all > most && weight > weight_at(scene, weights, s, best)))) best = j;
        }
        keys[count++] = best;
    }
    return count;
}

/* A name in one line: smaller where it is long, its start where it is longer still. */
static void draw_name(DisplayList *dl, RichStyle style, Rect box, TextAlign align, const char *name) {
    float least = style.size * 0.6f;
    while (style.size * 0.94f > least && rich_width(&style, name) > box.w) style.size *= 0.94f;
    if (rich_width(&style, name) <= box.w) rich_label(dl, &style, box, align, name);
    else dl_label(dl, style.font, style.face, style.size, style.color, box, align, name);
}

bool presented_mixes(const Scene *scene, TensorId tensor) {
    const Trace *trace = scene->run->trace;
    return trace_op(trace, trace_tensor(trace, tensor)->op)->kind == OP_WEIGHTED_SUM;
}

static void draw_key(const Scene *scene, TensorId weights, const Subject *s, int key, Rect row, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    double weight = weight_at(scene, weights, s, key);
    float size = l->type[TYPE_BODY], label_w = fminf(5 * size, row.w * 0.28f), bar_h = fminf(row.h * 0.5f, size);
    float number_w = font_width(scene->font, FACE_MONO_BOLD, size, "0.00") + 2 * l->pad;
    RichStyle name = scene_style(scene, TYPE_BODY, FACE_UI_SEMIBOLD, presented_mixes(scene, s->tensor) ? theme->v : theme->k);
    draw_name(dl, name, (Rect){row.x, row.y, label_w - l->pad, row.h}, ALIGN_RIGHT, words_name(scene->run, weights, key_axis(scene, weights), key, scene->arena));
    Rect track = {row.x + label_w, row.y + (row.h - bar_h) / 2, row.w - label_w - number_w, bar_h};
    scene_bar(scene, dl, track, weight, scene_weight_color(scene, weight), 0.5f * l->pad);
    dl_label(dl, scene->font, FACE_MONO_BOLD, size, theme->ink, row, ALIGN_RIGHT, scene_number(scene, weight, 2));
}

static void draw_budget(const Scene *scene, TensorId weights, const Subject *s, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    float least = l->type[TYPE_BODY] * 1.25f;
    int keys[KEYS_MOST], all, most = (int)((box.h - l->pad) / least) - 1;
    if (most < 1) return;
    int n = choose_keys(scene, weights, s, most < KEYS_MOST ? most : KEYS_MOST, keys, &all);
    float pitch = fminf((box.h - l->pad) / (float)(n + 1), 1.9f * l->type[TYPE_BODY]);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += weight_at(scene, weights, s, keys[i]);
        draw_key(scene, weights, s, keys[i], (Rect){box.x, box.y + pitch * (float)i, box.w, pitch}, dl);
    }
    float y = box.y + pitch * (float)n + l->pad / 2;
    dl_line(dl, box.x, y, box.x + box.w, y, theme->line, l->scale);
    Rect row = {box.x, y + l->pad / 2, box.w, pitch};
    RichStyle style = scene_style(scene, TYPE_BODY, FACE_UI, theme->muted);
    const char *says = n < all ? arena_printf(scene->arena, tr("the largest %d of %d"), n, all) : tr("together");
    float number_w = font_width(scene->font, FACE_MONO_BOLD, style.size, "0.00") + l->pad;
    draw_name(dl, style, (Rect){row.x, row.y, row.w - number_w, row.h}, ALIGN_LEFT, says);
    dl_label(dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_BODY], theme->ink, row, ALIGN_RIGHT, scene_number(scene, sum, 2));
}

/* ---- the arithmetic of one number ---- */

typedef struct {
    const Scene *scene;
    const Explanation *e;
    const ExplainWords *words;
    double phase;
    DisplayList *dl;
    const int *index;
    float size;   /* of numbers */
    int decimals; /* of all of them */
} Answer;

enum { DECIMALS_MOST = 3, DECIMALS_LEAST = 2 };

/* How a term is written, of the forms that are a few operations. */
static const char *term_text(const Answer *a, const Term *term) {
    const Scene *scene = a->scene;
    const char *x = scene_number(scene, term->a.value, a->decimals),
               *y = scene_number(scene, term->b.id == TENSOR_NONE ? a->e->number : term->b.value, a->decimals);
    switch (a->e->form) {
    case FORM_DOT: return term->b.id == TENSOR_NONE ? x : arena_printf(scene->arena, "%s × %s", x, y);
    case FORM_SCALE: return arena_printf(scene->arena, "%s × %s", x, y);
    case FORM_SUM: return "";
    default: return NULL;
    }
}

static const char *term_name(const Answer *a, const Term *term) {
    if (term->a.id == TENSOR_NONE) return tr("fill"); /* a number of the settings */
    const Tensor *t = trace_tensor(a->scene->run->trace, term->a.id);
    bool product = a->e->form == FORM_DOT && term->b.id != TENSOR_NONE;
    if (!product) return words_symbol(t->name);
    char buffer[32];
    return arena_strdup(a->scene->arena, words_label(a->scene->run, term->a.id, t->rank - 1, term->a.index[t->rank - 1], buffer));
}

/* Terms that count for something: in their order, or the largest of too many. Returns how many there are in all. */
static int choose_terms(const Explanation *e, int most, int chosen[TERMS_MOST], int *n) {
    int all = 0, count = 0;
    for (int i = 0; i < e->n_terms; i++) all += e->terms[i].value != 0;
    while (count < most && count < all) {
        int best = -1;
        for (int i = 0; i < e->n_terms; i++) {
            bool taken = e->terms[i].value == 0;
            for (int k = 0; k < count; k++) taken |= chosen[k] == i;
            if (!taken && (best < 0 || (all > most && fabs(e->terms[i].value) > fabs(e->terms[best].value)))) best = i;
        }
        if (best < 0) break; /* no number is larger than one that is none */
        chosen[count++] = best;
    }
    *n = count;
    return all;
}

static float product_width(const Answer *a, float size) {
    return font_width(a->scene->font, FACE_MONO_BOLD, size, a->decimals > DECIMALS_LEAST ? "−00.000" : "−00.00");
}

static void draw_term(const Answer *a, const Term *term, Rect row) {
    const Scene *scene = a->scene;
    const Theme *theme = scene_theme(scene);
    float product = product_width(a, a->size) + scene->layout.pad;
    const char *text = term_text(a, term);
    float wide = font_width(scene->font, FACE_MONO, a->size, text) + scene->layout.pad;
    dl_label(a->dl, scene->font, FACE_MONO_BOLD, a->size, theme->ink, row, ALIGN_RIGHT, scene_number(scene, term->value, a->decimals));
    rect_cut_right(&row, product);
    dl_label(a->dl, scene->font, FACE_MONO, a->size, theme->ink, row, ALIGN_RIGHT, text);
    rect_cut_right(&row, wide);
    dl_label(a->dl, scene->font, FACE_UI, a->size, theme->muted, row, ALIGN_LEFT, term_name(a, term));
}

/* What a mask meets, and what it says. Returns the height used. */
static float draw_mask(const Answer *a, const Op *op, Rect box) {
    const Scene *scene = a->scene;
    const Theme *theme = scene_theme(scene);
    float pitch = 1.3f * a->size, y = box.y;
    bool word;
    if (box.h < 3 * pitch + scene->layout.pad) return 0;
    for (int i = 0; i < 2; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        Rect row = {box.x, y, box.w, pitch};
        dl_label(a->dl, scene->font, FACE_UI, a->size, theme->muted, row, ALIGN_LEFT, words_symbol(trace_tensor(scene->run->trace, op->in[i])->name));
        dl_label(a->dl, scene->font, FACE_MONO_BOLD, a->size, theme->ink, row, ALIGN_RIGHT,
                 scene_number(scene, tensor_at(trace_tensor(scene->run->trace, op->in[i]), a->index), a->decimals));
        y += pitch;
    }
    if (op->in[2] != TENSOR_NONE) {
        Rect row = {box.x, y, box.w, pitch};
        const char *says = words_mask_says(scene, op, a->index, &word);
        dl_label(a->dl, scene->font, FACE_UI, a->size, theme->muted, row, ALIGN_LEFT, tr("mask"));
        dl_label(a->dl, scene->font, word ? FACE_UI_SEMIBOLD : FACE_MONO_BOLD, a->size, theme->ink, row, ALIGN_RIGHT, says);
        y += pitch;
    }
    dl_line(a->dl, box.x, y + scene->layout.pad / 2, box.x + box.w, y + scene->layout.pad / 2, theme->line, scene->layout.scale);
    return y + scene->layout.pad - box.y;
}

/* "1.000 ÷ 1.060" */
static float draw_ratio(const Answer *a, const Term *term, Rect box) {
    const Scene *scene = a->scene;
    float high = 1.3f * a->size, pad = scene->layout.pad;
    const char *text = arena_printf(scene->arena, "%s ÷ %s", scene_number(scene, term->a.value, a->decimals), scene_number(scene, term->b.value, a->decimals));
    if (box.h < high + pad || term->b.id == TENSOR_NONE || a->phase <= 0 || font_width(scene->font, FACE_MONO, a->size, text) > box.w) return 0;
    dl_label(a->dl, scene->font, FACE_MONO, a->size, scene_theme(scene)->ink, (Rect){box.x, box.y, box.w, high}, ALIGN_RIGHT, text);
    dl_line(a->dl, box.x, box.y + high + pad / 2, box.x + box.w, box.y + high + pad / 2, scene_theme(scene)->line, scene->layout.scale);
    return high + pad;
}

/* The sum's terms, as many as the film has reached. Returns the height used. */
static float draw_terms(Answer *a, Rect box) {
    const Scene *scene = a->scene;
    const Explanation *e = a->e;
    int chosen[TERMS_MOST], n = 0;
    float pitch = 1.3f * a->size;
    int most = (int)fminf(TERMS_MOST, box.h / pitch);
    if (e->form == FORM_RATIO && e->n_terms > 0) return draw_ratio(a, &e->terms[0], box);
    if (e->op == OP_MASK) return draw_mask(a, trace_op(scene->run->trace, trace_tensor(scene->run->trace, e->self.id)->op), box);
    if (e->n_terms < 1 || most < 1 || !term_text(a, &e->terms[0])) return 0;
    int all = choose_terms(e, most, chosen, &n), reached = (int)ceil(a->phase * (double)n);
    if (n < all && n > 1) n--; /* room to say so */
    for (int i = 0; i < n && i < reached; i++) draw_term(a, &e->terms[chosen[i]], (Rect){box.x, box.y + pitch * (float)i, box.w, pitch});
    float y = box.y + pitch * (float)n;
    if (n < all) {
        dl_label(a->dl, scene->font, FACE_UI, a->size, scene_theme(scene)->muted, (Rect){box.x, y, box.w, pitch}, ALIGN_LEFT,
                 arena_printf(scene->arena, tr("the largest %d of %d"), n, all));
        y += pitch;
    }
    if (n == 0) return 0;
    dl_line(a->dl, box.x, y + scene->layout.pad / 2, box.x + box.w, y + scene->layout.pad / 2, scene_theme(scene)->line, scene->layout.scale);
    return y + scene->layout.pad - box.y;
}

static float widest_term(const Answer *a, float size) {
    const Scene *scene = a->scene;
    float wide = 0;
    for (int i = 0; i < a->e->n_terms && i < 256; i++) {
        const char *text = a->e->terms[i].value != 0 ? term_text(a, &a->e->terms[i]) : "";
        if (!text) return 0;
        float name = fminf(font_width(scene->font, FACE_UI, size, term_name(a, &a->e->terms[i])), 5 * size);
        wide = fmaxf(wide, font_width(scene->font, FACE_MONO, size, text) + name);
    }
    return wide + product_width(a, size) + 3 * scene->layout.pad;
}

/* The widest term decides how large all are, and whether all have three decimals. */
static void fit_terms(Answer *a, float width) {
    float size = a->scene->layout.type[TYPE_BODY], least = size * 0.5f, wide;
    a->decimals = DECIMALS_MOST;
    wide = widest_term(a, size);
    if (wide > width) {
        a->decimals = DECIMALS_LEAST;
        wide = widest_term(a, size);
    }
    a->size = wide > width ? fmaxf(least, size * width / wide) : size;
}

static float draw_result(const Answer *a, Rect box) {
    const Scene *scene = a->scene;
    const Layout *l = &scene->layout;
    const Theme *theme = scene_theme(scene);
    RichStyle name = scene_style(scene, TYPE_BODY, FACE_UI_SEMIBOLD, theme->ink);
    const char *value = a->phase >= 1 ? scene_number(scene, a->e->self.value, a->decimals) : "";
    float value_w = font_width(scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], "−00.000") + l->pad;
    Rect line = {box.x, box.y, box.w, roundf(1.3f * l->type[TYPE_TITLE])};
    draw_name(a->dl, name, (Rect){line.x, line.y, line.w - value_w, line.h}, ALIGN_LEFT, a->words->result_name);
    dl_label(a->dl, scene->font, FACE_MONO_BOLD, l->type[TYPE_TITLE], theme->ink, line, ALIGN_RIGHT, value);
    return line.h;
}

static void draw_meaning(const Answer *a, Rect box) {
    RichStyle text = scene_style(a->scene, TYPE_BODY, FACE_UI, scene_theme(a->scene)->muted);
    if (a->phase < 1 || box.h < text.size) return;
    presented_fit(&text, box, 0.6f, a->words->meaning);
    if (rich_height(&text, box.w, a->words->meaning) <= box.h) rich_paragraph(a->dl, &text, box, ALIGN_LEFT, a->words->meaning);
}

/* Above the result its arithmetic, below it what it means, or, where the box is wide, beside it. */
static void draw_answer(Answer *a, Rect box, Rect *meaning) {
    float pad = a->scene->layout.pad, result = 1.3f * a->scene->layout.type[TYPE_TITLE];
    fit_terms(a, box.w);
    Rect terms = {box.x, box.y, box.w, box.h - result};
    rect_cut_top(&box, draw_terms(a, terms));
    rect_cut_top(&box, draw_result(a, box) + pad);
    if (meaning) draw_meaning(a, *meaning);
    else draw_meaning(a, box);
}

void presented_answer(const Scene *scene, TensorId map, const Subject *subject, Rect box, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Explanation e;
    Err err = {0};
    if (!subject->found || !trace_explain(scene->run->trace, map, subject->index, scene->arena, &e, &err)) return;
    ExplainWords words;
    words_rich(scene->run, &e, scene->arena, &words);
    bool mixes = presented_mixes(scene, map);
    TensorId weights = mixes ? trace_op(scene->run->trace, trace_tensor(scene->run->trace, map)->op)->in[0] : map;
    if (subject->row_asked)
        words.question = arena_printf(scene->arena, mixes ? tr("What %s takes home") : tr("Where does %s look?"),
                                      rich_name(scene->arena, 'q', words_name(scene->run, weights, key_axis(scene, weights) - 1, subject->row, scene->arena)));
    bool wide = box.w > 2.2f * box.h;
    Rect rest = box, words_box = box;
    if (wide) { /* question and meaning at the left, numbers at the right */
        words_box = rect_cut_left(&rest, box.w * 0.48f);
        rect_cut_left(&rest, 4 * l->pad);
    }
    RichStyle style = scene_style(scene, TYPE_TITLE, FACE_UI, scene_theme(scene)->muted);
    presented_fit(&style, (Rect){0, 0, words_box.w, wide ? words_box.h : words_box.h * 0.5f}, 0.5f, words.question);
    float high = rich_paragraph(dl, &style, words_box, ALIGN_LEFT, words.question) + 1.5f * l->pad;
    rect_cut_top(wide ? &words_box : &rest, high);
    Answer answer = {.scene = scene, .e = &e, .words = &words, .phase = subject->phase, .dl = dl, .index = subject->index};
    if (!subject->row_asked) draw_answer(&answer, rest, wide ? &words_box : NULL);
    else if (subject->phase >= 1) draw_budget(scene, weights, subject, rest, dl);
}
