#include "scene/mask_row.h"

#include <assert.h>
#include <math.h>

#include "base/tr.h"
#include "scene/empty_rows.h"
#include "scene/now.h"
#include "scene/paint.h"
#include "scene/words_mask.h"

/* Parts of one group touch; a block is a mask with its numbers, one group or more near each other. A stepper is − text +: the
 * less and more are its actions, NULL at an end. */
typedef struct {
    const char *name, *action, *text, *tip, *less, *more;
    bool on, drop, stepper, first, opens; /* opens: a block */
} Control;

enum { CONTROLS_MAX = 40, HIGH = 26, EDGE = 9, APART = 8, WITHIN = 2, FRAME = 2, ARROW = 14, SIGN = 22, LINE_APART = 6, FRAMES_APART = 10, LOW = 420 };

typedef struct {
    const Scene *scene;
    Arena *arena;
    Control items[CONTROLS_MAX + 1]; /* the last is for what there is no place for */
    int n;
} Row;

static Control *add(Row *row, const char *name, const char *action, const char *text) {
    Control *c = &row->items[row->n];
    if (row->n < CONTROLS_MAX) row->n++;
    *c = (Control){.name = name, .action = action, .text = text, .tip = text, .first = true, .opens = true};
    return c;
}

/* ---- numbers of a template ---- */

typedef struct {
    Row *row;
    const DocMask *mask;
    int which; /* from 1 */
    int least, most;
} Number;

static void add_stepper(const Number *n, const char *key, const char *text, const char *tip, int value) {
    Arena *arena = n->row->arena;
    Control *c = add(n->row, arena_printf(arena, "mask.%d.%s", n->which, key), NULL, text);
    c->stepper = true;
    c->tip = tip;
    if (value > n->least) c->less = arena_printf(arena, "mask.set %s %d %d", key, value - 1, n->which);
    if (value < n->most) c->more = arena_printf(arena, "mask.set %s %d %d", key, value + 1, n->which);
}

static void add_switch(const Number *n, const char *key, const char *value, const char *text, const char *tip, bool on) {
    Arena *arena = n->row->arena;
    Control *c = add(n->row, arena_printf(arena, "mask.%d.%s.%s", n->which, key, value), arena_printf(arena, "mask.set %s %s %d", key, value, n->which), text);
    c->on = on;
    c->tip = tip;
}

static void add_causal(const Number *n, bool on) {
    add_switch(n, "causal", on ? "off" : "on", tr("only back"), tr("Hide what comes later, too"), on);
}

static void padding_numbers(Number *n) {
    const DocMask *mask = n->mask;
    if (mask->keys) {
        int count = (int)(mask->keys->size / sizeof(int));
        add(n->row, arena_printf(n->row->arena, "mask.%d.list", n->which), arena_printf(n->row->arena, "mask.drop %d", n->which),
            arena_printf(n->row->arena, count == 1 ? tr("%d key hidden ×") : tr("%d keys hidden ×"), count))->tip = tr("Show these keys again");
        return;
    }
    if (mask->by_token) {
        add(n->row, arena_printf(n->row->arena, "mask.%d.token", n->which), arena_printf(n->row->arena, "mask.drop %d", n->which),
            arena_printf(n->row->arena, tr("every %s ×"), DOC_PAD))->tip = tr("All keys that are padding tokens are hidden; take this mask away");
        return;
    }
    n->least = 0;
    n->most = scene_site(n->row->scene)->spec.S;
    add_stepper(n, "keys", arena_printf(n->row->arena, mask->spec.pad_keys == 1 ? tr("%d key") : tr("%d keys"), mask->spec.pad_keys), tr("How many keys are padding"), mask->spec.pad_keys);
    add_switch(n, "side", "left", tr("at the start"), tr("The first keys are padding"), mask->spec.pad_left);
    add_switch(n, "side", "right", tr("at the end"), tr("The last keys are padding"), !mask->spec.pad_left);
    n->row->items[n->row->n - 1].first = false;
}

