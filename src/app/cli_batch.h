/* `export` of many: several scenarios, or a name with {parts} that stand for what a picture shows. Works on all processors, one
 * process each, and goes on behind a bad file. */
#ifndef APP_CLI_BATCH_H
#define APP_CLI_BATCH_H

#include "app/cli_args.h"

/* Do the arguments ask for more than one picture? */
bool cli_batch_wanted(const CliArgs *args);
/* Exit code: EXIT_DIFFERS when some could not be written, which are listed. */
int cli_batch(const CliArgs *args);

#endif
