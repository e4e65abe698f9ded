/* Changing one number of the picture: the field at its cell (menu "edit") and the drag. Both try values out on the document
 * at once; what they leave is one step of undo, and Esc takes it back. */
#ifndef APP_NUMBER_H
#define APP_NUMBER_H

#include "app/frame.h"
#include "app/panel_menu.h"

/* ---- where numbers are drawn ---- */
/* The largest cell of this number in a list, of this session's run; false: it is not drawn. */
bool number_cell(const Session *s, const DisplayList *list, const ViewRef *ref, Rect *cell);
/* The cell after (by 1) or before (by -1) it, along the rows as they are drawn. */
bool number_beside(const Session *s, const DisplayList *list, const ViewRef *ref, int by, ViewRef *out);
/* Can this number be changed where it is drawn? Then *place is where the change goes. */
bool number_editable(const Session *s, const ViewRef *ref, DocEdit *place);

/* ---- trying values ---- */
void number_begin(Session *s);                                  /* what follows is one step of undo */
void number_try(Session *s, const ViewRef *ref, double value);
void number_take_back(Session *s);                              /* as it was at number_begin */
void number_end(Session *s);                                    /* what is tried stays */
/* How far an arrow key goes in a map of this scale, and the text of a value on a grid of such steps. */
double number_step(const Session *s, const ViewRef *ref, double part);
double number_snap(double value, double step);

/* ---- the field ---- */
void number_menu_changed(Session *s, const char *before);       /* another menu is open than `before` */
void number_typed(Session *s);                                  /* its text is another one */
bool number_key(Session *s, const Input *input);
MenuPlace number_place(const Frame *f);
void number_draw(const Frame *f, const MenuPlace *place);

#endif
