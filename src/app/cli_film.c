#include "app/cli_film.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "app/cli_run.h"
#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

static const char *ending(const char *path) {
    const char *dot = strrchr(path_name(path), '.');
    return dot ? dot + 1 : "";
}

const MovieFormat *cli_film_format(const CliArgs *args, Err *err) {
    const char *path = args->frames ? args->frames : args->output;
    if (args->frames && args->output) return err_set(err, ERR_USAGE, "--frames FILE stands in place of -o FILE"), NULL;
    if (!path) return NULL;
    const char *name = args->format ? args->format : args->frames ? "ppm" : ending(path);
    const MovieFormat *format = movie_format_named(name);
    if (format && (args->film || args->frames || !picture_format_named(name, NULL))) return format;
    if (args->film || args->frames) err_set(err, ERR_USAGE, "\"%s\" is no format of films; there are gif, png (numbered pictures) and ppm (a stream)", name);
    else if (args->rate > 0) err_set(err, ERR_USAGE, "--fps is for films; --film or a name that ends in .gif makes one");
    return NULL;
}

static void tell(const FilmExport *film, const char *path, bool shown) {
    if (shown) fprintf(stderr, "\r%s: %d %%", path, (int)(100 * film_export_done(film)));
}

bool cli_film_write(const CliArgs *args, Session *session, const ExportSpec *spec, const MovieFormat *format, Err *err) {
    const char *path = args->frames ? args->frames : args->output;
    bool shown = isatty(STDERR_FILENO) && !str_eq(path, "-"), more = true;
    FilmSpec what = {.stage = args->stage != NULL, .per_second = args->rate};
    FilmExport *film = film_export_open(session, spec, &what, format, path, err);
    if (!film) return false;
    while (more && err->code == ERR_NONE) {
        more = film_export_step(film, err);
        tell(film, path, shown);
        if (cli_interrupted()) err_set(err, ERR_CANCELLED, "%s: given up, nothing of it is kept", path);
    }
    if (shown) fprintf(stderr, "\n");
    bool good = err->code == ERR_NONE;
    return film_export_close(film, good, err) && good;
}
