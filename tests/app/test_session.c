/* The whole program without a window: made-up inputs in, pictures and documents out. */
#include "app/drive.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/action.h"
#include "doc/film.h"

static const View *view(Session *s) { return session_view(s); }
static const char *text_of(Session *s) { return doc_text(session_doc(s)); }

/* ---- the film ---- */

/* As assert_string_equal, but tells where two long texts part. */
static void assert_same_picture(const char *got, const char *want) {
    size_t at = 0;
    while (got[at] && got[at] == want[at]) at++;
    if (got[at] == want[at]) return;
    while (at > 0 && got[at - 1] != '\n') at--;
    fail_msg("got      %.200s\nexpected %.200s", got + at, want + at);
}

static void forward_and_back_is_exact(void **unused) {
    (void)unused;
    Session *s = drive_open();
    char *before[40];
    for (int i = 0; i < 40; i++) {
        before[i] = dump(s);
        press(s, 0, "Space");
    }
    for (int i = 39; i >= 0; i--) {
        press(s, 0, "Backspace");
        assert_same_picture(dump(s), before[i]);
    }
    drive_close(s);
}

static void stages_by_digit_and_by_shift(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, 0, "6");
    assert_int_equal(view(s)->film.stage, 5);
    press(s, 0, "3");
    assert_int_equal(view(s)->film.stage, 2);
    press(s, MOD_SHIFT, "Right");
    press(s, MOD_SHIFT, "Right");
    assert_int_equal(view(s)->film.stage, 3);
    press(s, MOD_SHIFT, "Left");
    assert_int_equal(view(s)->film.stage, 2);
    press(s, 0, "End");
    assert_int_equal(view(s)->film.stage, 8);
    press(s, 0, "Home");
    assert_int_equal(view(s)->film.stage, 0);
    drive_close(s);
}

static void playing_ends_by_itself_and_then_rests(void **unused) {
    (void)unused;
    Session *s = drive_open();
    SessionEffects effects;
    tap(s, 0, "p");
    assert_true(view(s)->film.playing);
    session_take_effects(s, &effects);
    assert_near(effects.wait, 0, 0);
    for (int i = 0; i < 100 && view(s)->film.playing; i++) pass(s, 1);
    assert_false(view(s)->film.playing);
    assert_int_equal(view(s)->film.stage, 8);
    pass(s, 100); /* the last notice goes */
    session_list(s);
    session_take_effects(s, &effects);
    assert_true(effects.wait < 0);
    assert_false(session_update(s, NULL, 1)); /* at rest nothing is drawn again */
    drive_close(s);
}

static void time_before_a_key_does_not_count(void **unused) {
    (void)unused;
    Session *s = drive_open();
    session_update(s, &(Input){.kind = INPUT_KEY, .key = "Space"}, 3600); /* an hour of idling, then a step */
    assert_true(view(s)->film.until > view(s)->film.position);
    drive_close(s);
}

static void the_scrubber_is_dragged(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Rect box = control_box(s, "scrubber");
    float y = box.y + box.h / 2;
    session_update(s, &(Input){.kind = INPUT_MOUSE_DOWN, .x = box.x + box.w * 0.5f, .y = y, .button = 1, .clicks = 1}, 0);
    assert_near(film_fraction(view(s), session_run(s)->trace), 0.5, 0.02);
    move_to(s, box.x + box.w * 0.9f, y + 200); /* it holds the slider wherever the pointer is */
    assert_near(film_fraction(view(s), session_run(s)->trace), 0.9, 0.02);
    session_update(s, &(Input){.kind = INPUT_MOUSE_UP, .x = box.x, .y = y, .button = 1}, 0);
    move_to(s, box.x, y);
    assert_near(film_fraction(view(s), session_run(s)->trace), 0.9, 0.02);
    drive_close(s);
}

/* ---- typing ---- */

static void typing_recomputes_at_each_key(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    type(s, "a b");
    assert_int_equal(session_run(s)->tokens.n, 2);
    type(s, " c");
    assert_int_equal(session_run(s)->tokens.n, 3);
    press(s, 0, "Backspace");
    assert_int_equal(session_run(s)->tokens.n, 2);
    assert_string_equal(text_of(s), "a b ");
    drive_close(s);
}

