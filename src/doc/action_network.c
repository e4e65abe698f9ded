/* Actions on networks: which layer, all of them at once, and what comes next. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "core/summary.h"
#include "doc/action_parts.h"

bool action_has_network(const ActionContext *cx) {
    return cx->run && cx->run->network;
}

bool action_has_prediction(const ActionContext *cx) {
    return action_has_network(cx) && cx->run->network->n_predictions > 0;
}

bool action_in_overview(const ActionContext *cx) {
    return cx->view->overview && action_has_network(cx);
}

static bool needs_network(const ActionContext *cx, Err *err) {
    if (!action_needs_run(cx, err)) return false;
    return cx->run->network || err_set(err, ERR_USAGE, "%s", tr("This is one layer; a model from a folder has several."));
}

static int site_in_view(const ActionContext *cx) {
    return (int)(run_site(cx->run, cx->view->film.stage) - cx->run->sites);
}

/* ---- layers ---- */

/* "layers.3.weights" in another layer's scopes: its attention's, else its block's. false: it has none. */
static bool same_in(const Run *run, const Site *from, const Site *to, ViewRef *ref) {
    size_t own = strlen(from->scope), block = own;
    const char *dot = strrchr(from->scope, '.');
    if (dot && (str_eq(dot, ".self") || str_eq(dot, ".cross"))) block = (size_t)(dot - from->scope);
    const char *other = strrchr(to->scope, '.');
    size_t other_block = other && (str_eq(other, ".self") || str_eq(other, ".cross")) ? (size_t)(other - to->scope) : strlen(to->scope);
    char id[160];
    if (strncmp(ref->tensor, from->scope, own) == 0 && ref->tensor[own] == '.') snprintf(id, sizeof id, "%.80s%s", to->scope, ref->tensor + own);
    else if (strncmp(ref->tensor, from->scope, block) == 0 && ref->tensor[block] == '.')
        snprintf(id, sizeof id, "%.*s%s", (int)other_block, to->scope, ref->tensor + block);
    else return false;
    TensorId found = trace_find(run->trace, id);
    if (found == TENSOR_NONE || strlen(id) >= sizeof ref->tensor || !tensor_has(trace_tensor(run->trace, found), ref->index)) return false;
    memcpy(ref->tensor, id, strlen(id) + 1);
    return true;
}

static void clamp_head(const Run *run, View *view) {
    int heads = run_site(run, view->film.stage)->spec.n_heads;
    if (view->head >= heads) view->head = heads > 0 ? heads - 1 : 0;
}

/* The same stage of another layer, as far as it was; what is selected is the same number there. */
static void show_layer(ActionContext *cx, int to) {
    View *view = cx->view;
    const Run *run = cx->run;
    const Site *from = run_site(run, view->film.stage), *site = &run->sites[to];
    int before = view->film.stage;
    if (from == site) return;
    bool finished = view->film.position >= film_steps(run->trace, before);
    double speed = view->film.speed;
    int steps = (int)view->film.position, stage = film_stage_in(run->trace, site->first_stage, trace_stage(run->trace, before)->kind);
    film_stage(&view->film, run->trace, stage < 0 ? site->first_stage : stage, finished);
    if (!finished && stage >= 0) film_rest(&view->film, run->trace, steps);
    view->film.speed = speed;
    if (view->selection.tensor[0] && !same_in(run, from, site, &view->selection)) view->selection = (ViewRef){0};
    view->n_trail = 0;
    clamp_head(run, view);
    action_film_moved(view, run, before);
    run_note_place(run, view);
}

void action_show_layer_of(ActionContext *cx, TensorId id) {
    ViewRef selection = cx->view->selection;
    show_layer(cx, (int)(run_site_of(cx->run, id) - cx->run->sites));
    cx->view->selection = selection;
}

/* The words behind the action's name as one. */
static const char *rest_of(const ActionLine *line, int first, char out[64]) {
    size_t n = 0;
    out[0] = 0;
    for (int i = first; i < line->n && n < 64; i++)
        n += (size_t)snprintf(out + n, 64 - n, "%s%s", i > first ? " " : "", line->arg[i]);
    return out;
}

bool action_layer(ActionContext *cx, const ActionLine *line, Err *err) {
    char name[64];
    if (!needs_network(cx, err)) return false;
    int site = run_find_layer(cx->run, rest_of(line, 1, name), err);
    if (site < 0) return false;
    show_layer(cx, site);
    return true;
}

static bool move_layer(ActionContext *cx, int by, Err *err) {
    if (!needs_network(cx, err)) return false;
    int n = cx->run->n_sites;
    show_layer(cx, (site_in_view(cx) + n + by) % n);
    return true;
}

bool action_layer_next(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return move_layer(cx, 1, err);
}

bool action_layer_back(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    return move_layer(cx, -1, err);
}

/* ---- all layers ---- */

bool action_overview(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    View *view = cx->view;
    if (!needs_network(cx, err)) return false;
    view->overview = !view->overview;
    view->film.playing = false;
    view->film.until = view->film.position;
    TensorId selected = view->overview && view->selection.tensor[0] ? trace_find(cx->run->trace, view->selection.tensor) : TENSOR_NONE;
    if (selected != TENSOR_NONE) action_show_layer_of(cx, selected);
    return true;
}

/* One head of the site from where it begins to differ from the others: the start of its projection. */
static void look_at(ActionContext *cx, int site, int head) {
    View *view = cx->view;
    int before = view->film.stage;
    const Trace *trace = cx->run->trace;
    int first = cx->run->sites[site].first_stage, project = film_stage_in(trace, first, STAGE_PROJECT);
    film_stage(&view->film, trace, project < 0 ? first : project, false);
    view->head = head;
    view->overview = false;
    action_film_moved(view, cx->run, before);
    run_note_place(cx->run, view);
}

