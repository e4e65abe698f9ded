/* The document of a session: what a file says about looking at it, what follows its tokens. */
#include "app/drive.h"

#include <stdio.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/film.h"

static const View *view(Session *s) { return session_view(s); }

static const char *write_scenario(const char *folder, const char *name, const char *text) {
    static char path[1100];
    Err err = {0};
    snprintf(path, sizeof path, "%s/%s", folder, name);
    if (!file_write(path, text, strlen(text), &err)) fail_msg("%s", err.message);
    return path;
}

static double number(Session *s, const char *tensor, int i, int j, int k) {
    const Trace *trace = session_run(s)->trace;
    return tensor_at(trace_tensor(trace, trace_find(trace, tensor)), (int[4]){i, j, k, 0});
}

/* ---- looking ---- */

static void a_file_selects_a_number_by_its_tokens(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    const char *folder = scratch_folder("document-selection");
    const char *path = write_scenario(folder, "a.yaml", "attnscope: 1\nmask: causal\n"
                                                        "view: {stage: softmax, head: 2, selection: \"weights[2, sat, cat]\", text_scale: 1.5}\n");
    if (!session_open_file(s, path, 0, &err)) fail_msg("%s", err.message);
    static const int want[3] = {1, 2, 1};
    assert_string_equal(view(s)->selection.tensor, "weights");
    assert_memory_equal(view(s)->selection.index, want, sizeof want);
    assert_int_equal(view(s)->selection.rank, 3);
    assert_int_equal(view(s)->head, 1);
    assert_near(view(s)->text_scale, 1.5, 0);
    assert_near(view(s)->film.position, film_steps(session_run(s)->trace, 5), 0);
    must(s, "select.none");
    must(s, "set view \"{selection: \\\"scores[1, 2, The]\\\"}\""); /* and so does the key alone */
    assert_string_equal(view(s)->selection.tensor, "scores");
    assert_int_equal(view(s)->selection.index[2], 0);
    drive_close(s);
}

static void a_selection_that_is_not_there_is_refused(void **unused) {
    (void)unused;
    static const char *const texts[] = {"weights[2, dog, cat]", "weights[2, 9, 1]", "wights[1, 1, 1]"};
    Session *s = drive_open();
    char *before = dump(s);
    for (int i = 0; i < 3; i++) {
        Err err = {0};
        char text[200];
        snprintf(text, sizeof text, "attnscope: 1\ntext: \"a cat\"\nview: {selection: \"%s\"}\n", texts[i]);
        const char *path = write_scenario(scratch_folder("document-refused"), "bad.yaml", text);
        assert_false(session_open_file(s, path, 0, &err));
        assert_true(str_ends(err.file, "bad.yaml"));
        assert_true(err.message[0] != '\0');
    }
    assert_string_equal(dump(s), before);
    drive_close(s);
}

/* The place that an explanation came from goes with its number when the text becomes too short for it. */
static void the_trail_keeps_its_places(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage output end");
    must(s, "select out[6,1]");
    must(s, "explain");         /* concat[6, …], of the last token */
    must(s, "select weights[2,2,1]");
    must(s, "head 2");
    must(s, "stage softmax end");
    must(s, "explain scores[2,2,1]");
    must(s, "explain");
    assert_int_equal(view(s)->n_trail, 2);
    must(s, "text \"The cat\"");
    assert_int_equal(view(s)->n_trail, 2);
    must(s, "trail.back");
    must(s, "trail.back");
    assert_string_equal(view(s)->selection.tensor, "weights");
    assert_int_equal(view(s)->film.stage, 5);
    assert_near(view(s)->film.position, film_steps(session_run(s)->trace, 5), 0);
    assert_int_equal(view(s)->head, 1);
    drive_close(s);
}

static void a_lost_place_leaves_the_others_in_step(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    must(s, "select weights[2,sat,cat]"); /* row 3: lost below */
    must(s, "explain scores[2,2,1]");
    must(s, "head 3");
    must(s, "explain q[3,2,1]");
    must(s, "text \"The cat\"");
    assert_int_equal(view(s)->n_trail, 1);
    must(s, "trail.back");
    assert_string_equal(view(s)->selection.tensor, "scores");
    assert_int_equal(view(s)->film.stage, 2);
    assert_int_equal(view(s)->head, 2);
    drive_close(s);
}

/* ---- what belongs to a token ---- */

static void an_edit_and_a_mask_follow_their_token(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "edit tok[3,1] 5"); /* of "sat" */
    must(s, "mask.toggle sat cat 0");
    press(s, MOD_CTRL, "l");
    press(s, 0, "Home");
    type(s, "See ");          /* in front of all of them */
    assert_int_equal(session_run(s)->tokens.n, 7);
    assert_string_equal(session_run(s)->tokens.items[3].text, "sat");
    assert_near(number(s, "tok", 3, 0, 0), 5, 0);
    assert_near(number(s, "mask", 3, 2, 0), 0, 0);
    assert_near(number(s, "mask", 2, 1, 0), 1, 0);
    must(s, "text \"See the cat\""); /* its token is gone */
    assert_int_equal(session_doc(s)->n_edits, 0);
    press(s, MOD_CTRL, "z");
    assert_near(number(s, "tok", 3, 0, 0), 5, 0);
    Err err = {0};
    assert_true(session_set(s, "text", "Now see The cat sat on the mat", &err)); /* as the command line does it */
    assert_true(session_need_run(s, &err));
    assert_near(number(s, "tok", 4, 0, 0), 5, 0);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_selects_a_number_by_its_tokens),
        cmocka_unit_test(a_selection_that_is_not_there_is_refused),
        cmocka_unit_test(the_trail_keeps_its_places),
        cmocka_unit_test(a_lost_place_leaves_the_others_in_step),
        cmocka_unit_test(an_edit_and_a_mask_follow_their_token),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
