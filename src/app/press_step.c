#include "app/press_step.h"

#include <stdio.h>
#include <string.h>

#include "app/session_do.h"

/* The control of this name in the picture; NULL: there is none. */
static const DlGroup *find(const DisplayList *list, const char *name) {
    for (int i = 0; i < list->n_groups; i++)
        if (list->groups[i].name && str_eq(dl_text_at(list, list->groups[i].name), name)) return &list->groups[i];
    return NULL;
}

/* Runs the action of one end; at the end of its range there is none. false: it is no stepper. */
static bool step(Session *s, const char *name, bool more) {
    const DisplayList *list = session_list(s);
    const DlGroup *group = find(list, arena_printf(&s->scratch, "%s.%s", name, more ? "more" : "less"));
    if (!group) return false;
    const char *action = arena_strdup(&s->scratch, dl_text_at(list, group->action));
    if (action[0]) session_try_merged(s, action, name);
    return true;
}

bool step_key(Session *s, const Input *input) {
    bool more = str_eq(input->key, "Right") || str_eq(input->key, "Up"), less = str_eq(input->key, "Left") || str_eq(input->key, "Down");
    if (!s->view.focus[0] || input->mods || (!more && !less)) return false;
    return step(s, arena_strdup(&s->scratch, s->view.focus), more);
}

bool step_wheel(Session *s, const Input *input) {
    char name[sizeof s->view.hot];
    if (s->menu.name || !s->view.hot[0] || (input->y <= 0 && input->y >= 0)) return false;
    snprintf(name, sizeof name, "%s", s->view.hot);
    char *end = strrchr(name, '.');
    if (end && (str_eq(end, ".less") || str_eq(end, ".more"))) *end = '\0';
    return step(s, arena_strdup(&s->scratch, name), input->y > 0);
}
