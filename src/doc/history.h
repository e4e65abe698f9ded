/* Undo: a ring of whole documents, bounded at 64 MiB. Typing merges a word at a time or by a pause of 1 s.
 * It also knows which file each of them belongs to and what of them is nowhere on disk: opening another document
 * is a step like any other. Reads and writes no files itself. */
#ifndef DOC_HISTORY_H
#define DOC_HISTORY_H

#include "doc/doc.h"

typedef struct History History;

/* `first` is where it begins: nothing of it can be lost. */
History *history_open(const Doc *first);
void history_close(History *history);
/* Remember `doc` as the newest state. `merge` names a run of edits that counts as one ("typing", "deleting": until a
 * pause; "drag": until history_part; NULL = never); `now` in seconds. */
void history_push(History *history, const Doc *doc, const char *merge, double now);
/* The run of edits ends: the next change is a step of its own, whatever it is called. */
void history_part(History *history);
/* Another document takes the place of the open one. `path` is its file, "" = none; `safe`: as it is it can be
 * had again (from that file, or because it is an example or new). */
void history_begin(History *history, const Doc *doc, const char *path, bool safe, double now);
/* The present state is where it begins: there is nothing to undo, and nothing of it can be lost. */
void history_start(History *history);
bool history_undo(History *history, Doc *doc); /* false: nothing to undo */
bool history_redo(History *history, Doc *doc);
void history_forget_redo(History *history); /* what was undone was only tried: it does not come back */
bool history_can_undo(const History *history);
bool history_can_redo(const History *history);

/* File of the present state's document; "" = none. */
const char *history_path(const History *history);
/* The present state lies in this file now; "" = it is safe without one. */
void history_saved(History *history, const char *path);
/* Can the present state be had again, from its file or because nothing was changed? */
bool history_is_safe(const History *history);
enum { HISTORY_UNSAVED_MAX = 16 };
/* Documents up to the present one whose newest state is safe nowhere, oldest first: the open one is the last if it
 * is among them. They live until the next change. Returns how many there are, at most HISTORY_UNSAVED_MAX. */
int history_unsaved(const History *history, const Doc *out[HISTORY_UNSAVED_MAX]);

#endif
