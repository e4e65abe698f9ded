#include "app/session_edit.h"

#include <stdio.h>
#include <string.h>

#include "app/number.h"
#include "app/panels.h"
#include "app/session_act.h"
#include "app/session_settle.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "ui/textedit.h"

/* ---- listed tokens ---- */

/* One word of a joined line, unquoted, into `out`; NULL at the end. */
static const char *next_word(const char *at, StrBuf *out) {
    at += strspn(at, " \t\n");
    if (!*at) return NULL;
    bool quoted = *at == '"';
    if (quoted) at++;
    for (; *at && (quoted ? *at != '"' : !strchr(" \t\n", *at)); at++) {
        bool escaped = quoted && *at == '\\' && at[1];
        if (escaped) at++;
        sb_add_n(out, escaped && *at == 'n' ? "\n" : at, 1);
    }
    return quoted && *at == '"' ? at + 1 : at;
}

/* A YAML list of the words in a line; *count says how many. */
static const char *words_as_list(const char *text, Arena *arena, int *count) {
    StrBuf list;
    sb_init(&list, arena);
    sb_add(&list, "[");
    *count = 0;
    for (;;) {
        StrBuf word;
        sb_init(&word, arena);
        text = next_word(text, &word);
        if (!text) break;
        sb_add(&list, (*count)++ ? ", \"" : "\"");
        for (size_t i = 0; i < word.length; i++) {
            if (word.data[i] == '\n') sb_add(&list, "\\n");
            else sb_printf(&list, strchr("\"\\", word.data[i]) ? "\\%c" : "%c", word.data[i]);
        }
        sb_add(&list, "\"");
    }
    sb_add(&list, "]");
    return list.data;
}

/* ---- writing back ---- */

static int count_words(const DocWords *words) {
    return words ? words->n : 0;
}

static int run_tokens_count(const Session *s, FieldId id) {
    if (!s->run) return 0;
    return id == FIELD_SOURCE ? s->run->keys.n : s->run->tokens.n;
}

static void keep_draft(Session *s, FieldId id, const char *text, bool waits) {
    session_drop_draft(s);
    s->draft = arena_strdup(&s->draft_arena, text);
    s->draft_waits = waits;
    snprintf(s->draft_of, sizeof s->draft_of, "%s", field_name(id));
    session_touch(s);
}

/* The text stays in the field as it is typed; the tokens take their names from it whenever it has as many as they are. */
static bool rename_tokens(Session *s, FieldId id, const char *text, const char *merge) {
    int count, want = count_words(field_words(&s->doc, id));
    if (want == 0) want = run_tokens_count(s, id);
    const char *list = words_as_list(text, &s->scratch, &count);
    bool fits = count == want;
    if (!fits) {
        keep_draft(s, id, text, true);
        session_notice(s, true, tr("The matrices are given for %d tokens, and this names %d: the names are taken when there are %d."), want, count, want);
        return true;
    }
    Err err = {0};
    fits = session_act_set(s, id == FIELD_SOURCE ? "source" : "tokens", list, merge, &err);
    keep_draft(s, id, text, !fits);
    if (fits) session_clear_notice(s);
    else session_notice(s, true, "%s", err.message);
    session_settle(s);
    return true;
}

static bool write_back(Session *s, FieldId id, const char *text, const char *merge) {
    if (id == FIELD_QUERY) {
        session_set_query(s, text);
        session_clear_notice(s);
        if (s->menu.shape == SHAPE_CELL && s->menu.name) number_typed(s);
        return true;
    }
    if (field_count_fixed(&s->doc, id)) return rename_tokens(s, id, text, merge);
    Err err = {0};
    if (session_act_text(s, text, id == FIELD_SOURCE, merge, &err)) return true;
    session_notice(s, true, "%s", err.message);
    return false;
}

static int *caret_of(View *view, FieldId id) {
    return id == FIELD_QUERY ? &view->query_caret : &view->caret;
}

static int *anchor_of(View *view, FieldId id) {
    return id == FIELD_QUERY ? &view->query_anchor : &view->anchor;
}

static TextEdit begin_edit(Session *s, FieldId id) {
    TextEdit edit;
    const char *text = field_text(s, id, &s->scratch);
    textedit_init(&edit, &s->scratch, text, strlen(text), (size_t)*caret_of(&s->view, id), (size_t)*anchor_of(&s->view, id));
    edit.max = id == FIELD_QUERY ? VIEW_TEXT_MAX - 1 : TEXT_MAX;
    edit.one_line = id == FIELD_QUERY;
    return edit;
}

/* `merge` names the run of edits it belongs to; putting something in the place of a selection begins another. */
static void end_edit(Session *s, FieldId id, const TextEdit *edit, const char *merge) {
    bool replaces = *caret_of(&s->view, id) != *anchor_of(&s->view, id);
    session_touch(s);
    if (edit->clipboard) s->effects.clipboard = edit->clipboard;
    if (edit->wants_paste) s->effects.wants_paste = true;
    if (edit->full) session_notice(s, true, tr("The field takes %zu bytes, not more."), edit->max);
    if (edit->changed && replaces && id != FIELD_QUERY) history_part(s->history);
    if (edit->changed && !write_back(s, id, edit->text, merge)) return;
    *caret_of(&s->view, id) = (int)edit->caret;
    *anchor_of(&s->view, id) = (int)edit->anchor;
}

bool edit_key(Session *s, const Input *input) {
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return false;
    TextEdit edit = begin_edit(s, id);
    if (!textedit_key(&edit, input)) return false;
    end_edit(s, id, &edit, "deleting");
    return true;
}

void edit_composed(Session *s, const char *text, int caret) {
    View *view = &s->view;
    snprintf(view->composition, sizeof view->composition, "%s", text);
    utf8_cut(view->composition, sizeof view->composition);
    size_t length = strlen(view->composition), pos = 0;
    for (int i = 0; i < caret && pos < length; i++) utf8_next(view->composition, length, &pos);
    TextEdit edit; /* the caret on a boundary */
    textedit_init(&edit, &s->scratch, view->composition, length, pos, pos);
    view->composition_caret = (int)edit.caret;
    session_touch(s);
}

void edit_typed(Session *s, const char *text) {
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return;
    s->view.composition[0] = '\0';
    TextEdit edit = begin_edit(s, id);
    textedit_insert(&edit, text, strlen(text));
    end_edit(s, id, &edit, "typing");
}

void edit_point(Session *s, FieldId id, Rect box, float x, int clicks, bool extend) {
    s->view.composition[0] = '\0'; /* it stood at the caret */
    TextEdit edit = begin_edit(s, id);
    size_t at = panels_field_at(s, id, box, x, &s->scratch);
    if (clicks == 2) textedit_select_word(&edit, at);
    else if (clicks >= 3) textedit_select_all(&edit);
    else textedit_move(&edit, at, extend);
    end_edit(s, id, &edit, NULL);
}