static void digits_belong_to_who_has_the_focus(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, 0, "3");
    assert_int_equal(view(s)->film.stage, 2);
    click(s, "top.field");
    press(s, 0, "End");
    type(s, " 5");
    assert_int_equal(view(s)->film.stage, 2);
    assert_string_equal(text_of(s), "The cat sat on the mat 5");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->focus, "");
    press(s, 0, "5");
    assert_int_equal(view(s)->film.stage, 4);
    assert_string_equal(text_of(s), "The cat sat on the mat 5");
    drive_close(s);
}

static void page_keys_step_inside_the_field(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    double before = view(s)->film.position;
    press(s, 0, "PageDown");
    assert_true(view(s)->film.position > before);
    assert_string_equal(view(s)->focus, "top.field");
    drive_close(s);
}

static void an_empty_field_keeps_the_last_picture(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    press(s, 0, "Delete");
    assert_string_equal(text_of(s), "");
    assert_non_null(session_run(s));
    assert_int_equal(session_run(s)->tokens.n, 6);
    assert_true(shows(s, "Type some words"));
    type(s, "hi");
    assert_int_equal(session_run(s)->tokens.n, 1);
    drive_close(s);
}

static void undo_takes_back_words_and_settings(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    type(s, "two words");
    assert_string_equal(text_of(s), "two words");
    pass(s, 5);
    press(s, MOD_CTRL, "z"); /* inside the field too */
    assert_string_not_equal(text_of(s), "two words");
    for (int i = 0; i < 12; i++) tap(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "The cat sat on the mat");
    for (int i = 0; i < 12; i++) tap(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_string_equal(text_of(s), "two words");
    must(s, "mask none");
    assert_null(strstr(dump(s), "Causal"));
    press(s, MOD_CTRL, "z");
    assert_int_equal(session_doc(s)->n_masks, 1);
    drive_close(s);
}

static void a_composition_waits_for_its_end(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, 0, "End");
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "\xE7\x8C\xAB"}, 0);
    assert_string_equal(view(s)->composition, "\xE7\x8C\xAB");
    assert_string_equal(text_of(s), "The cat sat on the mat");
    session_update(s, &(Input){.kind = INPUT_TEXT, .text = "\xE7\x8C\xAB"}, 0);
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = ""}, 0);
    assert_string_equal(view(s)->composition, "");
    assert_string_equal(text_of(s), "The cat sat on the mat\xE7\x8C\xAB");
    drive_close(s);
}

static Rect caret_place(Session *s) {
    SessionEffects effects;
    session_take_effects(s, &effects);
    return effects.text_rect;
}

static void a_composition_has_the_keys_and_a_caret(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    float start = control_box(s, "top.field").x;
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "\u4f60\u597d", .caret = 1}, 0);
    assert_int_equal(view(s)->composition_caret, 3);
    assert_null(strstr(dump(s), "\"The cat sat on the mat\"")); /* what was selected is about to go */
    float one = caret_place(s).x;
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "\u4f60\u597d", .caret = 2}, 0);
    float two = caret_place(s).x;
    assert_true(start < one && one < two && two < start + 80);
    /* keys that the input method lets through do nothing, also not as shortcuts */
    int stage = view(s)->film.stage;
    press(s, 0, "6");
    press(s, 0, "Backspace");
    press(s, 0, "PageDown");
    press(s, MOD_CTRL, "z");
    press(s, 0, "Tab");
    assert_int_equal(view(s)->film.stage, stage);
    assert_string_equal(view(s)->focus, "top.field");
    assert_string_equal(view(s)->composition, "\u4f60\u597d");
    assert_string_equal(text_of(s), "The cat sat on the mat");
    session_update(s, &(Input){.kind = INPUT_TEXT, .text = "\u4f60\u597d"}, 0);
    assert_string_equal(text_of(s), "\u4f60\u597d");
    drive_close(s);
}

