/* Selecting a number and following where it comes from. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/action_parts.h"

bool action_has_selection(const ActionContext *cx) {
    return cx->view->selection.tensor[0] != 0;
}

bool action_can_move(const ActionContext *cx) {
    return action_has_selection(cx) || action_in_overview(cx);
}

bool action_has_trail(const ActionContext *cx) {
    return cx->view->n_trail > 0;
}

static void set_ref(const Run *run, TensorId id, const int index[TENSOR_RANK_MAX], ViewRef *out) {
    *out = (ViewRef){0};
    snprintf(out->tensor, sizeof out->tensor, "%s", trace_tensor(run->trace, id)->id);
    memcpy(out->index, index, sizeof out->index);
    out->rank = trace_tensor(run->trace, id)->rank;
}

/* The head shown is the one that the number belongs to (a group of heads shares a key head: the first). */
static void select_number(ActionContext *cx, TensorId id, const int index[TENSOR_RANK_MAX]) {
    View *view = cx->view;
    set_ref(cx->run, id, index, &view->selection);
    if (run_axis(cx->run, id, 0) != AXIS_HEAD) return;
    int heads = trace_tensor(cx->run->trace, id)->dim[0], all = run_site_of(cx->run, id)->spec.n_heads;
    int group = heads > 0 && all > heads ? all / heads : 1;
    if (view->head / group != index[0]) view->head = index[0] * group;
}

bool action_select(ActionContext *cx, const ActionLine *line, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (!action_needs_run(cx, err) || !run_resolve_at(cx->run, cx->view->film.stage, line->arg[1], &id, index, err)) return false;
    cx->view->n_trail = 0;
    if (action_in_overview(cx)) action_show_layer_of(cx, id); /* its map is the large one */
    cx->view->controls = false; /* what is selected is explained in the panel's place */
    select_number(cx, id, index);
    return true;
}

bool action_select_none(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->selection = (ViewRef){0};
    cx->view->n_trail = 0;
    return true;
}

bool action_select_move(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const names[] = {"left", "right", "up", "down"};
    static const int by_row[] = {0, 0, -1, 1}, by_col[] = {-1, 1, 0, 0};
    int to;
    if (!action_choice("direction", names, 4, line->arg[1], &to, err) || !action_needs_run(cx, err)) return false;
    if (action_in_overview(cx)) {
        action_move_map(cx, by_row[to], by_col[to]);
        return true;
    }
    ViewRef *ref = &cx->view->selection;
    TensorId id = trace_find(cx->run->trace, ref->tensor);
    if (id == TENSOR_NONE) return true;
    const Tensor *t = trace_tensor(cx->run->trace, id);
    int moved[TENSOR_RANK_MAX];
    memcpy(moved, ref->index, sizeof moved);
    moved[t->rank - 1] += by_col[to];
    if (t->rank > 1) moved[t->rank - 2] += by_row[to];
    if (tensor_has(t, moved)) memcpy(ref->index, moved, sizeof moved);
    return true;
}

/* ---- explanations ---- */

/* The stage that makes a tensor; for a given one the first stage that reads it. */
static int stage_showing(const Trace *trace, TensorId id) {
    int stage = trace_stage_of(trace, id);
    for (int s = 0; stage < 0 && s < trace_stage_count(trace); s++) {
        const Stage *at = trace_stage(trace, s);
        if (at->result == id) stage = s;
        for (int i = 0; stage < 0 && i < at->n_ops * OP_INPUTS_MAX; i++)
            if (trace_op(trace, at->first_op + i / OP_INPUTS_MAX)->in[i % OP_INPUTS_MAX] == id) stage = s;
    }
    return stage;
}

void action_film_moved(View *view, const Run *run, int before) {
    int stage = view->film.stage;
    if (stage == before || !run || !view->selection.tensor[0]) return;
    TensorId id = trace_find(run->trace, view->selection.tensor);
    if (id != TENSOR_NONE && stage_showing(run->trace, id) == stage) return;
    view->selection = (ViewRef){0};
    view->n_trail = 0;
}

static void push_trail(View *view) {
    if (view->n_trail == TRAIL_MAX) {
        view->n_trail--;
        memmove(view->trail, view->trail + 1, (TRAIL_MAX - 1) * sizeof *view->trail);
        memmove(view->trail_film, view->trail_film + 1, (TRAIL_MAX - 1) * sizeof *view->trail_film);
        memmove(view->trail_head, view->trail_head + 1, (TRAIL_MAX - 1) * sizeof *view->trail_head);
    }
    int at = view->n_trail++;
    view->trail[at] = view->selection;
    view->trail_film[at] = view->film;
    view->trail_film[at].playing = false;
    view->trail_film[at].until = view->film.position;
    view->trail_head[at] = view->head;
}

static void follow(ActionContext *cx, TensorId id, const int index[TENSOR_RANK_MAX]) {
    push_trail(cx->view);
    cx->view->controls = false;
    select_number(cx, id, index);
    int stage = stage_showing(cx->run->trace, id);
    View *view = cx->view;
    view->overview = false;
    if (stage < 0) return;
    film_stage(&view->film, cx->run->trace, stage, true);
    if (!film_shows(cx->run->trace, stage, view->block_open)) view->block_open = true;
    int heads = run_site(cx->run, stage)->spec.n_heads;
    if (view->head >= heads) view->head = heads > 0 ? heads - 1 : 0;
    run_note_place(cx->run, view);
}

