#include "scene/scene.h"

#include <math.h>

#include "base/tr.h"
#include "scene/captions.h"
#include "scene/formula.h"
#include "scene/heads.h"
#include "scene/inspector.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/paint.h"
#include "scene/presenter.h"
#include "scene/rail.h"
#include "scene/stages.h"

/* The content is cut for what this run has to show at this stage. */
static void cut_content(Scene *scene) {
    if (overview_on(scene)) {
        layout_overview(&scene->layout);
        return;
    }
    StageKind kind = scene_stage(scene)->kind;
    TensorId tensor;
    int index[TENSOR_RANK_MAX];
    bool selected = scene_selection(scene, &tensor, index), maps = heads_have_maps(scene);
    if (kind == STAGE_SOFTMAX && maps) {
        layout_cut(&scene->layout, kind, false, selected);
        if (stage_softmax_across(scene, scene->layout.stage) > 0) return;
    }
    layout_cut(&scene->layout, kind, maps, selected);
}

static bool drawable(const Scene *scene) {
    return scene->run && scene->run->trace && scene->view->film.stage >= 0 &&
           scene->view->film.stage < trace_stage_count(scene->run->trace);
}

Layout scene_layout(const Scene *scene) {
    Scene cut = *scene;
    if (drawable(scene)) cut_content(&cut);
    return cut.layout;
}

/* ---- the drawer ---- */

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
static Rect drawer_place(const Scene *scene, const DisplayList *dl, int from) {
    const Layout *l = &scene->layout;
    Rect right = l->inspector, shown = selection_frame(scene, dl, from);
    float title = ceilf(l->type[l->stage.h < 400 * l->scale ? TYPE_TITLE : TYPE_HEAD] * 1.1f) + l->pad;
    rect_cut_top(&right, title);
    Rect left = {l->content.x, right.y, right.w, right.h};
    right = beside(right, shown, true, l->scale);
    left = beside(left, shown, false, l->scale);
    return hidden_cost(scene, dl, from, left) < hidden_cost(scene, dl, from, right) ? left : right;
}

/* With a control that closes it. */
static void draw_drawer(const Scene *given, Rect place, DisplayList *dl) {
    Scene scene = *given;
    const Theme *theme = scene_theme(&scene);
    float s = scene.layout.scale, arm = 4.5f * s;
    scene.layout.inspector = place;
    dl_rect(dl, rect_inset(place, -8 * s), 16 * s, color_alpha(theme->background, 0.9), COLOR_NONE, 0);
    inspector_draw(&scene, dl);
    Rect close = {place.x + place.w - 28 * s, place.y + 4 * s, 24 * s, 24 * s};
    float x = close.x + close.w / 2, y = close.y + close.h / 2;
    dl_control(dl, close, ROLE_BUTTON, "inspector.close", "select.none", tr("Close"));
    dl_line(dl, x - arm, y - arm, x + arm, y + arm, theme->muted, 1.5f * s);
    dl_line(dl, x - arm, y + arm, x + arm, y - arm, theme->muted, 1.5f * s);
    scene_ring(&scene, dl, "inspector.close", close, 8 * s);
    dl_ungroup(dl);
}

/* Maps of all layers; the number that is selected in the enlarged one is explained beside it. */
static void draw_overview(const Scene *scene, DisplayList *dl) {
    overview_draw(scene, dl);
    Rect place = overview_drawer(scene);
    if (place.w > 0) draw_drawer(overview_film(scene), place, dl);
}

static void draw_stage(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    int from = dl->n;
    stage_draw(scene, l->stage, dl);
    if (!l->drawer) inspector_draw(scene, dl);
    Rect place = l->drawer ? drawer_place(scene, dl, from) : l->inspector;
    if (scene_stage(scene)->kind != STAGE_PREDICT) heads_draw(scene, dl); /* its bars need no legend */
    if (l->drawer) draw_drawer(scene, place, dl);
}

static void draw_all(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const Theme *theme = scene_theme(scene);
    bool overview = overview_on(scene);
    const Scene *film = overview ? overview_film(scene) : scene;
    dl_rect(dl, l->bottom, 0, theme->panel, COLOR_NONE, 0);
    dl_line(dl, l->bottom.x, l->bottom.y, l->bottom.x + l->bottom.w, l->bottom.y, theme->line, 1);
    rail_draw(film, dl);
    formula_draw(film, l->formula, l->type[l->low ? TYPE_TITLE : TYPE_HEAD], ALIGN_CENTER, dl);
    if (overview) draw_overview(scene, dl);
    else draw_stage(scene, dl);
    captions_draw(scene, dl);
}

void scene_draw(const Scene *given, DisplayList *dl) {
    if (!drawable(given)) return;
    Scene cut = *given;
    cut_content(&cut);
    const Scene *scene = &cut;
    if (scene->layout.presenting)
        presenter_draw(scene, dl);
    else
        draw_all(scene, dl);
    if (!scene->muted) return;
    const Layout *l = &scene->layout;
    Color veil = color_alpha(scene_theme(scene)->background, 0.72);
    dl_rect(dl, (Rect){0, l->rail.y, l->width, l->bottom.y - l->rail.y}, 0, veil, COLOR_NONE, 0);
}
