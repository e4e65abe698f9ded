/* The arithmetic of one number as a LaTeX equation. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "app/copy.h"
#include "app/copy_parts.h"
#include "scene/curve.h"

static const char *latex_escape(const char *text, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    for (const char *c = text; *c; c++) {
        if (*c == '\\') sb_add(&out, "\\backslash ");
        else if (*c == '~' || *c == '^') sb_printf(&out, "\\%c{}", *c);
        else if (strchr("#$%&_{}", *c)) sb_printf(&out, "\\%c", *c);
        else sb_add_n(&out, c, 1);
    }
    return out.data ? out.data : "";
}

const char *copy_latex_number(Arena *arena, double value) {
    if (isnan(value)) return "\\mathrm{NaN}";
    if (isinf(value)) return value > 0 ? "\\infty" : "-\\infty";
    return copy_fixed(arena, value);
}

/* In brackets behind an operator when it is negative. */
static const char *latex_factor(Arena *arena, double value) {
    const char *text = copy_latex_number(arena, value);
    return text[0] == '-' ? arena_printf(arena, "(%s)", text) : text;
}

static const char *latex_term(const Term *term, Arena *arena) {
    const char *text = latex_factor(arena, term->a.value);
    if (fabs(term->factor - 1) > 0) text = arena_printf(arena, "%s \\cdot %s", latex_factor(arena, term->factor), text);
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, "%s \\cdot %s", text, latex_factor(arena, term->b.value));
    return text;
}

/* Terms from `from` on. */
static const char *latex_terms(const Explanation *e, int from, const char *between, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    for (int i = from; i < e->n_terms; i++) sb_printf(&out, "%s%s", i > from ? between : "", latex_term(&e->terms[i], arena));
    return out.data ? out.data : "";
}

/* 1e-05 as 10^{-5}. */
static const char *latex_epsilon(Arena *arena, double value) {
    const char *text = copy_epsilon(arena, value), *e = strchr(text, 'e');
    if (!e) return text;
    int power = (int)strtol(e + 1, NULL, 10);
    size_t length = (size_t)(e - text);
    if (length == 1 && text[0] == '1') return arena_printf(arena, "10^{%d}", power);
    return arena_printf(arena, "%.*s \\cdot 10^{%d}", (int)length, text, power);
}

/* "a^2 + (-b)^2" or "(a - m)^2 + …". */
static const char *latex_squares(const Explanation *e, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    for (int i = 0; i < e->n_terms; i++) {
        const Term *term = &e->terms[i];
        const char *base = e->form == FORM_VARIANCE
                               ? arena_printf(arena, "(%s - %s)", copy_latex_number(arena, term->a.value), latex_factor(arena, term->b.value))
                               : latex_factor(arena, term->a.value);
        sb_printf(&out, "%s%s^2", i > 0 ? " + " : "", base);
    }
    return out.data ? out.data : "";
}

static const char *latex_mean(const Explanation *e, Arena *arena) {
    const char *sum = e->form == FORM_MEAN ? latex_terms(e, 0, " + ", arena) : latex_squares(e, arena);
    if (e->form == FORM_LENGTH) return arena_printf(arena, "\\sqrt{%s}", sum);
    const char *mean = arena_printf(arena, "\\frac{1}{%d}\\left(%s\\right)", e->n_terms, sum);
    return e->form == FORM_ROOT ? arena_printf(arena, "\\sqrt{%s + %s}", mean, latex_epsilon(arena, e->number)) : mean;
}

static const char *latex_norm(const Explanation *e, Arena *arena) {
    const Term *t = e->terms;
    const char *x = copy_latex_number(arena, t[0].a.value);
    if (e->form == FORM_ROOT_NORM)
        return arena_printf(arena, "\\frac{%s}{%s} \\cdot %s", x, copy_latex_number(arena, t[0].b.value), latex_factor(arena, t[1].a.value));
    const char *root = arena_printf(arena, "\\sqrt{%s + %s}", copy_latex_number(arena, t[1].a.value), latex_epsilon(arena, e->number));
    const char *text = arena_printf(arena, "\\frac{%s - %s}{%s} \\cdot %s", x, latex_factor(arena, t[0].b.value), root, latex_factor(arena, t[2].a.value));
    return e->n_terms > 3 ? arena_printf(arena, "%s + %s", text, latex_factor(arena, t[3].a.value)) : text;
}

static const char *latex_activation(const Explanation *e, Arena *arena) {
    return arena_printf(arena, "\\mathrm{%s}(%s)", curve_name(e->op), copy_latex_number(arena, e->terms[0].a.value));
}

static const char *latex_mix(const Explanation *e, Arena *arena) {
    return arena_printf(arena, "\\frac{%s + %g}{%s + 1}", copy_latex_number(arena, e->terms[0].a.value), e->number, latex_terms(e, 1, " + ", arena));
}

static const char *(*const latex_form[FORM_COUNT])(const Explanation *e, Arena *arena) = {
    [FORM_MEAN] = latex_mean, [FORM_VARIANCE] = latex_mean,  [FORM_ROOT] = latex_mean,             [FORM_LENGTH] = latex_mean,
    [FORM_NORM] = latex_norm, [FORM_ROOT_NORM] = latex_norm, [FORM_ACTIVATION] = latex_activation, [FORM_MIX] = latex_mix,
};

static const char *latex_right(const Explanation *e, Arena *arena) {
    const Ref *a = e->n_terms > 0 ? &e->terms[0].a : NULL;
    const Ref *b = !a ? NULL : e->terms[0].b.id != TENSOR_NONE || e->n_terms < 2 ? &e->terms[0].b : &e->terms[1].a;
    if (e->form == FORM_EXP && b) return arena_printf(arena, "e^{%s - %s}", copy_latex_number(arena, a->value), latex_factor(arena, b->value));
    if (e->form == FORM_RATIO && b) return arena_printf(arena, "\\frac{%s}{%s}", copy_latex_number(arena, a->value), copy_latex_number(arena, b->value));
    if (e->form == FORM_SCALE && a) return arena_printf(arena, "%s \\cdot %s", latex_factor(arena, a->value), latex_factor(arena, e->number));
    if (e->form == FORM_MAX) return arena_printf(arena, "\\max(%s)", latex_terms(e, 0, ", ", arena));
    if (e->form == FORM_SUM || e->form == FORM_DOT) return latex_terms(e, 0, " + ", arena);
    return latex_form[e->form] && a ? latex_form[e->form](e, arena) : NULL;
}

const char *copy_latex(const Run *run, const Explanation *e, Arena *arena) {
    const Tensor *tensor = trace_tensor(run->trace, e->self.id);
    const char *index = "";
    for (int axis = 0; axis < tensor->rank; axis++) {
        char buffer[32];
        const char *label = run_label(run, e->self.id, axis, e->self.index[axis], buffer);
        index = arena_printf(arena, "%s%s%s", index, axis > 0 ? ", " : "", latex_escape(label, arena));
    }
    const char *left = arena_printf(arena, "\\mathrm{%s}_{\\text{%s}}", latex_escape(tensor->name, arena), index);
    const char *right = latex_right(e, arena);
    if (!right) return arena_printf(arena, "%s = %s", left, copy_latex_number(arena, e->self.value));
    return arena_printf(arena, "%s = %s = %s", left, right, copy_latex_number(arena, e->self.value));
}
