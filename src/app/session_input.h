/* Keys and the pointer: each goes to the first that wants it. */
#ifndef APP_SESSION_INPUT_H
#define APP_SESSION_INPUT_H

#include "app/session_state.h"

void session_on_key(Session *s, const Input *input);
void session_on_mouse(Session *s, const Input *input);

#endif
