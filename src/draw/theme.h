/* Themes: what each role of colour is. No other room writes a colour. */
#ifndef DRAW_THEME_H
#define DRAW_THEME_H

#include "draw/ramp.h"

typedef struct {
    const char *name;
    bool dark;
    Color background, panel, line;
    Color ink, muted, faint, empty_cell; /* faint is for strokes, never for text */
    Color accent, on_accent, highlight;
    Color head[4];                       /* by head, then again */
    Color q, k, v, out;
    Color button, button_hover;          /* fill of quiet controls */
    Color error;
} Theme;

const Theme *theme_at(ThemeKind kind);
/* Weights, 0..1. NaN is the caller's business. */
Color theme_weight_color(const Theme *theme, RampKind palette, double value);
/* Signed numbers, value / limit in -1..1, neutral (the panel's tone) at 0. */
Color theme_signed_color(const Theme *theme, double value, double limit);

#endif