static void window_numbers(Number *n) {
    const MaskSpec *spec = &n->mask->spec;
    n->least = 0;
    add_stepper(n, "left", arena_printf(n->row->arena, tr("before %d"), spec->left), tr("How many tokens before it a query may read"), spec->left);
    add_stepper(n, "right", arena_printf(n->row->arena, tr("after %d"), spec->right), tr("How many tokens after it a query may read"), spec->right);
}

static void block_numbers(Number *n) {
    add_stepper(n, "block", arena_printf(n->row->arena, tr("block %d"), n->mask->spec.block), tr("How many tokens a block has"), n->mask->spec.block);
    add_causal(n, n->mask->spec.causal);
}

static void global_numbers(Number *n) {
    const DocMask *mask = n->mask;
    int count = mask->globals ? (int)(mask->globals->size / sizeof(int)) : 0;
    int first = count > 0 ? ((const int *)mask->globals->bytes)[0] + 1 : 1;
    n->least = 0;
    add_stepper(n, "each_side", arena_printf(n->row->arena, tr("each side %d"), mask->spec.left), tr("How many tokens to each side a query may read"), mask->spec.left);
    n->least = 1;
    const char *text = count == 1 ? arena_printf(n->row->arena, tr("token %d"), first) : arena_printf(n->row->arena, tr("%d tokens"), count);
    add_stepper(n, "token", text, tr("The token that all read, and that reads all"), first);
    add_causal(n, mask->spec.causal);
}

static void strided_numbers(Number *n) {
    add_stepper(n, "stride", arena_printf(n->row->arena, tr("stride %d"), n->mask->spec.stride), tr("Near tokens, and every one that is a multiple of this away"),
                n->mask->spec.stride);
    add_causal(n, n->mask->spec.causal);
}

static void (*const numbers[MASK_KIND_COUNT])(Number *n) = {
    [MASK_PADDING] = padding_numbers,        [MASK_WINDOW] = window_numbers,  [MASK_LOCAL_BLOCK] = block_numbers,
    [MASK_GLOBAL_WINDOW] = global_numbers,   [MASK_STRIDED] = strided_numbers,
};

/* ---- the groups ---- */

static bool is_its_own(const Scene *scene) { return scene->run->doc.model == MODEL_FOLDER; }

static void add_masks(Row *row, bool brief) {
    const Doc *doc = &row->scene->run->doc;
    bool several = doc->n_masks > 1;
    const char *name = several ? arena_printf(row->arena, tr("%d masks"), doc->n_masks) : words_mask_kind(doc->n_masks ? doc->masks[0].spec.kind : MASK_NONE);
    Control *kind = add(row, "mask.kind", "menu mask.kind", name);
    kind->drop = true;
    kind->tip = several ? tr("A key is read only where all of these masks allow it") : tr("Which keys a query may read");
    if (scene_find(row->scene, "mask") == TENSOR_NONE) add(row, "mask.paint", "mask custom", tr("Paint one"))->tip = tr("Begin with a mask that hides nothing, and paint it");
    const AttentionSpec *spec = &scene_site(row->scene)->spec;
    for (int i = 0; i < doc->n_masks; i++) {
        const DocMask *mask = &doc->masks[i];
        Number n = {.row = row, .mask = mask, .which = i + 1, .least = 1, .most = spec->L > spec->S ? spec->L : spec->S};
        int from = row->n;
        bool list = mask->spec.kind == MASK_PADDING && (mask->keys || mask->by_token);
        if (several && !list && !brief) {
            Control *drop = add(row, arena_printf(row->arena, "mask.%d.drop", i + 1), arena_printf(row->arena, "mask.drop %d", i + 1),
                                arena_printf(row->arena, tr("%s ×"), words_mask_kind(mask->spec.kind)));
            drop->tip = tr("Take this mask away");
        }
        if (numbers[mask->spec.kind]) numbers[mask->spec.kind](&n);
        for (int k = from + 1; several && k < row->n; k++) row->items[k].opens = false;
    }
}

