#include "app/panels.h"

#include "app/panel_bottom.h"
#include "app/panel_menu.h"
#include "app/panel_top.h"
#include "app/panel_wait.h"

void panels_draw_below(const Session *s, DisplayList *dl, float width, float height) {
    Frame f;
    frame_init(&f, s, dl, width, height);
    if (f.view->presenting) return;
    const Theme *theme = f.kit.theme;
    Rect top = f.layout.top;
    dl_rect(dl, top, 0, theme->panel, COLOR_NONE, 0);
    dl_line(dl, top.x, top.y + top.h - 0.5f, top.x + top.w, top.y + top.h - 0.5f, theme->line, 1);
    top_draw(&f);
}

void panels_draw(const Session *s, DisplayList *dl, float width, float height) {
    Frame f;
    frame_init(&f, s, dl, width, height);
    if (f.view->presenting) present_draw(&f);
    else bottom_draw(&f);
    wait_draw(&f);
    if (!menu_tells(&f)) notice_draw(&f);
    if (s->menu.name) menu_draw(&f);
}

/* A frame for measuring: what is drawn with it is dropped. */
static void frame_measure(Frame *f, const Session *s, DisplayList *unused, Arena *scratch) {
    dl_init(unused, scratch, s->width, s->height, COLOR_NONE);
    frame_init(f, s, unused, s->width, s->height);
}

Rect panels_caret(const Session *s, Arena *scratch) {
    Frame f;
    DisplayList unused;
    frame_measure(&f, s, &unused, scratch);
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return (Rect){0, 0, 0, 0};
    KitField field = top_field(&f, id);
    TopBar bar = top_make(&f);
    Rect box = id == FIELD_QUERY ? menu_place(&f).field : id == FIELD_SOURCE ? bar.source : bar.field;
    return kit_field_caret(&f.kit, box, &field);
}

size_t panels_field_at(const Session *s, FieldId id, Rect box, float x, Arena *scratch) {
    Frame f;
    DisplayList unused;
    frame_measure(&f, s, &unused, scratch);
    KitField field = top_field(&f, id);
    return kit_field_at(&f.kit, box, &field, x);
}

int panels_menu_rows(const Session *s, Arena *scratch) {
    Frame f;
    DisplayList unused;
    frame_measure(&f, s, &unused, scratch);
    return kit_list_rows(&f.kit, menu_place(&f).list.h);
}
