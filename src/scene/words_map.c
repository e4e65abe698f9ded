/* What numbers of the maps say, queries × keys: scores, scaled, masked, and the three steps of softmax. */
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/now.h"
#include "scene/rich.h"
#include "scene/words.h"
#include "scene/words_part.h"

/* The story behind a head that was made by hand; NULL: there is none, or not with these settings. */
static const char *head_story(const Words *w) {
    const Source *s = &w->run->source;
    int head = w->e->self.index[0];
    return s->head_story && words_head_works(w->run, head) && s->head_story[head] ? tr(s->head_story[head]) : NULL;
}

/* The place of this number among its row's. */
static void row_place(const Words *w, int *larger, int *same, int *best) {
    int index[TENSOR_RANK_MAX] = {w->e->self.index[0], w->e->self.index[1], 0}, n = w->t->dim[2];
    double value = w->e->self.value, most = -INFINITY;
    *larger = *same = *best = 0;
    for (index[2] = 0; index[2] < n; index[2]++) {
        double other = tensor_at(w->t, index);
        *larger += other > value;
        *same += index[2] != w->e->self.index[2] && other == value;
        if (other > most) {
            most = other;
            *best = index[2];
        }
    }
}

static const char *key_name(const Words *w, int key) { return words_name(w->run, w->e->self.id, 2, key, w->arena); }

static const char *place_sentence(const Words *w) {
    int larger, same, best;
    row_place(w, &larger, &same, &best);
    if (!isfinite(w->e->self.value)) return tr("It is not a finite number.");
    if (w->t->dim[2] == 1) return tr("It is the only score in its row.");
    if (larger == 0 && same == 0) return tr("This is the largest score in the row.");
    if (larger == 0 && same + 1 == w->t->dim[2]) return tr("All scores of this row are equal.");
    if (larger == 0 && same == 1) return tr("This is the largest score in the row, shared with another key.");
    if (larger == 0) return arena_printf(w->arena, tr("This is the largest score in the row, shared with %d other keys."), same);
    const int at[TENSOR_RANK_MAX] = {w->e->self.index[0], w->e->self.index[1], best};
    return arena_printf(w->arena, tr("The best match in this row is “%s”, with %s."), key_name(w, best),
                        word_number(w, tensor_at(w->t, at), 2));
}

/* Does the mask hide this row's key `key`? Of a [H, L] or [H, L, S] tensor. */
static bool hides(const Words *w, int key) {
    TensorId id = word_find(w, "mask");
    if (id == TENSOR_NONE) return false;
    const Tensor *mask = trace_tensor(w->run->trace, id);
    const int *at = w->e->self.index;
    const int three[TENSOR_RANK_MAX] = {at[0], at[1], key}, two[TENSOR_RANK_MAX] = {at[1], key};
    return tensor_at(mask, mask->rank == 2 ? two : three) == 0;
}

static bool is_hidden(const Words *w) { return hides(w, w->e->self.index[2]); }

static bool hides_all(const Words *w) {
    for (int j = 0; j < w->site->spec.S; j++)
        if (!hides(w, j)) return false;
    return w->site->spec.S > 0;
}

/* The whole row is hidden, and nothing is left of its scores. */
static bool is_empty(const Words *w) { return !isfinite(w->site->spec.fill) && hides_all(w); }

/* What the mask will do to a score that is not allowed. */
static const char *hidden_soon(const Words *w) {
    const AttentionSpec *spec = &w->site->spec;
    if (!isfinite(spec->fill)) return arena_printf(w->arena, tr("The mask will hide “%s” from “%s”."), word_plain(w, 2), word_plain(w, 1));
    if (spec->mask_op == MASK_ADD)
        return arena_printf(w->arena, tr("The mask will add %s to the score of “%s”."), word_short(w, spec->fill), word_plain(w, 2));
    return arena_printf(w->arena, tr("The mask will put %s in the place of the score of “%s”."), word_short(w, spec->fill),
                        word_plain(w, 2));
}

void words_say_scores(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How well does %s match %s?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("score = q · k");
    const char *place = place_sentence(w), *more = is_hidden(w) ? hidden_soon(w) : head_story(w);
    out->meaning = phrase_sentences(w->arena, place, more);
}