static bool has_triangle(const AttentionSpec *spec) {
    for (int i = 0; i < spec->n_masks; i++)
        if (spec->masks[i].kind == MASK_CAUSAL || (spec->masks[i].causal && spec->masks[i].kind >= MASK_LOCAL_BLOCK && spec->masks[i].kind <= MASK_STRIDED)) return true;
    return false;
}

static void add_align(Row *row) {
    const AttentionSpec *spec = &scene_site(row->scene)->spec;
    if (spec->L == spec->S || !has_triangle(spec)) return;
    bool end = row->scene->run->doc.causal_align == ALIGN_BOTTOM_RIGHT;
    Control *right = add(row, "mask.align.bottom_right", "causal_align bottom_right", tr("last query with last key"));
    right->on = end;
    right->tip = tr("Bottom right: the last query reads up to the last key");
    Control *left = add(row, "mask.align.top_left", "causal_align top_left", tr("first query with first key"));
    left->on = !end;
    left->first = false;
    left->tip = tr("Top left: the first query reads the first key alone");
}

static void add_empty(Row *row) {
    if (!empty_rows_any(row->scene)) return;
    bool nan = row->scene->run->doc.empty_row == EMPTY_ROW_NAN;
    Control *zero = add(row, "mask.empty.zero", "empty_row zero", tr("no key: zeros"));
    zero->on = !nan;
    zero->tip = tr("A row with no allowed key gets zeros");
    Control *none = add(row, "mask.empty.nan", "empty_row nan", tr("NaN"));
    none->on = nan;
    none->first = false;
    none->tip = tr("A row with no allowed key gets NaN: −∞ − (−∞)");
}

static void add_forms(Row *row, bool folded) {
    if (scene_find(row->scene, "mask") == TENSOR_NONE) return;
    MaskForm now = row->scene->view->mask_form;
    if (folded) {
        Control *c = add(row, "mask.form", "menu mask.form", words_mask_form(row->scene, now));
        c->drop = true;
        c->on = now != MASK_FORM_WORDS;
        c->tip = tr("How M is written");
        return;
    }
    for (int i = 0; i < MASK_FORM_COUNT; i++) {
        Control *c = add(row, arena_printf(row->arena, "mask.form.%s", mask_form_names[i]), arena_printf(row->arena, "mask.form %s", mask_form_names[i]),
                         words_mask_form(row->scene, (MaskForm)i));
        c->on = now == (MaskForm)i;
        c->first = i == 0;
        c->tip = words_mask_source(row->scene, (MaskForm)i);
    }
}

/* How much is shown: all, the forms as a menu, and without what the mask's menu has too. */
typedef enum { FILL_ALL, FILL_FOLDED, FILL_BRIEF } Fill;

static void fill(Row *row, Fill how) {
    row->n = 0;
    if (!is_its_own(row->scene) && !(row->scene->run->fields & RUN_GIVEN_WEIGHTS)) {
        add_masks(row, how == FILL_BRIEF);
        if (how != FILL_BRIEF) add_align(row);
        if (how != FILL_BRIEF) add_empty(row);
    }
    add_forms(row, how != FILL_ALL);
}

/* ---- places ---- */

static float width_of(const Row *row, const Control *c) {
    float s = row->scene->layout.scale, text = font_width(row->scene->font, FACE_UI_MEDIUM, row->scene->layout.type[TYPE_LABEL], c->text);
    if (c->stepper) return ceilf(text + 2 * SIGN * s);
    return ceilf(text + 2 * EDGE * s + (c->drop ? ARROW * s : 0));
}

/* From item `at` on: the end of its group, and how wide that is. */
static int group_end(const Row *row, int at, float *wide) {
    int end = at;
    *wide = 0;
    do *wide += width_of(row, &row->items[end++]);
    while (end < row->n && !row->items[end].first);
    return end;
}

