/* Maps in the order of a measure, each with its name and value. */
#include <math.h>

#include "base/tr.h"
#include "scene/overview_part.h"

/* Design units: a map under which names tell more than pictures; the space between two. */
enum { TILE_LEAST = 16, TILE_SMALL = 26, TILE_GAP = 12, WORDS_GAP = 4 };

/* Where the words of a map stand: one line below it, or two beside it. */
typedef struct {
    bool beside;
    int across, shown;
    float map_w, map_h, tile_w, tile_h, step_x, step_y;
} Tiles;

typedef struct {
    const Overview *o;
    RankedMap *items;
    int n;
    bool values;
    float name_w, value_w, line; /* of the words */
} Flow;

static float words_width(const Flow *f, bool beside) {
    if (!f->values) return f->name_w;
    return beside ? fmaxf(f->name_w, f->value_w) : f->name_w + f->value_w + f->o->pad / 2;
}

static Tiles try_tiles(const Flow *f, Rect area, int across, int shown, bool beside) {
    const Overview *o = f->o;
    float gap = TILE_GAP * o->s, words = words_width(f, beside), high = f->line * (float)(beside && f->values ? 2 : 1);
    if (!beside) high += WORDS_GAP * o->s;
    int down = (shown + across - 1) / across;
    Tiles t = {.beside = beside, .across = across, .shown = shown};
    t.step_x = (area.w + gap) / (float)across;
    t.step_y = (area.h + gap / 2) / (float)down;
    float w = t.step_x - gap - (beside ? words + o->pad : 0), h = t.step_y - gap / 2 - (beside ? 0 : high);
    if (w < 1 || h < 1 || (!beside && w < words) || (beside && h < high)) return t;
    overview_map_size(o, f->items[0].site, w, h, &t.map_w, &t.map_h);
    t.tile_w = beside ? t.map_w + o->pad + words : fmaxf(t.map_w, words);
    t.tile_h = beside ? fmaxf(t.map_h, high) : t.map_h + high;
    t.step_x = fminf(t.step_x, t.tile_w + 2.5f * gap);
    t.step_y = fminf(t.step_y, t.tile_h + 1.5f * gap);
    return t;
}

static float worth(const Tiles *t) { return fminf(t->map_w / 1.3f, t->map_h); }

static Tiles best_tiles(const Flow *f, Rect area) {
    Tiles best = {0};
    for (int across = 1; across <= f->n; across++)
        for (int beside = 0; beside < 2; beside++) {
            Tiles t = try_tiles(f, area, across, f->n, beside);
            if (worth(&t) > worth(&best)) best = t;
        }
    return best;
}

/* The first of too many: as many as stand in the room with maps of a size that can be read. */
static Tiles first_tiles(const Flow *f, Rect area) {
    const Overview *o = f->o;
    float map = TILE_SMALL * o->s, gap = TILE_GAP * o->s;
    int across = (int)((area.w + gap) / (map + words_width(f, true) + o->pad + gap));
    int down = (int)((area.h + gap / 2) / (fmaxf(map, 2 * f->line) + gap / 2));
    across = across < 1 ? 1 : across;
    int shown = across * (down < 1 ? 1 : down);
    return try_tiles(f, area, across, shown < f->n ? shown : f->n, true);
}

static void draw_words(const Flow *f, const Tiles *t, const RankedMap *item, Rect tile) {
    const Overview *o = f->o;
    bool here = item->site == o->shown_site && item->head == o->shown_head;
    Rect box = {tile.x, tile.y + t->map_h + WORDS_GAP * o->s, fmaxf(t->map_w, words_width(f, false)), f->line};
    if (t->beside) {
        float high = f->line * (f->values ? 2 : 1);
        box = (Rect){tile.x + t->map_w + o->pad, tile.y + (t->map_h - high) / 2, words_width(f, true), f->line};
    }
    overview_text(o, TYPE_SMALL, here ? FACE_UI_SEMIBOLD : FACE_UI, here ? o->theme->ink : o->theme->muted, box, ALIGN_LEFT,
                  overview_short_name(o, item->site, item->head));
    if (!f->values) return;
    const char *value = isnan(item->value) ? "–" : scene_number(o->scene, item->value, 2);
    if (t->beside) box.y += f->line;
    overview_text(o, TYPE_SMALL, FACE_MONO, o->theme->ink, box, t->beside ? ALIGN_LEFT : ALIGN_RIGHT, value);
}

static Flow make_flow(const Overview *o) {
    Flow f = {.o = o, .values = overview_sort(o) >= 0};
    const FontMetrics *font = o->scene->font;
    float size = o->scene->layout.type[TYPE_SMALL];
    f.n = run_rank_maps(o->run, o->scene->view->sort, o->scene->arena, &f.items);
    f.line = 1.3f * size;
    f.value_w = ceilf(font_width(font, FACE_MONO, size, "0.00")) + 1;
    for (int i = 0; i < f.n; i++) {
        const char *name = overview_short_name(o, f.items[i].site, f.items[i].head);
        f.name_w = fmaxf(f.name_w, ceilf(font_width(font, FACE_UI_SEMIBOLD, size, name)) + 1);
    }
    return f;
}

void overview_flow(const Overview *o, Rect area) {
    Flow f = make_flow(o);
    if (f.n == 0) return;
    rect_cut_top(&area, 4 * o->s); /* frames reach out of the first row */
    area.x += 4 * o->s;
    area.w -= 4 * o->s;
    Tiles t = best_tiles(&f, area);
    if (fminf(t.map_w, t.map_h) < TILE_LEAST * o->s) {
        Rect note = rect_cut_bottom(&area, 1.5f * f.line);
        t = first_tiles(&f, area);
        overview_text(o, TYPE_SMALL, FACE_UI, o->theme->muted, note, ALIGN_LEFT,
                      arena_printf(o->scene->arena, tr("the first %d of %d"), t.shown, f.n));
    }
    for (int i = 0; i < t.shown && t.map_w > 0; i++) {
        Rect tile = {floorf(area.x + t.step_x * (float)(i % t.across)), floorf(area.y + t.step_y * (float)(i / t.across)), t.tile_w, t.tile_h};
        float y = t.beside ? floorf((t.tile_h - t.map_h) / 2) : 0;
        tile.y += y;
        overview_map(o, f.items[i].site, f.items[i].head, (Rect){tile.x, tile.y, t.map_w, t.map_h});
        draw_words(&f, &t, &f.items[i], tile);
    }
}
