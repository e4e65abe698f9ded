/* Short signs of tensors, and what statistics and diagnosis say about a row. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/words.h"

typedef struct {
    const char *name, *symbol;
} Symbol;

static const Symbol symbols[] = {
    {"tok", "E"},
    {"pe", "P"},
    {"x", "X"},
    {"x_kv", "Xₖᵥ"},
    {"pos_emb", tr_mark("learned row")},
    {"w_q", "W_Q"},
    {"w_k", "W_K"},
    {"w_v", "W_V"},
    {"w_o", "Wᴼ"},
    {"b_q", tr_mark("bias")},
    {"b_k", tr_mark("bias")},
    {"b_v", tr_mark("bias")},
    {"b_o", tr_mark("bias")},
    {"rope_cos", "cos"},
    {"rope_sin", "sin"},
    {"scores", tr_mark("score")},
    {"scaled", tr_mark("scaled")},
    {"bias", tr_mark("distance")},
    {"mask", tr_mark("mask")},
    {"masked", tr_mark("masked")},
    {"row_max", tr_mark("max")},
    {"row_sum", tr_mark("sum")},
    {"weights", tr_mark("weight")},
    {"head_out", tr_mark("head output")},
    {"alibi_slopes", tr_mark("slope")},
    {"q_rope", "q"},
    {"k_rope", "k"},
};

const char *words_symbol(const char *tensor_name) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (strcmp(symbols[i].name, tensor_name) == 0) return tr(symbols[i].symbol);
    return tensor_name;
}

/* A diagnosis names the first place of its tensor and head; it speaks for the row it was seen in. Saturation is told
 * of every row, with its entropy. */
static bool speaks_for(const Run *run, const Diagnosis *d, TensorId tensor, const int *index) {
    if (d->id != tensor || d->kind == DIAGNOSIS_SATURATED) return false;
    const Tensor *t = trace_tensor(run->trace, tensor);
    for (int axis = 0; axis < t->rank - 1; axis++)
        if (d->index[axis] != index[axis]) return false;
    return true;
}

const char *words_diagnosis(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX], Arena *arena) {
    const char *all = NULL;
    for (int i = 0; i < run->n_diagnosis; i++) {
        const Diagnosis *d = &run->diagnosis[i];
        if (speaks_for(run, d, tensor, index)) all = all ? arena_printf(arena, "%s %s", all, d->message) : d->message;
    }
    return all;
}

static TensorId mask_beside(const Run *run, const Tensor *t) {
    char id[160];
    size_t scope = (size_t)(t->name - t->id);
    if (scope + sizeof "mask" > sizeof id) return TENSOR_NONE;
    memcpy(id, t->id, scope);
    strcpy(id + scope, "mask");
    return trace_find(run->trace, id);
}

const char *words_entropy(const Run *run, TensorId weights, int head, int row, Arena *arena) {
    RowStats stats = stats_row(run->trace, weights, mask_beside(run, trace_tensor(run->trace, weights)), head, row);
    if (stats.n_nan > 0 || stats.n_finite == 0 || stats.sum == 0) return NULL;
    if (stats.n_kept < 2) return tr("Only one key is allowed, so it gets everything.");
    char bits[NUM_MAX], possible[NUM_MAX];
    num_fixed(bits, stats.entropy_bits, 2, NUM_SCREEN);
    num_fixed(possible, log2(stats.n_kept), 2, NUM_SCREEN);
    bool saturated = stats.max >= 0.999; /* as the diagnosis has it */
    return arena_printf(arena,
                        saturated ? tr("Entropy of this row: %s bits, of %s possible. It is saturated: one key takes nearly everything.")
                                  : tr("Entropy of this row: %s bits, of %s possible."),
                        bits, possible);
}

RowLeader words_leader(const Run *run, TensorId weights, int head, int row) {
    const Tensor *t = trace_tensor(run->trace, weights);
    RowLeader leader = {.key = -1};
    for (int j = 0; j < t->dim[2]; j++) {
        const int at[TENSOR_RANK_MAX] = {head, row, j};
        double share = tensor_at(t, at);
        if (!(share > 0)) continue;
        if (share > leader.share * (1 + 1e-6))
            leader = (RowLeader){.key = j, .share = share, .n_alike = 1};
        else if (share >= leader.share * (1 - 1e-6))
            leader.n_alike++;
    }
    TensorId id = mask_beside(run, t);
    if (id == TENSOR_NONE) return leader;
    const Tensor *mask = trace_tensor(run->trace, id);
    for (int j = 0; j < t->dim[2]; j++) {
        const int three[TENSOR_RANK_MAX] = {head, row, j}, two[TENSOR_RANK_MAX] = {row, j};
        leader.n_hidden += tensor_at(mask, mask->rank == 2 ? two : three) == 0;
    }
    return leader;
}
