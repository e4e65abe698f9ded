/* A film of a session into a file: one frame after the other at a fixed rate, at the speed of the view. The session looks as
 * it did in between, so that a window goes on beside it. */
#ifndef APP_EXPORT_FILM_H
#define APP_EXPORT_FILM_H

#include "app/export.h"
#include "backend/movie.h"

typedef struct {
    bool stage;        /* the stage in view alone, else all of the layer in view */
    int per_second;    /* 0 = 10 */
} FilmSpec;

typedef struct FilmExport FilmExport;

/* NULL and err: there is nothing to film, or it cannot be written there. The session and `spec` are borrowed until the close. */
FilmExport *film_export_open(Session *session, const ExportSpec *spec, const FilmSpec *film, const MovieFormat *format, const char *path, Err *err);
/* The next frame. false: it was the last one, or err says what went wrong. */
bool film_export_step(FilmExport *film, Err *err);
double film_export_done(const FilmExport *film); /* 0 to 1 */
/* keep false: given up, nothing stays. NULL is fine. */
bool film_export_close(FilmExport *film, bool keep, Err *err);

#endif
