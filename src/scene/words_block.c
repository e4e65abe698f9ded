/* Words for what stands around attention in a block: norms, residuals, the feed-forward layer. */
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/curve.h"
#include "scene/rich.h"
#include "scene/words.h"
#include "scene/words_part.h"

/* The token of the row, as the question names it. */
static const char *row_label(const Words *w) {
    const char *name = word_row_name(w);
    return rich_name(w->arena, 'q', name);
}

static int columns_of(const Words *w) { return w->t->dim[w->t->rank - 1]; }
static int column_of(const Words *w) { return w->e->self.index[w->t->rank - 1] + 1; }

const char *word_row_name(const Words *w) {
    int axis = w->t->rank >= 2 ? w->t->rank - 2 : 0, row = w->e->self.index[axis];
    const Op *op = trace_op(w->run->trace, w->t->op);
    if (w->t->rank == 2 && w->t->dim[0] == 1) { /* one picked row: it belongs to a token further up */
        while (op->kind != OP_PICK && op->kind != OP_INPUT && op->in[0] != TENSOR_NONE)
            op = trace_op(w->run->trace, trace_tensor(w->run->trace, op->in[0])->op);
        if (op->kind == OP_PICK) row = op->row;
    }
    if (run_axis(w->run, w->e->self.id, axis) == AXIS_QUERY) return words_name(w->run, w->e->self.id, axis, w->e->self.index[axis], w->arena);
    const TokenList *tokens = w->site->queries;
    return row < tokens->n ? words_token(tokens, row, w->arena) : arena_printf(w->arena, tr("row %d"), row + 1);
}

/* ---- norms ---- */

void words_say_mean(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What is the mean of the row of %s?"), row_label(w));
    out->result_name = tr("mean μ = sum ÷ count");
    out->meaning = arena_printf(w->arena, tr("The %d numbers of the row are added and divided by %d. The norm takes this mean away from each."),
                                w->e->n_terms, w->e->n_terms);
}

void words_say_variance(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How far do the numbers in the row of %s spread?"), row_label(w));
    out->result_name = tr("variance σ² = mean of (x − μ)²");
    out->meaning = tr("The variance is the mean of the squared distances from the mean. Its root, σ, is the usual distance.");
}

void words_say_rms(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How large are the numbers in the row of %s, taken together?"), row_label(w));
    out->result_name = tr("RMS, the root of the mean square");
    out->meaning = arena_printf(w->arena, tr("Square the %d numbers, take the mean, add a tiny ε = %s against division by 0, and take the root."),
                                w->e->n_terms, word_short(w, w->e->number));
}

void words_say_layernorm(Words *w, ExplainWords *out) {
    const Term *t = w->e->terms;
    double away = (t[0].a.value - t[0].b.value) / sqrt(t[1].a.value + w->e->number);
    out->question = arena_printf(w->arena, tr("How does the row of %s look once it is normalised?"), row_label(w));
    out->result_name = arena_printf(w->arena, tr("normalised, column %d of %d"), column_of(w), columns_of(w));
    const char *place = away < 0 ? tr("This number lies %s σ below its row’s mean.") : tr("This number lies %s σ above its row’s mean.");
    out->meaning = phrase_sentences(w->arena, arena_printf(w->arena, place, word_number(w, fabs(away), 2)),
                                tr("A norm gives every row mean 0 and variance 1; gain γ and shift β then set each column to its own size."));
}

void words_say_rmsnorm(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How does the row of %s look once it is normalised?"), row_label(w));
    out->result_name = arena_printf(w->arena, tr("normalised, column %d of %d"), column_of(w), columns_of(w));
    out->meaning = tr("Every row is divided by its root mean square, RMS, so all rows have one size; the gain γ then weighs each column.");
}

/* ---- residual and feed-forward ---- */

void words_say_residual(Words *w, ExplainWords *out) {
    const char *name = words_noun(trace_tensor(w->run->trace, w->e->terms[1].a.id)->name);
    out->question = arena_printf(w->arena, tr("What becomes of column %d of %s?"), column_of(w), row_label(w));
    out->result_name = arena_printf(w->arena, tr("sum, column %d of %d"), column_of(w), columns_of(w));
    double before = w->e->terms[0].value, more = w->e->terms[1].value;
    const char *says = before != 0 && (before < 0) == (more < 0) ? tr("Here %s pushes the number further the way it already leans.")
                                                                 : tr("Here %s pushes the number the other way.");
    if (more == 0) says = tr("Here %s changes nothing.");
    out->meaning = arena_printf(w->arena, "%s %s", tr("A residual: what went in is kept, and what was found is added to it."),
                                arena_printf(w->arena, says, name));
}

