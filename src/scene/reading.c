#include "scene/reading.h"

#include <math.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/now.h"
#include "scene/paint.h"

/* Cells of one head's map up to which spread and sharpness are made afresh for each frame. */
enum { CELLS_MOST = 1 << 18 };

static TensorId find(const Run *run, const Site *site, const char *name, Arena *arena) {
    const char *dot = site->scope[0] ? "." : "";
    TensorId id = trace_find(run->trace, arena_printf(arena, "%s%s%s", site->scope, dot, name));
    return id != TENSOR_NONE && trace_resident(run->trace, id) ? id : TENSOR_NONE;
}

Reading reading_of(const Run *run, int stage, int head, bool maps) {
    Arena arena = {0};
    const Site *site = run_site(run, stage);
    const AttentionSpec *spec = &site->spec;
    Reading r = {.known = true, .site = (int)(site - run->sites), .head = head, .spread = (double)NAN, .spread_scaled = (double)NAN, .root = sqrt(spec->d_k > 0 ? spec->d_k : 1)};
    r.parameters = reading_parameters(run->trace, site->scope);
    r.cost = reading_cost(spec);
    if (run->fields & (RUN_GIVEN_SCORES | RUN_GIVEN_WEIGHTS)) { /* nobody multiplies */
        r.cost.total -= r.cost.scores;
        r.cost.scores = 0;
    }
    if (maps && (long long)spec->L * spec->S <= CELLS_MOST) {
        TensorId scores = find(run, site, "scores", &arena), scaled = find(run, site, "scaled", &arena), weights = find(run, site, "weights", &arena);
        TensorId mask = find(run, site, "mask", &arena);
        if (head >= spec->n_heads) head = 0;
        if (scores != TENSOR_NONE) r.spread = reading_spread(run->trace, scores, mask, head);
        if (scaled != TENSOR_NONE) r.spread_scaled = reading_spread(run->trace, scaled, mask, head);
        if (weights != TENSOR_NONE) r.soft = reading_softmax(run->trace, weights, mask, head, -1);
    }
    arena_free(&arena);
    return r;
}

const char *reading_count(Arena *arena, long long n) {
    if (n < 10000000) {
        if (n < 1000) return arena_printf(arena, "%lld", n);
        if (n < 1000000) return arena_printf(arena, "%lld,%03lld", n / 1000, n % 1000);
        return arena_printf(arena, "%lld,%03lld,%03lld", n / 1000000, n / 1000 % 1000, n % 1000);
    }
    return phrase_count(arena, (double)n);
}

/* ---- lines ---- */

typedef struct {
    const Scene *scene;
    Arena *arena;
    Reading now;
    const Reading *was; /* NULL: nothing was just changed */
    bool longest;       /* as if every number had changed */
} Line;

static Line make(const Scene *scene, bool maps) {
    const View *view = scene->view;
    Line line = {.scene = scene, .arena = scene->arena, .now = reading_of(scene->run, view->film.stage, view->head, maps)};
    const Reading *was = scene->before;
    line.was = was && was->known && was->site == line.now.site && was->head == line.now.head ? was : NULL;
    return line;
}

static const char *strong(const Line *l, const char *text) { return arena_printf(l->arena, RICH_INK "%s" RICH_END, text); }

static const char *change(const Line *l, const char *was, const char *now) {
    return strong(l, str_eq(was, now) && !l->longest ? now : arena_printf(l->arena, "%s → %s", was, now));
}

/* "2.83 → 1.00" where a change is to be read, else "1.00". */
static const char *number(const Line *l, double was, double now, int decimals) {
    char a[NUM_MAX], b[NUM_MAX];
    num_fixed(b, now, decimals, NUM_SCREEN);
    num_fixed(a, l->was && isfinite(was) ? was : now, decimals, NUM_SCREEN);
    return change(l, a, b);
}

/* The same with as many decimals as name it: "0.1966", "1.5e−10". */
static const char *small(const Line *l, double was, double now) {
    return change(l, scene_short_number(l->scene, l->was && isfinite(was) ? was : now), scene_short_number(l->scene, now));
}

static const char *count(const Line *l, long long was, long long now) {
    return change(l, reading_count(l->arena, l->was ? was : now), reading_count(l->arena, now));
}

#define BOTH(field) l->was ? l->was->field : l->now.field, l->now.field

static const char *scores_line(const Line *l) {
    if (!isfinite(l->now.spread)) return NULL;
    return arena_printf(l->arena, tr("spread of the scores %s · √dₖ = %s · %s multiply-adds here"), number(l, BOTH(spread), 2), number(l, BOTH(root), 2),
                        count(l, BOTH(cost.scores)));
}

static const char *scale_line(const Line *l) {
    if (!isfinite(l->now.spread_scaled)) return NULL;
    return arena_printf(l->arena, tr("spread of the scaled scores %s · of the scores %s"), number(l, BOTH(spread_scaled), 2), number(l, BOTH(spread), 2));
}

static const char *softmax_line(const Line *l) {
    if (l->now.soft.rows == 0) return NULL;
    bool narrow = l->scene->layout.drawer; /* no room to say what p(1 − p) is about */
    return arena_printf(l->arena, narrow ? tr("mean entropy %s of %s bits, as sharp as %s equal keys · p(1 − p) %s")
                                                : tr("mean entropy %s of %s bits, as sharp as %s equal keys · p(1 − p), what softmax can still learn: %s"),
                        number(l, BOTH(soft.entropy_bits), 2), number(l, BOTH(soft.entropy_most), 2), number(l, BOTH(soft.keys), 1), small(l, BOTH(soft.saturation)));
}

