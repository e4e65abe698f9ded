#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/str.h"
#include "base/tr.h"

/* In the language of the process, which need not be the C library's. */
static const char *reason_of(int code) {
    static const struct {
        int code;
        const char *says;
    } reasons[] = {
        {ENOENT, tr_mark("No such file or directory")}, {EACCES, tr_mark("Permission denied")},      {EPERM, tr_mark("Operation not permitted")},
        {EISDIR, tr_mark("Is a directory")},            {ENOTDIR, tr_mark("Not a directory")},       {ENOSPC, tr_mark("No space left on device")},
        {EROFS, tr_mark("Read-only file system")},      {ENAMETOOLONG, tr_mark("File name too long")}, {EIO, tr_mark("Input/output error")},
    };
    for (size_t i = 0; i < sizeof reasons / sizeof *reasons; i++)
        if (reasons[i].code == code) return tr(reasons[i].says);
    return strerror(code);
}

typedef enum { CANNOT_READ, CANNOT_WRITE, CANNOT_MAKE, CANNOT_LIST } Cannot;

/* "cannot read x.yaml: No such file or directory" */
static bool io_error(Err *err, Cannot what, const char *path) {
    static const char *const says[] = {
        [CANNOT_READ] = tr_mark("cannot read %s: %s"),
        [CANNOT_WRITE] = tr_mark("cannot write %s: %s"),
        [CANNOT_MAKE] = tr_mark("cannot make the folder %s: %s"),
        [CANNOT_LIST] = tr_mark("cannot list %s: %s"),
    };
    const char *reason = reason_of(errno);
    return err_set(err, ERR_IO, tr(says[what]), path, reason);
}

/* Reads until the end in growing pieces: the size of a pipe is not known before. */
static bool read_all(int fd, const char *path, size_t max, Arena *arena, char **data, size_t *size, Err *err) {
    size_t capacity = 64 * 1024, used = 0;
    struct stat st;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) capacity = (size_t)st.st_size + 2;
    if (capacity > max + 2) capacity = max + 2;
    char *buffer = arena_try_raw(arena, capacity, 1);
    while (buffer) {
        ssize_t got = read(fd, buffer + used, capacity - used - 1);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return io_error(err, CANNOT_READ, path);
        if (got == 0) break;
        used += (size_t)got;
        if (used > max)
            return err_set(err, ERR_LIMIT, tr("%s is larger than %zu MiB, the limit for such a file"), path, max >> 20);
        if (used + 1 < capacity) continue;
        char *larger = arena_try_raw(arena, capacity * 2, 1);
        if (larger) memcpy(larger, buffer, used);
        buffer = larger;
        capacity *= 2;
    }
    if (!buffer) return err_set(err, ERR_MEMORY, tr("not enough memory to read %s"), path);
    buffer[used] = 0;
    *data = buffer;
    *size = used;
    return true;
}

bool file_read(const char *path, size_t max, Arena *arena, char **data, size_t *size, Err *err) {
    if (str_eq(path, "-")) return read_all(STDIN_FILENO, "standard input", max, arena, data, size, err);
    if (file_is_folder(path)) return err_set(err, ERR_IO, tr("cannot read %s: it is a folder"), path);
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe that nobody writes to is empty: it is not waited for */
    if (fd < 0) return io_error(err, CANNOT_READ, path);
    fcntl(fd, F_SETFL, 0);
    bool ok = read_all(fd, path, max, arena, data, size, err);
    close(fd);
    return ok;
}

static bool write_all(int fd, const void *data, size_t size) {
    const char *p = data;
    while (size > 0) {
        ssize_t done = write(fd, p, size);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return false;
        p += done;
        size -= (size_t)done;
    }
    return true;
}

/* A new file keeps the old one's mode; mkstemp alone would make it private. */
static void copy_mode(int fd, const char *path) {
    struct stat st;
    mode_t mask = umask(0);
    umask(mask);
    mode_t mode = stat(path, &st) == 0 ? st.st_mode & 0777 : 0666 & ~mask;
    if (fchmod(fd, mode) != 0) errno = 0; /* a file system without modes */
}

/* ---- writing in pieces ---- */

static bool begin_temporary(FileWriter *w) {
    char *real = realpath(w->path, NULL); /* through a link: replace what it points to */
    w->target = arena_strdup(&w->arena, real ? real : w->path);
    free(real);
    w->temporary = arena_printf(&w->arena, "%s.XXXXXX", w->target);
    w->fd = mkstemp(w->temporary);
    if (w->fd >= 0) copy_mode(w->fd, w->target);
    return w->fd >= 0;
}

