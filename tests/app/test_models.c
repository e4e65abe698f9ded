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

/* ---- fields ---- */

static Session *open_long(const char *name, const char *word, int n) {
    StrBuf text;
    sb_init(&text, &arena);
    Session *s = drive_open();
    open_line(s, model(name));
    for (int i = 0; i < n; i++) sb_printf(&text, i ? " %s" : "%s", word);
    must(s, arena_printf(&arena, "text \"%s\"", text.data));
    return s;
}

static void a_long_text_is_marked_for_good(void **state) {
    (void)state;
    Session *s = open_long("tiny-gpt2", "The cat sat on the mat and", 40);
    const Network *network = session_run(s)->network;
    int read = network->encoding[0].n, all = read + network->cut[0];
    assert_true(network->cut[0] > 0);
    const char *mark = arena_printf(&arena, "%d of %d", read, all);
    assert_true(shows(s, mark));
    float x, y;
    cell_middle(s, "layers.0.weights", 0, 3, 1, &x, &y);
    move_to(s, x, y);
    assert_true(shows(s, mark));
    must(s, "text \"The cat\"");
    assert_false(shows(s, mark));
    drive_close(s);
}

/* In a narrow field the text comes before the name of what cuts it. */
static void a_narrow_field_is_for_its_text(void **state) {
    (void)state;
    Session *s = open_long("tiny-gpt2", "The cat", 1);
    session_resize(s, 1024, 768);
    assert_true(shows(s, "byte-level BPE"));
    must(s, "text \"The cat sat on the mat and looked at the dog\"");
    assert_false(shows(s, "byte-level BPE"));
    assert_false(has_control(s, "top.tokenizer"));
    session_resize(s, 1600, 1000);
    assert_true(shows(s, "byte-level BPE"));
    drive_close(s);
}

static void escape_leaves_the_presentation_first(void **state) {
    (void)state;
    Session *s = drive_open();
    open_line(s, model("tiny-gpt2"));
    press(s, 0, "F5");
    assert_true(session_view(s)->presenting);
    press(s, 0, "Esc");
    assert_false(session_view(s)->presenting);
    assert_true(session_view(s)->overview);
    press(s, MOD_CTRL, "k");
    press(s, 0, "Esc");
    assert_true(session_view(s)->overview);
    press(s, 0, "Esc");
    assert_false(session_view(s)->overview);
    drive_close(s);
}

/* ---- token ids ---- */

/* The folder's config.json and weights alone. */
static const char *without_tokenizer(const char *name) {
    static const char *const files[] = {"config.json", "model.safetensors"};
    Err err = {0};
    const char *from = model(name), *folder = arena_strdup(&arena, scratch_folder(arena_printf(&arena, "ids-%s", name)));
    assert_true(file_make_folders(folder, &err));
    for (int i = 0; i < 2; i++) {
        char *bytes;
        size_t size;
        if (!file_read(path_join(&arena, from, files[i]), 64 << 20, &arena, &bytes, &size, &err) ||
            !file_write(path_join(&arena, folder, files[i]), bytes, size, &err)) fail_msg("%s", err.message);
    }
    return folder;
}

static void a_folder_without_a_tokenizer_reads_ids(void **state) {
    (void)state;
    Err err = {0};
    Session *s = drive_open();
    open_line(s, without_tokenizer("tiny-gpt2"));
    assert_string_equal(doc_text(session_doc(s)), "0 1 2 3 4 5");
    assert_true(shows(s, "token ids"));
    must(s, "text \"5, 6  7\"");
    const Run *run = session_run(s);
    assert_int_equal(run->tokens.n, 3);
    assert_int_equal(run->network->encoding[0].ids[2], 7);
    assert_string_equal(run->tokens.items[1].label, "6");
    assert_int_equal(run->tokens.items[2].start, 6);
    must(s, "take");
    assert_int_equal(session_run(s)->tokens.n, 4);
    must(s, "text \"5 cat\"");
    assert_false(session_need_run(s, &err));
    assert_non_null(strstr(err.message, "'cat' is not a token id"));
    assert_non_null(strstr(err.message, "from 0 to 319"));
    must(s, "text \"320\"");
    err = (Err){0};
    assert_false(session_need_run(s, &err));
    assert_non_null(strstr(err.message, "'320' is not a token id"));
    must(s, "text \"\"");
    assert_true(shows(s, "Type token ids, such as 5 6 7"));
    drive_close(s);
}

static void an_encoder_decoder_reads_ids_too(void **state) {
    (void)state;
    Session *s = drive_open();
    open_line(s, without_tokenizer("tiny-bart"));
    assert_string_equal(doc_text(session_doc(s)), "");
    const Run *run = session_run(s);
    assert_int_equal(run->keys.n, 6);
    assert_int_equal(run->tokens.n, 1); /* the start token */
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_the_floor_of_undo), cmocka_unit_test(undo_of_a_model_says_so_and_comes_back),
        cmocka_unit_test(chips_are_of_the_document_without_a_run), cmocka_unit_test(a_long_text_is_marked_for_good),
        cmocka_unit_test(a_narrow_field_is_for_its_text), cmocka_unit_test(escape_leaves_the_presentation_first),
        cmocka_unit_test(a_folder_without_a_tokenizer_reads_ids), cmocka_unit_test(an_encoder_decoder_reads_ids_too),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
