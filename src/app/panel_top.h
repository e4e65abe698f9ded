/* The top bar: logo, text fields, chips, buttons; it shrinks until everything fits. Knows nothing of the other panels. */
#ifndef APP_PANEL_TOP_H
#define APP_PANEL_TOP_H

#include "app/fields.h"
#include "app/frame.h"

/* Chips and buttons of no width are left out. */
typedef struct {
    Rect logo, name, field, source, model, mask, position, badge, examples, export, settings, menu;
    Rect tokenizer;       /* inside the field; of no width where a narrow field leaves its name out */
    Rect cut, source_cut; /* inside the fields: how much of them is read; of no width where that is all */
} TopBar;

TopBar top_make(const Frame *f);
void top_draw(const Frame *f);
/* A field as the kit draws it; also the one of the open dialog. */
KitField top_field(const Frame *f, FieldId id);

#endif
