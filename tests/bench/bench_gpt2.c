/* Figures of a network from disk: the shape of GPT-2 small, random weights, run on ids. tests/bench/torch_gpt2.py takes the
 * same of the same folder. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "app/session.h"
#include "bench.h"
#include "core/attn.h"
#include "core/network.h"
#include "gpt2_folder.h"
#include "model/checkpoint.h"

enum { IDS_MAX = 1024, FULL = 32 };

typedef struct {
    const char *folder;
    Session *session;       /* for its threads and its product */
    const CoreContext *core;
    Checkpoint *checkpoint;
    int ids[IDS_MAX];
    Arena arena;            /* one trace; its memory is used again by the next turn */
    Arena before_arena;
    Trace *before;          /* all tokens but the last */
    Err err;
} Gpt2;

static bool set_up(Gpt2 *g) {
    g->session = session_open(&(SessionOptions){0}, &g->err);
    if (!g->session || !checkpoint_open(g->folder, 0, &g->checkpoint, &g->err)) return false;
    g->core = session_core(g->session);
    int vocabulary = checkpoint_info(g->checkpoint)->vocabulary;
    for (int i = 0; i < IDS_MAX; i++) g->ids[i] = (i * 7919 + 13) % vocabulary;
    return true;
}

static bool tear_down(Gpt2 *g, const char *name) {
    bool good = g->err.code == ERR_NONE;
    if (!good) fprintf(stderr, "%s: %s\n", name, g->err.message);
    arena_free(&g->arena);
    arena_free(&g->before_arena);
    checkpoint_drop(g->checkpoint);
    session_close(g->session);
    return good;
}

/* A trace of the first n ids, ready to run. */
static Trace *build(Gpt2 *g, Arena *arena, int n, bool all_logits) {
    NetworkSpec spec;
    WeightSource weights;
    NetworkResults results;
    CheckpointIds ids[2] = {{.n = n, .ids = g->ids}};
    Trace *trace = trace_new(arena);
    if (!checkpoint_network(g->checkpoint, ids, -2, arena, &spec, &weights, &g->err)) return NULL;
    spec.all_logits = all_logits;
    return machine_network(trace, &spec, &weights, &results, &g->err) ? trace : NULL;
}

/* All layers, everything kept, logits of every token. */
static double run_full(void *ctx) {
    Gpt2 *g = ctx;
    arena_reset(&g->arena);
    Trace *trace = build(g, &g->arena, FULL, true);
    if (trace) trace_run(trace, g->core, &g->err);
    return -1;
}

/* One token more. */
static double run_append(void *ctx) {
    Gpt2 *g = ctx;
    arena_reset(&g->arena);
    Trace *trace = build(g, &g->arena, FULL, false);
    if (trace) trace_run_after(trace, g->before, FULL - 1, g->core, &g->err);
    return -1;
}

/* ---- one pass over the weights ---- */

typedef struct {
    const CoreContext *core;
    const float *data;
    size_t count;
    float sum[64]; /* kept, so that nothing is left out */
} Pass;

enum { PASS_TURNS = 64, LANES = 16 };

static void read_turn(void *arg, int turn) {
    Pass *pass = arg;
    size_t each = pass->count / PASS_TURNS / LANES * LANES;
    const float *data = pass->data + (size_t)turn * each;
    float lane[LANES] = {0}, sum = 0;
    for (size_t i = 0; i < each; i += LANES)
        for (int l = 0; l < LANES; l++) lane[l] += data[i + (size_t)l];
    for (int l = 0; l < LANES; l++) sum += lane[l];
    pass->sum[turn] = sum;
}

static double run_pass(void *ctx) {
    Pass *pass = ctx;
    pass->core->parallel_for(pass->core->parallel_ctx, PASS_TURNS, read_turn, pass);
    return -1;
}

