/* The pointer: what lies under it is looked up in the last list. */
#include <stdio.h>
#include <string.h>

#include "app/panels.h"
#include "app/session_state.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "scene/matrix.h"

/* ---- numbers under the pointer ---- */

/* A hit on a map as one number of its tensor. */
static bool ref_of_hit(const Session *s, const DlHit *hit, ViewRef *out) {
    if (!s->run || hit->tensor < 0 || hit->row < 0 || hit->tensor >= trace_tensor_count(s->run->trace)) return false;
    const Tensor *tensor = trace_tensor(s->run->trace, hit->tensor);
    ViewRef ref = {.rank = tensor->rank};
    if ((size_t)snprintf(ref.tensor, sizeof ref.tensor, "%s", tensor->id) >= sizeof ref.tensor) return false;
    matrix_hit_index(tensor, hit->group, hit->head, hit->row, hit->col, ref.index);
    if (!tensor_has(tensor, ref.index)) return false;
    *out = ref;
    return true;
}

const char *session_ref(const ViewRef *ref, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    sb_printf(&sb, "%s[", ref->tensor);
    for (int i = 0; i < ref->rank; i++) sb_printf(&sb, "%s%d", i > 0 ? "," : "", ref->index[i] + 1);
    sb_add(&sb, "]");
    return sb.data;
}

/* Has the film shown this number yet? */
static bool is_shown(const Session *s, TensorId id, const ViewRef *ref) {
    int rank = trace_tensor(s->run->trace, id)->rank;
    int row = rank > 1 ? ref->index[rank - 2] : 0, col = ref->index[rank - 1];
    return !(film_progress(s->run->trace, &s->view.film, id, row, col) < 1);
}

/* One sentence about a number, for the status line. */
static void describe(Session *s, const ViewRef *ref) {
    const Run *run = s->run;
    TensorId id = trace_find(run->trace, ref->tensor);
    const Tensor *tensor = trace_tensor(run->trace, id);
    char number[NUM_MAX], a[32], b[32], name[160];
    double value = tensor_at(tensor, ref->index);
    bool weights = str_eq(tensor->name, "weights");
    num_fixed(number, value, weights ? 2 : 3, NUM_SCREEN);
    if (!is_shown(s, id, ref))
        snprintf(s->status, sizeof s->status, tr("%s is not computed yet"), run_ref_text(name, run, id, ref->index));
    else if (weights)
        snprintf(s->status, sizeof s->status, tr("query %s reads key %s: %s"), run_label(run, id, 1, ref->index[1], a),
                 run_label(run, id, 2, ref->index[2], b), number);
    else
        snprintf(s->status, sizeof s->status, "%s = %s", run_ref_text(name, run, id, ref->index), number);
    s->status[utf8_valid_until(s->status, strlen(s->status))] = '\0';
}

/* ---- hover ---- */

static bool set_hover(Session *s, const DlHit *hit) {
    View *view = &s->view;
    ViewRef ref = {0};
    bool number = hit && ref_of_hit(s, hit, &ref);
    const char *name = hit && hit->group ? dl_text_at(&s->list, hit->group->name) : "";
    bool says = hit && hit->group && !number && hit->group->action && hit->group->role != ROLE_FIELD;
    const char *label = says ? dl_text_at(&s->list, hit->group->label) : "";
    char before[sizeof s->status];
    memcpy(before, s->status, sizeof before);
    bool same = memcmp(&ref, &view->hover, sizeof ref) == 0 && str_eq(name, view->hot);
    view->hover = ref;
    snprintf(view->hot, sizeof view->hot, "%s", name);
    snprintf(s->status, sizeof s->status, "%s", label);
    s->status[utf8_valid_until(s->status, strlen(s->status))] = '\0';
    if (number) describe(s, &ref);
    return !same || !str_eq(before, s->status);
}

bool session_hover(Session *s) {
    DlHit hit;
    if (!s->pointer_in || s->press != PRESS_NONE) return false;
    return set_hover(s, dl_hit(&s->list, s->pointer_x, s->pointer_y, &hit) ? &hit : NULL);
}

/* ---- sliders, fields, dragging ---- */

static void slide(Session *s, float x) {
    char line[256], number[NUM_MAX];
    const char *action = arena_strdup(&s->scratch, s->pressed);
    double fraction = kit_slider_fraction(layout_make(s->width, s->height, &s->view).pad, s->pressed_box, x);
    snprintf(line, sizeof line, "%s %s", action, num_fixed(number, fraction, 4, NUM_FILE));
    session_try(s, line);
}

/* Painting a mask: every cell the pointer passes becomes what the first one became. */
static void paint(Session *s, const ViewRef *ref) {
    const Tensor *mask = trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor));
    if ((tensor_at(mask, ref->index) > 0.5) == (s->paint == 1)) return;
    int row = mask->rank - 2;
    session_try(s, arena_printf(&s->scratch, "mask.toggle %d %d %d", ref->index[row] + 1, ref->index[row + 1] + 1, s->paint));
}

