#include "app/frame.h"

void frame_init(Frame *f, const Session *s, DisplayList *dl, float width, float height) {
    *f = (Frame){.s = s, .view = &s->view, .dl = dl, .layout = layout_make(width, height, &s->view), .window = {0, 0, width, height}};
    f->kit = (Kit){.dl = dl, .font = s->font, .theme = theme_at(s->view.theme), .type = f->layout.type, .pad = f->layout.pad,
                   .hot = s->view.hot, .focus = s->view.focus, .focus_visible = s->view.focus_visible};
}
