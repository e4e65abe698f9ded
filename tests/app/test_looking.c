/* How maps are looked at, by the pointer, the keys and files: zoom, panning, hidden columns, shapes and scales. */
#include "app/drive.h"

#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "doc/yaml_schema.h"

static const View *view(Session *s) { return session_view(s); }

/* ---- files ---- */

/* One value other than the usual one for each key that a file's view can hold, as it is written. */
static const struct {
    const char *name, *with, *value;
} samples[] = {
    {"stage", "", "softmax"},     {"layer", "", NULL /* only models have layers */},
    {"step", "stage: softmax, ", "3"}, {"head", "", "2"},
    {"selection", "", "\"weights[1, 2, 1]\""}, {"overview", "", "true"},
    {"sort", "", "entropy"},      {"aggregate", "", "maximum"},
    {"shape", "", "all-lines"},   {"heads", "", "all"},
    {"log", "", "true"},          {"own_range", "", "true"},
    {"threshold", "", "0.25"},    {"hidden", "", "[1, 3]"},
    {"mask_form", "", "ignore"},  {"zoom", "", "1.5"},
    {"zoom_row", "zoom: 1.5, ", "2"}, {"zoom_column", "zoom: 1.5, ", "3"},
    {"block", "", "true"},        {"theme", "", "dark"},
    {"palette", "", "grey"},      {"speed", "", "2"},
    {"text_scale", "", "1.25"},   {"motion", "", "reduced"},
};

static const char *sample_of(const char *name, const char **with) {
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++)
        if (str_eq(samples[i].name, name)) return *with = samples[i].with, samples[i].value;
    fail_msg("the view's key '%s' has no sample here: does opening a file take it over?", name);
    return NULL;
}

static void open_view(Session *s, const char *path, const char *fields) {
    char text[512];
    Err err = {0};
    snprintf(text, sizeof text, "attnscope: 1\ntext: \"a b c d e f\"\n%s%s%s", *fields ? "view: {" : "", fields, *fields ? "}\n" : "");
    if (!file_write(path, text, strlen(text), &err) || !session_open_file(s, path, 0, &err)) fail_msg("%s: %s", fields, err.message);
}

/* What is saved next, in a static buffer. */
static const char *saved(Session *s, const char *path) {
    static char text[4096];
    Arena arena = {0};
    must(s, arena_printf(&arena, "save \"%s\"", path));
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = 0;
    fclose(f);
    arena_free(&arena);
    return text;
}

/* Opened and saved again, every field of the view says what it said. */
static void files_keep_every_field_of_the_view(void **unused) {
    (void)unused;
    char path[512], fields[256], wanted[128];
    snprintf(path, sizeof path, "%s/view.yaml", scratch_folder("looking"));
    for (int i = 0; i < yaml_view_count; i++) {
        const char *with, *value = sample_of(yaml_view_table[i].name, &with);
        if (!value) continue;
        Session *s = drive_open();
        snprintf(wanted, sizeof wanted, "%s: %s", yaml_view_table[i].name, value);
        snprintf(fields, sizeof fields, "%s%s", with, wanted);
        open_view(s, path, fields);
        const char *text = saved(s, path);
        if (!strstr(text, wanted)) fail_msg("{%s} was opened and saved as:\n%s", fields, text);
        drive_close(s);
    }
}

/* A file that does not name how its maps are drawn shows them as a new document does. */
static void the_next_file_begins_plain(void **unused) {
    (void)unused;
    char path[512];
    snprintf(path, sizeof path, "%s/plain.yaml", scratch_folder("looking"));
    Session *s = drive_open();
    open_view(s, path, "stage: softmax, aggregate: average, shape: lines, heads: one, log: true, own_range: true, threshold: 0.1, hidden: [2], zoom: 1.5");
    assert_int_equal(view(s)->shape, MAP_LINES);
    assert_int_equal(view(s)->n_hidden, 1);
    open_view(s, path, "");
    assert_int_equal(view(s)->aggregate, AGGREGATE_HEAD);
    assert_int_equal(view(s)->shape, MAP_CELLS);
    assert_int_equal(view(s)->heads_shown, HEADS_FITTING);
    assert_false(view(s)->log_scale);
    assert_false(view(s)->own_range);
    assert_near(view(s)->threshold, 0, 0);
    assert_int_equal(view(s)->n_hidden, 0);
    assert_near(view(s)->zoom, 1, 0);
    drive_close(s);
}

