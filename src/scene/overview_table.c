/* The measures of the enlarged map: of a head those of its summary, of any other map worked out from its rows. */
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/stats.h"
#include "scene/overview_part.h"

/* As in core/summary.h, short enough to stand beside the names; w is the map's. */
static const char *const formulas[] = {
    [MEASURE_PREVIOUS] = tr_mark("mean of w[i, i − 1]"), [MEASURE_SAME] = tr_mark("mean of w[i, i]"),
    [MEASURE_NEXT] = tr_mark("mean of w[i, i + 1]"),     [MEASURE_FIRST] = tr_mark("mean of w[i, 1]"),
    [MEASURE_SPECIAL] = tr_mark("mean of Σ w, special"), [MEASURE_ENTROPY] = tr_mark("−Σ w ln w / ln(kept)"),
};
static_assert(sizeof formulas / sizeof *formulas == MEASURE_COUNT, "a formula for each measure");

/* Design units: width of a table's column from which there is room for formulas. */
enum { FORMULA_LEAST = 256, PIECE = 256 };

/* ---- a map by its rows ---- */

typedef struct {
    const Tensor *map, *mask; /* mask NULL: nothing is hidden */
    const bool *marked;       /* NULL: no key is */
    int head, L, S;
} Rows;

static size_t row_offset(const Tensor *t, int head, int row) {
    const int index[4] = {t->rank == 3 ? head : row, t->rank == 3 ? row : 0, 0, 0};
    return tensor_offset(t, index);
}

static int kept_keys(const Rows *r, int row) {
    int n = 0;
    double keep[PIECE];
    for (int j = 0; r->mask && j < r->S; j += PIECE) {
        int wide = r->S - j < PIECE ? r->S - j : PIECE;
        tensor_load(r->mask, row_offset(r->mask, 0, row) + (size_t)j, wide, keep);
        for (int k = 0; k < wide; k++) n += keep[k] != 0;
    }
    return r->mask ? n : r->S;
}

/* One row's share or entropy; false: the question makes no sense in it. A map that is no square has no causal mask, so query i
 * stands at key i. */
static bool row_answer(const Rows *r, Measure measure, int row, double *out) {
    int key = measure == MEASURE_FIRST ? 0 : measure == MEASURE_PREVIOUS ? row - 1 : measure == MEASURE_NEXT ? row + 1 : row;
    size_t at = row_offset(r->map, r->head, row);
    double w[PIECE];
    *out = 0;
    if (measure < MEASURE_SPECIAL) {
        if (key < 0 || key >= r->S) return false;
        tensor_load(r->map, at + (size_t)key, 1, out);
        return true;
    }
    for (int j = 0; j < r->S; j += PIECE) {
        int wide = r->S - j < PIECE ? r->S - j : PIECE;
        tensor_load(r->map, at + (size_t)j, wide, w);
        for (int k = 0; k < wide; k++) {
            if (isnan(w[k])) *out = w[k];
            else if (measure == MEASURE_SPECIAL) *out += r->marked && r->marked[j + k] ? w[k] : 0;
            else if (w[k] > 0) *out -= w[k] * log(w[k]);
        }
    }
    if (measure == MEASURE_SPECIAL) return r->marked != NULL;
    int kept = kept_keys(r, row);
    if (kept > 1) *out /= log(kept);
    else if (!isnan(*out)) *out = 0;
    return kept > 0;
}

static double mean_answer(const Rows *r, Measure measure) {
    double sum = 0, value;
    int n = 0;
    for (int row = 0; row < r->L; row++) {
        if (!row_answer(r, measure, row, &value)) continue;
        sum += value;
        n++;
    }
    return n ? sum / n : (double)NAN;
}

double overview_shown_measure(const Overview *o, const OverviewShown *shown, Measure measure) {
    const Trace *trace = o->run->trace;
    const MapSummary *summary = o->summary[shown->site];
    if (shown->kind == AGGREGATE_HEAD) return overview_measure(o, shown->site, shown->head, measure);
    bool shares = shown->kind != AGGREGATE_LENGTH && shown->kind != AGGREGATE_MAXIMUM;
    if (!shares && measure == MEASURE_ENTROPY) return (double)NAN; /* its rows do not add up to 1 */
    if (shown->tensor == TENSOR_NONE || !trace_resident(trace, shown->tensor)) return (double)NAN;
    TensorId mask = trace_mask_of(trace, overview_site(o, shown->site)->weights);
    if (mask != TENSOR_NONE && !trace_resident(trace, mask)) return (double)NAN;
    const Tensor *map = trace_tensor(trace, shown->tensor);
    Rows rows = {.map = map, .mask = mask == TENSOR_NONE ? NULL : trace_tensor(trace, mask), .head = shown->head,
                 .marked = summary ? summary->marked : NULL, .L = map->dim[map->rank - 2], .S = map->dim[map->rank - 1]};
    return mean_answer(&rows, measure);
}

