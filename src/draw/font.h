/* Text measures as an interface, so that layout needs no font library. Sizes and results in logical units. */
#ifndef DRAW_FONT_H
#define DRAW_FONT_H

#include <stddef.h>

typedef enum {
    FACE_UI, FACE_UI_MEDIUM, FACE_UI_SEMIBOLD, FACE_UI_BOLD, /* Inter */
    FACE_MONO, FACE_MONO_BOLD,                               /* JetBrains Mono: numbers */
    FACE_COUNT
} FontFace;

typedef struct {
    void *ctx;
    /* advance width of `length` bytes of good UTF-8, with kerning and fallback faces */
    float (*width)(void *ctx, FontFace face, float size, const char *text, size_t length);
    float (*ascent)(void *ctx, FontFace face, float size);
    float (*descent)(void *ctx, FontFace face, float size); /* positive, below the baseline */
    float (*cap_height)(void *ctx, FontFace face, float size);
} FontMetrics;

float font_width(const FontMetrics *font, FontFace face, float size, const char *text);
/* Longest prefix (whole grapheme clusters) that fits, in bytes. */
size_t font_fit(const FontMetrics *font, FontFace face, float size, const char *text, float width);
/* A made-up font for tests: every ASCII character 0.6 em (0.6 mono), wide ones 1 em. */
const FontMetrics *font_fake(void);

#endif
