/* The arithmetic of one number in words, line by line. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "app/copy.h"
#include "app/copy_parts.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/curve.h"
#include "scene/scene.h"

const char *copy_fixed(Arena *arena, double value) {
    char text[NUM_MAX];
    return arena_strdup(arena, num_fixed(text, value, 3, NUM_FILE));
}

const char *copy_epsilon(Arena *arena, double value) {
    char text[NUM_MAX];
    return arena_strdup(arena, num_double(text, value, NUM_FILE));
}

static const char *ref_text(const Run *run, const Ref *ref, Arena *arena) {
    char text[160];
    return arena_strdup(arena, run_ref_text(text, run, ref->id, ref->index));
}

/* "3 × q[1, sat, 2] × k[1, cat, 2]" without the parts that say nothing. */
static const char *term_refs(const Run *run, const Explanation *e, const Term *term, Arena *arena) {
    const char *text = term->a.id != TENSOR_NONE ? ref_text(run, &term->a, arena) : "";
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, e->form == FORM_VARIANCE ? "%s, %s" : "%s × %s", text, ref_text(run, &term->b, arena));
    return text;
}

static const char *term_numbers(const Term *term, Arena *arena) {
    const char *text = copy_fixed(arena, term->a.value);
    if (fabs(term->factor - 1) > 0) text = arena_printf(arena, "%s × %s", copy_fixed(arena, term->factor), text);
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, "%s × %s", text, copy_fixed(arena, term->b.value));
    return text;
}

enum { NUMBERS_WIDE = 28, NAMES_WIDE = 36, FOLD_FROM = 6 };

/* Text and spaces up to `width` columns; wide characters count as two. */
static void add_column(StrBuf *out, const char *text, int width) {
    size_t length = strlen(text);
    int used = 0;
    for (size_t pos = 0; pos < length;) used += utf8_is_cjk(utf8_next(text, length, &pos)) ? 2 : 1;
    sb_printf(out, "%s%*s ", text, used < width ? width - used : 0, "");
}

/* What a term is worth in a sum: itself, its square, or the square of its distance from the mean. */
static double worth(const Explanation *e, const Term *term) {
    return e->form == FORM_ROOT || e->form == FORM_LENGTH ? term->a.value * term->a.value : term->value;
}

static const char *term_arithmetic(const Explanation *e, const Term *term, Arena *arena) {
    const char *numbers = term_numbers(term, arena), *value = copy_fixed(arena, worth(e, term));
    if (e->form == FORM_VARIANCE) return arena_printf(arena, "(%s - %s)² = %s", copy_fixed(arena, term->a.value), copy_fixed(arena, term->b.value), value);
    if (e->form == FORM_ROOT || e->form == FORM_LENGTH) return arena_printf(arena, term->a.value < 0 ? "(%s)² = %s" : "%s² = %s", numbers, value);
    bool product = term->b.id != TENSOR_NONE || fabs(term->factor - 1) > 0;
    return product ? arena_printf(arena, "%s = %s", numbers, value) : numbers;
}

/* Terms from `from` on, one a line with the sum so far, which is returned. Many terms of 0 are counted, not listed. */
static double add_terms(const Run *run, const Explanation *e, int from, StrBuf *out) {
    double sum = 0;
    int folded = 0;
    for (int i = from; i < e->n_terms; i++) {
        const Term *term = &e->terms[i];
        bool nothing = !(worth(e, term) < 0) && !(worth(e, term) > 0) && !isnan(worth(e, term));
        if (e->n_terms > FOLD_FROM && nothing) {
            folded++;
            continue;
        }
        sum += worth(e, term);
        sb_add(out, "  ");
        add_column(out, term_arithmetic(e, term, out->arena), NUMBERS_WIDE);
        add_column(out, term_refs(run, e, term, out->arena), NAMES_WIDE);
        sb_printf(out, tr("sum %s\n"), copy_fixed(out->arena, sum));
    }
    if (folded > 0) sb_printf(out, tr_count("  (%d more term is 0)\n", "  (%d more terms are 0)\n", folded), folded);
    return sum;
}

