/* One function an op kind: what the number answers, its name, what it means. */
#include "scene/words.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/paint.h"
#include "scene/rich.h"
#include "scene/words_part.h"

const char *word_label(const Words *w, int axis, char role) {
    return rich_name(w->arena, role, words_name(w->run, w->e->self.id, axis, w->e->self.index[axis], w->arena));
}

const char *word_plain(const Words *w, int axis) { return rich_plain(w->arena, word_label(w, axis, 0)); }

/* Numbers are written as panels write them; that asks nothing of a scene but its arena. */
const char *word_number(const Words *w, double value, int decimals) { return scene_number(&(Scene){.arena = w->arena}, value, decimals); }

const char *word_short(const Words *w, double value) { return scene_short_number(&(Scene){.arena = w->arena}, value); }

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

const char *word_content_question(const Words *w, const char *row) {
    double number;
    bool named = !str_to_double(word_plain(w, 1), &number);
    return arena_printf(w->arena, named ? tr("How much %s is in %s?") : tr("What stands in %s of %s?"), word_feature_label(w, 1), row);
}

const char *word_feature_label(const Words *w, int axis) { return rich_name(w->arena, 0, word_feature(w, axis)); }

/* ---- embed and project ---- */

/* Does anything of the second summand, the positions, reach this column? */
static bool column_moves(const Words *w) {
    if (w->e->n_terms < 2 || w->e->terms[1].a.id == TENSOR_NONE) return false;
    const Ref *place = &w->e->terms[1].a;
    const Tensor *t = trace_tensor(w->run->trace, place->id);
    int index[TENSOR_RANK_MAX] = {0, place->index[1]};
    for (; index[0] < t->dim[0]; index[0]++)
        if (tensor_at(t, index) != 0) return true;
    return false;
}

static void say_add(Words *w, ExplainWords *out) {
    if (str_starts(w->t->name, "resid")) {
        words_say_residual(w, out);
        return;
    }
    bool moves = column_moves(w);
    out->question =
        moves ? arena_printf(w->arena, tr("Where does %s stand?"), word_label(w, 0, 'q')) : word_content_question(w, word_label(w, 0, 'q'));
    out->result_name = arena_printf(w->arena, tr("%s of “%s”"), word_feature(w, 1), word_plain(w, 0));
    double own = w->e->n_terms > 0 ? w->e->terms[0].value : 0, place = w->e->n_terms > 1 ? w->e->terms[1].value : 0;
    const char *says = tr("The token’s own number and its position’s number are added.");
    if (own == 0 && moves)
        says = tr("E has 0 here, so X takes the position’s number as it is.");
    else if (place == 0)
        says = tr("P has 0 here, so X takes the token’s own number as it is.");
    const char *gloss = word_gloss(w, 1);
    out->meaning = phrase_sentences(w->arena, gloss, says);
}

const char *word_column(const Words *w, char which) {
    const char *format = which == 'q' ? tr("q, column %d of %d") : which == 'k' ? tr("k, column %d of %d") : tr("v, column %d of %d");
    return arena_printf(w->arena, format, w->e->self.index[2] + 1, w->t->dim[2]);
}

const char *word_project_question(const Words *w, char which) {
    if (which == 'q') return arena_printf(w->arena, tr("What does %s ask for?"), word_label(w, 1, 'q'));
    if (which == 'k') return arena_printf(w->arena, tr("What does %s offer?"), word_label(w, 1, 'k'));
    return arena_printf(w->arena, tr("What does %s pass on?"), word_label(w, 1, 'v'));
}

