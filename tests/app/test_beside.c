/* Work beside the window: a slow model computes on a thread of its own while keys go on arriving. */
#include <stdatomic.h>
#include <stdio.h>
#include <unistd.h>

#include "app/drive.h"
#include "base/file.h"
#include "base/str.h"

/* What the window's loop does: a wake becomes an INPUT_JOB. */
typedef struct {
    atomic_int wakes, pause; /* microseconds before each op */
} Beside;

static void wake(void *ctx) {
    atomic_fetch_add(&((Beside *)ctx)->wakes, 1);
}

static void between_ops(void *ctx) {
    int pause = atomic_load(&((Beside *)ctx)->pause);
    if (pause > 0) usleep((useconds_t)pause);
}

static Session *open_beside(Beside *beside, size_t memory) {
    Err err = {0};
    SessionOptions options = {.wake = wake, .wake_ctx = beside, .between_ops = between_ops, .between_ctx = beside, .memory = memory};
    Session *session = session_open(&options, &err);
    if (!session) fail_msg("%s", err.message);
    return session;
}

static void serve(Session *s, Beside *beside) {
    while (atomic_load(&beside->wakes) > 0) {
        atomic_fetch_sub(&beside->wakes, 1);
        session_update(s, &(Input){.kind = INPUT_JOB}, 0);
        session_list(s);
    }
}

static void rest(Session *s, Beside *beside) {
    for (int i = 0; i < 20000 && (session_busy(s) || atomic_load(&beside->wakes) > 0); i++) {
        serve(s, beside);
        usleep(1000);
    }
    assert_false(session_busy(s));
}

static const char *tiny(void) {
    const char *path = data_path("models/tiny-gpt2");
    if (!file_exists(path)) skip();
    return path;
}

/* The tiny model, opened beside the window, at its first stage. */
static Session *open_model(Beside *beside, size_t memory) {
    Err err = {0};
    const char *folder = tiny();
    Session *s = open_beside(beside, memory);
    if (!session_open_model(s, folder, &err)) fail_msg("%s", err.message);
    rest(s, beside);
    assert_non_null(session_run(s)->network);
    return s;
}

/* The same text, computed at once. */
static Session *at_once(const char *text) {
    Err err = {0};
    Session *s = drive_open();
    if (!session_open_model(s, tiny(), &err)) fail_msg("%s", err.message);
    must(s, text);
    return s;
}

static void assert_same_numbers(Session *a, Session *b, const char *id) {
    const Trace *one = session_run(a)->trace, *two = session_run(b)->trace;
    const Tensor *x = trace_tensor(one, trace_find(one, id)), *y = trace_tensor(two, trace_find(two, id));
    assert_int_equal(tensor_count(x), tensor_count(y));
    for (size_t i = 0; i < tensor_count(x); i++) assert_near(tensor_flat(x, i), tensor_flat(y, i), 0);
}

static double wait_of(Session *s) {
    SessionEffects effects;
    session_take_effects(s, &effects);
    return effects.wait;
}

static void a_model_is_opened_while_the_picture_stays(void **unused) {
    (void)unused;
    Err err = {0};
    Beside beside = {0};
    const char *folder = tiny();
    Session *s = open_beside(&beside, 0);
    const Run *before = session_run(s);
    atomic_store(&beside.pause, 2000);
    assert_true(session_open_model(s, folder, &err));
    assert_ptr_equal(session_run(s), before);
    assert_true(session_busy(s));
    assert_int_equal(session_doc(s)->model, MODEL_CLASSROOM); /* until it is known that it can be run */
    assert_near(wait_of(s), 0.15, 0.02);                      /* then the window says what goes on */
    assert_false(has_control(s, "progress"));
    pass(s, 0.2);
    assert_true(has_control(s, "progress"));
    rest(s, &beside);
    assert_false(has_control(s, "progress"));
    assert_int_equal(session_doc(s)->model, MODEL_FOLDER);
    assert_string_equal(doc_text(session_doc(s)), "The cat sat on the mat");
    assert_true(wait_of(s) < 0); /* idle: nothing wakes it */
    must(s, "undo");
    rest(s, &beside);
    assert_int_equal(session_doc(s)->model, MODEL_CLASSROOM);
    drive_close(s);
}

