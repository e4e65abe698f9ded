#include "draw/dl_include.h"

#include <assert.h>

static void include_path(DisplayList *dl, const DisplayList *from, const DlCommand *c, float x, float y, float k) {
    Arena scratch = {0};
    DlPoint *points = ARENA_ARRAY(&scratch, DlPoint, c->path.count);
    for (uint32_t i = 0; i < c->path.count; i++) {
        DlPoint p = from->points[c->path.first + i];
        points[i] = (DlPoint){p.x * k + x, p.y * k + y};
    }
    dl_path(dl, points, (int)c->path.count, c->path.closed, c->fill, c->stroke, c->width * k);
    arena_free(&scratch);
}

static void include_command(DisplayList *dl, const DisplayList *from, const DlCommand *c, float x, float y, float k) {
    Rect box = {c->box.x * k + x, c->box.y * k + y, c->box.w * k, c->box.h * k};
    const DlCells *cells = &c->cells;
    if (c->kind == DL_TEXT && c->text.size * k < 1.5f) return; /* nothing that could be seen */
    switch (c->kind) {
    case DL_GROUP:
    case DL_UNGROUP:
    case DL_KIND_COUNT: return;
    case DL_CLIP: dl_clip(dl, box); return;
    case DL_UNCLIP: dl_unclip(dl); return;
    case DL_PATH: include_path(dl, from, c, x, y, k); return;
    case DL_CELLS:
        dl_cells(dl, box, cells->rows, cells->cols, cells->gap * k, cells->radius * k, from->colors + cells->colors, from->values + cells->values,
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
    copy->width *= k;
    copy->radius *= k;
    if (c->kind == DL_LINE) copy->line.dash *= k;
    if (c->kind == DL_RIBBON) copy->ribbon.y0 = c->ribbon.y0 * k + y, copy->ribbon.y1 = c->ribbon.y1 * k + y, copy->ribbon.h0 *= k, copy->ribbon.h1 *= k;
    if (c->kind == DL_SHADE) copy->shade.x = c->shade.x * k + x, copy->shade.y = c->shade.y * k + y, copy->shade.clear *= k, copy->shade.reach *= k;
    if (c->kind == DL_TEXT) {
        uint32_t text = dl_store(dl, dl_text_at(from, c->text.text));
        copy->text.text = text;
        copy->text.size *= k;
        copy->text.width *= k;
    }
}

void dl_include(DisplayList *dl, const DisplayList *from, float x, float y, float scale) {
    Rect page = {x, y, from->width * scale, from->height * scale};
    assert(dl != from);
    dl_clip(dl, page);
    dl_rect(dl, page, 0, from->background, COLOR_NONE, 0);
    for (int i = 0; i < from->n; i++) include_command(dl, from, &from->commands[i], x, y, scale);
    dl_unclip(dl);
}
