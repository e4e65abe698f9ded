/* Three rows of a causal map: the program in small, in its top bar and as the window's icon. */
#ifndef APP_LOGO_H
#define APP_LOGO_H

#include "draw/dl.h"
#include "draw/theme.h"

void logo_draw(DisplayList *dl, const Theme *theme, Rect box);

#endif
