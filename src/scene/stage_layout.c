#include <math.h>

#include "scene/matrix_part.h"
#include "scene/stage_part.h"

/* Units at scale 1. */
enum { CELL_MOST = 96, CELL_WIDE = 120, NUMBER_WIDE = 72, NUMBER_HIGH = 24, NUMBER_LEAST = 15, STRIPE_HIGH = 40, PASSES = 5 };

static float share_of(const StageItem *item) { return item->share > 0 ? item->share : 1; }

static RichStyle sign_style(const StageView *v, const StageItem *item) {
    return scene_style(v->scene, item->small_sign ? TYPE_LABEL : TYPE_TITLE, FACE_UI_MEDIUM, v->theme->muted);
}

static float sign_width(const StageView *v, const StageItem *item) {
    RichStyle style = sign_style(v, item);
    return item->sign && item->sign[0] ? rich_width(&style, item->sign) : 0;
}

/* Room in front of an item, its own margin left out. */
static float room_before(const StageView *v, const StageItem *item, int i) {
    if (i == 0) return item->before;
    return item->before + (item->sign ? 4 * v->pad + sign_width(v, item) : 4 * v->pad);
}

float stage_wide_limit(const StageView *v, float row_pitch) {
    if (row_pitch < NUMBER_LEAST * v->s) return fmaxf(3 * row_pitch, 10 * v->s); /* no numbers: no long bars either */
    return fminf(CELL_WIDE * v->s, fmaxf(row_pitch * 1.75f, NUMBER_WIDE * v->s));
}

float stage_high_limit(const StageView *v, float col_pitch) {
    if (col_pitch < 8) return STRIPE_HIGH * v->s; /* stripes, not cells */
    return fminf(CELL_MOST * v->s, fmaxf(col_pitch * 1.35f, NUMBER_HIGH * v->s));
}

/* Height above the cells of a group: as reserved while sharing, as it came out when placing. */
static float top_of(const StageItem *items, int n, int group, bool reserved) {
    float top = 0;
    for (int i = 0; i < n; i++)
        if (items[i].group == group) top = fmaxf(top, reserved ? items[i].m->reserve.y : matrix_margins(items[i].m).y);
    return top;
}

/* Row pitches: one for each group, from its tallest matrix. */
static void share_rows(const StageView *v, Rect area, StageItem *items, int n, const float *most) {
    for (int i = 0; i < n; i++) {
        StageItem *tallest = &items[i];
        float limit = most[i];
        for (int j = 0; j < n; j++) {
            if (items[j].group != items[i].group) continue;
            if (items[j].m->row.count > tallest->m->row.count) tallest = &items[j];
            limit = fminf(limit, most[j]);
        }
        MatrixSide side = tallest->m->row;
        MatrixShare share = {&side, 1, limit, 1};
        matrix_share(area.h - top_of(items, n, items[i].group, true), &share, 1);
        /* a matrix beside the main ones has no larger rows than they, or than numbers need */
        if (items[i].group != 0 && items[0].group == 0) side.pitch = fminf(side.pitch, fmaxf(items[0].m->row.pitch, NUMBER_HIGH * v->s));
        matrix_set_side(&items[i].m->row, side.pitch, side.block);
    }
}

static void share_columns(StageView *v, Rect area, StageItem *items, int n) {
    MatrixShare shares[STAGE_ITEMS_MAX];
    float fixed = 0;
    for (int i = 0; i < n; i++) {
        Rect margins = items[i].m->reserve;
        fixed += room_before(v, &items[i], i) + margins.x + margins.w;
        float most = stage_wide_limit(v, items[i].m->row.pitch);
        /* a narrow matrix beside a very wide one keeps cells that can be read */
        float least =
            fminf(fminf(most, 40 * v->s), floorf(area.w * 0.18f / (float)(side_shown(&items[i].m->col) + side_folds(&items[i].m->col))));
        shares[i] = (MatrixShare){&items[i].m->col, least, most, share_of(&items[i])};
    }
    matrix_share(area.w - fixed, shares, n);
}

