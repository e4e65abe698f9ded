/* The whole program without a window: document, view, run and history in one place. An Input goes in, a
 * picture comes out, and what only a window can do (clipboard, full screen, closing) is left in SessionEffects.
 * The window and the command line are two thin mains over it. Knows no SDL. */
#ifndef APP_SESSION_H
#define APP_SESSION_H

#include "backend/fonts.h"
#include "base/input.h"
#include "doc/run.h"
#include "doc/view.h"
#include "draw/dl.h"
#include "scene/scene.h"

typedef struct Session Session;

typedef struct {
    Fonts *fonts;              /* borrowed; NULL = text is measured with the made-up font, and no pictures are written */
    const char *state_folder;  /* recovery and recent files; NULL = neither */
    const char *config_folder; /* the person's choices, app/session_settings.h; NULL = they are not kept */
    LanguageKind language;     /* of the words; a new View's */
    bool language_fixed;       /* whatever was chosen last */
    size_t memory;             /* computed bytes that a network may keep; 0 = RunContext's own */
    /* Work that takes long is done beside the window when this is given: it is called from another thread, and asks for an
     * update with an INPUT_JOB. NULL = everything is done at once. */
    void (*wake)(void *ctx);
    void *wake_ctx;
    void (*between_ops)(void *ctx); /* called on that thread before each op: a test slows it down. NULL = nothing */
    void *between_ctx;
} SessionOptions;

/* What the window loop has to do after an update. Texts live until the next update. */
typedef struct {
    bool quit;
    bool toggle_fullscreen;
    bool wants_paste;          /* answer with an INPUT_PASTE */
    const char *clipboard;     /* put this there; NULL = nothing */
    bool text_input;           /* a field has the focus: text and compositions are wanted */
    Rect text_rect;            /* where its caret is */
    bool drags_number;         /* the pointer is over a number that a drag changes, or drags one */
    bool drop_composition;     /* what an input method composes is wanted no more */
    double wait;               /* seconds until an update is due without input; < 0 = not before an input */
} SessionEffects;

/* The default document, run. NULL and err when an asset is missing. */
Session *session_open(const SessionOptions *options, Err *err);
/* A clean end: what is unsaved is kept as the last session, which `reopen` opens. NULL is fine. */
void session_close(Session *session);

/* One input (NULL = none) and dt seconds of time. true: the picture is another one. */
bool session_update(Session *session, const Input *input, double dt);
void session_take_effects(Session *session, SessionEffects *out);
/* Run an action line, effects too where no window is needed for them. */
bool session_do(Session *session, const char *line, Err *err);

/* The picture at this size. Pure. The list and its texts live in `arena`. */
void session_draw(const Session *session, float width, float height, Arena *arena, DisplayList *list);
/* The picture at the window's size, rebuilt only when something changed; lives until the next update. This is
 * the list in which the next click is looked up. */
const DisplayList *session_list(Session *session);

/* ---- presenting ---- */

/* Is there a second display? Then a presentation has a window with notes by itself. */
void session_tell_displays(Session *session, int displays);
/* The time of day in seconds since midnight, and any clock that never goes back. true: the notes show another second. */
bool session_tell_time(Session *session, double day, double steady);
/* Is there to be a window with the presenter's notes? */
bool session_wants_notes(const Session *session);
/* While presenting a resting pointer is not to be seen. */
bool session_hides_pointer(const Session *session);
/* What the presenter alone sees: the picture as it is, the next step, notes and clock. Pure. */
void session_draw_notes(const Session *session, float width, float height, Arena *arena, DisplayList *list);

/* Open a scenario, its document `which` (from 0), or a trace file. On failure nothing changes. */
bool session_open_file(Session *session, const char *path, int which, Err *err);
/* The same of a scenario that is in memory; `name` is what errors call it. */
bool session_open_bytes(Session *session, const char *name, const char *bytes, size_t size, int which, Err *err);
/* Somebody's own tensors beside the right ones, with these settings of the scenario file: the first difference is selected. */
bool session_open_check(Session *session, const char *path, const CheckSetting *settings, int n_settings, Err *err);
/* The default document with this text. */
bool session_open_text(Session *session, const char *text, Err *err);
/* One field of the document as the scenario file names it. */
bool session_set(Session *session, const char *key, const char *value, Err *err);
/* The document as it is now is how it begins: nothing of it counts as unsaved, and undo goes no further back. */
void session_begin(Session *session);
/* A model's folder for the document that is open, which keeps its text. With `wake` this only begins it. */
bool session_open_model(Session *session, const char *folder, Err *err);
/* The same without looking whether it can be run: for a command line, whose other fields follow. */
bool session_set_model(Session *session, const char *folder, Err *err);
/* Does work go on beside the window? An INPUT_JOB comes when it is done. */
bool session_busy(const Session *session);
/* Cancel what goes on beside the window and end its thread: before the window goes. */
void session_stop(Session *session);
/* The run of the document as it is now, waited for; err says why there is none, or why what was to be opened is not. */
bool session_need_run(Session *session, Err *err);
/* Look at `step` complete steps of a stage (from 0); -1 = all. Errors name what there is. */
bool session_show(Session *session, int stage, int step, Err *err);
/* Selected head, from 0. */
bool session_show_head(Session *session, int head, Err *err);
void session_resize(Session *session, float width, float height);
/* The picture for a page of which the spec says what, how large and with what; stage and film position are those of the view.
 * 0 = as large as what is on it needs; a sheet whose maps could not be read is larger than asked for. */
void session_figure(Session *session, const FigureSpec *spec, Arena *arena, DisplayList *list);

/* The picture in plain sentences, see app/narrate.h. In `arena`; NULL and err when there is nothing to tell. */
const char *session_narrate(Session *session, Arena *arena, Err *err);

/* "cat.yaml — Attnscope", with "•" before it while there are changes that no file has. In `arena`. */
const char *session_title(const Session *session, Arena *arena);

const Doc *session_doc(const Session *session);
const View *session_view(const Session *session);
const Run *session_run(const Session *session); /* the last good one */
const CoreContext *session_core(const Session *session);

#endif