/* The window is told when what is composed is not wanted any more: not when it was typed or ended by itself. */
static void a_composition_goes_with_its_field(void **unused) {
    (void)unused;
    Session *s = drive_open();
    SessionEffects effects;
    press(s, MOD_CTRL, "l");
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "ni", .caret = 2}, 0);
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = ""}, 0);
    session_take_effects(s, &effects);
    assert_false(effects.drop_composition);
    for (int way = 0; way < 3; way++) {
        must(s, "focus top.field");
        session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "ni", .caret = 2}, 0);
        if (way == 0) session_update(s, &(Input){.kind = INPUT_KEY, .key = "Esc"}, 0);
        if (way == 1) click(s, "rail.3");
        if (way == 2) click(s, "top.mask");
        session_take_effects(s, &effects);
        assert_string_equal(view(s)->composition, "");
        if (way == 0) assert_true(effects.drop_composition);
    }
    must(s, "menu actions"); /* a dialog's field composes, too */
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "ni", .caret = 2}, 0);
    session_update(s, &(Input){.kind = INPUT_KEY, .key = "Esc"}, 0);
    session_take_effects(s, &effects);
    assert_true(effects.drop_composition);
    assert_string_equal(view(s)->menu, "actions");
    press(s, 0, "Esc");
    assert_string_equal(view(s)->menu, "");
    drive_close(s);
}

static void text_without_a_field_goes_nowhere(void **unused) {
    (void)unused;
    Session *s = drive_open();
    session_update(s, &(Input){.kind = INPUT_TEXT, .text = "x"}, 0);
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "x"}, 0);
    assert_string_equal(text_of(s), "The cat sat on the mat");
    SessionEffects effects;
    session_take_effects(s, &effects);
    assert_false(effects.text_input);
    click(s, "top.field");
    session_take_effects(s, &effects);
    assert_true(effects.text_input);
    assert_true(rect_has(control_box(s, "top.field"), effects.text_rect.x, effects.text_rect.y));
    drive_close(s);
}

static void cut_copy_and_paste(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, 0, "Home");
    press(s, MOD_CTRL | MOD_SHIFT, "Right");
    Input cut = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "x"};
    session_update(s, &cut, 0);
    assert_string_equal(effects_clipboard(s), "The ");
    assert_string_equal(text_of(s), "cat sat on the mat");
    Input paste = {.kind = INPUT_KEY, .mods = MOD_CTRL, .key = "v"};
    SessionEffects effects;
    session_update(s, &paste, 0);
    session_take_effects(s, &effects);
    assert_true(effects.wants_paste);
    session_update(s, &(Input){.kind = INPUT_PASTE, .text = "A "}, 0);
    assert_string_equal(text_of(s), "A cat sat on the mat");
    drive_close(s);
}

static void given_matrices_fix_the_number_of_tokens(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "example 02-the-cat-sat-down");
    assert_int_equal(session_run(s)->tokens.n, 4);
    press(s, MOD_CTRL, "l");
    press(s, 0, "End");
    type(s, "wards");
    assert_int_equal(session_run(s)->tokens.n, 4);
    assert_string_equal(session_run(s)->tokens.items[3].text, "downwards");
    type(s, " now");
    assert_int_equal(session_run(s)->tokens.n, 4);
    assert_non_null(strstr(view(s)->notice, "4 tokens"));
    assert_true(view(s)->notice_is_error);
    drive_close(s);
}

static void a_second_text_is_typed_and_taken_away(void **unused) {
    (void)unused;
    Session *s = drive_open();
    assert_false(has_control(s, "top.source"));
    must(s, "focus top.source");
    assert_true(has_control(s, "top.source"));
    type(s, "one two");
    assert_true(session_run(s)->cross);
    assert_int_equal(session_run(s)->keys.n, 2);
    assert_int_equal(session_run(s)->tokens.n, 6);
    press(s, MOD_CTRL, "a");
    press(s, 0, "Delete"); /* empty: the same text again, and the field stays while it has the focus */
    assert_false(session_run(s)->cross);
    type(s, "three");
    assert_int_equal(session_run(s)->keys.n, 1);
    must(s, "source \"\"");
    press(s, 0, "Esc");
    assert_false(has_control(s, "top.source"));
    drive_close(s);
}

