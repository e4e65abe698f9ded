#include "app/session_act.h"

#include <string.h>

#include "app/fields.h"
#include "app/session_settle.h"
#include "base/tr.h"

/* The document as it was, and what actions get to see. */
typedef struct {
    Doc before;
    RunContext run;
    ActionContext cx;
} Change;

static void begin_change(Session *s, Change *change) {
    *change = (Change){.run = session_context(s)};
    doc_copy(&change->before, &s->doc);
    change->cx = (ActionContext){&s->doc, &s->view, s->run, &change->run};
}

/* One step of undo when the document is another one. */
static void end_change(Session *s, Change *change, const char *merge) {
    if (!doc_equal(&change->before, &s->doc)) {
        history_push(s->history, &s->doc, merge, s->clock);
        session_doc_changed(s);
    }
    doc_reset(&change->before);
}

/* `new` has made a document that has no file. */
static void end_new(Session *s, Change *change) {
    history_begin(s->history, &s->doc, "", true, s->clock);
    session_doc_changed(s);
    doc_reset(&change->before);
}

/* A field that an action has given the focus to has everything selected. */
static void enter_field(Session *s, const char *focus_before) {
    FieldId id = field_find(s->view.focus);
    if (id == FIELD_NONE || str_eq(focus_before, s->view.focus)) return;
    s->view.anchor = 0;
    s->view.caret = (int)strlen(field_text(s, id, &s->scratch));
}

bool session_act(Session *s, const ActionLine *line, const char *merge, int *effect, Err *err) {
    Change change;
    char focus[sizeof s->view.focus];
    memcpy(focus, s->view.focus, sizeof focus);
    begin_change(s, &change);
    bool ok = action_run(&change.cx, line, effect, err);
    if (ok && str_eq(line->arg[0], "new")) end_new(s, &change);
    else end_change(s, &change, merge);
    enter_field(s, focus);
    s->menu_stale = true;
    session_touch(s);
    session_settle(s);
    return ok;
}

bool session_act_set(Session *s, const char *key, const char *value, const char *merge, Err *err) {
    ActionLine line = {.n = 3, .arg = {(char *)(uintptr_t)"set", (char *)(uintptr_t)key, (char *)(uintptr_t)value}};
    Change change;
    int effect;
    begin_change(s, &change);
    bool ok = action_run(&change.cx, &line, &effect, err);
    end_change(s, &change, merge);
    return ok;
}

bool session_set(Session *s, const char *key, const char *value, Err *err) {
    return session_act_set(s, key, value, NULL, err);
}

bool session_act_text(Session *s, const char *text, bool source, const char *merge, Err *err) {
    Change change;
    begin_change(s, &change);
    bool ok = action_set_text(&change.cx, text, strlen(text), source, err);
    end_change(s, &change, merge);
    session_settle(s);
    return ok;
}

static void caret_to_end(Session *s) {
    FieldId id = field_find(s->view.focus);
    s->view.caret = s->view.anchor = (int)strlen(field_text(s, id == FIELD_SOURCE ? id : FIELD_TEXT, &s->scratch));
}

static bool travel(Session *s, bool (*go)(History *history, Doc *doc)) {
    if (!go(s->history, &s->doc)) return false;
    session_doc_changed(s);
    caret_to_end(s);
    return true;
}

bool session_act_undo(Session *s) {
    if (s->draft_waits) { /* what is typed and not taken goes first */
        session_drop_draft(s);
        caret_to_end(s);
        return true;
    }
    return travel(s, history_undo);
}

bool session_act_redo(Session *s) {
    return travel(s, history_redo);
}

/* ---- where to look ---- */

bool session_show(Session *s, int stage, int step, Err *err) {
    if (!session_need_run(s, err)) return false;
    const Trace *trace = s->run->trace;
    int stages = trace_stage_count(trace);
    if (stage < 0 || stage >= stages) return err_set(err, ERR_USAGE, "there is no stage %d: stages count from 1 to %d", stage + 1, stages);
    int steps = film_steps(trace, stage);
    if (step > steps || step == 0)
        return err_set(err, ERR_USAGE, "there is no step %d: the stage %s has steps 1 to %d", step, stage_name(trace_stage(trace, stage)->kind), steps);
    film_stage(&s->view.film, trace, stage, true);
    if (step > 0) film_rest(&s->view.film, trace, step);
    session_touch(s);
    return true;
}

bool session_show_head(Session *s, int head, Err *err) {
    if (!session_need_run(s, err)) return false;
    int heads = s->run->spec.n_heads;
    if (head < 0 || head >= heads) return err_set(err, ERR_USAGE, "there is no head %d: heads count from 1 to %d", head + 1, heads);
    s->view.head = head;
    session_touch(s);
    return true;
}
