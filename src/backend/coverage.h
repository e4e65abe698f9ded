/* Anti-aliased shapes on the processor: how much of each pixel is covered, 0 to 255. The SDL software renderer moves
 * geometry to whole pixels, so every slanted or round edge is made here and drawn as a texture. Device pixels. Knows no SDL. */
#ifndef BACKEND_COVERAGE_H
#define BACKEND_COVERAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "draw/dl.h"

/* x, y: device position of its first pixel. a: w*h bytes, row by row; NULL when empty. */
typedef struct { int x, y, w, h; uint8_t *a; } Coverage;

/* An all-zero sheet that holds the box x0..x1, y0..y1; empty when that is empty or beyond 8192 pixels a side. */
Coverage coverage_for(Arena *arena, float x0, float y0, float x1, float y1);
/* The sheet's part of the rounded rectangle (x, y, w, h): full (ring 0), or only its outermost `ring` pixels. */
void coverage_add_rounded(Coverage *sheet, float x, float y, float w, float h, float radius, float ring);
/* A stroke with round ends. */
void coverage_add_segment(Coverage *sheet, DlPoint a, DlPoint b, float width);
/* A polygon's inside by the even-odd rule. */
void coverage_add_polygon(Coverage *sheet, const DlPoint *points, int count, Arena *scratch);
/* An eased band from x0 to x1 whose thickness across its direction runs from h0 to h1; y are its top edges. */
void coverage_add_ribbon(Coverage *sheet, float x0, float y0, float h0, float x1, float y1, float h1);
/* The same as a layer of this opacity over what is there: many of one colour become one sheet. */
void coverage_lay_ribbon(Coverage *sheet, float x0, float y0, float h0, float x1, float y1, float h1, float opacity);

/* The sheet turned counter-clockwise about 0, 0 by a quarter, pixel for pixel. */
Coverage coverage_quarter(const Coverage *sheet, Arena *arena);
/* The sheet, which is `finer` times as wide as wanted: x and w are multiples of it. */
Coverage coverage_narrowed(const Coverage *sheet, int finer, Arena *arena);
/* The sheet, which is `finer` times as large as wanted, turned counter-clockwise about 0, 0 by any angle in degrees. */
Coverage coverage_turned(const Coverage *sheet, float angle, int finer, Arena *arena);

/* Share of a pixel inside an edge at signed distance d (negative = inside), 0 to 1. */
float coverage_edge(float distance);

#endif
