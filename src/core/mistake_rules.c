/* The table of classic mistakes: what each changes in one op, and its sentence. Sources of the list: questions of learners about
 * attention code, and bugs that were found in published code. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"
#include "core/mistake_parts.h"

/* ---- what rules read and write ---- */

static const Tensor *out_of(const Rewrite *w, const Op *was) { return trace_tensor(w->right, was->out); }
static const Tensor *operand(const Rewrite *w, const Op *was, int n) { return trace_tensor(w->right, was->in[n]); }
static const Op *maker(const Rewrite *w, TensorId id) { return trace_op(w->right, trace_tensor(w->right, id)->op); }
static bool is_called(const Rewrite *w, const Op *was, const char *name) { return strcmp(out_of(w, was)->name, name) == 0; }

/* Which of the names is this tensor's? -1: none. */
static int called(const Rewrite *w, const Op *was, const char *const *names, int n) {
    for (int i = 0; i < n; i++)
        if (is_called(w, was, names[i])) return i;
    return -1;
}

/* The tensor of that name in the scope of another. */
static TensorId beside(const Rewrite *w, const Op *was, const char *name) {
    const Tensor *t = out_of(w, was);
    return trace_find(w->right, arena_printf(w->arena, "%.*s%s", (int)(t->name - t->id), t->id, name));
}

static float *room(const Rewrite *w, size_t count) { return ARENA_ARRAY(w->arena, float, count); }

static float *numbers_of(const Rewrite *w, const Tensor *t) {
    size_t count = tensor_count(t);
    float *data = room(w, count);
    for (size_t i = 0; i < count; i++) data[i] = (float)tensor_flat(t, i);
    return data;
}

static void give(Rewrite *w, Step *step, const float *data) {
    step->data = data;
    w->touched = true;
}

/* The operand becomes a matrix of no other op. */
static void give_operand(Rewrite *w, Step *step, int n, const char *name, int rank, const int *dim, const float *data) {
    TensorInput input = {.name = name, .rank = rank, .data = data};
    memcpy(input.dim, dim, (size_t)rank * sizeof *dim);
    TensorId id = trace_add_input(w->made, "", &input, w->err);
    if (id == TENSOR_NONE) return; /* the op fails by itself: its error is kept */
    step->op.in[n] = id;
    w->touched = true;
}

static void drop_operand(Rewrite *w, Step *step, int n) {
    if (step->op.in[n] == TENSOR_NONE) return;
    step->op.in[n] = TENSOR_NONE;
    w->touched = true;
}

static void shape_as(Step *step, const Tensor *t) {
    step->rank = t->rank;
    memcpy(step->dim, t->dim, sizeof step->dim);
}

/* ---- projections ---- */

/* x · W in place of x · Wᵀ, of square matrices: all of them, or one. */
static void weight_transposed(Rewrite *w, const Op *was, Step *step) {
    static const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
    const Tensor *t = out_of(w, was);
    int at = called(w, was, names, 4);
    if (was->kind != OP_INPUT || at < 0 || t->rank != 2 || t->dim[0] != t->dim[1] || (w->variant > 0 && w->variant != at + 1)) return;
    size_t n = (size_t)t->dim[0];
    float *data = room(w, n * n);
    for (size_t i = 0; i < n; i++)
        for (size_t j = 0; j < n; j++) data[j * n + i] = (float)tensor_flat(t, i * n + j);
    give(w, step, data);
}

/* All biases, one of them, or those of q, k and v. */
static void bias_missing(Rewrite *w, const Op *was, Step *step) {
    static const char *const made[] = {"q", "k", "v", "out"};
    int at = called(w, was, made, 4);
    if ((was->kind != OP_PROJECT && was->kind != OP_LINEAR) || at < 0) return;
    if (w->variant == 0 || w->variant == at + 1 || (w->variant == 5 && at < 3)) drop_operand(w, step, 2);
}