static void words_sum(const Run *run, const Explanation *e, StrBuf *out) {
    add_terms(run, e, 0, out);
    if (e->n_hidden > 0) sb_printf(out, tr_count("  (%d key is hidden by the mask and forms no term)\n", "  (%d keys are hidden by the mask and form no term)\n", e->n_hidden), e->n_hidden);
}

/* Mean, variance, root of a mean square, length: a sum, and what is made of it. */
static void words_mean(const Run *run, const Explanation *e, StrBuf *out) {
    const char *sum = copy_fixed(out->arena, add_terms(run, e, 0, out)), *value = copy_fixed(out->arena, e->self.value);
    if (e->form == FORM_LENGTH) sb_printf(out, "  sqrt(%s) = %s\n", sum, value);
    else if (e->form == FORM_ROOT) sb_printf(out, "  sqrt(%s / %d + %s) = %s\n", sum, e->n_terms, copy_epsilon(out->arena, e->number), value);
    else sb_printf(out, "  %s / %d = %s\n", sum, e->n_terms, value);
}

static void words_terms(const Run *run, const Explanation *e, StrBuf *out) {
    for (int i = 0; i < e->n_terms; i++) {
        sb_add(out, "  ");
        add_column(out, term_numbers(&e->terms[i], out->arena), NUMBERS_WIDE);
        sb_printf(out, "%s\n", term_refs(run, e, &e->terms[i], out->arena));
    }
    if (e->rule_text && e->rule_text[0]) sb_printf(out, "  %s\n", e->rule_text);
}

static void words_pair(const Run *run, const Explanation *e, StrBuf *out) {
    const Ref *a = &e->terms[0].a, *b = e->terms[0].b.id != TENSOR_NONE || e->n_terms < 2 ? &e->terms[0].b : &e->terms[1].a;
    const char *left = copy_fixed(out->arena, a->value), *right = b->id != TENSOR_NONE ? copy_fixed(out->arena, b->value) : "";
    const char *names = b->id != TENSOR_NONE ? arena_printf(out->arena, "%s, %s", ref_text(run, a, out->arena), ref_text(run, b, out->arena))
                                             : ref_text(run, a, out->arena);
    const char *arithmetic = e->form == FORM_EXP     ? arena_printf(out->arena, "exp(%s - %s)", left, right)
                             : e->form == FORM_RATIO ? arena_printf(out->arena, "%s / %s", left, right)
                                                     : arena_printf(out->arena, "%s × %s", left, copy_fixed(out->arena, e->number));
    sb_add(out, "  ");
    add_column(out, arithmetic, NUMBERS_WIDE);
    sb_printf(out, "%s\n", names);
    if (e->by_policy) sb_printf(out, "  %s\n", tr("No key is allowed in this row: the rule for empty rows gives this number."));
}

/* One step of a chain: "0.500 - 0.100 = 0.400" and whose numbers these are. */
static void add_step(const Run *run, StrBuf *out, const char *arithmetic, double value, const Ref *a, const Ref *b) {
    sb_add(out, "  ");
    add_column(out, arena_printf(out->arena, "%s = %s", arithmetic, copy_fixed(out->arena, value)), NUMBERS_WIDE);
    sb_printf(out, "%s", ref_text(run, a, out->arena));
    if (b) sb_printf(out, ", %s", ref_text(run, b, out->arena));
    sb_add(out, "\n");
}

static const char *joined(Arena *arena, double left, const char *sign, double right) {
    return arena_printf(arena, "%s %s %s", copy_fixed(arena, left), sign, copy_fixed(arena, right));
}

