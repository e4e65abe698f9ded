/* Pictures that a session writes: the choices of the export dialog, which stay for the next one, the name that it proposes, and
 * where the last picture went. */
#ifndef APP_SESSION_EXPORT_H
#define APP_SESSION_EXPORT_H

#include "app/session_state.h"
#include "doc/action.h"

/* The formats of pictures and films, as the dialog lists them; NULL at the end. */
extern const char *const session_export_formats[];

/* As they were left the last time, in the state folder. */
void session_export_begin(Session *s);
/* The effects `export [PATH]`, `export.set NAME [VALUE]` and `export.path`. */
bool session_export_do(Session *s, const ActionLine *line, Err *err);
bool session_export_set(Session *s, const ActionLine *line, Err *err);
bool session_export_path(Session *s, const ActionLine *line, Err *err);
/* What would be written now, in `list`, in `arena`. false: there is nothing to be seen. */
bool session_export_preview(const Session *s, Arena *arena, DisplayList *list);

#endif
