/* export and dl: pictures without a window. */
#include <stdio.h>
#include <string.h>

#include "app/cli_batch.h"
#include "app/cli_commands.h"
#include "app/cli_film.h"
#include "app/cli_picture.h"
#include "app/cli_run.h"
#include "app/export.h"
#include "base/str.h"

/* The picture that the arguments ask for. */
static ExportSpec spec_of(const CliArgs *args) {
    ExportSpec spec = {.width = args->width, .height = args->height, .font_points = (float)args->font, .alt = args->alt,
                       .figure = {.without = args->without, .decimals = args->decimals, .textbook = args->preset != NULL},
                       .picture = {.scale = (float)args->scale, .transparent = args->transparent, .outlines = args->outlines}};
    if (args->picture) spec.what = (ExportWhat)str_find(export_what_names, EXPORT_WHAT_COUNT, args->picture);
    else if (args->head) spec.what = str_eq(args->head, "all") ? EXPORT_HEADS : EXPORT_MAP;
    if (args->width_on_paper) export_length(args->width_on_paper, &spec.wide_points, NULL);
    return spec;
}

/* Nothing is read before it is known that the picture can be written. */
static bool check(const CliArgs *args, const PictureFormat **format, const MovieFormat **film, Err *err) {
    *format = NULL;
    *film = cli_film_format(args, err);
    if (*film || err->code != ERR_NONE) return err->code == ERR_NONE;
    if (!args->output) return err_set(err, ERR_USAGE, "export needs the name of the picture: -o FILE.png");
    *format = args->format ? picture_format_named(args->format, err) : picture_format_of(str_eq(args->output, "-") ? ".png" : args->output, err);
    return *format != NULL;
}

bool cli_picture_write(const CliArgs *args, Session *session, Err *err) {
    const PictureFormat *format;
    const MovieFormat *film;
    ExportSpec spec = spec_of(args);
    if (!check(args, &format, &film, err)) return false;
    return film ? cli_film_write(args, session, &spec, film, err) : export_write_as(session, &spec, format, args->output, err);
}

int cli_export(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    const PictureFormat *format;
    const MovieFormat *film;
    if (cli_batch_wanted(args)) return cli_batch(args);
    bool ok = check(args, &format, &film, &err);
    if (ok && film) cli_hold_interrupt();
    ok = ok && cli_open(args, args->n_words, NULL, &run, &err) && cli_picture_write(args, run.session, &err);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}

int cli_dl(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    Arena arena = {0};
    DisplayList list;
    bool ok = cli_open(args, args->n_words, NULL, &run, &err);
    if (ok) {
        StrBuf text;
        sb_init(&text, &arena);
        ExportSpec spec = spec_of(args);
        export_draw(run.session, &spec, &arena, &list);
        dl_dump(&list, &text);
        ok = cli_write(NULL, text.data, text.length, &err);
    }
    arena_free(&arena);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}
