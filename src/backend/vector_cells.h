/* The cells of a map as vector formats draw them: the same corners and signs as on the screen, in units. */
#ifndef BACKEND_VECTOR_CELLS_H
#define BACKEND_VECTOR_CELLS_H

#include "backend/painter.h"
#include "base/arena.h"
#include "draw/dl.h"

/* Cells that touch lie a hair over their neighbours: no viewer shows a seam between them. */
#define VECTOR_HAIR 0.15f

typedef struct { const DlCommand *command; const Color *colors; const float *values; const uint8_t *marks; int n; } VectorCells;

VectorCells vector_cells(const DisplayList *dl, const DlCommand *command);
Rect vector_cells_box(const VectorCells *cells, int cell);
/* Of corners: small cells stay cells, not dots. */
float vector_cells_radius(const VectorCells *cells);
/* The strokes of a cell's sign (masked: one short stroke, NaN: hatching), one unit wide, from ends[i][0] to ends[i][1]. Returns how
 * many, at most VECTOR_SIGN_MOST; 0: it has none. */
enum { VECTOR_SIGN_MOST = 512 };
int vector_cells_sign(const VectorCells *cells, int cell, DlPoint ends[VECTOR_SIGN_MOST][2], Color *color);
/* A pixel for each cell, in `arena`; NULL pixels: no memory. */
Pixels vector_cells_pixels(const VectorCells *cells, Arena *arena);

#endif
