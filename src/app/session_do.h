/* Whole action lines: those on document and view, and the effects (undo, files, clipboard, window) that only a session
 * can perform. Keys, clicks and menus all end here. */
#ifndef APP_SESSION_DO_H
#define APP_SESSION_DO_H

#include "app/session_state.h"

/* As session_do, with the error as a notice. */
bool session_try(Session *s, const char *line);
/* The same as part of a run of edits that one undo takes back (see history_push). */
bool session_try_merged(Session *s, const char *line, const char *merge);
/* What a row of a menu runs (see Menu); the open menu closes first. */
void session_item(Session *s, const char *line);

#endif
