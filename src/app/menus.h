/* What each menu and dialog lists, as rows: made from tables (action table, names of the core, files), read by
 * the panels that draw them and by the keys that walk them. Draws nothing. */
#ifndef APP_MENUS_H
#define APP_MENUS_H

#include "ui/kit.h"

struct Session;

typedef enum {
    SHAPE_DROP,    /* a list under the control that opens it */
    SHAPE_COLUMNS, /* sections side by side, under that control */
    SHAPE_DIALOG,  /* in the middle, with a field over the list where it takes text */
    SHAPE_TABLE,   /* in the middle, sections side by side */
    SHAPE_COUNT
} MenuShape;

typedef struct {
    const char *name;
    MenuShape shape;
    const char *anchor;  /* control it hangs under; NULL for dialogs */
    const char *title;   /* of dialogs */
    const char *hint;    /* of the field; NULL = no field */
    const char *note;    /* a sentence under the title; NULL = none */
    int fixed_rows;      /* a list that changes while one types keeps its height; 0 = as many as there are */
    KitItem *items;
    int n;
} Menu;

/* Rows of the menu `name` for the session as it is; everything lives in `arena`. false: no such menu. */
bool menu_build(const struct Session *s, const char *name, Arena *arena, Menu *out);
/* Can this row be chosen? */
bool menu_runs(const Menu *menu, int item);
/* The next row that can be chosen from `item` (-1 = before the first) in steps of +1 or -1; -1 when there is none. */
int menu_step(const Menu *menu, int item, int by);

/* Short names for people: "Causal", "RoPE, halves". */
const char *name_of_model(int kind);
const char *name_of_mask(int kind);
const char *name_of_position(int kind);
const char *name_of_tokenizer(int kind);
/* What the chips say. In `arena`. */
const char *chip_model(const struct Session *s, Arena *arena);
const char *chip_badge(const struct Session *s); /* "made by hand"; NULL when the name says it already */
const char *chip_mask(const struct Session *s, Arena *arena);
const char *chip_position(const struct Session *s, Arena *arena);

#endif
