#include "app/number.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/session_act.h"
#include "app/session_do.h"
#include "app/session_edit.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "doc/run_edit.h"
#include "scene/matrix.h"

bool number_editable(const Session *s, const ViewRef *ref, DocEdit *place) {
    TensorId id = s->run && !s->run->network && ref->tensor[0] ? trace_find(s->run->trace, ref->tensor) : TENSOR_NONE;
    return id != TENSOR_NONE && s->doc.model != MODEL_FOLDER && tensor_has(trace_tensor(s->run->trace, id), ref->index) &&
           run_edit_place(s->run, id, ref->index, place);
}

/* ---- trying values ---- */

void number_begin(Session *s) {
    number_end(s);
    history_part(s->history);
    doc_copy(&s->number.before, &s->doc);
    s->number.open = true;
}

void number_try(Session *s, const ViewRef *ref, double value) {
    char number[NUM_MAX];
    const char *line = arena_printf(&s->scratch, "edit %s %s", view_ref_text(ref, ",", &s->scratch), num_double(number, value, NUM_FILE));
    session_try_merged(s, line, "drag");
    s->number.tried = s->number.tried || !doc_equal(&s->number.before, &s->doc);
}

/* What was tried is no step that Redo could bring back. */
static void forget_tried(Session *s) {
    if (session_act_undo(s)) history_forget_redo(s->history);
}

void number_take_back(Session *s) {
    if (s->number.open && s->number.tried) forget_tried(s);
    s->number.tried = false;
    number_end(s);
    session_settle(s);
    session_touch(s);
}

/* A value that came back to where it began is no step. */
void number_end(Session *s) {
    if (!s->number.open) return;
    s->number.open = false;
    if (s->number.tried && doc_equal(&s->number.before, &s->doc)) forget_tried(s);
    s->number.tried = false;
    doc_reset(&s->number.before);
    history_part(s->history);
}

double number_step(const Session *s, const ViewRef *ref, double part) {
    TensorId id = s->run ? trace_find(s->run->trace, ref->tensor) : TENSOR_NONE;
    double limit = id == TENSOR_NONE ? 1 : matrix_limit(s->run, id);
    return pow(10, floor(log10(limit * part) + 1e-9));
}

double number_snap(double value, double step) {
    char text[NUM_MAX];
    double snapped = value, places = -floor(log10(step) + 1e-9);
    if (!isfinite(value)) return value;
    num_fixed(text, round(value / step) * step, places > 0 ? (int)fmin(places, 12) : 0, NUM_FILE);
    str_to_double(text, &snapped);
    return snapped;
}

/* ---- the field ---- */

static bool number_in_field(Session *s, double *value, Err *err) {
    DocEdit place;
    if (!number_editable(s, &s->view.selection, &place)) return err_set(err, ERR_USAGE, "%s", tr("Select a number first."));
    return run_edit_number(place.matrix, s->view.query, value, err);
}

void number_menu_changed(Session *s, const char *before) {
    if (str_eq(before, "edit")) number_end(s);
    if (str_eq(s->view.menu, "edit")) number_begin(s);
}

/* What is not a number yet leaves the last one. */
void number_typed(Session *s) {
    double value;
    if (number_in_field(s, &value, NULL)) number_try(s, &s->view.selection, value);
}

/* Is there a number in the field? Else the error stands beside it. */
static bool takes(Session *s) {
    double value;
    Err err = {0};
    if (number_in_field(s, &value, &err)) return true;
    session_notice(s, true, "%s", err.message);
    return false;
}

static void nudge(Session *s, int by, bool fine) {
    char text[NUM_MAX];
    double value, step = number_step(s, &s->view.selection, 0.1) / (fine ? 10 : 1);
    if (!number_in_field(s, &value, NULL) || !isfinite(value)) return;
    session_set_query(s, num_double(text, number_snap(value + by * step, step), NUM_FILE));
    s->view.query_anchor = 0;
    session_clear_notice(s);
    number_typed(s);
}

static void go_on(Session *s, int by) {
    ViewRef next;
    if (!takes(s)) return;
    bool more = number_beside(s, session_list(s), &s->view.selection, by, &next);
    session_try(s, "menu.close");
    if (!more || !session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(&next, ",", &s->scratch)))) return;
    session_try(s, "edit");
}

static bool key_is(const Input *input, const char *key) { return str_eq(input->key, key); }

bool number_key(Session *s, const Input *input) {
    bool chord = (input->mods & (MOD_CTRL | MOD_ALT)) != 0, shift = (input->mods & MOD_SHIFT) != 0;
    if (key_is(input, "Esc") || (key_is(input, "z") && chord && s->number.tried)) number_take_back(s), session_try(s, "menu.close");
    else if (key_is(input, "z") && chord) session_try(s, "menu.close"), session_try(s, shift ? "redo" : "undo");
    else if (key_is(input, "Enter")) {
        if (takes(s)) session_try(s, "menu.close");
    } else if (key_is(input, "Tab") && !chord) go_on(s, shift ? -1 : 1);
    else if ((key_is(input, "Up") || key_is(input, "Down")) && !chord) nudge(s, key_is(input, "Up") ? 1 : -1, shift);
    else return edit_key(s, input);
    return true;
}
