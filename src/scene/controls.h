/* The settings panel, in the inspector's place: each setting with its value, what it does, and what it does to the numbers. */
#ifndef SCENE_CONTROLS_H
#define SCENE_CONTROLS_H

#include "scene/scene.h"

bool controls_on(const Scene *scene);
void controls_draw(const Scene *scene, DisplayList *dl);

#endif
