/* Small pictures of maps and what share of their weight lies where. Rows are taken one by one, so that rows which an
 * earlier trace has taken need not be there again. */
#include "core/summary.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "core/internal.h"
#include "core/stats.h"

const char *const measure_names[] = {
    [MEASURE_PREVIOUS] = tr_mark("previous token"), [MEASURE_SAME] = tr_mark("same token"),
    [MEASURE_NEXT] = tr_mark("next token"),         [MEASURE_FIRST] = tr_mark("first token"),
    [MEASURE_SPECIAL] = tr_mark("special tokens"),  [MEASURE_ENTROPY] = tr_mark("entropy"),
};
static_assert(sizeof measure_names / sizeof measure_names[0] == MEASURE_COUNT, "a name for each measure");

const char *const measure_formulas[] = {
    [MEASURE_PREVIOUS] = tr_mark("mean of weights[i, i − 1]"), [MEASURE_SAME] = tr_mark("mean of weights[i, i]"),
    [MEASURE_NEXT] = tr_mark("mean of weights[i, i + 1]"),     [MEASURE_FIRST] = tr_mark("mean of weights[i, 1]"),
    [MEASURE_SPECIAL] = tr_mark("mean of the row's weight on special tokens"),
    [MEASURE_ENTROPY] = tr_mark("mean of −Σ w ln w / ln(kept keys)"),
};
static_assert(sizeof measure_formulas / sizeof measure_formulas[0] == MEASURE_COUNT, "a formula for each measure");

enum { PIECE = 256 };

void trace_add_summary(Trace *trace, TensorId weights, const bool *marked) {
    assert(!trace->finished);
    const Tensor *map = trace_tensor(trace, weights);
    assert(map->rank == 3);
    Summary summary = {.weights = weights};
    if (marked) {
        summary.marked = arena_try(trace->arena, (size_t)map->dim[2], sizeof *summary.marked);
        if (summary.marked) memcpy(summary.marked, marked, (size_t)map->dim[2] * sizeof *summary.marked);
        else trace->out_of_memory = true;
    }
    if (trace->n_summaries == trace->max_summaries) {
        int max = trace->max_summaries ? 2 * trace->max_summaries : 8;
        Summary *more = arena_try(trace->arena, (size_t)max, sizeof *more);
        if (!more) {
            trace->out_of_memory = true;
            return;
        }
        if (trace->n_summaries) memcpy(more, trace->summaries, (size_t)trace->n_summaries * sizeof *more);
        trace->summaries = more;
        trace->max_summaries = max;
    }
    trace->summaries[trace->n_summaries++] = summary;
}

Summary *summary_of(const Trace *trace, TensorId weights) {
    for (int n = 0; n < trace->n_summaries; n++)
        if (trace->summaries[n].weights == weights) return &trace->summaries[n];
    return NULL;
}

const MapSummary *trace_summary(const Trace *trace, TensorId weights) {
    const Summary *summary = summary_of(trace, weights);
    return summary && summary->made ? &summary->map : NULL;
}

int summary_bin(int L, int S) {
    int side = L > S ? L : S, bin = 1;
    while ((side + bin - 1) / bin > SUMMARY_SIDE_MAX) bin *= 2;
    return bin;
}

/* ---- one summary in the making ---- */

typedef struct {
    Summary *summary;
    const Tensor *map, *mask;
    int base;           /* row of the map that map's row 0 is */
    int offset;         /* place of query 0 among the keys */
    int first;          /* rows before it are there already */
    bool any_marked;
} Making;

static int place_of_first_query(const Trace *trace, TensorId mask, int L, int S) {
    if (mask == TENSOR_NONE) return 0;
    const Op *op = trace_op(trace, trace_tensor(trace, mask)->op);
    for (int m = 0; m < op->n_masks; m++)
        if ((op->masks[m].kind == MASK_CAUSAL || op->masks[m].causal) && op->masks[m].align == ALIGN_BOTTOM_RIGHT) return S - L;
    return 0;
}

static int kept_keys(const Making *m, int h, int i) {
    int S = m->map->dim[2], n = 0;
    if (!m->mask) return S;
    double keep[PIECE];
    for (int j = 0; j < S; j += PIECE) {
        int width = S - j < PIECE ? S - j : PIECE;
        tensor_load(m->mask, mask_row(m->mask, h, i) + (size_t)j, width, keep);
        for (int k = 0; k < width; k++) n += keep[k] != 0.0;
    }
    return n;
}

static void picture_piece(MapSummary *map, float *row, int j0, int n, const double *weights) {
    for (int k = 0; k < n;) { /* bin by bin */
        int end = ((j0 + k) / map->bin + 1) * map->bin - j0;
        float *cell = &row[(j0 + k) / map->bin], largest = *cell;
        for (end = end < n ? end : n; k < end; k++) {
            float value = (float)weights[k];
            largest = value > largest || isnan(value) ? value : largest; /* nothing is larger than NaN: it stays */
        }
        *cell = largest;
    }
}

