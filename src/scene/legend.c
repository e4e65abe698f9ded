#include "scene/legend.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "scene/compare.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"

enum { BAR_STEPS = 64 };

typedef struct {
    const char *tensor, *title, *plain; /* with several heads where there is room, else */
} Title;

static const Title titles[] = {
    {"x", tr_mark("Token rows"), tr_mark("Token rows")},
    {"q", tr_mark("Query, one scale for all heads"), tr_mark("Query")},
    {"k", tr_mark("Key, one scale for all heads"), tr_mark("Key")},
    {"v", tr_mark("Value, one scale for all heads"), tr_mark("Value")},
    {"q_rope", tr_mark("Query, one scale for all heads"), tr_mark("Query")},
    {"k_rope", tr_mark("Key, one scale for all heads"), tr_mark("Key")},
    {"scores", tr_mark("Score, one scale for all heads"), tr_mark("Score")},
    {"scaled", tr_mark("Scaled score, one scale for all heads"), tr_mark("Scaled score")},
    {"masked", tr_mark("Masked score, one scale for all heads"), tr_mark("Masked score")},
    {"biased", tr_mark("Score with bias, one scale for all heads"), tr_mark("Score with bias")}, /* masked, where nothing is hidden */
    {"weights", tr_mark("Weight, 0 to 1 in every head"), tr_mark("Weight")},
    {"head_avg", tr_mark("Mean weight of all heads"), tr_mark("Mean weight")},
    {"head_max", tr_mark("Largest weight of all heads"), tr_mark("Largest weight")},
    {"weighted_length", tr_mark("Weight × |v|, one scale for all heads"), tr_mark("Weight × |v|")},
    {"head_out", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"concat", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"out", tr_mark("Output"), tr_mark("Output")},
    {"ln1", tr_mark("Normalised rows"), tr_mark("Normalised rows")},
    {"ln2", tr_mark("Normalised rows"), tr_mark("Normalised rows")},
    {"ln3", tr_mark("Normalised rows"), tr_mark("Normalised rows")},
    {"final_norm", tr_mark("Normalised rows"), tr_mark("Normalised rows")},
    {"resid1", tr_mark("Sum"), tr_mark("Sum")},
    {"resid2", tr_mark("Sum"), tr_mark("Sum")},
    {"resid3", tr_mark("Sum"), tr_mark("Sum")},
    {"ffn_out", tr_mark("Feed-forward output"), tr_mark("Feed-forward output")},
    {"pooled", tr_mark("Pooled row"), tr_mark("Pooled row")},
};

/* Softmax works in its map: until a row is divided it holds other numbers than the legend's. */
static const char *running_title(const Scene *scene) {
    if (scene_stage(scene)->kind != STAGE_SOFTMAX || compare_on(scene)) return NULL;
    Now now = scene_now(scene);
    if (!now.work || (now.started && now.step.phase > 1)) return NULL;
    if (!now.started) return tr("Weight; running row: masked score");
    return now.step.phase == 0 ? tr("Weight; running row: score − max") : tr("Weight; running row: exp");
}

/* A scale that somebody chose is named before all else; two names, the shorter for less room. */
static const char *chosen_title(const Scene *scene, TensorId tensor, float room) {
    const View *view = scene->view;
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    if (!look_is_weight(t->name) || (!view->log_scale && !view->own_range)) return NULL;
    bool heads = t->rank == 3 && scene_site(scene)->spec.n_heads > 1;
    int head = scene->view->head + 1;
    const char *name = view->aggregate == AGGREGATE_HEAD || t->rank == 3 ? NULL : look_name(look_aggregate(scene));
    const char *what = name ? name : str_eq(t->name, "weighted_length") ? tr("weight × |v|") : tr("weight");
    const char *full = arena_printf(scene->arena, tr("%s, log scale"), what), *brief = tr("log scale");
    if (view->own_range) {
        const char *words = view->log_scale ? (heads ? tr("%s, log scale, head %d’s own range") : tr("%s, log scale, own range"))
                                            : (heads ? tr("%s, head %d’s own range") : tr("%s, own range"));
        full = arena_printf(scene->arena, words, what, head);
        brief = view->log_scale ? tr("log scale, own range") : tr("own range");
    }
    return font_width(scene->font, FACE_UI, scene->layout.type[TYPE_LABEL], full) <= room ? full : brief;
}

