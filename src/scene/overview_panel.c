/* One map enlarged, what it can be replaced by (head average, rollout, weight × length of v), and the head's measures. */
#include <assert.h>
#include <math.h>
#include <string.h>

#include "base/phrase.h"
#include "base/tr.h"
#include "doc/action.h"
#include "scene/now.h"
#include "scene/overview_part.h"

/* Design units: heights under which the table and the sentence go. */
enum { TABLE_LEAST = 330, SENTENCE_LEAST = 400 };

/* A large map without numbers is so much wider than high, the first of these that can be. */
static const float squarer[] = {1.15f, 1.3f, 1.5f};

typedef struct {
    const char *tensor; /* name in the layer's scope */
    const char *tab, *brief;
} Aggregate;

static const Aggregate aggregates[] = {
    [AGGREGATE_HEAD] = {"weights", tr_mark("this head"), tr_mark("head")},
    [AGGREGATE_AVERAGE] = {"head_avg", tr_mark("head average"), tr_mark("average")},
    [AGGREGATE_ROLLOUT] = {"rollout", tr_mark("rollout"), tr_mark("rollout")},
    [AGGREGATE_LENGTH] = {"weighted_length", tr_mark("weight × length of v"), tr_mark("w × |v|")},
    [AGGREGATE_MAXIMUM] = {"head_max", tr_mark("maximum"), tr_mark("max")},
};
static_assert(sizeof aggregates / sizeof *aggregates == AGGREGATE_KIND_COUNT, "a row for each aggregate");

typedef struct {
    const Overview *o;
    const Site *site;
    Rect inner; /* what is left of the panel */
    AggregateKind kind;
    TensorId tensor;
} Panel;

/* ---- what is shown ---- */

/* In the layer's scope, or in the block's around it ("decoder.layers.3" of "decoder.layers.3.self"). */
static TensorId find_tensor(const Overview *o, const Site *site, AggregateKind kind) {
    if (kind == AGGREGATE_HEAD) return site->weights;
    const Trace *trace = o->run->trace;
    const char *dot = strrchr(site->scope, '.'), *name = aggregates[kind].tensor;
    TensorId id = trace_find(trace, arena_printf(o->scene->arena, "%s.%s", site->scope, name));
    bool self = dot && str_eq(dot, ".self");
    if (id == TENSOR_NONE && self) id = trace_find(trace, arena_printf(o->scene->arena, "%.*s.%s", (int)(dot - site->scope), site->scope, name));
    return id;
}

static void choose(Panel *p) {
    const View *view = p->o->scene->view;
    p->site = overview_site(p->o, p->o->shown_site);
    p->kind = view->aggregate < AGGREGATE_KIND_COUNT ? view->aggregate : AGGREGATE_HEAD;
    p->tensor = find_tensor(p->o, p->site, p->kind);
    if (p->tensor != TENSOR_NONE) return;
    p->kind = AGGREGATE_HEAD; /* this layer has no such map */
    p->tensor = p->site->weights;
}

static bool of_one_head(AggregateKind kind) { return kind == AGGREGATE_HEAD || kind == AGGREGATE_LENGTH; }

static const char *title_of(const Panel *p) {
    Arena *arena = p->o->scene->arena;
    if (of_one_head(p->kind)) return overview_name(p->o, p->o->shown_site, p->o->shown_head);
    if (p->kind == AGGREGATE_ROLLOUT) return arena_printf(arena, tr("Rollout up to layer %d"), p->site->layer + 1);
    return arena_printf(arena, tr("%s, all heads"), p->site->title);
}

