#include "scene/controls.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "doc/film.h"
#include "scene/controls_part.h"
#include "scene/now.h"
#include "scene/rail.h"
#include "scene/reading.h"

enum { ROW_MOST = 36, ROW_LEAST = 20, LOW_BELOW = 500, ROWS_FIRST = 6, TWO_COLUMNS = 500 };

bool controls_on(const Scene *scene) { return scene->view->controls && !scene->view->presenting; }

/* ---- which setting is explained ---- */

/* The setting of a control's name: "controls.scale.2", or -1. */
static int setting_of(const char *name) {
    for (int i = 0; i < SETTING_COUNT && str_starts(name, "controls."); i++) {
        size_t length = strlen(setting_table[i].name);
        if (strncmp(name + 9, setting_table[i].name, length) == 0 && (name[9 + length] == '.' || !name[9 + length])) return i;
    }
    return -1;
}

/* With the focus of the keyboard, else under the pointer, else changed last. */
static int find_in_view(const View *view) {
    int kind = view->focus_visible ? setting_of(view->focus) : -1;
    if (kind < 0) kind = setting_of(view->hot);
    return kind < 0 ? setting_find(view->control) : kind;
}

static const char *why_fixed(const Controls *c, SettingKind kind) {
    return setting_fixed(c->scene->doc, c->scene->run, c->scene->view->film.stage, kind, c->scene->arena);
}

/* ---- parts ---- */

static void draw_title(Controls *c) {
    Rect line = rect_cut_top(&c->inner, ceilf(c->scene->layout.type[TYPE_TITLE] * 1.3f));
    dl_label(c->dl, c->scene->font, FACE_UI_SEMIBOLD, c->scene->layout.type[TYPE_TITLE], c->theme->ink, line, ALIGN_LEFT, tr("Settings"));
    if (c->scene->layout.drawer) return; /* it has a control of its own that closes it */
    Rect close = {line.x + line.w - 24 * c->s, line.y, 24 * c->s, 24 * c->s};
    float x = close.x + close.w / 2, y = close.y + close.h / 2, arm = 4.5f * c->s;
    dl_control(c->dl, close, ROLE_BUTTON, "controls.close", "controls", tr("Close the settings"));
    dl_line(c->dl, x - arm, y - arm, x + arm, y + arm, c->theme->muted, 1.5f * c->s);
    dl_line(c->dl, x - arm, y + arm, x + arm, y - arm, c->theme->muted, 1.5f * c->s);
    scene_ring(c->scene, c->dl, "controls.close", close, 8 * c->s);
    dl_ungroup(c->dl);
}

/* What the settings make of the numbers of this stage, and of the layer. */
static void draw_readings(Controls *c) {
    const char *longest, *text = reading_all(c->scene, &longest);
    RichStyle style = scene_style(c->scene, TYPE_LABEL, FACE_UI, c->theme->muted);
    float high = rich_height(&style, c->inner.w, longest); /* rows stay under the pointer while numbers change */
    rect_cut_top(&c->inner, c->pad / 2);
    rich_paragraph(c->dl, &style, rect_cut_top(&c->inner, high), ALIGN_LEFT, text);
    rect_cut_top(&c->inner, c->pad);
    dl_line(c->dl, c->inner.x, c->inner.y, c->inner.x + c->inner.w, c->inner.y, c->theme->line, 1);
    rect_cut_top(&c->inner, c->pad / 2);
}

/* An arrow that turns back. */
static void draw_reset(const Controls *c, SettingKind kind, Rect box) {
    enum { STEPS = 12 };
    DlPoint arc[STEPS + 1];
    const char *name = arena_printf(c->scene->arena, "controls.%s.reset", setting_table[kind].name);
    bool hot = strcmp(c->scene->view->hot, name) == 0;
    Color color = hot ? c->theme->ink : c->theme->accent;
    float r = 5 * c->s, x = box.x + box.w / 2, y = box.y + box.h / 2;
    for (int i = 0; i <= STEPS; i++) {
        float angle = 0.6f + 4.9f * (float)i / STEPS;
        arc[i] = (DlPoint){x + r * sinf(angle), y - r * cosf(angle)};
    }
    dl_control(c->dl, box, ROLE_BUTTON, name, arena_printf(c->scene->arena, "setting.reset %s", setting_table[kind].name), tr("Back to the default"));
    dl_path(c->dl, arc, STEPS + 1, false, COLOR_NONE, color, 1.5f * c->s);
    DlPoint head[] = {{arc[0].x - 4 * c->s, arc[0].y - 1 * c->s}, {arc[0].x, arc[0].y}, {arc[0].x - 0.5f * c->s, arc[0].y - 4.5f * c->s}};
    dl_path(c->dl, head, 3, false, COLOR_NONE, color, 1.5f * c->s);
    scene_ring(c->scene, c->dl, name, rect_inset(box, 3 * c->s), 4 * c->s);
    dl_ungroup(c->dl);
}

