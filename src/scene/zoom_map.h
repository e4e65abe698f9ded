/* Beside a zoomed map: the whole of it in small, a frame where one is, and how large that part is drawn. */
#ifndef SCENE_ZOOM_MAP_H
#define SCENE_ZOOM_MAP_H

#include "scene/scene.h"

/* Width that it takes from the stage; 0: nothing is zoomed. */
float zoom_map_room(const Scene *scene);
/* At the bottom of this strip. */
void zoom_map_draw(const Scene *scene, Rect strip, DisplayList *dl);

#endif
