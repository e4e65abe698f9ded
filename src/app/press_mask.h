/* The right button in the Mask stage: on a name the whole row or column, on a cell a menu of what can be done with it. */
#ifndef APP_PRESS_MASK_H
#define APP_PRESS_MASK_H

#include "app/press.h"

bool press_mask_head(Session *s, const PressAt *at);
/* Selects the number and opens its menu. */
void press_mask_menu(Session *s, const ViewRef *number);

#endif
