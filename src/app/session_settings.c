#include "app/session_settings.h"

#include <stdio.h>
#include <string.h>

#include "app/session_export.h"
#include "base/file.h"
#include "base/lang.h"
#include "base/tr.h"
#include "doc/yaml.h"

enum { SETTINGS_BYTES_MOST = 64 << 10 };

/* ---- what can be chosen: of the view by its keys in a scenario, the language, and the exports' by their names ---- */

static void theme_text(const View *view, char *out, size_t size) { snprintf(out, size, "%s", theme_names[view->theme]); }
static void palette_text(const View *view, char *out, size_t size) { snprintf(out, size, "%s", ramp_names[view->palette]); }
static void motion_text(const View *view, char *out, size_t size) { snprintf(out, size, "%s", view->reduced_motion ? "reduced" : "full"); }
static void language_text(const View *view, char *out, size_t size) { snprintf(out, size, "%s", language_names[view->language]); }

static void double_text(double value, char *out, size_t size) {
    char number[NUM_MAX];
    snprintf(out, size, "%s", num_double(number, value, NUM_FILE));
}

static void speed_text(const View *view, char *out, size_t size) { double_text(view->film.speed, out, size); }
static void scale_text(const View *view, char *out, size_t size) { double_text(view->text_scale, out, size); }

static const struct { const char *key; void (*text)(const View *view, char *out, size_t size); } of_view[] = {
    {"theme", theme_text}, {"palette", palette_text}, {"speed", speed_text}, {"text_scale", scale_text}, {"motion", motion_text}, {"language", language_text},
};
enum { OF_VIEW = sizeof of_view / sizeof of_view[0], SETTINGS = OF_VIEW + EXPORT_KEPT };
_Static_assert((int)SETTINGS <= (int)SETTINGS_MOST, "there is room for each");

static void key_of(int i, char *out, size_t size) {
    if (i < OF_VIEW) snprintf(out, size, "%s", of_view[i].key);
    else snprintf(out, size, "export.%s", session_export_keys[i - OF_VIEW].name);
}

static void text_of(const View *view, const ExportChoice *export, int i, char out[SETTING_TEXT]) {
    out[0] = '\0';
    if (i < OF_VIEW) of_view[i].text(view, out, SETTING_TEXT);
    else session_export_keys[i - OF_VIEW].text(export, out, SETTING_TEXT);
}

static int find_key(const char *key) {
    char name[SETTING_TEXT];
    for (int i = 0; i < SETTINGS; i++) {
        key_of(i, name, sizeof name);
        if (str_eq(name, key)) return i;
    }
    return -1;
}

static char *path_of(const Session *s, Arena *arena) { return path_join(arena, s->options.config_folder, "settings"); }

/* ---- reading ---- */

typedef struct { View view; ExportChoice export; char chosen[SETTINGS_MOST][SETTING_TEXT]; } Found;

static bool set_language(View *view, const char *value, Err *err) {
    int language = str_find(language_names, LANGUAGE_COUNT, value);
    if (language < 0) return err_set(err, ERR_INPUT, tr("language is en or zh, found '%s'"), value);
    view->language = (LanguageKind)language;
    return true;
}

static bool set_of_view(View *view, const char *key, const char *value, Err *err) {
    char name[SETTING_TEXT];
    Doc doc = {0};
    if (str_eq(key, "language")) return set_language(view, value, err);
    snprintf(name, sizeof name, "view.%s", key);
    doc_init(&doc);
    bool ok = yaml_set(&doc, view, name, value, err);
    doc_reset(&doc);
    return ok;
}

static bool take_line(Found *found, char *line, Err *err) {
    line[strcspn(line, "#\r")] = '\0';
    if (line[strspn(line, " \t")] == '\0') return true;
    char *value = strstr(line, ": ");
    if (!value) return err_set(err, ERR_INPUT, tr("expected a line such as \"theme: dark\", found '%s'"), line);
    *value = '\0';
    value += 2;
    int i = find_key(line);
    if (i < 0)
        return err_set(err, ERR_INPUT, tr("'%s' is no setting; there are theme, palette, speed, text_scale, motion, language and export. with what, format, scale, decimals, transparent or without"), line);
    if (!(i < OF_VIEW ? set_of_view(&found->view, line, value, err) : session_export_choose(&found->export, session_export_keys[i - OF_VIEW].name, value, err))) return false;
    text_of(&found->view, &found->export, i, found->chosen[i]);
    return true;
}

static bool read_settings(char *text, Found *found, Err *err) {
    int number = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        number++;
        if (take_line(found, line, err)) continue;
        err->line = err->column = 0; /* of the value alone */
        return err_place(err, "", number, 1);
    }
    return true;
}

static void take_over(Session *s, const Found *found) {
    LanguageKind language = s->view.language;
    s->view = found->view;
    s->export.choice = found->export;
    if (s->options.language_fixed) s->view.language = language;
    s->spoken = s->view.language;
    lang_set(s->spoken);
    memcpy(s->settings.chosen, found->chosen, sizeof s->settings.chosen);
}

void session_settings_begin(Session *s) {
    Arena arena = {0};
    Err err = {0};
    char *path = s->options.config_folder ? path_of(s, &arena) : NULL, *text;
    size_t size;
    if (path && file_exists(path)) {
        Found *found = ARENA_NEW(&arena, Found);
        found->view = s->view;
        found->export = s->export.choice;
        s->settings.broken = !(file_read(path, SETTINGS_BYTES_MOST, &arena, &text, &size, &err) && read_settings(text, found, &err));
        if (!s->settings.broken) take_over(s, found);
        else session_notice(s, true, tr("The settings are not taken, and their file stays as it is: %s, line %d: %s"), path, err.line, err.message);
    }
    session_settings_accept(s);
    arena_free(&arena);
}

/* ---- writing ---- */

static const char *written(const Session *s, Arena *arena) {
    StrBuf out;
    char key[SETTING_TEXT];
    sb_init(&out, arena);
    sb_add(&out, "# What was chosen in Attnscope, for all documents.\n");
    for (int i = 0; i < SETTINGS; i++) {
        key_of(i, key, sizeof key);
        if (s->settings.chosen[i][0]) sb_printf(&out, "%s: %s\n", key, s->settings.chosen[i]);
    }
    return out.data;
}

void session_settings_accept(Session *s) {
    for (int i = 0; i < SETTINGS; i++) text_of(&s->view, &s->export.choice, i, s->settings.seen[i]);
}

/* What differs from what was seen last, the person has changed. */
static bool take_changes(Session *s) {
    bool changed = false;
    char now[SETTING_TEXT];
    for (int i = 0; i < SETTINGS; i++) {
        text_of(&s->view, &s->export.choice, i, now);
        if (str_eq(now, s->settings.seen[i])) continue;
        memcpy(s->settings.seen[i], now, sizeof now);
        memcpy(s->settings.chosen[i], now, sizeof now);
        changed = true;
    }
    return changed;
}

void session_settings_keep(Session *s) {
    if (!s->options.config_folder || s->settings.broken || !take_changes(s)) return;
    Err ignored = {0};
    const char *text = written(s, &s->scratch);
    if (file_make_folders(s->options.config_folder, &ignored)) file_write(path_of(s, &s->scratch), text, strlen(text), &ignored); /* a convenience: work goes on without */
}
