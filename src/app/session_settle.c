#include "app/session_settle.h"

#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/menus.h"
#include "app/number.h"
#include "app/session_check.h"
#include "app/session_hold.h"
#include "app/session_job.h"
#include "base/lang.h"
#include "base/tr.h"

void session_replace(Session *s, Doc *doc, const char *path, bool safe) {
    s->number.tried = false; /* of another document */
    view_leave_document(&s->view);
    if (s->checking) { /* their numbers belong to their document */
        hold_close(s);
        s->view.comparing = false;
    }
    doc_copy(&s->doc, doc);
    doc_reset(doc);
    history_begin(s->history, &s->doc, path, safe, s->clock);
    session_doc_changed(s);
}

/* Undo and redo between two models: each is looked at where it was left. */
static void swap_place(Session *s, const Run *run) {
    View here = s->view;
    bool swaps = s->left.back && !doc_same_model(&s->run->doc, &run->doc);
    s->left.back = false;
    if (!swaps) return;
    if (s->left.known && doc_same_model(&s->left.doc, &run->doc)) {
        const View *then = &s->left.view;
        memcpy(s->view.layer, then->layer, sizeof s->view.layer);
        s->view.film = then->film;
        s->view.film.stage = then->stage_kind;
        s->view.head = then->head;
        s->view.overview = then->overview;
        s->view.block_open = then->block_open;
        s->view.place_waits = true;
    }
    s->left.known = true;
    s->left.view = here;
    doc_copy(&s->left.doc, &s->run->doc);
}

void session_tell_waiting(Session *s, const Run *run, int before) {
    int n = run ? run->n_edits_inactive : 0;
    if (n <= before) return;
    session_notice(s, false, tr_count("%d changed number waits: it has no place now. ☰ → Changed numbers says why.",
                                      "%d changed numbers wait: they have no place now. ☰ → Changed numbers says why.", n), n);
}

void session_take_run(Session *s, Run *run, bool another) {
    if (s->run && !another) session_tell_waiting(s, run, s->run->n_edits_inactive);
    if (s->run && !another) swap_place(s, run);
    run_settle_view(run, another || s->view.place_waits ? NULL : s->run, &s->view);
    job_drop_run(s, s->run);
    s->run = run;
    s->runs++;
    s->need_failed = NEED_FINE;
    s->tried = true;
    s->muted = s->stopped = false;
    s->error = (Err){0};
    session_touch(s);
}

/* A document that waits to be opened comes before a change of the one that is open. */
static void settle_opening(Session *s) {
    if (!s->opening.waits || s->job.opens) return;
    if (s->job.kind != JOB_NONE) job_cancel(s);
    else job_run(s, &s->opening.doc, true);
    session_touch(s);
}

static void settle_run(Session *s) {
    if (s->tried) return;
    if (s->job.kind == JOB_RUN && !s->job.opens) job_cancel(s);
    if (job_serves(s, &s->doc)) {
        if (s->job.kind == JOB_NEED) job_cancel(s);
        if (!job_run(s, &s->doc, false)) return; /* once that one has ended */
        s->tried = true;
        s->error = (Err){0};
        session_touch(s);
        return;
    }
    s->tried = true;
    s->error = (Err){0};
    Run *run = NULL;
    RunContext context = session_context(s);
    job_take_back(s);
    s->muted = !run_build(&s->doc, &context, &run, &s->error);
    if (!s->muted) session_take_run(s, run, false);
    session_touch(s);
}

static bool in_overview(const Session *s) {
    return s->view.overview && s->run->n_sites > 1;
}

/* Whose numbers are looked at. Of the overview these are the enlarged map's alone: small maps are always there. */
static int stage_in_view(const Session *s) {
    if (!in_overview(s)) return s->view.film.stage;
    return s->view.aggregate == AGGREGATE_ROLLOUT ? -1 : run_site(s->run, s->view.film.stage)->first_stage;
}

static bool overview_pictured(const Session *s) {
    TensorId map = run_site(s->run, s->view.film.stage)->weights;
    if (s->view.aggregate == AGGREGATE_ROLLOUT) return run_ready(s->run, -1);
    return map == TENSOR_NONE || trace_resident(s->run->trace, map);
}

bool session_pictured(const Session *s) {
    if (!s->run || job_lent(s)) return false;
    if (!s->run->network) return true;
    return in_overview(s) ? overview_pictured(s) : run_ready(s->run, s->view.film.stage);
}

