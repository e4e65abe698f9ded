/* What the axes of tensors count, and what their positions are called. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "doc/run_network.h"

enum { H = AXIS_HEAD, Q = AXIS_QUERY, K = AXIS_KEY, F = AXIS_FEATURE, SL = AXIS_SLOT, PA = AXIS_PAIR, V = AXIS_VOCABULARY, OT = AXIS_OTHER };

/* What the axes of each tensor count. A mask without heads uses the last two. */
typedef struct {
    const char *name;
    int n;
    int axis[3];
    int matrix; /* MatrixName that an edit of it goes to, -1 = computed */
} AxisRow;

static const AxisRow axis_table[] = {
    {"tok", 2, {Q, F}, MATRIX_X},
    {"x", 2, {Q, F}, MATRIX_X},
    {"pe", 2, {Q, F}, -1},
    {"x_kv", 2, {K, F}, MATRIX_X_KV},
    {"pos_emb", 2, {OT, F}, MATRIX_POS_EMB},
    {"w_q", 2, {SL, F}, MATRIX_W_Q},
    {"w_k", 2, {SL, F}, MATRIX_W_K},
    {"w_v", 2, {SL, F}, MATRIX_W_V},
    {"w_o", 2, {F, SL}, MATRIX_W_O},
    {"b_q", 1, {SL}, MATRIX_B_Q},
    {"b_k", 1, {SL}, MATRIX_B_K},
    {"b_v", 1, {SL}, MATRIX_B_V},
    {"b_o", 1, {F}, MATRIX_B_O},
    {"q", 3, {H, Q, SL}, MATRIX_Q},
    {"k", 3, {H, K, SL}, MATRIX_K},
    {"v", 3, {H, K, SL}, MATRIX_V},
    {"rope_cos", 2, {Q, PA}, -1},
    {"rope_sin", 2, {Q, PA}, -1},
    {"q_rope", 3, {H, Q, SL}, -1},
    {"k_rope", 3, {H, K, SL}, -1},
    {"scores", 3, {H, Q, K}, MATRIX_SCORES},
    {"scaled", 3, {H, Q, K}, -1},
    {"alibi_slopes", 1, {H}, -1},
    {"bias", 3, {H, Q, K}, -1},
    {"mask", 3, {H, Q, K}, -1},
    {"masked", 3, {H, Q, K}, -1},
    {"row_max", 2, {H, Q}, -1},
    {"exp", 3, {H, Q, K}, -1},
    {"row_sum", 2, {H, Q}, -1},
    {"weights", 3, {H, Q, K}, MATRIX_WEIGHTS},
    {"head_out", 3, {H, Q, SL}, -1},
    {"concat", 2, {Q, SL}, -1},
    {"out", 2, {Q, F}, -1},
    /* around attention */
    {"ln1", 2, {Q, F}, -1}, {"ln1_mean", 1, {Q}, -1}, {"ln1_var", 1, {Q}, -1}, {"ln1_rms", 1, {Q}, -1}, {"ln1_g", 1, {F}, -1}, {"ln1_b", 1, {F}, -1},
    {"ln2", 2, {Q, F}, -1}, {"ln2_mean", 1, {Q}, -1}, {"ln2_var", 1, {Q}, -1}, {"ln2_rms", 1, {Q}, -1}, {"ln2_g", 1, {F}, -1}, {"ln2_b", 1, {F}, -1},
    {"ln3", 2, {Q, F}, -1}, {"ln3_mean", 1, {Q}, -1}, {"ln3_var", 1, {Q}, -1}, {"ln3_rms", 1, {Q}, -1}, {"ln3_g", 1, {F}, -1}, {"ln3_b", 1, {F}, -1},
    {"resid1", 2, {Q, F}, -1},
    {"resid2", 2, {Q, F}, -1},
    {"resid3", 2, {Q, F}, -1},
    {"ffn_gate", 2, {Q, OT}, -1},
    {"ffn_gate_act", 2, {Q, OT}, -1},
    {"ffn_hidden", 2, {Q, OT}, -1},
    {"ffn_act", 2, {Q, OT}, -1},
    {"ffn_out", 2, {Q, F}, -1},
    {"w_ff1", 2, {OT, F}, -1}, {"b_ff1", 1, {OT}, -1}, {"w_ff2", 2, {F, OT}, -1}, {"b_ff2", 1, {F}, -1},
    {"w_gate", 2, {OT, F}, -1}, {"b_gate", 1, {OT}, -1}, {"w_up", 2, {OT, F}, -1}, {"b_up", 1, {OT}, -1},
    {"w_down", 2, {F, OT}, -1}, {"b_down", 1, {F}, -1},
    /* the embedding */
    {"tok_scaled", 2, {Q, F}, -1},
    {"tok_pe", 2, {Q, F}, -1},
    {"type", 2, {Q, F}, -1},
    {"embed", 2, {Q, F}, -1},
    {"embed_norm", 2, {Q, F}, -1}, {"embed_mean", 1, {Q}, -1}, {"embed_var", 1, {Q}, -1}, {"embed_rms", 1, {Q}, -1},
    {"embed_g", 1, {F}, -1}, {"embed_b", 1, {F}, -1},
    {"w_embed", 2, {V, F}, -1}, {"w_pos", 2, {OT, F}, -1}, {"w_type", 2, {OT, F}, -1}, {"w_map", 2, {F, F}, -1}, {"b_map", 1, {F}, -1},
    {"rel_bias", 2, {OT, H}, -1},
    /* behind the last layer */
    {"final_norm", 2, {Q, F}, -1}, {"final_mean", 1, {Q}, -1}, {"final_var", 1, {Q}, -1}, {"final_rms", 1, {Q}, -1},
    {"final_g", 1, {F}, -1}, {"final_b", 1, {F}, -1}, {"final_scaled", 2, {Q, F}, -1},
    {"first", 2, {Q, F}, -1}, {"pool_hidden", 2, {Q, F}, -1}, {"pooled", 2, {Q, F}, -1}, {"w_pool", 2, {F, F}, -1}, {"b_pool", 1, {F}, -1},
    {"picked", 2, {Q, F}, -1}, {"head_hidden", 2, {Q, F}, -1}, {"head_act", 2, {Q, F}, -1}, {"head_norm", 2, {Q, F}, -1},
    {"head_mean", 1, {Q}, -1}, {"head_var", 1, {Q}, -1}, {"head_rms", 1, {Q}, -1},
    {"w_head", 2, {F, F}, -1}, {"b_head", 1, {F}, -1}, {"head_g", 1, {F}, -1}, {"head_b", 1, {F}, -1},
    {"w_logits", 2, {V, F}, -1}, {"b_logits", 1, {V}, -1},
    {"logits", 2, {Q, V}, -1},
    /* heads together */
    {"head_avg", 2, {Q, K}, -1},
    {"head_max", 2, {Q, K}, -1},
    {"v_length", 2, {H, K}, -1},
    {"weighted_length", 3, {H, Q, K}, -1},
    {"mixed", 2, {Q, K}, -1},
    {"rollout", 2, {Q, K}, -1},
};

