/* Opening documents: scenarios, trace files, texts, what was kept. On failure nothing changes. Knows no menus and
 * no dialogs. */
#ifndef APP_SESSION_FILES_H
#define APP_SESSION_FILES_H

#include "app/session_state.h"

/* `home` is where saving writes to; "" = it asks. */
bool session_open_at(Session *s, const char *path, int which, const char *home, Err *err);
/* What was to be opened has a run (which is taken over), or none, as err says. */
void session_opened(Session *s, Run *run, const Err *err);
/* A file of app/session_keep.h: one document on top of the other, so that undo finds them all. None of them is saved,
 * and one that has no run is opened too: its text may still have been on its way. */
bool session_open_kept(Session *s, const char *path, Err *err);
/* What saving writes: with a model's folder named from where `path` is. In `arena`. */
char *session_scenario(const Session *s, const char *path, Arena *arena);
bool session_save(Session *s, const char *path, Err *err);

#endif
