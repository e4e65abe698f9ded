/* What a session is made of, for the files of this room alone, and the small things that may happen to it anywhere.
 * Knows nothing of what is computed, listed or drawn from it. */
#ifndef APP_SESSION_STATE_H
#define APP_SESSION_STATE_H

#include <stdatomic.h>

#include "app/export.h"
#include "app/menu.h"
#include "app/session.h"
#include "base/pool.h"
#include "base/worker.h"
#include "doc/action.h"
#include "doc/check.h"
#include "doc/history.h"
#include "doc/recovery.h"

enum { PATH_SIZE = 1024, RECENT_MAX = 10, NEED_FINE = -2 };

/* Rows of press_table. */
typedef enum { PRESS_NONE, PRESS_FIELD, PRESS_SLIDER, PRESS_TOKEN, PRESS_CONTROL, PRESS_MASK, PRESS_COLUMN, PRESS_DRAG, PRESS_PAN, PRESS_NUMBER, PRESS_KIND_COUNT } PressKind;

typedef enum { JOB_NONE, JOB_RUN, JOB_NEED } JobKind;

/* What is done beside the window; see app/session_job.h. While it is in hand the worker's thread alone writes ok, err, run
 * (of JOB_RUN) and the numbers of the run that it was lent (JOB_NEED). */
typedef struct {
    Worker *worker;           /* NULL: everything is done at once */
    Pool *pool;               /* the worker's own */
    CoreContext core;
    const Lexicon *lexicon;
    size_t limit;
    void (*wake)(void *ctx);
    void *wake_ctx;
    void (*between_ops)(void *ctx);
    void *between_ctx;
    JobKind kind;             /* in hand, or done and not collected yet */
    bool opens;               /* its document is that of `opening` */
    Doc doc;                  /* JOB_RUN: what is built */
    const Run *before;
    Run *run;                 /* JOB_RUN: the result; JOB_NEED: the one computed again */
    Run *orphan;              /* took another's place while the worker was reading it */
    int stage;
    bool ok;
    Err err;
    atomic_bool cancel;
    atomic_int done;          /* thousandths */
    double told;              /* seconds; when it last said how far it is */
    double since;             /* clock at which people began to wait; 0 = nobody does */
} Job;

/* A document on its way to take the place of the open one: it does when it has a run. */
typedef struct {
    bool waits;
    bool folder;              /* a model for the document that is open, else another document */
    Doc doc;
    View view;
    bool has_view;
    bool recent;              /* it is to stand among what was opened lately */
    int which;
    char path[PATH_SIZE];     /* what was asked for */
    char home[PATH_SIZE];     /* where saving writes to; of a model: its folder */
    char dialog[32];          /* it was asked for there, with this text; "" = elsewhere */
    char query[VIEW_TEXT_MAX];
} Opening;

typedef enum { NOTES_AUTO, NOTES_ON, NOTES_OFF } NotesWish;

enum { SETTINGS_MOST = 16, SETTING_TEXT = 48 };

