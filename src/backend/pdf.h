/* PDF by cairo: text that can be selected, searched and copied, subsets of its fonts inside; maps as rectangles, large ones as
 * images that are not smoothed. A PDF holds no scenario: keep the PNG or the .yaml beside it. */
#ifndef BACKEND_PDF_H
#define BACKEND_PDF_H

#include "backend/picture.h"

bool picture_pdf(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err);

#endif
