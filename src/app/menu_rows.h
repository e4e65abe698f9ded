/* Rows of a menu while it is made, and the functions that make those of each. Private to menus.c and menus_*.c. */
#ifndef APP_MENU_ROWS_H
#define APP_MENU_ROWS_H

#include "app/session_state.h"

typedef struct {
    const Session *s;
    Arena *arena;
    KitItem *items;
    int n, capacity;
    const char *note, *title; /* take the place of the menu's own */
} Rows;

KitItem *rows_add(Rows *rows, KitItemKind kind, const char *label);
void rows_heading(Rows *rows, const char *label);
KitItem *rows_choice(Rows *rows, const char *label, const char *detail, const char *action, bool checked);
/* The action of a row that opens `menu` with a text in its field. */
const char *rows_into_field(Rows *rows, const char *menu, const char *text);

/* the document: menus_doc.c */
void menu_model(Rows *rows);
void menu_position(Rows *rows);
void menu_tokenizer(Rows *rows);
void menu_speed(Rows *rows);
/* the mask: menus_mask.c */
void menu_mask(Rows *rows);
void menu_mask_form(Rows *rows);
void menu_mask_cell(Rows *rows);
/* actions: menus_actions.c */
void menu_main(Rows *rows);
void menu_actions(Rows *rows);
void menu_keys(Rows *rows);
/* arguments of actions: menus_args.c */
void menu_args(Rows *rows, const Action *action, const char *query); /* what the word that is being typed may be */
int menu_args_needed(const Action *action);                          /* fewer are refused */
/* the model of a folder: menus_about.c */
void menu_about(Rows *rows);
/* words that go between two tokens: menus_doc.c */
void menu_token(Rows *rows);
/* what can be copied: menus_copy.c */
void menu_copy(Rows *rows);
/* how maps are looked at: menus_view.c */
void menu_heads(Rows *rows);
void menu_threshold(Rows *rows);
void menu_view(Rows *rows);
/* changed numbers: menus_edit.c */
void menu_edit(Rows *rows);
void menu_edit_inputs(Rows *rows);
void menu_edits(Rows *rows);
/* pictures in files: menus_export.c */
void menu_export(Rows *rows);
/* files and dialogs: menus_files.c */
void menu_examples(Rows *rows);
void menu_open(Rows *rows);
void menu_folder(Rows *rows);
void menu_check(Rows *rows);
void menu_recent_models(Rows *rows);
void menu_save(Rows *rows);
void menu_recover(Rows *rows);

#endif
