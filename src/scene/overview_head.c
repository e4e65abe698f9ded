/* Above the grid: what it is, what its colours mean, and the measures by which it can be sorted. */
#include <math.h>

#include "base/tr.h"
#include "scene/legend.h"
#include "scene/overview_part.h"

/* ---- title and scale ---- */

static const char *most_text(const Overview *o, double limit, const char *most) {
    if (most) return most;
    return limit < 1 ? scene_number(o->scene, limit, limit < 0.1 ? 3 : 2) : scene_short_number(o->scene, limit);
}

/* "weight 0 ▭ 1" at the right. */
static float scale_width(const Overview *o, const char *name, const char *most) {
    const FontMetrics *font = o->scene->font;
    float size = o->scene->layout.type[TYPE_SMALL];
    return 96 * o->s + ceilf(font_width(font, FACE_UI, size, name)) + ceilf(font_width(font, FACE_MONO, size, "0")) +
           ceilf(font_width(font, FACE_MONO, size, most)) + 3 * o->pad;
}

float overview_scale_width(const Overview *o, const char *name, double limit) { return scale_width(o, name, most_text(o, limit, NULL)); }

float overview_scale(const Overview *o, Rect row, const char *name, double limit, const char *most) {
    const CellScale weights = {.weight = true, .limit = 1};
    const FontMetrics *font = o->scene->font;
    float size = o->scene->layout.type[TYPE_SMALL];
    most = most_text(o, limit, most);
    Rect rest = row;
    overview_text(o, TYPE_SMALL, FACE_MONO, o->theme->muted, rect_cut_right(&rest, ceilf(font_width(font, FACE_MONO, size, most)) + o->pad), ALIGN_RIGHT, most);
    Rect bar = rect_cut_right(&rest, 96 * o->s);
    legend_scale_flat(o->scene, &weights, (Rect){bar.x, bar.y + (bar.h - 10 * o->s) / 2, bar.w, 10 * o->s}, o->dl);
    overview_text(o, TYPE_SMALL, FACE_MONO, o->theme->muted, rect_cut_right(&rest, ceilf(font_width(font, FACE_MONO, size, "0")) + o->pad), ALIGN_LEFT, "0");
    overview_text(o, TYPE_SMALL, FACE_UI, o->theme->muted, rect_cut_right(&rest, ceilf(font_width(font, FACE_UI, size, name)) + o->pad), ALIGN_LEFT, name);
    return scale_width(o, name, most);
}

/* What the colours of the small maps are, in as many words as there is room for. Returns the width. */
static float draw_scale(const Overview *o, Rect row) {
    bool weights = o->scene->view->aggregate != AGGREGATE_LENGTH;
    const char *one[] = {weights ? tr("weight") : tr("small maps: weight"), tr("weight"), ""};
    const char *own[] = {tr("each map by itself: 0 to the largest in its lower half, not column 1"), tr("each map by itself"), tr("each map")};
    for (int i = 0; i < 3; i++) {
        const char *name = o->own_scales ? own[i] : one[i], *most = o->own_scales ? (i == 0 ? "max" : tr("its largest")) : "1";
        if (scale_width(o, name, most) <= row.w) return overview_scale(o, row, name, 1, most);
    }
    return 0;
}

static float draw_title(const Overview *o, Rect area) {
    const Layout *l = &o->scene->layout;
    bool low = area.h < 400 * o->s;
    int type = low ? TYPE_TITLE : TYPE_HEAD;
    RichStyle style = scene_style(o->scene, type, FACE_UI_BOLD, o->theme->ink), small = scene_style(o->scene, TYPE_BODY, FACE_UI, o->theme->muted);
    const char *title = overview_heading(o), *detail = tr("click a map to step through it");
    float high = ceilf(style.size * 1.1f), baseline = area.y + style.size * 0.8f, title_w = rich_width(&style, title);
    float both_w = title_w + 2 * l->pad + rich_width(&small, detail), used = o->own_scales ? both_w : title_w;
    if (area.w - used < scale_width(o, tr("each map"), tr("its largest")) + 2 * l->pad) used = title_w;
    used += 2 * l->pad;
    float scale_w = draw_scale(o, (Rect){area.x + used, area.y, fmaxf(0, area.w - used), high});
    rich_line(o->dl, &style, area.x, baseline, title);
    if (both_w <= area.w - scale_w - 2 * l->pad)
        rich_line(o->dl, &small, area.x + title_w + 2 * l->pad, baseline, detail);
    return high + l->pad;
}

/* ---- measures ---- */

typedef struct {
    const char *name, *action, *label, *text;
    bool on;
} Chip;

enum { CHIPS_MAX = MEASURE_COUNT + 1 };

