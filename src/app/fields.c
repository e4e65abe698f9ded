#include "app/fields.h"

#include <assert.h>
#include <string.h>

#include "app/names.h"

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

bool field_two_texts(const Session *s) {
    const CheckpointInfo *info = name_folder(&s->doc, s->run);
    return info && info->encoder_decoder;
}

/* Also while it has the focus and is still empty: an empty source is the same text again. */
bool field_has_source(const Session *s) {
    return field_two_texts(s) || doc_has_source(&s->doc) || str_eq(s->view.focus, field_names[FIELD_SOURCE]);
}

FieldId field_active(const Session *s) {
    if (s->menu.name) return s->menu.hint ? FIELD_QUERY : FIELD_NONE;
    return field_find(s->view.focus);
}

const DocWords *field_words(const Doc *doc, FieldId id) {
    const DocWords *words = id == FIELD_SOURCE ? &doc->source : &doc->tokens;
    return words->n > 0 ? words : NULL;
}

/* Listed tokens as one line: parted by spaces, in quotes where they need them. */
static const char *join_words(const DocWords *words, Arena *arena) {
    StrBuf sb;
    sb_init(&sb, arena);
    const char **list = doc_words(words, arena);
    for (int i = 0; i < words->n; i++) {
        bool plain = list[i][0] && !strpbrk(list[i], " \"\n\t");
        sb_printf(&sb, "%s%s", i > 0 ? " " : "", plain ? list[i] : action_quote(list[i], arena));
    }
    return sb.data ? sb.data : "";
}

/* Tokens that nothing names are called by their position. */
static const char *positions(const Session *s, FieldId id, Arena *arena) {
    int n = !s->run ? 0 : id == FIELD_SOURCE ? s->run->keys.n : s->run->tokens.n;
    StrBuf sb;
    sb_init(&sb, arena);
    for (int i = 1; i <= n; i++) sb_printf(&sb, i > 1 ? " %d" : "%d", i);
    return sb.data ? sb.data : "";
}

/* Do given matrices fix how many tokens there are on this side? */
bool field_count_fixed(const Doc *doc, FieldId id) {
    static const MatrixName query_side[] = {MATRIX_X, MATRIX_Q, MATRIX_SCORES, MATRIX_WEIGHTS};
    static const MatrixName key_side[] = {MATRIX_X_KV, MATRIX_K, MATRIX_V, MATRIX_SCORES, MATRIX_WEIGHTS};
    const MatrixName *side = id == FIELD_SOURCE ? key_side : query_side;
    size_t n = id == FIELD_SOURCE ? sizeof key_side / sizeof key_side[0] : sizeof query_side / sizeof query_side[0];
    for (size_t i = 0; i < n; i++)
        if (doc->matrix[side[i]].rank > 0) return true;
    return false;
}

static bool is_drafted(const Session *s, FieldId id) {
    return s->draft && str_eq(s->view.focus, s->draft_of) && str_eq(field_names[id], s->draft_of);
}

const char *field_text(const Session *s, FieldId id, Arena *arena) {
    if (id == FIELD_QUERY) return s->view.query;
    if (id == FIELD_NONE) return "";
    if (is_drafted(s, id)) return s->draft;
    const DocWords *words = field_words(&s->doc, id);
    if (words) return join_words(words, arena);
    bool typed = id == FIELD_TEXT ? s->doc.text != NULL : s->doc.source_text != NULL;
    bool numbered = s->run && (s->run->fields & RUN_TOKENS_NUMBERED) && (id == FIELD_TEXT || s->run->cross);
    if (!typed && numbered && field_count_fixed(&s->doc, id)) return positions(s, id, arena);
    if (id == FIELD_TEXT) return doc_text(&s->doc);
    return s->doc.source_text ? s->doc.source_text->bytes : "";
}
