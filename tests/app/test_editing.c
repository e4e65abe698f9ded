/* What hands do in the window: typing, painting, pressing, and what of it one undo takes back. */
#include "app/drive.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/film.h"

static const View *view(Session *s) { return session_view(s); }
static const char *text_of(Session *s) { return doc_text(session_doc(s)); }

static Session *open_with_text(const char *text) {
    Session *s = drive_open();
    press(s, MOD_CTRL, "l");
    press(s, MOD_CTRL, "a");
    type(s, text);
    return s;
}

/* ---- undo of what was typed ---- */

static void a_replaced_selection_is_a_step(void **unused) {
    (void)unused;
    Session *s = open_with_text("hello world");
    tap(s, MOD_CTRL, "a");
    type(s, "zoo");
    assert_string_equal(text_of(s), "zoo");
    tap(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "hello world");
    tap(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_string_equal(text_of(s), "zoo");
    drive_close(s);
}

static void removing_and_typing_are_two_steps(void **unused) {
    (void)unused;
    Session *s = open_with_text("hello world");
    for (int i = 0; i < 8; i++) tap(s, 0, "Backspace");
    assert_string_equal(text_of(s), "hel");
    type(s, "p");
    tap(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "hel");
    tap(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "hello world");
    tap(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "hello ");
    for (int i = 0; i < 3; i++) tap(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_string_equal(text_of(s), "help");
    drive_close(s);
}

/* ---- tokens of given matrices ---- */

static const char *token(Session *s, int i) { return session_run(s)->tokens.items[i].text; }

static void given_tokens_are_renamed_when_their_number_fits(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "example 02-the-cat-sat-down");
    must(s, "focus top.field"); /* everything is selected */
    type(s, "a dog");
    assert_true(shows(s, "a dog"));
    assert_string_equal(token(s, 0), "The"); /* two are too few */
    assert_non_null(strstr(view(s)->notice, "4 tokens"));
    assert_non_null(strstr(view(s)->notice, "names 2"));
    type(s, " ran");
    assert_string_equal(token(s, 0), "The");
    type(s, " off");
    assert_string_equal(token(s, 1), "dog");
    assert_string_equal(token(s, 3), "off");
    assert_string_equal(view(s)->notice, "");
    type(s, " so");
    assert_true(shows(s, "a dog ran off so"));
    press(s, 0, "Esc");
    assert_true(shows(s, "a dog ran off"));
    assert_string_equal(token(s, 3), "off");
    drive_close(s);
}

static void undo_takes_what_was_not_taken_first(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "example 02-the-cat-sat-down");
    must(s, "focus top.field");
    press(s, 0, "End");
    type(s, " x");
    tap(s, MOD_CTRL, "z");
    assert_true(shows(s, "The cat sat down"));
    type(s, "y");
    assert_string_equal(token(s, 3), "downy");
    drive_close(s);
}

static void unnamed_tokens_are_numbered_in_the_field(void **unused) {
    (void)unused;
    FILE *f = fopen("unnamed.yaml", "w");
    assert_non_null(f);
    fputs("attnscope: 1\nweights: [[1, 0, 0], [0, 1, 0], [0, 0, 1]]\n", f);
    fclose(f);
    Session *s = drive_open();
    must(s, "open unnamed.yaml");
    remove("unnamed.yaml");
    assert_true(shows(s, "1 2 3"));
    must(s, "focus top.field");
    press(s, 0, "End");
    type(s, "rd");
    assert_string_equal(token(s, 2), "3rd");
    assert_string_equal(token(s, 0), "1");
    drive_close(s);
}

/* ---- painting ---- */

static void mouse(Session *s, InputKind kind, float x, float y) {
    session_update(s, &(Input){.kind = kind, .x = x, .y = y, .button = 1, .clicks = 1}, 2); /* slowly */
}

static double kept(Session *s, int i, int j) {
    const Trace *trace = session_run(s)->trace;
    return tensor_at(trace_tensor(trace, trace_find(trace, "mask")), (int[4]){i, j, 0, 0});
}

