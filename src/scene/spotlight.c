#include "scene/spotlight.h"

#include <math.h>

#include "scene/paint.h"

static const float REACH = 0.24f, CLEAR = 0.66f; /* of the window's shorter side; share of that that is wholly lit */
static const double DARK = 0.62, DARK_LIGHT_THEME = 0.42;

void spotlight_draw(const Scene *scene, DisplayList *dl) {
    const View *view = scene->view;
    if (view->spotlight <= 0) return;
    double dark = (view->theme == THEME_DARK ? DARK : DARK_LIGHT_THEME) * view->spotlight;
    float reach = REACH * fminf(dl->width, dl->height);
    dl_shade(dl, (Rect){0, 0, dl->width, dl->height}, view->spot_x * dl->width, view->spot_y * dl->height, CLEAR * reach, reach, color_alpha(0x000000ff, dark));
}
