/* Computing a trace part by part: memory for its tensors, the rules first (they read parameters only), then the
 * arithmetic in order, with row kinds that follow each other as one pass over blocks of rows. */
#include <assert.h>

#include "base/tr.h"
#include "core/internal.h"

enum {
    BLOCK_CELLS = 1 << 14, /* cells of one row block: five maps of it fit the second-level cache */
    SLAB_CELLS = 1 << 22,  /* cells between two questions whether to cancel */
    GROUP_MAX = 16,
};
static const double WORK_MIN = 40000; /* below this a loop is not worth waking another thread */

OpRun op_make_run(const Trace *trace, const CoreContext *cx, const Op *op) {
    OpRun run = {.trace = trace, .cx = cx, .op = op, .out = trace_tensor(trace, op->out), .data = trace->data[op->out]};
    for (int i = 0; i < OP_INPUTS_MAX; i++)
        if (op->in[i] != TENSOR_NONE) run.in[i] = trace_tensor(trace, op->in[i]);
    return run;
}

void op_loop(const CoreContext *cx, double work, bool products, int count, void (*body)(void *arg, int i), void *arg) {
    bool alone = count < 2 || work < WORK_MIN || !cx->parallel_for;
    if (products && !cx->product_one_thread) alone = true;
    if (!alone) {
        cx->parallel_for(cx->parallel_ctx, count, body, arg);
        return;
    }
    for (int i = 0; i < count; i++) body(arg, i);
}

/* Multiplications of one op, or what takes as long. */
static double work_of(const Trace *trace, const Op *op) {
    double cells = (double)tensor_count(trace_tensor(trace, op->out));
    if (op->in[0] == TENSOR_NONE) return cells;
    const Tensor *in = trace_tensor(trace, op->in[0]);
    return cells * (op_table[op->kind].run ? in->dim[in->rank - 1] : 10);
}

static double part_work(const Trace *trace, const Part *part) {
    double work = 0;
    for (int op = part->first_op; !part->lazy && op < part->end_op; op++)
        if (trace->ops[op].kind != OP_INPUT) work += work_of(trace, &trace->ops[op]);
    return work;
}

void run_progress(const Trace *trace, const CoreContext *cx, int last) {
    if (!cx->progress) return;
    double done = 0, all = 0;
    for (int p = 0; p < trace->n_parts; p++) {
        double work = part_work(trace, &trace->parts[p]);
        all += work;
        if (p <= last) done += work;
    }
    cx->progress(cx->progress_ctx, all > 0 ? done / all : 1);
}

bool run_stopped(const CoreContext *cx, Err *err) {
    if (!cx->cancelled || !cx->cancelled(cx->cancel_ctx)) return false;
    err_set(err, ERR_CANCELLED, tr("Cancelled."));
    return true;
}

/* Row ops that run together. */
typedef struct {
    OpRun run[GROUP_MAX];
    int count;
    size_t rows, columns; /* of in0 */
    size_t first, block;  /* rows already done, rows of one block */
} RowGroup;

static size_t columns_of(const Tensor *tensor) { return (size_t)tensor->dim[tensor->rank - 1]; }

static void run_block(void *arg, int i) {
    const RowGroup *group = arg;
    size_t first = group->first + (size_t)i * group->block;
    size_t last = first + group->block < group->rows ? first + group->block : group->rows;
    for (int r = 0; r < group->count; r++) op_table[group->run[r].op->kind].rows(&group->run[r], first, last);
}

static bool run_group(const CoreContext *cx, RowGroup *group, Err *err) {
    size_t block = BLOCK_CELLS / group->columns;
    group->block = block ? block : 1;
    size_t slab = SLAB_CELLS / group->columns / group->block * group->block;
    if (slab < group->block) slab = group->block;
    for (group->first = 0; group->first < group->rows; group->first += slab) {
        if (run_stopped(cx, err)) return false;
        size_t rows = group->rows - group->first < slab ? group->rows - group->first : slab;
        int blocks = (int)((rows + group->block - 1) / group->block);
        op_loop(cx, (double)rows * (double)group->columns, false, blocks, run_block, group);
    }
    return true;
}

/* Is the tensor there already? Kept ones are, when their part is computed again. */
static bool is_there(const Trace *trace, const Part *part, int op) {
    return trace->ops[op].kind == OP_INPUT || (part->made && trace->kept[trace->ops[op].out]);
}

