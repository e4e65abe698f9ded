/* The open document is kept in the state folder within 2 s of a change and offered again after an unclean end. */
#ifndef DOC_RECOVERY_H
#define DOC_RECOVERY_H

#include "doc/doc.h"
#include "doc/view.h"

typedef struct Recovery Recovery;

/* Takes a lock of its own in `folder`, so that several running programs do not meet. NULL and err when impossible. */
Recovery *recovery_open(const char *folder, Err *err);
/* Path of a document that a program which no longer runs left behind, or NULL. Lives as long as the Recovery. */
const char *recovery_found(const Recovery *recovery);
/* Tell the found file is dealt with: remove it. */
void recovery_forget(Recovery *recovery);
/* Call often; writes when the document changed and at most once in 2 s. `now` in seconds. */
bool recovery_tick(Recovery *recovery, const Doc *doc, const View *view, double now, Err *err);
/* A clean end: removes the file and the lock. */
void recovery_close(Recovery *recovery);

#endif
