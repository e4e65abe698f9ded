/* Which cells of the picture show which numbers. */
#include <math.h>

#include "app/number.h"
#include "scene/matrix.h"

enum { DEPTH = 64 };

/* One walk over the cells of a tensor in a list. */
typedef struct {
    const DisplayList *list;
    const Tensor *tensor;
    TensorId id;
    int at, cell;              /* command; the next cell in it */
    int open[DEPTH], n_open;   /* groups around it */
} Cells;

static const DlGroup *around(const Cells *c) {
    for (int i = c->n_open < DEPTH ? c->n_open - 1 : DEPTH - 1; i >= 0; i--) {
        const DlGroup *group = &c->list->groups[c->open[i]];
        if (group->role == ROLE_TENSOR && group->tensor == c->id) return group;
    }
    return NULL;
}

/* The next cell and the number in it; its group says how many numbers it stands for. */
static bool next_cell(Cells *c, Rect *box, ViewRef *ref, const DlGroup **group) {
    for (; c->at < c->list->n; c->at++, c->cell = 0) {
        const DlCommand *d = &c->list->commands[c->at];
        if (d->kind == DL_GROUP) {
            if (c->n_open < DEPTH) c->open[c->n_open] = (int)d->group.group;
            c->n_open++;
        } else if (d->kind == DL_UNGROUP) {
            c->n_open--;
        }
        if (d->kind != DL_CELLS || d->cells.tensor != c->id || (*group = around(c)) == NULL) continue;
        while (c->cell < d->cells.rows * d->cells.cols) {
            int row = c->cell / d->cells.cols, col = c->cell % d->cells.cols;
            if (c->list->marks[d->cells.marks + (uint32_t)c->cell++] == CELL_NONE) continue;
            *box = dl_cell_box(d->box, d->cells.rows, d->cells.cols, d->cells.gap, row, col);
            matrix_hit_index(c->tensor, *group, d->cells.head, row + d->cells.row0, col + d->cells.col0, ref->index);
            if (tensor_has(c->tensor, ref->index)) return true;
        }
    }
    return false;
}

static bool begin(Cells *c, const Session *s, const DisplayList *list, const ViewRef *ref) {
    TensorId id = s->run && ref->tensor[0] ? trace_find(s->run->trace, ref->tensor) : TENSOR_NONE;
    if (id == TENSOR_NONE || !list) return false;
    *c = (Cells){.list = list, .tensor = trace_tensor(s->run->trace, id), .id = id};
    return true;
}

/* Does a cell that begins at `from` hold this number? */
static bool holds(const DlGroup *group, const ViewRef *from, const ViewRef *ref) {
    int rows = group->at[1] > 1 ? group->at[1] : 1, cols = group->at[2] > 1 ? group->at[2] : 1;
    for (int a = 0; a < ref->rank; a++) {
        bool last = a == ref->rank - 1, before = a == ref->rank - 2;
        int many = last ? (group->at[3] == 1 ? rows : cols) : before ? (group->at[3] == 1 ? cols : rows) : 1;
        if (ref->index[a] < from->index[a] || ref->index[a] >= from->index[a] + many) return false;
    }
    return true;
}

static bool find_cell(const Session *s, const DisplayList *list, const ViewRef *ref, Rect *cell, const DlGroup **group) {
    Cells c;
    Rect box;
    ViewRef at = *ref;
    const DlGroup *of;
    bool found = false;
    if (!begin(&c, s, list, ref)) return false;
    while (next_cell(&c, &box, &at, &of)) {
        if (!holds(of, &at, ref) || (found && box.w * box.h <= cell->w * cell->h)) continue;
        *cell = box;
        *group = of;
        found = true;
    }
    return found;
}

bool number_cell(const Session *s, const DisplayList *list, const ViewRef *ref, Rect *cell) {
    const DlGroup *group;
    return find_cell(s, list, ref, cell, &group);
}

/* Reading order of two cells: -1 = a is before b. */
static int order(Rect a, Rect b) {
    if (fabsf(a.y - b.y) > 0.5f * fminf(a.h, b.h)) return a.y < b.y ? -1 : 1;
    return fabsf(a.x - b.x) < 0.5f ? 0 : a.x < b.x ? -1 : 1;
}

bool number_beside(const Session *s, const DisplayList *list, const ViewRef *ref, int by, ViewRef *out) {
    Cells c;
    Rect here, box, best = {0, 0, 0, 0};
    ViewRef at = *ref;
    const DlGroup *own, *group;
    bool found = false;
    if (!find_cell(s, list, ref, &here, &own) || !begin(&c, s, list, ref)) return false;
    while (next_cell(&c, &box, &at, &group)) {
        if (group != own || order(here, box) != -by || (found && order(box, best) != -by)) continue;
        best = box;
        *out = at;
        found = true;
    }
    return found;
}
