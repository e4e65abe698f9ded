#include <math.h>

#include "base/tr.h"
#include "scene/stage_part.h"

enum { BAR = 4, NAME_LEAST = 44 };

float stage_head_bars_room(const StageView *v, bool along_rows) {
    return along_rows ? BAR * v->s + v->pad : v->scene->layout.type[TYPE_LABEL] * 1.3f + BAR * v->s + v->pad;
}

/* Names on bars: "head 2", the number alone, or that of every n-th when there is no room even for that. */
static void name_bar(StageView *v, Rect bar, int head, Color color) {
    const FontMetrics *font = v->scene->font;
    float size = v->scene->layout.type[TYPE_LABEL];
    const char *name = arena_printf(v->scene->arena, tr("head %d"), head + 1);
    float most = font_width(font, FACE_UI_SEMIBOLD, size, arena_printf(v->scene->arena, "%d", v->site->spec.n_heads));
    int every = most > bar.w + 2 ? (int)ceilf((most + v->pad / 2) / fmaxf(bar.w, 1)) : 1;
    if (font_width(font, FACE_UI_SEMIBOLD, size, name) > bar.w) name = arena_printf(v->scene->arena, "%d", head + 1);
    float w = font_width(font, FACE_UI_SEMIBOLD, size, name);
    if (head % every != 0) return;
    dl_text(v->dl, font, FACE_UI_SEMIBOLD, size, color, bar.x + (bar.w - w) / 2, bar.y - v->pad / 2, name);
}

void stage_head_bars(StageView *v, const Matrix *m, int width, bool along_rows) {
    int heads = v->site->spec.n_heads;
    float thick = BAR * v->s, between = v->pad / 2;
    for (int h = 0; h < heads; h++) {
        Color color = scene_head_color(v->theme, h);
        Rect area = along_rows ? matrix_rect(m, h * width, (h + 1) * width, m->col.first, m->col.first + 1)
                               : matrix_rect(m, m->row.first, m->row.first + 1, h * width, (h + 1) * width);
        if (area.w <= 0 || area.h <= 0) continue;
        Rect bar = along_rows ? (Rect){m->cells.x - between - thick, area.y, thick, area.h}
                              : (Rect){area.x, m->cells.y - between - thick, area.w, thick};
        if (along_rows && m->row.block > 1 && h > 0) bar.y += 1, bar.h -= 1; /* neighbours stay apart */
        if (!along_rows && m->col.gap < 2) bar.w = fmaxf(1, bar.w - 1);
        dl_rect(v->dl, bar, thick / 2, color, COLOR_NONE, 0);
        if (!along_rows) name_bar(v, bar, h, color);
    }
}
