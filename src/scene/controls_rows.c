/* The small controls of the settings panel: chips, switches, a slider, steppers. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "scene/controls_part.h"
#include "scene/now.h"

enum { CHIPS_MAX = 16, CHIP_PAD = 8, CHIP_LEAST = 26 };

const char *controls_name(const Controls *c, SettingKind kind, int n) {
    return arena_printf(c->scene->arena, "controls.%s.%d", setting_table[kind].name, n);
}

static RichStyle chip_style(const Controls *c, Color color) { return scene_style(c->scene, TYPE_LABEL, FACE_UI_MEDIUM, color); }

static float chip_width(const Controls *c, const ControlsChip *chip) {
    RichStyle style = chip_style(c, 0);
    return ceilf(fmaxf(CHIP_LEAST * c->s, rich_width(&style, chip->text) + 2 * CHIP_PAD * c->s));
}

/* A button as high as its row has room for. */
static void chip(const Controls *c, const char *name, Rect box, const ControlsChip *chip) {
    const Theme *theme = c->theme;
    bool hot = strcmp(c->scene->view->hot, name) == 0;
    RichStyle style = chip_style(c, chip->on ? theme->on_accent : theme->ink);
    dl_control(c->dl, box, chip->field ? ROLE_ITEM : ROLE_BUTTON, name, chip->action, chip->tip ? chip->tip : rich_plain(c->scene->arena, chip->text));
    dl_rect(c->dl, box, 6 * c->s, chip->on ? theme->accent : theme->button, hot ? theme->muted : COLOR_NONE, hot ? 1 : 0);
    rich_label(c->dl, &style, rect_inset(box, 2 * c->s), ALIGN_CENTER, chip->text);
    scene_ring(c->scene, c->dl, name, box, 6 * c->s);
    dl_ungroup(c->dl);
}

static Rect band(const Controls *c, Rect row) {
    float high = fminf(row.h - 4 * c->s, 26 * c->s);
    return (Rect){row.x, row.y + (row.h - high) / 2, row.w, high};
}

void controls_chips(const Controls *c, SettingKind kind, Rect box, const ControlsChip *chips, int n) {
    float wide = 0;
    int first = 0, on = 0, end = n;
    for (int i = 0; i < n; i++) {
        wide += chip_width(c, &chips[i]) + 1;
        if (chips[i].on) on = i;
    }
    while (wide > box.w && end - first > 1) {
        bool front = on - first > end - 1 - on;
        wide -= chip_width(c, &chips[front ? first++ : --end]) + 1;
    }
    Rect in = band(c, box);
    float x = box.x + box.w - wide;
    for (int i = first; i < end; i++) {
        float w = chip_width(c, &chips[i]);
        chip(c, controls_name(c, kind, i + 1), (Rect){x, in.y, w, in.h}, &chips[i]);
        x += w + 1;
    }
}

/* As the kit's. */
void controls_slider(const Controls *c, SettingKind kind, Rect box, const char *action, const char *label, double fraction) {
    const char *name = controls_name(c, kind, 1);
    const Theme *theme = c->theme;
    bool hot = strcmp(c->scene->view->hot, name) == 0;
    float knob = c->pad, span = box.w - 2 * knob, middle = box.y + box.h / 2, track = 0.625f * c->pad;
    float x = box.x + knob + span * (float)fraction, radius = knob * (hot ? 0.95f : 0.85f), one = box.x + knob + span / 2;
    dl_control(c->dl, box, ROLE_SLIDER, name, action, label);
    Rect line = {box.x + knob - track / 2, middle - track / 2, span + track, track};
    dl_rect(c->dl, line, track / 2, theme->muted, COLOR_NONE, 0);
    dl_line(c->dl, one, middle - 1.6f * track, one, middle + 1.6f * track, theme->muted, 2 * c->s); /* 1 */
    Rect knob_box = {x - radius, middle - radius, 2 * radius, 2 * radius};
    dl_rect(c->dl, knob_box, radius, theme->accent, theme->panel, 2);
    scene_ring(c->scene, c->dl, name, knob_box, radius);
    dl_ungroup(c->dl);
}

/* ---- each setting's own ---- */

static const AttentionSpec *spec_of(const Controls *c) { return &scene_site(c->scene)->spec; }

static void put_scale(const Controls *c, Rect box) {
    const Doc *doc = c->scene->doc;
    bool number = doc->scale == SCALE_NUMBER;
    const char *text = number ? arena_printf(c->scene->arena, "× %s", scene_short_number(c->scene, doc->scale_number)) : "× …";
    controls_chips(c, SETTING_SCALE, box,
                   (const ControlsChip[]){{"÷ √dₖ", "scale auto", tr("Divide by √dₖ"), doc->scale == SCALE_AUTO, false},
                                          {tr("off"), "scale none", tr("Do not scale"), doc->scale == SCALE_NONE, false},
                                          {text, "=actions scale ", tr("Multiply by a number of your own"), number, true}},
                   3);
}

