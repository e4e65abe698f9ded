#include "app/copy.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "scene/scene.h"

/* ---- pieces ---- */

static const char *fixed(Arena *arena, double value, NumStyle style) {
    char text[NUM_MAX];
    return arena_strdup(arena, num_fixed(text, value, 3, style));
}

static const char *ref_text(const Run *run, const Ref *ref, Arena *arena) {
    char text[160];
    return arena_strdup(arena, run_ref_text(text, run, ref->id, ref->index));
}

/* "3 × q[1, sat, 2] × k[1, cat, 2]" without the parts that say nothing. */
static const char *term_refs(const Run *run, const Term *term, Arena *arena) {
    const char *text = term->a.id != TENSOR_NONE ? ref_text(run, &term->a, arena) : "";
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, "%s × %s", text, ref_text(run, &term->b, arena));
    return text;
}

static const char *term_numbers(const Term *term, Arena *arena) {
    const char *text = fixed(arena, term->a.value, NUM_FILE);
    if (fabs(term->factor - 1) > 0) text = arena_printf(arena, "%s × %s", fixed(arena, term->factor, NUM_FILE), text);
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, "%s × %s", text, fixed(arena, term->b.value, NUM_FILE));
    return text;
}

/* ---- in words ---- */

enum { NUMBERS_WIDE = 28, NAMES_WIDE = 36, FOLD_FROM = 6 };

/* Text and spaces up to `width` columns; wide characters count as two. */
static void add_column(StrBuf *out, const char *text, int width) {
    size_t length = strlen(text);
    int used = 0;
    for (size_t pos = 0; pos < length;) used += utf8_is_cjk(utf8_next(text, length, &pos)) ? 2 : 1;
    sb_printf(out, "%s%*s ", text, used < width ? width - used : 0, "");
}

static bool is_nothing(const Term *term) {
    return !(term->value < 0) && !(term->value > 0) && !isnan(term->value);
}

/* Many terms of 0 are counted, not listed. */
static void words_sum(const Run *run, const Explanation *e, StrBuf *out) {
    double sum = 0;
    int folded = 0;
    for (int i = 0; i < e->n_terms; i++) {
        const Term *term = &e->terms[i];
        if (e->n_terms > FOLD_FROM && is_nothing(term)) {
            folded++;
            continue;
        }
        sum += term->value;
        const char *numbers = term_numbers(term, out->arena);
        bool product = term->b.id != TENSOR_NONE || fabs(term->factor - 1) > 0;
        if (product) numbers = arena_printf(out->arena, "%s = %s", numbers, fixed(out->arena, term->value, NUM_FILE));
        sb_add(out, "  ");
        add_column(out, numbers, NUMBERS_WIDE);
        add_column(out, term_refs(run, term, out->arena), NAMES_WIDE);
        sb_printf(out, "sum %s\n", fixed(out->arena, sum, NUM_FILE));
    }
    if (folded > 0) sb_printf(out, tr("  (%d more terms are 0)\n"), folded);
    if (e->n_hidden > 0) sb_printf(out, tr("  (%d keys are hidden by the mask and form no term)\n"), e->n_hidden);
}

static void words_terms(const Run *run, const Explanation *e, StrBuf *out) {
    for (int i = 0; i < e->n_terms; i++) {
        sb_add(out, "  ");
        add_column(out, term_numbers(&e->terms[i], out->arena), NUMBERS_WIDE);
        sb_printf(out, "%s\n", term_refs(run, &e->terms[i], out->arena));
    }
    if (e->rule_text && e->rule_text[0]) sb_printf(out, "  %s\n", e->rule_text);
}

