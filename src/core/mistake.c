/* Comparing, and computing again with each mistake of the table. */
#include "core/mistake.h"

#include <math.h>
#include <string.h>

#include "core/internal.h"
#include "core/mistake_parts.h"

/* ---- comparing ---- */

static double distance(double a, double b) {
    if (isnan(a) || isnan(b)) return isnan(a) && isnan(b) ? 0 : (double)INFINITY;
    if (isinf(a) || isinf(b)) return a == b ? 0 : (double)INFINITY;
    return fabs(a - b);
}

static bool same_shape(const Tensor *tensor, const TensorInput *numbers) {
    return tensor->rank == numbers->rank && memcmp(tensor->dim, numbers->dim, (size_t)tensor->rank * sizeof *tensor->dim) == 0;
}

static void place_of(const Tensor *tensor, size_t offset, int index[TENSOR_RANK_MAX]) {
    for (int d = TENSOR_RANK_MAX - 1; d >= 0; d--) {
        size_t size = d < tensor->rank ? (size_t)tensor->dim[d] : 1;
        index[d] = (int)(offset % size);
        offset /= size;
    }
}

Difference mistake_difference(const Tensor *right, const TensorInput *theirs, double tolerance) {
    Difference d = {0};
    if (!same_shape(right, theirs)) return (Difference){.differs = true, .shape = true, .largest = INFINITY};
    bool masked = strcmp(right->name, "masked") == 0;
    size_t count = tensor_count(right);
    for (size_t i = 0; i < count; i++) {
        double a = (double)theirs->data[i], b = tensor_flat(right, i), far = distance(a, b);
        if (!(far > tolerance) || (masked && a <= MISTAKE_HIDDEN && b <= MISTAKE_HIDDEN)) {
            if (far <= tolerance) d.largest = fmax(d.largest, far);
            continue;
        }
        if (d.count++ == 0) {
            place_of(right, i, d.first);
            d.theirs = a;
            d.right = b;
        }
        d.largest = fmax(d.largest, far);
    }
    d.differs = d.count > 0;
    return d;
}

/* ---- computing again ---- */

/* The part of a tensor's id before its name: "layers.3", or "". */
static char *scope_of(const Tensor *tensor, Arena *arena) {
    size_t length = (size_t)(tensor->name - tensor->id);
    return arena_strndup(arena, tensor->id, length > 0 ? length - 1 : 0);
}

static TensorId add_step(Rewrite *w, const Tensor *tensor, const Step *step) {
    const char *scope = scope_of(tensor, w->arena);
    if (!step->data && step->op.kind != OP_INPUT)
        return trace_add(w->made, &step->op, scope, tensor->name, tensor->dtype, step->rank, step->dim, w->err);
    TensorInput input = {.name = tensor->name, .rank = step->rank, .data = step->data};
    memcpy(input.dim, step->dim, sizeof input.dim);
    if (!input.data) {
        input.data = tensor->data;
        input.stored = tensor->stored;
    }
    return trace_add_input(w->made, scope, &input, w->err);
}

static bool rewrite(Rewrite *w, Mistake mistake, int n_ops) {
    for (int n = 0; n < n_ops; n++) {
        const Op *was = trace_op(w->right, n);
        const Tensor *tensor = trace_tensor(w->right, was->out);
        Step step = {.op = *was, .rank = tensor->rank};
        memcpy(step.dim, tensor->dim, sizeof step.dim);
        for (int i = 0; i < OP_INPUTS_MAX; i++)
            if (was->in[i] != TENSOR_NONE) step.op.in[i] = w->map[was->in[i]];
        mistake_table[mistake].change(w, was, &step);
        if ((w->map[was->out] = add_step(w, tensor, &step)) == TENSOR_NONE) return false;
    }
    return true;
}

/* Ops up to the last one that somebody has numbers for. */
static int ops_needed(const Trace *right, const Theirs *theirs, int n) {
    int last = -1;
    for (int i = 0; i < n; i++) {
        int op = trace_tensor(right, theirs[i].id)->op;
        last = op > last ? op : last;
    }
    return last + 1;
}

