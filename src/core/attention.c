/* The machine `attention`: from checked sizes to ops, stage by stage. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "core/attention_build.h"
#include "core/internal.h"

const char *const attention_input_names[IN_COUNT] = {
    [IN_X] = "x",     [IN_TOK] = "tok", [IN_X_KV] = "x_kv", [IN_PE] = "pe",   [IN_POS_EMB] = "pos_emb", [IN_W_Q] = "w_q",
    [IN_W_K] = "w_k", [IN_W_V] = "w_v", [IN_W_O] = "w_o",   [IN_B_Q] = "b_q", [IN_B_K] = "b_k",         [IN_B_V] = "b_v",
    [IN_B_O] = "b_o", [IN_REL_BIAS] = "rel_bias", [IN_Q] = "q",     [IN_K] = "k",       [IN_V] = "v",     [IN_SCORES] = "scores",   [IN_WEIGHTS] = "weights",
};

/* ---- small helpers ---- */

static bool has(const AttentionBuild *b, AttentionInput input) { return b->present[input]; }
static bool adds_position(const AttentionBuild *b) {
    PositionKind kind = b->spec.position.kind;
    return kind == POSITION_SINUSOIDAL || kind == POSITION_LEARNED || kind == POSITION_GIVEN;
}
static bool has_rope(const AttentionBuild *b) {
    return b->spec.position.kind == POSITION_ROPE_INTERLEAVED || b->spec.position.kind == POSITION_ROPE_HALF;
}
static Dtype soft_dtype(const AttentionBuild *b) { return b->spec.precision == PRECISION_F64 ? DTYPE_F64 : DTYPE_F32; }

static TensorId add(AttentionBuild *b, const Op *op, const char *name, Dtype dtype, int rank, int d0, int d1, int d2) {
    return trace_add(b->trace, op, b->scope, name, dtype, rank, (int[]){d0, d1, d2}, b->err);
}

/* The id of a given tensor, which counts as used from here on; TENSOR_NONE when it is absent. */
static TensorId take(AttentionBuild *b, AttentionInput input) {
    b->used[input] = true;
    return b->id[input];
}

static void begin(AttentionBuild *b, StageKind kind) { trace_begin_stage(b->trace, kind, b->scope); }
static bool end(AttentionBuild *b, TensorId result, bool ok) {
    trace_end_stage(b->trace, result);
    return ok;
}

/* ---- inputs ---- */

static bool read_inputs(AttentionBuild *b, const TensorInput *inputs, int n_inputs) {
    for (int n = 0; n < n_inputs; n++) {
        int at = str_find(attention_input_names, IN_COUNT, inputs[n].name);
        if (at < 0) return err_set(b->err, ERR_INPUT, tr("Attention has no input called %s."), inputs[n].name);
        if (b->present[at]) return err_set(b->err, ERR_INPUT, tr("%s is given twice."), inputs[n].name);
        if (!inputs[n].data && !inputs[n].stored.data) return err_set(b->err, ERR_INPUT, tr("%s has no numbers."), inputs[n].name);
        TensorInput *given = &b->given[at];
        *given = inputs[n];
        b->present[at] = true;
        if (at >= IN_Q && given->rank == 2) { /* one head */
            given->rank = 3;
            for (int d = 2; d > 0; d--) given->dim[d] = given->dim[d - 1];
            given->dim[0] = 1;
        }
    }
    if (has(b, IN_X) && has(b, IN_TOK)) return err_set(b->err, ERR_INPUT, tr("Both x and tok are given; one is enough."));
    return true;
}

static bool add_inputs(AttentionBuild *b) {
    for (int n = 0; n < IN_COUNT; n++) {
        if (!has(b, (AttentionInput)n) || b->id[n] != TENSOR_NONE) continue;
        TensorInput given = b->given[n];
        if (n == IN_X || n == IN_TOK) given.name = adds_position(b) ? "tok" : "x";
        if ((b->id[n] = trace_add_input(b->trace, b->scope, &given, b->err)) == TENSOR_NONE) return false;
    }
    return true;
}

static bool check_used(const AttentionBuild *b) {
    for (int n = 0; n < IN_COUNT; n++)
        if (has(b, (AttentionInput)n) && !b->used[n])
            return err_set(b->err, ERR_INPUT, tr("The input %s is not used with these settings."), attention_input_names[n]);
    return true;
}

