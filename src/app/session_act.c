#include "app/session_act.h"

#include <math.h>
#include <string.h>

#include "app/fields.h"
#include "app/session_job.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "doc/setting.h"
#include "scene/reading.h"

/* The document as it was, and what actions get to see. */
typedef struct {
    Doc before;
    RunContext run;
    ActionContext cx;
} Change;

/* How many maps of the overview stand beside the first. */
static int maps_across(Session *s) {
    const DisplayList *list = session_list(s);
    float top = 0;
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_GROUP || !str_starts(dl_text_at(list, list->groups[c->group.group].name), "overview.map.")) continue;
        if (n == 0) top = c->box.y;
        n += fabsf(c->box.y - top) < 1;
    }
    return n;
}

static void begin_change(Session *s, Change *change) {
    *change = (Change){.run = session_context(s)};
    doc_copy(&change->before, &s->doc);
    change->cx = (ActionContext){.doc = &s->doc, .view = &s->view, .run = s->run, .context = &change->run};
}

static bool has_causal(const Doc *doc) {
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].spec.kind == MASK_CAUSAL) return true;
    return false;
}

/* A second text takes a causal mask away (doc/action_doc.c): not silently. */
static void tell_causal(Session *s, const Doc *before) {
    bool came = s->doc.source_text && !before->source_text && !before->source.n;
    if (came && has_causal(before) && !has_causal(&s->doc))
        session_notice(s, false, "%s", tr("Two texts: the causal mask is off, for the words of one do not come before those of the other. Mask → Causal puts it back."));
}

/* One step of undo when the document is another one. */
static void end_change(Session *s, Change *change, const char *merge) {
    if (!doc_equal(&change->before, &s->doc)) {
        history_push(s->history, &s->doc, merge, s->clock);
        session_doc_changed(s);
        tell_causal(s, &change->before);
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

/* ---- what a setting did ---- */

static bool changes_doc(const ActionLine *line) {
    int at = line->n > 0 ? action_find(line->arg[0]) : -1;
    return at >= 0 && action_table[at].scope == ACTION_DOC;
}

static bool is_setting(const ActionLine *line) {
    static const char *const others[] = {"temperature.at", "setting.reset"};
    return setting_find(line->arg[0]) >= 0 || str_find(others, 2, line->arg[0]) >= 0;
}

/* The readings that a change of a setting will be compared with: those at the beginning of a drag. */
static Reading readings_now(const Session *s) {
    if (s->press == PRESS_SLIDER && s->before && s->before->known) return *s->before;
    return s->run && !s->muted ? reading_of(s->run, s->view.film.stage, s->view.head, true) : (Reading){0};
}

/* Any other change of the document forgets them (session_doc_changed). */
static void keep_readings(Session *s, const Reading *was) {
    if (!s->before) s->before = ARENA_NEW(&s->process, Reading);
    *s->before = *was;
}

bool session_act(Session *s, const ActionLine *line, const char *merge, int *effect, Err *err) {
    Change change;
    char focus[sizeof s->view.focus];
    memcpy(focus, s->view.focus, sizeof focus);
    job_take_back(s);
    begin_change(s, &change);
    Reading was = {0};
    char control[sizeof s->view.control];
    memcpy(control, s->view.control, sizeof control);
    bool doc = changes_doc(line);
    if (doc && is_setting(line)) was = readings_now(s);
    if (doc) s->view.control[0] = '\0'; /* a setting's action names itself there */
    if (s->view.overview && str_eq(line->arg[0], "select.move")) change.cx.maps_across = maps_across(s);
    bool ok = action_run(&change.cx, line, effect, err);
    if (ok && str_eq(line->arg[0], "new")) end_new(s, &change);
    else end_change(s, &change, merge);
    if (doc && !ok) memcpy(s->view.control, control, sizeof control);
    if (doc && ok && s->view.control[0]) keep_readings(s, &was);
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
    job_take_back(s);
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
    job_take_back(s);
    begin_change(s, &change);
    bool ok = action_set_text(&change.cx, text, strlen(text), source, err);
    end_change(s, &change, merge);
    session_settle(s);
    return ok;
}

static void model_line(const char *folder, ActionLine *line) {
    *line = (ActionLine){.n = 2, .arg = {(char *)(uintptr_t)"model", (char *)(uintptr_t)folder}};
}

bool session_try_model(Session *s, const char *folder, Doc *doc, Err *err) {
    ActionLine line;
    int effect;
    View *view = ARENA_NEW(&s->scratch, View); /* what the action does to the view is for later */
    *view = s->view;
    RunContext context = session_context(s);
    ActionContext cx = {.doc = doc, .view = view, .run = s->run, .context = &context};
    model_line(folder, &line);
    return action_run(&cx, &line, &effect, err);
}

bool session_act_folder(Session *s, const char *folder, Err *err) {
    ActionLine line;
    Change change;
    int effect;
    job_take_back(s);
    begin_change(s, &change);
    model_line(folder, &line);
    bool ok = action_run(&change.cx, &line, &effect, err);
    end_change(s, &change, NULL);
    return ok;
}

bool session_act_model(Session *s, const char *folder, Run *run, Err *err) {
    if (!session_act_folder(s, folder, err)) {
        run_close(run);
        return false;
    }
    session_take_run(s, run, false);
    if (!doc_equal(&s->doc, &run->doc)) session_doc_changed(s); /* something was typed meanwhile */
    return true;
}

static void caret_to_end(Session *s) {
    FieldId id = field_find(s->view.focus);
    s->view.caret = s->view.anchor = (int)strlen(field_text(s, id == FIELD_SOURCE ? id : FIELD_TEXT, &s->scratch));
}

static bool travel(Session *s, bool (*go)(History *history, Doc *doc)) {
    if (!go(s->history, &s->doc)) return false;
    s->number.tried = false;
    s->view.control[0] = '\0'; /* its effect is no longer the last change */
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
    if (stage < 0 || stage >= stages) return err_set(err, ERR_USAGE, tr("there is no stage %d: stages count from 1 to %d"), stage + 1, stages);
    int steps = film_steps(trace, stage);
    if (step > steps || step == 0)
        return err_set(err, ERR_USAGE, tr("there is no step %d: the stage %s has steps 1 to %d"), step, stage_name(trace_stage(trace, stage)->kind), steps);
    film_stage(&s->view.film, trace, stage, true);
    if (step > 0) film_rest(&s->view.film, trace, step);
    if (!film_shows(trace, stage, s->view.block_open)) s->view.block_open = true;
    session_touch(s);
    session_settle(s);
    return true;
}

bool session_show_head(Session *s, int head, Err *err) {
    if (!session_need_run(s, err)) return false;
    int heads = run_site(s->run, s->view.film.stage)->spec.n_heads;
    if (head < 0 || head >= heads) return err_set(err, ERR_USAGE, tr("there is no head %d: heads count from 1 to %d"), head + 1, heads);
    s->view.head = head;
    session_touch(s);
    return true;
}
