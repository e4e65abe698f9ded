/* The row of a softmax as a table: score, − max, exp, weight, and how long the weight's bar is. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/matrix.h"
#include "scene/paint.h"

enum { COL_SCORE, COL_MINUS, COL_EXP, COL_WEIGHT, COL_COUNT };
enum { GAP_LEAST = 13 }; /* between columns: room for a frame around a number */

typedef struct {
    int head, row, n;
    const Tensor *from, *exp, *weights, *mask;
    TensorId from_id, weights_id;
    double max, sum, policy;
    int reached; /* columns that are there: the score always, then one more with each phase */
    int split;   /* keys whose next number is there too: the running phase has passed them */
    int chosen;  /* key of the selected number, of a maximum the one that has it; -1 = none */
    int chosen_col;
    int type;    /* of its numbers */
    float label_w, bar_x, bar_w, pitch;
    float col_end[COL_COUNT], col_w[COL_COUNT]; /* from the table's left; w = 0: there is no room for the column */
} Table;

static double at3(const Tensor *t, int h, int i, int j) {
    const int three[TENSOR_RANK_MAX] = {h, i, j}, two[TENSOR_RANK_MAX] = {i, j};
    return tensor_at(t, t->rank == 2 ? two : three);
}

static const Tensor *tensor_of(const Inspector *in, const char *name, TensorId *id) {
    *id = scene_find(in->scene, name);
    return *id == TENSOR_NONE ? NULL : trace_tensor(in->scene->run->trace, *id);
}

/* A row is the second index of every tensor of softmax. */
static void table_row(const Inspector *in, Table *t) {
    t->head = in->index[0];
    t->row = in->index[1];
    const Op *op = trace_op(in->scene->run->trace, t->exp->op);
    t->from_id = op->in[0];
    t->from = trace_tensor(in->scene->run->trace, op->in[0]);
}

static int columns_reached(const Inspector *in, const Table *t) {
    const Trace *trace = in->scene->run->trace;
    const Film *film = &in->scene->view->film;
    int stage = trace_stage_of(trace, t->weights_id);
    if (stage < film->stage) return COL_COUNT;
    if (film_progress(trace, film, t->weights_id, t->row, 0) >= 1) return COL_COUNT;
    TensorId exp = scene_find(in->scene, "exp"), max = scene_find(in->scene, "row_max");
    if (film_progress(trace, film, exp, t->row, 0) >= 1) return COL_WEIGHT;
    return film_progress(trace, film, max, t->row, 0) >= 1 ? COL_EXP : COL_MINUS;
}

/* As the stage's own map has it. */
static int keys_passed(const Inspector *in, const Table *t) {
    const Now *now = &in->now;
    if (!now->work || now->step.phase + 1 != t->reached || scene_stage(in->scene)->kind != STAGE_SOFTMAX) return 0;
    if (t->row < now->step.row0 || t->row >= now->step.row1 || t->row > now->row) return 0;
    return t->row < now->row ? t->n : now->col + (now->phase >= 0.5);
}

static void find_chosen(const Inspector *in, Table *t) {
    static const struct {
        OpKind op;
        int col;
    } cols[] = {{OP_ROW_MAX, COL_SCORE}, {OP_EXP, COL_EXP}, {OP_ROW_SUM, COL_EXP}, {OP_DIVIDE, COL_WEIGHT}};
    t->chosen = -1;
    if (!in->selected) return;
    for (size_t i = 0; i < sizeof cols / sizeof *cols; i++)
        if (cols[i].op == in->e.op) t->chosen_col = cols[i].col;
    if (in->e.op == OP_EXP || in->e.op == OP_DIVIDE) t->chosen = in->index[2];
    for (int j = 0; in->e.op == OP_ROW_MAX && j < t->n && t->chosen < 0; j++)
        if (at3(t->from, t->head, t->row, j) == t->max) t->chosen = j;
}