static bool missing(AttentionBuild *b, AttentionInput input, const char *reader) {
    char name[96];
    return err_set(b->err, ERR_INPUT, tr("The input %s is missing; %s is made from it."), attention_input_text(b, input, name), reader);
}

/* ---- settings ---- */

/* Is a map given, so that q and k are not made? */
static bool has_map(const AttentionBuild *b) { return has(b, IN_SCORES) || has(b, IN_WEIGHTS); }

static bool check_given(AttentionBuild *b) {
    if (b->spec.proj != PROJ_GIVEN || has_map(b)) return true;
    for (int n = IN_Q; n <= IN_V; n++)
        if (!has(b, (AttentionInput)n)) return missing(b, (AttentionInput)n, "attention");
    return true;
}

static bool check_numbers(const AttentionBuild *b) {
    const AttentionSpec *s = &b->spec;
    if (!isfinite(s->temperature) || s->temperature < 0.0)
        return err_set(b->err, ERR_INPUT, tr("The temperature is %g; it must be a number above 0."), s->temperature);
    if (s->scale == SCALE_NUMBER && !isfinite(s->scale_number))
        return err_set(b->err, ERR_INPUT, tr("The scale is %g; it must be a number."), s->scale_number);
    if (isnan(s->fill) || s->fill == HUGE_VAL)
        return err_set(b->err, ERR_INPUT, tr("The mask fill is %g; it must be -inf or a number."), s->fill);
    if (s->n_masks < 0 || s->n_masks > MASK_LIST_MAX)
        return err_set(b->err, ERR_LIMIT, tr("%d masks are given; up to %d are possible."), s->n_masks, MASK_LIST_MAX);
    return true;
}

static bool check_sizes_known(const AttentionBuild *b) {
    const AttentionSpec *s = &b->spec;
    if (has(b, IN_SCORES) && !has(b, IN_WEIGHTS) && s->scale == SCALE_AUTO && !s->d_k)
        return err_set(b->err, ERR_INPUT, tr("The scale 1/sqrt(d_k) needs d_k when scores are given."));
    if (s->L && s->S && (s->d_k || has_map(b))) return true;
    return err_set(b->err, ERR_SHAPE, tr("L is %d, S is %d and d_k is %d: the inputs do not say enough."), s->L, s->S, s->d_k);
}

static bool check_masks(const AttentionBuild *b) {
    for (int m = 0; m < b->spec.n_masks; m++)
        if (!mask_check(&b->spec.masks[m], b->spec.n_heads, b->spec.L, b->spec.S, b->err)) return false;
    return true;
}

static bool check_position(const AttentionBuild *b) {
    const AttentionSpec *s = &b->spec;
    const char *name = position_names[s->position.kind];
    if (has_rope(b) && has_map(b))
        return err_set(b->err, ERR_INPUT, tr("Position %s turns q and k, which are not there when scores or weights are given."), name);
    if (s->position.kind == POSITION_ALIBI && has(b, IN_WEIGHTS))
        return err_set(b->err, ERR_INPUT, tr("Position %s changes scores, which are not there when weights are given."), name);
    return position_check(&s->position, s->n_heads, s->d_k, b->err);
}

/* ---- stages ---- */

/* The pe rows of an added position; TENSOR_NONE with an error. */
static TensorId add_pe(AttentionBuild *b) {
    const AttentionSpec *s = &b->spec;
    if (s->position.kind == POSITION_GIVEN) {
        if (!has(b, IN_PE)) missing(b, IN_PE, "x");
        return take(b, IN_PE);
    }
    if (s->position.kind == POSITION_SINUSOIDAL) {
        Op op = op_make(OP_SINUSOID, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE);
        op.position = trace_keep_position(b->trace, &s->position);
        return add(b, &op, "pe", DTYPE_F32, 2, s->L, s->d_model, 1);
    }
    if (!has(b, IN_POS_EMB)) {
        missing(b, IN_POS_EMB, "pe");
        return TENSOR_NONE;
    }
    const int *table = b->given[IN_POS_EMB].dim, offset = s->position.learned_offset;
    if (table[0] - offset < s->L) {
        err_set(b->err, ERR_SHAPE, tr("pos_emb [%d, %d] has no row for each of L = %d tokens."), table[0], table[1], s->L);
        return TENSOR_NONE;
    }
    Op op = op_make(OP_ROWS, take(b, IN_POS_EMB), TENSOR_NONE, TENSOR_NONE);
    op.row = offset;
    return add(b, &op, "pe", DTYPE_F32, 2, s->L, s->d_model, 1);
}

