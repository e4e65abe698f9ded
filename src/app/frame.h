/* What every panel needs while it draws: the session to read, the list to draw into, the kit and the layout. */
#ifndef APP_FRAME_H
#define APP_FRAME_H

#include "app/session_state.h"
#include "scene/layout.h"
#include "ui/kit.h"

typedef struct {
    const Session *s;
    const View *view;
    DisplayList *dl;
    Kit kit;
    Layout layout;
    Rect window;
} Frame;

/* Filled in place: the kit points into it. */
void frame_init(Frame *f, const Session *s, DisplayList *dl, float width, float height);

#endif
