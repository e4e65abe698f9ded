/* What lies under the pointer in the last list: the number, the control, a sentence about it. Moves nothing. */
#ifndef APP_HOVER_H
#define APP_HOVER_H

#include "app/session_state.h"

/* A hit on a map as one number of its tensor. */
bool hover_ref(const Session *s, const DlHit *hit, ViewRef *out);
/* What is under the pointer now (NULL: nothing) becomes hover and status. true: they are others than before. */
bool hover_set(Session *s, const DlHit *hit);
/* The same for a pointer that rests while the list has become another one. */
bool hover_rest(Session *s);

#endif
