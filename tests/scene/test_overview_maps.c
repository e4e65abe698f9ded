/* What the overview's maps show: the weights' own colours in the small ones, and in the large one the numbers of head, head
 * average, rollout and weight × length of v, each worked out here by itself. */
#include <stdio.h>

#include "draw/theme.h"
#include "network_kit.h"
#include "support/support.h"

static const NetworkShape small = {.layers = {3}, .heads = 4, .tokens = {7}, .causal = true, .special = true};

/* The cells of the group of this name. */
static const DlCommand *cells_of(const DisplayList *dl, const char *name) {
    int depth = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        bool group = c->kind == DL_GROUP;
        if (depth == 0 && (!group || !str_eq(dl_text_at(dl, dl->groups[c->group.group].name), name))) continue;
        depth += group ? 1 : c->kind == DL_UNGROUP ? -1 : 0;
        if (depth > 0 && c->kind == DL_CELLS) return c;
    }
    return NULL;
}

/* With a space between texts: sentences are set word by word. */
static const char *all_text(const DisplayList *dl, Arena *arena) {
    StrBuf out;
    sb_init(&out, arena);
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT) sb_printf(&out, "%s ", dl_text_at(dl, dl->commands[i].text.text));
    return out.data;
}

static double weight(const NetworkKit *kit, int site, int h, int i, int j) {
    const int at[TENSOR_RANK_MAX] = {h, i, j};
    return tensor_at(trace_tensor(kit->run.trace, kit->run.sites[site].weights), at);
}

static int channel(Color c, int k) { return (int)(c >> (8 * k) & 255); }

static bool same_color(Color a, Color b) {
    for (int k = 0; k < 4; k++)
        if (abs(channel(a, k) - channel(b, k)) > 3) return false; /* colours are taken from 256 steps */
    return true;
}

static void small_maps_have_the_colours_of_their_weights(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &small);
    for (int theme = 0; theme < 2; theme++)
        for (int palette = 0; palette < RAMP_COUNT; palette++) {
            kit.view.theme = (ThemeKind)theme;
            kit.view.palette = (RampKind)palette;
            network_draw(&kit, 1600, 1000, &dl);
            for (int site = 0; site < 3; site++)
                for (int h = 0; h < 4; h++) {
                    const DlCommand *c = cells_of(&dl, arena_printf(&kit.frame, "overview.map.%d.%d", site + 1, h + 1));
                    assert_int_equal(c->cells.rows, 7);
                    assert_int_equal(c->cells.cols, 7);
                    for (int i = 0; i < 7; i++)
                        for (int j = 0; j < 7; j++) {
                            Color got = dl.colors[c->cells.colors + (uint32_t)(i * 7 + j)];
                            uint8_t mark = dl.marks[c->cells.marks + (uint32_t)(i * 7 + j)];
                            const Theme *t = theme_at(kit.view.theme);
                            assert_int_equal(mark, j > i ? CELL_MASKED : CELL_VALUE);
                            Color want = j > i ? t->empty_cell : theme_weight_color(t, kit.view.palette, weight(&kit, site, h, i, j));
                            if (!same_color(got, want)) fail_msg("map %d.%d cell %d, %d: %08x for %08x", site, h, i, j, got, want);
                        }
                }
        }
    network_close(&kit);
}

/* More tokens than a picture has rows: a cell is the largest of its bins; no large weight is lost. */
static void large_maps_keep_their_largest_weights(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &(NetworkShape){.layers = {2}, .heads = 2, .tokens = {150}, .causal = true});
    network_draw(&kit, 1600, 1000, &dl);
    const DlCommand *c = cells_of(&dl, "overview.map.1.1");
    int rows = c->cells.rows, bin = (150 + rows - 1) / rows, power = 1;
    while (power < bin) power *= 2;
    for (int r = 0; r < rows; r++) {
        double most = 0;
        for (int i = r * power; i < (r + 1) * power && i < 150; i++)
            for (int j = 0; j < power; j++) most = fmax(most, weight(&kit, 0, 0, i, j));
        Color want = theme_weight_color(theme_at(kit.view.theme), kit.view.palette, most);
        assert_true(same_color(dl.colors[c->cells.colors + (uint32_t)(r * c->cells.cols)], want));
    }
    network_close(&kit);
}

/* ---- the large map ---- */

typedef double Map[7][7];

static void check_large(NetworkKit *kit, AggregateKind kind, Map want, const char *title) {
    DisplayList dl;
    kit->view.aggregate = kind;
    network_draw(kit, 1600, 1000, &dl);
    const DlCommand *c = cells_of(&dl, "overview.large");
    assert_non_null(c);
    assert_int_equal(c->cells.rows, 7);
    for (int i = 0; i < 7; i++)
        for (int j = 0; j <= i; j++) assert_near((double)dl.values[c->cells.values + (uint32_t)(i * 7 + j)], want[i][j], 2e-6);
    if (!strstr(all_text(&dl, &kit->frame), title)) fail_msg("no '%s'", title);
}

