/* Explanations that end the trail: given numbers and rules with their parameters. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"

/* printf with %s for numbers: a minus sign as it is printed, U+2212, and at most six digits. */
static const char *minus_text(char out[32], double value) {
    if (value < 0.0) snprintf(out, 32, "−%.6g", -value);
    else snprintf(out, 32, "%.6g", value + 0.0);
    return out;
}

static bool rule(Explaining *e, const char *name, double value, const char *text) {
    e->out->form = FORM_RULE;
    e->out->number = value;
    e->out->rule = name;
    e->out->rule_text = text;
    return true;
}

bool explain_input(Explaining *e) {
    e->out->form = FORM_INPUT;
    e->out->number = e->out->self.value;
    return true;
}

bool explain_sinusoid(Explaining *e) {
    int t = e->index[0], d = e->tensor->dim[1], i = position_sinusoid_column(e->op->position, e->index[1], d);
    const char *text = arena_printf(e->arena, "%s(%d / 10000^(%d/%d))", i % 2 ? "cos" : "sin", t, i - i % 2, d);
    return rule(e, "sinusoid", rule_sinusoid(e->op, e->tensor, e->index), text);
}

/* position · speed of the pair */
bool explain_rope_table(Explaining *e) {
    char place[32], speed[32];
    PositionSpec one_step = *e->op->position;
    one_step.rope_offset = 0;
    minus_text(place, (double)e->index[0] + e->op->position->rope_offset);
    minus_text(speed, position_rope_angle(&one_step, e->op->width, 1, e->index[1]));
    const char *text = arena_printf(e->arena, "%s(%s · %s)", e->op->kind == OP_ROPE_COS ? "cos" : "sin", place, speed);
    return rule(e, "rope", rule_rope(e->op, e->tensor, e->index), text);
}

bool explain_alibi_slopes(Explaining *e) {
    int h = e->index[0], H = e->tensor->dim[0], c = 1;
    double value = rule_alibi_slope(e->op, e->tensor, e->index);
    while (c * 2 <= H) c *= 2;
    const char *text = tr("given");
    if (!e->op->position->slopes) {
        int top = h < c ? h + 1 : 2 * (h - c) + 1, heads = h < c ? c : 2 * c;
        text = arena_printf(e->arena, "2^(−8 · %d/%d)", top, heads);
    }
    return rule(e, "alibi_slope", value, text);
}

bool explain_alibi_bias(Explaining *e) {
    char slope[32], place[32];
    double value = rule_alibi_bias(e->op, e->tensor, e->index);
    int of_head[TENSOR_RANK_MAX] = {e->index[0]};
    minus_text(slope, -rule_alibi_slope(e->op, e->tensor, of_head));
    minus_text(place, e->index[1] + e->op->number + 1.0);
    return rule(e, "alibi", value, arena_printf(e->arena, "%s · |%s − %d|", slope, place, e->index[2] + 1));
}

const char *mask_words(const Op *op, const int *index, const Tensor *mask, Arena *arena) {
    int h = mask->rank == 3 ? index[0] : 0, i = index[mask->rank - 2], j = index[mask->rank - 1];
    int L = mask->dim[mask->rank - 2], S = mask->dim[mask->rank - 1];
    char reason[160];
    for (int m = 0; m < op->n_masks; m++)
        if (!mask_keeps(&op->masks[m], h, i, j, L, S)) return arena_strdup(arena, mask_reason(reason, &op->masks[m], h, i, j, L, S));
    const char *text = NULL;
    for (int m = 0; m < op->n_masks; m++) {
        mask_reason(reason, &op->masks[m], h, i, j, L, S);
        text = text ? arena_printf(arena, "%s; %s", text, reason) : arena_strdup(arena, reason);
    }
    return text;
}

bool explain_mask_rule(Explaining *e) {
    return rule(e, "mask", rule_mask(e->op, e->tensor, e->index), mask_words(e->op, e->index, e->tensor, e->arena));
}
