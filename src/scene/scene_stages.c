/* The table of stage views: one row for each kind of stage. */
#include <assert.h>

#include "scene/compare.h"
#include "scene/stage_part.h"
#include "scene/stages.h"
#include "scene/zoom_map.h"

static const StageDraw stage_views[] = {
    [STAGE_EMBED] = stage_embed,       [STAGE_PROJECT] = stage_project, [STAGE_SCORES] = stage_scores,
    [STAGE_SCALE] = stage_scale,       [STAGE_MASK] = stage_mask,       [STAGE_SOFTMAX] = stage_softmax,
    [STAGE_WEIGHTED_SUM] = stage_wsum, [STAGE_CONCAT] = stage_concat,   [STAGE_OUTPUT] = stage_output,
    [STAGE_NORM] = stage_norm,         [STAGE_ADD] = stage_add,         [STAGE_ADD_NORM] = stage_norm,
    [STAGE_FFN_NORM] = stage_norm,     [STAGE_FFN] = stage_ffn,         [STAGE_FFN_ADD] = stage_add,
    [STAGE_FFN_ADD_NORM] = stage_norm, [STAGE_FINAL_NORM] = stage_norm, [STAGE_POOL] = stage_pool,
    [STAGE_PREDICT] = stage_predict,
};
static_assert(sizeof stage_views / sizeof *stage_views == STAGE_KIND_COUNT, "one view a stage kind");

void stage_draw(const Scene *scene, Rect area, DisplayList *dl) {
    if (!scene->run || area.w < 1 || area.h < 1) return;
    StageView v = {.scene = scene,
                   .run = scene->run,
                   .site = scene_site(scene),
                   .trace = scene->run->trace,
                   .theme = scene_theme(scene),
                   .dl = dl,
                   .stage = scene_stage(scene),
                   .area = area,
                   .from = dl->n,
                   .s = scene->layout.scale,
                   .pad = scene->layout.pad,
                   .head = scene->view->head,
                   .now = scene_now(scene)};
    if (v.head >= v.site->spec.n_heads) v.head = 0;
    v.selected = scene_selection(scene, &v.chosen, v.chosen_index);
    DlGroup group = {.role = ROLE_STAGE,
                     .tensor = v.stage->result,
                     .at = {scene->view->film.stage, -1, -1, -1},
                     .name = dl_store(dl, stage_name(v.stage->kind))};
    dl_group(dl, area, &group);
    Rect strip = rect_cut_right(&v.area, zoom_map_room(scene));
    if (compare_on(scene)) compare_stage(&v);
    else stage_views[v.stage->kind](&v);
    zoom_map_draw(scene, strip, dl);
    stage_lens(&v);
    dl_ungroup(dl);
}
