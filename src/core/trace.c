/* Building and reading a trace. Computing it is run.c's. */
#include "core/trace.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "core/internal.h"

/* ---- growing ---- */

/* An array of `max` items of `size` bytes with room for one more than `count`; NULL when memory is out. */
static void *grown(Arena *arena, void *array, int count, int max, int new_max, size_t size) {
    if (count < max) return array;
    void *bigger = arena_try(arena, (size_t)new_max, size);
    if (bigger && count > 0) memcpy(bigger, array, (size_t)count * size);
    return bigger;
}

static int doubled(int max) { return max < 16 ? 16 : max * 2; }

static bool out_of_memory(Err *err) { return err_set(err, ERR_MEMORY, tr("Out of memory for the trace.")); }

static bool grow_tensors(Trace *trace, Err *err) {
    if (trace->n_tensors < trace->max_tensors) return true;
    int max = doubled(trace->max_tensors);
    Tensor *tensors = grown(trace->arena, trace->tensors, trace->n_tensors, trace->max_tensors, max, sizeof *tensors);
    void **data = grown(trace->arena, trace->data, trace->n_tensors, trace->max_tensors, max, sizeof *data);
    bool *kept = grown(trace->arena, trace->kept, trace->n_tensors, trace->max_tensors, max, sizeof *kept);
    if (!tensors || !data || !kept) return out_of_memory(err);
    trace->tensors = tensors;
    trace->kept = kept;
    trace->data = data;
    trace->max_tensors = max;
    return true;
}

static bool grow_ops(Trace *trace, Err *err) {
    if (trace->n_ops < trace->max_ops) return true;
    int max = doubled(trace->max_ops);
    Op *ops = grown(trace->arena, trace->ops, trace->n_ops, trace->max_ops, max, sizeof *ops);
    int *stage = grown(trace->arena, trace->op_stage, trace->n_ops, trace->max_ops, max, sizeof *stage);
    int *part = grown(trace->arena, trace->op_part, trace->n_ops, trace->max_ops, max, sizeof *part);
    if (!ops || !stage || !part) return out_of_memory(err);
    trace->ops = ops;
    trace->op_part = part;
    trace->op_stage = stage;
    trace->max_ops = max;
    return true;
}

/* ---- ids ---- */

/* Slot that holds `id`, or the free slot where it belongs. */
static int slot_of(const Trace *trace, const char *id) {
    uint64_t hash = hash_fnv1a(id, strlen(id));
    int slot = (int)(hash & (uint64_t)(trace->n_slots - 1));
    while (trace->slots[slot] != TENSOR_NONE && strcmp(trace->tensors[trace->slots[slot]].id, id) != 0)
        slot = (slot + 1) & (trace->n_slots - 1);
    return slot;
}

/* Keep at least half of the slots free. */
static bool grow_slots(Trace *trace, Err *err) {
    if (trace->n_tensors * 2 + 2 <= trace->n_slots) return true;
    int n = trace->n_slots ? trace->n_slots * 2 : 64;
    int *slots = arena_try(trace->arena, (size_t)n, sizeof *slots);
    if (!slots) return out_of_memory(err);
    for (int i = 0; i < n; i++) slots[i] = TENSOR_NONE;
    trace->slots = slots;
    trace->n_slots = n;
    for (int t = 0; t < trace->n_tensors; t++) trace->slots[slot_of(trace, trace->tensors[t].id)] = t;
    return true;
}

/* ---- building ---- */

Trace *trace_new(Arena *arena) {
    Trace *trace = ARENA_NEW(arena, Trace);
    trace->arena = arena;
    return trace;
}

/* "layers.3.weights"; NULL when memory is out. */
static char *joined(Arena *arena, const char *scope, const char *name) {
    size_t scope_length = strlen(scope), length = strlen(name);
    char *id = arena_try(arena, scope_length + length + 2, 1);
    if (!id) return NULL;
    memcpy(id, scope, scope_length);
    if (scope_length && length) id[scope_length++] = '.';
    memcpy(id + scope_length, name, length);
    return id;
}

/* Steps that cannot report an error leave a mark, and the next tensor fails. */
static bool noted(Trace *trace, const void *memory) {
    if (!memory) trace->out_of_memory = true;
    return memory != NULL;
}

static void add_part(Trace *trace, bool lazy) {
    int max = trace->n_parts < trace->max_parts ? trace->max_parts : doubled(trace->max_parts);
    Part *parts = grown(trace->arena, trace->parts, trace->n_parts, trace->max_parts, max, sizeof *parts);
    if (!noted(trace, parts)) return;
    trace->parts = parts;
    trace->max_parts = max;
    trace->parts[trace->n_parts++] = (Part){.first_op = trace->n_ops, .end_op = trace->n_ops, .lazy = lazy};
}

void trace_begin_part(Trace *trace, bool lazy) {
    assert(!trace->finished);
    if (trace->n_parts == 0) add_part(trace, false);
    add_part(trace, lazy);
}

