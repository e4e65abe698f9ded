#include "doc/recovery.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "doc/yaml.h"

/* In the state folder each running program has attnscope-PID.lock, locked as long as it lives (the system frees
 * the lock when it dies, however it dies), and attnscope-PID.yaml, its document. A document whose lock is free was
 * left behind. */
static const char PREFIX[] = "attnscope-";
static const double INTERVAL = 2; /* seconds between two writes */

struct Recovery {
    Arena arena;
    int lock;              /* file descriptor */
    const char *lock_path, *file_path;
    const char *found, *found_lock;
    Doc written;           /* what was seen last */
    bool seen;             /* `written` holds a document */
    bool dirty;            /* it changed since it was written */
    bool on_disk;
    double tried;          /* when it was written last */
};

static int lock_file(const char *path, bool create) {
    int fd = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW | (create ? O_CREAT : 0), 0600);
    if (fd < 0) return -1;
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
    int reason = errno;
    close(fd);
    errno = reason;
    return -1;
}

static char *state_path(Recovery *r, const char *folder, const char *name, size_t length, const char *suffix) {
    return path_join(&r->arena, folder, arena_printf(&r->arena, "%.*s%s", (int)length, name, suffix));
}

/* A document is left behind when its lock is free or gone. */
static bool was_left(const char *lock_path) {
    if (!file_exists(lock_path)) return true;
    int fd = lock_file(lock_path, false);
    if (fd < 0) return false;
    close(fd);
    return true;
}

/* The first document left behind; locks without one are cleared away. */
static void look_around(Recovery *r, const char *folder) {
    char **names;
    int count;
    if (!file_list(folder, &r->arena, &names, &count, NULL)) return;
    for (int i = 0; i < count; i++) {
        size_t length = strlen(names[i]);
        bool document = str_ends(names[i], ".yaml"), lock = str_ends(names[i], ".lock");
        if (!str_starts(names[i], PREFIX) || (!document && !lock)) continue;
        const char *lock_path = state_path(r, folder, names[i], length - 5, ".lock");
        const char *file_path = state_path(r, folder, names[i], length - 5, ".yaml");
        if (str_eq(lock_path, r->lock_path) || !was_left(lock_path)) continue;
        if (lock && !file_exists(file_path)) file_remove(lock_path);
        if (!document || r->found) continue;
        r->found = file_path;
        r->found_lock = lock_path;
    }
}

Recovery *recovery_open(const char *folder, Err *err) {
    Arena arena = {0};
    if (!file_make_folders(folder, err)) return NULL;
    Recovery *r = ARENA_NEW(&arena, Recovery);
    r->arena = arena;
    /* A document of a dead program with the same number is not overwritten: take the next free name. */
    for (int i = 0; i < 100; i++) {
        const char *name = i ? arena_printf(&r->arena, "%s%ld-%d", PREFIX, (long)getpid(), i)
                             : arena_printf(&r->arena, "%s%ld", PREFIX, (long)getpid());
        r->lock_path = state_path(r, folder, name, strlen(name), ".lock");
        r->file_path = state_path(r, folder, name, strlen(name), ".yaml");
        r->lock = file_exists(r->file_path) ? -1 : lock_file(r->lock_path, true);
        if (r->lock >= 0) break;
    }
    if (r->lock < 0) {
        err_set(err, ERR_IO, tr("%s cannot be locked: %s"), r->lock_path, strerror(errno));
        arena = r->arena;
        arena_free(&arena);
        return NULL;
    }
    look_around(r, folder);
    return r;
}

const char *recovery_found(const Recovery *recovery) {
    return recovery->found;
}

void recovery_forget(Recovery *recovery) {
    if (!recovery->found) return;
    file_remove(recovery->found);
    if (file_exists(recovery->found_lock)) file_remove(recovery->found_lock);
    recovery->found = NULL;
}

static bool write_document(Recovery *r, const Doc *doc, const View *view, double now, Err *err) {
    Arena arena = {0};
    char *text = yaml_write(doc, view, &arena);
    r->tried = now;
    bool ok = file_write(r->file_path, text, strlen(text), err);
    if (ok) {
        r->on_disk = true;
        r->dirty = false;
    }
    arena_free(&arena);
    return ok;
}

bool recovery_tick(Recovery *recovery, const Doc *doc, const View *view, double now, Err *err) {
    Recovery *r = recovery;
    if (!r->seen) { /* the document as it was opened is not worth keeping */
        doc_copy(&r->written, doc);
        r->seen = true;
        r->tried = now - INTERVAL;
        return true;
    }
    if (!doc_equal(&r->written, doc)) {
        doc_copy(&r->written, doc);
        r->dirty = true;
    }
    if (!r->dirty || now - r->tried < INTERVAL) return true;
    return write_document(r, doc, view, now, err);
}

void recovery_close(Recovery *recovery) {
    if (!recovery) return;
    if (recovery->on_disk) file_remove(recovery->file_path);
    file_remove(recovery->lock_path);
    close(recovery->lock);
    doc_reset(&recovery->written);
    Arena arena = recovery->arena; /* the recovery lies in it */
    arena_free(&arena);
}