/* One mistake, made in one way. */
typedef struct {
    Mistake mistake;
    int variant;
    int reach;   /* so many of theirs agree from the first that differed on, without a gap; 0: it does not explain it */
    Arena *arena;
    Trace *made;
    TensorId *map;
} Attempt;

/* What stops everything: not a mistake that does not fit these shapes. */
static bool is_grave(const Err *err) { return err->code == ERR_CANCELLED || err->code == ERR_MEMORY; }

static bool agrees(const Attempt *a, const Theirs *theirs) {
    return !mistake_difference(trace_tensor(a->made, a->map[theirs->id]), &theirs->numbers, theirs->tolerance).differs;
}

/* An attempt that changes nothing or cannot be computed reaches nothing. */
static bool attempt(const Trace *right, const Theirs *theirs, int n, int first, const CoreContext *cx, Attempt *a, Err *err) {
    Err own = {0};
    Rewrite w = {.right = right, .made = trace_new(a->arena), .arena = a->arena, .variant = a->variant, .err = &own};
    w.map = ARENA_ARRAY(a->arena, TensorId, (size_t)trace_tensor_count(right) + 1);
    a->made = w.made;
    a->map = w.map;
    bool ok = rewrite(&w, a->mistake, ops_needed(right, theirs, n));
    if (ok && w.touched && (ok = trace_run(w.made, cx, &own)))
        while (first + a->reach < n && agrees(a, &theirs[first + a->reach])) a->reach++;
    if (ok || !is_grave(&own)) return true;
    *err = own;
    return false;
}

/* Of all mistakes in all ways the one that explains most; equally good others beside it. */
static bool find_cause(const Trace *right, const Theirs *theirs, int n, int first, const CoreContext *cx, Arena *arena, Finding *f,
                       Attempt *best, Err *err) {
    *best = (Attempt){0};
    for (int m = 0; m < MISTAKE_COUNT; m++)
        for (int v = 0; v < mistake_table[m].variants; v++) {
            Attempt a = {.mistake = (Mistake)m, .variant = v, .arena = arena_child(arena)};
            if (!a.arena) return err_set(err, ERR_MEMORY, "out of memory");
            if (!attempt(right, theirs, n, first, cx, &a, err)) return false;
            bool better = a.reach > best->reach;
            if (better) f->n_causes = 0;
            if (a.reach > 0 && a.reach >= best->reach && (f->n_causes == 0 || f->cause[f->n_causes - 1] != a.mistake)) f->cause[f->n_causes++] = a.mistake;
            if (better && best->arena) arena_free(best->arena);
            if (better) *best = a;
            else arena_free(a.arena);
        }
    return true;
}

/* The first that differs from `from` on, or -1. */
static int first_difference(const Trace *right, const Theirs *theirs, int n, int from, Difference *difference) {
    for (int i = from; i < n; i++) {
        *difference = mistake_difference(trace_tensor(right, theirs[i].id), &theirs[i].numbers, theirs[i].tolerance);
        if (difference->differs) return i;
    }
    return -1;
}

bool mistakes_find(const Trace *right, const Theirs *given, int n_theirs, const CoreContext *cx, Arena *arena,
                   Finding findings[MISTAKE_FINDINGS_MAX], int *n, Err *err) {
    Theirs *theirs = ARENA_ARRAY(arena, Theirs, (size_t)n_theirs + 1);
    int from = 0;
    memcpy(theirs, given, (size_t)n_theirs * sizeof *theirs);
    for (*n = 0; *n < MISTAKE_FINDINGS_MAX; ++*n) {
        Finding *f = &findings[*n];
        Attempt best;
        *f = (Finding){.next = -1};
        f->at = first_difference(right, theirs, n_theirs, from, &f->difference);
        if (f->at < 0) return true;
        if (!find_cause(right, theirs, n_theirs, f->at, cx, arena, f, &best, err)) return false;
        if (f->n_causes == 0) {
            ++*n;
            return true;
        }
        right = best.made;
        for (int i = 0; i < n_theirs; i++) theirs[i].id = best.map[theirs[i].id];
        from = f->at + best.reach;
        Difference ignored;
        f->next = first_difference(right, theirs, n_theirs, from, &ignored);
    }
    return true;
}

