/* Zooming and panning the stage's map: the wheel zooms at the pointer, with Shift it pans; a drag on a zoomed map pans, and a
 * click that does not move still selects its number. */
#include <math.h>

#include "app/hover.h"
#include "app/press.h"
#include "app/session_do.h"
#include "app/session_picture.h"
#include "scene/look.h"

/* Logical units that a press may move and still be a click. */
enum { SLACK = 4 };

/* The map that is zoomed, and where the pointer is in it. */
typedef struct {
    int rows, cols;         /* of the whole map */
    double row, column;     /* under the pointer, where `on_row`, `on_column` */
    bool on_row, on_column;
    Rect cells;             /* on the screen; of the pointer's matrix */
} PanPlace;

static TensorId zoomed_tensor(Session *s) {
    if (!s->run) return TENSOR_NONE;
    if (s->view.overview && s->run->n_sites > 1) return run_site(s->run, s->view.film.stage)->weights;
    Scene scene = session_scene(s, &s->view, s->width, s->height, &s->scratch);
    return look_tensor(&scene);
}

/* The largest map of this tensor in the list. */
static Rect cells_of(const Session *s, int tensor) {
    Rect best = {0, 0, 0, 0};
    for (int i = 0; i < s->list.n; i++) {
        const DlCommand *c = &s->list.commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor == tensor && c->box.w * c->box.h > best.w * best.h) best = c->box;
    }
    return best;
}

/* Does the pointed matrix count the same rows and columns as the zoomed one? */
static void find_sides(const Session *s, TensorId result, const ViewRef *ref, PanPlace *place) {
    const Run *run = s->run;
    const Tensor *t = trace_tensor(run->trace, result);
    TensorId id = trace_find(run->trace, ref->tensor);
    if (id == TENSOR_NONE) return;
    const Tensor *own = trace_tensor(run->trace, id);
    for (int a = 0; a < own->rank; a++) {
        AxisKind kind = run_axis(run, id, a);
        if (kind == run_axis(run, result, t->rank - 2) && own->dim[a] == place->rows) place->row = ref->index[a], place->on_row = true;
        else if (kind == run_axis(run, result, t->rank - 1) && own->dim[a] == place->cols) place->column = ref->index[a], place->on_column = true;
    }
}

static bool find_place(Session *s, const ViewRef *ref, int pointed, PanPlace *place) {
    TensorId result = zoomed_tensor(s);
    if (result == TENSOR_NONE || trace_tensor(s->run->trace, result)->rank < 2) return false;
    const Tensor *t = trace_tensor(s->run->trace, result);
    *place = (PanPlace){.rows = t->dim[t->rank - 2], .cols = t->dim[t->rank - 1]};
    place->cells = cells_of(s, pointed >= 0 ? pointed : result);
    if (ref) find_sides(s, result, ref, place);
    return true;
}

static void show(Session *s, double zoom, double row, double column, const PanPlace *place) {
    char text[3][NUM_MAX];
    row = fmin(fmax(row, 0), place->rows - 1);
    column = fmin(fmax(column, 0), place->cols - 1);
    num_fixed(text[0], zoom, 4, NUM_FILE);
    num_fixed(text[1], row + 1, 2, NUM_FILE);
    num_fixed(text[2], column + 1, 2, NUM_FILE);
    session_try(s, arena_printf(&s->scratch, "zoom %s %s %s", text[0], text[1], text[2]));
}

/* ---- the wheel ---- */

/* The new middle, so that what is under the pointer stays there. */
static double keep_under(int n, double zoom, double center, double next, double at) {
    int first, count, wanted;
    view_window(n, zoom, center, &first, &count);
    double share = (at + 0.5 - first) / count;
    view_window(n, next, center, &first, &wanted);
    return at - (share - 0.5) * wanted;
}

/* Zooming makes room for the small map beside the large one, which moves its cells: what was under the pointer comes back there. */
static void come_back(Session *s, const PanPlace *place, int pointed) {
    const DlCommand *c = NULL;
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++) {
        const DlCommand *at = &list->commands[i];
        if (at->kind == DL_CELLS && at->cells.tensor == pointed && rect_has(at->box, s->pointer_x, s->pointer_y)) c = at;
    }
    if (!c || !place->on_row || !place->on_column || s->view.zoom <= 1) return;
    double down = floor((double)((s->pointer_y - c->box.y) / c->box.h) * c->cells.rows), along = floor((double)((s->pointer_x - c->box.x) / c->box.w) * c->cells.cols);
    double row = place->row - down + (c->cells.rows - 1) / 2.0, column = place->column - along + (c->cells.cols - 1) / 2.0;
    show(s, s->view.zoom, row, column, place);
}

