#include "app/cli.h"

#include <assert.h>
#include <stdio.h>

#include "app/cli_commands.h"
#include "app/cli_parse.h"
#include "app/cli_run.h"
#include "base/lang.h"

static int (*const command_table[])(const CliArgs *args) = {
    [COMMAND_WINDOW] = window_main, [COMMAND_EXPORT] = cli_export, [COMMAND_NARRATE] = cli_narrate, [COMMAND_COPY] = cli_copy, [COMMAND_TRACE] = cli_trace,     [COMMAND_EXPLAIN] = cli_explain,
    [COMMAND_CHECK] = cli_check,    [COMMAND_MODELS] = cli_models, [COMMAND_TOKENIZE] = cli_tokenize, [COMMAND_DL] = cli_dl,           [COMMAND_ACTIONS] = cli_actions,
    [COMMAND_HELP] = cli_help,
};
static_assert(sizeof command_table / sizeof command_table[0] == COMMAND_COUNT, "each command has its function");

int cli_main(int argc, char **argv) {
    lang_begin();
    Arena arena = {0};
    CliArgs *args = ARENA_NEW(&arena, CliArgs);
    Err err = {0};
    int code;
    cli_parse(argc, argv, &arena, args, &err);
    lang_set(args->speaks);
    if (err.code != ERR_NONE) code = cli_fail(&err);
    else if (args->version) code = printf("attnscope %s\n", ATTNSCOPE_VERSION) > 0 ? EXIT_FINE : EXIT_BAD;
    else if (args->help) code = cli_help(args);
    else code = command_table[args->command](args);
    if ((fflush(stdout) != 0 || ferror(stdout)) && code != EXIT_BAD) {
        err_set(&err, ERR_IO, "standard output cannot be written");
        code = cli_fail(&err);
    }
    arena_free(&arena);
    return code;
}
