/* What of a network is in memory, and its colour scales: both only as far as a picture needs them. */
#include <assert.h>
#include <math.h>
#include <stdio.h>

#include "base/str.h"
#include "base/tr.h"
#include "core/stats.h"
#include "doc/film.h"
#include "doc/run_network.h"

enum {
    EAGER_MAX = 1 << 20,  /* numbers that are looked at when the run is made */
    TABLE_MAX = 1 << 24,  /* numbers of a matrix whose scale is that of all its numbers; of larger ones that of the rows in use */
};

/* What is looked at beside a layer's stages: the large map of the overview. */
static bool each_view(const Run *run, const Site *site, bool (*visit)(void *arg, TensorId id), void *arg) {
    static const char *const names[] = {"head_avg", "head_max", "v_length", "weighted_length"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char name[96];
        snprintf(name, sizeof name, "%.60s%s%s", site->scope, site->scope[0] ? "." : "", names[i]);
        TensorId id = trace_find(run->trace, name);
        if (id != TENSOR_NONE && !visit(arg, id)) return false;
    }
    return true;
}

/* Calls `visit` for each tensor that the picture of a stage reads, until it says false. The nine of a layer are one picture:
 * each shows what the others made. */
static bool each_tensor(const Run *run, int stage, bool (*visit)(void *arg, TensorId id), void *arg) {
    const Trace *trace = run->trace;
    FilmSite site = film_site(trace, stage);
    bool nine = trace_stage(trace, stage)->kind < STAGE_ATTENTION_COUNT;
    for (int s = site.first; s < site.first + site.n; s++) {
        const Stage *at = trace_stage(trace, s);
        if (s != stage && !(nine && at->kind < STAGE_ATTENTION_COUNT)) continue;
        if (at->result != TENSOR_NONE && !visit(arg, at->result)) return false;
        for (int i = 0; i < at->n_ops; i++) {
            const Op *op = trace_op(trace, at->first_op + i);
            if (!visit(arg, op->out)) return false;
            for (int k = 0; k < OP_INPUTS_MAX; k++)
                if (op->in[k] != TENSOR_NONE && !visit(arg, op->in[k])) return false;
        }
    }
    return !nine || each_view(run, run_site(run, stage), visit, arg);
}

/* The same for the overview: head averages and rollouts. Small pictures and measures are always there. */
static bool each_of_overview(const Run *run, bool (*visit)(void *arg, TensorId id), void *arg) {
    const NetworkResults *results = &run->network->results;
    for (int i = 0; i < run->n_sites; i++) {
        const Site *site = &run->sites[i];
        const TensorId *rollout = results->stack[site->stack].rollout;
        if (!site->cross && rollout && rollout[site->layer] != TENSOR_NONE && !visit(arg, rollout[site->layer])) return false;
    }
    return true;
}

static bool each_needed(const Run *run, int stage, bool (*visit)(void *arg, TensorId id), void *arg) {
    if (stage < 0) return each_of_overview(run, visit, arg);
    assert(stage < trace_stage_count(run->trace));
    return each_tensor(run, stage, visit, arg);
}

/* ---- scales ---- */

static double larger(double a, double b) {
    return b > a ? b : a;
}

/* Of a table so large that a text uses a small part of it: the rows that are taken out of it, or what is made with it. */
static double table_magnitude(const Run *run, TensorId table) {
    double most = 0;
    for (int op = 0; op < trace_op_count(run->trace); op++) {
        const Op *o = trace_op(run->trace, op);
        bool reads = o->in[0] == table || o->in[1] == table;
        if (reads && o->kind == OP_GATHER && trace_resident(run->trace, o->out)) most = larger(most, run_magnitude_now(run, o->out));
    }
    return most > 0 ? most : 1;
}

double run_magnitude_now(const Run *run, TensorId id) {
    const Tensor *t = trace_tensor(run->trace, id);
    bool given = trace_op(run->trace, t->op)->kind == OP_INPUT;
    return given && tensor_count(t) > TABLE_MAX ? table_magnitude(run, id) : run_magnitude_of(run->trace, id);
}

static bool measure(void *arg, TensorId id) {
    Run *run = arg;
    if (isnan(run->magnitude[id]) && trace_resident(run->trace, id)) run->magnitude[id] = run_magnitude_now(run, id);
    return true;
}

/* What the run before knows of the same weights. */
static void take_scales(Run *run, const Run *before) {
    if (!before || !before->network || before->network->checkpoint != run->network->checkpoint) return;
    for (int i = 0; i < trace_tensor_count(run->trace); i++) {
        const Tensor *t = trace_tensor(run->trace, i);
        if (trace_op(run->trace, t->op)->kind != OP_INPUT || tensor_count(t) > TABLE_MAX) continue;
        TensorId same = trace_find(before->trace, t->id);
        if (same != TENSOR_NONE) run->magnitude[i] = before->magnitude[same];
    }
}