static const char *formula_of(const Panel *p) {
    Arena *arena = p->o->scene->arena;
    switch (p->kind) {
    case AGGREGATE_AVERAGE: return arena_printf(arena, tr("head average: mean of the weights over %d heads"), p->site->spec.n_heads);
    case AGGREGATE_ROLLOUT:
        return p->site->layer == 0 ? tr("rollout: (average + I) / 2, rows divided by their sums; I keeps each token itself")
                                   : arena_printf(arena, tr("rollout: product of (average + I) / 2 over layers 1 to %d"), p->site->layer + 1);
    case AGGREGATE_LENGTH: return tr("weight × |v|: how long what each token adds is");
    case AGGREGATE_MAXIMUM: return arena_printf(arena, tr("maximum: the largest weight of %d heads, cell by cell"), p->site->spec.n_heads);
    default: return tr("weights: each row adds up to 1");
    }
}

/* ---- the map ---- */

static const char *name_of_token(void *ctx, int position, char buffer[32]) {
    const TokenList *tokens = ctx;
    (void)buffer;
    return position < tokens->n ? tokens->items[position].label : "";
}

static double largest(const Tensor *t) {
    double most = 0;
    for (size_t i = 0; i < tensor_count(t); i++) {
        double value = tensor_flat(t, i);
        if (isfinite(value) && value > most) most = value;
    }
    return most;
}

/* One scale for all heads of the layer: the largest number, or where there are many the longest v, which no weight makes longer. */
static double length_limit(const Panel *p) {
    enum { LOOK_MOST = 1 << 16 };
    const Trace *trace = p->o->run->trace;
    const Tensor *t = trace_tensor(trace, p->tensor), *length = trace_tensor(trace, trace_op(trace, t->op)->in[1]);
    bool many = tensor_count(t) > LOOK_MOST && tensor_readable(length);
    return matrix_friendly(largest(many ? length : t));
}

/* As overview_limit, of another map. */
static double largest_of_choices(const Tensor *t) {
    double most = 0;
    size_t wide = (size_t)t->dim[t->rank - 1], rows = (size_t)t->dim[t->rank - 2];
    for (size_t i = rows / 2 * wide; i < tensor_count(t); i++) {
        double value = i % wide ? tensor_flat(t, i) : 0;
        if (isfinite(value) && value > most) most = value;
    }
    return most > 0 && most < 1 ? most : 1;
}

static double limit_of(const Panel *p) {
    const Overview *o = p->o;
    if (p->kind == AGGREGATE_HEAD) return (double)overview_limit(o, o->shown_site, o->shown_head);
    if (p->tensor == TENSOR_NONE || !trace_resident(o->run->trace, p->tensor)) return 1;
    if (p->kind == AGGREGATE_LENGTH) return length_limit(p);
    return o->own_scales ? largest_of_choices(trace_tensor(o->run->trace, p->tensor)) : 1;
}

static Matrix make_matrix(const Panel *p) {
    const Scene *scene = p->o->scene;
    Matrix m;
    matrix_init(&m, scene, p->tensor, p->o->shown_head, false);
    m.film = false;
    m.look = MATRIX_WEIGHT;
    m.limit = limit_of(p);
    m.shares = true;
    m.mask = trace_find(scene->run->trace, arena_printf(scene->arena, "%s.mask", p->site->scope));
    if (m.mask != TENSOR_NONE && !trace_resident(scene->run->trace, m.mask)) m.mask = TENSOR_NONE;
    m.hide_range = true;
    m.zeros = false;
    m.row.label = m.col.label = name_of_token;
    m.row.label_ctx = (void *)p->site->queries;
    m.col.label_ctx = (void *)p->site->keys;
    m.row.color = p->o->theme->q;
    m.col.color = p->o->theme->k;
    return m;
}

static bool shows(const Panel *p, const Matrix *m, const ViewRef *ref, int *row, int *col) {
    const Tensor *t = trace_tensor(p->o->run->trace, m->tensor);
    if (!ref->tensor[0] || !str_eq(ref->tensor, t->id) || (t->rank == 3 && ref->index[0] != m->head)) return false;
    *row = ref->index[t->rank - 2];
    *col = ref->index[t->rank - 1];
    return true;
}

