#include "app/export_aside.h"

#include <string.h>

View export_tidy(const View *view) {
    View tidy = *view;
    tidy.menu[0] = tidy.focus[0] = tidy.hot[0] = tidy.notice[0] = tidy.composition[0] = '\0';
    tidy.hover = (ViewRef){0};
    return tidy;
}

void export_set_aside(Session *s, const View *view, ExportAside *aside) {
    aside->view = s->view;
    memcpy(aside->status, s->status, sizeof aside->status);
    s->view = *view;
    s->status[0] = '\0';
}

void export_give_back(Session *s, const ExportAside *aside) {
    s->view = aside->view;
    memcpy(s->status, aside->status, sizeof s->status);
}