/* ---- the table ---- */

static int count_measures(const Overview *o) {
    int n = 0;
    for (int m = 0; m < MEASURE_COUNT; m++) n += overview_has_measure(o, (Measure)m);
    return n;
}

static void draw_measure(const Overview *o, const OverviewShown *shown, Measure m, Rect row) {
    const FontMetrics *font = o->scene->font;
    float size = o->scene->layout.type[TYPE_SMALL];
    double value = overview_shown_measure(o, shown, m);
    bool lit = overview_sort(o) == (int)m;
    const char *name = overview_measure_name(m);
    DlGroup group = {.role = ROLE_ROW, .tensor = -1, .at = {(int)m, -1, -1, -1}};
    group.label = dl_store(o->dl, arena_printf(o->scene->arena, tr("%s: %s"), name, tr(formulas[m])));
    group.name = dl_store(o->dl, arena_printf(o->scene->arena, "overview.measure.%s", overview_sort_names[m]));
    dl_group(o->dl, row, &group);
    Rect rest = row;
    overview_text(o, TYPE_SMALL, FACE_MONO, o->theme->ink, rect_cut_right(&rest, 5 * o->pad), ALIGN_RIGHT,
                  isnan(value) ? "–" : scene_number(o->scene, value, 3));
    bool formula = row.w >= FORMULA_LEAST * o->s;
    float name_w = ceilf(font_width(font, FACE_UI_SEMIBOLD, size, overview_measure_name(MEASURE_ENTROPY))) + 1.5f * o->pad;
    overview_text(o, TYPE_SMALL, lit ? FACE_UI_SEMIBOLD : FACE_UI, o->theme->ink, rect_cut_left(&rest, formula ? name_w : rest.w), ALIGN_LEFT, name);
    if (formula) overview_text(o, TYPE_SMALL, FACE_UI, o->theme->muted, rest, ALIGN_LEFT, tr(formulas[m]));
    dl_ungroup(o->dl);
}

/* "Rollout up to layer 3, w:"; the heading's line, then half of the measures in each column. */
float overview_table_height(const Overview *o) {
    int n = count_measures(o);
    return n > 0 ? 1.5f * o->scene->layout.type[TYPE_SMALL] * (float)(1 + (n + 1) / 2) : 0;
}

void overview_table(const Overview *o, Rect box, const OverviewShown *shown) {
    static const char *const headings[] = {
        [AGGREGATE_HEAD] = tr_mark("%s: measures of its weights w"), [AGGREGATE_AVERAGE] = tr_mark("%s: measures of the head average w"),
        [AGGREGATE_ROLLOUT] = tr_mark("%s: measures of the rollout w"), [AGGREGATE_LENGTH] = tr_mark("%s: measures of w = weight × |v|"),
        [AGGREGATE_MAXIMUM] = tr_mark("%s: measures of the maximum w"),
    };
    static_assert(sizeof headings / sizeof *headings == AGGREGATE_KIND_COUNT, "a heading for each map");
    int n = count_measures(o), down = (n + 1) / 2, i = 0;
    if (n == 0) return;
    Rect head = rect_cut_top(&box, box.h / (float)(down + 1));
    overview_text(o, TYPE_SMALL, FACE_UI_SEMIBOLD, o->theme->ink, head, ALIGN_LEFT,
                  arena_printf(o->scene->arena, tr(headings[shown->kind]), shown->title));
    float high = box.h / (float)down, gap = 3 * o->pad, wide = (box.w - gap) / 2;
    for (int m = 0; m < MEASURE_COUNT; m++) {
        if (!overview_has_measure(o, (Measure)m)) continue;
        draw_measure(o, shown, (Measure)m, (Rect){box.x + (wide + gap) * (float)(i / down), box.y + high * (float)(i % down), wide, high});
        i++;
    }
}

/* "entropy (0 to 1) = mean of …": of the row or the button under the pointer. */
const char *overview_pointed_formula(const Overview *o) {
    static const char *const before[] = {"overview.measure.", "overview.sort."};
    const char *hot = o->scene->view->hot;
    for (int k = 0; k < 2; k++)
        for (int m = 0; m < MEASURE_COUNT; m++) {
            size_t n = strlen(before[k]);
            if (strncmp(hot, before[k], n) != 0 || !str_eq(hot + n, overview_sort_names[m])) continue;
            return arena_printf(o->scene->arena, "%s = %s", overview_measure_name((Measure)m), tr(k == 0 ? formulas[m] : measure_formulas[m]));
        }
    return NULL;
}
