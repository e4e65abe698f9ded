/* Sentences for the stations around attention, and for the rows that go into a layer of a network. */
#include <math.h>

#include "base/tr.h"
#include "scene/captions_part.h"
#include "scene/curve.h"
#include "scene/paint.h"
#include "scene/words.h"

static const Op *result_op(const Caption *c) {
    return c->stage->result == TENSOR_NONE ? NULL : trace_op(c->trace, trace_tensor(c->trace, c->stage->result)->op);
}

static bool makes(const Caption *c, OpKind kind) {
    for (int i = 0; i < c->stage->n_ops; i++)
        if (trace_op(c->trace, c->stage->first_op + i)->kind == kind) return true;
    return false;
}

/* The op that makes what is in work. */
static const Op *running_op(const Caption *c) {
    return c->now.work && !c->whole ? trace_op(c->trace, trace_tensor(c->trace, c->now.step.tensor)->op) : NULL;
}

static int width_of(const Caption *c) {
    const Tensor *t = c->stage->result == TENSOR_NONE ? NULL : trace_tensor(c->trace, c->stage->result);
    return t ? t->dim[t->rank - 1] : 0;
}

/* ---- where the rows come from ---- */

static const char *embed_sentence(const Caption *c) {
    bool positions = makes(c, OP_ROWS) || makes(c, OP_SINUSOID);
    if (positions) return tr("The token’s row of a table says what it is, a row for its position says where it stands. They are added.");
    switch (c->spec->position.kind) {
    case POSITION_ROPE_HALF:
    case POSITION_ROPE_INTERLEAVED:
        return tr("The token’s row of a table says what it is. Where it stands will turn q and k in the next stage.");
    case POSITION_ALIBI:
    case POSITION_RELATIVE:
        return tr("The token’s row of a table says what it is. Where it stands comes in at the mask, as a number for each distance.");
    default:
        return tr("The token’s row of a table says what it is.");
    }
}

void caption_embed_network(Caption *c) {
    if (c->stage->n_ops > 0) {
        c->first = tr("Each token becomes a row of numbers.");
        c->second = embed_sentence(c);
        return;
    }
    c->first = c->site->cross ? tr("Now look at the other text.") : tr("The rows go on into the next layer.");
    c->second = c->site->cross ? tr("Queries come from the text written so far, keys and values from the text that is read.")
                               : tr("They carry what all layers so far have made of them.");
}

/* ---- norm ---- */

void caption_norm(Caption *c) {
    const Op *op = result_op(c), *running = running_op(c);
    bool root = op && op->kind == OP_RMSNORM;
    bool again = c->stage->kind == STAGE_FFN_NORM || c->stage->kind == STAGE_FFN_ADD_NORM;
    c->first = c->stage->kind == STAGE_FINAL_NORM ? tr("A last time, all rows to one size.")
               : again                            ? tr("Again, bring every row to one size.")
                                                  : tr("Bring every row to one size.");
    c->second = root ? tr("Each row is divided by its root mean square, then each column is multiplied by its gain γ.")
                     : tr("Each row is moved to mean 0 and scaled to variance 1, then each column gets its gain γ and shift β.");
    if (!running) return;
    if (running->kind == OP_MEAN)
        c->second = arena_printf(c->arena, tr("Row “%s”: the mean of its %d numbers."), c->query, width_of(c));
    else if (running->kind == OP_VARIANCE)
        c->second = arena_printf(c->arena, tr("Row “%s”: the variance, the mean of the squared distances from the mean."), c->query);
    else if (running->kind == OP_RMS)
        c->second = arena_printf(c->arena, tr("Row “%s”: the root of the mean of its %d squares."), c->query, width_of(c));
    else if (root)
        c->second = arena_printf(c->arena, tr("Row “%s”: divided by its root mean square, times the gain of each column."), c->query);
    else
        c->second = arena_printf(c->arena, tr("Row “%s”: minus its mean, divided by its σ, times gain, plus shift."), c->query);
}

/* ---- residual ---- */

void caption_add(Caption *c) {
    bool attention = c->stage->kind == STAGE_ADD;
    c->first = attention ? tr("Keep what was there, add what attention found.") : tr("Keep what was there, add what the units found.");
    c->second = attention ? tr("Attention does not replace a row: its output is added to the row that went in.")
                          : tr("The feed-forward layer does not replace a row: its output is added to it.");
    if (!running_op(c)) return;
    c->second = arena_printf(c->arena,
                             attention ? tr("Row “%s” plus what its heads brought home.") : tr("Row “%s” plus what its feed-forward units add."),
                             c->query);
}

/* ---- feed-forward, pooler ---- */

static const Op *activation_of(const Caption *c) {
    for (int i = 0; i < c->stage->n_ops; i++) {
        const Op *op = trace_op(c->trace, c->stage->first_op + i);
        if (op->kind >= OP_RELU && op->kind <= OP_TANH) return op;
    }
    return NULL;
}

void caption_ffn(Caption *c) {
    const Op *act = activation_of(c), *running = running_op(c);
    c->first = tr("Every token works on its own.");
    c->second = tr("The feed-forward layer works on each row alone.");
    if (!act) return;
    const Tensor *hidden = trace_tensor(c->trace, act->out);
    int units = hidden->dim[1], columns = width_of(c);
    const char *bend = curve_name(act->kind);
    bool gated = makes(c, OP_MULTIPLY);
    if (!running)
        c->second = arena_printf(c->arena,
                                 gated ? tr("Each row is widened to %d units, a gate bent by %s decides how much of each passes, and W_down brings it back to %d columns.")
                                       : tr("Each row is widened to %d units, bent by %s, and brought back to %d columns. No token looks at another."),
                                 units, bend, columns);
    else if (running->kind == OP_MULTIPLY)
        c->second = arena_printf(c->arena, tr("Row “%s”: the bent gate multiplies each of the %d units."), c->query, units);
    else if (running == act)
        c->second = arena_printf(c->arena, tr("Row “%s”: %s bends each of the %d numbers."), c->query, bend, units);
    else if (running->out == c->stage->result)
        c->second = arena_printf(c->arena, tr("Row “%s”: all %d units add their share to each of the %d columns."), c->query, units, columns);
    else
        c->second = arena_printf(c->arena, tr("Row “%s” meets the weights of each of the %d units."), c->query, units);
}

void caption_pool(Caption *c) {
    c->first = tr("One row for the whole text.");
    c->second = tr("The first token’s row is multiplied by a matrix and bent by tanh. Classifiers of texts read it.");
}

/* ---- prediction ---- */

static void say_best(Caption *c, bool masked) {
    const Network *net = c->run->network;
    const Prediction *best = &net->predictions[0];
    const char *share = words_percent(best->probability, c->arena), *label = rich_short(c->arena, best->label);
    c->second = masked ? arena_printf(c->arena, tr("“%s” fits best, with %s of all probability."), label, share)
                       : arena_printf(c->arena, tr("“%s” is the likeliest, with %s of all probability."), label, share);
}

void caption_predict(Caption *c) {
    const Network *net = c->run->network;
    bool masked = words_mask_sign(c->run) != NULL;
    c->first = masked ? tr("What stands in the gap?") : tr("What comes next?");
    c->second = tr("The last row is compared with a row for each token that the model knows; softmax makes probabilities of the scores.");
    if (!net || net->predict_row < 0) {
        c->second = masked ? tr("There is no gap in this text.") : tr("Nothing is predicted here.");
        return;
    }
    bool ends = c->now.started && c->whole;
    if (ends && net->n_predictions > 0) say_best(c, masked);
}
