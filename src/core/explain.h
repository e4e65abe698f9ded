/* Where a number comes from: the terms it was made of, each with a reference that can be explained
 * in turn, down to inputs and named rules. Invariant, tested over every element of every reference
 * file: the explanation, evaluated, equals the tensor's value. */
#ifndef CORE_EXPLAIN_H
#define CORE_EXPLAIN_H

#include "core/trace.h"

typedef enum {
    FORM_INPUT,   /* given: no terms */
    FORM_RULE,    /* a named rule with its parameters: no terms, see rule and rule_text */
    FORM_COPY,    /* = a */
    FORM_SUM,     /* Σ factor·a */
    FORM_DOT,     /* Σ factor·a·b; a term without b is a bias */
    FORM_SCALE,   /* a · number */
    FORM_REPLACE, /* the number takes the place of a (terms[0] = what was there, terms[1] = the mask) */
    FORM_MAX,     /* the largest a */
    FORM_EXP,     /* exp(a - b) */
    FORM_RATIO,   /* a / b; 0 when the empty-row policy says so (number = that value, by_policy) */
    FORM_MEAN,    /* (Σ a) / number of terms */
    FORM_VARIANCE,/* (Σ (a - b)²) / number of terms, b = the mean; a term's value is its square */
    FORM_ROOT,    /* sqrt((Σ a²) / number of terms + number) */
    FORM_NORM,    /* (a - b) / sqrt(variance + number) · gain + shift: terms[0] = a and the mean b, then variance, gain, and
                   * shift where there is one; terms[0].value = a - b */
    FORM_ROOT_NORM, /* a / b · gain: terms[0] = a and its row's root b, terms[1] = gain; terms[0].value = a / b */
    FORM_ACTIVATION, /* f(a); `op` says which f */
    FORM_LENGTH,  /* sqrt(Σ a²) */
    FORM_MIX,     /* (a + number) / (Σ row + 1): terms[0] = a, then its row; number = 1 on the diagonal, else 0 */
    FORM_COUNT
} ExplainForm;

/* One number of one tensor. id TENSOR_NONE: absent. */
typedef struct {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    double value;
} Ref;

typedef struct {
    double factor; /* +1 or -1, or a coefficient */
    Ref a, b;      /* side A and side B; an absent b counts as 1 */
    double value;  /* factor · a · b (or factor · a) */
} Term;

typedef struct {
    ExplainForm form;
    OpKind op;
    Ref self;             /* the number that is explained */
    double number;        /* SCALE factor, REPLACE fill, value of a RULE or INPUT */
    bool by_policy;       /* the empty-row policy decided */
    int n_terms;
    Term *terms;          /* in the order they are summed */
    int n_hidden;         /* keys that form no term because the mask hides them */
    const char *rule;     /* RULE: "mask", "sinusoid", "rope", "alibi", "alibi_slope" */
    const char *rule_text;/* RULE: the rule with its numbers, "cos(0.58 · 2)"; REPLACE: why it is hidden; COPY: why this one, or NULL */
} Explanation;

/* Everything in `out` lives in `arena`. ERR_INPUT when the index lies outside the tensor's shape (both named), and when
 * the tensor or one that it is made from is not in memory (trace_need brings them). */
bool trace_explain(const Trace *trace, TensorId id, const int index[TENSOR_RANK_MAX], Arena *arena,
                   Explanation *out, Err *err);
/* The operand to follow when one asks where the number comes from: side A of the term that counts most (of a sum the
 * largest product, a NaN before all; of a maximum the largest number), else of the first term. NULL: it comes from no other. */
const Ref *explanation_source(const Explanation *explanation);
/* The value the terms give, in double. */
double explanation_evaluate(const Explanation *explanation);

#endif
