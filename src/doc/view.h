/* The view: how the document is looked at. A frame is a pure function of (Doc, View, viewport);
 * the clock lies in film.position, moved by view_advance and by nothing else. */
#ifndef DOC_VIEW_H
#define DOC_VIEW_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/look.h"
#include "core/trace.h"

typedef enum {
    AGGREGATE_HEAD,         /* the weights of one head */
    AGGREGATE_AVERAGE,      /* mean over the layer's heads */
    AGGREGATE_ROLLOUT,      /* attention rollout up to the layer */
    AGGREGATE_LENGTH,       /* weight × length of v: what a weight is worth */
    AGGREGATE_MAXIMUM,      /* largest of the layer's heads */
    AGGREGATE_KIND_COUNT
} AggregateKind;
extern const char *const aggregate_names[AGGREGATE_KIND_COUNT]; /* "head" "average" "rollout" "length" "maximum" */

/* How many heads the Softmax stage shows. */
typedef enum {
    HEADS_FITTING, /* all while their cells stay large, else one */
    HEADS_ONE,
    HEADS_ALL,
    HEADS_SHOWN_COUNT
} HeadsShown;
extern const char *const heads_shown_names[HEADS_SHOWN_COUNT]; /* "fitting" "one" "all" */

/* One number somewhere. tensor "" = none. Index from 0. */
typedef struct {
    char tensor[64]; /* full id, so that it outlives a trace */
    int index[TENSOR_RANK_MAX];
    int rank;        /* how many of them count */
} ViewRef;

typedef struct {
    int stage;        /* from 0, position among the trace's stages */
    double position;  /* in 0..steps of the stage; whole = that many steps are complete */
    double until;     /* an animation runs to here; == position when at rest */
    bool playing;     /* the film goes on by itself at `until` */
    double speed;     /* 0.25 to 8 */
    double wait;      /* seconds into a step that jumps (reduced motion) */
    int entered;      /* so many stages up to this one were entered by "next" from the end of the one before, so that
                         "back" returns there; film.c alone uses it */
} Film;

enum { TRAIL_MAX = 32, VIEW_TEXT_MAX = 1024, VIEW_HIDDEN_MAX = 64 };

/* How a map of weights is drawn. */
typedef enum {
    MAP_CELLS,
    MAP_LINES,            /* two columns of tokens, a ribbon as wide as the weight; of the query in view */
    MAP_ALL_LINES,        /* of every query */
    MAP_SHAPE_COUNT
} MapShape;
extern const char *const shape_names[MAP_SHAPE_COUNT]; /* "map" "lines" "all-lines" */

/* How the mask matrix M is written in the Mask stage. All of these are the same mask; only the first can be painted. */
typedef enum {
    MASK_FORM_WORDS,        /* KEEP, HIDE */
    MASK_FORM_ADDED,        /* 0, −∞ (or the fill) */
    MASK_FORM_KEEP,         /* True = keep */
    MASK_FORM_IGNORE,       /* True = ignore */
    MASK_FORM_COUNT
} MaskForm;
extern const char *const mask_form_names[MASK_FORM_COUNT]; /* "words" "added" "keep" "ignore" */

