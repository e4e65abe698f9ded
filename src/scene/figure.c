/* One map as a figure for a page: title, axis words, labels, numbers, legend, and a line that says how it was made. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/legend.h"
#include "scene/matrix.h"
#include "scene/now.h"
#include "scene/paint.h"

enum { FIGURE_WIDTH = 1000, FIGURE_HEIGHT = 800 };

typedef struct {
    Scene scene; /* with a view and a layout of its own */
    View view;
    DisplayList *dl;
    const Theme *theme;
    TensorId tensor;
    int head;
    float s;
} Figure;

typedef struct {
    const char *tensor, *title;
} FigureTitle;

static const FigureTitle titles[] = {
    {"x", tr_mark("Token rows")},
    {"q", tr_mark("Queries")},
    {"k", tr_mark("Keys")},
    {"v", tr_mark("Values")},
    {"q_rope", tr_mark("Queries, turned by position")},
    {"k_rope", tr_mark("Keys, turned by position")},
    {"scores", tr_mark("Attention scores")},
    {"scaled", tr_mark("Scaled scores")},
    {"masked", tr_mark("Masked scores")},
    {"weights", tr_mark("Attention weights")},
    {"head_out", tr_mark("Head output")},
    {"concat", tr_mark("Heads side by side")},
    {"out", tr_mark("Output")},
};

static const char *title_text(const Figure *f) {
    const Run *run = f->scene.run;
    const Tensor *t = trace_tensor(run->trace, f->tensor);
    const char *title = t->name;
    for (size_t i = 0; i < sizeof titles / sizeof *titles; i++)
        if (str_eq(titles[i].tensor, t->name)) title = tr(titles[i].title);
    if (t->rank < 3 || run->spec.n_heads < 2) return title;
    const Source *source = &run->source;
    const char *job = source->head_name && f->head < source->n_heads ? source->head_name[f->head] : NULL;
    if (job) return arena_printf(f->scene.arena, tr("%s, head %d (%s)"), title, f->head + 1, tr(job));
    return arena_printf(f->scene.arena, tr("%s, head %d"), title, f->head + 1);
}

static const char *axis_text(const Figure *f, bool rows) {
    const Tensor *t = trace_tensor(f->scene.run->trace, f->tensor);
    AxisKind axis = run_axis(f->scene.run, f->tensor, t->rank - (rows ? 2 : 1));
    if (axis == AXIS_QUERY) return tr("queries: the token that looks");
    if (axis == AXIS_KEY) return tr("keys: the token that is looked at");
    return axis == AXIS_FEATURE ? tr("features") : tr("columns");
}

/* "Classroom 16×4, made by hand · causal mask · scale 1/√dₖ = 0.5" */
static const char *how_text(const Figure *f) {
    const Run *run = f->scene.run;
    const AttentionSpec *spec = &run->spec;
    Arena *arena = f->scene.arena;
    StrBuf sb;
    sb_init(&sb, arena);
    sb_printf(&sb, "%s, %s", run->source.title, tr(run->source.badge));
    if (spec->n_masks == 0) sb_printf(&sb, " · %s", tr("no mask"));
    for (int i = 0; i < spec->n_masks; i++) sb_printf(&sb, tr(" · %s mask"), mask_names[spec->masks[i].kind]);
    if (spec->scale == SCALE_AUTO)
        sb_printf(&sb, tr(" · scale 1/√dₖ = %s"), scene_short_number(&f->scene, 1 / sqrt(spec->d_k > 0 ? spec->d_k : 1)));
    else
        sb_printf(&sb, tr(" · scale %s"), spec->scale == SCALE_NONE ? tr("off") : scene_short_number(&f->scene, spec->scale_number));
    if (spec->temperature != 0 && spec->temperature != 1)
        sb_printf(&sb, tr(" · temperature %s"), scene_short_number(&f->scene, spec->temperature));
    return sb.data;
}

/* Larger type for a map of few cells, so that the picture is filled. */
static void set_scale(Figure *f, int rows, int cols) {
    float fit = fminf(f->dl->width / FIGURE_WIDTH, f->dl->height / FIGURE_HEIGHT);
    f->s = fit;
    float few = 5.0f / (float)(rows > cols ? rows : cols);
    float grow = fit * fminf(fmaxf(few, 1), 1.5f);
    Layout *l = &f->scene.layout;
    static const float type[5] = {12, 13, 15, 18, 24};
    for (int i = 0; i < 5; i++) l->type[i] = type[i] * grow;
    l->scale = grow;
    l->pad = 8 * grow;
}

static void draw_legend(const Figure *f, const Matrix *m, Rect column) {
    const char *ticks[3];
    float size = 13 * f->s, h = m->cells.h > 120 * f->s ? m->cells.h : fminf(column.h, 120 * f->s), y = m->cells.y + (m->cells.h - h) / 2;
    Rect bar = {column.x, y, 18 * f->s, h};
    legend_ticks(&f->scene, f->tensor, ticks);
    legend_bar_upright(&f->scene, f->tensor, bar, f->dl);
    float cap = f->scene.font->cap_height(f->scene.font->ctx, FACE_MONO, size);
    for (int i = 0; i < 3; i++) {
        float at = bar.y + bar.h * (1 - (float)i / 2);
        dl_line(f->dl, bar.x + bar.w, at, bar.x + bar.w + 4 * f->s, at, f->theme->muted, f->s);
        dl_text(f->dl, f->scene.font, FACE_MONO, size, f->theme->ink, bar.x + bar.w + 8 * f->s, at + cap / 2, ticks[i]);
    }
}

