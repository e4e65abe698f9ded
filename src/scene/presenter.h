/* Presenter mode: nothing but the map, the question and the captions, in large type. */
#ifndef SCENE_PRESENTER_H
#define SCENE_PRESENTER_H

#include "scene/scene.h"

void presenter_draw(const Scene *scene, DisplayList *dl);

#endif
