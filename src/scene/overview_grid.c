/* Layers × heads: one map each, as large as the room allows. */
#include <math.h>
#include <stdlib.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/overview_part.h"

/* Design units: least height and width of a map; the most a map grows to. */
enum { MAP_LEAST = 8, MAP_MOST = 300, GAP_MOST = 14, CELL_ROOM = 12 };
/* Maps are at most so much wider than high, and higher than wide, cells taken as squares. */
static const float WIDE_MOST = 3.0f, WIDE_BEST = 1.9f, HIGH_MOST = 1.25f;

/* ---- one map ---- */

static float whole(float size, int cells) {
    float cell = size / (float)cells;
    return cell >= 1 && floorf(cell) >= 0.9f * cell ? floorf(cell) * (float)cells : floorf(size);
}

void overview_map_size(const Overview *o, int site, float room_w, float room_h, float *w, float *h) {
    const MapSummary *map = o->summary[site];
    int rows = map ? map->rows : 1, cols = map ? map->cols : 1;
    float ratio = fminf(fmaxf((float)cols / (float)rows, 0.5f), 2), most = MAP_MOST * o->s;
    *w = fminf(room_w, fminf(WIDE_MOST * ratio * room_h, most * fmaxf(1, ratio)));
    *h = fminf(room_h, fminf(HIGH_MOST / ratio * *w, most));
    *w = whole(fmaxf(*w, 1), cols);
    *h = whole(fmaxf(*h, 1), rows);
}

/* Bins of the picture that share a cell where there are far more of them than units of room: a power of two. */
static int bins(int cells, float size) {
    int n = 1;
    while ((float)cells / (float)n > 1.5f * size) n *= 2;
    return n;
}

typedef struct {
    float value; /* the largest of the bins */
    bool hidden, bad;
} Cell;

static Cell read_cell(const MapSummary *map, const float *picture, int row0, int col0, int high, int wide) {
    Cell cell = {.value = 0, .hidden = map->hidden != NULL};
    for (int row = row0; row < row0 + high && row < map->rows; row++)
        for (int col = col0; col < col0 + wide && col < map->cols; col++) {
            int at = row * map->cols + col;
            float value = picture[at];
            if (!(value >= 0)) cell.bad = true;
            if (value > cell.value) cell.value = value;
            if (cell.hidden && (!map->hidden[at] || value != 0)) cell.hidden = false;
        }
    return cell;
}

void overview_picture(const Overview *o, int site, int head, Rect box) {
    const MapSummary *map = o->summary[site];
    int high = bins(map->rows, box.h), wide = bins(map->cols, box.w);
    int rows = (map->rows + high - 1) / high, cols = (map->cols + wide - 1) / wide;
    const float *picture = map->picture + (size_t)head * (size_t)map->rows * (size_t)map->cols;
    size_t count = (size_t)rows * (size_t)cols;
    float limit = overview_limit(o, site, head);
    Color *colors = ARENA_ARRAY(o->scene->arena, Color, count);
    uint8_t *marks = ARENA_ARRAY(o->scene->arena, uint8_t, count);
    for (size_t i = 0; i < count; i++) {
        Cell cell = read_cell(map, picture, (int)(i / (size_t)cols) * high, (int)(i % (size_t)cols) * wide, high, wide);
        marks[i] = cell.bad ? CELL_NAN : cell.hidden ? CELL_MASKED : CELL_VALUE;
        colors[i] = cell.bad || cell.hidden ? o->theme->empty_cell : o->shades[(int)(fminf(cell.value / limit, 1) * (OVERVIEW_SHADES - 1) + 0.5f)];
    }
    float cell = fminf(box.w / (float)cols, box.h / (float)rows);
    float gap = cell >= 20 ? 2 : cell >= CELL_ROOM ? 1 : 0;
    dl_cells(o->dl, box, rows, cols, gap, cell >= 20 ? 3 : 0, colors, NULL, marks, -1, head, 0, 0);
}

