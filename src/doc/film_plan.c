#include <assert.h>
#include <math.h>

#include "doc/film.h"

enum { FIRST_ROW_GROUPS = 16, SIDE_ROW_GROUPS = 12, SOFTMAX_PHASES = 3 };

static int min_int(int a, int b) {
    return a < b ? a : b;
}

/* n items in g groups: group k holds [group_start(k), group_start(k + 1)). */
static int group_start(int k, int n, int g) {
    return (int)((long long)k * n / g);
}

static int group_of(int i, int n, int g) {
    return (int)((((long long)i + 1) * g - 1) / n);
}

/* Of a list, such as the mean of each row, each number is a row. */
static void phase_shape(const Trace *trace, TensorId id, int *rows, int *cols) {
    const Tensor *t = trace_tensor(trace, id);
    *cols = t->rank > 1 ? t->dim[t->rank - 1] : 1;
    *rows = t->rank > 1 ? t->dim[t->rank - 2] : t->dim[0];
}

static int phase_steps(const FilmPhase *phase) {
    return phase->all_cells ? phase->n_rows * phase->n_cols : phase->cell_groups + phase->row_groups;
}

/* The general rule with `budget` steps. */
static void cut_cells(FilmPhase *phase, int budget) {
    long long cells = (long long)phase->n_rows * phase->n_cols;
    if (cells <= budget) {
        phase->all_cells = true;
        return;
    }
    int rest = phase->n_rows - 1;
    phase->cell_groups = min_int(min_int(phase->n_cols, FIRST_ROW_GROUPS), budget - (rest > 0));
    phase->row_groups = min_int(rest, budget - phase->cell_groups);
}

static void cut_rows(FilmPhase *phase, int budget) {
    phase->row_groups = min_int(phase->n_rows, budget);
}

static FilmPhase *add_phase(FilmPlan *plan, const Trace *trace, TensorId id) {
    assert(plan->n_phases < FILM_PHASES_MAX);
    FilmPhase *phase = &plan->phase[plan->n_phases++];
    phase->tensor = id;
    phase_shape(trace, id, &phase->n_rows, &phase->n_cols);
    return phase;
}

static bool is_project_phase(OpKind kind) {
    return kind == OP_PROJECT || kind == OP_HEADS || kind == OP_ROPE;
}

static void plan_project(FilmPlan *plan, const Trace *trace, const Stage *stage) {
    for (int i = 0; i < stage->n_ops; i++) {
        const Op *op = trace_op(trace, stage->first_op + i);
        if (is_project_phase(op->kind) && plan->n_phases < FILM_PHASES_MAX) add_phase(plan, trace, op->out);
    }
    int budget = FILM_STEPS_MAX;
    for (int i = 1; i < plan->n_phases; i++) {
        cut_rows(&plan->phase[i], SIDE_ROW_GROUPS);
        budget -= phase_steps(&plan->phase[i]);
    }
    if (plan->n_phases) cut_cells(&plan->phase[0], budget);
}

static void plan_softmax(FilmPlan *plan, const Trace *trace, const Stage *stage) {
    TensorId id[SOFTMAX_PHASES] = {TENSOR_NONE, TENSOR_NONE, TENSOR_NONE};
    for (int i = 0; i < stage->n_ops; i++) {
        const Op *op = trace_op(trace, stage->first_op + i);
        if (op->kind == OP_ROW_MAX) id[0] = op->out;
        if (op->kind == OP_EXP) id[1] = op->out;
        if (op->kind == OP_DIVIDE) id[2] = op->out;
    }
    if (id[0] < 0 || id[1] < 0 || id[2] < 0) return;
    plan->by_turns = true;
    for (int i = 0; i < SOFTMAX_PHASES; i++) cut_rows(add_phase(plan, trace, id[i]), FILM_STEPS_MAX / SOFTMAX_PHASES);
    FilmPhase *max = &plan->phase[0]; /* [H, L]: its rows are those of exp, its step shows the whole row */
    max->n_rows = plan->phase[1].n_rows;
    max->n_cols = plan->phase[1].n_cols;
    max->row_groups = plan->phase[1].row_groups;
}

