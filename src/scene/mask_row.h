/* The small controls of the Mask stage: which masks there are and their numbers, from which corner a triangle starts, what an
 * empty row gives, how M is written. As many lines as they need. It knows no stage. */
#ifndef SCENE_MASK_ROW_H
#define SCENE_MASK_ROW_H

#include "scene/scene.h"

/* Height that the controls need where the first line has `first` units and the others `wide`; the first line itself is not
 * counted. */
float mask_row_below(const Scene *scene, float first, float wide);
/* Right-aligned; the first line in `box`, which is as wide as the others, where `used` is taken at its left by something else; the
 * others from `below` on. */
void mask_row_draw(const Scene *scene, Rect box, float used, float below, DisplayList *dl);

#endif
