#include "scene/spotlight.h"

#include <math.h>

#include "scene/paint.h"

/* The edge is made of this many rings of equal strength. Each is the light's square with a round hole in it; around the square
 * four rectangles are as dark as all of them together. Square and hole keep to whole units, so that a moved light is the same
 * few pictures elsewhere. */
enum { RINGS = 10, CORNERS = 48 };
static const float REACH = 0.24f, CLEAR = 0.66f; /* of the window's shorter side; share of that that is wholly lit */
static const double DARK = 0.62, DARK_LIGHT_THEME = 0.42;

static void draw_ring(DisplayList *dl, float x, float y, float reach, float hole, Color color) {
    DlPoint points[CORNERS + 7] = {{x - reach, y - reach}, {x + reach, y - reach}, {x + reach, y + reach}, {x - reach, y + reach}, {x - reach, y - reach}};
    int n = 5;
    for (int i = 0; i <= CORNERS; i++) {
        float angle = 6.2831853f * (float)(i % CORNERS) / CORNERS;
        points[n++] = (DlPoint){x - hole * cosf(angle), y - hole * sinf(angle)};
    }
    points[n++] = points[4]; /* back along the seam */
    dl_path(dl, points, n, true, color, COLOR_NONE, 0);
}

static void draw_around(DisplayList *dl, float x, float y, float reach, Color color) {
    float top = fmaxf(0, y - reach), bottom = fminf(dl->height, y + reach), left = fmaxf(0, x - reach), right = fminf(dl->width, x + reach);
    dl_rect(dl, (Rect){0, 0, dl->width, top}, 0, color, COLOR_NONE, 0);
    dl_rect(dl, (Rect){0, bottom, dl->width, dl->height - bottom}, 0, color, COLOR_NONE, 0);
    dl_rect(dl, (Rect){0, top, left, bottom - top}, 0, color, COLOR_NONE, 0);
    dl_rect(dl, (Rect){right, top, dl->width - right, bottom - top}, 0, color, COLOR_NONE, 0);
}

void spotlight_draw(const Scene *scene, DisplayList *dl) {
    const View *view = scene->view;
    if (view->spotlight <= 0) return;
    double dark = (view->theme == THEME_DARK ? DARK : DARK_LIGHT_THEME) * view->spotlight;
    Color shade = color_alpha(0x000000ff, dark), part = color_alpha(0x000000ff, 1 - pow(1 - dark, 1.0 / RINGS));
    float x = roundf(view->spot_x * dl->width), y = roundf(view->spot_y * dl->height);
    float reach = roundf(REACH * fminf(dl->width, dl->height));
    draw_around(dl, x, y, reach, shade);
    dl_clip(dl, (Rect){0, 0, dl->width, dl->height});
    for (int i = 0; i < RINGS; i++) draw_ring(dl, x, y, reach, reach * (CLEAR + (1 - CLEAR) * (float)i / (RINGS - 1)), part);
    dl_unclip(dl);
}
