/* Single numbers that are changed by hand. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"
#include "doc/run_edit.h"

/* So many inputs are looked for where one is to be named. */
enum { ENOUGH = 1 };

bool action_has_edits(const ActionContext *cx) {
    return cx->doc->n_edits > 0;
}

/* ---- why a number has no place in the document ---- */

static bool is_rule(const Run *run, TensorId id, OpKind kind) {
    return trace_op(run->trace, trace_tensor(run->trace, id)->op)->kind == kind;
}

static bool tell_rule(const Run *run, TensorId id, Err *err) {
    const char *name = trace_tensor(run->trace, id)->id;
    if (is_rule(run, id, OP_MASK_RULE))
        return err_set(err, ERR_USAGE, "%s", tr("The mask is painted, not typed: click a cell of M in the Mask stage, or use mask.toggle."));
    if (str_eq(trace_tensor(run->trace, id)->name, "pe"))
        return err_set(err, ERR_USAGE, "%s", tr("Position rows are made by a rule; choose the positions “learned” to change single numbers."));
    if (is_rule(run, id, OP_ROPE_COS) || is_rule(run, id, OP_ROPE_SIN))
        return err_set(err, ERR_USAGE, "%s", tr("The angles follow from the positions; choose other positions, or change x, W_Q or W_K."));
    if (is_rule(run, id, OP_ALIBI_SLOPES) || is_rule(run, id, OP_ALIBI_BIAS))
        return err_set(err, ERR_USAGE, "%s", tr("ALiBi’s bias follows from the distance; choose other positions, or change x, W_Q or W_K."));
    return err_set(err, ERR_USAGE, tr("%s is computed; change one of the numbers that it comes from"), name);
}

/* Of a computed number, with the input that counts most in it. */
static bool tell_computed(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], Err *err) {
    Arena arena = {0};
    Ref *refs;
    int n = run_edit_inputs(run, id, index, ENOUGH, &arena, &refs);
    char name[160], input[160];
    if (n == 0) tell_rule(run, id, err);
    else err_set(err, ERR_USAGE, tr("%s is computed; change one of the numbers that it comes from, such as %s"), run_ref_text(name, run, id, index),
                 run_ref_text(input, run, refs[0].id, refs[0].index));
    arena_free(&arena);
    return false;
}

/* Nothing that it comes from can be changed: a rule made it, or what is hidden has the mask's fill. */
static bool tell_no_input(const Run *run, TensorId id, Err *err) {
    static const char *const hidden[] = {"masked", "exp", "weights"};
    if (str_find(hidden, 3, trace_tensor(run->trace, id)->name) >= 0)
        return err_set(err, ERR_USAGE, "%s", tr("The mask hides this key, so no input moves this number; change the mask."));
    return tell_rule(run, id, err);
}

/* ---- asking ---- */

static bool open_menu(View *view, const char *name, const char *query) {
    snprintf(view->menu, sizeof view->menu, "%s", name);
    view->menu_item = -1;
    snprintf(view->query, sizeof view->query, "%s", query);
    view->query_anchor = 0;
    view->query_caret = (int)strlen(view->query);
    return true;
}

/* Of a computed number: which of its inputs is meant? */
static bool ask_input(ActionContext *cx, TensorId id, Err *err) {
    Arena arena = {0};
    Ref *refs;
    int n = run_edit_inputs(cx->run, id, cx->view->selection.index, ENOUGH, &arena, &refs);
    arena_free(&arena);
    return n > 0 ? open_menu(cx->view, "edit.inputs", "") : tell_no_input(cx->run, id, err);
}

/* Ask for the new number of the selected one: the field "edit" with the present one in it. */
static bool ask_number(ActionContext *cx, Err *err) {
    const ViewRef *ref = &cx->view->selection;
    TensorId id = ref->tensor[0] ? trace_find(cx->run->trace, ref->tensor) : TENSOR_NONE;
    char number[NUM_MAX];
    DocEdit place;
    if (id == TENSOR_NONE) return err_set(err, ERR_USAGE, "%s", tr("Select a number first."));
    if (!run_edit_place(cx->run, id, ref->index, &place)) return ask_input(cx, id, err);
    num_float(number, (float)tensor_at(trace_tensor(cx->run->trace, id), ref->index), NUM_FILE);
    return open_menu(cx->view, "edit", number);
}