/* What was a place in one document is none in the next. */
static void another_document_forgets_places(void **unused) {
    (void)unused;
    static const char *const lines[] = {"stage softmax end", "hide 2", "zoom 2 3 3", "tokens 4"};
    Session *s = drive_open();
    Err err = {0};
    for (int round = 0; round < 2; round++) {
        for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) must(s, lines[i]);
        assert_int_equal(view(s)->n_hidden, 1);
        assert_int_equal(view(s)->token_first, 4);
        if (round) must(s, "new");
        else if (!session_open_text(s, "one two three four five six", &err)) fail_msg("%s", err.message);
        assert_int_equal(view(s)->n_hidden, 0);
        assert_near(view(s)->zoom, 1, 0);
        assert_int_equal(view(s)->token_first, 0);
    }
    drive_close(s);
}

/* ---- zoom and panning ---- */

static Session *long_map(int tokens) {
    Session *s = drive_open();
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    sb_add(&sb, "text \"");
    for (int i = 0; i < tokens; i++) sb_printf(&sb, "%sw%d", i ? " " : "", i % 7);
    sb_add(&sb, "\"");
    must(s, sb.data);
    must(s, "stage softmax end");
    arena_free(&arena);
    return s;
}

static void wheel(Session *s, float x, float y, float notches, unsigned mods) {
    move_to(s, x, y);
    session_update(s, &(Input){.kind = INPUT_WHEEL, .x = x, .y = notches, .mods = mods}, 0.01);
}

/* The weight under the point: row and column; fails where there is none. */
static void cell_under(Session *s, float x, float y, int *row, int *col) {
    DlHit hit;
    TensorId weights = trace_find(session_run(s)->trace, "weights");
    if (!dl_hit(session_list(s), x, y, &hit) || hit.tensor != weights) fail_msg("no weight lies at %g, %g", (double)x, (double)y);
    *row = hit.row;
    *col = hit.col;
}

/* The cells of the large map of weights. */
static const DlCommand *map_of(Session *s) {
    const DisplayList *list = session_list(s);
    const DlCommand *best = NULL;
    TensorId weights = trace_find(session_run(s)->trace, "weights");
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind == DL_CELLS && c->cells.tensor == weights && (!best || c->box.w * c->box.h > best->box.w * best->box.h)) best = c;
    }
    assert_non_null(best);
    return best;
}

/* The position under the pointer is the same, unless the map ends there: the small map beside it takes some of its room. */
static void stays(int before, int after, int first, int shown) {
    if (before == after || (after > before && first == 0) || (after < before && first + shown == 40)) return;
    fail_msg("%d became %d of %d to %d", before, after, first, first + shown - 1);
}

static void the_wheel_keeps_the_cell_under_the_pointer(void **unused) {
    (void)unused;
    static const int places[][2] = {{20, 10}, {5, 2}, {33, 28}, {0, 0}, {30, 21}};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        Session *s = long_map(40);
        must(s, "heads.show one");
        float x, y;
        cell_middle(s, "weights", 0, places[i][0], places[i][1], &x, &y);
        int rows = map_of(s)->cells.rows;
        for (int turn = 0; turn < 4; turn++) {
            int before[2], after[2];
            cell_under(s, x, y, &before[0], &before[1]);
            wheel(s, x, y, 1, 0);
            cell_under(s, x, y, &after[0], &after[1]);
            const DlCommand *map = map_of(s);
            stays(before[0], after[0], map->cells.row0, map->cells.rows);
            stays(before[1], after[1], map->cells.col0, map->cells.cols);
        }
        assert_near(view(s)->zoom, 4, 0.001); /* four half turns: 2 squared */
        assert_int_equal(rows, 40);
        assert_int_equal(map_of(s)->cells.rows, 10); /* 40 / 4 */
        for (int turn = 0; turn < 4; turn++) wheel(s, x, y, -1, 0);
        assert_near(view(s)->zoom, 1, 0);
        assert_int_equal(map_of(s)->cells.rows, 40);
        drive_close(s);
    }
}

/* At the map's right edge the small map takes the place of what was under the pointer: the wheel goes on about the middle, and back. */
static void the_wheel_goes_on_beside_a_zoomed_map(void **unused) {
    (void)unused;
    Session *s = long_map(40);
    must(s, "heads.show one");
    float x, y;
    cell_middle(s, "weights", 0, 39, 39, &x, &y);
    for (int turn = 0; turn < 4; turn++) wheel(s, x, y, 1, 0);
    assert_near(view(s)->zoom, 4, 0.001);
    for (int turn = 0; turn < 4; turn++) wheel(s, x, y, -1, 0);
    assert_near(view(s)->zoom, 1, 0);
    drive_close(s);
}

