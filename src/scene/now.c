#include "scene/now.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const Stage *scene_stage(const Scene *scene) { return trace_stage(scene->run->trace, scene->view->film.stage); }

const Site *scene_site(const Scene *scene) { return run_site(scene->run, scene->view->film.stage); }

bool scene_in_network(const Run *run) { return run->network || run->n_sites > 1; }

int scene_tensor_head(const Run *run, TensorId tensor, int head) {
    const Tensor *t = trace_tensor(run->trace, tensor);
    int n_heads = run_site_of(run, tensor)->spec.n_heads, heads = n_heads > 0 ? n_heads : 1;
    if (t->rank < 3 || t->dim[0] <= 0) return 0;
    return t->dim[0] >= heads ? head : head / (heads / t->dim[0]);
}

void scene_index(const Run *run, TensorId tensor, int head, int row, int col, int index[TENSOR_RANK_MAX]) {
    const Tensor *t = trace_tensor(run->trace, tensor);
    memset(index, 0, sizeof(int) * TENSOR_RANK_MAX);
    if (t->rank >= 3) {
        index[0] = scene_tensor_head(run, tensor, head);
        index[1] = row;
        index[2] = col;
    } else if (t->rank == 2) {
        index[0] = row;
        index[1] = col;
    } else {
        index[0] = row + col; /* a list: a number for each row, or for each column */
    }
}

/* Concat steps by head: its element is the first of the head's columns, in the first row. */
static void concat_now(const Scene *scene, Now *now) {
    int head = now->step.row0;
    now->row = 0;
    now->col = head * scene_site(scene)->spec.d_v;
}

Now scene_now(const Scene *scene) {
    const Trace *trace = scene->run->trace;
    const Film *film = &scene->view->film;
    int current = film_current(film, trace);
    Now now = {.number = current < 0 ? 0 : current, .started = current >= 0};
    double fraction = fmin(1, fmax(0, film->position - now.number));
    now.step = film_step(trace, film->stage, now.number);
    now.work = now.step.tensor != TENSOR_NONE;
    if (!now.work) return now;
    int rows = now.step.row1 - now.step.row0, cols = now.step.col1 - now.step.col0;
    double count = fmax(1, (double)rows * cols);
    double at = fmin(floor(fraction * count), count - 1);
    now.row = now.step.row0 + (int)(at / fmax(1, cols));
    now.col = now.step.col0 + (int)fmod(at, fmax(1, cols));
    now.phase = fmin(1, fraction * count - at);
    if (scene_stage(scene)->kind == STAGE_CONCAT) concat_now(scene, &now);
    scene_index(scene->run, now.step.tensor, scene->view->head, now.row, now.col, now.index);
    return now;
}

TensorId scene_find(const Scene *scene, const char *name) {
    const char *scope = scene_stage(scene)->scope;
    if (!scope || !scope[0]) return trace_find(scene->run->trace, name);
    return trace_find(scene->run->trace, arena_printf(scene->arena, "%s.%s", scope, name));
}

/* By name, where it may be given instead of made; "": what the stage makes. */
static const char *const stage_tensors[] = {
    [STAGE_EMBED] = "x",     [STAGE_PROJECT] = "q",       [STAGE_SCORES] = "scores",         [STAGE_SCALE] = "scaled",
    [STAGE_MASK] = "masked", [STAGE_SOFTMAX] = "weights", [STAGE_WEIGHTED_SUM] = "head_out", [STAGE_CONCAT] = "concat",
    [STAGE_OUTPUT] = "out",  [STAGE_NORM] = "",           [STAGE_ADD] = "",                 [STAGE_ADD_NORM] = "",
    [STAGE_FFN_NORM] = "",   [STAGE_FFN] = "",            [STAGE_FFN_ADD] = "",             [STAGE_FFN_ADD_NORM] = "",
    [STAGE_FINAL_NORM] = "", [STAGE_POOL] = "",           [STAGE_PREDICT] = "",
};
static_assert(sizeof stage_tensors / sizeof *stage_tensors == STAGE_KIND_COUNT, "a tensor for each stage kind");

static bool is_phase(const Op *op) { return op->kind == OP_PROJECT || op->kind == OP_HEADS || op->kind == OP_ROPE; }

/* The phase of Project that a selected number belongs to, as its result or as one of its weights. */
static TensorId chosen_phase(const Scene *scene) {
    const Stage *stage = scene_stage(scene);
    const Trace *trace = scene->run->trace;
    TensorId chosen;
    int index[TENSOR_RANK_MAX];
    if (!scene_selection(scene, &chosen, index)) return TENSOR_NONE;
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < stage->n_ops; i++) {
            const Op *op = trace_op(trace, stage->first_op + i);
            if (is_phase(op) && (pass == 0 ? op->out == chosen : op->in[1] == chosen || op->in[2] == chosen)) return op->out;
        }
    return TENSOR_NONE;
}

TensorId scene_stage_tensor(const Scene *scene) {
    StageKind kind = scene_stage(scene)->kind;
    if (kind == STAGE_PROJECT) {
        Now now = scene_now(scene);
        TensorId chosen = chosen_phase(scene);
        if (chosen != TENSOR_NONE) return chosen;
        if (now.work) return now.step.tensor;
    }
    TensorId id = stage_tensors[kind][0] ? scene_find(scene, stage_tensors[kind]) : TENSOR_NONE;
    if (id == TENSOR_NONE && kind == STAGE_MASK) return scene_find(scene, "scaled");
    if (id != TENSOR_NONE) return id;
    bool others = !stage_tensors[kind][0] || scene_in_network(scene->run); /* rows that another layer made have its name */
    return others ? scene_stage(scene)->result : TENSOR_NONE;
}

static bool find_ref(const Scene *scene, const ViewRef *ref, TensorId *tensor, int index[TENSOR_RANK_MAX]) {
    if (!ref->tensor[0]) return false;
    *tensor = trace_find(scene->run->trace, ref->tensor);
    if (*tensor == TENSOR_NONE || !tensor_has(trace_tensor(scene->run->trace, *tensor), ref->index)) return false;
    memcpy(index, ref->index, sizeof ref->index);
    return true;
}

bool scene_selection(const Scene *scene, TensorId *tensor, int index[TENSOR_RANK_MAX]) {
    return find_ref(scene, &scene->view->selection, tensor, index);
}

bool scene_anchor(const Scene *scene, TensorId *tensor, int index[TENSOR_RANK_MAX]) {
    const View *view = scene->view;
    if (!scene_selection(scene, tensor, index)) return false;
    if (trace_stage_of(scene->run->trace, *tensor) == view->film.stage) return true;
    for (int i = view->n_trail - 1; i >= 0; i--)
        if (find_ref(scene, &view->trail[i], tensor, index) && trace_stage_of(scene->run->trace, *tensor) == view->film.stage) return true;
    return false;
}

bool scene_anchor_query(const Scene *scene, int *row) {
    const Run *run = scene->run;
    TensorId id;
    int index[TENSOR_RANK_MAX];
    if (!scene_anchor(scene, &id, index) && (!scene_selection(scene, &id, index) || run_site_of(run, id) != scene_site(scene))) return false;
    for (int axis = 0; axis < trace_tensor(run->trace, id)->rank; axis++) {
        if (run_axis(run, id, axis) != AXIS_QUERY) continue;
        *row = index[axis];
        return *row < scene_site(scene)->spec.L;
    }
    return false;
}