/* Their matrices, or only their places in the product. */
static void q_k_swapped(Rewrite *w, const Op *was, Step *step) {
    if (w->variant == 0 && was->kind == OP_PROJECT && (is_called(w, was, "q") || is_called(w, was, "k"))) {
        TensorId other = beside(w, was, is_called(w, was, "q") ? "k" : "q");
        const Op *from = other == TENSOR_NONE ? NULL : maker(w, other);
        if (!from || from->kind != OP_PROJECT || memcmp(out_of(w, was)->dim, trace_tensor(w->right, other)->dim, sizeof step->dim) != 0) return;
        for (int n = 1; n <= 2; n++) step->op.in[n] = from->in[n] == TENSOR_NONE ? TENSOR_NONE : w->map[from->in[n]];
        w->touched = true;
    }
    if (w->variant != 1 || was->kind != OP_SCORES || operand(w, was, 0)->dim[0] != operand(w, was, 1)->dim[0]) return;
    TensorId q = step->op.in[0];
    step->op.in[0] = step->op.in[1];
    step->op.in[1] = q;
    step->dim[1] = operand(w, was, 1)->dim[1];
    step->dim[2] = operand(w, was, 0)->dim[1];
    w->touched = true;
}

/* Rows of H · d numbers read as [H, T, d] at once, without a transpose: of all three, or of one. */
static void heads_reshaped(Rewrite *w, const Op *was, Step *step) {
    static const char *const made[] = {"q", "k", "v"};
    int at = called(w, was, made, 3);
    const Tensor *t = out_of(w, was);
    if (was->kind != OP_PROJECT || at < 0 || (w->variant > 0 && w->variant != at + 1) || t->dim[0] < 2) return;
    size_t H = (size_t)t->dim[0], T = (size_t)t->dim[1], d = (size_t)t->dim[2];
    float *data = room(w, H * T * d);
    for (size_t h = 0; h < H; h++)
        for (size_t i = 0; i < T; i++)
            for (size_t c = 0; c < d; c++) data[(i * H + h) * d + c] = (float)tensor_flat(t, (h * T + i) * d + c);
    give(w, step, data);
}

/* ---- positions that turn ---- */

static void rope_layout(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_ROPE) return;
    PositionSpec other = *was->position;
    other.kind = other.kind == POSITION_ROPE_HALF ? POSITION_ROPE_INTERLEAVED : POSITION_ROPE_HALF;
    step->op.position = trace_keep_position(w->made, &other);
    w->touched = true;
}

static void rope_missing(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_ROPE) give(w, step, numbers_of(w, operand(w, was, 0)));
}

/* ---- grouped keys and values ---- */

/* Query head h reads head h mod G in place of h / (H / G). */
static void tile(Rewrite *w, Step *step, int n, const Tensor *t, int H) {
    int G = t->dim[0];
    size_t each = (size_t)t->dim[1] * (size_t)t->dim[2];
    if (G < 2 || H <= G) return;
    float *from = numbers_of(w, t), *data = room(w, (size_t)H * each);
    for (int h = 0; h < H; h++) memcpy(data + (size_t)h * each, from + (size_t)(h % G) * each, each * sizeof *data);
    give_operand(w, step, n, arena_printf(w->arena, "tiled %s", t->name), 3, (int[]){H, t->dim[1], t->dim[2]}, data);
}

static void kv_tiled(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_SCORES || was->kind == OP_WEIGHTED_SUM) tile(w, step, 1, operand(w, was, 1), out_of(w, was)->dim[0]);
}

/* ---- scale ---- */

/* d_k behind a scale; where the scores are given it is what the scale was made from. */
static double width_of(const Rewrite *w, const Op *was) {
    const Op *scores = maker(w, was->in[0]);
    if (scores->kind == OP_SCORES) return operand(w, scores, 0)->dim[2];
    return was->number > 0 && was->number < 1 ? round(1 / (was->number * was->number)) : 1;
}

