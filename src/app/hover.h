/* What lies under the pointer in the last list: the number, the control, a sentence about it. Moves nothing. */
#ifndef APP_HOVER_H
#define APP_HOVER_H

#include "app/session_state.h"

/* A hit on a map as one number of its tensor. */
bool hover_ref(const Session *s, const DlHit *hit, ViewRef *out);
/* What is under the pointer now (NULL: nothing) becomes hover and status. true: they are others than before. */
bool hover_set(Session *s, const DlHit *hit);
/* Where the number under the pointer came from, in the typed text (or the source): the bytes of its query's token and of its
 * key's; empty where it has none there. Colours are left alone. */
void hover_spans(const Session *s, bool source, KitSpan span[2]);
/* The same for a pointer that rests while the list has become another one. */
bool hover_rest(Session *s);

#endif
