/* Names, measures and sentences of the overview. */
#include <assert.h>
#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/overview_part.h"

const char *const overview_sort_names[] = {
    [MEASURE_PREVIOUS] = tr_mark("previous"), [MEASURE_SAME] = tr_mark("same"),       [MEASURE_NEXT] = tr_mark("next"),
    [MEASURE_FIRST] = tr_mark("first"),       [MEASURE_SPECIAL] = tr_mark("special"), [MEASURE_ENTROPY] = tr_mark("entropy"),
};
static_assert(sizeof overview_sort_names / sizeof *overview_sort_names == MEASURE_COUNT, "a name for each measure");

/* ---- measures ---- */

double overview_measure(const Overview *o, int site, int head, Measure measure) {
    const MapSummary *map = o->summary[site];
    return map && head < map->n_heads ? map->measure[head * MEASURE_COUNT + (int)measure] : (double)NAN;
}

/* Where the only special token is the first one, it is asked about as the first. */
static bool says_more(const Overview *o, int site, int head, Measure measure) {
    double value = overview_measure(o, site, head, measure), first = overview_measure(o, site, head, MEASURE_FIRST);
    if (isnan(value)) return false;
    return measure != MEASURE_SPECIAL || isnan(first) || fabs(value - first) > 1e-9;
}

/* Softmax speaks of bits; here rows of all lengths are compared. */
const char *overview_measure_name(Measure measure) {
    return measure == MEASURE_ENTROPY ? tr("entropy (0 to 1)") : tr(measure_names[measure]);
}

bool overview_has_measure(const Overview *o, Measure measure) {
    for (int i = 0; i < o->run->n_sites; i++)
        for (int head = 0; o->summary[i] && head < o->summary[i]->n_heads; head++)
            if (says_more(o, i, head, measure)) return true;
    return false;
}

int overview_sort(const Overview *o) {
    return run_map_sort(o->run, o->scene->view->sort);
}

/* ---- names ---- */

/* Heads of every layer, or 0: they differ. */
static int heads_of_all(const Overview *o) {
    int heads = o->run->sites[0].spec.n_heads;
    for (int i = 1; i < o->run->n_sites; i++)
        if (o->run->sites[i].spec.n_heads != heads) return 0;
    return heads;
}

const char *overview_heading(const Overview *o) {
    Arena *arena = o->scene->arena;
    int heads = heads_of_all(o), layers[2] = {0}, stacks = 0;
    for (int i = 0; i < o->n_groups; i++) { /* looking across makes no layer */
        const Site *site = overview_site(o, o->group[i].sites[0]);
        if (!site->cross && stacks < 2) layers[stacks++] = o->group[i].n;
    }
    const char *all = stacks > 1 ? arena_printf(arena, "%d + %d", layers[0], layers[1]) : arena_printf(arena, "%d", layers[0]);
    if (heads == 0) return arena_printf(arena, tr("%s layers"), all);
    return arena_printf(arena, heads == 1 ? tr("%s layers × %d head") : tr("%s layers × %d heads"), all, heads);
}

const char *overview_name(const Overview *o, int site, int head) {
    return arena_printf(o->scene->arena, tr("%s, head %d"), overview_site(o, site)->title, head + 1);
}

const char *overview_short_name(const Overview *o, int site, int head) {
    const char *letter = o->group[o->group_of[site]].letter;
    return arena_printf(o->scene->arena, "%s%d.%d", letter, overview_site(o, site)->layer + 1, head + 1);
}

/* ---- sentences ---- */

void overview_captions(const Scene *scene, const char **first, const char **second) {
    Overview o = overview_make(scene, NULL);
    const Network *network = scene->run->network;
    const CheckpointInfo *info = network && network->checkpoint ? checkpoint_info(network->checkpoint) : NULL;
    const char *size = overview_heading(&o);
    *first = tr("Every head looks in its own way.");
    *second = size;
    if (!info) return;
    const char *made = scene->run->source.badge ? tr(scene->run->source.badge) : "";
    bool random = info->seeded || scene->run->source.made == MADE_RANDOM;
    *first = random ? tr("A real shape with random weights.") : tr("A real model, read from your disk.");
    *second = arena_printf(scene->arena, tr("%s: %s, %s, %s parameters, %s."), info->name, info->family, size,
                           info->parameters < 10000 ? arena_printf(scene->arena, "%llu", info->parameters) : phrase_count(scene->arena, (double)info->parameters), made);
}
