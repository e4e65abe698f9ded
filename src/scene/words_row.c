/* Names of tokens and tensors, and what statistics and diagnosis say about a row. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/paint.h"
#include "scene/rich.h"
#include "scene/words.h"

/* ---- names ---- */

/* Which of its equals a token is, from 1; 0: there is no other. */
static int place_among_equals(const TokenList *tokens, int i) {
    int before = 0, others = 0;
    for (int j = 0; j < tokens->n; j++) {
        if (j == i || !str_eq(tokens->items[j].label, tokens->items[i].label)) continue;
        others++;
        before += j < i;
    }
    return others ? before + 1 : 0;
}

const char *words_token(const TokenList *tokens, int i, Arena *arena) {
    if (i < 0 || i >= tokens->n) return "";
    const char *label = rich_short(arena, tokens->items[i].label);
    int place = place_among_equals(tokens, i);
    if (!place) return label;
    StrBuf sb;
    sb_init(&sb, arena);
    sb_add(&sb, label);
    char digits[16];
    snprintf(digits, sizeof digits, "%d", place);
    for (const char *d = digits; *d; d++) {
        const char below[] = {'\xE2', '\x82', (char)(0x80 + (*d - '0')), '\0'}; /* set lower by rich.h */
        sb_add(&sb, below);
    }
    return sb.data;
}

const char *words_name(const Run *run, TensorId tensor, int axis, int i, Arena *arena) {
    AxisKind kind = run_axis(run, tensor, axis);
    const TokenList *tokens = run_axis_tokens(run, tensor, kind);
    if (tokens && i >= 0 && i < tokens->n) return words_token(tokens, i, arena);
    char buffer[32];
    return rich_short(arena, words_label(run, tensor, axis, i, buffer));
}

const char *words_label(const Run *run, TensorId tensor, int axis, int i, char buffer[32]) {
    const char *label = run_label(run, tensor, axis, i, buffer);
    AxisKind kind = run_axis(run, tensor, axis);
    return label != buffer && (kind == AXIS_FEATURE || kind == AXIS_SLOT) ? tr(label) : label;
}

bool words_head_works(const Run *run, int head) {
    const Source *s = &run->source;
    if (!s->head_name || head >= s->n_heads || run->spec.n_heads != s->n_heads ||
        (run->fields & (RUN_GIVEN_X | RUN_GIVEN_QKV | RUN_GIVEN_PROJ)))
        return false;
    int needs = s->head_needs ? s->head_needs[head] : 0;
    if ((needs & HEAD_NEEDS_ONE_TEXT) && run->cross) return false;
    return !(needs & HEAD_NEEDS_CLOCKS) || s->clock[0] > 0; /* other positions put nothing where it reads */
}

const char *words_head_job(const Run *run, int head) {
    return words_head_works(run, head) && run->source.head_name[head] ? tr(run->source.head_name[head]) : NULL;
}

const char *words_mask_number(const Run *run, double keep, Arena *arena) {
    const AttentionSpec *spec = &run->spec;
    bool adds = spec->mask_op == MASK_ADD || !isfinite(spec->fill);
    if (keep != 0) return adds ? tr("keep (adds 0)") : tr("keep");
    const char *fill = scene_short_number(&(Scene){.arena = arena}, spec->fill);
    if (!isfinite(spec->fill)) return arena_printf(arena, tr("hide (%s)"), fill);
    return arena_printf(arena, spec->mask_op == MASK_ADD ? tr("hide (adds %s)") : tr("hide (becomes %s)"), fill);
}

const char *words_root(int d_k, Arena *arena) {
    double root = sqrt(d_k > 0 ? d_k : 1);
    char text[NUM_MAX];
    return arena_strdup(arena, num_fixed(text, root, root == floor(root) ? 0 : 3, NUM_SCREEN));
}

typedef struct {
    const char *name, *symbol, *noun;
} Symbol;

