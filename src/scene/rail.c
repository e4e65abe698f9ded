#include "scene/rail.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/tr.h"
#include "doc/film.h"
#include "scene/paint.h"

static const char *const titles[] = {
    [STAGE_EMBED] = tr_mark("Embed"),
    [STAGE_PROJECT] = tr_mark("Project"),
    [STAGE_SCORES] = tr_mark("Scores"),
    [STAGE_SCALE] = tr_mark("Scale"),
    [STAGE_MASK] = tr_mark("Mask"),
    [STAGE_SOFTMAX] = tr_mark("Softmax"),
    [STAGE_WEIGHTED_SUM] = tr_mark("Weighted sum"),
    [STAGE_CONCAT] = tr_mark("Concat"),
    [STAGE_OUTPUT] = tr_mark("Output"),
};
static_assert(sizeof titles / sizeof *titles == STAGE_ATTENTION_COUNT, "one title a stage kind");

const char *stage_title(StageKind kind) { return tr(titles[kind]); }

typedef struct {
    float pitch, x0, circle_y, label_y, label_h;
    int first, count, now;
    bool names; /* there is room for all names */
} Rail;

/* Stations of the scope that the film is in. */
static Rail measure(const Scene *scene) {
    const Trace *trace = scene->run->trace;
    const Layout *l = &scene->layout;
    Rail rail = {.now = scene->view->film.stage};
    rail.first = rail.now / STAGE_ATTENTION_COUNT * STAGE_ATTENTION_COUNT;
    rail.count = trace_stage_count(trace) - rail.first;
    if (rail.count > STAGE_ATTENTION_COUNT) rail.count = STAGE_ATTENTION_COUNT;
    rail.pitch = l->rail.w / (float)rail.count;
    rail.x0 = l->rail.x + rail.pitch / 2;
    rail.circle_y = l->rail.y + (l->low ? 20 : 37) * l->scale;
    rail.label_y = l->rail.y + (l->low ? 37 : 54) * l->scale;
    rail.label_h = 22 * l->scale;
    rail.names = true;
    for (int i = 0; i < rail.count; i++) {
        const char *title = stage_title(trace_stage(trace, rail.first + i)->kind);
        if (font_width(scene->font, FACE_UI_SEMIBOLD, l->type[TYPE_LABEL], title) > rail.pitch - l->pad) rail.names = false;
    }
    return rail;
}

static void draw_line(const Scene *scene, const Rail *rail, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float thick = 3 * scene->layout.scale, half = thick / 2;
    float end = rail->x0 + rail->pitch * (float)(rail->count - 1), here = rail->x0 + rail->pitch * (float)(rail->now - rail->first);
    int steps = film_steps(scene->run->trace, rail->now);
    float part = (float)fmin(1, scene->view->film.position / fmax(1, steps));
    dl_rect(dl, (Rect){rail->x0, rail->circle_y - half, end - rail->x0, thick}, half, theme->line, COLOR_NONE, 0);
    if (here > rail->x0) dl_rect(dl, (Rect){rail->x0, rail->circle_y - half, here - rail->x0, thick}, half, theme->accent, COLOR_NONE, 0);
    if (part > 0 && here < end)
        dl_rect(dl, (Rect){here, rail->circle_y - half, rail->pitch * part, thick}, half, color_mix(theme->line, theme->accent, 0.55),
                COLOR_NONE, 0);
}

static void draw_station(const Scene *scene, const Rail *rail, int i, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    const Layout *l = &scene->layout;
    int stage = rail->first + i;
    bool here = stage == rail->now, done = stage < rail->now;
    float x = rail->x0 + rail->pitch * (float)i, r = (here ? 14 : 10) * l->scale;
    char name[24], action[24], digit[16];
    snprintf(name, sizeof name, "rail.%d", i + 1);
    snprintf(action, sizeof action, "stage %d", stage + 1);
    snprintf(digit, sizeof digit, "%d", i + 1);
    const char *title = stage_title(trace_stage(scene->run->trace, stage)->kind);
    float half = fminf(rail->pitch / 2, 64 * l->scale);
    Rect box = {x - half, rail->circle_y - 18 * l->scale, 2 * half, rail->label_y + rail->label_h - rail->circle_y + 18 * l->scale};
    Rect circle = {x - r, rail->circle_y - r, 2 * r, 2 * r};
    dl_control(dl, box, ROLE_BUTTON, name, action, title);
    bool filled = here || done;
    dl_rect(dl, circle, r, filled ? theme->accent : theme->panel, filled ? COLOR_NONE : theme->line, filled ? 0 : 2 * l->scale);
    float size = here ? l->type[TYPE_BODY] : l->type[TYPE_SMALL];
    dl_label(dl, scene->font, FACE_UI_BOLD, size, filled ? theme->on_accent : theme->muted, circle, ALIGN_CENTER, digit);
    if (rail->names || here) {
        FontFace face = here ? FACE_UI_SEMIBOLD : FACE_UI;
        float wide = font_width(scene->font, face, l->type[TYPE_LABEL], title) + 1, end = l->rail.x + l->rail.w;
        Rect label = {fmaxf(l->rail.x, fminf(x - wide / 2, end - wide)), rail->label_y, wide, rail->label_h};
        dl_label(dl, scene->font, face, l->type[TYPE_LABEL], here ? theme->ink : theme->muted, label, ALIGN_CENTER, title);
    }
    scene_ring(scene, dl, name, circle, r);
    dl_ungroup(dl);
}

void rail_draw(const Scene *scene, DisplayList *dl) {
    Rail rail = measure(scene);
    draw_line(scene, &rail, dl);
    for (int i = 0; i < rail.count; i++) draw_station(scene, &rail, i, dl);
}
