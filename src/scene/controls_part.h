/* Private to controls*.c: one panel being filled, and the small controls of its rows. */
#ifndef SCENE_CONTROLS_PART_H
#define SCENE_CONTROLS_PART_H

#include "doc/setting.h"
#include "draw/theme.h"
#include "scene/controls.h"
#include "scene/paint.h"

enum { CONTROLS_RESET = 20 }; /* kept free after the title of a row */

typedef struct {
    const Scene *scene;
    DisplayList *dl;
    const Theme *theme;
    Rect inner;          /* what is left of the panel */
    float s, pad, pitch; /* height of a row */
    int in_view;         /* SettingKind that is explained, or -1 */
} Controls;

/* One choice of several that touch. */
typedef struct {
    const char *text, *action, *tip;
    bool on, field; /* field: it opens a line to type in */
} ControlsChip;

/* Name of control `n` of a setting: "controls.scale.2". */
const char *controls_name(const Controls *c, SettingKind kind, int n);
/* Right-aligned in `box`; chips that do not fit are left out from the end farthest from the one that is on. */
void controls_chips(const Controls *c, SettingKind kind, Rect box, const ControlsChip *chips, int n);
void controls_slider(const Controls *c, SettingKind kind, Rect box, const char *action, const char *label, double fraction);
/* The control of a setting that can be changed. */
void controls_widget(const Controls *c, SettingKind kind, Rect box);
/* What it is now, in words. */
const char *controls_value(const Controls *c, SettingKind kind);
/* Rows below a setting's own for its parameters: how many, and one of them. */
int controls_more_rows(const Controls *c, SettingKind kind);
void controls_more(const Controls *c, SettingKind kind, Rect row);

#endif
