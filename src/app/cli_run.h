/* What the commands share: a session with the input, fields and actions of the command line applied; errors and
 * output as every command writes them. */
#ifndef APP_CLI_RUN_H
#define APP_CLI_RUN_H

#include "app/cli_args.h"
#include "app/session.h"
#include "backend/fonts.h"

/* Exit codes. */
enum { EXIT_FINE = 0, EXIT_DIFFERS = 1, EXIT_BAD = 2 };

typedef struct {
    Fonts *fonts;
    Session *session;
} CliRun;

/* The window around a session, where there is one. */
typedef struct {
    const char *state_folder, *config_folder;   /* NULL = nothing is kept */
    void (*wake)(void *ctx);                    /* as in SessionOptions */
    bool (*wait)(void *ctx, Err *err);          /* until the session is not busy; false without an error: it was closed meanwhile */
    void *ctx;
} CliHost;

/* `n_words` of args->words are input: words, one file, or a model's folder and words. host NULL: no window. */
bool cli_open(const CliArgs *args, int n_words, const CliHost *host, CliRun *out, Err *err);
void cli_close(CliRun *run);
/* Is this word the name of a file, not a word to be looked at? */
bool cli_is_document(const char *word);
/* Ctrl+C waits until it is asked for: what is begun can be finished or cleared away. Before there are threads, which the
 * signal would end too. */
void cli_hold_interrupt(void);
/* true once for each; it is used up. */
bool cli_interrupted(void);
/* One line "attnscope: …" on standard error; returns EXIT_BAD. */
int cli_fail(const Err *err);
/* Write to a path, or to standard output when it is NULL. */
bool cli_write(const char *path, const void *data, size_t size, Err *err);

#endif
