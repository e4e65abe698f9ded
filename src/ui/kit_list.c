#include <assert.h>
#include <stdio.h>

#include "ui/kit.h"

float kit_row_height(const Kit *kit) {
    return 4 * kit->pad;
}

int kit_list_rows(const Kit *kit, float height) {
    int rows = (int)(height / kit_row_height(kit) + 0.01f);
    return rows > 0 ? rows : 0;
}

static const FontFace item_face[] = {
    [ITEM_ACTION] = FACE_UI,
    [ITEM_HEADING] = FACE_UI_SEMIBOLD,
    [ITEM_NOTE] = FACE_UI,
};
static_assert(sizeof item_face / sizeof item_face[0] == ITEM_KIND_COUNT, "each kind of row has a face");

float kit_list_mark(const Kit *kit, const KitItem *items, int n) {
    for (int i = 0; i < n; i++)
        if (items[i].checked) return 2.25f * kit->pad;
    return 0;
}

float kit_list_width(const Kit *kit, const KitItem *items, int n) {
    float widest = 0, mark = kit_list_mark(kit, items, n);
    for (int i = 0; i < n; i++) {
        float width = font_width(kit->font, item_face[items[i].kind], kit->type[KIT_LABEL], items[i].label) + 3 * kit->pad + mark;
        if (items[i].detail) width += font_width(kit->font, FACE_UI, kit->type[KIT_SMALL], items[i].detail) + 3 * kit->pad;
        if (width > widest) widest = width;
    }
    return widest + 1;
}

/* Muted text, darker on the row that is lit. */
static Color quiet_color(const Kit *kit, bool current) {
    return current ? color_mix(kit->theme->muted, kit->theme->ink, 0.4) : kit->theme->muted;
}

static Color row_color(const Kit *kit, const KitItem *item, bool current) {
    return item->kind == ITEM_ACTION && !item->disabled ? kit->theme->ink : quiet_color(kit, current);
}

/* The lit row has a bar at its left, which is seen where its tint is not. */
static void light_row(const Kit *kit, Rect row) {
    float inset = 0.75f * kit->pad, wide = 0.375f * kit->pad;
    dl_rect(kit->dl, row, 6, color_alpha(kit->theme->accent, 0.18), COLOR_NONE, 0);
    dl_rect(kit->dl, (Rect){row.x + wide, row.y + inset, wide, row.h - 2 * inset}, wide / 2, kit->theme->accent, COLOR_NONE, 0);
}

void kit_row(const Kit *kit, Rect row, const char *name, const KitItem *item, bool current, float mark) {
    bool runs = item->kind == ITEM_ACTION && item->action && !item->disabled;
    if (runs) {
        DlGroup group = {.role = ROLE_ITEM, .tensor = -1, .at = {-1, -1, -1, -1}, .action = dl_store(kit->dl, item->action),
                         .name = dl_store(kit->dl, name), .label = dl_store(kit->dl, item->label)};
        dl_group(kit->dl, row, &group);
    }
    bool hot = runs && kit_is_hot(kit, name);
    if (current) light_row(kit, row);
    else if (hot) dl_rect(kit->dl, row, 6, kit->theme->button, COLOR_NONE, 0);
    Rect inside = {row.x + 1.5f * kit->pad, row.y, row.w - 3 * kit->pad, row.h};
    float size = kit->type[KIT_LABEL];
    if (item->checked) kit_icon(kit, (Rect){inside.x, row.y, size, row.h}, ICON_CHECK, kit->theme->accent);
    if (item->kind == ITEM_ACTION) rect_cut_left(&inside, mark);
    if (item->detail) {
        float used = dl_label(kit->dl, kit->font, FACE_UI, kit->type[KIT_SMALL], quiet_color(kit, current), inside, ALIGN_RIGHT, item->detail);
        rect_cut_right(&inside, used + kit->pad);
    }
    inside.w += 1;
    dl_label(kit->dl, kit->font, item_face[item->kind], item->kind == ITEM_ACTION ? size : kit->type[KIT_SMALL], row_color(kit, item, current),
             inside, ALIGN_LEFT, item->label);
    if (runs) dl_ungroup(kit->dl);
}

void kit_list(const Kit *kit, Rect box, const char *prefix, const KitItem *items, int n, int current, int first) {
    float height = kit_row_height(kit), mark = kit_list_mark(kit, items, n);
    int rows = kit_list_rows(kit, box.h);
    bool scrolls = n > rows;
    float width = scrolls ? box.w - kit->pad : box.w;
    dl_clip(kit->dl, box);
    for (int i = first; i < n && i < first + rows; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s.%d", prefix, i + 1);
        kit_row(kit, (Rect){box.x, box.y + height * (float)(i - first), width, height}, name, &items[i], i == current, mark);
    }
    if (scrolls) {
        float part = (float)rows / (float)n, from = (float)first / (float)n;
        dl_rect(kit->dl, (Rect){box.x + box.w - 0.5f * kit->pad, box.y + box.h * from, 0.5f * kit->pad, box.h * part}, 0.25f * kit->pad,
                kit->theme->faint, COLOR_NONE, 0);
    }
    dl_unclip(kit->dl);
}
