/* What follows from document and view: the run, the limits of the view, the rows of the open menu. Knows no actions
 * and no input. */
#ifndef APP_SESSION_SETTLE_H
#define APP_SESSION_SETTLE_H

#include "app/session_state.h"

/* Bring everything in step; cheap when nothing changed. */
void session_settle(Session *s);
/* A run of the document as it is takes the place of the last one. The view was made for that one (the film stays
 * where it was), or comes with `another` document. */
void session_take_run(Session *s, Run *run, bool another);
/* Is all in memory that the picture reads, and may it be read now? */
bool session_pictured(const Session *s);
/* The same, waited for: what is written or copied is whole. true where there is nothing to wait for. */
bool session_have_picture(Session *s, Err *err);
/* Opens a menu, with a text in its field. true. */
bool session_open_menu(Session *s, const char *name, const char *query);
/* Changed numbers that have no place in the run are not lost, and not silently: it is said where they are more than `before`. */
void session_tell_waiting(Session *s, const Run *run, int before);
/* A document takes the place of the open one, as one step of undo. `doc` is left empty; `path` and `safe` as
 * history_begin takes them. */
void session_replace(Session *s, Doc *doc, const char *path, bool safe);

#endif
