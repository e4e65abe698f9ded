/* Arrays from files (model/array_file.h) as the scenario has them. */
#ifndef APP_ARRAYS_H
#define APP_ARRAYS_H

#include "base/arena.h"
#include "base/err.h"

/* The numbers of an array file as YAML lists: the value of `weights`, `q` … In `arena`; NULL and err. */
const char *arrays_value(const char *path, Arena *arena, Err *err);
/* The scenario of a map of weights in an array file, its rows called as the file calls them. In `arena`; NULL and err. */
const char *arrays_scenario(const char *path, Arena *arena, Err *err);
/* The lines of a text file as a list of words. In `arena`; NULL and err. */
const char *arrays_words(const char *path, Arena *arena, Err *err);

#endif
