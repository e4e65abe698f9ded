#include "scene/legend.h"

#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/paint.h"

enum { BAR_STEPS = 64 };

typedef struct {
    const char *tensor, *title, *title_one; /* with several heads, with one */
} Title;

static const Title titles[] = {
    {"x", tr_mark("Token rows"), NULL},
    {"q", tr_mark("Queries, one scale for all heads"), tr_mark("Queries")},
    {"k", tr_mark("Keys, one scale for all heads"), tr_mark("Keys")},
    {"v", tr_mark("Values, one scale for all heads"), tr_mark("Values")},
    {"q_rope", tr_mark("Queries, one scale for all heads"), tr_mark("Queries")},
    {"k_rope", tr_mark("Keys, one scale for all heads"), tr_mark("Keys")},
    {"scores", tr_mark("Score, one scale for all heads"), tr_mark("Score")},
    {"scaled", tr_mark("Scaled score, one scale for all heads"), tr_mark("Scaled score")},
    {"masked", tr_mark("Masked score, one scale for all heads"), tr_mark("Masked score")},
    {"weights", tr_mark("Weight, 0 to 1 in every head"), tr_mark("Weight, 0 to 1")},
    {"head_out", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"concat", tr_mark("Head output, one scale for all heads"), tr_mark("Head output")},
    {"out", tr_mark("Output, one scale for all heads"), tr_mark("Output")},
};

const char *legend_title(const Scene *scene, TensorId tensor) {
    const char *name = trace_tensor(scene->run->trace, tensor)->name;
    bool one = scene->run->spec.n_heads < 2;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_eq(titles[i].tensor, name)) return tr(one && titles[i].title_one ? titles[i].title_one : titles[i].title);
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
    char text[NUM_MAX];
    ticks[0] = arena_strdup(scene->arena, num_double(text, -scale.limit, NUM_SCREEN));
    ticks[1] = "0";
    ticks[2] = arena_strdup(scene->arena, num_double(text, scale.limit, NUM_SCREEN));
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
    return axis == AXIS_FEATURE ? tr("Column = feature of the token.") : tr("Column = one number of the head.");
}

static void label(const Scene *scene, DisplayList *dl, FontFace face, int type, Rect box, TextAlign align, const char *text) {
    dl_label(dl, scene->font, face, scene->layout.type[type], scene_theme(scene)->muted, box, align, text);
}

float legend_draw(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, y = box.y, line = 19 * s;
    const char *ticks[3];
    legend_ticks(scene, tensor, ticks);
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, y, box.w, 18 * s}, ALIGN_LEFT, legend_title(scene, tensor));
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
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, y, box.w, line}, ALIGN_LEFT, axis_words(scene, tensor, true));
    label(scene, dl, FACE_UI, TYPE_LABEL, (Rect){box.x, y + line, box.w, line}, ALIGN_LEFT, axis_words(scene, tensor, false));
    return y + 2 * line - box.y;
}

void legend_draw_line(const Scene *scene, TensorId tensor, Rect box, DisplayList *dl) {
    float s = scene->layout.scale, gap = 10 * s, bar = fminf(220 * s, box.w * 0.35f), h = 13 * s;
    const char *ticks[3], *title = legend_title(scene, tensor);
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
