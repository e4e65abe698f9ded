/* The trail of a selected number: the explanations that led to it, itself, and the way on to the token that it began with. Each
 * element is a control that goes there. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "scene/inspector_part.h"
#include "scene/paint.h"

enum { AHEAD_MOST = 12, ITEMS_MOST = TRAIL_MAX + AHEAD_MOST + 2, TERMS_MOST = 8192, LINES_MOST = 2 };

typedef struct {
    const char *text;
    int number;  /* of `trail`; 0: not a control, as what lies further on than a trail goes */
    bool now, left_out;
} Item;

typedef struct {
    Inspector *in;
    Item items[ITEMS_MOST];
    int n, now;
} Trail;

static void add(Trail *t, const char *text, int number) {
    if (t->n < ITEMS_MOST) t->items[t->n++] = (Item){.text = text, .number = number <= TRAIL_MAX ? number : 0};
}

/* The first element by its whole name, others by their tensor's. */
static const char *name_of(const Trail *t, TensorId id, const int *index) {
    char text[160];
    const Run *run = t->in->scene->run;
    if (t->n > 0) return trace_tensor(run->trace, id)->name;
    run_ref_text(text, run, id, index);
    const char *whole = arena_strdup(t->in->scene->arena, text), *brief = strchr(whole, '[');
    while (brief && brief > whole && brief[-1] != '.') brief--;
    bool fits = font_width(t->in->scene->font, FACE_MONO_BOLD, t->in->scene->layout.type[TYPE_SMALL], whole) <= t->in->inner.w;
    return fits || !brief ? whole : brief; /* the layer is named below */
}

static bool in_memory(const Trace *trace, TensorId id) {
    const Op *op = trace_op(trace, trace_tensor(trace, id)->op);
    bool all = trace_resident(trace, id);
    for (int i = 0; i < OP_INPUTS_MAX; i++) all = all && (op->in[i] == TENSOR_NONE || trace_resident(trace, op->in[i]));
    return all;
}

/* “sat”, of a row that stands for a token. */
static const char *token_of(const Trail *t, TensorId id, const int *index) {
    const Run *run = t->in->scene->run;
    const Tensor *tensor = trace_tensor(run->trace, id);
    int axis = tensor->rank >= 2 ? tensor->rank - 2 : 0;
    AxisKind kind = run_axis(run, id, axis);
    if (kind != AXIS_QUERY && kind != AXIS_KEY) return NULL;
    return arena_printf(t->in->scene->arena, "“%s”", words_name(run, id, axis, index[axis], t->in->scene->arena));
}

static void add_way_on(Trail *t, TensorId id, const int *index) {
    const Trace *trace = t->in->scene->run->trace;
    Explanation e = t->in->e;
    for (int i = 0; i < AHEAD_MOST; i++) {
        Err err = {0};
        const Ref *source = e.n_terms <= TERMS_MOST ? explanation_source(&e) : NULL;
        const char *token = source ? NULL : token_of(t, id, index);
        if (!source) {
            if (token) add(t, token, 0);
            return;
        }
        id = source->id;
        index = source->index;
        add(t, name_of(t, id, index), t->now + 2 + i);
        if (!in_memory(trace, id) || !trace_explain(trace, id, index, t->in->scene->arena, &e, &err)) {
            add(t, "…", 0);
            return;
        }
    }
}

static void fill(Trail *t) {
    const Scene *scene = t->in->scene;
    const View *view = scene->view;
    for (int i = 0; i < view->n_trail; i++) {
        TensorId id = trace_find(scene->run->trace, view->trail[i].tensor);
        if (id != TENSOR_NONE) add(t, name_of(t, id, view->trail[i].index), i + 1);
    }
    t->now = t->n;
    add(t, name_of(t, t->in->tensor, t->in->index), 0);
    t->items[t->now].now = true;
    add_way_on(t, t->in->tensor, t->in->index);
}

/* ---- its lines ---- */

static const char BETWEEN[] = " ← ", AROUND_GAP[] = " ← … ← "; /* a new line begins without the first space */

