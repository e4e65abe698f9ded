/* The panels around the scene: top bar, transport, menus and dialogs, notices. They draw what the session
 * holds and read nothing else; rectangles come from scene/layout.h. */
#ifndef APP_PANELS_H
#define APP_PANELS_H

#include "app/session_state.h"
#include "scene/layout.h"
#include "ui/kit.h"

/* What every panel needs while it draws. */
typedef struct {
    const Session *s;
    const View *view;
    DisplayList *dl;
    Kit kit;
    Layout layout;
    Rect window;
} Frame;

/* Filled in place: the kit points into it. */
void frame_init(Frame *f, const Session *s, DisplayList *dl, float width, float height);

/* Backgrounds and the top bar, then what comes behind the scene in order: Tab walks that way. */
void panels_draw_below(const Session *s, DisplayList *dl, float width, float height);
void panels_draw(const Session *s, DisplayList *dl, float width, float height);
/* Caret of the active field at this window size. */
Rect panels_caret(const Session *s, float width, float height);
/* Byte under x in a field drawn in `box`. */
size_t panels_field_at(const Session *s, FieldId id, Rect box, float x);
/* Rows of the open menu that are visible at once. */
int panels_menu_rows(const Session *s, float width, float height);

/* Three rows of a causal map: the program in small, in its top bar and as the window's icon. */
void logo_draw(DisplayList *dl, const Theme *theme, Rect box);

/* ---- one file each ---- */
typedef struct {
    Rect logo, name, field, source, model, mask, position, examples, export, menu;
    Rect tokenizer; /* inside the field */
} TopBar;
TopBar top_make(const Frame *f);
Rect bottom_speed(const Frame *f);
void top_draw(const Frame *f);
KitField top_field(const Frame *f, FieldId id);

void bottom_draw(const Frame *f);   /* transport, scrubber, keys or status */
void present_draw(const Frame *f);  /* presenter mode: the progress line */

/* Where the open menu is: the sheet and, inside it, list and field. */
typedef struct {
    Rect sheet, field, list;
    int columns; /* 1 for plain lists */
} MenuPlace;
MenuPlace menu_place(const Frame *f);
void menu_draw(const Frame *f);
void notice_draw(const Frame *f);

#endif
