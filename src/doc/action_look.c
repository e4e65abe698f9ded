/* How maps are drawn: their shape, colours, what is left out, and which part of them is shown. */
#include <math.h>

#include "base/tr.h"
#include "doc/action_parts.h"
#include "doc/film.h"

static bool choose(const ActionLine *line, const char *what, const char *const *names, int count, int now, int *out, Err *err) {
    *out = (now + 1) % count;
    return line->n < 2 || action_choice(what, names, count, line->arg[1], out, err);
}

bool action_shape(ActionContext *cx, const ActionLine *line, Err *err) {
    int shape;
    if (!choose(line, "shape", shape_names, MAP_SHAPE_COUNT, (int)cx->view->shape, &shape, err)) return false;
    cx->view->shape = (MapShape)shape;
    return true;
}

bool action_heads_shown(ActionContext *cx, const ActionLine *line, Err *err) {
    int shown;
    if (!choose(line, "heads.show", heads_shown_names, HEADS_SHOWN_COUNT, (int)cx->view->heads_shown, &shown, err)) return false;
    cx->view->heads_shown = (HeadsShown)shown;
    cx->view->aggregate = AGGREGATE_HEAD;
    return true;
}

bool action_log(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const names[] = {"off", "on"};
    int on;
    if (!choose(line, "log", names, 2, cx->view->log_scale, &on, err)) return false;
    cx->view->log_scale = on == 1;
    return true;
}

bool action_range(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const names[] = {"shared", "own"};
    int own;
    if (!choose(line, "range", names, 2, cx->view->own_range, &own, err)) return false;
    cx->view->own_range = own == 1;
    return true;
}

bool action_threshold(ActionContext *cx, const ActionLine *line, Err *err) {
    return action_double("threshold", line->arg[1], 0, 1, &cx->view->threshold, err);
}

/* ---- hidden columns ---- */

bool action_has_hidden(const ActionContext *cx) { return cx->view->n_hidden > 0; }

bool action_hide(ActionContext *cx, const ActionLine *line, Err *err) {
    int key;
    if (!action_needs_run(cx, err)) return false;
    int keys = run_site(cx->run, cx->view->film.stage)->spec.S;
    if (!action_int("key", line->arg[1], 1, keys > 0 ? keys : 1, &key, err)) return false;
    return view_hide(cx->view, key - 1) || err_set(err, ERR_LIMIT, tr("%d columns are hidden already; no more can be."), VIEW_HIDDEN_MAX);
}

bool action_hide_none(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->n_hidden = 0;
    return true;
}

/* ---- zoom ---- */

/* Rows and columns of the map in view; 1 where there is none. */
static void map_size(const ActionContext *cx, int *rows, int *cols) {
    *rows = *cols = 1;
    if (!cx->run) return;
    int at = cx->view->film.stage;
    TensorId id = action_in_overview(cx) ? run_site(cx->run, at)->weights : trace_stage(cx->run->trace, at)->result;
    const Tensor *t = id == TENSOR_NONE ? NULL : trace_tensor(cx->run->trace, id);
    if (!t) return;
    *cols = t->dim[t->rank - 1];
    if (t->rank > 1) *rows = t->dim[t->rank - 2];
}

/* Zooming that begins is about what is selected, else about the middle of the map. */
static void begin(ActionContext *cx, int rows, int cols) {
    View *view = cx->view;
    const ViewRef *at = &view->selection;
    view->zoom_row = (rows - 1) / 2.0;
    view->zoom_column = (cols - 1) / 2.0;
    TensorId id = cx->run && at->tensor[0] ? trace_find(cx->run->trace, at->tensor) : TENSOR_NONE;
    int rank = id == TENSOR_NONE ? 0 : trace_tensor(cx->run->trace, id)->rank;
    if (rank < 2) return;
    view->zoom_row = at->index[rank - 2];
    view->zoom_column = at->index[rank - 1];
}

/* The middle moves to where the window stands, so that the next step of a pan is seen. */
static void keep_inside(View *view, int rows, int cols) {
    int first, count;
    view_window(rows, view->zoom, view->zoom_row, &first, &count);
    view->zoom_row = first + (count - 1) / 2.0;
    view_window(cols, view->zoom, view->zoom_column, &first, &count);
    view->zoom_column = first + (count - 1) / 2.0;
}

/* No further than until four cells of the longer side are seen. */
static void set_zoom(ActionContext *cx, double zoom) {
    int rows, cols;
    View *view = cx->view;
    map_size(cx, &rows, &cols);
    double most = fmin(VIEW_ZOOM_MAX, fmax(1, (rows > cols ? rows : cols) / 4.0));
    if (view->zoom <= 1) begin(cx, rows, cols);
    view->zoom = fmin(most, fmax(1, zoom));
    keep_inside(view, rows, cols);
}

bool action_has_zoom(const ActionContext *cx) { return cx->view->zoom > 1; }

bool action_zoom(ActionContext *cx, const ActionLine *line, Err *err) {
    double zoom, row, column;
    int rows, cols;
    if (!action_needs_run(cx, err) || !action_double("zoom", line->arg[1], 1, VIEW_ZOOM_MAX, &zoom, err)) return false;
    map_size(cx, &rows, &cols);
    bool place = line->n > 3;
    if (place && (!action_double("row", line->arg[2], 1, rows, &row, err) || !action_double("column", line->arg[3], 1, cols, &column, err))) return false;
    set_zoom(cx, zoom);
    if (!place) return true;
    cx->view->zoom_row = row - 1;
    cx->view->zoom_column = column - 1;
    keep_inside(cx->view, rows, cols);
    return true;
}

bool action_zoom_in(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    if (!action_needs_run(cx, err)) return false;
    set_zoom(cx, cx->view->zoom * 2);
    return true;
}

bool action_zoom_out(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    set_zoom(cx, cx->view->zoom / 2);
    return true;
}

bool action_zoom_reset(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line, (void)err;
    cx->view->zoom = 1;
    return true;
}

bool action_pan(ActionContext *cx, const ActionLine *line, Err *err) {
    static const char *const ways[] = {"left", "right", "up", "down"};
    static const int by[][2] = {{0, -1}, {0, 1}, {-1, 0}, {1, 0}}; /* rows, columns */
    int way, rows, cols, first, n_rows, n_cols;
    if (!action_choice("pan", ways, 4, line->arg[1], &way, err)) return false;
    map_size(cx, &rows, &cols);
    view_window(rows, cx->view->zoom, cx->view->zoom_row, &first, &n_rows);
    view_window(cols, cx->view->zoom, cx->view->zoom_column, &first, &n_cols);
    cx->view->zoom_row += by[way][0] * fmax(1, floor(n_rows / 2.0));
    cx->view->zoom_column += by[way][1] * fmax(1, floor(n_cols / 2.0));
    keep_inside(cx->view, rows, cols);
    return true;
}
