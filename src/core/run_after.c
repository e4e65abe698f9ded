/* Computing a trace whose first token rows an earlier one has. Small parts that the earlier trace has in memory are taken over
 * as a whole, and so is the one that was asked for last: somebody looks at it. Of the others only what is kept is taken: their
 * other rows alone are computed, into pieces that are given up again, and the part counts as dropped. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "base/tr.h"
#include "core/slice.h"
#include "core/stats.h"

typedef struct {
    Trace *trace;
    const Trace *before;
    const CoreContext *cx;
    Err *err;
    int rows;        /* taken over, in the part at work */
    Arena *arena;    /* of the run: the arrays */
    Arena *pieces;   /* of a part's pieces */
    bool *tokens;    /* [n_tensors] are its rows the tokens? */
    int *from;       /* [n_tensors] first row that is there */
    Tensor *piece;   /* [n_tensors] rows `from` … of what is not kept; data NULL: none */
} After;

static bool out_of_memory(Err *err) { return err_set(err, ERR_MEMORY, tr("Out of memory for the trace.")); }

/* ---- what can be taken over ---- */

/* The same machine: ops, names and ranks are the same, one by one. */
static bool same_machine(const Trace *a, const Trace *b) {
    if (a->n_ops != b->n_ops || a->n_tensors != b->n_tensors || a->n_parts != b->n_parts || !b->finished) return false;
    for (int op = 0; op < a->n_ops; op++) {
        const Tensor *x = &a->tensors[a->ops[op].out], *y = &b->tensors[b->ops[op].out];
        if (a->ops[op].kind != b->ops[op].kind || a->op_part[op] != b->op_part[op] || a->ops[op].out != b->ops[op].out) return false;
        if (x->rank != y->rank || x->dtype != y->dtype || strcmp(x->id, y->id) != 0) return false;
    }
    return true;
}

static bool makes_token_rows(const After *a, const Op *op) {
    if (op->kind == OP_PICK) return false;
    if (!slice_can(a->trace, op)) return true;
    for (int i = 0; i < OP_INPUTS_MAX; i++)
        if (op->in[i] != TENSOR_NONE && slice_axis_in(a->trace, op, i) != AXIS_NONE && !a->tokens[op->in[i]]) return false;
    return true;
}

/* Does the earlier tensor differ in its number of tokens only? */
static bool same_but_tokens(const After *a, const Op *op) {
    const Tensor *x = trace_tensor(a->trace, op->out), *y = trace_tensor(a->before, op->out);
    Axis axis = slice_axis_out(a->trace, op);
    int row_axis = axis == AXIS_T0 || (axis == AXIS_MAP && x->rank == 2) ? 0 : 1;
    for (int d = 0; d < x->rank; d++)
        if (x->dim[d] != y->dim[d] && d != row_axis && !(axis == AXIS_MAP && d == x->rank - 1)) return false;
    return true;
}

static int least(int a, int b) { return a < b ? a : b; }

/* Rows of an op's result that can be taken over; 0 = it is computed as a whole. */
static int old_rows(const After *a, const Op *op) {
    if (!slice_can(a->trace, op) || !a->tokens[op->out] || !same_but_tokens(a, op)) return 0;
    Axis axis = slice_axis_out(a->trace, op);
    int now = slice_rows(trace_tensor(a->trace, op->out), axis), then = slice_rows(trace_tensor(a->before, op->out), axis);
    return least(a->rows, least(now, then));
}

/* Keys of the maps that an op reads or makes; 0 without one. */
static int keys_of(const After *a, const Op *op) {
    int keys = slice_keys(trace_tensor(a->trace, op->out), slice_axis_out(a->trace, op));
    for (int i = 0; !keys && i < OP_INPUTS_MAX; i++)
        if (op->in[i] != TENSOR_NONE) keys = slice_keys(trace_tensor(a->trace, op->in[i]), slice_axis_in(a->trace, op, i));
    return keys;
}

/* ---- one op on some rows ---- */

