#include "app/menus.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "app/files.h"
#include "app/session_state.h"
#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"

/* Rows of a menu while it is made. */
typedef struct {
    const Session *s;
    Arena *arena;
    KitItem *items;
    int n, capacity;
} Rows;

static KitItem *add_row(Rows *rows, KitItemKind kind, const char *label) {
    if (rows->n == rows->capacity) {
        int capacity = rows->capacity ? 2 * rows->capacity : 32;
        KitItem *items = ARENA_ARRAY(rows->arena, KitItem, (size_t)capacity);
        if (rows->n > 0) memcpy(items, rows->items, (size_t)rows->n * sizeof *items);
        rows->items = items;
        rows->capacity = capacity;
    }
    KitItem *item = &rows->items[rows->n++];
    *item = (KitItem){.kind = kind, .label = label};
    return item;
}

static void heading(Rows *rows, const char *label) {
    add_row(rows, ITEM_HEADING, label);
}

static KitItem *choice(Rows *rows, const char *label, const char *detail, const char *action, bool checked) {
    KitItem *item = add_row(rows, ITEM_ACTION, label);
    item->detail = detail;
    item->action = arena_strdup(rows->arena, action);
    item->checked = checked;
    return item;
}

/* ---- chips ---- */

static void rows_scale(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    heading(rows, tr("Scores are scaled"));
    choice(rows, tr("By 1/√dₖ"), NULL, "scale auto", doc->scale == SCALE_AUTO);
    choice(rows, tr("Not at all"), NULL, "scale none", doc->scale == SCALE_NONE);
    heading(rows, tr("Temperature"));
    static const double values[] = {0.5, 1, 2};
    for (int i = 0; i < 3; i++) {
        char number[NUM_MAX], line[64];
        num_double(number, values[i], NUM_FILE);
        snprintf(line, sizeof line, "temperature %s", number);
        choice(rows, arena_strdup(rows->arena, number), NULL, line, fabs(doc->temperature - values[i]) < 1e-12);
    }
}

static void menu_model(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    static const struct { ModelKind kind; const char *detail; } models[] = {
        {MODEL_CLASSROOM, tr_mark("words, 4 heads made by hand")},
        {MODEL_MOLECULE, tr_mark("SMILES, 4 heads made by hand")},
        {MODEL_RANDOM, tr_mark("random numbers from a seed")},
        {MODEL_IDENTITY, tr_mark("all weights identity")},
    };
    heading(rows, tr("Where the numbers come from"));
    for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
        char line[64];
        snprintf(line, sizeof line, "model %s", model_names[models[i].kind]);
        choice(rows, name_of_model((int)models[i].kind), tr(models[i].detail), line, doc->model == models[i].kind);
    }
    if (doc->model == MODEL_RANDOM) {
        char line[64];
        snprintf(line, sizeof line, "seed %llu", doc->seed + 1);
        choice(rows, tr("Other random numbers"), arena_printf(rows->arena, tr("seed %llu"), doc->seed), line, false);
    }
    rows_scale(rows);
}

static bool mask_is(const Doc *doc, MaskKind kind) {
    if (kind == MASK_NONE) return doc->n_masks == 0 || (doc->n_masks == 1 && doc->masks[0].spec.kind == MASK_NONE);
    for (int i = 0; i < doc->n_masks; i++)
        if (doc->masks[i].spec.kind == kind) return true;
    return false;
}

static void rows_fill(Rows *rows) {
    const Doc *doc = &rows->s->doc;
    heading(rows, tr("A hidden score becomes"));
    choice(rows, "−∞", NULL, "fill -inf", isinf(doc->fill) != 0);
    choice(rows, "−1e9", NULL, "fill -1e9", !(doc->fill < -1e9) && !(doc->fill > -1e9));
    heading(rows, tr("The fill is"));
    choice(rows, tr("put in its place"), NULL, "mask_op replace", doc->mask_op == MASK_REPLACE);
    choice(rows, tr("added to it"), NULL, "mask_op add", doc->mask_op == MASK_ADD);
    heading(rows, tr("A row with no allowed key"));
    choice(rows, tr("gets zeros"), NULL, "empty_row zero", doc->empty_row == EMPTY_ROW_ZERO);
    choice(rows, tr("gets NaN"), NULL, "empty_row nan", doc->empty_row == EMPTY_ROW_NAN);
}

