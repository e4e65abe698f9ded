/* Undo: a ring of whole documents, bounded at 64 MiB. Typing merges a word at a time or by a pause of 1 s. */
#ifndef DOC_HISTORY_H
#define DOC_HISTORY_H

#include "doc/doc.h"

typedef struct History History;

History *history_open(const Doc *first);
void history_close(History *history);
/* Remember `doc` as the newest state. `merge` names a run of edits that counts as one ("typing", "drag"; NULL = never);
 * `now` in seconds. */
void history_push(History *history, const Doc *doc, const char *merge, double now);
bool history_undo(History *history, Doc *doc); /* false: nothing to undo */
bool history_redo(History *history, Doc *doc);
bool history_can_undo(const History *history);
bool history_can_redo(const History *history);

#endif
