#include "app/panel_menu.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/number.h"
#include "app/panel_bottom.h"
#include "app/panel_top.h"
#include "app/session_export.h"
#include "base/tr.h"
#include "draw/dl_include.h"

/* A control of the picture; where there is no room for it, the one that stands for all of its row. */
static Rect scene_control(const DisplayList *dl, const char *name, Rect window) {
    Rect box = {window.w / 2, 0, 0, 0};
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_GROUP) continue;
        const char *own = dl_text_at(dl, dl->groups[dl->commands[i].group.group].name);
        if (strcmp(own, name) == 0) return dl->commands[i].box;
        if (strcmp(own, "view.all") == 0 || strcmp(own, "mask.kind") == 0) box = dl->commands[i].box;
    }
    return box;
}

/* The selected number in the largest map of its tensor; an empty box in the middle when it is not drawn. */
static Rect selection_box(const Frame *f) {
    const DisplayList *dl = f->dl;
    const ViewRef *at = &f->view->selection;
    Rect map = {0, 0, 0, 0}, box = {f->window.w / 2, f->window.h / 3, 0, 0};
    TensorId id = f->s->run && at->tensor[0] && at->rank >= 2 ? trace_find(f->s->run->trace, at->tensor) : TENSOR_NONE;
    const DlGroup *group = NULL;
    for (int i = 0; id != TENSOR_NONE && i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_GROUP && dl->groups[c->group.group].role == ROLE_TENSOR) group = &dl->groups[c->group.group];
        if (c->kind != DL_CELLS || c->cells.tensor != id || !group || group->tensor != id || c->box.w * c->box.h <= map.w * map.h) continue;
        int down = group->at[1] > 1 ? group->at[1] : 1, across = group->at[2] > 1 ? group->at[2] : 1;
        int row = at->index[at->rank - 2] / down - c->cells.row0, col = at->index[at->rank - 1] / across - c->cells.col0;
        if (group->at[3] || row < 0 || col < 0 || row >= c->cells.rows || col >= c->cells.cols) continue;
        map = c->box;
        box = dl_cell_box(c->box, c->cells.rows, c->cells.cols, c->cells.gap, row, col);
    }
    return box;
}

static Rect anchor_box(const Frame *f, const char *name) {
    if (strcmp(name, "selection") == 0) return selection_box(f);
    Rect cell;
    if (strcmp(name, "speed") == 0) return bottom_speed(f);
    if (strcmp(name, "cell") == 0 && (number_cell(f->s, f->dl, &f->view->selection, &cell) || number_cell(f->s, &f->s->list, &f->view->selection, &cell))) return cell;
    TopBar bar = top_make(f);
    const struct { const char *name; Rect box; } boxes[] = {
        {"top.model", bar.model}, {"top.mask", bar.mask}, {"top.position", bar.position},
        {"top.tokenizer", bar.tokenizer}, {"top.badge", bar.badge}, {"top.examples", bar.examples}, {"top.menu", bar.menu},
    };
    for (size_t i = 0; i < sizeof boxes / sizeof boxes[0]; i++)
        if (strcmp(boxes[i].name, name) == 0) return boxes[i].box.w > 0 ? boxes[i].box : bar.menu;
    return scene_control(f->dl, name, f->window);
}

/* ---- sections side by side ---- */

static int section_length(const Menu *menu, int from) {
    int end = from + 1;
    while (end < menu->n && menu->items[end].kind != ITEM_HEADING) end++;
    return end - from;
}

/* Column and row of each item when a column has `rows` rows; sections stay together where they can. Returns
 * how many columns there are. `col` and `row` may be NULL. */
static int flow(const Menu *menu, int rows, int *col, int *row) {
    int column = 0, at = 0;
    for (int i = 0; i < menu->n; i++) {
        bool heading = menu->items[i].kind == ITEM_HEADING;
        if (heading && at > 0 && at + section_length(menu, i) > rows) column++, at = 0;
        if (at >= rows) column++, at = 0;
        if (col) col[i] = column;
        if (row) row[i] = at;
        at++;
    }
    return column + 1;
}

/* The fewest rows that need no more columns than `rows` do. */
static int balance(const Menu *menu, int rows) {
    int columns = flow(menu, rows, NULL, NULL);
    while (rows > 1 && flow(menu, rows - 1, NULL, NULL) == columns) rows--;
    return rows;
}

/* ---- places ---- */

static float clampf(float x, float low, float high) {
    return x > high ? high : x < low ? low : x;
}

/* Columns and their rows for a room; 1 column when several are too wide for it. */
static int fit_columns(const Frame *f, float room_w, float room_h, int *rows) {
    const Menu *menu = &f->s->menu;
    int most = kit_list_rows(&f->kit, room_h);
    if (most < 4) most = 4;
    *rows = balance(menu, most);
    int columns = flow(menu, *rows, NULL, NULL);
    float width = kit_list_width(&f->kit, menu->items, menu->n);
    if (columns > 1 && (float)columns * width > room_w) {
        *rows = most < menu->n ? most : menu->n;
        return 1;
    }
    return columns;
}

