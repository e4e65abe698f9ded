/* Words on the screen go through tr(): a whole sentence, never glued from pieces. */
#ifndef BASE_TR_H
#define BASE_TR_H

#include <libintl.h>

#define tr(text) gettext(text)
/* Marks a text in a table for the translators; show it with tr(). */
#define tr_mark(text) text

#endif