static const char *scale_meaning(const Words *w) {
    const AttentionSpec *spec = &w->site->spec;
    bool warm = spec->temperature != 0 && spec->temperature != 1;
    if (warm && spec->temperature > 1) return tr("A temperature above 1 makes the scores more alike, and the attention broader.");
    if (warm) return tr("A temperature below 1 sets the scores apart, and makes the attention sharper.");
    if (spec->scale == SCALE_NONE && scene_in_network(w->run))
        return tr("This model does not divide by √dₖ: it was designed so, and its weights take care of the size.");
    if (spec->scale == SCALE_NONE) return tr("Scaling is off, so the score stays as it is.");
    if (spec->scale != SCALE_AUTO) return tr("Every score is multiplied by the same number.");
    if (spec->d_k == 1) return tr("dₖ is 1 here, so dividing by √dₖ changes nothing.");
    return arena_printf(w->arena,
                        tr("A sum of %d products tends to grow with √%d. Dividing by √%d = %s keeps softmax from choosing too hard."),
                        spec->d_k, spec->d_k, spec->d_k, words_root(spec->d_k, w->arena));
}

void words_say_scale(Words *w, ExplainWords *out) {
    if (words_say_scaled_row(w, out)) return;
    out->question = arena_printf(w->arena, tr("How well does %s match %s, once scaled?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("scaled score");
    out->meaning = scale_meaning(w);
}

/* ---- the mask ---- */

const char *words_padding_why(const Words *w, int query) {
    const AttentionSpec *spec = &w->site->spec;
    const int *index = w->e->self.index;
    for (int m = 0; m < spec->n_masks; m++) {
        const MaskSpec *mask = &spec->masks[m];
        if (mask_keeps(mask, query > 0 ? index[0] : 0, index[query], index[query + 1], spec->L, spec->S)) continue;
        return mask->kind == MASK_PADDING ? arena_printf(w->arena, tr("No: “%s” is padding."), word_plain(w, query + 1)) : NULL;
    }
    return NULL;
}

static const char *hidden_why(const Words *w) {
    const AttentionSpec *spec = &w->site->spec;
    if (spec->n_masks == 1 && spec->masks[0].kind == MASK_CAUSAL && spec->L == spec->S && !w->site->cross)
        return arena_printf(w->arena, tr("No: “%s” comes after “%s”."), word_plain(w, 2), word_plain(w, 1));
    const char *padding = words_padding_why(w, 1);
    if (padding) return padding;
    return w->e->rule_text ? arena_printf(w->arena, tr("No: %s."), w->e->rule_text) : tr("No: the mask hides this key.");
}

/* What becomes of a hidden key, read off the weight that it gets in the end. */
static const char *hidden_then(const Words *w) {
    TensorId id = word_find(w, "weights");
    double weight = id == TENSOR_NONE ? (double)NAN : tensor_at(trace_tensor(w->run->trace, id), w->e->self.index);
    if (is_empty(w)) return tr("All keys of this row are hidden, so there is nothing to share.");
    if (!isfinite(w->site->spec.fill)) return tr("After exp, −∞ becomes exactly 0, so nothing of it gets through.");
    if (weight < 0.0005) return tr("With so low a score it gets next to no weight.");
    if (isnan(weight)) return arena_printf(w->arena, tr("Its score is now %s."), word_short(w, w->e->self.value));
    if (hides_all(w))
        return arena_printf(w->arena, tr("All keys of this row are hidden, so this one still gets a weight of %s."),
                            word_number(w, weight, 3));
    return arena_printf(w->arena, tr("Yet %s is not low enough: it still gets a weight of %s."), word_short(w, w->site->spec.fill),
                        word_number(w, weight, 3));
}

void words_say_mask(Words *w, ExplainWords *out) {
    PositionKind position = w->site->spec.position.kind;
    if (position == POSITION_RELATIVE && w->site->spec.n_masks == 0) {
        words_say_biased(w, out);
        return;
    }
    out->question = arena_printf(w->arena, tr("May %s look at %s?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("masked score");
    if (is_hidden(w))
        out->meaning = phrase_sentences(w->arena, hidden_why(w), hidden_then(w));
    else
        out->meaning = position == POSITION_ALIBI      ? tr("Yes, but distance costs: the penalty is added to the score.")
                       : position == POSITION_RELATIVE ? tr("Yes, and the number for this distance is added to the score.")
                                                       : tr("Yes: the mask leaves this score as it is.");
}

/* ---- softmax ---- */

void words_say_row_max(Words *w, ExplainWords *out) {
    if (words_say_probability(w, out)) return;
    out->question = arena_printf(w->arena, tr("What is the largest score of %s?"), word_label(w, 1, 'q'));
    out->result_name = tr("largest score of the row");
    out->meaning = is_empty(w) ? tr("The row has no key it may look at, so it has no largest score.")
                               : tr("The row’s largest score is subtracted first, so that exp never overflows. The weights stay the same.");
}

static const char *exp_meaning(const Words *w) {
    double value = w->e->self.value;
    if (is_empty(w)) return tr("The row has no key it may look at, so there is nothing to compare.");
    if (isnan(value)) return tr("A score of this row is not a finite number, so exp has no result.");
    if (value == 0 && is_hidden(w) && !isfinite(w->site->spec.fill)) return tr("A masked key has score −∞, and exp(−∞) is exactly 0.");
    if (value == 0) return tr("The score lies so far below the largest that exp rounds to 0.");
    if (value == 1) return tr("The largest score of a row always becomes exp(0) = 1.");
    return tr("exp makes every number positive and widens the lead of the best match.");
}

void words_say_exp(Words *w, ExplainWords *out) {
    if (words_say_probability(w, out)) return;
    out->question =
        arena_printf(w->arena, tr("How much does %s count for %s, before sharing?"), word_label(w, 2, 'k'), word_label(w, 1, 'q'));
    out->result_name = tr("exp(score − max)");
    out->meaning = exp_meaning(w);
}

void words_say_row_sum(Words *w, ExplainWords *out) {
    if (words_say_probability(w, out)) return;
    out->question = arena_printf(w->arena, tr("What do the exponentials of %s add up to?"), word_label(w, 1, 'q'));
    out->result_name = tr("sum of the row");
    out->meaning = is_empty(w) ? tr("The row has no key it may look at, so there is nothing to add.")
                               : tr("Dividing by this sum makes the row’s weights add up to 1.");
}

static const char *share_sentence(const Words *w) {
    int larger, same, best;
    row_place(w, &larger, &same, &best);
    if (w->t->dim[2] == 1) return tr("The only key gets the whole budget of 1.");
    if (larger == 0 && same == 0) return tr("This is the largest share of the row’s budget of 1.");
    if (larger == 0 && same + 1 == w->t->dim[2]) return tr("All keys get the same share of the row’s budget of 1.");
    if (larger == 0 && same == 1) return tr("This is the largest share of the row’s budget of 1, as large as another key’s.");
    if (larger == 0)
        return arena_printf(w->arena, tr("This is the largest share of the row’s budget of 1; %d other keys get as much."), same);
    const int at[TENSOR_RANK_MAX] = {w->e->self.index[0], w->e->self.index[1], best};
    return arena_printf(w->arena, tr("The row’s budget is 1; “%s” gets the largest share, %s."), key_name(w, best),
                        word_number(w, tensor_at(w->t, at), 3));
}

static const char *weight_meaning(const Words *w) {
    double value = w->e->self.value;
    if (w->e->by_policy) return tr("The row has no key it may look at; by the chosen rule its weights are 0.");
    if (is_empty(w)) return tr("The row has no key it may look at: −∞ − (−∞) is not a number.");
    if (isnan(value)) return tr("A score of this row is not a finite number, so its shares cannot be worked out.");
    if (value == 0 && is_hidden(w) && !isfinite(w->site->spec.fill)) return tr("A masked key has score −∞, and exp(−∞) is exactly 0.");
    return share_sentence(w);
}

void words_say_divide(Words *w, ExplainWords *out) {
    if (words_say_probability(w, out)) return;
    const char *query = word_label(w, 1, 'q'), *key = word_label(w, 2, 'k');
    out->question = arena_printf(w->arena, tr("How much of its attention does %s give to %s?"), query, key);
    out->result_name = tr("weight = exp ÷ sum");
    out->meaning = weight_meaning(w);
}