/* Thirty letters within one computation: what counts is the last text, and not each of them was computed. */
static void fast_typing_does_not_queue_up(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 0);
    must(s, "text \"\"");
    rest(s, &beside);
    atomic_store(&beside.pause, 1000);
    tap(s, MOD_CTRL, "l");
    int taken = 0;
    const Run *last = session_run(s);
    for (int i = 0; i < 30; i++) {
        char letter[2] = {(char)('a' + i % 26), '\0'};
        session_update(s, &(Input){.kind = INPUT_TEXT, .text = letter}, 0.01);
        serve(s, &beside);
        taken += session_run(s) != last;
        last = session_run(s);
    }
    rest(s, &beside);
    assert_true(taken < 30);
    const char *text = "abcdefghijklmnopqrstuvwxyzabcd";
    assert_string_equal(doc_text(session_doc(s)), text);
    assert_string_equal(doc_text(&session_run(s)->doc), text);
    Session *other = at_once("text \"abcdefghijklmnopqrstuvwxyzabcd\"");
    assert_same_numbers(s, other, "layers.1.weights");
    assert_same_numbers(s, other, "probs");
    drive_close(other);
    drive_close(s);
}

static void escape_keeps_the_old_picture(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 0);
    const Run *before = session_run(s);
    atomic_store(&beside.pause, 3000);
    must(s, "text \"something else altogether\"");
    tap(s, 0, "Esc"); /* nobody sees yet that anything goes on: Esc is about other things */
    assert_true(session_busy(s));
    if (!session_view(s)->overview) tap(s, 0, "o");
    pass(s, 0.2);
    assert_true(has_control(s, "progress"));
    tap(s, 0, "Esc");
    assert_false(has_control(s, "progress"));
    rest(s, &beside);
    assert_ptr_equal(session_run(s), before);
    assert_string_equal(doc_text(session_doc(s)), "something else altogether");
    assert_non_null(strstr(dump(s), "Stopped. You see the picture before your last change."));
    tap(s, 0, "Esc"); /* once more: nothing that could surprise */
    assert_true(session_view(s)->overview);
    assert_true(has_control(s, "compute"));
    atomic_store(&beside.pause, 0);
    tap(s, 0, "Enter");
    rest(s, &beside);
    assert_string_equal(doc_text(&session_run(s)->doc), "something else altogether");
    assert_false(has_control(s, "compute"));
    assert_true(session_view(s)->overview);
    tap(s, 0, "Esc");
    assert_false(session_view(s)->overview);
    atomic_store(&beside.pause, 3000);
    must(s, "text \"something else again\"");
    pass(s, 0.2);
    tap(s, 0, "Esc");
    rest(s, &beside);
    click(s, "compute");
    assert_true(session_busy(s));
    pass(s, 0.2);
    tap(s, 0, "Esc");
    atomic_store(&beside.pause, 0);
    must(s, "text \"something else\""); /* any change computes again */
    rest(s, &beside);
    assert_string_equal(doc_text(&session_run(s)->doc), "something else");
    drive_close(s);
}

static void escape_gives_up_opening(void **unused) {
    (void)unused;
    Err err = {0};
    Beside beside = {0};
    const char *folder = tiny();
    Session *s = open_beside(&beside, 0);
    atomic_store(&beside.pause, 3000);
    assert_true(session_open_model(s, folder, &err));
    pass(s, 0.2);
    tap(s, 0, "Esc");
    rest(s, &beside);
    assert_int_equal(session_doc(s)->model, MODEL_CLASSROOM);
    assert_null(session_run(s)->network);
    drive_close(s);
}

