#include "scene/scene.h"

#include "scene/captions.h"
#include "scene/formula.h"
#include "scene/heads.h"
#include "scene/inspector.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/presenter.h"
#include "scene/rail.h"
#include "scene/stages.h"

/* The content is cut for what this run has to show at this stage. */
static void cut_content(Scene *scene) {
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

static void draw_all(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const Theme *theme = scene_theme(scene);
    dl_rect(dl, l->bottom, 0, theme->panel, COLOR_NONE, 0);
    dl_line(dl, l->bottom.x, l->bottom.y, l->bottom.x + l->bottom.w, l->bottom.y, theme->line, 1);
    rail_draw(scene, dl);
    formula_draw(scene, l->formula, l->type[l->low ? TYPE_TITLE : TYPE_HEAD], ALIGN_CENTER, dl);
    stage_draw(scene, l->stage, dl);
    inspector_draw(scene, dl);
    heads_draw(scene, dl);
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