static Tensor operand(const After *a, const Op *op, int i, const Region *region) {
    TensorId id = op->in[i];
    Axis axis = slice_axis_in(a->trace, op, i);
    if (!a->piece[id].data) return slice_take(trace_tensor(a->trace, id), axis, region, a->trace->scratch);
    if (a->from[id] == 0) return slice_take(&a->piece[id], axis, region, a->trace->scratch);
    assert(axis != AXIS_NONE && axis != AXIS_K1 && a->from[id] == region->first);
    return a->piece[id];
}

/* The region of an op's result, as a tensor in `arena`. */
static bool compute_region(const After *a, const Op *op, const Region *region, Arena *arena, Tensor *out) {
    Tensor in[OP_INPUTS_MAX];
    Op moved = *op;
    if (op->kind == OP_GATHER) moved.ids += region->first;
    if (op->kind == OP_ROWS) moved.row += region->first;
    *out = slice_new(trace_tensor(a->trace, op->out), slice_axis_out(a->trace, op), region, arena);
    OpRun run = {.trace = a->trace, .cx = a->cx, .op = &moved, .out = out, .data = (void *)(uintptr_t)out->data};
    if (!out->data) return out_of_memory(a->err);
    for (int i = 0; i < OP_INPUTS_MAX; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        in[i] = operand(a, op, i, region);
        if (!tensor_readable(&in[i])) return out_of_memory(a->err);
        run.in[i] = &in[i];
    }
    return op_run_one(&run, a->err);
}

/* Computes a region and puts it into the whole tensor. */
static bool fill_region(const After *a, const Op *op, Region region) {
    Tensor piece, *out = &a->trace->tensors[op->out];
    if (region.first >= region.end || !compute_region(a, op, &region, a->pieces, &piece)) return region.first >= region.end;
    slice_put(out, slice_axis_out(a->trace, op), &region, &piece);
    return true;
}

/* ---- a part that is taken over as a whole ---- */

static bool take_over(const After *a, const Op *op) {
    Tensor *out = &a->trace->tensors[op->out];
    const Tensor *then = trace_tensor(a->before, op->out);
    int rows = old_rows(a, op), keys = keys_of(a, op);
    if (rows == 0) {
        OpRun run = op_make_run(a->trace, a->cx, op);
        return op_run_one(&run, a->err);
    }
    Axis axis = slice_axis_out(a->trace, op);
    int old_keys = axis == AXIS_MAP ? least(a->rows, least(keys, slice_keys(then, axis))) : keys;
    slice_copy(out, axis, &(Region){0, rows, 0, old_keys}, then);
    if (old_keys < keys && !fill_region(a, op, (Region){0, rows, old_keys, keys})) return false;
    return fill_region(a, op, (Region){rows, slice_rows(out, axis), 0, keys});
}

/* Summaries of the part's maps. Their first rows are the earlier summary's, if its bins can be told apart. */
static bool make_summaries(const After *a, int part) {
    Trace *trace = a->trace;
    for (int n = 0; n < trace->n_summaries; n++) {
        Summary *summary = &trace->summaries[n];
        TensorId weights = summary->weights, mask = trace_mask_of(trace, weights);
        if (summary->made || trace->op_part[trace_tensor(trace, weights)->op] != part) continue;
        SummaryRows rows = {.map = trace_tensor(trace, weights), .mask = mask == TENSOR_NONE ? NULL : trace_tensor(trace, mask)};
        if (!trace_resident(trace, weights)) { /* rows from a->from on, or none at all */
            rows.map = &a->piece[weights];
            rows.base = rows.first = a->from[weights];
            rows.before = rows.first ? summary_of(a->before, weights) : NULL;
        }
        if (rows.mask && a->piece[mask].data) rows.mask = &a->piece[mask];
        if (!summary_make(trace, summary, &rows, a->cx, a->err)) return false;
    }
    return true;
}

static bool run_whole(const After *a, int at) {
    Part *part = &a->trace->parts[at];
    part->needed = ++a->trace->clock;
    if (!part_allocate(a->trace, part, a->err)) return false;
    bool ok = true;
    for (int op = part->first_op; ok && op < part->end_op; op++) {
        if (a->trace->ops[op].kind != OP_INPUT) ok = take_over(a, &a->trace->ops[op]);
        arena_reset(a->pieces);
    }
    ok = ok && make_summaries(a, at);
    part->resident = part->made = ok;
    part->asked = a->before->parts[at].asked;
    if (!ok) part_drop(a->trace, part);
    return ok;
}

