/* The sizes of one attention layer: each input says some of them, and all must agree. */
#include <stdio.h>

#include "base/tr.h"
#include "core/attention_build.h"

/* Sizes that stand alone, then those that are products. */
typedef enum { SIZE_ANY, SIZE_L, SIZE_S, SIZE_D_MODEL, SIZE_D_KV, SIZE_HEADS, SIZE_KV_HEADS, SIZE_D_K, SIZE_D_V,
               SIZE_HQ, SIZE_GK, SIZE_GV, SIZE_HV, SIZE_COUNT } SizeKind;

static const char *const size_names[SIZE_COUNT] = {
    [SIZE_ANY] = "",            [SIZE_L] = "L",           [SIZE_S] = "S",       [SIZE_D_MODEL] = "d_model",
    [SIZE_D_KV] = "d_kv",       [SIZE_HEADS] = "heads",   [SIZE_KV_HEADS] = "kv_heads",
    [SIZE_D_K] = "d_k",         [SIZE_D_V] = "d_v",       [SIZE_HQ] = "heads * d_k", [SIZE_GK] = "kv_heads * d_k",
    [SIZE_GV] = "kv_heads * d_v", [SIZE_HV] = "heads * d_v",
};

static const struct {
    int rank;
    SizeKind dim[3];
} shapes[IN_COUNT] = {
    [IN_X] = {2, {SIZE_L, SIZE_D_MODEL}},
    [IN_TOK] = {2, {SIZE_L, SIZE_D_MODEL}},
    [IN_X_KV] = {2, {SIZE_S, SIZE_D_KV}},
    [IN_PE] = {2, {SIZE_L, SIZE_D_MODEL}},
    [IN_POS_EMB] = {2, {SIZE_ANY, SIZE_D_MODEL}},
    [IN_W_Q] = {2, {SIZE_HQ, SIZE_D_MODEL}},
    [IN_W_K] = {2, {SIZE_GK, SIZE_D_KV}},
    [IN_W_V] = {2, {SIZE_GV, SIZE_D_KV}},
    [IN_W_O] = {2, {SIZE_D_MODEL, SIZE_HV}},
    [IN_B_Q] = {1, {SIZE_HQ}},
    [IN_B_K] = {1, {SIZE_GK}},
    [IN_B_V] = {1, {SIZE_GV}},
    [IN_B_O] = {1, {SIZE_D_MODEL}},
    [IN_REL_BIAS] = {2, {SIZE_ANY, SIZE_HEADS}},
    [IN_Q] = {3, {SIZE_HEADS, SIZE_L, SIZE_D_K}},
    [IN_K] = {3, {SIZE_KV_HEADS, SIZE_S, SIZE_D_K}},
    [IN_V] = {3, {SIZE_KV_HEADS, SIZE_S, SIZE_D_V}},
    [IN_SCORES] = {3, {SIZE_HEADS, SIZE_L, SIZE_S}},
    [IN_WEIGHTS] = {3, {SIZE_HEADS, SIZE_L, SIZE_S}},
};

/* What is known so far, and who said it (IN_COUNT = the settings or a rule). */
typedef struct {
    AttentionBuild *b;
    int value[SIZE_COUNT]; /* 0 = not known */
    int source[SIZE_COUNT];
} Sizes;

char *attention_input_text(const AttentionBuild *b, AttentionInput input, char out[96]) {
    snprintf(out, 96, "%.60s%s%s", b->scope, b->scope[0] ? "." : "", attention_input_names[input]);
    return out;
}

/* "w_q [16, 8]", or who else said it */
static const char *said(const Sizes *s, int input, char out[160]) {
    char shape[64], name[96];
    if (input == IN_COUNT) return tr("the settings");
    const TensorInput *given = &s->b->given[input];
    snprintf(out, 160, "%s %s", attention_input_text(s->b, (AttentionInput)input, name), tensor_shape_text(shape, given->rank, given->dim));
    return out;
}

