/* Files mapped read-only into memory: what is not looked at is not read. The size is taken when the file is opened; a file that
 * somebody shortens afterwards would end the program at the first look behind its new end, so whoever is about to read much asks
 * mapped_unchanged first. */
#ifndef BASE_MAPPED_H
#define BASE_MAPPED_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

typedef struct {
    const unsigned char *bytes; /* page-aligned; NULL when the file is empty or closed */
    size_t size;
    const char *path;           /* in the arena given */
    int fd;                     /* kept open for mapped_unchanged; -1 = closed */
    int64_t written_s, written_ns; /* when it was written last */
} Mapped;

/* ERR_IO names the path and the system's reason: no such file, a folder, no memory. `out` is closed on failure. */
bool mapped_open(const char *path, Arena *arena, Mapped *out, Err *err);
/* Is the file still the one that was opened: same size, not written since? ERR_IO says what was found and what is there now. */
bool mapped_unchanged(const Mapped *file, Err *err);
/* The same, and its path still leads to it: nobody has put another file there. */
bool mapped_current(const Mapped *file);
void mapped_close(Mapped *file); /* closed already, or {.fd = -1}: fine */

#endif