static const char *const activation_says[] = {
    [OP_RELU - OP_RELU] = tr_mark("ReLU keeps what is positive and makes 0 of the rest."),
    [OP_GELU - OP_RELU] = tr_mark("GELU lets large positive numbers through, holds negative ones back, and bends smoothly in between."),
    [OP_GELU_TANH - OP_RELU] =
        tr_mark("GELU, here by its usual short form with tanh, lets large positive numbers through and holds negative ones back."),
    [OP_SILU - OP_RELU] = tr_mark("SiLU multiplies a number by its sigmoid: large positive ones pass, negative ones are held back."),
    [OP_TANH - OP_RELU] = tr_mark("tanh squeezes every number into −1 to 1."),
};

void words_say_activation(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much of unit %d gets through for %s?"), column_of(w), row_label(w));
    out->result_name = arena_printf(w->arena, "%s(%s)", curve_name(w->e->op), word_number(w, w->e->terms[0].a.value, 3));
    out->meaning = phrase_sentences(w->arena, tr(activation_says[w->e->op - OP_RELU]),
                                arena_printf(w->arena, tr("Rule: %s."), curve_rule(w->e->op)));
}

void words_say_multiply(Words *w, ExplainWords *out) {
    double gate = w->e->terms[0].a.value;
    out->question = arena_printf(w->arena, tr("How much of unit %d does the gate let through for %s?"), column_of(w), row_label(w));
    out->result_name = tr("bent gate × hidden");
    out->meaning = arena_printf(
        w->arena, "%s %s", tr("A gate is a second row of units that multiplies the first."),
        fabs(gate) < 0.05 ? tr("Here it is nearly shut.") : fabs(gate) >= 1 ? tr("Here it is wide open.") : tr("Here it is partly open."));
}

/* The term that pushes most, as a column of what goes in. */
static const char *strongest(const Words *w) {
    int best = -1, products = 0;
    for (int i = 0; i < w->e->n_terms; i++) {
        if (w->e->terms[i].b.id == TENSOR_NONE) continue; /* a bias */
        products++;
        if (best < 0 || fabs(w->e->terms[i].value) > fabs(w->e->terms[best].value)) best = i;
    }
    if (best < 0 || w->e->terms[best].value == 0) return tr("Nothing comes in.");
    const Term *term = &w->e->terms[best];
    return arena_printf(w->arena, tr("Of %d products, that of column %d counts most: %s."), products, term->a.index[1] + 1,
                        word_number(w, term->value, 3));
}

static const struct {
    const char *tensor, *question, *result, *says;
} linears[] = {
    {"ffn_hidden", tr_mark("How strongly does %s set off unit %d?"), tr_mark("hidden, unit %d of %d"),
     tr_mark("A unit compares the whole row with weights of its own.")},
    {"ffn_gate", tr_mark("How far does %s open the gate of unit %d?"), tr_mark("gate, unit %d of %d"),
     tr_mark("A gate compares the whole row with weights of its own.")},
    {"ffn_out", tr_mark("What does the feed-forward layer add to %s, column %d?"), tr_mark("F, column %d of %d"),
     tr_mark("Every unit that got through adds its share.")},
    {"pool_hidden", tr_mark("What stands for the whole text, read off %s, in column %d?"), tr_mark("hidden, column %d of %d"),
     tr_mark("The pooler reads the first row alone.")},
    {"head_hidden", tr_mark("What does the head make of %s, in column %d?"), tr_mark("hidden, column %d of %d"),
     tr_mark("The row is turned once more before it is compared with the tokens.")},
};

/* A product of rows with a matrix that is no attention's output. */
bool words_say_product(Words *w, ExplainWords *out) {
    for (size_t i = 0; i < sizeof linears / sizeof *linears; i++) {
        if (!str_eq(linears[i].tensor, w->t->name)) continue;
        out->question = arena_printf(w->arena, tr(linears[i].question), row_label(w), column_of(w));
        out->result_name = arena_printf(w->arena, tr(linears[i].result), column_of(w), columns_of(w));
        out->meaning = phrase_sentences(w->arena, tr(linears[i].says), strongest(w));
        return true;
    }
    if (str_eq(w->t->name, "out")) return false;
    out->question = arena_printf(w->arena, tr("What stands in column %d of the row of %s?"), column_of(w), row_label(w));
    out->result_name = arena_printf(w->arena, tr("%s, column %d of %d"), words_symbol(w->t->name), column_of(w), columns_of(w));
    out->meaning = strongest(w);
    return true;
}
