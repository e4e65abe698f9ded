/* Pictures as text: the display list of every stage of tests/shots.list, compared with the files in tests/golden.
 * UPDATE_GOLDEN=1 writes them anew. The first input in the first size is kept whole, at start, middle and end of each
 * stage; of the other inputs and sizes one line each is kept in lists.txt: how many commands, and a hash of the text.
 * Of the first network the stations around attention of its last layer are kept whole, of all networks one line each. */
#include <stdio.h>
#include <stdlib.h>

#include "base/file.h"
#include "golden.h"
#include "scene_kit.h"

enum { VALUES_MAX = 16 };

typedef struct {
    const char *item[VALUES_MAX];
    int n;
} Values;

/* What tests/shots.list says of a kind: "theme light" gives "light". */
static Values values_of(Arena *arena, const char *kind) {
    Err err = {0};
    char *text;
    size_t size;
    Values values = {0};
    if (!file_read(TEST_SOURCE "/tests/shots.list", 1 << 16, arena, &text, &size, &err)) fail_msg("%s", err.message);
    size_t length = strlen(kind);
    for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n"))
        if (strncmp(line, kind, length) == 0 && line[length] == ' ' && values.n < VALUES_MAX) values.item[values.n++] = line + length + 1;
    if (values.n == 0) fail_msg("no %s in tests/shots.list", kind);
    return values;
}

/* Where in a stage: nothing done, in the middle of a step, all done. */
static double place_of(const char *where, int steps) {
    return str_eq(where, "start") ? 0 : str_eq(where, "middle") ? steps / 2 + 0.5 : steps;
}

static char *dump_stage(SceneKit *kit, float width, float height, Arena *arena) {
    DisplayList dl;
    kit_draw_stage(kit, width, height, &dl);
    return golden_dump(&dl, arena);
}

static const char *const wheres[] = {"start", "middle", "end"};

static void open_input(SceneKit *kit, const char *line, char name[32]) {
    char path[256], full[512];
    if (sscanf(line, "%31s %255s", name, path) != 2) fail_msg("input %s?", line);
    snprintf(full, sizeof full, TEST_SOURCE "/%s", path);
    kit_open_file(kit, full);
}

static void read_size(const char *text, float *width, float *height) {
    if (sscanf(text, "%fx%f", width, height) != 2) fail_msg("size %s?", text);
}

static void stages_look_as_they_did(void **state) {
    (void)state;
    Arena arena = {0};
    SceneKit kit;
    char name[32];
    float width, height;
    Values stages = values_of(&arena, "stage"), themes = values_of(&arena, "theme");
    read_size(values_of(&arena, "size").item[0], &width, &height);
    open_input(&kit, values_of(&arena, "input").item[0], name);
    for (int stage = 0; stage < stages.n; stage++) {
        assert_string_equal(stages.item[stage], stage_name(trace_stage(kit.run->trace, stage)->kind));
        for (int theme = 0; theme < themes.n; theme++)
            for (int where = 0; where < 3; where++) {
                kit.view.theme = (ThemeKind)str_find(theme_names, THEME_COUNT, themes.item[theme]);
                kit_film(&kit, stage, place_of(wheres[where], film_steps(kit.run->trace, stage)));
                const char *file = arena_printf(&arena, "%d-%s-%s-%s", stage + 1, stages.item[stage], wheres[where], themes.item[theme]);
                golden_compare(&arena, file, dump_stage(&kit, width, height, &arena));
            }
    }
    kit_close(&kit);
    arena_free(&arena);
}

static void add_lines(StrBuf *out, SceneKit *kit, const char *name, Values sizes, Values themes, Arena *arena) {
    for (int size = 0; size < sizes.n; size++) {
        float width, height;
        read_size(sizes.item[size], &width, &height);
        for (int stage = 0; stage < trace_stage_count(kit->run->trace); stage++)
            for (int theme = 0; theme < themes.n; theme++) {
                kit->view.theme = (ThemeKind)str_find(theme_names, THEME_COUNT, themes.item[theme]);
                kit_film(kit, stage, place_of("middle", film_steps(kit->run->trace, stage)));
                const char *text = dump_stage(kit, width, height, arena);
                golden_line(out, arena_printf(arena, "%s %s %s %d", name, sizes.item[size], themes.item[theme], stage + 1), text);
            }
    }
}