/* The row itself: under the pointer it is explained; one that is fixed can have the focus, so that its reason is read. */
static void begin_row(const Controls *c, SettingKind kind, Rect row, const char *fixed) {
    const char *name = arena_printf(c->scene->arena, "controls.%s", setting_table[kind].name);
    DlGroup group = {.role = ROLE_ROW, .tensor = -1, .at = {-1, -1, -1, -1}, .focusable = fixed != NULL};
    group.name = dl_store(c->dl, name);
    group.action = dl_store(c->dl, arena_printf(c->scene->arena, "controls %s", setting_table[kind].name));
    group.label = dl_store(c->dl, fixed ? fixed : tr(setting_table[kind].sentence));
    dl_group(c->dl, row, &group);
    if (kind == (SettingKind)c->in_view)
        dl_rect(c->dl, (Rect){row.x - c->pad, row.y, row.w + 2 * c->pad, row.h}, 6 * c->s, color_alpha(c->theme->accent, 0.1), COLOR_NONE, 0);
    scene_ring(c->scene, c->dl, name, rect_inset(row, 3 * c->s), 6 * c->s);
}

static void draw_row(const Controls *c, SettingKind kind, Rect row) {
    const Theme *theme = c->theme;
    const char *fixed = why_fixed(c, kind);
    bool changed = !setting_is_default(c->scene->doc, kind) && !fixed;
    begin_row(c, kind, row, fixed);
    Rect rest = row;
    RichStyle label = scene_style(c->scene, TYPE_LABEL, changed ? FACE_UI_SEMIBOLD : FACE_UI, fixed ? theme->muted : theme->ink);
    const char *title = tr(setting_table[kind].title);
    float wide = fminf(rich_width(&label, title) + 1, 0.6f * rest.w);
    rich_label(c->dl, &label, rect_cut_left(&rest, wide), ALIGN_LEFT, title);
    Rect reset = rect_cut_left(&rest, CONTROLS_RESET * c->s);
    if (fixed) {
        RichStyle value = scene_style(c->scene, TYPE_LABEL, FACE_MONO, theme->muted);
        rich_label(c->dl, &value, rest, ALIGN_RIGHT, controls_value(c, kind));
    } else {
        controls_widget(c, kind, rest);
        if (changed) draw_reset(c, kind, reset);
    }
    dl_ungroup(c->dl);
}

static bool all_fixed(const Controls *c) {
    for (int i = 0; i < SETTING_COUNT; i++)
        if (!why_fixed(c, (SettingKind)i)) return false;
    return true;
}

static const char *explanation(const Controls *c) {
    if (c->in_view < 0 && all_fixed(c)) return tr("The model from the folder brings its own settings: they can be read here, not changed.");
    if (c->in_view < 0) return tr("Change a setting: the picture follows at once, and the numbers say what it did.");
    const char *fixed = why_fixed(c, (SettingKind)c->in_view), *sentence = tr(setting_table[c->in_view].sentence);
    return fixed ? fixed : sentence;
}

static bool has_link(const Controls *c) {
    return c->in_view >= 0 && scene_stage(c->scene)->kind != setting_table[c->in_view].stage && scene_stage(c->scene)->kind < STAGE_ATTENTION_COUNT;
}

/* Height of three lines, two where it is low, so that rows stay where they are when another is explained. */
static float foot_height(const Controls *c) {
    RichStyle style = scene_style(c->scene, TYPE_LABEL, FACE_UI, c->theme->muted);
    bool low = c->scene->layout.inspector.h < LOW_BELOW * c->s;
    return (low ? 2 : 3) * style.line + 26 * c->s + 1.5f * c->pad;
}

static void draw_foot(Controls *c, Rect foot) {
    RichStyle style = scene_style(c->scene, TYPE_LABEL, FACE_UI, c->theme->muted);
    dl_line(c->dl, foot.x, foot.y, foot.x + foot.w, foot.y, c->theme->line, 1);
    rect_cut_top(&foot, c->pad / 2);
    Rect buttons = rect_cut_bottom(&foot, 26 * c->s);
    rect_cut_bottom(&foot, c->pad / 2);
    float high = rich_height(&style, foot.w, explanation(c));
    while (high > foot.h + 1 && style.size > 9 * c->s) { /* long reasons of models from folders */
        style.size -= 0.5f;
        style.line = roundf(style.size * 1.35f);
        high = rich_height(&style, foot.w, explanation(c));
    }
    rich_paragraph(c->dl, &style, foot, ALIGN_LEFT, explanation(c));
    RichStyle link = scene_style(c->scene, TYPE_LABEL, FACE_UI_MEDIUM, c->theme->accent);
    const char *mask = tr("Mask…");
    float wide = rich_width(&link, mask) + 2 * c->pad;
    scene_button(c->scene, c->dl, rect_cut_right(&buttons, wide), "controls.mask", "menu mask", mask);
    rect_cut_right(&buttons, c->pad);
    if (!has_link(c)) return;
    StageKind stage = setting_table[c->in_view].stage;
    const char *text = arena_printf(c->scene->arena, tr("See it at %s"), stage_title(stage));
    Rect box = rect_cut_left(&buttons, fminf(buttons.w, rich_width(&link, text) + 3 * c->pad));
    scene_button(c->scene, c->dl, box, "controls.see", arena_printf(c->scene->arena, "stage %s", stage_name(stage)), text);
}

