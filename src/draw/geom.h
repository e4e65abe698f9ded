/* Geometry and colour in logical units (1/96 inch at scale 1). */
#ifndef DRAW_GEOM_H
#define DRAW_GEOM_H

#include <stdbool.h>
#include <stdint.h>

typedef struct { float x, y, w, h; } Rect;
typedef uint32_t Color; /* 0xRRGGBBAA, straight alpha */

#define COLOR_NONE ((Color)0)

Rect rect_inset(Rect r, float by);
bool rect_has(Rect r, float x, float y);
Rect rect_meet(Rect a, Rect b);       /* common part; w or h 0 when there is none */
/* Cut a piece off one side; *r keeps the rest. */
Rect rect_cut_left(Rect *r, float w);
Rect rect_cut_right(Rect *r, float w);
Rect rect_cut_top(Rect *r, float h);
Rect rect_cut_bottom(Rect *r, float h);
Color color_alpha(Color c, double alpha);          /* replace its alpha, 0..1 */
Color color_mix(Color a, Color b, double t);       /* t = 0 gives a; straight mix of all channels */
/* WCAG 2.1 relative luminance of an opaque colour, and contrast of two. */
double color_luminance(Color c);
double color_contrast(Color a, Color b);
/* Pure black or white, whichever reads on `cell` (luminance 0.179). */
Color color_ink_on(Color cell);

#endif
