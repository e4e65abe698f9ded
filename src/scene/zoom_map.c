#include "scene/zoom_map.h"

#include <math.h>

#include "base/tr.h"
#include "scene/look.h"
#include "scene/paint.h"

/* Units at scale 1. */
enum { ROOM = 76, SIDE_MOST = 60, SIDE_LEAST = 6, FRAME_LEAST = 4 };

static const Tensor *zoomed(const Scene *scene) {
    TensorId id = scene->view->zoom > 1 ? look_tensor(scene) : TENSOR_NONE;
    const Tensor *t = id == TENSOR_NONE ? NULL : trace_tensor(scene->run->trace, id);
    return t && t->rank > 1 ? t : NULL;
}

float zoom_map_room(const Scene *scene) { return zoomed(scene) ? ROOM * scene->layout.scale : 0; }

/* How many times as large: the longer side's part says it, which never has fewer than four positions. */
static double times_of(const View *view, int rows, int cols) {
    int first, count, n = rows > cols ? rows : cols;
    view_window(n, view->zoom, rows > cols ? view->zoom_row : view->zoom_column, &first, &count);
    return (double)n / count;
}

/* The part of a side of `most` positions, in units of `length`. */
static void part_of(int n, double zoom, double center, float length, float least, float *from, float *size) {
    int first, count;
    view_window(n, zoom, center, &first, &count);
    *size = fmaxf(least, length * (float)count / (float)n);
    *from = fminf(length * (float)first / (float)n, length - *size);
}

void zoom_map_draw(const Scene *scene, Rect strip, DisplayList *dl) {
    const Tensor *t = zoomed(scene);
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale, line = scene->layout.type[TYPE_SMALL] * 1.4f;
    if (!t) return;
    int rows = t->dim[t->rank - 2], cols = t->dim[t->rank - 1], longer = rows > cols ? rows : cols;
    float w = fmaxf(SIDE_LEAST * s, SIDE_MOST * s * (float)cols / (float)longer), h = fmaxf(SIDE_LEAST * s, SIDE_MOST * s * (float)rows / (float)longer);
    if (strip.h < h + line) return;
    Rect whole = {strip.x + strip.w - w, strip.y + strip.h - line - h - 4 * s, w, h}, part;
    part_of(cols, scene->view->zoom, scene->view->zoom_column, w, FRAME_LEAST * s, &part.x, &part.w);
    part_of(rows, scene->view->zoom, scene->view->zoom_row, h, FRAME_LEAST * s, &part.y, &part.h);
    part.x += whole.x;
    part.y += whole.y;
    double factor = times_of(scene->view, rows, cols);
    const char *times = arena_printf(scene->arena, "%s×", scene_number(scene, factor, factor < 10 ? 1 : 0));
    Rect box = {strip.x + strip.w - SIDE_MOST * s, whole.y, SIDE_MOST * s, h + 4 * s + line};
    dl_control(dl, box, ROLE_BUTTON, "zoom.map", "zoom.reset", tr("Show the whole map"));
    dl_rect(dl, whole, 2 * s, theme->empty_cell, theme->muted, 1);
    dl_rect(dl, part, 1, color_alpha(theme->accent, 0.35), theme->accent, 1.5f * s);
    dl_label(dl, scene->font, FACE_MONO, scene->layout.type[TYPE_SMALL], theme->muted, (Rect){box.x, whole.y + h + 4 * s, box.w, line}, ALIGN_RIGHT, times);
    scene_ring(scene, dl, "zoom.map", box, 4 * s);
    dl_ungroup(dl);
}