static void a_hundred_thousand_characters_are_refused_or_drawn(void **unused) {
    (void)unused;
    enum { LENGTH = 100000 };
    static char text[LENGTH + 1];
    for (int i = 0; i < LENGTH; i++) text[i] = "abcdefg"[i % 7];
    for (int i = 3; i < LENGTH; i += 4) text[i] = ' ';
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    session_update(s, &(Input){.kind = INPUT_PASTE, .text = text}, 0);
    session_list(s);
    assert_int_equal(strlen(text_of(s)), LENGTH);
    assert_int_equal(session_run(s)->tokens.n, 6); /* the last picture, muted */
    Err err = {0};
    assert_false(session_need_run(s, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    press(s, 0, "Home");
    press(s, 0, "Delete");
    session_list(s);
    press(s, MOD_CTRL, "z");
    press(s, MOD_CTRL, "z");
    assert_true(session_need_run(s, &(Err){0}));
    drive_close(s);
}

/* ---- numbers ---- */

static void a_click_selects_the_number_under_it(void **unused) {
    (void)unused;
    Session *s = drive_open();
    float x, y;
    must(s, "stage softmax end");
    must(s, "head 2");
    cell_middle(s, "weights", 1, 2, 1, &x, &y);
    click_at(s, x, y, 0, 1);
    assert_string_equal(view(s)->selection.tensor, "weights");
    static const int want[3] = {1, 2, 1};
    assert_memory_equal(view(s)->selection.index, want, sizeof want);
    move_to(s, x, y);
    assert_true(shows(s, "query sat reads key cat: 0.94"));
    press(s, 0, "Left");
    assert_int_equal(view(s)->selection.index[2], 0);
    press(s, 0, "Esc");
    assert_string_equal(view(s)->selection.tensor, "");
    drive_close(s);
}

static void a_turned_matrix_is_hit_in_stored_order(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage scores end");
    const DisplayList *list = session_list(s);
    TensorId k = trace_find(session_run(s)->trace, "k");
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_CELLS || c->cells.tensor != k || c->cells.rows != 4) continue; /* K turned: 4 rows, 6 columns */
        Rect cell = dl_cell_box(c->box, 4, 6, c->cells.gap, 1, 5);
        click_at(s, cell.x + cell.w / 2, cell.y + cell.h / 2, 0, 1);
        assert_string_equal(view(s)->selection.tensor, "k");
        assert_int_equal(view(s)->selection.index[1], 5);
        assert_int_equal(view(s)->selection.index[2], 1);
        drive_close(s);
        return;
    }
    fail_msg("K is not drawn turned in the scores stage");
}

static void explanations_lead_back_to_the_text(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "select out[3,1]");
    int steps = 0;
    Err err = {0};
    while (steps < 40 && session_do(s, "explain", &err)) steps++;
    assert_true(steps >= 5 && steps < 40);
    assert_non_null(strstr(err.message, "begins"));
    const char *last = view(s)->selection.tensor;
    const char *const beginnings[] = {"x", "tok", "pe", "w_q", "w_k", "w_v", "w_o", "mask"};
    assert_true(str_find(beginnings, 8, last) >= 0);
    for (int i = 0; i < steps; i++) press(s, MOD_ALT, "Left");
    assert_string_equal(view(s)->selection.tensor, "out");
    drive_close(s);
}

static void enter_explains_and_esc_returns(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    must(s, "select weights[2,sat,cat]");
    press(s, 0, "Enter");
    assert_string_not_equal(view(s)->selection.tensor, "weights");
    assert_int_equal(view(s)->n_trail, 1);
    press(s, MOD_CTRL, "k");
    assert_string_equal(view(s)->menu, "actions");
    /* innermost first: menu, trail, selection; then nothing */
    press(s, 0, "Esc");
    assert_string_equal(view(s)->menu, "");
    assert_int_equal(view(s)->n_trail, 1);
    press(s, 0, "Esc");
    assert_int_equal(view(s)->n_trail, 0);
    assert_string_equal(view(s)->selection.tensor, "weights");
    press(s, 0, "Esc");
    assert_string_equal(view(s)->selection.tensor, "");
    press(s, 0, "Esc");
    SessionEffects effects;
    session_take_effects(s, &effects);
    assert_false(effects.quit);
    drive_close(s);
}

static void esc_leaves_the_field_before_the_selection(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "select weights[2,sat,cat]");
    press(s, MOD_CTRL, "l");
    session_update(s, &(Input){.kind = INPUT_COMPOSITION, .text = "ni"}, 0);
    press(s, 0, "Esc");
    assert_string_equal(view(s)->composition, "");
    assert_string_equal(view(s)->focus, "top.field");
    press(s, 0, "Esc");
    assert_string_equal(view(s)->focus, "");
    assert_string_equal(view(s)->selection.tensor, "weights");
    press(s, 0, "Esc");
    assert_string_equal(view(s)->selection.tensor, "");
    drive_close(s);
}