/* With 10 rows of 40 in view, a notch with Shift goes on by an eighth of them, in whole rows: one. */
static void the_wheel_with_shift_pans(void **unused) {
    (void)unused;
    Session *s = long_map(40);
    must(s, "heads.show one");
    must(s, "zoom 4 20 20");
    const DlCommand *map = map_of(s);
    int row0 = map->cells.row0, col0 = map->cells.col0;
    float x = map->box.x + map->box.w / 2, y = map->box.y + map->box.h / 2;
    for (int i = 0; i < 8; i++) wheel(s, x, y, -1, MOD_SHIFT);
    assert_int_equal(map_of(s)->cells.row0, row0 + 8);
    assert_int_equal(map_of(s)->cells.col0, col0);
    assert_near(view(s)->zoom, 4, 0);
    for (int i = 0; i < 100; i++) wheel(s, x, y, 1, MOD_SHIFT);
    assert_int_equal(map_of(s)->cells.row0, 0);
    drive_close(s);
}

static void drag(Session *s, float x, float y, float dx, float dy) {
    move_to(s, x, y);
    session_update(s, &(Input){.kind = INPUT_MOUSE_DOWN, .x = x, .y = y, .button = 1, .clicks = 1}, 0);
    for (int i = 1; i <= 4; i++) session_update(s, &(Input){.kind = INPUT_MOUSE_MOVE, .x = x + dx * (float)i / 4, .y = y + dy * (float)i / 4}, 0.01);
    session_update(s, &(Input){.kind = INPUT_MOUSE_UP, .x = x + dx, .y = y + dy, .button = 1, .clicks = 1}, 0);
}

/* What was pressed goes with the pointer; a press that does not move selects. */
static void a_drag_moves_the_map_and_a_click_selects(void **unused) {
    (void)unused;
    Session *s = long_map(40);
    must(s, "heads.show one");
    must(s, "zoom 4 20 20");
    const DlCommand *map = map_of(s);
    int row0 = map->cells.row0, col0 = map->cells.col0, row, col;
    float w = map->box.w / (float)map->cells.cols, h = map->box.h / (float)map->cells.rows;
    float x = map->box.x + w * 5.5f, y = map->box.y + h * 5.5f;
    drag(s, x, y, -3 * w, -2 * h);
    assert_int_equal(map_of(s)->cells.row0, row0 + 2);
    assert_int_equal(map_of(s)->cells.col0, col0 + 3);
    assert_string_equal(view(s)->selection.tensor, "");
    cell_under(s, x, y, &row, &col);
    click_at(s, x, y, 0, 1);
    assert_string_equal(view(s)->selection.tensor, "weights");
    assert_int_equal(view(s)->selection.index[1], row);
    assert_int_equal(view(s)->selection.index[2], col);
    assert_int_equal(map_of(s)->cells.row0, row0 + 2); /* it did not pan */
    drive_close(s);
}

/* The text that stands nearest to a point, to its left in a row or above it in a column. */
static const char *name_beside(Session *s, float x, float y, bool row) {
    const DisplayList *list = session_list(s);
    const char *best = "";
    float nearest = 1e9f;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_TEXT) continue;
        const char *text = dl_text_at(list, c->text.text);
        if (text[0] != 't') continue; /* tokens are called t1 to t40 */
        float mx = c->box.x + c->text.width / 2, my = c->box.y - c->text.size / 3; /* box: where the baseline begins */
        float off = row ? fabsf(my - y) : fabsf(mx - x), away = row ? x - (c->box.x + c->text.width) : y - c->box.y;
        if (off > 6 || away < 0 || away >= nearest) continue;
        nearest = away;
        best = text;
    }
    return best;
}

/* Rows and columns of the part in view have their own names. */
static void names_belong_to_the_part_in_view(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    sb_add(&sb, "text \"");
    for (int i = 1; i <= 40; i++) sb_printf(&sb, "%st%d", i > 1 ? " " : "", i);
    sb_add(&sb, "\"");
    must(s, sb.data);
    must(s, "stage softmax end");
    must(s, "heads.show one");
    must(s, "zoom 5 30 12"); /* 8 rows and columns: 26 to 33, 8 to 15 */
    const DlCommand *map = map_of(s);
    assert_int_equal(map->cells.rows, 8);
    assert_int_equal(map->cells.cols, 8);
    for (int i = 0; i < 8; i++) {
        float x = map->box.x + map->box.w * ((float)i + 0.5f) / 8, y = map->box.y + map->box.h * ((float)i + 0.5f) / 8;
        assert_string_equal(name_beside(s, map->box.x, y, true), arena_printf(&arena, "t%d", map->cells.row0 + i + 1));
        assert_string_equal(name_beside(s, x, map->box.y, false), arena_printf(&arena, "t%d", map->cells.col0 + i + 1));
    }
    arena_free(&arena);
    drive_close(s);
}

/* ---- hidden columns ---- */

/* Sentences are drawn word by word. */
static bool list_says(const DisplayList *list, const char *part) {
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT) sb_printf(&sb, "%s ", dl_text_at(list, list->commands[i].text.text));
    bool found = sb.data && strstr(sb.data, part) != NULL;
    arena_free(&arena);
    return found;
}

