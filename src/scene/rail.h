/* The nine stations: where the film is, and a way to each stage. */
#ifndef SCENE_RAIL_H
#define SCENE_RAIL_H

#include "scene/scene.h"

/* Name of a stage as the rail and titles show it: "Weighted sum". */
const char *stage_title(StageKind kind);
void rail_draw(const Scene *scene, DisplayList *dl);

#endif
