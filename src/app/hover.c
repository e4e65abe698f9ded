#include "app/hover.h"

#include <stdio.h>
#include <string.h>

#include "app/press.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/matrix.h"
#include "scene/words.h"

bool hover_ref(const Session *s, const DlHit *hit, ViewRef *out) {
    if (!session_pictured(s) || hit->tensor < 0 || hit->row < 0 || hit->tensor >= trace_tensor_count(s->run->trace)) return false;
    const Tensor *tensor = trace_tensor(s->run->trace, hit->tensor);
    ViewRef ref = {.rank = tensor->rank};
    if ((size_t)snprintf(ref.tensor, sizeof ref.tensor, "%s", tensor->id) >= sizeof ref.tensor) return false;
    matrix_hit_index(tensor, hit->group, hit->head, hit->row, hit->col, ref.index);
    if (!tensor_has(tensor, ref.index)) return false;
    *out = ref;
    return true;
}

/* The number that a part of the panel shows: what it does not say itself is said of it, and the maps frame it. */
static bool operand_ref(const Session *s, const DlGroup *group, ViewRef *out) {
    if (!session_pictured(s) || !group || group->role != ROLE_OPERAND || group->tensor < 0 || group->tensor >= trace_tensor_count(s->run->trace)) return false;
    const Tensor *tensor = trace_tensor(s->run->trace, group->tensor);
    ViewRef ref = {.rank = tensor->rank};
    if (!trace_resident(s->run->trace, group->tensor) || (size_t)snprintf(ref.tensor, sizeof ref.tensor, "%s", tensor->id) >= sizeof ref.tensor) return false;
    for (int i = 0; i < tensor->rank; i++) ref.index[i] = group->at[i];
    if (!tensor_has(tensor, ref.index)) return false;
    *out = ref;
    return true;
}

/* Has the film shown this number yet? */
static bool is_shown(const Session *s, TensorId id, const ViewRef *ref) {
    int rank = trace_tensor(s->run->trace, id)->rank;
    int row = rank > 1 ? ref->index[rank - 2] : 0, col = ref->index[rank - 1];
    return s->view.overview || (s->view.comparing && s->held_run) || !(film_progress(s->run->trace, &s->view.film, id, row, col) < 1);
}

/* One sentence about a number, for the status line. */
static void describe(Session *s, const ViewRef *ref) {
    const Run *run = s->run;
    TensorId id = trace_find(run->trace, ref->tensor);
    char name[160];
    if (is_shown(s, id, ref)) snprintf(s->status, sizeof s->status, "%s", words_hover(run, id, ref->index, &s->scratch));
    else snprintf(s->status, sizeof s->status, tr("%s is not computed yet"), run_ref_text(name, run, id, ref->index));
    utf8_cut(s->status, sizeof s->status);
}

/* The number can be dragged: said behind what it is. */
static void tell_drag(Session *s) {
    char is[sizeof s->status];
    memcpy(is, s->status, sizeof is);
    snprintf(s->status, sizeof s->status, tr("%s · drag or double click to change it"), is);
    utf8_cut(s->status, sizeof s->status);
}

bool hover_set(Session *s, const DlHit *hit) {
    View *view = &s->view;
    ViewRef ref = {0};
    bool number = hit && (hover_ref(s, hit, &ref) || operand_ref(s, hit->group, &ref));
    const char *name = hit && hit->group ? dl_text_at(&s->list, hit->group->name) : "";
    bool acts = hit && hit->group && (hit->group->action || str_starts(name, "mask.")); /* names of the mask take the right button */
    bool says = acts && !number && hit->group->role != ROLE_FIELD;
    const char *label = says ? dl_text_at(&s->list, hit->group->label) : "";
    char before[sizeof s->status];
    memcpy(before, s->status, sizeof before);
    bool same = memcmp(&ref, &view->hover, sizeof ref) == 0 && str_eq(name, view->hot);
    view->hover = ref;
    snprintf(view->hot, sizeof view->hot, "%s", name);
    snprintf(s->status, sizeof s->status, "%s", label);
    utf8_cut(s->status, sizeof s->status);
    if (number) describe(s, &ref);
    s->over_drag = number && press_drags(s, hit, &ref);
    if (s->over_drag) tell_drag(s);
    return !same || !str_eq(before, s->status);
}

void hover_spans(const Session *s, bool source, KitSpan span[2]) {
    const Run *run = s->run;
    const ViewRef *ref = &s->view.hover;
    TensorId id = run && ref->tensor[0] ? trace_find(run->trace, ref->tensor) : TENSOR_NONE;
    span[0] = span[1] = (KitSpan){0, 0, COLOR_NONE};
    for (int axis = 0; id != TENSOR_NONE && axis < ref->rank; axis++) {
        AxisKind kind = run_axis(run, id, axis);
        const TokenList *tokens = run_axis_tokens(run, id, kind);
        if (!tokens || (tokens == &run->keys && run->cross) != source || ref->index[axis] >= tokens->n) continue;
        const Token *token = &tokens->items[ref->index[axis]];
        KitSpan *to = &span[kind == AXIS_KEY];
        to->from = (size_t)token->start;
        to->to = (size_t)token->end;
    }
}

bool hover_rest(Session *s) {
    DlHit hit;
    if (!s->pointer_in || (s->press != PRESS_NONE && s->press != PRESS_MASK)) return false;
    return hover_set(s, dl_hit(&s->list, s->pointer_x, s->pointer_y, &hit) ? &hit : NULL);
}
