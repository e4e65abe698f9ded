/* Steppers: a control NAME with NAME.less and NAME.more on it. Arrows change a focused one, the wheel one under the pointer. */
#ifndef APP_PRESS_STEP_H
#define APP_PRESS_STEP_H

#include "app/session_state.h"

bool step_key(Session *s, const Input *input);
bool step_wheel(Session *s, const Input *input);

#endif
