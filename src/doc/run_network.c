/* A model from a folder: its checkpoint, its machine, and what is taken over from the run before. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/run_network.h"
#include "doc/yaml.h"

/* ---- the folder ---- */

static const char *folder_of(const Doc *doc) {
    return doc->model_folder ? doc->model_folder->bytes : "";
}

/* The checkpoint of the run before, when it is the same folder and the folder is still what it was. */
static Checkpoint *opened_before(const RunBuild *b) {
    const Run *before = b->context->before;
    if (!before || !before->network) return NULL;
    Checkpoint *checkpoint = before->network->checkpoint;
    const CheckpointInfo *info = checkpoint_info(checkpoint);
    if (!str_eq(info->folder, folder_of(b->doc)) || (info->seeded && before->doc.seed != b->doc->seed)) return NULL;
    return checkpoint_unchanged(checkpoint) ? checkpoint_keep(checkpoint) : NULL;
}

static bool open_folder(RunBuild *b, Err *err) {
    Network *network = b->run->network;
    network->checkpoint = opened_before(b);
    if (network->checkpoint) return true;
    if (!*folder_of(b->doc)) return err_set(err, ERR_INPUT, "%s", tr("The document names no folder for its model."));
    return checkpoint_open(folder_of(b->doc), b->doc->seed, &network->checkpoint, err);
}

/* What a folder's own config decides cannot be in the document too. */
static bool check_settings(const Doc *doc, Err *err) {
    static const char *const free_keys[] = {"attnscope", "text", "source_text", "model", "seed", "notes", "view", NULL};
    const char *key = yaml_key_beside(doc, free_keys);
    if (!key) return true;
    err_set(err, ERR_INPUT, tr("a model from a folder has its own: leave %s out"), key);
    return err_key(err, key);
}

/* ---- the machine ---- */

static void fill_source(Run *run) {
    const CheckpointInfo *info = checkpoint_info(run->network->checkpoint);
    Source *source = &run->source;
    const AttentionSpec *spec = &run->spec;
    int layers = info->stack[0].n_layers;
    source->title = info->n_stacks == 2 ? arena_printf(&run->arena, tr("%s · %d + %d layers"), info->name, layers, info->stack[1].n_layers)
                    : layers == 1       ? arena_printf(&run->arena, tr("%s · 1 layer"), info->name)
                                        : arena_printf(&run->arena, tr("%s · %d layers"), info->name, layers);
    source_set_made(source, info->seeded ? MADE_RANDOM : MADE_TRAINED);
    source->d_model = info->d_model;
    source->n_heads = spec->n_heads;
    source->n_kv_heads = spec->n_kv_heads;
    source->d_k = spec->d_k;
    source->d_v = spec->d_v;
    if (info->seeded) source->note = tr_mark("The folder holds no weights: these are random numbers from the seed.");
}

static bool *marked_tokens(Run *run, const Encoding *encoding) {
    const Encoder *encoder = checkpoint_encoder(run->network->checkpoint);
    bool *marked = ARENA_ARRAY(&run->arena, bool, (size_t)encoding->n + 1);
    for (int i = 0; i < encoding->n; i++)
        marked[i] = encoding->added[i] || (encoder && encoder_is_special(encoder, encoding->ids[i]));
    return marked;
}

/* How many tokens both texts begin with; 0 where nothing can be taken over. Only rows that no later token changes can. */
static int common_rows(const RunBuild *b) {
    const Run *before = b->context->before;
    const Network *now = b->run->network, *then = before ? before->network : NULL;
    if (!then || then->checkpoint != now->checkpoint) return 0;
    const CheckpointInfo *info = checkpoint_info(now->checkpoint);
    if (!info->causal || info->n_stacks != 1) return 0;
    const Encoding *a = &then->encoding[0], *e = &now->encoding[0];
    int rows = 0, most = a->n < e->n ? a->n : e->n;
    while (rows < most && a->ids[rows] == e->ids[rows]) rows++;
    return rows < e->n ? rows : e->n - 1; /* the last row at least: what is predicted comes from it */
}

static bool run_machine(RunBuild *b, const NetworkSpec *spec, const WeightSource *weights, Err *err) {
    Run *run = b->run;
    const CoreContext none = {0}, *cx = b->context->cx ? b->context->cx : &none;
    run->trace = trace_new(&run->arena);
    if (!machine_network(run->trace, spec, weights, &run->network->results, err)) return false;
    trace_set_limit(run->trace, b->context->limit ? b->context->limit : RUN_LIMIT_DEFAULT);
    int rows = common_rows(b);
    return rows > 0 ? trace_run_after(run->trace, b->context->before->trace, rows, cx, err) : trace_run(run->trace, cx, err);
}

bool run_build_network(RunBuild *b, Err *err) {
    Run *run = b->run;
    NetworkSpec spec;
    WeightSource weights;
    CheckpointIds ids[2] = {{0}};
    if (!check_settings(b->doc, err)) return false;
    run->network = ARENA_NEW(&run->arena, Network);
    if (!open_folder(b, err) || !run_encode(b, err)) return false;
    for (int s = 0; s < 2; s++) {
        const Encoding *e = &run->network->encoding[s];
        if (e->n) ids[s] = (CheckpointIds){.n = e->n, .ids = e->ids, .types = e->type_ids, .marked = marked_tokens(run, e)};
    }
    if (!checkpoint_network(run->network->checkpoint, ids, -2, &run->arena, &spec, &weights, err)) return false;
    spec.all_logits = false;
    spec.rollout = true;
    run->network->predict_row = spec.predict_row;
    run->network->first = (TokenList){1, run->tokens.items};
    run->network->predicted = (TokenList){1, run->tokens.items + (spec.predict_row > 0 ? spec.predict_row : 0)};
    if (!run_machine(b, &spec, &weights, err) || !run_build_sites(run, &spec, err)) return false;
    run->spec = run->sites[0].spec;
    fill_source(run);
    run_predict(run);
    return run_build_lazy(run, b->context->before, err);
}
