/* Work beside the window: one thread that builds runs of models from folders, and computes again what a picture needs of
 * them, while the session goes on. Its results arrive through INPUT_JOB. A session without `wake` has no such thread:
 * everything is done at once. Knows no window. */
#ifndef APP_SESSION_JOB_H
#define APP_SESSION_JOB_H

#include "app/session_state.h"

void job_open(Session *s);
/* Cancels what is in hand and waits for it. NULL worker is fine. */
void job_close(Session *s);

/* Is this document's run built beside the window? */
bool job_serves(const Session *s, const Doc *doc);
/* Begin; false while another job is in hand. The runs and the document given may change or go meanwhile. */
bool job_run(Session *s, const Doc *doc, bool opens); /* opens: for s->opening */
bool job_need(Session *s, int stage);
/* The job in hand counts no more; it ends at the next op. */
void job_cancel(Session *s);
/* Take what is done, or see how far it is. */
void job_collect(Session *s);
/* Wait until nothing is in hand. */
void job_wait(Session *s);
/* While what a picture needs is computed the run's numbers are not to be read; this takes them back, done or not. */
void job_take_back(Session *s);
bool job_lent(const Session *s);
/* Esc: stop what people see going on; the last picture stays. false: there is nothing to stop. */
bool job_stop(Session *s);
/* Go on with what job_stop has stopped. false: nothing was. */
bool job_resume(Session *s);
/* Close a run that the worker may still be reading. */
void job_drop_run(Session *s, Run *run);

/* Does work go on that people should see by now? */
bool job_shown(const Session *s);
/* Clock at which that begins; 0 = there is nothing to wait for. */
double job_due(const Session *s);
double job_done(const Session *s); /* 0 to 1 */
/* "Computing layer 5 of 12 …". In `arena`. */
const char *job_words(const Session *s, Arena *arena);

#endif
