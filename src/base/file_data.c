/* Where the program's data and its state lie. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"

char *path_state_folder(Arena *arena, Err *err) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder;
    if (state && state[0] == '/') folder = path_join(arena, state, "attnscope");
    else if (home && home[0] == '/') folder = path_join(arena, home, ".local/state/attnscope");
    else {
        err_set(err, ERR_IO, "no place to keep the open document: neither XDG_STATE_HOME nor HOME names a folder");
        return NULL;
    }
    return file_make_folders(folder, err) ? folder : NULL;
}

/* The folder the running program lies in, or NULL. */
static char *program_folder(Arena *arena) {
    char path[4096];
    ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0) return NULL;
    path[n] = 0;
    char *slash = strrchr(path, '/');
    if (!slash) return NULL;
    *slash = 0;
    return arena_strdup(arena, path);
}

char *path_data(Arena *arena, const char *name, Err *err) {
    const char *folders[3];
    int n = 0;
    const char *own = getenv("ATTNSCOPE_DATA");
    char *program = program_folder(arena);
    if (own && *own) folders[n++] = own;
    if (program) folders[n++] = path_join(arena, program, ATTNSCOPE_INSTALL_DATA);
    folders[n++] = ATTNSCOPE_SOURCE_DIR;
    for (int i = 0; i < n; i++) {
        char *path = path_join(arena, folders[i], name);
        if (file_exists(path)) return path;
    }
    StrBuf tried;
    sb_init(&tried, arena);
    for (int i = 0; i < n; i++) sb_printf(&tried, "%s%s", i ? ", " : "", folders[i]);
    err_set(err, ERR_IO, "%s was not found; looked in %s; ATTNSCOPE_DATA can name its folder", name, tried.data);
    return NULL;
}