/* "rows: queries, who looks · columns: keys, who is looked at", and what the cells leave out. */
static void draw_axes(const Panel *p, const Matrix *m, Rect row) {
    const Overview *o = p->o;
    const char *note = matrix_note(m, o->scene), *tip = p->kind != AGGREGATE_LENGTH && m->limit < 1
        ? tr("darkest: largest in the lower half, not column 1") : NULL;
    const char *more = phrase_list(o->scene->arena, tip, note);
    const char *words[] = {tr("rows: queries, who looks · columns: keys, who is looked at"), tr("rows: queries · columns: keys"), tr("queries ↓ keys →"), ""};
    enum { CHOICES = sizeof words / sizeof *words };
    for (int i = 0; i < CHOICES; i++) {
        const char *text = more && !words[i][0] ? more : phrase_list(o->scene->arena, words[i], more);
        if (i < CHOICES - 1 && font_width(o->scene->font, FACE_UI, o->scene->layout.type[TYPE_SMALL], text) > row.w) continue;
        overview_text(o, TYPE_SMALL, FACE_UI, o->theme->muted, row, ALIGN_LEFT, text);
        return;
    }
}

/* Numbers that are not in memory: of a head its small picture, large. */
static void draw_absent(const Panel *p, Rect box) {
    const Overview *o = p->o;
    if (p->kind == AGGREGATE_HEAD && o->summary[o->shown_site]) {
        Rect line = rect_cut_bottom(&box, 1.5f * o->scene->layout.type[TYPE_SMALL]);
        overview_picture(o, o->shown_site, o->shown_head, rect_inset(box, o->pad));
        overview_text(o, TYPE_SMALL, FACE_UI, o->theme->muted, line, ALIGN_LEFT, tr("A small picture: the numbers are not in memory."));
        return;
    }
    dl_rect(o->dl, box, o->pad, o->theme->empty_cell, COLOR_NONE, 0);
    overview_text(o, TYPE_BODY, FACE_UI, o->theme->muted, box, ALIGN_CENTER, tr("Computing…"));
}

/* One token has nothing but itself to look at. */
static void draw_single(const Panel *p, Rect box) {
    const Overview *o = p->o;
    const Network *network = o->run->network;
    int take = action_find("take");
    const char *words = tr("One token: nothing to choose yet.");
    if (network && network->n_predictions > 0 && take >= 0 && action_key(take)[0])
        words = arena_printf(o->scene->arena, tr("One token: nothing to choose yet; take the first prediction with %s."), action_key(take));
    RichStyle style = scene_style(o->scene, TYPE_BODY, FACE_UI, o->theme->muted);
    style.line = roundf(1.4f * style.size);
    dl_rect(o->dl, box, o->pad, o->theme->empty_cell, COLOR_NONE, 0);
    Rect inner = rect_inset(box, 2 * o->pad);
    float high = rich_height(&style, inner.w, words);
    inner.y += fmaxf(0, (inner.h - high) / 2);
    rich_paragraph(o->dl, &style, inner, ALIGN_CENTER, words);
}

/* Without numbers to make room for the map is nearly as high as wide, as far as that costs no name of a row and no size; a small
 * one needs its width. */
static void fit_squarer(const Overview *o, Matrix *m, Rect box) {
    for (size_t i = 0; i < sizeof squarer / sizeof *squarer && m->cells.w > squarer[i] * m->cells.h && m->cells.h > 0.6f * box.h; i++) {
        Matrix wide = *m;
        Rect margins = matrix_margins(m), part = box;
        part.w = fminf(box.w, margins.x + margins.w + squarer[i] * m->cells.h);
        part.x += (box.w - part.w) / 2;
        matrix_fit(m, o->scene, part);
        bool large = m->cells.h >= 0.9f * wide.cells.h; /* more positions in a cell can make a much smaller map */
        if (large && m->row.label_every == wide.row.label_every && m->row.label_size >= wide.row.label_size) return;
        *m = wide;
    }
}