static void average_of(const NetworkKit *kit, int site, Map out) {
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) {
            out[i][j] = 0;
            for (int h = 0; h < 4; h++) out[i][j] += weight(kit, site, h, i, j) / 4;
        }
}

/* Product of (average + I) / 2, rows divided by their sums, over layers 1 to `site`. */
static void rollout_of(const NetworkKit *kit, int site, Map out) {
    for (int layer = 0; layer <= site; layer++) {
        Map mixed, before;
        average_of(kit, layer, mixed);
        for (int i = 0; i < 7; i++) {
            double sum = 0;
            mixed[i][i] += 1;
            for (int j = 0; j < 7; j++) sum += mixed[i][j];
            for (int j = 0; j < 7; j++) mixed[i][j] /= sum;
        }
        memcpy(before, out, sizeof before);
        for (int i = 0; i < 7; i++)
            for (int j = 0; j < 7; j++) {
                double sum = 0;
                for (int k = 0; k < 7; k++) sum += mixed[i][k] * before[k][j];
                out[i][j] = layer == 0 ? mixed[i][j] : sum;
            }
    }
}

static void weighted_length_of(const NetworkKit *kit, int site, int h, Map out) {
    const Trace *trace = kit->run.trace;
    char id[64];
    snprintf(id, sizeof id, "%s.v", kit->run.sites[site].scope);
    const Tensor *v = trace_tensor(trace, trace_find(trace, id));
    for (int j = 0; j < 7; j++) {
        double squares = 0;
        for (int k = 0; k < v->dim[2]; k++) {
            const int at[TENSOR_RANK_MAX] = {h, j, k};
            squares += tensor_at(v, at) * tensor_at(v, at);
        }
        for (int i = 0; i < 7; i++) out[i][j] = weight(kit, site, h, i, j) * sqrt(squares);
    }
}

static void the_large_map_shows_what_its_title_says(void **state) {
    (void)state;
    NetworkKit kit;
    Err err = {0};
    Map want = {{0}};
    network_open(&kit, &small);
    network_look(&kit, 2, 1);
    TensorId rollout = kit.run.network->results.stack[0].rollout[2];
    assert_true(trace_need(kit.run.trace, rollout, &(CoreContext){0}, &err));
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) want[i][j] = weight(&kit, 2, 1, i, j);
    check_large(&kit, AGGREGATE_HEAD, want, "Layer 3, head 2");
    average_of(&kit, 2, want);
    check_large(&kit, AGGREGATE_AVERAGE, want, "over 4 heads");
    rollout_of(&kit, 2, want);
    check_large(&kit, AGGREGATE_ROLLOUT, want, "layers 1 to 3");
    weighted_length_of(&kit, 2, 1, want);
    check_large(&kit, AGGREGATE_LENGTH, want, "A large weight is not an explanation");
    network_close(&kit);
}

/* Every number of the views of a layer, from its terms. */
static void views_explain_themselves(void **state) {
    (void)state;
    static const char *const names[] = {"head_avg", "mixed", "rollout", "v_length", "weighted_length"};
    NetworkKit kit;
    network_open(&kit, &(NetworkShape){.layers = {2, 2}, .heads = 3, .tokens = {5, 4}});
    Trace *trace = kit.run.trace;
    for (int id = 0; id < trace_tensor_count(trace); id++) {
        const Tensor *t = trace_tensor(trace, id);
        Err err = {0};
        if (str_find(names, 5, t->name) < 0) continue;
        assert_true(trace_need(trace, id, &(CoreContext){0}, &err));
        for (size_t k = 0; k < tensor_count(t); k++) {
            int index[TENSOR_RANK_MAX] = {0}, rest = (int)k;
            for (int a = t->rank - 1; a >= 0; a--) {
                index[a] = rest % t->dim[a];
                rest /= t->dim[a];
            }
            Explanation e;
            assert_true(trace_explain(trace, id, index, &kit.frame, &e, &err));
            assert_near(explanation_evaluate(&e), tensor_at(t, index), 1e-6);
            assert_true(e.n_terms > 0);
        }
    }
    network_close(&kit);
}

/* ---- its measures ---- */

