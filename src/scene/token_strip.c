#include "scene/token_strip.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/words.h"

/* Units at scale 1. */
enum { CHIP_HIGH = 30, CHIP_LOW = 19, EDGE = 10, GAP = 14, CROSS = 16, LABEL_MOST = 140 };

typedef struct {
    const Scene *scene;
    DisplayList *dl;
    const Theme *theme;
    const TokenList *tokens;
    bool source;
    Color color;
    float s, size, high;
    Rect box;  /* what is left for chips */
    int first; /* the first that is shown */
    bool pads; /* there is room for the padding button */
} Strip;

bool token_strip_on(const Scene *scene) {
    const View *view = scene->view;
    return view->tokens && !view->presenting && !view->overview && scene->run && !scene->muted;
}

static const char *name_at(const Strip *t, int i, const char *more) {
    return arena_printf(t->scene->arena, "token.%c.%d%s", t->source ? 'k' : 'q', i + 1, more);
}

static const char *side(const Strip *t) { return t->source ? "source " : ""; }

static float width_of(const Strip *t, int i) {
    float text = font_width(t->scene->font, FACE_UI_MEDIUM, t->size, words_token(t->tokens, i, t->scene->arena));
    return ceilf(fminf(text, LABEL_MOST * t->s) + (EDGE + CROSS) * t->s);
}

/* Part of the strip that a control takes; label and action as elsewhere. */
static void open(const Strip *t, Rect box, const char *name, const char *action, const char *label, bool focusable) {
    DlGroup group = {.role = ROLE_BUTTON, .tensor = -1, .at = {-1, -1, -1, -1}, .focusable = focusable};
    group.name = dl_store(t->dl, name);
    group.action = dl_store(t->dl, action);
    group.label = dl_store(t->dl, label);
    dl_group(t->dl, box, &group);
}

static void draw_cross(const Strip *t, Rect box, Color color) {
    float r = 3.5f * t->s, x = box.x + box.w / 2, y = box.y + box.h / 2;
    dl_line(t->dl, x - r, y - r, x + r, y + r, color, 1.5f * t->s);
    dl_line(t->dl, x - r, y + r, x + r, y - r, color, 1.5f * t->s);
}

static void draw_plus(const Strip *t, Rect box, Color color) {
    float r = 4 * t->s, x = box.x + box.w / 2, y = box.y + box.h / 2;
    dl_line(t->dl, x - r, y, x + r, y, color, 1.5f * t->s);
    dl_line(t->dl, x, y - r, x, y + r, color, 1.5f * t->s);
}

static bool hot(const Strip *t, const char *name) {
    const View *view = t->scene->view;
    size_t n = strlen(name);
    return strncmp(view->hot, name, n) == 0 && (view->hot[n] == '\0' || view->hot[n] == '.');
}

static bool focused(const Strip *t, const char *name) { return t->scene->view->focus_visible && str_eq(t->scene->view->focus, name); }

static void draw_chip(const Strip *t, int i, Rect box) {
    const View *view = t->scene->view;
    const char *name = name_at(t, i, ""), *label = words_token(t->tokens, i, t->scene->arena), *text = t->tokens->items[i].label;
    bool held = view->token_from == i + 1 && view->token_source == t->source, pointed = hot(t, name) || focused(t, name), pad = str_eq(t->tokens->items[i].text, DOC_PAD);
    Rect words = {box.x + EDGE * t->s, box.y, box.w - (float)(EDGE + (pointed ? CROSS : EDGE)) * t->s + 1, box.h};
    open(t, box, name, arena_printf(t->scene->arena, "focus %s", name), arena_printf(t->scene->arena, tr("Token %d, %s: drag it to another place"), i + 1, text), true);
    dl_rect(t->dl, box, t->high / 3, held ? t->theme->highlight : pointed ? t->theme->button_hover : t->theme->button, held ? t->theme->accent : COLOR_NONE, held ? 1.5f : 0);
    if (!pointed) words.x += (CROSS - EDGE) / 2.0f * t->s, words.w -= (CROSS - EDGE) / 2.0f * t->s;
    dl_label(t->dl, t->scene->font, FACE_UI_MEDIUM, t->size, pad ? t->theme->muted : t->color, words, ALIGN_LEFT, label);
    scene_ring(t->scene, t->dl, name, box, t->high / 3);
    dl_ungroup(t->dl);
    if (!pointed || view->token_from) return;
    Rect cross = {box.x + box.w - CROSS * t->s, box.y, CROSS * t->s, box.h};
    open(t, cross, name_at(t, i, ".remove"), arena_printf(t->scene->arena, "token.remove %s%d", side(t), i + 1), arena_printf(t->scene->arena, tr("Take out token %d, %s"), i + 1, text), false);
    dl_rect(t->dl, (Rect){cross.x, cross.y + 2, cross.w - 2, cross.h - 4}, t->high / 3, t->theme->button_hover, COLOR_NONE, 0);
    draw_cross(t, cross, t->theme->ink);
    dl_ungroup(t->dl);
}

