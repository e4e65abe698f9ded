#include "scene/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/matrix_part.h"
#include "scene/paint.h"

/* Units at scale 1; ribbons. */
enum { PITCH_MOST = 44, BAND_MOST = 34, BAND_LEAST = 22, RIBBONS_MOST = 1200, GAP_MOST = 420, GAP_LEAST = 48, NAME_MOST = 120 };

/* Weaker ribbons would be thinner than can be seen. */
#define WEAK 0.005

/* One column of tokens. */
typedef struct {
    const MatrixSide *side;
    float x, pitch, top, size, width; /* x: the edge at the ribbons; width: of the names */
    int every;
    bool right;
} Column;

typedef struct {
    const Lines *lines;
    const Scene *scene;
    const Theme *theme;
    DisplayList *dl;
    MatrixReader reader;
    Column queries, keys;
    float s, pad, band;
    int only_query, only_key; /* of these alone; -1: of all */
    int most;                 /* ribbons of each query */
    bool weak, beyond;        /* some are left out because they are weak, because there are too many */
} Picture;

/* ---- columns ---- */

static const char *name_at(const Picture *p, const Column *c, int position, char buffer[32]) {
    return side_label(p->lines->m, p->scene, c->side, position, buffer);
}

static void size_column(const Picture *p, Column *c, Rect area, const MatrixSide *side, bool right) {
    const float *type = p->scene->layout.type;
    *c = (Column){.side = side, .right = right};
    c->pitch = fminf(area.h / (float)side->count, PITCH_MOST * p->s);
    c->top = area.y + (area.h - c->pitch * (float)side->count) / 2;
    c->size = c->pitch >= 24 * p->s ? type[TYPE_BODY] : c->pitch >= 17 * p->s ? type[TYPE_LABEL] : type[TYPE_SMALL];
    c->every = c->pitch >= c->size * 1.15f ? 1 : (int)ceilf(c->size * 1.15f / c->pitch);
    for (int i = 0; i < side->count; i += c->every) {
        char buffer[32];
        c->width = fmaxf(c->width, font_width(p->scene->font, FACE_UI_SEMIBOLD, c->size, name_at(p, c, side->first + i, buffer)));
    }
    c->width = fminf(ceilf(c->width), NAME_MOST * p->s);
}

static float middle(const Column *c, int position) { return c->top + ((float)(position - c->side->first) + 0.5f) * c->pitch; }

/* "0.94" stands between the ribbons and the names of the keys, where one query is looked at and there is room. */
static float number_width(const Picture *p) {
    bool one = p->only_query >= 0 && p->keys.every == 1;
    return one ? font_width(p->scene->font, FACE_MONO, p->keys.size, "0.00") + p->pad : 0;
}

static void place_columns(Picture *p, Rect area) {
    float numbers = number_width(p), names = p->queries.width + p->keys.width + numbers + 2 * p->pad;
    float gap = fminf(fmaxf(area.w - names, GAP_LEAST * p->s), GAP_MOST * p->s);
    float x = area.x + fmaxf(0, (area.w - names - gap) / 2);
    p->queries.x = x + p->queries.width + p->pad;
    p->keys.x = p->queries.x + gap;
}

/* ---- what is pointed at ---- */

/* The position in a name such as "lines.2.key.5", if it is one of this side's and shown; else -1. */
static int pointed(const Picture *p, const char *kind, const MatrixSide *side) {
    const char *hot = p->scene->view->hot, *start = arena_printf(p->scene->arena, "%s.%s.", p->lines->prefix, kind);
    if (!str_starts(hot, start)) return -1;
    int at = atoi(hot + strlen(start)) - 1;
    return at >= side->first && at < side->first + side->count ? at : -1;
}

/* A token under the pointer shows its ribbons alone. */
static void find_pointed(Picture *p) {
    int query = pointed(p, "query", &p->lines->m->row);
    p->only_query = query >= 0 ? query : p->lines->query;
    p->only_key = p->lines->query < 0 ? pointed(p, "key", &p->lines->m->col) : -1;
}

/* ---- ribbons ---- */

/* Has the film finished the row? It runs along rows from the left. */
static bool is_there(const Picture *p, int row) {
    const MatrixSide *col = &p->lines->m->col;
    return matrix_progress(p->lines->m, p->scene, row, col->first + col->count - 1) >= 1;
}

/* 0: nothing to draw. */
static double weight_at(const Picture *p, int row, int col) {
    double weight = matrix_data_at(&p->reader.data, row, col);
    if (!(weight > 0) || !isfinite(weight)) return 0;
    MatrixCell cell = matrix_read_at(&p->reader, row, col);
    return cell.mark == CELL_VALUE && !cell.below ? weight : 0;
}