/* "w_q [16, 8] does not fit x [4, 6]: d_model would be 8 and 6." */
static bool differ(const Sizes *s, SizeKind kind, int input, int value) {
    char a[160], b[160];
    return err_set(s->b->err, ERR_SHAPE, tr("%s does not fit %s: %s would be %d and %d."), said(s, input, a),
                   said(s, s->source[kind], b), size_names[kind], value, s->value[kind]);
}

static bool meet(Sizes *s, SizeKind kind, int input, int value) {
    if (kind == SIZE_ANY) return true;
    if (s->value[kind] == 0) {
        s->value[kind] = value;
        s->source[kind] = input;
        return true;
    }
    return s->value[kind] == value || differ(s, kind, input, value);
}

static bool check_input(const Sizes *s, int input) {
    const TensorInput *given = &s->b->given[input];
    char text[160];
    if (given->rank != shapes[input].rank)
        return err_set(s->b->err, ERR_SHAPE, tr("%s needs %d dimensions."), said(s, input, text), shapes[input].rank);
    for (int d = 0; d < given->rank; d++) {
        if (given->dim[d] < 1)
            return err_set(s->b->err, ERR_SHAPE, tr("%s is empty; each dimension must be 1 or more."), said(s, input, text));
        if (given->dim[d] > TENSOR_DIM_MAX)
            return err_set(s->b->err, ERR_LIMIT, tr("%s has a dimension above the limit of %d."), said(s, input, text), TENSOR_DIM_MAX);
    }
    return true;
}

/* Every size that a given tensor says directly. */
static bool meet_inputs(Sizes *s) {
    for (int input = 0; input < IN_COUNT; input++) {
        if (!s->b->present[input]) continue;
        if (!check_input(s, input)) return false;
        for (int d = 0; d < shapes[input].rank; d++)
            if (!meet(s, shapes[input].dim[d], input, s->b->given[input].dim[d])) return false;
    }
    return true;
}

/* width = heads * each: find `each`, or check it. */
static bool divide(Sizes *s, SizeKind width, SizeKind heads, SizeKind each) {
    char advice[80], text[160];
    int w = s->value[width], n = s->value[heads], source = s->source[width];
    if (w == 0) return true;
    if (s->value[each]) {
        long long product = (long long)n * s->value[each];
        if (product == w) return true;
        return err_set(s->b->err, ERR_SHAPE, tr("%s does not fit %s %d and %s %d: %s would be %d and %lld."), said(s, source, text),
                       size_names[heads], n, size_names[each], s->value[each], size_names[width], w, product);
    }
    if (w % n == 0) return meet(s, each, source, w / n);
    attention_heads_advice(advice, w, n);
    if (w == s->value[SIZE_D_MODEL]) return err_set(s->b->err, ERR_SHAPE, tr("d_model %d is not divisible by heads %d; %s"), w, n, advice);
    return err_set(s->b->err, ERR_SHAPE, tr("%s cannot be cut into %s %d; %s"), said(s, source, text), size_names[heads], n, advice);
}

/* The width of one side's rows is the width of all its heads. */
static bool slice(Sizes *s, SizeKind side, SizeKind width) {
    return s->value[side] == 0 || meet(s, width, s->source[side], s->value[side]);
}

/* Without projections the heads are slices of x (and of x_kv). */
static bool slice_sides(Sizes *s) {
    const AttentionBuild *b = s->b;
    if (b->spec.proj != PROJ_NONE) return true;
    bool mapped = b->present[IN_SCORES] || b->present[IN_WEIGHTS];
    bool has_x = b->present[IN_X] || b->present[IN_TOK], has_kv = has_x || b->present[IN_X_KV];
    if (has_x && !mapped && !b->present[IN_Q] && !slice(s, SIZE_D_MODEL, SIZE_HQ)) return false;
    if (has_kv && !mapped && !b->present[IN_K] && !slice(s, SIZE_D_KV, SIZE_GK)) return false;
    return !has_kv || b->present[IN_V] || slice(s, SIZE_D_KV, SIZE_GV);
}