static const Symbol symbols[] = {
    {"tok", "E", "E"},
    {"pe", "P", "P"},
    {"x", "X", "X"},
    {"x_kv", "Xₖᵥ", "Xₖᵥ"},
    {"pos_emb", tr_mark("learned row"), tr_mark("the learned row")},
    {"w_q", "W_Q", "W_Q"},
    {"w_k", "W_K", "W_K"},
    {"w_v", "W_V", "W_V"},
    {"w_o", "Wᴼ", "Wᴼ"},
    {"b_q", tr_mark("bias"), tr_mark("the bias")},
    {"b_k", tr_mark("bias"), tr_mark("the bias")},
    {"b_v", tr_mark("bias"), tr_mark("the bias")},
    {"b_o", tr_mark("bias"), tr_mark("the bias")},
    {"rope_cos", "cos", tr_mark("the cosine")},
    {"rope_sin", "sin", tr_mark("the sine")},
    {"scores", tr_mark("score"), tr_mark("the score")},
    {"scaled", tr_mark("scaled"), tr_mark("the scaled score")},
    {"bias", tr_mark("distance"), tr_mark("the number for the distance")},
    {"mask", tr_mark("mask"), tr_mark("the mask")},
    {"masked", tr_mark("masked"), tr_mark("the masked score")},
    {"row_max", tr_mark("max"), tr_mark("the maximum")},
    {"exp", "exp", tr_mark("the exponential")},
    {"row_sum", tr_mark("sum"), tr_mark("the sum")},
    {"weights", tr_mark("weight"), tr_mark("the weight")},
    {"head_out", tr_mark("head output"), tr_mark("the head’s output")},
    {"concat", "concat", tr_mark("the joined row")},
    {"alibi_slopes", tr_mark("slope"), tr_mark("the slope")},
    {"q_rope", "q", "q"},
    {"k_rope", "k", "k"},
    {"out", tr_mark("out"), tr_mark("attention’s output")},
    {"tok_scaled", tr_mark("scaled E"), tr_mark("the scaled row")},
    {"type", tr_mark("type"), tr_mark("the type row")},
    {"tok_pe", "E + P", tr_mark("the sum")},
    {"embed", tr_mark("sum"), tr_mark("the sum")},
    {"embed_norm", "N", tr_mark("the normalised row")},
    {"w_embed", tr_mark("token table"), tr_mark("the token table")},
    {"w_pos", tr_mark("position table"), tr_mark("the position table")},
    {"w_type", tr_mark("type table"), tr_mark("the type table")},
    {"w_map", "W_map", "W_map"},
    {"b_map", tr_mark("bias"), tr_mark("the bias")},
    {"rel_bias", tr_mark("distance table"), tr_mark("the distance table")},
    {"ln1", "N", tr_mark("the normalised row")},
    {"ln2", "N", tr_mark("the normalised row")},
    {"ln3", "N", tr_mark("the normalised row")},
    {"resid1", "H", tr_mark("the sum")},
    {"resid2", "H₂", tr_mark("the sum")},
    {"resid3", "H₃", tr_mark("the sum")},
    {"ffn_gate", tr_mark("gate"), tr_mark("the gate")},
    {"ffn_gate_act", tr_mark("bent gate"), tr_mark("the bent gate")},
    {"ffn_hidden", tr_mark("hidden"), tr_mark("the hidden unit")},
    {"ffn_act", tr_mark("act"), tr_mark("the activation")},
    {"ffn_out", "F", tr_mark("the feed-forward output")},
    {"w_ff1", "W₁", "W₁"},
    {"b_ff1", "b₁", "b₁"},
    {"w_ff2", "W₂", "W₂"},
    {"b_ff2", "b₂", "b₂"},
    {"w_gate", "W_gate", "W_gate"},
    {"b_gate", "b", tr_mark("the bias")},
    {"w_up", "W_up", "W_up"},
    {"b_up", "b", tr_mark("the bias")},
    {"w_down", "W_down", "W_down"},
    {"b_down", "b", tr_mark("the bias")},
    {"final_norm", "N", tr_mark("the normalised row")},
    {"final_scaled", tr_mark("scaled N"), tr_mark("the scaled row")},
    {"picked", tr_mark("row"), tr_mark("the row")},
    {"first", tr_mark("first row"), tr_mark("the first row")},
    {"pool_hidden", tr_mark("hidden"), tr_mark("the hidden unit")},
    {"pooled", tr_mark("pooled"), tr_mark("the pooled row")},
    {"w_pool", "W_pool", "W_pool"},
    {"b_pool", "b", tr_mark("the bias")},
    {"head_hidden", tr_mark("hidden"), tr_mark("the hidden unit")},
    {"head_act", tr_mark("act"), tr_mark("the activation")},
    {"head_norm", "N", tr_mark("the normalised row")},
    {"w_head", "W_head", "W_head"},
    {"b_head", "b", tr_mark("the bias")},
    {"w_logits", "W_vocab", "W_vocab"},
    {"b_logits", "b", tr_mark("the bias")},
    {"logits", tr_mark("logit"), tr_mark("the logit")},
    {"row_logits", tr_mark("logit"), tr_mark("the logit")},
    {"probs", tr_mark("probability"), tr_mark("the probability")},
    {"head_avg", tr_mark("mean weight"), tr_mark("the mean weight")},
    {"head_max", tr_mark("largest weight"), tr_mark("the largest weight")},
    {"mixed", tr_mark("mixed"), tr_mark("the mixed weight")},
    {"rollout", tr_mark("rollout"), tr_mark("the rollout")},
    {"v_length", "|v|", tr_mark("the length of v")},
    {"weighted_length", tr_mark("weight × |v|"), tr_mark("the weight times the length of v")},
};