static void draw_frame(const Overview *o, int site, int head, Rect box) {
    bool selected = site == o->site && head == o->head, hot = o->hovered && site == o->shown_site && head == o->shown_head;
    if (!selected && !hot) return;
    float out = fminf(3 * o->s, fmaxf(1, box.h * 0.12f)), width = fminf(2 * o->s, 1 + out / 3);
    dl_rect(o->dl, rect_inset(box, -out - width / 2), fminf(4 * o->s, out + 1), COLOR_NONE, selected ? o->theme->accent : o->theme->muted,
            selected ? width : 1);
}

/* One stop of the keyboard for all: the selected map. */
void overview_map(const Overview *o, int site, int head, Rect box) {
    const Scene *scene = o->scene;
    const char *name = arena_printf(scene->arena, "overview.map.%d.%d", site + 1, head + 1);
    DlGroup group = {.role = ROLE_HEAD, .tensor = -1, .at = {head, -1, -1, -1}, .focusable = site == o->site && head == o->head};
    group.name = dl_store(o->dl, name);
    group.action = dl_store(o->dl, arena_printf(scene->arena, "look %d %d", site + 1, head + 1));
    group.label = dl_store(o->dl, overview_name(o, site, head));
    dl_group(o->dl, rect_inset(box, -1), &group);
    if (o->summary[site] && !overview_single(o, site)) overview_picture(o, site, head, box);
    else dl_rect(o->dl, box, 2, o->theme->empty_cell, COLOR_NONE, 0);
    draw_frame(o, site, head, box);
    scene_ring(scene, o->dl, name, box, 4 * o->s);
    dl_ungroup(o->dl);
}

/* ---- rows and columns ---- */

/* What of a group is in sight, and where. */
typedef struct {
    int rows, cols, row0, col0; /* in sight, and the first */
    Rect box;                   /* heading, numbers and maps */
} Place;

typedef struct {
    int across, down;          /* groups side by side, one below the other */
    float pitch_w, pitch_h;    /* from one map to the next */
    float left, above, below;  /* room of row numbers, heading, column numbers */
    int hidden;                /* maps out of sight */
    Place place[OVERVIEW_GROUPS_MAX];
} Grid;

static float group_gap(const Overview *o) { return 3 * o->pad; }

static int most_in_column(const Overview *o, const Grid *g, int column, bool rows) {
    int most = 0;
    for (int i = 0; i < o->n_groups; i++) {
        if ((rows ? i / g->across : i % g->across) != column) continue;
        int n = rows ? g->place[i].rows : g->place[i].cols;
        if (n > most) most = n;
    }
    return most;
}

/* Maps along all groups of an arrangement. */
static int total(const Overview *o, const Grid *g, bool rows) {
    int sum = 0;
    for (int i = 0; i < (rows ? g->down : g->across); i++) sum += most_in_column(o, g, i, rows);
    return sum;
}

static Grid cut_grid(const Overview *o, Rect area, int across, bool headed) {
    Grid g = {.across = across, .down = (o->n_groups + across - 1) / across};
    float small = o->scene->layout.type[TYPE_SMALL], least = (MAP_LEAST + 2) * o->s;
    g.left = 2 * small + o->pad;
    g.above = headed ? 1.6f * o->scene->layout.type[TYPE_LABEL] : 0;
    g.below = 1.7f * small;
    float w = area.w - (float)g.across * g.left - (float)(g.across - 1) * group_gap(o);
    float h = area.h - (float)g.down * (g.above + g.below) - (float)(g.down - 1) * o->pad;
    int rows_most = (int)fmaxf(1, h / (float)g.down / least), cols_most = (int)fmaxf(1, w / (float)g.across / least);
    for (int i = 0; i < o->n_groups; i++) {
        const OverviewGroup *group = &o->group[i];
        g.place[i].rows = group->n < rows_most ? group->n : rows_most;
        g.place[i].cols = group->heads < cols_most ? group->heads : cols_most;
        g.hidden += group->n * group->heads - g.place[i].rows * g.place[i].cols;
    }
    g.pitch_w = fmaxf(0, w / (float)total(o, &g, false));
    g.pitch_h = fmaxf(0, h / (float)total(o, &g, true));
    return g;
}

