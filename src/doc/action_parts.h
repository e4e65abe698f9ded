/* Private to action*.c: the functions that the table names. */
#ifndef DOC_ACTION_PARTS_H
#define DOC_ACTION_PARTS_H

#include "doc/action.h"

#define ACTION_DECLARE(name) bool name(ActionContext *cx, const ActionLine *line, Err *err)

/* film and view */
ACTION_DECLARE(action_next);
ACTION_DECLARE(action_back);
ACTION_DECLARE(action_stage_next);
ACTION_DECLARE(action_stage_back);
ACTION_DECLARE(action_film_home);
ACTION_DECLARE(action_film_end);
ACTION_DECLARE(action_play);
ACTION_DECLARE(action_speed);
ACTION_DECLARE(action_stage);
ACTION_DECLARE(action_step);
ACTION_DECLARE(action_seek);
ACTION_DECLARE(action_head);
ACTION_DECLARE(action_head_next);
ACTION_DECLARE(action_head_back);
ACTION_DECLARE(action_layer);
ACTION_DECLARE(action_layer_next);
ACTION_DECLARE(action_layer_back);
ACTION_DECLARE(action_overview);
ACTION_DECLARE(action_look);
ACTION_DECLARE(action_sort);
ACTION_DECLARE(action_aggregate);
ACTION_DECLARE(action_shape);
ACTION_DECLARE(action_heads_shown);
ACTION_DECLARE(action_log);
ACTION_DECLARE(action_range);
ACTION_DECLARE(action_threshold);
ACTION_DECLARE(action_hide);
ACTION_DECLARE(action_hide_none);
ACTION_DECLARE(action_zoom);
ACTION_DECLARE(action_zoom_in);
ACTION_DECLARE(action_zoom_out);
ACTION_DECLARE(action_zoom_reset);
ACTION_DECLARE(action_pan);
ACTION_DECLARE(action_block);
ACTION_DECLARE(action_language);
ACTION_DECLARE(action_theme);
ACTION_DECLARE(action_palette);
ACTION_DECLARE(action_text_larger);
ACTION_DECLARE(action_text_smaller);
ACTION_DECLARE(action_text_reset);
ACTION_DECLARE(action_motion);
ACTION_DECLARE(action_present);
ACTION_DECLARE(action_blank);
ACTION_DECLARE(action_menu);
ACTION_DECLARE(action_menu_close);
ACTION_DECLARE(action_menu_actions);
ACTION_DECLARE(action_menu_keys);
ACTION_DECLARE(action_menu_main);
ACTION_DECLARE(action_focus);
ACTION_DECLARE(action_field);
ACTION_DECLARE(action_escape);
/* selection and explanations */
ACTION_DECLARE(action_select);
ACTION_DECLARE(action_select_none);
ACTION_DECLARE(action_select_move);
ACTION_DECLARE(action_explain);
ACTION_DECLARE(action_trail);
ACTION_DECLARE(action_trail_back);
/* document */
ACTION_DECLARE(action_text);
ACTION_DECLARE(action_source);
ACTION_DECLARE(action_tokenizer);
ACTION_DECLARE(action_token_move);
ACTION_DECLARE(action_token_remove);
ACTION_DECLARE(action_token_left);
ACTION_DECLARE(action_token_right);
ACTION_DECLARE(action_tokens);
ACTION_DECLARE(action_token_insert);
ACTION_DECLARE(action_token_pad);
ACTION_DECLARE(action_model);
ACTION_DECLARE(action_mask);
ACTION_DECLARE(action_mask_cycle);
ACTION_DECLARE(action_mask_toggle);
ACTION_DECLARE(action_mask_add);
ACTION_DECLARE(action_mask_drop);
ACTION_DECLARE(action_mask_set);
ACTION_DECLARE(action_mask_paint);
ACTION_DECLARE(action_mask_row);
ACTION_DECLARE(action_mask_column);
ACTION_DECLARE(action_mask_flip);
ACTION_DECLARE(action_mask_form);
ACTION_DECLARE(action_position);
ACTION_DECLARE(action_same_key);
ACTION_DECLARE(action_fill);
ACTION_DECLARE(action_set);
ACTION_DECLARE(action_edit);
ACTION_DECLARE(action_edit_reset);
ACTION_DECLARE(action_edits);
ACTION_DECLARE(action_edits_clear);
ACTION_DECLARE(action_controls);
ACTION_DECLARE(action_setting);
ACTION_DECLARE(action_temperature_at);
ACTION_DECLARE(action_tie);
ACTION_DECLARE(action_projections);
ACTION_DECLARE(action_out_proj);
ACTION_DECLARE(action_setting_reset);
ACTION_DECLARE(action_new);
ACTION_DECLARE(action_take);

bool action_has_selection(const ActionContext *cx);
bool action_can_move(const ActionContext *cx); /* a selection, or the map in view of the overview */
bool action_has_trail(const ActionContext *cx);
bool action_has_edits(const ActionContext *cx);
bool action_can_reset(const ActionContext *cx);
bool action_has_edit(const ActionContext *cx); /* the selected number is changed */
bool action_has_network(const ActionContext *cx);
bool action_has_prediction(const ActionContext *cx);
bool action_has_hidden(const ActionContext *cx);
bool action_has_zoom(const ActionContext *cx);
/* Does the picture show the maps of all layers? */
bool action_in_overview(const ActionContext *cx);
/* Another map of the overview becomes the one in view; at its border nothing happens. Maps that
 * stand in a line are gone through by their rank. */
void action_move_map(ActionContext *cx, int by_layer, int by_head);
/* The layer that a number belongs to becomes the one in view: the same stage, as far as it was. */
void action_show_layer_of(ActionContext *cx, TensorId id);
/* Folds the stations around attention; a film that stands in one goes to the nearest of the nine. */
void action_close_block(View *view, const Run *run);
/* false: a model from a folder decides this itself; the error says what it has. */
bool action_allowed(const ActionContext *cx, const ActionLine *line, Err *err);

/* Helpers. *out is unchanged when an error is told: "heads is 1 to 4, found '9'". */
bool action_int(const char *what, const char *text, int min, int max, int *out, Err *err);
bool action_double(const char *what, const char *text, double min, double max, double *out, Err *err);
/* One of `names` (NULL entries skipped); the error lists them and the nearest. */
bool action_choice(const char *what, const char *const *names, int count, const char *text, int *out, Err *err);
/* The masks of a document: one goes; those that hide nothing go; the one in force becomes a custom one (false when nothing tells
 * its size). */
void action_remove_mask(Doc *doc, int at);
void action_drop_idle(Doc *doc);
bool action_make_custom(const ActionContext *cx, Doc *doc);
bool action_needs_run(const ActionContext *cx, Err *err);
/* The run is of the tokens that the document has now: places in it are places in the document. */
bool action_needs_tokens(const ActionContext *cx, Err *err);
/* Rows of the new text's tokens: -1 = new, else the place among the old ones. Then edits and masks follow. */
void doc_follow_tokens(Doc *doc, bool key_side, const TokenList *before, const TokenList *after, Arena *arena);
/* The same where it is known which of the old tokens each new one is; -1 = none. */
void doc_follow_order(Doc *doc, bool key_side, const int *to_old, int n_new, int n_old, Arena *arena);

#endif