static void plan_result(FilmPlan *plan, const Trace *trace, const Stage *stage) {
    if (stage->result == TENSOR_NONE) return;
    int at = trace_tensor(trace, stage->result)->op;
    if (at < stage->first_op || at >= stage->first_op + stage->n_ops) return;
    const Op *op = trace_op(trace, at);
    if (op->kind < OP_ROWS) return; /* given, or a rule: there is nothing to compute */
    FilmPhase *phase = add_phase(plan, trace, stage->result);
    if (op->kind == OP_CONCAT) {
        int heads = trace_tensor(trace, op->in[0])->dim[0];
        plan->by_head = true;
        phase->n_rows = heads;
        phase->n_cols /= heads;
        cut_rows(phase, FILM_STEPS_MAX);
    } else if (op->kind == OP_COPY) {
        cut_rows(phase, 1);
    } else {
        cut_cells(phase, FILM_STEPS_MAX);
    }
}

/* A station around attention: everything it computes, row by row; a single sum as any result. */
static void plan_rows(FilmPlan *plan, const Trace *trace, const Stage *stage) {
    bool same = true;
    for (int i = 0; i < stage->n_ops && plan->n_phases < FILM_PHASES_MAX; i++) {
        const Op *op = trace_op(trace, stage->first_op + i);
        if (op->kind < OP_ROWS || op->kind == OP_ROW_SUM || op->kind == OP_PICK) continue; /* given, or no work of its own */
        FilmPhase *phase = add_phase(plan, trace, op->out);
        same = same && phase->n_rows == plan->phase[0].n_rows;
    }
    if (plan->n_phases == 0) return;
    plan->by_turns = same && plan->n_phases > 1;
    for (int i = 0; i < plan->n_phases; i++) {
        FilmPhase *phase = &plan->phase[i];
        if (plan->n_phases == 1 && phase->n_cols <= ROW_CELLS_MAX) cut_cells(phase, FILM_STEPS_MAX);
        else cut_rows(phase, FILM_STEPS_MAX / plan->n_phases);
    }
}

FilmPlan film_plan(const Trace *trace, int stage) {
    FilmPlan plan = {.stage = stage};
    const Stage *s = trace_stage(trace, stage);
    if (s->n_ops == 0) plan.n_phases = 0;
    else if (s->kind == STAGE_PROJECT) plan_project(&plan, trace, s);
    else if (s->kind == STAGE_SOFTMAX) plan_softmax(&plan, trace, s);
    else if (s->kind >= STAGE_ATTENTION_COUNT) plan_rows(&plan, trace, s);
    else plan_result(&plan, trace, s);
    for (int i = 0; i < plan.n_phases; i++) {
        plan.phase[i].first_step = plan.by_turns ? i : plan.n_steps;
        plan.n_steps += phase_steps(&plan.phase[i]);
    }
    if (plan.n_steps == 0) plan.n_steps = 1;
    assert(plan.n_steps <= FILM_STEPS_MAX);
    return plan;
}

int film_steps(const Trace *trace, int stage) {
    return film_plan(trace, stage).n_steps;
}

/* Seconds of step i of n: the first is slow, three are faster, the others share what is left of 4 to 8 s. */
static double step_seconds(int i, int n) {
    const double first_time = 1.2, next_time = 0.6;
    const int next = 4;
    double total = n <= 16 ? 4 : 4 + 4 * (n - 16) / 48.0;
    double first = fmax(first_time, total / n);
    if (i == 0 || n == 1) return first;
    double faster = fmin(first, fmax(next_time, (total - first) / (n - 1)));
    if (i < next || n <= next) return n <= next ? (total - first) / (n - 1) : faster;
    return (total - first - (next - 1) * faster) / (n - next);
}

static void step_rows(FilmStep *step, const FilmPhase *phase, int group) {
    int skip = phase->cell_groups > 0; /* the first row went by cell */
    step->row0 = skip + group_start(group, phase->n_rows - skip, phase->row_groups);
    step->row1 = skip + group_start(group + 1, phase->n_rows - skip, phase->row_groups);
    step->col0 = 0;
    step->col1 = phase->n_cols;
}

