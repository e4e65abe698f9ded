/* All panels around the scene, in the order in which Tab walks them, and what the session asks of their geometry.
 * They read a const session; nothing here changes it. */
#ifndef APP_PANELS_H
#define APP_PANELS_H

#include "app/fields.h"

/* Backgrounds and the top bar; then, behind the scene, the rest. */
void panels_draw_below(const Session *s, DisplayList *dl, float width, float height);
void panels_draw(const Session *s, DisplayList *dl, float width, float height);

/* At the window's size; `scratch` for texts on the way. */
Rect panels_caret(const Session *s, Arena *scratch);                                        /* of the active field */
size_t panels_field_at(const Session *s, FieldId id, Rect box, float x, Arena *scratch);    /* byte under x in a field drawn in `box` */
int panels_menu_rows(const Session *s, Arena *scratch);                                     /* rows of the open menu visible at once */

#endif