/* Parts of every norm, whatever its name. */
static const Symbol parts_of_norms[] = {
    {"_mean", "μ", tr_mark("the mean")}, {"_var", "σ²", tr_mark("the variance")}, {"_rms", "RMS", tr_mark("the root mean square")},
    {"_g", "γ", tr_mark("the gain")},    {"_b", "β", tr_mark("the shift")},
};

static const Symbol *find_symbol(const char *tensor_name) {
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++)
        if (str_eq(symbols[i].name, tensor_name)) return &symbols[i];
    for (size_t i = 0; i < sizeof parts_of_norms / sizeof *parts_of_norms; i++)
        if (str_ends(tensor_name, parts_of_norms[i].name)) return &parts_of_norms[i];
    return NULL;
}

const char *words_symbol(const char *tensor_name) {
    const Symbol *symbol = find_symbol(tensor_name);
    return symbol ? tr(symbol->symbol) : tensor_name;
}

const char *words_noun(const char *tensor_name) {
    const Symbol *symbol = find_symbol(tensor_name);
    return symbol ? tr(symbol->noun) : tensor_name;
}

/* What an earlier layer made is X in the layer that it goes into; rows of the other stack are what cross-attention reads. */
const char *words_symbol_in(const Run *run, const Site *site, TensorId id) {
    const Tensor *t = trace_tensor(run->trace, id);
    int stage = trace_stage_of(run->trace, id);
    if (t->rank != 2 || stage < 0) return words_symbol(t->name);
    const Stage *first = trace_stage(run->trace, site->first_stage);
    if (first->kind == STAGE_EMBED && first->result == id) return "X";
    bool other = stage < site->first_stage && run_site_of(run, id)->stack != site->stack;
    return words_symbol(site->cross && other ? "x_kv" : t->name);
}

static const char *with_layer(const Site *from, const Site *site, const char *symbol, Arena *arena) {
    if (from->layer == site->layer && from->stack == site->stack) return arena_printf(arena, tr("self-attention’s %s"), symbol);
    return arena_printf(arena, tr("layer %d’s %s"), from->layer + 1, symbol);
}