void trace_keep(Trace *trace, TensorId id) {
    const Tensor *tensor = trace_tensor(trace, id);
    if (trace->kept[id] || trace->ops[tensor->op].kind == OP_INPUT) return;
    assert(!trace->finished);
    trace->kept[id] = true;
    trace->parts[trace->op_part[tensor->op]].bytes -= tensor_bytes(tensor);
    trace->kept_bytes += tensor_bytes(tensor);
}

void trace_set_limit(Trace *trace, size_t bytes) { trace->limit = bytes; }

void trace_begin_stage(Trace *trace, StageKind kind, const char *scope) {
    assert(!trace->finished && !trace->stage_open);
    trace->stage_open = true;
    int max = trace->n_stages < trace->max_stages ? trace->max_stages : doubled(trace->max_stages);
    Stage *stages = grown(trace->arena, trace->stages, trace->n_stages, trace->max_stages, max, sizeof *stages);
    const char *text = joined(trace->arena, scope, "");
    if (!noted(trace, stages) || !noted(trace, text)) return;
    trace->stages = stages;
    trace->max_stages = max;
    trace->stages[trace->n_stages++] = (Stage){.kind = kind, .scope = text, .first_op = trace->n_ops, .result = TENSOR_NONE};
}

void trace_end_stage(Trace *trace, TensorId result) {
    assert(trace->stage_open);
    trace->stage_open = false;
    if (trace->out_of_memory) return;
    Stage *stage = &trace->stages[trace->n_stages - 1];
    stage->n_ops = trace->n_ops - stage->first_op;
    stage->result = result;
}

/* Dimensions from 1 to TENSOR_DIM_MAX, and their bytes beside what must be in memory together with them within the limit. */
static bool check_size(const Trace *trace, const char *id, Dtype dtype, int rank, const int *dim, bool computed, Err *err) {
    char shape[64];
    size_t together = trace->kept_bytes + trace->parts[trace->n_parts - 1].bytes;
    assert(rank >= 1 && rank <= TENSOR_RANK_MAX);
    tensor_shape_text(shape, rank, dim);
    size_t size = dtype == DTYPE_F64 ? sizeof(double) : sizeof(float);
    for (int d = 0; d < rank; d++) {
        if (dim[d] < 1) return err_set(err, ERR_SHAPE, tr("%s %s has an empty dimension; each must be 1 or more."), id, shape);
        if (dim[d] > TENSOR_DIM_MAX)
            return err_set(err, ERR_LIMIT, tr("%s %s has a dimension above the limit of %d."), id, shape, TENSOR_DIM_MAX);
        if (!size_mul(size, (size_t)dim[d], &size)) size = TRACE_BYTES_MAX + 1;
        if (size > TRACE_BYTES_MAX)
            return err_set(err, ERR_LIMIT, tr("%s %s would pass the limit of 4 GiB for all tensors."), id, shape);
    }
    if (computed && (together > TRACE_BYTES_MAX || size > TRACE_BYTES_MAX - together))
        return err_set(err, ERR_LIMIT, tr("With %s %s the tensors would pass the limit of 4 GiB."), id, shape);
    return true;
}

/* Counts a computed tensor's bytes. Those of the first part stay. */
static void count_bytes(Trace *trace, TensorId id) {
    size_t bytes = tensor_bytes(&trace->tensors[id]);
    trace->bytes += bytes;
    trace->kept[id] = trace->n_parts == 1;
    *(trace->kept[id] ? &trace->kept_bytes : &trace->parts[trace->n_parts - 1].bytes) += bytes;
}

static void add_op(Trace *trace, const Op *op, TensorId out) {
    trace->op_stage[trace->n_ops] = trace->stage_open ? trace->n_stages - 1 : -1;
    trace->op_part[trace->n_ops] = trace->n_parts - 1;
    trace->ops[trace->n_ops] = *op;
    trace->ops[trace->n_ops++].out = out;
    trace->parts[trace->n_parts - 1].end_op = trace->n_ops;
}

/* `given`: an input's, or NULL. */
static TensorId add_tensor(Trace *trace, const Op *op, const char *scope, const char *name, Dtype dtype, int rank,
                           const int *dim, const TensorInput *given, Err *err) {
    assert(!trace->finished);
    const char *id = joined(trace->arena, scope, name);
    if (trace->n_parts == 0) add_part(trace, false);
    if (!noted(trace, id) || trace->out_of_memory) {
        out_of_memory(err);
        return TENSOR_NONE;
    }
    if (!check_size(trace, id, dtype, rank, dim, !given, err) || !grow_tensors(trace, err) || !grow_ops(trace, err) ||
        !grow_slots(trace, err))
        return TENSOR_NONE;
    int slot = slot_of(trace, id);
    if (trace->slots[slot] != TENSOR_NONE) {
        err_set(err, ERR_INPUT, tr("Two tensors are called %s."), id);
        return TENSOR_NONE;
    }
    TensorId out = trace->n_tensors++;
    trace->slots[slot] = out;
    Tensor *tensor = &trace->tensors[out];
    *tensor = (Tensor){.id = id, .name = id + (scope[0] ? strlen(scope) + 1 : 0), .dtype = dtype, .rank = rank,
                       .dim = {1, 1, 1, 1}, .op = trace->n_ops};
    memcpy(tensor->dim, dim, (size_t)rank * sizeof *dim);
    if (given) {
        tensor->data = given->data;
        if (!given->data) tensor->stored = given->stored;
    } else count_bytes(trace, out);
    add_op(trace, op, out);
    return out;
}

