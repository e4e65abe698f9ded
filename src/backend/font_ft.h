/* The fonts of the program: files are found and opened here, text is measured and shaped with HarfBuzz. One object for a
 * process; layout asks its metrics, the raster draws the same shaped glyphs. Knows no SDL. */
#ifndef BACKEND_FONT_FT_H
#define BACKEND_FONT_FT_H

#include "base/err.h"
#include "draw/font.h"

typedef struct Fonts Fonts;

/* Opens Inter and JetBrains Mono: the installed copies, else the files known at build time, else what fontconfig has.
 * NULL and err, which names each place that was tried, when a face is missing. */
Fonts *fonts_open(Err *err);
/* As fonts_open, but looks in one folder only. */
Fonts *fonts_open_folder(const char *folder, Err *err);
void fonts_close(Fonts *fonts);
/* Borrowed; valid until fonts_close. */
const FontMetrics *fonts_metrics(const Fonts *fonts);

#endif
