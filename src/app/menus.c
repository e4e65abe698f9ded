#include "app/menus.h"

#include <string.h>

#include "app/menu_rows.h"
#include "base/tr.h"

static const struct {
    const char *name;
    MenuShape shape;
    const char *anchor, *title, *hint, *note;
    int fixed_rows;
    void (*rows)(Rows *rows);
} menu_table[] = {
    {"model", SHAPE_DROP, "top.model", NULL, NULL, NULL, 0, menu_model},
    {"mask", SHAPE_DROP, "top.mask", NULL, NULL, NULL, 0, menu_mask},
    {"mask.kind", SHAPE_COLUMNS, "mask.kind", NULL, NULL, NULL, 0, menu_mask},
    {"mask.form", SHAPE_DROP, "mask.form", NULL, NULL, NULL, 0, menu_mask_form},
    {"mask.cell", SHAPE_DROP, "selection", NULL, NULL, NULL, 0, menu_mask_cell},
    {"position", SHAPE_DROP, "top.position", NULL, NULL, NULL, 0, menu_position},
    {"tokenizer", SHAPE_DROP, "top.tokenizer", NULL, NULL, NULL, 0, menu_tokenizer},
    {"speed", SHAPE_DROP, "speed", NULL, NULL, NULL, 0, menu_speed},
    {"examples", SHAPE_DROP, "top.examples", NULL, NULL, NULL, 0, menu_examples},
    {"copy", SHAPE_COLUMNS, "inspector.copy", NULL, NULL, NULL, 0, menu_copy},
    {"heads", SHAPE_DROP, "view.heads", NULL, NULL, NULL, 0, menu_heads},
    {"threshold", SHAPE_DROP, "view.threshold", NULL, NULL, NULL, 0, menu_threshold},
    {"view", SHAPE_DROP, "view.all", NULL, NULL, NULL, 0, menu_view},
    {"main", SHAPE_COLUMNS, "top.menu", NULL, NULL, NULL, 0, menu_main},
    {"actions", SHAPE_DIALOG, NULL, tr_mark("All actions"), tr_mark("Search, or type an action"), NULL, 14, menu_actions},
    {"keys", SHAPE_TABLE, NULL, tr_mark("Keys"), NULL, NULL, 0, menu_keys},
    {"open", SHAPE_DIALOG, NULL, tr_mark("Open"), tr_mark("Path of a scenario, a trace file or a model's folder"), NULL, 14, menu_open},
    {"check", SHAPE_DIALOG, NULL, tr_mark("Check my numbers"), tr_mark("Path of a .safetensors file with your tensors"), NULL, 14, menu_check},
    {"folder", SHAPE_DIALOG, NULL, tr_mark("Open a model"), tr_mark("Path of a folder with config.json"), NULL, 14, menu_folder},
    {"model.about", SHAPE_DIALOG, NULL, tr_mark("About this model"), NULL, NULL, 0, menu_about},
    {"save", SHAPE_DIALOG, NULL, tr_mark("Save"), tr_mark("Path of the file"), NULL, 1, menu_save},
    {"export", SHAPE_PREVIEW, NULL, tr_mark("Export"), tr_mark("Path of the picture"), NULL, 0, menu_export},
    {"edit", SHAPE_CELL, NULL, tr_mark("Change the number"), tr_mark("New value"), NULL, 0, menu_edit},
    {"edit.inputs", SHAPE_DROP, "cell", NULL, NULL, NULL, 0, menu_edit_inputs},
    {"edits", SHAPE_DIALOG, NULL, tr_mark("Changed numbers"), NULL, NULL, 0, menu_edits},
    {"token", SHAPE_DIALOG, NULL, tr_mark("Put words in"), tr_mark("Words"), NULL, 1, menu_token},
    {"recover", SHAPE_DIALOG, NULL, tr_mark("Attnscope did not end cleanly last time"), NULL, tr_mark("Open what was kept?"), 0, menu_recover},
};
enum { MENU_COUNT = sizeof menu_table / sizeof menu_table[0] };

bool menu_build(const Session *s, const char *name, Arena *arena, Menu *out) {
    for (int i = 0; i < MENU_COUNT; i++) {
        if (strcmp(menu_table[i].name, name) != 0) continue;
        Rows rows = {.s = s, .arena = arena};
        menu_table[i].rows(&rows);
        const char *note = rows.note ? rows.note : menu_table[i].note ? tr(menu_table[i].note) : NULL;
        *out = (Menu){.name = menu_table[i].name, .shape = menu_table[i].shape, .anchor = menu_table[i].anchor,
                      .title = rows.title ? rows.title : menu_table[i].title ? tr(menu_table[i].title) : NULL,
                      .hint = menu_table[i].hint ? tr(menu_table[i].hint) : NULL,
                      .note = note, .fixed_rows = menu_table[i].fixed_rows, .items = rows.items, .n = rows.n};
        return true;
    }
    *out = (Menu){0};
    return false;
}
