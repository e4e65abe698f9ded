#include "scene/drawer.h"

#include <math.h>

#include "scene/controls.h"
#include "scene/paint.h"

enum { DRAWER_LEAST = 280, DRAWER_HALO = 8 };

/* Around all frames of the selection; empty when it is not in sight. */
static Rect selection_frame(const Scene *scene, const DisplayList *dl, int from) {
    Rect all = {0};
    for (int i = from; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_RECT || dl->commands[i].stroke != scene_theme(scene)->highlight) continue;
        Rect box = rect_inset(dl->commands[i].box, -2);
        float x = fminf(all.x, box.x), y = fminf(all.y, box.y);
        float right = fmaxf(all.x + all.w, box.x + box.w), bottom = fmaxf(all.y + all.h, box.y + box.h);
        all = all.w > 0 ? (Rect){x, y, right - x, bottom - y} : box;
    }
    return all;
}

static float hidden_share(Rect box, Rect over) {
    Rect common = rect_meet(box, over);
    float area = box.w * box.h;
    return area > 0 ? fmaxf(0, common.w) * fmaxf(0, common.h) / area : 0;
}

/* What a place hides: the selection counts far more than the frames of its operands. */
static float hidden_cost(const Scene *scene, const DisplayList *dl, int from, Rect place) {
    const Theme *theme = scene_theme(scene);
    const Color operands[] = {theme->q, theme->k, theme->v, theme->out, theme->ink};
    Rect over = rect_inset(place, -DRAWER_HALO * scene->layout.scale);
    float cost = 100 * hidden_share(selection_frame(scene, dl, from), over);
    for (int i = from; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_RECT || c->fill != COLOR_NONE || c->width < 1.5f) continue;
        bool operand = false;
        for (size_t k = 0; k < sizeof operands / sizeof *operands; k++) operand |= c->stroke == operands[k];
        if (operand) cost += hidden_share(c->box, over);
    }
    return cost;
}

/* A little narrower where that leaves the selection in sight. */
static Rect beside(Rect place, Rect shown, bool right, float s) {
    float halo = DRAWER_HALO * s, least = DRAWER_LEAST * s;
    if (shown.w <= 0 || rect_meet(shown, rect_inset(place, -halo)).w <= 0) return place;
    float edge = right ? ceilf(shown.x + shown.w + halo) : floorf(shown.x - halo);
    float width = right ? place.x + place.w - edge : edge - place.x;
    if (width < least || width > place.w) return place;
    return (Rect){right ? edge : place.x, place.y, width, place.h};
}

/* On the side that hides least of what is explained, at the right where both are alike, and for settings; below the stage's title. */
Rect drawer_place(const Scene *scene, const DisplayList *dl, int from) {
    const Layout *l = &scene->layout;
    Rect right = l->inspector, shown = selection_frame(scene, dl, from);
    float title = ceilf(l->type[l->stage.h < 400 * l->scale ? TYPE_TITLE : TYPE_HEAD] * 1.1f) + l->pad;
    rect_cut_top(&right, title);
    if (controls_on(scene)) return right;
    Rect left = {l->content.x, right.y, right.w, right.h};
    right = beside(right, shown, true, l->scale);
    left = beside(left, shown, false, l->scale);
    return hidden_cost(scene, dl, from, left) < hidden_cost(scene, dl, from, right) ? left : right;
}

/* ---- words under it ---- */

static Rect text_bounds(const DlCommand *c) {
    float w = c->text.width, size = c->text.size;
    if (c->text.angle > 80) return (Rect){c->box.x - 0.7f * size, c->box.y - w, 0.9f * size, w};
    if (c->text.angle > 0) return (Rect){c->box.x, c->box.y - 0.71f * w, 0.71f * w + size, 0.71f * w};
    return (Rect){c->box.x, c->box.y - 0.75f * size, w, 0.95f * size};
}

static bool meets(Rect a, Rect b) {
    Rect both = rect_meet(a, b);
    return both.w > 0 && both.h > 0;
}

static bool inside(Rect a, Rect b) { return a.x >= b.x && a.y >= b.y && a.x + a.w <= b.x + b.w && a.y + a.h <= b.y + b.h; }

/* How far cells reach at this height. */
static float last_cell_right(const DisplayList *dl, int from, float y) {
    float x = 0;
    for (int i = from; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_CELLS && c->cells.rows >= 2 && y > c->box.y && y < c->box.y + c->box.h) x = fmaxf(x, c->box.x + c->box.w);
    }
    return x;
}

