#include "base/mapped.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/tr.h"

static bool map(Mapped *file, Err *err) {
    struct stat state;
    if (fstat(file->fd, &state) != 0) return err_set(err, ERR_IO, tr("%s cannot be read: %s"), file->path, strerror(errno));
    if (!S_ISREG(state.st_mode)) return err_set(err, ERR_IO, tr("%s is not a file"), file->path);
    if ((uintmax_t)state.st_size > SIZE_MAX / 2)
        return err_set(err, ERR_LIMIT, tr("%s is larger than this machine's addresses"), file->path);
    file->size = (size_t)state.st_size;
    file->written_s = (int64_t)state.st_mtim.tv_sec;
    file->written_ns = (int64_t)state.st_mtim.tv_nsec;
    if (file->size == 0) return true; /* nothing to map */
    void *bytes = mmap(NULL, file->size, PROT_READ, MAP_PRIVATE, file->fd, 0);
    if (bytes == MAP_FAILED) return err_set(err, ERR_IO, tr("%s cannot be mapped into memory: %s"), file->path, strerror(errno));
    file->bytes = bytes;
    return true;
}

bool mapped_open(const char *path, Arena *arena, Mapped *out, Err *err) {
    *out = (Mapped){.path = arena_strdup(arena, path), .fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)}; /* a pipe does not wait */
    if (out->fd < 0) return err_set(err, ERR_IO, tr("%s cannot be read: %s"), path, strerror(errno));
    if (map(out, err)) return true;
    mapped_close(out);
    return false;
}

bool mapped_unchanged(const Mapped *file, Err *err) {
    struct stat state;
    if (fstat(file->fd, &state) != 0) return err_set(err, ERR_IO, tr("%s cannot be read: %s"), file->path, strerror(errno));
    if ((uintmax_t)state.st_size != file->size)
        return err_set(err, ERR_IO, tr("%s has %lld bytes now and had %zu when it was opened; open it again"), file->path,
                       (long long)state.st_size, file->size);
    if ((int64_t)state.st_mtim.tv_sec != file->written_s || (int64_t)state.st_mtim.tv_nsec != file->written_ns)
        return err_set(err, ERR_IO, tr("%s was written since it was opened; open it again"), file->path);
    return true;
}

bool mapped_current(const Mapped *file) {
    struct stat ours, there;
    return mapped_unchanged(file, NULL) && fstat(file->fd, &ours) == 0 && stat(file->path, &there) == 0 &&
           ours.st_dev == there.st_dev && ours.st_ino == there.st_ino;
}

void mapped_close(Mapped *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->size);
    if (file->fd >= 0) close(file->fd);
    file->bytes = NULL;
    file->fd = -1;
}
