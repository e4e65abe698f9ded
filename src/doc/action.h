/* The action table: one name for what a key, a mouse click, a menu, a lesson step, the command line and
 * a replay log do. Doc and View actions have a function; the others are effects that `app` performs. */
#ifndef DOC_ACTION_H
#define DOC_ACTION_H

#include "base/input.h"
#include "doc/doc.h"
#include "doc/film.h"
#include "doc/run.h"
#include "doc/view.h"

typedef enum {
    ACTION_DOC,    /* changes the document; undone by undo */
    ACTION_VIEW,
    ACTION_EFFECT, /* export, save, open, window: performed by app */
    ACTION_SCOPE_COUNT
} ActionScope;

enum { ACTION_ARGS_MAX = 8, ACTION_LINE_MAX = 4096 };

/* A parsed line: "stage 3", "text \"The cat\"". Words are split by spaces; double quotes keep spaces, with
 * \" and \\ and \n inside. */
typedef struct {
    int n;
    char *arg[ACTION_ARGS_MAX]; /* arg[0] is the action's name */
    char store[ACTION_LINE_MAX];
} ActionLine;

typedef struct {
    Doc *doc;
    View *view;
    const Run *run; /* may be NULL: nothing computed yet */
    const RunContext *context; /* may be NULL: then edits and masks do not follow their token when the text changes */
    int maps_across;           /* of the overview's maps in a line, as many as stand beside each other in the picture; 0 = not known */
} ActionContext;

typedef struct Action {
    const char *name;       /* "film.next" */
    ActionScope scope;
    const char *args;       /* "N", "[N]", "KIND [A] ..."; "" = none. Shown in help, and the number of words is checked by it */
    const char *keys;       /* "Space, PageDown, Right"; first is shown in menus; "" = none. "1-9" = the digit is the argument */
    const char *first_key;  /* "Space": the first of keys */
    const char *cell_keys;  /* keys that are its own while a cell or a map of the overview is selected and nobody presents; NULL = none */
    const char *menu;       /* "Play/Next step": path; "" = not in a menu */
    const char *help;       /* one short sentence */
    bool (*run)(ActionContext *cx, const ActionLine *line, Err *err); /* NULL for effects */
    bool (*enabled)(const ActionContext *cx);                         /* NULL = always */
} Action;

extern const Action action_table[];
extern const int action_count;

bool action_parse(const char *text, ActionLine *line, Err *err);
/* Position in the table or -1. */
int action_find(const char *name);
/* Action bound to a key stroke ("Ctrl+Shift+Z", "Space") as the view stands (arrows move a selected cell or map), or -1. */
int action_for_key(const Input *input, const View *view);
enum { ACTION_KEY_LINE_MAX = 64 };
/* The whole line of a key stroke, with the argument that the key itself gives ("stage 3", "select.move left").
 * false: no action has this key. */
bool action_key_line(char out[ACTION_KEY_LINE_MAX], const Input *input, const View *view);
/* Shown form of its first key: "Ctrl+Z"; "" when it has none. */
const char *action_key(int action);
/* What its menu row says, "Next step", in the language of the process; its help when no menu has it. */
const char *action_title(int action);
/* Run a line on doc and view. For an effect nothing is done, *effect is its position (else -1) and the line
 * tells its arguments. Unknown names suggest the nearest. */
bool action_run(ActionContext *cx, const ActionLine *line, int *effect, Err *err);
/* Does it fit just now? (false: greyed in menus) */
bool action_enabled(const ActionContext *cx, int action);
/* Is it refused because a model from a folder decides this itself? The error says what it has. */
bool action_refused(const ActionContext *cx, int action, Err *err);
/* After the film has moved from stage `before`: a selection that belongs to another stage than the one it stands in now
 * goes, with its trail; the inspector is the film's again. */
void action_film_moved(View *view, const Run *run, int before);
/* A word as a line takes it: in quotes where it needs them. Lives in `arena`. */
char *action_quote(const char *text, Arena *arena);
/* What the actions text and source do, for texts of any length: edits and custom masks follow their token. */
bool action_set_text(ActionContext *cx, const char *text, size_t length, bool source, Err *err);

#endif
