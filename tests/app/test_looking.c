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

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(files_keep_every_field_of_the_view),
        cmocka_unit_test(the_next_file_begins_plain),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
