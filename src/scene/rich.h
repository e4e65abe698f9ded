/* Sentences and formulas with names in colour. Texts are plain Unicode with colour marks; super- and subscripts
 * (K^T, d_k, id_1 written with their Unicode letters) are set as smaller shifted runs and a radical as a line over
 * what it covers, so no font needs them. It knows no tensor. */
#ifndef SCENE_RICH_H
#define SCENE_RICH_H

#include "draw/dl.h"
#include "draw/theme.h"

/* Marks: the text up to RICH_END is semibold in the colour of a role. */
#define RICH_Q   "\001"
#define RICH_K   "\002"
#define RICH_V   "\003"
#define RICH_OUT "\004"
#define RICH_INK "\005"
#define RICH_END "\006"

typedef struct {
    const FontMetrics *font;
    const Theme *theme;
    FontFace face;
    float size;
    Color color;    /* outside marks */
    float line;     /* line height of paragraphs */
    bool one_color; /* marks are semibold but keep `color` */
} RichStyle;

/* A name in a role's colour ('q', 'k', 'v', 'o'; anything else: ink), as an argument of a sentence; a long one ends in "…". */
const char *rich_name(Arena *arena, char role, const char *name);
/* A name for a sentence; a long one ends in "…". */
const char *rich_short(Arena *arena, const char *name);
/* The text without marks. */
const char *rich_plain(Arena *arena, const char *text);
float rich_width(const RichStyle *style, const char *text);
/* x, y: start of the baseline. Returns the width. */
float rich_line(DisplayList *dl, const RichStyle *style, float x, float y, const char *text);
/* One line in a box, centred by cap height; made smaller, at most by a third and not below 12, when it does not fit, then two lines. */
void rich_label(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text);
/* Broken at newlines, spaces and between CJK characters; top-aligned. Returns the height used. */
float rich_paragraph(DisplayList *dl, const RichStyle *style, Rect box, TextAlign align, const char *text);
float rich_height(const RichStyle *style, float width, const char *text);

#endif
