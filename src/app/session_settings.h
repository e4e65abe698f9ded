/* What a person has chosen for all documents: theme, colours, text size, speed, motion, language, and how pictures are exported. In
 * `settings` of the config folder, a line "theme: dark" for each; what nobody has chosen stands in none. A file with a mistake is told
 * and left as it is. */
#ifndef APP_SESSION_SETTINGS_H
#define APP_SESSION_SETTINGS_H

#include "app/session_state.h"

/* Takes over what the file says; before the command line's own wishes. */
void session_settings_begin(Session *s);
/* What a file or a command line wants just now is no choice of the person: it is not written. */
void session_settings_accept(Session *s);
/* Writes what is another choice than it was; with each update. */
void session_settings_keep(Session *s);

#endif