/* Stands this text beside a row of cells that go on at the right of x? */
static bool names_row(const Scene *scene, const DisplayList *dl, int from, const DlCommand *text, float x) {
    Rect box = text_bounds(text);
    if (!inside(box, scene->layout.stage)) return false; /* not what small maps are called */
    float middle = box.y + box.h / 2;
    for (int i = from; i < dl->n && text->text.angle == 0; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_CELLS || c->cells.rows < 2 || box.x + box.w > c->box.x || box.x + box.w < c->box.x - 1.5f * text->text.size) continue;
        if (middle > c->box.y && middle < c->box.y + c->box.h && last_cell_right(dl, from, middle) > x) return true;
    }
    return false;
}

/* Pieces of one line of words, of which the second goes on where the first ends. */
static bool goes_on(const DlCommand *a, const DlCommand *b) {
    if (a->kind != DL_TEXT || b->kind != DL_TEXT || a->text.angle > 0 || b->text.angle > 0) return false;
    float gap = b->box.x - a->box.x - a->text.width;
    return fabsf(a->box.y - b->box.y) < 0.6f * a->text.size && gap > -1 && gap < 0.4f * a->text.size;
}

/* Takes out what is neither whole beside the drawer nor whole under it. */
static void take_out(DisplayList *dl, int from, Rect panel, Rect veil) {
    int kept = from;
    for (int i = from, end; i < dl->n; i = end) {
        Rect line = dl->commands[i].kind == DL_TEXT ? text_bounds(&dl->commands[i]) : (Rect){0, 0, 0, 0};
        for (end = i + 1; end < dl->n && goes_on(&dl->commands[end - 1], &dl->commands[end]); end++) {
            Rect last = text_bounds(&dl->commands[end]);
            line.w = last.x + last.w - line.x;
        }
        bool cut = meets(line, veil) && !inside(line, panel);
        for (int k = i; k < end && !cut; k++) dl->commands[kept++] = dl->commands[k];
    }
    dl->n = kept;
}

/* As high as the cells are that it lies on. */
static Rect over_cells(const DisplayList *dl, int from, Rect strip) {
    float top = strip.y, end = strip.y + strip.h;
    for (int i = from; i < dl->n; i++) {
        const Rect box = dl->commands[i].box;
        if (dl->commands[i].kind != DL_CELLS || dl->commands[i].cells.rows < 2 || !meets(box, strip)) continue;
        top = fminf(top, box.y - 1);
        end = fmaxf(end, box.y + box.h + 1);
    }
    return (Rect){strip.x, top, strip.w, end - top};
}

DrawerNames drawer_prepare(const Scene *scene, DisplayList *dl, int from, Rect *place) {
    float halo = DRAWER_HALO * scene->layout.scale, least = DRAWER_LEAST * scene->layout.scale, wide = 0, top = place->y + place->h, end = place->y;
    DlCommand *names = ARENA_ARRAY(scene->arena, DlCommand, (size_t)(dl->n - from) + 1);
    DrawerNames found = {.names = names};
    Rect veil = rect_inset(*place, -halo);
    for (int i = from; i < dl->n && place->x <= scene->layout.content.x + 1; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_TEXT || !meets(text_bounds(c), veil) || !names_row(scene, dl, from, c, place->x + place->w)) continue;
        Rect box = text_bounds(c);
        names[found.count++] = *c;
        wide = fmaxf(wide, box.w);
        top = fminf(top, box.y);
        end = fmaxf(end, box.y + box.h);
    }
    wide += halo;
    if (place->w - wide < least) found.count = 0; /* they would hide what the drawer leaves in sight */
    if (found.count > 0) {
        place->w -= wide;
        found.strip = over_cells(dl, from, (Rect){place->x + place->w + halo, top, wide, end - top});
        veil = rect_inset(*place, -halo);
        take_out(dl, from, *place, found.strip);
    }
    take_out(dl, from, *place, veil);
    return found;
}

void drawer_draw_names(const Scene *scene, const DrawerNames *names, DisplayList *dl) {
    float pad = 4 * scene->layout.scale;
    if (names->count < 1) return;
    dl_rect(dl, names->strip, 0, scene_theme(scene)->background, COLOR_NONE, 0);
    for (int i = 0; i < names->count; i++) {
        DlCommand *c = dl_add(dl, DL_TEXT, names->names[i].box);
        *c = names->names[i];
        c->box.x = names->strip.x + names->strip.w - pad - c->text.width;
    }
}
