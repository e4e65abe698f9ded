/* Maps as a figure for a page: title, axis words, labels, numbers, legend, and a line that says how it was made. */
#include <math.h>
#include <string.h>

#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/figure_part.h"
#include "scene/legend.h"
#include "scene/look.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/stage_part.h"

/* Units at scale 1. A page grows until its maps have cells of the least size, but never beyond the most. */
enum {
    FIGURE_WIDTH = 1000,
    FIGURE_HEIGHT = 800,
    SHEET_WIDTH = 1600,
    SHEET_HEIGHT = 1000,
    PAGE_MOST = 8000,
    PAGE_LEAST = 320,
    NUMBERED_MOST = 32, /* rows or columns up to which a page grows for numbers, */
    LABELLED_MOST = 128, /* and for the labels of all */
    LABEL_LONGEST = 640,
    NAME_HIGH = 26,
    GAP_X = 32,
    GAP_Y = 20,
    AXIS_WIDE = 32,
    AXIS_HIGH = 40,
    BAR_WIDE = 18,
    BAR_MOST = 360
};

/* ---- measures ---- */

static void set_view(Figure *f, const Scene *scene, const FigureSpec *spec) {
    f->view = *scene->view;
    f->view.film.stage = spec->stage;
    f->view.film.position = f->view.film.until = spec->position;
    f->view.film.playing = false;
    f->view.selection.tensor[0] = f->view.hover.tensor[0] = '\0';
    f->scene = *scene;
    f->scene.view = &f->view;
    f->view.zoom = 1; /* the whole map */
    f->tensor = look_tensor(&f->scene);
    f->theme = theme_at(scene->view->theme);
    f->head = spec->head;
    const Tensor *t = f->tensor == TENSOR_NONE ? NULL : trace_tensor(scene->run->trace, f->tensor);
    f->n = spec->head < 0 && t && t->rank == 3 ? t->dim[0] : 1;
    if (f->n == 1 && spec->head < 0) f->head = scene->view->head;
    if (f->head >= 0) f->view.head = f->head;
    f->rows = t && t->rank > 1 ? t->dim[t->rank - 2] : 1;
    f->cols = t ? t->dim[t->rank - 1] : 1;
}

/* Larger type for a large page, and for a map of few cells, so that the picture is filled. */
static void set_scale(Figure *f) {
    float page = f->n > 1 ? fminf(f->width / SHEET_WIDTH, f->height / SHEET_HEIGHT) : fminf(f->width / FIGURE_WIDTH, f->height / FIGURE_HEIGHT);
    float few = f->n > 1 ? 1 : fminf(fmaxf(5.0f / (float)(f->rows > f->cols ? f->rows : f->cols), 1), 1.5f);
    f->s = fminf(fmaxf(page, 1), 4);
    float grow = fmaxf(page * few, 1);
    Layout *l = &f->scene.layout;
    static const float type[5] = {12, 13, 15, 18, 24};
    for (int i = 0; i < 5; i++) l->type[i] = type[i] * grow;
    l->scale = grow;
    l->pad = 8 * grow;
    f->edge = fminf(32 * f->s, f->width * 0.04f);
}

static RichStyle page_style(const Figure *f, float size, FontFace face, Color color) {
    return (RichStyle){.font = f->scene.font, .theme = f->theme, .face = face, .size = size * f->s, .color = color, .line = roundf(size * f->s * 1.5f)};
}

static bool by_head_columns(const Figure *f) {
    return f->n == 1 && scene_site(&f->scene)->spec.n_heads > 1 && str_eq(trace_tensor(f->scene.run->trace, f->tensor)->name, "concat");
}

static StageView bars_view(const Figure *f, DisplayList *dl) {
    const Layout *l = &f->scene.layout;
    return (StageView){.scene = &f->scene, .run = f->scene.run, .site = scene_site(&f->scene), .trace = f->scene.run->trace, .theme = f->theme, .dl = dl, .s = l->scale, .pad = l->pad};
}

/* Largest magnitude in one head's map. */
static double map_magnitude(const Figure *f, const Matrix *m) {
    double most = 0;
    for (int i = 0; i < f->rows; i++)
        for (int j = 0; j < f->cols; j++) {
            double value = fabs(matrix_value(m, &f->scene, i, j));
            if (isfinite(value) && value > most) most = value;
        }
    return most;
}

