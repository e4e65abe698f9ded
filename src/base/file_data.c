/* Where the program's data and its state lie. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

char *path_state_folder(Arena *arena, Err *err) {
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char *folder;
    if (state && state[0] == '/') folder = path_join(arena, state, "attnscope");
    else if (home && home[0] == '/') folder = path_join(arena, home, ".local/state/attnscope");
    else {
        err_set(err, ERR_IO, tr("no place to keep the open document: neither XDG_STATE_HOME nor HOME names a folder"));
        return NULL;
    }
    return file_make_folders(folder, err) ? folder : NULL;
}

char *path_config_folder(Arena *arena) {
    const char *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
    if (config && config[0] == '/') return path_join(arena, config, "attnscope");
    return home && home[0] == '/' ? path_join(arena, home, ".config/attnscope") : NULL;
}

/* Takes ., .. and empty parts out of a path from the root. */
static char *clean_path(Arena *arena, const char *path) {
    char *out = arena_alloc(arena, strlen(path) + 2, 1);
    size_t n = 0;
    while (*path) {
        size_t length = strcspn(path, "/");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            while (n > 0 && out[--n] != '/') continue;
        } else if (length > 0 && !(length == 1 && *path == '.')) {
            out[n++] = '/';
            memcpy(out + n, path, length);
            n += length;
        }
        path += length;
        path += *path == '/';
    }
    if (n == 0) out[n++] = '/';
    out[n] = 0;
    return out;
}

char *path_absolute(Arena *arena, const char *folder, const char *path) {
    char here[4096];
    const char *home = getenv("HOME");
    bool at_home = path[0] == '~' && (path[1] == '/' || path[1] == 0) && home && home[0] == '/';
    if (at_home) return clean_path(arena, arena_printf(arena, "%s/%s", home, path + 1));
    if (folder) path = path_join(arena, folder, path);
    if (path[0] != '/' && getcwd(here, sizeof here)) path = path_join(arena, here, path);
    return path[0] == '/' ? clean_path(arena, path) : arena_strdup(arena, path);
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

char *path_locale(Arena *arena, const char *catalogue) {
    char *program = program_folder(arena), *folders[] = {program ? path_join(arena, program, ATTNSCOPE_INSTALL_LOCALE) : NULL, ATTNSCOPE_BUILD_LOCALE};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        if (folders[i] && file_exists(path_join(arena, folders[i], catalogue))) return folders[i];
    return NULL;
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
    err_set(err, ERR_IO, tr("%s was not found; looked in %s; ATTNSCOPE_DATA can name its folder"), name, tried.data);
    return NULL;
}
