#include <assert.h>
#include <inttypes.h>

#include "draw/dl.h"

/* Floats to one decimal, without "-0.0". */
static double tenths(float v) {
    double d = (double)v;
    return d > -0.05 && d < 0.05 ? 0.0 : d;
}

static void add_box(StrBuf *out, Rect r) {
    sb_printf(out, " %.1f,%.1f %.1fx%.1f", tenths(r.x), tenths(r.y), tenths(r.w), tenths(r.h));
}

static void add_color(StrBuf *out, const char *what, Color c) {
    if (c == COLOR_NONE) return;
    if ((c & 0xffu) == 0xffu) sb_printf(out, " %s #%06" PRIx32, what, (uint32_t)(c >> 8));
    else sb_printf(out, " %s #%08" PRIx32, what, (uint32_t)c);
}

static void add_quoted(StrBuf *out, const char *text) {
    sb_add(out, "\"");
    for (const char *p = text; *p != '\0'; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') sb_printf(out, "\\%c", c);
        else if (c < 0x20) sb_printf(out, "\\x%02x", c);
        else sb_add_n(out, p, 1);
    }
    sb_add(out, "\"");
}

static void add_text(StrBuf *out, const DisplayList *dl, const char *what, uint32_t text) {
    if (text == DL_NO_TEXT) return;
    sb_printf(out, " %s ", what);
    add_quoted(out, dl_text_at(dl, text));
}

static void add_stroke(StrBuf *out, const DlCommand *c) {
    add_color(out, "stroke", c->stroke);
    if (c->stroke != COLOR_NONE) sb_printf(out, " width %.1f", tenths(c->width));
}

static void dump_box(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    (void)dl;
    add_box(out, c->box);
}

static void dump_nothing(StrBuf *out, const DisplayList *dl, const DlCommand *c) { (void)out, (void)dl, (void)c; }

static void dump_group(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    const DlGroup *g = &dl->groups[c->group.group];
    sb_printf(out, " %s", dl_role_names[g->role]);
    add_box(out, c->box);
    add_text(out, dl, "name", g->name);
    add_text(out, dl, "action", g->action);
    add_text(out, dl, "double", g->double_action);
    add_text(out, dl, "label", g->label);
    if (g->tensor >= 0) sb_printf(out, " tensor %d", g->tensor);
    if (g->at[0] >= 0 || g->at[1] >= 0 || g->at[2] >= 0 || g->at[3] >= 0)
        sb_printf(out, " at %d,%d,%d,%d", g->at[0], g->at[1], g->at[2], g->at[3]);
    if (g->focusable) sb_add(out, " focusable");
}

static void dump_rect(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    (void)dl;
    add_box(out, c->box);
    if (c->radius > 0) sb_printf(out, " radius %.1f", tenths(c->radius));
    add_color(out, "fill", c->fill);
    add_stroke(out, c);
}

static void dump_line(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    (void)dl;
    sb_printf(out, " %.1f,%.1f to %.1f,%.1f", tenths(c->box.x), tenths(c->box.y), tenths(c->box.x + c->box.w),
              tenths(c->box.y + c->box.h));
    add_stroke(out, c);
    if (c->line.dash > 0) sb_printf(out, " dash %.1f", tenths(c->line.dash));
}

static void dump_path(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    sb_printf(out, " %s", c->path.closed ? "closed" : "open");
    for (uint32_t i = 0; i < c->path.count; i++) {
        DlPoint p = dl->points[c->path.first + i];
        sb_printf(out, " %.1f,%.1f", tenths(p.x), tenths(p.y));
    }
    add_color(out, "fill", c->fill);
    add_stroke(out, c);
}

static void dump_text(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    static const char *const faces[FACE_COUNT] = {
        [FACE_UI] = "ui",       [FACE_UI_MEDIUM] = "ui-medium", [FACE_UI_SEMIBOLD] = "ui-semibold",
        [FACE_UI_BOLD] = "ui-bold", [FACE_MONO] = "mono",       [FACE_MONO_BOLD] = "mono-bold"};
    static_assert(FACE_COUNT == 6, "a name for each face");
    sb_printf(out, " %.1f,%.1f ", tenths(c->box.x), tenths(c->box.y));
    add_quoted(out, dl_text_at(dl, c->text.text));
    sb_printf(out, " %s %.1f width %.1f", faces[c->text.face], tenths(c->text.size), tenths(c->text.width));
    if (c->text.angle > 0 || c->text.angle < 0) sb_printf(out, " angle %.1f", tenths(c->text.angle));
    add_color(out, "fill", c->fill);
}