static void put_temperature(const Controls *c, Rect box) {
    double t = c->scene->doc->temperature;
    ControlsChip field = {scene_short_number(c->scene, t), "=actions temperature ", tr("Type a temperature"), false, true};
    float wide = fmaxf(chip_width(c, &field), chip_width(c, &(ControlsChip){.text = "00.00"})); /* the slider keeps its length */
    Rect in = band(c, box), value = rect_cut_right(&in, wide);
    rect_cut_right(&in, c->pad / 2);
    rect_cut_left(&in, fmaxf(0, in.w - 220 * c->s));
    controls_slider(c, SETTING_TEMPERATURE, in, "temperature.at", tr("Temperature, from 0.1 to 10"), setting_temperature_fraction(t));
    chip(c, controls_name(c, SETTING_TEMPERATURE, 2), value, &field);
}

static int value_of(const Controls *c, SettingKind kind) {
    const AttentionSpec *s = spec_of(c);
    return kind == SETTING_HEADS ? s->n_heads : kind == SETTING_KV_HEADS ? s->n_kv_heads : s->d_k;
}

static void put_numbers(const Controls *c, SettingKind kind, Rect box) {
    int list[CHIPS_MAX], now = value_of(c, kind), n = setting_choices(c->scene->doc, c->scene->run, kind, CHIPS_MAX - 1, list), at = 0;
    ControlsChip chips[CHIPS_MAX];
    while (at < n && list[at] < now) at++;
    if (at == n || list[at] != now) { /* one that is not among the usual ones */
        memmove(list + at + 1, list + at, (size_t)(n - at) * sizeof *list);
        list[at] = now;
        n++;
    }
    for (int i = 0; i < n; i++) {
        const char *text = arena_printf(c->scene->arena, "%d", list[i]);
        chips[i] = (ControlsChip){text, arena_printf(c->scene->arena, "%s %s", setting_table[kind].name, text), NULL, i == at, false};
    }
    controls_chips(c, kind, box, chips, n);
}

static void put_position(const Controls *c, Rect box) {
    const char *text = arena_printf(c->scene->arena, "%s ▾", controls_value(c, SETTING_POSITION));
    controls_chips(c, SETTING_POSITION, box, (const ControlsChip[]){{text, "menu position", tr("How the place of a token enters"), false, false}}, 1);
}

static void put_switch(const Controls *c, SettingKind kind, Rect box, bool on) {
    const char *name = setting_table[kind].name;
    controls_chips(c, kind, box,
                   (const ControlsChip[]){{tr("off"), arena_printf(c->scene->arena, "%s off", name), NULL, !on, false},
                                          {tr("on"), arena_printf(c->scene->arena, "%s on", name), NULL, on, false}},
                   2);
}

static void put_seed(const Controls *c, Rect box) {
    Arena *arena = c->scene->arena;
    unsigned long long seed = c->scene->doc->seed;
    uint64_t state = seed;
    unsigned long long other = 1 + (unsigned long long)(random_unit(&state) * 9999);
    controls_chips(c, SETTING_SEED, box,
                   (const ControlsChip[]){{"−", arena_printf(arena, "seed %llu", seed > 0 ? seed - 1 : 0), tr("The seed before"), false, false},
                                          {arena_printf(arena, "%llu", seed), "=actions seed ", tr("Type a seed"), false, true},
                                          {"+", arena_printf(arena, "seed %llu", seed + 1), tr("The next seed"), false, false},
                                          {tr("another"), arena_printf(arena, "seed %llu", other == seed ? other + 1 : other), tr("Any other seed"), false, false}},
                   4);
}

void controls_widget(const Controls *c, SettingKind kind, Rect box) {
    switch (kind) {
    case SETTING_SCALE: put_scale(c, box); break;
    case SETTING_TEMPERATURE: put_temperature(c, box); break;
    case SETTING_HEADS:
    case SETTING_KV_HEADS:
    case SETTING_D_K: put_numbers(c, kind, box); break;
    case SETTING_POSITION: put_position(c, box); break;
    case SETTING_TIE: put_switch(c, kind, box, spec_of(c)->tie_qk); break;
    case SETTING_PROJECTIONS: put_switch(c, kind, box, c->scene->doc->projections == PROJ_LINEAR); break;
    case SETTING_OUT_PROJ: put_switch(c, kind, box, spec_of(c)->out_proj); break;
    case SETTING_SEED: put_seed(c, box); break;
    case SETTING_COUNT: break;
    }
}