static bool make_table(const Inspector *in, Table *t) {
    TensorId id;
    *t = (Table){0};
    t->exp = tensor_of(in, "exp", &id);
    t->weights = tensor_of(in, "weights", &t->weights_id);
    t->mask = tensor_of(in, "mask", &id);
    const Tensor *max = tensor_of(in, "row_max", &id), *sum = tensor_of(in, "row_sum", &id);
    if (!t->exp || !t->weights || !max || !sum) return false;
    table_row(in, t);
    const int at[TENSOR_RANK_MAX] = {t->head, t->row};
    t->max = tensor_at(max, at);
    t->sum = tensor_at(sum, at);
    t->n = t->weights->dim[2];
    t->reached = columns_reached(in, t);
    t->split = keys_passed(in, t);
    find_chosen(in, t);
    return true;
}

/* "weights[2, sat, :]" */
static const char *row_reference(const Inspector *in, const char *name) {
    char text[160];
    TensorId id = scene_find(in->scene, name);
    if (id == TENSOR_NONE) return NULL;
    const int at[TENSOR_RANK_MAX] = {in->index[0], in->index[1], 0};
    run_ref_text(text, in->scene->run, id, at);
    char *comma = strrchr(text, ',');
    if (!comma) return NULL;
    *comma = '\0';
    return arena_printf(in->scene->arena, "%s, :]", text);
}

/* What a finished row says, with its entropy where it has one. */
static const char *row_meaning(const Inspector *in, TensorId weights) {
    const Run *run = in->scene->run;
    const char *entropy = words_entropy(run, weights, in->index[0], in->index[1], in->scene->arena);
    if (!entropy) return in->words.meaning; /* no usable row */
    bool masked = !isfinite(scene_site(in->scene)->spec.fill) && words_leader(run, weights, in->index[0], in->index[1]).n_hidden > 0;
    const char *first = in->selected ? in->words.meaning
                        : masked     ? tr("A masked key has score −∞, and exp(−∞) is exactly 0.")
                                     : tr("The weights of a row add up to 1: a budget of attention.");
    return arena_printf(in->scene->arena, "%s\n%s", first, entropy);
}

static void prepare_softmax(Inspector *in) {
    Arena *arena = in->scene->arena;
    const char *query = rich_name(arena, 'q', inspector_name(in, in->tensor, 1, in->index[1]));
    const Site *site = run_site_of(in->scene->run, in->tensor);
    int head = site->spec.n_heads > 1 ? in->index[0] + 1 : 0;
    if (site->title[0])
        in->question = head ? arena_printf(arena, tr("%s, head %d: where does %s look?"), site->title, head, query)
                            : arena_printf(arena, tr("%s: where does %s look?"), site->title, query);
    else in->question = head ? arena_printf(arena, tr("Head %d: where does %s look?"), head, query) : arena_printf(arena, tr("Where does %s look?"), query);
    if (!in->selected) { /* the whole row: the table ends in its own sum */
        in->result = "";
        in->reference = row_reference(in, "weights");
    }
    TensorId weights = scene_find(in->scene, "weights");
    if (weights != TENSOR_NONE && in->e.op == OP_DIVIDE && in->phase >= 1) in->meaning = row_meaning(in, weights);
}

/* Rows that the layer before made, seen from the layer that they go into. */
static bool prepare_rows_from_before(Inspector *in) {
    const Scene *scene = in->scene;
    const Site *site = scene_site(scene);
    const char *from = words_rows_name(scene->run, site, scene->arena);
    if (!from || scene_stage(scene)->kind != STAGE_EMBED || scene_stage(scene)->result != in->tensor) return false;
    const char *token = rich_name(scene->arena, 'q', inspector_name(in, in->tensor, 0, in->index[0]));
    in->question = site->cross ? arena_printf(scene->arena, tr("What goes into cross-attention in column %d of %s?"), in->index[1] + 1, token)
                               : arena_printf(scene->arena, tr("What goes into layer %d in column %d of %s?"), site->layer + 1, in->index[1] + 1, token);
    in->result = arena_printf(scene->arena, tr("X = %s"), from);
    return true;
}