/* The formulas of core/summary.h, over a map [7, 7] under a causal mask whose first and last key are special. */
static void measures_of(Map w, bool shares, double out[MEASURE_COUNT]) {
    for (int m = 0; m < MEASURE_COUNT; m++) out[m] = 0;
    for (int i = 0; i < 7; i++) {
        double entropy = 0;
        for (int j = 0; j <= i; j++) entropy -= w[i][j] > 0 ? w[i][j] * log(w[i][j]) : 0;
        if (i > 0) out[MEASURE_PREVIOUS] += w[i][i - 1] / 6;
        if (i < 6) out[MEASURE_NEXT] += w[i][i + 1] / 6;
        out[MEASURE_SAME] += w[i][i] / 7;
        out[MEASURE_FIRST] += w[i][0] / 7;
        out[MEASURE_SPECIAL] += (w[i][0] + w[i][6]) / 7;
        out[MEASURE_ENTROPY] += i > 0 ? entropy / log(i + 1) / 7 : 0;
    }
    if (!shares) out[MEASURE_ENTROPY] = (double)NAN;
}

/* What is written in a row of the table. */
static const char *measure_text(const DisplayList *dl, const char *name) {
    int depth = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        bool group = c->kind == DL_GROUP;
        if (depth == 0 && (!group || !str_eq(dl_text_at(dl, dl->groups[c->group.group].name), name))) continue;
        depth += group ? 1 : c->kind == DL_UNGROUP ? -1 : 0;
        if (depth > 0 && c->kind == DL_TEXT) return dl_text_at(dl, c->text.text); /* the value is drawn first */
    }
    return NULL;
}

static void check_measures(NetworkKit *kit, AggregateKind kind, Map map, const char *heading) {
    static const char *const names[MEASURE_COUNT] = {"previous", "same", "next", "first", "special", "entropy"};
    double want[MEASURE_COUNT];
    DisplayList dl;
    kit->view.aggregate = kind;
    network_draw(kit, 1600, 1000, &dl);
    measures_of(map, kind != AGGREGATE_LENGTH, want);
    if (!strstr(all_text(&dl, &kit->frame), heading)) fail_msg("no '%s'", heading);
    for (int m = 0; m < MEASURE_COUNT; m++) {
        char number[NUM_MAX];
        const char *got = measure_text(&dl, arena_printf(&kit->frame, "overview.measure.%s", names[m]));
        assert_non_null(got);
        assert_string_equal(got, isnan(want[m]) ? "–" : num_fixed(number, want[m], 3, NUM_SCREEN));
    }
}

static void the_measures_are_those_of_the_map_above(void **state) {
    (void)state;
    NetworkKit kit;
    Err err = {0};
    Map map = {{0}};
    network_open(&kit, &small);
    network_look(&kit, 2, 1);
    assert_true(trace_need(kit.run.trace, kit.run.network->results.stack[0].rollout[2], &(CoreContext){0}, &err));
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) map[i][j] = weight(&kit, 2, 1, i, j);
    check_measures(&kit, AGGREGATE_HEAD, map, "Layer 3, head 2: measures of its weights");
    average_of(&kit, 2, map);
    check_measures(&kit, AGGREGATE_AVERAGE, map, "Layer 3, all heads: measures of the head average");
    rollout_of(&kit, 2, map);
    check_measures(&kit, AGGREGATE_ROLLOUT, map, "Rollout up to layer 3: measures of the rollout");
    weighted_length_of(&kit, 2, 1, map);
    check_measures(&kit, AGGREGATE_LENGTH, map, "Layer 3, head 2: measures of w = weight × |v|");
    network_close(&kit);
}

/* The scale beside the large map ends where its numbers do; the small maps' says that it is theirs. */
static void the_scale_is_that_of_the_map(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &small);
    network_draw(&kit, 1600, 1000, &dl);
    assert_null(strstr(all_text(&dl, &kit.frame), "weight × length 0"));
    kit.view.aggregate = AGGREGATE_LENGTH;
    network_draw(&kit, 1600, 1000, &dl);
    assert_non_null(strstr(all_text(&dl, &kit.frame), "small maps: weight"));
    assert_non_null(strstr(all_text(&dl, &kit.frame), "weight × length"));
    network_close(&kit);
}

/* ---- pale maps, single tokens ---- */

/* Of many tokens every weight is small: each map has a scale of its own, and it is said. Of few none has. */
static void pale_maps_have_a_scale_of_their_own(void **state) {
    (void)state;
    for (int long_text = 0; long_text < 2; long_text++) {
        NetworkKit kit;
        DisplayList dl;
        network_open(&kit, &(NetworkShape){.layers = {2}, .heads = 2, .tokens = {long_text ? 400 : 4}, .flat = true});
        network_draw(&kit, 1600, 1000, &dl);
        const DlCommand *c = cells_of(&dl, "overview.map.2.1");
        const MapSummary *map = trace_summary(kit.run.trace, kit.run.sites[1].weights);
        const Theme *theme = theme_at(kit.view.theme);
        double most = 0;
        for (int row = map->rows / 2; row < map->rows; row++)
            for (int col = 1; col < map->cols; col++) most = fmax(most, (double)map->picture[row * map->cols + col]);
        const char *said = all_text(&dl, &kit.frame);
        assert_int_equal(strstr(said, "each map by itself") != NULL, long_text);
        assert_int_equal(strstr(said, "darkest: largest") != NULL, long_text);
        if (!long_text) most = 1;
        if (c->cells.rows == map->rows && c->cells.cols == map->cols)
            for (int i = 0; i < map->rows * map->cols; i++) {
                Color want = theme_weight_color(theme, kit.view.palette, fmin(1, (double)map->picture[i] / most));
                assert_true(same_color(dl.colors[c->cells.colors + (uint32_t)i], want));
            }
        network_close(&kit);
    }
}

