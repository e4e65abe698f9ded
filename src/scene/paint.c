#include "scene/paint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scene/look.h"
#include "scene/now.h"

const Theme *scene_theme(const Scene *scene) { return theme_at(scene->view->theme); }

RichStyle scene_style(const Scene *scene, int type, FontFace face, Color color) {
    float size = scene->layout.type[type];
    return (RichStyle){
        .font = scene->font, .theme = scene_theme(scene), .face = face, .size = size, .color = color, .line = roundf(size * 1.5f)};
}

void scene_ring(const Scene *scene, DisplayList *dl, const char *name, Rect box, float radius) {
    if (!scene->view->focus_visible || strcmp(scene->view->focus, name) != 0) return;
    float out = 3 * scene->layout.scale;
    dl_rect(dl, rect_inset(box, -out), radius + out, COLOR_NONE, scene_theme(scene)->accent, 2 * scene->layout.scale);
}

void scene_button(const Scene *scene, DisplayList *dl, Rect box, const char *name, const char *action, const char *label) {
    const Theme *theme = scene_theme(scene);
    float radius = scene->layout.pad;
    dl_control(dl, box, ROLE_BUTTON, name, action, label);
    dl_rect(dl, box, radius, theme->button, COLOR_NONE, 0);
    RichStyle style = scene_style(scene, TYPE_LABEL, FACE_UI_MEDIUM, theme->ink);
    rich_label(dl, &style, rect_inset(box, scene->layout.scale * 3), ALIGN_CENTER, label);
    scene_ring(scene, dl, name, box, radius);
    dl_ungroup(dl);
}

const char *scene_number(const Scene *scene, double value, int decimals) {
    char text[NUM_MAX];
    if (isfinite(value) && fabs(value) >= SCENE_LONG_NUMBER) return scene_short_number(scene, value);
    return arena_strdup(scene->arena, num_fixed(text, value, decimals, NUM_SCREEN));
}

const char *scene_short_number(const Scene *scene, double value) {
    char text[NUM_MAX];
    double size = fabs(value);
    if (!isfinite(value)) return arena_strdup(scene->arena, num_double(text, value, NUM_SCREEN));
    if (size != 0 && (size < 1e-4 || size >= SCENE_LONG_NUMBER)) { /* "−1e9" */
        int exponent = (int)floor(log10(size) + 1e-12);
        double lead = round(size / pow(10, exponent) * 100) / 100;
        if (lead >= 10) lead /= 10, exponent++; /* 999,999,984 is 1e9, not 10e8 */
        return arena_printf(scene->arena, "%s%ge%s%d", value < 0 ? "−" : "", lead, exponent < 0 ? "−" : "", abs(exponent));
    }
    int decimals = 0;
    while (decimals < 4 && fabs(size - round(size * pow(10, decimals)) / pow(10, decimals)) > size * 5e-5) decimals++;
    return arena_strdup(scene->arena, num_fixed(text, value, decimals, NUM_SCREEN));
}

CellScale scene_cell_scale(const Scene *scene, TensorId tensor) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    CellScale scale = {.weight = look_is_weight(t->name), .plain = str_eq(t->name, "mask"), .limit = 1};
    scale.log_scale = scale.weight && scene->view->log_scale;
    if (scale.weight) scale.limit = look_limit(scene, tensor, scene_tensor_head(scene->run, tensor, scene->view->head));
    else if (!scale.plain) scale.limit = matrix_limit(scene->run, tensor);
    return scale;
}

Color scene_cell_color(const Scene *scene, const CellScale *scale, double value) {
    const Theme *theme = scene_theme(scene);
    if (scale->plain || !isfinite(value)) return theme->empty_cell;
    if (!scale->weight) return theme_signed_color(theme, value, scale->limit);
    return theme_weight_color(theme, scene->view->palette, look_shade(scale->log_scale, scale->limit, value));
}

void scene_chip(const Scene *scene, DisplayList *dl, Rect box, const CellScale *scale, double value, int decimals) {
    const Theme *theme = scene_theme(scene);
    Color fill = scene_cell_color(scene, scale, value);
    float radius = fminf(6 * scene->layout.scale, box.h * 0.2f);
    bool faint = color_contrast(fill, theme->panel) < 1.15;
    dl_rect(dl, box, radius, fill, faint ? theme->line : COLOR_NONE, faint ? 1 : 0);
    const char *text = scene_number(scene, value, decimals);
    float size = fminf(scene->layout.type[TYPE_BODY], box.h * 0.64f);
    float width = font_width(scene->font, FACE_MONO, size, text), room = box.w - 8 * scene->layout.scale;
    if (width > room) size *= room / width;
    dl_label(dl, scene->font, FACE_MONO, size, color_ink_on(fill), box, ALIGN_CENTER, text);
}

const char *scene_explain_action(const Scene *scene, TensorId tensor, const int *index) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    return arena_printf(scene->arena, "explain %s", view_index_text(t->id, index, t->rank, ",", scene->arena));
}

Color scene_head_color(const Theme *theme, int head) { return theme->head[head % 4]; }

Color scene_weight_color(const Scene *scene, double weight) {
    TensorId weights = scene_find(scene, "weights");
    CellScale scale = {.weight = true, .log_scale = scene->view->log_scale, .limit = 1};
    if (weights != TENSOR_NONE) scale = scene_cell_scale(scene, weights);
    return scene_cell_color(scene, &scale, weight);
}

void scene_bar(const Scene *scene, DisplayList *dl, Rect track, double share, Color color, float radius) {
    const Theme *theme = scene_theme(scene);
    dl_rect(dl, track, radius, theme->empty_cell, COLOR_NONE, 0);
    if (!(share >= 0.0005)) return; /* written as 0.000 */
    float w = fmaxf((float)fmin(share, 1) * track.w, 2 * scene->layout.scale);
    bool lost = color_contrast(color, theme->empty_cell) < 1.6;
    dl_rect(dl, (Rect){track.x, track.y, w, track.h}, fminf(radius, w / 2), color, lost ? theme->muted : COLOR_NONE, lost ? 1 : 0);
}
