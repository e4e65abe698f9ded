/* What belongs to the person at the window and not into a picture: menus, the focus, the pointer and what is said about it. */
#ifndef APP_EXPORT_ASIDE_H
#define APP_EXPORT_ASIDE_H

#include "app/session_state.h"

typedef struct {
    View view;
    char status[sizeof((Session *)0)->status];
} ExportAside;

/* A view as a picture has it. */
View export_tidy(const View *view);
/* The session shows `view` and says nothing about the pointer, until it is given back what it showed. */
void export_set_aside(Session *session, const View *view, ExportAside *aside);
void export_give_back(Session *session, const ExportAside *aside);

#endif
