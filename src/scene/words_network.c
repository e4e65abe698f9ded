/* Words for the two ends of a network, tables and predictions, and for what looks at several maps at once. */
#include <math.h>
#include <stdlib.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/rich.h"
#include "scene/words.h"
#include "scene/words_part.h"

static const char *row_label(const Words *w) { return rich_name(w->arena, 'q', word_row_name(w)); }
static int column_of(const Words *w) { return w->e->self.index[w->t->rank - 1] + 1; }

/* ---- tables ---- */

void words_say_gather(Words *w, ExplainWords *out) {
    const Op *op = trace_op(w->run->trace, w->t->op);
    const Tensor *table = trace_tensor(w->run->trace, op->in[0]);
    int row = op->ids[w->e->self.index[0]];
    bool type = str_eq(table->name, "w_type");
    out->question = arena_printf(w->arena, tr("What stands in column %d of the row of %s?"), column_of(w), row_label(w));
    out->result_name = type ? arena_printf(w->arena, tr("%s, row %d, column %d"), words_symbol(table->name), row + 1, column_of(w))
                            : arena_printf(w->arena, tr("%s, id %d, column %d"), words_symbol(table->name), row, column_of(w));
    if (type) {
        out->meaning = tr("The type says which of two texts a token belongs to; each has a row that is added to its tokens.");
        return;
    }
    out->meaning = arena_printf(w->arena, tr("Each of the %d tokens that the model knows has a row; this is %s. It is looked up, not computed."),
                                table->dim[0], words_id(row, w->arena));
    const char *byte = words_byte_of(w->run, w->site->queries, w->e->self.index[0], w->arena);
    if (byte) out->meaning = arena_printf(w->arena, tr("The token is %s. %s"), byte, out->meaning);
}

void words_say_pick(Words *w, ExplainWords *out) {
    if (w->t->rank == 3) {
        out->question = arena_printf(w->arena, tr("What is the logit of %s?"),
                                     rich_name(w->arena, 'o', words_vocabulary(w->run, w->e->self.index[2], w->arena)));
        out->result_name = tr("logit");
        out->meaning = tr("It is taken as it is from the row that the prediction is read off.");
        return;
    }
    out->question = arena_printf(w->arena, tr("What stands in column %d of the row of %s?"), column_of(w), row_label(w));
    out->result_name = arena_printf(w->arena, tr("%s, column %d"), words_symbol(w->t->name), column_of(w));
    out->meaning = tr("One row is picked out: what follows is read off it alone.");
}