static bool draws_ribbons(const Scene *scene, TensorId tensor) { return look_lines(scene) && look_is_weight(trace_tensor(scene->run->trace, tensor)->name); }

/* "Score, one scale for all heads", or "Score" where there is less room or one head. */
static const char *title_of(const Scene *scene, TensorId tensor, float room) {
    const char *name = trace_tensor(scene->run->trace, tensor)->name, *running = running_title(scene);
    float size = scene->layout.type[TYPE_LABEL];
    const Op *op = trace_op(scene->run->trace, trace_tensor(scene->run->trace, tensor)->op);
    if (op->kind == OP_MASK && op->in[2] == TENSOR_NONE) name = "biased";
    if (running && font_width(scene->font, FACE_UI, size, running) <= room) return running;
    if (draws_ribbons(scene, tensor)) return tr("Width of a ribbon: weight");
    const char *chosen = chosen_title(scene, tensor, room);
    if (chosen) return chosen;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (!str_eq(titles[i].tensor, name)) continue;
        bool fits = font_width(scene->font, FACE_UI, size, tr(titles[i].title)) <= room;
        return tr(scene_site(scene)->spec.n_heads > 1 && fits ? titles[i].title : titles[i].plain);
    }
    return name;
}

/* 0.001, 0.01 … up to the end, which may stand close behind the last round one. */
static int log_ticks(const Scene *scene, const CellScale *scale, LegendTick ticks[LEGEND_TICKS_MAX]) {
    int n = 0;
    for (double value = LOOK_LOG_FROM; n < LEGEND_TICKS_MAX - 1 && value < scale->limit * 0.999; value *= 10) {
        double place = look_shade(true, scale->limit, value);
        if (n > 0 && place > 0.85) break;
        ticks[n++] = (LegendTick){scene_short_number(scene, value), place};
    }
    ticks[n++] = (LegendTick){scene_short_number(scene, scale->limit), 1};
    return n;
}

/* Two digits that count: below 0.1 half the end is told from the end. */
static const char *tick_text(const Scene *scene, const CellScale *scale, double value) {
    if (!scale->weight || value <= 0 || value >= 1) return scene_short_number(scene, value);
    const char *brief = scene_short_number(scene, value);
    return strlen(brief) <= strlen("0.50") ? brief : scene_number(scene, value, value < 0.1 ? 3 : 2);
}

int legend_scale_ticks(const Scene *scene, const CellScale *scale, LegendTick ticks[LEGEND_TICKS_MAX]) {
    if (scale->weight && scale->log_scale) return log_ticks(scene, scale, ticks);
    double least = scale->weight ? 0 : -scale->limit;
    ticks[0] = (LegendTick){tick_text(scene, scale, least), 0};
    ticks[1] = (LegendTick){tick_text(scene, scale, (least + scale->limit) / 2), 0.5};
    ticks[2] = (LegendTick){tick_text(scene, scale, scale->limit), 1};
    return 3;
}

static void draw_bar(const Scene *scene, const CellScale *scale, Rect bar, bool upright, DisplayList *dl) {
    Color colors[BAR_STEPS];
    float values[BAR_STEPS];
    uint8_t marks[BAR_STEPS];
    for (int i = 0; i < BAR_STEPS; i++) {
        double t = (double)i / (BAR_STEPS - 1);
        if (upright) t = 1 - t;
        double value = scale->weight ? t * scale->limit : (2 * t - 1) * scale->limit;
        if (scale->log_scale && scale->limit > LOOK_LOG_FROM) value = LOOK_LOG_FROM * pow(scale->limit / LOOK_LOG_FROM, t);
        values[i] = (float)value;
        colors[i] = scene_cell_color(scene, scale, value);
        marks[i] = CELL_VALUE;
    }
    dl_cells(dl, bar, upright ? BAR_STEPS : 1, upright ? 1 : BAR_STEPS, 0, 0, colors, values, marks, -1, -1, 0, 0);
    dl_rect(dl, bar, 0, COLOR_NONE, scene_theme(scene)->line, 1);
}

