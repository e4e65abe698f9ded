/* Private to run*.c: what run_build collects before the machine is made. */
#ifndef DOC_RUN_BUILD_H
#define DOC_RUN_BUILD_H

#include "doc/run.h"

enum { RUN_INPUTS_MAX = 24 };

typedef struct {
    const Doc *doc;
    const RunContext *context;
    Run *run;
    ProjKind mode;              /* what the machine does; given numbers decide over doc->projections */
    bool cross;
    bool needs[3];              /* q, k, v are made from x */
    bool out_proj;
    TensorInput in[RUN_INPUTS_MAX];
    int n_in;
} RunBuild;

/* Tokens, and whether the keys are another text. */
bool run_build_tokens(RunBuild *build, Err *err);
/* The model's part and the document's matrices over it, positions and edits: build->in, run->spec, run->source. */
bool run_build_inputs(RunBuild *build, Err *err);
void run_build_edits(RunBuild *build);
/* Masks with their arrays in the run's arena. */
bool run_build_masks(RunBuild *build, Err *err);
/* Sizes of the attention of a scope, from the tensors of the finished trace. */
void run_fill_sizes(const Run *run, const char *scope, AttentionSpec *spec);
/* run->sites of a single attention. */
void run_build_one_site(RunBuild *build);
/* Largest finite magnitude of what the mask keeps in a tensor that is in memory. */
double run_magnitude_of(const Trace *trace, TensorId id);
/* run->magnitude, after the trace has run. */
bool run_build_scales(RunBuild *build, Err *err);

#endif
