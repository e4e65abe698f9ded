/* check: what its files share. */
#ifndef APP_CLI_CHECK_H
#define APP_CLI_CHECK_H

#include "app/cli_args.h"
#include "base/str.h"
#include "doc/check.h"

/* Compare them; 0 agrees, 1 differs, -1 cannot be used. */
int cli_check_theirs(const CliArgs *args, const char *path, const CoreContext *cx, Err *err);
void cli_check_words(const Check *check, StrBuf *out);

#endif
