/* Actions on document and view, with what belongs to each: a step of undo and everything that follows. Performs no
 * effects; those are app/session_do.h. */
#ifndef APP_SESSION_ACT_H
#define APP_SESSION_ACT_H

#include "app/session_state.h"

/* A parsed line; `merge` as history_push takes it. For an effect *effect is its position in the action table and
 * nothing is done, else -1. */
bool session_act(Session *s, const ActionLine *line, const char *merge, int *effect, Err *err);
/* `set KEY VALUE` for a value of any length. */
bool session_act_set(Session *s, const char *key, const char *value, const char *merge, Err *err);
/* What the action `model FOLDER` makes of a document. */
bool session_try_model(Session *s, const char *folder, Doc *doc, Err *err);
/* That action on the open document. */
bool session_act_folder(Session *s, const char *folder, Err *err);
/* The same with a run that was built beside it and is taken over. */
bool session_act_model(Session *s, const char *folder, Run *run, Err *err);
/* The text of a side, of any length, as typing: the action `text` or `source` without its line's limit. */
bool session_act_text(Session *s, const char *text, bool source, const char *merge, Err *err);
/* Back or forth along the history; false: there is nothing that way. */
bool session_act_undo(Session *s);
bool session_act_redo(Session *s);

#endif
