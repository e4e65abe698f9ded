/* The scene: Doc + View + Run + viewport -> display list. Pure: it reads no clock, no input, no file, and
 * never asks which model it draws. One view a stage kind (stage_views table in scene.c); formula, inspector,
 * heads and captions follow from the trace and its explanations. */
#ifndef SCENE_SCENE_H
#define SCENE_SCENE_H

#include "doc/check.h"
#include "doc/run.h"
#include "doc/view.h"
#include "draw/dl.h"
#include "scene/layout.h"

typedef struct {
    const Doc *doc;
    const View *view;
    const Run *run;         /* the last good one; NULL only before the first */
    const Doc *held_doc;    /* A of a comparison, and its run; NULL = nothing is held */
    const Run *held;
    const CheckWords *check; /* what is wrong with A's numbers, which are somebody's own and B's the right ones; NULL = no check */
    const struct Reading *before; /* readings before the setting that was just changed (scene/reading.h); NULL = none */
    const struct Compare **compare; /* the comparison of this frame, once somebody asked for it (scene/compare.h); NULL = made each time */
    bool muted;             /* the document has no good run now: draw the last picture muted */
    const FontMetrics *font;
    Arena *arena;           /* the frame's */
    Layout layout;
} Scene;

/* The layout with its content cut for what this run shows at this stage, as scene_draw uses it. */
Layout scene_layout(const Scene *scene);
/* Rail, formula, stage, inspector, heads, captions: all but the top bar, transport and menus. */
void scene_draw(const Scene *scene, DisplayList *dl);

/* What a figure is of: the map of one head or those of all; all stages of the layer in view; the arithmetic of the number in view
 * (at Softmax: of its row); of a network the maps of all layers and heads. */
typedef enum { FIGURE_OF_MAPS, FIGURE_OF_STAGES, FIGURE_OF_ROW, FIGURE_OF_LAYERS, FIGURE_KIND_COUNT } FigureKind;
/* What a figure may do without. */
enum { FIGURE_TITLE = 1, FIGURE_CAPTION = 2, FIGURE_LEGEND = 4, FIGURE_NUMBERS = 8 };
typedef struct {
    unsigned without;       /* of the parts above */
    int decimals;           /* of the numbers, from 1 = none to 5 = four; 0 = two, fewer where there is less room */
    bool textbook;          /* axis words as courses have them: "Query Tokens", "Key Tokens" */
} FigureOptions;

/* One map, or one for each head, as a figure: title, axis words, labels, numbers, legend. */
typedef struct {
    int stage;              /* which stage's result */
    int head;               /* 0..n_heads-1; -1 = all on one sheet, where the result has a map for each */
    double position;        /* film position in the stage */
    float width, height;    /* of the page; 0 = what the maps need */
    FigureOptions options;
    FigureKind kind;
} FigureSpec;
/* The page's size: that of the spec, larger where type could not be read else. */
void figure_size(const Scene *scene, const FigureSpec *spec, float *width, float *height);
/* Into a list of that size. */
void figure_draw(const Scene *scene, const FigureSpec *spec, DisplayList *dl);

/* The two sentences of the current step. In the frame arena. */
void scene_captions(const Scene *scene, const char **first, const char **second);

/* What an explanation says in words, for the inspector and `attnscope explain`. Lines in the arena. */
typedef struct {
    const char *question;   /* "How well does sat match cat?" */
    const char *result_name;/* "score = q · k" */
    const char *meaning;    /* one or two sentences */
    const char *reference;  /* "scores[1, sat, cat]" */
} ExplainWords;
void explain_words(const Run *run, const Explanation *explanation, Arena *arena, ExplainWords *out);

#endif