/* d_model: what w_q reads, else the width of all heads. */
static double model_width(const Rewrite *w, const Op *was) {
    TensorId w_q = beside(w, was, "w_q");
    return w_q != TENSOR_NONE ? trace_tensor(w->right, w_q)->dim[1] : width_of(w, was) * out_of(w, was)->dim[0];
}

/* The factor times `by`, where there is one: 1 / √d_k, divided by the temperature. */
static void scale_by(Rewrite *w, const Op *was, Step *step, double by) {
    if (was->number >= 1 || width_of(w, was) <= 1) return;
    step->op.number = was->number * by;
    w->touched = true;
}

static void scale_missing(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_SCALE) scale_by(w, was, step, w->variant ? 1 / was->number : sqrt(width_of(w, was)));
}
static void scale_d_model(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_SCALE) scale_by(w, was, step, sqrt(width_of(w, was) / model_width(w, was)));
}
static void scale_d_k(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_SCALE) scale_by(w, was, step, 1 / sqrt(width_of(w, was)));
}
static void scale_multiplied(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_SCALE) scale_by(w, was, step, width_of(w, was));
}

/* ---- ALiBi ---- */

/* (scores + bias) · scale: the bias is scaled too; where `scaled` is stored, it stands in that (variant 1). */
static void alibi_before_scale(Rewrite *w, const Op *was, Step *step) {
    TensorId bias = beside(w, was, "bias");
    if (bias == TENSOR_NONE || maker(w, bias)->kind != OP_ALIBI_BIAS) return;
    const Op *mask = was->kind == OP_MASK ? was : NULL, *scale = was->kind == OP_SCALE ? was : NULL;
    if (mask && w->variant == 1) drop_operand(w, step, 1);
    if (mask && w->variant == 0) scale = maker(w, was->in[0]);
    if (!scale || (scale == was) != (w->variant == 1)) return;
    const Tensor *b = trace_tensor(w->right, bias);
    size_t count = tensor_count(b);
    float *data = room(w, count);
    for (size_t i = 0; i < count; i++)
        data[i] = (float)(tensor_flat(b, i) * scale->number + (scale == was ? tensor_flat(out_of(w, was), i) : 0));
    if (scale == was) give(w, step, data);
    else give_operand(w, step, 1, "scaled bias", 3, b->dim, data);
}

/* ---- masks ---- */

static void mask_missing(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_MASK) drop_operand(w, step, 2);
}

static float *inverted(const Rewrite *w, const Tensor *mask) {
    float *data = numbers_of(w, mask);
    for (size_t i = 0; i < tensor_count(mask); i++) data[i] = 1 - data[i];
    return data;
}

static void mask_inverted(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_MASK_RULE) give(w, step, inverted(w, out_of(w, was)));
}

/* The causal masks of a rule become others. */
static void change_causal(Rewrite *w, const Op *was, Step *step, void (*change)(const Rewrite *w, const Tensor *mask, MaskSpec *spec)) {
    if (was->kind != OP_MASK_RULE) return;
    MaskSpec masks[MASK_LIST_MAX];
    memcpy(masks, was->masks, (size_t)was->n_masks * sizeof *masks);
    for (int i = 0; i < was->n_masks; i++) {
        if (masks[i].kind != MASK_CAUSAL) continue;
        change(w, out_of(w, was), &masks[i]);
        w->touched = true;
    }
    step->op.masks = trace_keep_masks(w->made, masks, was->n_masks, &step->op.n_masks);
}

/* j < i, the token itself hidden, or j <= i + 1, the next one seen: a window that reaches back to the first key. */
static void shift_causal(const Rewrite *w, const Tensor *mask, MaskSpec *spec) {
    int L = mask->dim[mask->rank - 2], S = mask->dim[mask->rank - 1];
    int offset = spec->align == ALIGN_BOTTOM_RIGHT ? S - L : 0;
    *spec = (MaskSpec){.kind = MASK_WINDOW, .left = L + S, .right = offset + (w->variant ? 1 : -1)};
}

static void mask_shifted(Rewrite *w, const Op *was, Step *step) { change_causal(w, was, step, shift_causal); }

