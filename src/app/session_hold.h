/* Holding the document as it is, A, to compare with it what it becomes, B. */
#ifndef APP_SESSION_HOLD_H
#define APP_SESSION_HOLD_H

#include "app/session_state.h"
#include "doc/action.h"

/* Effects `hold`, `compare`, `hold.drop`. */
bool hold_do_hold(Session *s, const ActionLine *line, Err *err);
bool hold_do_compare(Session *s, const ActionLine *line, Err *err);
bool hold_do_drop(Session *s, const ActionLine *line, Err *err);
/* The held run has the numbers that the picture reads; what cannot be computed again is said in the picture. */
void hold_settle(Session *s);
/* Nothing is held any more, nor checked. */
void hold_close(Session *s);
/* `run` and its document in the place of what is held; taken over. */
void hold_replace(Session *s, Run *run);

#endif
