/* The text fields of the session: what they show, what keys and the pointer do to them. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "app/panels.h"
#include "app/session_state.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "ui/textedit.h"

static const char *const field_names[] = {
    [FIELD_TEXT] = "top.field",
    [FIELD_SOURCE] = "top.source",
    [FIELD_QUERY] = "dialog.field",
};
static_assert(sizeof field_names / sizeof field_names[0] == FIELD_COUNT, "each field has a name");

const char *field_name(FieldId id) {
    return field_names[id];
}

FieldId field_find(const char *name) {
    int found = str_find(field_names, FIELD_COUNT, name);
    return found < 0 ? FIELD_NONE : (FieldId)found;
}

static bool doc_has_source(const Doc *doc) {
    return doc->source_text != NULL || doc->source.n > 0;
}

/* Also while it has the focus and is still empty: an empty source is the same text again. */
bool field_has_source(const Session *s) {
    return doc_has_source(&s->doc) || str_eq(s->view.focus, field_names[FIELD_SOURCE]);
}

FieldId field_active(const Session *s) {
    if (s->menu.name) return s->menu.hint ? FIELD_QUERY : FIELD_NONE;
    return field_find(s->view.focus);
}

/* ---- listed tokens as one line of text ---- */

/* Words parted by spaces; one that has spaces or quotes is quoted. */
static const char *join_words(const DocWords *words, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    const char *word = words->n > 0 ? words->bytes->bytes : "";
    for (int i = 0; i < words->n; i++, word += strlen(word) + 1) {
        if (i > 0) sb_add(&sb, " ");
        if (word[0] && !strpbrk(word, " \"\n\t")) {
            sb_add(&sb, word);
            continue;
        }
        sb_add(&sb, "\"");
        for (const char *c = word; *c; c++) sb_printf(&sb, *c == '"' || *c == '\\' ? "\\%c" : "%c", *c);
        sb_add(&sb, "\"");
    }
    return sb.data ? sb.data : "";
}

/* One word of a joined line, unquoted, into `out`; NULL at the end. */
static const char *next_word(const char *at, StrBuf *out) {
    at += strspn(at, " \t\n");
    if (!*at) return NULL;
    bool quoted = *at == '"';
    if (quoted) at++;
    for (; *at && (quoted ? *at != '"' : !strchr(" \t\n", *at)); at++) {
        if (quoted && *at == '\\' && at[1]) at++;
        sb_add_n(out, at, 1);
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
        for (size_t i = 0; i < word.length; i++) sb_printf(&list, strchr("\"\\", word.data[i]) ? "\\%c" : "%c", word.data[i]);
        sb_add(&list, "\"");
    }
    sb_add(&list, "]");
    return list.data;
}

/* Do given matrices fix how many tokens there are on this side? */
static bool count_is_fixed(const Doc *doc, FieldId id) {
    static const MatrixName query_side[] = {MATRIX_X, MATRIX_Q, MATRIX_SCORES, MATRIX_WEIGHTS};
    static const MatrixName key_side[] = {MATRIX_X_KV, MATRIX_K, MATRIX_V, MATRIX_SCORES, MATRIX_WEIGHTS};
    const MatrixName *side = id == FIELD_SOURCE ? key_side : query_side;
    size_t n = id == FIELD_SOURCE ? sizeof key_side / sizeof key_side[0] : sizeof query_side / sizeof query_side[0];
    for (size_t i = 0; i < n; i++)
        if (doc->matrix[side[i]].rank > 0) return true;
    return false;
}

static const DocWords *field_words(const Doc *doc, FieldId id) {
    const DocWords *words = id == FIELD_SOURCE ? &doc->source : &doc->tokens;
    return words->n > 0 ? words : NULL;
}

const char *field_text(const Session *s, FieldId id, Arena *arena) {
    if (id == FIELD_QUERY) return s->view.query;
    if (id == FIELD_NONE) return "";
    const DocWords *words = field_words(&s->doc, id);
    if (words) return join_words(words, arena);
    if (id == FIELD_TEXT) return doc_text(&s->doc);
    return s->doc.source_text ? s->doc.source_text->bytes : "";
}

/* ---- writing back ---- */

