/* Sites: where in the trace attention happens. */
#include <assert.h>
#include <string.h>

#include "doc/run_build.h"

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

void run_build_one_site(RunBuild *b) {
    Run *run = b->run;
    int stages = trace_stage_count(run->trace);
    run->sites = ARENA_ARRAY(&run->arena, Site, 1);
    run->n_sites = 1;
    run->stage_site = ARENA_ARRAY(&run->arena, int, (size_t)stages + 1);
    run->sites[0] = (Site){.scope = "", .title = "", .cross = run->cross, .spec = run->spec, .queries = &run->tokens,
                           .keys = &run->keys, .n_stages = stages, .weights = trace_find(run->trace, "weights")};
}