typedef struct View {
    Film film;
    int head;               /* 0..n_heads-1 */
    /* documents with several sites (networks); the layer in view is that of film.stage */
    char layer[32];         /* the site in view as the action `layer` calls it: "5", "decoder 3 cross"; "" = the only one. Kept by
                             * run_settle_view */
    int stage_kind;         /* StageKind of film.stage; kept by run_settle_view */
    bool place_waits;       /* film.stage is a StageKind of `layer` (of the first where that is ""), as a file has it: run_settle_view
                             * makes it a stage of the trace */
    bool overview;          /* all maps, layers × heads, instead of a stage */
    int sort;               /* of the overview: a Measure, or -1: layer by layer */
    AggregateKind aggregate;/* what the overview's large map and Softmax show */
    HeadsShown heads_shown; /* of Softmax */
    /* maps of weights: what is aggregated, cut or hidden is written in titles and in what is exported */
    MapShape shape;
    bool log_scale;         /* colours by log10 of the weight, from 0.001 to the end of the scale; else linear */
    bool own_range;         /* each head's colours end at its own largest weight, which is written beside it; else all at 1 */
    double threshold;       /* weights below it are not shown; 0 = all are */
    int hidden[VIEW_HIDDEN_MAX]; /* key positions whose column is hidden, ascending, from 0 */
    int n_hidden;
    double zoom;            /* of the stage's result map: 1 = all of it, 2 = half as many cells across */
    double zoom_row, zoom_column; /* what stands in the middle, in cells; kept inside by the scene */
    MaskForm mask_form;
    /* comparing with what is held as A */
    bool comparing;
    /* settings panel, in the inspector's place */
    bool controls;
    char control[24];       /* the setting whose effect is being read: "temperature"; "" = none */
    bool tokens;            /* the strip of tokens stands in the formula's place */
    int token_first;        /* the first one shown, from 1; 0 = the first there is */
    int token_from, token_to; /* a chip that is dragged, and the place where it would come to stand, from 1; from 0 = none. In the
                               * dialog for new words token_to is where they go */
    bool token_source;      /* of the source's strip */
    bool block_open;        /* the stations around attention (norm, residual, feed-forward) are unfolded */
    ViewRef selection;      /* the clicked number; the inspector explains it, else the film's current one */
    char selection_text[128]; /* a selection by token names, as a file has it; run_settle_view makes it one. "" = none */
    ViewRef hover;
    ViewRef trail[TRAIL_MAX]; /* where explanations came from, oldest first */
    Film trail_film[TRAIL_MAX]; /* and where the film stood */
    int trail_head[TRAIL_MAX];
    int n_trail;
    LanguageKind language;  /* of the words on screen */
    ThemeKind theme;
    RampKind palette;       /* RAMP_THEME = the theme's own */
    double text_scale;      /* 1 = 100 % */
    bool reduced_motion;
    bool presenting;
    bool blank;
    double spotlight;       /* presenting: strength of the pointer's light, 1 while it moves, 0 when it has rested */
    float spot_x, spot_y;   /* where it is, as a share of the window's width and height */
    /* controls */
    char menu[32];          /* open menu or dialog by name; "" = none */
    int menu_item;          /* highlighted item, -1 = none */
    double menu_scroll;     /* in items */
    char focus[48];         /* focused control by its name; "" = the stage */
    bool focus_visible;     /* reached by keyboard: draw the ring */
    char hot[48];           /* control under the pointer by its name; "" = none */
    int caret, anchor;      /* text field: byte offsets; equal = no selection */
    char query[VIEW_TEXT_MAX];       /* text of the open dialog's field (path, action search) */
    int query_caret, query_anchor;
    char composition[VIEW_TEXT_MAX]; /* input method's uncommitted text at the caret */
    int composition_caret;  /* where its caret stands in it: bytes, a grapheme boundary */
    char notice[VIEW_TEXT_MAX];      /* status line: what was saved where, what went wrong */
    bool notice_is_error;
} View;

extern const char *const sort_names[]; /* of Measure, as the action `sort` names them; MEASURE_COUNT of them */

#define VIEW_ZOOM_MAX 256.0

void view_init(View *view);
/* The window of `n` positions that a zoom shows around `center`: *count of them from *first. Never fewer than 4, if there are. */
void view_window(int n, double zoom, double center, int *first, int *count);
/* Another document is looked at: what was a place or a column in the one before, and the setting that was read there, is forgotten. */
void view_leave_document(View *view);
bool view_hidden_at(const View *view, int key);
bool view_hide(View *view, int key); /* hides the column, or shows a hidden one; false: VIEW_HIDDEN_MAX are hidden already */
/* "weights[2,3,2]": positions from 1, with `between` between them. In `arena`. */
char *view_index_text(const char *tensor, const int *index, int rank, const char *between, Arena *arena);
char *view_ref_text(const ViewRef *ref, const char *between, Arena *arena);

#endif
