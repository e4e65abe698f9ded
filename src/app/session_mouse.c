/* The pointer: what lies under it is looked up in the last list. */
#include <stdio.h>
#include <string.h>

#include "app/hover.h"
#include "app/panels.h"
#include "app/session_do.h"
#include "app/session_edit.h"
#include "app/session_input.h"
#include "scene/layout.h"

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
    const char *line = arena_printf(&s->scratch, "mask.toggle %d %d %d", ref->index[row] + 1, ref->index[row + 1] + 1, s->paint);
    session_try_merged(s, line, "drag"); /* the stroke is one step */
}

static bool is_mask(const Session *s, const ViewRef *ref) {
    return str_eq(trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor))->name, "mask");
}

static void press_number(Session *s, const ViewRef *ref, int clicks) {
    const Tensor *tensor = trace_tensor(s->run->trace, trace_find(s->run->trace, ref->tensor));
    if (is_mask(s, ref)) {
        s->press = PRESS_PAINT;
        history_part(s->history);
        s->paint = tensor_at(tensor, ref->index) > 0.5 ? 0 : 1;
        paint(s, ref);
    } else if (clicks == 2) {
        session_try(s, "edit");
    } else {
        session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(ref, ",", &s->scratch)));
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
    edit_point(s, id, hit->box, input->x, input->clicks, (input->mods & MOD_SHIFT) != 0);
}

static bool has_action(const DlHit *hit) {
    return hit->group && hit->group->action && hit->group->role != ROLE_TENSOR;
}

/* A slider follows the pointer at once; everything else waits for the release. */
static void press_control(Session *s, const Input *input, const DlHit *hit) {
    const DlGroup *group = hit->group;
    bool slider = group->role == ROLE_SLIDER;
    s->press = slider ? PRESS_SLIDER : PRESS_CONTROL;
    s->pressed_box = hit->box;
    snprintf(s->pressed, sizeof s->pressed, "%s", dl_text_at(&s->list, slider ? group->action : group->name));
    if (slider) slide(s, input->x);
}

/* Is this the control that the button went down on? Those without a name are known by their place. */
static bool is_pressed(const Session *s, const DlHit *hit) {
    char name[sizeof s->pressed];
    snprintf(name, sizeof name, "%s", dl_text_at(&s->list, hit->group->name));
    return str_eq(name, s->pressed) && (name[0] || memcmp(&hit->box, &s->pressed_box, sizeof hit->box) == 0);
}

/* Acts when the button comes up inside the control; one that was left meanwhile does nothing. */
static void release_control(Session *s, const Input *input) {
    DlHit hit;
    if (!dl_hit(session_list(s), input->x, input->y, &hit) || !has_action(&hit) || !is_pressed(s, &hit)) return;
    const DlGroup *group = hit.group;
    const char *action = dl_text_at(&s->list, input->clicks == 2 && group->double_action ? group->double_action : group->action);
    if (group->role == ROLE_ITEM || group->role == ROLE_PANEL) session_item(s, action);
    else session_try(s, arena_strdup(&s->scratch, action));
}

static void on_up(Session *s, const Input *input) {
    PressKind press = s->press;
    if (input->button != 1) return;
    s->press = PRESS_NONE;
    if (press == PRESS_CONTROL) release_control(s, input);
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
    bool number = any && hover_ref(s, &hit, &ref);
    if (any && has_action(&hit)) press_control(s, input, &hit);
    else if (number) press_number(s, &ref, input->clicks);
}

static void on_move(Session *s, const Input *input) {
    if (s->press == PRESS_SLIDER) {
        slide(s, input->x);
    } else if (s->press == PRESS_FIELD) {
        edit_point(s, field_find(s->pressed), s->pressed_box, input->x, 1, true);
    } else {
        DlHit hit;
        ViewRef ref;
        bool any = dl_hit(session_list(s), input->x, input->y, &hit);
        if (s->press == PRESS_PAINT && any && hover_ref(s, &hit, &ref) && is_mask(s, &ref)) {
            paint(s, &ref);
            any = dl_hit(session_list(s), input->x, input->y, &hit); /* as it is painted now */
        }
        if (hover_set(s, any ? &hit : NULL)) session_touch(s);
    }
}

static void on_wheel(Session *s, const Input *input) {
    if (input->mods & MOD_CTRL) {
        session_try(s, input->y > 0 ? "text.larger" : "text.smaller");
        return;
    }
    if (!s->menu.name) return;
    double most = (double)(s->menu.n - panels_menu_rows(s, &s->scratch)), at = s->view.menu_scroll - 3 * (double)input->y;
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
    else on_up(s, input);
}
