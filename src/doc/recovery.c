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
#include "doc/yaml_node.h"

/* In the state folder each running program has attnscope-PID.lock, locked as long as it lives (the system frees
 * the lock when it dies, however it dies), and attnscope-PID.yaml, its documents. Documents whose lock is free were
 * left behind. What was unsaved at a clean end lies in last.yaml; what that has pushed away in last-2.yaml, and so on. */
static const char PREFIX[] = "attnscope-";
static const double INTERVAL = 2; /* seconds between two writes */

struct Recovery {
    Arena arena;
    const char *folder;
    int lock;              /* file descriptor */
    const char *lock_path, *file_path;
    const char *found, *found_lock;
    Doc written;           /* what was seen last */
    bool seen;             /* `written` holds a document */
    bool dirty;            /* it changed since then */
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
    r->folder = arena_strdup(&r->arena, folder);
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

bool recovery_due(Recovery *recovery, const Doc *doc, double now) {
    Recovery *r = recovery;
    if (!r->seen) { /* the document as the program begins is not worth keeping */
        doc_copy(&r->written, doc);
        r->seen = true;
        r->tried = now - INTERVAL;
    }
    if (!doc_equal(&r->written, doc)) {
        doc_copy(&r->written, doc);
        r->dirty = true;
    }
    return r->dirty && now - r->tried >= INTERVAL;
}

/* All documents in one file. The oldest are left out when it would be too large to be read again. */
static char *keep_text(const Keep *keep, Arena *arena) {
    char *text = NULL;
    for (int i = keep->n - 1; i >= 0; i--) {
        char *more = yaml_write(keep->docs[i], i == keep->n - 1 ? keep->view : NULL, arena);
        if (text && strlen(text) + strlen(more) + 4 > YAML_BYTES_MAX) break;
        text = text ? arena_printf(arena, "%s---\n%s", more, text) : more;
    }
    return text;
}

bool recovery_write(Recovery *recovery, const Keep *keep, double now, Err *err) {
    Recovery *r = recovery;
    Arena arena = {0};
    r->tried = now;
    if (keep->n == 0) {
        r->dirty = false;
        return !file_exists(r->file_path) || file_remove(r->file_path);
    }
    char *text = keep_text(keep, &arena);
    bool ok = file_write(r->file_path, text, strlen(text), err);
    if (ok) r->dirty = false;
    arena_free(&arena);
    return ok;
}

/* ---- sessions ---- */

static char *session_path(const Recovery *r, int back, Arena *arena) {
    char *name = back == 0 ? arena_strdup(arena, "last.yaml") : arena_printf(arena, "last-%d.yaml", back + 1);
    return path_join(arena, r->folder, name);
}

char *recovery_session(const Recovery *recovery, int back, Arena *arena) {
    if (back < 0 || back >= SESSIONS_MAX) return NULL;
    char *path = session_path(recovery, back, arena);
    return file_exists(path) ? path : NULL;
}

static bool same_bytes(const char *a, const char *b, Arena *arena) {
    char *of_a, *of_b;
    size_t size_a, size_b;
    if (!file_read(a, YAML_BYTES_MAX, arena, &of_a, &size_a, NULL) || !file_read(b, YAML_BYTES_MAX, arena, &of_b, &size_b, NULL)) return false;
    return size_a == size_b && memcmp(of_a, of_b, size_a) == 0;
}

/* The kept file becomes the last session; others move one back, unless it is the same one again. */
static bool end_session(const Recovery *r, Err *err) {
    Arena arena = {0};
    const char *last = session_path(r, 0, &arena);
    bool same = same_bytes(r->file_path, last, &arena);
    for (int back = SESSIONS_MAX - 1; back > 0 && !same; back--)
        rename(session_path(r, back - 1, &arena), session_path(r, back, &arena));
    bool ok = rename(r->file_path, last) == 0 || err_set(err, ERR_IO, tr("%s cannot be written: %s"), last, strerror(errno));
    arena_free(&arena);
    return ok;
}

bool recovery_close(Recovery *recovery, const Keep *keep, Err *err) {
    Recovery *r = recovery;
    if (!r) return true;
    bool ok = recovery_write(r, keep, 0, err) && (keep->n == 0 || end_session(r, err));
    file_remove(r->lock_path);
    close(r->lock);
    doc_reset(&r->written);
    Arena arena = r->arena; /* the recovery lies in it */
    arena_free(&arena);
    return ok;
}
