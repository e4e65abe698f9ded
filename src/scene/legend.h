/* What the colours of a stage's maps mean: a bar with its range, and which way rows and columns run. */
#ifndef SCENE_LEGEND_H
#define SCENE_LEGEND_H

#include "scene/scene.h"

/* Title, bar, numbers, and axis words as far as the box has room for them. Returns the height used. */
float legend_draw(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl);
/* The same in one line. */
void legend_draw_line(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl);
/* A horizontal bar of a tensor's colours without words. */
void legend_bar(const Scene *scene, TensorId tensor, Rect bar, DisplayList *dl);
/* The same with the largest number at the top. */
void legend_bar_upright(const Scene *scene, TensorId tensor, Rect bar, DisplayList *dl);
/* Its numbers: least, middle, most. */
void legend_ticks(const Scene *scene, TensorId tensor, const char *ticks[3]);
/* "Score, one scale for all heads", or "Score" where there is less room or one head. */
const char *legend_title(const Scene *scene, TensorId tensor, float room);

#endif