static void a_mask_is_painted(void **unused) {
    (void)unused;
    Session *s = drive_open();
    float x, y;
    must(s, "stage mask end");
    cell_middle(s, "mask", 0, 0, 5, &x, &y);
    session_update(s, &(Input){.kind = INPUT_MOUSE_DOWN, .x = x, .y = y, .button = 1, .clicks = 1}, 0);
    const Trace *trace = session_run(s)->trace;
    assert_near(tensor_at(trace_tensor(trace, trace_find(trace, "mask")), (int[4]){0, 5, 0, 0}), 1, 0);
    cell_middle(s, "mask", 0, 1, 5, &x, &y);
    move_to(s, x, y);
    trace = session_run(s)->trace;
    assert_near(tensor_at(trace_tensor(trace, trace_find(trace, "mask")), (int[4]){1, 5, 0, 0}), 1, 0);
    session_update(s, &(Input){.kind = INPUT_MOUSE_UP, .x = x, .y = y, .button = 1}, 0);
    drive_close(s);
}

/* Below the maps, where the sentences stand. */
static void a_notice_covers_no_number(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage scores end");
    must(s, "copy");
    Rect notice = control_box(s, "notice"), transport = control_box(s, "transport.play");
    assert_true(notice.y >= 1000 - 174 && notice.y + notice.h <= transport.y + 4);
    drive_close(s);
}

static void a_mask_number_is_told_in_words(void **unused) {
    (void)unused;
    Session *s = drive_open();
    float x, y;
    must(s, "stage mask end");
    cell_middle(s, "mask", 0, 0, 5, &x, &y);
    move_to(s, x, y);
    assert_true(shows(s, "may query The read key mat? hide (−∞)"));
    cell_middle(s, "mask", 0, 5, 0, &x, &y);
    move_to(s, x, y);
    assert_true(shows(s, "may query mat read key The? keep (adds 0)"));
    drive_close(s);
}

static void a_number_is_edited_after_a_double_click(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "select w_q[1,1]");
    press(s, 0, "F2");
    assert_string_equal(view(s)->menu, "edit");
    press(s, MOD_CTRL, "a");
    type(s, "2.5");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    const Trace *trace = session_run(s)->trace;
    assert_near(tensor_at(trace_tensor(trace, trace_find(trace, "w_q")), (int[4]){0, 0, 0, 0}), 2.5, 0);
    press(s, MOD_CTRL, "z");
    trace = session_run(s)->trace;
    assert_near(tensor_at(trace_tensor(trace, trace_find(trace, "w_q")), (int[4]){0, 0, 0, 0}), 0, 0);
    drive_close(s);
}

/* ---- focus and menus ---- */

static void tab_goes_round_and_enter_presses(void **unused) {
    (void)unused;
    Session *s = drive_open();
    tap(s, 0, "Tab");
    assert_string_equal(view(s)->focus, "top.field");
    bool seen_chip = false, seen_play = false;
    int stops = 0;
    while (view(s)->focus[0] && stops < 200) {
        seen_chip |= str_eq(view(s)->focus, "top.mask");
        seen_play |= str_eq(view(s)->focus, "transport.play");
        assert_true(view(s)->focus_visible);
        tap(s, 0, "Tab");
        stops++;
    }
    assert_true(seen_chip && seen_play && stops < 200);
    tap(s, MOD_SHIFT, "Tab"); /* the last one again */
    assert_string_not_equal(view(s)->focus, "");
    must(s, "focus top.mask");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "mask");
    drive_close(s);
}

static void a_menu_by_keyboard(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "menu mask");
    press(s, 0, "Down");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    assert_true(session_doc(s)->n_masks == 0 || session_doc(s)->masks[0].spec.kind == MASK_NONE);
    press(s, MOD_CTRL, "z");
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_CAUSAL);
    drive_close(s);
}

static void a_menu_by_mouse(void **unused) {
    (void)unused;
    Session *s = drive_open();
    click(s, "top.mask");
    assert_string_equal(view(s)->menu, "mask");
    assert_true(has_control(s, "menu.2"));
    click(s, "menu.2");
    assert_string_equal(view(s)->menu, "");
    assert_int_equal(session_doc(s)->n_masks == 0 ? 0 : (int)session_doc(s)->masks[0].spec.kind, MASK_NONE);
    click(s, "top.model");
    click_at(s, 1500, 700, 0, 1); /* beside it: closed, and nothing else happens */
    assert_string_equal(view(s)->menu, "");
    drive_close(s);
}