void inspector_prepare(Inspector *in) {
    if (in->predicts || prepare_rows_from_before(in)) return;
    if (in->e.op == OP_ROW_MAX || in->e.op == OP_EXP || in->e.op == OP_ROW_SUM || in->e.op == OP_DIVIDE) {
        prepare_softmax(in);
    } else if (in->e.op == OP_WEIGHTED_SUM && !in->selected) {
        const char *query = rich_name(in->scene->arena, 'q', inspector_name(in, in->tensor, 1, in->index[1]));
        in->question = arena_printf(in->scene->arena, tr("What %s takes home"), query);
        in->reference = row_reference(in, "head_out");
    } else if (in->e.op == OP_ADD && !in->selected && str_eq(trace_tensor(in->scene->run->trace, in->tensor)->name, "x")) {
        const char *token = rich_name(in->scene->arena, 'q', inspector_name(in, in->tensor, 0, in->index[0]));
        in->question = arena_printf(in->scene->arena, tr("What is %s, and where does it stand?"), token);
    }
}

static const char *cell_text(const Inspector *in, const Table *t, int col, int j) {
    double score = at3(t->from, t->head, t->row, j);
    double value = col == COL_SCORE   ? score
                   : col == COL_MINUS ? score - t->max
                   : col == COL_EXP   ? at3(t->exp, t->head, t->row, j)
                                      : at3(t->weights, t->head, t->row, j);
    return scene_number(in->scene, value, col <= COL_MINUS ? 2 : 3);
}

static Rect table_cell(const Inspector *in, const Table *t, int col, float y) {
    return (Rect){in->inner.x + t->col_end[col] - t->col_w[col], y, t->col_w[col], t->pitch};
}

/* Around a number at the right of its cell. */
static void frame_number(Inspector *in, const Table *t, int col, float y, const char *text) {
    float s = in->scene->layout.scale, h = fminf(t->pitch - 6 * s, 26 * s), size = in->scene->layout.type[t->type];
    Rect cell = table_cell(in, t, col, y);
    float w = fminf(font_width(in->scene->font, FACE_MONO_BOLD, size, text), cell.w);
    matrix_highlight(in->scene, in->dl, (Rect){cell.x + cell.w - w - 3 * s, cell.y + (cell.h - h) / 2, w + 6 * s, h});
}

static void draw_table_row(Inspector *in, const Table *t, int j, float y) {
    const Theme *theme = in->theme;
    int reached = t->reached + (j < t->split);
    bool hidden = t->mask && at3(t->mask, t->head, t->row, j) == 0;
    double weight = at3(t->weights, t->head, t->row, j);
    const int at[TENSOR_RANK_MAX] = {t->head, t->row, j};
    Rect row = {in->inner.x, y, in->inner.w, t->pitch};
    inspector_operand(in, row, t->from_id, at);
    Rect label = {in->inner.x, y, t->label_w - 8 * in->scene->layout.scale, t->pitch};
    Color key = hidden ? theme->muted : theme->k, ink = hidden ? theme->muted : theme->ink;
    inspector_label(in, TYPE_BODY, hidden ? FACE_UI : FACE_UI_MEDIUM, key, label, ALIGN_RIGHT, inspector_name(in, t->weights_id, 2, j));
    for (int col = 0; col < COL_COUNT && col < reached; col++) {
        if (t->col_w[col] <= 0) continue;
        FontFace face = col == COL_WEIGHT && !hidden ? FACE_MONO_BOLD : FACE_MONO;
        inspector_label(in, t->type, face, ink, table_cell(in, t, col, y), ALIGN_RIGHT, cell_text(in, t, col, j));
    }
    if (t->bar_w > 0) {
        float h = fminf(28 * in->scene->layout.scale, t->pitch * 0.6f);
        Color color = scene_weight_color(in->scene, weight);
        scene_bar(in->scene, in->dl, (Rect){t->bar_x, y + (t->pitch - h) / 2, t->bar_w, h}, reached >= COL_COUNT ? weight : 0, color,
                  3 * in->scene->layout.scale);
    }
    if (j == t->chosen && t->chosen_col < reached) frame_number(in, t, t->chosen_col, y, cell_text(in, t, t->chosen_col, j));
    dl_ungroup(in->dl);
}

