/* argv -> CliArgs. Errors name the argument and what would be right. Runs nothing. */
#ifndef APP_CLI_PARSE_H
#define APP_CLI_PARSE_H

#include "app/cli_args.h"
#include "base/arena.h"

/* `arena` holds what is made on the way; texts are borrowed from argv. */
bool cli_parse(int argc, char **argv, Arena *arena, CliArgs *out, Err *err);

#endif
