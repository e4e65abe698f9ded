/* A map of weights as lines: queries in a column at the left, keys at the right, a ribbon as wide as the weight between them.
 * Of one query, or of all: of each then so many that all can be drawn. What is too weak or too much to be drawn is left out by a rule that is said. */
#ifndef SCENE_LINES_H
#define SCENE_LINES_H

#include "scene/matrix.h"

typedef struct {
    const Matrix *m;    /* the map: tensor, head, part, mask, threshold, hidden columns; its cells are not placed */
    int query;          /* whose ribbons are drawn; -1 = all queries' */
    Color color;        /* of the ribbons */
    const char *prefix; /* of the tokens' names: "lines.2" */
} Lines;

/* Draws them in `area`, beneath it nothing. Returns what must be said ("ribbons below 0.005 are left out"), or NULL. */
const char *lines_draw(const Lines *lines, const Scene *scene, Rect area, DisplayList *dl);

#endif