void legend_scale_upright(const Scene *scene, const CellScale *scale, Rect bar, DisplayList *dl) { draw_bar(scene, scale, bar, true, dl); }

void legend_scale_flat(const Scene *scene, const CellScale *scale, Rect bar, DisplayList *dl) { draw_bar(scene, scale, bar, false, dl); }

static void label(const Scene *scene, DisplayList *dl, FontFace face, int type, Rect box, TextAlign align, const char *text) {
    dl_label(dl, scene->font, face, scene->layout.type[type], scene_theme(scene)->muted, box, align, text);
}

/* The width of a ribbon, from none to all of a row's weight. */
static void draw_wedge(const Scene *scene, Rect bar, DisplayList *dl) {
    const DlPoint corners[] = {{bar.x, bar.y + bar.h / 2}, {bar.x + bar.w, bar.y}, {bar.x + bar.w, bar.y + bar.h}};
    dl_path(dl, corners, 3, true, color_alpha(scene_theme(scene)->muted, 0.6), COLOR_NONE, 0);
}

/* The bar with its numbers below it. */
static void draw_scale(const Scene *scene, TensorId tensor, Rect bar, DisplayList *dl) {
    float s = scene->layout.scale, size = scene->layout.type[TYPE_SMALL];
    CellScale scale = scene_cell_scale(scene, tensor);
    LegendTick ticks[LEGEND_TICKS_MAX];
    bool ribbons = draws_ribbons(scene, tensor);
    if (ribbons) scale = (CellScale){.weight = true, .limit = 1};
    int n = legend_scale_ticks(scene, &scale, ticks);
    if (ribbons) draw_wedge(scene, bar, dl);
    else draw_bar(scene, &scale, bar, false, dl);
    for (int i = 0; i < n; i++) {
        float w = font_width(scene->font, FACE_MONO, size, ticks[i].text) + 2, x = bar.x + bar.w * (float)ticks[i].place - w / 2;
        x = fminf(fmaxf(x, bar.x), bar.x + bar.w - w);
        Rect box = {x, bar.y + bar.h + 2 * s, w, 14 * s};
        label(scene, dl, FACE_MONO, TYPE_SMALL, box, i == 0 ? ALIGN_LEFT : i + 1 < n ? ALIGN_CENTER : ALIGN_RIGHT, ticks[i].text);
    }
}

/* ---- which way rows and columns run ---- */

typedef enum { AXIS_WORDS_TOKEN, AXIS_WORDS_QUERY, AXIS_WORDS_KEY, AXIS_WORDS_FEATURE, AXIS_WORDS_NUMBER, AXIS_WORDS_COUNT } AxisWords;

typedef struct {
    const char *row, *column, *rows, *columns;
} AxisText;

static const AxisText axis_texts[] = {
    [AXIS_WORDS_TOKEN] = {tr_mark("Row = token."), tr_mark("Column = token."), tr_mark("rows: tokens"), tr_mark("columns: tokens")},
    [AXIS_WORDS_QUERY] = {tr_mark("Row = query, who is looking."), tr_mark("Column = query, who is looking."), tr_mark("rows: queries"),
                          tr_mark("columns: queries")},
    [AXIS_WORDS_KEY] = {tr_mark("Row = key, who is looked at."), tr_mark("Column = key, who is looked at."), tr_mark("rows: keys"),
                        tr_mark("columns: keys")},
    [AXIS_WORDS_FEATURE] = {tr_mark("Row = feature."), tr_mark("Column = feature."), tr_mark("rows: features"), tr_mark("columns: features")},
    [AXIS_WORDS_NUMBER] = {tr_mark("Row = one number of the head."), tr_mark("Column = one number of the head."), tr_mark("rows: numbers"),
                           tr_mark("columns: numbers")},
};
static_assert(sizeof axis_texts / sizeof *axis_texts == AXIS_WORDS_COUNT, "words for each kind of axis");

