/* One sentence about one number, for the status line: what it is and how large, without its arithmetic. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/paint.h"
#include "scene/words.h"

/* Of each sentence: 1 the row, 2 the column, 3 the number. Words of the text stand in quotes where they could be read as words of
 * the sentence; behind "query" and "key" they need none. */
typedef struct {
    const char *tensor, *sentence;
    bool bare;
} Sentence;

static const Sentence sentences[] = {
    {"tok", tr_mark("what %1$s is, in %2$s: %3$s"), false},
    {"pe", tr_mark("where %1$s stands, in %2$s: %3$s"), false},
    {"x", tr_mark("token %1$s has %3$s in %2$s"), false},
    {"x_kv", tr_mark("source token %1$s has %3$s in %2$s"), false},
    {"q", tr_mark("the query of %1$s asks %3$s of %2$s"), false},
    {"k", tr_mark("the key of %1$s offers %3$s of %2$s"), false},
    {"v", tr_mark("the value of %1$s passes on %3$s of %2$s"), false},
    {"q_rope", tr_mark("the query of %1$s, turned by its position, asks %3$s of %2$s"), false},
    {"k_rope", tr_mark("the key of %1$s, turned by its position, offers %3$s of %2$s"), false},
    {"w_q", tr_mark("W_Q carries %2$s to %1$s of the query: %3$s"), false},
    {"w_k", tr_mark("W_K carries %2$s to %1$s of the key: %3$s"), false},
    {"w_v", tr_mark("W_V carries %2$s to %1$s of the value: %3$s"), false},
    {"w_o", tr_mark("W_O carries %2$s of the heads to %1$s of the output: %3$s"), false},
    {"scores", tr_mark("query %1$s matches key %2$s: %3$s"), true},
    {"scaled", tr_mark("query %1$s matches key %2$s, scaled: %3$s"), true},
    {"bias", tr_mark("the distance from query %1$s to key %2$s counts %3$s"), true},
    {"masked", tr_mark("query %1$s matches key %2$s, after the mask: %3$s"), true},
    {"mask", tr_mark("may query %1$s read key %2$s? %3$s"), true},
    {"exp", tr_mark("query %1$s, key %2$s: e to the score minus the row’s largest is %3$s"), true},
    {"weights", tr_mark("query %1$s reads key %2$s: %3$s"), true},
    {"head_avg", tr_mark("query %1$s reads key %2$s: %3$s, the mean of all heads"), true},
    {"head_max", tr_mark("query %1$s reads key %2$s: %3$s, the most of all heads"), true},
    {"mixed", tr_mark("query %1$s reads key %2$s or keeps its own: %3$s"), true},
    {"rollout", tr_mark("through all layers up to here %1$s reads %2$s: %3$s"), false},
    {"weighted_length", tr_mark("what key %2$s adds to query %1$s is %3$s long"), true},
    {"head_out", tr_mark("the head brings %1$s %3$s of %2$s"), false},
    {"concat", tr_mark("the heads bring %1$s %3$s of %2$s"), false},
    {"out", tr_mark("the output for %1$s has %3$s in %2$s"), false},
    {"logits", tr_mark("after %1$s, %2$s has the logit %3$s"), false},
    {"probs", tr_mark("after %1$s, %2$s has the probability %3$s"), false},
};

/* The mask that decides this number alone: no score, or no share. */
static bool is_hidden(const Run *run, TensorId id, const int *index, double value) {
    const Trace *trace = run->trace;
    const Tensor *t = trace_tensor(trace, id);
    const Op *op = trace_op(trace, t->op);
    TensorId mask = op->kind == OP_MASK ? op->in[2] : str_eq(t->name, "weights") ? trace_mask_of(trace, id) : TENSOR_NONE;
    if (mask == TENSOR_NONE || !trace_resident(trace, mask) || !(value == 0 || value == (double)-INFINITY)) return false;
    int of_all[TENSOR_RANK_MAX] = {index[1], index[2]};
    return tensor_at(trace_tensor(trace, mask), trace_tensor(trace, mask)->rank == 3 ? index : of_all) == 0;
}

/* Two decimals are enough for shares, but not to tell a small one from none. */
static const char *share_text(double value, Arena *arena) {
    char number[NUM_MAX];
    if (value > 0 && value < 0.0005) return tr("less than 0.001");
    return arena_strdup(arena, num_fixed(number, value, value > 0 && value < 0.005 ? 3 : 2, NUM_SCREEN));
}

static const char *number_text(const Run *run, TensorId id, const int *index, Arena *arena) {
    char number[NUM_MAX];
    const Tensor *t = trace_tensor(run->trace, id);
    double value = tensor_at(t, index);
    if (str_eq(t->name, "mask")) return words_mask_number(run, value, arena);
    if (is_hidden(run, id, index, value)) return tr("hidden by the mask");
    return str_eq(t->name, "weights") ? share_text(value, arena) : arena_strdup(arena, num_fixed(number, value, 3, NUM_SCREEN));
}

/* Positions that have no name are said to be one. */
static const char *side_text(const Run *run, TensorId id, int axis, int i, bool bare, Arena *arena) {
    AxisKind kind = run_axis(run, id, axis);
    const char *name = words_name(run, id, axis, i, arena);
    if (run_axis_tokens(run, id, kind)) return bare ? name : arena_printf(arena, tr("“%s”"), name);
    bool counted = strspn(name, "0123456789") == strlen(name);
    return counted && (kind == AXIS_SLOT || kind == AXIS_FEATURE || kind == AXIS_OTHER || kind == AXIS_PAIR) ? arena_printf(arena, tr("column %s"), name) : name;
}

static const Sentence *sentence_of(const char *tensor) {
    static const Sentence others = {NULL, NULL, false};
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (str_eq(sentences[i].tensor, tensor)) return &sentences[i];
    return &others;
}

const char *words_hover(const Run *run, TensorId id, const int *index, Arena *arena) {
    const Tensor *t = trace_tensor(run->trace, id);
    const Sentence *sentence = sentence_of(t->name);
    const char *number = number_text(run, id, index, arena);
    int last = t->rank - 1, before = t->rank - 2;
    const char *col = side_text(run, id, last, index[last], sentence->bare, arena);
    if (t->rank == 1 || run_axis(run, id, before) == AXIS_HEAD) return arena_printf(arena, tr("%s, %s: %s"), words_noun(t->name), col, number);
    const char *row = side_text(run, id, before, index[before], sentence->bare, arena);
    if (sentence->sentence) return arena_printf(arena, tr(sentence->sentence), row, col, number);
    return arena_printf(arena, tr("%s, row %s, %s: %s"), words_noun(t->name), row, col, number);
}
