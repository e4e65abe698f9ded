/* Pictures as files: one table of formats. Each draws the display list again in its own way; none scales a grab of the screen. */
#ifndef BACKEND_PICTURE_H
#define BACKEND_PICTURE_H

#include <stdbool.h>
#include <stddef.h>

#include "backend/fonts.h"
#include "base/arena.h"
#include "base/err.h"
#include "draw/dl.h"

/* What a file is told beside the list. Zeroed: opaque, one pixel a unit, nothing said. Texts are UTF-8, borrowed, NULL = none. */
typedef struct {
    float scale;             /* pixels a logical unit, PNG; 0 = 1 */
    float points;            /* points (1/72 inch) a logical unit, SVG and PDF; 0 = 0.75, the CSS pixel */
    bool transparent;        /* without the list's background */
    bool outlines;           /* SVG: text as paths */
    const char *title;       /* what is to be seen, in a few words */
    const char *description; /* the same in sentences, for those who cannot see it */
    const char *scenario;    /* the YAML that leads back to this picture */
} PictureOptions;

typedef struct {
    const char *extension;   /* "png" */
    /* Bytes in `arena`. The same list and options give the same bytes. */
    bool (*encode)(Fonts *fonts, const DisplayList *dl, const PictureOptions *options, Arena *arena, void **data, size_t *size, Err *err);
} PictureFormat;
extern const PictureFormat picture_formats[];
extern const int picture_format_count;

/* By its extension; by the ending of a path, capitals or not. NULL and err, which lists the formats, when it is none. */
const PictureFormat *picture_format_named(const char *extension, Err *err);
const PictureFormat *picture_format_of(const char *path, Err *err);
/* Written whole or not at all; "-" = standard output. */
bool picture_write(Fonts *fonts, const DisplayList *dl, const PictureFormat *format, const PictureOptions *options, const char *path, Err *err);

/* The scenario that a picture of ours carries, in `arena`. NULL and err (ERR_INPUT): none of ours, a broken one, or one without. */
const char *picture_scenario(const void *data, size_t size, Arena *arena, Err *err);

#endif