/* A head whose numbers are far smaller than those of the others has a scale of its own where it is alone. */
static void own_limit(Figure *f, Matrix *m) {
    if (f->n > 1 || m->look != MATRIX_SIGNED) return;
    double most = map_magnitude(f, m);
    if (most > 0 && most < m->limit / 2) f->limit = m->limit = matrix_friendly(most);
}

static void make_maps(Figure *f) {
    f->map = ARENA_ARRAY(f->scene.arena, Matrix, (size_t)f->n);
    StageView v = bars_view(f, NULL);
    for (int i = 0; i < f->n; i++) {
        Matrix *m = &f->map[i];
        matrix_init(m, &f->scene, f->tensor, f->n > 1 ? i : scene_tensor_head(f->scene.run, f->tensor, f->head), false);
        if (f->options.without & FIGURE_NUMBERS) m->numbers = false;
        m->digits = f->options.decimals;
        if (scene_stage(&f->scene)->kind >= STAGE_ATTENTION_COUNT) m->row.color = f->theme->ink; /* no row looks at another */
        m->row.max_label = m->col.max_label = f->free_width ? LABEL_LONGEST * f->s : fminf((f->n > 1 ? 160 : 320) * f->s, f->width * 0.3f);
        if (by_head_columns(f)) {
            m->col.labels = false; /* every head has a first column: the bars say whose */
            m->above = stage_head_bars_room(&v, false);
        }
    }
    own_limit(f, &f->map[0]);
}

static CellScale color_scale(const Figure *f) {
    CellScale scale = scene_cell_scale(&f->scene, f->tensor);
    if (f->limit > 0) scale.limit = f->limit;
    return scale;
}

static float legend_room(const Figure *f) {
    LegendTick ticks[LEGEND_TICKS_MAX];
    CellScale scale = color_scale(f);
    int n = legend_scale_ticks(&f->scene, &scale, ticks);
    float most = 0;
    for (int i = 0; i < n; i++) most = fmaxf(most, font_width(f->scene.font, FACE_MONO, 13 * f->s, ticks[i].text));
    return (BAR_WIDE + 8) * f->s + most;
}

/* ---- the page ---- */

static bool has(const Figure *f, unsigned part) { return !(f->options.without & part); }

static float legend_width(const Figure *f) { return has(f, FIGURE_LEGEND) ? 24 * f->s + legend_room(f) : 0; }

static void cut_page(Figure *f) {
    RichStyle small = page_style(f, 13, FACE_UI, f->theme->muted);
    Rect page = rect_inset((Rect){0, 0, f->width, f->height}, f->edge);
    if (has(f, FIGURE_TITLE)) f->title = rect_cut_top(&page, 40 * f->s), rect_cut_top(&page, 8 * f->s);
    if (has(f, FIGURE_CAPTION)) f->how = rect_cut_bottom(&page, fmaxf(24 * f->s, rich_height(&small, page.w, figure_how(f)))), rect_cut_bottom(&page, 8 * f->s);
    f->body = page;
    rect_cut_left(&page, AXIS_WIDE * f->s);
    rect_cut_right(&page, fmaxf(legend_width(f), f->lean)); /* behind what the last map keeps free at its right */
    rect_cut_bottom(&page, AXIS_HIGH * f->s);
    f->maps = page;
}

/* Room around the cells of one map when its cells have this size, its name on a sheet included. */
static Rect margins_at(const Figure *f, float cell_w, float cell_h) {
    Matrix m = f->map[0];
    matrix_set_side(&m.row, cell_h, 1);
    matrix_set_side(&m.col, cell_w, 1);
    m.numbers = false;
    matrix_settle(&m, &f->scene);
    Rect margins = matrix_margins(&m);
    if (f->n > 1) margins.y += NAME_HIGH * f->s;
    return margins;
}

