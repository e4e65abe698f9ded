/* Where things are on the screen, for a window size and text scale. Panels of app and the scene read the
 * same rectangles. Narrow (< 1280) : heads become a row under the stage, the inspector a drawer over the right
 * third. Low (< 820): the second sentence and the key hints go, then the formula joins the rail. */
#ifndef SCENE_LAYOUT_H
#define SCENE_LAYOUT_H

#include "doc/view.h"
#include "draw/geom.h"

typedef struct {
    float width, height;    /* of the window, logical units */
    float scale;            /* text scale: multiplies type sizes and paddings */
    bool narrow, low;
    Rect top;               /* bar with field and chips */
    Rect rail;
    Rect formula;
    Rect stage;             /* operands and result */
    Rect inspector;         /* panel, or drawer when narrow */
    Rect heads;             /* small maps */
    Rect bottom;            /* captions and transport */
    Rect caption, caption2; /* caption2.h = 0 when low */
    Rect transport, scrubber, hints; /* hints.w = 0 when there is no room */
    float type[5];          /* 12 13 15 18 24 times scale */
    float pad;              /* 8 times scale */
} Layout;

enum { TYPE_SMALL, TYPE_LABEL, TYPE_BODY, TYPE_TITLE, TYPE_HEAD };

Layout layout_make(float width, float height, const View *view);

#endif