/* The softmax of a prediction has the names of attention's, over another axis. */
static const AxisRow predict_table[] = {
    {"row_logits", 3, {OT, Q, V}, -1}, {"row_max", 2, {OT, Q}, -1},      {"exp", 3, {OT, Q, V}, -1},
    {"row_sum", 2, {OT, Q}, -1},       {"probs", 3, {OT, Q, V}, -1},
};

/* Asked for each label that is drawn: the first letter spares most comparisons. */
static const AxisRow *find_row(const AxisRow *rows, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (rows[i].name[0] == name[0] && str_eq(rows[i].name, name)) return &rows[i];
    return NULL;
}

/* The station that makes a tensor. */
static bool made_in(const Run *run, TensorId id, StageKind kind) {
    int stage = run->network ? trace_stage_of(run->trace, id) : -1;
    return stage >= 0 && trace_stage(run->trace, stage)->kind == kind;
}

static const AxisRow *axis_row(const Run *run, TensorId id) {
    const char *name = trace_tensor(run->trace, id)->name;
    const AxisRow *row = made_in(run, id, STAGE_PREDICT) ? find_row(predict_table, sizeof predict_table / sizeof *predict_table, name) : NULL;
    return row ? row : find_row(axis_table, sizeof axis_table / sizeof *axis_table, name);
}

