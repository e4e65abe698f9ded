#include <assert.h>

#include "draw/dl.h"

typedef struct {
    DisplayList *to;
    const DisplayList *from;
    float dx, dy;
} Copy;

static Rect moved(const Copy *copy, Rect box) { return (Rect){box.x + copy->dx, box.y + copy->dy, box.w, box.h}; }

static uint32_t store(const Copy *copy, uint32_t text) { return dl_store(copy->to, dl_text_at(copy->from, text)); }

/* Commands without anything in a pool. */
static DlCommand *copy_plain(const Copy *copy, const DlCommand *c) {
    DlCommand *to = dl_add(copy->to, c->kind, moved(copy, c->box));
    Rect box = to->box;
    *to = *c;
    to->box = box;
    return to;
}

static void copy_clip(const Copy *copy, const DlCommand *c) { dl_clip(copy->to, moved(copy, c->box)); }

static void copy_unclip(const Copy *copy, const DlCommand *c) {
    (void)c;
    dl_unclip(copy->to);
}

static void copy_group(const Copy *copy, const DlCommand *c) {
    DlGroup group = copy->from->groups[c->group.group];
    group.action = store(copy, group.action);
    group.double_action = store(copy, group.double_action);
    group.name = store(copy, group.name);
    group.label = store(copy, group.label);
    dl_group(copy->to, moved(copy, c->box), &group);
}

static void copy_ungroup(const Copy *copy, const DlCommand *c) {
    (void)c;
    dl_ungroup(copy->to);
}

static void copy_shape(const Copy *copy, const DlCommand *c) { copy_plain(copy, c); }

static void copy_text(const Copy *copy, const DlCommand *c) { copy_plain(copy, c)->text.text = store(copy, c->text.text); }

static void copy_path(const Copy *copy, const DlCommand *c) {
    DlPoint *points = ARENA_ARRAY(copy->to->arena, DlPoint, c->path.count + 1);
    for (uint32_t i = 0; i < c->path.count; i++) {
        DlPoint p = copy->from->points[c->path.first + i];
        points[i] = (DlPoint){p.x + copy->dx, p.y + copy->dy};
    }
    dl_path(copy->to, points, (int)c->path.count, c->path.closed, c->fill, c->stroke, c->width);
}

static void copy_cells(const Copy *copy, const DlCommand *c) {
    const DlCells *cells = &c->cells;
    dl_cells(copy->to, moved(copy, c->box), cells->rows, cells->cols, cells->gap, cells->radius, copy->from->colors + cells->colors,
             copy->from->values + cells->values, copy->from->marks + cells->marks, cells->tensor, cells->head, cells->row0, cells->col0);
}

static void copy_ribbon(const Copy *copy, const DlCommand *c) {
    DlCommand *to = copy_plain(copy, c);
    to->ribbon.y0 += copy->dy;
    to->ribbon.y1 += copy->dy;
}

static void (*const copy_kind[])(const Copy *copy, const DlCommand *c) = {
    [DL_CLIP] = copy_clip,   [DL_UNCLIP] = copy_unclip, [DL_GROUP] = copy_group, [DL_UNGROUP] = copy_ungroup, [DL_RECT] = copy_shape,
    [DL_LINE] = copy_shape,  [DL_PATH] = copy_path,     [DL_TEXT] = copy_text,   [DL_CELLS] = copy_cells,     [DL_RIBBON] = copy_ribbon,
};
static_assert(sizeof copy_kind / sizeof copy_kind[0] == DL_KIND_COUNT, "each kind of command can be copied");

void dl_append(DisplayList *dl, const DisplayList *part, float dx, float dy) {
    Copy copy = {dl, part, dx, dy};
    for (int i = 0; i < part->n; i++) copy_kind[part->commands[i].kind](&copy, &part->commands[i]);
}
