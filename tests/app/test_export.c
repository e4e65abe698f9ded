/* Pictures and films written while the window goes on. */
#include <stdio.h>
#include <string.h>

#include "app/drive.h"
#include "app/session_export.h"
#include "app/session_state.h"
#include "backend/fonts.h"
#include "base/file.h"

static Fonts *fonts;

static int set_up(void **state) {
    (void)state;
    Err err = {0};
    fonts = fonts_open(&err);
    if (!fonts) fail_msg("%s", err.message);
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    fonts_close(fonts);
    return 0;
}

static Session *open_small(void) {
    Err err = {0};
    Session *s = session_open(&(SessionOptions){.fonts = fonts}, &err);
    if (!s) fail_msg("%s", err.message);
    session_resize(s, 640, 480);
    must(s, "text \"a b\"");
    must(s, "stage softmax");
    return s;
}

static char *line_for(char line[1300], const char *path) {
    snprintf(line, 1300, "export \"%s\"", path);
    return line;
}

static size_t size_of(const char *path) {
    Arena arena = {0};
    char *data;
    size_t size = 0;
    if (!file_read(path, 1 << 26, &arena, &data, &size, NULL)) size = 0;
    arena_free(&arena);
    return size;
}

/* Updates without input or time, as the loop of a window makes them while it is told not to wait. */
static int go_on(Session *s, int most) {
    SessionEffects effects;
    for (int i = 0; i < most; i++) {
        session_take_effects(s, &effects);
        if (!s->film.writer) return i;
        assert_true(effects.wait >= 0 && effects.wait <= 0);
        session_update(s, NULL, 0);
        session_list(s);
    }
    return most;
}

static void a_film_is_written_beside_the_window(void **state) {
    (void)state;
    char path[1200], line[1300];
    Session *s = open_small();
    snprintf(path, sizeof path, "%s/film.gif", scratch_folder("export_film"));
    View before = *session_view(s);
    must(s, line_for(line, path));
    go_on(s, 30);
    assert_true(shows(s, "Writing film.gif: 34 %. Esc stops it.") || s->film.percent > 0);
    assert_int_equal(s->view.film.stage, before.film.stage); /* the window looks where it did */
    assert_true(s->view.film.position >= before.film.position && !s->view.film.playing);
    assert_false(file_exists(path));
    assert_in_range(go_on(s, 1000), 10, 999);
    assert_non_null(strstr(s->view.notice, "film.gif"));
    assert_true(size_of(path) > 10000);
    session_close(s);
}

static void a_film_is_given_up(void **state) {
    (void)state;
    char path[1200], line[1300];
    const char *folder = scratch_folder("export_given_up");
    static const char *const ends[] = {"escape", "mask none", "close"};
    for (int i = 0; i < 3; i++) {
        Arena arena = {0};
        Err err = {0};
        char **names;
        int n;
        Session *s = open_small();
        snprintf(path, sizeof path, "%s/film.gif", folder);
        must(s, line_for(line, path));
        go_on(s, 20);
        assert_non_null(s->film.writer);
        if (i < 2) {
            must(s, ends[i]);
            go_on(s, 1);
            assert_null(s->film.writer);
            assert_non_null(strstr(s->view.notice, i == 0 ? "film.gif was given up" : "has changed"));
        }
        session_close(s);
        assert_true(file_list(folder, &arena, &names, &n, &err));
        if (n > 0) fail_msg("%s left %s behind", ends[i], names[0]);
        arena_free(&arena);
    }
}

static void what_cannot_be_written_is_said(void **state) {
    (void)state;
    static const struct { const char *path, *says; } cases[] = {
        {"/nowhere/at/all.gif", "/nowhere/at/all.gif"}, {"/nowhere/at/all.png", "/nowhere/at/all.png"}, {"/tmp/picture.bmp", "png"}, {"/tmp", "png"}};
    Session *s = open_small();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char line[1300];
        Err err = {0};
        assert_false(session_do(s, line_for(line, cases[i].path), &err));
        assert_non_null(strstr(err.message, cases[i].says));
        assert_null(s->film.writer);
    }
    session_close(s);
}

