/* Files around the session: examples, recent files, completion of a path, a free name for an export. */
#ifndef APP_FILES_H
#define APP_FILES_H

#include "base/arena.h"
#include "base/err.h"

typedef struct {
    const char *name;  /* "02-the-cat-sat-down" */
    const char *title; /* its first comment line, else the name */
} Example;

/* The scenarios of the data folder, by name. */
bool files_examples(Arena *arena, Example **list, int *count, Err *err);
/* Path of one of them. */
char *files_example_path(Arena *arena, const char *name, Err *err);
/* Does the folder hold a config.json, as those of trained models do? */
bool files_is_model(const char *path);
/* The error for one that does not. */
bool files_no_model(const char *path, Err *err);
/* Folders (with a slash at the end), scenarios and trace files that begin with `start`, at most 200. */
void files_complete(const char *start, Arena *arena, char ***paths, int *count);
/* The longest beginning that all of them share; `start` when there is none. */
char *files_common(Arena *arena, char *const *paths, int count, const char *start);
/* A path in `folder` that no file has yet: "attnscope-softmax.png", then "attnscope-softmax-2.png". folder NULL: the working
 * folder, or ~/Pictures when that cannot be written. Absolute. NULL and err when neither takes a file. */
char *files_free_name(Arena *arena, const char *folder, const char *stem, const char *suffix, Err *err);
/* Absolute form of a path, for telling people. */
char *files_absolute(Arena *arena, const char *path);
/* "~/x" with the home folder put in; other paths as they are. */
char *files_expand(Arena *arena, const char *path);
/* The same for a scenario to be written: with .yaml at its end. */
char *files_scenario(Arena *arena, const char *path);

/* A name for a scenario of this text that no file in the working folder has: "the-cat-sat.yaml", then "the-cat-sat-2.yaml". */
/* The first words of a text as a name: "the-cat-sat"; "" where it has none. */
char *files_stem(Arena *arena, const char *text);
char *files_new_scenario(Arena *arena, const char *text);

/* The list of recent files in the state folder, newest first: one path a line. */
int files_recent_read(const char *state_folder, int max, size_t size, char *paths);
void files_recent_write(const char *state_folder, int count, size_t size, const char *paths);

#endif
