/* Colour ramps for maps. Sequential ramps take 0..1; a theme's own ramps are in draw/theme.h. */
#ifndef DRAW_RAMP_H
#define DRAW_RAMP_H

#include "base/look.h"
#include "draw/geom.h"

/* A named ramp at t in 0..1 (clamped; NaN counts as 0). RAMP_THEME is not one of them: see draw/theme.h. */
Color ramp_color(RampKind ramp, double t);
/* Straight lines between `count` evenly spaced anchors 0xRRGGBB, at t in 0..1 (clamped). Opaque. */
Color ramp_between(const uint32_t *anchors, int count, double t);

#endif
