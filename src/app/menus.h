/* What each menu and dialog lists: rows made from tables (action table, names of the core, files) for the session as it
 * is. Changes nothing and draws nothing. */
#ifndef APP_MENUS_H
#define APP_MENUS_H

#include "app/session_state.h"

/* The menu `name`; everything lives in `arena`. false: there is none of this name. */
bool menu_build(const Session *s, const char *name, Arena *arena, Menu *out);

#endif
