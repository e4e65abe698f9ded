/* Typing into the text fields of the session: keys, committed text, the pointer. */
#ifndef APP_SESSION_EDIT_H
#define APP_SESSION_EDIT_H

#include "app/fields.h"

bool edit_key(Session *s, const Input *input);   /* into the active field; true: used up */
/* What an input method composes at the caret of the active field, and code points before its own caret; "" = nothing. */
void edit_composed(Session *s, const char *text, int caret);
void edit_typed(Session *s, const char *text);   /* committed or pasted */
/* The button went down, or is held, at x on a field that is drawn in `box`. */
void edit_point(Session *s, FieldId id, Rect box, float x, int clicks, bool extend);

#endif
