#include "draw/dl.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const char *const dl_role_names[ROLE_COUNT] = {
    [ROLE_NONE] = "none",     [ROLE_STAGE] = "stage",   [ROLE_TENSOR] = "tensor",   [ROLE_HEAD] = "head",
    [ROLE_ROW] = "row",       [ROLE_COLUMN] = "column", [ROLE_CELL] = "cell",       [ROLE_OPERAND] = "operand",
    [ROLE_PANEL] = "panel",   [ROLE_BUTTON] = "button", [ROLE_FIELD] = "field",     [ROLE_SLIDER] = "slider",
    [ROLE_MENU] = "menu",     [ROLE_ITEM] = "item",     [ROLE_DIALOG] = "dialog",
};
static_assert(ROLE_COUNT == 15, "a name for each role");

/* Room for `more` further elements in a pool: doubles, copies; the old block stays in the arena until its reset. */
static void *pool_room(Arena *arena, void *items, size_t used, size_t more, size_t size, size_t first, size_t *capacity) {
    if (items != NULL && used + more <= *capacity) return items;
    size_t wanted = *capacity > 0 ? *capacity * 2 : first;
    while (wanted < used + more) wanted *= 2;
    assert(wanted < UINT32_MAX); /* pools are addressed by 32-bit offsets */
    void *bigger = arena_alloc(arena, wanted, size);
    if (used > 0) memcpy(bigger, items, used * size);
    *capacity = wanted;
    return bigger;
}

static void *pool_room32(Arena *arena, void *items, uint32_t used, size_t more, size_t size, uint32_t *capacity) {
    size_t wide = *capacity;
    items = pool_room(arena, items, used, more, size, 256, &wide);
    *capacity = (uint32_t)wide;
    return items;
}

void dl_init(DisplayList *dl, Arena *arena, float width, float height, Color background) {
    *dl = (DisplayList){.arena = arena, .width = width, .height = height, .background = background};
    dl->text = pool_room32(arena, NULL, 0, 1, 1, &dl->text_capacity);
    dl->text[0] = '\0';
    dl->n_text = 1; /* offset 0 is the empty text */
}

void dl_finish(const DisplayList *dl) {
    assert(dl->depth_clip == 0);
    assert(dl->depth_group == 0);
    (void)dl;
}

uint32_t dl_store(DisplayList *dl, const char *text) {
    if (text == NULL || text[0] == '\0') return DL_NO_TEXT;
    size_t size = strlen(text) + 1;
    dl->text = pool_room32(dl->arena, dl->text, dl->n_text, size, 1, &dl->text_capacity);
    uint32_t offset = dl->n_text;
    memcpy(dl->text + offset, text, size);
    dl->n_text += (uint32_t)size;
    return offset;
}

const char *dl_text_at(const DisplayList *dl, uint32_t offset) {
    assert(offset < dl->n_text);
    return dl->text + offset;
}

DlCommand *dl_add(DisplayList *dl, DlKind kind, Rect box) {
    size_t capacity = (size_t)dl->capacity;
    dl->commands = pool_room(dl->arena, dl->commands, (size_t)dl->n, 1, sizeof(DlCommand), 128, &capacity);
    dl->capacity = (int)capacity;
    DlCommand *c = &dl->commands[dl->n++];
    memset(c, 0, sizeof *c); /* equal lists are equal bytes */
    c->kind = kind;
    c->box = box;
    bool area = kind != DL_LINE; /* where there is no room, an area is empty, not turned inside out */
    if (area && !(box.w > 0)) c->box.w = 0;
    if (area && !(box.h > 0)) c->box.h = 0;
    return c;
}

void dl_clip(DisplayList *dl, Rect box) {
    dl_add(dl, DL_CLIP, box);
    dl->depth_clip++;
}

void dl_unclip(DisplayList *dl) {
    assert(dl->depth_clip > 0);
    dl_add(dl, DL_UNCLIP, (Rect){0});
    dl->depth_clip--;
}

void dl_group(DisplayList *dl, Rect box, const DlGroup *group) {
    size_t capacity = (size_t)dl->groups_capacity;
    dl->groups = pool_room(dl->arena, dl->groups, (size_t)dl->n_groups, 1, sizeof(DlGroup), 32, &capacity);
    dl->groups_capacity = (int)capacity;
    dl->groups[dl->n_groups] = *group;
    dl_add(dl, DL_GROUP, box)->group.group = (uint32_t)dl->n_groups++;
    dl->depth_group++;
}

void dl_ungroup(DisplayList *dl) {
    assert(dl->depth_group > 0);
    dl_add(dl, DL_UNGROUP, (Rect){0});
    dl->depth_group--;
}

void dl_control(DisplayList *dl, Rect box, DlRole role, const char *name, const char *action, const char *label) {
    DlGroup group = {.role = role, .tensor = -1, .at = {-1, -1, -1, -1}, .focusable = true};
    group.name = dl_store(dl, name);
    group.action = dl_store(dl, action);
    group.label = dl_store(dl, label);
    dl_group(dl, box, &group);
}

void dl_rect(DisplayList *dl, Rect box, float radius, Color fill, Color stroke, float width) {
    DlCommand *c = dl_add(dl, DL_RECT, box);
    c->radius = radius;
    c->fill = fill;
    c->stroke = width > 0 ? stroke : COLOR_NONE;
    c->width = c->stroke != COLOR_NONE ? width : 0;
}

