/* The fonts of the program: files are found and opened here and text is measured with HarfBuzz. One object for a process;
 * layout asks its metrics, the raster draws from the same files with SDL2_ttf. */
#ifndef BACKEND_FONTS_H
#define BACKEND_FONTS_H

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