/* x, which may stay TENSOR_NONE when no one needs it */
static bool stage_embed(AttentionBuild *b, TensorId *x) {
    TensorId given = b->id[has(b, IN_TOK) ? IN_TOK : IN_X];
    begin(b, STAGE_EMBED);
    *x = given;
    if (!adds_position(b)) return end(b, *x, true);
    if (given == TENSOR_NONE)
        return end(b, TENSOR_NONE, err_set(b->err, ERR_INPUT, tr("Position %s is added to x, which is not given."),
                                           position_names[b->spec.position.kind]));
    TensorId pe = add_pe(b);
    if (pe == TENSOR_NONE) return end(b, TENSOR_NONE, false);
    Op op = op_make(OP_ADD, given, pe, TENSOR_NONE);
    *x = add(b, &op, "x", DTYPE_F32, 2, b->spec.L, b->spec.d_model, 1);
    return end(b, *x, *x != TENSOR_NONE);
}

/* One of q, k, v. */
typedef struct {
    AttentionInput given, weight, bias;
    bool key_side;
    int heads, rows, width;
} Side;

static bool make_side(AttentionBuild *b, const Side *side, TensorId x, TensorId *out) {
    const char *name = attention_input_names[side->given];
    *out = take(b, side->given);
    if (*out != TENSOR_NONE) return true;
    TensorId source = side->key_side && has(b, IN_X_KV) ? take(b, IN_X_KV) : x;
    if (source == TENSOR_NONE) return missing(b, IN_X, name);
    if (source == x) b->used[IN_X] = b->used[IN_TOK] = true;
    Op op = op_make(OP_HEADS, source, TENSOR_NONE, TENSOR_NONE);
    if (b->spec.proj == PROJ_LINEAR) {
        TensorId weight = take(b, side->weight);
        if (weight == TENSOR_NONE) return missing(b, side->weight, name);
        op = op_make(OP_PROJECT, source, weight, take(b, side->bias));
    }
    *out = add(b, &op, name, DTYPE_F32, 3, side->heads, side->rows, side->width);
    return *out != TENSOR_NONE;
}

/* q and k become q_rope and k_rope. */
static bool turn(AttentionBuild *b, TensorId *q, TensorId *k) {
    const AttentionSpec *s = &b->spec;
    int half = s->position.rope_dim / 2, rows = s->L > s->S ? s->L : s->S;
    TensorId table[2];
    for (int n = 0; n < 2; n++) {
        Op op = op_make(n ? OP_ROPE_SIN : OP_ROPE_COS, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE);
        op.position = trace_keep_position(b->trace, &s->position);
        op.width = s->position.rope_dim;
        table[n] = add(b, &op, n ? "rope_sin" : "rope_cos", DTYPE_F32, 2, rows, half, 1);
        if (table[n] == TENSOR_NONE) return false;
    }
    Op op = op_make(OP_ROPE, *q, table[0], table[1]);
    op.position = trace_keep_position(b->trace, &s->position);
    op.width = s->position.rope_dim;
    *q = add(b, &op, "q_rope", DTYPE_F32, 3, s->n_heads, s->L, s->d_k);
    op.in[0] = *k;
    if (*q != TENSOR_NONE) *k = add(b, &op, "k_rope", DTYPE_F32, 3, s->n_kv_heads, s->S, s->d_k);
    return *q != TENSOR_NONE && *k != TENSOR_NONE;
}

/* v is possible whenever something is there to make it from; beside a given map it may be absent. */
static bool makes_v(const AttentionBuild *b) {
    bool source = has(b, IN_X) || has(b, IN_TOK) || has(b, IN_X_KV);
    return !has_map(b) || has(b, IN_V) || (b->spec.proj != PROJ_GIVEN && source);
}