/* ---- weights alone ---- */

/* Sum of n numbers `step` apart. */
static double sum_along(const Tensor *t, size_t at, int n, size_t step) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += tensor_flat(t, at + (size_t)i * step);
    return sum;
}

/* Do all lines along axis 0 (heads), 1 (queries) or 2 (keys) sum to 1? */
static bool sums_to_one(const Tensor *t, int axis, double tolerance) {
    size_t step[3] = {(size_t)t->dim[1] * (size_t)t->dim[2], (size_t)t->dim[2], 1};
    int u = axis == 0 ? 1 : 0, v = axis == 2 ? 1 : 2;
    for (int i = 0; i < t->dim[u]; i++)
        for (int j = 0; j < t->dim[v]; j++)
            if (!(fabs(sum_along(t, (size_t)i * step[u] + (size_t)j * step[v], t->dim[axis], step[axis]) - 1) <= tolerance)) return false;
    return true;
}

static void blame(WeightsCheck *c, Mistake cause) {
    c->n_causes = 1;
    c->cause = cause;
}

/* Rows below 1 that have zeros: they were taken out behind the softmax. */
static bool has_holes(const Tensor *t) {
    size_t rows = tensor_count(t) / (size_t)t->dim[2];
    for (size_t r = 0; r < rows; r++) {
        double sum = sum_along(t, r * (size_t)t->dim[2], t->dim[2], 1);
        bool zero = false;
        for (int j = 0; j < t->dim[2]; j++) zero |= fpclassify(tensor_flat(t, r * (size_t)t->dim[2] + (size_t)j)) == FP_ZERO;
        if (sum > 1 + 1e-4 || (!zero && fabs(sum - 1) > 1e-4)) return false;
    }
    return true;
}

static bool check_sums(const Tensor *t, double tolerance, WeightsCheck *c) {
    for (int h = 0; h < t->dim[0]; h++)
        for (int i = 0; i < t->dim[1]; i++) {
            double sum = sum_along(t, ((size_t)h * (size_t)t->dim[1] + (size_t)i) * (size_t)t->dim[2], t->dim[2], 1);
            if (fabs(sum - 1) <= tolerance) continue;
            *c = (WeightsCheck){.fault = WEIGHTS_ROW_SUM, .index = {h, i, 0}, .value = sum};
            if (sums_to_one(t, 1, tolerance)) blame(c, MISTAKE_SOFTMAX_QUERIES);
            else if (t->dim[0] > 1 && sums_to_one(t, 0, tolerance)) blame(c, MISTAKE_SOFTMAX_HEADS);
            else if (has_holes(t)) blame(c, MISTAKE_MASK_AFTER_SOFTMAX);
            return false;
        }
    return true;
}

static bool check_hidden(const Tensor *t, const float *mask, int mask_rank, double tolerance, WeightsCheck *c) {
    size_t map = (size_t)t->dim[1] * (size_t)t->dim[2], count = tensor_count(t);
    double kept = 0;
    for (size_t n = 0; n < count; n++) {
        double weight = tensor_flat(t, n);
        if (mask[mask_rank == 3 ? n : n % map] != 0) {
            kept = fmax(kept, weight);
            continue;
        }
        if (!(weight > tolerance) || c->fault != WEIGHTS_FINE) continue;
        *c = (WeightsCheck){.fault = WEIGHTS_READ_HIDDEN, .value = weight};
        c->index[0] = (int)(n / map);
        c->index[1] = (int)(n % map) / t->dim[2];
        c->index[2] = (int)(n % map) % t->dim[2];
    }
    if (c->fault == WEIGHTS_FINE) return true;
    blame(c, kept <= tolerance ? MISTAKE_MASK_INVERTED : MISTAKE_MASK_MISSING);
    return false;
}

WeightsCheck mistake_weights(const Tensor *weights, const float *mask, int mask_rank, double tolerance) {
    WeightsCheck c = {0};
    if (check_sums(weights, tolerance, &c) && mask) check_hidden(weights, mask, mask_rank, tolerance, &c);
    return c;
}