TensorId trace_add_input(Trace *trace, const char *scope, const TensorInput *input, Err *err) {
    Op op = {.kind = OP_INPUT};
    for (int i = 0; i < OP_INPUTS_MAX; i++) op.in[i] = TENSOR_NONE;
    if (input->rank < 1 || input->rank > TENSOR_RANK_MAX) {
        err_set(err, ERR_SHAPE, tr("%s has %d dimensions; 1 to %d are possible."), input->name, input->rank, TENSOR_RANK_MAX);
        return TENSOR_NONE;
    }
    if (!input_given(input)) {
        err_set(err, ERR_INPUT, tr("%s has no numbers."), input->name);
        return TENSOR_NONE;
    }
    if (!input->data && input->rank != 2) {
        err_set(err, ERR_SHAPE, tr("%s has %d dimensions; a stored matrix has 2."), input->name, input->rank);
        return TENSOR_NONE;
    }
    return add_tensor(trace, &op, scope, input->name, DTYPE_F32, input->rank, input->dim, input, err);
}

/* What another part reads stays. */
static void keep_operands(Trace *trace, const Op *op) {
    for (int i = 0; i < OP_INPUTS_MAX; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        int made_by = trace->tensors[op->in[i]].op;
        if (trace->op_part[made_by] != trace->n_parts - 1) trace_keep(trace, op->in[i]);
    }
}

TensorId trace_add(Trace *trace, const Op *op, const char *scope, const char *name, Dtype dtype, int rank,
                   const int *dim, Err *err) {
    for (int i = 0; i < OP_INPUTS_MAX; i++) assert(op->in[i] >= TENSOR_NONE && op->in[i] < trace->n_tensors);
    assert(op->kind != OP_INPUT);
    keep_operands(trace, op);
    return add_tensor(trace, op, scope, name, dtype, rank, dim, NULL, err);
}

void trace_put(Trace *trace, TensorId id, const float *numbers) {
    const Tensor *tensor = trace_tensor(trace, id);
    assert(trace->finished && trace->data[id]);
    size_t count = tensor_count(tensor);
    if (tensor->dtype == DTYPE_F32) memcpy(trace->data[id], numbers, count * sizeof *numbers);
    else
        for (size_t i = 0; i < count; i++) ((double *)trace->data[id])[i] = (double)numbers[i];
}

const PositionSpec *trace_keep_position(Trace *trace, const PositionSpec *position) {
    PositionSpec *kept = arena_try(trace->arena, 1, sizeof *kept);
    if (noted(trace, kept)) *kept = *position;
    return kept;
}

const MaskSpec *trace_keep_masks(Trace *trace, const MaskSpec *masks, int n_masks, int *count) {
    MaskSpec *kept = arena_try(trace->arena, (size_t)(n_masks ? n_masks : 1), sizeof *kept);
    *count = 0;
    if (!noted(trace, kept)) return NULL;
    for (int m = 0; m < n_masks; m++)
        if (masks[m].kind != MASK_NONE) kept[(*count)++] = masks[m];
    return kept;
}

/* ---- reading ---- */

int trace_tensor_count(const Trace *trace) { return trace->n_tensors; }
int trace_op_count(const Trace *trace) { return trace->n_ops; }
int trace_stage_count(const Trace *trace) { return trace->n_stages; }
size_t trace_bytes(const Trace *trace) { return trace->bytes; }
bool trace_resident(const Trace *trace, TensorId id) { return tensor_readable(trace_tensor(trace, id)); }

const Tensor *trace_tensor(const Trace *trace, TensorId id) {
    assert(id >= 0 && id < trace->n_tensors);
    return &trace->tensors[id];
}

const Op *trace_op(const Trace *trace, int op) {
    assert(op >= 0 && op < trace->n_ops);
    return &trace->ops[op];
}

const Stage *trace_stage(const Trace *trace, int stage) {
    assert(stage >= 0 && stage < trace->n_stages);
    return &trace->stages[stage];
}

TensorId trace_find(const Trace *trace, const char *id) {
    return trace->n_slots ? trace->slots[slot_of(trace, id)] : TENSOR_NONE;
}

int trace_stage_of(const Trace *trace, TensorId id) { return trace->op_stage[trace_tensor(trace, id)->op]; }

int trace_stage_find(const Trace *trace, const char *scope, StageKind kind) {
    for (int s = 0; s < trace->n_stages; s++)
        if (trace->stages[s].kind == kind && strcmp(trace->stages[s].scope, scope) == 0) return s;
    return -1;
}
