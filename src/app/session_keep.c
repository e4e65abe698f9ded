#include "app/session_keep.h"

#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "base/tr.h"

void session_keep_open(Session *s) {
    Err err = {0};
    if (!s->options.state_folder) return;
    s->recovery = recovery_open(s->options.state_folder, &err);
    if (!s->recovery) session_notice(s, true, tr("The document is not kept while you work: %s"), err.message);
    else recovery_due(s->recovery, &s->doc, s->clock); /* changes are those from here on */
    if (s->recovery && recovery_found(s->recovery)) snprintf(s->view.menu, sizeof s->view.menu, "recover");
    s->n_recent = files_recent_read(s->options.state_folder, RECENT_MAX, PATH_SIZE, s->recent[0]);
}

/* What is unsaved, for the state folder; `docs` holds the list. */
static Keep unsaved(const Session *s, const Doc *docs[HISTORY_UNSAVED_MAX]) {
    int n = history_unsaved(s->history, docs);
    bool open_one = n > 0 && doc_equal(docs[n - 1], &s->doc);
    return (Keep){.docs = docs, .n = n, .view = open_one ? &s->view : NULL};
}

void session_keep(Session *s) {
    const Doc *docs[HISTORY_UNSAVED_MAX];
    Keep keep = unsaved(s, docs);
    Err err = {0};
    if (s->recovery && !recovery_write(s->recovery, &keep, s->clock, &err))
        session_notice(s, true, tr("The document could not be kept: %s"), err.message);
}

void session_keep_due(Session *s) {
    if (s->recovery && recovery_due(s->recovery, &s->doc, s->clock)) session_keep(s);
    if (s->keep_due > 0 && s->clock >= s->keep_due) s->keep_due = 0;
}

void session_keep_close(Session *s) {
    const Doc *docs[HISTORY_UNSAVED_MAX];
    Keep keep = unsaved(s, docs);
    Err err = {0};
    if (!recovery_close(s->recovery, &keep, &err)) fprintf(stderr, "attnscope: %s\n", err.message);
}

/* Newest first, each once. */
void session_keep_recent(Session *s, const char *path) {
    char *full = files_absolute(&s->scratch, path);
    if (!s->options.state_folder || strlen(full) >= PATH_SIZE || strchr(full, '\n')) return;
    int found = 0;
    while (found < s->n_recent && !str_eq(s->recent[found], full)) found++;
    if (found == RECENT_MAX) found--;
    if (found == s->n_recent) s->n_recent++;
    memmove(s->recent[1], s->recent[0], (size_t)found * PATH_SIZE);
    snprintf(s->recent[0], PATH_SIZE, "%s", full);
    files_recent_write(s->options.state_folder, s->n_recent, PATH_SIZE, s->recent[0]);
}
