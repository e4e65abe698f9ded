/* Where the film stands, in words. */
#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "doc/film.h"

/* ---- layers ---- */

/* A scope such as "decoder.layers.3.cross": the stack before the number, the part behind it. */
typedef struct {
    char stack[16], part[16];
    int number; /* from 0; -1 = the scope names no layer */
} ScopeName;

static ScopeName scope_name(const char *scope) {
    static const char mark[] = "layers.";
    ScopeName name = {.number = -1};
    const char *at = strstr(scope, mark);
    if (!at || sscanf(at + sizeof mark - 1, "%d", &name.number) != 1) return name;
    snprintf(name.stack, sizeof name.stack, "%.*s", (int)(at - scope), scope);
    at += sizeof mark - 1;
    snprintf(name.part, sizeof name.part, "%s", at + strspn(at, "0123456789"));
    return name;
}

/* Layers of the same stack. */
static int layers_like(const Trace *trace, const ScopeName *name) {
    int layers = 0;
    for (int s = 0; s < trace_stage_count(trace); s++) {
        if (trace_stage(trace, s)->kind != STAGE_EMBED) continue;
        ScopeName other = scope_name(trace_stage(trace, s)->scope);
        if (str_eq(other.stack, name->stack) && other.number >= layers) layers = other.number + 1;
    }
    return layers;
}

char *film_layer_text(char out[FILM_TEXT_MAX], const Trace *trace, int stage) {
    FilmSite site = film_site(trace, stage);
    ScopeName name = scope_name(trace_stage(trace, site.first)->scope);
    int layer = name.number >= 0 ? name.number + 1 : site.index + 1;
    int layers = name.number >= 0 ? layers_like(trace, &name) : site.count;
    out[0] = 0;
    if (site.count < 2 && name.number < 0) return out;
    const char *words = str_eq(name.stack, "encoder.")     ? tr("encoder layer %d of %d")
                        : str_eq(name.part, ".cross")      ? tr("decoder layer %d of %d, cross")
                        : str_eq(name.stack, "decoder.")   ? tr("decoder layer %d of %d")
                                                           : tr("layer %d of %d");
    snprintf(out, FILM_TEXT_MAX, words, layer, layers);
    return out;
}

/* ---- stages ---- */

static const char *const station_names[] = {
    [STAGE_EMBED] = tr_mark("Embed"),
    [STAGE_PROJECT] = tr_mark("Project"),
    [STAGE_SCORES] = tr_mark("Scores"),
    [STAGE_SCALE] = tr_mark("Scale"),
    [STAGE_MASK] = tr_mark("Mask"),
    [STAGE_SOFTMAX] = tr_mark("Softmax"),
    [STAGE_WEIGHTED_SUM] = tr_mark("Weighted sum"),
    [STAGE_CONCAT] = tr_mark("Concat"),
    [STAGE_OUTPUT] = tr_mark("Output"),
    [STAGE_NORM] = tr_mark("Norm"),
    [STAGE_ADD] = tr_mark("Residual"),
    [STAGE_ADD_NORM] = tr_mark("Norm"),
    [STAGE_FFN_NORM] = tr_mark("Norm 2"),
    [STAGE_FFN] = tr_mark("Feed-forward"),
    [STAGE_FFN_ADD] = tr_mark("Residual 2"),
    [STAGE_FFN_ADD_NORM] = tr_mark("Norm 2"),
    [STAGE_FINAL_NORM] = tr_mark("Final norm"),
    [STAGE_POOL] = tr_mark("Pooler"),
    [STAGE_PREDICT] = tr_mark("Predict"),
};
static_assert(sizeof station_names / sizeof *station_names == STAGE_KIND_COUNT, "one name a stage kind");

const char *film_station_name(StageKind kind) { return tr(station_names[kind]); }