static void words_pair(const Run *run, const Explanation *e, StrBuf *out) {
    const Ref *a = &e->terms[0].a, *b = e->terms[0].b.id != TENSOR_NONE || e->n_terms < 2 ? &e->terms[0].b : &e->terms[1].a;
    const char *left = fixed(out->arena, a->value, NUM_FILE), *right = b->id != TENSOR_NONE ? fixed(out->arena, b->value, NUM_FILE) : "";
    const char *names = b->id != TENSOR_NONE ? arena_printf(out->arena, "%s, %s", ref_text(run, a, out->arena), ref_text(run, b, out->arena))
                                             : ref_text(run, a, out->arena);
    const char *arithmetic = e->form == FORM_EXP     ? arena_printf(out->arena, "exp(%s - %s)", left, right)
                             : e->form == FORM_RATIO ? arena_printf(out->arena, "%s / %s", left, right)
                                                     : arena_printf(out->arena, "%s × %s", left, fixed(out->arena, e->number, NUM_FILE));
    sb_add(out, "  ");
    add_column(out, arithmetic, NUMBERS_WIDE);
    sb_printf(out, "%s\n", names);
    if (e->by_policy) sb_printf(out, "  %s\n", tr("No key is allowed in this row: the rule for empty rows gives this number."));
}

static void words_none(const Run *run, const Explanation *e, StrBuf *out) {
    (void)run;
    if (e->rule_text && e->rule_text[0]) sb_printf(out, "  %s\n", e->rule_text);
}

static void (*const form_words[])(const Run *run, const Explanation *e, StrBuf *out) = {
    [FORM_INPUT] = words_none, [FORM_RULE] = words_none,     [FORM_COPY] = words_terms, [FORM_SUM] = words_sum, [FORM_DOT] = words_sum,
    [FORM_SCALE] = words_pair, [FORM_REPLACE] = words_terms, [FORM_MAX] = words_terms,  [FORM_EXP] = words_pair, [FORM_RATIO] = words_pair,
    [FORM_MEAN] = words_terms, [FORM_VARIANCE] = words_terms, [FORM_ROOT] = words_terms, [FORM_NORM] = words_terms,
    [FORM_ROOT_NORM] = words_terms, [FORM_ACTIVATION] = words_terms, [FORM_MIX] = words_terms, [FORM_LENGTH] = words_terms,
};
static_assert(sizeof form_words / sizeof form_words[0] == FORM_COUNT, "each form has its words");

const char *copy_words(const Run *run, const Explanation *e, Arena *arena) {
    StrBuf out;
    ExplainWords words = {0};
    sb_init(&out, arena);
    explain_words(run, e, arena, &words);
    sb_printf(&out, "%s = %s\n", ref_text(run, &e->self, arena), fixed(arena, e->self.value, NUM_FILE));
    if (words.question && words.question[0]) sb_printf(&out, "%s\n", words.question);
    if (e->n_terms > 0 || e->form == FORM_RULE) form_words[e->form](run, e, &out);
    if (words.result_name && words.result_name[0]) sb_printf(&out, "%s: %s\n", words.result_name, fixed(arena, e->self.value, NUM_FILE));
    if (words.meaning && words.meaning[0]) sb_printf(&out, "%s\n", words.meaning);
    return out.data;
}

/* ---- LaTeX ---- */

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

static const char *latex_number(Arena *arena, double value) {
    if (isnan(value)) return "\\mathrm{NaN}";
    if (isinf(value)) return value > 0 ? "\\infty" : "-\\infty";
    return fixed(arena, value, NUM_FILE);
}

/* In brackets behind an operator when it is negative. */
static const char *latex_factor(Arena *arena, double value) {
    const char *text = latex_number(arena, value);
    return text[0] == '-' ? arena_printf(arena, "(%s)", text) : text;
}

static const char *latex_term(const Term *term, Arena *arena) {
    const char *text = latex_factor(arena, term->a.value);
    if (fabs(term->factor - 1) > 0) text = arena_printf(arena, "%s \\cdot %s", latex_factor(arena, term->factor), text);
    if (term->b.id != TENSOR_NONE) text = arena_printf(arena, "%s \\cdot %s", text, latex_factor(arena, term->b.value));
    return text;
}

