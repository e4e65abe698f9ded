/* Keys go to the first that wants them: open menu or dialog, field, focused button, stage. */
#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/number.h"
#include "app/panels.h"
#include "app/press_step.h"
#include "app/press.h"
#include "app/session_do.h"
#include "app/session_edit.h"
#include "app/session_input.h"
#include "doc/setting.h"

static bool is_key(const Input *input, const char *name) {
    return str_eq(input->key, name);
}

/* ---- menus ---- */

static void show_item(Session *s, int item) {
    if (item < 0) return;
    s->view.menu_item = item;
    int rows = panels_menu_rows(s, &s->scratch), first = (int)s->view.menu_scroll;
    if (item < first) first = item == 1 ? 0 : item; /* with the heading over it */
    if (item >= first + rows) first = item - rows + 1;
    s->view.menu_scroll = first;
    session_touch(s);
}

static Rect item_box(Session *s, int item) {
    char name[64];
    snprintf(name, sizeof name, "menu.%d", item + 1);
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_GROUP && str_eq(dl_text_at(list, list->groups[list->commands[i].group.group].name), name))
            return list->commands[i].box;
    return (Rect){0, 0, 0, 0};
}

/* The row that can be chosen next to the current one in the column at its left or right. */
static int item_beside(Session *s, int by) {
    Rect from = item_box(s, s->view.menu_item);
    int best = -1;
    float best_far = 1e9f;
    if (from.w <= 0) return menu_step(&s->menu, -1, 1);
    for (int i = 0; i < s->menu.n; i++) {
        if (!menu_runs(&s->menu, i)) continue;
        Rect box = item_box(s, i);
        if (box.w <= 0 || (box.x - from.x) * (float)by < 1 || (box.x - from.x) * (float)by > 1.5f * from.w) continue;
        float far = box.y > from.y ? box.y - from.y : from.y - box.y;
        if (far < best_far) best = i, best_far = far;
    }
    return best;
}

/* Dialogs whose field takes a path that is there. */
static bool takes_path(const Session *s) {
    static const char *const names[] = {"open", "folder", "check"};
    return str_find(names, 3, s->menu.name) >= 0;
}

static void choose_item(Session *s) {
    int item = s->view.menu_item;
    if (menu_runs(&s->menu, item)) session_item(s, s->menu.items[item].action);
    else if (takes_path(s) && s->view.query[0]) session_item(s, arena_printf(&s->scratch, "%s %s", str_eq(s->menu.name, "check") ? "check" : "open", action_quote(s->view.query, &s->scratch)));
}

/* Tab in a path field completes what all matches share, then walks the list. */
static void complete(Session *s, int by) {
    if (takes_path(s)) {
        char **paths;
        int n;
        files_complete(s->view.query, &s->scratch, &paths, &n);
        char *common = files_common(&s->scratch, paths, n, s->view.query);
        if (strlen(common) > strlen(s->view.query)) {
            session_set_query(s, common);
            return;
        }
    }
    show_item(s, menu_step(&s->menu, s->view.menu_item, by));
}

static bool menu_key(Session *s, const Input *input) {
    if (s->menu.shape == SHAPE_CELL) return number_key(s, input);
    int rows = panels_menu_rows(s, &s->scratch), item = s->view.menu_item;
    bool columns = s->menu.shape == SHAPE_COLUMNS || s->menu.shape == SHAPE_TABLE;
    if (is_key(input, "Esc")) session_try(s, "escape");
    else if (is_key(input, "Enter")) choose_item(s);
    else if (is_key(input, "Down")) show_item(s, menu_step(&s->menu, item, 1));
    else if (is_key(input, "Up")) show_item(s, menu_step(&s->menu, item < 0 ? 0 : item, -1));
    else if (is_key(input, "Tab")) complete(s, input->mods & MOD_SHIFT ? -1 : 1);
    else if (is_key(input, "PageDown")) show_item(s, menu_step(&s->menu, item + rows - 1 < s->menu.n ? item + rows - 2 : s->menu.n - 2, 1));
    else if (is_key(input, "PageUp")) show_item(s, menu_step(&s->menu, item - rows > 0 ? item - rows + 1 : 1, item - rows > 0 ? -1 : 1));
    else if (!s->menu.hint && is_key(input, "Home")) show_item(s, menu_step(&s->menu, -1, 1));
    else if (!s->menu.hint && is_key(input, "End")) show_item(s, menu_step(&s->menu, 0, -1));
    else if (columns && is_key(input, "Left")) show_item(s, item_beside(s, -1));
    else if (columns && is_key(input, "Right")) show_item(s, item_beside(s, 1));
    else if (!edit_key(s, input)) return false;
    return true;
}

