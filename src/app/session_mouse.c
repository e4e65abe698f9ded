/* The pointer: what lies under it is looked up in the last list. */
#include <assert.h>

#include "app/hover.h"
#include "app/panels.h"
#include "app/press.h"
#include "app/press_step.h"
#include "app/session_do.h"
#include "app/session_input.h"
#include "app/session_present.h"

/* A number lies under buttons that stand on it: buttons are asked first. */
const Press press_table[] = {
    [PRESS_NONE] = {NULL, NULL, NULL},
    [PRESS_FIELD] = {press_field_down, press_field_move, NULL},
    [PRESS_SLIDER] = {press_slider_down, press_slider_move, NULL},
    [PRESS_TOKEN] = {press_token_down, press_token_move, press_token_up},
    [PRESS_CONTROL] = {press_control_down, NULL, press_control_up},
    [PRESS_MASK] = {press_mask_down, press_mask_move, NULL},
    [PRESS_COLUMN] = {press_column_down, NULL, NULL},
    [PRESS_DRAG] = {press_drag_down, press_drag_move, press_drag_up},
    [PRESS_PAN] = {press_pan_down, press_pan_move, press_pan_up},
    [PRESS_NUMBER] = {press_number_down, NULL, NULL},
};
static_assert(sizeof press_table / sizeof press_table[0] == PRESS_KIND_COUNT, "one row a kind of press");

static void drop_field_focus(Session *s) {
    s->view.focus_visible = false;
    if (s->menu.name || field_find(s->view.focus) == FIELD_NONE) return;
    s->view.focus[0] = s->view.composition[0] = '\0';
    session_touch(s);
}

/* A press beside the field at a cell takes what is in it, and does what it does anywhere. false: the end of a triple click. */
static bool leave_cell_field(Session *s, const Input *input) {
    DlHit hit;
    if (!s->menu.name || s->menu.shape != SHAPE_CELL) return true;
    bool any = dl_hit(session_list(s), input->x, input->y, &hit) && hit.group;
    if (any && (hit.group->role == ROLE_DIALOG || field_find(dl_text_at(&s->list, hit.group->name)) == FIELD_QUERY)) return true;
    if (input->clicks > 2) return false;
    return session_try(s, "menu.close");
}

static void on_down(Session *s, const Input *input) {
    DlHit hit;
    ViewRef ref;
    if (s->press == PRESS_DRAG) press_drag_up(s, input); /* by another button */
    if (s->press == PRESS_TOKEN) s->view.token_from = s->view.token_to = 0;
    s->press = PRESS_NONE;
    if (!leave_cell_field(s, input)) return;
    bool any = dl_hit(session_list(s), input->x, input->y, &hit);
    PressAt at = {.input = input, .hit = any ? &hit : NULL, .name = any && hit.group ? arena_strdup(&s->scratch, dl_text_at(&s->list, hit.group->name)) : ""};
    if (any && hover_ref(s, &hit, &ref)) at.number = &ref;
    for (int kind = PRESS_NONE + 1; kind < PRESS_KIND_COUNT; kind++) {
        if (kind == PRESS_FIELD + 1 && input->button == 1) drop_field_focus(s); /* it was not a field */
        if (!press_table[kind].down(s, &at)) continue;
        s->press = (PressKind)kind;
        s->press_button = input->button;
        return;
    }
}

static void on_up(Session *s, const Input *input) {
    PressKind press = s->press;
    if (press == PRESS_NONE || input->button != s->press_button) return;
    s->press = PRESS_NONE;
    if (press_table[press].up) press_table[press].up(s, input);
}

static void on_move(Session *s, const Input *input) {
    DlHit hit;
    if (s->press != PRESS_NONE && press_table[s->press].move) press_table[s->press].move(s, input);
    else if (hover_set(s, dl_hit(session_list(s), input->x, input->y, &hit) ? &hit : NULL)) session_touch(s);
}

static void on_wheel(Session *s, const Input *input) {
    if (input->mods & MOD_CTRL) {
        session_try(s, input->y > 0 ? "text.larger" : "text.smaller");
        return;
    }
    if (step_wheel(s, input) || press_wheel(s, input) || !s->menu.name) return;
    double most = (double)(s->menu.n - panels_menu_rows(s, &s->scratch)), at = s->view.menu_scroll - 3 * (double)input->y;
    if (at > most) at = most;
    s->view.menu_scroll = at > 0 ? (double)(int)at : 0;
    session_touch(s);
}

void session_on_mouse(Session *s, const Input *input) {
    bool moved = false;
    if (input->kind != INPUT_WHEEL) {
        moved = s->pointer_x != input->x || s->pointer_y != input->y;
        s->pointer_in = true;
        s->pointer_x = input->x;
        s->pointer_y = input->y;
    }
    if (input->kind == INPUT_MOUSE_DOWN) on_down(s, input);
    else if (input->kind == INPUT_MOUSE_MOVE) on_move(s, input);
    else if (input->kind == INPUT_WHEEL) on_wheel(s, input);
    else on_up(s, input);
    if (moved) present_pointed(s, input->x, input->y);
}
