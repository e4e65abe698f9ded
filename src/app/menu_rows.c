#include "app/menu_rows.h"

#include <string.h>

KitItem *rows_add(Rows *rows, KitItemKind kind, const char *label) {
    if (rows->n == rows->capacity) {
        int capacity = rows->capacity ? 2 * rows->capacity : 32;
        KitItem *items = ARENA_ARRAY(rows->arena, KitItem, (size_t)capacity);
        if (rows->n > 0) memcpy(items, rows->items, (size_t)rows->n * sizeof *items);
        rows->items = items;
        rows->capacity = capacity;
    }
    KitItem *item = &rows->items[rows->n++];
    *item = (KitItem){.kind = kind, .label = label};
    return item;
}

void rows_heading(Rows *rows, const char *label) {
    rows_add(rows, ITEM_HEADING, label);
}

KitItem *rows_choice(Rows *rows, const char *label, const char *detail, const char *action, bool checked) {
    KitItem *item = rows_add(rows, ITEM_ACTION, label);
    item->detail = detail;
    item->action = arena_strdup(rows->arena, action);
    item->checked = checked;
    return item;
}

const char *rows_into_field(Rows *rows, const char *menu, const char *text) {
    return arena_printf(rows->arena, "=%s %s", menu, text);
}
