#include "ui/kit.h"

#include <assert.h>
#include <string.h>

bool kit_is_hot(const Kit *kit, const char *name) {
    return kit->hot[0] != '\0' && strcmp(kit->hot, name) == 0;
}

static bool is_focused(const Kit *kit, const char *name) {
    return kit->focus[0] != '\0' && strcmp(kit->focus, name) == 0;
}

void kit_focus_ring(const Kit *kit, const char *name, Rect box, float radius) {
    if (!kit->focus_visible || !is_focused(kit, name)) return;
    Rect ring = rect_inset(box, -3);
    dl_rect(kit->dl, ring, radius + 3, COLOR_NONE, kit->theme->accent, 2);
}

Color kit_edge(const Theme *theme) { return color_mix(theme->muted, theme->line, theme->dark ? 0.5 : 0.25); }

/* ---- buttons ---- */

static const struct {
    FontFace face;
} look_style[] = {
    [LOOK_QUIET] = {FACE_UI_MEDIUM},
    [LOOK_ACCENT] = {FACE_UI_SEMIBOLD},
    [LOOK_BARE] = {FACE_UI_MEDIUM},
};
static_assert(sizeof look_style / sizeof look_style[0] == LOOK_COUNT, "each look has a style");

static Color look_fill(const Kit *kit, KitLook look, bool hot) {
    const Theme *theme = kit->theme;
    if (look == LOOK_ACCENT) return hot ? color_mix(theme->accent, theme->ink, 0.12) : theme->accent;
    if (look == LOOK_BARE) return hot ? theme->button : COLOR_NONE;
    return hot ? theme->button_hover : theme->button;
}

static Color look_ink(const Kit *kit, KitLook look) {
    return look == LOOK_ACCENT ? kit->theme->on_accent : kit->theme->ink;
}

float kit_button_width(const Kit *kit, const char *text) {
    return font_width(kit->font, FACE_UI_SEMIBOLD, kit->type[KIT_LABEL], text) + 4 * kit->pad;
}

void kit_button(const Kit *kit, Rect box, const char *name, const char *action, const char *text, KitLook look) {
    dl_control(kit->dl, box, ROLE_BUTTON, name, action, text);
    dl_rect(kit->dl, box, 8, look_fill(kit, look, kit_is_hot(kit, name)), COLOR_NONE, 0);
    dl_label(kit->dl, kit->font, look_style[look].face, kit->type[KIT_LABEL], look_ink(kit, look), box, ALIGN_CENTER, text);
    kit_focus_ring(kit, name, box, 8);
    dl_ungroup(kit->dl);
}

void kit_icon_button(const Kit *kit, Rect box, const char *name, const char *action, const char *label, KitIcon icon,
                     KitLook look) {
    float radius = look == LOOK_BARE ? 8 : box.h / 2;
    dl_control(kit->dl, box, ROLE_BUTTON, name, action, label);
    dl_rect(kit->dl, box, radius, look_fill(kit, look, kit_is_hot(kit, name)), COLOR_NONE, 0);
    kit_icon(kit, rect_inset(box, box.h * 0.3f), icon, look_ink(kit, look));
    kit_focus_ring(kit, name, box, radius);
    dl_ungroup(kit->dl);
}

/* ---- chips ---- */

float kit_chip_width(const Kit *kit, const KitChip *chip) {
    float size = kit->type[KIT_LABEL], width = 3 * kit->pad;
    if (chip->title) width += font_width(kit->font, FACE_UI, size, chip->title);
    if (chip->value) width += font_width(kit->font, FACE_UI_SEMIBOLD, size, chip->value);
    if (chip->title && chip->value) width += 0.75f * kit->pad;
    if (chip->detail) width += font_width(kit->font, FACE_UI, size, chip->detail) + 0.75f * kit->pad;
    if (!chip->title && !chip->value) width += size;
    return width;
}

