/* A folder against a dump of its activations. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "model/checkpoint_internal.h"

enum { SHOWN_MAX = 80 };

typedef struct {
    const Checkpoint *checkpoint;
    const CoreContext *cx;
    SafetensorsHeader file;
    Trace *trace;
    NetworkResults results;
    Arena *arena;
    Err *err;
} Check;

static const char *const id_names[] = {"input_ids", "decoder_input_ids", "token_type_ids"};

static bool is_input(const char *name) {
    return str_find(id_names, sizeof id_names / sizeof *id_names, name) >= 0;
}

/* ---- running ---- */

/* Whole numbers of a tensor of the file; *n stays as it is when it is absent. */
static bool read_ids(const Check *k, const char *name, int *n, const int **out) {
    const SafetensorsEntry *entry = safetensors_entry(&k->file, name);
    int *ids;
    if (!entry) return true;
    if (entry->count > TENSOR_DIM_MAX) {
        err_set(k->err, ERR_LIMIT, tr("tensor %s has %zu numbers; %d is the limit"), name, entry->count, TENSOR_DIM_MAX);
        return err_place(k->err, k->file.file, 0, 0);
    }
    if (!safetensors_ints(&k->file, entry, k->arena, &ids, k->err)) return false;
    *n = (int)entry->count;
    *out = ids;
    return true;
}

static bool read_inputs(const Check *k, CheckpointIds ids[2]) {
    int n_types = -1;
    memset(ids, 0, 2 * sizeof *ids);
    if (!read_ids(k, id_names[0], &ids[0].n, &ids[0].ids) || !read_ids(k, id_names[1], &ids[1].n, &ids[1].ids) ||
        !read_ids(k, id_names[2], &n_types, &ids[0].types)) return false;
    for (int i = 0; i < checkpoint_info(k->checkpoint)->n_stacks; i++) {
        if (ids[i].n > 0) continue;
        err_set(k->err, ERR_INPUT, tr("there is no tensor %s: the ids to run the model on"), id_names[i]);
        return err_place(k->err, k->file.file, 0, 0);
    }
    if (n_types < 0 || n_types == ids[0].n) return true;
    err_set(k->err, ERR_SHAPE, tr("%s has %d numbers, %s has %d"), id_names[2], n_types, id_names[0], ids[0].n);
    return err_place(k->err, k->file.file, 0, 0);
}

/* Rollout is made when the file asks for it. */
static bool asks_for_rollout(const SafetensorsHeader *file) {
    for (int i = 0; i < file->n_entries; i++)
        if (str_ends(file->entries[i].name, "head_avg") || str_ends(file->entries[i].name, "mixed") || str_ends(file->entries[i].name, "rollout"))
            return true;
    return false;
}

/* Our own trace files have the logits of one row, and that row by itself. */
static bool has_one_row(const SafetensorsHeader *file) {
    for (int i = 0; i < file->n_entries; i++)
        if (str_ends(file->entries[i].name, "picked")) return true;
    return false;
}

static bool run(Check *k) {
    CheckpointIds ids[2];
    NetworkSpec spec;
    WeightSource weights;
    if (!read_inputs(k, ids)) return false;
    if (!checkpoint_network(k->checkpoint, ids, -2, k->arena, &spec, &weights, k->err)) return err_place(k->err, k->file.file, 0, 0);
    spec.all_logits = !has_one_row(&k->file);
    spec.rollout = asks_for_rollout(&k->file);
    k->trace = trace_new(k->arena);
    return machine_network(k->trace, &spec, &weights, &k->results, k->err) && trace_run(k->trace, k->cx, k->err);
}

/* ---- comparing ---- */

static double distance(double got, double want) {
    if (isnan(got) || isnan(want)) return isnan(got) && isnan(want) ? 0 : (double)INFINITY;
    if (isinf(got) || isinf(want)) return got == want ? 0 : (double)INFINITY;
    return fabs(got - want);
}

