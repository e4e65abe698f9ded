/* The stage: one picture for each of the nine stages, drawn for the focused head. A pure function of the
 * scene; it knows no panel, no window and no key. */
#ifndef SCENE_STAGES_H
#define SCENE_STAGES_H

#include "scene/scene.h"

/* Draws the stage of scene->view->film.stage in `area`, heading included. */
void stage_draw(const Scene *scene, Rect area, DisplayList *dl);
/* Columns of the grid in which Softmax shows all heads at once in `area`; 0 = it shows the focused head alone. */
int stage_softmax_across(const Scene *scene, Rect area);

#endif