/* Rows 1 to 3 of a column from the top. */
static void stroke(Session *s, int col) {
    float x, y;
    for (int row = 0; row < 3; row++) {
        cell_middle(s, "mask", 0, row, col, &x, &y);
        mouse(s, row == 0 ? INPUT_MOUSE_DOWN : INPUT_MOUSE_MOVE, x, y);
        session_list(s);
        assert_int_equal(view(s)->hover.index[0], row); /* the pointer is followed */
        assert_int_equal(view(s)->hover.index[1], col);
    }
    mouse(s, INPUT_MOUSE_UP, x, y);
}

static void a_stroke_is_one_step(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage mask end");
    stroke(s, 5);
    stroke(s, 4);
    for (int row = 0; row < 3; row++) assert_near(kept(s, row, 5) + kept(s, row, 4), 2, 0);
    press(s, MOD_CTRL, "z");
    for (int row = 0; row < 3; row++) assert_near(kept(s, row, 5) - kept(s, row, 4), 1, 0);
    press(s, MOD_CTRL, "z");
    for (int row = 0; row < 3; row++) assert_near(kept(s, row, 5) + kept(s, row, 4), 0, 0);
    drive_close(s);
}

/* ---- pressing ---- */

static void buttons_act_when_they_are_let_go(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Rect box = control_box(s, "top.mask");
    float x = box.x + box.w / 2, y = box.y + box.h / 2;
    mouse(s, INPUT_MOUSE_DOWN, x, y);
    assert_string_equal(view(s)->menu, "");
    mouse(s, INPUT_MOUSE_MOVE, x, y + 300);
    mouse(s, INPUT_MOUSE_UP, x, y + 300); /* let go outside: nothing */
    assert_string_equal(view(s)->menu, "");
    mouse(s, INPUT_MOUSE_DOWN, x, y + 300);
    mouse(s, INPUT_MOUSE_UP, x, y); /* did not begin there */
    assert_string_equal(view(s)->menu, "");
    Rect other = control_box(s, "top.position");
    mouse(s, INPUT_MOUSE_DOWN, other.x + other.w / 2, y);
    mouse(s, INPUT_MOUSE_UP, x, y); /* began at another */
    assert_string_equal(view(s)->menu, "");
    mouse(s, INPUT_MOUSE_DOWN, x, y);
    mouse(s, INPUT_MOUSE_UP, x + 2, y);
    assert_string_equal(view(s)->menu, "mask");
    mouse(s, INPUT_MOUSE_DOWN, 800, 900);
    assert_string_equal(view(s)->menu, "mask");
    mouse(s, INPUT_MOUSE_UP, 800, 900);
    assert_string_equal(view(s)->menu, "");
    box = control_box(s, "scrubber");
    mouse(s, INPUT_MOUSE_DOWN, box.x + box.w * 0.9f, box.y + box.h / 2); /* sliders do not wait */
    assert_true(view(s)->film.stage >= 7);
    drive_close(s);
}

/* ---- dialogs ---- */

static void an_action_is_completed_and_its_argument_chosen(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "k");
    type(s, "palet");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->query, "palette ");
    assert_true(shows(s, "cividis"));
    type(s, "ci");
    assert_false(shows(s, "viridis"));
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    assert_int_equal(view(s)->palette, RAMP_CIVIDIS);
    press(s, MOD_CTRL, "k");
    type(s, "mask");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->query, "mask ");
    press(s, 0, "Down");
    press(s, 0, "Enter");
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_CAUSAL);
    static const char *const lists[][2] = {{"model ", "identity"}, {"precision ", "f64"}, {"example ", "05-two-heads"}, {"stage ", "softmax"},
                                           {"stage softmax ", "end"}, {"theme ", "print"}, {"position ", "alibi"}, {"tokenizer ", "smiles"}, {"copy ", "equation"}, {"set cau", "causal_align"}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        press(s, MOD_CTRL, "k");
        type(s, lists[i][0]);
        if (!shows(s, lists[i][1])) fail_msg("%sdoes not offer %s", lists[i][0], lists[i][1]);
        press(s, 0, "Esc");
    }
    drive_close(s);
}

