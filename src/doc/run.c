#include "doc/run.h"

#include <stddef.h>

#include "base/tr.h"
#include "doc/run_build.h"

/* The sizes the machine found, from the tensors it made. Axes from the end. */
static void fill_sizes(Run *run) {
    static const struct {
        const char *tensor;
        int from_end;
        size_t field;
    } size[] = {
        {"out", 1, offsetof(AttentionSpec, d_model)}, {"x_kv", 1, offsetof(AttentionSpec, d_kv)},
        {"weights", 3, offsetof(AttentionSpec, n_heads)}, {"v", 3, offsetof(AttentionSpec, n_kv_heads)},
        {"q", 1, offsetof(AttentionSpec, d_k)}, {"v", 1, offsetof(AttentionSpec, d_v)},
    };
    AttentionSpec *spec = &run->spec;
    spec->L = run->tokens.n;
    spec->S = run->keys.n;
    for (size_t i = 0; i < sizeof size / sizeof *size; i++) {
        TensorId id = trace_find(run->trace, size[i].tensor);
        if (id == TENSOR_NONE) continue;
        const Tensor *t = trace_tensor(run->trace, id);
        if (t->rank >= size[i].from_end) *(int *)((char *)spec + size[i].field) = t->dim[t->rank - size[i].from_end];
    }
    if (!spec->d_kv) spec->d_kv = spec->d_model;
}

static bool build(RunBuild *b, Err *err) {
    Run *run = b->run;
    if (!run_build_tokens(b, err) || !run_build_inputs(b, err) || !run_build_masks(b, err)) return false;
    run_build_edits(b);
    run->trace = trace_new(&run->arena);
    if (!machine_attention(run->trace, "", &run->spec, b->in, b->n_in, err)) return false;
    if (!trace_run(run->trace, b->context->cx ? b->context->cx : &(CoreContext){0}, err)) return false;
    fill_sizes(run);
    run_build_one_site(b);
    trace_diagnose(run->trace, &run->arena, &run->diagnosis, &run->n_diagnosis);
    return run_build_scales(b, err);
}

bool run_build(const Doc *doc, const RunContext *context, Run **out, Err *err) {
    *out = NULL;
    Arena arena = {0};
    Run *run = arena_try(&arena, 1, sizeof *run);
    if (!run) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    run->arena = arena;
    doc_copy(&run->doc, doc);
    RunBuild b = {.doc = &run->doc, .context = context, .run = run};
    if (!build(&b, err)) {
        run_close(run);
        return false;
    }
    *out = run;
    return true;
}

void run_close(Run *run) {
    if (!run) return;
    doc_reset(&run->doc);
    Arena arena = run->arena; /* the run lies in it */
    arena_free(&arena);
}