static void menu_mask(Rows *rows) {
    static const char *const details[] = {
        [MASK_NONE] = tr_mark("every token may read every token"),
        [MASK_CAUSAL] = tr_mark("nothing that comes later"),
        [MASK_PADDING] = tr_mark("the last keys are hidden"),
        [MASK_WINDOW] = tr_mark("near tokens only"),
        [MASK_LOCAL_BLOCK] = tr_mark("the own block only"),
        [MASK_GLOBAL_WINDOW] = tr_mark("near tokens and some for all"),
        [MASK_STRIDED] = tr_mark("near tokens and every nth"),
        [MASK_CUSTOM] = tr_mark("cell by cell"),
        [MASK_CUSTOM_PER_HEAD] = tr_mark("cell by cell in each head"),
    };
    static_assert(sizeof details / sizeof details[0] == MASK_KIND_COUNT, "each mask says what it does");
    heading(rows, tr("Which keys a query may read"));
    for (int kind = 0; kind < MASK_KIND_COUNT; kind++) {
        bool on = mask_is(&rows->s->doc, (MaskKind)kind);
        bool custom = kind == MASK_CUSTOM || kind == MASK_CUSTOM_PER_HEAD;
        if (custom && !on) continue; /* there is nothing to choose without its cells */
        char line[64];
        snprintf(line, sizeof line, "mask %s", mask_names[kind]);
        choice(rows, name_of_mask(kind), tr(details[kind]), line, on);
    }
    rows_fill(rows);
}

static void menu_position(Rows *rows) {
    static const char *const details[] = {
        [POSITION_NONE] = tr_mark("order does not matter"),
        [POSITION_SINUSOIDAL] = tr_mark("waves are added"),
        [POSITION_LEARNED] = tr_mark("rows of a table are added"),
        [POSITION_ROPE_INTERLEAVED] = tr_mark("q and k are turned, neighbours"),
        [POSITION_ROPE_HALF] = tr_mark("q and k are turned, halves"),
        [POSITION_ALIBI] = tr_mark("distance costs"),
        [POSITION_GIVEN] = tr_mark("given rows are added"),
    };
    static_assert(sizeof details / sizeof details[0] == POSITION_KIND_COUNT, "each kind of position says what it does");
    const Doc *doc = &rows->s->doc;
    bool built_in = doc->position_origin == DOC_POSITION_BUILT_IN;
    heading(rows, tr("How the place of a token enters"));
    if (model_has_position(rows->s))
        choice(rows, tr("Built-in"), tr("two clocks in the model's rows"), "position built-in", built_in);
    for (int kind = 0; kind < POSITION_KIND_COUNT; kind++) {
        bool on = built_in ? kind == POSITION_NONE && !model_has_position(rows->s) : (int)doc->position.kind == kind;
        bool needs_table = kind == POSITION_LEARNED && doc->matrix[MATRIX_POS_EMB].rank == 0 && doc->model != MODEL_RANDOM;
        if ((kind == POSITION_GIVEN || needs_table) && !on) continue;
        char line[64];
        snprintf(line, sizeof line, "position %s", position_names[kind]);
        choice(rows, name_of_position(kind), tr(details[kind]), line, on);
    }
}

static void menu_tokenizer(Rows *rows) {
    static const char *const details[] = {
        [TOKENIZER_WORDS] = tr_mark("words and punctuation marks"),
        [TOKENIZER_CHARACTERS] = tr_mark("one token a character"),
        [TOKENIZER_SMILES] = tr_mark("atoms, bonds, rings"),
    };
    static_assert(sizeof details / sizeof details[0] == TOKENIZER_KIND_COUNT, "each tokenizer says what it does");
    heading(rows, tr("How the text is cut"));
    for (int kind = 0; kind < TOKENIZER_KIND_COUNT; kind++) {
        char line[64];
        snprintf(line, sizeof line, "tokenizer %s", tokenizer_names[kind]);
        choice(rows, name_of_tokenizer(kind), tr(details[kind]), line, (int)rows->s->doc.tokenizer == kind);
    }
    bool cross = rows->s->doc.source_text || rows->s->doc.source.n > 0;
    heading(rows, tr("Keys and values come from"));
    choice(rows, tr("the same text"), tr("self-attention"), "source \"\"", !cross);
    choice(rows, tr("another text"), tr("cross-attention"), "focus top.source", cross);
}

