/* Products with weights: project and linear. One implementation, for a linear map is a projection with one head. The weights
 * [n, k] are read where they lie; half-precision ones are widened panel by panel. */
#include "core/gemv.h"
#include "core/internal.h"
#include "core/stored.h"

enum {
    PLAIN_BLOCK = 64,      /* columns of a turn of the plain loops, and its rows */
    PLAIN_ROWS = 64,
    PRODUCT_BLOCK = 384,   /* columns of one plugged-in product */
    PANEL_FLOATS = 1 << 17,/* of widened weights: half of a second-level cache */
    PANEL_MIN = 16,
    SLOTS = 8,             /* turns at a time, each with its scratch */
    ROW_BLOCK = 256,       /* columns of a turn of one row */
};
/* Rows between which weights · aᵀ is faster than a · weightsᵀ when the weights are [out][in], as measured. */
enum { SWAP_FROM = 12, SWAP_TO = 128 };

typedef struct {
    const CoreContext *cx;
    int m, n, k;           /* rows; all columns; depth */
    int width;             /* columns of a head: column j of row i is c[j / width][i][j % width] */
    const float *a, *bias; /* [m][k], [n] or NULL */
    float *c;
    Stored w;
    int block;             /* columns of a turn, none of which crosses two groups */
    int span;              /* columns of a group of weights, or n */
    int per_span, turns;   /* turns of a group, of all */
    int slots;
    float *scratch;        /* a slot's: the panel, then [m][block] results */
    size_t panel_size, slot_size;
    double *sums;          /* [SLOTS][n] of one row */
} Projection;

static Projection make(const OpRun *run) {
    const Tensor *a = run->in[0], *w = run->in[1], *out = run->out;
    Projection p = {.cx = run->cx, .m = out->dim[out->rank - 2], .k = a->dim[1], .width = out->dim[out->rank - 1], .a = a->data,
                    .bias = run->in[2] ? run->in[2]->data : NULL, .c = run->data, .w = w->stored, .slots = 1};
    p.n = p.width * (out->rank == 3 ? out->dim[0] : 1);
    if (w->data) p.w = (Stored){.data = w->data, .as = STORED_F32, .row = p.k, .column = 1};
    p.span = p.w.group > 0 && p.w.group < p.n ? p.w.group : p.n;
    return p;
}

static void cut(Projection *p, int block) {
    p->block = block < p->span ? block : p->span;
    p->per_span = (p->span + p->block - 1) / p->block;
    p->turns = (p->n + p->span - 1) / p->span * p->per_span;
}

/* First column of a turn; *n = how many. */
static int columns_of(const Projection *p, int turn, int *n) {
    int in_span = turn % p->per_span * p->block, first = turn / p->per_span * p->span + in_span;
    *n = p->span - in_span < p->block ? p->span - in_span : p->block;
    if (*n > p->n - first) *n = p->n - first;
    return first;
}

static float *place(const Projection *p, int i, int j) {
    return p->c + (size_t)(j / p->width) * (size_t)p->m * (size_t)p->width + (size_t)i * (size_t)p->width + (size_t)(j % p->width);
}

static double work_of(const Projection *p) { return (double)p->m * p->n * p->k; }

/* ---- plain loops ---- */

static void plain_turn(void *arg, int at) {
    const Projection *p = arg;
    int turn = at % p->turns, i = at / p->turns * PLAIN_ROWS, m = p->m - i < PLAIN_ROWS ? p->m - i : PLAIN_ROWS, n, j = columns_of(p, turn, &n);
    for (int done = 0, part; done < n; done += part) { /* head by head */
        int left = p->width - (j + done) % p->width;
        part = n - done < left ? n - done : left;
        product_plain(m, part, p->k, p->a + (size_t)i * (size_t)p->k, p->k, &p->w, j + done, p->bias ? p->bias + j + done : NULL,
                      place(p, i, j + done), p->width);
    }
}

static void run_plain(Projection *p) {
    cut(p, PLAIN_BLOCK);
    op_loop(p->cx, work_of(p), false, p->turns * ((p->m + PLAIN_ROWS - 1) / PLAIN_ROWS), plain_turn, p);
}

/* ---- one row ---- */

static void store_sums(const Projection *p, int first, int n, const double *sum) {
    for (int j = 0; j < n; j++) p->c[first + j] = (float)(p->bias ? sum[j] + (double)p->bias[first + j] : sum[j]);
}

static void row_turn(void *arg, int turn) {
    const Projection *p = arg;
    double sum[ROW_BLOCK] = {0};
    int n, first = columns_of(p, turn, &n);
    gemv_add(&p->w, first, n, 0, p->k, p->a, sum);
    store_sums(p, first, n, sum);
}

/* A slice of k, for all columns: so the matrix is read in one go where its columns lie one after the other. */
static void slice_turn(void *arg, int slice) {
    const Projection *p = arg;
    int depth = (p->k + SLOTS - 1) / SLOTS, k0 = slice * depth, k1 = k0 + depth < p->k ? k0 + depth : p->k;
    double *sum = p->sums + (size_t)slice * (size_t)p->n;
    for (int j = 0; j < p->n; j++) sum[j] = 0.0;
    for (int j = 0; k0 < k1 && j < p->n; j += p->span) gemv_add(&p->w, j, p->span < p->n - j ? p->span : p->n - j, k0, k1, p->a, sum + j);
}