static float item_width(const Trail *t, const Item *item) {
    float wide = font_width(t->in->scene->font, item->now ? FACE_MONO_BOLD : FACE_MONO, t->in->scene->layout.type[TYPE_SMALL], item->text);
    return fminf(wide, t->in->inner.w);
}

/* Calls `draw` (NULL: none) for each element where it goes; returns the number of lines. */
typedef void (*DrawItem)(Trail *t, int i, Rect box, const char *lead);

static int place(Trail *t, DrawItem draw) {
    const Layout *l = &t->in->scene->layout;
    float size = l->type[TYPE_SMALL], high = roundf(size * 1.7f), x = 0, lead = font_width(t->in->scene->font, FACE_MONO, size, BETWEEN);
    int lines = 1;
    bool gap = false;
    for (int i = 0; i < t->n; i++) {
        Item *item = &t->items[i];
        if (item->left_out) {
            gap = true;
            continue;
        }
        const char *before = i == 0 ? "" : gap ? AROUND_GAP : BETWEEN;
        float wide = item_width(t, item), lead_wide = i == 0 ? 0 : gap ? font_width(t->in->scene->font, FACE_MONO, size, before) : lead;
        if (x > 0 && x + lead_wide + wide > t->in->inner.w) {
            x = 0, lines++;
            lead_wide = font_width(t->in->scene->font, FACE_MONO, size, ++before);
        }
        if (draw) draw(t, i, (Rect){t->in->inner.x + x, t->in->y + (float)(lines - 1) * high, lead_wide + wide, high}, before);
        x += lead_wide + wide;
        gap = false;
    }
    return lines;
}

static void draw_item(Trail *t, int i, Rect box, const char *lead) {
    Inspector *in = t->in;
    const Layout *l = &in->scene->layout;
    const Item *item = &t->items[i];
    float size = l->type[TYPE_SMALL], skip = font_width(in->scene->font, FACE_MONO, size, lead);
    Rect first = rect_cut_left(&box, skip);
    Color color = item->now ? in->theme->ink : i < t->now ? in->theme->accent : in->theme->muted;
    if (skip > 0) dl_label(in->dl, in->scene->font, FACE_MONO, size, in->theme->muted, (Rect){first.x, first.y, skip + 1, first.h}, ALIGN_LEFT, lead);
    char name[32];
    snprintf(name, sizeof name, "inspector.trail.%d", item->number);
    if (item->number > 0)
        dl_control(in->dl, box, ROLE_BUTTON, name, arena_printf(in->scene->arena, "trail %d", item->number), i < t->now ? tr("Back to there") : tr("On to there"));
    dl_label(in->dl, in->scene->font, item->now ? FACE_MONO_BOLD : FACE_MONO, size, color, (Rect){box.x, box.y, box.w + 1, box.h}, ALIGN_LEFT, item->text);
    if (item->number == 0) return;
    scene_ring(in->scene, in->dl, name, box, 4 * l->scale);
    dl_ungroup(in->dl);
}

/* From the middle: first what lies ahead, then what lies behind; the two ends and the number itself stay. */
static bool leave_out(Trail *t) {
    for (int i = t->n - 2; i > t->now; i--)
        if (!t->items[i].left_out) return t->items[i].left_out = true;
    for (int i = 1; i < t->now; i++)
        if (!t->items[i].left_out) return t->items[i].left_out = true;
    return false;
}

void inspector_trail(Inspector *in) {
    const Layout *l = &in->scene->layout;
    Trail t = {.in = in};
    bool low = in->inner.h < 380 * l->scale;
    if (!in->selected || in->inner.h < 240 * l->scale) return;
    fill(&t);
    if (t.n < 2) return;
    while (place(&t, NULL) > (low ? 1 : LINES_MOST) && leave_out(&t)) continue;
    int lines = place(&t, draw_item);
    in->y += (float)lines * roundf(l->type[TYPE_SMALL] * 1.7f) + l->pad / 2;
}