/* The proposed name follows the choices until somebody types another; what was chosen stays for the next session. */
static void the_dialog_proposes_a_name(void **state) {
    (void)state;
    char folder[1024], path[1200], line[1300];
    snprintf(folder, sizeof folder, "%s", scratch_folder("export_dialog"));
    Err err = {0};
    Session *s = session_open(&(SessionOptions){.fonts = fonts, .config_folder = folder}, &err);
    assert_non_null(s);
    must(s, "text \"The cat sat\"");
    must(s, "stage softmax end");
    must(s, "export");
    assert_string_equal(session_view(s)->menu, "export");
    assert_non_null(strstr(session_view(s)->query, "the-cat-sat-softmax.png"));
    Arena arena = {0};
    DisplayList seen;
    snprintf(s->status, sizeof s->status, "what the pointer says");
    assert_true(session_export_preview(s, &arena, &seen));
    for (int i = 0; i < seen.n; i++) /* nothing of the person at the window */
        if (seen.commands[i].kind == DL_TEXT) assert_null(strstr(dl_text_at(&seen, seen.commands[i].text.text), "pointer"));
    arena_free(&arena);
    must(s, "export.set what map");
    must(s, "export.set format svg");
    assert_non_null(strstr(session_view(s)->query, "the-cat-sat-softmax-head-1.svg"));
    assert_string_equal(session_view(s)->menu, "export"); /* it stays */
    assert_true(shows(s, "Write it"));
    snprintf(path, sizeof path, "%s/mine.svg", folder);
    session_set_query(s, path);
    must(s, "export.set format pdf"); /* of a name of one's own the ending follows */
    assert_non_null(strstr(session_view(s)->query, "/mine.pdf"));
    must(s, "export.set what heads");
    assert_non_null(strstr(session_view(s)->query, "/mine.pdf"));
    tap(s, 0, "Enter");
    assert_string_equal(session_view(s)->menu, "");
    snprintf(path, sizeof path, "%s/mine.pdf", folder);
    assert_true(size_of(path) > 4000);
    assert_non_null(strstr(session_view(s)->notice, "mine.pdf"));
    must(s, "export.path");
    assert_string_equal(effects_clipboard(s), path);
    must(s, "export"); /* in the same folder now; a name that is taken asks */
    assert_non_null(strstr(session_view(s)->query, folder));
    session_set_query(s, path);
    session_update(s, NULL, 0);
    assert_true(shows(s, "Replace this file"));
    session_close(s);
    s = session_open(&(SessionOptions){.fonts = fonts, .config_folder = folder}, &err);
    assert_int_equal(s->export.choice.spec.what, EXPORT_HEADS);
    assert_int_equal(s->export.choice.format, 2);
    must(s, "export.set part legend");
    must(s, "export.set decimals 3");
    assert_int_equal(s->export.choice.spec.figure.without, FIGURE_LEGEND);
    session_update(s, NULL, 0);
    session_close(s);
    s = session_open(&(SessionOptions){.fonts = fonts, .config_folder = folder}, &err);
    assert_int_equal(s->export.choice.spec.figure.without, FIGURE_LEGEND);
    assert_int_equal(s->export.choice.spec.figure.decimals, 4);
    snprintf(line, sizeof line, "%s", "export.set what everything");
    assert_false(session_do(s, line, &err));
    assert_non_null(strstr(err.message, "stages"));
    session_close(s);
}

/* What is said about the pointer is the person's, not the picture's. */
static void a_picture_has_nothing_of_the_pointer(void **state) {
    (void)state;
    char path[1100], line[1300], *text;
    size_t size;
    Arena arena = {0};
    Session *s = open_small();
    session_resize(s, 1440, 900); /* there is room for the line */
    snprintf(path, sizeof path, "%s/pointer.svg", scratch_folder("export_pointer"));
    snprintf(s->status, sizeof s->status, "pointer");
    must(s, line_for(line, path));
    assert_true(file_read(path, 1 << 22, &arena, &text, &size, NULL));
    assert_non_null(strstr(text, ">Softmax<"));
    assert_null(strstr(text, ">pointer<"));
    assert_string_equal(s->status, "pointer"); /* there again */
    arena_free(&arena);
    session_close(s);
}

/* A failed write leaves nothing, and the dialog with its reason. */
static void a_failed_write_stays_in_the_dialog(void **state) {
    (void)state;
    Session *s = open_small();
    must(s, "export");
    session_set_query(s, "/nowhere/at/all.png");
    session_update(s, NULL, 0);
    tap(s, 0, "Enter");
    assert_string_equal(session_view(s)->menu, "export");
    assert_string_equal(session_view(s)->query, "/nowhere/at/all.png");
    assert_true(session_view(s)->notice_is_error);
    assert_non_null(strstr(session_view(s)->notice, "/nowhere/at"));
    session_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_film_is_written_beside_the_window),
        cmocka_unit_test(a_film_is_given_up),
        cmocka_unit_test(the_dialog_proposes_a_name),
        cmocka_unit_test(a_picture_has_nothing_of_the_pointer),
        cmocka_unit_test(a_failed_write_stays_in_the_dialog),
        cmocka_unit_test(what_cannot_be_written_is_said),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
