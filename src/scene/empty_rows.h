/* Rows of a map that have no key they may look at: whether there are any, and how they are drawn. */
#ifndef SCENE_EMPTY_ROWS_H
#define SCENE_EMPTY_ROWS_H

#include "scene/matrix.h"

/* Is every key of this query hidden, and nothing left of its scores? */
bool empty_rows_at(const Scene *scene, int head, int row);
/* In the head in view. */
bool empty_rows_any(const Scene *scene);
/* A frame around each such row of a placed map that the film has reached, with what the row gives in words: beside the cell that
 * is framed there (`row` -1: none is). Maps that no mask belongs to have none. */
void empty_rows_draw(const Matrix *m, const Scene *scene, int row, int col, DisplayList *dl);

#endif
