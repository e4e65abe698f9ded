/* A double click on the name of a key over a map of weights hides its column, or shows it again. */
#include "app/press.h"
#include "app/session_do.h"
#include "scene/look.h"

/* Logical units above the cells in which names stand, at scale 1. */
enum { NAMES_HIGH = 96 };

/* The key whose column of a map of weights the point is over; -1: none. */
static int key_over(const Session *s, float x, float y) {
    float high = NAMES_HIGH * layout_make(s->width, s->height, &s->view).scale, nearest = high;
    int key = -1;
    for (int i = 0; s->run && i < s->list.n; i++) {
        const DlCommand *c = &s->list.commands[i];
        if (c->kind != DL_CELLS || c->cells.tensor < 0 || c->cells.tensor >= trace_tensor_count(s->run->trace)) continue;
        const Tensor *t = trace_tensor(s->run->trace, c->cells.tensor);
        float above = c->box.y - y;
        bool over = above > 0 && above < nearest && x >= c->box.x && x < c->box.x + c->box.w && c->cells.rows > 1;
        if (!over || !look_is_weight(t->name) || run_axis(s->run, c->cells.tensor, t->rank - 1) != AXIS_KEY) continue;
        int first, shown;
        view_window(t->dim[t->rank - 1], s->view.zoom, s->view.zoom_column, &first, &shown);
        nearest = above;
        key = c->cells.col0 + (int)((x - c->box.x) * (float)c->cells.cols / c->box.w);
        if (c->cells.cols < shown) key = -1; /* a cell for several keys */
    }
    return key;
}

bool press_column_down(Session *s, const PressAt *at) {
    bool control = at->hit && at->hit->group && at->hit->group->action;
    if (at->input->button != 1 || at->input->clicks != 2 || at->number || control) return false;
    int key = key_over(s, at->input->x, at->input->y);
    if (key < 0) return false;
    session_try(s, arena_printf(&s->scratch, "hide %d", key + 1));
    return true;
}
