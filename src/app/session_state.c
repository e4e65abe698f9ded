#include "app/session_state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/utf8.h"
#include "scene/reading.h"

static const double NOTICE_SECONDS = 6;

void session_touch(Session *s) {
    s->fresh = false;
}

void session_clear_notice(Session *s) {
    if (s->view.notice[0] == '\0') return;
    s->view.notice[0] = '\0';
    session_touch(s);
}

void session_notice(Session *s, bool is_error, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->view.notice, sizeof s->view.notice, fmt, args);
    va_end(args);
    utf8_cut(s->view.notice, sizeof s->view.notice);
    s->view.notice_is_error = is_error;
    s->notice_until = s->clock + NOTICE_SECONDS;
    session_touch(s);
}

void session_set_query(Session *s, const char *text) {
    size_t length = strlen(text);
    if (length >= VIEW_TEXT_MAX) length = 0;
    memcpy(s->view.query, text, length);
    s->view.query[length] = '\0';
    s->view.query_caret = s->view.query_anchor = (int)length;
    session_touch(s);
}

void session_drop_draft(Session *s) {
    if (s->draft) session_touch(s);
    s->draft = NULL;
    s->draft_waits = false;
    arena_reset(&s->draft_arena);
}

void session_doc_changed(Session *s) {
    session_drop_draft(s);
    if (s->before) s->before->known = false;
    s->tried = s->stopped = false;
    s->menu_stale = true;
    session_touch(s);
}

RunContext session_context(const Session *s) {
    return (RunContext){.lexicon = s->lexicon, .cx = &s->core, .before = s->run, .limit = s->options.memory};
}
