/* A film on the command line: how far it is on standard error where that is a terminal; Ctrl+C gives it up and leaves nothing. */
#ifndef APP_CLI_FILM_H
#define APP_CLI_FILM_H

#include "app/cli_args.h"
#include "app/export_film.h"

/* Do the arguments ask for a film? Then in which format; NULL: for a picture, or err says what is wrong. */
const MovieFormat *cli_film_format(const CliArgs *args, Err *err);
/* After cli_hold_interrupt, before there was a session. */
bool cli_film_write(const CliArgs *args, Session *session, const ExportSpec *spec, const MovieFormat *format, Err *err);

#endif
