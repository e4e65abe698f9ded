/* The command line: one table of commands and one of options drive parsing, --help and the manual page. */
#ifndef APP_CLI_H
#define APP_CLI_H

#include "app/session.h"
#include "backend/fonts.h"

/* Exit codes. */
enum { EXIT_FINE = 0, EXIT_DIFFERS = 1, EXIT_BAD = 2 };

typedef enum { COMMAND_WINDOW, COMMAND_EXPORT, COMMAND_TRACE, COMMAND_EXPLAIN, COMMAND_CHECK, COMMAND_DL, COMMAND_ACTIONS, COMMAND_HELP, COMMAND_COUNT } CommandId;

enum { CLI_LIST_MAX = 64 };

/* A parsed command line. Texts are borrowed from argv. */
typedef struct {
    CommandId command;
    bool help, version, strict, man;
    const char *words[1024]; int n_words;     /* what is neither a command nor an option */
    struct { const char *key, *value; } set[CLI_LIST_MAX]; int n_set; /* fields of the document */
    const char *action[CLI_LIST_MAX]; int n_actions;                  /* --do */
    const char *output, *stage, *head, *theme, *palette;
    int step;                                 /* from 1; 0 = not given */
    int document;                             /* from 1 */
    float width, height;                      /* 0 = the command's own */
    double scale;                             /* 0 = 1 */
} CliArgs;

typedef struct {
    const char *name;    /* "" = the window */
    const char *usage;
    const char *help;    /* one sentence */
    const char *more;    /* paragraphs for --help and the manual; "" = none */
    int (*run)(const CliArgs *args);
} CliCommand;
extern const CliCommand cli_commands[COMMAND_COUNT];

typedef struct {
    const char *name;    /* "output" */
    char letter;         /* 'o'; 0 = none */
    const char *value;   /* "FILE"; NULL = a switch */
    unsigned commands;   /* bits 1 << CommandId */
    const char *help;
    bool (*set)(CliArgs *args, const char *value, Err *err);
} CliOption;
extern const CliOption cli_options[];
extern const int cli_option_count;

/* Parse argv. Errors name the argument and what would be right. `arena` holds what is made on the way. */
bool cli_parse(int argc, char **argv, Arena *arena, CliArgs *out, Err *err);

/* ---- for the commands ---- */
/* Fonts and a session with the input, fields and actions of the command line applied. */
typedef struct {
    Fonts *fonts; /* NULL where nothing is drawn */
    Session *session;
} CliRun;
/* `n_words` of args->words are input: words, or one file. */
bool cli_open(const CliArgs *args, int n_words, const char *state_folder, CliRun *out, Err *err);
void cli_close(CliRun *run);
/* One line "attnscope: …" on standard error; returns EXIT_BAD. */
int cli_fail(const Err *err);
/* Write to a path, or to standard output when it is NULL. */
bool cli_write(const char *path, const void *data, size_t size, Err *err);

/* ---- one file each ---- */
int cli_export(const CliArgs *args);
int cli_dl(const CliArgs *args);
int cli_trace(const CliArgs *args);
int cli_explain(const CliArgs *args);
int cli_check(const CliArgs *args);
int cli_actions(const CliArgs *args);
int cli_help(const CliArgs *args);
int window_main(const CliArgs *args);

/* Everything: parse, run, report. What main returns. */
int cli_main(int argc, char **argv);

#endif