/* ---- a part of which the earlier trace has only what it kept ---- */

/* Are the rows there that an op needs to make its rows `first` …? */
static bool operands_there(const After *a, const Op *op, int first) {
    for (int i = 0; i < OP_INPUTS_MAX; i++) {
        TensorId id = op->in[i];
        if (id == TENSOR_NONE) continue;
        Axis axis = first > 0 ? slice_axis_in(a->trace, op, i) : AXIS_NONE;
        bool some = axis != AXIS_NONE && axis != AXIS_K1;
        if (some ? a->from[id] != 0 && a->from[id] != first : a->from[id] != 0) return false;
    }
    return true;
}

/* From which row on will the op's result be there? -1: what it needs is not. */
static int plan_op(const After *a, const Op *op) {
    int rows = old_rows(a, op);
    if (op->kind == OP_PICK) return op->row >= a->from[op->in[0]] ? 0 : -1;
    if (!operands_there(a, op, rows)) return -1;
    if (!a->trace->kept[op->out]) return rows;
    return rows == 0 || trace_resident(a->before, op->out) ? 0 : -1;
}

static bool summaries_fit(const After *a, int part) {
    for (int n = 0; n < a->trace->n_summaries; n++) {
        TensorId weights = a->trace->summaries[n].weights;
        const Tensor *map = trace_tensor(a->trace, weights);
        if (a->trace->op_part[map->op] != part || a->from[weights] == 0) continue;
        const Summary *then = summary_of(a->before, weights);
        int bin = summary_bin(map->dim[1], map->dim[2]);
        if (!then || !then->made || then->map.bin > bin || then->map.n_heads != map->dim[0]) return false;
        if (a->from[weights] % bin != 0 && a->from[weights] != then->map.L) return false;
    }
    return true;
}

/* Can the part be computed from row a->rows on alone? Leaves in a->from what will be there. */
static bool plan(After *a, int at) {
    const Part *part = &a->trace->parts[at];
    for (int op = part->first_op; op < part->end_op; op++) {
        TensorId out = a->trace->ops[op].out;
        a->from[out] = a->trace->ops[op].kind == OP_INPUT ? 0 : plan_op(a, &a->trace->ops[op]);
        if (a->from[out] < 0) return false;
    }
    return summaries_fit(a, at);
}

/* Bins of pictures are not cut: take fewer rows over where a text was changed in the middle. */
static int whole_bins(const After *a, int at, int rows) {
    for (int n = 0; n < a->trace->n_summaries; n++) {
        const Tensor *map = trace_tensor(a->trace, a->trace->summaries[n].weights);
        const Summary *then = summary_of(a->before, a->trace->summaries[n].weights);
        if (a->trace->op_part[map->op] != at || (then && then->map.L == rows)) continue;
        rows -= rows % summary_bin(map->dim[1], map->dim[2]);
    }
    return rows;
}

/* A result that does not follow the rows, as a piece of its own or in the trace. */
static bool compute_all(const After *a, const Op *op) {
    Tensor in[OP_INPUTS_MAX], *piece = &a->piece[op->out];
    Op moved = *op;
    OpRun run = op_make_run(a->trace, a->cx, op);
    if (!a->trace->kept[op->out]) {
        *piece = *trace_tensor(a->trace, op->out);
        run.data = arena_try_raw(a->pieces, tensor_bytes(piece), 1);
        piece->data = run.data;
        run.out = piece;
    }
    if (!run.data) return out_of_memory(a->err);
    for (int i = 0; i < OP_INPUTS_MAX; i++) {
        if (op->in[i] == TENSOR_NONE) continue;
        in[i] = a->piece[op->in[i]].data ? a->piece[op->in[i]] : *trace_tensor(a->trace, op->in[i]);
        run.in[i] = &in[i];
    }
    if (op->kind == OP_PICK) moved.row -= a->from[op->in[0]];
    run.op = &moved;
    return op_run_one(&run, a->err);
}

