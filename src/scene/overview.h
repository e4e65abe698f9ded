/* All maps of a network at once, layers × heads, and one of them enlarged: drawn instead of stage, inspector and small maps
 * while view.overview is on. It reads the trace's summaries (core/summary.h) and knows no model. */
#ifndef SCENE_OVERVIEW_H
#define SCENE_OVERVIEW_H

#include "scene/scene.h"

/* Is the overview what the view shows of this run? */
bool overview_on(const Scene *scene);
/* The scene as its rail, formula and inspector see it: the film at the finished softmax of the layer in view, or at the
 * selected number's stage. View and scene live in the frame's arena. */
const Scene *overview_film(const Scene *scene);
/* Grid, enlarged map, and the inspector of a selected number as a drawer over the grid. */
void overview_draw(const Scene *scene, DisplayList *dl);
/* Presenter mode: the grid alone. */
void overview_present(const Scene *scene, DisplayList *dl);
/* "A real model, read from your disk." and what it is. */
void overview_captions(const Scene *scene, const char **first, const char **second);
/* Where the drawer of a selected number stands; w = 0: nothing is selected. */
Rect overview_drawer(const Scene *scene);

#endif
