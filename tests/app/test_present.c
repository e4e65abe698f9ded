/* Presenting: the keys of a remote control, blanking, the light at the pointer, notes, next step and clock. Times are by hand. */
#include "app/drive.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "doc/film.h"

static double place(Session *s) { return session_view(s)->film.position; }
static bool blank(Session *s) { return session_view(s)->blank; }
static bool presenting(Session *s) { return session_view(s)->presenting; }

/* D38, slidev#126 and Imaginary-Teleprompter#33: from step 0: PageDown three times, PageUp, '.', '.', F5, Esc: step 2 is shown; it is
 * blanked, restored; the presentation started, then left. */
static void keys_of_a_remote_control(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage scores start");
    for (int i = 0; i < 3; i++) press(s, 0, "PageDown");
    press(s, 0, "PageUp");
    assert_true(session_view(s)->film.stage == 2 && place(s) == 2);
    press(s, 0, ".");
    assert_true(blank(s));
    press(s, 0, ".");
    assert_false(blank(s));
    press(s, 0, "F5");
    assert_true(presenting(s));
    press(s, 0, "Esc");
    assert_false(presenting(s));
    assert_true(session_view(s)->film.stage == 2 && place(s) == 2);
    drive_close(s);
}

/* Whatever steps: the first press brings the picture back and does not move the film, the second steps. */
static void a_step_key_restores_first(void **unused) {
    (void)unused;
    static const struct {
        unsigned mods;
        const char *key;
        double moves;
    } keys[] = {{0, "PageDown", 1}, {0, "PageUp", -1}, {0, "Space", 1}, {0, "Right", 1}, {0, "Left", -1}, {0, "Backspace", -1}};
    static const char *const blanks[] = {"b", "."};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t b = 0; b < 2; b++) {
            Session *s = drive_open();
            must(s, "stage scores start");
            must(s, "step 4");
            must(s, "present");
            press(s, 0, blanks[b]);
            assert_true(blank(s));
            press(s, keys[i].mods, keys[i].key);
            assert_false(blank(s));
            assert_true(place(s) == 4);
            press(s, keys[i].mods, keys[i].key);
            assert_true(place(s) == 4 + keys[i].moves);
            assert_true(presenting(s));
            drive_close(s);
        }
}

static void a_blank_picture_shows_nothing(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "present");
    press(s, 0, "b");
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++) assert_false(list->commands[i].kind == DL_TEXT || list->commands[i].kind == DL_CELLS);
    drive_close(s);
}

/* The light comes with a move, stays for 2 seconds, is gone 0.4 later, and does not hold the processor meanwhile. */
static void the_light_fades_when_the_pointer_rests(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "present");
    pass(s, 0.01);
    move_to(s, 400, 300); /* where the pointer was lying is no move */
    assert_true(session_view(s)->spotlight == 0);
    move_to(s, 800, 500);
    assert_true(session_view(s)->spotlight == 1);
    assert_near(session_view(s)->spot_x, 0.5, 1e-6);
    assert_near(session_view(s)->spot_y, 0.5, 1e-6);
    pass(s, 1.9);
    assert_true(session_view(s)->spotlight == 1);
    pass(s, 0.3); /* 2.2 of 2 + 0.4 */
    assert_near(session_view(s)->spotlight, 0.5, 0.05);
    pass(s, 0.3);
    assert_true(session_view(s)->spotlight == 0);
    assert_true(session_hides_pointer(s));
    SessionEffects effects;
    session_take_effects(s, &effects);
    assert_true(effects.wait < 0);
    press(s, 0, "F8");
    move_to(s, 500, 400);
    move_to(s, 600, 400);
    assert_true(session_view(s)->spotlight == 0);
    drive_close(s);
}

/* All words of the notes window, with blanks between. */
static char *notes(Session *s) {
    static char text[16384];
    Arena arena = {0};
    DisplayList list;
    session_draw_notes(s, 1280, 800, &arena, &list);
    text[0] = '\0';
    for (int i = 0; i < list.n; i++) {
        if (list.commands[i].kind != DL_TEXT) continue;
        size_t used = strlen(text);
        snprintf(text + used, sizeof text - used, "%s ", dl_text_at(&list, list.commands[i].text.text));
    }
    arena_free(&arena);
    return text;
}