/* Phases by the tensor's name, else by the op that makes it. */
static const char *phase_label(const Trace *trace, TensorId id) {
    static const char *const label[][2] = {
        {"q", "Q"}, {"k", "K"}, {"v", "V"}, {"q_rope", "Q RoPE"}, {"k_rope", "K RoPE"}, {"ffn_out", tr_mark("out")},
        {"ffn_hidden", tr_mark("hidden")}, {"ffn_gate", tr_mark("gate")}};
    static const struct {
        OpKind kind;
        const char *label;
    } by_op[] = {{OP_MEAN, tr_mark("mean")}, {OP_VARIANCE, tr_mark("variance")}, {OP_RMS, tr_mark("RMS")},
                 {OP_LAYERNORM, tr_mark("norm")}, {OP_RMSNORM, tr_mark("norm")}, {OP_ROW_MAX, tr_mark("maximum")},
                 {OP_DIVIDE, tr_mark("probabilities")}, {OP_MULTIPLY, tr_mark("product")}};
    const Tensor *t = trace_tensor(trace, id);
    for (size_t i = 0; i < sizeof label / sizeof *label; i++)
        if (str_eq(label[i][0], t->name)) return tr(label[i][1]);
    OpKind kind = trace_op(trace, t->op)->kind;
    for (size_t i = 0; i < sizeof by_op / sizeof *by_op; i++)
        if (by_op[i].kind == kind) return tr(by_op[i].label);
    return kind >= OP_RELU && kind <= OP_TANH ? tr("activation") : t->name;
}

/* ---- the whole ---- */

enum { FILM_PHRASE_MAX = 96 };

/* One more of a list "a · b", each a whole phrase; left out when it does not fit. */
static void add_phrase(char out[FILM_TEXT_MAX], const char *phrase) {
    size_t at = strlen(out);
    if (phrase[0] && at + strlen(phrase) + sizeof " · " <= FILM_TEXT_MAX) snprintf(out + at, FILM_TEXT_MAX - at, "%s%s", at ? " · " : "", phrase);
}

/* "layer 2 of 3 · stage 3 of 9 · Q": everything before the step. */
static void text_place(char out[FILM_TEXT_MAX], const Trace *trace, int stage, const char *phase) {
    StageKind kind = trace_stage(trace, stage)->kind;
    char layer[FILM_TEXT_MAX], station[FILM_PHRASE_MAX];
    film_layer_text(layer, trace, stage);
    if (kind < STAGE_ATTENTION_COUNT) snprintf(station, sizeof station, tr("stage %d of %d"), (int)kind + 1, STAGE_ATTENTION_COUNT);
    else snprintf(station, sizeof station, "%s", film_station_name(kind));
    out[0] = '\0';
    add_phrase(out, layer);
    add_phrase(out, station);
    if (phase) add_phrase(out, phase);
}

static void text_cell(char out[FILM_TEXT_MAX], const FilmStep *step, bool all_cells) {
    char cell[FILM_PHRASE_MAX];
    if (!all_cells) add_phrase(out, tr("first row"));
    snprintf(cell, sizeof cell, tr("cell %d of %d"), step->row0 * step->n_cols + step->col1, all_cells ? step->n_rows * step->n_cols : step->n_cols);
    add_phrase(out, cell);
}

static void text_rows(char out[FILM_TEXT_MAX], const FilmStep *step) {
    char rows[FILM_PHRASE_MAX];
    if (step->row1 - step->row0 > 1) snprintf(rows, sizeof rows, tr("rows %d–%d of %d"), step->row0 + 1, step->row1, step->n_rows);
    else snprintf(rows, sizeof rows, tr("row %d of %d"), step->row1, step->n_rows);
    add_phrase(out, rows);
}

static void text_head(char out[FILM_TEXT_MAX], const FilmStep *step) {
    char head[FILM_PHRASE_MAX];
    snprintf(head, sizeof head, tr("head %d of %d"), step->row1, step->n_rows);
    add_phrase(out, head);
}

char *film_text(char out[FILM_TEXT_MAX], const Trace *trace, const Film *film) {
    FilmPlan plan = film_plan(trace, film->stage);
    int current = film_current(film, trace);
    FilmStep step = film_step(trace, film->stage, current < 0 ? 0 : current);
    bool around = trace_stage(trace, film->stage)->kind >= STAGE_ATTENTION_COUNT;
    bool phase = plan.n_phases > 1 && (!plan.by_turns || around) && current >= 0;
    text_place(out, trace, film->stage, phase ? phase_label(trace, step.tensor) : NULL);
    if (plan.n_phases == 0) add_phrase(out, tr("nothing to do"));
    else if (current < 0) add_phrase(out, tr("start"));
    else if (plan.by_head) text_head(out, &step);
    else if (step.by_cell) text_cell(out, &step, plan.phase[step.phase].all_cells);
    else text_rows(out, &step);
    return out;
}
