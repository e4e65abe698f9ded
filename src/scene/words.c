/* One function an op kind: what the number answers, its name, what it means. */
#include "scene/words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/rich.h"
#include "scene/words_part.h"

const char *word_label(const Words *w, int axis, char role) {
    char buffer[32];
    return rich_name(w->arena, role, run_label(w->run, w->e->self.id, axis, w->e->self.index[axis], buffer));
}

const char *word_plain(const Words *w, int axis) { return rich_plain(w->arena, word_label(w, axis, 0)); }

const char *word_number(const Words *w, double value, int decimals) {
    char text[NUM_MAX];
    return arena_strdup(w->arena, num_fixed(text, value, decimals, NUM_SCREEN));
}

TensorId word_find(const Words *w, const char *name) {
    char id[160];
    size_t scope = (size_t)(w->t->name - w->t->id);
    if (scope + strlen(name) >= sizeof id) return TENSOR_NONE;
    memcpy(id, w->t->id, scope);
    strcpy(id + scope, name);
    return trace_find(w->run->trace, id);
}

/* Role letter of a token axis. */
char word_role(const Words *w, int axis) {
    AxisKind kind = run_axis(w->run, w->e->self.id, axis);
    return kind == AXIS_QUERY ? 'q' : kind == AXIS_KEY ? 'k' : 0;
}

const char *word_feature(const Words *w, int axis) {
    double number;
    const char *name = word_plain(w, axis);
    if (run_axis(w->run, w->e->self.id, axis) == AXIS_FEATURE && !str_to_double(name, &number)) return name;
    return arena_printf(w->arena, tr("column %d"), w->e->self.index[axis] + 1);
}

const char *word_feature_label(const Words *w, int axis) { return rich_name(w->arena, 0, word_feature(w, axis)); }

/* ---- embed and project ---- */

