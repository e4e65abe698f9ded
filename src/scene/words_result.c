/* What numbers behind the weights say: a head's output, the heads side by side, the result. */
#include <math.h>

#include "base/tr.h"
#include "scene/rich.h"
#include "scene/words.h"
#include "scene/words_part.h"

static const char *value_column(const Words *w) {
    const char *slot = run_slot_label(w->run, w->e->self.id, w->e->self.index[0], w->e->self.index[2]);
    if (slot) return rich_name(w->arena, 'o', tr(slot));
    return rich_name(w->arena, 'o', arena_printf(w->arena, tr("column %d"), w->e->self.index[2] + 1));
}

/* The term that counts most, its part of all terms' sizes, and how many are not 0. */
static int main_term(const Explanation *e, double *share, int *count) {
    int best = -1;
    double most = 0, all = 0;
    *count = 0;
    for (int i = 0; i < e->n_terms; i++) {
        double size = fabs(e->terms[i].value);
        all += size;
        *count += size > 0;
        if (size > most) {
            most = size;
            best = i;
        }
    }
    *share = all > 0 ? most / all : 0;
    return best;
}

static const char *mixture_meaning(const Words *w) {
    double share;
    int count, best = main_term(w->e, &share, &count);
    if (isnan(w->e->self.value)) return tr("A weight or a value of this sum is not a number, so the sum is none either.");
    if (best < 0) return tr("Nothing comes in: every product of weight and value is 0.");
    const Ref *weight = &w->e->terms[best].a;
    const char *key = words_name(w->run, weight->id, 2, weight->index[2], w->arena);
    if (count == 1) return arena_printf(w->arena, tr("All of it comes from “%s”."), key);
    if (share > 0.5) return arena_printf(w->arena, tr("Most of it comes from “%s”."), key);
    int alike = 0;
    for (int i = 0; i < w->e->n_terms; i++) alike += w->e->terms[i].value == w->e->terms[best].value;
    if (alike > 1) return arena_printf(w->arena, tr("%d keys count most in it, each alike."), alike);
    return arena_printf(w->arena, tr("“%s” counts most in it."), key);
}

void words_say_weighted_sum(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much %s does %s take home?"), value_column(w), word_label(w, 1, 'q'));
    out->result_name = tr("sum of weight × v");
    out->meaning = mixture_meaning(w);
    int hidden = w->e->n_hidden;
    if (hidden == 1) out->meaning = arena_printf(w->arena, "%s %s", out->meaning, tr("The hidden key takes no part."));
    if (hidden > 1)
        out->meaning =
            arena_printf(w->arena, "%s %s", out->meaning, arena_printf(w->arena, tr("The %d hidden keys take no part."), hidden));
}

void words_say_concat(Words *w, ExplainWords *out) {
    int width = w->site->spec.d_v > 0 ? w->site->spec.d_v : 1, column = w->e->self.index[1];
    out->question = arena_printf(w->arena, tr("Which head wrote column %d of %s?"), column + 1, word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("concat, column %d"), column + 1);
    if (w->site->spec.n_heads == 1)
        out->meaning = arena_printf(w->arena, tr("There is one head; this is column %d of its output, unchanged."), column + 1);
    else
        out->meaning = arena_printf(w->arena, tr("It is column %d of head %d, unchanged: joining computes nothing."), column % width + 1,
                                    column / width + 1);
}

/* Sum of the terms of one head. */
static double head_part(const Words *w, int head) {
    int width = w->site->spec.d_v > 0 ? w->site->spec.d_v : 1;
    double sum = 0;
    for (int i = 0; i < w->e->n_terms; i++) {
        const Term *term = &w->e->terms[i];
        if (term->b.id != TENSOR_NONE && term->a.index[1] / width == head) sum += term->value;
    }
    return sum;
}

static const char *output_meaning(const Words *w) {
    int heads = w->site->spec.n_heads, best = 0, writers = 0;
    double most = 0;
    for (int h = 0; h < heads; h++) {
        double part = head_part(w, h);
        writers += part != 0;
        if (fabs(part) > fabs(most)) {
            most = part;
            best = h;
        }
    }
    if (isnan(w->e->self.value)) return tr("A part of this sum is not a number, so the sum is none either.");
    if (heads == 1) return writers ? tr("The one head’s output, mixed by Wᴼ.") : tr("The head adds nothing here.");
    if (writers == 0) return tr("No head changes this number.");
    if (writers == 1) return arena_printf(w->arena, tr("Only head %d changes this number."), best + 1);
    if (writers == heads) {
        const char *all = most < 0 ? tr("Head %d takes away the most; all %d heads change this number.")
                                   : tr("Head %d adds the most; all %d heads change this number.");
        return arena_printf(w->arena, all, best + 1, heads);
    }
    const char *some = most < 0 ? tr("Head %d takes away the most; %d of %d heads change this number.")
                                : tr("Head %d adds the most; %d of %d heads change this number.");
    return arena_printf(w->arena, some, best + 1, writers, heads);
}

void words_say_linear(Words *w, ExplainWords *out) {
    if (str_eq(w->t->name, "logits")) {
        words_say_logit(w, out);
        return;
    }
    if (words_say_product(w, out)) return;
    out->question = arena_printf(
        w->arena, w->site->spec.n_heads > 1 ? tr("What did each head add to %s of %s?") : tr("What did the head add to %s of %s?"),
        word_feature_label(w, 1), word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("out, %s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    out->meaning = output_meaning(w);
}

void words_say_copy(Words *w, ExplainWords *out) {
    if (str_eq(w->t->name, "rollout")) { /* of the first layer: there is nothing before it */
        words_say_rollout(w, out);
        return;
    }
    out->question = arena_printf(w->arena, tr("What is the result in %s of %s?"), word_feature_label(w, 1), word_label(w, 0, 'q'));
    out->result_name = tr("out = concat");
    out->meaning = w->site->spec.n_heads > 1 ? tr("There is no output projection: the heads side by side are the result.")
                                            : tr("There is no output projection: the head’s output is the result.");
}