static bool framed(const Row *row, int at) { return row->items[at].opens && at + 1 < row->n && !row->items[at + 1].opens; }

/* What lies before this item; nothing before the first of a line. */
static float gap_before(const Row *row, int at) {
    const Control *c = &row->items[at];
    return (!c->first ? 0 : !c->opens ? WITHIN : row->scene->run->doc.n_masks > 1 ? APART + 2 * FRAME : APART) * row->scene->layout.scale;
}

static int block_end(const Row *row, int at, float *wide) {
    float group;
    int end = group_end(row, at, wide);
    while (end < row->n && !row->items[end].opens) {
        *wide += gap_before(row, end);
        end = group_end(row, end, &group);
        *wide += group;
    }
    return end;
}

/* As many blocks as fit from item `at` on; a block that no line has room for is parted between its groups. */
static int line_end(const Row *row, int at, float room, float *wide) {
    float more;
    int end = block_end(row, at, wide);
    bool parted = *wide > room;
    if (parted) end = group_end(row, at, wide);
    while (end < row->n && !(parted && row->items[end].opens)) {
        int next = parted ? group_end(row, end, &more) : block_end(row, end, &more);
        if (*wide + gap_before(row, end) + more > room) break;
        *wide += gap_before(row, end) + more;
        end = next;
    }
    return end;
}

/* Nothing stands in the first line where not even its first group has room. */
static bool skips_first(const Row *row, float first) {
    float wide;
    group_end(row, 0, &wide);
    return wide > first;
}

static int lines_below(const Row *row, float first, float wide) {
    float used;
    int lines = 0, at = row->n == 0 || skips_first(row, first) ? 0 : line_end(row, 0, first, &used);
    for (; at < row->n; lines++) at = line_end(row, at, wide, &used);
    return lines;
}

static void choose(Row *row, const Scene *scene, float first, float wide) {
    *row = (Row){.scene = scene, .arena = scene->arena};
    bool low = scene->layout.stage.h < LOW * scene->layout.scale;
    for (int how = FILL_ALL; how <= (low ? FILL_BRIEF : FILL_FOLDED); how++) {
        fill(row, (Fill)how);
        if (lines_below(row, first, wide) == 0) return;
    }
}

static float line_pitch(const Scene *scene) { return (float)(HIGH + (scene->run->doc.n_masks > 1 ? FRAMES_APART : LINE_APART)) * scene->layout.scale; }

float mask_row_below(const Scene *scene, float first, float wide) {
    Row row;
    choose(&row, scene, first, wide);
    return (float)lines_below(&row, first, wide) * line_pitch(scene);
}

/* ---- drawing ---- */

static void draw_arrow(const Scene *scene, Rect box, Color color, DisplayList *dl) {
    float s = scene->layout.scale, x = box.x + box.w - EDGE * s - 4 * s, y = box.y + box.h / 2;
    const DlPoint points[] = {{x - 4 * s, y - 2 * s}, {x, y + 2 * s}, {x + 4 * s, y - 2 * s}};
    dl_path(dl, points, 3, false, COLOR_NONE, color, 1.5f * s);
}

/* − or +: reached by the pointer; the keyboard has the stepper and its arrows. */
static void draw_sign(const Scene *scene, const Control *c, Rect box, bool more, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale, x = box.x + box.w / 2, y = box.y + box.h / 2, r = 4 * s;
    const char *action = more ? c->more : c->less;
    Color ink = action ? theme->ink : theme->faint;
    DlGroup group = {.role = ROLE_BUTTON, .tensor = -1, .at = {-1, -1, -1, -1}};
    group.name = dl_store(dl, arena_printf(scene->arena, "%s.%s", c->name, more ? "more" : "less"));
    group.label = dl_store(dl, c->tip);
    group.action = action ? dl_store(dl, action) : DL_NO_TEXT;
    dl_group(dl, box, &group);
    dl_line(dl, x - r, y, x + r, y, ink, 1.5f * s);
    if (more) dl_line(dl, x, y - r, x, y + r, ink, 1.5f * s);
    dl_ungroup(dl);
}