static void other_inputs_and_sizes_too(void **state) {
    (void)state;
    Arena arena = {0};
    StrBuf out;
    sb_init(&out, &arena);
    Values inputs = values_of(&arena, "input"), sizes = values_of(&arena, "size"), themes = values_of(&arena, "theme");
    for (int input = 0; input < inputs.n; input++) {
        SceneKit kit;
        char name[32];
        open_input(&kit, inputs.item[input], name);
        add_lines(&out, &kit, name, sizes, themes, &arena);
        kit_close(&kit);
    }
    golden_compare(&arena, "lists", out.data);
    arena_free(&arena);
}

/* ---- the stations around attention ---- */

static void open_network(SceneKit *kit, const char *line, char name[32]) {
    char path[128], yaml[768];
    int text = 0;
    if (sscanf(line, "%31s %127s %n", name, path, &text) != 2 || !text) fail_msg("network %s?", line);
    snprintf(yaml, sizeof yaml, "attnscope: 1\nmodel: %s\ntext: \"%s\"\n", data_path(path), line + text);
    kit_open(kit, yaml);
    Err err = {0};
    for (int stage = 0; stage < trace_stage_count(kit->run->trace); stage++)
        if (!run_need(kit->run, stage, NULL, &err)) fail_msg("%s", err.message);
}

static void add_stations(StrBuf *out, SceneKit *kit, const char *name, float width, float height, const char *theme, Arena *arena) {
    kit->view.theme = (ThemeKind)str_find(theme_names, THEME_COUNT, theme);
    for (int stage = 0; stage < trace_stage_count(kit->run->trace); stage++) {
        StageKind kind = trace_stage(kit->run->trace, stage)->kind;
        if (kind > STAGE_EMBED && kind < STAGE_ATTENTION_COUNT) continue;
        kit_film(kit, stage, place_of("middle", film_steps(kit->run->trace, stage)));
        const char *text = dump_stage(kit, width, height, arena);
        const char *line = arena_printf(arena, "%s %gx%g %s %d %s", name, (double)width, (double)height, theme, stage + 1, stage_name(kind));
        golden_line(out, line, text);
    }
}

static void keep_stations(SceneKit *kit, float width, float height, Arena *arena) {
    const Site *last = &kit->run->sites[kit->run->n_sites - 1];
    kit->view.theme = THEME_LIGHT;
    for (int stage = last->first_stage; stage < last->first_stage + last->n_stages; stage++) {
        StageKind kind = trace_stage(kit->run->trace, stage)->kind;
        if (kind != STAGE_NORM && kind != STAGE_ADD && kind != STAGE_FFN && kind != STAGE_PREDICT) continue;
        kit_film(kit, stage, place_of("middle", film_steps(kit->run->trace, stage)));
        golden_compare(arena, arena_printf(arena, "station-%s-middle-light", stage_name(kind)), dump_stage(kit, width, height, arena));
    }
}

static void stations_look_as_they_did(void **state) {
    (void)state;
    Arena arena = {0};
    StrBuf out;
    sb_init(&out, &arena);
    Values networks = values_of(&arena, "network"), sizes = values_of(&arena, "size"), themes = values_of(&arena, "theme");
    for (int n = 0; n < networks.n; n++) {
        SceneKit kit;
        char name[32];
        float width, height;
        open_network(&kit, networks.item[n], name);
        for (int size = 0; size < sizes.n; size++)
            for (int theme = 0; theme < themes.n; theme++) {
                read_size(sizes.item[size], &width, &height);
                add_stations(&out, &kit, name, width, height, themes.item[theme], &arena);
            }
        read_size(sizes.item[0], &width, &height);
        if (n == 0) keep_stations(&kit, width, height, &arena);
        kit_close(&kit);
    }
    golden_compare(&arena, "stations", out.data);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stages_look_as_they_did),
        cmocka_unit_test(other_inputs_and_sizes_too),
        cmocka_unit_test(stations_look_as_they_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
