/* export and dl: pictures without a window. */
#include <stdio.h>
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "backend/png.h"
#include "base/str.h"

/* The picture that the arguments ask for. */
static void draw(const CliArgs *args, Session *session, Arena *arena, DisplayList *list) {
    float width = args->width, height = args->height;
    if (!args->head) {
        session_draw(session, width > 0 ? width : 1600, height > 0 ? height : 1000, arena, list);
        return;
    }
    int head = str_eq(args->head, "all") ? -1 : session_view(session)->head;
    session_figure(session, head, width, height, arena, list);
}

int cli_export(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    Arena arena = {0};
    DisplayList list;
    if (!args->output) err_set(&err, ERR_USAGE, "export needs the name of the picture: -o FILE.png");
    else if (!str_ends(args->output, ".png") && !str_eq(args->output, "-"))
        err_set(&err, ERR_USAGE, "\"%s\" does not end in .png, the only picture format", args->output);
    bool ok = err.code == ERR_NONE && cli_open(args, args->n_words, NULL, &run, &err);
    if (ok) {
        draw(args, run.session, &arena, &list);
        ok = backend_png_write(run.fonts, &list, (float)args->scale, args->output, &err);
    }
    arena_free(&arena);
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
        draw(args, run.session, &arena, &list);
        dl_dump(&list, &text);
        ok = cli_write(NULL, text.data, text.length, &err);
    }
    arena_free(&arena);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}
