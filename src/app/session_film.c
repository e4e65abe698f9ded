#include "app/session_film.h"

#include <stdio.h>

#include "app/export_film.h"
#include "base/file.h"
#include "base/tr.h"

static int percent(const Session *s) { return (int)(100 * session_film_done(s)); }

bool session_film_begin(Session *s, const MovieFormat *format, const char *path, Err *err) {
    if (s->film.writer) return err_set(err, ERR_USAGE, tr("%s is still being written; Esc stops it"), path_name(s->film.path));
    ExportSpec spec = {.width = s->width, .height = s->height};
    snprintf(s->film.path, sizeof s->film.path, "%s", path);
    s->film.percent = 0;
    s->film.writer = film_export_open(s, &spec, &(FilmSpec){.stage = true}, format, path, err);
    return s->film.writer != NULL;
}

static void end(Session *s, bool keep, Err *err) {
    FilmExport *film = s->film.writer;
    s->film.writer = NULL;
    film_export_close(film, keep, err);
    session_touch(s);
}

bool session_film_stop(Session *s) {
    if (!s->film.writer) return false;
    end(s, false, NULL);
    session_notice(s, false, tr("%s was given up; nothing of it is kept."), path_name(s->film.path));
    return true;
}

void session_film_advance(Session *s) {
    FilmExport *film = s->film.writer;
    Err err = {0};
    if (!film) return;
    s->film.writer = NULL; /* its own progress is no part of it */
    bool more = film_export_step(film, &err);
    s->film.writer = film;
    if (percent(s) != s->film.percent) session_touch(s);
    s->film.percent = percent(s);
    if (more && err.code == ERR_NONE) return;
    end(s, err.code == ERR_NONE, &err);
    if (err.code == ERR_NONE) session_notice(s, false, tr("Film saved: %s"), s->film.path);
    else session_notice(s, true, "%s", err.message);
}

const char *session_film_words(const Session *s, Arena *arena) {
    return s->film.writer ? arena_printf(arena, tr("Writing %s: %d %%. Esc stops it."), path_name(s->film.path), s->film.percent) : NULL;
}

double session_film_done(const Session *s) { return s->film.writer ? film_export_done(s->film.writer) : 0; }
