/* The text fields of the session: which there are, which takes the keys, what they show. Only reads; typing into
 * them is app/session_edit.h. */
#ifndef APP_FIELDS_H
#define APP_FIELDS_H

#include "app/session_state.h"

typedef enum { FIELD_NONE = -1, FIELD_TEXT, FIELD_SOURCE, FIELD_QUERY, FIELD_COUNT } FieldId;

FieldId field_active(const Session *s);           /* the one that takes keys */
FieldId field_find(const char *name);             /* by the name of its control */
const char *field_name(FieldId id);
const char *field_text(const Session *s, FieldId id, Arena *arena);
/* Tokens that a document lists for this field; NULL = none. */
const DocWords *field_words(const Doc *doc, FieldId id);
/* Do given matrices fix how many tokens there are on the side of this field? It renames them. */
bool field_count_fixed(const Doc *doc, FieldId id);
/* Does the model read one text and write another? The text is then what it has written so far. */
bool field_two_texts(const Session *s);
/* Is there a second text, or does its field have the focus? */
bool field_has_source(const Session *s);

#endif