static void start(Sizes *s, SizeKind kind, int value) {
    s->value[kind] = value;
    s->source[kind] = IN_COUNT;
}

/* In self-attention the keys' side is the queries' side: what k or v is made from has the rows and width of x. */
static bool share_sides(Sizes *s) {
    const AttentionBuild *b = s->b;
    bool has_x = b->present[IN_X] || b->present[IN_TOK], map = b->present[IN_SCORES] || b->present[IN_WEIGHTS];
    bool reads_x = b->spec.proj != PROJ_GIVEN && (!b->present[IN_V] || (!b->present[IN_K] && !map));
    if (b->present[IN_X_KV] || !has_x || !reads_x) return true;
    return meet(s, SIZE_D_KV, s->source[SIZE_D_MODEL], s->value[SIZE_D_MODEL]) && meet(s, SIZE_S, s->source[SIZE_L], s->value[SIZE_L]);
}

/* One matrix makes q and k: they have the same heads and are made from rows of the same width. */
static bool tie_sides(Sizes *s) {
    const AttentionBuild *b = s->b;
    if (!b->spec.tie_qk || b->spec.proj != PROJ_LINEAR || !b->present[IN_W_Q] || b->present[IN_K]) return true;
    int heads = s->value[SIZE_HEADS], groups = s->value[SIZE_KV_HEADS];
    if (heads && groups && heads != groups)
        return err_set(b->err, ERR_SHAPE, tr("W_Q = W_K needs as many key/value heads as heads, not %d and %d: one matrix cannot have both widths."), groups, heads);
    return meet(s, SIZE_GK, IN_W_Q, s->value[SIZE_HQ]) && meet(s, SIZE_D_KV, IN_W_Q, s->value[SIZE_D_MODEL]);
}

bool attention_sizes(AttentionBuild *b) {
    AttentionSpec *spec = &b->spec;
    Sizes s = {.b = b};
    struct { SizeKind kind; int *field; } fields[] = {
        {SIZE_L, &spec->L}, {SIZE_S, &spec->S}, {SIZE_D_MODEL, &spec->d_model}, {SIZE_D_KV, &spec->d_kv},
        {SIZE_HEADS, &spec->n_heads}, {SIZE_KV_HEADS, &spec->n_kv_heads}, {SIZE_D_K, &spec->d_k}, {SIZE_D_V, &spec->d_v},
    };
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    for (int f = 0; f < FIELDS; f++) {
        if (*fields[f].field < 0 || *fields[f].field > TENSOR_DIM_MAX)
            return err_set(b->err, ERR_LIMIT, tr("%s is %d; 1 to %d are possible."), size_names[fields[f].kind], *fields[f].field, TENSOR_DIM_MAX);
        start(&s, fields[f].kind, *fields[f].field);
    }
    if (!meet_inputs(&s) || !share_sides(&s)) return false;
    if (!s.value[SIZE_HEADS]) start(&s, SIZE_HEADS, 1);
    if (!s.value[SIZE_KV_HEADS]) start(&s, SIZE_KV_HEADS, s.value[SIZE_HEADS]);
    if (!slice_sides(&s) || !tie_sides(&s) || !divide(&s, SIZE_HQ, SIZE_HEADS, SIZE_D_K) || !divide(&s, SIZE_GK, SIZE_KV_HEADS, SIZE_D_K) ||
        !divide(&s, SIZE_GV, SIZE_KV_HEADS, SIZE_D_V) || !divide(&s, SIZE_HV, SIZE_HEADS, SIZE_D_V))
        return false;
    if (s.value[SIZE_HEADS] % s.value[SIZE_KV_HEADS])
        return err_set(b->err, ERR_SHAPE, tr("%d heads cannot share %d key/value heads; %s"), s.value[SIZE_HEADS], s.value[SIZE_KV_HEADS],
                       attention_heads_advice((char[80]){0}, s.value[SIZE_HEADS], s.value[SIZE_KV_HEADS]));
    for (int f = 0; f < FIELDS; f++) *fields[f].field = s.value[fields[f].kind];
    return true;
}
