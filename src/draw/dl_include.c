#include "draw/dl_include.h"

#include <assert.h>

static void include_path(DisplayList *dl, const DisplayList *from, const DlCommand *c, float x, float y) {
    Arena scratch = {0};
    DlPoint *points = ARENA_ARRAY(&scratch, DlPoint, c->path.count);
    for (uint32_t i = 0; i < c->path.count; i++) {
        DlPoint p = from->points[c->path.first + i];
        points[i] = (DlPoint){p.x + x, p.y + y};
    }
    dl_path(dl, points, (int)c->path.count, c->path.closed, c->fill, c->stroke, c->width);
    arena_free(&scratch);
}

static void include_command(DisplayList *dl, const DisplayList *from, const DlCommand *c, float x, float y) {
    Rect box = {c->box.x + x, c->box.y + y, c->box.w, c->box.h};
    const DlCells *cells = &c->cells;
    switch (c->kind) {
    case DL_GROUP:
    case DL_UNGROUP:
    case DL_KIND_COUNT: return;
    case DL_CLIP: dl_clip(dl, box); return;
    case DL_UNCLIP: dl_unclip(dl); return;
    case DL_PATH: include_path(dl, from, c, x, y); return;
    case DL_CELLS:
        dl_cells(dl, box, cells->rows, cells->cols, cells->gap, cells->radius, from->colors + cells->colors, from->values + cells->values,
                 from->marks + cells->marks, cells->tensor, cells->head, cells->row0, cells->col0);
        return;
    case DL_RECT:
    case DL_LINE:
    case DL_TEXT:
    case DL_SHADE:
    case DL_RIBBON: break;
    }
    DlCommand *copy = dl_add(dl, c->kind, box);
    *copy = *c;
    copy->box = box;
    if (c->kind == DL_RIBBON) copy->ribbon.y0 += y, copy->ribbon.y1 += y;
    if (c->kind == DL_SHADE) copy->shade.x += x, copy->shade.y += y;
    if (c->kind == DL_TEXT) {
        uint32_t text = dl_store(dl, dl_text_at(from, c->text.text));
        copy->text.text = text;
    }
}

void dl_include(DisplayList *dl, const DisplayList *from, float x, float y) {
    Rect page = {x, y, from->width, from->height};
    assert(dl != from);
    dl_clip(dl, page);
    dl_rect(dl, page, 0, from->background, COLOR_NONE, 0);
    for (int i = 0; i < from->n; i++) include_command(dl, from, &from->commands[i], x, y);
    dl_unclip(dl);
}
