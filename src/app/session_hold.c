#include "app/session_hold.h"

#include "app/session_check.h"
#include "app/session_job.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "core/trace.h"

static void drop_held(Session *s) {
    run_close(s->held_run);
    s->held_run = NULL;
    s->held_failed = NEED_FINE;
    doc_reset(&s->held);
}

void hold_close(Session *s) {
    check_drop(s);
    drop_held(s);
}

void hold_replace(Session *s, Run *run) {
    drop_held(s);
    s->held_run = run;
    doc_copy(&s->held, &run->doc);
}

/* A run of its own: what is held outlives every later document. */
bool hold_do_hold(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    if (!session_need_run(s, err)) return false;
    RunContext context = session_context(s);
    Run *run = NULL;
    context.before = NULL;
    if (!run_build(&s->doc, &context, &run, err)) return false;
    hold_close(s);
    hold_replace(s, run);
    hold_settle(s);
    int compare = action_find("compare");
    if (s->view.comparing) session_notice(s, false, "%s", tr("What you see is A now. Change something."));
    else session_notice(s, false, tr("Held as A. Change a setting, a word or a number, then press %s to compare."), action_key(compare));
    return true;
}

bool hold_do_compare(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    if (!s->held_run) return err_set(err, ERR_USAGE, tr("Nothing is held yet: press %s to hold what you see as A."), action_key(action_find("hold")));
    s->view.comparing = !s->view.comparing;
    s->held_failed = NEED_FINE; /* asked for once more */
    if (s->view.comparing) s->view.overview = false;
    session_clear_notice(s);
    hold_settle(s);
    return true;
}

bool hold_do_drop(Session *s, const ActionLine *line, Err *err) {
    (void)line;
    if (!s->held_run) return err_set(err, ERR_USAGE, "%s", tr("Nothing is held."));
    hold_close(s);
    s->view.comparing = false;
    return true;
}

/* The stage of the held trace that stands where the film does. */
static int held_stage(const Session *s) {
    const Trace *trace = s->held_run->trace;
    const Stage *stage = trace_stage(s->run->trace, s->view.film.stage);
    for (int i = 0; i < trace_stage_count(trace); i++)
        if (trace_stage(trace, i)->kind == stage->kind && str_eq(trace_stage(trace, i)->scope, stage->scope)) return i;
    return -2;
}

void hold_settle(Session *s) {
    if (!s->held_run || !s->view.comparing || !s->run) return;
    Err err = {0};
    if (!s->held_run->network) {
        if (s->view.aggregate != AGGREGATE_HEAD && !run_need_views(s->held_run, &s->core, &err)) s->view.aggregate = AGGREGATE_HEAD;
        return;
    }
    int stage = held_stage(s);
    if (stage < 0 || stage == s->held_failed || run_ready(s->held_run, stage)) return;
    if (!run_need(s->held_run, stage, &s->core, &err)) s->held_failed = stage;
}
