/* A list that shows everything the display list can say: for people's eyes and for tests of the raster. */
#ifndef TESTS_BACKEND_DEMO_LIST_H
#define TESTS_BACKEND_DEMO_LIST_H

#include "draw/dl.h"
#include "draw/theme.h"

void demo_list(DisplayList *dl, Arena *arena, const FontMetrics *font, ThemeKind theme);

#endif