void kit_chip(const Kit *kit, Rect box, const KitChip *chip) {
    bool hot = kit_is_hot(kit, chip->name) || chip->open;
    float size = kit->type[KIT_LABEL];
    Color quiet = hot ? color_mix(kit->theme->muted, kit->theme->ink, 0.4) : kit->theme->muted;
    dl_control(kit->dl, box, ROLE_BUTTON, chip->name, chip->action, chip->label);
    dl_rect(kit->dl, box, box.h / 2, hot ? kit->theme->button_hover : kit->theme->button, COLOR_NONE, 0);
    Rect inside = {box.x + 1.5f * kit->pad, box.y, box.w - 3 * kit->pad, box.h};
    if (!chip->title && !chip->value) kit_icon(kit, (Rect){inside.x, box.y + (box.h - size) / 2, inside.w, size}, chip->icon, kit->theme->ink);
    if (chip->title) {
        float used = dl_label(kit->dl, kit->font, FACE_UI, size, quiet, inside, ALIGN_LEFT, chip->title);
        rect_cut_left(&inside, used + 0.75f * kit->pad);
    }
    /* one unit of slack: rounding must not cut a text that fits */
    inside.w += 1;
    if (chip->value) {
        float used = dl_label(kit->dl, kit->font, FACE_UI_SEMIBOLD, size, chip->value_color, inside, ALIGN_LEFT, chip->value);
        rect_cut_left(&inside, used + 0.75f * kit->pad);
    }
    if (chip->detail) dl_label(kit->dl, kit->font, FACE_UI, size, quiet, inside, ALIGN_LEFT, chip->detail);
    kit_focus_ring(kit, chip->name, box, box.h / 2);
    dl_ungroup(kit->dl);
}

/* ---- slider ---- */

double kit_slider_fraction(float pad, Rect box, float x) {
    float knob = pad, span = box.w - 2 * knob;
    if (span <= 0) return 0;
    double t = (double)((x - box.x - knob) / span);
    return t < 0 ? 0 : t > 1 ? 1 : t;
}

void kit_slider(const Kit *kit, Rect box, const char *name, const char *action, const char *label, double fraction) {
    const Theme *theme = kit->theme;
    float knob = kit->pad, span = box.w - 2 * knob, middle = box.y + box.h / 2, track = 0.625f * kit->pad;
    float x = box.x + knob + span * (float)fraction;
    bool hot = kit_is_hot(kit, name);
    dl_control(kit->dl, box, ROLE_SLIDER, name, action, label);
    /* the track ends under the knob at both ends */
    Rect line = {box.x + knob - track / 2, middle - track / 2, span + track, track};
    dl_rect(kit->dl, line, track / 2, kit_edge(theme), COLOR_NONE, 0);
    line.w = x - line.x;
    if (line.w > track) dl_rect(kit->dl, line, track / 2, theme->accent, COLOR_NONE, 0);
    float radius = hot ? knob * 1.05f : knob * 0.9f;
    dl_rect(kit->dl, (Rect){x - radius, middle - radius, 2 * radius, 2 * radius}, radius, theme->accent, theme->panel, 2);
    kit_focus_ring(kit, name, (Rect){x - radius, middle - radius, 2 * radius, 2 * radius}, radius);
    dl_ungroup(kit->dl);
}

/* ---- sheets ---- */

void kit_scrim(const Kit *kit, Rect window, double dim, const char *action) {
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(kit->dl, "scrim"),
                     .action = dl_store(kit->dl, action)};
    dl_group(kit->dl, window, &group);
    if (dim > 0) dl_rect(kit->dl, window, 0, color_alpha(0x000000FF, dim), COLOR_NONE, 0);
    dl_ungroup(kit->dl);
}

void kit_sheet(const Kit *kit, Rect box, float radius, const char *name, const char *label) {
    static const struct { float grow, drop, alpha; } shadow[] = {{12, 8, 0.015f}, {7, 5, 0.025f}, {3, 2, 0.035f}, {1, 1, 0.04f}};
    for (int i = 0; i < 4; i++) {
        Rect around = rect_inset(box, -shadow[i].grow);
        around.y += shadow[i].drop;
        dl_rect(kit->dl, around, radius + shadow[i].grow, color_alpha(0x000000FF, (double)shadow[i].alpha * (kit->theme->dark ? 3 : 1)),
                COLOR_NONE, 0);
    }
    DlGroup group = {.role = ROLE_DIALOG, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(kit->dl, name),
                     .label = dl_store(kit->dl, label)};
    dl_group(kit->dl, box, &group);
    dl_rect(kit->dl, box, radius, kit->theme->panel, kit->theme->line, 1);
    dl_ungroup(kit->dl);
}
