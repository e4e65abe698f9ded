/* A drag up or down on a number of the document changes it, and the picture follows. The rule: a press on such a number belongs
 * to it; on a zoomed map, where a drag pans, only when the number is the selected one. A press that does not move is a click. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/number.h"
#include "app/press.h"
#include "app/session_do.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/matrix.h"

/* Logical units that a press may move and still be a click, and those that cross half of the map's scale. */
enum { SLACK = 4, SCALE_HIGH = 150 };

/* Smaller cells are not dragged by chance. */
static const float CELL_LEAST = 8;

/* Of a large map whose cells stand for several numbers none is meant, and of tiny cells only the one that was chosen. */
static bool one_number(const DlHit *hit, bool selected) {
    const DlGroup *group = hit->group;
    bool large = fminf(hit->box.w, hit->box.h) >= CELL_LEAST;
    return group && group->role == ROLE_TENSOR && group->at[1] <= 1 && group->at[2] <= 1 && (large || selected);
}

bool press_drags(const Session *s, const DlHit *hit, const ViewRef *number) {
    DocEdit place;
    bool selected = memcmp(&s->view.selection, number, sizeof *number) == 0, idle = !s->menu.name && !s->view.comparing && !s->muted;
    return hit && idle && (selected || s->view.zoom <= 1) && one_number(hit, selected) && number_editable(s, number, &place);
}

bool press_drag_down(Session *s, const PressAt *at) {
    if (at->input->button != 1 || at->input->clicks > 1 || !at->number || !press_drags(s, at->hit, at->number)) return false;
    const Tensor *t = trace_tensor(s->run->trace, trace_find(s->run->trace, at->number->tensor));
    s->drag.number = *at->number;
    s->drag.y = at->input->y;
    s->drag.moved = false;
    s->drag.value = tensor_at(t, at->number->index);
    s->drag.limit = matrix_limit(s->run, trace_find(s->run->trace, at->number->tensor));
    s->drag.step = number_step(s, at->number, 0.02);
    if (!isfinite(s->drag.value)) s->drag.value = 0;
    session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(at->number, ",", &s->scratch)));
    return true;
}

static void tell(Session *s, double value) {
    char number[NUM_MAX], name[160];
    TensorId id = trace_find(s->run->trace, s->drag.number.tensor);
    if (id == TENSOR_NONE) return;
    snprintf(s->status, sizeof s->status, tr("%s = %s; Shift is finer, Esc takes it back"), run_ref_text(name, s->run, id, s->drag.number.index),
             num_double(number, value, NUM_SCREEN));
    utf8_cut(s->status, sizeof s->status);
    session_touch(s);
}

void press_drag_move(Session *s, const Input *input) {
    bool fine = (input->mods & MOD_SHIFT) != 0;
    float up = s->drag.y - input->y;
    DocEdit place;
    if (!s->drag.moved && fabsf(up) <= SLACK) return;
    if (!number_editable(s, &s->drag.number, &place)) return;
    if (!s->drag.moved) number_begin(s);
    s->drag.moved = true;
    s->drag.y = input->y;
    s->drag.value += (double)up * s->drag.limit / SCALE_HIGH / (fine ? 10 : 1);
    double value = number_snap(s->drag.value, s->drag.step / (fine ? 10 : 1));
    number_try(s, &s->drag.number, value);
    tell(s, value);
}

void press_drag_up(Session *s, const Input *input) {
    (void)input;
    number_end(s);
    s->status[0] = '\0';
    session_touch(s);
}

bool press_drag_key(Session *s, const Input *input) {
    if (s->press != PRESS_DRAG || !s->drag.moved) return false;
    bool back = str_eq(input->key, "Esc");
    if (back) number_take_back(s);
    press_drag_up(s, input);
    s->press = PRESS_NONE;
    return back;
}