static void draw_stepper(const Scene *scene, const Control *c, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale;
    DlGroup group = {.role = ROLE_BUTTON, .tensor = -1, .at = {-1, -1, -1, -1}, .focusable = true};
    group.name = dl_store(dl, c->name);
    group.label = dl_store(dl, c->tip);
    dl_group(dl, box, &group);
    dl_rect(dl, box, 6 * s, theme->button, COLOR_NONE, 0);
    dl_label(dl, scene->font, FACE_UI_MEDIUM, scene->layout.type[TYPE_LABEL], theme->ink, (Rect){box.x + SIGN * s, box.y, box.w - 2 * SIGN * s + 1, box.h}, ALIGN_CENTER, c->text);
    draw_sign(scene, c, (Rect){box.x, box.y, SIGN * s, box.h}, false, dl);
    draw_sign(scene, c, (Rect){box.x + box.w - SIGN * s, box.y, SIGN * s, box.h}, true, dl);
    scene_ring(scene, dl, c->name, box, 6 * s);
    dl_ungroup(dl);
}

static void draw_control(const Scene *scene, const Control *c, Rect box, DisplayList *dl) {
    const Theme *theme = scene_theme(scene);
    float s = scene->layout.scale;
    Color ink = c->on ? theme->on_accent : theme->ink;
    dl_control(dl, box, ROLE_BUTTON, c->name, c->action, c->tip);
    dl_rect(dl, box, 6 * s, c->on ? theme->accent : theme->button, COLOR_NONE, 0);
    Rect text = {box.x + EDGE * s, box.y, box.w - 2 * EDGE * s - (c->drop ? ARROW * s : 0), box.h};
    dl_label(dl, scene->font, FACE_UI_MEDIUM, scene->layout.type[TYPE_LABEL], ink, (Rect){text.x, text.y, text.w + 1, text.h}, ALIGN_LEFT, c->text);
    if (c->drop) draw_arrow(scene, box, ink, dl);
    scene_ring(scene, dl, c->name, box, 6 * s);
    dl_ungroup(dl);
}

/* Around a mask with its numbers. */
static void draw_frame(const Row *row, int at, int end, float x, float y, DisplayList *dl) {
    float wide, s = row->scene->layout.scale;
    if (block_end(row, at, &wide) > end) return; /* parted */
    dl_rect(dl, rect_inset((Rect){x, y, wide, HIGH * s}, -FRAME * s), 8 * s, COLOR_NONE, scene_theme(row->scene)->line, 1);
}

void mask_row_draw(const Scene *scene, Rect box, float used, float below, DisplayList *dl) {
    Row row;
    float s = scene->layout.scale, y = box.y, wide, first = box.w - used;
    choose(&row, scene, first, box.w);
    bool skips = row.n > 0 && skips_first(&row, first);
    if (skips) y = below;
    for (int at = 0, line = 0; at < row.n; line++) {
        int end = line_end(&row, at, line == 0 && !skips ? first : box.w, &wide);
        bool frame = end > at && !row.items[end - 1].opens; /* it ends where other lines do */
        float x = box.x + fmaxf(0, box.w - wide - (frame ? FRAME * s : 0));
        for (int i = at; i < end; i++) {
            const Control *c = &row.items[i];
            if (i > at) x += gap_before(&row, i);
            if (framed(&row, i)) draw_frame(&row, i, end, x, y, dl);
            float w = width_of(&row, c);
            bool joined = i + 1 < end && !row.items[i + 1].first;
            Rect place = {x, y, w - (joined ? 1 : 0), HIGH * s};
            if (c->stepper) draw_stepper(scene, c, place, dl);
            else draw_control(scene, c, place, dl);
            x += w;
        }
        at = end;
        y = line == 0 && !skips ? below : y + line_pitch(scene);
    }
}