const char *words_symbol_from(const Run *run, const Site *site, TensorId id, Arena *arena) {
    const Site *from = run_site_of(run, id);
    const char *symbol = words_symbol_in(run, site, id);
    if (site > run->sites && (site - 1)->stack == site->stack && str_eq(words_symbol_in(run, site - 1, id), "X")) /* what went into it, whoever made it */
        return with_layer(site - 1, site, "X", arena);
    bool other = trace_stage_of(run->trace, id) >= 0 && from != site && from->stack == site->stack && !str_eq(symbol, "X");
    return other ? with_layer(from, site, symbol, arena) : symbol;
}

/* "H + F" */
static const char *sum_name(const Run *run, TensorId id, Arena *arena) {
    const Op *op = trace_op(run->trace, trace_tensor(run->trace, id)->op);
    if (op->kind != OP_ADD) return words_symbol(trace_tensor(run->trace, id)->name);
    const Site *site = run_site_of(run, id);
    return arena_printf(arena, "%s + %s", words_symbol_in(run, site, op->in[0]), words_symbol_in(run, site, op->in[1]));
}

static bool has_rows_from_before(const Run *run, const Site *site) {
    const Stage *first = trace_stage(run->trace, site->first_stage);
    return site > run->sites && (site - 1)->stack == site->stack && first->kind == STAGE_EMBED && first->n_ops == 0 && first->result != TENSOR_NONE;
}

const char *words_rows_name(const Run *run, const Site *site, Arena *arena) {
    if (!has_rows_from_before(run, site)) return NULL;
    return with_layer(site - 1, site, sum_name(run, trace_stage(run->trace, site->first_stage)->result, arena), arena);
}

const char *words_rows_from(const Run *run, const Site *site, Arena *arena) {
    if (!has_rows_from_before(run, site)) return tr("X is given as it stands.");
    const char *name = sum_name(run, trace_stage(run->trace, site->first_stage)->result, arena);
    if (site->cross)
        return arena_printf(arena, tr("X is what the self-attention before it gave, its %s. K and V will be made from the other text’s rows."), name);
    return arena_printf(arena, tr("X is what layer %d gave, its %s."), (site - 1)->layer + 1, name);
}

/* ---- a row of weights ---- */

/* A diagnosis names the first place of its tensor and head; it speaks for the row it was seen in. Saturation is told
 * of every row, with its entropy; of a row without a key the words of its numbers tell. */
static bool speaks_for(const Run *run, const Diagnosis *d, TensorId tensor, const int *index) {
    if (d->id != tensor || d->kind == DIAGNOSIS_SATURATED) return false;
    if (d->kind == DIAGNOSIS_ROW_SUM && d->value == 0) return false;
    const Tensor *t = trace_tensor(run->trace, tensor);
    for (int axis = 0; axis < t->rank - 1; axis++)
        if (d->index[axis] != index[axis]) return false;
    return true;
}

const char *words_diagnosis(const Run *run, TensorId tensor, const int index[TENSOR_RANK_MAX], Arena *arena) {
    const char *all = NULL;
    for (int i = 0; i < run->n_diagnosis; i++) {
        const Diagnosis *d = &run->diagnosis[i];
        if (speaks_for(run, d, tensor, index)) all = phrase_sentences(arena, all, d->message);
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
    const Tensor *t = trace_tensor(run->trace, weights);
    if (t->dim[2] == 1) return tr("There is only one key, so it gets everything.");
    if (stats.n_kept == 1 && stats.max >= 1) return tr("Only one key is allowed, so it gets everything.");
    if (stats.n_kept < 2) stats.n_kept = t->dim[2]; /* a fill that hides nothing */
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
        leader.nan |= isnan(share);
        if (!(share > 0)) continue;
        leader.n_shares++;
        if (share > leader.share * (1 + 1e-6))
            leader.key = j, leader.share = share, leader.n_alike = 1;
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
