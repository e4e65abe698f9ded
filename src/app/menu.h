/* One open menu as data: its shape, its texts, its rows. Knows neither where rows come from (app/menus.h) nor how
 * they are drawn (app/panel_menu.h). */
#ifndef APP_MENU_H
#define APP_MENU_H

#include "ui/kit.h"

typedef enum {
    SHAPE_DROP,    /* a list under the control that opens it */
    SHAPE_COLUMNS, /* sections side by side, under that control */
    SHAPE_DIALOG,  /* in the middle, with a field over the list where it takes text */
    SHAPE_PREVIEW, /* the same with a picture of the result at its right */
    SHAPE_TABLE,   /* in the middle, sections side by side */
    SHAPE_CELL,    /* a field at the cell of the selected number */
    SHAPE_COUNT
} MenuShape;

typedef struct {
    const char *name;    /* NULL = no menu is open */
    MenuShape shape;
    const char *anchor;  /* control it hangs under; NULL for dialogs */
    const char *title;   /* of dialogs */
    const char *hint;    /* of the field; NULL = no field */
    const char *note;    /* a sentence under the title; NULL = none */
    int fixed_rows;      /* a list that changes while one types keeps its height; 0 = as many as there are */
    KitItem *items;      /* action: an action line, or "=MENU TEXT", which opens that menu with TEXT in its field */
    int n;
} Menu;

/* Can this row be chosen? */
bool menu_runs(const Menu *menu, int item);
/* The next row that can be chosen from `item` (-1 = before the first) in steps of +1 or -1; -1 when there is none. */
int menu_step(const Menu *menu, int item, int by);

#endif