/* Numbers of one product have one size. */
static void even_numbers(StageItem *items, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            if (items[i].group == items[j].group && items[j].m->decimals >= 0)
                items[i].m->number_size = fminf(items[i].m->number_size, items[j].m->number_size);
}

static float row_width(const StageView *v, const StageItem *items, int n) {
    float wide = 0;
    for (int i = 0; i < n; i++) {
        Rect margins = matrix_margins(items[i].m);
        wide += room_before(v, &items[i], i) + margins.x + matrix_cells_width(items[i].m) + margins.w;
    }
    return wide;
}

/* The main group's cells begin at one height; a taller one beside them begins higher. */
static float top_edge(Rect area, const StageItem *item, float top) {
    if (item->group == 0) return top;
    return fmaxf(matrix_margins(item->m).y, fminf(top, area.h - matrix_cells_height(item->m)));
}

static void place_row(StageView *v, Rect area, StageItem *items, int n) {
    float wide = row_width(v, items, n), high = 0, top = top_of(items, n, 0, false);
    for (int i = 0; i < n; i++) { high = fmaxf(high, top_edge(area, &items[i], top) + matrix_cells_height(items[i].m)); }
    float x = area.x + fmaxf(0, (area.w - wide) / 2), y = area.y + fmaxf(0, (area.h - high) / 2);
    for (int i = 0; i < n; i++) {
        Rect margins = matrix_margins(items[i].m);
        x += room_before(v, &items[i], i) + margins.x;
        matrix_place(items[i].m, x, y + top_edge(area, &items[i], top));
        x += matrix_cells_width(items[i].m) + margins.w;
    }
    Matrix *list[STAGE_ITEMS_MAX];
    for (int i = 0; i < n; i++) list[i] = items[i].m;
    matrix_level_titles(list, n, v->scene);
}

static void size_row(StageView *v, Rect area, StageItem *items, int n) {
    float most[STAGE_ITEMS_MAX];
    for (int i = 0; i < n; i++) {
        most[i] = CELL_MOST * v->s;
        items[i].m->reserve = (Rect){0};
    }
    for (int pass = 0; pass <= PASSES; pass++) {
        share_rows(v, area, items, n, most);
        share_columns(v, area, items, n);
        for (int i = 0; i < n; i++) {
            if (pass < PASSES) most[i] = fminf(most[i], stage_high_limit(v, items[i].m->col.pitch));
            matrix_settle(items[i].m, v->scene);
        }
    }
}

void stage_row(StageView *v, Rect area, StageItem *items, int n) {
    size_row(v, area, items, n);
    if (row_width(v, items, n) > area.w) { /* the titles are wider than what they stand over */
        for (int i = 0; i < n; i++) items[i].m->title_small = true;
        size_row(v, area, items, n);
    }
    even_numbers(items, n);
    place_row(v, area, items, n);
}

static float sign_height(const StageView *v) { return v->scene->layout.type[TYPE_TITLE] * 1.2f + v->pad; }

static float column_left(const StageItem *items, int n, bool reserved) {
    float left = 0;
    for (int i = 0; i < n; i++) left = fmaxf(left, reserved ? items[i].m->reserve.x : matrix_margins(items[i].m).x);
    return left;
}

static float column_room(const StageView *v, const StageItem *item, int i) {
    if (i == 0) return item->before;
    return item->before + (item->sign ? sign_height(v) : 2 * v->pad);
}

static void place_column(StageView *v, Rect area, StageItem *items, int n) {
    float high = 0, left = column_left(items, n, false), wide = 0;
    for (int i = 0; i < n; i++) {
        Rect margins = matrix_margins(items[i].m);
        high += column_room(v, &items[i], i) + margins.y + matrix_cells_height(items[i].m);
        wide = fmaxf(wide, left + matrix_cells_width(items[i].m) + margins.w);
    }
    float x = area.x + fmaxf(0, (area.w - wide) / 2) + left, y = area.y + fmaxf(0, (area.h - high) / 2);
    for (int i = 0; i < n; i++) {
        y += column_room(v, &items[i], i) + matrix_margins(items[i].m).y;
        matrix_place(items[i].m, x, y);
        y += matrix_cells_height(items[i].m);
    }
}

