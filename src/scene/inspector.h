/* The inspector: the arithmetic of the selected number, else of the film's current one, as a question and its answer. */
#ifndef SCENE_INSPECTOR_H
#define SCENE_INSPECTOR_H

#include "scene/scene.h"

void inspector_draw(const Scene *scene, DisplayList *dl);

#endif
