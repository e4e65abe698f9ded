#include "scene/layout.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

/* The presenter's titles are at least this share of the window's height. */
static const float PRESENTER_SHARE = 0.04f;
/* How much larger its text can be made: beyond that the sentences do not fit. */
static const float PRESENTER_LARGER = 1.25f;

/* Units of the design at 1600 x 1000. */
enum {
    NARROW_BELOW = 1280,
    LOW_BELOW = 820,
    MARGIN = 24,
    GAP = 24,
    STRIP_HIGH = 112,
    STRIP_LOW = 84,
    LEGEND_HIGH = 32,
    STRIP_GAP = 16,
    COLUMN_GAP = 32,
    CONTENT_WIDE = 1552,
    CELL_LEAST = 34,
    CELL_MOST = 96,
    SETTINGS_PANEL = 344,
    OVERVIEW_PANEL = 626,
    OVERVIEW_PANEL_LEAST = 300,
    OVERVIEW_BOTH = 620 /* narrower: the grid alone */
};

/* How a stage shares the content: width of the inspector at 1552, of the heads column (0 = a strip), and
 * whether the strip lies under the inspector, which is wide then. */
typedef struct {
    float inspector, column;
    bool strip_right;
} Share;

static const Share shares[] = {
    [STAGE_EMBED] = {616, 0, true},         [STAGE_PROJECT] = {336, 0, false}, [STAGE_SCORES] = {424, 286, false},
    [STAGE_SCALE] = {336, 0, false},        [STAGE_MASK] = {300, 0, false},    [STAGE_SOFTMAX] = {646, 0, true},
    [STAGE_WEIGHTED_SUM] = {300, 0, false}, [STAGE_CONCAT] = {336, 0, false},  [STAGE_OUTPUT] = {616, 0, true},
    [STAGE_NORM] = {424, 0, false},         [STAGE_ADD] = {336, 0, false},     [STAGE_ADD_NORM] = {424, 0, false},
    [STAGE_FFN_NORM] = {424, 0, false},     [STAGE_FFN] = {424, 0, false},     [STAGE_FFN_ADD] = {336, 0, false},
    [STAGE_FFN_ADD_NORM] = {424, 0, false}, [STAGE_FINAL_NORM] = {424, 0, false},
    [STAGE_POOL] = {424, 0, false},         [STAGE_PREDICT] = {424, 0, false},
};
static_assert(sizeof shares / sizeof *shares == STAGE_KIND_COUNT, "one share a stage kind");

static float clampf(float value, float least, float most) { return fminf(fmaxf(value, least), most); }

/* From design units to whole logical units: edges are rounded, so that neighbours still touch. */
static Rect scaled(Rect r, float s) {
    float x0 = roundf(r.x * s), y0 = roundf(r.y * s);
    return (Rect){x0, y0, fmaxf(0, roundf((r.x + r.w) * s) - x0), fmaxf(0, roundf((r.y + r.h) * s) - y0)};
}

static Rect unscaled(Rect r, float s) { return (Rect){r.x / s, r.y / s, r.w / s, r.h / s}; }

/* Very large windows enlarge the whole picture a little: cells stop growing at 96 units. */
static float window_scale(float width, float height, double text_scale) {
    float room = clampf(fminf(width / 1920, height / 1200), 1, 2);
    return room * (float)(text_scale > 0 ? text_scale : 1);
}

/* All cuts below are in design units. */
static void cut_head(Layout *l, float w) {
    float top = l->low ? 56 : 64;
    l->top = (Rect){0, 0, w, top};
    if (!l->low) {
        l->rail = (Rect){MARGIN, top, w - 2 * MARGIN, 86};
        l->formula = (Rect){MARGIN, 150, w - 2 * MARGIN, 64};
        return;
    }
    float formula = clampf(w * 0.42f, 200, 520);
    l->rail = (Rect){MARGIN, top, w - 3 * MARGIN - formula, 60};
    l->formula = (Rect){w - MARGIN - formula, top, formula, 40}; /* level with the stations */
}

