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

/* The map under the pointer takes the selected one's place. */
static void the_pointer_shows_another_map(void **state) {
    (void)state;
    NetworkKit kit;
    Map want;
    network_open(&kit, &small);
    network_look(&kit, 2, 1);
    snprintf(kit.view.hot, sizeof kit.view.hot, "overview.map.1.4");
    for (int i = 0; i < 7; i++)
        for (int j = 0; j < 7; j++) want[i][j] = weight(&kit, 0, 3, i, j);
    check_large(&kit, AGGREGATE_HEAD, want, "Layer 1, head 4");
    static const char *const none[] = {"overview.map.9.1", "overview.map.1.9", "overview.map.1.1.1", "overview.map.0.0", "overview.map."};
    for (size_t k = 0; k < sizeof none / sizeof *none; k++) {
        DisplayList dl;
        snprintf(kit.view.hot, sizeof kit.view.hot, "%s", none[k]);
        network_draw(&kit, 1600, 1000, &dl);
        assert_non_null(strstr(all_text(&dl, &kit.frame), "Layer 3, head 2"));
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
        cmocka_unit_test(dropped_numbers_are_not_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
