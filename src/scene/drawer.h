/* Where the inspector lies over a stage that leaves it no room of its own. */
#ifndef SCENE_DRAWER_H
#define SCENE_DRAWER_H

#include "scene/scene.h"

/* Its place over the stage that was drawn from command `from` on: the side that hides least of what is selected. Only for a
 * layout with a drawer. */
Rect drawer_place(const Scene *scene, const DisplayList *dl, int from);

#endif
