/* Carets and selections in text fields. */
#include <stdio.h>
#include <string.h>

#include "app/press.h"
#include "app/session_edit.h"

bool press_field_down(Session *s, const PressAt *at) {
    FieldId id = at->hit && at->hit->group && at->hit->group->role == ROLE_FIELD ? field_find(at->name) : FIELD_NONE;
    if (at->input->button != 1 || id == FIELD_NONE) return false;
    snprintf(s->pressed, sizeof s->pressed, "%s", at->name);
    s->pressed_box = at->hit->box;
    if (id != FIELD_QUERY) snprintf(s->view.focus, sizeof s->view.focus, "%s", at->name);
    s->view.focus_visible = false;
    edit_point(s, id, at->hit->box, at->input->x, at->input->clicks, (at->input->mods & MOD_SHIFT) != 0);
    return true;
}

void press_field_move(Session *s, const Input *input) {
    edit_point(s, field_find(s->pressed), s->pressed_box, input->x, 1, true);
}
