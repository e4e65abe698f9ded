#include "fuzz/fuzz_list.h"

#include <math.h>
#include <string.h>

#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "scene/layout.h"

static const float far_away = 1e6f;

static void check_text_at(const DisplayList *list, uint32_t offset) {
    fuzz_check(offset < list->n_text, "a text behind the pool");
    const char *text = dl_text_at(list, offset);
    fuzz_check(utf8_valid_until(text, strlen(text)) == strlen(text), "not UTF-8: %s", text);
}

static void check_box(const DlCommand *c) {
    float numbers[] = {c->box.x, c->box.y, c->box.w, c->box.h};
    for (int i = 0; i < 4; i++)
        fuzz_check(isfinite(numbers[i]) && fabsf(numbers[i]) < far_away, "command of kind %d has the box %g, %g, %g, %g", (int)c->kind, (double)numbers[0],
                   (double)numbers[1], (double)numbers[2], (double)numbers[3]);
    fuzz_check(c->kind == DL_LINE || (c->box.w >= 0 && c->box.h >= 0), "kind %d: %g x %g", (int)c->kind, (double)c->box.w, (double)c->box.h);
}

static void check_cells(const DisplayList *list, const DlCommand *c) {
    uint64_t count = (uint64_t)c->cells.rows * (uint64_t)c->cells.cols;
    fuzz_check(c->cells.rows >= 0 && c->cells.cols >= 0, "%d x %d cells", c->cells.rows, c->cells.cols);
    fuzz_check(c->cells.colors + count <= list->n_colors && c->cells.values + count <= list->n_values && c->cells.marks + count <= list->n_marks,
               "cells behind their pools");
}

/* A text begins inside the picture and, as the layout measures, also ends there; clips cut what is meant to be cut. */
static void check_text(const DisplayList *list, const DlCommand *c, int clips, const View *view) {
    check_text_at(list, c->text.text);
    fuzz_check(c->text.size > 1 && c->text.size < 1000 && isfinite(c->text.width) && c->text.width >= 0, "a text of size %g, width %g", (double)c->text.size,
               (double)c->text.width);
    if (clips || c->text.angle > 0) return;
    bool inside = c->box.x >= -1 && c->box.x + c->text.width <= list->width + 1 && c->box.y >= 0 && c->box.y <= list->height + 1;
    float scale = view->presenting ? 1 : layout_make(list->width, list->height, view).scale;
    bool room = list->width >= 1024 * scale && list->height >= 768 * scale; /* the smallest window that is promised */
    fuzz_check(inside || !room, "\"%s\" at %g, %g, %g wide, leaves the picture of %g x %g (stage %d, text %g, presenting %d, menu \"%s\", head %d)",
               dl_text_at(list, c->text.text), (double)c->box.x, (double)c->box.y, (double)c->text.width, (double)list->width, (double)list->height,
               view->film.stage + 1, view->text_scale, view->presenting, view->menu, view->head + 1);
}

static void check_group(const DisplayList *list, const DlCommand *c) {
    fuzz_check(c->group.group < (uint32_t)list->n_groups, "a group behind the pool");
    const DlGroup *group = &list->groups[c->group.group];
    fuzz_check((int)group->role >= 0 && group->role < ROLE_COUNT, "role %d", (int)group->role);
    check_text_at(list, group->action);
    check_text_at(list, group->double_action);
    check_text_at(list, group->name);
    check_text_at(list, group->label);
}

void fuzz_check_list(const DisplayList *list, const View *view) {
    int clips = 0, groups = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        check_box(c);
        clips += (c->kind == DL_CLIP) - (c->kind == DL_UNCLIP);
        groups += (c->kind == DL_GROUP) - (c->kind == DL_UNGROUP);
        fuzz_check(clips >= 0 && groups >= 0, "closed more than opened");
        if (c->kind == DL_TEXT) check_text(list, c, clips, view);
        else if (c->kind == DL_CELLS) check_cells(list, c);
        else if (c->kind == DL_GROUP) check_group(list, c);
        else if (c->kind == DL_PATH) fuzz_check(c->path.first + (uint64_t)c->path.count <= list->n_points, "points behind the pool");
    }
    fuzz_check(clips == 0 && groups == 0, "%d clips and %d groups stay open", clips, groups);
}
