/* Presenting: the light at the pointer, the presenter's notes and timer. Knows no window and reads no clock. */
#ifndef APP_SESSION_PRESENT_H
#define APP_SESSION_PRESENT_H

#include "app/session_state.h"

/* The pointer has moved while presenting: there is light. */
void present_pointed(Session *s, float x, float y);
/* Time has passed: the light fades once the pointer has rested, a presentation that has begun starts the timer. */
void present_advance(Session *s);
/* Clock at which the light is to change next; 0 = it does not. */
double present_due(const Session *s);
/* Seconds that the presentation has taken. */
double present_timer(const Session *s);

/* Effects. */
bool present_do_notes(Session *s, const ActionLine *line, Err *err);
bool present_do_timer(Session *s, const ActionLine *line, Err *err);
bool present_do_timer_reset(Session *s, const ActionLine *line, Err *err);
bool present_do_spotlight(Session *s, const ActionLine *line, Err *err);

#endif
