/* A text field without a window: UTF-8 bytes, a caret and an anchor, and what each key does to them.
 * Positions are byte offsets on grapheme boundaries. The text itself is never changed in place: an edit
 * makes a new one in the arena. Knows nothing of documents, drawing or clipboards; a copy leaves its text
 * in `clipboard`, a paste sets `wants_paste` and the caller answers with textedit_insert. */
#ifndef UI_TEXTEDIT_H
#define UI_TEXTEDIT_H

#include "base/arena.h"
#include "base/input.h"

typedef struct {
    Arena *arena;
    const char *text;      /* good UTF-8, NUL-terminated, borrowed or in the arena */
    size_t length;
    size_t caret, anchor;  /* equal = no selection */
    size_t max;            /* most bytes the text may have; 0 = no limit */
    bool one_line;         /* newlines and tabs become spaces */
    /* results of the last call */
    bool changed;          /* the text is another one */
    bool full;             /* something was left out because of `max` */
    bool wants_paste;
    const char *clipboard; /* what a copy or cut puts there; NULL = nothing */
} TextEdit;

/* Caret and anchor are moved onto boundaries inside the text. */
void textedit_init(TextEdit *edit, Arena *arena, const char *text, size_t length, size_t caret, size_t anchor);
/* What an INPUT_KEY does in a field. true: the key belongs to the field, also when there was nothing to do.
 * Not the field's: Tab, Enter, Esc, F-keys, PageUp, PageDown, and Ctrl or Alt with anything but
 * A C V X, arrows, Home, End, Backspace, Delete. */
bool textedit_key(TextEdit *edit, const Input *input);
/* Put text in place of the selection. Control characters but newline and tab are left out, bad bytes become U+FFFD. */
void textedit_insert(TextEdit *edit, const char *text, size_t length);
/* Move the caret; `extend` leaves the anchor where it is. */
void textedit_move(TextEdit *edit, size_t to, bool extend);
/* Select the word around `at`, or everything. */
void textedit_select_word(TextEdit *edit, size_t at);
void textedit_select_all(TextEdit *edit);

#endif
