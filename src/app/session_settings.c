#include "app/session_settings.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/lang.h"
#include "base/tr.h"
#include "doc/yaml.h"

enum { SETTINGS_BYTES_MOST = 64 << 10 };

/* As keys of the scenario's view; the language is no part of a scenario. */
static const char *const view_keys[] = {"theme", "palette", "speed", "text_scale", "motion"};
enum { VIEW_KEYS = sizeof view_keys / sizeof view_keys[0] };

/* Copies what is a choice of the person from one view to another. */
static void take_choices(View *to, const View *from) {
    to->theme = from->theme;
    to->palette = from->palette;
    to->film.speed = from->film.speed;
    to->text_scale = from->text_scale;
    to->reduced_motion = from->reduced_motion;
    to->language = from->language;
}

static bool same_choices(const View *a, const View *b) {
    return a->theme == b->theme && a->palette == b->palette && a->film.speed <= b->film.speed && a->film.speed >= b->film.speed && a->text_scale <= b->text_scale &&
           a->text_scale >= b->text_scale && a->reduced_motion == b->reduced_motion && a->language == b->language;
}

static char *path_of(const Session *s, Arena *arena) { return path_join(arena, s->options.config_folder, "settings"); }

/* ---- reading ---- */

static bool set_language(View *view, const char *value, Err *err) {
    int language = str_find(language_names, LANGUAGE_COUNT, value);
    if (language < 0) return err_set(err, ERR_INPUT, tr("language is en or zh, found '%s'"), value);
    view->language = (LanguageKind)language;
    return true;
}

static bool take_line(View *view, char *line, Err *err) {
    Doc doc = {0};
    char *value = strstr(line, ": "), name[64];
    line[strcspn(line, "#\r")] = '\0';
    if (line[strspn(line, " \t")] == '\0') return true;
    if (!value) return err_set(err, ERR_INPUT, tr("expected a line such as \"theme: dark\", found '%s'"), line);
    *value = '\0';
    value += 2;
    if (str_eq(line, "language")) return set_language(view, value, err);
    if (str_find(view_keys, VIEW_KEYS, line) < 0) return err_set(err, ERR_INPUT, tr("'%s' is no setting; there are theme, palette, speed, text_scale, motion and language"), line);
    snprintf(name, sizeof name, "view.%s", line);
    doc_init(&doc);
    bool ok = yaml_set(&doc, view, name, value, err);
    doc_reset(&doc);
    if (!ok) err->line = err->column = 0; /* of the value alone */
    return ok;
}

static bool read_settings(char *text, View *view, Err *err) {
    int number = 0;
    for (char *line; (line = strsep(&text, "\n")) != NULL;) {
        number++;
        if (!take_line(view, line, err)) return err_place(err, "", number, 1);
    }
    return true;
}

void session_settings_begin(Session *s) {
    Arena arena = {0};
    Err err = {0};
    View view = s->view;
    char *text;
    size_t size;
    take_choices(&s->settings.kept, &s->view);
    if (s->options.config_folder && file_exists(path_of(s, &arena))) {
        char *path = path_of(s, &arena);
        bool ok = file_read(path, SETTINGS_BYTES_MOST, &arena, &text, &size, &err) && read_settings(text, &view, &err);
        if (ok) {
            if (s->options.language_fixed) view.language = s->view.language;
            take_choices(&s->view, &view);
            take_choices(&s->settings.kept, &view);
            s->spoken = view.language;
            lang_set(s->spoken);
        } else {
            s->settings.broken = true;
            session_notice(s, true, tr("The settings are not taken, and their file stays as it is: %s, line %d: %s"), path, err.line, err.message);
        }
    }
    arena_free(&arena);
}

/* ---- writing ---- */

static const char *written(const View *view, Arena *arena) {
    StrBuf out;
    View plain;
    char number[NUM_MAX];
    view_init(&plain);
    sb_init(&out, arena);
    sb_add(&out, "# What was chosen in Attnscope, for all documents.\n");
    if (view->theme != plain.theme) sb_printf(&out, "theme: %s\n", theme_names[view->theme]);
    if (view->palette != plain.palette) sb_printf(&out, "palette: %s\n", ramp_names[view->palette]);
    if (view->film.speed < plain.film.speed || view->film.speed > plain.film.speed) sb_printf(&out, "speed: %s\n", num_double(number, view->film.speed, NUM_FILE));
    if (view->text_scale < plain.text_scale || view->text_scale > plain.text_scale) sb_printf(&out, "text_scale: %s\n", num_double(number, view->text_scale, NUM_FILE));
    if (view->reduced_motion) sb_add(&out, "motion: reduced\n");
    sb_printf(&out, "language: %s\n", language_names[view->language]);
    return out.data;
}

void session_settings_accept(Session *s) { take_choices(&s->settings.kept, &s->view); }

void session_settings_keep(Session *s) {
    if (!s->options.config_folder || s->settings.broken || same_choices(&s->view, &s->settings.kept)) return;
    Err ignored = {0};
    take_choices(&s->settings.kept, &s->view);
    const char *text = written(&s->view, &s->scratch);
    if (file_make_folders(s->options.config_folder, &ignored)) file_write(path_of(s, &s->scratch), text, strlen(text), &ignored); /* a convenience: work goes on without */
}