/* What the dialog has asked for is refused when it has been looked at: the dialog is there again, to be mended. */
static void a_refusal_comes_back_into_its_dialog(void **unused) {
    (void)unused;
    Err err = {0};
    Beside beside = {0};
    char line[1200], folder[1000];
    snprintf(folder, sizeof folder, "%s", scratch_folder("beside-refused"));
    snprintf(line, sizeof line, "%s/config.json", folder);
    assert_true(file_write(line, "{\"model_type\": \"mamba\"}", 23, &err));
    Session *s = open_beside(&beside, 0);
    tap(s, MOD_CTRL, "k");
    snprintf(line, sizeof line, "model %s", folder);
    session_update(s, &(Input){.kind = INPUT_TEXT, .text = line}, 0);
    tap(s, 0, "Enter");
    rest(s, &beside);
    assert_string_equal(session_view(s)->menu, "actions");
    assert_string_equal(session_view(s)->query, line);
    assert_non_null(strstr(session_view(s)->notice, "mamba"));
    pass(s, 30);
    assert_non_null(strstr(session_view(s)->notice, "mamba"));
    tap(s, 0, "Esc");
    pass(s, 30);
    assert_string_equal(session_view(s)->notice, "");
    drive_close(s);
}

static void closing_in_the_middle_is_clean(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 0);
    atomic_store(&beside.pause, 3000);
    must(s, "text \"it is closed before this is done\"");
    assert_true(session_busy(s));
    drive_close(s);
    s = open_beside(&beside, 0); /* and while a folder is opened */
    Err err = {0};
    assert_true(session_open_model(s, tiny(), &err));
    drive_close(s);
}

/* Another model at once, while the slow one still reads the run that is replaced. */
static void a_fast_document_does_not_wait_for_a_slow_one(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 0);
    atomic_store(&beside.pause, 3000);
    must(s, "text \"one two three\"");
    must(s, "model classroom");
    assert_null(session_run(s)->network);
    assert_string_equal(doc_text(&session_run(s)->doc), "one two three");
    rest(s, &beside);
    assert_null(session_run(s)->network);
    drive_close(s);
}

static void typing_while_a_model_is_opened_is_kept(void **unused) {
    (void)unused;
    Err err = {0};
    Beside beside = {0};
    const char *folder = tiny();
    Session *s = open_beside(&beside, 0);
    atomic_store(&beside.pause, 2000);
    assert_true(session_open_model(s, folder, &err));
    must(s, "text \"typed meanwhile\"");
    rest(s, &beside);
    assert_int_equal(session_doc(s)->model, MODEL_FOLDER);
    assert_string_equal(doc_text(session_doc(s)), "typed meanwhile");
    assert_string_equal(doc_text(&session_run(s)->doc), "typed meanwhile");
    drive_close(s);
}

/* A layer that is not in memory any more is computed beside the window; the numbers are those of the first time. */
static void a_dropped_layer_is_computed_again(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 1), *other = at_once("text \"The cat sat on the mat\"");
    atomic_store(&beside.pause, 1000);
    for (int layer = 1; layer <= 2; layer++) {
        char line[32], id[32];
        snprintf(line, sizeof line, "look %d 2", layer);
        snprintf(id, sizeof id, "layers.%d.scores", layer - 1);
        must(s, line);
        must(s, "stage scores end");
        rest(s, &beside);
        const Trace *trace = session_run(s)->trace;
        assert_true(trace_resident(trace, trace_find(trace, id)));
        assert_same_numbers(s, other, id);
    }
    drive_close(other);
    drive_close(s);
}

/* At the prediction nothing of the last layer is in memory; the overview has its map computed, and then rests. */
static void the_overview_has_its_map_computed_from_any_stage(void **unused) {
    (void)unused;
    Beside beside = {0};
    Session *s = open_model(&beside, 1);
    const char *const lines[] = {"look 2 1", "stage predict end", "overview"};
    for (int i = 0; i < 3; i++) {
        const Trace *trace = session_run(s)->trace;
        must(s, lines[i]);
        rest(s, &beside);
        assert_int_equal(trace_resident(trace, trace_find(trace, "layers.1.weights")), i != 1);
    }
    drive_close(s);
}

