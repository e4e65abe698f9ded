#include "app/press_mask.h"

#include "app/hover.h"
#include "app/session_do.h"

static bool in_mask_stage(const Session *s) {
    return s->run && !s->view.overview && trace_stage(s->run->trace, s->view.film.stage)->kind == STAGE_MASK;
}

static bool close_to(float a, float b) { return a - b < 1.5f && b - a < 1.5f; }

/* The map whose names stand in this band. */
static const DlCommand *map_of(const DisplayList *list, Rect band, bool rows) {
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_CELLS) continue;
        bool beside = rows ? close_to(c->box.x, band.x + band.w) && close_to(c->box.y, band.y) : close_to(c->box.y, band.y + band.h) && close_to(c->box.x, band.x);
        if (beside) return c;
    }
    return NULL;
}

/* The position on the named side under the pointer, of the map in its cells' own numbers. */
static bool named(Session *s, const PressAt *at, bool rows, int *position) {
    const DlCommand *map = map_of(&s->list, at->hit->box, rows);
    DlHit hit;
    ViewRef ref;
    if (!map) return false;
    float x = rows ? map->box.x + 1 : at->input->x, y = rows ? at->input->y : map->box.y + 1;
    if (!dl_hit(&s->list, x, y, &hit) || !hover_ref(s, &hit, &ref) || ref.rank < 2) return false;
    *position = ref.index[ref.rank - (rows ? 2 : 1)];
    return true;
}

static bool has_token(const Session *s, const ViewRef *ref, AxisKind kind) {
    TensorId id = trace_find(s->run->trace, ref->tensor);
    for (int a = 0; id != TENSOR_NONE && a < ref->rank; a++)
        if (run_axis(s->run, id, a) == kind) return true;
    return false;
}

void press_mask_menu(Session *s, const ViewRef *number) {
    if (session_try(s, arena_printf(&s->scratch, "select %s", view_ref_text(number, ",", &s->scratch)))) session_try(s, "menu mask.cell");
}

bool press_mask_head(Session *s, const PressAt *at) {
    int position;
    if (s->menu.name || !in_mask_stage(s)) return false;
    if (at->number && has_token(s, at->number, AXIS_QUERY) && has_token(s, at->number, AXIS_KEY)) {
        press_mask_menu(s, at->number);
        return true;
    }
    bool rows = str_starts(at->name, "mask.queries."), columns = str_starts(at->name, "mask.keys.");
    if ((!rows && !columns) || !named(s, at, rows, &position)) return false;
    session_try(s, arena_printf(&s->scratch, "%s %d", rows ? "mask.row" : "mask.column", position + 1));
    return true;
}
