/* One array of numbers from anybody's program: NumPy .npy (versions 1 to 3; bool, whole numbers and floats of either byte order, C or
 * Fortran order), CSV (numbers, with or without names of rows and columns; or the wide table that `attnscope trace` writes, with one
 * table for each head), JSON (lists in lists). A map is [rows, columns] or [heads, rows, columns]; a batch of one in front is left out. */
#ifndef MODEL_ARRAY_FILE_H
#define MODEL_ARRAY_FILE_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"

enum { ARRAY_RANK_MAX = 3, ARRAY_SIDE_MAX = 4096 };

typedef struct {
    int rank, dim[ARRAY_RANK_MAX];
    float *data;         /* C order */
    const char **names;  /* of the rows, as a CSV gives them; NULL = it gives none */
    int n_names;
    bool batch;          /* a leading 1 was left out */
} ArrayFile;

/* Does the ending of this path promise an array? */
bool array_file_is(const char *path);
/* All in `arena`. ERR_INPUT and ERR_LIMIT say what was found, where, and what would be right. */
bool array_file_read(const char *path, Arena *arena, ArrayFile *out, Err *err);
/* The same of bytes that are in memory, with a 0 byte behind them, which are written over; `ending` is "npy", "csv" or "json". */
bool array_file_parse(const char *ending, char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err);

#endif