static double entropy_piece(int n, const double *weights) {
    double sum = 0;
    for (int k = 0; k < n; k++)
        if (weights[k] > 0.0) sum -= weights[k] * log(weights[k]);
        else if (isnan(weights[k])) sum = weights[k];
    return sum;
}

static size_t answer_at(const Making *m, int h, Measure measure, int i) {
    return ((size_t)h * MEASURE_COUNT + (size_t)measure) * (size_t)m->summary->map.L + (size_t)i;
}

static void answer(Making *m, int h, int i, Measure measure, bool asked, double value) {
    m->summary->asked[answer_at(m, h, measure, i)] = asked;
    m->summary->row[answer_at(m, h, measure, i)] = asked ? value : 0.0;
}

static bool has_key(const Making *m, int j) { return j >= 0 && j < m->summary->map.S; }

/* weights[i, j] as an answer, where there is such a key */
static void answer_cell(Making *m, int h, int i, Measure measure, int j) {
    answer(m, h, i, measure, has_key(m, j), has_key(m, j) ? tensor_at(m->map, (int[4]){h, i - m->base, j, 0}) : 0.0);
}

static void take_row(Making *m, int h, int i) {
    MapSummary *map = &m->summary->map;
    float *picture = map->picture + ((size_t)h * (size_t)map->rows + (size_t)(i / map->bin)) * (size_t)map->cols;
    double weights[PIECE], entropy = 0, special = 0;
    for (int j = 0; j < map->S; j += PIECE) {
        int n = map->S - j < PIECE ? map->S - j : PIECE;
        tensor_load(m->map, tensor_offset(m->map, (int[4]){h, i - m->base, j, 0}), n, weights);
        picture_piece(map, picture, j, n, weights);
        entropy += entropy_piece(n, weights);
        for (int k = 0; m->any_marked && k < n; k++)
            if (m->summary->marked[j + k]) special += weights[k];
    }
    int kept = kept_keys(m, h, i), place = i + m->offset;
    answer_cell(m, h, i, MEASURE_PREVIOUS, place - 1);
    answer_cell(m, h, i, MEASURE_SAME, place);
    answer_cell(m, h, i, MEASURE_NEXT, place + 1);
    answer_cell(m, h, i, MEASURE_FIRST, 0);
    answer(m, h, i, MEASURE_SPECIAL, m->any_marked, special);
    answer(m, h, i, MEASURE_ENTROPY, kept > 0, kept > 1 || isnan(entropy) ? entropy / log(kept > 1 ? kept : 2) : 0.0);
}

static void take_head(void *arg, int h) {
    Making *m = arg;
    MapSummary *map = &m->summary->map;
    for (int i = m->first; i < map->L; i++) take_row(m, h, i);
    for (int measure = 0; measure < MEASURE_COUNT; measure++) {
        size_t at = ((size_t)h * MEASURE_COUNT + (size_t)measure) * (size_t)map->L;
        double sum = 0;
        int n = 0;
        for (int i = 0; i < map->L; i++) {
            if (!m->summary->asked[at + (size_t)i]) continue;
            sum += m->summary->row[at + (size_t)i];
            n++;
        }
        map->measure[h * MEASURE_COUNT + measure] = n ? sum / n : (double)NAN;
    }
}

static void find_hidden(const Making *m) {
    MapSummary *map = &m->summary->map;
    double keep[PIECE];
    for (int n = 0; n < map->rows * map->cols; n++) map->hidden[n] = true;
    for (int i = 0; i < map->L; i++)
        for (int j = 0; j < map->S; j += PIECE) {
            int n = map->S - j < PIECE ? map->S - j : PIECE;
            bool *row = map->hidden + i / map->bin * map->cols;
            tensor_load(m->mask, mask_row(m->mask, 0, i) + (size_t)j, n, keep);
            for (int k = 0; k < n; k++)
                if (keep[k] != 0.0) row[(j + k) / map->bin] = false;
        }
}

static bool summary_allocate(Trace *trace, Summary *summary, bool masked) {
    const Tensor *tensor = trace_tensor(trace, summary->weights);
    size_t H = (size_t)tensor->dim[0], L = (size_t)tensor->dim[1], S = (size_t)tensor->dim[2];
    int bin = summary_bin(tensor->dim[1], tensor->dim[2]);
    size_t rows = (L + (size_t)bin - 1) / (size_t)bin, cols = (S + (size_t)bin - 1) / (size_t)bin;
    MapSummary *map = &summary->map;
    if (map->measure) return true;
    *map = (MapSummary){.n_heads = (int)H, .L = (int)L, .S = (int)S, .bin = bin, .rows = (int)rows, .cols = (int)cols};
    map->picture = arena_try(trace->arena, H * rows * cols, sizeof *map->picture);
    map->hidden = masked ? arena_try(trace->arena, rows * cols, sizeof *map->hidden) : NULL;
    summary->row = arena_try(trace->arena, H * MEASURE_COUNT * L, sizeof *summary->row);
    summary->asked = arena_try(trace->arena, H * MEASURE_COUNT * L, sizeof *summary->asked);
    if (!map->picture || (masked && !map->hidden) || !summary->row || !summary->asked) return false;
    map->measure = arena_try(trace->arena, H * MEASURE_COUNT, sizeof *map->measure);
    for (size_t n = 0; n < H * rows * cols; n++) map->picture[n] = -HUGE_VALF;
    return map->measure != NULL;
}

