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
    session_resize(s, 1920, 1080);
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

/* ---- menus and dialogs ---- */

/* A row of the open menu with exactly this label; its action, or NULL when it cannot be chosen. */
static const char *row_action(Session *s, const char *label) {
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++) {
        const DlGroup *group = list->commands[i].kind == DL_GROUP ? &list->groups[list->commands[i].group.group] : NULL;
        if (group && group->role == ROLE_ITEM && str_eq(dl_text_at(list, group->label), label)) return dl_text_at(list, group->action);
    }
    return NULL;
}

static void ask(Session *s, const char *query) {
    if (!session_view(s)->menu[0]) press(s, MOD_CTRL, "k");
    press(s, MOD_CTRL, "a");
    type(s, query);
}

static void all_actions_find_folders(void **state) {
    (void)state;
    Session *s = drive_open();
    ask(s, "folder");
    assert_non_null(row_action(s, "Open folder: a trained model on disk, with config.json."));
    ask(s, "model ");
    assert_null(row_action(s, "folder"));
    assert_non_null(row_action(s, "classroom"));
    assert_string_equal(row_action(s, "Open folder…"), "=folder ");
    const char *models = arena_strdup(&arena, data_path("models/"));
    ask(s, arena_printf(&arena, "model %stiny-g", models));
    assert_string_equal(row_action(s, arena_printf(&arena, "%stiny-gpt2/", models)), arena_printf(&arena, "model %stiny-gpt2/", models));
    press(s, 0, "Esc");
    must(s, "open.folder");
    assert_string_equal(session_view(s)->menu, "folder");
    drive_close(s);
}

static void what_the_model_decides_is_grey(void **state) {
    (void)state;
    Err err = {0};
    Session *s = drive_open();
    ask(s, "mask.cycle");
    assert_non_null(row_action(s, "Take the next kind of mask."));
    press(s, 0, "Esc");
    open_line(s, model("tiny-gpt2"));
    assert_false(session_do(s, "mask none", &err));
    assert_string_equal(err.message, "The mask of a model from a folder is its own: causal. Choose another model to change it.");
    ask(s, "next kind");
    assert_true(shows(s, "Take the next kind of mask."));
    assert_null(row_action(s, "Take the next kind of mask."));
    assert_true(shows(s, "the model’s own"));
    ask(s, "mask ");
    assert_non_null(strstr(dump(s), "The mask of a model from a folder is its own: causal."));
    press(s, 0, "Esc");
    drive_close(s);
}

static void the_open_model_is_marked(void **state) {
    (void)state;
    Err err = {0};
    const char *folder = arena_strdup(&arena, scratch_folder("models-recent"));
    Session *s = drive_open_in(folder);
    assert_true(session_set_model(s, model("tiny-gpt2"), &err));
    session_begin(s); /* as the command line does */
    must(s, "menu model");
    assert_true(shows(s, "Models opened lately"));
    assert_non_null(row_action(s, "tiny-gpt2"));
    assert_non_null(row_action(s, "About this model…"));
    must(s, "menu model");
    press(s, 0, "Esc");
    drive_close(s);
}

static void errors_stay_in_the_dialog(void **state) {
    (void)state;
    Session *s = drive_open();
    ask(s, "model /nowhere/at/all");
    press(s, 0, "Enter");
    assert_string_equal(session_view(s)->menu, "actions");
    assert_string_equal(session_view(s)->query, "model /nowhere/at/all");
    assert_non_null(strstr(session_view(s)->notice, "/nowhere/at/all"));
    drive_close(s);
}

static char *saved(Session *s, const char *path) {
    char *text;
    size_t size;
    Err err = {0};
    must(s, arena_printf(&arena, "save \"%s\"", path));
    if (!file_read(path, 1 << 20, &arena, &text, &size, &err)) fail_msg("%s", err.message);
    return text;
}

static void a_scenario_beside_its_model_says_where_from_there(void **state) {
    (void)state;
    Err err = {0};
    const char *folder = without_tokenizer("tiny-gpt2"), *root = arena_strndup(&arena, folder, (size_t)(path_name(folder) - folder) - 1);
    Session *s = drive_open();
    open_line(s, folder);
    press(s, MOD_CTRL, "s");
    assert_string_equal(session_view(s)->query, "0-1-2.yaml");
    press(s, 0, "Esc");
    assert_non_null(strstr(saved(s, path_join(&arena, root, "below.yaml")), arena_printf(&arena, "model: \"./%s\"\n", path_name(folder))));
    assert_true(file_make_folders(path_join(&arena, root, "beside"), &err));
    const char *beside = path_join(&arena, root, "beside/one.yaml");
    assert_non_null(strstr(saved(s, beside), arena_printf(&arena, "model: \"../%s\"\n", path_name(folder))));
    const char *elsewhere = path_join(&arena, scratch_folder("models-far"), "a/b/c");
    assert_true(file_make_folders(elsewhere, &err));
    assert_non_null(strstr(saved(s, path_join(&arena, elsewhere, "far.yaml")), folder));
    must(s, "new");
    must(s, arena_printf(&arena, "open \"%s\"", beside));
    assert_string_equal((const char *)session_doc(s)->model_folder->bytes, folder);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_start_is_the_floor_of_undo), cmocka_unit_test(undo_of_a_model_says_so_and_comes_back),
        cmocka_unit_test(chips_are_of_the_document_without_a_run), cmocka_unit_test(a_long_text_is_marked_for_good),
        cmocka_unit_test(a_narrow_field_is_for_its_text), cmocka_unit_test(escape_leaves_the_presentation_first),
        cmocka_unit_test(a_folder_without_a_tokenizer_reads_ids), cmocka_unit_test(an_encoder_decoder_reads_ids_too),
        cmocka_unit_test(all_actions_find_folders), cmocka_unit_test(what_the_model_decides_is_grey), cmocka_unit_test(the_open_model_is_marked),
        cmocka_unit_test(errors_stay_in_the_dialog), cmocka_unit_test(a_scenario_beside_its_model_says_where_from_there),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    arena_free(&arena);
    return failed;
}
