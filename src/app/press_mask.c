/* Painting the mask: every cell the pointer passes becomes what the first one became. */
#include "app/hover.h"
#include "app/press.h"
#include "app/session_do.h"

static const Tensor *tensor_of(const Session *s, const ViewRef *ref) {
    return trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor));
}

static bool is_mask(const Session *s, const ViewRef *ref) {
    return str_eq(tensor_of(s, ref)->name, "mask");
}

static void paint(Session *s, const ViewRef *ref) {
    const Tensor *mask = tensor_of(s, ref);
    if ((tensor_at(mask, ref->index) > 0.5) == (s->paint == 1)) return;
    int row = mask->rank - 2;
    const char *line = arena_printf(&s->scratch, "mask.toggle %d %d %d", ref->index[row] + 1, ref->index[row + 1] + 1, s->paint);
    session_try_merged(s, line, "drag"); /* the stroke is one step */
}

bool press_mask_down(Session *s, const PressAt *at) {
    if (at->input->button != 1 || !at->number || !is_mask(s, at->number)) return false;
    history_part(s->history);
    s->paint = tensor_at(tensor_of(s, at->number), at->number->index) > 0.5 ? 0 : 1;
    paint(s, at->number);
    return true;
}

void press_mask_move(Session *s, const Input *input) {
    DlHit hit;
    ViewRef ref;
    if (!dl_hit(session_list(s), input->x, input->y, &hit)) return;
    if (hover_ref(s, &hit, &ref) && is_mask(s, &ref)) paint(s, &ref);
    /* as it is painted now */
    if (hover_set(s, dl_hit(session_list(s), input->x, input->y, &hit) ? &hit : NULL)) session_touch(s);
}
