/* Words on the screen go through tr(): a whole sentence, never glued from pieces. The language is base/lang.h's. */
#ifndef BASE_TR_H
#define BASE_TR_H

#include <libintl.h>

/* An empty text stays one: gettext would answer with the catalogue's own header. */
static inline __attribute__((format_arg(1))) const char *tr_text(const char *text) { return text[0] ? gettext(text) : text; }

static inline __attribute__((format_arg(1))) __attribute__((format_arg(2))) const char *tr_count_text(const char *one, const char *many, int n) {
    return ngettext(one, many, (unsigned long)(n < 0 ? -(long)n : n));
}

#define tr(text) tr_text(text)
/* Of a sentence that counts `n` things: English needs two forms, and each language has its own rule. */
#define tr_count(one, many, n) tr_count_text(one, many, n)
/* Marks a text in a table for the translators; show it with tr(). */
#define tr_mark(text) text

#endif