/* Old rows of a kept map: keys that came later have no weight in them. */
static void copy_old_rows(const After *a, const Op *op, int rows) {
    Axis axis = slice_axis_out(a->trace, op);
    Tensor *out = &a->trace->tensors[op->out];
    const Tensor *then = trace_tensor(a->before, op->out);
    if (axis == AXIS_MAP) memset((void *)(uintptr_t)out->data, 0, tensor_bytes(out));
    int keys = axis == AXIS_MAP ? least(slice_keys(out, axis), slice_keys(then, axis)) : 0;
    slice_copy(out, axis, &(Region){0, rows, 0, keys}, then);
}

static bool compute_rest(const After *a, const Op *op) {
    int rows = old_rows(a, op);
    if (rows == 0) return compute_all(a, op);
    Region region = {rows, slice_rows(trace_tensor(a->trace, op->out), slice_axis_out(a->trace, op)), 0, keys_of(a, op)};
    if (a->trace->kept[op->out]) {
        copy_old_rows(a, op, rows);
        return fill_region(a, op, region);
    }
    return region.first >= region.end || compute_region(a, op, &region, a->pieces, &a->piece[op->out]);
}

static bool run_rest(After *a, int at) {
    Trace *trace = a->trace;
    Part *part = &trace->parts[at];
    bool ok = part_allocate_kept(trace, part, a->err);
    for (int op = part->first_op; ok && op < part->end_op; op++)
        if (trace->ops[op].kind != OP_INPUT) ok = compute_rest(a, &trace->ops[op]);
    ok = ok && make_summaries(a, at);
    part->made = ok;
    part->resident = ok && part->bytes == 0;
    if (!ok) part_drop(trace, part);
    for (int op = part->first_op; op < part->end_op; op++) a->piece[trace->ops[op].out].data = NULL;
    arena_reset(a->pieces);
    return ok;
}

/* ---- all parts ---- */

/* Bytes that are copied in no time; bytes that are copied faster than computed again. */
enum { SMALL_TRACE = 8 << 20, SMALL_PART = 512 << 10, COPIED_MAX = 64 << 20 };

static bool is_looked_at(const Trace *trace, int at) {
    if (trace->parts[at].bytes > COPIED_MAX) return false;
    for (int p = 0; p < trace->n_parts; p++)
        if (trace->parts[p].asked && trace->parts[p].needed > trace->parts[at].needed) return false;
    return trace->parts[at].asked;
}

static bool run_one(After *a, int at, int rows) {
    const Part *then = &a->before->parts[at];
    bool whole = a->trace->bytes <= SMALL_TRACE || a->trace->parts[at].bytes <= SMALL_PART || is_looked_at(a->before, at);
    a->rows = rows;
    if (then->resident && whole) return run_whole(a, at);
    a->rows = whole_bins(a, at, rows);
    bool ok = a->rows > 0 && then->made && plan(a, at) ? run_rest(a, at) : run_part(a->trace, at, a->cx, a->err);
    for (int op = a->trace->parts[at].first_op; op < a->trace->parts[at].end_op; op++) a->from[a->trace->ops[op].out] = 0;
    return ok;
}

static bool begin(After *a, Arena *arena) {
    size_t n = (size_t)a->trace->n_tensors;
    a->arena = arena;
    a->pieces = arena_child(arena);
    a->tokens = arena_try(arena, n, sizeof *a->tokens);
    a->from = arena_try(arena, n, sizeof *a->from);
    a->piece = arena_try(arena, n, sizeof *a->piece);
    if (!a->pieces || !a->tokens || !a->from || !a->piece) return out_of_memory(a->err);
    for (int op = 0; op < a->trace->n_ops; op++) a->tokens[a->trace->ops[op].out] = makes_token_rows(a, &a->trace->ops[op]);
    return true;
}

bool trace_run_after(Trace *trace, const Trace *before, int rows, const CoreContext *cx, Err *err) {
    if (rows <= 0 || !same_machine(trace, before)) return trace_run(trace, cx, err);
    Arena arena = {0};
    After after = {.trace = trace, .before = before, .cx = cx, .err = err};
    bool ok = run_begin(trace, err) && begin(&after, &arena);
    for (int p = 0; ok && p < trace->n_parts; p++) {
        if (!trace->parts[p].lazy) ok = run_one(&after, p, rows);
        if (ok) run_progress(trace, cx, p);
    }
    if (ok) run_end(trace);
    arena_free(&arena);
    return ok;
}