/* The weight file as memory; NULL when that cannot be had. */
static const void *map_weights(const char *folder, size_t *size) {
    char path[1024];
    struct stat info;
    snprintf(path, sizeof path, "%s/model.safetensors", folder);
    int file = open(path, O_RDONLY);
    if (file < 0 || fstat(file, &info) != 0) return NULL;
    *size = (size_t)info.st_size;
    void *memory = mmap(NULL, *size, PROT_READ, MAP_SHARED, file, 0);
    close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

/* ---- figures ---- */

bool bench_gpt2_full(const char *name, const Budget *budget, const char *folder) {
    Gpt2 g = {.folder = folder};
    if (set_up(&g)) {
        double median = bench_median(budget, run_full, &g);
        if (g.err.code == ERR_NONE) bench_print(name, median, "ms");
    }
    return tear_down(&g, name);
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Both turn and turn about, so that what else the machine does meets both; the ratio is the median of the pairs'. */
static void take_pairs(const char *name, Gpt2 *g, Pass *pass, const Budget *budget) {
    enum { PAIRS_MAX = 101 };
    double append[PAIRS_MAX], read[PAIRS_MAX], ratio[PAIRS_MAX], begin = bench_now();
    int n = 0;
    while (n < budget->least + 1 || (n < PAIRS_MAX && bench_now() - begin < budget->seconds)) {
        double start = bench_now();
        run_pass(pass);
        double middle = bench_now();
        run_append(g);
        read[n] = 1000 * (middle - start);
        append[n] = 1000 * (bench_now() - middle);
        ratio[n] = append[n] / read[n];
        n++;
    }
    if (g->err.code != ERR_NONE) return;
    char line[96];
    double *const lists[] = {append + 1, read + 1, ratio + 1}; /* the first pair warms up */
    const char *const names[] = {"", "_weights_read_once", "_in_reads"}, *const units[] = {"ms", "ms", "x"};
    for (int i = 0; i < 3; i++) {
        qsort(lists[i], (size_t)(n - 1), sizeof(double), by_size);
        snprintf(line, sizeof line, "%s%s", name, names[i]);
        bench_print(line, lists[i][(n - 1) / 2], units[i]);
    }
}

bool bench_gpt2_append(const char *name, const Budget *budget, const char *folder) {
    Gpt2 g = {.folder = folder};
    size_t size = 0;
    const void *weights = map_weights(folder, &size);
    if (!weights) err_set(&g.err, ERR_INPUT, "the weights cannot be mapped");
    if (weights && set_up(&g)) {
        Pass pass = {.core = g.core, .data = weights, .count = size / sizeof(float)};
        g.before = build(&g, &g.before_arena, FULL - 1, false);
        if (g.before && trace_run(g.before, g.core, &g.err)) take_pairs(name, &g, &pass, budget);
    }
    if (weights) munmap((void *)(uintptr_t)weights, size);
    return tear_down(&g, name);
}

static double run_open(void *ctx) {
    Gpt2 *g = ctx;
    Checkpoint *checkpoint = NULL;
    if (checkpoint_open(g->folder, 0, &checkpoint, &g->err)) checkpoint_drop(checkpoint);
    return -1;
}

bool bench_gpt2_open(const char *name, const Budget *budget, const char *folder) {
    Gpt2 g = {.folder = folder};
    double median = bench_median(budget, run_open, &g);
    if (g.err.code == ERR_NONE) bench_print(name, median, "ms");
    else fprintf(stderr, "%s: %s\n", name, g.err.message);
    return g.err.code == ERR_NONE;
}

/* ---- memory: in a process of its own, that nothing else has made large ---- */

int bench_gpt2_child(const char *folder, int tokens, int limit_mib) {
    Gpt2 g = {.folder = folder};
    double start = bench_now();
    if (set_up(&g)) {
        Trace *trace = build(&g, &g.arena, tokens, false);
        if (trace) trace_set_limit(trace, (size_t)limit_mib << 20);
        if (trace && trace_run(trace, g.core, &g.err)) {
            struct rusage usage;
            getrusage(RUSAGE_SELF, &usage);
            printf("%.3f %.3f %.3f\n", (double)usage.ru_maxrss / 1024, (double)trace_bytes(trace) / (1 << 20), 1000 * (bench_now() - start));
        }
    }
    return tear_down(&g, "memory") ? 0 : 1;
}

bool bench_gpt2_rss(const char *name, const Budget *budget, const char *folder, int tokens, int limit_mib) {
    (void)budget;
    char self[1024], command[3072], line[96];
    double rss, trace, ms;
    ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
    if (length <= 0) return false;
    self[length] = '\0';
    snprintf(command, sizeof command, "'%s' --child '%s' %d %d", self, folder, tokens, limit_mib);
    FILE *child = popen(command, "r");
    bool good = child && fscanf(child, "%lf %lf %lf", &rss, &trace, &ms) == 3;
    good = child && pclose(child) == 0 && good;
    if (!good) {
        fprintf(stderr, "%s: %s did not do its work\n", name, command);
        return false;
    }
    bench_print(name, rss, "MiB");
    snprintf(line, sizeof line, "%s_all_tensors", name);
    bench_print(line, trace, "MiB");
    snprintf(line, sizeof line, "%s_time", name);
    bench_print(line, ms, "ms");
    return true;
}
