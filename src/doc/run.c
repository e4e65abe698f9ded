#include "doc/run.h"

#include "base/tr.h"
#include "doc/run_network.h"

/* Numbers in all heads' maps up to which other views of them are made with the run; of more when they are looked at. */
enum { VIEWS_EAGER_MAX = 1 << 18 };

static bool make_views(RunBuild *b, Err *err) {
    Run *run = b->run;
    TensorId weights = run->sites[0].weights;
    bool small = weights != TENSOR_NONE && tensor_count(trace_tensor(run->trace, weights)) <= VIEWS_EAGER_MAX;
    return !small || run_need_views(run, b->context->cx, err);
}

static bool build(RunBuild *b, Err *err) {
    Run *run = b->run;
    if (!run_build_tokens(b, err) || !run_build_inputs(b, err) || !run_build_masks(b, err)) return false;
    run_build_edits(b);
    run->trace = trace_new(&run->arena);
    if (!machine_attention(run->trace, "", &run->spec, b->in, b->n_in, err) || !machine_views(run->trace, "", err)) return false;
    if (!trace_run(run->trace, b->context->cx ? b->context->cx : &(CoreContext){0}, err)) return false;
    run->spec.L = run->tokens.n;
    run->spec.S = run->keys.n;
    run_fill_sizes(run, "", &run->spec);
    run_build_one_site(b);
    trace_diagnose(run->trace, &run->arena, &run->diagnosis, &run->n_diagnosis);
    return run_build_scales(b, err) && make_views(b, err);
}

bool run_build(const Doc *doc, const RunContext *context, Run **out, Err *err) {
    *out = NULL;
    Arena arena = {0};
    Run *run = arena_try(&arena, 1, sizeof *run);
    if (!run) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    run->arena = arena;
    doc_copy(&run->doc, doc);
    RunBuild b = {.doc = &run->doc, .context = context, .run = run};
    if (!(doc->model == MODEL_FOLDER ? run_build_network(&b, err) : build(&b, err))) {
        run_close(run);
        return false;
    }
    *out = run;
    return true;
}

bool run_is_slow(const Doc *doc) {
    return doc->model == MODEL_FOLDER;
}

void run_close(Run *run) {
    if (!run) return;
    if (run->network) checkpoint_drop(run->network->checkpoint);
    doc_reset(&run->doc);
    Arena arena = run->arena; /* the run lies in it */
    arena_free(&arena);
}
