/* narrate: the picture in sentences. */
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"

int cli_narrate(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    Arena arena = {0};
    bool ok = cli_open(args, args->n_words, NULL, &run, &err);
    const char *text = ok ? session_narrate(run.session, &arena, &err) : NULL;
    ok = text && cli_write(NULL, text, strlen(text), &err);
    arena_free(&arena);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}