static void every_menu_opens_and_every_row_of_it_is_an_action(void **unused) {
    (void)unused;
    static const char *const menus[] = {"model", "mask", "position", "tokenizer", "speed", "examples", "main", "actions", "keys", "open", "save", "edit"};
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}, {3840, 2160}};
    for (size_t i = 0; i < sizeof menus / sizeof menus[0]; i++) {
        for (int size = 0; size < 3; size++) {
            Session *s = drive_open();
            char line[64];
            session_resize(s, sizes[size][0], sizes[size][1]);
            must(s, "select w_q[1,1]");
            snprintf(line, sizeof line, "menu %s", menus[i]);
            must(s, line);
            assert_string_equal(view(s)->menu, menus[i]);
            const DisplayList *list = session_list(s);
            for (int c = 0; c < list->n; c++) {
                if (list->commands[c].kind != DL_GROUP) continue;
                const DlGroup *group = &list->groups[list->commands[c].group.group];
                ActionLine parsed;
                Err err = {0};
                if (group->role != ROLE_ITEM || dl_text_at(list, group->action)[0] == '=') continue;
                if (!action_parse(dl_text_at(list, group->action), &parsed, &err)) fail_msg("%s", err.message);
                if (action_find(parsed.arg[0]) < 0) fail_msg("%s is no action", parsed.arg[0]);
                Rect box = list->commands[c].box;
                assert_true(box.x >= 0 && box.x + box.w <= sizes[size][0] && box.y >= 0 && box.y + box.h <= sizes[size][1] + 1);
            }
            drive_close(s);
        }
    }
}

static void actions_are_found_by_their_words(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "k");
    type(s, "theme dark");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    assert_int_equal(view(s)->theme, THEME_DARK);
    press(s, MOD_CTRL, "k");
    type(s, "to the beginning");
    must(s, "seek 0.9");
    press(s, 0, "Enter");
    assert_int_equal(view(s)->film.stage, 0);
    drive_close(s);
}

static void controls_of_the_bars_do_what_they_say(void **unused) {
    (void)unused;
    Session *s = drive_open();
    click(s, "transport.stage_next");
    click(s, "transport.stage_next");
    assert_int_equal(view(s)->film.stage, 1);
    click(s, "transport.stage_back");
    assert_int_equal(view(s)->film.stage, 0);
    click(s, "transport.play");
    assert_true(view(s)->film.playing);
    click(s, "transport.play");
    assert_false(view(s)->film.playing);
    click(s, "rail.6");
    assert_int_equal(view(s)->film.stage, 5);
    click(s, "speed");
    assert_string_equal(view(s)->menu, "speed");
    drive_close(s);
}

static void blank_restores_before_it_steps(void **unused) {
    (void)unused;
    Session *s = drive_open();
    char *before = dump(s);
    press(s, 0, "b");
    assert_true(view(s)->blank);
    assert_int_equal(session_list(s)->n, 0);
    press(s, 0, "Space");
    assert_same_picture(dump(s), before);
    drive_close(s);
}

static void text_size_and_theme_come_back(void **unused) {
    (void)unused;
    Session *s = drive_open();
    char *before = dump(s);
    press(s, MOD_CTRL, "+");
    assert_string_not_equal(dump(s), before);
    press(s, MOD_CTRL, "0");
    assert_same_picture(dump(s), before);
    for (int i = 0; i < THEME_COUNT; i++) press(s, 0, "t");
    assert_same_picture(dump(s), before);
    drive_close(s);
}

/* ---- files ---- */

static void saving_and_opening_gives_the_same_picture(void **unused) {
    (void)unused;
    Session *s = drive_open();
    char line[1200], path[1024];
    snprintf(path, sizeof path, "%s/kept.yaml", scratch_folder("session-save"));
    must(s, "text \"A dog ran\"");
    must(s, "mask window 1 1");
    must(s, "stage softmax end");
    pass(s, 1000);
    char *before = dump(s);
    snprintf(line, sizeof line, "save %s", path);
    must(s, line);
    assert_non_null(strstr(view(s)->notice, path));
    must(s, "new");
    must(s, "film.home");
    snprintf(line, sizeof line, "open %s", path);
    must(s, line);
    pass(s, 1000);
    assert_same_picture(dump(s), before);
    drive_close(s);
}

