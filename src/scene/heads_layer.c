/* Which layer of a network is in view, and the ways to others and to all of them. */
#include <math.h>

#include "base/tr.h"
#include "scene/heads_part.h"
#include "scene/now.h"
#include "scene/paint.h"

bool heads_have_layers(const Scene *scene) { return scene->run->n_sites > 1; }

static bool has_kinds(const Run *run) {
    for (int i = 1; i < run->n_sites; i++)
        if (run->sites[i].stack != run->sites[0].stack || run->sites[i].cross != run->sites[0].cross) return true;
    return false;
}

/* "Layer 5 of 12"; of two stacks the site's own title, or in fewer words. */
static const char *title_of(const Scene *scene, bool brief) {
    const Run *run = scene->run;
    const Site *site = scene_site(scene);
    if (!has_kinds(run)) return arena_printf(scene->arena, tr("Layer %d of %d"), site->layer + 1, run->n_sites);
    if (!brief) return site->title;
    const char *format = site->cross ? tr("Decoder %d, cross") : site->stack > 0 ? tr("Decoder %d") : tr("Encoder %d");
    return arena_printf(scene->arena, format, site->layer + 1);
}

/* A quiet square with an arrow; muted at the end of the row. */
static void draw_arrow(const Scene *scene, Rect box, bool next, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Site *site = scene_site(scene), *end = &scene->run->sites[next ? scene->run->n_sites - 1 : 0];
    const char *name = next ? "layer.next" : "layer.back";
    float arm = 4 * scene->layout.scale, x = box.x + box.w / 2, y = box.y + box.h / 2, by = next ? arm / 2 : -arm / 2;
    bool hot = str_eq(scene->view->hot, name) && site != end;
    dl_control(dl, box, ROLE_BUTTON, name, name, next ? tr("Next layer") : tr("Layer before"));
    dl_rect(dl, box, scene->layout.pad, hot ? theme->button_hover : theme->button, COLOR_NONE, 0);
    const DlPoint points[] = {{x - by, y - arm}, {x + by, y}, {x - by, y + arm}};
    dl_path(dl, points, 3, false, COLOR_NONE, site == end ? theme->faint : theme->ink, 1.75f * scene->layout.scale);
    scene_ring(scene, dl, name, box, scene->layout.pad);
    dl_ungroup(dl);
}

static float button_width(const Scene *scene, const char *text) {
    return ceilf(font_width(scene->font, FACE_UI_MEDIUM, scene->layout.type[TYPE_LABEL], text)) + 2.5f * scene->layout.pad;
}

static float title_width(const Scene *scene, bool brief) {
    return ceilf(font_width(scene->font, FACE_UI_SEMIBOLD, scene->layout.type[TYPE_LABEL], title_of(scene, brief))) + 1;
}

/* In one row: ‹ › Layer 5 of 12, All layers. */
float heads_layer_width(const Scene *scene, bool upright) {
    float s = scene->layout.scale, arrows = (2 * 26 + 4) * s;
    if (upright) return fmaxf(fmaxf(arrows, button_width(scene, tr("All layers"))), title_width(scene, true));
    return arrows + 10 * s + title_width(scene, false) + 14 * s + button_width(scene, tr("All layers"));
}

void heads_layer_draw(const Scene *scene, Rect box, bool upright, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale, side = 26 * s;
    const char *text = tr("All layers");
    Rect arrows = box, title = box, all = box;
    if (upright) { /* one below the other */
        float line = fminf(32 * s, box.h / 3), high = fminf(side, line - 3 * s);
        title.h = high;
        arrows = (Rect){box.x, box.y + line, box.w, high};
        all = (Rect){box.x, box.y + 2 * line, fminf(box.w, button_width(scene, text)), high};
    } else {
        arrows.h = title.h = all.h = fminf(side, box.h);
        rect_cut_left(&title, fminf(title.w, 2 * side + 14 * s));
        if (title.w < title_width(scene, false) + 8 * s + button_width(scene, text)) text = tr("All");
        all = rect_cut_right(&title, fminf(button_width(scene, text), title.w));
        rect_cut_right(&title, 8 * s);
    }
    Rect back = {arrows.x, arrows.y, side, arrows.h}, next = {arrows.x + side + 4 * s, arrows.y, side, arrows.h};
    draw_arrow(scene, back, false, dl);
    draw_arrow(scene, next, true, dl);
    dl_label(dl, scene->font, FACE_UI_SEMIBOLD, scene->layout.type[TYPE_LABEL], theme->ink, title, ALIGN_LEFT,
             title_of(scene, title.w < title_width(scene, false)));
    scene_button(scene, dl, all, "layer.all", "overview", text);
}