static void cut_bottom(Layout *l, float w, float h) {
    float high = l->low ? 112 : 174, y = h - high, center = y + high - (l->low ? 34 : 50);
    l->bottom = (Rect){0, y, w, high};
    float inner = w - 2 * MARGIN;
    l->caption = (Rect){MARGIN, y + (l->low ? 8 : 16), inner, l->low ? 32 : 34};
    l->caption2 = l->low ? (Rect){MARGIN, y + 40, inner, 0} : (Rect){MARGIN, y + 50, inner, 36};
    float transport = 288;
    float x = w < 900 ? w - MARGIN - transport : (w - transport) / 2;
    l->transport = (Rect){x, center - 28, transport, 56};
    float scrubber = fminf(w * 0.35f, x - 2 * MARGIN);
    l->scrubber = (Rect){MARGIN, center - 34, scrubber, 50};
    float right = x + transport + MARGIN;
    bool hints = !l->low && !l->narrow;
    l->hints = (Rect){right, center - 12, hints ? w - MARGIN - right : 0, 24};
}

/* A map, a question and two sentences, readable from the last row. */
static Layout make_presenter(float w, float h, const View *view) {
    Layout l = {.width = w, .height = h, .presenting = true, .heads_place = HEADS_LEGEND};
    l.scale = PRESENTER_SHARE * fminf(w, h) / 18 * clampf((float)view->text_scale, 1, PRESENTER_LARGER);
    float m = roundf(w * 0.0375f);
    l.rail = (Rect){m, roundf(h * 0.04f), roundf(w * 0.36f), roundf(h * 0.065f)};
    l.formula = (Rect){roundf(w * 0.42f), l.rail.y, w - m - roundf(w * 0.42f), l.rail.h};
    l.content = (Rect){m, roundf(h * 0.13f), w - 2 * m, roundf(h * 0.62f)};
    l.stage = (Rect){m, l.content.y, roundf(w * 0.53f) - m, l.content.h};
    l.inspector = (Rect){roundf(w * 0.58f), l.content.y, w - m - roundf(w * 0.58f), l.content.h};
    if (h > w) { /* upright: the formula below the title, the question below the map */
        l.rail = (Rect){m, roundf(h * 0.03f), w - 2 * m, roundf(h * 0.05f)};
        l.formula = (Rect){m, roundf(h * 0.085f), w - 2 * m, roundf(h * 0.045f)};
        l.content = (Rect){m, roundf(h * 0.145f), w - 2 * m, roundf(h * 0.605f)};
        l.stage = l.inspector = l.content;
        l.stage.h = roundf(l.content.h * 0.58f);
        rect_cut_top(&l.inspector, l.stage.h);
    }
    l.heads = (Rect){m, l.content.y + l.content.h, l.content.w, 0};
    l.bottom = (Rect){0, roundf(h * 0.76f), w, h - roundf(h * 0.76f)};
    l.caption = (Rect){m, roundf(h * 0.77f), l.content.w, roundf(h * 0.06f)};
    l.caption2 = (Rect){m, roundf(h * 0.84f), l.content.w, roundf(h * 0.12f)}; /* two lines */
    return l;
}

static void set_type(Layout *l) {
    static const float type[5] = {12, 13, 15, 18, 24};
    for (int i = 0; i < 5; i++) l->type[i] = type[i] * l->scale;
    l->pad = 8 * l->scale;
}

Layout layout_make(float width, float height, const View *view) {
    if (view->presenting) {
        Layout presenter = make_presenter(width, height, view);
        set_type(&presenter);
        return presenter;
    }
    Layout l = {.width = width, .height = height};
    l.scale = window_scale(width, height, view->text_scale);
    float s = l.scale, w = width / s, h = height / s;
    l.panel_least = view->controls ? SETTINGS_PANEL : 0;
    l.narrow = w < NARROW_BELOW;
    l.low = h < LOW_BELOW;
    cut_head(&l, w);
    cut_bottom(&l, w, h);
    float above = l.low ? l.rail.y + l.rail.h + 8 : 236;
    float below = l.bottom.y - (l.low ? 12 : GAP);
    l.content = (Rect){MARGIN, above, w - 2 * MARGIN, fmaxf(0, below - above)};
    Rect *all[] = {&l.top, &l.rail, &l.formula, &l.content, &l.bottom, &l.caption, &l.caption2, &l.transport, &l.scrubber, &l.hints};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) *all[i] = scaled(*all[i], s);
    set_type(&l);
    bool known = view->film.stage >= 0 && view->film.stage < STAGE_ATTENTION_COUNT; /* beyond, only a run knows the kind */
    StageKind kind = known ? (StageKind)view->film.stage : STAGE_EMBED;
    layout_cut(&l, kind, kind != STAGE_EMBED, view->selection.tensor[0] != '\0' || view->controls);
    return l;
}

