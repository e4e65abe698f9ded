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

/* Tokens with spaces, quotes and line ends stand quoted in the field, and typing keeps them as they are. */
static void listed_tokens_survive_the_field(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    const char *path = write_scenario(scratch_folder("document-tokens"), "odd.yaml",
                                      "attnscope: 1\ntokens: [\"a b\", \"C\\\\C\", \"x\\ny\", \"q\\\"q\"]\nx: [[1], [2], [3], [4]]\nprojections: none\nheads: 1\n");
    if (!session_open_file(s, path, 0, &err)) fail_msg("%s", err.message);
    press(s, MOD_CTRL, "l");
    press(s, 0, "End");
    assert_true(shows(s, "\"a b\" C\\C \"x\\ny\" \"q\\\"q\""));
    press(s, 0, "Left"); /* inside the last quotes */
    type(s, "z");
    static const char *const want[] = {"a b", "C\\C", "x\ny", "q\"qz"};
    for (int i = 0; i < 4; i++) assert_string_equal(session_run(s)->tokens.items[i].text, want[i]);
    drive_close(s);
}

/* ---- several documents, and the end ---- */

static const char *text_of(Session *s) { return doc_text(session_doc(s)); }

static bool can(Session *s, const char *line) {
    Err err = {0};
    return session_do(s, line, &err);
}

static bool is_greyed(Session *s, const char *action) {
    must(s, "menu main");
    const DisplayList *list = session_list(s);
    bool listed = false;
    for (int i = 0; i < list->n; i++) {
        if (list->commands[i].kind != DL_GROUP) continue;
        const DlGroup *group = &list->groups[list->commands[i].group.group];
        listed |= group->role == ROLE_ITEM && str_eq(dl_text_at(list, group->action), action);
    }
    must(s, "menu.close");
    return !listed; /* a row that cannot be chosen carries no action */
}

static void folder_of(char out[1024], const char *name) {
    snprintf(out, 1024, "%s", scratch_folder(name));
}

static void opening_another_document_is_undone_like_any_step(void **unused) {
    (void)unused;
    char folder[1024], line[1200];
    folder_of(folder, "document-another");
    Session *s = drive_open();
    snprintf(line, sizeof line, "open %s", write_scenario(folder, "b.yaml", "attnscope: 1\ntext: \"two birds\"\n"));
    must(s, "text \"never saved\"");
    must(s, "mask window 1 1");
    must(s, line);
    assert_string_equal(text_of(s), "two birds");
    assert_int_equal(session_doc(s)->n_masks, 0);
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "never saved");
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_WINDOW);
    assert_int_equal(session_run(s)->tokens.n, 2);
    press(s, MOD_CTRL, "s"); /* it is not written over the other one's file: it asks for a name */
    assert_string_equal(view(s)->menu, "save");
    assert_string_equal(view(s)->query, "never-saved.yaml"); /* for instance */
    press(s, 0, "Esc");
    press(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_string_equal(text_of(s), "two birds");
    must(s, "example 02-the-cat-sat-down"); /* given matrices and back */
    press(s, MOD_CTRL, "z");
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "never saved");
    drive_close(s);
}

static void a_new_document_has_no_file(void **unused) {
    (void)unused;
    char folder[1024], line[1200];
    Arena arena = {0};
    size_t size;
    char *text;
    folder_of(folder, "document-new");
    Session *s = drive_open();
    snprintf(line, sizeof line, "open %s", write_scenario(folder, "mine.yaml", "attnscope: 1\ntext: \"two birds\"\n"));
    must(s, line);
    must(s, "new");
    assert_string_equal(text_of(s), "The cat sat on the mat");
    press(s, MOD_CTRL, "s");
    assert_string_equal(view(s)->menu, "save");
    press(s, 0, "Esc");
    press(s, MOD_CTRL, "z");
    must(s, "text \"three birds\"");
    press(s, MOD_CTRL, "s"); /* that one has its file */
    assert_string_equal(view(s)->menu, "");
    assert_true(file_read(path_join(&arena, folder, "mine.yaml"), 10000, &arena, &text, &size, NULL));
    assert_non_null(strstr(text, "three birds"));
    arena_free(&arena);
    drive_close(s);
}

static void what_is_unsaved_at_the_end_can_be_opened_again(void **unused) {
    (void)unused;
    char folder[1024], line[1200];
    folder_of(folder, "document-session");
    Session *s = drive_open_in(folder);
    assert_true(is_greyed(s, "reopen"));
    assert_false(can(s, "reopen"));
    must(s, "text \"first of all\"");
    snprintf(line, sizeof line, "open %s", write_scenario(folder, "b.yaml", "attnscope: 1\ntext: \"two birds\"\n"));
    must(s, line);
    must(s, "mask causal");
    must(s, "stage softmax end");
    drive_close(s);

    s = drive_open_in(folder);
    assert_string_equal(view(s)->menu, ""); /* it ended cleanly: nobody is asked */
    assert_string_equal(text_of(s), "The cat sat on the mat");
    assert_false(is_greyed(s, "reopen"));
    must(s, "reopen");
    assert_string_equal(text_of(s), "two birds");
    assert_int_equal(session_doc(s)->n_masks, 1);
    assert_int_equal(view(s)->film.stage, 5);
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "first of all"); /* the one under it too */
    press(s, MOD_CTRL | MOD_SHIFT, "z");
    drive_close(s); /* still saved nowhere */

    s = drive_open_in(folder);
    must(s, "reopen");
    assert_string_equal(text_of(s), "two birds");
    snprintf(line, sizeof line, "save %s/saved.yaml", folder);
    must(s, line);
    press(s, MOD_CTRL, "z");
    snprintf(line, sizeof line, "save %s/first.yaml", folder);
    must(s, line);
    drive_close(s);

    s = drive_open_in(folder); /* the last end with something unsaved is still on offer */
    must(s, "reopen");
    assert_string_equal(text_of(s), "two birds");
    assert_false(can(s, "reopen 9"));
    drive_close(s);
}

