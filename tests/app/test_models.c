/* Models from folders as a person meets them in the window: undo, chips, refusals, token ids. */
#include "app/drive.h"
#include "base/file.h"
#include "base/str.h"

static Arena arena;

static const char *model(const char *name) {
    const char *path = data_path(arena_printf(&arena, "models/%s", name));
    if (!file_exists(path)) skip();
    return arena_strdup(&arena, path);
}

static int site_of(const Session *s) { return session_run(s)->stage_site[session_view(s)->film.stage]; }

static void open_line(Session *s, const char *folder) {
    must(s, arena_printf(&arena, "model \"%s\"", folder));
}

/* ---- undo ---- */

static void the_start_is_the_floor_of_undo(void **state) {
    (void)state;
    Err err = {0};
    Session *s = drive_open();
    assert_true(session_set_model(s, model("tiny-gpt2"), &err));
    session_begin(s);
    assert_false(session_do(s, "undo", &err));
    assert_int_equal(session_doc(s)->model, MODEL_FOLDER);
    must(s, "text \"The dog\"");
    must(s, "undo");
    assert_string_equal(doc_text(session_doc(s)), "The cat sat on the mat");
    assert_false(session_do(s, "undo", &err));
    must(s, "redo");
    assert_string_equal(doc_text(session_doc(s)), "The dog");
    drive_close(s);
}

static void undo_of_a_model_says_so_and_comes_back(void **state) {
    (void)state;
    Session *s = drive_open();
    must(s, "stage softmax");
    open_line(s, model("tiny-gpt2"));
    assert_true(session_view(s)->overview);
    must(s, "look 2 3");
    must(s, "stage mask");
    int stage = session_view(s)->film.stage;
    must(s, "undo");
    assert_int_equal(session_doc(s)->model, MODEL_CLASSROOM);
    assert_string_equal(session_view(s)->notice, "Undone: the model is Classroom again.");
    must(s, "stage output");
    must(s, "redo");
    assert_string_equal(session_view(s)->notice, "Done again: the model is tiny-gpt2.");
    assert_false(session_view(s)->overview);
    assert_int_equal(site_of(s), 1);
    assert_int_equal(session_view(s)->film.stage, stage);
    assert_int_equal(session_view(s)->head, 2);
    pass(s, 10);
    must(s, "take");
    must(s, "undo");
    assert_int_equal(session_view(s)->film.stage, stage);
    assert_null(strstr(session_view(s)->notice, "model"));
    must(s, "redo");
    assert_int_equal(session_view(s)->film.stage, stage);
    must(s, "undo");
    must(s, "undo");
    assert_int_equal(session_view(s)->stage_kind, STAGE_OUTPUT);
    drive_close(s);
}

/* ---- chips ---- */

static void chips_are_of_the_document_without_a_run(void **state) {
    (void)state;
    Session *s = drive_open();
    open_line(s, model("tiny-gpt2"));
    must(s, "text \"\"");
    must(s, "model classroom");
    assert_true(shows(s, "Classroom"));
    assert_false(has_control(s, "top.badge"));
    assert_true(shows(s, "words"));
    assert_true(shows(s, "Type some words"));
    must(s, "model molecule");
    must(s, "text \"\"");
    must(s, "model identity");
    assert_true(shows(s, "Identity"));
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_the_floor_of_undo), cmocka_unit_test(undo_of_a_model_says_so_and_comes_back),
        cmocka_unit_test(chips_are_of_the_document_without_a_run),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