static bool project(AttentionBuild *b, TensorId x, TensorId *q, TensorId *k, TensorId *v) {
    const AttentionSpec *s = &b->spec;
    Side sides[] = {
        {IN_Q, IN_W_Q, IN_B_Q, false, s->n_heads, s->L, s->d_k},
        {IN_K, s->tie_qk ? IN_W_Q : IN_W_K, s->tie_qk ? IN_B_Q : IN_B_K, true, s->n_kv_heads, s->S, s->d_k},
        {IN_V, IN_W_V, IN_B_V, true, s->n_kv_heads, s->S, s->d_v},
    };
    TensorId *out[] = {q, k, v};
    for (int n = 0; n < 3; n++) {
        *out[n] = TENSOR_NONE;
        if (n < 2 ? has_map(b) : !makes_v(b)) continue;
        if (!make_side(b, &sides[n], x, out[n])) return false;
    }
    return true;
}

static bool stage_project(AttentionBuild *b, TensorId x, TensorId *q, TensorId *k, TensorId *v) {
    begin(b, STAGE_PROJECT);
    bool ok = project(b, x, q, k, v);
    TensorId result = *q != TENSOR_NONE ? *q : *v;
    if (ok && has_rope(b)) ok = turn(b, q, k);
    return end(b, result, ok);
}

static bool stage_scores(AttentionBuild *b, TensorId q, TensorId k, TensorId *scores) {
    const AttentionSpec *s = &b->spec;
    begin(b, STAGE_SCORES);
    *scores = TENSOR_NONE;
    if (has(b, IN_WEIGHTS)) return end(b, TENSOR_NONE, true);
    if (has(b, IN_SCORES)) *scores = take(b, IN_SCORES);
    else {
        Op op = op_make(OP_SCORES, q, k, TENSOR_NONE);
        *scores = add(b, &op, "scores", DTYPE_F32, 3, s->n_heads, s->L, s->S);
    }
    return end(b, *scores, *scores != TENSOR_NONE);
}

static bool stage_scale(AttentionBuild *b, TensorId scores, TensorId *scaled) {
    const AttentionSpec *s = &b->spec;
    begin(b, STAGE_SCALE);
    *scaled = TENSOR_NONE;
    if (scores == TENSOR_NONE) return end(b, TENSOR_NONE, true);
    Op op = op_make(OP_SCALE, scores, TENSOR_NONE, TENSOR_NONE);
    op.number = attention_scale(s);
    *scaled = add(b, &op, "scaled", soft_dtype(b), 3, s->n_heads, s->L, s->S);
    return end(b, *scaled, *scaled != TENSOR_NONE);
}

/* Where query 0 stands among the keys. */
static int place_of_first_query(const AttentionBuild *b) {
    for (int m = 0; m < b->spec.n_masks; m++) {
        const MaskSpec *mask = &b->spec.masks[m];
        if ((mask->kind == MASK_CAUSAL || mask->causal) && mask->align == ALIGN_BOTTOM_RIGHT) return b->spec.S - b->spec.L;
    }
    return 0;
}

static bool add_relative_bias(AttentionBuild *b, TensorId *bias) {
    const AttentionSpec *s = &b->spec;
    int buckets = b->given[IN_REL_BIAS].dim[0], exact = s->position.rel_both ? buckets / 4 : buckets / 2;
    if (!has(b, IN_REL_BIAS)) return missing(b, IN_REL_BIAS, "bias");
    if (exact < 1 || s->position.rel_max_distance <= exact)
        return err_set(b->err, ERR_INPUT, tr("%d buckets cannot hold distances up to %d."), buckets, s->position.rel_max_distance);
    Op op = op_make(OP_RELATIVE_BIAS, take(b, IN_REL_BIAS), TENSOR_NONE, TENSOR_NONE);
    op.position = trace_keep_position(b->trace, &s->position);
    op.number = place_of_first_query(b);
    *bias = add(b, &op, "bias", DTYPE_F32, 3, s->n_heads, s->L, s->S);
    return *bias != TENSOR_NONE;
}

static bool add_bias(AttentionBuild *b, TensorId *bias) {
    const AttentionSpec *s = &b->spec;
    *bias = TENSOR_NONE;
    if (s->position.kind == POSITION_RELATIVE) return add_relative_bias(b, bias);
    if (s->position.kind != POSITION_ALIBI) return true;
    Op op = op_make(OP_ALIBI_SLOPES, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE);
    op.position = trace_keep_position(b->trace, &s->position);
    if (add(b, &op, "alibi_slopes", DTYPE_F32, 1, s->n_heads, 1, 1) == TENSOR_NONE) return false;
    op.kind = OP_ALIBI_BIAS;
    op.number = place_of_first_query(b);
    *bias = add(b, &op, "bias", soft_dtype(b), 3, s->n_heads, s->L, s->S);
    return *bias != TENSOR_NONE;
}

