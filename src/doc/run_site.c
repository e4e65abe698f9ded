/* Sites: where in the trace attention happens. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_network.h"

const Site *run_site(const Run *run, int stage) {
    assert(run->n_sites > 0);
    bool inside = stage >= 0 && stage < trace_stage_count(run->trace);
    return &run->sites[inside ? run->stage_site[stage] : 0];
}

/* Does `scope` hold the tensor: the same scope, or one around or inside it ("layers.3" and "layers.3.cross")? */
static size_t common_scope(const char *scope, const Tensor *t) {
    size_t length = strlen(scope), own = (size_t)(t->name - t->id);
    if (own > 0) own--; /* the dot */
    if (strncmp(scope, t->id, length < own ? length : own) != 0) return 0;
    if (length <= own) return own == length || length == 0 || t->id[length] == '.' ? length + 1 : 0;
    return own == 0 || scope[own] == '.' ? own + 1 : 0;
}

const Site *run_site_of(const Run *run, TensorId id) {
    const Tensor *t = trace_tensor(run->trace, id);
    const Site *best = &run->sites[0];
    size_t most = 0;
    for (int i = 0; i < run->n_sites && run->n_sites > 1; i++) {
        size_t common = common_scope(run->sites[i].scope, t);
        if (common > most) {
            most = common;
            best = &run->sites[i];
        }
    }
    return best;
}

char *run_layer_name(char out[32], const Run *run, int site) {
    const Site *at = &run->sites[site];
    bool two = run->sites[run->n_sites - 1].stack > 0;
    out[0] = 0;
    if (!run->network) return out;
    if (!two) snprintf(out, 32, "%d", at->layer + 1);
    else snprintf(out, 32, "%s %d%s", at->stack ? "decoder" : "encoder", at->layer + 1, at->cross ? " cross" : "");
    return out;
}

int run_find_layer(const Run *run, const char *name, Err *err) {
    int number;
    char have[32], last[32];
    if (str_to_int(name, &number) && number >= 1 && number <= run->n_sites) return number - 1;
    for (int i = 0; i < run->n_sites; i++)
        if (str_eq(run_layer_name(have, run, i), name)) return i;
    if (run->n_sites == 1) err_set(err, ERR_USAGE, tr("there is one layer, found '%.40s'"), name);
    else if (run->sites[run->n_sites - 1].stack == 0) err_set(err, ERR_USAGE, tr("layer is a number from 1 to %d, found '%.40s'"), run->n_sites, name);
    else err_set(err, ERR_USAGE, tr("layer is a number from 1 to %d, or such as %s, found '%.40s'"), run->n_sites,
                 run_layer_name(last, run, run->n_sites - 1), name);
    return -1;
}

void run_build_one_site(RunBuild *b) {
    Run *run = b->run;
    int stages = trace_stage_count(run->trace);
    run->sites = ARENA_ARRAY(&run->arena, Site, 1);
    run->n_sites = 1;
    run->stage_site = ARENA_ARRAY(&run->arena, int, (size_t)stages + 1);
    run->sites[0] = (Site){.scope = "", .title = "", .cross = run->cross, .spec = run->spec, .queries = &run->tokens,
                           .keys = &run->keys, .n_stages = stages, .weights = trace_find(run->trace, "weights")};
}

/* ---- sizes ---- */

/* The sizes the machine found, from the tensors it made. Axes from the end. */
void run_fill_sizes(const Run *run, const char *scope, AttentionSpec *spec) {
    static const struct {
        const char *tensor;
        int from_end;
        size_t field;
    } size[] = {
        {"out", 1, offsetof(AttentionSpec, d_model)}, {"x_kv", 1, offsetof(AttentionSpec, d_kv)},
        {"weights", 3, offsetof(AttentionSpec, n_heads)}, {"v", 3, offsetof(AttentionSpec, n_kv_heads)},
        {"q", 1, offsetof(AttentionSpec, d_k)}, {"v", 1, offsetof(AttentionSpec, d_v)},
    };
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        char id[96];
        snprintf(id, sizeof id, "%s%s%s", scope, scope[0] ? "." : "", size[i].tensor);
        TensorId found = trace_find(run->trace, id);
        if (found == TENSOR_NONE) continue;
        const Tensor *t = trace_tensor(run->trace, found);
        if (t->rank >= size[i].from_end) *(int *)((char *)spec + size[i].field) = t->dim[t->rank - size[i].from_end];
    }
    if (!spec->d_kv) spec->d_kv = spec->d_model;
}

/* ---- sites of a network ---- */

/* "Layer 4", "Encoder layer 2", "Decoder layer 2, cross" */
static const char *site_title(Run *run, const NetworkSpec *spec, const Site *site) {
    int number = site->layer + 1;
    if (spec->n_stacks == 1) return arena_printf(&run->arena, tr("Layer %d"), number);
    if (site->stack == 0) return arena_printf(&run->arena, tr("Encoder layer %d"), number);
    return arena_printf(&run->arena, site->cross ? tr("Decoder layer %d, cross") : tr("Decoder layer %d"), number);
}

/* The site whose Embed is stage `first` of the trace. */
static void add_site(Run *run, const NetworkSpec *spec, int stack, int layer, bool cross, int first) {
    const BlockSpec *block = &spec->stack[stack].blocks[layer];
    Site *site = &run->sites[run->n_sites++];
    *site = (Site){.scope = trace_stage(run->trace, first)->scope, .stack = stack, .layer = layer, .cross = cross,
                   .spec = cross ? block->cross : block->self, .first_stage = first, .n_stages = film_site(run->trace, first).n};
    bool encoder = spec->n_stacks == 2 && stack == 0;
    site->queries = encoder ? &run->keys : &run->tokens;
    site->keys = encoder || cross ? &run->keys : &run->tokens;
    site->spec.L = site->queries->n;
    site->spec.S = site->keys->n;
    run_fill_sizes(run, site->scope, &site->spec);
    site->title = site_title(run, spec, site);
    char id[96];
    snprintf(id, sizeof id, "%.80s.weights", site->scope);
    site->weights = trace_find(run->trace, id);
    for (int s = first; s < first + site->n_stages; s++) run->stage_site[s] = run->n_sites - 1;
}

bool run_build_sites(Run *run, const NetworkSpec *spec, Err *err) {
    int stages = trace_stage_count(run->trace), most = 0, first = 0;
    for (int s = 0; s < spec->n_stacks; s++) most += 2 * spec->stack[s].n_layers;
    run->sites = arena_try(&run->arena, (size_t)most, sizeof *run->sites);
    run->stage_site = arena_try(&run->arena, (size_t)stages + 1, sizeof *run->stage_site);
    if (!run->sites || !run->stage_site) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    for (int s = 0; s < spec->n_stacks; s++)
        for (int layer = 0; layer < spec->stack[s].n_layers; layer++)
            for (int cross = 0; cross <= spec->stack[s].blocks[layer].has_cross && first < stages; cross++) {
                add_site(run, spec, s, layer, cross != 0, first);
                first += run->sites[run->n_sites - 1].n_stages;
            }
    assert(first == stages);
    return true;
}
