#include "app/menu.h"

bool menu_runs(const Menu *menu, int item) {
    if (item < 0 || item >= menu->n) return false;
    const KitItem *row = &menu->items[item];
    return row->kind == ITEM_ACTION && row->action && !row->disabled;
}

int menu_step(const Menu *menu, int item, int by) {
    for (int i = 0, at = item; i < menu->n; i++) {
        at += by;
        if (at < 0) at = menu->n - 1;
        if (at >= menu->n) at = 0;
        if (menu_runs(menu, at)) return at;
    }
    return -1;
}
