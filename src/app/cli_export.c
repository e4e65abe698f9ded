/* export and dl: pictures without a window. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_film.h"
#include "app/cli_run.h"
#include "app/export.h"
#include "base/str.h"

/* The picture that the arguments ask for. */
static ExportSpec spec_of(const CliArgs *args) {
    return (ExportSpec){.what = !args->head ? EXPORT_SCREEN : str_eq(args->head, "all") ? EXPORT_HEADS : EXPORT_MAP, .width = args->width, .height = args->height,
                        .picture = {.scale = (float)args->scale, .transparent = args->transparent}};
}

int cli_export(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    const PictureFormat *format = NULL;
    const MovieFormat *film = cli_film_format(args, &err);
    if (!args->output && !film) err_set(&err, ERR_USAGE, "export needs the name of the picture: -o FILE.png");
    if (err.code == ERR_NONE && !film)
        format = args->format ? picture_format_named(args->format, &err) : picture_format_of(str_eq(args->output, "-") ? ".png" : args->output, &err);
    if (film) cli_film_hold_interrupt();
    bool ok = (format || film) && cli_open(args, args->n_words, NULL, &run, &err);
    ExportSpec spec = spec_of(args);
    if (ok) ok = film ? cli_film_write(args, run.session, &spec, film, &err) : export_write_as(run.session, &spec, format, args->output, &err);
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
