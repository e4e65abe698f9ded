#include "app/session_settle.h"

#include <stdio.h>
#include <string.h>

#include "app/menus.h"
#include "base/tr.h"

void session_replace(Session *s, Doc *doc, const char *path, bool safe) {
    doc_copy(&s->doc, doc);
    doc_reset(doc);
    history_begin(s->history, &s->doc, path, safe, s->clock);
    session_doc_changed(s);
}

void session_take_run(Session *s, Run *run, bool another) {
    run_settle_view(run, another ? NULL : s->run, &s->view);
    run_close(s->run);
    s->run = run;
    s->tried = true;
    s->muted = false;
    s->error = (Err){0};
    session_touch(s);
}

static void settle_run(Session *s) {
    if (s->tried) return;
    s->tried = true;
    s->error = (Err){0};
    Run *run = NULL;
    RunContext context = session_context(s);
    s->muted = !run_build(&s->doc, &context, &run, &s->error);
    if (!s->muted) session_take_run(s, run, false);
    session_touch(s);
}

static void settle_menu(Session *s) {
    View *view = &s->view;
    bool other = strcmp(view->menu, s->menu_of) != 0;
    if (!other && !s->menu_stale && strcmp(view->query, s->menu_query) == 0) return;
    arena_reset(&s->menu_arena);
    if (view->menu[0] && !menu_build(s, view->menu, &s->menu_arena, &s->menu)) {
        session_notice(s, true, tr("There is no menu \"%s\""), view->menu);
        view->menu[0] = '\0';
    }
    if (!view->menu[0]) s->menu = (Menu){0};
    if (other || !menu_runs(&s->menu, view->menu_item)) view->menu_item = s->menu.shape == SHAPE_DIALOG ? menu_step(&s->menu, -1, 1) : -1;
    if (other || strcmp(view->query, s->menu_query) != 0) view->menu_scroll = 0;
    snprintf(s->menu_of, sizeof s->menu_of, "%s", view->menu);
    snprintf(s->menu_query, sizeof s->menu_query, "%s", view->query);
    s->menu_stale = false;
    session_touch(s);
}

/* The path of the document stands in the field when saving begins. */
static void settle_query(Session *s) {
    bool opened = strcmp(s->view.menu, s->menu_of) != 0;
    if (opened && strcmp(s->view.menu, "save") == 0 && s->view.query[0] == '\0' && str_ends(history_path(s->history), ".yaml"))
        session_set_query(s, history_path(s->history));
}

void session_settle(Session *s) {
    settle_run(s);
    if (s->run) run_settle_view(s->run, NULL, &s->view);
    settle_query(s);
    settle_menu(s);
}

bool session_need_run(Session *s, Err *err) {
    session_settle(s);
    if (!s->muted) return true;
    *err = s->error;
    return false;
}