/* The least cells that a page grows for: with numbers where there are few, else with every label. */
static void least_cells(const Figure *f, float *w, float *h) {
    int most = f->rows > f->cols ? f->rows : f->cols;
    bool numbered = most <= NUMBERED_MOST && has(f, FIGURE_NUMBERS);
    float labelled = 1.7f * f->scene.layout.type[TYPE_SMALL]; /* names in a slant leave one another room */
    float more = f->options.decimals > 3 ? 8 * (float)(f->options.decimals - 3) : 0; /* than two decimals */
    *w = numbered ? (40 + more) * f->s : most <= LABELLED_MOST ? labelled : 2 * f->s;
    *h = numbered ? 20 * f->s : most <= LABELLED_MOST ? labelled : 2 * f->s;
}

/* As many maps in a row as make the cells largest. */
static void choose_across(Figure *f) {
    float cell_w, cell_h, best = -1;
    least_cells(f, &cell_w, &cell_h);
    Rect margins = margins_at(f, cell_w, cell_h);
    for (int across = 1; across <= f->n; across++) {
        int down = (f->n + across - 1) / across;
        float w = ((f->maps.w + GAP_X * f->s) / (float)across - GAP_X * f->s - margins.x - margins.w) / (float)f->cols;
        float h = ((f->maps.h + GAP_Y * f->s) / (float)down - GAP_Y * f->s - margins.y) / (float)f->rows;
        float worth = fminf(w / cell_w, h / cell_h);
        if (best > -1 && worth <= best) continue;
        if (f->across > 0 && down == f->down) continue;
        best = worth;
        f->across = across;
        f->down = down;
    }
}

/* A page grows until its maps have the least cells, on the sides that nobody has set. */
static void grow_page(Figure *f) {
    float cell_w, cell_h;
    least_cells(f, &cell_w, &cell_h);
    Rect margins = margins_at(f, cell_w, cell_h);
    float w = (float)f->across * (margins.x + margins.w + cell_w * (float)f->cols) + GAP_X * f->s * (float)(f->across - 1);
    float h = (float)f->down * (margins.y + cell_h * (float)f->rows) + GAP_Y * f->s * (float)(f->down - 1);
    if (f->free_width || f->n > 1) f->width = fminf(ceilf(f->width + fmaxf(0, w - f->maps.w)), PAGE_MOST * f->s);
    if (f->free_height || f->n > 1) f->height = fminf(ceilf(f->height + fmaxf(0, h - f->maps.h)), PAGE_MOST * f->s);
}

/* All maps have cells of one size, and numbers of one kind. */
static void fit_maps(Figure *f) {
    float w = (f->maps.w - GAP_X * f->s * (float)(f->across - 1)) / (float)f->across;
    float h = (f->maps.h - GAP_Y * f->s * (float)(f->down - 1)) / (float)f->down - (f->n > 1 ? NAME_HIGH * f->s : 0);
    Matrix *first = &f->map[0];
    for (int i = 0; i < f->n; i++) {
        matrix_fit(&f->map[i], &f->scene, (Rect){0, 0, w, h});
        if (f->map[i].decimals >= first->decimals && f->map[i].number_size >= first->number_size) continue;
        first->number_size = fminf(first->number_size, f->map[i].number_size);
        first->decimals = f->map[i].decimals < first->decimals ? f->map[i].decimals : first->decimals;
    }
    for (int i = 1; i < f->n; i++) {
        f->map[i].decimals = first->decimals;
        f->map[i].number_size = first->number_size;
    }
    Rect margins = matrix_margins(first);
    f->tile_w = margins.x + first->cells.w + (f->across > 1 ? margins.w : first->right);
    f->tile_h = margins.y + first->cells.h + (f->n > 1 ? NAME_HIGH * f->s : 0);
}

static float maps_width(const Figure *f) { return f->tile_w * (float)f->across + GAP_X * f->s * (float)(f->across - 1); }
static float maps_height(const Figure *f) { return f->tile_h * (float)f->down + GAP_Y * f->s * (float)(f->down - 1); }

/* What the title and the axis words below the maps need of the maps' width. */
static float words_width(const Figure *f) {
    RichStyle title = page_style(f, 24, FACE_UI_SEMIBOLD, f->theme->ink);
    float around = f->width - f->maps.w - 2 * f->edge, below = font_width(f->scene.font, FACE_UI, 15 * f->s, figure_axis(f, false, 15 * f->s, INFINITY));
    return fmaxf(has(f, FIGURE_TITLE) ? rich_width(&title, figure_title(f)) - around : 0, below);
}