/* The row ops from `op` on that share their number of rows; returns the op behind them. */
static int collect(const Trace *trace, const Part *part, const CoreContext *cx, int op, RowGroup *group) {
    group->count = 0;
    for (; op < part->end_op && group->count < GROUP_MAX; op++) {
        const OpInfo *info = &op_table[trace->ops[op].kind];
        if (info->rule || is_there(trace, part, op)) continue;
        if (!info->rows) break;
        OpRun run = op_make_run(trace, cx, &trace->ops[op]);
        size_t columns = columns_of(run.in[0]), rows = tensor_count(run.in[0]) / columns;
        if (group->count && (rows != group->rows || columns != group->columns)) break;
        group->rows = rows;
        group->columns = columns;
        group->run[group->count++] = run;
    }
    return op;
}

bool op_run_one(const OpRun *run, Err *err) {
    const OpInfo *info = &op_table[run->op->kind];
    if (run_stopped(run->cx, err)) return false;
    if (info->rows) {
        size_t columns = columns_of(run->in[0]);
        RowGroup group = {.run = {*run}, .count = 1, .rows = tensor_count(run->in[0]) / columns, .columns = columns};
        if (!run_group(run->cx, &group, err)) return false;
    } else if (info->run) info->run(run);
    arena_reset(run->trace->scratch);
    return true;
}

static bool run_rules(const Trace *trace, const Part *part, const CoreContext *cx, Err *err) {
    for (int op = part->first_op; op < part->end_op; op++) {
        if (!op_table[trace->ops[op].kind].rule || is_there(trace, part, op)) continue;
        OpRun run = op_make_run(trace, cx, &trace->ops[op]);
        if (!op_run_one(&run, err)) return false;
    }
    return true;
}

static bool run_ops(const Trace *trace, const Part *part, const CoreContext *cx, Err *err) {
    for (int op = part->first_op; op < part->end_op;) {
        const OpInfo *info = &op_table[trace->ops[op].kind];
        if (is_there(trace, part, op) || info->rule) {
            op++;
        } else if (info->rows) {
            RowGroup group = {0};
            op = collect(trace, part, cx, op, &group);
            if (run_stopped(cx, err) || !run_group(cx, &group, err)) return false;
        } else {
            OpRun run = op_make_run(trace, cx, &trace->ops[op++]);
            if (!op_run_one(&run, err)) return false;
        }
    }
    return true;
}

/* Parts that this one reads from and that are not computed yet: lazy ones. They lie before it. */
static bool compute_operands(Trace *trace, int at, const CoreContext *cx, Err *err) {
    for (int op = trace->parts[at].first_op; op < trace->parts[at].end_op; op++)
        for (int i = 0; i < OP_INPUTS_MAX; i++) {
            TensorId in = trace->ops[op].in[i];
            if (in == TENSOR_NONE || trace_resident(trace, in)) continue;
            int from = trace->op_part[trace->tensors[in].op];
            if (from != at && !run_part(trace, from, cx, err)) return false;
        }
    return true;
}

bool run_part(Trace *trace, int at, const CoreContext *cx, Err *err) {
    if (!compute_operands(trace, at, cx, err)) return false;
    Part *part = &trace->parts[at];
    part->needed = ++trace->clock;
    if (!part_allocate(trace, part, err)) return false;
    if (!run_rules(trace, part, cx, err) || !run_ops(trace, part, cx, err) || !summaries_make(trace, at, cx, err)) {
        part_drop(trace, part);
        return false;
    }
    part->resident = part->made = true;
    return true;
}

bool run_begin(Trace *trace, Err *err) {
    assert(!trace->finished && !trace->stage_open);
    if (!trace->scratch) trace->scratch = arena_child(trace->arena);
    if (trace->n_parts > 1) arena_reserve(trace->arena, trace->kept_bytes + (size_t)trace->n_tensors * 64); /* else piece by piece */
    return trace->scratch || err_set(err, ERR_MEMORY, tr("Out of memory for the trace."));
}

bool trace_run(Trace *trace, const CoreContext *cx, Err *err) {
    if (!run_begin(trace, err)) return false;
    for (int p = 0; p < trace->n_parts; p++) {
        if (!trace->parts[p].lazy && !trace->parts[p].resident && !run_part(trace, p, cx, err)) return false;
        run_progress(trace, cx, p);
    }
    run_end(trace);
    return true;
}

void run_end(Trace *trace) {
    arena_free(trace->scratch);
    trace->finished = true;
}

bool trace_need(Trace *trace, TensorId id, const CoreContext *cx, Err *err) {
    assert(trace->finished);
    int at = trace->op_part[trace_tensor(trace, id)->op];
    trace->parts[at].needed = ++trace->clock;
    trace->parts[at].asked = true;
    bool ok = trace->parts[at].resident || run_part(trace, at, cx, err);
    arena_free(trace->scratch);
    return ok;
}