static double share_of(const Picture *p, double weight) { return weight / p->lines->m->limit; }

/* A row's ribbons that are drawn, in the order of their keys. */
typedef struct {
    int n, *col;
    double *weight;
} Drawn;

/* The `most`-th largest weight of a row, 0 where there are fewer; `best` holds `most`, the largest first. */
static double nth_of_row(const Picture *p, int row, double *best) {
    const MatrixSide *col = &p->lines->m->col;
    int n = 0;
    for (int j = col->first; j < col->first + col->count; j++) {
        double weight = weight_at(p, row, j);
        if (weight <= 0 || (n == p->most && weight <= best[n - 1])) continue;
        int at = n < p->most ? n++ : n - 1;
        for (; at > 0 && best[at - 1] < weight; at--) best[at] = best[at - 1];
        best[at] = weight;
    }
    return n == p->most ? best[n - 1] : 0;
}

/* Not the weak ones, and of many the strongest; of equal ones the first. */
static void choose(Picture *p, int row, Drawn *drawn) {
    const MatrixSide *col = &p->lines->m->col;
    int c0 = p->only_key >= 0 ? p->only_key : col->first, c1 = p->only_key >= 0 ? c0 + 1 : col->first + col->count;
    double cut = c1 - c0 > p->most ? nth_of_row(p, row, drawn->weight) : 0;
    drawn->n = 0;
    for (int j = c0; j < c1; j++) {
        double weight = weight_at(p, row, j);
        if (weight <= 0) continue;
        bool weak = share_of(p, weight) < WEAK, beyond = weight < cut || drawn->n == p->most;
        p->weak = p->weak || weak;
        p->beyond = p->beyond || (beyond && !weak);
        if (weak || beyond) continue;
        drawn->col[drawn->n] = j;
        drawn->weight[drawn->n++] = weight;
    }
}

static float high_of(const Picture *p, double weight) { return (float)fmin(1, share_of(p, weight)) * p->band; }

/* They leave the query's band one below the other; within a point they are not stacked. */
static void draw_ribbons(const Picture *p, int row, const Drawn *drawn) {
    bool alone = p->only_query >= 0 || p->only_key >= 0, thin = p->queries.pitch < 3 * p->s && p->only_query < 0;
    float y = middle(&p->queries, row);
    for (int i = 0; i < drawn->n && !thin; i++) y -= high_of(p, drawn->weight[i]) / 2;
    for (int i = 0; i < drawn->n; i++) {
        float high = high_of(p, drawn->weight[i]), shown = fmaxf(high, 0.75f);
        double alpha = alone ? 0.8 : 0.2 + 0.6 * fmin(1, share_of(p, drawn->weight[i]));
        dl_ribbon(p->dl, p->queries.x + 4 * p->s, y, shown, p->keys.x - 4 * p->s, middle(&p->keys, drawn->col[i]) - shown / 2, shown,
                  color_alpha(p->lines->color, alpha));
        if (!thin) y += high;
    }
}

static void draw_all_ribbons(Picture *p) {
    const MatrixSide *row = &p->lines->m->row;
    bool one = p->only_query >= 0;
    int r0 = one ? p->only_query : row->first, rows = one ? 1 : row->count;
    p->most = RIBBONS_MOST / rows > 0 ? RIBBONS_MOST / rows : 1;
    Drawn drawn = {.col = ARENA_ARRAY(p->scene->arena, int, (size_t)p->most), .weight = ARENA_ARRAY(p->scene->arena, double, (size_t)p->most)};
    for (int i = r0; i < r0 + rows; i++) {
        if (!is_there(p, i)) continue;
        choose(p, i, &drawn);
        draw_ribbons(p, i, &drawn);
    }
}

/* ---- tokens ---- */

static int largest_of(const Picture *p, int row) {
    const MatrixSide *col = &p->lines->m->col;
    int best = col->first;
    double most = -1;
    for (int j = col->first; j < col->first + col->count; j++) {
        double weight = weight_at(p, row, j);
        if (weight > most) most = weight, best = j;
    }
    return best;
}

/* A click on a key selects the weight that the query in view gives it, on a query its largest one. */
static const char *action_of(const Picture *p, const Column *c, int position) {
    const Matrix *m = p->lines->m;
    const Tensor *t = trace_tensor(p->scene->run->trace, m->tensor);
    int row = c->right ? (p->only_query >= 0 ? p->only_query : -1) : position;
    if (row < 0) return NULL;
    int col = c->right ? position : largest_of(p, row);
    const int index[TENSOR_RANK_MAX] = {t->rank == 3 ? m->head : row, t->rank == 3 ? row : col, t->rank == 3 ? col : 0, 0};
    return arena_printf(p->scene->arena, "select %s", view_index_text(t->id, index, t->rank, ",", p->scene->arena));
}

