/* What hands do in the window: typing, painting, pressing, and what of it one undo takes back. */
#include "app/drive.h"

#include <stdio.h>

#include "base/str.h"
#include "doc/action.h"
#include "doc/film.h"

__attribute__((unused)) static const View *view(Session *s) { return session_view(s); }
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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_replaced_selection_is_a_step),
        cmocka_unit_test(removing_and_typing_are_two_steps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