static void draw_map(const Panel *p, Rect box) {
    const Overview *o = p->o;
    if (overview_single(o, o->shown_site)) {
        draw_single(p, box);
        return;
    }
    if (p->tensor == TENSOR_NONE || !trace_resident(o->run->trace, p->tensor)) {
        draw_absent(p, box);
        return;
    }
    Rect axes = rect_cut_bottom(&box, 1.5f * o->scene->layout.type[TYPE_SMALL]);
    Matrix m = make_matrix(p);
    m.wide_most = box.w;
    matrix_fit(&m, o->scene, box);
    if (m.decimals < 0) fit_squarer(o, &m, box);
    matrix_draw(&m, o->scene, o->dl);
    int row, col;
    if (shows(p, &m, &o->scene->view->hover, &row, &col))
        dl_rect(o->dl, rect_inset(matrix_rect(&m, row, row + 1, col, col + 1), -1), 4, COLOR_NONE, o->theme->ink, 1);
    if (shows(p, &m, &o->scene->view->selection, &row, &col)) matrix_highlight(o->scene, o->dl, matrix_rect(&m, row, row + 1, col, col + 1));
    draw_axes(p, &m, axes);
}

/* ---- around it ---- */

static const char *scale_name(const Panel *p) {
    return p->kind == AGGREGATE_LENGTH ? tr("weight × length") : p->kind == AGGREGATE_ROLLOUT ? tr("rollout") : tr("weight");
}

static void draw_title(Panel *p) {
    const Overview *o = p->o;
    const Layout *l = &o->scene->layout;
    Rect row = rect_cut_top(&p->inner, ceilf(2 * l->type[TYPE_LABEL]));
    RichStyle style = scene_style(o->scene, TYPE_TITLE, FACE_UI_BOLD, o->theme->ink);
    const char *title = title_of(p), *step = arena_printf(o->scene->arena, tr("Step through head %d"), o->head + 1);
    if (o->shown_site != o->site || o->shown_head != o->head) title = arena_printf(o->scene->arena, tr("%s (preview)"), title);
    float room = row.w - rich_width(&style, title) - 2 * l->pad;
    float wide = font_width(o->scene->font, FACE_UI_MEDIUM, l->type[TYPE_LABEL], step) + 3 * l->pad;
    if (wide > room) wide = font_width(o->scene->font, FACE_UI_MEDIUM, l->type[TYPE_LABEL], step = tr("Step through")) + 2 * l->pad;
    Rect button = rect_cut_right(&row, ceilf(wide));
    const char *action = arena_printf(o->scene->arena, "look %d %d", o->site + 1, o->head + 1);
    dl_control(o->dl, button, ROLE_BUTTON, "overview.step", action, tr("Play the stages of this head"));
    dl_rect(o->dl, button, o->pad, o->theme->accent, COLOR_NONE, 0);
    overview_text(o, TYPE_LABEL, FACE_UI_MEDIUM, o->theme->on_accent, button, ALIGN_CENTER, step);
    scene_ring(o->scene, o->dl, "overview.step", button, o->pad);
    dl_ungroup(o->dl);
    rich_label(o->dl, &style, (Rect){row.x, row.y, row.w - l->pad, row.h}, ALIGN_LEFT, title);
    if (p->inner.h < 260 * o->s) return;
    Rect below = rect_cut_top(&p->inner, 1.9f * l->type[TYPE_LABEL]);
    const char *pointed = overview_pointed_formula(o), *formula = pointed ? pointed : formula_of(p);
    float wide_formula = font_width(o->scene->font, FACE_UI, l->type[TYPE_LABEL], formula);
    double limit = limit_of(p);
    if ((p->kind == AGGREGATE_LENGTH || limit < 1) && wide_formula + overview_scale_width(o, scale_name(p), limit) + 2 * l->pad < below.w)
        overview_scale(o, below, scale_name(p), limit, NULL);
    overview_text(o, TYPE_LABEL, FACE_UI, o->theme->muted, below, ALIGN_LEFT, formula);
}