/* ---- focus ---- */

static void set_focus(Session *s, const char *name, bool visible) {
    snprintf(s->view.focus, sizeof s->view.focus, "%s", name);
    s->view.focus_visible = visible;
    s->view.composition[0] = '\0';
    if (field_find(name) != FIELD_NONE) { /* entered by Tab: everything is selected */
        s->view.anchor = 0;
        s->view.caret = (int)strlen(field_text(s, field_find(name), &s->scratch));
    }
    session_touch(s);
}

/* The stage itself is one stop of the round: after the last control and before the first. */
static void move_focus(Session *s, int by) {
    const DisplayList *list = session_list(s);
    int count = dl_focus_count(list), at = s->view.focus[0] ? dl_focus_find(list, s->view.focus) : -1;
    int next = at < 0 ? (by > 0 ? 0 : count - 1) : at + by;
    if (count == 0 || next < 0 || next >= count) {
        set_focus(s, "", true);
        return;
    }
    const DlGroup *group = dl_focus_at(list, next, NULL);
    set_focus(s, arena_strdup(&s->scratch, dl_text_at(list, group->name)), true);
}

static void nudge_slider(Session *s, const char *action, int by) {
    if (!s->run) return;
    char line[128], number[NUM_MAX];
    bool film = !str_eq(action, "temperature.at");
    double at = film ? film_fraction(&s->view, s->run->trace) + 0.01 * by : setting_temperature_fraction(s->doc.temperature) + 0.02 * by;
    snprintf(line, sizeof line, "%s %s", action, num_double(number, at < 0 ? 0 : at > 1 ? 1 : at, NUM_FILE));
    session_try(s, line);
}

/* Enter on a focused control; arrows on a focused slider. */
static bool control_key(Session *s, const Input *input) {
    if (s->view.focus[0] == '\0' || field_find(s->view.focus) != FIELD_NONE) return false;
    const DisplayList *list = session_list(s);
    int at = dl_focus_find(list, s->view.focus);
    if (at < 0) return false;
    const DlGroup *group = dl_focus_at(list, at, NULL);
    const char *action = arena_strdup(&s->scratch, dl_text_at(list, group->action));
    bool slider = group->role == ROLE_SLIDER;
    if (slider && (is_key(input, "Left") || is_key(input, "Right"))) nudge_slider(s, action, is_key(input, "Left") ? -1 : 1);
    else if (!slider && is_key(input, "Enter") && action[0] && group->role == ROLE_ITEM) session_item(s, action);
    else if (!slider && is_key(input, "Enter") && action[0]) session_try(s, action);
    else return false;
    return true;
}

/* ---- stage ---- */

static void stage_key(Session *s, const Input *input) {
    char line[ACTION_KEY_LINE_MAX];
    if (s->stopped && is_key(input, "Enter") && !input->mods) session_try(s, "compute");
    else if (action_key_line(line, input, &s->view)) session_try(s, line);
}

/* What is composed has every key: those that arrive all the same its input method has not taken, and they act on nothing else. */
static bool composing_key(Session *s, const Input *input) {
    if (!s->view.composition[0]) return false;
    if (is_key(input, "Esc")) s->view.composition[0] = '\0';
    session_touch(s);
    return true;
}

void session_on_key(Session *s, const Input *input) {
    if (composing_key(s, input) || press_drag_key(s, input) || press_token_key(s, input) || press_slider_key(s, input)) return;
    if (s->menu.name) {
        if (menu_key(s, input)) return;
        bool chord = (input->mods & (MOD_CTRL | MOD_ALT)) || (input->key[0] == 'F' && input->key[1]);
        if (chord) stage_key(s, input);
        return;
    }
    FieldId field = field_active(s);
    if (field != FIELD_NONE && edit_key(s, input)) return;
    if (field != FIELD_NONE && (is_key(input, "Enter") || is_key(input, "Esc"))) set_focus(s, "", false);
    else if (is_key(input, "Tab") && !(input->mods & (MOD_CTRL | MOD_ALT))) move_focus(s, input->mods & MOD_SHIFT ? -1 : 1);
    else if (!step_key(s, input) && !control_key(s, input)) stage_key(s, input);
}
