/* The stations of the layer in view: where the film is, and a way to each stage. The nine of attention carry digits;
 * those around them in a network (norm, residual, feed-forward) do not, and are folded behind small marks until one
 * asks for them. What a model predicts is never folded. */
#ifndef SCENE_RAIL_H
#define SCENE_RAIL_H

#include "scene/scene.h"

/* Name of a stage as the rail and titles show it: "Weighted sum". */
const char *stage_title(StageKind kind);
/* One of the nine: it carries a digit, its kind counted from 1. */
bool stage_has_digit(StageKind kind);
void rail_draw(const Scene *scene, DisplayList *dl);

#endif