static void draw_tabs(const Panel *p, Rect row) {
    const Overview *o = p->o;
    const FontMetrics *font = o->scene->font;
    int type = TYPE_LABEL;
    bool brief = false, offered[AGGREGATE_KIND_COUNT];
    float width[AGGREGATE_KIND_COUNT], sum = 1e9f;
    for (int i = 0; i < AGGREGATE_KIND_COUNT; i++) offered[i] = i == AGGREGATE_HEAD || find_tensor(o, p->site, (AggregateKind)i) != TENSOR_NONE;
    for (int attempt = 0; attempt < 3 && sum > row.w; attempt++) {
        brief = attempt > 0;
        type = attempt > 1 ? TYPE_SMALL : TYPE_LABEL;
        sum = 0;
        for (int i = 0; i < AGGREGATE_KIND_COUNT; i++) {
            const char *text = tr(brief ? aggregates[i].brief : aggregates[i].tab);
            width[i] = ceilf(font_width(font, FACE_UI_MEDIUM, o->scene->layout.type[type], text)) + (attempt > 1 ? 1 : 2.5f) * o->pad;
            if (offered[i]) sum += width[i] + 0.75f * o->pad;
        }
    }
    for (int i = 0; i < AGGREGATE_KIND_COUNT; i++) {
        if (!offered[i]) continue;
        const char *name = arena_printf(o->scene->arena, "overview.show.%s", aggregate_names[i]);
        const char *action = arena_printf(o->scene->arena, "aggregate %s", aggregate_names[i]);
        overview_chip(o, rect_cut_left(&row, width[i]), type, name, action, tr(aggregates[i].tab),
                      tr(brief ? aggregates[i].brief : aggregates[i].tab), p->kind == (AggregateKind)i);
        rect_cut_left(&row, 0.75f * o->pad);
    }
}

static const char *sentence(void) { return tr("A large weight is not an explanation: what it brings also depends on how long v is."); }

static RichStyle sentence_style(const Overview *o) {
    RichStyle style = scene_style(o->scene, TYPE_LABEL, FACE_UI, o->theme->muted);
    style.line = roundf(1.4f * style.size);
    return style;
}

static void draw_below(Panel *p, float full) {
    const Overview *o = p->o;
    float table = overview_table_height(o);
    if (full >= TABLE_LEAST * o->s && table > 0) {
        OverviewShown shown = {.kind = p->kind, .tensor = p->tensor, .site = o->shown_site, .head = o->shown_head, .title = title_of(p)};
        overview_table(o, rect_cut_bottom(&p->inner, table), &shown);
        Rect line = rect_cut_bottom(&p->inner, 1.5f * o->pad);
        dl_line(o->dl, line.x, line.y + line.h / 2, line.x + line.w, line.y + line.h / 2, o->theme->line, 1);
    }
    if (full >= SENTENCE_LEAST * o->s || p->kind == AGGREGATE_LENGTH) {
        RichStyle style = sentence_style(o);
        float high = rich_height(&style, p->inner.w, sentence());
        rich_paragraph(o->dl, &style, rect_cut_bottom(&p->inner, high), ALIGN_LEFT, sentence());
        rect_cut_bottom(&p->inner, o->pad);
    }
    draw_tabs(p, rect_cut_bottom(&p->inner, ceilf(2 * o->scene->layout.type[TYPE_LABEL])));
    rect_cut_bottom(&p->inner, o->pad);
}

void overview_panel(const Overview *o, Rect box) {
    if (box.w <= 0 || box.h <= 0) return;
    float edge = (box.w < 420 * o->s || box.h < 420 * o->s ? 2 : 3) * o->pad;
    Panel p = {.o = o, .inner = rect_inset(box, edge)};
    choose(&p);
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(o->dl, "overview.large")};
    dl_group(o->dl, box, &group);
    dl_rect(o->dl, box, 1.5f * o->pad, o->theme->panel, o->theme->line, 1);
    dl_clip(o->dl, rect_inset(box, 1));
    float full = p.inner.h;
    draw_title(&p);
    draw_below(&p, full);
    draw_map(&p, p.inner);
    dl_unclip(o->dl);
    dl_ungroup(o->dl);
}