static void a_bad_file_changes_nothing(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    char path[1024];
    snprintf(path, sizeof path, "%s/bad.yaml", scratch_folder("session-bad"));
    assert_true(file_write(path, "attnscope: 1\nmask: cuasal\n", 26, &err));
    char *before = dump(s);
    assert_false(session_open_file(s, path, 0, &err));
    assert_int_equal(err.line, 2);
    pass(s, 1000);
    assert_same_picture(dump(s), before);
    session_update(s, &(Input){.kind = INPUT_DROP, .text = path}, 0); /* the same file dropped: a notice */
    assert_true(view(s)->notice_is_error);
    assert_non_null(strstr(view(s)->notice, "bad.yaml:2"));
    drive_close(s);
}

static void every_example_opens(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "menu examples");
    char names[64][64];
    int n = 0;
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++) {
        if (list->commands[i].kind != DL_GROUP) continue;
        const char *action = dl_text_at(list, list->groups[list->commands[i].group.group].action);
        if (str_starts(action, "example ") && n < 64) snprintf(names[n++], 64, "%s", action);
    }
    assert_true(n > 10);
    must(s, "menu.close");
    for (int i = 0; i < n; i++) {
        must(s, names[i]);
        for (int stage = 0; stage < 9; stage++) {
            assert_true(session_show(s, stage, -1, &(Err){0}));
            dl_finish(session_list(s));
        }
    }
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forward_and_back_is_exact),
        cmocka_unit_test(stages_by_digit_and_by_shift),
        cmocka_unit_test(playing_ends_by_itself_and_then_rests),
        cmocka_unit_test(time_before_a_key_does_not_count),
        cmocka_unit_test(the_scrubber_is_dragged),
        cmocka_unit_test(typing_recomputes_at_each_key),
        cmocka_unit_test(digits_belong_to_who_has_the_focus),
        cmocka_unit_test(page_keys_step_inside_the_field),
        cmocka_unit_test(an_empty_field_keeps_the_last_picture),
        cmocka_unit_test(undo_takes_back_words_and_settings),
        cmocka_unit_test(a_composition_waits_for_its_end),
        cmocka_unit_test(a_composition_has_the_keys_and_a_caret),
        cmocka_unit_test(a_composition_goes_with_its_field),
        cmocka_unit_test(text_without_a_field_goes_nowhere),
        cmocka_unit_test(cut_copy_and_paste),
        cmocka_unit_test(given_matrices_fix_the_number_of_tokens),
        cmocka_unit_test(a_second_text_is_typed_and_taken_away),
        cmocka_unit_test(a_hundred_thousand_characters_are_refused_or_drawn),
        cmocka_unit_test(a_click_selects_the_number_under_it),
        cmocka_unit_test(a_turned_matrix_is_hit_in_stored_order),
        cmocka_unit_test(explanations_lead_back_to_the_text),
        cmocka_unit_test(enter_explains_and_esc_returns),
        cmocka_unit_test(esc_leaves_the_field_before_the_selection),
        cmocka_unit_test(a_mask_is_painted),
        cmocka_unit_test(a_notice_covers_no_number),
        cmocka_unit_test(a_mask_number_is_told_in_words),
        cmocka_unit_test(a_number_is_edited_after_a_double_click),
        cmocka_unit_test(tab_goes_round_and_enter_presses),
        cmocka_unit_test(a_menu_by_keyboard),
        cmocka_unit_test(a_menu_by_mouse),
        cmocka_unit_test(every_menu_opens_and_every_row_of_it_is_an_action),
        cmocka_unit_test(actions_are_found_by_their_words),
        cmocka_unit_test(controls_of_the_bars_do_what_they_say),
        cmocka_unit_test(blank_restores_before_it_steps),
        cmocka_unit_test(text_size_and_theme_come_back),
        cmocka_unit_test(saving_and_opening_gives_the_same_picture),
        cmocka_unit_test(a_bad_file_changes_nothing),
        cmocka_unit_test(every_example_opens),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
