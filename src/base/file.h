/* Files: read whole, write to a temporary file and rename, and where things lie. */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

/* Whole file into `arena` with a terminating 0 behind it. "-" reads standard input.
 * ERR_IO names the path and the system's reason; ERR_LIMIT when larger than `max` bytes. */
bool file_read(const char *path, size_t max, Arena *arena, char **data, size_t *size, Err *err);
/* Write a temporary file beside `path`, fsync, rename: readers see the old or the new file, never a
 * part, and a failure leaves no file behind. "-" writes standard output. */
bool file_write(const char *path, const void *data, size_t size, Err *err);
/* The same in pieces: begin, put as often as there is something, end. A failure of a piece is told by the end. */
typedef struct {
    Arena arena;
    const char *path; /* borrowed until the end */
    char *target, *temporary; /* NULL: written directly */
    int fd, error;    /* error: errno of the first failure, 0 = none */
    bool standard;
} FileWriter;
bool file_begin(FileWriter *writer, const char *path, Err *err);
bool file_put(FileWriter *writer, const void *data, size_t size); /* false: there is no use in going on */
bool file_end(FileWriter *writer, Err *err);
void file_drop(FileWriter *writer); /* instead of the end: given up, no file stays */
bool file_exists(const char *path);
bool file_is_folder(const char *path);
/* When it was written last, as "2026-03-01 14:05" in local time; "" when that is not known. In `arena`. */
char *file_written_at(const char *path, Arena *arena);
bool file_remove(const char *path);
/* Make a folder and its parents. */
bool file_make_folders(const char *path, Err *err);
/* Sorted names in a folder (without . and ..), in `arena`. */
bool file_list(const char *folder, Arena *arena, char ***names, int *count, Err *err);
char *path_join(Arena *arena, const char *folder, const char *name);
const char *path_name(const char *path);   /* behind the last slash */
/* From the root, without ., .. and slashes at its end; "~" is the home folder. A relative one begins in `folder` (NULL: the
 * working folder), itself relative to that. Links are not followed. */
char *path_absolute(Arena *arena, const char *folder, const char *path);

/* $XDG_STATE_HOME/attnscope or ~/.local/state/attnscope, made if missing; NULL and err when impossible. */
char *path_state_folder(Arena *arena, Err *err);
/* $XDG_CONFIG_HOME/attnscope, else ~/.config/attnscope; not made. NULL: neither is known. */
char *path_config_folder(Arena *arena);
/* An asset by its name below the data folder ("assets/lexicon.tsv", "lessons/…"): looked for in
 * $ATTNSCOPE_DATA, the source tree the program was built from, and the install tree beside the
 * program. The error lists each place that was tried. */
char *path_data(Arena *arena, const char *name, Err *err);
/* The folder of message catalogues in which this one exists: share/locale beside an installed program, else that of the build
 * tree. NULL: it is in neither. */
char *path_locale(Arena *arena, const char *catalogue);

#endif
