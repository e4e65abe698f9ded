/* All stages of one attention layer with every intermediate kept, as tests/bench/torch_stages.py does them:
 * four projections, causal mask. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/session.h"
#include "base/str.h"
#include "bench.h"
#include "core/attn.h"

typedef struct {
    AttentionSpec spec;
    TensorInput inputs[5];
    const CoreContext *core;
    Arena arena; /* one trace; its memory is used again by the next turn */
    Err err;
} Stages;

static double run_stages(void *ctx) {
    Stages *stages = ctx;
    arena_reset(&stages->arena);
    Trace *trace = trace_new(&stages->arena);
    if (!machine_attention(trace, "", &stages->spec, stages->inputs, 5, &stages->err)) return 0;
    trace_run(trace, stages->core, &stages->err);
    return -1;
}

/* Numbers about as large as a normal distribution's, times `scale`. */
static TensorInput random_matrix(Arena *arena, const char *name, int rows, int cols, double scale, uint64_t *state) {
    float *data = ARENA_ARRAY(arena, float, (size_t)rows * (size_t)cols);
    for (size_t i = 0; i < (size_t)rows * (size_t)cols; i++)
        data[i] = (float)(scale * sqrt(12) * (random_unit(state) - 0.5));
    return (TensorInput){.name = name, .rank = 2, .dim = {rows, cols}, .data = data};
}

bool bench_stages(const char *name, const Budget *budget, int length, int d_model, int heads) {
    Arena arena = {0};
    Stages stages = {.spec = {.n_heads = heads, .proj = PROJ_LINEAR, .out_proj = true, .fill = -INFINITY,
                              .masks = {{.kind = MASK_CAUSAL}}, .n_masks = 1}};
    Session *session = session_open(&(SessionOptions){0}, &stages.err);
    if (session) {
        uint64_t state = 1;
        double weight = 1 / sqrt(d_model);
        stages.core = session_core(session);
        stages.inputs[0] = random_matrix(&arena, "x", length, d_model, 1, &state);
        const char *const names[] = {"w_q", "w_k", "w_v", "w_o"};
        for (int i = 0; i < 4; i++) stages.inputs[i + 1] = random_matrix(&arena, names[i], d_model, d_model, weight, &state);
        double median = bench_median(budget, run_stages, &stages);
        if (stages.err.code == ERR_NONE) bench_print(name, median, "ms");
        session_close(session);
    }
    if (stages.err.code != ERR_NONE) fprintf(stderr, "%s: %s\n", name, stages.err.message);
    arena_free(&stages.arena);
    arena_free(&arena);
    return stages.err.code == ERR_NONE;
}