static void other_corner(const Rewrite *w, const Tensor *mask, MaskSpec *spec) {
    (void)w, (void)mask;
    spec->align = spec->align == ALIGN_TOP_LEFT ? ALIGN_BOTTOM_RIGHT : ALIGN_TOP_LEFT;
}

static void mask_corner(Rewrite *w, const Op *was, Step *step) {
    const Tensor *t = out_of(w, was);
    if (was->kind == OP_MASK_RULE && t->dim[t->rank - 2] != t->dim[t->rank - 1]) change_causal(w, was, step, other_corner);
}

/* The 0 and 1 of the mask are added to the scores: 1 where a key is hidden, or 1 where it is kept. */
static void mask_added(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_MASK || was->in[2] == TENSOR_NONE) return;
    const Tensor *mask = operand(w, was, 2);
    step->op.mask_op = MASK_ADD;
    step->op.number = 1;
    w->touched = true;
    if (w->variant == 1) give_operand(w, step, 2, "inverted mask", mask->rank, mask->dim, inverted(w, mask));
}

static void fill_zero(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_MASK || was->in[2] == TENSOR_NONE) return;
    step->op.mask_op = MASK_REPLACE;
    step->op.number = 0;
    w->touched = true;
}

/* ---- softmax ---- */

/* What softmax reads, where this op is its last. */
static const Tensor *softmax_of(const Rewrite *w, const Op *was) {
    if (was->kind != OP_DIVIDE || !is_called(w, was, "weights")) return NULL;
    const Op *e = maker(w, was->in[0]);
    return e->kind == OP_EXP ? operand(w, e, 0) : NULL;
}

/* Softmax of n numbers that lie `step` apart. */
static void softmax_line(const Rewrite *w, const float *in, float *out, int n, size_t step) {
    double *e = ARENA_ARRAY(w->arena, double, (size_t)n), max = -HUGE_VAL, sum = 0;
    for (int i = 0; i < n; i++) e[i] = (double)in[(size_t)i * step], max = e[i] > max ? e[i] : max;
    exp_shifted(e, max, e, n);
    for (int i = 0; i < n; i++) sum += e[i];
    for (int i = 0; i < n; i++) out[(size_t)i * step] = (float)(e[i] / sum);
}

/* Along axis 0, 1 or 2 of [H, L, S]. */
static float *softmax_along(const Rewrite *w, const float *in, const Tensor *t, int axis) {
    size_t step[3] = {(size_t)t->dim[1] * (size_t)t->dim[2], (size_t)t->dim[2], 1};
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    float *out = room(w, tensor_count(t));
    for (int i = 0; i < t->dim[u]; i++)
        for (int j = 0; j < t->dim[v]; j++) {
            size_t at = (size_t)i * step[u] + (size_t)j * step[v];
            softmax_line(w, in + at, out + at, t->dim[axis], step[axis]);
        }
    return out;
}

static void softmax_wrong(Rewrite *w, const Op *was, Step *step, int axis) {
    const Tensor *soft = softmax_of(w, was);
    if (soft && soft->dim[axis] > 1) give(w, step, softmax_along(w, numbers_of(w, soft), soft, axis));
}
static void softmax_queries(Rewrite *w, const Op *was, Step *step) { softmax_wrong(w, was, step, 1); }
static void softmax_heads(Rewrite *w, const Op *was, Step *step) { softmax_wrong(w, was, step, 0); }

/* Softmax over all keys, then 0 where the mask hides. */
static void mask_after_softmax(Rewrite *w, const Op *was, Step *step) {
    const Tensor *soft = softmax_of(w, was);
    const Op *mask = soft ? trace_op(w->right, soft->op) : NULL;
    if (!mask || mask->kind != OP_MASK || mask->in[2] == TENSOR_NONE) return;
    const Tensor *keep = operand(w, mask, 2), *bias = mask->in[1] == TENSOR_NONE ? NULL : operand(w, mask, 1);
    float *scores = numbers_of(w, operand(w, mask, 0));
    size_t count = tensor_count(soft), map = tensor_count(keep);
    for (size_t i = 0; bias && i < count; i++) scores[i] += (float)tensor_flat(bias, i);
    float *data = softmax_along(w, scores, soft, 2);
    for (size_t i = 0; i < count; i++) data[i] *= (float)tensor_flat(keep, i % map);
    give(w, step, data);
}