static void notes_have_words_next_step_and_clock(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "notes \"ask first: where does sat look?\"");
    must(s, "stage scores start");
    session_tell_displays(s, 1);
    session_tell_time(s, 9 * 3600 + 5 * 60 + 7, 100);
    must(s, "present");
    assert_false(session_wants_notes(s)); /* nowhere to put them */
    press(s, 0, "F6");
    assert_true(session_wants_notes(s));
    press(s, 0, "F6");
    assert_false(session_wants_notes(s));
    press(s, 0, "Esc");
    session_tell_displays(s, 2);
    must(s, "present");
    pass(s, 0.01);
    assert_true(session_wants_notes(s)); /* by itself, with a second display */
    assert_non_null(strstr(notes(s), "ask first: where does sat look?"));
    assert_non_null(strstr(notes(s), "09:05:07"));
    assert_non_null(strstr(notes(s), "Next"));
    session_tell_time(s, 9 * 3600 + 5 * 60 + 7 + 83, 183); /* 1 min 23 s later */
    assert_non_null(strstr(notes(s), "1:23"));
    press(s, 0, "F7");
    session_tell_time(s, 9 * 3600 + 8 * 60, 300);
    assert_non_null(strstr(notes(s), "1:23"));
    press(s, 0, "b");
    assert_non_null(strstr(notes(s), "blank screen"));
    press(s, 0, "b");
    press(s, 0, "Esc");
    assert_false(session_wants_notes(s));
    drive_close(s);
}

/* Whatever the settings: each number that can be explained is answered in the presenter, in the inspector, and in sentences. */
static void every_kind_of_arithmetic_is_answered(void **unused) {
    (void)unused;
    static const char *const settings[] = {"mask_op add", "fill -1e9", "mask none", "scale none", "temperature 2", "precision f64", "position alibi", "position rope_half",
                                           "empty_row nan", "tie on", "projections off", "out_proj off", "source \"a b\"", "mask padding 3", "model random"};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
        Session *s = drive_open();
        must(s, "text \"a b c\"");
        if (!session_do(s, settings[i], NULL)) fail_msg("%s", settings[i]);
        if (str_eq(settings[i], "fill -1e9")) must(s, "mask_op add");
        if (str_eq(settings[i], "empty_row nan")) must(s, "mask padding 3");
        Err err = {0};
        assert_true(session_need_run(s, &err));
        const Trace *trace = session_run(s)->trace;
        for (int id = 0; id < trace_tensor_count(trace); id++) {
            const Tensor *t = trace_tensor(trace, id);
            for (int corner = 0; corner < 3; corner++) {
                char line[160];
                int used = snprintf(line, sizeof line, "explain %s[", t->id);
                for (int a = 0; a < t->rank; a++) {
                    int at = corner == 0 ? 1 : corner == 1 ? t->dim[a] : a + 1 == t->rank ? t->dim[a] : 1;
                    used += snprintf(line + used, sizeof line - (size_t)used, a ? ",%d" : "%d", at);
                }
                snprintf(line + used, sizeof line - (size_t)used, "]");
                if (t->rank == 0 || !session_do(s, line, NULL)) continue;
                Arena arena = {0};
                assert_true(session_list(s)->n > 0);
                assert_non_null(session_narrate(s, &arena, &err));
                must(s, "copy words");
                must(s, "copy equation");
                must(s, "present");
                assert_true(session_list(s)->n > 0);
                must(s, "present");
                arena_free(&arena);
            }
        }
        drive_close(s);
    }
}

/* e^3.5 over e^3.5 + 1 + 1 after the largest is taken off: 1 ÷ (1 + 2 e^-3.5) = 1 ÷ 1.060. A number is rounded once. */
static void the_arithmetic_is_shown_with_its_numbers(void **unused) {
    (void)unused;
    Session *s = drive_open();
    session_resize(s, 1600, 900);
    must(s, "present");
    must(s, "stage softmax end");
    must(s, "select weights[2,sat,cat]");
    assert_true(shows(s, "1.000 ÷ 1.060") && shows(s, "0.943"));
    must(s, "select masked[2,sat,cat]");
    must(s, "stage mask end");
    must(s, "head 2");
    must(s, "select masked[2,sat,cat]");
    assert_true(shows(s, "mask") && shows(s, "keeps") && shows(s, "3.500"));
    must(s, "select masked[2,sat,mat]");
    assert_true(shows(s, "−∞"));
    drive_close(s);
}

/* Without a selection the row is asked about, as in the inspector. */
static void a_row_takes_values_home(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "present");
    must(s, "stage wsum end");
    assert_true(shows(s, "takes") && shows(s, "home") && shows(s, "together"));
    must(s, "select head_out[1,sat,1]");
    assert_false(shows(s, "together"));
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_of_a_remote_control),
        cmocka_unit_test(a_step_key_restores_first),
        cmocka_unit_test(a_blank_picture_shows_nothing),
        cmocka_unit_test(the_light_fades_when_the_pointer_rests),
        cmocka_unit_test(notes_have_words_next_step_and_clock),
        cmocka_unit_test(the_arithmetic_is_shown_with_its_numbers),
        cmocka_unit_test(a_row_takes_values_home),
        cmocka_unit_test(every_kind_of_arithmetic_is_answered),
    };
    return cmocka_run_group_tests_name("presenting", tests, NULL, NULL);
}