/* Other views of a hand-made model's maps, which are made when they are looked at. */
static bool need_views(const Session *s, Err *err) {
    bool looked_at = s->run && !s->run->network && s->view.aggregate != AGGREGATE_HEAD;
    return !looked_at || run_need_views(s->run, &s->core, err);
}

/* What the picture reads is in memory, or on its way there. */
static void settle_need(Session *s) {
    if (!need_views(s, NULL)) s->view.aggregate = AGGREGATE_HEAD;
    if (!s->run || !s->run->network || s->job.kind != JOB_NONE || session_pictured(s)) return;
    int stage = stage_in_view(s);
    if (s->need_failed == stage) return;
    session_touch(s);
    if (job_serves(s, &s->run->doc)) {
        job_need(s, stage);
        return;
    }
    Err err = {0};
    if (run_need(s->run, stage, &s->core, &err)) return;
    s->need_failed = stage;
    session_notice(s, true, "%s", err.message);
}

bool session_have_picture(Session *s, Err *err) {
    if (!need_views(s, err)) return false;
    if (!s->run || session_pictured(s)) return true;
    while (s->job.kind != JOB_NONE) job_wait(s); /* it reads the run that is to be completed */
    return run_need(s->run, stage_in_view(s), &s->core, err);
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
    if (other || !menu_runs(&s->menu, view->menu_item)) view->menu_item = s->menu.shape == SHAPE_DIALOG || s->menu.shape == SHAPE_PREVIEW ? menu_step(&s->menu, -1, 1) : -1;
    if (other || strcmp(view->query, s->menu_query) != 0) view->menu_scroll = 0;
    if (other) number_menu_changed(s, arena_strdup(&s->scratch, s->menu_of));
    snprintf(s->menu_of, sizeof s->menu_of, "%s", view->menu);
    snprintf(s->menu_query, sizeof s->menu_query, "%s", view->query);
    s->menu_stale = false;
    session_touch(s);
}

/* The path of the document stands in the field when saving begins, or a name that no file has. */
static void settle_query(Session *s) {
    bool opened = strcmp(s->view.menu, s->menu_of) != 0;
    if (!opened || strcmp(s->view.menu, "save") != 0 || s->view.query[0]) return;
    const char *path = history_path(s->history);
    bool named = str_ends(path, ".yaml");
    session_set_query(s, named ? path : files_new_scenario(&s->scratch, doc_text(&s->doc)));
    if (!named) s->view.query_anchor = 0; /* what is typed takes its place */
}

bool session_open_menu(Session *s, const char *name, const char *query) {
    snprintf(s->view.menu, sizeof s->view.menu, "%s", name);
    session_set_query(s, query);
    session_settle(s);
    return true;
}

/* What was made in the other language is made again. true: it was another one. */
static bool settle_language(Session *s) {
    if (s->spoken == s->view.language) return false;
    s->spoken = s->view.language;
    lang_set(s->spoken);
    session_clear_notice(s);
    s->status[0] = '\0';
    s->menu_stale = true;
    s->tried = false;
    session_touch(s);
    return true;
}

/* A run holds words too: names of layers, what is wrong in it. */
static void retell(const Session *s, Run **run) {
    Run *again = NULL;
    RunContext context = session_context(s);
    context.before = *run;
    if (!*run || !run_build(&(*run)->doc, &context, &again, NULL)) return;
    run_close(*run);
    *run = again;
}

/* Runs that are kept although the document as it is now makes none of them: the last good one, and what is held. */
static void retell_kept(Session *s) {
    if (s->job.kind != JOB_NONE) return;
    if (s->muted) retell(s, &s->run);
    if (!s->checking) retell(s, &s->held_run); /* theirs follow the run */
}

void session_settle(Session *s) {
    bool other_language = settle_language(s);
    settle_opening(s);
    settle_run(s);
    if (other_language) retell_kept(s);
    if (s->run) run_settle_view(s->run, NULL, &s->view);
    settle_need(s);
    check_settle(s);
    hold_settle(s);
    settle_query(s);
    settle_menu(s);
}

bool session_need_run(Session *s, Err *err) {
    session_settle(s);
    while (s->job.kind != JOB_NONE) {
        job_wait(s);
        session_settle(s);
    }
    if (s->opening_error.code != ERR_NONE) {
        *err = s->opening_error;
        s->opening_error = (Err){0};
        return false;
    }
    if (!s->muted) return true;
    *err = s->error;
    return false;
}