static bool set_key(Session *s, const char *key, const char *value) {
    ActionLine line = {.n = 3, .arg = {(char *)(uintptr_t)"set", (char *)(uintptr_t)key, (char *)(uintptr_t)value}};
    Err err = {0};
    if (session_run_line(s, &line, "typing", &err)) return true;
    session_notice(s, true, "%s", err.message);
    return false;
}

static int count_words(const DocWords *words) {
    return words ? words->n : 0;
}

static int run_tokens_count(const Session *s, FieldId id) {
    if (!s->run) return 0;
    return id == FIELD_SOURCE ? s->run->keys.n : s->run->tokens.n;
}

static bool rename_tokens(Session *s, FieldId id, const char *text) {
    int count, want = count_words(field_words(&s->doc, id));
    if (want == 0) want = run_tokens_count(s, id);
    const char *list = words_as_list(text, &s->scratch, &count);
    bool loose = text[0] == ' ' || str_ends(text, " ") || strstr(text, "  "); /* a space that begins another token */
    if (count != want || loose) {
        session_notice(s, true, tr("The matrices are given for %d tokens: the field can rename them, not add or remove any."), want);
        return false;
    }
    return set_key(s, id == FIELD_SOURCE ? "source" : "tokens", list);
}

static bool write_back(Session *s, FieldId id, const char *text) {
    if (id == FIELD_QUERY) {
        session_set_query(s, text);
        return true;
    }
    if (count_is_fixed(&s->doc, id)) return rename_tokens(s, id, text);
    Err err = {0};
    if (session_type(s, text, id == FIELD_SOURCE, &err)) return true;
    session_notice(s, true, "%s", err.message);
    return false;
}

static int *field_caret_of(View *view, FieldId id) {
    return id == FIELD_QUERY ? &view->query_caret : &view->caret;
}

static int *field_anchor_of(View *view, FieldId id) {
    return id == FIELD_QUERY ? &view->query_anchor : &view->anchor;
}

static TextEdit begin_edit(Session *s, FieldId id) {
    TextEdit edit;
    const char *text = field_text(s, id, &s->scratch);
    textedit_init(&edit, &s->scratch, text, strlen(text), (size_t)*field_caret_of(&s->view, id), (size_t)*field_anchor_of(&s->view, id));
    edit.max = id == FIELD_QUERY ? VIEW_TEXT_MAX - 1 : TEXT_MAX;
    edit.one_line = id == FIELD_QUERY;
    return edit;
}

static void end_edit(Session *s, FieldId id, const TextEdit *edit) {
    session_touch(s);
    if (edit->clipboard) s->effects.clipboard = edit->clipboard;
    if (edit->wants_paste) s->effects.wants_paste = true;
    if (edit->full) session_notice(s, true, tr("The field takes %zu bytes, not more."), edit->max);
    if (edit->changed && !write_back(s, id, edit->text)) return;
    *field_caret_of(&s->view, id) = (int)edit->caret;
    *field_anchor_of(&s->view, id) = (int)edit->anchor;
}

bool field_key(Session *s, const Input *input) {
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return false;
    TextEdit edit = begin_edit(s, id);
    if (!textedit_key(&edit, input)) return false;
    end_edit(s, id, &edit);
    return true;
}

void field_typed(Session *s, const char *text) {
    FieldId id = field_active(s);
    if (id == FIELD_NONE) return;
    s->view.composition[0] = '\0';
    TextEdit edit = begin_edit(s, id);
    textedit_insert(&edit, text, strlen(text));
    end_edit(s, id, &edit);
}

void field_point(Session *s, FieldId id, Rect box, float x, int clicks, bool extend) {
    TextEdit edit = begin_edit(s, id);
    size_t at = panels_field_at(s, id, box, x);
    if (clicks == 2) textedit_select_word(&edit, at);
    else if (clicks >= 3) textedit_select_all(&edit);
    else textedit_move(&edit, at, extend);
    end_edit(s, id, &edit);
}

void session_set_query(Session *s, const char *text) {
    size_t length = strlen(text);
    if (length >= VIEW_TEXT_MAX) length = 0;
    memcpy(s->view.query, text, length);
    s->view.query[length] = '\0';
    s->view.query_caret = s->view.query_anchor = (int)length;
    session_touch(s);
}