static bool is_mask(const Session *s, const ViewRef *ref) {
    return str_eq(trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor))->name, "mask");
}

static void press_number(Session *s, const ViewRef *ref, int clicks) {
    const Tensor *tensor = trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor));
    if (is_mask(s, ref)) {
        s->press = PRESS_PAINT;
        s->paint = tensor_at(tensor, ref->index) > 0.5 ? 0 : 1;
        paint(s, ref);
    } else if (clicks == 2) {
        session_try(s, "edit");
    } else {
        session_try(s, arena_printf(&s->scratch, "select %s", session_ref(ref, &s->scratch)));
    }
}

static void drop_field_focus(Session *s) {
    if (s->menu.name || field_find(s->view.focus) == FIELD_NONE) return;
    s->view.focus[0] = s->view.composition[0] = '\0';
    session_touch(s);
}

static void press_field(Session *s, const Input *input, const DlHit *hit, const char *name) {
    FieldId id = field_find(name);
    s->press = PRESS_FIELD;
    snprintf(s->pressed, sizeof s->pressed, "%s", name);
    s->pressed_box = hit->box;
    if (id != FIELD_QUERY) snprintf(s->view.focus, sizeof s->view.focus, "%s", name);
    s->view.focus_visible = false;
    field_point(s, id, hit->box, input->x, input->clicks, (input->mods & MOD_SHIFT) != 0);
}

static void press_control(Session *s, const Input *input, const DlHit *hit) {
    const DlGroup *group = hit->group;
    const char *action = dl_text_at(&s->list, input->clicks == 2 && group->double_action ? group->double_action : group->action);
    s->press = group->role == ROLE_SLIDER ? PRESS_SLIDER : PRESS_CONTROL;
    s->pressed_box = hit->box;
    if (s->press == PRESS_SLIDER) {
        snprintf(s->pressed, sizeof s->pressed, "%s", action);
        slide(s, input->x);
    } else if (group->role == ROLE_ITEM || group->role == ROLE_PANEL) {
        session_item(s, action);
    } else {
        session_try(s, arena_strdup(&s->scratch, action));
    }
}

static void on_down(Session *s, const Input *input) {
    DlHit hit;
    s->press = PRESS_NONE;
    if (input->button != 1) return;
    bool any = dl_hit(session_list(s), input->x, input->y, &hit);
    const char *name = any && hit.group ? arena_strdup(&s->scratch, dl_text_at(&s->list, hit.group->name)) : "";
    ViewRef ref;
    if (any && hit.group && hit.group->role == ROLE_FIELD && field_find(name) != FIELD_NONE) {
        press_field(s, input, &hit, name);
        return;
    }
    drop_field_focus(s);
    s->view.focus_visible = false;
    bool number = any && ref_of_hit(s, &hit, &ref);
    bool own_action = any && hit.group && hit.group->action && hit.group->role != ROLE_TENSOR;
    if (own_action) press_control(s, input, &hit);
    else if (number) press_number(s, &ref, input->clicks);
}

static void on_move(Session *s, const Input *input) {
    if (s->press == PRESS_SLIDER) {
        slide(s, input->x);
    } else if (s->press == PRESS_FIELD) {
        field_point(s, field_find(s->pressed), s->pressed_box, input->x, 1, true);
    } else {
        DlHit hit;
        ViewRef ref;
        bool any = dl_hit(session_list(s), input->x, input->y, &hit);
        if (s->press == PRESS_PAINT && any && ref_of_hit(s, &hit, &ref) && is_mask(s, &ref)) paint(s, &ref);
        else if (set_hover(s, any ? &hit : NULL)) session_touch(s);
    }
}

static void on_wheel(Session *s, const Input *input) {
    if (input->mods & MOD_CTRL) {
        session_try(s, input->y > 0 ? "text.larger" : "text.smaller");
        return;
    }
    if (!s->menu.name) return;
    double most = (double)(s->menu.n - panels_menu_rows(s, s->width, s->height)), at = s->view.menu_scroll - 3 * (double)input->y;
    if (at > most) at = most;
    s->view.menu_scroll = at > 0 ? (double)(int)at : 0;
    session_touch(s);
}

void session_on_mouse(Session *s, const Input *input) {
    if (input->kind != INPUT_WHEEL) {
        s->pointer_in = true;
        s->pointer_x = input->x;
        s->pointer_y = input->y;
    }
    if (input->kind == INPUT_MOUSE_DOWN) on_down(s, input);
    else if (input->kind == INPUT_MOUSE_MOVE) on_move(s, input);
    else if (input->kind == INPUT_WHEEL) on_wheel(s, input);
    else s->press = PRESS_NONE;
}
