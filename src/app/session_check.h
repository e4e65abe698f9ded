/* Somebody's own tensors (doc/check.h) shown beside the right ones: A of the comparison is theirs, B is right. B follows every
 * change of the settings; A is what their file has of it. */
#ifndef APP_SESSION_CHECK_H
#define APP_SESSION_CHECK_H

#include "app/session_state.h"
#include "doc/action.h"

/* Effect `check`. */
bool check_do_check(Session *s, const ActionLine *line, Err *err);
/* What is said follows the run; the check ends where the document is not its file's any more. */
void check_settle(Session *s);
void check_drop(Session *s);

#endif