/* Names in a slant reach beyond the last column: over the legend, and where they are long beyond it. */
static void lean_out(Figure *f) {
    float needed = matrix_margins(&f->map[0]).w - f->map[0].right - f->edge, there = legend_width(f);
    if (needed <= there) return;
    f->lean = needed;
    f->width += needed - there;
}

/* Everything but places. A width or height of 0 is the usual one; for a sheet, as large as its maps need. */
static void plan(Figure *f, const Scene *scene, const FigureSpec *spec) {
    float width = spec->width, height = spec->height;
    *f = (Figure){0};
    set_view(f, scene, spec);
    f->options = spec->options;
    f->free_width = width <= 0;
    f->free_height = height <= 0;
    f->width = width > 0 ? fmaxf(width, PAGE_LEAST) : f->n > 1 ? SHEET_WIDTH : FIGURE_WIDTH;
    f->height = height > 0 ? fmaxf(height, PAGE_LEAST) : f->n > 1 ? SHEET_HEIGHT : FIGURE_HEIGHT;
    set_scale(f);
    if (f->tensor == TENSOR_NONE) return;
    make_maps(f);
    cut_page(f);
    choose_across(f);
    grow_page(f);
    cut_page(f);
    fit_maps(f);
    if (f->free_width && f->n == 1) lean_out(f);
    if (f->free_width) f->width = ceilf(f->width - fmaxf(0, f->maps.w - fmaxf(maps_width(f), words_width(f))));
    if (f->free_height) f->height = ceilf(f->height - fmaxf(0, f->maps.h - maps_height(f)));
    cut_page(f);
}

void figure_maps_size(const Scene *scene, const FigureSpec *spec, float *width, float *height) {
    Figure f;
    plan(&f, scene, spec);
    *width = f.width;
    *height = f.height;
}

/* ---- drawing ---- */

static void draw_legend(const Figure *f, Rect maps, DisplayList *dl) {
    LegendTick ticks[LEGEND_TICKS_MAX];
    CellScale scale = color_scale(f);
    float s = f->s, size = 13 * s, h = fminf(fmaxf(maps.h, 120 * s), BAR_MOST * s);
    h = fminf(f->n > 1 ? h : fmaxf(maps.h, 120 * s), f->body.h);
    float y = fmaxf(f->body.y, fminf(maps.y + (maps.h - h) / 2, f->body.y + f->body.h - h));
    Rect bar = {maps.x + maps.w + f->map[f->n - 1].right + 24 * s, y, BAR_WIDE * s, h};
    int n = legend_scale_ticks(&f->scene, &scale, ticks);
    legend_scale_upright(&f->scene, &scale, bar, dl);
    float cap = f->scene.font->cap_height(f->scene.font->ctx, FACE_MONO, size);
    for (int i = 0; i < n; i++) {
        float at = bar.y + bar.h * (float)(1 - ticks[i].place);
        dl_line(dl, bar.x + bar.w, at, bar.x + bar.w + 4 * s, at, f->theme->muted, s);
        dl_text(dl, f->scene.font, FACE_MONO, size, f->theme->ink, bar.x + bar.w + 8 * s, at + cap / 2, ticks[i].text);
    }
}

/* Beside the maps and below them, once for all. */
static void draw_axis_words(const Figure *f, float left, Rect maps, DisplayList *dl) {
    float s = f->s, size = 15 * s;
    const char *rows = figure_axis(f, true, size, f->body.h), *cols = figure_axis(f, false, size, f->body.w);
    float w = font_width(f->scene.font, FACE_UI, size, rows), y = maps.y + maps.h / 2 + w / 2;
    y = fminf(fmaxf(y, f->body.y + w), f->body.y + f->body.h);
    dl_text_turned(dl, f->scene.font, FACE_UI, size, f->theme->muted, left - 12 * s, y, 90, rows);
    Rect below = {maps.x, maps.y + maps.h + 6 * s, maps.w, 24 * s};
    float wide = font_width(f->scene.font, FACE_UI, size, cols) + 4;
    if (below.w < wide) below = (Rect){below.x + (below.w - wide) / 2, below.y, wide, below.h};
    below.x = fmaxf(f->body.x, below.x);
    dl_label(dl, f->scene.font, FACE_UI, size, f->theme->muted, below, ALIGN_CENTER, cols);
    const char *note = figure_note(f);
    if (!note) return;
    float middle = below.x + below.w / 2, half = fminf(middle - f->body.x, f->body.x + f->body.w - middle);
    Rect words = {middle - half, below.y + 23 * s, 2 * half, 16 * s}; /* below the axis words, where it is not too long */
    if (font_width(f->scene.font, FACE_UI, 12 * s, note) > words.w) words.x = f->body.x, words.w = f->body.w;
    dl_label(dl, f->scene.font, FACE_UI, 12 * s, f->theme->muted, words, ALIGN_CENTER, note);
}