static bool add_mask(AttentionBuild *b, TensorId *mask) {
    const AttentionSpec *s = &b->spec;
    Op op = op_make(OP_MASK_RULE, TENSOR_NONE, TENSOR_NONE, TENSOR_NONE);
    op.masks = trace_keep_masks(b->trace, s->masks, s->n_masks, &op.n_masks);
    *mask = TENSOR_NONE;
    if (op.n_masks == 0) return true;
    bool per_head = false;
    for (int m = 0; m < op.n_masks; m++) per_head |= op.masks[m].kind == MASK_CUSTOM_PER_HEAD;
    *mask = per_head ? add(b, &op, "mask", DTYPE_F32, 3, s->n_heads, s->L, s->S) : add(b, &op, "mask", DTYPE_F32, 2, s->L, s->S, 1);
    return *mask != TENSOR_NONE;
}

/* `soft` is what softmax reads: masked, or scaled when there is neither bias nor mask. */
static bool stage_mask(AttentionBuild *b, TensorId scaled, TensorId *mask, TensorId *soft) {
    const AttentionSpec *s = &b->spec;
    TensorId bias;
    begin(b, STAGE_MASK);
    *mask = TENSOR_NONE;
    *soft = scaled;
    if (scaled == TENSOR_NONE) return end(b, TENSOR_NONE, true);
    if (!add_bias(b, &bias) || !add_mask(b, mask)) return end(b, TENSOR_NONE, false);
    if (bias == TENSOR_NONE && *mask == TENSOR_NONE) return end(b, scaled, true);
    Op op = op_make(OP_MASK, scaled, bias, *mask);
    op.number = s->fill;
    op.mask_op = s->mask_op;
    *soft = add(b, &op, "masked", soft_dtype(b), 3, s->n_heads, s->L, s->S);
    return end(b, *soft, *soft != TENSOR_NONE);
}

bool attention_softmax(AttentionBuild *b, TensorId soft, Dtype dtype, const int dim[3], const char *last, TensorId *out) {
    Op op = op_make(OP_ROW_MAX, soft, TENSOR_NONE, TENSOR_NONE);
    op.empty_row = b->spec.empty_row;
    TensorId max = add(b, &op, "row_max", dtype, 2, dim[0], dim[1], 1);
    if (max == TENSOR_NONE) return false;
    op.kind = OP_EXP;
    op.in[1] = max;
    TensorId e = add(b, &op, "exp", dtype, 3, dim[0], dim[1], dim[2]);
    if (e == TENSOR_NONE) return false;
    op = op_make(OP_ROW_SUM, e, TENSOR_NONE, TENSOR_NONE);
    op.empty_row = b->spec.empty_row;
    TensorId sum = add(b, &op, "row_sum", dtype, 2, dim[0], dim[1], 1);
    if (sum == TENSOR_NONE) return false;
    op.kind = OP_DIVIDE;
    op.in[1] = sum;
    *out = add(b, &op, last, dtype, 3, dim[0], dim[1], dim[2]);
    return *out != TENSOR_NONE;
}

static bool stage_softmax(AttentionBuild *b, TensorId soft, TensorId *weights) {
    begin(b, STAGE_SOFTMAX);
    if (has(b, IN_WEIGHTS)) return end(b, *weights = take(b, IN_WEIGHTS), true);
    const AttentionSpec *s = &b->spec;
    bool ok = attention_softmax(b, soft, soft_dtype(b), (int[]){s->n_heads, s->L, s->S}, "weights", weights);
    return end(b, *weights, ok);
}

static bool stage_weighted_sum(AttentionBuild *b, TensorId weights, TensorId v, TensorId mask, TensorId *head_out) {
    const AttentionSpec *s = &b->spec;
    begin(b, STAGE_WEIGHTED_SUM);
    *head_out = TENSOR_NONE;
    if (v == TENSOR_NONE) return end(b, TENSOR_NONE, true);
    Op op = op_make(OP_WEIGHTED_SUM, weights, v, mask);
    *head_out = add(b, &op, "head_out", DTYPE_F32, 3, s->n_heads, s->L, s->d_v);
    return end(b, *head_out, *head_out != TENSOR_NONE);
}