/* The larger of both; NaN stays. */
static void lift(float *cell, float value) {
    if (value > *cell || isnan(value)) *cell = value;
}

/* Rows 0..first-1 of a head's picture from an earlier one: its bins are as large or smaller, and `first` is a multiple of ours
 * or all the earlier rows. Keys that came later have no weight in these rows. */
static void take_picture(const Making *m, const MapSummary *old, int h) {
    MapSummary *map = &m->summary->map;
    for (int r = 0; r * old->bin < m->first; r++)
        for (int c = 0; c < old->cols && c * old->bin < map->S; c++)
            lift(&map->picture[(h * map->rows + r * old->bin / map->bin) * map->cols + c * old->bin / map->bin],
                  old->picture[(h * old->rows + r) * old->cols + c]);
    for (int r = 0; r * map->bin < m->first; r++)
        for (int c = old->S / map->bin; c < map->cols && map->S > old->S; c++) lift(&map->picture[(h * map->rows + r) * map->cols + c], 0.0F);
}

/* Does the question make sense now that there are other keys? Where it did not before, the key is one that came later. */
static void ask_again(const Making *m, int h, int i, Measure measure, bool asked) {
    size_t at = answer_at(m, h, measure, i);
    if (!asked || !m->summary->asked[at]) m->summary->row[at] = 0.0;
    m->summary->asked[at] = asked;
}

static void take_answers(const Making *m, const Summary *before, int h) {
    for (int measure = 0; measure < MEASURE_COUNT; measure++) {
        size_t from = ((size_t)h * MEASURE_COUNT + (size_t)measure) * (size_t)before->map.L, to = answer_at(m, h, (Measure)measure, 0);
        memcpy(m->summary->row + to, before->row + from, (size_t)m->first * sizeof *before->row);
        memcpy(m->summary->asked + to, before->asked + from, (size_t)m->first * sizeof *before->asked);
    }
    for (int i = 0; i < m->first; i++) {
        ask_again(m, h, i, MEASURE_PREVIOUS, has_key(m, i + m->offset - 1));
        ask_again(m, h, i, MEASURE_SAME, has_key(m, i + m->offset));
        ask_again(m, h, i, MEASURE_NEXT, has_key(m, i + m->offset + 1));
        ask_again(m, h, i, MEASURE_SPECIAL, m->any_marked);
    }
}

bool summary_make(Trace *trace, Summary *summary, const SummaryRows *rows, const CoreContext *cx, Err *err) {
    TensorId mask = trace_mask_of(trace, summary->weights);
    const Tensor *whole = trace_tensor(trace, summary->weights);
    if (!summary_allocate(trace, summary, mask != TENSOR_NONE))
        return err_set(err, ERR_MEMORY, tr("Out of memory for the trace."));
    Making m = {.summary = summary, .map = rows->map, .mask = rows->mask, .base = rows->base, .first = rows->first,
                .offset = place_of_first_query(trace, mask, whole->dim[1], whole->dim[2])};
    for (int j = 0; summary->marked && j < whole->dim[2]; j++) m.any_marked |= summary->marked[j];
    for (int h = 0; rows->before && h < whole->dim[0]; h++) {
        take_picture(&m, &rows->before->map, h);
        take_answers(&m, rows->before, h);
    }
    op_loop(cx, 10.0 * (double)tensor_count(rows->map), false, whole->dim[0], take_head, &m);
    if (m.mask) find_hidden(&m);
    summary->map.marked = m.any_marked ? summary->marked : NULL;
    summary->made = true;
    return true;
}

bool summaries_make(Trace *trace, int part, const CoreContext *cx, Err *err) {
    for (int n = 0; n < trace->n_summaries; n++) {
        Summary *summary = &trace->summaries[n];
        if (summary->made || trace->op_part[trace_tensor(trace, summary->weights)->op] != part) continue;
        TensorId mask = trace_mask_of(trace, summary->weights);
        SummaryRows rows = {.map = trace_tensor(trace, summary->weights), .mask = mask == TENSOR_NONE ? NULL : trace_tensor(trace, mask)};
        if (!summary_make(trace, summary, &rows, cx, err)) return false;
    }
    return true;
}