static void run_row(Projection *p, Arena *scratch) {
    if (p->w.column != 1) p->sums = arena_try_raw(scratch, (size_t)SLOTS * (size_t)p->n, sizeof *p->sums);
    if (!p->sums) {
        cut(p, ROW_BLOCK);
        op_loop(p->cx, work_of(p), false, p->turns, row_turn, p);
        return;
    }
    op_loop(p->cx, work_of(p), false, SLOTS, slice_turn, p);
    for (int slice = 1; slice < SLOTS; slice++)
        for (int j = 0; j < p->n; j++) p->sums[j] += p->sums[(size_t)slice * (size_t)p->n + (size_t)j];
    store_sums(p, 0, p->n, p->sums);
}

/* ---- the plugged-in product ---- */

/* The weights of some columns as the product wants them. */
typedef struct {
    const float *data;
    bool by_rows; /* [columns][k], else [k][columns] */
    int step;
} Panel;

static Panel make_panel(const Projection *p, int first, int n, float *room) {
    if (p->w.as == STORED_F32 && p->w.column == 1) return (Panel){stored_at(&p->w, first, 0), true, (int)p->w.row};
    if (p->w.as == STORED_F32 && p->w.row == 1) return (Panel){stored_at(&p->w, first, 0), false, (int)p->w.column};
    if (p->w.row == 1) {
        for (int k = 0; k < p->k; k++) stored_widen(p->w.as, stored_at(&p->w, first, k), (size_t)n, room + (size_t)k * (size_t)n);
        return (Panel){room, false, n};
    }
    for (int j = 0; j < n; j++) stored_row(&p->w, first + j, 0, p->k, room + (size_t)j * (size_t)p->k);
    return (Panel){room, true, p->k};
}

/* Results [m][n] (or, turned, [n][m]) to their heads, with the bias. */
static void distribute(const Projection *p, int first, int n, const float *from, bool turned) {
    size_t down = turned ? 1 : (size_t)n, across = turned ? (size_t)p->m : 1;
    for (int done = 0, part; done < n; done += part) { /* head by head */
        int left = p->width - (first + done) % p->width;
        part = n - done < left ? n - done : left;
        const float *bias = p->bias ? p->bias + first + done : NULL;
        for (int i = 0; i < p->m; i++) {
            float *to = place(p, i, first + done);
            const float *at = from + (size_t)i * down + (size_t)done * across;
            for (int j = 0; j < part; j++) to[j] = at[(size_t)j * across] + (bias ? bias[j] : 0.0F);
        }
    }
}

static void add_bias(const Projection *p, int first, int n, float *c) {
    for (int i = 0; p->bias && i < p->m; i++)
        for (int j = 0; j < n; j++) c[(size_t)i * (size_t)p->width + (size_t)j] += p->bias[first + j];
}

static void product_turn(const Projection *p, int turn, float *room) {
    int n, first = columns_of(p, turn, &n);
    Panel panel = make_panel(p, first, n, room);
    float *results = room + p->panel_size, *c = place(p, 0, first);
    void *ctx = p->cx->product_ctx;
    if (panel.by_rows && p->m >= SWAP_FROM && p->m <= SWAP_TO) {
        p->cx->product(ctx, true, n, p->m, p->k, panel.data, panel.step, p->a, p->k, results, p->m);
        distribute(p, first, n, results, true);
    } else if (first / p->width == (first + n - 1) / p->width) { /* within one head */
        p->cx->product(ctx, panel.by_rows, p->m, n, p->k, p->a, p->k, panel.data, panel.step, c, p->width);
        add_bias(p, first, n, c);
    } else {
        p->cx->product(ctx, panel.by_rows, p->m, n, p->k, p->a, p->k, panel.data, panel.step, results, n);
        distribute(p, first, n, results, false);
    }
}

static void slot_turn(void *arg, int slot) {
    const Projection *p = arg;
    for (int turn = slot; turn < p->turns; turn += p->slots) product_turn(p, turn, p->scratch + (size_t)slot * p->slot_size);
}

static bool run_product(Projection *p, Arena *scratch) {
    bool dense = p->w.as == STORED_F32 && gemv_can(&p->w), alone = !p->cx->product_one_thread;
    int fits = PANEL_FLOATS / p->k > PANEL_MIN ? PANEL_FLOATS / p->k : PANEL_MIN;
    cut(p, !dense && fits < PRODUCT_BLOCK ? fits : dense && alone ? p->n : PRODUCT_BLOCK);
    p->slots = alone ? 1 : p->turns < SLOTS ? p->turns : SLOTS;
    p->panel_size = dense ? 0 : (size_t)p->block * (size_t)p->k;
    p->slot_size = p->panel_size + (size_t)p->block * (size_t)p->m;
    p->scratch = arena_try_raw(scratch, (size_t)p->slots * p->slot_size, sizeof *p->scratch);
    if (!p->scratch) return false;
    op_loop(p->cx, work_of(p), true, p->slots, slot_turn, p);
    return true;
}

void op_run_project(const OpRun *run) {
    Projection p = make(run);
    if (p.m == 1 && gemv_can(&p.w) && (double)p.n * p.k >= GEMV_FROM) run_row(&p, run->trace->scratch);
    else if (!product_is_large(run->cx, p.m, p.n, p.k) || !run_product(&p, run->trace->scratch)) run_plain(&p);
}
