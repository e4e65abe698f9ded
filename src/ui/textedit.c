#include "ui/textedit.h"

#include <string.h>

#include "base/str.h"
#include "base/utf8.h"

/* The grapheme boundary at or before `pos`. */
static size_t boundary_at(const char *text, size_t length, size_t pos) {
    if (pos >= length) return length;
    if (pos == 0) return 0;
    while (pos > 0 && ((unsigned char)text[pos] & 0xC0) == 0x80) pos--;
    size_t before = utf8_grapheme_previous(text, length, pos);
    size_t next = utf8_grapheme_next(text, length, before);
    return next <= pos ? pos : before;
}

/* The grapheme boundary at or behind `pos`. */
static size_t boundary_behind(const char *text, size_t length, size_t pos) {
    size_t before = boundary_at(text, length, pos);
    return before < pos ? utf8_grapheme_next(text, length, before) : before;
}

void textedit_init(TextEdit *edit, Arena *arena, const char *text, size_t length, size_t caret, size_t anchor) {
    *edit = (TextEdit){.arena = arena, .text = text, .length = length};
    edit->caret = boundary_at(text, length, caret);
    edit->anchor = boundary_at(text, length, anchor);
}

/* Ends of the selection in order. */
static size_t selection_from(const TextEdit *edit) {
    return edit->caret < edit->anchor ? edit->caret : edit->anchor;
}

static size_t selection_to(const TextEdit *edit) {
    return edit->caret < edit->anchor ? edit->anchor : edit->caret;
}

void textedit_move(TextEdit *edit, size_t to, bool extend) {
    edit->caret = boundary_at(edit->text, edit->length, to);
    if (!extend) edit->anchor = edit->caret;
}

void textedit_select_all(TextEdit *edit) {
    edit->anchor = 0;
    edit->caret = edit->length;
}

void textedit_select_word(TextEdit *edit, size_t at) {
    size_t pos = boundary_at(edit->text, edit->length, at);
    size_t next = utf8_word_next(edit->text, edit->length, pos);
    size_t start = utf8_word_previous(edit->text, edit->length, next);
    size_t end = next; /* without the spaces behind the word */
    while (end > start && (edit->text[end - 1] == ' ' || edit->text[end - 1] == '\n' || edit->text[end - 1] == '\t')) end--;
    edit->anchor = start;
    edit->caret = boundary_at(edit->text, edit->length, end);
}

/* Replace bytes [from, to) by `length` bytes of `with`. */
static void splice(TextEdit *edit, size_t from, size_t to, const char *with, size_t length) {
    if (from == to && length == 0) return;
    char *text = arena_alloc(edit->arena, edit->length - (to - from) + length + 1, 1);
    memcpy(text, edit->text, from);
    if (length > 0) memcpy(text + from, with, length);
    memcpy(text + from + length, edit->text + to, edit->length - to);
    edit->text = text;
    edit->length = edit->length - (to - from) + length;
    text[edit->length] = '\0';
    edit->caret = edit->anchor = boundary_behind(text, edit->length, from + length); /* it may have joined what follows */
    edit->changed = true;
}

/* What may stand in a field: no control characters; CR LF is one newline. Returns the length kept. */
static size_t sanitize(char *text, size_t length, bool one_line) {
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '\r') {
            if (i + 1 < length && text[i + 1] == '\n') continue;
            c = '\n';
        }
        if ((c < 0x20 && c != '\n' && c != '\t') || c == 0x7F) continue;
        if (one_line && c < 0x20) c = ' ';
        text[kept++] = (char)c;
    }
    text[kept] = '\0';
    return kept;
}

void textedit_insert(TextEdit *edit, const char *text, size_t length) {
    char *clean = utf8_clean(edit->arena, text, length);
    size_t count = sanitize(clean, strlen(clean), edit->one_line);
    size_t from = selection_from(edit), to = selection_to(edit);
    if (edit->max > 0) {
        size_t rest = edit->length - (to - from);
        size_t room = edit->max > rest ? edit->max - rest : 0;
        if (count > room) {
            count = boundary_at(clean, count, room);
            edit->full = true;
            if (count == 0) return;
        }
    }
    splice(edit, from, to, clean, count);
}

typedef size_t (*Motion)(const TextEdit *edit);

static size_t go_left(const TextEdit *edit) {
    return utf8_grapheme_previous(edit->text, edit->length, edit->caret);
}

static size_t go_right(const TextEdit *edit) {
    return utf8_grapheme_next(edit->text, edit->length, edit->caret);
}

