/* The view section of the scenario file. Nothing in it changes a number. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/tr.h"
#include "core/summary.h"
#include "doc/film.h"
#include "doc/yaml_schema.h"

/* Stages by name. They come before `step`: a stage alone means its finished picture. Which stage of a trace it is
 * a run says. */
static bool read_stage(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    const char *names[STAGE_KIND_COUNT];
    int stage;
    for (int i = 0; i < STAGE_KIND_COUNT; i++) names[i] = stage_name((StageKind)i);
    if (!yaml_choice(r, node, names, STAGE_KIND_COUNT, &stage)) return false;
    r->view->film.stage = stage;
    r->view->film.position = r->view->film.until = FILM_STEPS_MAX;
    r->view->place_waits = true;
    return true;
}

/* The kind of stage that the view stands in: of a network's what the last run said. */
static int kind_in_view(const View *view) {
    return view->layer[0] && !view->place_waits ? view->stage_kind : view->film.stage;
}

static bool at_home(const Film *film) {
    return film->stage == 0 && film->until <= 0;
}

static bool write_stage(YamlWriter *w, const YamlKey *key) {
    const Film *film = &w->view->film;
    int kind = kind_in_view(w->view);
    if (at_home(film) || kind < 0 || kind >= STAGE_KIND_COUNT) return false;
    yaml_put_field(w, key, stage_name((StageKind)kind));
    return true;
}

static bool read_step(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    int step;
    if (!yaml_int(r, node, 0, FILM_STEPS_MAX, &step)) return false;
    r->view->film.position = r->view->film.until = step;
    return true;
}

static bool write_step(YamlWriter *w, const YamlKey *key) {
    const Film *film = &w->view->film;
    char number[16];
    int step = (int)floor(film->until);
    if (at_home(film) || step >= FILM_STEPS_MAX) return false;
    snprintf(number, sizeof number, "%d", step);
    yaml_put_field(w, key, number);
    return true;
}

/* "5", "decoder 3 cross": a run knows which there are. Read behind `stage`, whose film it keeps. */
static bool read_layer(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    View *view = r->view;
    if (node->kind != NODE_SCALAR || !node->text[0] || strlen(node->text) >= sizeof view->layer)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a layer such as 5 or \"decoder 3 cross\", found %s"), yaml_found(node, found));
    if (!view->place_waits && view->layer[0]) view->film.stage = view->stage_kind;
    snprintf(view->layer, sizeof view->layer, "%s", node->text);
    view->place_waits = true;
    return true;
}

static bool write_layer(YamlWriter *w, const YamlKey *key) {
    const char *layer = w->view->layer;
    double number;
    if (!layer[0] || str_eq(layer, "1") || str_eq(layer, "encoder 1")) return false; /* the first */
    if (str_to_double(layer, &number)) {
        yaml_put_field(w, key, layer);
    } else {
        sb_printf(&w->sb, "%s%s: ", w->n_fields++ ? ", " : "", key->name);
        yaml_put_text(&w->sb, layer);
    }
    return true;
}

/* "none" and the names of measures; Measure counts from 0. */
static bool read_sort(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    const char *names[MEASURE_COUNT + 1] = {"none"};
    int sort;
    for (int i = 0; i < MEASURE_COUNT; i++) names[i + 1] = sort_names[i];
    if (!yaml_choice(r, node, names, MEASURE_COUNT + 1, &sort)) return false;
    r->view->sort = sort - 1;
    return true;
}

static bool write_sort(YamlWriter *w, const YamlKey *key) {
    int sort = w->view->sort;
    if (sort < 0 || sort >= MEASURE_COUNT) return false;
    yaml_put_field(w, key, sort_names[sort]);
    return true;
}

static bool read_head(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    int head;
    if (!yaml_int(r, node, 1, 4096, &head)) return false;
    r->view->head = head - 1;
    return true;
}

