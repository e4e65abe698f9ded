/* SVG: real text, or outlines of its glyphs; maps as paths, one a colour, and over them what each cell holds, for scripts. The
 * scenario lies in <metadata id="attnscope">. */
#ifndef BACKEND_SVG_H
#define BACKEND_SVG_H

#include "backend/picture.h"

bool picture_svg(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err);
/* The scenario of a file that picture_svg wrote, in `arena`; NULL: it has none. */
const char *svg_metadata(const char *data, size_t size, Arena *arena);

#endif