/* What is wrong in it, of a small network; that one token is nearly sure to come is nothing wrong. */
static void diagnose(Run *run) {
    int kept = 0;
    trace_diagnose(run->trace, &run->arena, &run->diagnosis, &run->n_diagnosis);
    for (int i = 0; i < run->n_diagnosis; i++) {
        int stage = trace_stage_of(run->trace, run->diagnosis[i].id);
        bool predicted = stage >= 0 && trace_stage(run->trace, stage)->kind == STAGE_PREDICT;
        if (!predicted || run->diagnosis[i].kind != DIAGNOSIS_SATURATED) run->diagnosis[kept++] = run->diagnosis[i];
    }
    run->n_diagnosis = kept;
}

/* Something that the stage's layer computes itself; TENSOR_NONE: the stage has nothing to do. */
static TensorId made_by(const Run *run, int stage) {
    FilmSite site = film_site(run->trace, stage);
    bool nine = trace_stage(run->trace, stage)->kind < STAGE_ATTENTION_COUNT;
    int from = nine ? film_stage_in(run->trace, site.first, STAGE_PROJECT) : stage;
    const Stage *at = trace_stage(run->trace, from < 0 ? stage : from);
    for (int i = at->n_ops - 1; i >= 0; i--) {
        const Op *op = trace_op(run->trace, at->first_op + i);
        if (op->kind != OP_INPUT) return op->out;
    }
    return TENSOR_NONE;
}

/* The trace knows what is looked at: that part is dropped last, and a run after this one keeps it whole. */
static bool look_at(Run *run, int stage, const CoreContext *cx, Err *err) {
    TensorId own = stage < 0 ? TENSOR_NONE : made_by(run, stage);
    run->network->looked = stage;
    return own == TENSOR_NONE || trace_need(run->trace, own, cx, err);
}

/* The stage that the picture of the run before shows is ready at once where it is in memory. */
static void measure_looked(Run *run, const Run *before) {
    const CoreContext none = {0};
    int stage = before && before->network ? before->network->looked : -2;
    if (stage < 0 || stage >= trace_stage_count(before->trace)) return;
    const Stage *was = trace_stage(before->trace, stage);
    stage = trace_stage_find(run->trace, was->scope, was->kind);
    TensorId own = stage < 0 ? TENSOR_NONE : made_by(run, stage);
    if (own == TENSOR_NONE || !trace_resident(run->trace, own)) return;
    if (look_at(run, stage, &none, NULL)) each_needed(run, stage, measure, run);
}

bool run_build_lazy(Run *run, const Run *before, Err *err) {
    int n = trace_tensor_count(run->trace);
    size_t numbers = 0;
    run->magnitude = arena_try(&run->arena, (size_t)n, sizeof *run->magnitude);
    if (!run->magnitude) return err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
    for (int i = 0; i < n; i++) {
        run->magnitude[i] = NAN;
        numbers += tensor_count(trace_tensor(run->trace, i));
    }
    take_scales(run, before);
    run->network->looked = -2;
    measure_looked(run, before);
    for (int i = 0; i < n && numbers <= EAGER_MAX; i++) measure(run, i);
    if (numbers <= EAGER_MAX) diagnose(run);
    return true;
}

/* ---- in memory ---- */

static bool is_ready(void *arg, TensorId id) {
    const Run *run = arg;
    return trace_resident(run->trace, id) && !isnan(run->magnitude[id]);
}

bool run_ready(const Run *run, int stage) {
    if (!run->network) return true;
    return checkpoint_intact(run->network->checkpoint, NULL) && each_needed(run, stage, is_ready, (void *)(uintptr_t)run);
}

typedef struct {
    Run *run;
    const CoreContext *cx;
    Err *err;
} Need;

static bool need(void *arg, TensorId id) {
    const Need *n = arg;
    return trace_resident(n->run->trace, id) || trace_need(n->run->trace, id, n->cx, n->err);
}

bool run_need(Run *run, int stage, const CoreContext *cx, Err *err) {
    const CoreContext none = {0};
    Need n = {run, cx ? cx : &none, err};
    if (!run->network) return true;
    if (!checkpoint_intact(run->network->checkpoint, err)) return false;
    return each_needed(run, stage, need, &n) && look_at(run, stage, n.cx, err) && each_needed(run, stage, measure, run);
}

bool run_need_views(Run *run, const CoreContext *cx, Err *err) {
    const CoreContext none = {0};
    Need n = {run, cx ? cx : &none, err};
    if (run->network) return true;
    return each_view(run, &run->sites[0], need, &n) && each_view(run, &run->sites[0], measure, run);
}