static void menu_speed(Rows *rows) {
    static const double speeds[] = {0.25, 0.5, 1, 2, 4, 8};
    heading(rows, tr("Speed"));
    for (int i = 0; i < 6; i++) {
        char number[NUM_MAX], line[64];
        num_double(number, speeds[i], NUM_FILE);
        snprintf(line, sizeof line, "speed %s", number);
        choice(rows, arena_printf(rows->arena, "%s×", number), NULL, line, fabs(rows->s->view.film.speed - speeds[i]) < 1e-12);
    }
}

static void menu_examples(Rows *rows) {
    Example *list;
    int n;
    Err err = {0};
    heading(rows, tr("Examples"));
    if (!files_examples(rows->arena, &list, &n, &err)) {
        add_row(rows, ITEM_NOTE, arena_strdup(rows->arena, err.message));
        return;
    }
    for (int i = 0; i < n; i++) choice(rows, list[i].title, NULL, arena_printf(rows->arena, "example %s", list[i].name), false);
}

/* ---- the action table ---- */

static bool needs_argument(const Action *action) {
    return action->args[0] != '\0' && action->args[0] != '[';
}

/* Length of the first part of a menu path, and what stands behind it. */
static size_t path_head(const char *path, const char **rest) {
    const char *slash = strchr(path, '/');
    *rest = slash ? slash + 1 : path;
    return slash ? (size_t)(slash - path) : 0;
}

/* Sections as people expect them; others follow in the order of the table. */
static const char *const section_order[] = {"File", "Edit", "View", "Play", "Help"};
enum { SECTIONS_KNOWN = sizeof section_order / sizeof section_order[0] };

static bool in_section(const Action *action, const char *section, size_t length) {
    const char *rest;
    size_t head = path_head(action->menu, &rest);
    return action->menu[0] && head == length && strncmp(action->menu, section, length) == 0;
}

/* Calls `add` for each section of the menu paths. */
static void each_section(Rows *rows, void (*add)(Rows *rows, const char *section)) {
    const char *rest;
    for (int i = 0; i < SECTIONS_KNOWN; i++) add(rows, section_order[i]);
    for (int i = 0; i < action_count; i++) {
        size_t length = path_head(action_table[i].menu, &rest);
        char *section = arena_strndup(rows->arena, action_table[i].menu, length);
        bool seen = length == 0 || str_find(section_order, SECTIONS_KNOWN, section) >= 0;
        for (int j = 0; j < i && !seen; j++) seen = in_section(&action_table[j], section, length);
        if (!seen) add(rows, section);
    }
}

/* A row that opens a menu with a text in its field: see session_item. */
static const char *into_field(Rows *rows, const char *menu, const char *text) {
    return arena_printf(rows->arena, "=%s %s", menu, text);
}

static void section_of_menu(Rows *rows, const char *section) {
    const char *rest;
    heading(rows, tr(section));
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (!in_section(action, section, strlen(section))) continue;
        path_head(action->menu, &rest);
        const char *line = needs_argument(action) ? into_field(rows, "actions", action->name) : action->name;
        choice(rows, tr(rest), action_key(i), line, false)->disabled = !session_can(rows->s, i);
    }
}

static void menu_main(Rows *rows) {
    each_section(rows, section_of_menu);
}

/* In any case; "" fits all. */
static bool matches(const char *text, const char *needle, Arena *arena) {
    const char *low = utf8_lower(arena, text), *find = utf8_lower(arena, needle);
    return strstr(low, find) != NULL;
}

