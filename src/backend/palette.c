#include "backend/palette.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"

/* A colour is kept exactly when it fills this share of all pixels, as long as there is room for the others. */
enum { EXACT_SHARE = 5000, EXACT_MOST = 160, COUNTED_MOST = 1 << 18, NEAREST_UNKNOWN = -1 };

typedef struct { uint32_t color; /* 0xRRGGBB */ int nearest; uint64_t count; } Bin; /* count 0: met after the choice */

struct Palette {
    Arena arena;
    Bin *bins;
    uint32_t *table;   /* position in bins, from 1; 0 = free. Open addressing */
    uint32_t n, capacity, slots;
    uint64_t total;
    uint8_t rgb[3 * PALETTE_MOST];
    int n_colors;
};

static int channel(uint32_t color, int c) { return (int)(color >> (16 - 8 * c) & 255); }

Palette *palette_open(void) {
    Arena arena = {0};
    Palette *p = ARENA_NEW(&arena, Palette);
    p->arena = arena;
    return p;
}

void palette_close(Palette *palette) {
    if (palette == NULL) return;
    Arena arena = palette->arena; /* holds the object itself */
    arena_free(&arena);
}

static uint32_t slot_of(const Palette *p, uint32_t color) {
    uint32_t at = color * 2654435761u & (p->slots - 1);
    while (p->table[at] != 0 && p->bins[p->table[at] - 1].color != color) at = (at + 1) & (p->slots - 1);
    return at;
}

static void grow(Palette *p) {
    Bin *bins = p->bins;
    p->capacity = p->capacity > 0 ? p->capacity * 2 : 4096;
    p->slots = p->capacity * 2;
    p->bins = ARENA_ARRAY(&p->arena, Bin, p->capacity);
    p->table = ARENA_ARRAY(&p->arena, uint32_t, p->slots);
    if (p->n > 0) memcpy(p->bins, bins, p->n * sizeof *bins);
    for (uint32_t i = 0; i < p->n; i++) p->table[slot_of(p, p->bins[i].color)] = i + 1;
}

static Bin *bin_of(Palette *p, uint32_t color) {
    if (p->n == p->capacity) grow(p);
    uint32_t at = slot_of(p, color);
    if (p->table[at] == 0) {
        p->bins[p->n] = (Bin){color, NEAREST_UNKNOWN, 0};
        p->table[at] = ++p->n;
    }
    return &p->bins[p->table[at] - 1];
}

/* Where there are very many, close ones are counted as one. */
static uint32_t counted_as(const Palette *p, uint32_t color) { return p->n < COUNTED_MOST ? color : color & 0xF8F8F8; }

/* Pictures are made of runs: a colour is looked up once for each. */
void palette_count(Palette *p, const Pixels *pixels) {
    size_t n = (size_t)pixels->width * (size_t)pixels->height;
    const uint8_t *at = pixels->rgba;
    for (size_t i = 0; i < n;) {
        size_t run = 1;
        while (i + run < n && memcmp(at, at + 4 * run, 3) == 0) run++;
        bin_of(p, counted_as(p, (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]))->count += run;
        p->total += run;
        at += 4 * run;
        i += run;
    }
}

/* ---- choosing ---- */

static int by_count(const void *a, const void *b) {
    const Bin *x = a, *y = b;
    if (x->count != y->count) return x->count > y->count ? -1 : 1;
    return x->color < y->color ? -1 : x->color > y->color;
}

/* A box of colours around bins [first, first + n): its sides and how many pixels lie in it. */
typedef struct { uint32_t first, n; uint64_t count; int side, channel; } Box;

static Box box_around(const Bin *bins, uint32_t first, uint32_t n) {
    Box box = {first, n, 0, -1, 0};
    for (uint32_t i = first; i < first + n; i++) box.count += bins[i].count;
    for (int c = 0; c < 3; c++) {
        int least = 255, most = 0;
        for (uint32_t i = first; i < first + n; i++) {
            int value = channel(bins[i].color, c);
            least = value < least ? value : least;
            most = value > most ? value : most;
        }
        if (most - least > box.side) box.side = most - least, box.channel = c;
    }
    return box;
}

static int by_red(const void *a, const void *b) { return channel(((const Bin *)a)->color, 0) - channel(((const Bin *)b)->color, 0); }
static int by_green(const void *a, const void *b) { return channel(((const Bin *)a)->color, 1) - channel(((const Bin *)b)->color, 1); }
static int by_blue(const void *a, const void *b) { return channel(((const Bin *)a)->color, 2) - channel(((const Bin *)b)->color, 2); }

