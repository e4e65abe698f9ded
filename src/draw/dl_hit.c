#include <math.h>
#include <string.h>

#include "draw/dl.h"

enum { DEPTH_MAX = 64 }; /* deeper nesting is clipped and grouped by its outer 64 */

typedef struct {
    const DisplayList *dl;
    float x, y;
    Rect clips[DEPTH_MAX];
    int groups[DEPTH_MAX]; /* commands */
    int n_clips, n_groups;
} Walk;

static bool means_something(const DlGroup *g) { return g->action != DL_NO_TEXT || g->name != DL_NO_TEXT || g->tensor >= 0; }

static bool visible(const Walk *w) {
    int n = w->n_clips < DEPTH_MAX ? w->n_clips : DEPTH_MAX;
    return n == 0 || rect_has(w->clips[n - 1], w->x, w->y);
}

static void push_clip(Walk *w, Rect box) {
    if (w->n_clips < DEPTH_MAX) w->clips[w->n_clips] = w->n_clips > 0 ? rect_meet(w->clips[w->n_clips - 1], box) : box;
    w->n_clips++;
}

static const DlGroup *innermost(const Walk *w) {
    for (int i = (w->n_groups < DEPTH_MAX ? w->n_groups : DEPTH_MAX) - 1; i >= 0; i--) {
        const DlGroup *g = &w->dl->groups[w->dl->commands[w->groups[i]].group.group];
        if (means_something(g)) return g;
    }
    return NULL;
}

static bool hit_group(Walk *w, int command, DlHit *out) {
    const DlCommand *c = &w->dl->commands[command];
    if (w->n_groups < DEPTH_MAX) w->groups[w->n_groups] = command;
    w->n_groups++;
    const DlGroup *g = &w->dl->groups[c->group.group];
    if (!means_something(g) || !rect_has(c->box, w->x, w->y) || !visible(w)) return false;
    *out = (DlHit){.group = g, .box = c->box, .row = -1, .col = -1, .tensor = -1, .head = -1};
    return true;
}

/* Row and column under the point; a gap belongs half to each neighbour. */
static bool cell_under(const DlCommand *c, float x, float y, int *row, int *col) {
    const DlCells *cells = &c->cells;
    float half = cells->gap / 2;
    int r = (int)floorf((y - c->box.y + half) * (float)cells->rows / (c->box.h + cells->gap));
    int k = (int)floorf((x - c->box.x + half) * (float)cells->cols / (c->box.w + cells->gap));
    for (int i = r - 1; i <= r + 1; i++)
        for (int j = k - 1; j <= k + 1; j++) {
            if (i < 0 || j < 0 || i >= cells->rows || j >= cells->cols) continue;
            Rect box = dl_cell_box(c->box, cells->rows, cells->cols, cells->gap, i, j);
            Rect reach = {box.x - half, box.y - half, box.w + 2 * half, box.h + 2 * half};
            if (!rect_has(reach, x, y)) continue;
            *row = i, *col = j;
            return true;
        }
    return false;
}

static bool hit_cells(const Walk *w, const DlCommand *c, DlHit *out) {
    const DlCells *cells = &c->cells;
    Rect reach = {c->box.x - cells->gap / 2, c->box.y - cells->gap / 2, c->box.w + cells->gap, c->box.h + cells->gap};
    int row, col;
    if (!rect_has(reach, w->x, w->y) || !visible(w) || !cell_under(c, w->x, w->y, &row, &col)) return false;
    if (w->dl->marks[cells->marks + (uint32_t)(row * cells->cols + col)] == CELL_NONE) return false;
    *out = (DlHit){.group = innermost(w),
                   .box = dl_cell_box(c->box, cells->rows, cells->cols, cells->gap, row, col),
                   .row = row + cells->row0, .col = col + cells->col0, .tensor = cells->tensor, .head = cells->head};
    return true;
}

bool dl_hit(const DisplayList *dl, float x, float y, DlHit *out) {
    Walk w = {.dl = dl, .x = x, .y = y};
    DlHit found = {.row = -1, .col = -1, .tensor = -1, .head = -1};
    bool any = false;
    for (int i = 0; i < dl->n; i++) { /* later is above */
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_CLIP) push_clip(&w, c->box);
        else if (c->kind == DL_UNCLIP) w.n_clips--;
        else if (c->kind == DL_UNGROUP) w.n_groups--;
        else if (c->kind == DL_GROUP) any |= hit_group(&w, i, &found);
        else if (c->kind == DL_CELLS) any |= hit_cells(&w, c, &found);
    }
    *out = found;
    return any;
}

static const DlGroup *focusable_at(const DisplayList *dl, int command) {
    const DlCommand *c = &dl->commands[command];
    if (c->kind != DL_GROUP) return NULL;
    const DlGroup *g = &dl->groups[c->group.group];
    return g->focusable ? g : NULL;
}

int dl_focus_find(const DisplayList *dl, const char *name) {
    int position = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlGroup *g = focusable_at(dl, i);
        if (g == NULL) continue;
        if (g->name != DL_NO_TEXT && str_eq(dl_text_at(dl, g->name), name)) return position;
        position++;
    }
    return -1;
}

const DlGroup *dl_focus_at(const DisplayList *dl, int position, Rect *box) {
    int count = dl_focus_count(dl);
    if (count == 0) return NULL;
    position = (position % count + count) % count;
    for (int i = 0; i < dl->n; i++) {
        const DlGroup *g = focusable_at(dl, i);
        if (g == NULL || position-- > 0) continue;
        if (box != NULL) *box = dl->commands[i].box;
        return g;
    }
    return NULL;
}

int dl_focus_count(const DisplayList *dl) {
    int count = 0;
    for (int i = 0; i < dl->n; i++) count += focusable_at(dl, i) != NULL;
    return count;
}