/* Between two chips: where one can be put in, and where the dragged one would come to stand. */
static void draw_gap(const Strip *t, int i, Rect box) {
    const View *view = t->scene->view;
    bool dragged = view->token_from > 0 && view->token_source == t->source;
    int from = view->token_from - 1, lands = view->token_to - 1 + (view->token_to > view->token_from); /* the gap before which chip */
    const char *name = name_at(t, i, ".insert");
    if (dragged) {
        if (view->token_to > 0 && lands == i && from + 1 != i && from != i)
            dl_rect(t->dl, (Rect){roundf(box.x + box.w / 2 - 1.5f * t->s), box.y - 2, 3 * t->s, box.h + 4}, 1.5f, t->theme->accent, COLOR_NONE, 0);
        return;
    }
    open(t, box, name, arena_printf(t->scene->arena, "token.insert %s%d", side(t), i + 1), tr("Put a word in here"), false);
    if (hot(t, name)) draw_plus(t, box, t->theme->accent);
    dl_ungroup(t->dl);
}

/* Behind the last chip: a button for one more. */
static float draw_end(const Strip *t, float x, bool draw) {
    float wide = ceilf(fmaxf(t->high, 24 * t->s));
    const char *name = name_at(t, t->tokens->n, ".insert");
    Rect box = {x, t->box.y, wide, t->high};
    if (!draw) return wide;
    open(t, box, name, arena_printf(t->scene->arena, "token.insert %s%d", side(t), t->tokens->n + 1), tr("Put a word in here"), true);
    dl_rect(t->dl, box, t->high / 3, hot(t, name) ? t->theme->button_hover : COLOR_NONE, t->theme->line, 1);
    draw_plus(t, box, t->theme->muted);
    scene_ring(t->scene, t->dl, name, box, t->high / 3);
    dl_ungroup(t->dl);
    return wide;
}

/* "12 more": another part of a long text. */
static float draw_more(const Strip *t, const char *which, int n, int at, float x, bool draw) {
    bool brief = t->scene->layout.low;
    const char *text = *which == 'b' ? arena_printf(t->scene->arena, brief ? "‹ %d" : tr("‹ %d more"), n) : arena_printf(t->scene->arena, brief ? "%d ›" : tr("%d more ›"), n);
    float wide = ceilf(font_width(t->scene->font, FACE_UI, t->size, text) + EDGE * t->s);
    if (!draw) return wide;
    const char *name = arena_printf(t->scene->arena, "token.%c.%s", t->source ? 'k' : 'q', which);
    Rect box = {x, t->box.y, wide, t->high};
    open(t, box, name, arena_printf(t->scene->arena, "tokens %d", at), tr("Show these tokens"), true);
    dl_label(t->dl, t->scene->font, FACE_UI, t->size, hot(t, name) ? t->theme->accent : t->theme->muted, box, ALIGN_CENTER, text);
    scene_ring(t->scene, t->dl, name, box, 4 * t->s);
    dl_ungroup(t->dl);
    return wide;
}

/* How many chips from `first` on fit into the width. */
static int fit(const Strip *t, int first, float room) {
    int n = 0;
    float x = GAP * t->s;
    while (first + n < t->tokens->n) {
        x += width_of(t, first + n) + GAP * t->s;
        if (x > room) break;
        n++;
    }
    return n > 0 ? n : 1;
}

static float pad_button(const Strip *t, float x, bool draw) {
    const char *name = arena_printf(t->scene->arena, "token.%c.pad", t->source ? 'k' : 'q');
    float wide = ceilf(font_width(t->scene->font, FACE_UI_MEDIUM, t->size, DOC_PAD) + 2 * EDGE * t->s);
    Rect box = {x, t->box.y, wide, t->high};
    if (!draw) return wide;
    open(t, box, name, t->source ? "token.pad source" : "token.pad", tr("Append a padding token; a padding mask hides it"), true);
    dl_rect(t->dl, box, t->high / 3, hot(t, name) ? t->theme->button_hover : COLOR_NONE, t->theme->line, 1);
    dl_label(t->dl, t->scene->font, FACE_UI_MEDIUM, t->size, t->theme->muted, box, ALIGN_CENTER, DOC_PAD);
    scene_ring(t->scene, t->dl, name, box, t->high / 3);
    dl_ungroup(t->dl);
    return wide;
}

