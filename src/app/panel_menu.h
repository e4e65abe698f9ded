/* The open menu or dialog over everything else. It hangs under controls of the bars, so it knows where those are, and
 * reads its rows from the session; it does not know what they mean. */
#ifndef APP_PANEL_MENU_H
#define APP_PANEL_MENU_H

#include "app/frame.h"

/* Where it is: the sheet and, inside it, list and field. */
typedef struct {
    Rect sheet, field, list, preview; /* preview.w = 0: none */
    int columns; /* 1 for plain lists */
} MenuPlace;

MenuPlace menu_place(const Frame *f);
void menu_draw(const Frame *f);
/* Does the open dialog show the notice itself? What went wrong stands where it can be mended. */
bool menu_tells(const Frame *f);

#endif