/* Half of its pixels on each side, at least one colour. */
static uint32_t median(const Bin *bins, const Box *box) {
    uint64_t seen = bins[box->first].count;
    uint32_t i = 1;
    while (i + 1 < box->n && seen + bins[box->first + i].count <= box->count / 2) seen += bins[box->first + i++].count;
    return i;
}

static void split(Bin *bins, Box *box, Box *other) {
    static int (*const order[])(const void *, const void *) = {by_red, by_green, by_blue};
    qsort(bins + box->first, box->n, sizeof *bins, by_count); /* so that equal ones stand in one order */
    qsort(bins + box->first, box->n, sizeof *bins, order[box->channel]);
    uint32_t left = median(bins, box), first = box->first, n = box->n;
    *box = box_around(bins, first, left);
    *other = box_around(bins, first + left, n - left);
}

/* Where a split helps most: much to be seen, and of many kinds. -1: every box is one colour. */
static int worst(const Box *boxes, int n) {
    int found = -1;
    double most = 0;
    for (int i = 0; i < n; i++) {
        double worth = (double)boxes[i].count * boxes[i].side;
        if (boxes[i].n > 1 && worth > most) found = i, most = worth;
    }
    return found;
}

static void add_color(Palette *p, const uint64_t sum[3], uint64_t count) {
    for (int c = 0; c < 3; c++) p->rgb[3 * p->n_colors + c] = (uint8_t)((sum[c] + count / 2) / count);
    p->n_colors++;
}

static void add_mean(Palette *p, const Bin *bins, const Box *box) {
    uint64_t sum[3] = {0};
    for (uint32_t i = box->first; i < box->first + box->n; i++)
        for (int c = 0; c < 3; c++) sum[c] += bins[i].count * (uint64_t)channel(bins[i].color, c);
    add_color(p, sum, box->count);
}

static void cut(Palette *p, Bin *bins, uint32_t n) {
    Box boxes[PALETTE_MOST];
    int n_boxes = 1, most = PALETTE_MOST - p->n_colors;
    if (n == 0) return;
    boxes[0] = box_around(bins, 0, n);
    for (int i; n_boxes < most && (i = worst(boxes, n_boxes)) >= 0; n_boxes++) split(bins, &boxes[i], &boxes[n_boxes]);
    for (int i = 0; i < n_boxes; i++) add_mean(p, bins, &boxes[i]);
}

int palette_settle(Palette *p, const uint8_t **rgb) {
    Arena arena = {0};
    Bin *bins = ARENA_ARRAY(&arena, Bin, p->n + 1);
    uint32_t exact = 0;
    if (p->n > 0) memcpy(bins, p->bins, p->n * sizeof *bins);
    qsort(bins, p->n, sizeof *bins, by_count);
    bool all = p->n <= PALETTE_MOST;
    while (exact < p->n && (all || (exact < EXACT_MOST && bins[exact].count * EXACT_SHARE > p->total))) {
        uint64_t color[3];
        for (int c = 0; c < 3; c++) color[c] = (uint64_t)channel(bins[exact].color, c);
        add_color(p, color, 1);
        exact++;
    }
    cut(p, bins + exact, p->n - exact);
    arena_free(&arena);
    *rgb = p->rgb;
    return p->n_colors;
}

/* ---- using ---- */

static int nearest(const Palette *p, uint32_t color) {
    int found = 0, least = 1 << 30;
    for (int i = 0; i < p->n_colors; i++) {
        int far = 0;
        for (int c = 0; c < 3; c++) {
            int off = p->rgb[3 * i + c] - channel(color, c);
            far += off * off;
        }
        if (far < least) found = i, least = far;
    }
    return found;
}

static uint8_t index_of(Palette *p, uint32_t color) {
    if (p->n >= 2 * COUNTED_MOST) return (uint8_t)nearest(p, color); /* enough is remembered */
    Bin *bin = bin_of(p, color);
    if (bin->nearest == NEAREST_UNKNOWN) bin->nearest = nearest(p, color);
    return (uint8_t)bin->nearest;
}

void palette_map(Palette *p, const Pixels *pixels, uint8_t *indices) {
    size_t n = (size_t)pixels->width * (size_t)pixels->height;
    const uint8_t *at = pixels->rgba;
    for (size_t i = 0; i < n; i++, at += 4) {
        if (i > 0 && memcmp(at, at - 4, 3) == 0) indices[i] = indices[i - 1];
        else indices[i] = index_of(p, (uint32_t)at[0] << 16 | (uint32_t)at[1] << 8 | at[2]);
    }
}
