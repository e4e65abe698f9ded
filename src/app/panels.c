#include "app/panels.h"

#include <string.h>

#include "base/tr.h"

void frame_init(Frame *f, const Session *s, DisplayList *dl, float width, float height) {
    *f = (Frame){.s = s, .view = &s->view, .dl = dl, .layout = layout_make(width, height, &s->view), .window = {0, 0, width, height}};
    f->kit = (Kit){.dl = dl, .font = s->font, .theme = theme_at(s->view.theme), .type = f->layout.type, .pad = f->layout.pad,
                   .hot = s->view.hot, .focus = s->view.focus, .focus_visible = s->view.focus_visible};
}

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
    notice_draw(&f);
    if (s->menu.name) menu_draw(&f);
}

/* A frame for measuring: nothing is drawn with it. */
static void frame_measure(Frame *f, const Session *s, float width, float height) {
    frame_init(f, s, (DisplayList *)(uintptr_t)&s->measure, width, height);
}

Rect panels_caret(const Session *s, float width, float height) {
    Frame f;
    frame_measure(&f, s, width, height);
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return (Rect){0, 0, 0, 0};
    KitField field = top_field(&f, id);
    TopBar bar = top_make(&f);
    Rect box = id == FIELD_QUERY ? menu_place(&f).field : id == FIELD_SOURCE ? bar.source : bar.field;
    return kit_field_caret(&f.kit, box, &field);
}

size_t panels_field_at(const Session *s, FieldId id, Rect box, float x) {
    Frame f;
    frame_measure(&f, s, s->width, s->height);
    KitField field = top_field(&f, id);
    return kit_field_at(&f.kit, box, &field, x);
}

int panels_menu_rows(const Session *s, float width, float height) {
    Frame f;
    frame_measure(&f, s, width, height);
    return kit_list_rows(&f.kit, menu_place(&f).list.h);
}