static const char *head_text(int col) {
    const char *const names[COL_COUNT] = {tr("score"), tr("− max"), tr("exp"), tr("weight")};
    return names[col];
}

static void draw_heads_of_columns(Inspector *in, const Table *t, float y, float h) {
    for (int col = 0; col < COL_COUNT; col++) {
        if (t->col_w[col] <= 0) continue;
        Rect box = table_cell(in, t, col, y);
        box.h = h;
        bool weight = col == COL_WEIGHT;
        inspector_label(in, TYPE_LABEL, weight ? FACE_UI_SEMIBOLD : FACE_UI, weight ? in->theme->ink : in->theme->muted, box, ALIGN_RIGHT,
                        head_text(col));
    }
}

static void draw_sum(Inspector *in, const Table *t, float y) {
    double total = 0;
    for (int j = 0; j < t->n; j++) total += at3(t->weights, t->head, t->row, j);
    Rect label = {in->inner.x, y, t->label_w - 8 * in->scene->layout.scale, t->pitch};
    inspector_label(in, TYPE_BODY, FACE_UI, in->theme->muted, label, ALIGN_RIGHT, tr("sum"));
    if (t->reached > COL_EXP)
        inspector_label(in, t->type, FACE_MONO, in->theme->ink, table_cell(in, t, COL_EXP, y), ALIGN_RIGHT,
                        scene_number(in->scene, t->sum, 3));
    if (in->selected && in->e.op == OP_ROW_SUM && t->reached > COL_EXP) frame_number(in, t, COL_EXP, y, scene_number(in->scene, t->sum, 3));
    if (t->reached > COL_WEIGHT)
        inspector_label(in, t->type, FACE_MONO_BOLD, in->theme->ink, table_cell(in, t, COL_WEIGHT, y), ALIGN_RIGHT,
                        scene_number(in->scene, total, 3));
}

/* The widest thing in a column. */
static float content_width(const Inspector *in, const Table *t, int col) {
    const FontMetrics *font = in->scene->font;
    const float *type = in->scene->layout.type;
    float most = font_width(font, col == COL_WEIGHT ? FACE_UI_SEMIBOLD : FACE_UI, type[TYPE_LABEL], head_text(col));
    for (int j = 0; j < t->n && j < 200; j++) most = fmaxf(most, font_width(font, FACE_MONO_BOLD, type[t->type], cell_text(in, t, col, j)));
    if (col == COL_EXP) most = fmaxf(most, font_width(font, FACE_MONO_BOLD, type[t->type], scene_number(in->scene, t->sum, 3)));
    return most;
}

/* Columns alike where the numbers leave one another room for a frame; else as wide as they need, in smaller type, and at last without
 * the difference. */
static void measure_columns(const Inspector *in, Table *t, float room) {
    static const int types[] = {TYPE_BODY, TYPE_LABEL, TYPE_SMALL};
    enum { TYPES = sizeof types / sizeof *types, WAYS = 2 * TYPES };
    float least = GAP_LEAST * in->scene->layout.scale, wide[COL_COUNT], gap = 0, end = t->label_w;
    for (int way = 0; way < WAYS && gap < least; way++) {
        float used = 0;
        int columns = 0;
        t->type = types[way % TYPES];
        for (int col = 0; col < COL_COUNT; col++) {
            wide[col] = way >= TYPES && col == COL_MINUS ? 0 : content_width(in, t, col);
            used += wide[col];
            columns += wide[col] > 0;
        }
        gap = (room - used) / (float)columns;
    }
    bool alike = true;
    for (int col = 0; col < COL_COUNT; col++) alike = alike && wide[col] > 0 && wide[col] + least <= room / COL_COUNT;
    for (int col = 0; col < COL_COUNT; col++) {
        t->col_w[col] = wide[col] <= 0 ? 0 : alike ? room / COL_COUNT : wide[col] + fmaxf(gap, 0);
        t->col_end[col] = end += t->col_w[col];
    }
}

