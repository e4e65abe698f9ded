/* The picture or film that the command line asks for. */
#ifndef APP_CLI_PICTURE_H
#define APP_CLI_PICTURE_H

#include "app/cli_args.h"
#include "app/session.h"

/* Of the session as it is, to args->output. */
bool cli_picture_write(const CliArgs *args, Session *session, Err *err);

#endif