static void say_add(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("%s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    double own = w->e->n_terms > 0 ? w->e->terms[0].value : 0, place = w->e->n_terms > 1 ? w->e->terms[1].value : 0;
    if (own == 0 && place != 0)
        out->meaning = tr("E has 0 here, so X takes the position’s number as it is.");
    else if (place == 0)
        out->meaning = tr("P has 0 here, so X takes the token’s own number as it is.");
    else
        out->meaning = tr("The token’s own number and its position’s number are added.");
}

static const char *column_name(const Words *w, char which) {
    const char *format = which == 'q' ? tr("q, column %d of %d") : which == 'k' ? tr("k, column %d of %d") : tr("v, column %d of %d");
    return arena_printf(w->arena, format, w->e->self.index[2] + 1, w->t->dim[2]);
}

static const char *project_question(const Words *w, char which) {
    if (which == 'q') return arena_printf(w->arena, tr("What does %s ask for?"), word_label(w, 1, 'q'));
    if (which == 'k') return arena_printf(w->arena, tr("What does %s offer?"), word_label(w, 1, 'k'));
    return arena_printf(w->arena, tr("What does %s pass on?"), word_label(w, 1, 'v'));
}

static void say_heads(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    out->question = project_question(w, which);
    out->result_name = column_name(w, which);
    out->meaning = tr("There is no projection: the token row itself is used.");
}

/* How many rows of this column are not 0. */
static const char *alone_sentence(const Words *w) {
    if (w->e->self.value == 0) return NULL;
    int index[TENSOR_RANK_MAX] = {w->e->self.index[0], 0, w->e->self.index[2]}, others = 0;
    for (index[1] = 0; index[1] < w->t->dim[1]; index[1]++) others += index[1] != w->e->self.index[1] && tensor_at(w->t, index) != 0;
    return others == 0 && w->t->dim[1] > 1 ? tr("Every other token has 0 here.") : NULL;
}

static void say_project(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    out->question = project_question(w, which);
    out->result_name = column_name(w, which);
    const char *slot = run_slot_label(w->run, w->e->self.id, w->e->self.index[0], w->e->self.index[2]);
    int column = w->e->self.index[2] + 1;
    const char *says = NULL;
    if (slot && which == 'q') says = arena_printf(w->arena, tr("Column %d of the query asks for %s."), column, tr(slot));
    if (slot && which == 'k') says = arena_printf(w->arena, tr("Column %d of the key answers a query for %s."), column, tr(slot));
    if (slot && which == 'v') says = arena_printf(w->arena, tr("Column %d of the value carries %s."), column, tr(slot));
    if (!says) {
        says = which == 'q'   ? tr("A query says what its token is looking for.")
               : which == 'k' ? tr("A key says what its token has to offer.")
                              : tr("A value is what its token passes on to those who look at it.");
    }
    const char *alone = slot ? alone_sentence(w) : NULL;
    out->meaning = alone ? arena_printf(w->arena, "%s %s", says, alone) : says;
}

static void say_rope(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    char role = which == 'q' ? 'q' : 'k';
    out->question = arena_printf(
        w->arena, which == 'q' ? tr("What does %s ask for, turned by its place?") : tr("What does %s offer, turned by its place?"),
        word_label(w, 1, role));
    out->result_name = column_name(w, which);
    out->meaning =
        w->e->n_terms < 2
            ? tr("This column does not turn.")
            : tr("Two columns turn together like a clock hand, so a later dot product depends on how far apart two tokens stand.");
}

/* ---- scores ---- */

/* "Head 1", the story behind the sentence, only where the model was made by hand. */
static const char *head_story(const Words *w) {
    const Source *s = &w->run->source;
    int head = w->e->self.index[0];
    return s->head_story && head < s->n_heads && s->head_story[head] && w->run->spec.n_heads == s->n_heads ? tr(s->head_story[head]) : NULL;
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

static const char *key_name(const Words *w, int key) {
    char buffer[32];
    return rich_short(w->arena, run_label(w->run, w->e->self.id, 2, key, buffer));
}

static const char *place_sentence(const Words *w) {
    int larger, same, best;
    row_place(w, &larger, &same, &best);
    if (w->t->dim[2] == 1) return tr("It is the only score in its row.");
    if (!isfinite(w->e->self.value)) return tr("It is not a finite number.");
    if (larger == 0 && same == 0) return tr("This is the largest score in the row.");
    if (larger == 0) return tr("This is the largest score in the row, shared with another key.");
    const int at[TENSOR_RANK_MAX] = {w->e->self.index[0], w->e->self.index[1], best};
    return arena_printf(w->arena, tr("The best match in this row is “%s”, with %s."), key_name(w, best),
                        word_number(w, tensor_at(w->t, at), 2));
}

/* Does the mask hide this cell of a [H, L, S] tensor? */
static bool is_hidden(const Words *w) {
    TensorId id = word_find(w, "mask");
    if (id == TENSOR_NONE) return false;
    const Tensor *mask = trace_tensor(w->run->trace, id);
    const int *at = w->e->self.index;
    const int three[TENSOR_RANK_MAX] = {at[0], at[1], at[2]}, two[TENSOR_RANK_MAX] = {at[1], at[2]};
    return tensor_at(mask, mask->rank == 2 ? two : three) == 0;
}

static void say_scores(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How well does %s match %s?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("score = q · k");
    const char *story = head_story(w), *place = place_sentence(w);
    if (is_hidden(w)) story = tr("The mask will hide it: this query may not look at this key.");
    out->meaning = story ? arena_printf(w->arena, "%s %s", place, story) : place;
}

static void say_scale(Words *w, ExplainWords *out) {
    const AttentionSpec *spec = &w->run->spec;
    bool warm = spec->temperature != 0 && spec->temperature != 1;
    out->question = arena_printf(w->arena, tr("How well does %s match %s, once scaled?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("scaled score");
    if (spec->scale == SCALE_AUTO && !warm)
        out->meaning =
            arena_printf(w->arena, tr("A sum of %d products grows with √dₖ. Dividing by √%d = %s keeps softmax from choosing too hard."),
                         spec->d_k, spec->d_k, word_number(w, sqrt(spec->d_k), 3));
    else if (warm && spec->temperature > 1)
        out->meaning = tr("A temperature above 1 makes the scores more alike, and the attention broader.");
    else if (warm)
        out->meaning = tr("A temperature below 1 sets the scores apart, and makes the attention sharper.");
    else if (spec->scale == SCALE_NONE)
        out->meaning = tr("Scaling is off, so the score stays as it is.");
    else
        out->meaning = tr("Every score is multiplied by the same number.");
}

static void say_mask(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("May %s look at %s?"), word_label(w, 1, 'q'), word_label(w, 2, 'k'));
    out->result_name = tr("masked score");
    bool hidden = is_hidden(w), bias = w->run->spec.position.kind == POSITION_ALIBI;
    if (!hidden) {
        out->meaning =
            bias ? tr("Yes, but distance costs: the penalty is added to the score.") : tr("Yes: the mask leaves this score as it is.");
        return;
    }
    const AttentionSpec *spec = &w->run->spec;
    const char *why = w->e->rule_text ? arena_printf(w->arena, tr("No: %s."), w->e->rule_text) : tr("No: the mask hides this key.");
    if (spec->n_masks == 1 && spec->masks[0].kind == MASK_CAUSAL && spec->L == spec->S && !w->run->cross)
        why = arena_printf(w->arena, tr("No: “%s” comes after “%s”."), word_plain(w, 2), word_plain(w, 1));
    const char *then = isfinite(w->run->spec.fill) ? tr("A very low score leaves it next to no weight.")
                                                   : tr("After exp, −∞ becomes exactly 0, so nothing of it gets through.");
    out->meaning = arena_printf(w->arena, "%s %s", why, then);
}

/* ---- softmax ---- */

static void say_row_max(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What is the largest score of %s?"), word_label(w, 1, 'q'));
    out->result_name = tr("largest score of the row");
    out->meaning = w->e->by_policy ? tr("The row has no key it may look at; the chosen rule decides.")
                                   : tr("It is subtracted first, so that exp never overflows. The weights stay the same.");
}

static void say_exp(Words *w, ExplainWords *out) {
    out->question =
        arena_printf(w->arena, tr("How much does %s count for %s, before sharing?"), word_label(w, 2, 'k'), word_label(w, 1, 'q'));
    out->result_name = tr("exp(score − max)");
    if (is_hidden(w) && w->e->self.value == 0)
        out->meaning = tr("A masked key has score −∞, and exp(−∞) is exactly 0.");
    else
        out->meaning = w->e->self.value == 1 ? tr("The largest score of a row always becomes exp(0) = 1.")
                                             : tr("exp makes every number positive and widens the lead of the best match.");
}

static void say_row_sum(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What do the exponentials of %s add up to?"), word_label(w, 1, 'q'));
    out->result_name = tr("sum of the row");
    out->meaning = tr("Dividing by this sum makes the row’s weights add up to 1.");
}

static const char *share_sentence(const Words *w) {
    int larger, same, best;
    row_place(w, &larger, &same, &best);
    if (w->t->dim[2] == 1) return tr("The only key gets the whole budget of 1.");
    if (larger == 0 && same == 0) return tr("This is the largest share of the row’s budget of 1.");
    if (larger == 0) return tr("This is the largest share of the row’s budget of 1, as large as another key’s.");
    const int at[TENSOR_RANK_MAX] = {w->e->self.index[0], w->e->self.index[1], best};
    return arena_printf(w->arena, tr("The row’s budget is 1; “%s” gets the largest share, %s."), key_name(w, best),
                        word_number(w, tensor_at(w->t, at), 3));
}

static void say_divide(Words *w, ExplainWords *out) {
    const char *query = word_label(w, 1, 'q'), *key = word_label(w, 2, 'k');
    out->question = arena_printf(w->arena, tr("How much of its attention does %s give to %s?"), query, key);
    out->result_name = tr("weight = exp ÷ sum");
    if (w->e->by_policy)
        out->meaning = tr("The row has no key it may look at; by the chosen rule its weights are 0.");
    else if (isnan(w->e->self.value))
        out->meaning = tr("The row has no usable score: 0 ÷ 0 is not a number.");
    else if (is_hidden(w) && w->e->self.value == 0)
        out->meaning = tr("A masked key has score −∞, and exp(−∞) is exactly 0.");
    else
        out->meaning = share_sentence(w);
}

/* ---- after softmax ---- */

static const char *value_column(const Words *w) {
    const char *slot = run_slot_label(w->run, w->e->self.id, w->e->self.index[0], w->e->self.index[2]);
    if (slot) return rich_name(w->arena, 'o', tr(slot));
    return rich_name(w->arena, 'o', arena_printf(w->arena, tr("column %d"), w->e->self.index[2] + 1));
}

/* The term with the largest magnitude, and whether it makes nearly all of the sum. */
static int main_term(const Explanation *e, double *share) {
    int best = -1;
    double most = 0, all = 0;
    for (int i = 0; i < e->n_terms; i++) {
        double size = fabs(e->terms[i].value);
        all += size;
        if (size > most) {
            most = size;
            best = i;
        }
    }
    *share = all > 0 ? most / all : 0;
    return best;
}

static void say_weighted_sum(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("How much %s does %s take home?"), value_column(w), word_label(w, 1, 'q'));
    out->result_name = tr("sum of weight × v");
    double share;
    int best = main_term(w->e, &share);
    char buffer[32];
    if (best < 0)
        out->meaning = tr("Nothing comes in: every weight or every value here is 0.");
    else {
        const Ref *weight = &w->e->terms[best].a;
        const char *key = rich_short(w->arena, run_label(w->run, weight->id, 2, weight->index[2], buffer));
        out->meaning = arena_printf(w->arena, share > 0.995 ? tr("All of it comes from “%s”.") : tr("Most of it comes from “%s”."), key);
    }
    if (w->e->n_hidden > 0) out->meaning = arena_printf(w->arena, tr("%s Hidden keys take no part: %d."), out->meaning, w->e->n_hidden);
}

static void say_concat(Words *w, ExplainWords *out) {
    int width = w->run->spec.d_v > 0 ? w->run->spec.d_v : 1, column = w->e->self.index[1];
    out->question = arena_printf(w->arena, tr("Which head wrote column %d of %s?"), column + 1, word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("concat, column %d"), column + 1);
    out->meaning = arena_printf(w->arena, tr("It is column %d of head %d, unchanged: joining computes nothing."), column % width + 1,
                                column / width + 1);
}

/* Sum of the terms of one head. */
static double head_part(const Words *w, int head) {
    int width = w->run->spec.d_v > 0 ? w->run->spec.d_v : 1;
    double sum = 0;
    for (int i = 0; i < w->e->n_terms; i++) {
        const Term *term = &w->e->terms[i];
        if (term->b.id != TENSOR_NONE && term->a.index[1] / width == head) sum += term->value;
    }
    return sum;
}

static const char *output_meaning(const Words *w) {
    int heads = w->run->spec.n_heads, best = 0, writers = 0;
    double most = 0;
    for (int h = 0; h < heads; h++) {
        double part = fabs(head_part(w, h));
        writers += part != 0;
        if (part > most) {
            most = part;
            best = h;
        }
    }
    if (writers == 0) return tr("No head writes into this column.");
    if (heads == 1) return tr("The one head’s output, mixed by Wᴼ.");
    if (writers == 1) return arena_printf(w->arena, tr("Only head %d writes into this column."), best + 1);
    return arena_printf(w->arena, tr("Head %d adds the most; %d of %d heads write into this column."), best + 1, writers, heads);
}

static void say_linear(Words *w, ExplainWords *out) {
    out->question = arena_printf(
        w->arena, w->run->spec.n_heads > 1 ? tr("What did each head add to %s of %s?") : tr("What did the head add to %s of %s?"),
        word_feature_label(w, 1), word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("out, %s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    out->meaning = output_meaning(w);
}

static void say_copy(Words *w, ExplainWords *out) {
    out->question = arena_printf(w->arena, tr("What is the result in %s of %s?"), word_feature_label(w, 1), word_label(w, 0, 'q'));
    out->result_name = tr("out = concat");
    out->meaning = tr("There is no output projection: the heads side by side are the result.");
}

static void (*const say[])(Words *, ExplainWords *) = {
    [OP_INPUT] = words_say_input,
    [OP_SINUSOID] = words_say_position_row,
    [OP_ROPE_COS] = words_say_rope_table,
    [OP_ROPE_SIN] = words_say_rope_table,
    [OP_ALIBI_SLOPES] = words_say_slope,
    [OP_ALIBI_BIAS] = words_say_bias,
    [OP_MASK_RULE] = words_say_mask_rule,
    [OP_ROWS] = words_say_rows,
    [OP_ADD] = say_add,
    [OP_HEADS] = say_heads,
    [OP_PROJECT] = say_project,
    [OP_ROPE] = say_rope,
    [OP_SCORES] = say_scores,
    [OP_SCALE] = say_scale,
    [OP_MASK] = say_mask,
    [OP_ROW_MAX] = say_row_max,
    [OP_EXP] = say_exp,
    [OP_ROW_SUM] = say_row_sum,
    [OP_DIVIDE] = say_divide,
    [OP_WEIGHTED_SUM] = say_weighted_sum,
    [OP_CONCAT] = say_concat,
    [OP_LINEAR] = say_linear,
    [OP_COPY] = say_copy,
};
static_assert(sizeof say / sizeof *say == OP_KIND_COUNT, "words for each op kind");

void words_rich(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out) {
    Words w = {.run = run, .e = explanation, .t = trace_tensor(run->trace, explanation->self.id), .arena = arena};
    *out = (ExplainWords){.question = "", .result_name = "", .meaning = ""};
    say[explanation->op](&w, out);
    char reference[160];
    out->reference = arena_strdup(arena, run_ref_text(reference, run, explanation->self.id, explanation->self.index));
}

void explain_words(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out) {
    words_rich(run, explanation, arena, out);
    out->question = rich_plain(arena, out->question);
    out->result_name = rich_plain(arena, out->result_name);
    out->meaning = rich_plain(arena, out->meaning);
}
