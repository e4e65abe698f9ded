/* Strings in JSON (RFC 8259): for the headers of files and for lists of labels. */
#ifndef MODEL_JSON_TEXT_H
#define MODEL_JSON_TEXT_H

#include "base/err.h"
#include "base/str.h"

/* Adds `text`, good UTF-8, as a JSON string with its quotes. */
void json_text_add(StrBuf *sb, const char *text);
/* ["a", "b"] as one text. */
char *json_text_list(Arena *arena, const char *const *texts, int n);
/* Reads such a list; at most `max` strings. Errors begin with `what`. */
bool json_text_parse_list(const char *json, int max, const char *what, Arena *arena, const char ***texts, int *n, Err *err);

#endif