static bool says(Session *s, const char *part) { return list_says(session_list(s), part); }

/* Four tokens of equal scores under the causal mask: the first column holds 1, 1/2, 1/3, 1/4 of the rows' weight, which
 * adds up to 4: 2.0833 / 4 = 0.52; the second 0, 1/2, 1/3, 1/4: 1.0833 / 4 = 0.27; both 0.79. */
static void a_double_click_on_a_name_hides_its_column(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    if (!session_open_file(s, data_path("scenarios/L06.yaml"), 0, &err)) fail_msg("%s", err.message);
    must(s, "stage softmax end");
    const DlCommand *map = map_of(s);
    float w = map->box.w / 4, x = map->box.x + w / 2, y = map->box.y - 14;
    click_at(s, x, y, 0, 2);
    assert_int_equal(view(s)->n_hidden, 1);
    assert_int_equal(view(s)->hidden[0], 0);
    assert_true(says(s, "column The is hidden: 0.52 of the weight"));
    map = map_of(s);
    assert_true(shows(s, "0.33")); /* beside the row of sat; its first third is hidden */
    click_at(s, map->box.x + map->box.w / 4 * 1.5f, map->box.y - 14, 0, 2);
    assert_int_equal(view(s)->n_hidden, 2);
    assert_true(says(s, "2 columns are hidden: 0.79 of the weight"));
    map = map_of(s);
    click_at(s, map->box.x + map->box.w / 8, map->box.y - 14, 0, 2); /* shown again */
    assert_true(says(s, "column cat is hidden: 0.27 of the weight"));
    must(s, "hide.none");
    assert_false(says(s, "hidden:"));
    drive_close(s);
}

/* ---- figures ---- */

static void check_figure(Session *s, const char *part) {
    Arena arena = {0};
    DisplayList list;
    session_figure(s, &(FigureSpec){.head = 0}, &arena, &list);
    if (!list_says(&list, part)) fail_msg("the figure does not say \"%s\"", part);
    arena_free(&arena);
}

/* What is exported says what the picture says. */
static void figures_say_how_they_are_looked_at(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    must(s, "stage softmax end");
    must(s, "aggregate average");
    check_figure(s, "Attention weights, mean of all heads");
    must(s, "aggregate head");
    must(s, "log on");
    check_figure(s, "log scale");
    must(s, "range own");
    check_figure(s, "own range");
    if (!session_open_file(s, data_path("scenarios/L06.yaml"), 0, &err)) fail_msg("%s", err.message);
    must(s, "stage softmax end");
    must(s, "hide 1");
    must(s, "threshold 0.3"); /* the quarters but that of the hidden column: 3 */
    check_figure(s, "column The is hidden: 0.52 of the weight");
    check_figure(s, "3 weights below 0.3 are not shown");
    drive_close(s);
}

/* ---- keys ---- */

static void keys_choose_shape_scale_range_and_zoom(void **unused) {
    (void)unused;
    Session *s = long_map(40);
    press(s, 0, "V");
    assert_int_equal(view(s)->shape, MAP_LINES);
    press(s, 0, "V");
    assert_int_equal(view(s)->shape, MAP_ALL_LINES);
    press(s, 0, "V");
    assert_int_equal(view(s)->shape, MAP_CELLS);
    press(s, 0, "G");
    assert_true(view(s)->log_scale);
    assert_true(says(s, "log scale"));
    press(s, 0, "G");
    assert_false(view(s)->log_scale);
    press(s, 0, "R");
    assert_true(view(s)->own_range);
    assert_true(says(s, "own range"));
    press(s, 0, "R");
    assert_false(view(s)->own_range);
    press(s, 0, "Z");
    assert_near(view(s)->zoom, 2, 0);
    assert_int_equal(map_of(s)->cells.rows, 20); /* half of 40 */
    assert_true(says(s, "rows 11 to 30 of 40")); /* the middle */
    press(s, MOD_SHIFT, "Z");
    assert_near(view(s)->zoom, 1, 0);
    assert_false(says(s, "rows 11"));
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_keep_every_field_of_the_view),
        cmocka_unit_test(the_next_file_begins_plain),
        cmocka_unit_test(the_wheel_keeps_the_cell_under_the_pointer),
        cmocka_unit_test(another_document_forgets_places),
        cmocka_unit_test(the_wheel_goes_on_beside_a_zoomed_map),
        cmocka_unit_test(the_wheel_with_shift_pans),
        cmocka_unit_test(a_drag_moves_the_map_and_a_click_selects),
        cmocka_unit_test(names_belong_to_the_part_in_view),
        cmocka_unit_test(a_double_click_on_a_name_hides_its_column),
        cmocka_unit_test(figures_say_how_they_are_looked_at),
        cmocka_unit_test(keys_choose_shape_scale_range_and_zoom),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
