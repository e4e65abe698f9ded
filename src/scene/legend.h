/* What the colours of a stage's maps mean: a bar with its range, and which way rows and columns run. */
#ifndef SCENE_LEGEND_H
#define SCENE_LEGEND_H

#include "scene/paint.h"

/* Title, bar, numbers, and axis words as far as the box has room for them. Returns the height used. */
float legend_draw(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl);
/* The same in one line. */
void legend_draw_line(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl);
/* An upright bar of a scale with the largest number at the top. */
void legend_scale_upright(const Scene *scene, const CellScale *scale, Rect bar, DisplayList *dl);
/* A lying one, without numbers. */
void legend_scale_flat(const Scene *scene, const CellScale *scale, Rect bar, DisplayList *dl);
/* Its numbers, and where they stand: 0 at the beginning, 1 at the end. Returns how many. */
enum { LEGEND_TICKS_MAX = 6 };
typedef struct {
    const char *text;
    double place;
} LegendTick;
int legend_scale_ticks(const Scene *scene, const CellScale *scale, LegendTick ticks[LEGEND_TICKS_MAX]);

#endif