enum { BESIDE_LEAST = 8 }; /* rows: columns that open upwards stay within the stage where so many have room */

static MenuPlace place_drop(const Frame *f) {
    const Menu *menu = &f->s->menu;
    float pad = f->kit.pad, edge = pad, row = kit_row_height(&f->kit);
    Rect anchor = anchor_box(f, menu->anchor);
    bool alone = anchor.w <= 0 && anchor.y <= 0; /* its control is not in sight */
    if (alone) anchor = (Rect){f->window.w / 2, f->layout.stage.y, 0, 0};
    bool up = anchor.y > f->window.h / 2;
    float room = up ? anchor.y - 2 * pad : f->window.h - anchor.y - anchor.h - 2 * pad, beside = up ? anchor.y - f->layout.stage.y : room;
    if (menu->shape == SHAPE_COLUMNS && beside >= BESIDE_LEAST * row) room = beside;
    int rows = menu->n, columns = 1;
    if (menu->shape == SHAPE_COLUMNS) columns = fit_columns(f, f->window.w - 4 * pad, room - 2 * pad, &rows);
    float width = (float)columns * kit_list_width(&f->kit, menu->items, menu->n) + pad;
    int most = kit_list_rows(&f->kit, room - 2 * edge);
    if (rows > most) rows = most, width += pad;
    if (width > f->window.w - 2 * pad) width = f->window.w - 2 * pad;
    float height = (float)rows * row + 2 * edge;
    float x = clampf(alone ? anchor.x - width / 2 : anchor.x, pad, f->window.w - width - pad);
    Rect sheet = {x, up ? anchor.y - height - 0.5f * pad : anchor.y + anchor.h + 0.75f * pad, width, height};
    return (MenuPlace){.sheet = sheet, .list = {sheet.x + 0.5f * pad, sheet.y + edge, sheet.w - pad, height - 2 * edge}, .columns = columns};
}

bool menu_tells(const Frame *f) {
    return f->s->menu.name && f->s->menu.hint && f->view->notice[0];
}

static float dialog_width(const Frame *f) {
    float width = 80 * f->kit.pad, most = f->window.w - 4 * f->kit.pad;
    return width < most ? width : most;
}

/* The notice over the field, or the dialog's own note; the height with the space over it. */
static float note_height(const Frame *f) {
    float size = f->layout.type[TYPE_BODY];
    const char *text = menu_tells(f) ? f->view->notice : f->s->menu.note;
    return text ? f->kit.pad + dl_paragraph_height(f->kit.font, FACE_UI, size, dialog_width(f) - 6 * f->kit.pad, 1.45f * size, text) : 0;
}

static MenuPlace place_dialog(const Frame *f) {
    const Menu *menu = &f->s->menu;
    float pad = f->kit.pad, row = kit_row_height(&f->kit);
    float head = 1.4f * f->layout.type[TYPE_TITLE] + 1.5f * pad, field = menu->hint ? 5 * pad + 1.5f * pad : 0;
    float note = note_height(f);
    float room = f->window.h - 10 * pad - head - field - note;
    int rows = menu->n > 1 ? menu->n : 1, columns = 1;
    float width = menu->shape == SHAPE_PREVIEW ? f->window.w - 8 * pad : dialog_width(f);
    if (menu->shape == SHAPE_TABLE) {
        columns = fit_columns(f, f->window.w - 8 * pad, room, &rows);
        width = (float)columns * kit_list_width(&f->kit, menu->items, menu->n) + 5 * pad;
    } else if (menu->fixed_rows > 0) {
        rows = menu->fixed_rows;
    }
    int most = kit_list_rows(&f->kit, room);
    if (menu->shape == SHAPE_DIALOG && menu->hint && most > 14) most = 14;
    if (menu->shape == SHAPE_PREVIEW) rows = most; /* choices come and go, the picture stays */
    if (rows > most) rows = most;
    float height = 6 * pad + head + field + note + (float)rows * row;
    if (width > f->window.w - 4 * pad) width = f->window.w - 4 * pad;
    Rect sheet = {(f->window.w - width) / 2, (f->window.h - height) / 3, width, height};
    if (sheet.y < 2 * pad) sheet.y = 2 * pad;
    Rect inside = rect_inset(sheet, 3 * pad);
    rect_cut_top(&inside, head + note);
    MenuPlace place = {.sheet = sheet, .columns = columns};
    if (menu->hint) {
        place.field = rect_cut_top(&inside, 5 * pad);
        rect_cut_top(&inside, 1.5f * pad);
    }
    if (menu->shape == SHAPE_PREVIEW) {
        place.preview = rect_cut_right(&inside, inside.w * 0.6f);
        rect_cut_right(&inside, 2 * pad);
    }
    place.list = (Rect){inside.x - pad, inside.y, inside.w + 2 * pad, inside.h};
    return place;
}

