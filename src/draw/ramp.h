/* Colour ramps for maps. Sequential ramps take 0..1; the diverging one -1..1 with the neutral at 0. */
#ifndef DRAW_RAMP_H
#define DRAW_RAMP_H

#include "base/look.h"
#include "draw/geom.h"

/* A named ramp at t in 0..1 (clamped). RAMP_THEME is not one of them: see draw/theme.h. */
Color ramp_color(RampKind ramp, double t);

#endif