static void measure_table(const Inspector *in, Table *t, Rect box) {
    float s = in->scene->layout.scale, most = font_width(in->scene->font, FACE_UI, in->scene->layout.type[TYPE_BODY], tr("sum"));
    for (int j = 0; j < t->n && j < 200; j++)
        most = fmaxf(
            most, font_width(in->scene->font, FACE_UI_MEDIUM, in->scene->layout.type[TYPE_BODY], inspector_name(in, t->weights_id, 2, j)));
    t->label_w = fminf(most + 12 * s, box.w * 0.22f);
    float rest = box.w - t->label_w, bar = rest > 420 * s ? rest * 0.28f : rest > 330 * s ? rest * 0.18f : 0;
    measure_columns(in, t, rest - bar - (bar > 0 ? 24 * s : 0));
    t->bar_x = box.x + box.w - bar;
    t->bar_w = bar;
}

/* The keys to show: all in their order, or, when not all fit, the selected one and those with the largest weights, the
 * largest first. */
static int *choose(const Inspector *in, const Table *t, int shown) {
    int *keys = ARENA_ARRAY(in->scene->arena, int, (size_t)t->n + 1);
    bool *taken = ARENA_ARRAY(in->scene->arena, bool, (size_t)t->n + 1);
    for (int n = 0; n < shown; n++) {
        int best = -1;
        for (int j = 0; j < t->n; j++)
            if (!taken[j] && (best < 0 || (shown < t->n && at3(t->weights, t->head, t->row, j) > at3(t->weights, t->head, t->row, best))))
                best = j;
        if (n == shown - 1 && shown < t->n && t->chosen >= 0 && !taken[t->chosen]) best = t->chosen;
        taken[best] = true;
        keys[n] = best;
    }
    return keys;
}

float inspector_softmax(Inspector *in, Rect box) {
    Table t;
    if (!make_table(in, &t)) return inspector_terms(in, box);
    float s = in->scene->layout.scale, header = 30 * s, line = 12 * s, y = box.y;
    measure_table(in, &t, box);
    int shown;
    t.pitch = inspector_pitch(in, t.n + 1, box.h - header - line, 22, 50, &shown);
    bool folded = shown < t.n + 1;
    if (folded && shown > 0) shown -= 1; /* the sum's own row */
    if (!folded) shown = t.n;
    draw_heads_of_columns(in, &t, y, header);
    y += header;
    int *keys = choose(in, &t, shown);
    double rest = 0;
    for (int j = 0; j < t.n; j++) rest += at3(t.weights, t.head, t.row, j);
    for (int n = 0; n < shown; n++, y += t.pitch) {
        draw_table_row(in, &t, keys[n], y);
        rest -= at3(t.weights, t.head, t.row, keys[n]);
    }
    if (folded) {
        Rect row = {in->inner.x, y, t.col_end[COL_MINUS], t.pitch};
        inspector_label(in, TYPE_LABEL, FACE_UI, in->theme->muted, row, ALIGN_LEFT,
                        arena_printf(in->scene->arena, tr("largest first; %d more"), t.n - shown));
        if (t.reached > COL_WEIGHT)
            inspector_label(in, t.type, FACE_MONO, in->theme->muted, table_cell(in, &t, COL_WEIGHT, y), ALIGN_RIGHT,
                            scene_number(in->scene, fmax(rest, 0), 3));
        y += t.pitch;
    }
    inspector_line(in, y + line / 2);
    y += line;
    draw_sum(in, &t, y);
    return y + t.pitch - box.y;
}
