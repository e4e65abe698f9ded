/* What is saved nowhere is kept in the state folder: within 2 s of a change, and offered again after an unclean end;
 * at a clean end as the last session. Knows documents and files; what is unsaved is told to it (doc/history.h). */
#ifndef DOC_RECOVERY_H
#define DOC_RECOVERY_H

#include "doc/doc.h"
#include "doc/view.h"

typedef struct Recovery Recovery;

/* The documents to keep, the open one last, and how it is looked at. */
typedef struct {
    const Doc *const *docs;
    int n;
    const View *view;
} Keep;

/* Takes a lock of its own in `folder`, so that several running programs do not meet. NULL and err when impossible. */
Recovery *recovery_open(const char *folder, Err *err);
/* Path of what a program which no longer runs left behind, or NULL. Lives as long as the Recovery. */
const char *recovery_found(const Recovery *recovery);
/* Tell the found file is dealt with: remove it. */
void recovery_forget(Recovery *recovery);
/* Ask often: true when the open document is another one than at the last writing, which is 2 s ago. `now` in seconds. */
bool recovery_due(Recovery *recovery, const Doc *doc, double now);
/* Write now; nothing to keep leaves no file. */
bool recovery_write(Recovery *recovery, const Keep *keep, double now, Err *err);
enum { SESSIONS_MAX = 5 };
/* Path of what was unsaved at the end of the last session (0), the one before (1) …; NULL = there is none. In `arena`. */
char *recovery_session(const Recovery *recovery, int back, Arena *arena);
/* A clean end: what is to be kept becomes the last session. When it cannot be written it stays as after an unclean
 * end, and err says why. */
bool recovery_close(Recovery *recovery, const Keep *keep, Err *err);

#endif
