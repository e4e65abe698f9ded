/* The row of small controls that say how a map of weights is looked at: its shape, which heads, scale, threshold. Where there is
 * no room for it, one control that opens all of them as a menu. It knows no stage. */
#ifndef SCENE_VIEW_ROW_H
#define SCENE_VIEW_ROW_H

#include "scene/scene.h"

float view_row_height(const Scene *scene);
/* Right-aligned in `box`; in as many words as there is room for. Returns the width. */
float view_row_draw(const Scene *scene, Rect box, DisplayList *dl);

#endif
