/* Where things are on the screen, for a window size and text scale. Panels of app and the scene read the
 * same rectangles. Narrow (< 1280): heads become a row under the stage, the inspector a drawer over the right
 * third of stage and heads, there while something is selected. Low (< 820): the second sentence and the key hints go,
 * then the formula joins the rail. Both bounds grow with the text scale. Rectangles never overlap, but for the drawer. */
#ifndef SCENE_LAYOUT_H
#define SCENE_LAYOUT_H

#include "doc/view.h"
#include "draw/geom.h"

/* Where the small maps are, and whether there are any. */
typedef enum {
    HEADS_COLUMN, /* at the right of the inspector, in a grid */
    HEADS_STRIP,  /* one row under the stage, or under a wide inspector */
    HEADS_LEGEND, /* no maps: the legend alone */
    HEADS_PLACE_COUNT
} HeadsPlace;

typedef struct {
    float width, height; /* of the window, logical units */
    float scale;         /* text scale: multiplies type sizes and paddings; grows in very large windows */
    bool narrow, low;
    bool presenting; /* one map, a question, the captions: rail is then the stage's title; no transport */
    Rect top;        /* bar with field and chips */
    Rect rail;
    Rect formula;
    Rect content;   /* stage, inspector and heads together */
    Rect stage;     /* operands and result */
    Rect inspector; /* panel, or drawer when narrow; w = 0 while it is away */
    float panel_least; /* what the panel there needs, in units of the design; 0 = nothing of its own */
    bool paper;     /* on a page: nothing can be clicked */
    bool drawer;    /* the inspector lies over the content */
    Rect heads;     /* small maps and legend; h = 0 when there is no room */
    HeadsPlace heads_place;
    Rect bottom;                     /* captions and transport */
    Rect caption, caption2;          /* caption2.h = 0 when low */
    Rect transport, scrubber, hints; /* hints.w = 0 when there is no room */
    float type[5];                   /* 12 13 15 18 24 times scale */
    float pad;                       /* 8 times scale */
} Layout;

enum { TYPE_SMALL, TYPE_LABEL, TYPE_BODY, TYPE_TITLE, TYPE_HEAD };

/* The frame, and the content cut as the stage of the view usually needs it. */
Layout layout_make(float width, float height, const View *view);
/* Cut the content again for what a stage has to show: `maps` = there are small maps, `selected` = the view
 * has a selection (matters when narrow). */
void layout_cut(Layout *layout, StageKind kind, bool maps, bool selected);
/* Cut the content for the overview: the grid is `stage`, the enlarged map `inspector` (w = 0 where there is no room). */
void layout_overview(Layout *layout);
/* Columns of the grid in which Softmax shows all heads at once with cells of at least 34 units, or 0 when one
 * head must do. `label` = width that row labels need. */
int layout_all_heads(const Layout *layout, Rect stage, int n_heads, int rows, int cols, float label);

#endif