void words_say_relative_bias(Words *w, ExplainWords *out) {
    out->question =
        arena_printf(w->arena, tr("What does the distance from %s to %s count in head %d?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'),
                     w->e->self.index[0] + 1);
    out->result_name = tr("bias for the distance");
    const char *says = tr("Each head has a number for every distance, far ones in buckets together; it is added to the score.");
    const char *bucket = w->e->rule_text ? arena_printf(w->arena, tr("Here %s."), w->e->rule_text) : NULL;
    out->meaning = phrase_sentences(w->arena, says, bucket);
}

void words_say_biased(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How well does %s match %s, their distance counted?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("score + bias");
    out->meaning = tr("The number for this distance is added to the score. Nothing is hidden here.");
}

/* A row that is multiplied by a number, such as the token's row by the root of its width. */
bool words_say_scaled_row(Words *w, ExplainWords *out) {
    if (w->t->rank != 2) return false;
    out->question = arena_printf(w->arena, tr("What stands in column %d of the row of %s?"), column_of(w), row_label(w));
    out->result_name = arena_printf(w->arena, tr("row × %s"), word_short(w, w->e->number));
    out->meaning = tr("This model multiplies every number of the row by the same factor.");
    return true;
}

/* ---- predictions ---- */

bool word_predicts(const Words *w) {
    int stage = trace_stage_of(w->run->trace, w->e->self.id);
    return stage >= 0 && trace_stage(w->run->trace, stage)->kind == STAGE_PREDICT;
}

static bool fills_mask(const Words *w) {
    return words_mask_sign(w->run) != NULL;
}

static const char *candidate(const Words *w) {
    return rich_name(w->arena, 'o', words_vocabulary(w->run, w->e->self.index[w->t->rank - 1], w->arena));
}

void words_say_logit(Words *w, ExplainWords *out) {
    const char *plain = fills_mask(w) ? tr("How well would %s fit in place of %s?") : tr("How well would %s go on after %s?");
    out->question = arena_printf(w->arena, plain, candidate(w), row_label(w));
    out->result_name = tr("logit = row · the token’s own row");
    out->meaning = tr("A logit is a score before softmax: the last row is compared with one row of weights for each token that the model knows.");
}

/* Where this probability stands among all. */
static const char *rank_sentence(const Words *w) {
    int larger = 0, n = w->t->dim[2];
    for (int i = 0; i < n; i++) {
        const int at[TENSOR_RANK_MAX] = {0, 0, i};
        larger += tensor_at(w->t, at) > w->e->self.value;
    }
    if (larger == 0) return arena_printf(w->arena, tr("No other of the %d tokens is likelier."), n);
    return arena_printf(w->arena, tr_count("%d of the %d tokens is likelier.", "%d of the %d tokens are likelier.", larger), larger, n);
}

/* Softmax over the tokens that the model knows, in its four parts. */
bool words_say_probability(Words *w, ExplainWords *out) {
    if (!word_predicts(w)) return false;
    switch (w->e->op) {
    case OP_ROW_MAX:
        out->question = tr("What is the largest logit?");
        out->result_name = tr("largest logit");
        out->meaning = tr("It is subtracted first, so that exp never overflows. The probabilities stay the same.");
        return true;
    case OP_EXP:
        out->question = arena_printf(w->arena, tr("How much does %s count, before sharing?"), candidate(w));
        out->result_name = tr("exp(logit − max)");
        out->meaning = tr("exp makes every number positive and widens the lead of the best one.");
        return true;
    case OP_ROW_SUM:
        out->question = tr("What do the exponentials of all tokens add up to?");
        out->result_name = tr("sum over all tokens");
        out->meaning = tr("Dividing by this sum makes the probabilities add up to 1.");
        return true;
    default:
        out->question = arena_printf(w->arena, fills_mask(w) ? tr("How likely is %s in the gap?") : tr("How likely is %s to come next?"), candidate(w));
        out->result_name = tr("probability = exp ÷ sum");
        out->meaning = arena_printf(w->arena, "%s %s", rank_sentence(w), tr("It is what the model expects, not what is true."));
        return true;
    }
}

/* ---- several maps at once ---- */

static const char *from_to(Words *w, const char *format) { return arena_printf(w->arena, format, word_label(w, 0, 'q'), word_label(w, 1, 'k')); }

void words_say_head_average(Words *w, ExplainWords *out) {
    out->question = from_to(w, tr("How much does %s look at %s, on average over the heads?"));
    out->result_name = arena_printf(w->arena, tr("mean of %d heads"), w->e->n_terms);
    out->meaning = tr("The weights of all heads are added and divided by their number. What single heads do is lost in it.");
}

void words_say_head_maximum(Words *w, ExplainWords *out) {
    const Ref *most = explanation_source(w->e);
    out->question = from_to(w, tr("How much does %s look at %s in the head that does it most?"));
    out->result_name = arena_printf(w->arena, tr("largest of %d heads"), w->e->n_terms);
    out->meaning = most ? arena_printf(w->arena, tr("It is head %d’s weight. Each cell may come from another head, so the rows of this map add up to more than 1."), most->index[0] + 1)
                        : tr("The largest weight of any head.");
}

void words_say_mix_identity(Words *w, ExplainWords *out) {
    out->question = from_to(w, tr("How much of %s comes from %s through this layer?"));
    out->result_name = tr("(mean weight + residual) ÷ their sum");
    out->meaning = tr("Half is what attention brings, half is what the residual keeps: the row itself.");
}

void words_say_rollout(Words *w, ExplainWords *out) {
    out->question = from_to(w, tr("How much of %s can be traced to %s through all layers so far?"));
    out->result_name = tr("rollout: this layer × those before");
    out->meaning = tr("Rollout multiplies the layers’ mixed maps. It knows neither values nor feed-forward layers, so it is a hint, no proof.");
}

void words_say_length(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How long is the value of %s?"), word_label(w, 1, 'k'));
    out->result_name = tr("|v| = √ of the sum of squares");
    out->meaning = tr("The longer a value, the more the same weight moves the result.");
}

void words_say_times_length(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much does %s bring to %s?"), word_label(w, 2, 'k'), word_label(w, 1, 'q'));
    out->result_name = tr("weight × |v|");
    out->meaning = tr("A large weight is not an explanation: on a short v it brings little, and v says what is brought.");
}