/* ---- behind softmax ---- */

/* Each query takes what the others give it: column for row. */
static void weights_transposed(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_WEIGHTED_SUM) return;
    const Tensor *t = operand(w, was, 0);
    size_t n = (size_t)t->dim[1], map = n * n;
    if (t->dim[1] != t->dim[2] || n < 2) return;
    float *data = room(w, tensor_count(t));
    for (size_t h = 0; h < (size_t)t->dim[0]; h++)
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j < n; j++) data[h * map + j * n + i] = (float)tensor_flat(t, h * map + i * n + j);
    step->op.in[2] = TENSOR_NONE;
    give_operand(w, step, 0, "transposed weights", 3, t->dim, data);
}

/* [H, L, d_v] read as [L, H · d_v] at once. */
static void concat_reshaped(Rewrite *w, const Op *was, Step *step) {
    if (was->kind == OP_CONCAT && operand(w, was, 0)->dim[0] > 1) give(w, step, numbers_of(w, operand(w, was, 0)));
}

static void output_missing(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_LINEAR || !is_called(w, was, "out") || maker(w, was->in[0])->kind != OP_CONCAT) return;
    shape_as(step, operand(w, was, 0));
    step->op = op_make(OP_COPY, step->op.in[0], TENSOR_NONE, TENSOR_NONE);
    w->touched = true;
}

/* ---- feed-forward ---- */

static void gelu(Rewrite *w, const Op *was, Step *step) {
    if (was->kind != OP_GELU && was->kind != OP_GELU_TANH) return;
    step->op.kind = was->kind == OP_GELU ? OP_GELU_TANH : OP_GELU;
    w->touched = true;
}

/* ---- the table ---- */