static int find_chips(const Overview *o, bool brief, Chip chips[CHIPS_MAX]) {
    Arena *arena = o->scene->arena;
    int n = 0, sort = overview_sort(o);
    chips[n++] = (Chip){"overview.sort.none", "sort none", tr("Layer by layer"), tr("layer"), sort < 0};
    for (int m = 0; m < MEASURE_COUNT; m++) {
        if (!overview_has_measure(o, (Measure)m)) continue;
        const char *word = overview_sort_names[m];
        chips[n++] = (Chip){arena_printf(arena, "overview.sort.%s", word), arena_printf(arena, "sort %s", word),
                            arena_printf(arena, tr("%s: %s"), overview_measure_name((Measure)m), tr(measure_formulas[m])),
                            brief ? tr(word) : overview_measure_name((Measure)m), sort == m};
    }
    return n;
}

static float chip_width(const Overview *o, const Chip *chip, int type) {
    return ceilf(font_width(o->scene->font, FACE_UI_MEDIUM, o->scene->layout.type[type], chip->text)) + (type == TYPE_SMALL ? 1.5f : 2.5f) * o->pad;
}

void overview_chip(const Overview *o, Rect box, int type, const char *name, const char *action, const char *label, const char *text, bool on) {
    bool hot = str_eq(o->scene->view->hot, name);
    dl_control(o->dl, box, ROLE_BUTTON, name, action, label);
    Color fill = on ? o->theme->panel : hot ? o->theme->button_hover : o->theme->button;
    dl_rect(o->dl, box, o->pad, fill, on ? o->theme->accent : COLOR_NONE, on ? 2 * o->s : 0);
    overview_text(o, type, FACE_UI_MEDIUM, o->theme->ink, box, ALIGN_CENTER, text);
    scene_ring(o->scene, o->dl, name, box, o->pad);
    dl_ungroup(o->dl);
}

static float chips_width(const Overview *o, const Chip *chips, int n, int type) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += chip_width(o, &chips[i], type) + 0.75f * o->pad;
    return sum;
}

/* In one row, with shorter words and smaller where it must be, then in several. */
static float draw_chips(const Overview *o, Rect area) {
    Chip chips[CHIPS_MAX];
    int type = TYPE_LABEL, n = find_chips(o, false, chips);
    const char *title = tr("Sort by");
    float title_w = ceilf(font_width(o->scene->font, FACE_UI, o->scene->layout.type[TYPE_LABEL], title)) + 1.5f * o->pad;
    if (title_w + chips_width(o, chips, n, type) > area.w) n = find_chips(o, true, chips);
    if (title_w + chips_width(o, chips, n, type) > area.w) type = TYPE_SMALL;
    if (title_w + chips_width(o, chips, n, type) > area.w) title_w = 0;
    float high = ceilf(o->scene->layout.type[type] * 2), x = area.x + title_w, y = area.y;
    if (title_w > 0) overview_text(o, TYPE_LABEL, FACE_UI, o->theme->muted, (Rect){area.x, y, title_w, high}, ALIGN_LEFT, title);
    for (int i = 0; i < n; i++) {
        float w = chip_width(o, &chips[i], type);
        if (x > area.x && x + w > area.x + area.w) {
            x = area.x;
            y += high + o->pad / 2;
        }
        overview_chip(o, (Rect){x, y, w, high}, type, chips[i].name, chips[i].action, chips[i].label, chips[i].text, chips[i].on);
        x += w + 0.75f * o->pad;
    }
    return y + high - area.y + o->pad;
}

/* "entropy: mean of … · smallest first · layer 5, head 8: 0.43" */
static float draw_formula(const Overview *o, Rect area) {
    int sort = overview_sort(o);
    if (sort < 0) return 0;
    Arena *arena = o->scene->arena;
    double value = overview_measure(o, o->shown_site, o->shown_head, (Measure)sort);
    const char *order = sort == MEASURE_ENTROPY ? tr("smallest first") : tr("largest first");
    const char *what = arena_printf(arena, "%s = %s · %s", overview_measure_name((Measure)sort), tr(measure_formulas[sort]), order);
    const char *here = arena_printf(arena, tr("%s: %s"), overview_name(o, o->shown_site, o->shown_head), scene_number(o->scene, value, 3));
    Rect row = {area.x, area.y, area.w, 1.5f * o->scene->layout.type[TYPE_LABEL]};
    float here_w = ceilf(font_width(o->scene->font, FACE_UI_MEDIUM, o->scene->layout.type[TYPE_LABEL], here)) + 1;
    if (here_w < 0.5f * row.w) overview_text(o, TYPE_LABEL, FACE_UI_MEDIUM, o->theme->ink, rect_cut_right(&row, here_w), ALIGN_RIGHT, here);
    row.w -= o->pad;
    overview_text(o, TYPE_LABEL, FACE_UI, o->theme->muted, row, ALIGN_LEFT, what);
    return row.h + o->pad / 2;
}

float overview_head(const Overview *o, Rect area) {
    Rect rest = area;
    rect_cut_top(&rest, draw_title(o, rest));
    rect_cut_top(&rest, draw_chips(o, rest));
    rect_cut_top(&rest, draw_formula(o, rest));
    return area.h - rest.h + o->pad / 2;
}