typedef struct { ExportSpec spec; int format; /* of session_export_formats */ } ExportChoice;

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
    unsigned runs;            /* how many there have been: tells one from another that has its address */
    struct {
        bool back;            /* the next run is of another model, which undo or redo went to */
        bool known;           /* there is a place */
        Doc doc;              /* of the model that was left */
        View view;            /* where it was looked at */
    } left;
    struct Reading *before;   /* readings before the setting that was just changed; see session_act. NULL = never one */
    Doc held;                 /* A of the comparison; meaningful while held_run is there */
    Run *held_run;            /* NULL = nothing is held */
    bool checking;            /* what is held are somebody's numbers, in place of those of `run` */
    Check check;              /* meaningful while checking */
    CheckWords check_told;    /* in the check's arena */
    unsigned check_runs;      /* `runs` that they were said of */
    int held_failed;          /* stage of `held_run` whose numbers could not be computed again; NEED_FINE */
    LanguageKind spoken;      /* in which what is there was made: run, menu, notice */
    bool tried;               /* run, muted and error belong to the document as it is */
    Job job;
    Opening opening;
    Err opening_error;        /* why the last one was refused, until somebody asks */
    int need_failed;          /* stage of `run` whose numbers could not be computed again (-1: the overview's); NEED_FINE */
    bool muted;               /* the document has no run: the last picture is shown muted */
    bool stopped;             /* because somebody stopped it: `compute` goes on */
    Err error;                /* why */
    double clock;             /* seconds since the start */
    float width, height;
    DisplayList list;
    bool fresh;               /* `list` is the picture of what is there now */
    bool waiting_shown;       /* it says that work goes on */
    double keep_due;          /* clock at which the document is to be kept; 0 = nothing to keep */
    Arena draft_arena;
    const char *draft;        /* what is typed for tokens whose number is fixed; NULL = the field shows the document */
    char draft_of[48];        /* its field; it goes when the focus does */
    bool draft_waits;         /* it names too many or too few: the document has not got it */
    Menu menu;                /* of view.menu */
    char menu_of[32];         /* what `menu` was made for */
    char menu_query[VIEW_TEXT_MAX];
    bool menu_stale;          /* its rows may have changed */
    char recent[RECENT_MAX][PATH_SIZE];
    int n_recent;
    double notice_until;      /* clock; the notice goes then */
    struct {
        char seen[SETTINGS_MOST][SETTING_TEXT];   /* as it was at the last look */
        char chosen[SETTINGS_MOST][SETTING_TEXT]; /* by the person; "" = never */
        bool broken;          /* the file has a mistake and is not written */
    } settings;
    struct {
        ExportChoice choice;  /* the dialog's */
        char proposed[PATH_SIZE]; /* the name that the dialog put into its field */
        char written[PATH_SIZE];  /* the last picture */
    } export;
    struct {
        struct FilmExport *writer; /* NULL = none is being written */
        char path[PATH_SIZE];
        int percent;          /* that people were told of */
    } film;
    bool over_drag;           /* what is under the pointer is a number that a drag changes */
    char status[256];         /* sentence about what is under the pointer */
    PressKind press;
    int press_button;         /* the button that went down */
    bool pointer_in;          /* the pointer has been seen and has not left */
    float pointer_x, pointer_y;
    char pressed[48];         /* control the button went down on */
    Rect pressed_box;
    double slid_from;         /* the temperature at which a slider was pressed */
    struct {
        float x, y;           /* where it began */
        double row, column;   /* what stood in the middle then */
        bool moved;           /* it is no click any more */
        ViewRef number;       /* the number under it */
    } pan;                    /* a drag on a zoomed map */
    struct {
        bool open, tried;     /* values are being tried; one was another than before */
        Doc before;
    } number;                 /* a number in the field at its cell, or dragged */
    struct {
        ViewRef number;
        float y;              /* where the pointer was */
        double value, limit, step; /* not rounded yet; of the map's scale as it was; grid of rounded values */
        bool moved;           /* it is no click any more */
    } drag;
    struct {
        int chip;             /* from 1 */
        bool source, cross;   /* taken by its cross */
        float x;              /* where it was taken */
    } token;                  /* a chip of the token strip */
    int paint;                /* what painting a mask writes: 1 keep, 0 hide, -1 nothing */
    float paint_x, paint_y;   /* where the pointer was at the last event of the stroke */
    struct {
        NotesWish notes;      /* the window with the presenter's notes */
        bool second_display;  /* there is one: notes come by themselves */
        bool was_presenting;  /* at the last update */
        bool no_spotlight;
        bool pointer_known;   /* where it is in this window, as large as it is: only what comes after that is a move */
        double spot_moved;    /* clock at which the pointer moved last while presenting */
        bool timer_runs;
        double timer, timer_from; /* seconds up to the last pause; steady time at which it went on */
        double day, steady;   /* the time of day, and a clock that never goes back, as last told; seconds */
    } present;
    SessionEffects effects;
};

void session_touch(Session *s); /* the picture is to be made again */
void session_notice(Session *s, bool is_error, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
void session_clear_notice(Session *s);
/* Put a text into the field of the open dialog. */
void session_set_query(Session *s, const char *text);
/* The field shows the document again. */
void session_drop_draft(Session *s);
/* The document is another one: what follows from it is to be made again. */
void session_doc_changed(Session *s);
/* What runs are made with. */
RunContext session_context(const Session *s);

#endif
