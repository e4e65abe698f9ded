/* One sentence about one number, for the status line: what it is and how large, without its arithmetic. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/paint.h"
#include "scene/words.h"

/* Of each sentence: 1 the row, 2 the column, 3 the number. */
typedef struct {
    const char *tensor, *sentence;
} Sentence;

static const Sentence sentences[] = {
    {"tok", tr_mark("what %1$s is, in %2$s: %3$s")},
    {"pe", tr_mark("where %1$s stands, in %2$s: %3$s")},
    {"x", tr_mark("token %1$s has %3$s in %2$s")},
    {"x_kv", tr_mark("source token %1$s has %3$s in %2$s")},
    {"q", tr_mark("the query of %1$s asks %3$s of %2$s")},
    {"k", tr_mark("the key of %1$s offers %3$s of %2$s")},
    {"v", tr_mark("the value of %1$s passes on %3$s of %2$s")},
    {"q_rope", tr_mark("the query of %1$s, turned by its position, asks %3$s of %2$s")},
    {"k_rope", tr_mark("the key of %1$s, turned by its position, offers %3$s of %2$s")},
    {"w_q", tr_mark("W_Q carries %2$s to %1$s of the query: %3$s")},
    {"w_k", tr_mark("W_K carries %2$s to %1$s of the key: %3$s")},
    {"w_v", tr_mark("W_V carries %2$s to %1$s of the value: %3$s")},
    {"w_o", tr_mark("W_O carries %2$s of the heads to %1$s of the output: %3$s")},
    {"scores", tr_mark("query %1$s matches key %2$s: %3$s")},
    {"scaled", tr_mark("query %1$s matches key %2$s, scaled: %3$s")},
    {"bias", tr_mark("the distance from query %1$s to key %2$s counts %3$s")},
    {"masked", tr_mark("query %1$s matches key %2$s, after the mask: %3$s")},
    {"mask", tr_mark("may query %1$s read key %2$s? %3$s")},
    {"exp", tr_mark("query %1$s, key %2$s: e to the score minus the row’s largest is %3$s")},
    {"weights", tr_mark("query %1$s reads key %2$s: %3$s")},
    {"head_avg", tr_mark("query %1$s reads key %2$s: %3$s, the mean of all heads")},
    {"head_max", tr_mark("query %1$s reads key %2$s: %3$s, the most of all heads")},
    {"mixed", tr_mark("query %1$s reads key %2$s or keeps its own: %3$s")},
    {"rollout", tr_mark("through all layers up to here %1$s reads %2$s: %3$s")},
    {"weighted_length", tr_mark("what key %2$s adds to query %1$s is %3$s long")},
    {"head_out", tr_mark("the head brings %1$s %3$s of %2$s")},
    {"concat", tr_mark("the heads bring %1$s %3$s of %2$s")},
    {"out", tr_mark("the output for %1$s has %3$s in %2$s")},
    {"logits", tr_mark("after %1$s, %2$s has the logit %3$s")},
    {"probs", tr_mark("after %1$s, %2$s has the probability %3$s")},
};

static const char *number_text(const Run *run, const Tensor *t, double value, Arena *arena) {
    char number[NUM_MAX];
    if (str_eq(t->name, "mask")) return words_mask_number(run, value, arena);
    return arena_strdup(arena, num_fixed(number, value, str_eq(t->name, "weights") ? 2 : 3, NUM_SCREEN));
}

/* Positions that have no name are said to be one. */
static const char *side_text(const Run *run, TensorId id, int axis, int i, Arena *arena) {
    AxisKind kind = run_axis(run, id, axis);
    const char *name = words_name(run, id, axis, i, arena);
    bool counted = strspn(name, "0123456789") == strlen(name);
    return counted && (kind == AXIS_SLOT || kind == AXIS_FEATURE || kind == AXIS_OTHER || kind == AXIS_PAIR) ? arena_printf(arena, tr("column %s"), name) : name;
}

const char *words_hover(const Run *run, TensorId id, const int *index, Arena *arena) {
    const Tensor *t = trace_tensor(run->trace, id);
    const char *number = number_text(run, t, tensor_at(t, index), arena);
    int last = t->rank - 1, before = t->rank - 2;
    const char *col = side_text(run, id, last, index[last], arena);
    if (t->rank == 1 || run_axis(run, id, before) == AXIS_HEAD) return arena_printf(arena, tr("%s, %s: %s"), words_noun(t->name), col, number);
    const char *row = side_text(run, id, before, index[before], arena);
    for (size_t i = 0; i < sizeof sentences / sizeof *sentences; i++)
        if (str_eq(sentences[i].tensor, t->name)) return arena_printf(arena, tr(sentences[i].sentence), row, col, number);
    return arena_printf(arena, tr("%s, row %s, %s: %s"), words_noun(t->name), row, col, number);
}