static size_t go_word_left(const TextEdit *edit) {
    return utf8_word_previous(edit->text, edit->length, edit->caret);
}

static size_t go_word_right(const TextEdit *edit) {
    return utf8_word_next(edit->text, edit->length, edit->caret);
}

static size_t go_start(const TextEdit *edit) {
    (void)edit;
    return 0;
}

static size_t go_end(const TextEdit *edit) {
    return edit->length;
}

/* Moves and removals: Shift extends a move; a removal takes what lies between the caret and where the move goes. */
static const struct {
    const char *key;
    bool ctrl, remove;
    Motion motion;
} edit_keys[] = {
    {"Left", false, false, go_left},
    {"Right", false, false, go_right},
    {"Left", true, false, go_word_left},
    {"Right", true, false, go_word_right},
    {"Home", false, false, go_start},
    {"End", false, false, go_end},
    {"Home", true, false, go_start},
    {"End", true, false, go_end},
    {"Up", false, false, go_start},
    {"Down", false, false, go_end},
    {"Up", true, false, go_start},
    {"Down", true, false, go_end},
    {"Backspace", false, true, go_left},
    {"Backspace", true, true, go_word_left},
    {"Delete", false, true, go_right},
    {"Delete", true, true, go_word_right},
};
enum { EDIT_KEYS = sizeof edit_keys / sizeof edit_keys[0] };

static void move_by(TextEdit *edit, Motion motion, bool ctrl, bool extend) {
    bool has_selection = edit->caret != edit->anchor;
    if (!extend && !ctrl && has_selection && motion == go_left) textedit_move(edit, selection_from(edit), false);
    else if (!extend && !ctrl && has_selection && motion == go_right) textedit_move(edit, selection_to(edit), false);
    else textedit_move(edit, motion(edit), extend);
}

static void remove_by(TextEdit *edit, Motion motion) {
    size_t from = selection_from(edit), to = selection_to(edit);
    if (from == to) {
        size_t other = motion(edit);
        from = other < edit->caret ? other : edit->caret;
        to = other < edit->caret ? edit->caret : other;
    }
    splice(edit, from, to, NULL, 0);
}

static void copy_selection(TextEdit *edit, bool cut) {
    size_t from = selection_from(edit), to = selection_to(edit);
    if (from == to) return;
    edit->clipboard = arena_strndup(edit->arena, edit->text + from, to - from);
    if (cut) splice(edit, from, to, NULL, 0);
}

static bool clipboard_key(TextEdit *edit, const Input *input) {
    bool shift = (input->mods & MOD_SHIFT) != 0, ctrl = (input->mods & MOD_CTRL) != 0;
    const char *key = input->key;
    bool insert_key = str_eq(key, "Insert");
    if ((ctrl && !shift && str_eq(key, "c")) || (ctrl && insert_key)) copy_selection(edit, false);
    else if ((ctrl && !shift && str_eq(key, "x")) || (shift && str_eq(key, "Delete"))) copy_selection(edit, true);
    else if ((ctrl && !shift && str_eq(key, "v")) || (shift && insert_key)) edit->wants_paste = true;
    else if (ctrl && !shift && str_eq(key, "a")) textedit_select_all(edit);
    else return false;
    return true;
}

static bool leaves_field(const Input *input) {
    static const char *const keys[] = {"Tab", "Enter", "Esc", "PageUp", "PageDown"};
    if (str_find(keys, sizeof keys / sizeof keys[0], input->key) >= 0) return true;
    return input->key[0] == 'F' && input->key[1] >= '1' && input->key[1] <= '9';
}

bool textedit_key(TextEdit *edit, const Input *input) {
    edit->changed = edit->full = edit->wants_paste = false;
    edit->clipboard = NULL;
    if (leaves_field(input)) return false;
    if (input->mods & MOD_ALT) return false;
    if (clipboard_key(edit, input)) return true;
    bool ctrl = (input->mods & MOD_CTRL) != 0, shift = (input->mods & MOD_SHIFT) != 0;
    for (int i = 0; i < EDIT_KEYS; i++) {
        if (edit_keys[i].ctrl != ctrl || !str_eq(edit_keys[i].key, input->key)) continue;
        if (edit_keys[i].remove) remove_by(edit, edit_keys[i].motion);
        else move_by(edit, edit_keys[i].motion, ctrl, shift);
        return true;
    }
    return !ctrl; /* letters arrive as text */
}