static void menu_actions(Rows *rows) {
    const char *query = rows->s->view.query;
    size_t word = strcspn(query, " ");
    char *name = arena_strndup(rows->arena, query, word);
    int exact = action_find(name);
    if (exact >= 0) {
        const Action *action = &action_table[exact];
        bool ready = !needs_argument(action) || query[word] != '\0';
        KitItem *item = choice(rows, tr(action->help), arena_printf(rows->arena, "%s %s", action->name, action->args), query, false);
        item->disabled = !ready;
    }
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (i == exact) continue;
        if (!matches(tr(action->help), query, rows->arena) && !matches(action->name, query, rows->arena)) continue;
        const char *key = action_key(i);
        const char *detail = key[0] ? arena_printf(rows->arena, "%s   %s", action->name, key) : action->name;
        /* one that wants an argument is put into the field to be completed */
        const char *line = needs_argument(action) ? into_field(rows, "actions", action->name) : action->name;
        choice(rows, tr(action->help), detail, line, false)->disabled = !session_can(rows->s, i);
    }
    if (rows->n == 0) add_row(rows, ITEM_NOTE, tr("No action has these letters."));
}

static void section_of_keys(Rows *rows, const char *section) {
    const char *rest;
    bool any = false;
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (action->keys[0] == '\0' || !in_section(action, section, strlen(section))) continue;
        if (!any) heading(rows, tr(section));
        any = true;
        path_head(action->menu, &rest);
        choice(rows, tr(rest), action->keys, action->name, false);
    }
}

/* Keys of actions that no menu has: what they do up to the first stop. */
static void menu_keys(Rows *rows) {
    each_section(rows, section_of_keys);
    heading(rows, tr("More"));
    for (int i = 0; i < action_count; i++) {
        const Action *action = &action_table[i];
        if (action->keys[0] == '\0' || action->menu[0] != '\0') continue;
        const char *help = tr(action->help);
        const char *label = arena_strndup(rows->arena, help, strcspn(help, ".:;"));
        const char *keys = action->cell_keys ? arena_printf(rows->arena, "%s", action->cell_keys) : action->keys;
        choice(rows, label, keys, action->args[0] ? "menu.close" : action->name, false);
    }
}

/* ---- files ---- */

static void rows_recent(Rows *rows) {
    if (rows->s->n_recent == 0) return;
    heading(rows, tr("Opened lately"));
    for (int i = 0; i < rows->s->n_recent; i++) {
        const char *path = rows->s->recent[i], *name = path_name(path);
        choice(rows, name, arena_strndup(rows->arena, path, (size_t)(name - path)), line_quoted(rows->arena, "open", path), false);
    }
}

/* Behind the last slash that is not the end: "scenarios/". */
static const char *last_part(const char *path) {
    const char *part = path;
    for (const char *c = path; *c; c++)
        if (*c == '/' && c[1]) part = c + 1;
    return part;
}

static void menu_open(Rows *rows) {
    char **paths;
    int n;
    if (rows->s->view.query[0] == '\0') rows_recent(rows);
    if (rows->s->view.query[0] == '\0') heading(rows, tr("This folder"));
    files_complete(rows->s->view.query, rows->arena, &paths, &n);
    for (int i = 0; i < n; i++)
        choice(rows, last_part(paths[i]), NULL, str_ends(paths[i], "/") ? into_field(rows, "open", paths[i])
                                                             : line_quoted(rows->arena, "open", paths[i]), false);
    if (n == 0) add_row(rows, ITEM_NOTE, tr("No scenario (.yaml) or trace file (.safetensors) begins like this."));
}

static void menu_save(Rows *rows) {
    const char *query = rows->s->view.query;
    if (query[0] == '\0') {
        add_row(rows, ITEM_NOTE, tr("Type a file name, such as my-example.yaml"));
        return;
    }
    bool there = file_exists(query);
    choice(rows, there ? tr("Replace this file") : tr("Save"), query, line_quoted(rows->arena, "save", query), false);
}