static bool stage_concat(AttentionBuild *b, TensorId head_out, TensorId *concat) {
    const AttentionSpec *s = &b->spec;
    begin(b, STAGE_CONCAT);
    *concat = TENSOR_NONE;
    if (head_out == TENSOR_NONE) return end(b, TENSOR_NONE, true);
    Op op = op_make(OP_CONCAT, head_out, TENSOR_NONE, TENSOR_NONE);
    *concat = add(b, &op, "concat", DTYPE_F32, 2, s->L, s->n_heads * s->d_v, 1);
    return end(b, *concat, *concat != TENSOR_NONE);
}

static bool stage_output(AttentionBuild *b, TensorId concat) {
    const AttentionSpec *s = &b->spec;
    begin(b, STAGE_OUTPUT);
    if (concat == TENSOR_NONE) return end(b, TENSOR_NONE, true);
    Op op = op_make(OP_COPY, concat, TENSOR_NONE, TENSOR_NONE);
    int width = s->n_heads * s->d_v;
    if (s->out_proj) {
        TensorId weight = take(b, IN_W_O);
        if (weight == TENSOR_NONE) return end(b, TENSOR_NONE, missing(b, IN_W_O, "out"));
        op = op_make(OP_LINEAR, concat, weight, take(b, IN_B_O));
        width = b->given[IN_W_O].dim[0];
    }
    b->out = add(b, &op, "out", DTYPE_F32, 2, s->L, width, 1);
    return end(b, b->out, b->out != TENSOR_NONE);
}

/* ---- the machine ---- */

bool attention_stages(AttentionBuild *b, TensorId x) {
    TensorId scores, scaled, mask, soft, head_out, concat;
    return stage_project(b, x, &b->q, &b->k, &b->v) && stage_scores(b, b->q, b->k, &scores) && stage_scale(b, scores, &scaled) &&
           stage_mask(b, scaled, &mask, &soft) && stage_softmax(b, soft, &b->weights) &&
           stage_weighted_sum(b, b->weights, b->v, mask, &head_out) && stage_concat(b, head_out, &concat) && stage_output(b, concat) &&
           check_used(b);
}

static void fill_defaults(AttentionSpec *spec) {
    if (spec->temperature == 0.0) spec->temperature = 1.0;
    if (spec->position.rope_dim == 0) spec->position.rope_dim = spec->d_k;
    if (spec->position.rope_theta == 0.0) spec->position.rope_theta = 10000.0;
}

AttentionBuild attention_begin(Trace *trace, const char *scope, const AttentionSpec *spec, Err *err) {
    AttentionBuild b = {.trace = trace, .scope = scope, .spec = *spec, .q = TENSOR_NONE, .k = TENSOR_NONE, .v = TENSOR_NONE,
                        .weights = TENSOR_NONE, .out = TENSOR_NONE, .err = err};
    for (int n = 0; n < IN_COUNT; n++) b.id[n] = TENSOR_NONE;
    return b;
}

void attention_set(AttentionBuild *b, AttentionInput input, TensorId id) {
    const Tensor *tensor = trace_tensor(b->trace, id);
    b->given[input] = (TensorInput){.name = attention_input_names[input], .rank = tensor->rank};
    memcpy(b->given[input].dim, tensor->dim, sizeof tensor->dim);
    b->id[input] = id;
    b->present[input] = true;
}

bool attention_inputs(AttentionBuild *b, const TensorInput *inputs, int n_inputs) {
    if (!read_inputs(b, inputs, n_inputs) || !check_numbers(b) || !check_given(b) || !attention_sizes(b) || !check_sizes_known(b)) return false;
    fill_defaults(&b->spec);
    return check_masks(b) && check_position(b) && add_inputs(b);
}

bool machine_attention(Trace *trace, const char *scope, const AttentionSpec *spec, const TensorInput *inputs, int n_inputs,
                       Err *err) {
    AttentionBuild b = attention_begin(trace, scope, spec, err);
    TensorId x;
    return attention_inputs(&b, inputs, n_inputs) && stage_embed(&b, &x) && attention_stages(&b, x);
}
