/* Pictures that a session writes: the choices of the export dialog, the name that it proposes, and
 * where the last picture went. */
#ifndef APP_SESSION_EXPORT_H
#define APP_SESSION_EXPORT_H

#include "app/session_state.h"
#include "doc/action.h"

/* The formats of pictures and films, as the dialog lists them; NULL at the end. */
extern const char *const session_export_formats[];

/* One of the choices. What is said of one is kept with the settings, but for the last row, which turns what another row says. */
typedef struct {
    const char *name;                                             /* "what" */
    bool (*set)(ExportChoice *to, const char *value);             /* NULL: none was said; false: it takes no such value */
    void (*text)(const ExportChoice *of, char *out, size_t size); /* as `set` takes it; out stays as it is where nothing was chosen */
} ExportKey;
enum { EXPORT_KEPT = 6 };
extern const ExportKey session_export_keys[];

/* Before anything is chosen. */
void session_export_begin(Session *s);
bool session_export_choose(ExportChoice *to, const char *name, const char *value, Err *err);
/* The effects `export [PATH]`, `export.set NAME [VALUE]` and `export.path`. */
bool session_export_do(Session *s, const ActionLine *line, Err *err);
bool session_export_set(Session *s, const ActionLine *line, Err *err);
bool session_export_path(Session *s, const ActionLine *line, Err *err);
/* What would be written now, in `list`, in `arena`. false: there is nothing to be seen. */
bool session_export_preview(const Session *s, Arena *arena, DisplayList *list);

#endif