static void dump_cells(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    const DlCells *k = &c->cells;
    static const char letters[CELL_MARK_COUNT] = {'v', '/', 'n', 'e', '-'};
    size_t count = (size_t)k->rows * (size_t)k->cols;
    add_box(out, c->box);
    sb_printf(out, " %dx%d", k->rows, k->cols);
    if (k->gap > 0) sb_printf(out, " gap %.1f", tenths(k->gap));
    if (k->radius > 0) sb_printf(out, " radius %.1f", tenths(k->radius));
    if (k->tensor >= 0) sb_printf(out, " tensor %d", k->tensor);
    if (k->head >= 0) sb_printf(out, " head %d", k->head);
    if (k->row0 != 0 || k->col0 != 0) sb_printf(out, " from %d,%d", k->row0, k->col0);
    uint64_t hash = hash_fnv1a("", 0);
    for (size_t i = 0; i < count; i++) { /* by value, so that the text is the same on every machine */
        Color color = dl->colors[k->colors + i];
        uint8_t bytes[4] = {(uint8_t)(color >> 24), (uint8_t)(color >> 16), (uint8_t)(color >> 8), (uint8_t)color};
        hash = hash_fnv1a_more(hash, bytes, 4);
    }
    sb_printf(out, " colors %016" PRIx64 " marks", hash);
    for (size_t i = 0; i < count; i++) {
        if (i % (size_t)k->cols == 0) sb_add(out, " ");
        if (i == 256) {
            sb_add(out, "...");
            break;
        }
        sb_printf(out, "%c", letters[dl->marks[k->marks + i] % CELL_MARK_COUNT]);
    }
    sb_add(out, " values");
    for (size_t i = 0; i < count && i < 4; i++) {
        char text[NUM_MAX];
        sb_printf(out, " %s", num_fixed(text, (double)dl->values[k->values + i], 3, NUM_FILE));
    }
    if (count > 4) sb_add(out, " ...");
}

static void dump_ribbon(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    (void)dl;
    sb_printf(out, " %.1f,%.1f+%.1f to %.1f,%.1f+%.1f", tenths(c->box.x), tenths(c->ribbon.y0), tenths(c->ribbon.h0),
              tenths(c->box.x + c->box.w), tenths(c->ribbon.y1), tenths(c->ribbon.h1));
    add_color(out, "fill", c->fill);
}

static void dump_shade(StrBuf *out, const DisplayList *dl, const DlCommand *c) {
    dump_box(out, dl, c);
    sb_printf(out, " but %.1f,%.1f from %.1f to %.1f", tenths(c->shade.x), tenths(c->shade.y), tenths(c->shade.clear), tenths(c->shade.reach));
    add_color(out, "fill", c->fill);
}

typedef struct { const char *name; void (*dump)(StrBuf *out, const DisplayList *dl, const DlCommand *c); } DumpRow;

static const DumpRow rows[DL_KIND_COUNT] = {
    [DL_CLIP] = {"clip", dump_box},     [DL_UNCLIP] = {"unclip", dump_nothing}, [DL_GROUP] = {"group", dump_group},
    [DL_UNGROUP] = {"end", dump_nothing}, [DL_RECT] = {"rect", dump_rect},      [DL_LINE] = {"line", dump_line},
    [DL_PATH] = {"path", dump_path},    [DL_TEXT] = {"text", dump_text},        [DL_CELLS] = {"cells", dump_cells},
    [DL_RIBBON] = {"ribbon", dump_ribbon}, [DL_SHADE] = {"shade", dump_shade},
};
static_assert(DL_KIND_COUNT == 11, "a row for each kind of command");

void dl_dump(const DisplayList *dl, StrBuf *out) {
    sb_printf(out, "list %.1fx%.1f", tenths(dl->width), tenths(dl->height));
    add_color(out, "background", dl->background);
    sb_add(out, "\n");
    int depth = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind == DL_UNCLIP || c->kind == DL_UNGROUP) depth--;
        for (int k = 0; k < depth; k++) sb_add(out, "  ");
        sb_add(out, rows[c->kind].name);
        rows[c->kind].dump(out, dl, c);
        sb_add(out, "\n");
        if (c->kind == DL_CLIP || c->kind == DL_GROUP) depth++;
    }
}