static void say_heads(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    out->question = word_project_question(w, which);
    out->result_name = word_column(w, which);
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
    out->question = word_project_question(w, which);
    out->result_name = word_column(w, which);
    const char *slot = run_slot_label(w->run, w->e->self.id, w->e->self.index[0], w->e->self.index[2]);
    int column = w->e->self.index[2] + 1;
    const char *says = NULL;
    if (slot && which == 'q') says = arena_printf(w->arena, tr("Column %d of the query asks for %s."), column, tr(slot));
    if (slot && which == 'k') says = arena_printf(w->arena, tr("Column %d of the key answers a query for %s."), column, tr(slot));
    if (slot && which == 'v') says = arena_printf(w->arena, tr("Column %d of the value carries %s."), column, tr(slot));
    if (which == 'k' && w->run->spec.tie_qk) says = tr("W_Q = W_K: a key offers just what its token asks for, and a score is the same both ways.");
    if (!says) {
        says = which == 'q'   ? tr("A query says what its token is looking for.")
               : which == 'k' ? tr("A key says what its token has to offer.")
                              : tr("A value is what its token passes on to those who look at it.");
    }
    const char *more = slot ? alone_sentence(w) : NULL;
    const uint8_t *needs = w->run->source.head_needs;
    if (slot && which != 'v' && needs && (needs[w->e->self.index[0]] & HEAD_NEEDS_CLOCKS))
        more = w->run->source.clock[0] > 0 ? tr("A clock is a sine and a cosine that turn with every position.")
                                           : tr("With these positions the rows hold no clocks.");
    out->meaning = phrase_sentences(w->arena, says, more);
}

static void say_rope(Words *w, ExplainWords *out) {
    char which = w->t->name[0];
    char role = which == 'q' ? 'q' : 'k';
    out->question = arena_printf(
        w->arena, which == 'q' ? tr("What does %s ask for, turned by its place?") : tr("What does %s offer, turned by its place?"),
        word_label(w, 1, role));
    out->result_name = word_column(w, which);
    out->meaning =
        w->e->n_terms < 2
            ? tr("This column does not turn.")
            : tr("Two columns turn together like a clock hand, so a later dot product depends on how far apart two tokens stand.");
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
    [OP_SCORES] = words_say_scores,
    [OP_SCALE] = words_say_scale,
    [OP_MASK] = words_say_mask,
    [OP_ROW_MAX] = words_say_row_max,
    [OP_EXP] = words_say_exp,
    [OP_ROW_SUM] = words_say_row_sum,
    [OP_DIVIDE] = words_say_divide,
    [OP_WEIGHTED_SUM] = words_say_weighted_sum,
    [OP_CONCAT] = words_say_concat,
    [OP_LINEAR] = words_say_linear,
    [OP_COPY] = words_say_copy,
    [OP_GATHER] = words_say_gather,
    [OP_PICK] = words_say_pick,
    [OP_RELATIVE_BIAS] = words_say_relative_bias,
    [OP_MEAN] = words_say_mean,
    [OP_VARIANCE] = words_say_variance,
    [OP_RMS] = words_say_rms,
    [OP_LAYERNORM] = words_say_layernorm,
    [OP_RMSNORM] = words_say_rmsnorm,
    [OP_RELU] = words_say_activation,
    [OP_GELU] = words_say_activation,
    [OP_GELU_TANH] = words_say_activation,
    [OP_SILU] = words_say_activation,
    [OP_TANH] = words_say_activation,
    [OP_MULTIPLY] = words_say_multiply,
    [OP_HEAD_AVERAGE] = words_say_head_average,
    [OP_HEAD_MAXIMUM] = words_say_head_maximum,
    [OP_MIX_IDENTITY] = words_say_mix_identity,
    [OP_MATMUL] = words_say_rollout,
    [OP_LENGTH] = words_say_length,
    [OP_TIMES_LENGTH] = words_say_times_length,
};
static_assert(sizeof say / sizeof *say == OP_KIND_COUNT, "words for each op kind");

void words_rich(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out) {
    Words w = {.run = run, .site = run_site_of(run, explanation->self.id), .e = explanation, .t = trace_tensor(run->trace, explanation->self.id), .arena = arena};
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
