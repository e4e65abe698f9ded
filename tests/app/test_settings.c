/* What a person has chosen stays for the next start: theme, colours, size of text, speed, motion, language. */
#include <stdio.h>

#include "app/drive.h"
#include "app/session_state.h"
#include "base/file.h"
#include "base/lang.h"

static Session *open_in(const char *folder, bool fixed) {
    Err err = {0};
    Session *s = session_open(&(SessionOptions){.config_folder = folder, .language_fixed = fixed}, &err);
    if (!s) fail_msg("%s", err.message);
    return s;
}

static const char *settings_in(const char *folder, Arena *arena) {
    char *text;
    size_t size;
    Err err = {0};
    return file_read(path_join(arena, folder, "settings"), 1 << 16, arena, &text, &size, &err) ? text : "";
}

/* A folder in which nobody has chosen anything. */
static void fresh_folder(const char *name, char folder[1100]) {
    Arena arena = {0};
    snprintf(folder, 1100, "%s/config", scratch_folder(name));
    file_remove(path_join(&arena, folder, "settings"));
    arena_free(&arena);
}

static void put_settings(const char *folder, const char *text) {
    Arena arena = {0};
    Err err = {0};
    assert_true(file_make_folders(folder, &err) && file_write(path_join(&arena, folder, "settings"), text, strlen(text), &err));
    arena_free(&arena);
}

static void choices_stay(void **state) {
    (void)state;
    Arena arena = {0};
    char folder[1100];
    fresh_folder("settings", folder);
    Session *s = open_in(folder, false);
    pass(s, 0);
    assert_string_equal(settings_in(folder, &arena), ""); /* nothing was chosen yet: no file */
    static const char *const lines[] = {"theme dark", "palette cividis", "speed 2", "text.larger", "motion", "language zh"};
    for (int i = 0; i < 6; i++) must(s, lines[i]);
    pass(s, 0);
    session_close(s);
    assert_non_null(strstr(settings_in(folder, &arena), "theme: dark\npalette: cividis\nspeed: 2\ntext_scale: 1.1\nmotion: reduced\nlanguage: zh\n"));
    s = open_in(folder, false);
    const View *view = session_view(s);
    assert_int_equal(view->theme, THEME_DARK);
    assert_int_equal(view->language, LANGUAGE_CHINESE);
    assert_true(view->reduced_motion && view->text_scale > 1.05 && view->film.speed > 1.9);
    pass(s, 0);
    assert_true(shows(s, "嵌入")); /* the words too */
    must(s, "theme light");
    pass(s, 0);
    session_close(s);
    assert_non_null(strstr(settings_in(folder, &arena), "theme: light\n"));
    s = open_in(folder, true); /* --lang en */
    assert_int_equal(session_view(s)->language, LANGUAGE_ENGLISH);
    session_close(s);
    arena_free(&arena);
}

/* What a scenario wants is not what the person has chosen. */
static void a_file_does_not_choose(void **state) {
    (void)state;
    Arena arena = {0};
    Err err = {0};
    char folder[1100];
    fresh_folder("settings-file", folder);
    Session *s = open_in(folder, false);
    must(s, "palette grey");
    const char *yaml = "attnscope: 1\ntext: a b\nview: {theme: dark}\n";
    assert_true(session_open_bytes(s, "test", yaml, strlen(yaml), 0, &err));
    pass(s, 0);
    assert_int_equal(session_view(s)->theme, THEME_DARK);
    assert_non_null(strstr(settings_in(folder, &arena), "palette: grey"));
    assert_null(strstr(settings_in(folder, &arena), "theme"));
    must(s, "palette viridis"); /* another choice does not take the file's theme along, nor the language of the machine */
    pass(s, 0);
    assert_non_null(strstr(settings_in(folder, &arena), "palette: viridis"));
    assert_null(strstr(settings_in(folder, &arena), "theme"));
    assert_null(strstr(settings_in(folder, &arena), "language"));
    session_close(s);
    arena_free(&arena);
}

/* A file with a mistake is told, with its place, and stays as it is, whatever is chosen. */
static void a_broken_file_stays(void **state) {
    (void)state;
    static const struct { const char *text, *says; } cases[] = {
        {"# mine\ntheme: drak\n", "line 2"}, {"theme dark\n", "theme: dark"}, {"colour: red\n", "'colour' is no setting"}, {"language: fr\n", "en or zh"}, {"speed: fast\n", "expected a number"}, {"export.what: all\n", "screen, map"}, {"export.part: title\n", "'export.part' is no setting"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Arena arena = {0};
        char folder[1100];
        fresh_folder("settings-broken", folder);
        put_settings(folder, cases[i].text);
        Session *s = open_in(folder, false);
        if (!session_view(s)->notice_is_error || !strstr(session_view(s)->notice, cases[i].says)) fail_msg("'%s' says '%s'", cases[i].text, session_view(s)->notice);
        must(s, "theme dark");
        pass(s, 0);
        session_close(s);
        assert_string_equal(settings_in(folder, &arena), cases[i].text);
        arena_free(&arena);
    }
}

static int begin(void **state) {
    (void)state;
    lang_begin();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(choices_stay), cmocka_unit_test(a_file_does_not_choose), cmocka_unit_test(a_broken_file_stays)};
    return cmocka_run_group_tests(tests, begin, NULL);
}
