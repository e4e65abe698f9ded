/* The curve of an activation function, with a point on it. */
#ifndef SCENE_CURVE_H
#define SCENE_CURVE_H

#include "scene/scene.h"

/* "GELU", "SiLU" …; the kind's own name for what is no activation. */
const char *curve_name(OpKind kind);
/* The function's rule as a formula: "x · Φ(x)". */
const char *curve_rule(OpKind kind);
/* f(x) for x in −4 to 4 in a square; `at`: where the point is, NULL = none. A point outside stands at the edge. */
void curve_draw(const Scene *scene, DisplayList *dl, Rect box, OpKind kind, const double *at);

#endif