static const char *latex_terms(const Explanation *e, const char *between, Arena *arena) {
    const char *text = "";
    for (int i = 0; i < e->n_terms; i++)
        text = arena_printf(arena, "%s%s%s", text, i > 0 ? between : "", latex_term(&e->terms[i], arena));
    return text;
}

static const char *latex_right(const Explanation *e, Arena *arena) {
    const Ref *a = e->n_terms > 0 ? &e->terms[0].a : NULL;
    const Ref *b = !a ? NULL : e->terms[0].b.id != TENSOR_NONE || e->n_terms < 2 ? &e->terms[0].b : &e->terms[1].a;
    if (e->form == FORM_EXP && b) return arena_printf(arena, "e^{%s - %s}", latex_number(arena, a->value), latex_factor(arena, b->value));
    if (e->form == FORM_RATIO && b) return arena_printf(arena, "\\frac{%s}{%s}", latex_number(arena, a->value), latex_number(arena, b->value));
    if (e->form == FORM_SCALE && a) return arena_printf(arena, "%s \\cdot %s", latex_factor(arena, a->value), latex_factor(arena, e->number));
    if (e->form == FORM_MAX) return arena_printf(arena, "\\max(%s)", latex_terms(e, ", ", arena));
    if (e->form == FORM_SUM || e->form == FORM_DOT) return latex_terms(e, " + ", arena);
    return NULL;
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
    if (!right) return arena_printf(arena, "%s = %s", left, latex_number(arena, e->self.value));
    return arena_printf(arena, "%s = %s = %s", left, right, latex_number(arena, e->self.value));
}

/* ---- a map ---- */

/* What the stage of the view has made, for its head: tab-separated with labels. */
static const char *copy_table(const Run *run, const View *view, Arena *arena) {
    TensorId id = trace_stage(run->trace, view->film.stage)->result;
    if (id == TENSOR_NONE) return "";
    const Tensor *tensor = trace_tensor(run->trace, id);
    int rank = tensor->rank, rows = rank > 1 ? tensor->dim[rank - 2] : 1, cols = tensor->dim[rank - 1], index[TENSOR_RANK_MAX] = {0};
    if (rank == 3) index[0] = view->head * tensor->dim[0] / run_site(run, view->film.stage)->spec.n_heads;
    StrBuf out;
    char label[32], number[NUM_MAX];
    sb_init(&out, arena);
    for (int col = 0; col < cols; col++) sb_printf(&out, "\t%s", run_label(run, id, rank - 1, col, label));
    sb_add(&out, "\n");
    for (int row = 0; row < rows; row++) {
        sb_add(&out, rank > 1 ? run_label(run, id, rank - 2, row, label) : "");
        for (int col = 0; col < cols; col++) {
            index[rank - 1] = col;
            if (rank > 1) index[rank - 2] = row;
            sb_printf(&out, "\t%s", num_float(number, (float)tensor_at(tensor, index), NUM_FILE));
        }
        sb_add(&out, "\n");
    }
    return out.data;
}

const char *copy_text(const Run *run, const View *view, const char *form, Arena *arena, Err *err) {
    static const char *const forms[] = {"words", "latex", "table"};
    bool selected = view->selection.tensor[0] != '\0';
    int which = form ? str_find(forms, 3, form) : selected ? 0 : 2;
    if (which < 0) {
        err_set(err, ERR_USAGE, "copy takes words, latex or table, found '%s'", form);
        return NULL;
    }
    if (!run || (which < 2 && !selected)) {
        err_set(err, ERR_USAGE, "%s", tr("Nothing is selected: click a number first."));
        return NULL;
    }
    if (which == 2) return copy_table(run, view, arena);
    Explanation explanation;
    TensorId id = trace_find(run->trace, view->selection.tensor);
    if (id == TENSOR_NONE || !trace_explain(run->trace, id, view->selection.index, arena, &explanation, err)) return NULL;
    return which == 0 ? copy_words(run, &explanation, arena) : copy_latex(run, &explanation, arena);
}
