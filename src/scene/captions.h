/* The two sentences under the stage (scene_captions of scene.h), drawn. */
#ifndef SCENE_CAPTIONS_H
#define SCENE_CAPTIONS_H

#include "scene/scene.h"

void captions_draw(const Scene *scene, DisplayList *dl);

#endif