const char *controls_value(const Controls *c, SettingKind kind) {
    const AttentionSpec *s = spec_of(c);
    const Doc *doc = c->scene->doc;
    Arena *arena = c->scene->arena;
    switch (kind) {
    case SETTING_SCALE: return arena_printf(arena, "× %s", scene_short_number(c->scene, attention_scale(s) * (s->temperature > 0 ? s->temperature : 1)));
    case SETTING_TEMPERATURE: return scene_short_number(c->scene, s->temperature > 0 ? s->temperature : 1);
    case SETTING_HEADS:
    case SETTING_KV_HEADS:
    case SETTING_D_K: return value_of(c, kind) > 0 ? arena_printf(arena, "%d", value_of(c, kind)) : "–";
    case SETTING_POSITION:
        if (doc->model == MODEL_FOLDER) return tr("its own");
        return s->position.kind == POSITION_GIVEN ? tr("Built-in") : position_title(s->position.kind);
    case SETTING_TIE: return s->tie_qk || s->proj == PROJ_NONE ? tr("on") : tr("off");
    case SETTING_PROJECTIONS: return s->proj == PROJ_LINEAR ? tr("on") : tr("off");
    case SETTING_OUT_PROJ: return s->out_proj ? tr("on") : tr("off");
    case SETTING_SEED: return "–";
    case SETTING_COUNT: break;
    }
    return "";
}

/* ---- parameters of positions ---- */

static bool is_rope(PositionKind kind) { return kind == POSITION_ROPE_HALF || kind == POSITION_ROPE_INTERLEAVED; }

int controls_more_rows(const Controls *c, SettingKind kind) {
    PositionKind is = spec_of(c)->position.kind;
    if (kind != SETTING_POSITION || c->scene->doc->model == MODEL_FOLDER) return 0;
    return is_rope(is) || is == POSITION_SINUSOIDAL || is == POSITION_ALIBI ? 1 : 0;
}

static const char *rope_line(const Controls *c, double theta) {
    const PositionSpec *p = &c->scene->doc->position;
    const char *dim = p->rope_dim > 0 ? arena_printf(c->scene->arena, ", dim: %d", p->rope_dim) : "";
    return arena_printf(c->scene->arena, "set position \"{kind: %s%s, theta: %.17g, offset: %d}\"", position_names[p->kind], dim, theta, p->rope_offset);
}

/* "1/4  1/16  1/64  1/256" */
static const char *slopes_text(const Controls *c) {
    const AttentionSpec *s = spec_of(c);
    StrBuf sb;
    sb_init(&sb, c->scene->arena);
    for (int h = 0; h < s->n_heads && h < 4; h++) {
        double slope = s->position.slopes && h < s->position.n_slopes ? s->position.slopes[h] : position_alibi_slope(h, s->n_heads);
        bool unit = slope > 0 && fabs(1 / slope - round(1 / slope)) < 1e-9 && slope < 1;
        sb_printf(&sb, unit ? "%s1/%s" : "%s%s", h ? "  " : "", scene_short_number(c->scene, unit ? 1 / slope : slope));
    }
    if (s->n_heads > 4) sb_add(&sb, " …");
    return sb.data;
}

void controls_more(const Controls *c, SettingKind kind, Rect row) {
    const PositionSpec *p = &spec_of(c)->position;
    const FontMetrics *font = c->scene->font;
    float size = c->scene->layout.type[TYPE_LABEL];
    const char *title = p->kind == POSITION_ALIBI ? tr("slope of each head") : tr("base");
    rect_cut_left(&row, 2 * c->pad);
    dl_label(c->dl, font, FACE_UI, size, c->theme->muted, row, ALIGN_LEFT, title);
    rect_cut_left(&row, font_width(font, FACE_UI, size, title) + c->pad);
    if (!is_rope(p->kind)) {
        dl_label(c->dl, font, FACE_MONO, size, c->theme->muted, row, ALIGN_RIGHT, p->kind == POSITION_ALIBI ? slopes_text(c) : "10000");
        return;
    }
    static const double bases[] = {100, 1000, 10000, 500000};
    double theta = p->rope_theta > 0 ? p->rope_theta : 10000;
    ControlsChip chips[4];
    for (int i = 0; i < 4; i++)
        chips[i] = (ControlsChip){scene_short_number(c->scene, bases[i]), rope_line(c, bases[i]), tr("Base of the angles of RoPE"), theta == bases[i], false};
    Controls more = *c;
    Rect in = band(c, row);
    float x = row.x + row.w;
    for (int i = 3; i >= 0 && x - chip_width(c, &chips[i]) >= row.x; i--) {
        float w = chip_width(c, &chips[i]);
        x -= w + 1;
        chip(&more, controls_name(c, kind, 10 + i), (Rect){x, in.y, w, in.h}, &chips[i]);
    }
}