static bool write_head(YamlWriter *w, const YamlKey *key) {
    char number[16];
    if (w->view->head == 0) return false;
    snprintf(number, sizeof number, "%d", w->view->head + 1);
    yaml_put_field(w, key, number);
    return true;
}

/* "weights[2, 3, 2]" is a number at once; "weights[2, sat, cat]" waits for a run that knows the tokens. */
static bool read_selection(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    View *view = r->view;
    ViewRef ref = {0};
    view->selection = (ViewRef){0};
    view->selection_text[0] = 0;
    if (node->kind == NODE_SCALAR && yaml_parse_ref(node->text, ref.tensor, ref.index, &ref.rank)) {
        view->selection = ref;
        return true;
    }
    if (node->kind != NODE_SCALAR || !strchr(node->text, '[') || strlen(node->text) >= sizeof view->selection_text)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a number's place such as \"weights[2, sat, cat]\", found %s"),
                        yaml_found(node, found));
    snprintf(view->selection_text, sizeof view->selection_text, "%s", node->text);
    return true;
}

static bool write_selection(YamlWriter *w, const YamlKey *key) {
    const View *view = w->view;
    if (!view->selection.tensor[0] && !view->selection_text[0]) return false;
    sb_printf(&w->sb, "%s%s: ", w->n_fields++ ? ", " : "", key->name);
    yaml_put_text(&w->sb, view->selection_text[0] ? view->selection_text : view_ref_text(&view->selection, ", ", w->sb.arena));
    return true;
}

/* Positions from 1 in a file. */
static bool read_hidden(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    View *view = r->view;
    view->n_hidden = 0;
    if (node->kind != NODE_LIST) return yaml_bad(r, node, ERR_INPUT, tr("expected a list of key positions such as [1, 4], found %s"), yaml_found(node, found));
    for (const YamlNode *item = node->first; item; item = item->next) {
        int position;
        if (!yaml_int(r, item, 1, 1000000, &position)) return false;
        if (!view_hidden_at(view, position - 1)) view_hide(view, position - 1);
    }
    return true;
}

static bool write_hidden(YamlWriter *w, const YamlKey *key) {
    const View *view = w->view;
    if (!view->n_hidden) return false;
    sb_printf(&w->sb, "%s%s: [", w->n_fields++ ? ", " : "", key->name);
    for (int i = 0; i < view->n_hidden; i++) sb_printf(&w->sb, "%s%d", i ? ", " : "", view->hidden[i] + 1);
    sb_add(&w->sb, "]");
    return true;
}

/* Where a map's middle stands has no meaning while all of it is shown. */
static bool write_middle(YamlWriter *w, const YamlKey *key) { return w->view->zoom > 1 && yaml_write_double(w, key); }

static const char *const motion_names[] = {"full", "reduced"};

static bool read_motion(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    int reduced;
    if (!yaml_choice(r, node, key->names, key->count, &reduced)) return false;
    r->view->reduced_motion = reduced == 1;
    return true;
}

static bool write_motion(YamlWriter *w, const YamlKey *key) {
    if (w->view->reduced_motion == w->base_view->reduced_motion) return false;
    yaml_put_field(w, key, key->names[w->view->reduced_motion]);
    return true;
}

#define VIEW_CHOICE(name, field, words, n) \
    {name, yaml_read_choice, yaml_write_choice, .at = offsetof(View, field), .names = words, .count = n, .in_view = true}
#define VIEW_BOOL(name, field) {name, yaml_read_bool, yaml_write_bool, .at = offsetof(View, field), .in_view = true}
#define VIEW_DOUBLE(name, field, lo, hi, text)                                                                        \
    {name, yaml_read_double, yaml_write_double, .at = offsetof(View, field), .min = lo, .max = hi, .expects = text, \
     .in_view = true}