const MistakeInfo mistake_table[MISTAKE_COUNT] = {
    [MISTAKE_WEIGHT_TRANSPOSED] = {"weight_transposed", tr_mark("A weight matrix is used the wrong way round: x · W in place of x · Wᵀ. W is read here as nn.Linear stores it, [out, in]; a matrix stored as [in, out] has to be dumped as W.T."),
                                   weight_transposed, 5},
    [MISTAKE_BIAS_MISSING] = {"bias_missing", tr_mark("A bias is not added: a projection is x · Wᵀ + b."), bias_missing, 6},
    [MISTAKE_Q_K_SWAPPED] = {"q_k_swapped", tr_mark("Q and K are swapped. Row i of the scores belongs to query i: Q · Kᵀ, not K · Qᵀ."), q_k_swapped, 2},
    [MISTAKE_HEADS_RESHAPED] = {"heads_reshaped", tr_mark("The heads are cut by a reshape alone, which mixes tokens. First view(L, n_heads, d_k), then transpose(0, 1)."), heads_reshaped, 4},
    [MISTAKE_ROPE_LAYOUT] = {"rope_layout", tr_mark("RoPE turns the wrong pairs: neighbours (2i, 2i + 1) and halves (i, i + d/2) are two layouts, and the other one was used."), rope_layout, 1},
    [MISTAKE_ROPE_MISSING] = {"rope_missing", tr_mark("RoPE is missing: q and k have to be turned before the scores are made."), rope_missing, 1},
    [MISTAKE_KV_TILED] = {"kv_tiled", tr_mark("The key/value heads are tiled (0 1 0 1) where each has to be repeated for its group (0 0 1 1): repeat_interleave, not repeat."), kv_tiled, 1},
    [MISTAKE_SCALE_MISSING] = {"scale_missing", tr_mark("The scores are not divided by √dₖ."), scale_missing, 2},
    [MISTAKE_SCALE_D_MODEL] = {"scale_d_model", tr_mark("The scores are divided by √d_model. It is √dₖ, where dₖ is the width of one head: d_model / n_heads."), scale_d_model, 1},
    [MISTAKE_SCALE_D_K] = {"scale_d_k", tr_mark("The scores are divided by dₖ. It is its square root, √dₖ."), scale_d_k, 1},
    [MISTAKE_SCALE_MULTIPLIED] = {"scale_multiplied", tr_mark("The scores are multiplied by √dₖ. They have to be divided by it."), scale_multiplied, 1},
    [MISTAKE_ALIBI_BEFORE_SCALE] = {"alibi_before_scale", tr_mark("The ALiBi bias is added before the scores are scaled, so it is scaled too. It belongs behind the scale."), alibi_before_scale, 2},
    [MISTAKE_MASK_MISSING] = {"mask_missing", tr_mark("The mask is not applied: hidden keys keep their scores."), mask_missing, 1},
    [MISTAKE_MASK_INVERTED] = {"mask_inverted", tr_mark("The mask is the wrong way round: what it should keep is hidden. Some libraries write True for a key to ignore, others for a key to keep."), mask_inverted, 1},
    [MISTAKE_MASK_SHIFTED] = {"mask_shifted", tr_mark("The causal mask is off by one diagonal. Query i reads keys 1 to i, itself too and none behind it: tril(ones), or triu(ones, diagonal=1) for what is hidden."), mask_shifted, 2},
    [MISTAKE_MASK_CORNER] = {"mask_corner", tr_mark("The causal mask begins in the other corner. Queries and keys differ in number, so the last query has to stand at the last key, or the first at the first."), mask_corner, 1},
    [MISTAKE_MASK_ADDED] = {"mask_added", tr_mark("The 0 and 1 of the mask are added to the scores. Hidden scores have to become −∞: masked_fill(hidden, -inf), or add 0 and −∞."), mask_added, 2},
    [MISTAKE_FILL_ZERO] = {"fill_zero", tr_mark("Hidden scores are set to 0, and exp(0) = 1 keeps weight on them. They have to become −∞."), fill_zero, 1},
    [MISTAKE_SOFTMAX_QUERIES] = {"softmax_queries", tr_mark("Softmax runs over the queries. It runs over the keys, the last axis: dim=-1. Then each row sums to 1."), softmax_queries, 1},
    [MISTAKE_SOFTMAX_HEADS] = {"softmax_heads", tr_mark("Softmax runs over the heads. It runs over the keys, the last axis: dim=-1. Then each row sums to 1."), softmax_heads, 1},
    [MISTAKE_MASK_AFTER_SOFTMAX] = {"mask_after_softmax", tr_mark("The mask is applied after softmax, so rows do not sum to 1 any more. Hidden scores have to become −∞ before it."), mask_after_softmax, 1},
    [MISTAKE_WEIGHTS_TRANSPOSED] = {"weights_transposed", tr_mark("The weights are used from the wrong side: weightsᵀ · V in place of weights · V."), weights_transposed, 1},
    [MISTAKE_CONCAT_RESHAPED] = {"concat_reshaped", tr_mark("The heads are joined by a reshape alone, which mixes tokens. First transpose(0, 1), then reshape(L, n_heads * d_v)."), concat_reshaped, 1},
    [MISTAKE_OUTPUT_MISSING] = {"output_missing", tr_mark("The output projection is missing: out = concat · W_Oᵀ + b_O."), output_missing, 1},
    [MISTAKE_GELU] = {"gelu", tr_mark("The other GELU was used: the exact one, 0.5 x (1 + erf(x / √2)), and its tanh approximation differ in the fourth digit."), gelu, 1},
};

const char *mistake_name(Mistake mistake) { return mistake_table[mistake].name; }
const char *mistake_words(Mistake mistake) { return tr(mistake_table[mistake].words); }