/* Cut the row of small maps, or the legend alone, off the bottom of `from`. */
static Rect cut_strip(const Layout *l, Rect *from, bool maps) {
    float high = !maps ? LEGEND_HIGH : l->low || from->h < 460 ? STRIP_LOW : STRIP_HIGH;
    if (from->h < high + 200) return (Rect){from->x, from->y + from->h, from->w, 0};
    Rect strip = rect_cut_bottom(from, high);
    rect_cut_bottom(from, STRIP_GAP);
    return strip;
}

void layout_cut(Layout *l, StageKind kind, bool maps, bool selected) {
    if (l->presenting) return;
    float s = l->scale;
    Share share = shares[kind];
    Rect rest = unscaled(l->content, s);
    Rect inspector = {rest.x + rest.w, rest.y, 0, rest.h}, heads;
    l->heads_place = maps ? HEADS_STRIP : HEADS_LEGEND;
    l->drawer = false;
    float grow = clampf(rest.w / CONTENT_WIDE, 0.82f, 1.3f);
    bool column = !l->narrow && share.column > 0 && maps;
    if (column) {
        heads = rect_cut_right(&rest, share.column * grow);
        rect_cut_right(&rest, COLUMN_GAP);
        l->heads_place = HEADS_COLUMN;
    }
    if (!l->narrow) {
        inspector = rect_cut_right(&rest, fmaxf(share.inspector * grow, l->panel_least));
        rect_cut_right(&rest, GAP);
    } else if (selected) {
        Rect over = rest; /* the stage stays as it is */
        inspector = rect_cut_right(&over, fminf(fmaxf(300, (l->width / s) / 3), rest.w * 0.6f));
        l->drawer = true;
    }
    if (!column) heads = cut_strip(l, share.strip_right && !l->narrow ? &inspector : &rest, maps);
    l->stage = scaled(rest, s);
    l->inspector = scaled(inspector, s);
    l->heads = scaled(heads, s);
}

void layout_overview(Layout *l) {
    if (l->presenting) return;
    float s = l->scale;
    Rect rest = unscaled(l->content, s), panel = {rest.x + rest.w, rest.y, 0, rest.h};
    if (rest.w >= OVERVIEW_BOTH) {
        float wide = l->narrow ? fmaxf(OVERVIEW_PANEL_LEAST, 0.41f * rest.w) : OVERVIEW_PANEL * clampf(rest.w / CONTENT_WIDE, 0.82f, 1.3f);
        panel = rect_cut_right(&rest, wide);
        rect_cut_right(&rest, GAP);
    }
    l->stage = scaled(rest, s);
    l->inspector = scaled(panel, s);
    l->heads = scaled((Rect){rest.x, rest.y + rest.h, rest.w, 0}, s);
    l->heads_place = HEADS_LEGEND;
    l->drawer = false;
}

int layout_all_heads(const Layout *layout, Rect stage, int n_heads, int rows, int cols, float label) {
    float s = layout->scale, most = 0;
    int best = 0;
    for (int across = 1; across <= n_heads; across++) {
        int down = (n_heads + across - 1) / across;
        float w = (stage.w - (float)(across - 1) * 3 * layout->pad) / (float)across - label;
        float h = (stage.h - (float)(down - 1) * layout->pad) / (float)down - 7 * layout->pad;
        float cell = fminf(fminf(w / (float)cols, h / (float)rows), CELL_MOST * s);
        bool squarer = best > 0 && abs(across - down) < abs(best - (n_heads + best - 1) / best);
        if (cell < CELL_LEAST * s || cell < most || (cell == most && !squarer)) continue;
        most = cell;
        best = across;
    }
    return best;
}