static float legend_room(const Figure *f) {
    const char *ticks[3];
    legend_ticks(&f->scene, f->tensor, ticks);
    float most = 0;
    for (int i = 0; i < 3; i++) most = fmaxf(most, font_width(f->scene.font, FACE_MONO, 13 * f->s, ticks[i]));
    return 18 * f->s + 8 * f->s + most;
}

static void draw_axis_words(const Figure *f, const Matrix *m, Rect left) {
    float size = 15 * f->s;
    const char *rows = axis_text(f, true), *cols = axis_text(f, false);
    Color color = f->theme->muted;
    float w = font_width(f->scene.font, FACE_UI, size, rows), y = m->cells.y + m->cells.h / 2 + w / 2;
    y = fminf(y, f->dl->height - 8 * f->s);
    dl_text_turned(f->dl, f->scene.font, FACE_UI, size, color, left.x + size, y, 90, rows);
    Rect below = {m->cells.x, m->cells.y + m->cells.h + 8 * f->s, m->cells.w, 24 * f->s};
    float wide = font_width(f->scene.font, FACE_UI, size, cols) + 4;
    if (below.w < wide) below = (Rect){below.x + (below.w - wide) / 2, below.y, wide, below.h};
    dl_label(f->dl, f->scene.font, FACE_UI, size, color, below, ALIGN_CENTER, cols);
}

static void draw_map(Figure *f, Rect box) {
    float s = f->s;
    Matrix m;
    matrix_init(&m, &f->scene, f->tensor, scene_tensor_head(f->scene.run, f->tensor, f->head), false);
    m.row.max_label = m.col.max_label = 320 * s;
    Rect left = rect_cut_left(&box, 32 * s), right = rect_cut_right(&box, legend_room(f));
    rect_cut_right(&box, 24 * s);
    rect_cut_bottom(&box, 40 * s);
    matrix_fit(&m, &f->scene, box);
    Rect margins = matrix_margins(&m);
    /* the words and the legend stand beside the map, not at the edge of the page */
    float x = fmaxf(left.x, m.cells.x - margins.x - 32 * s), end = m.cells.x + m.cells.w + margins.w + 24 * s;
    matrix_draw(&m, &f->scene, f->dl);
    draw_axis_words(f, &m, (Rect){x, box.y, left.w, box.h});
    draw_legend(f, &m, (Rect){fminf(end, right.x), box.y, right.w, box.h});
    const char *note = matrix_note(&m, &f->scene);
    if (!note) return;
    Rect words = {box.x, m.cells.y + m.cells.h + 30 * s, box.w, 20 * s};
    dl_label(f->dl, f->scene.font, FACE_UI, 12 * s, f->theme->muted, words, ALIGN_CENTER, note);
}

static void set_view(Figure *f, const Scene *scene, const FigureSpec *spec) {
    f->view = *scene->view;
    f->view.film.stage = spec->stage;
    f->view.film.position = f->view.film.until = spec->position;
    f->view.film.playing = false;
    f->view.head = f->head = spec->head;
    f->view.selection.tensor[0] = f->view.hover.tensor[0] = '\0';
    f->scene = *scene;
    f->scene.view = &f->view;
}

void figure_draw(const Scene *scene, const FigureSpec *spec, DisplayList *dl) {
    Figure f = {.dl = dl, .theme = theme_at(scene->view->theme)};
    set_view(&f, scene, spec);
    set_scale(&f, 6, 6);
    Rect page = rect_inset((Rect){0, 0, dl->width, dl->height}, 32 * f.s);
    Rect title = rect_cut_top(&page, 40 * f.s);
    RichStyle style = scene_style(&f.scene, TYPE_HEAD, FACE_UI_SEMIBOLD, f.theme->ink);
    f.tensor = scene_stage_tensor(&f.scene);
    if (f.tensor == TENSOR_NONE) {
        rich_label(dl, &style, title, ALIGN_CENTER, tr("There are no numbers at this stage: later ones are given."));
        return;
    }
    rich_label(dl, &style, title, ALIGN_CENTER, title_text(&f));
    RichStyle small = scene_style(&f.scene, TYPE_LABEL, FACE_UI, f.theme->muted);
    Rect how = rect_cut_bottom(&page, 24 * f.s);
    rich_label(dl, &small, how, ALIGN_CENTER, how_text(&f));
    const Tensor *t = trace_tensor(scene->run->trace, f.tensor);
    set_scale(&f, t->rank > 1 ? t->dim[t->rank - 2] : 1, t->dim[t->rank - 1]);
    rect_cut_top(&page, 8 * f.s);
    rect_cut_bottom(&page, 8 * f.s);
    draw_map(&f, page);
}
