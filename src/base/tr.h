/* Words on the screen go through tr(): a whole sentence, never glued from pieces. The language is base/lang.h's. */
#ifndef BASE_TR_H
#define BASE_TR_H

#include <libintl.h>

/* An empty text stays one: gettext would answer with the catalogue's own header. */
static inline __attribute__((format_arg(1))) const char *tr_text(const char *text) { return text[0] ? gettext(text) : text; }

#define tr(text) tr_text(text)
/* Marks a text in a table for the translators; show it with tr(). */
#define tr_mark(text) text

#endif
