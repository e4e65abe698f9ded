#include "scene/legend.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
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
    {"weights", tr_mark("Weight, 0 to 1 in every head"), tr_mark("Weight")},
    {"head_out", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"concat", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"out", tr_mark("Output, one scale for all heads"), tr_mark("Output")},
};

const char *legend_title(const Scene *scene, TensorId tensor, float room) {
    const char *name = trace_tensor(scene->run->trace, tensor)->name;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++) {
        if (!str_eq(titles[i].tensor, name)) continue;
        bool fits = font_width(scene->font, FACE_UI, scene->layout.type[TYPE_LABEL], tr(titles[i].title)) <= room;
        return tr(scene->run->spec.n_heads > 1 && fits ? titles[i].title : titles[i].plain);
    }
    return name;
}

void legend_ticks(const Scene *scene, TensorId tensor, const char *ticks[3]) {
    CellScale scale = scene_cell_scale(scene, tensor);
    if (scale.weight) {
        ticks[0] = "0";
        ticks[1] = "0.5";
        ticks[2] = "1";
        return;
    }
    ticks[0] = scene_short_number(scene, -scale.limit);
    ticks[1] = "0";
    ticks[2] = scene_short_number(scene, scale.limit);
}

static void draw_bar(const Scene *scene, TensorId tensor, Rect bar, bool upright, DisplayList *dl) {
    CellScale scale = scene_cell_scale(scene, tensor);
    Color colors[BAR_STEPS];
    float values[BAR_STEPS];
    uint8_t marks[BAR_STEPS];
    for (int i = 0; i < BAR_STEPS; i++) {
        double t = (double)i / (BAR_STEPS - 1);
        if (upright) t = 1 - t;
        double value = scale.weight ? t : (2 * t - 1) * scale.limit;
        values[i] = (float)value;
        colors[i] = scene_cell_color(scene, &scale, value);
        marks[i] = CELL_VALUE;
    }
    dl_cells(dl, bar, upright ? BAR_STEPS : 1, upright ? 1 : BAR_STEPS, 0, 0, colors, values, marks, -1, -1, 0, 0);
    dl_rect(dl, bar, 0, COLOR_NONE, scene_theme(scene)->line, 1);
}

void legend_bar(const Scene *scene, TensorId tensor, Rect bar, DisplayList *dl) { draw_bar(scene, tensor, bar, false, dl); }
void legend_bar_upright(const Scene *scene, TensorId tensor, Rect bar, DisplayList *dl) { draw_bar(scene, tensor, bar, true, dl); }

static const char *axis_words(const Scene *scene, TensorId tensor, bool rows) {
    const Tensor *t = trace_tensor(scene->run->trace, tensor);
    AxisKind axis = run_axis(scene->run, tensor, t->rank - (rows ? 2 : 1));
    if (rows) return axis == AXIS_KEY ? tr("Row = key, who is looked at.") : tr("Row = query, who is looking.");
    if (axis == AXIS_KEY) return tr("Column = key, who is looked at.");
    return axis == AXIS_FEATURE ? tr("Column = feature.") : tr("Column = one number of the head.");
}

static void label(const Scene *scene, DisplayList *dl, FontFace face, int type, Rect box, TextAlign align, const char *text) {
    dl_label(dl, scene->font, face, scene->layout.type[type], scene_theme(scene)->muted, box, align, text);
}

static void draw_axis_words(const Scene *scene, TensorId tensor, Rect box, float line, DisplayList *dl) {
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y, box.w, line}, ALIGN_LEFT, axis_words(scene, tensor, true));
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y + line, box.w, line}, ALIGN_LEFT, axis_words(scene, tensor, false));
}

/* A low box: least and most stand at the ends of the bar. */
static float draw_low(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, line = 18 * s;
    const char *ticks[3];
    legend_ticks(scene, tensor, ticks);
    float least = font_width(scene->font, FACE_MONO, scene->layout.type[TYPE_SMALL], ticks[0]) + 6 * s;
    float most = font_width(scene->font, FACE_MONO, scene->layout.type[TYPE_SMALL], ticks[2]) + 6 * s;
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, box.y, box.w, line}, ALIGN_LEFT, legend_title(scene, tensor, box.w));
    Rect bar = {box.x + least, box.y + line + 3 * s, box.w - least - most, 12 * s}, numbers = {box.x, bar.y, box.w, bar.h};
    legend_bar(scene, tensor, bar, dl);
    label(scene, dl, FACE_MONO, TYPE_SMALL, numbers, ALIGN_LEFT, ticks[0]);
    label(scene, dl, FACE_MONO, TYPE_SMALL, numbers, ALIGN_RIGHT, ticks[2]);
    float y = bar.y + bar.h + 7 * s;
    if (box.y + box.h - y < 2 * line) return y - box.y;
    draw_axis_words(scene, tensor, (Rect){box.x, y, box.w, 2 * line}, line, dl);
    return y + 2 * line - box.y;
}

float legend_draw(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, y = box.y, line = 19 * s;
    if (box.h < 96 * s) return draw_low(scene, tensor, box, dl);
    const char *ticks[3];
    legend_ticks(scene, tensor, ticks);
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, y, box.w, 18 * s}, ALIGN_LEFT, legend_title(scene, tensor, box.w));
    y += 22 * s;
    legend_bar(scene, tensor, (Rect){box.x, y, box.w, 13 * s}, dl);
    y += 16 * s;
    Rect numbers = {box.x, y, box.w, 16 * s};
    label(scene, dl, FACE_MONO, TYPE_SMALL, numbers, ALIGN_LEFT, ticks[0]);
    label(scene, dl, FACE_MONO, TYPE_SMALL, numbers, ALIGN_CENTER, ticks[1]);
    label(scene, dl, FACE_MONO, TYPE_SMALL, numbers, ALIGN_RIGHT, ticks[2]);
    y += 16 * s;
    if (box.y + box.h - y < 2 * line) return y - box.y;
    y = fminf(y + 10 * s, box.y + box.h - 2 * line);
    draw_axis_words(scene, tensor, (Rect){box.x, y, box.w, 2 * line}, line, dl);
    return y + 2 * line - box.y;
}

void legend_draw_line(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, gap = 10 * s, bar = fminf(220 * s, box.w * 0.35f), h = 13 * s;
    const char *ticks[3], *title = legend_title(scene, tensor, box.w * 0.45f);
    legend_ticks(scene, tensor, ticks);
    float title_w = font_width(scene->font, FACE_UI, scene->layout.type[TYPE_LABEL], title) + gap;
    float low = font_width(scene->font, FACE_MONO, scene->layout.type[TYPE_SMALL], ticks[0]) + gap;
    title_w = fminf(title_w, box.w - bar - 2 * low);
    Rect row = box;
    Rect words = rect_cut_left(&row, fmaxf(0, title_w)), least = rect_cut_left(&row, low), middle = rect_cut_left(&row, bar);
    label(scene, dl, FACE_UI, TYPE_LABEL, words, ALIGN_LEFT, title);
    label(scene, dl, FACE_MONO, TYPE_SMALL, (Rect){least.x, least.y, least.w - gap / 2, least.h}, ALIGN_RIGHT, ticks[0]);
    legend_bar(scene, tensor, (Rect){middle.x, middle.y + (middle.h - h) / 2, middle.w, h}, dl);
    label(scene, dl, FACE_MONO, TYPE_SMALL, (Rect){row.x + gap / 2, row.y, row.w - gap / 2, row.h}, ALIGN_LEFT, ticks[2]);
}
