/* The commands, one function each: what the program does, what it returns. */
#ifndef APP_CLI_COMMANDS_H
#define APP_CLI_COMMANDS_H

#include "app/cli_args.h"

int window_main(const CliArgs *args);
int cli_export(const CliArgs *args);
int cli_dl(const CliArgs *args);
int cli_narrate(const CliArgs *args);
int cli_copy(const CliArgs *args);
int cli_trace(const CliArgs *args);
int cli_explain(const CliArgs *args);
int cli_check(const CliArgs *args);
int cli_tokenize(const CliArgs *args);
int cli_check_model(const CliArgs *args); /* check with --model */
int cli_models(const CliArgs *args);
int cli_actions(const CliArgs *args);
int cli_help(const CliArgs *args);

#endif
