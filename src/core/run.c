/* Computing a trace: memory for every tensor, the rules first (they read parameters only), then the
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

static OpRun make_run(const Trace *trace, const CoreContext *cx, const Op *op) {
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

static bool stopped(const CoreContext *cx, Err *err) {
    if (!cx->cancelled || !cx->cancelled(cx->cancel_ctx)) return false;
    err_set(err, ERR_CANCELLED, tr("Cancelled."));
    return true;
}

static bool allocate(Trace *trace, Err *err) {
    for (int t = 0; t < trace->n_tensors; t++) {
        Tensor *tensor = &trace->tensors[t];
        if (tensor->data) continue;
        size_t size = tensor->dtype == DTYPE_F64 ? sizeof(double) : sizeof(float);
        trace->data[t] = arena_try_raw(trace->arena, tensor_count(tensor), size);
        if (!trace->data[t])
            return err_set(err, ERR_MEMORY, tr("Out of memory: the trace needs %zu MiB."), (trace->bytes >> 20) + 1);
        tensor->data = trace->data[t];
    }
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
        if (stopped(cx, err)) return false;
        size_t rows = group->rows - group->first < slab ? group->rows - group->first : slab;
        int blocks = (int)((rows + group->block - 1) / group->block);
        op_loop(cx, (double)rows * (double)group->columns, false, blocks, run_block, group);
    }
    return true;
}

/* The row ops from `op` on that share their number of rows; returns the op behind them. */
static int collect(const Trace *trace, const CoreContext *cx, int op, RowGroup *group) {
    group->count = 0;
    for (; op < trace->n_ops && group->count < GROUP_MAX; op++) {
        const OpInfo *info = &op_table[trace->ops[op].kind];
        if (info->rule || trace->ops[op].kind == OP_INPUT) continue;
        if (!info->rows) break;
        OpRun run = make_run(trace, cx, &trace->ops[op]);
        size_t columns = columns_of(run.in[0]), rows = tensor_count(run.in[0]) / columns;
        if (group->count && (rows != group->rows || columns != group->columns)) break;
        group->rows = rows;
        group->columns = columns;
        group->run[group->count++] = run;
    }
    return op;
}

static bool run_rules(const Trace *trace, const CoreContext *cx, Err *err) {
    for (int op = 0; op < trace->n_ops; op++) {
        if (!op_table[trace->ops[op].kind].rule) continue;
        if (stopped(cx, err)) return false;
        OpRun run = make_run(trace, cx, &trace->ops[op]);
        op_table[trace->ops[op].kind].run(&run);
    }
    return true;
}

bool trace_run(Trace *trace, const CoreContext *cx, Err *err) {
    assert(!trace->finished && !trace->stage_open);
    if (!allocate(trace, err) || !run_rules(trace, cx, err)) return false;
    for (int op = 0; op < trace->n_ops;) {
        const OpInfo *info = &op_table[trace->ops[op].kind];
        if (stopped(cx, err)) return false;
        if (info->rows) {
            RowGroup group = {0};
            op = collect(trace, cx, op, &group);
            if (!run_group(cx, &group, err)) return false;
            continue;
        }
        if (info->run && !info->rule) {
            OpRun run = make_run(trace, cx, &trace->ops[op]);
            info->run(&run);
        }
        op++;
    }
    trace->finished = true;
    return true;
}