bool action_look(ActionContext *cx, const ActionLine *line, Err *err) {
    if (!needs_network(cx, err)) return false;
    int site = site_in_view(cx), head = cx->view->head + 1;
    if (line->n > 1 && (site = run_find_layer(cx->run, line->arg[1], err)) < 0) return false;
    int heads = cx->run->sites[site].spec.n_heads;
    if (line->n > 2 && !action_int("head", line->arg[2], 1, heads, &head, err)) return false;
    look_at(cx, site, head > heads ? heads : head > 0 ? head - 1 : 0);
    return true;
}

/* The layer below or above in the overview, where those of one kind stand below each other: encoder, decoder, cross. -1: none. */
static int layer_beside(const Run *run, int site, int by) {
    int kind = run_site_kind(&run->sites[site]);
    for (int k = site + by; k >= 0 && k < run->n_sites; k += by)
        if (run_site_kind(&run->sites[k]) == kind) return k;
    for (kind += by; kind >= 0 && kind < SITE_KIND_COUNT; kind += by)
        for (int i = 0; i < run->n_sites; i++) {
            int k = by > 0 ? i : run->n_sites - 1 - i;
            if (run_site_kind(&run->sites[k]) == kind) return k;
        }
    return -1;
}

static void show_map(ActionContext *cx, int site, int head) {
    show_layer(cx, site);
    cx->view->head = head;
    clamp_head(cx->run, cx->view);
}

/* Along the line of maps, down to the one below where it is known how many stand beside each other. */
static void move_in_line(ActionContext *cx, int down, int right) {
    Arena arena = {0};
    RankedMap *maps;
    int n = run_rank_maps(cx->run, cx->view->sort, &arena, &maps), at = 0;
    int by = right + down * (cx->maps_across > 0 ? cx->maps_across : 1);
    while (at < n - 1 && (maps[at].site != site_in_view(cx) || maps[at].head != cx->view->head)) at++;
    if (at + by >= 0 && at + by < n) show_map(cx, maps[at + by].site, maps[at + by].head);
    arena_free(&arena);
}

void action_move_map(ActionContext *cx, int by_layer, int by_head) {
    int site = site_in_view(cx), head = cx->view->head + by_head;
    if (run_maps_in_line(cx->run, cx->view->sort)) {
        move_in_line(cx, by_layer, by_head);
        return;
    }
    if (by_layer) site = layer_beside(cx->run, site, by_layer);
    if (site < 0 || head < 0 || head >= cx->run->sites[site_in_view(cx)].spec.n_heads) return;
    show_map(cx, site, head);
}

bool action_sort(ActionContext *cx, const ActionLine *line, Err *err) {
    const char *names[MEASURE_COUNT + 1] = {"none"};
    int sort;
    for (int i = 0; i < MEASURE_COUNT; i++) names[i + 1] = sort_names[i];
    if (!action_choice("sort", names, MEASURE_COUNT + 1, line->arg[1], &sort, err)) return false;
    cx->view->sort = sort - 1;
    return true;
}

bool action_aggregate(ActionContext *cx, const ActionLine *line, Err *err) {
    int kind;
    if (!action_choice("aggregate", aggregate_names, AGGREGATE_KIND_COUNT, line->arg[1], &kind, err)) return false;
    cx->view->aggregate = (AggregateKind)kind;
    return true;
}

/* ---- the block ---- */

void action_close_block(View *view, const Run *run) {
    int stage = view->film.stage, before = stage;
    view->block_open = false;
    if (film_shows(run->trace, stage, false)) return;
    FilmSite site = film_site(run->trace, stage);
    int back = film_neighbour(run->trace, stage, false, -1), next = film_neighbour(run->trace, stage, false, 1);
    film_stage(&view->film, run->trace, back >= site.first ? back : next, back >= site.first);
    action_film_moved(view, run, before);
    run_note_place(run, view);
}

bool action_block(ActionContext *cx, const ActionLine *line, Err *err) {
    (void)line;
    if (!needs_network(cx, err)) return false;
    if (cx->view->block_open) action_close_block(cx->view, cx->run);
    else cx->view->block_open = true;
    return true;
}

/* ---- what comes next ---- */

/* Is the run that of the document as it is? While another is on its way its prediction is for other words. */
static bool is_of_document(const ActionContext *cx) {
    const Doc *now = cx->doc, *then = &cx->run->doc;
    return now->model == then->model && str_eq(doc_text(now), doc_text(then)) &&
           str_eq(now->source_text ? now->source_text->bytes : "", then->source_text ? then->source_text->bytes : "") &&
           str_eq(now->model_folder ? now->model_folder->bytes : "", then->model_folder ? then->model_folder->bytes : "");
}

bool action_take(ActionContext *cx, const ActionLine *line, Err *err) {
    int number = 1;
    if (!needs_network(cx, err)) return false;
    int n = cx->run->network->n_predictions;
    if (n == 0) return err_set(err, ERR_USAGE, "%s", tr("Nothing is predicted here: this model has no head for it, or the text no mask."));
    if (line->n > 1 && !action_int("prediction", line->arg[1], 1, n, &number, err)) return false;
    if (!is_of_document(cx)) return err_set(err, ERR_USAGE, "%s", tr("The text has changed; its prediction is not there yet."));
    Arena arena = {0};
    const char *text = run_take(cx->run, number - 1, &arena, err);
    bool ok = text && action_set_text(cx, text, strlen(text), false, err);
    arena_free(&arena);
    return ok;
}