/* Does the stage in view make or read this tensor? Then it is drawn there. */
static bool in_view(const ActionContext *cx, TensorId id) {
    const Trace *trace = cx->run->trace;
    const Stage *stage = trace_stage(trace, cx->view->film.stage);
    bool there = stage->result == id;
    for (int op = stage->first_op; !there && op < stage->first_op + stage->n_ops; op++)
        for (int i = 0; i < OP_INPUTS_MAX; i++) there = there || trace_op(trace, op)->in[i] == id;
    return there;
}

/* ---- changing ---- */

/* The number without a change, where the run knows it. */
static bool original(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], const DocEdit *place, double *out) {
    int i = run_edit_find(&run->doc, place);
    if (i >= 0 && !run->edit_active[i]) return false;
    *out = i >= 0 ? (double)run->edit_was[i] : tensor_at(trace_tensor(run->trace, id), index);
    return true;
}

static void drop_edit(Doc *doc, int at) {
    Arena arena = {0};
    DocEdit *kept = ARENA_ARRAY(&arena, DocEdit, (size_t)doc->n_edits);
    int n = 0;
    for (int i = 0; i < doc->n_edits; i++)
        if (i != at) kept[n++] = *doc_edit_at(doc, i);
    doc_set_edits(doc, kept, n);
    arena_free(&arena);
}

/* Back at its first value a number is not a changed one. */
static void set_number(ActionContext *cx, TensorId id, const int index[TENSOR_RANK_MAX], const DocEdit *edit) {
    double was = 0;
    bool same = original(cx->run, id, index, edit, &was) && ((float)was == (float)edit->value || (isnan(was) && isnan(edit->value)));
    Arena arena = {0};
    int at = run_edit_find(cx->doc, edit);
    if (!same) doc_edit(cx->doc, edit, &arena);
    else if (at >= 0) drop_edit(cx->doc, at);
    arena_free(&arena);
}

bool action_edit(ActionContext *cx, const ActionLine *line, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    DocEdit edit;
    if (!action_needs_run(cx, err)) return false;
    if (line->n == 1) return ask_number(cx, err);
    if (!run_resolve_at(cx->run, cx->view->film.stage, line->arg[1], &id, index, err)) return false;
    if (line->n == 2) return (in_view(cx, id) ? action_select(cx, line, err) : action_explain(cx, line, err)) && ask_number(cx, err);
    if (!action_needs_tokens(cx, err)) return false;
    if (!run_edit_place(cx->run, id, index, &edit)) return tell_computed(cx->run, id, index, err);
    if (!run_edit_number(edit.matrix, line->arg[2], &edit.value, err)) return false;
    set_number(cx, id, index, &edit);
    return true;
}

/* ---- giving back ---- */

/* The selected number's edit in the document's list; -1: it has none. */
static int edit_of_selection(const ActionContext *cx) {
    const ViewRef *ref = &cx->view->selection;
    TensorId id = cx->run && ref->tensor[0] ? trace_find(cx->run->trace, ref->tensor) : TENSOR_NONE;
    DocEdit place;
    return id != TENSOR_NONE && run_edit_place(cx->run, id, ref->index, &place) ? run_edit_find(cx->doc, &place) : -1;
}

bool action_has_edit(const ActionContext *cx) {
    return edit_of_selection(cx) >= 0;
}

bool action_edit_reset(ActionContext *cx, const ActionLine *line, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX], at = -1;
    DocEdit place;
    if (line->n > 1 && str_to_int(line->arg[1], &at)) {
        if (at < 1 || at > cx->doc->n_edits)
            return err_set(err, ERR_USAGE, tr_count("%d number is changed; there is no number %s in the list.", "%d numbers are changed; there is no number %s in the list.", cx->doc->n_edits),
                           cx->doc->n_edits, line->arg[1]);
        drop_edit(cx->doc, at - 1);
        return true;
    }
    if (line->n > 1) {
        if (!action_needs_run(cx, err) || !run_resolve_at(cx->run, cx->view->film.stage, line->arg[1], &id, index, err)) return false;
        at = run_edit_place(cx->run, id, index, &place) ? run_edit_find(cx->doc, &place) : -1;
    } else {
        if (!action_has_selection(cx)) return err_set(err, ERR_USAGE, "%s", tr("Select a changed number first."));
        at = edit_of_selection(cx);
    }
    if (at < 0) return err_set(err, ERR_USAGE, "%s", tr("This number is not changed: there is nothing to restore."));
    drop_edit(cx->doc, at);
    return true;
}

bool action_edits(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    return open_menu(cx->view, "edits", "");
}

bool action_edits_clear(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    doc_set_edits(cx->doc, NULL, 0);
    return true;
}
