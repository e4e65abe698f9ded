/* copy: a number, its row, its column or its map as text, as Ctrl+C and the Copy menu give it. */
#include <string.h>

#include "app/cli_commands.h"
#include "app/cli_run.h"
#include "app/copy.h"
#include "base/str.h"

static const char *make(const CliArgs *args, CliRun *run, const char *number, Arena *arena, Err *err) {
    TensorId id;
    int index[TENSOR_RANK_MAX], part = args->what ? copy_part_find(args->what, err) : COPY_MAP, form = args->as ? copy_form_find(args->as, err) : 0;
    if (part < 0 || form < 0) return NULL;
    if (args->as && part < COPY_NUMBER) {
        err_set(err, ERR_USAGE, "--as is for number, row, column and map; %s has one form", copy_parts[part]);
        return NULL;
    }
    if (!cli_open(args, args->n_words - 1, NULL, run, err)) return NULL;
    const Run *numbers = session_run(run->session);
    if (!run_resolve(numbers, number, &id, index, err) || !trace_need(numbers->trace, id, session_core(run->session), err)) return NULL;
    return copy_of(numbers, id, index, (CopyPart)part, form, arena, err);
}

int cli_copy(const CliArgs *args) {
    Err err = {0};
    CliRun run = {0};
    Arena arena = {0};
    if (args->n_words == 0) {
        err_set(&err, ERR_USAGE, "copy needs a number, such as 'weights[2,sat,cat]'; --what says whether it, its row, its column or its map is written");
        return cli_fail(&err);
    }
    const char *text = make(args, &run, args->words[args->n_words - 1], &arena, &err);
    if (text && !str_ends(text, "\n")) text = arena_printf(&arena, "%s\n", text);
    bool ok = text && cli_write(NULL, text, strlen(text), &err);
    arena_free(&arena);
    cli_close(&run);
    return ok ? EXIT_FINE : cli_fail(&err);
}
