/* Menus printed from the action table. */
#include <stdio.h>
#include <string.h>

#include "app/menu_rows.h"
#include "base/phrase.h"
#include "base/tr.h"
#include "base/utf8.h"

/* Would it do something just now? */
static bool can_run(const Session *s, int action) {
    const char *name = action_table[action].name;
    ActionContext cx = {.doc = (Doc *)(uintptr_t)&s->doc, .view = (View *)(uintptr_t)&s->view, .run = s->run}; /* only looked at */
    Arena arena = {0};
    bool can = action_enabled(&cx, action);
    if (str_eq(name, "undo")) can = history_can_undo(s->history);
    if (str_eq(name, "redo")) can = history_can_redo(s->history);
    if (str_eq(name, "reopen")) can = s->recovery && recovery_session(s->recovery, 0, &arena);
    if (str_eq(name, "compute")) can = s->stopped;
    arena_free(&arena);
    return can;
}

/* Is it the model that decides this itself? The sentence that says so, else NULL. */
static const char *refusal(const Rows *rows, int action) {
    const Session *s = rows->s;
    ActionContext cx = {.doc = (Doc *)(uintptr_t)&s->doc, .view = (View *)(uintptr_t)&s->view, .run = s->run}; /* only looked at */
    Err why = {0};
    if (action_refused(&cx, action, &why)) return arena_strdup(rows->arena, why.message);
    return NULL;
}

/* A row is greyed where its action would do nothing; what the model decides is said. */
static void settle_row(Rows *rows, KitItem *item, int action) {
    item->disabled = !can_run(rows->s, action);
    if (refusal(rows, action)) item->detail = tr("the model’s own");
}

static bool needs_argument(const Action *action) {
    return menu_args_needed(action) > 0;
}

/* The row of an action: one that wants an argument is put into the field, with a space for what follows. */
static const char *line_of(Rows *rows, const Action *action) {
    return needs_argument(action) ? rows_into_field(rows, "actions", arena_printf(rows->arena, "%s ", action->name)) : action->name;
}

/* Length of the first part of a menu path. */
static size_t path_head(const char *path) {
    const char *slash = strchr(path, '/');
    return slash ? (size_t)(slash - path) : 0;
}

/* The heading over an action's section, from the translation of its path. */
static void section_heading(Rows *rows, const Action *action) {
    const char *path = tr(action->menu);
    rows_heading(rows, arena_strndup(rows->arena, path, path_head(path)));
}

/* Sections as people expect them; others follow in the order of the table. */
static const char *const section_order[] = {"File", "Edit", "View", "Play", "Help"};
enum { SECTIONS_KNOWN = sizeof section_order / sizeof section_order[0] };

static bool in_section(const Action *action, const char *section, size_t length) {
    size_t head = path_head(action->menu);
    return action->menu[0] && head == length && strncmp(action->menu, section, length) == 0;
}

/* Calls `add` for each section of the menu paths. */
static void each_section(Rows *rows, void (*add)(Rows *rows, const char *section)) {
    for (int i = 0; i < SECTIONS_KNOWN; i++) add(rows, section_order[i]);
    for (int i = 0; i < action_count; i++) {
        size_t length = path_head(action_table[i].menu);
        char *section = arena_strndup(rows->arena, action_table[i].menu, length);
        bool seen = length == 0 || str_find(section_order, SECTIONS_KNOWN, section) >= 0;
        for (int j = 0; j < i && !seen; j++) seen = in_section(&action_table[j], section, length);
        if (!seen) add(rows, section);
    }
}

/* Is what it switches on? */
static bool is_on(const Session *s, const char *name) {
    const View *view = &s->view;
    const struct { const char *name; bool on; } switches[] = {
        {"motion", view->reduced_motion}, {"present", view->presenting}, {"blank", view->blank}, {"play", view->film.playing},
    };
    for (size_t i = 0; i < sizeof switches / sizeof switches[0]; i++)
        if (str_eq(switches[i].name, name)) return switches[i].on;
    return false;
}

static void section_of_menu(Rows *rows, const char *section) {
    bool any = false;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (!in_section(action, section, strlen(section))) continue;
        if (!any) section_heading(rows, action);
        any = true;
        settle_row(rows, rows_choice(rows, action_title(i), action_key(i), line_of(rows, action), is_on(rows->s, action->name)), i);
    }
}

void menu_main(Rows *rows) {
    each_section(rows, section_of_menu);
}

/* Does every word that was typed stand somewhere in what the action is called, in any case? "" fits all. */
static bool matches(int action, const char *query, Arena *arena) {
    const char *title = action_table[action].menu[0] ? action_title(action) : "";
    const char *said = utf8_lower(arena, arena_printf(arena, "%s\n%s\n%s", title, tr(action_table[action].help), action_table[action].name));
    char *rest = arena_strdup(arena, utf8_lower(arena, query));
    for (char *word; (word = strsep(&rest, " ")) != NULL;)
        if (!strstr(said, word)) return false;
    return true;
}

/* How many words follow the name. */
static int count_given(const char *query) {
    int n = 0;
    for (const char *c = query; *c; c++) n += *c == ' ' && c[1] != ' ' && c[1] != '\0';
    return n;
}

/* An action that is typed whole: what its argument may be, and the line as it stands. */
static void rows_of_action(Rows *rows, const Action *action, const char *query) {
    const char *why = refusal(rows, (int)(action - action_table));
    rows->note = why;
    if (why) return;
    menu_args(rows, action, query);
    bool listed = false;
    for (int i = 0; i < rows->n; i++) listed = listed || str_eq(rows->items[i].action, query);
    if (listed) return;
    KitItem *item = rows_choice(rows, tr(action->help), arena_printf(rows->arena, "%s %s", action->name, action->args), query, false);
    int needed = menu_args_needed(action), given = count_given(query);
    if (needed > 0 && given == 0 && !strchr(query, ' ')) item->action = line_of(rows, action);
    else item->disabled = given < needed;
}

void menu_actions(Rows *rows) {
    const char *query = rows->s->view.query;
    size_t word = strcspn(query, " ");
    int exact = action_find(arena_strndup(rows->arena, query, word));
    if (exact >= 0) rows_of_action(rows, &action_table[exact], query);
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (i == exact) continue;
        if (!matches(i, query, rows->arena)) continue;
        const char *key = action_key(i);
        const char *detail = key[0] ? arena_printf(rows->arena, "%s   %s", action->name, key) : action->name;
        settle_row(rows, rows_choice(rows, tr(action->help), detail, line_of(rows, action), is_on(rows->s, action->name)), i);
    }
    if (rows->n == 0 && !rows->note) rows_add(rows, ITEM_NOTE, tr("No action has these letters."));
}

static void section_of_keys(Rows *rows, const char *section) {
    bool any = false;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (action->keys[0] == '\0' || !in_section(action, section, strlen(section))) continue;
        if (!any) section_heading(rows, action);
        any = true;
        rows_choice(rows, action_title(i), action->keys, action->name, false);
    }
}

/* Keys of actions that no menu has: what they do up to the first stop. */
void menu_keys(Rows *rows) {
    each_section(rows, section_of_keys);
    rows_heading(rows, tr("More"));
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (action->keys[0] == '\0' || action->menu[0] != '\0') continue;
        const char *label = phrase_clause(rows->arena, tr(action->help));
        const char *keys = action->cell_keys ? arena_printf(rows->arena, "%s", action->cell_keys) : action->keys;
        rows_choice(rows, label, keys, action->args[0] ? "menu.close" : action->name, false);
    }
}