AxisKind run_axis(const Run *run, TensorId id, int axis) {
    const AxisRow *row = axis_row(run, id);
    if (!row) return AXIS_OTHER;
    int at = axis + row->n - trace_tensor(run->trace, id)->rank;
    return at >= 0 && at < row->n ? (AxisKind)row->axis[at] : AXIS_OTHER;
}

int run_matrix_of(const Run *run, TensorId id) {
    const AxisRow *row = axis_row(run, id);
    const Tensor *t = trace_tensor(run->trace, id);
    if (!row || row->matrix < 0) return -1;
    return trace_op(run->trace, t->op)->kind == OP_INPUT ? row->matrix : -1;
}

const TokenList *run_axis_tokens(const Run *run, TensorId id, AxisKind kind) {
    if (kind != AXIS_QUERY && kind != AXIS_KEY) return NULL;
    const Site *site = run_site_of(run, id);
    if (made_in(run, id, STAGE_PREDICT)) return &run->network->predicted;
    if (made_in(run, id, STAGE_POOL)) return &run->network->first;
    return kind == AXIS_QUERY ? site->queries : site->keys;
}

/* Names of the entries of a slot axis, all heads one behind the other, or NULL. */
static const char **slot_names(const Run *run, const char *tensor, int *n) {
    static const struct {
        const char *tensor;
        bool value;
    } side[] = {{"q", false}, {"q_rope", false}, {"k", false}, {"k_rope", false}, {"w_q", false}, {"w_k", false},
                {"b_q", false}, {"b_k", false}, {"v", true}, {"w_v", true}, {"b_v", true}, {"head_out", true},
                {"concat", true}, {"w_o", true}};
    const Source *s = &run->source;
    for (size_t i = 0; i < sizeof side / sizeof *side; i++) {
        if (!str_eq(side[i].tensor, tensor)) continue;
        *n = s->n_heads * (side[i].value ? s->d_v : s->d_k);
        return side[i].value ? s->slot_v : s->slot_q;
    }
    return NULL;
}

const char *run_slot_label(const Run *run, TensorId id, int head, int slot) {
    const Tensor *t = trace_tensor(run->trace, id);
    int n = 0;
    const char **names = slot_names(run, t->name, &n);
    if (!names || t->rank != 3) return NULL;
    int heads = run->source.n_heads, width = heads ? n / heads : 0;
    if (width != t->dim[2]) return NULL;
    if (t->dim[0] < heads && heads % t->dim[0] == 0) head *= heads / t->dim[0]; /* grouped keys: the group's first */
    int at = heads == 1 ? slot : head * width + slot;
    return at >= 0 && at < n ? names[at] : NULL;
}

const char *run_feature_name(const Run *run, const Tensor *t, int axis, int i) {
    const Source *s = &run->source;
    return s->feature && t->dim[axis] == s->d_model && i < s->d_model ? s->feature[i] : NULL;
}

/* The label of a token id, cut at a whole character where it is long; false: there is no vocabulary. */
static bool piece_label(const Run *run, int id, char buffer[32]) {
    if (!run->network || !checkpoint_encoder(run->network->checkpoint)) return false;
    Arena arena = {0};
    snprintf(buffer, 32, "%s", run_id_label(run->network->checkpoint, id, &arena));
    utf8_cut(buffer, 32);
    arena_free(&arena);
    return buffer[0] != 0;
}

const char *run_label(const Run *run, TensorId id, int axis, int i, char buffer[32]) {
    const Tensor *t = trace_tensor(run->trace, id);
    AxisKind kind = run_axis(run, id, axis);
    const TokenList *tokens = run_axis_tokens(run, id, kind);
    const char *label = NULL;
    int n = 0;
    if (tokens && i >= 0 && i < tokens->n) label = tokens->items[i].label;
    if (kind == AXIS_FEATURE) label = run_feature_name(run, t, axis, i);
    if (kind == AXIS_SLOT && t->rank < 3) {
        const char **names = slot_names(run, t->name, &n);
        if (names && n == t->dim[axis]) label = names[i];
    }
    if (label) return label;
    if (kind == AXIS_VOCABULARY && piece_label(run, i, buffer)) return buffer;
    snprintf(buffer, 32, "%d", i + 1);
    return buffer;
}
