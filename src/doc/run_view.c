/* A view meets a run: what it looks at is found again, or let go. */
#include <string.h>

#include "base/str.h"
#include "doc/film.h"
#include "doc/run.h"

/* ---- tokens that moved ---- */

/* Where token `at` of a list stands in another: alike at both ends, in order between them. */
static int moved_token(const TokenList *before, const TokenList *after, int at) {
    int least = before->n < after->n ? before->n : after->n, head = 0, tail = 0;
    while (head < least && str_eq(before->items[head].text, after->items[head].text)) head++;
    while (tail < least - head && str_eq(before->items[before->n - 1 - tail].text, after->items[after->n - 1 - tail].text)) tail++;
    return at >= before->n - tail ? at - before->n + after->n : at;
}

/* `ref` was made for `before`: its rows and columns that count tokens go with them. */
static void move_ref(const Run *run, const Run *before, ViewRef *ref) {
    TensorId was = before && ref->tensor[0] ? trace_find(before->trace, ref->tensor) : TENSOR_NONE;
    TensorId now = ref->tensor[0] ? trace_find(run->trace, ref->tensor) : TENSOR_NONE;
    if (was == TENSOR_NONE || now == TENSOR_NONE) return;
    const Tensor *t = trace_tensor(run->trace, now);
    for (int a = 0; a < t->rank && trace_tensor(before->trace, was)->rank == t->rank; a++) {
        AxisKind kind = run_axis(run, now, a);
        const TokenList *from = run_axis_tokens(before, was, kind), *to = run_axis_tokens(run, now, kind);
        if (from && to && ref->index[a] < from->n) ref->index[a] = moved_token(from, to, ref->index[a]);
    }
}

static void settle_ref(const Run *run, const Run *before, ViewRef *ref) {
    if (!ref->tensor[0]) return;
    move_ref(run, before, ref);
    TensorId id = trace_find(run->trace, ref->tensor);
    const Tensor *t = id == TENSOR_NONE ? NULL : trace_tensor(run->trace, id);
    if (!t || (ref->rank && ref->rank != t->rank) || !tensor_has(t, ref->index)) *ref = (ViewRef){0};
    else ref->rank = t->rank;
}

static void settle_trail(const Run *run, const Run *before, View *view) {
    int kept = 0;
    for (int i = 0; i < view->n_trail; i++) {
        bool none = !view->trail[i].tensor[0];
        settle_ref(run, before, &view->trail[i]);
        if (!none && !view->trail[i].tensor[0]) continue;
        view->trail[kept] = view->trail[i];
        view->trail_film[kept] = view->trail_film[i];
        view->trail_head[kept] = view->trail_head[i];
        if (before) film_refit(&view->trail_film[kept], before->trace, run->trace);
        else film_clamp(&view->trail_film[kept], run->trace);
        kept++;
    }
    view->n_trail = kept;
}

/* ---- the place ---- */

/* A file says the stage's kind and the layer's name; a layer that there is not is the first. */
static void find_place(const Run *run, View *view) {
    Film *film = &view->film;
    int site = view->layer[0] ? run_find_layer(run, view->layer, NULL) : 0;
    int first = run->sites[site < 0 ? 0 : site].first_stage;
    bool known = film->stage >= 0 && film->stage < STAGE_KIND_COUNT;
    int stage = known ? film_stage_in(run->trace, first, (StageKind)film->stage) : -1;
    film->stage = stage < 0 ? first : stage;
    film->entered = 0;
    view->place_waits = false;
    film_clamp(film, run->trace);
    if (!film_shows(run->trace, film->stage, view->block_open)) view->block_open = true;
}

void run_note_place(const Run *run, View *view) {
    int stage = view->film.stage;
    bool inside = stage >= 0 && stage < trace_stage_count(run->trace);
    run_layer_name(view->layer, run, inside ? run->stage_site[stage] : 0);
    view->stage_kind = inside ? (int)trace_stage(run->trace, stage)->kind : 0;
}

static void select_text(const Run *run, View *view, const char *text) {
    TensorId id;
    ViewRef named = {0};
    if (!run_resolve_at(run, view->film.stage, text, &id, named.index, NULL)) return;
    const Tensor *t = trace_tensor(run->trace, id);
    if (strlen(t->id) >= sizeof named.tensor) return;
    memcpy(named.tensor, t->id, strlen(t->id));
    view->selection = named;
}

/* A number that a file names, by tokens or without its layer. true: it was named for this run. */
static bool find_selection(const Run *run, View *view) {
    const ViewRef *ref = &view->selection;
    Arena arena = {0};
    bool elsewhere = ref->tensor[0] && ref->rank && trace_find(run->trace, ref->tensor) == TENSOR_NONE;
    bool named = view->selection_text[0] || elsewhere;
    if (view->selection_text[0]) select_text(run, view, view->selection_text);
    else if (elsewhere) select_text(run, view, view_ref_text(ref, ",", &arena));
    view->selection_text[0] = 0;
    arena_free(&arena);
    return named;
}

void run_settle_view(const Run *run, const Run *before, View *view) {
    if (view->place_waits) find_place(run, view);
    else if (before) film_refit(&view->film, before->trace, run->trace);
    else film_clamp(&view->film, run->trace);
    if (before && !run->network) view->overview = false;
    run_note_place(run, view);
    int heads = run_site(run, view->film.stage)->spec.n_heads;
    if (view->head >= heads) view->head = heads > 0 ? heads - 1 : 0;
    bool named = find_selection(run, view);
    settle_ref(run, named ? NULL : before, &view->selection);
    settle_ref(run, NULL, &view->hover);
    settle_trail(run, before, view);
}