/* What stands behind the last chip: one more, a padding token. */
static float tail(const Strip *t, float x, bool draw) {
    float gap = GAP * t->s, wide = draw_end(t, x + gap, draw) + gap;
    if (t->pads) wide += pad_button(t, x + wide + gap / 2, draw) + gap / 2;
    return wide;
}

/* The chips that fit between what leads to others before and behind them. */
static int choose(Strip *t, float *before, float *behind) {
    int n = t->tokens->n, from = t->scene->view->token_first;
    t->pads = !scene_in_network(t->scene->run);
    if (fit(t, 0, t->box.w - tail(t, 0, false)) < n) { /* of a text that fits without it */
        t->pads = false;
        t->pads = fit(t, 0, t->box.w - tail(t, 0, false)) < n && !scene_in_network(t->scene->run);
    }
    float more = draw_more(t, "before", n, 1, 0, false), end = tail(t, 0, false);
    t->first = from > 0 && from <= n ? from - 1 : 0;
    *before = *behind = 0;
    if (fit(t, 0, t->box.w - end) >= n) t->first = 0;
    if (t->first > 0) *before = more;
    int shown = fit(t, t->first, t->box.w - *before - end);
    if (t->first + shown >= n) *behind = end;
    else {
        *behind = draw_more(t, "after", n, 1, 0, false);
        shown = fit(t, t->first, t->box.w - *before - *behind);
        if (t->first + shown >= n && shown > 1) shown = n - t->first - 1;
    }
    return t->first + shown > n ? n - t->first : shown;
}

static void draw_strip(Strip *t, const char *title, float title_wide) {
    float gap = GAP * t->s, before, behind, wide = 0;
    if (title) dl_label(t->dl, t->scene->font, FACE_UI, t->size, t->theme->muted, rect_cut_left(&t->box, title_wide), ALIGN_LEFT, title);
    int n = t->tokens->n, shown = choose(t, &before, &behind), last = t->first + shown;
    for (int i = t->first; i < last; i++) wide += width_of(t, i) + gap;
    float x = t->box.x + (title ? 0 : fmaxf(0, (t->box.w - before - behind - wide) / 2));
    if (t->first > 0) {
        int back = t->first - shown;
        x += draw_more(t, "before", t->first, back > 0 ? back + 1 : 1, x, true);
    }
    for (int i = t->first; i < last; i++) {
        draw_gap(t, i, (Rect){x, t->box.y, gap, t->high});
        float w = width_of(t, i);
        draw_chip(t, i, (Rect){x + gap, t->box.y, w, t->high});
        x += gap + w;
    }
    if (t->scene->view->token_from > 0 && last == n) draw_gap(t, n, (Rect){x, t->box.y, gap, t->high}); /* a chip can land there */
    if (last < n) draw_more(t, "after", n - last, last + 1, x, true);
    else tail(t, x, true);
}

void token_strip_draw(const Scene *scene, DisplayList *dl) {
    const Layout *l = &scene->layout;
    const Run *run = scene->run;
    const Theme *theme = scene_theme(scene);
    bool two = run->cross;
    const char *titles[] = {two ? tr("target: queries") : NULL, two ? tr("source: keys and values") : NULL};
    Rect box = l->formula;
    if (l->low) box.h = l->rail.h; /* it stands beside the rail there */
    float each = two ? box.h / 2 : fminf(box.h, l->formula.h), high = fminf((two ? CHIP_LOW + 7 : CHIP_HIGH) * l->scale, each - 4), wide = 0;
    float size = fminf(l->type[TYPE_BODY], high * 0.62f);
    for (int i = 0; i < 2 && two; i++) wide = fmaxf(wide, font_width(scene->font, FACE_UI, size, titles[i]) + EDGE * l->scale);
    DlGroup group = {.role = ROLE_PANEL, .tensor = -1, .at = {-1, -1, -1, -1}, .name = dl_store(dl, "tokens")};
    dl_group(dl, box, &group);
    dl_clip(dl, box);
    for (int i = 0; i < (two ? 2 : 1); i++) {
        Strip t = {.scene = scene, .dl = dl, .theme = theme, .tokens = i ? &run->keys : &run->tokens, .source = i == 1, .s = l->scale, .high = high, .size = size};
        t.color = i ? theme->k : two ? theme->q : theme->ink;
        t.box = (Rect){box.x, box.y + (float)i * each + (each - high) / 2, box.w, high};
        draw_strip(&t, titles[i], wide);
    }
    dl_unclip(dl);
    dl_ungroup(dl);
}
