/* What the command line can say: one table of commands and one of options drive parsing, --help and the manual page.
 * Knows no session and runs nothing. */
#ifndef APP_CLI_ARGS_H
#define APP_CLI_ARGS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/look.h"

typedef enum { COMMAND_WINDOW, COMMAND_EXPORT, COMMAND_NARRATE, COMMAND_COPY, COMMAND_TRACE, COMMAND_EXPLAIN, COMMAND_CHECK, COMMAND_MODELS, COMMAND_TOKENIZE, COMMAND_DL, COMMAND_ACTIONS, COMMAND_HELP, COMMAND_COUNT } CommandId;

enum { CLI_LIST_MAX = 64 };

/* A parsed command line. Texts are borrowed from argv. */
typedef struct {
    CommandId command;
    bool help, version, strict, full, jsonl, man, overview, transparent, wide, alt, outlines, film, from_stdin;
    const char *words[1024]; int n_words;     /* what is neither a command nor an option */
    struct { const char *key, *value; } set[CLI_LIST_MAX]; int n_set; /* fields of the document */
    const char *action[CLI_LIST_MAX]; int n_actions;                  /* --do */
    const char *output, *stage, *head, *theme, *palette, *layer, *tensors, *hold, *check, *what, *as, *format, *frames, *picture, *width_on_paper, *tokens_from, *preset;
    const char *activation;                   /* check --activation */
    const char *model;                        /* check --model, tokenize --model */
    double tolerance; bool has_tolerance;     /* check --tol */
    bool has_language;                        /* --lang was given */
    LanguageKind speaks;                      /* --lang, else the environment's */
    int step;                                 /* from 1; 0 = not given */
    int decimals;                             /* and one; 0 = not given */
    unsigned without;                         /* parts of a figure, scene/scene.h */
    double font;                              /* points; 0 = not given */
    int jobs;                                 /* 0 = as many as there are processors */
    const char *bytes; size_t n_bytes;        /* the scenarios that --from-stdin has read; NULL = none */
    int rate;                                 /* --fps; 0 = not given */
    int document;                             /* from 1 */
    float width, height;                      /* 0 = the command's own */
    double scale;                             /* 0 = 1 */
} CliArgs;

typedef struct {
    const char *name;    /* "" = the window */
    const char *usage;
    const char *help;    /* one sentence */
    const char *more;    /* paragraphs for --help and the manual; "" = none */
    bool fields;         /* every key of a scenario file is an option too */
} CliCommand;
extern const CliCommand cli_commands[COMMAND_COUNT];
int cli_command_find(const char *name); /* -1 = there is none */

typedef struct CliOption CliOption;
struct CliOption {
    const char *name;    /* "output" */
    char letter;         /* 'o'; 0 = none */
    const char *value;   /* "FILE"; NULL = a switch */
    unsigned commands;   /* bits 1 << CommandId */
    const char *help;
    bool (*set)(const CliOption *option, const char *value, CliArgs *args, Err *err);
    size_t at;           /* offset of what it sets in CliArgs; 0 where `set` knows */
};
extern const CliOption cli_options[];
extern const int cli_option_count;

#endif
