/* Sliders, buttons and everything else that runs an action when it is clicked. */
#include <stdio.h>
#include <string.h>

#include "app/press.h"
#include "app/session_do.h"
#include "app/session_input.h"
#include "scene/layout.h"
#include "ui/kit.h"

static bool has_action(const DlHit *hit) {
    return hit && hit->group && hit->group->action && hit->group->role != ROLE_TENSOR;
}

/* ---- sliders follow the pointer at once ---- */

static void slide(Session *s, float x) {
    char line[256], number[NUM_MAX];
    const char *action = arena_strdup(&s->scratch, s->pressed);
    double fraction = kit_slider_fraction(layout_make(s->width, s->height, &s->view).pad, s->pressed_box, x);
    snprintf(line, sizeof line, "%s %s", action, num_fixed(number, fraction, 4, NUM_FILE));
    session_try_merged(s, line, "drag"); /* a drag is one step */
}

bool press_slider_down(Session *s, const PressAt *at) {
    if (at->input->button != 1 || !has_action(at->hit) || at->hit->group->role != ROLE_SLIDER) return false;
    history_part(s->history);
    s->slid_from = s->doc.temperature;
    s->pressed_box = at->hit->box;
    snprintf(s->pressed, sizeof s->pressed, "%s", dl_text_at(&s->list, at->hit->group->action));
    slide(s, at->input->x);
    return true;
}

void press_slider_move(Session *s, const Input *input) {
    slide(s, input->x);
}

bool press_slider_key(Session *s, const Input *input) {
    if (s->press != PRESS_SLIDER || !str_eq(input->key, "Esc")) return false;
    bool moved = memcmp(&s->slid_from, &s->doc.temperature, sizeof s->slid_from) != 0;
    s->press = PRESS_NONE;
    if (moved) session_try(s, "undo"); /* the whole drag is one step */
    return moved;
}

/* ---- everything else waits for the release ---- */

bool press_control_down(Session *s, const PressAt *at) {
    if (at->input->button != 1 || !has_action(at->hit)) return false;
    s->pressed_box = at->hit->box;
    snprintf(s->pressed, sizeof s->pressed, "%s", at->name);
    return true;
}

/* Is this the control that the button went down on? Those without a name are known by their place. */
static bool is_pressed(const Session *s, const DlHit *hit) {
    char name[sizeof s->pressed];
    snprintf(name, sizeof name, "%s", dl_text_at(&s->list, hit->group->name));
    return str_eq(name, s->pressed) && (name[0] || memcmp(&hit->box, &s->pressed_box, sizeof hit->box) == 0);
}

/* Acts when the button comes up inside the control; one that was left meanwhile does nothing. */
void press_control_up(Session *s, const Input *input) {
    DlHit hit;
    if (!dl_hit(session_list(s), input->x, input->y, &hit) || !has_action(&hit) || !is_pressed(s, &hit)) return;
    const DlGroup *group = hit.group;
    const char *action = dl_text_at(&s->list, input->clicks == 2 && group->double_action ? group->double_action : group->action);
    if (group->role == ROLE_ITEM || group->role == ROLE_PANEL) session_item(s, action);
    else session_try(s, arena_strdup(&s->scratch, action));
}