/* The number that is to be changed: `edit` has put its value into the field. */
static void menu_edit(Rows *rows) {
    const View *view = &rows->s->view;
    char name[160];
    double value;
    TensorId id = rows->s->run && view->selection.tensor[0] ? trace_find(rows->s->run->trace, view->selection.tensor) : TENSOR_NONE;
    if (id == TENSOR_NONE) return;
    const char *ref = arena_strdup(rows->arena, run_ref_text(name, rows->s->run, id, view->selection.index));
    bool good = str_to_double(view->query, &value);
    const char *label = good ? arena_printf(rows->arena, tr("Set %s to %s"), ref, view->query) : tr("Type a number");
    const char *line = arena_printf(rows->arena, "edit %s %s", session_ref(&view->selection, rows->arena),
                                    good ? view->query : "0");
    choice(rows, label, NULL, line, false)->disabled = !good;
}

static void menu_recover(Rows *rows) {
    choice(rows, tr("Open what was kept"), NULL, "recover", false);
    choice(rows, tr("Start afresh"), NULL, "recover no", false);
}

/* ---- the table of menus ---- */

static const struct {
    const char *name;
    MenuShape shape;
    const char *anchor, *title, *hint, *note;
    int fixed_rows;
    void (*rows)(Rows *rows);
} menu_table[] = {
    {"model", SHAPE_DROP, "top.model", NULL, NULL, NULL, 0, menu_model},
    {"mask", SHAPE_DROP, "top.mask", NULL, NULL, NULL, 0, menu_mask},
    {"position", SHAPE_DROP, "top.position", NULL, NULL, NULL, 0, menu_position},
    {"tokenizer", SHAPE_DROP, "top.tokenizer", NULL, NULL, NULL, 0, menu_tokenizer},
    {"speed", SHAPE_DROP, "speed", NULL, NULL, NULL, 0, menu_speed},
    {"examples", SHAPE_DROP, "top.examples", NULL, NULL, NULL, 0, menu_examples},
    {"main", SHAPE_COLUMNS, "top.menu", NULL, NULL, NULL, 0, menu_main},
    {"actions", SHAPE_DIALOG, NULL, tr_mark("All actions"), tr_mark("Search, or type an action"), NULL, 14, menu_actions},
    {"keys", SHAPE_TABLE, NULL, tr_mark("Keys"), NULL, NULL, 0, menu_keys},
    {"open", SHAPE_DIALOG, NULL, tr_mark("Open"), tr_mark("Path of a scenario or a trace file"), NULL, 14, menu_open},
    {"save", SHAPE_DIALOG, NULL, tr_mark("Save"), tr_mark("Path of the file"), NULL, 1, menu_save},
    {"edit", SHAPE_DIALOG, NULL, tr_mark("Change the number"), tr_mark("New value"), NULL, 1, menu_edit},
    {"recover", SHAPE_DIALOG, NULL, tr_mark("Attnscope did not end cleanly last time"), NULL, tr_mark("Open what was kept?"), 0, menu_recover},
};
enum { MENU_COUNT = sizeof menu_table / sizeof menu_table[0] };

bool menu_build(const Session *s, const char *name, Arena *arena, Menu *out) {
    for (int i = 0; i < MENU_COUNT; i++) {
        if (strcmp(menu_table[i].name, name) != 0) continue;
        Rows rows = {.s = s, .arena = arena};
        menu_table[i].rows(&rows);
        *out = (Menu){.name = menu_table[i].name, .shape = menu_table[i].shape, .anchor = menu_table[i].anchor,
                      .title = menu_table[i].title ? tr(menu_table[i].title) : NULL,
                      .hint = menu_table[i].hint ? tr(menu_table[i].hint) : NULL,
                      .note = menu_table[i].note ? tr(menu_table[i].note) : NULL, .fixed_rows = menu_table[i].fixed_rows, .items = rows.items, .n = rows.n};
        return true;
    }
    *out = (Menu){0};
    return false;
}

bool menu_runs(const Menu *menu, int item) {
    if (item < 0 || item >= menu->n) return false;
    const KitItem *row = &menu->items[item];
    return row->kind == ITEM_ACTION && row->action && !row->disabled;
}

int menu_step(const Menu *menu, int item, int by) {
    for (int i = 0, at = item; i < menu->n; i++) {
        at += by;
        if (at < 0) at = menu->n - 1;
        if (at >= menu->n) at = 0;
        if (menu_runs(menu, at)) return at;
    }
    return -1;
}