/* Away from the mean, in units of the row's spread, times the gain, plus the shift. */
static void words_norm(const Run *run, const Explanation *e, StrBuf *out) {
    const Term *t = e->terms;
    Arena *arena = out->arena;
    bool layer = e->form == FORM_NORM;
    double z = t[0].value;
    int gain = layer ? 2 : 1;
    add_step(run, out, joined(arena, t[0].a.value, layer ? "-" : "/", t[0].b.value), z, &t[0].a, &t[0].b);
    if (layer) {
        double wide = sqrt(t[1].a.value + e->number);
        const char *root = arena_printf(arena, "sqrt(%s + %s)", copy_fixed(arena, t[1].a.value), copy_epsilon(arena, e->number));
        add_step(run, out, arena_printf(arena, "%s / %s", copy_fixed(arena, z), root), z / wide, &t[1].a, NULL);
        z /= wide;
    }
    add_step(run, out, joined(arena, z, "×", t[gain].a.value), z * t[gain].a.value, &t[gain].a, NULL);
    z *= t[gain].a.value;
    if (e->n_terms > gain + 1) add_step(run, out, joined(arena, z, "+", t[gain + 1].a.value), z + t[gain + 1].a.value, &t[gain + 1].a, NULL);
}

/* Plain text has no bar over what a root covers. */
static const char *plain_rule(OpKind kind, Arena *arena) {
    static const char bar[] = "√2/π";
    const char *rule = curve_rule(kind), *at = strstr(rule, bar);
    return at ? arena_printf(arena, "%.*s√(2/π)%s", (int)(at - rule), rule, at + strlen(bar)) : rule;
}

static void words_activation(const Run *run, const Explanation *e, StrBuf *out) {
    const Ref *x = &e->terms[0].a;
    add_step(run, out, arena_printf(out->arena, "%s(%s)", curve_name(e->op), copy_fixed(out->arena, x->value)), e->self.value, x, NULL);
    sb_printf(out, "  %s(x) = %s\n", curve_name(e->op), plain_rule(e->op, out->arena));
}

/* The row's sum and 1 share what the cell and the residual bring. */
static void words_mix(const Run *run, const Explanation *e, StrBuf *out) {
    Arena *arena = out->arena;
    double sum = add_terms(run, e, 1, out);
    const char *top = arena_printf(arena, "(%s + %g)", copy_fixed(arena, e->terms[0].a.value), e->number);
    add_step(run, out, arena_printf(arena, "%s / (%s + 1)", top, copy_fixed(arena, sum)), e->self.value, &e->terms[0].a, NULL);
}

static void words_none(const Run *run, const Explanation *e, StrBuf *out) {
    (void)run;
    if (e->rule_text && e->rule_text[0]) sb_printf(out, "  %s\n", e->rule_text);
}

static void (*const form_words[])(const Run *run, const Explanation *e, StrBuf *out) = {
    [FORM_INPUT] = words_none, [FORM_RULE] = words_none,     [FORM_COPY] = words_terms, [FORM_SUM] = words_sum, [FORM_DOT] = words_sum,
    [FORM_SCALE] = words_pair, [FORM_REPLACE] = words_terms, [FORM_MAX] = words_terms,  [FORM_EXP] = words_pair, [FORM_RATIO] = words_pair,
    [FORM_MEAN] = words_mean, [FORM_VARIANCE] = words_mean,  [FORM_ROOT] = words_mean, [FORM_LENGTH] = words_mean,
    [FORM_NORM] = words_norm, [FORM_ROOT_NORM] = words_norm, [FORM_ACTIVATION] = words_activation, [FORM_MIX] = words_mix,
};
static_assert(sizeof form_words / sizeof form_words[0] == FORM_COUNT, "each form has its words");

const char *copy_words(const Run *run, const Explanation *e, Arena *arena) {
    StrBuf out;
    ExplainWords words = {0};
    sb_init(&out, arena);
    explain_words(run, e, arena, &words);
    sb_printf(&out, "%s = %s\n", ref_text(run, &e->self, arena), copy_fixed(arena, e->self.value));
    if (words.question && words.question[0]) sb_printf(&out, "%s\n", words.question);
    if (e->n_terms > 0 || e->form == FORM_RULE) form_words[e->form](run, e, &out);
    if (words.result_name && words.result_name[0]) sb_printf(&out, "%s\n", arena_printf(arena, tr("%s: %s"), words.result_name, copy_fixed(arena, e->self.value)));
    if (words.meaning && words.meaning[0]) sb_printf(&out, "%s\n", words.meaning);
    return out.data;
}