static void what_went_wrong_is_told_in_the_dialog(void **unused) {
    (void)unused;
    Session *s = drive_open();
    press(s, MOD_CTRL, "k");
    type(s, "heads 7x");
    tap(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "actions");
    assert_string_equal(view(s)->query, "heads 7x");
    assert_non_null(strstr(view(s)->notice, "7x"));
    assert_false(has_control(s, "notice")); /* not behind the dialog */
    type(s, "y");
    assert_string_equal(view(s)->notice, "");
    press(s, 0, "Esc");
    press(s, MOD_CTRL, "o");
    type(s, "nowhere/none.yaml");
    tap(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "open");
    assert_string_equal(view(s)->query, "nowhere/none.yaml");
    assert_non_null(strstr(view(s)->notice, "none.yaml"));
    press(s, 0, "Esc");
    assert_string_equal(view(s)->menu, "");
    drive_close(s);
}

static void the_title_names_the_file_and_marks_changes(void **unused) {
    (void)unused;
    Arena arena = {0};
    Session *s = drive_open();
    assert_string_equal(session_title(s, &arena), "Attnscope");
    must(s, "text \"a b\"");
    assert_string_equal(session_title(s, &arena), "• Attnscope");
    must(s, "save titled.yaml");
    assert_string_equal(session_title(s, &arena), "titled.yaml — Attnscope");
    must(s, "temperature 2");
    assert_string_equal(session_title(s, &arena), "• titled.yaml — Attnscope");
    must(s, "undo");
    assert_string_equal(session_title(s, &arena), "titled.yaml — Attnscope");
    remove("titled.yaml");
    arena_free(&arena);
    drive_close(s);
}

/* How often the sign of a chosen row is drawn: a hook of six corners. */
static int ticks(Session *s) {
    const DisplayList *list = session_list(s);
    int n = 0;
    for (int i = 0; i < list->n; i++) n += list->commands[i].kind == DL_PATH && list->commands[i].path.count == 6;
    return n;
}

static void switches_have_a_tick(void **unused) {
    (void)unused;
    Session *s = drive_open();
    int before = ticks(s);
    press(s, 0, "F10");
    assert_int_equal(ticks(s), before);
    press(s, 0, "Esc");
    must(s, "motion");
    press(s, 0, "F10");
    assert_int_equal(ticks(s), before + 1);
    drive_close(s);
}

static void sizes_that_do_not_fit_are_found_in_the_file(void **unused) {
    (void)unused;
    static const struct {
        const char *yaml, *place, *message;
    } files[] = {
        {"attnscope: 1\nd_model: 1600\nheads: 48\n", "sizes.yaml:3:1: heads: ", "random"},
        {"attnscope: 1\nmodel: random\nheads: 48\nd_model: 1600\n", "sizes.yaml:3:1: heads: ", "25 or 50 would do"},
        {"attnscope: 1\nd_k: 5\n", "sizes.yaml:2:1: d_k: ", "made by hand"},
        {"attnscope: 1\nmodel: random\nheads: 6\nkv_heads: 4\n", "sizes.yaml:4:1: kv_heads: ", "divisible"},
    };
    Session *s = drive_open();
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        char text[1200];
        Err err = {0};
        FILE *f = fopen("sizes.yaml", "w");
        assert_non_null(f);
        fputs(files[i].yaml, f);
        fclose(f);
        assert_false(session_open_file(s, "sizes.yaml", 0, &err));
        err_format(&err, text, sizeof text);
        if (!str_starts(text, files[i].place) || !strstr(text, files[i].message)) fail_msg("%s", text);
    }
    remove("sizes.yaml");
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replaced_selection_is_a_step),
        cmocka_unit_test(removing_and_typing_are_two_steps),
        cmocka_unit_test(given_tokens_are_renamed_when_their_number_fits),
        cmocka_unit_test(undo_takes_what_was_not_taken_first),
        cmocka_unit_test(unnamed_tokens_are_numbered_in_the_field),
        cmocka_unit_test(a_stroke_is_one_step),
        cmocka_unit_test(buttons_act_when_they_are_let_go),
        cmocka_unit_test(an_action_is_completed_and_its_argument_chosen),
        cmocka_unit_test(what_went_wrong_is_told_in_the_dialog),
        cmocka_unit_test(the_title_names_the_file_and_marks_changes),
        cmocka_unit_test(switches_have_a_tick),
        cmocka_unit_test(sizes_that_do_not_fit_are_found_in_the_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