static void draw_number(const Picture *p, const Column *c, int position, float x, Rect box) {
    MatrixCell cell = matrix_read_at(&p->reader, p->only_query, position);
    if (!is_there(p, p->only_query) || cell.mark != CELL_VALUE || cell.below) return;
    Rect at = {x, box.y, number_width(p), box.h};
    dl_label(p->dl, p->scene->font, FACE_MONO, c->size, p->theme->muted, at, ALIGN_LEFT, scene_number(p->scene, cell.value, 2));
}

static void draw_token(const Picture *p, const Column *c, int position, bool strong) {
    char buffer[32];
    float high = fmaxf(c->pitch, c->size * 1.2f), y = middle(c, position) - high / 2, numbers = c->right ? number_width(p) : 0;
    Rect box = c->right ? (Rect){c->x, y, c->width + numbers + p->pad, high} : (Rect){c->x - c->width - p->pad, y, c->width + p->pad, high};
    DlGroup group = {.role = ROLE_CELL, .tensor = -1, .at = {-1, -1, -1, -1}};
    group.name = dl_store(p->dl, arena_printf(p->scene->arena, "%s.%s.%d", p->lines->prefix, c->right ? "key" : "query", position + 1));
    group.action = dl_store(p->dl, action_of(p, c, position));
    group.label = dl_store(p->dl, name_at(p, c, position, buffer));
    dl_group(p->dl, box, &group);
    if (numbers > 0) draw_number(p, c, position, c->x + p->pad / 2, box);
    bool hidden = c->right && p->lines->m->hidden && p->lines->m->hidden[position];
    Rect name = c->right ? (Rect){c->x + p->pad / 2 + numbers, y, c->width + 2, high} : (Rect){c->x - c->width - p->pad / 2 - 2, y, c->width + 2, high};
    dl_label(p->dl, p->scene->font, strong ? FACE_UI_SEMIBOLD : FACE_UI_MEDIUM, c->size, hidden ? p->theme->muted : c->side->color, name,
             c->right ? ALIGN_LEFT : ALIGN_RIGHT, name_at(p, c, position, buffer));
    dl_ungroup(p->dl);
}

static bool is_strong(const Picture *p, const Column *c, int position) { return position == (c->right ? p->only_key : p->only_query); }

/* Every n-th name, and the one that is looked at, with room around it. */
static void draw_column(const Picture *p, const Column *c) {
    int strong = c->right ? p->only_key : p->only_query;
    for (int i = 0; i < c->side->count; i++) {
        int position = c->side->first + i;
        bool far = strong < 0 || abs(position - strong) >= c->every;
        if (is_strong(p, c, position) || (i % c->every == 0 && far)) draw_token(p, c, position, is_strong(p, c, position));
    }
}

/* ---- what is said ---- */

static const char *say(const Picture *p) {
    Arena *arena = p->scene->arena;
    const char *weak = p->weak ? arena_printf(arena, tr("ribbons below %s are left out"), scene_number(p->scene, WEAK * p->lines->m->limit, 3)) : NULL;
    const char *beyond = !p->beyond ? NULL : p->most == 1 ? tr("of each query the strongest ribbon") : arena_printf(arena, tr("of each query the %d strongest ribbons"), p->most);
    int every = p->queries.every > p->keys.every ? p->queries.every : p->keys.every;
    const char *thinned = every == 2 ? tr("every second token is named") : every == 3 ? tr("every third token is named") : every > 3 ? arena_printf(arena, tr("one token in %d is named"), every) : NULL;
    return phrase_list(p->scene->arena, phrase_list(p->scene->arena, beyond, weak), thinned);
}

const char *lines_draw(const Lines *lines, const Scene *scene, Rect area, DisplayList *dl) {
    const Layout *l = &scene->layout;
    Picture p = {.lines = lines, .scene = scene, .theme = scene_theme(scene), .dl = dl, .s = l->scale, .pad = l->pad};
    if (area.h < 8 || area.w < 8) return NULL;
    p.reader = matrix_reader(lines->m, scene);
    find_pointed(&p);
    size_column(&p, &p.queries, area, &lines->m->row, false);
    size_column(&p, &p.keys, area, &lines->m->col, true);
    place_columns(&p, area);
    p.band = fminf(p.queries.pitch * 0.8f, BAND_MOST * p.s);
    if (p.only_query >= 0) p.band = fmaxf(p.band, BAND_LEAST * p.s);
    dl_clip(dl, area);
    draw_all_ribbons(&p);
    dl_unclip(dl);
    draw_column(&p, &p.queries);
    draw_column(&p, &p.keys);
    return say(&p);
}
