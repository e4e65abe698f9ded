/* The immediate-mode kit: draws controls into a display list. A control is a group with a name and the
 * action line that a click runs; nothing here reads input. Hover and focus come in as names. Knows nothing
 * of documents: text, sizes and colours are given. */
#ifndef UI_KIT_H
#define UI_KIT_H

#include "draw/dl.h"
#include "draw/theme.h"

/* Made afresh for each frame. */
typedef struct {
    DisplayList *dl;
    const FontMetrics *font;
    const Theme *theme;
    const float *type;    /* five type sizes: 12 13 15 18 24 at scale 1 */
    float pad;            /* 8 at scale 1 */
    const char *hot;      /* name of the control under the pointer; "" = none */
    const char *focus;    /* name of the focused control; "" = none */
    bool focus_visible;   /* reached by keyboard: draw the ring */
} Kit;

enum { KIT_SMALL, KIT_LABEL, KIT_BODY, KIT_TITLE, KIT_HEAD }; /* positions in `type` */

typedef enum {
    ICON_PLAY, ICON_PAUSE, ICON_STEP_BACK, ICON_STEP_NEXT, ICON_STAGE_BACK, ICON_STAGE_NEXT,
    ICON_MENU, ICON_MODEL, ICON_MASK, ICON_POSITION, ICON_EXPORT, ICON_EXAMPLES, ICON_CHECK, ICON_DOWN, ICON_CLOSE, ICON_SETTINGS,
    ICON_COUNT
} KitIcon;

typedef enum {
    LOOK_QUIET,  /* grey fill */
    LOOK_ACCENT, /* the one main thing */
    LOOK_BARE,   /* no fill until it is hovered */
    LOOK_COUNT
} KitLook;

bool kit_is_hot(const Kit *kit, const char *name);
void kit_focus_ring(const Kit *kit, const char *name, Rect box, float radius); /* only when it is due */
Color kit_edge(const Theme *theme); /* of fields and tracks: 3:1 on the background and on panels */
void kit_icon(const Kit *kit, Rect box, KitIcon icon, Color color);            /* centred, as large as the box */

/* Buttons. `label` is the tooltip and the name for assistive technology. */
float kit_button_width(const Kit *kit, const char *text);
void kit_button(const Kit *kit, Rect box, const char *name, const char *action, const char *text, KitLook look);
void kit_icon_button(const Kit *kit, Rect box, const char *name, const char *action, const char *label, KitIcon icon,
                     KitLook look);

/* A chip: muted title, strong value, muted detail, each may be NULL; without title and value, the icon. */
typedef struct {
    const char *name, *action, *label;
    const char *title, *value, *detail;
    Color value_color;
    KitIcon icon;
    bool open; /* its menu is shown */
} KitChip;
float kit_chip_width(const Kit *kit, const KitChip *chip);
void kit_chip(const Kit *kit, Rect box, const KitChip *chip);

/* A track with a knob at `fraction`; the action line gets the fraction under the pointer appended. */
void kit_slider(const Kit *kit, Rect box, const char *name, const char *action, const char *label, double fraction);
/* Fraction for a pointer at x on a slider in this box. */
double kit_slider_fraction(float pad, Rect box, float x);

/* Bytes [from, to) of a text; empty = none. */
typedef struct {
    size_t from, to;
    Color color;
} KitSpan;

/* A one-line text field. */
typedef struct {
    const char *name, *action;
    const char *text;
    size_t length, caret, anchor;
    const char *composition; /* not committed yet, stands at the caret, in place of the selection; NULL or "" = none */
    size_t composition_caret; /* bytes of it before its own caret */
    const char *hint;        /* shown while the text is empty */
    bool focused;
    float right;             /* kept free at its right end */
    size_t used;             /* bytes beyond this are muted; 0 = none */
    KitSpan mark[2];         /* characters with a tint behind them */
} KitField;
void kit_field(const Kit *kit, Rect box, const KitField *field);
size_t kit_field_at(const Kit *kit, Rect box, const KitField *field, float x); /* byte offset under x */
Rect kit_field_caret(const Kit *kit, Rect box, const KitField *field);          /* for input-method windows */

/* Rows of a menu or list. */
typedef enum { ITEM_ACTION, ITEM_HEADING, ITEM_NOTE, ITEM_KIND_COUNT } KitItemKind;
typedef struct {
    KitItemKind kind;
    const char *label;
    const char *detail; /* at the right: a key, a size; NULL = none */
    const char *action; /* NULL when there is nothing to run */
    bool checked, disabled;
} KitItem;
float kit_row_height(const Kit *kit);
/* Width that shows every row whole. */
float kit_list_width(const Kit *kit, const KitItem *items, int n);
/* Room for check marks at the left of rows; 0 when none is checked. */
float kit_list_mark(const Kit *kit, const KitItem *items, int n);
/* One row as a control of its own. */
void kit_row(const Kit *kit, Rect row, const char *name, const KitItem *item, bool current, float mark);
/* Rows in `box` from row `first`; row i is named "PREFIX.i" counted from 1. `current` = highlighted row or -1. */
void kit_list(const Kit *kit, Rect box, const char *prefix, const KitItem *items, int n, int current, int first);
/* How many rows fit. */
int kit_list_rows(const Kit *kit, float height);

/* Covers everything that was drawn before; a click on it runs `action`. dim 0..1 darkens. */
void kit_scrim(const Kit *kit, Rect window, double dim, const char *action);
/* A raised sheet: shadow, fill, edge. It takes the clicks on it. */
void kit_sheet(const Kit *kit, Rect box, float radius, const char *name, const char *label);
#endif
