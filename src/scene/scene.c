#include "scene/drawer.h"
#include "scene/scene.h"

#include <math.h>

#include "base/tr.h"
#include "scene/captions.h"
#include "scene/compare.h"
#include "scene/controls.h"
#include "scene/formula.h"
#include "scene/heads.h"
#include "scene/inspector.h"
#include "scene/now.h"
#include "scene/overview.h"
#include "scene/paint.h"
#include "scene/presenter.h"
#include "scene/rail.h"
#include "scene/token_strip.h"
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
    bool selected = scene_selection(scene, &tensor, index) || controls_on(scene), maps = heads_have_maps(scene);
    if (compare_on(scene)) {
        layout_cut(&scene->layout, STAGE_MASK, maps, selected); /* three maps, as there */
        return;
    }
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

static void draw_panel(const Scene *scene, DisplayList *dl) {
    if (controls_on(scene)) controls_draw(scene, dl);
    else if (compare_on(scene)) compare_panel(scene, dl);
    else inspector_draw(scene, dl);
}

/* With a control that closes it. */
static void draw_drawer(const Scene *given, Rect place, DisplayList *dl) {
    Scene scene = *given;
    const Theme *theme = scene_theme(&scene);
    float s = scene.layout.scale, arm = 4.5f * s;
    scene.layout.inspector = place;
    dl_rect(dl, rect_inset(place, -8 * s), 16 * s, color_alpha(theme->background, 0.9), COLOR_NONE, 0);
    draw_panel(&scene, dl);
    Rect close = {place.x + place.w - 28 * s, place.y + 4 * s, 24 * s, 24 * s};
    float x = close.x + close.w / 2, y = close.y + close.h / 2;
    dl_control(dl, close, ROLE_BUTTON, "inspector.close", controls_on(&scene) ? "controls" : "select.none", tr("Close"));
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
    if (!l->drawer) draw_panel(scene, dl);
    Rect place = l->drawer ? drawer_place(scene, dl, from) : l->inspector;
    if (scene_stage(scene)->kind != STAGE_PREDICT) heads_draw(scene, dl); /* its bars need no legend */
    if (!l->drawer || place.w <= 0) return;
    DrawerNames names = drawer_prepare(scene, dl, from, &place);
    draw_drawer(scene, place, dl);
    drawer_draw_names(scene, &names, dl);
}

static void draw_all(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const Theme *theme = scene_theme(scene);
    bool overview = overview_on(scene);
    const Scene *film = overview ? overview_film(scene) : scene;
    dl_rect(dl, l->bottom, 0, theme->panel, COLOR_NONE, 0);
    dl_line(dl, l->bottom.x, l->bottom.y, l->bottom.x + l->bottom.w, l->bottom.y, theme->line, 1);
    rail_draw(film, dl);
    if (token_strip_on(scene)) token_strip_draw(scene, dl);
    else formula_draw(film, l->formula, l->type[l->low ? TYPE_TITLE : TYPE_HEAD], ALIGN_CENTER, dl);
    if (overview) draw_overview(scene, dl);
    else draw_stage(scene, dl);
    captions_draw(scene, dl);
}

void scene_draw(const Scene *given, DisplayList *dl) {
    if (!drawable(given)) return;
    Scene cut = *given;
    const Compare *compare = NULL;
    cut.compare = &compare;
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