/* A heading says which group it is, and which of its layers are in sight. */
static Grid try_grid(const Overview *o, Rect area, int across) {
    Grid g = cut_grid(o, area, across, o->n_groups > 1);
    return g.hidden > 0 && o->n_groups == 1 ? cut_grid(o, area, across, true) : g;
}

static float worth(const Grid *g) { return fminf(g->pitch_w / WIDE_BEST, g->pitch_h); }

/* The window of a long group moves along with the selected map. */
static int window_start(int at, int shown, int n) {
    int start = at - shown / 2;
    return start < 0 ? 0 : start > n - shown ? n - shown : start;
}

static void place_groups(const Overview *o, Grid *g, Rect area) {
    float y = area.y;
    for (int row = 0; row < g->down; row++) {
        float x = area.x, high = 0;
        for (int column = 0; column < g->across && row * g->across + column < o->n_groups; column++) {
            int i = row * g->across + column, at = 0;
            const OverviewGroup *group = &o->group[i];
            Place *p = &g->place[i];
            for (int k = 0; k < group->n; k++)
                if (group->sites[k] == o->site) at = k;
            bool here = o->group_of[o->site] == i;
            p->row0 = window_start(here ? at : 0, p->rows, group->n);
            p->col0 = window_start(here ? o->head : 0, p->cols, group->heads);
            p->box = (Rect){x, y, g->left + g->pitch_w * (float)most_in_column(o, g, column, false),
                            g->above + g->pitch_h * (float)p->rows + g->below};
            x += p->box.w + group_gap(o);
            high = fmaxf(high, p->box.h);
        }
        y += high + o->pad;
    }
}

static Grid best_grid(const Overview *o, Rect area) {
    Grid best = try_grid(o, area, 1);
    for (int across = 2; across <= o->n_groups; across++) {
        Grid g = try_grid(o, area, across);
        bool fuller = g.hidden < best.hidden, larger = g.hidden == best.hidden && worth(&g) > worth(&best);
        if (fuller || larger) best = g;
    }
    return best;
}

/* Maps do not grow without end, nor do the spaces between them. */
static void settle(const Overview *o, Grid *g, float *map_w, float *map_h) {
    float most_w = 0, most_h = 0, gap_w = fminf(fmaxf(2, 0.15f * g->pitch_w), GAP_MOST * o->s),
          gap_h = fminf(fmaxf(2, 0.15f * g->pitch_h), GAP_MOST * o->s);
    for (int i = 0; i < o->n_groups; i++) {
        float w, h;
        overview_map_size(o, o->group[i].sites[0], fmaxf(1, g->pitch_w - gap_w), fmaxf(1, g->pitch_h - gap_h), &w, &h);
        map_w[i] = w;
        map_h[i] = h;
        most_w = fmaxf(most_w, w);
        most_h = fmaxf(most_h, h);
    }
    float gap = fmaxf(gap_w, gap_h); /* the same on both sides, as far as there is room */
    g->pitch_w = fminf(g->pitch_w, most_w + fmaxf(gap, 0.2f * most_w));
    g->pitch_h = fminf(g->pitch_h, most_h + fmaxf(gap, 0.2f * most_h));
}

/* Every n-th number where they would touch; the lit one always, with room around it. */
static bool numbered(int i, int lit, float pitch, float room) {
    int every = pitch >= room ? 1 : (int)ceilf(room / fmaxf(pitch, 1));
    if (i == lit) return true;
    return i % every == 0 && (lit < 0 || every == 1 || abs(i - lit) >= every);
}

static void draw_number(const Overview *o, Rect box, TextAlign align, int number, bool lit) {
    overview_text(o, TYPE_SMALL, lit ? FACE_UI_SEMIBOLD : FACE_UI, lit ? o->theme->ink : o->theme->muted, box, align,
                  arena_printf(o->scene->arena, "%d", number));
}

