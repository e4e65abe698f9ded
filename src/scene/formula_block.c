/* Formulas of the stations around attention, read off the ops of the stage: what is there is written, nothing else. */
#include "base/tr.h"
#include "scene/curve.h"
#include "scene/formula.h"
#include "scene/now.h"
#include "scene/words.h"

typedef struct {
    const Scene *scene;
    const Trace *trace;
    const Stage *stage;
    TensorId running; /* what the film makes now */
    FormulaPart *parts;
    int n;
} Builder;

/* The part is lit while one of its tensors is being made; where the film has no such step, all along. */
static void add(Builder *b, const char *text, bool lit, bool tight) {
    if (b->n < FORMULA_PARTS_MAX) b->parts[b->n++] = (FormulaPart){text, 0, lit ? PART_LIT : PART_DONE, tight};
}

static const Op *maker(const Builder *b, TensorId id) { return id == TENSOR_NONE ? NULL : trace_op(b->trace, trace_tensor(b->trace, id)->op); }

static const Op *find_op(const Builder *b, OpKind first, OpKind last) {
    for (int i = 0; i < b->stage->n_ops; i++) {
        const Op *op = trace_op(b->trace, b->stage->first_op + i);
        if (op->kind >= first && op->kind <= last) return op;
    }
    return NULL;
}

/* The operand as it is called on the stage. */
static const char *name_of(const Builder *b, TensorId id) { return words_symbol_in(b->scene->run, scene_site(b->scene), id); }

/* "N =" */
static void makes(Builder *b) { add(b, arena_printf(b->scene->arena, "%s =", name_of(b, b->stage->result)), false, false); }

static void norm(Builder *b, const Op *op) {
    const char *x = name_of(b, op->in[0]);
    Arena *arena = b->scene->arena;
    makes(b);
    if (op->kind == OP_RMSNORM) {
        add(b, arena_printf(arena, "%s / √Σ%s²\u00a0/\u00a0dₘ\u00a0+\u00a0ε", x, x), true, false);
        add(b, "· γ", true, false);
        return;
    }
    add(b, arena_printf(arena, "(%s − μ) / √σ²\u00a0+\u00a0ε", x), true, false);
    add(b, "· γ", true, false);
    if (op->in[4] != TENSOR_NONE) add(b, "+ β", true, false);
}

static void residual(Builder *b, const Op *op) {
    makes(b);
    add(b, name_of(b, op->in[0]), false, false);
    add(b, "+", true, false);
    add(b, name_of(b, op->in[1]), true, false);
}

/* "x W₁ + b₁" */
static const char *linear(const Builder *b, const char *x, const Op *op) {
    const char *w = name_of(b, op->in[1]);
    if (op->in[2] == TENSOR_NONE) return arena_printf(b->scene->arena, "%s %s", x, w);
    return arena_printf(b->scene->arena, "%s %s + %s", x, w, name_of(b, op->in[2]));
}

static void feed_forward(Builder *b) {
    const Op *act = find_op(b, OP_RELU, OP_TANH), *gate = find_op(b, OP_MULTIPLY, OP_MULTIPLY), *out = maker(b, b->stage->result);
    if (!act || !out || out->kind != OP_LINEAR) return;
    const Op *in = maker(b, act->in[0]), *up = gate ? maker(b, gate->in[1]) : NULL;
    const char *x = name_of(b, in->in[0]);
    makes(b);
    bool all = b->running == TENSOR_NONE || b->running == b->stage->result;
    if (gate) add(b, "(", false, false);
    add(b, arena_printf(b->scene->arena, "%s(%s)", curve_name(act->kind), linear(b, x, in)), all || b->running == act->out || b->running == act->in[0],
        gate != NULL);
    if (up) add(b, "∘", all || b->running == gate->out, false);
    if (up) add(b, linear(b, x, up), all || b->running == up->out, false);
    if (gate) add(b, ")", false, true);
    add(b, linear(b, "", out) + 1, b->running == TENSOR_NONE || b->running == out->out, false);
}

static void pooler(Builder *b) {
    const Op *act = find_op(b, OP_RELU, OP_TANH), *in = act ? maker(b, act->in[0]) : NULL;
    if (in && in->kind == OP_LINEAR) add(b, arena_printf(b->scene->arena, "%s(%s)", curve_name(act->kind), linear(b, "x₁", in)), true, false);
}

/* Logits of the last row, or what a masked model makes of it first; then softmax. */
static void prediction(Builder *b) {
    const Op *act = find_op(b, OP_RELU, OP_TANH), *logits = NULL;
    for (int i = 0; i < b->stage->n_ops; i++) {
        const Op *op = trace_op(b->trace, b->stage->first_op + i);
        if (op->kind == OP_LINEAR) logits = op;
    }
    if (!logits) return;
    const char *x = "x";
    if (act) {
        x = arena_printf(b->scene->arena, "%s(%s)", curve_name(act->kind), linear(b, x, maker(b, act->in[0])));
        if (find_op(b, OP_LAYERNORM, OP_RMSNORM)) x = arena_printf(b->scene->arena, tr("norm(%s)"), x);
    }
    bool ends = find_op(b, OP_DIVIDE, OP_DIVIDE) != NULL;
    x = linear(b, x, logits);
    add(b, ends ? arena_printf(b->scene->arena, "softmax(%s)", x) : x, true, false);
}

int formula_block_parts(const Scene *scene, FormulaPart parts[FORMULA_PARTS_MAX]) {
    Builder b = {.scene = scene, .trace = scene->run->trace, .stage = scene_stage(scene), .parts = parts};
    Now now = scene_now(scene);
    b.running = now.work ? now.step.tensor : TENSOR_NONE;
    const Op *result = maker(&b, b.stage->result);
    if (!result && b.stage->kind == STAGE_PREDICT) add(&b, tr("softmax(x W_vocab)"), false, false);
    if (!result) return b.n;
    if (result->kind == OP_LAYERNORM || result->kind == OP_RMSNORM)
        norm(&b, result);
    else if (b.stage->kind == STAGE_FFN)
        feed_forward(&b);
    else if (b.stage->kind == STAGE_POOL)
        pooler(&b);
    else if (b.stage->kind == STAGE_PREDICT)
        prediction(&b);
    else if (result->kind == OP_ADD)
        residual(&b, result);
    return b.n;
}