/* ---- the rows that fit ---- */

static int rows_of(const Controls *c, SettingKind kind) { return 1 + controls_more_rows(c, kind); }

static int columns_of(const Controls *c) { return c->inner.w >= TWO_COLUMNS * c->s ? 2 : 1; }

/* All, or those about the one in view. */
static void choose_rows(const Controls *c, float room, int *first, int *end) {
    int fit = (int)(room / (ROW_LEAST * c->s)) * columns_of(c), used = 0;
    *first = 0;
    for (*end = 0; *end < SETTING_COUNT && used + rows_of(c, (SettingKind)*end) <= fit; (*end)++) used += rows_of(c, (SettingKind)*end);
    while (*end <= c->in_view && *end < SETTING_COUNT) {
        used += rows_of(c, (SettingKind)(*end)++);
        while (used > fit && *first < *end - 1) used -= rows_of(c, (SettingKind)(*first)++);
    }
}

/* One column from `first`: returns where it ends, at most `end`. */
static int column_end(const Controls *c, int first, int end, int high, int *used) {
    int at = first;
    *used = 0;
    while (at < end && (at == first || *used + rows_of(c, (SettingKind)at) <= high)) *used += rows_of(c, (SettingKind)at++);
    return at;
}

static void draw_column(const Controls *c, Rect room, int first, int end) {
    for (int i = first; i < end; i++) {
        draw_row(c, (SettingKind)i, rect_cut_top(&room, c->pitch));
        for (int k = 0; k < controls_more_rows(c, (SettingKind)i); k++) controls_more(c, (SettingKind)i, rect_cut_top(&room, c->pitch));
    }
}

/* Side by side where there are two columns, the first not lower than the second. Returns where they end. */
static float draw_columns(Controls *c, Rect room, int first, int end) {
    int n = 0, left, right, middle, columns = columns_of(c);
    for (int i = first; i < end; i++) n += rows_of(c, (SettingKind)i);
    middle = column_end(c, first, end, columns == 1 ? n : (n + 1) / 2, &left);
    column_end(c, middle, end, n, &right);
    int most = left > right ? left : right;
    c->pitch = fminf(floorf(room.h / (float)(most > 0 ? most : 1)), ROW_MOST * c->s);
    float gap = 3 * c->pad;
    Rect other = room;
    if (columns == 2) room.w = (room.w - gap) / 2;
    rect_cut_left(&other, room.w + gap);
    draw_column(c, room, first, middle);
    if (middle < end) draw_column(c, other, middle, end);
    return room.y + (float)most * c->pitch;
}

/* Returns where they end. */
static float draw_rows(Controls *c, Rect room) {
    int first, end;
    choose_rows(c, room.h, &first, &end);
    bool cut = first > 0 || end < SETTING_COUNT;
    Rect more = room;
    if (cut) {
        more = rect_cut_bottom(&room, 22 * c->s);
        choose_rows(c, room.h, &first, &end);
    }
    float bottom = draw_columns(c, room, first, end);
    if (!cut) return bottom;
    int next = end < SETTING_COUNT ? end : 0;
    const char *text = arena_printf(c->scene->arena, tr("and %d more: %s …"), SETTING_COUNT - (end - first), tr(setting_table[next].title));
    scene_button(c->scene, c->dl, more, "controls.more", arena_printf(c->scene->arena, "controls %s", setting_table[next < end ? 0 : SETTING_COUNT - 1].name), text);
    return more.y + more.h;
}

void controls_draw(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Rect box = l->inspector;
    if (box.w <= 0 || box.h <= 0) return;
    Controls c = {.scene = scene, .dl = dl, .theme = scene_theme(scene), .inner = rect_inset(box, (l->drawer ? 2 : 3) * l->pad), .s = l->scale, .pad = l->pad,
                  .in_view = find_in_view(scene->view)};
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "controls")};
    dl_group(dl, box, &group);
    dl_rect(dl, box, 1.5f * l->pad, c.theme->panel, c.theme->line, 1);
    dl_clip(dl, rect_inset(box, 1));
    draw_title(&c);
    draw_readings(&c);
    float foot = foot_height(&c);
    Rect below = c.inner.h - foot >= ROW_LEAST * ROWS_FIRST * c.s ? rect_cut_bottom(&c.inner, foot) : (Rect){0};
    float bottom = draw_rows(&c, c.inner);
    if (below.h > 0) below.y = fminf(below.y, bottom + l->pad); /* no empty band between them */
    if (below.h > 0) draw_foot(&c, below);
    dl_unclip(dl);
    dl_ungroup(dl);
}