static void zoom_at(Session *s, const PanPlace *place, float notches) {
    View *view = &s->view;
    double most = fmax(1, (place->rows > place->cols ? place->rows : place->cols) / 4.0);
    double zoom = fmin(fmin(most, VIEW_ZOOM_MAX), fmax(1, view->zoom * pow(2, (double)notches / 2)));
    double row = view->zoom > 1 ? view->zoom_row : (place->rows - 1) / 2.0, column = view->zoom > 1 ? view->zoom_column : (place->cols - 1) / 2.0;
    if (zoom <= 1) {
        if (view->zoom > 1) session_try(s, "zoom.reset");
        return;
    }
    if (place->on_row) row = keep_under(place->rows, view->zoom, row, zoom, place->row);
    if (place->on_column) column = keep_under(place->cols, view->zoom, column, zoom, place->column);
    show(s, zoom, row, column, place);
}

/* Beside a zoomed map the wheel zooms about its middle: the map may have shrunk away from under the pointer. */
static bool wheel_beside(Session *s, const Input *input) {
    PanPlace place;
    Layout layout = layout_make(s->width, s->height, &s->view);
    bool beside = s->view.zoom > 1 && s->run && !s->menu.name && s->pointer_in && !(input->mods & MOD_SHIFT) && input->y != 0;
    if (!beside || !rect_has(layout.stage, s->pointer_x, s->pointer_y) || !find_place(s, NULL, -1, &place)) return false;
    zoom_at(s, &place, input->y);
    return true;
}

static bool wheel_on_map(Session *s, const Input *input) {
    DlHit hit;
    ViewRef ref;
    PanPlace place;
    if (s->menu.name || !s->run || !s->pointer_in || !dl_hit(session_list(s), s->pointer_x, s->pointer_y, &hit) || hit.tensor < 0) return false;
    if (hit.group && hit.group->role == ROLE_HEAD) return false; /* small maps show all */
    if (!hover_ref(s, &hit, &ref) || !find_place(s, &ref, hit.tensor, &place) || (!place.on_row && !place.on_column)) return false;
    if (!(input->mods & MOD_SHIFT)) {
        if (input->y != 0) zoom_at(s, &place, input->y);
        come_back(s, &place, hit.tensor);
        return true;
    }
    int first, rows;
    view_window(place.rows, s->view.zoom, s->view.zoom_row, &first, &rows);
    if (s->view.zoom > 1) show(s, s->view.zoom, s->view.zoom_row - (double)input->y * fmax(1, rows / 8.0), s->view.zoom_column, &place);
    return true;
}

bool press_wheel(Session *s, const Input *input) { return wheel_on_map(s, input) || wheel_beside(s, input); }

/* ---- the drag ---- */

/* A map or the stage around it, not a control. */
static bool on_stage(const Session *s, const PressAt *at) {
    if (at->number) return true;
    Layout layout = layout_make(s->width, s->height, &s->view);
    bool control = at->hit && at->hit->group && (at->hit->group->action || at->hit->group->role == ROLE_MENU || at->hit->group->role == ROLE_DIALOG);
    return !control && rect_has(layout.content, at->input->x, at->input->y);
}

bool press_pan_down(Session *s, const PressAt *at) {
    PanPlace place;
    bool button = at->input->button == 2 || (at->input->button == 1 && at->input->clicks < 2);
    if (s->view.zoom <= 1 || s->menu.name || !button || !on_stage(s, at) || !find_place(s, NULL, -1, &place)) return false;
    s->pan.x = at->input->x;
    s->pan.y = at->input->y;
    s->pan.row = s->view.zoom_row;
    s->pan.column = s->view.zoom_column;
    s->pan.moved = false;
    s->pan.number = at->number && at->input->button == 1 ? *at->number : (ViewRef){0};
    return true;
}

void press_pan_move(Session *s, const Input *input) {
    PanPlace place;
    float dx = input->x - s->pan.x, dy = input->y - s->pan.y;
    s->pan.moved = s->pan.moved || hypotf(dx, dy) > SLACK;
    if (!s->pan.moved || !find_place(s, NULL, -1, &place) || place.cells.w <= 0 || place.cells.h <= 0) return;
    int first, rows, cols;
    view_window(place.rows, s->view.zoom, s->view.zoom_row, &first, &rows);
    view_window(place.cols, s->view.zoom, s->view.zoom_column, &first, &cols);
    show(s, s->view.zoom, s->pan.row - (double)(dy * (float)rows / place.cells.h), s->pan.column - (double)(dx * (float)cols / place.cells.w), &place);
}

void press_pan_up(Session *s, const Input *input) {
    (void)input;
    if (s->pan.moved || !s->pan.number.tensor[0]) return;
    session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(&s->pan.number, ",", &s->scratch)));
}
