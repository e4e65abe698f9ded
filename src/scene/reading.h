/* What a setting does, as one line next to the map: the readings of core, for the layer and head in view, in words; and what they
 * were before the setting that was just changed. */
#ifndef SCENE_READING_H
#define SCENE_READING_H

#include "core/readings.h"
#include "scene/scene.h"

typedef struct Reading {
    bool known;               /* made from a run; else nothing below counts */
    int site, head;           /* of what, from 0 */
    double spread;            /* of the scores that the mask allows; NaN: there are none, or they are too many for each frame */
    double spread_scaled;
    double root;              /* √dₖ */
    SoftmaxReading soft;      /* rows 0: no weights to read */
    ParameterReading parameters;
    CostReading cost;
} Reading;

/* Without `maps`: sizes and counts alone. */
Reading reading_of(const Run *run, int stage, int head, bool maps);
/* The line of the stage in view, with colour marks, between its title and its map; NULL: this stage has none. `named` = with the head's name. In the frame arena. */
const char *reading_line(const Scene *scene, bool named);
/* Parameters and multiply-adds of the layer. */
const char *reading_totals(const Scene *scene);
/* Both, one below the other; *longest is the same with a change at every number: room for that keeps things in their place. */
const char *reading_all(const Scene *scene, const char **longest);
/* Is the line to be drawn under the stage's title: are settings being played with? */
bool reading_on(const Scene *scene);
/* Height that it takes from the stage; 0 where there is none. */
float reading_room(const Scene *scene);
/* "12,288", "1.6 million" */
const char *reading_count(Arena *arena, long long n);

#endif
