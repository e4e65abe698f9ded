/* What the files of the overview share; not for others. */
#ifndef SCENE_OVERVIEW_PART_H
#define SCENE_OVERVIEW_PART_H

#include "scene/matrix.h"
#include "scene/overview.h"
#include "scene/paint.h"

enum { OVERVIEW_GROUPS_MAX = 3, OVERVIEW_SHADES = 256 };

/* Layers of one kind: those of the only stack; encoder, decoder, decoder looking at the encoder. */
typedef struct {
    const char *title; /* "" where there is one group */
    const char *brief; /* in a word */
    const char *letter;/* before "layer.head" where there are several: "E" */
    int *sites;        /* positions among the run's sites */
    int n;
    int heads;         /* the most that one of them has */
} OverviewGroup;

typedef struct {
    const Scene *scene;
    const Run *run;
    const Theme *theme;
    DisplayList *dl;
    float s, pad;
    OverviewGroup group[OVERVIEW_GROUPS_MAX];
    int n_groups;
    int *group_of;               /* [sites] */
    const MapSummary **summary;  /* [sites] NULL: not computed */
    int site, head;              /* selected */
    int shown_site, shown_head;  /* under the pointer, else the selected one */
    bool hovered;
    Color shades[OVERVIEW_SHADES]; /* of weights from 0 to the end of a map's scale */
    bool own_scales;             /* each map's colours have an end of their own: with one scale for all, most would be pale */
} Overview;

Overview overview_make(const Scene *scene, DisplayList *dl);
const Site *overview_site(const Overview *o, int site);
/* Has the map of this site one cell, a token looking at itself? */
bool overview_single(const Overview *o, int site);
/* The weight that has the darkest colour: 1, or with own scales the largest of its lower half outside of the first column. */
float overview_limit(const Overview *o, int site, int head);
/* One map with its control and its frames. */
void overview_map(const Overview *o, int site, int head, Rect box);
/* The summary of a site's map, which it must have, in the whole box. */
void overview_picture(const Overview *o, int site, int head, Rect box);
/* Size of a map in this room: not too far from square, whole units a cell where that costs little. */
void overview_map_size(const Overview *o, int site, float room_w, float room_h, float *w, float *h);
/* Layers as rows and heads as columns, each group by itself. */
void overview_grid(const Overview *o, Rect area);
/* The maps one behind the other in the order of the view's measure (of the layers when it has none). */
void overview_flow(const Overview *o, Rect area);
/* Title and measures above the grid. Returns the height used. */
float overview_head(const Overview *o, Rect area);
/* A button that stays lit while what it chose is on. */
void overview_chip(const Overview *o, Rect box, int type, const char *name, const char *action, const char *label, const char *text, bool on);
/* "weight 0 ▭ 1" at the right of a row; `most` NULL: the limit as a number. Returns the width. */
float overview_scale(const Overview *o, Rect row, const char *name, double limit, const char *most);
float overview_scale_width(const Overview *o, const char *name, double limit);
/* The enlarged map and what belongs to it. */
void overview_panel(const Overview *o, Rect box);

/* ---- measures ---- */
double overview_measure(const Overview *o, int site, int head, Measure measure); /* NaN: it has none */
bool overview_has_measure(const Overview *o, Measure measure);                    /* some map has a value */
/* The view's, or -1: layer by layer. */
int overview_sort(const Overview *o);
extern const char *const overview_sort_names[MEASURE_COUNT]; /* arguments of the action "sort" */

const char *overview_measure_name(Measure measure);

/* What the enlarged map shows; `tensor` [H, L, S] of one head or [L, S] of all. */
typedef struct {
    AggregateKind kind;
    TensorId tensor; /* TENSOR_NONE: there is no such map */
    int site, head;
    const char *title;
} OverviewShown;

/* The measures of that map itself, by the summaries' formulas; NaN: it has none, or its numbers are not in memory. Rows of
 * weight × length do not add up to 1 and have no entropy. */
double overview_shown_measure(const Overview *o, const OverviewShown *shown, Measure measure);
float overview_table_height(const Overview *o);
void overview_table(const Overview *o, Rect box, const OverviewShown *shown);
/* Name and formula of the measure under the pointer, or NULL. In the frame's arena. */
const char *overview_pointed_formula(const Overview *o);

/* ---- words; in the frame's arena ---- */
const char *overview_heading(const Overview *o);                        /* "12 layers × 12 heads" */
const char *overview_name(const Overview *o, int site, int head);       /* "Layer 5, head 8" */
const char *overview_short_name(const Overview *o, int site, int head); /* "5.8", "E5.8" */
/* One line in a box; "…" where it does not fit. Returns its width. */
float overview_text(const Overview *o, int type, FontFace face, Color color, Rect box, TextAlign align, const char *text);

#endif
