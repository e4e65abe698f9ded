/* Small things that several parts of the scene draw alike: text styles, focus rings, quiet buttons, number chips. */
#ifndef SCENE_PAINT_H
#define SCENE_PAINT_H

#include "scene/rich.h"
#include "scene/scene.h"

const Theme *scene_theme(const Scene *scene);
/* A text style of one of the layout's type sizes. */
RichStyle scene_style(const Scene *scene, int type, FontFace face, Color color);
/* Ring around the control of this name while it has the focus by keyboard. */
void scene_ring(const Scene *scene, DisplayList *dl, const char *name, Rect box, float radius);
/* A quiet button that runs an action line. */
void scene_button(const Scene *scene, DisplayList *dl, Rect box, const char *name, const char *action, const char *label);
/* From here on numbers are written with an exponent: "−1e9". */
#define SCENE_LONG_NUMBER 1e6
/* Number text for panels: minus U+2212; in the frame arena. */
const char *scene_number(const Scene *scene, double value, int decimals);
/* As few decimals as name it: "40", "0.35", "1e−05". */
const char *scene_short_number(const Scene *scene, double value);
/* How the cells of a tensor are coloured: made once, asked for many numbers. */
typedef struct {
    bool weight, plain; /* 0 to limit; without colour */
    bool log_scale;     /* of weights: from LOOK_LOG_FROM */
    double limit;       /* else symmetric */
} CellScale;
CellScale scene_cell_scale(const Scene *scene, TensorId tensor);
Color scene_cell_color(const Scene *scene, const CellScale *scale, double value);
/* A number on its cell's colour. */
void scene_chip(const Scene *scene, DisplayList *dl, Rect box, const CellScale *scale, double value, int decimals);
/* "explain q[1,3,2]": positions from 1. */
const char *scene_explain_action(const Scene *scene, TensorId tensor, const int *index);
Color scene_head_color(const Theme *theme, int head);
/* Colour of a weight's bar: as its cell. */
Color scene_weight_color(const Scene *scene, double weight);
/* A horizontal bar from the left, on its empty track; share 0..1. A colour that would be lost on the track gets an edge. */
void scene_bar(const Scene *scene, DisplayList *dl, Rect track, double share, Color color, float radius);

#endif