static void draw_numbers(const Overview *o, const Grid *g, int group, float map_w, float map_h) {
    const Place *p = &g->place[group];
    float small = o->scene->layout.type[TYPE_SMALL], x = p->box.x + g->left, y = p->box.y + g->above;
    bool here = o->group_of[o->shown_site] == group;
    int lit_row = -1, lit_col = here ? o->shown_head - p->col0 : -1;
    for (int i = 0; i < p->rows; i++)
        if (here && o->group[group].sites[p->row0 + i] == o->shown_site) lit_row = i;
    for (int i = 0; i < p->rows; i++) {
        Rect box = {p->box.x, y + g->pitch_h * (float)i + (map_h - 1.2f * small) / 2, g->left - 1.25f * o->pad, 1.2f * small};
        int number = overview_site(o, o->group[group].sites[p->row0 + i])->layer + 1;
        if (numbered(i, lit_row, g->pitch_h, 1.2f * small)) draw_number(o, box, ALIGN_RIGHT, number, i == lit_row);
    }
    for (int i = 0; i < p->cols; i++) {
        Rect box = {x + g->pitch_w * (float)i + (map_w - 3 * small) / 2, y + g->pitch_h * (float)p->rows - 2 * o->s, 3 * small, g->below};
        if (numbered(i, lit_col, g->pitch_w, 1.7f * small)) draw_number(o, box, ALIGN_CENTER, p->col0 + i + 1, i == lit_col);
    }
}

/* "Encoder", "layers 13 to 36 of 48"; as much of it as fits. */
static const char *group_title(const Overview *o, const Grid *g, int group, float room) {
    const OverviewGroup *of = &o->group[group];
    const Place *p = &g->place[group];
    Arena *arena = o->scene->arena;
    const char *rows = p->rows < of->n ? arena_printf(arena, tr("layers %d to %d of %d"), p->row0 + 1, p->row0 + p->rows, of->n) : NULL;
    const char *cols = p->cols < of->heads ? arena_printf(arena, tr("heads %d to %d of %d"), p->col0 + 1, p->col0 + p->cols, of->heads) : NULL;
    const char *part = phrase_list(arena, rows, cols);
    for (int brief = 0; brief < 2; brief++) {
        const char *title = brief ? of->brief : of->title;
        if (!brief && title[0] && overview_single(o, of->sites[0])) title = arena_printf(arena, tr("%s · one token: nothing to choose yet"), of->brief);
        if (part) title = phrase_list(arena, title[0] ? title : NULL, part);
        if (brief || font_width(o->scene->font, FACE_UI_SEMIBOLD, o->scene->layout.type[TYPE_LABEL], title) <= room) return title;
    }
    return of->brief;
}

static void draw_group(const Overview *o, const Grid *g, int group, float map_w, float map_h) {
    const OverviewGroup *of = &o->group[group];
    const Place *p = &g->place[group];
    float x = p->box.x + g->left, y = p->box.y + g->above;
    Rect title = {x, p->box.y, p->box.w - g->left, g->above};
    if (g->above > 0) overview_text(o, TYPE_LABEL, FACE_UI_SEMIBOLD, o->theme->ink, title, ALIGN_LEFT, group_title(o, g, group, title.w));
    draw_numbers(o, g, group, map_w, map_h);
    for (int row = 0; row < p->rows; row++) {
        int site = of->sites[p->row0 + row], heads = overview_site(o, site)->spec.n_heads;
        for (int col = 0; col < p->cols && p->col0 + col < heads; col++) {
            Rect box = {floorf(x + g->pitch_w * (float)col), floorf(y + g->pitch_h * (float)row), map_w, map_h};
            overview_map(o, site, p->col0 + col, box);
        }
    }
}

void overview_grid(const Overview *o, Rect area) {
    Grid g = best_grid(o, area);
    float map_w[OVERVIEW_GROUPS_MAX], map_h[OVERVIEW_GROUPS_MAX];
    settle(o, &g, map_w, map_h);
    place_groups(o, &g, area);
    for (int i = 0; i < o->n_groups; i++) draw_group(o, &g, i, map_w[i], map_h[i]);
}