/* The same shape but for dimensions of 1 in front: a batch of one, a single row. */
static bool same_shape(const Tensor *made, const SafetensorsEntry *stored) {
    int a = 0, b = 0;
    while (a < made->rank && made->dim[a] == 1) a++;
    while (b < stored->rank && stored->dim[b] == 1) b++;
    if (made->rank - a != stored->rank - b) return false;
    for (; a < made->rank; a++, b++)
        if (made->dim[a] != stored->dim[b]) return false;
    return true;
}

static void compare(const Tensor *made, const float *stored, CheckpointRow *row) {
    size_t count = tensor_count(made), worst = 0;
    for (size_t i = 0; i < count; i++) {
        double d = distance(tensor_flat(made, i), (double)stored[i]);
        if (d <= row->difference) continue;
        row->difference = d;
        worst = i;
    }
    row->got = count > 0 ? tensor_flat(made, worst) : 0;
    row->want = count > 0 ? (double)stored[worst] : 0;
    row->differs = row->difference > row->tolerance;
    row->rank = made->rank;
    for (int d = made->rank - 1; d >= 0; worst /= (size_t)made->dim[d--]) row->index[d] = (int)(worst % (size_t)made->dim[d]);
}

/* Memory of its numbers is given back at once: a dump may be large. */
static bool check_one(const Check *k, const SafetensorsEntry *stored, double tolerance, CheckpointRow *row) {
    char held[SAFETENSORS_SHAPE_TEXT], computed[64];
    TensorId id = checkpoint_reference(k->trace, &k->results, stored->name);
    *row = (CheckpointRow){.name = stored->name, .op = -1, .tolerance = tolerance >= 0 ? tolerance : checkpoint_tolerance(stored->name)};
    if (id == TENSOR_NONE) {
        row->unknown = true;
        return true;
    }
    const Tensor *made = trace_tensor(k->trace, id);
    row->op = made->op;
    if (!same_shape(made, stored)) {
        row->problem = arena_printf(k->arena, tr("%s in the file, %s computed"), safetensors_shape_text(stored, held),
                                    tensor_shape_text(computed, made->rank, made->dim));
        row->differs = true;
        return true;
    }
    Arena numbers = {0};
    const float *floats;
    bool good = trace_need(k->trace, id, k->cx, k->err) && safetensors_floats(&k->file, stored, &numbers, &floats, k->err);
    if (good) compare(made, floats, row);
    arena_free(&numbers);
    return good;
}

/* In computing order, so that the first that differs is where to look; what is unknown comes last. */
static int by_order(const void *a, const void *b) {
    const CheckpointRow *x = a, *y = b;
    if (x->unknown != y->unknown) return x->unknown ? 1 : -1;
    if (x->op != y->op) return x->op < y->op ? -1 : 1;
    return strcmp(x->name, y->name);
}

bool checkpoint_check(const Checkpoint *checkpoint, const char *path, double tolerance, const CoreContext *cx, Arena *arena,
                      CheckpointRow **rows, int *n_rows, Err *err) {
    Check k = {.checkpoint = checkpoint, .cx = cx, .arena = arena, .err = err};
    Mapped map;
    if (!mapped_open(path, arena, &map, err)) return false;
    bool good = safetensors_header(map.bytes, map.size, map.path, false, arena, &k.file, err) && run(&k);
    int n = 0;
    CheckpointRow *made = good ? ARENA_ARRAY(arena, CheckpointRow, (size_t)k.file.n_entries + 1) : NULL;
    for (int i = 0; good && i < k.file.n_entries; i++)
        if (!is_input(k.file.entries[i].name)) good = check_one(&k, &k.file.entries[i], tolerance, &made[n++]);
    if (good) qsort(made, (size_t)n, sizeof *made, by_order);
    mapped_close(&map);
    *rows = made;
    *n_rows = n;
    return good;
}
