/* Memory of a trace's parts: each has an arena of its own, dropped as a whole; what is kept lies in the trace's. */
#include <assert.h>

#include "base/tr.h"
#include "core/internal.h"

size_t trace_bytes_resident(const Trace *trace) {
    size_t bytes = trace->kept_bytes;
    for (int p = 0; p < trace->n_parts; p++) bytes += trace->parts[p].resident ? trace->parts[p].bytes : 0;
    return bytes;
}

static void forget(Trace *trace, const Part *part, bool kept_too) {
    for (int op = part->first_op; op < part->end_op; op++) {
        TensorId t = trace->ops[op].out;
        if (trace->ops[op].kind == OP_INPUT || (trace->kept[t] && !kept_too)) continue;
        trace->tensors[t].data = NULL;
        if (!trace->kept[t]) trace->data[t] = NULL;
    }
}

void part_drop(Trace *trace, Part *part) {
    forget(trace, part, !part->made);
    if (part->arena) arena_free(part->arena);
    part->resident = false;
}

/* The part that can be dropped and was needed least recently; NULL when there is none. */
static Part *least_needed(Trace *trace, const Part *beside) {
    Part *least = NULL;
    for (int p = 0; p < trace->n_parts; p++) {
        Part *part = &trace->parts[p];
        if (part == beside || !part->resident || part->bytes == 0) continue;
        if (!least || part->needed < least->needed) least = part;
    }
    return least;
}

/* Parts of the same size, such as layers of a network, pass their memory on: it is not fetched from the system again. */
static void pass_memory(Part *from, Part *to) {
    if (from->bytes != to->bytes || !from->arena) return;
    if (to->arena) arena_free(to->arena);
    Arena *empty = to->arena;
    to->arena = from->arena;
    from->arena = empty;
    arena_reset(to->arena);
}

static void make_room(Trace *trace, Part *part) {
    size_t limit = trace->limit && trace->limit < TRACE_BYTES_MAX ? trace->limit : TRACE_BYTES_MAX;
    size_t bytes = trace_bytes_resident(trace) + part->bytes;
    while (bytes > limit) {
        Part *least = least_needed(trace, part);
        if (!least) break;
        bytes -= least->bytes;
        pass_memory(least, part);
        part_drop(trace, least);
    }
}

static bool give_memory(Trace *trace, Part *part, TensorId t) {
    Arena *arena = trace->kept[t] ? trace->arena : part->arena;
    size_t bytes = tensor_bytes(&trace->tensors[t]);
    if (!trace->data[t]) trace->data[t] = arena_try_raw(arena, bytes, 1);
    trace->tensors[t].data = trace->data[t];
    return trace->data[t] != NULL;
}

static bool give_all(Trace *trace, Part *part, bool kept_only) {
    for (int op = part->first_op; op < part->end_op; op++) {
        TensorId out = trace->ops[op].out;
        if (trace->ops[op].kind == OP_INPUT || (kept_only && !trace->kept[out])) continue;
        if (!give_memory(trace, part, out)) return false;
    }
    return true;
}

static bool refuse(Trace *trace, Part *part, Err *err) {
    part_drop(trace, part);
    return err_set(err, ERR_MEMORY, tr("Out of memory: the trace needs %zu MiB."), (trace->bytes >> 20) + 1);
}

/* The part's memory in one piece, so that another part of the same size can have it. */
static bool reserve(Trace *trace, Part *part) {
    size_t padding = (size_t)(part->end_op - part->first_op) * 64;
    if (part->bytes == 0) return true;
    if (!part->arena) part->arena = arena_child(trace->arena);
    return part->arena && arena_reserve(part->arena, part->bytes + padding);
}

bool part_allocate(Trace *trace, Part *part, Err *err) {
    assert(!part->resident);
    make_room(trace, part);
    if (!reserve(trace, part)) return refuse(trace, part, err);
    return give_all(trace, part, false) || refuse(trace, part, err);
}

bool part_allocate_kept(Trace *trace, Part *part, Err *err) { return give_all(trace, part, true) || refuse(trace, part, err); }