static void the_save_dialog_says_what_it_replaces(void **unused) {
    (void)unused;
    char folder[1024], line[1200];
    folder_of(folder, "document-replace");
    write_scenario(folder, "there.yaml", "attnscope: 1\n");
    Session *s = drive_open();
    must(s, "menu save");
    snprintf(line, sizeof line, "%s/ther", folder);
    session_update(s, &(Input){.kind = INPUT_TEXT, .text = line}, 0);
    assert_true(shows(s, "Save"));
    assert_false(shows(s, "Replace this file"));
    type(s, "e"); /* saving adds .yaml */
    assert_true(shows(s, "Replace this file"));
    drive_close(s);
}

static void nothing_is_kept_of_what_is_safe(void **unused) {
    (void)unused;
    char folder[1024], line[1200];
    folder_of(folder, "document-safe");
    Session *s = drive_open_in(folder);
    must(s, "stage softmax end");
    must(s, "theme dark");
    drive_close(s);
    s = drive_open_in(folder);
    assert_true(session_open_text(s, "some other words", &(Err){0})); /* as the command line does */
    must(s, "mask none");
    session_begin(s);
    must(s, "example 02-the-cat-sat-down");
    drive_close(s);
    s = drive_open_in(folder);
    must(s, "text \"to be saved\"");
    snprintf(line, sizeof line, "save %s/saved.yaml", folder);
    must(s, line);
    must(s, "text \"and taken back\"");
    press(s, MOD_CTRL, "z");
    drive_close(s);
    s = drive_open_in(folder);
    assert_false(can(s, "reopen"));
    drive_close(s);
}

/* The program is killed: its files lie there, without a lock. */
static void recovering_loses_nothing_on_the_way(void **unused) {
    (void)unused;
    char folder[1024];
    folder_of(folder, "document-recover");
    write_scenario(folder, "attnscope-999999.yaml", "attnscope: 1\ntext: \"below\"\n---\nattnscope: 1\ntext: \"\"\n");
    Session *s = drive_open_in(folder);
    assert_string_equal(view(s)->menu, "recover");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    assert_string_equal(text_of(s), ""); /* without a run, and open all the same */
    press(s, MOD_CTRL, "z");
    assert_string_equal(text_of(s), "below");
    assert_false(can(s, "recover"));
    drive_close(s);
    s = drive_open_in(folder);
    must(s, "reopen");
    assert_string_equal(text_of(s), "below");
    drive_close(s);
}

static void the_question_says_what_was_kept_and_when(void **unused) {
    (void)unused;
    char folder[1024];
    folder_of(folder, "document-question");
    write_scenario(folder, "attnscope-999999.yaml", "attnscope: 1\ntext: \"below\"\n---\nattnscope: 1\ntext: \"dogs bark\"\n");
    Session *s = drive_open_in(folder);
    const char *list = dump(s);
    assert_non_null(strstr(list, "“dogs bark”"));
    assert_non_null(strstr(list, "Kept on 20"));
    assert_non_null(strstr(list, "before it: 1"));
    must(s, "recover no");
    drive_close(s);
}

static void a_kept_file_that_cannot_be_read_stays(void **unused) {
    (void)unused;
    char folder[1024];
    folder_of(folder, "document-unreadable");
    const char *path = write_scenario(folder, "attnscope-999999.yaml", "attnscope: 1\ntext: [\n");
    Session *s = drive_open_in(folder);
    press(s, 0, "Enter");
    assert_true(view(s)->notice_is_error);
    assert_true(file_exists(path));
    must(s, "recover no");
    assert_false(file_exists(path));
    drive_close(s);
}

static void only_what_is_unsaved_is_kept(void **unused) {
    (void)unused;
    char folder[1024];
    folder_of(folder, "document-killed");
    Session *s = drive_open_in(folder);
    must(s, "text \"in the making\"");
    pass(s, 0.1);
    pass(s, 3);
    Arena arena = {0};
    char **names;
    int n, kept = 0;
    assert_true(file_list(folder, &arena, &names, &n, NULL));
    for (int i = 0; i < n; i++) kept += str_ends(names[i], ".yaml");
    assert_int_equal(kept, 1);
    must(s, "undo"); /* safe again: nothing is left to keep */
    pass(s, 3);
    pass(s, 3);
    assert_true(file_list(folder, &arena, &names, &n, NULL));
    for (int i = 0; i < n; i++) assert_false(str_ends(names[i], ".yaml"));
    arena_free(&arena);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_selects_a_number_by_its_tokens),
        cmocka_unit_test(a_selection_that_is_not_there_is_refused),
        cmocka_unit_test(the_trail_keeps_its_places),
        cmocka_unit_test(a_lost_place_leaves_the_others_in_step),
        cmocka_unit_test(an_edit_and_a_mask_follow_their_token),
        cmocka_unit_test(listed_tokens_survive_the_field),
        cmocka_unit_test(opening_another_document_is_undone_like_any_step),
        cmocka_unit_test(a_new_document_has_no_file),
        cmocka_unit_test(what_is_unsaved_at_the_end_can_be_opened_again),
        cmocka_unit_test(the_save_dialog_says_what_it_replaces),
        cmocka_unit_test(nothing_is_kept_of_what_is_safe),
        cmocka_unit_test(recovering_loses_nothing_on_the_way),
        cmocka_unit_test(the_question_says_what_was_kept_and_when),
        cmocka_unit_test(a_kept_file_that_cannot_be_read_stays),
        cmocka_unit_test(only_what_is_unsaved_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