static const char *project_line(const Line *l) {
    long long was = l->was ? l->was->parameters.total - l->was->parameters.w_o : 0, now = l->now.parameters.total - l->now.parameters.w_o;
    if (now == 0 && was == 0) return arena_printf(l->arena, tr("%s parameters: nothing is learned here"), strong(l, "0"));
    return arena_printf(l->arena, tr("%s parameters · %s multiply-adds here"), count(l, was, now), count(l, BOTH(cost.project)));
}

static const char *output_line(const Line *l) {
    return arena_printf(l->arena, tr("%s parameters here · %s multiply-adds"), count(l, BOTH(parameters.w_o)), count(l, BOTH(cost.output)));
}

static const char *products_line(const Line *l) {
    return arena_printf(l->arena, tr("%s multiply-adds here · weights on average as sharp as %s equal keys"), count(l, BOTH(cost.weighted_sum)), number(l, BOTH(soft.keys), 1));
}

static const char *line_of(const Line *l, StageKind kind) {
    switch (kind) {
    case STAGE_PROJECT: return project_line(l);
    case STAGE_SCORES: return scores_line(l);
    case STAGE_SCALE:
    case STAGE_MASK: return scale_line(l);
    case STAGE_SOFTMAX: return softmax_line(l);
    case STAGE_WEIGHTED_SUM: return l->now.soft.rows > 0 ? products_line(l) : NULL;
    case STAGE_OUTPUT: return output_line(l);
    default: return NULL;
    }
}

static const char *whole_line(const Line *l, bool named) {
    StageKind kind = scene_stage(l->scene)->kind;
    const char *text = line_of(l, kind);
    bool one_head = kind != STAGE_PROJECT && kind != STAGE_OUTPUT && scene_site(l->scene)->spec.n_heads > 1;
    return text && named && one_head ? arena_printf(l->arena, tr("Head %d: %s"), l->scene->view->head + 1, text) : text;
}

static Line make_line(const Scene *scene) {
    StageKind kind = scene_stage(scene)->kind;
    return make(scene, kind != STAGE_PROJECT && kind != STAGE_OUTPUT);
}

const char *reading_line(const Scene *scene, bool named) {
    Line line = make_line(scene);
    return whole_line(&line, named);
}

/* "73 kB", "1.4 MB", "498 MB". */
static const char *size_text(Arena *arena, size_t bytes) {
    char number[NUM_MAX];
    bool small = bytes < 1000000;
    num_fixed(number, small ? ceil((double)bytes / 1e3) : (double)bytes / 1e6, small || bytes >= 9950000 ? 0 : 1, NUM_SCREEN);
    return arena_printf(arena, small ? "%s kB" : "%s MB", number);
}

/* Of a network parts that were not needed for long are given up, and computed again when they are. */
static const char *memory(const Scene *scene) {
    size_t all = trace_bytes(scene->run->trace), there = trace_bytes_resident(scene->run->trace);
    const char *whole = size_text(scene->arena, all), *now = size_text(scene->arena, there);
    return str_eq(whole, now) ? arena_printf(scene->arena, tr("all numbers take %s"), whole)
                        : arena_printf(scene->arena, tr("all numbers take %s, %s of them in memory now"), whole, now);
}

static const char *totals(const Line *l) {
    const char *layer = arena_printf(l->arena, tr("%s parameters and %s multiply-adds in this layer"), count(l, BOTH(parameters.total)), count(l, BOTH(cost.total)));
    return l->scene->layout.drawer ? layer : phrase_list(l->arena, layer, memory(l->scene)); /* a drawer has no room for more */
}

const char *reading_totals(const Scene *scene) {
    Line line = make(scene, false);
    return totals(&line);
}

const char *reading_all(const Scene *scene, const char **longest) {
    Line line = make_line(scene);
    const char *text[2];
    for (int i = 0; i < 2; i++) {
        line.longest = i == 1;
        const char *own = reading_room(scene) > 0 ? NULL : whole_line(&line, true); /* else it stands beside the map */
        text[i] = own ? arena_printf(scene->arena, "%s\n%s", own, totals(&line)) : totals(&line);
    }
    *longest = text[1];
    return text[0];
}

bool reading_on(const Scene *scene) {
    const View *view = scene->view;
    bool hidden = view->controls && scene->layout.drawer; /* the panel lies there, and says it */
    return (view->controls || view->control[0]) && !hidden && !view->presenting && !view->comparing && !view->overview;
}

float reading_room(const Scene *scene) {
    static const bool has[STAGE_KIND_COUNT] = {[STAGE_PROJECT] = true, [STAGE_SCORES] = true, [STAGE_SCALE] = true, [STAGE_MASK] = true,
                                               [STAGE_SOFTMAX] = true, [STAGE_WEIGHTED_SUM] = true, [STAGE_OUTPUT] = true};
    if (!reading_on(scene) || !has[scene_stage(scene)->kind]) return 0;
    return ceilf(scene->layout.type[TYPE_LABEL] * 1.3f) + scene->layout.pad / 2;
}