bool file_begin(FileWriter *w, const char *path, Err *err) {
    struct stat st;
    bool standard = str_eq(path, "-"), there = !standard && stat(path, &st) == 0;
    *w = (FileWriter){.path = standard ? "standard output" : path, .fd = STDOUT_FILENO, .standard = standard};
    if (standard) return true;
    if (there && S_ISDIR(st.st_mode)) return err_set(err, ERR_IO, tr("cannot write %s: it is a folder"), path);
    if (there && !S_ISREG(st.st_mode)) w->fd = open(path, O_WRONLY | O_CLOEXEC); /* a device or a pipe: nothing to rename over */
    else begin_temporary(w);
    if (w->fd >= 0) return true;
    io_error(err, CANNOT_WRITE, path);
    arena_free(&w->arena);
    return false;
}

bool file_put(FileWriter *w, const void *data, size_t size) {
    if (w->error == 0 && !write_all(w->fd, data, size)) w->error = errno;
    return w->error == 0;
}

bool file_end(FileWriter *w, Err *err) {
    if (w->temporary && w->error == 0 && fsync(w->fd) != 0 && errno != EINVAL) w->error = errno;
    if (!w->standard && close(w->fd) != 0 && w->error == 0) w->error = errno;
    if (w->temporary && w->error == 0 && rename(w->temporary, w->target) != 0) w->error = errno;
    if (w->temporary && w->error != 0) unlink(w->temporary);
    errno = w->error;
    if (w->error != 0) io_error(err, CANNOT_WRITE, w->path);
    arena_free(&w->arena);
    return w->error == 0;
}

void file_drop(FileWriter *w) {
    if (!w->standard) close(w->fd);
    if (w->temporary) unlink(w->temporary);
    arena_free(&w->arena);
}

bool file_write(const char *path, const void *data, size_t size, Err *err) {
    FileWriter w;
    if (!file_begin(&w, path, err)) return false;
    file_put(&w, data, size);
    return file_end(&w, err);
}

bool file_exists(const char *path) {
    struct stat st;
    return stat(path, &st) == 0;
}

bool file_is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

char *file_written_at(const char *path, Arena *arena) {
    struct stat info;
    struct tm local;
    char text[64] = "";
    if (stat(path, &info) == 0 && localtime_r(&info.st_mtime, &local)) strftime(text, sizeof text, "%Y-%m-%d %H:%M", &local);
    return arena_strdup(arena, text);
}

bool file_remove(const char *path) {
    return unlink(path) == 0;
}

bool file_make_folders(const char *path, Err *err) {
    char part[4096];
    size_t n = strlen(path);
    if (n == 0 || n >= sizeof part) return err_set(err, ERR_IO, tr("cannot make the folder “%s”: the path is empty or too long"), path);
    memcpy(part, path, n + 1);
    for (size_t i = 1; i <= n; i++) {
        if (part[i] != '/' && part[i] != 0) continue;
        char kept = part[i];
        part[i] = 0;
        if (mkdir(part, 0777) != 0 && errno != EEXIST) return io_error(err, CANNOT_MAKE, part);
        part[i] = kept;
    }
    if (!file_is_folder(path)) return err_set(err, ERR_IO, tr("cannot make the folder %s: a file has this name"), path);
    return true;
}

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

bool file_list(const char *folder, Arena *arena, char ***names, int *count, Err *err) {
    DIR *dir = opendir(folder);
    if (!dir) return io_error(err, CANNOT_LIST, folder);
    int n = 0, capacity = 32;
    char **list = ARENA_ARRAY(arena, char *, (size_t)capacity);
    for (struct dirent *entry; (entry = readdir(dir)) != NULL;) {
        if (str_eq(entry->d_name, ".") || str_eq(entry->d_name, "..")) continue;
        if (n == capacity) {
            char **larger = ARENA_ARRAY(arena, char *, (size_t)capacity * 2);
            memcpy(larger, list, (size_t)n * sizeof *list);
            list = larger;
            capacity *= 2;
        }
        list[n++] = arena_strdup(arena, entry->d_name);
    }
    closedir(dir);
    qsort(list, (size_t)n, sizeof *list, compare_names);
    *names = list;
    *count = n;
    return true;
}

char *path_join(Arena *arena, const char *folder, const char *name) {
    if (!*folder || name[0] == '/') return arena_strdup(arena, name);
    return arena_printf(arena, "%s%s%s", folder, str_ends(folder, "/") ? "" : "/", name);
}

const char *path_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
