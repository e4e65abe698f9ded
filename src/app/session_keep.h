/* What a session leaves in the state folder: documents that are saved nowhere, the list of recent files. */
#ifndef APP_SESSION_KEEP_H
#define APP_SESSION_KEEP_H

#include "app/session_state.h"

void session_keep_open(Session *s);
/* Keep what is due, at most once in 2 s. */
void session_keep_due(Session *s);
/* Keep what is unsaved now. */
void session_keep(Session *s);
/* What is unsaved becomes the last session. */
void session_keep_close(Session *s);
/* A file was opened or saved. */
void session_keep_recent(Session *s, const char *path);

#endif
