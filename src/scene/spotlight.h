/* The light at the presenter's pointer: all but a round place is darker, with a soft edge. It knows no stage. */
#ifndef SCENE_SPOTLIGHT_H
#define SCENE_SPOTLIGHT_H

#include "scene/scene.h"

/* Over everything drawn so far, as strong as view.spotlight; nothing when that is 0. */
void spotlight_draw(const Scene *scene, DisplayList *dl);

#endif
