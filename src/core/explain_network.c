/* Explanations of what stands around the blocks: rows of tables, relative positions, rollout. */
#include <stdlib.h>

#include "base/tr.h"
#include "core/internal.h"

bool explain_gather(Explaining *e) {
    return explain_copy_of(e, explain_ref(e, e->op->in[0], e->op->ids[e->index[0]], e->index[1], 0));
}

/* [1, d] or [1, 1, d] */
bool explain_pick(Explaining *e) {
    return explain_copy_of(e, explain_ref(e, e->op->in[0], e->op->row, e->index[e->tensor->rank - 1], 0));
}

bool explain_relative_bias(Explaining *e) {
    int buckets = trace_tensor(e->trace, e->op->in[0])->dim[0];
    int distance = e->index[2] - e->index[1] - (int)e->op->number, bucket = position_bucket(e->op->position, buckets, distance);
    const char *text = distance == 0  ? tr("the key is the query itself: bucket %d")
                       : distance < 0 ? tr("the key is %d before the query: bucket %d")
                                      : tr("the key is %d after the query: bucket %d");
    e->out->rule_text = distance ? arena_printf(e->arena, text, abs(distance), bucket + 1) : arena_printf(e->arena, text, bucket + 1);
    return explain_copy_of(e, explain_ref(e, e->op->in[0], bucket, e->index[0], 0));
}

/* The same place in every head. */
static bool of_heads(Explaining *e, ExplainForm form) {
    int H = trace_tensor(e->trace, e->op->in[0])->dim[0];
    if (!explain_begin(e, form, H)) return false;
    for (int h = 0; h < H; h++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], h, e->index[0], e->index[1]), ref_none);
    return true;
}

bool explain_head_average(Explaining *e) { return of_heads(e, FORM_MEAN); }
bool explain_head_maximum(Explaining *e) { return of_heads(e, FORM_MAX); }

/* The cell first, then its whole row. */
bool explain_mix_identity(Explaining *e) {
    int S = trace_tensor(e->trace, e->op->in[0])->dim[1];
    if (!explain_begin(e, FORM_MIX, S + 1)) return false;
    e->out->number = e->index[0] == e->index[1] ? 1.0 : 0.0;
    explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], e->index[1], 0), ref_none);
    for (int j = 0; j < S; j++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], j, 0), ref_none);
    return true;
}

bool explain_matmul(Explaining *e) {
    int n = trace_tensor(e->trace, e->op->in[0])->dim[1];
    if (!explain_begin(e, FORM_DOT, n)) return false;
    for (int k = 0; k < n; k++)
        explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], k, 0), explain_ref(e, e->op->in[1], k, e->index[1], 0));
    return true;
}

bool explain_length(Explaining *e) {
    int d = trace_tensor(e->trace, e->op->in[0])->dim[2];
    if (!explain_begin(e, FORM_LENGTH, d)) return false;
    for (int k = 0; k < d; k++) explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], e->index[1], k), ref_none);
    return true;
}

bool explain_times_length(Explaining *e) {
    int shared = trace_tensor(e->trace, e->op->in[0])->dim[0] / trace_tensor(e->trace, e->op->in[1])->dim[0];
    if (!explain_begin(e, FORM_DOT, 1)) return false;
    explain_term(e, 1.0, explain_ref(e, e->op->in[0], e->index[0], e->index[1], e->index[2]),
                 explain_ref(e, e->op->in[1], e->index[0] / shared, e->index[2], 0));
    return true;
}
