/* The maps of a network one behind the other: layer by layer, or in the order of what their heads do. */
#include <math.h>
#include <stdlib.h>

#include "doc/run.h"

int run_site_kind(const Site *site) {
    return site->cross ? 2 : site->stack > 0;
}

static double measure_of(const Run *run, int site, int head, int sort) {
    const MapSummary *map = run->sites[site].weights == TENSOR_NONE ? NULL : trace_summary(run->trace, run->sites[site].weights);
    return map && head < map->n_heads ? map->measure[head * MEASURE_COUNT + sort] : (double)NAN;
}

int run_map_sort(const Run *run, int sort) {
    for (int i = 0; i < run->n_sites && sort >= 0 && sort < MEASURE_COUNT; i++)
        for (int head = 0; head < run->sites[i].spec.n_heads; head++)
            if (!isnan(measure_of(run, i, head, sort))) return sort;
    return -1;
}

typedef struct {
    RankedMap map;
    int place; /* layer by layer */
    bool rising;
} Item;

static int compare(const void *a, const void *b) {
    const Item *x = a, *y = b;
    bool no_x = isnan(x->map.value), no_y = isnan(y->map.value);
    if (no_x != no_y) return no_x ? 1 : -1;
    double by = no_x ? 0 : x->rising ? x->map.value - y->map.value : y->map.value - x->map.value;
    return by < 0 ? -1 : by > 0 ? 1 : x->place - y->place; /* equal ones keep their order */
}

int run_rank_maps(const Run *run, int sort, Arena *arena, RankedMap **out) {
    int count = 0, n = 0, by = run_map_sort(run, sort);
    for (int i = 0; i < run->n_sites; i++) count += run->sites[i].spec.n_heads;
    Item *items = ARENA_ARRAY(arena, Item, (size_t)count + 1);
    for (int kind = 0; kind < SITE_KIND_COUNT; kind++)
        for (int i = 0; i < run->n_sites; i++)
            for (int head = 0; run_site_kind(&run->sites[i]) == kind && head < run->sites[i].spec.n_heads; head++, n++)
                items[n] = (Item){{i, head, by < 0 ? 0 : measure_of(run, i, head, by)}, n, by == MEASURE_ENTROPY};
    qsort(items, (size_t)n, sizeof *items, compare);
    *out = ARENA_ARRAY(arena, RankedMap, (size_t)n + 1);
    for (int i = 0; i < n; i++) (*out)[i] = items[i].map;
    return n;
}

bool run_maps_in_line(const Run *run, int sort) {
    bool single = true;
    for (int i = 0; i < run->n_sites; i++) single = single && run->sites[i].spec.n_heads == 1;
    return single || run_map_sort(run, sort) >= 0;
}