/* The number that the film works on. */
static bool film_number(const ActionContext *cx, TensorId *id, int index[TENSOR_RANK_MAX]) {
    const Trace *trace = cx->run->trace;
    int current = film_current(&cx->view->film, trace);
    FilmStep step = film_step(trace, cx->view->film.stage, current < 0 ? 0 : current);
    *id = step.tensor;
    for (int i = 0; i < TENSOR_RANK_MAX; i++) index[i] = 0;
    if (*id == TENSOR_NONE) {
        *id = trace_stage(trace, cx->view->film.stage)->result;
        return *id != TENSOR_NONE;
    }
    const Tensor *t = trace_tensor(trace, *id);
    int rank = t->rank, head = cx->view->head;
    if (trace_op(trace, t->op)->kind == OP_CONCAT) { /* rows are heads */
        index[1] = step.row0 * step.n_cols;
        return true;
    }
    int heads = run_site_of(cx->run, *id)->spec.n_heads;
    bool by_head = run_axis(cx->run, *id, 0) == AXIS_HEAD && heads > 0;
    if (by_head) index[0] = head * t->dim[0] / heads;
    if (rank == 1) { /* a number for each row */
        index[0] = step.row0;
        return tensor_has(t, index);
    }
    if (rank == 2 && by_head) index[1] = step.row0; /* row_max */
    else if (rank >= 2) index[rank - 2] = step.row0;
    if (!(rank == 2 && by_head)) index[rank - 1] = step.col0;
    return tensor_has(t, index);
}

/* Are the number and its operands in memory? */
static bool can_explain(const Trace *trace, TensorId id) {
    const Op *op = trace_op(trace, trace_tensor(trace, id)->op);
    bool all = trace_resident(trace, id);
    for (int i = 0; i < OP_INPUTS_MAX; i++) all = all && (op->in[i] == TENSOR_NONE || trace_resident(trace, op->in[i]));
    return all;
}

/* The operand that counts most in the selected number. */
static bool source_operand(const ActionContext *cx, TensorId *id, int index[TENSOR_RANK_MAX], Err *err) {
    const ViewRef *ref = &cx->view->selection;
    Arena arena = {0};
    Explanation explanation;
    *id = trace_find(cx->run->trace, ref->tensor);
    bool there = *id == TENSOR_NONE || can_explain(cx->run->trace, *id);
    if (!there) return err_set(err, ERR_INPUT, tr("%s is not in memory just now: look at its stage, and it is computed again."), ref->tensor);
    bool ok = *id != TENSOR_NONE && trace_explain(cx->run->trace, *id, ref->index, &arena, &explanation, err);
    if (!ok) err_set(err, ERR_INPUT, tr("%s is not there any more"), ref->tensor);
    const Ref *source = ok ? explanation_source(&explanation) : NULL;
    if (ok && !source)
        ok = err_set(err, ERR_INPUT, "%s", tr("This number is where it begins: it comes from no other."));
    if (ok) {
        *id = source->id;
        memcpy(index, source->index, sizeof source->index);
    }
    arena_free(&arena);
    return ok;
}

bool action_explain(ActionContext *cx, const ActionLine *line, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (!action_needs_run(cx, err)) return false;
    if (line->n == 1 && action_in_overview(cx)) return action_look(cx, line, err);
    if (line->n > 1) {
        if (!run_resolve_at(cx->run, cx->view->film.stage, line->arg[1], &id, index, err)) return false;
    } else if (action_has_selection(cx)) {
        if (!source_operand(cx, &id, index, err)) return false;
    } else {
        if (!film_number(cx, &id, index)) return err_set(err, ERR_INPUT, "%s", tr("There is no number to explain in this stage."));
        select_number(cx, id, index); /* the film stays where it is */
        return true;
    }
    follow(cx, id, index);
    return true;
}

/* To where the explanation number `at` (from 0) of the trail began. */
static void go_back(ActionContext *cx, int at) {
    View *view = cx->view;
    double speed = view->film.speed;
    view->n_trail = at;
    view->selection = view->trail[at];
    view->film = view->trail_film[at];
    view->film.speed = speed;
    view->head = view->trail_head[at];
    view->controls = false;
    if (!cx->run) return;
    film_clamp(&view->film, cx->run->trace);
    if (!film_shows(cx->run->trace, view->film.stage, view->block_open)) view->block_open = true;
    run_note_place(cx->run, view);
}

bool action_trail_back(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    if (cx->view->n_trail > 0) go_back(cx, cx->view->n_trail - 1);
    return true;
}

bool action_trail(ActionContext *cx, const ActionLine *line, Err *err) {
    int wanted;
    int index[TENSOR_RANK_MAX];
    TensorId id;
    if (!action_needs_run(cx, err)) return false;
    if (!action_int("trail", line->arg[1], 1, TRAIL_MAX, &wanted, err)) return false;
    if (!action_has_selection(cx)) return err_set(err, ERR_INPUT, "%s", tr("Nothing is selected: click a number first."));
    if (wanted <= cx->view->n_trail) go_back(cx, wanted - 1);
    View walked = *cx->view; /* the trail may be shorter than what is asked for: then nobody has gone anywhere */
    ActionContext walk = *cx;
    walk.view = &walked;
    while (walked.n_trail + 1 < wanted) {
        if (!source_operand(&walk, &id, index, err)) return false;
        follow(&walk, id, index);
    }
    *cx->view = walked;
    return true;
}
