/* What a session is made of: for the files of this room alone. */
#ifndef APP_SESSION_STATE_H
#define APP_SESSION_STATE_H

#include "app/menus.h"
#include "app/session.h"
#include "base/pool.h"
#include "doc/action.h"
#include "doc/history.h"
#include "doc/recovery.h"
#include "doc/yaml.h"

enum { PATH_SIZE = 1024, RECENT_MAX = 10 };

typedef enum { PRESS_NONE, PRESS_CONTROL, PRESS_SLIDER, PRESS_FIELD, PRESS_PAINT } PressKind;

struct Session {
    SessionOptions options;
    const FontMetrics *font;
    Arena process;            /* as long as the session */
    Arena scratch;            /* one update */
    Arena frame;              /* the current list */
    Arena menu_arena;         /* items of the open menu */
    Doc doc;
    View view;
    History *history;
    Recovery *recovery;       /* NULL = not kept */
    Lexicon *lexicon;
    Pool *pool;
    CoreContext core;
    Run *run;                 /* the last good one */
    bool tried;               /* run, muted and error belong to the document as it is */
    bool muted;               /* the document has no run: the last picture is shown muted */
    Err error;                /* why */
    double clock;             /* seconds since the start */
    float width, height;
    DisplayList list;
    DisplayList measure;      /* no picture: lends an arena to panels that only measure */
    bool fresh;               /* `list` is the picture of what is there now */
    double keep_due;          /* clock at which the document is to be kept; 0 = nothing to keep */
    Menu menu;                /* of view.menu */
    char menu_of[32];         /* what `menu` was made for */
    char menu_query[VIEW_TEXT_MAX];
    bool menu_stale;          /* its rows may have changed */
    char recent[RECENT_MAX][PATH_SIZE];
    int n_recent;
    double notice_until;      /* clock; the notice goes then */
    char status[256];         /* sentence about what is under the pointer */
    PressKind press;
    bool pointer_in;          /* the pointer has been seen and has not left */
    float pointer_x, pointer_y;
    char pressed[48];         /* control the button went down on */
    Rect pressed_box;
    int paint;                /* what painting a mask writes: 1 keep, 0 hide */
    SessionEffects effects;
};

/* ---- session.c ---- */
/* Everything that follows from document and view: run, limits of the view, menu items. */
void session_settle(Session *s);
/* A run of the document as it is takes the place of the last one. The view was made for that one (the film stays
 * where it was), or comes with `another` document. */
void session_take_run(Session *s, Run *run, bool another);
void session_notice(Session *s, bool is_error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void session_clear_notice(Session *s);
void session_touch(Session *s); /* the picture is to be made again */

/* ---- session_do.c ---- */
/* A parsed line; `merge` as history_push takes it. */
bool session_run_line(Session *s, const ActionLine *line, const char *merge, Err *err);
/* The text of a side, of any length, as typing: the action `text` or `source` without its line's limit. */
bool session_type(Session *s, const char *text, bool source, Err *err);
/* As session_do, with the error as a notice. */
bool session_try(Session *s, const char *line);
/* `name "argument"`, quoted as action_parse reads it. */
char *line_quoted(Arena *arena, const char *name, const char *argument);
/* What a row of a menu runs: an action line, or "=MENU TEXT" which opens a menu with TEXT in its field. Closes
 * the open menu first. */
void session_item(Session *s, const char *line);
/* Put a text into the field of the open dialog. */
void session_set_query(Session *s, const char *text);
/* A document takes the place of the open one, as one step of undo. `doc` is left empty; `path` and `safe` as
 * history_begin takes them. */
void session_replace(Session *s, Doc *doc, const char *path, bool safe);
/* What is saved nowhere goes into the state folder now. */
void session_keep(Session *s);
/* Can this action do something just now? */
bool session_can(const Session *s, int action);

/* ---- session_field.c ---- */
typedef enum { FIELD_NONE = -1, FIELD_TEXT, FIELD_SOURCE, FIELD_QUERY, FIELD_COUNT } FieldId;
FieldId field_active(const Session *s);           /* the one that takes keys */
FieldId field_find(const char *name);             /* by the name of its control */
const char *field_name(FieldId id);
const char *field_text(const Session *s, FieldId id, Arena *arena);
bool field_key(Session *s, const Input *input);   /* true: used up */
void field_typed(Session *s, const char *text);   /* committed or pasted */
void field_point(Session *s, FieldId id, Rect box, float x, int clicks, bool extend);
bool field_has_source(const Session *s);

/* ---- session_keys.c, session_mouse.c ---- */
void session_on_key(Session *s, const Input *input);
void session_on_mouse(Session *s, const Input *input);
/* What lies under the resting pointer in the new list: hover and status. true: they are others now. */
bool session_hover(Session *s);
/* "weights[2,3,2]": positions from 1, as action lines take them. */
const char *session_ref(const ViewRef *ref, Arena *arena);

/* ---- names.c ---- */
bool model_has_position(const Session *s);

#endif