const YamlKey yaml_view_table[] = {
    {"stage", read_stage, write_stage, .in_view = true},
    {"layer", read_layer, write_layer, .in_view = true},
    {"step", read_step, write_step, .in_view = true},
    {"head", read_head, write_head, .in_view = true},
    {"selection", read_selection, write_selection, .in_view = true, .text = true},
    VIEW_BOOL("overview", overview),
    {"sort", read_sort, write_sort, .in_view = true},
    VIEW_CHOICE("aggregate", aggregate, aggregate_names, AGGREGATE_KIND_COUNT),
    VIEW_CHOICE("shape", shape, shape_names, MAP_SHAPE_COUNT),
    VIEW_CHOICE("heads", heads_shown, heads_shown_names, HEADS_SHOWN_COUNT),
    VIEW_BOOL("log", log_scale),
    VIEW_BOOL("own_range", own_range),
    VIEW_DOUBLE("threshold", threshold, 0, 1, tr_mark("a number from 0 to 1; 0 shows all weights")),
    {"hidden", read_hidden, write_hidden, .in_view = true},
    VIEW_CHOICE("mask_form", mask_form, mask_form_names, MASK_FORM_COUNT),
    VIEW_DOUBLE("zoom", zoom, 1, VIEW_ZOOM_MAX, tr_mark("a number from 1 to 256; 1 shows the whole map")),
    {"zoom_row", yaml_read_double, write_middle, .at = offsetof(View, zoom_row), .max = 1000000,
     .expects = tr_mark("the row in the middle, from 0"), .in_view = true},
    {"zoom_column", yaml_read_double, write_middle, .at = offsetof(View, zoom_column), .max = 1000000,
     .expects = tr_mark("the column in the middle, from 0"), .in_view = true},
    VIEW_BOOL("block", block_open),
    VIEW_CHOICE("theme", theme, theme_names, THEME_COUNT),
    VIEW_CHOICE("palette", palette, ramp_names, RAMP_COUNT),
    VIEW_DOUBLE("speed", film.speed, 0.25, 8, tr_mark("a number from 0.25 to 8")),
    VIEW_DOUBLE("text_scale", text_scale, 0.5, 4, tr_mark("a number from 0.5 to 4, where 1 is normal")),
    {"motion", read_motion, write_motion, .names = motion_names, .count = 2, .in_view = true},
};
const int yaml_view_count = sizeof yaml_view_table / sizeof *yaml_view_table;
enum { VIEW_KEYS = sizeof yaml_view_table / sizeof *yaml_view_table };

bool yaml_read_view(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    const char *names[VIEW_KEYS];
    const YamlNode *value[VIEW_KEYS] = {NULL};
    char found[96];
    for (int i = 0; i < VIEW_KEYS; i++) names[i] = yaml_view_table[i].name;
    if (node->kind != NODE_MAP)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a mapping such as {stage: softmax}, found %s"), yaml_found(node, found));
    for (const YamlNode *k = node->first; k; k = k->next->next) {
        int at = yaml_find_key(r, k, names, VIEW_KEYS);
        if (at < 0) return false;
        value[at] = k->next;
    }
    for (int i = 0; i < VIEW_KEYS; i++) { /* in the table's order: a step belongs to its stage */
        if (!value[i]) continue;
        size_t path = yaml_path_enter(r, names[i], 0);
        if (!yaml_view_table[i].read(r, &yaml_view_table[i], value[i])) return false;
        yaml_path_leave(r, path);
    }
    return true;
}

bool yaml_write_view(YamlWriter *w, const YamlKey *key) {
    size_t start = w->sb.length;
    if (!w->view) return false;
    w->in_view = true;
    w->n_fields = 0;
    sb_printf(&w->sb, "%s: {", key->name);
    for (int i = 0; i < VIEW_KEYS; i++) yaml_view_table[i].write(w, &yaml_view_table[i]);
    sb_add(&w->sb, "}\n");
    w->in_view = false;
    if (w->n_fields) return true;
    w->sb.length = start;
    w->sb.data[start] = 0;
    return false;
}