MenuPlace menu_place(const Frame *f) {
    MenuShape shape = f->s->menu.shape;
    if (shape == SHAPE_CELL) return number_place(f);
    return shape == SHAPE_DROP || shape == SHAPE_COLUMNS ? place_drop(f) : place_dialog(f);
}

/* ---- drawing ---- */

static void draw_columns(const Frame *f, const MenuPlace *place) {
    const Menu *menu = &f->s->menu;
    int *col = ARENA_ARRAY(f->dl->arena, int, (size_t)menu->n + 1), *row = ARENA_ARRAY(f->dl->arena, int, (size_t)menu->n + 1);
    float height = kit_row_height(&f->kit), width = place->list.w / (float)place->columns;
    int columns = flow(menu, balance(menu, kit_list_rows(&f->kit, place->list.h)), col, row);
    float mark = kit_list_mark(&f->kit, menu->items, menu->n);
    for (int i = 0; i < menu->n; i++) {
        char name[64];
        snprintf(name, sizeof name, "menu.%d", i + 1);
        kit_row(&f->kit, (Rect){place->list.x + width * (float)col[i], place->list.y + height * (float)row[i], width, height}, name,
                &menu->items[i], i == f->view->menu_item, mark);
    }
    for (int c = 1; c < columns; c++) {
        float x = place->list.x + width * (float)c;
        dl_line(f->dl, x, place->list.y, x, place->list.y + place->list.h, f->kit.theme->line, 1);
    }
}

static void draw_rows(const Frame *f, const MenuPlace *place) {
    const Menu *menu = &f->s->menu;
    if (place->columns > 1) draw_columns(f, place);
    else kit_list(&f->kit, place->list, "menu", menu->items, menu->n, f->view->menu_item, (int)f->view->menu_scroll);
}

static void draw_dialog(const Frame *f, const MenuPlace *place) {
    const Menu *menu = &f->s->menu;
    const Kit *kit = &f->kit;
    float size = f->layout.type[TYPE_TITLE];
    Rect inside = rect_inset(place->sheet, 3 * kit->pad), head = rect_cut_top(&inside, 1.4f * size);
    kit_icon_button(kit, (Rect){head.x + head.w - 3 * kit->pad, head.y - 0.5f * kit->pad, 4 * kit->pad, 4 * kit->pad}, "dialog.close",
                    "menu.close", tr("Close"), ICON_CLOSE, LOOK_BARE);
    rect_cut_right(&head, 5 * kit->pad);
    dl_label(f->dl, kit->font, FACE_UI_SEMIBOLD, size, kit->theme->ink, head, ALIGN_LEFT, menu->title);
    const char *note = menu_tells(f) ? f->view->notice : menu->note;
    if (note) {
        Rect box = rect_cut_top(&inside, note_height(f));
        float line = 1.45f * f->layout.type[TYPE_BODY];
        Color color = !menu_tells(f) ? kit->theme->muted : f->view->notice_is_error ? kit->theme->error : kit->theme->ink;
        rect_cut_top(&box, kit->pad);
        dl_paragraph(f->dl, kit->font, FACE_UI, f->layout.type[TYPE_BODY], color, box, line, note);
    }
    if (menu->hint) {
        KitField field = top_field(f, FIELD_QUERY);
        kit_field(kit, place->field, &field);
    }
}

/* What would be written, as large as there is room. */
static void draw_preview(const Frame *f, Rect room) {
    DisplayList list;
    if (room.w < 4 * f->kit.pad || room.h < 4 * f->kit.pad || !session_export_preview(f->s, f->dl->arena, &list)) return;
    float scale = fminf(fminf(room.w / list.width, room.h / list.height), 1), w = list.width * scale, h = list.height * scale;
    Rect page = {room.x + (room.w - w) / 2, room.y + (room.h - h) / 2, w, h};
    dl_include(f->dl, &list, page.x, page.y, scale);
    dl_rect(f->dl, rect_inset(page, -1), 0, COLOR_NONE, f->kit.theme->line, 1);
}

void menu_draw(const Frame *f) {
    const Menu *menu = &f->s->menu;
    MenuPlace place = menu_place(f);
    bool dialog = menu->shape == SHAPE_DIALOG || menu->shape == SHAPE_TABLE || menu->shape == SHAPE_PREVIEW;
    if (menu->shape == SHAPE_CELL) { /* the rest can be clicked */
        number_draw(f, &place);
        return;
    }
    kit_scrim(&f->kit, f->window, dialog ? (f->kit.theme->dark ? 0.5 : 0.25) : 0, "menu.close");
    kit_sheet(&f->kit, place.sheet, dialog ? 12 : 8, dialog ? "dialog" : "menu", menu->title ? menu->title : menu->name);
    if (dialog) draw_dialog(f, &place);
    draw_rows(f, &place);
    if (place.preview.w > 0) draw_preview(f, place.preview);
}