static void step_cells(FilmStep *step, const FilmPhase *phase, int at) {
    step->by_cell = true;
    if (phase->all_cells) {
        step->row0 = at / phase->n_cols;
        step->col0 = at % phase->n_cols;
        step->col1 = step->col0 + 1;
    } else {
        step->row0 = 0;
        step->col0 = group_start(at, phase->n_cols, phase->cell_groups);
        step->col1 = group_start(at + 1, phase->n_cols, phase->cell_groups);
    }
    step->row1 = step->row0 + 1;
}

static FilmStep plan_step(const FilmPlan *plan, int step) {
    FilmStep out = {.tensor = TENSOR_NONE, .n_phases = 1, .seconds = 1.2};
    if (plan->n_phases == 0) return out;
    assert(step >= 0 && step < plan->n_steps);
    int phase = 0, at = step;
    if (plan->by_turns) {
        phase = step % plan->n_phases;
        at = step / plan->n_phases;
    } else {
        while (at >= phase_steps(&plan->phase[phase])) at -= phase_steps(&plan->phase[phase++]);
    }
    const FilmPhase *p = &plan->phase[phase];
    out = (FilmStep){.tensor = p->tensor, .phase = phase, .n_phases = plan->n_phases, .n_rows = p->n_rows,
                     .n_cols = p->n_cols, .seconds = step_seconds(step, plan->n_steps)};
    if (p->all_cells || at < p->cell_groups) step_cells(&out, p, at);
    else step_rows(&out, p, at - p->cell_groups);
    return out;
}

FilmStep film_step(const Trace *trace, int stage, int step) {
    FilmPlan plan = film_plan(trace, stage);
    return plan_step(&plan, step);
}

/* The step that fills (row, col) of a phase. */
static int phase_step_of(const FilmPlan *plan, int index, int row, int col) {
    const FilmPhase *p = &plan->phase[index];
    if (plan->by_turns) return group_of(row, p->n_rows, p->row_groups) * plan->n_phases + index;
    if (p->all_cells) return p->first_step + row * p->n_cols + col;
    int skip = p->cell_groups > 0;
    if (skip && row == 0) return p->first_step + group_of(col, p->n_cols, p->cell_groups);
    return p->first_step + p->cell_groups + group_of(row - skip, p->n_rows - skip, p->row_groups);
}

static double step_progress(double position, int step) {
    return position <= step ? 0 : position >= step + 1 ? 1 : position - step;
}

/* film_progress for a tensor of this plan's stage. */
static double plan_progress(const FilmPlan *plan, const Trace *trace, const Film *film, TensorId tensor, int row, int col) {
    for (int i = 0; i < plan->n_phases; i++) {
        const FilmPhase *p = &plan->phase[i];
        if (p->tensor != tensor) continue;
        if (plan->by_head) {
            row = col / p->n_cols;
            col = 0;
        } else if (trace_tensor(trace, tensor)->rank == 1) { /* a list is drawn as a row or as a column */
            row += col;
            col = 0;
        }
        assert(row >= 0 && row < p->n_rows && col >= 0 && col < p->n_cols);
        return step_progress(film->position, phase_step_of(plan, i, row, col));
    }
    /* The sum of a row runs with its exponentials; rules and other operands lie ready when the stage begins. */
    const Op *op = trace_op(trace, trace_tensor(trace, tensor)->op);
    for (int i = 0; op->kind == OP_ROW_SUM && i < plan->n_phases; i++)
        if (plan->phase[i].tensor == op->in[0]) return step_progress(film->position, phase_step_of(plan, i, row, 0));
    return 1;
}

double film_progress(const Trace *trace, const Film *film, TensorId tensor, int row, int col) {
    int stage = trace_stage_of(trace, tensor);
    if (stage < film->stage) return 1;
    if (stage > film->stage) return 0;
    FilmPlan plan = film_plan(trace, stage);
    return plan_progress(&plan, trace, film, tensor, row, col);
}

int film_current(const Film *film, const Trace *trace) {
    int last = film_steps(trace, film->stage) - 1, at = (int)floor(film->position);
    if (film->position == at && film->until <= film->position) at -= 1; /* at rest */
    return at > last ? last : at;
}