/* One token looking at itself is no picture, and is said to be none. */
static void one_token_chooses_nothing(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &(NetworkShape){.layers = {2, 2}, .heads = 2, .tokens = {5, 1}});
    network_draw(&kit, 1600, 1000, &dl);
    assert_non_null(strstr(all_text(&dl, &kit.frame), "one token: nothing to choose yet"));
    assert_non_null(cells_of(&dl, "overview.map.1.1"));
    for (int site = 0; site < kit.run.n_sites; site++) {
        const Site *at = &kit.run.sites[site];
        bool single = at->stack > 0 && !at->cross;
        const DlCommand *c = cells_of(&dl, arena_printf(&kit.frame, "overview.map.%d.1", site + 1));
        assert_true(single ? c == NULL : c != NULL);
        if (!single) continue;
        NetworkKit *k = &kit;
        DisplayList large;
        network_look(k, site, 0);
        network_draw(k, 1600, 1000, &large);
        assert_non_null(strstr(all_text(&large, &kit.frame), "One token: nothing to choose yet"));
        assert_null(cells_of(&large, "overview.large"));
        break;
    }
    network_close(&kit);
}

/* The map under the pointer takes the selected one's place and is called a preview; the button stays the selected one's. */
static void the_pointer_shows_another_map(void **state) {
    (void)state;
    NetworkKit kit;
    Map want;
    network_open(&kit, &small);
    network_look(&kit, 2, 1);
    snprintf(kit.view.hot, sizeof kit.view.hot, "overview.map.1.4");
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) want[i][j] = weight(&kit, 0, 3, i, j);
    check_large(&kit, AGGREGATE_HEAD, want, "Layer 1, head 4 (preview)");
    check_large(&kit, AGGREGATE_HEAD, want, "Step through head 2");
    static const char *const none[] = {"overview.map.9.1", "overview.map.1.9", "overview.map.1.1.1", "overview.map.0.0", "overview.map."};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        DisplayList dl;
        snprintf(kit.view.hot, sizeof kit.view.hot, "%s", none[k]);
        network_draw(&kit, 1600, 1000, &dl);
        assert_non_null(strstr(all_text(&dl, &kit.frame), "Layer 3, head 2"));
        assert_null(strstr(all_text(&dl, &kit.frame), "(preview)"));
    }
    network_close(&kit);
}

/* Numbers that a limit of memory has dropped: the small picture, and calm words for what has none. */
static void dropped_numbers_are_not_read(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    NetworkShape shape = small;
    shape.limit = 1;
    network_open(&kit, &shape);
    int dropped = 0;
    for (int site = 0; site < 3; site++) {
        network_look(&kit, site, 0);
        if (trace_resident(kit.run.trace, kit.run.sites[site].weights)) continue;
        dropped++;
        for (int kind = 0; kind < AGGREGATE_KIND_COUNT; kind++) {
            kit.view.aggregate = (AggregateKind)kind;
            network_draw(&kit, 1024, 768, &dl);
            const char *text = all_text(&dl, &kit.frame);
            if (kind == AGGREGATE_HEAD) assert_non_null(strstr(text, "not in memory"));
            if (kind == AGGREGATE_ROLLOUT || kind == AGGREGATE_LENGTH) assert_non_null(strstr(text, "Computing"));
            assert_non_null(cells_of(&dl, "overview.map.3.4"));
        }
    }
    assert_true(dropped > 0);
    network_close(&kit);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_maps_have_the_colours_of_their_weights),
        cmocka_unit_test(large_maps_keep_their_largest_weights),
        cmocka_unit_test(the_large_map_shows_what_its_title_says),
        cmocka_unit_test(views_explain_themselves),
        cmocka_unit_test(the_pointer_shows_another_map),
        cmocka_unit_test(the_measures_are_those_of_the_map_above),
        cmocka_unit_test(the_scale_is_that_of_the_map),
        cmocka_unit_test(pale_maps_have_a_scale_of_their_own),
        cmocka_unit_test(one_token_chooses_nothing),
        cmocka_unit_test(dropped_numbers_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