static void draw_name(const Figure *f, int map, const Matrix *m, DisplayList *dl) {
    const char *job, *name = figure_map_name(f, map, &job);
    float size = 15 * f->s, y = m->cells.y - matrix_margins(m).y - NAME_HIGH * f->s;
    Rect box = {m->cells.x, y, f->tile_w - matrix_margins(m).x, (NAME_HIGH - 4) * f->s};
    float w = dl_label(dl, f->scene.font, FACE_UI_SEMIBOLD, size, f->theme->ink, box, ALIGN_LEFT, name);
    if (!job) return;
    job = arena_printf(f->scene.arena, "· %s", job);
    rect_cut_left(&box, w + 6 * f->s);
    if (font_width(f->scene.font, FACE_UI, 13 * f->s, job) <= box.w)
        dl_label(dl, f->scene.font, FACE_UI, 13 * f->s, f->theme->muted, box, ALIGN_LEFT, job);
}

static void draw_maps(Figure *f, DisplayList *dl) {
    float s = f->s, wide = maps_width(f), high = maps_height(f);
    float x = f->maps.x + fmaxf(0, floorf((f->maps.w - wide) / 2)), y = f->maps.y + fmaxf(0, floorf((f->maps.h - high) / 2));
    float name = f->n > 1 ? NAME_HIGH * s : 0;
    Rect margins = matrix_margins(&f->map[0]);
    for (int i = 0; i < f->n; i++) {
        Matrix *m = &f->map[i];
        float left = x + (float)(i % f->across) * (f->tile_w + GAP_X * s), top = y + (float)(i / f->across) * (f->tile_h + GAP_Y * s);
        matrix_place(m, left + margins.x, top + margins.y + name);
        m->empty_said = true;
        matrix_draw(m, &f->scene, dl);
        empty_rows_draw(m, &f->scene, -1, -1, dl);
        if (f->n > 1) draw_name(f, i, m, dl);
    }
    if (by_head_columns(f)) {
        StageView v = bars_view(f, dl);
        stage_head_bars(&v, &f->map[0], scene_site(&f->scene)->spec.d_v, false);
    }
    Rect cells = {x + margins.x, y + margins.y + name, wide - margins.x - (f->across > 1 ? margins.w : f->map[0].right), high - margins.y - name};
    draw_axis_words(f, x, cells, dl);
    if (has(f, FIGURE_LEGEND)) draw_legend(f, cells, dl);
}

void figure_maps_draw(const Scene *scene, const FigureSpec *spec, DisplayList *dl) {
    Figure f;
    plan(&f, scene, spec);
    RichStyle title = page_style(&f, 24, FACE_UI_SEMIBOLD, f.theme->ink), small = page_style(&f, 13, FACE_UI, f.theme->muted);
    if (f.tensor == TENSOR_NONE) {
        rich_label(dl, &title, (Rect){f.edge, 0, dl->width - 2 * f.edge, dl->height}, ALIGN_CENTER,
                   tr("There are no numbers at this stage: later ones are given."));
        return;
    }
    if (has(&f, FIGURE_TITLE)) rich_label(dl, &title, f.title, ALIGN_CENTER, figure_title(&f));
    if (has(&f, FIGURE_CAPTION)) rich_paragraph(dl, &small, f.how, ALIGN_CENTER, figure_how(&f));
    StageView bars = bars_view(&f, dl);
    bars.stage = scene_stage(&f.scene);
    bars.area = f.body;
    if (bars.stage->kind != STAGE_PREDICT || !stage_predict_rows(&bars)) draw_maps(&f, dl);
}
