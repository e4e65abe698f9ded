/* Private to presenter*.c: what is asked about, and where its map and the words about it go. */
#ifndef SCENE_PRESENTER_PART_H
#define SCENE_PRESENTER_PART_H

#include "scene/matrix.h"
#include "scene/paint.h"
#include "scene/words.h"

/* What is asked about: the selection, else the film's current number. */
typedef struct {
    bool found, selected, idle; /* idle: of a stage without work, the first number of what is there */
    bool row_asked;             /* a row of weights, or what it takes home, is asked about, not one of its numbers */
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    int row, col; /* of the map that is shown */
    double phase;
} Subject;

/* A map with its place and the sizes of its texts. */
typedef struct {
    Scene scene;  /* its type sizes are the map's */
    Matrix matrix;
    Rect area;    /* what it may use */
    Rect room;    /* of that, what its words leave */
    bool beside;  /* the words stand at its right, else below */
    bool part;    /* of all rows or columns only some are shown */
    bool lines;   /* ribbons instead of cells */
    const char *says; /* what is left out, under the map; NULL = nothing */
    float score;  /* of the ways to show a map the one with the highest is taken */
} PresentedMap;

/* The map as large as the room allows, beside the words or above them. The rule: labels and numbers have 4 % of the window's
 * height where all of them have room, else the largest share down to 2 % at which they have; maps that are too large for that show
 * the rows and columns around the subject. */
PresentedMap presented_map(const Scene *scene, TensorId tensor, const Subject *subject);
void presented_map_draw(const PresentedMap *map, const Subject *subject, DisplayList *dl);
/* Weight, or what is made of it, of a row for a key. */
double presented_weight(const Scene *scene, TensorId weights, int head, int row, int key);
/* Does the map hold rows of values mixed by weights? */
bool presented_mixes(const Scene *scene, TensorId tensor);
/* The question and its answer: bars of a row, terms of a sum, a sentence. */
void presented_answer(const Scene *scene, TensorId tensor, const Subject *subject, Rect box, DisplayList *dl);
/* A long paragraph in smaller type, at least this share of it. */
void presented_fit(RichStyle *style, Rect box, float share, const char *text);

#endif