static const AxisText *axis_text(const Scene *scene, TensorId tensor, bool rows) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    AxisKind axis = run_axis(scene->run, tensor, t->rank - (rows ? 2 : 1));
    StageKind kind = scene_stage(scene)->kind;
    bool looks = kind != STAGE_EMBED && kind < STAGE_ATTENTION_COUNT; /* elsewhere no row looks at another */
    if (rows && !looks) return &axis_texts[AXIS_WORDS_TOKEN];
    return &axis_texts[axis == AXIS_KEY       ? AXIS_WORDS_KEY
                       : axis == AXIS_QUERY   ? AXIS_WORDS_QUERY
                       : axis == AXIS_FEATURE ? AXIS_WORDS_FEATURE
                                              : AXIS_WORDS_NUMBER];
}

static const char *axes_in_one(const Scene *scene, TensorId tensor, bool full) {
    const AxisText *row = axis_text(scene, tensor, true), *column = axis_text(scene, tensor, false);
    if (full) return phrase_sentences(scene->arena, tr(row->row), tr(column->column));
    return phrase_list(scene->arena, tr(row->rows), tr(column->columns));
}

/* In two lines, in one, or not at all. Returns the height. */
static float draw_axes(const Scene *scene, TensorId tensor, Rect box, float line, DisplayList *dl) {
    if (box.h < line) return 0;
    if (box.h < 2 * line) {
        label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y, box.w, line}, ALIGN_LEFT, axes_in_one(scene, tensor, false));
        return line;
    }
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y, box.w, line}, ALIGN_LEFT, tr(axis_text(scene, tensor, true)->row));
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y + line, box.w, line}, ALIGN_LEFT, tr(axis_text(scene, tensor, false)->column));
    return 2 * line;
}

/* ---- places ---- */

float legend_draw(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, y = box.y;
    bool low = box.h < 96 * s;
    float title = (low ? 18 : 22) * s, bar = (low ? 10 : 13) * s, line = (low ? 17 : 19) * s;
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, y, box.w, 18 * s}, ALIGN_LEFT, title_of(scene, tensor, box.w));
    y += title;
    draw_scale(scene, tensor, (Rect){box.x, y, box.w, bar}, dl);
    y += bar + 16 * s;
    float rest = box.y + box.h - y;
    y += fmaxf(0, fminf(10 * s, rest - 2 * line));
    return y + draw_axes(scene, tensor, (Rect){box.x, y, box.w, box.y + box.h - y}, line, dl) - box.y;
}

void legend_draw_line(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, gap = 16 * s, size = scene->layout.type[TYPE_LABEL], bar = fminf(220 * s, box.w * 0.35f);
    const char *title = title_of(scene, tensor, box.w * 0.45f);
    float title_w = fminf(font_width(scene->font, FACE_UI, size, title), box.w - bar - gap);
    Rect words = {box.x, box.y, fmaxf(0, title_w), 18 * s};
    label(scene, dl, FACE_UI, TYPE_LABEL, words, ALIGN_LEFT, title);
    Rect middle = {words.x + words.w + gap, box.y + 4 * s, bar, 10 * s};
    draw_scale(scene, tensor, middle, dl);
    float x = middle.x + middle.w + gap, room = box.x + box.w - x;
    for (int full = 1; full >= 0; full--) {
        const char *axes = axes_in_one(scene, tensor, full);
        if (font_width(scene->font, FACE_UI, size, axes) > room) continue;
        label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){x, box.y, room, 18 * s}, ALIGN_LEFT, axes);
        return;
    }
}