void dl_dash(DisplayList *dl, float x0, float y0, float x1, float y1, Color color, float width, float dash) {
    DlCommand *c = dl_add(dl, DL_LINE, (Rect){x0, y0, x1 - x0, y1 - y0});
    c->stroke = color;
    c->width = width;
    c->line.dash = dash;
}

void dl_line(DisplayList *dl, float x0, float y0, float x1, float y1, Color color, float width) {
    dl_dash(dl, x0, y0, x1, y1, color, width, 0);
}

static Rect bounds_of(const DlPoint *points, int count) {
    float x0 = points[0].x, y0 = points[0].y, x1 = x0, y1 = y0;
    for (int i = 1; i < count; i++) {
        x0 = fminf(x0, points[i].x), x1 = fmaxf(x1, points[i].x);
        y0 = fminf(y0, points[i].y), y1 = fmaxf(y1, points[i].y);
    }
    return (Rect){x0, y0, x1 - x0, y1 - y0};
}

void dl_path(DisplayList *dl, const DlPoint *points, int count, bool closed, Color fill, Color stroke, float width) {
    if (count < 2) return;
    dl->points = pool_room32(dl->arena, dl->points, dl->n_points, (size_t)count, sizeof *points, &dl->points_capacity);
    DlCommand *c = dl_add(dl, DL_PATH, bounds_of(points, count));
    c->fill = fill;
    c->stroke = width > 0 ? stroke : COLOR_NONE;
    c->width = c->stroke != COLOR_NONE ? width : 0;
    c->path.first = dl->n_points;
    c->path.count = (uint32_t)count;
    c->path.closed = closed;
    memcpy(dl->points + dl->n_points, points, (size_t)count * sizeof *points);
    dl->n_points += (uint32_t)count;
}

void dl_cells(DisplayList *dl, Rect box, int rows, int cols, float gap, float radius, const Color *colors, const float *values,
              const uint8_t *marks, int tensor, int head, int row0, int col0) {
    assert(rows >= 0 && cols >= 0);
    size_t count = (size_t)rows * (size_t)cols;
    if (count == 0) return;
    dl->colors = pool_room32(dl->arena, dl->colors, dl->n_colors, count, sizeof *dl->colors, &dl->colors_capacity);
    dl->values = pool_room32(dl->arena, dl->values, dl->n_values, count, sizeof *dl->values, &dl->values_capacity);
    dl->marks = pool_room32(dl->arena, dl->marks, dl->n_marks, count, sizeof *dl->marks, &dl->marks_capacity);
    DlCommand *c = dl_add(dl, DL_CELLS, box);
    c->cells = (DlCells){.rows = rows, .cols = cols, .gap = gap, .radius = radius, .colors = dl->n_colors, .values = dl->n_values,
                         .marks = dl->n_marks, .tensor = tensor, .head = head, .row0 = row0, .col0 = col0};
    memcpy(dl->colors + dl->n_colors, colors, count * sizeof *colors);
    if (values != NULL) memcpy(dl->values + dl->n_values, values, count * sizeof *values);
    else memset(dl->values + dl->n_values, 0, count * sizeof *values);
    if (marks != NULL) memcpy(dl->marks + dl->n_marks, marks, count);
    else memset(dl->marks + dl->n_marks, CELL_VALUE, count);
    dl->n_colors += (uint32_t)count;
    dl->n_values += (uint32_t)count;
    dl->n_marks += (uint32_t)count;
}

/* One direction of the grid: start and size of cell i of n. Pitches are whole units that differ by at most one
 * where a pitch has at least one unit; otherwise cells touch and edges fall where they fall. */
static void cell_span(float start, float length, int n, float gap, int i, float *from, float *size) {
    float whole_gap = floorf(gap + 0.5f);
    float pitch = (length + whole_gap) / (float)n;
    if (pitch - whole_gap < 1) {
        whole_gap = 0;
        pitch = length / (float)n;
    }
    float a = start + pitch * (float)i, b = start + pitch * (float)(i + 1);
    if (pitch >= 1) {
        a = floorf(a + 0.5f);
        b = floorf(b + 0.5f);
    }
    *from = a;
    *size = b - a - whole_gap;
}

Rect dl_cell_box(Rect box, int rows, int cols, float gap, int row, int col) {
    assert(rows > 0 && cols > 0);
    Rect cell;
    cell_span(box.x, box.w, cols, gap, col, &cell.x, &cell.w);
    cell_span(box.y, box.h, rows, gap, row, &cell.y, &cell.h);
    return cell;
}

void dl_shade(DisplayList *dl, Rect box, float x, float y, float clear, float reach, Color color) {
    DlCommand *c = dl_add(dl, DL_SHADE, box);
    c->fill = color;
    c->shade.x = x, c->shade.y = y, c->shade.clear = clear, c->shade.reach = reach;
}

void dl_ribbon(DisplayList *dl, float x0, float y0, float h0, float x1, float y1, float h1, Color fill) {
    float top = fminf(y0, y1), bottom = fmaxf(y0 + h0, y1 + h1);
    DlCommand *c = dl_add(dl, DL_RIBBON, (Rect){fminf(x0, x1), top, fabsf(x1 - x0), bottom - top});
    c->fill = fill;
    bool turned = x1 < x0; /* the command runs from left to right */
    c->ribbon.y0 = turned ? y1 : y0, c->ribbon.h0 = turned ? h1 : h0;
    c->ribbon.y1 = turned ? y0 : y1, c->ribbon.h1 = turned ? h0 : h1;
}
