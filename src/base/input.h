/* What happens to the program from outside, as plain data: made by a backend from its events, by a
 * test, or by a replay file. No window library is visible here. */
#ifndef BASE_INPUT_H
#define BASE_INPUT_H

#include <stdbool.h>

typedef enum {
    INPUT_NONE,
    INPUT_KEY,         /* key name and modifiers; repeat says so */
    INPUT_TEXT,        /* committed text, UTF-8 */
    INPUT_COMPOSITION, /* an input method's text that is not committed yet; "" ends it */
    INPUT_MOUSE_MOVE,
    INPUT_MOUSE_DOWN,
    INPUT_MOUSE_UP,
    INPUT_WHEEL,
    INPUT_RESIZE,      /* x, y = new size in logical units */
    INPUT_FOCUS,       /* the window has gained (button 1) or lost (0) the focus */
    INPUT_DROP,        /* a path was dropped: text */
    INPUT_PASTE,       /* clipboard text, an answer to a paste */
    INPUT_JOB,         /* what goes on beside the window is done, or further: its results may be taken */
    INPUT_QUIT,
    INPUT_KIND_COUNT
} InputKind;

enum { MOD_SHIFT = 1, MOD_CTRL = 2, MOD_ALT = 4 };

typedef struct {
    InputKind kind;
    unsigned mods;
    bool repeat;
    float x, y;       /* pointer, wheel amount, or size; logical units */
    int button;       /* 1 left, 2 middle, 3 right */
    int clicks;       /* 1 single, 2 double */
    int caret;        /* INPUT_COMPOSITION: code points before its caret */
    char key[24];     /* INPUT_KEY: as the action table writes it: "Space", "Left", "PageDown", "F5", "a", "?", "+" */
    const char *text; /* borrowed until the call returns; NULL when there is none */
} Input;

#endif
