/* One picture inside another: a whole display list as a part of a second one. */
#ifndef DRAW_DL_INCLUDE_H
#define DRAW_DL_INCLUDE_H

#include "draw/dl.h"

/* The picture of `from` with its top left corner at x, y, `scale` times as large, on its own background, clipped to its size. Its groups are left out:
 * it is looked at, not clicked. `from` is another list than `dl`. */
void dl_include(DisplayList *dl, const DisplayList *from, float x, float y, float scale);

#endif