/* Columns have one pitch; rows too. */
static void share_column(StageView *v, Rect area, StageItem *items, int n, float most) {
    MatrixShare rows[STAGE_ITEMS_MAX];
    float fixed = 0, right = 0;
    for (int i = 0; i < n; i++) {
        Rect margins = items[i].m->reserve;
        fixed += column_room(v, &items[i], i) + margins.y;
        right = fmaxf(right, margins.w);
        rows[i] = (MatrixShare){&items[i].m->row, 1, most, 1};
    }
    matrix_share(area.h - fixed, rows, n);
    float room = area.w - column_left(items, n, true) - right;
    for (int i = 0; i < n; i++) {
        MatrixShare cols = {&items[i].m->col, 1, stage_wide_limit(v, items[i].m->row.pitch), 1};
        matrix_share(room, &cols, 1);
    }
}

void stage_column(StageView *v, Rect area, StageItem *items, int n) {
    float most = CELL_MOST * v->s;
    for (int i = 0; i < n; i++) items[i].m->reserve = (Rect){0};
    for (int pass = 0; pass <= PASSES; pass++) {
        share_column(v, area, items, n, most);
        for (int i = 0; i < n; i++) matrix_settle(items[i].m, v->scene);
        if (pass < PASSES - 1) most = fminf(most, stage_high_limit(v, items[0].m->col.pitch));
    }
    even_numbers(items, n);
    place_column(v, area, items, n);
}

/* Larger is better up to the size at which numbers read well; numbers count twice. */
float stage_worth(const StageView *v, const Matrix *m) {
    float w = fminf(m->col.pitch / (float)m->col.block, 64 * v->s), h = fminf(m->row.pitch / (float)m->row.block, 56 * v->s);
    return fminf(w, h) * (m->decimals >= 0 ? 2 : 1) + 0.01f * (w + h);
}

bool stage_flow(StageView *v, Rect area, StageItem *items, int n) {
    Matrix before[STAGE_ITEMS_MAX];
    for (int i = 0; i < n; i++) before[i] = *items[i].m;
    for (int i = 1; i < n; i++) items[i].m->col.labels = false;
    stage_column(v, area, items, n);
    float stacked = stage_worth(v, items[n - 1].m);
    for (int i = 0; i < n; i++) {
        *items[i].m = before[i];
        items[i].m->title_left = false;
        if (i > 0) items[i].m->row.labels = false;
    }
    stage_row(v, area, items, n);
    if (stage_worth(v, items[n - 1].m) >= stacked) return true;
    for (int i = 0; i < n; i++) {
        *items[i].m = before[i];
        if (i > 0) items[i].m->col.labels = false;
    }
    stage_column(v, area, items, n);
    return false;
}

void stage_signs(StageView *v, const StageItem *items, int n, bool row) {
    for (int i = 1; i < n; i++) {
        if (!items[i].sign || !items[i].sign[0]) continue;
        RichStyle style = sign_style(v, &items[i]);
        float cap = v->scene->font->cap_height(v->scene->font->ctx, style.face, style.size);
        Rect a = items[i - 1].m->cells, b = items[i].m->cells;
        Rect margins = matrix_margins(items[i].m), before = matrix_margins(items[i - 1].m);
        float w = rich_width(&style, items[i].sign);
        float x = row ? (a.x + a.w + before.w + b.x - margins.x - w) / 2 : a.x + (a.w - w) / 2;
        Rect first = items[0].m->cells; /* all signs of a row stand at one height */
        float y = row ? first.y + (first.h + cap) / 2 : (a.y + a.h + b.y - margins.y + cap) / 2;
        rich_line(v->dl, &style, x, y, items[i].sign);
    }
}
