/* The windows of a presentation follow the session: the audience's fills a display, the presenter's is there while it is wanted. */
#ifndef APP_PRESENT_WINDOWS_H
#define APP_PRESENT_WINDOWS_H

#include "app/session.h"
#include "backend/window.h"

typedef struct {
    bool due;   /* the notes show another second */
    View shown; /* what they show, without light and pointer */
    Arena arena;
} PresentWindows;

/* Tell the session what time it is. */
void present_windows_time(PresentWindows *p, Session *session);
/* Open, close and place windows as the session has it; `another`: its picture is another one, so the notes are too. */
void present_windows_settle(PresentWindows *p, Window *window, Session *session, bool another);
/* Seconds to wait, at most until the notes' clock moves on. */
double present_windows_wait(const Session *session, double wait);
void present_windows_close(PresentWindows *p);

#endif
