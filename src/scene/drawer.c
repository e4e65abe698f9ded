#include "scene/drawer.h"

#include <math.h>

#include "scene/paint.h"

enum { DRAWER_LEAST = 280, DRAWER_HALO = 8 };

/* Around all frames of the selection; empty when it is not in sight. */
static Rect selection_frame(const Scene *scene, const DisplayList *dl, int from) {
    Rect all = {0};
    for (int i = from; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_RECT || dl->commands[i].stroke != scene_theme(scene)->highlight) continue;
        Rect box = rect_inset(dl->commands[i].box, -2);
        float x = fminf(all.x, box.x), y = fminf(all.y, box.y);
        float right = fmaxf(all.x + all.w, box.x + box.w), bottom = fmaxf(all.y + all.h, box.y + box.h);
        all = all.w > 0 ? (Rect){x, y, right - x, bottom - y} : box;
    }
    return all;
}

static float hidden_share(Rect box, Rect over) {
    Rect common = rect_meet(box, over);
    float area = box.w * box.h;
    return area > 0 ? fmaxf(0, common.w) * fmaxf(0, common.h) / area : 0;
}

/* What a place hides: the selection counts far more than the frames of its operands. */
static float hidden_cost(const Scene *scene, const DisplayList *dl, int from, Rect place) {
    const Theme *theme = scene_theme(scene);
    const Color operands[] = {theme->q, theme->k, theme->v, theme->out, theme->ink};
    Rect over = rect_inset(place, -DRAWER_HALO * scene->layout.scale);
    float cost = 100 * hidden_share(selection_frame(scene, dl, from), over);
    for (int i = from; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_RECT || c->fill != COLOR_NONE || c->width < 1.5f) continue;
        bool operand = false;
        for (size_t k = 0; k < sizeof operands / sizeof *operands; k++) operand |= c->stroke == operands[k];
        if (operand) cost += hidden_share(c->box, over);
    }
    return cost;
}

/* A little narrower where that leaves the selection in sight. */
static Rect beside(Rect place, Rect shown, bool right, float s) {
    float halo = DRAWER_HALO * s, least = DRAWER_LEAST * s;
    if (shown.w <= 0 || rect_meet(shown, rect_inset(place, -halo)).w <= 0) return place;
    float edge = right ? ceilf(shown.x + shown.w + halo) : floorf(shown.x - halo);
    float width = right ? place.x + place.w - edge : edge - place.x;
    if (width < least || width > place.w) return place;
    return (Rect){right ? edge : place.x, place.y, width, place.h};
}

/* On the side that hides least of what is explained, at the right where both are alike; below the stage's title. */
Rect drawer_place(const Scene *scene, const DisplayList *dl, int from) {
    const Layout *l = &scene->layout;
    Rect right = l->inspector, shown = selection_frame(scene, dl, from);
    float title = ceilf(l->type[l->stage.h < 400 * l->scale ? TYPE_TITLE : TYPE_HEAD] * 1.1f) + l->pad;
    rect_cut_top(&right, title);
    Rect left = {l->content.x, right.y, right.w, right.h};
    right = beside(right, shown, true, l->scale);
    left = beside(left, shown, false, l->scale);
    return hidden_cost(scene, dl, from, left) < hidden_cost(scene, dl, from, right) ? left : right;
}