static void a_folder_that_cannot_be_opened_changes_nothing(void **unused) {
    (void)unused;
    Err err = {0};
    Beside beside = {0};
    Session *s = open_beside(&beside, 0);
    const char *folder = scratch_folder("beside-broken");
    char path[1024];
    snprintf(path, sizeof path, "%s/config.json", folder);
    assert_true(file_write(path, "{\"model_type\": \"gpt2\", ", 23, &err));
    assert_true(session_open_model(s, folder, &err));
    rest(s, &beside);
    assert_int_equal(session_doc(s)->model, MODEL_CLASSROOM);
    assert_true(session_view(s)->notice_is_error);
    assert_non_null(strstr(session_view(s)->notice, "config.json"));
    char message[1200];
    assert_false(session_need_run(s, &err));
    assert_non_null(strstr(err_format(&err, message, sizeof message), "config.json"));
    assert_true(session_need_run(s, &err)); /* said once */
    drive_close(s);
}

static void a_folder_without_a_model_says_what_is_missing(void **unused) {
    (void)unused;
    Err err = {0};
    Session *s = drive_open();
    const char *folder = scratch_folder("beside-empty");
    assert_false(session_open_model(s, folder, &err));
    assert_non_null(strstr(err.message, "config.json"));
    assert_non_null(strstr(err.message, "model.safetensors"));
    session_update(s, &(Input){.kind = INPUT_DROP, .text = folder}, 0);
    assert_true(session_view(s)->notice_is_error);
    assert_non_null(strstr(session_view(s)->notice, "tokenizer.json"));
    drive_close(s);
}

/* Hostile use of all of it at once: made-up keys, clicks and changes at any time, results whenever they come. */
static void a_monkey_meets_the_worker(void **unused) {
    (void)unused;
    static const char *const lines[] = {
        "next", "back", "stage.next", "stage softmax", "stage predict", "layer.next", "layer.back", "overview", "look 2 3", "block",
        "head.next", "take", "take 5", "sort first", "aggregate rollout", "aggregate length", "play", "film.end", "film.home", "undo", "redo",
        "explain weights[1,1,1]", "explain", "trail.back", "select probs[1,1,3]", "copy", "copy map", "escape", "text \"The cat sat\"",
        "text \"a\"", "text \"\"", "model classroom", "menu model", "menu model.about", "menu.close", "present", "theme",
    };
    enum { LINES = sizeof lines / sizeof lines[0], ROUNDS = 1500 };
    Beside beside = {0};
    Session *s = open_model(&beside, 1);
    const char *folder = tiny();
    unsigned state = 12345;
    for (int i = 0; i < ROUNDS; i++) {
        Err ignored = {0};
        state = state * 1664525U + 1013904223U;
        unsigned which = state >> 24, more = (state >> 8) & 0xFFFF;
        atomic_store(&beside.pause, which % 7 == 0 ? 200 : 0);
        if (which < 150) session_do(s, lines[more % LINES], &ignored);
        else if (which < 170) session_update(s, &(Input){.kind = INPUT_TEXT, .text = " on"}, 0.01);
        else if (which < 190) click_at(s, (float)(more % 1600), (float)(more % 1000), 0, 1);
        else if (which < 210) move_to(s, (float)(more % 1600), (float)(more % 997));
        else if (which < 215) session_open_model(s, folder, &ignored);
        else if (which < 225) usleep(more % 2000);
        else serve(s, &beside);
        pass(s, more % 3 == 0 ? 0.2 : 0.01);
        dl_finish(session_list(s));
        wait_of(s);
        if (strlen(doc_text(session_doc(s))) > 60) must(s, "text \"short again\"");
    }
    rest(s, &beside);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_model_is_opened_while_the_picture_stays),
        cmocka_unit_test(fast_typing_does_not_queue_up),
        cmocka_unit_test(escape_keeps_the_old_picture),
        cmocka_unit_test(escape_gives_up_opening), cmocka_unit_test(a_refusal_comes_back_into_its_dialog),
        cmocka_unit_test(closing_in_the_middle_is_clean),
        cmocka_unit_test(a_fast_document_does_not_wait_for_a_slow_one),
        cmocka_unit_test(typing_while_a_model_is_opened_is_kept),
        cmocka_unit_test(a_dropped_layer_is_computed_again),
        cmocka_unit_test(the_overview_has_its_map_computed_from_any_stage),
        cmocka_unit_test(a_monkey_meets_the_worker),
        cmocka_unit_test(a_folder_that_cannot_be_opened_changes_nothing),
        cmocka_unit_test(a_folder_without_a_model_says_what_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
