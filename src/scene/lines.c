#include "scene/lines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/tr.h"
#include "scene/matrix_part.h"
#include "scene/paint.h"

/* Units at scale 1; ribbons. */
enum { PITCH_MOST = 44, BAND_MOST = 34, BAND_LEAST = 22, RIBBONS_MOST = 1200, GAP_MOST = 420, GAP_LEAST = 48, NAME_MOST = 120, BINS = 400 };

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
    double cut;               /* weaker ones are left out */
    long drawn, left_out;
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

static double weight_at(const Picture *p, int row, int col) {
    if (matrix_progress(p->lines->m, p->scene, row, col) < 1) return 0;
    MatrixCell cell = matrix_read_at(&p->reader, row, col);
    return cell.mark == CELL_VALUE && !cell.below && cell.value > 0 && isfinite(cell.value) ? cell.value : 0;
}

typedef void (*EachRibbon)(Picture *p, void *arg, int row, int col, double weight);

static void each(Picture *p, EachRibbon visit, void *arg) {
    const MatrixSide *row = &p->lines->m->row, *col = &p->lines->m->col;
    int r0 = p->only_query >= 0 ? p->only_query : row->first, r1 = p->only_query >= 0 ? r0 + 1 : row->first + row->count;
    int c0 = p->only_key >= 0 ? p->only_key : col->first, c1 = p->only_key >= 0 ? c0 + 1 : col->first + col->count;
    for (int i = r0; i < r1; i++)
        for (int j = c0; j < c1; j++) {
            double weight = weight_at(p, i, j);
            if (weight > 0) visit(p, arg, i, j, weight);
        }
}

static double share_of(const Picture *p, double weight) { return weight / p->lines->m->limit; }

/* From WEAK to 1 by the logarithm. */
static int bin_of(double share) {
    int bin = (int)(log(share / WEAK) / -log(WEAK) * BINS);
    return bin < 0 ? 0 : bin >= BINS ? BINS - 1 : bin;
}

static void count_one(Picture *p, void *arg, int row, int col, double weight) {
    long *bins = arg;
    (void)row, (void)col;
    if (share_of(p, weight) >= WEAK) bins[bin_of(share_of(p, weight))]++;
}

/* Where the strongest RIBBONS_MOST begin. */
static void choose_cut(Picture *p) {
    long bins[BINS] = {0}, sum = 0;
    p->cut = WEAK;
    each(p, count_one, bins);
    for (int bin = BINS - 1; bin >= 0; bin--) {
        sum += bins[bin];
        if (sum <= RIBBONS_MOST) continue;
        p->cut = WEAK * exp(-log(WEAK) * (bin + 1) / BINS);
        return;
    }
}

static bool is_drawn(const Picture *p, double weight) { return share_of(p, weight) >= p->cut; }

/* Ribbons of a query leave its band one below the other; `arg` is where the next one begins. */
typedef struct {
    int row;
    float y;
} Stack;

static float high_of(const Picture *p, double weight) { return (float)fmin(1, share_of(p, weight)) * p->band; }

static float row_high(Picture *p, int row) {
    const MatrixSide *col = &p->lines->m->col;
    float sum = 0;
    for (int j = col->first; j < col->first + col->count; j++) {
        double weight = weight_at(p, row, j);
        if (is_drawn(p, weight)) sum += high_of(p, weight);
    }
    return sum;
}

static void draw_one(Picture *p, void *arg, int row, int col, double weight) {
    Stack *stack = arg;
    if (!is_drawn(p, weight)) {
        p->left_out++;
        return;
    }
    bool thin = p->queries.pitch < 3 * p->s && p->only_query < 0; /* they would be stacked within a point */
    if (stack->row != row) *stack = (Stack){row, middle(&p->queries, row) - (thin ? 0 : row_high(p, row) / 2)};
    float high = high_of(p, weight), shown = fmaxf(high, 0.75f);
    double alpha = p->only_query >= 0 || p->only_key >= 0 ? 0.8 : 0.2 + 0.6 * fmin(1, share_of(p, weight));
    dl_ribbon(p->dl, p->queries.x + 4 * p->s, stack->y, shown, p->keys.x - 4 * p->s, middle(&p->keys, col) - shown / 2, shown,
              color_alpha(p->lines->color, alpha));
    if (!thin) stack->y += high;
    p->drawn++;
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
    bool there = matrix_progress(p->lines->m, p->scene, p->only_query, position) >= 1 && cell.mark == CELL_VALUE && !cell.below;
    if (!there) return;
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

static const char *say_left_out(const Picture *p) {
    if (p->left_out == 0) return NULL;
    return arena_printf(p->scene->arena, tr("ribbons below %s are left out: %ld of %ld"), scene_number(p->scene, p->cut * p->lines->m->limit, 3), p->left_out,
                        p->left_out + p->drawn);
}

static const char *say(const Picture *p) {
    const char *left_out = say_left_out(p), *thinned = NULL;
    int every = p->queries.every > p->keys.every ? p->queries.every : p->keys.every;
    if (every > 1) thinned = arena_printf(p->scene->arena, tr("one token in %d is named"), every);
    return left_out && thinned ? arena_printf(p->scene->arena, "%s · %s", left_out, thinned) : left_out ? left_out : thinned;
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
    choose_cut(&p);
    Stack stack = {.row = -1};
    dl_clip(dl, area);
    each(&p, draw_one, &stack);
    dl_unclip(dl);
    draw_column(&p, &p.queries);
    draw_column(&p, &p.keys);
    return say(&p);
}
