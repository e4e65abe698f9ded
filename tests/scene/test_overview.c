/* The overview's places: every map has its control, nothing lies over another thing, long networks show a part and say so,
 * the order of sorted maps, captions, presenter mode, the layer in stages; and how it looked before. */
#include <stdio.h>

#include "draw/theme.h"
#include "golden.h"
#include "network_kit.h"
#include "scene/overview.h"
#include "support/support.h"

static const NetworkShape twelve = {.layers = {12}, .heads = 12, .tokens = {9}, .causal = true};
static const NetworkShape shapes[] = {
    {.layers = {12}, .heads = 12, .tokens = {9}, .causal = true},
    {.layers = {5}, .heads = 8, .tokens = {25}, .causal = true},
    {.layers = {6, 6}, .heads = 8, .tokens = {11, 8}},
    {.layers = {2}, .heads = 1, .tokens = {4}, .special = true},
    {.layers = {12}, .heads = 1, .tokens = {7}},
    {.layers = {3}, .heads = 32, .tokens = {6}, .causal = true},
    {.layers = {2, 1}, .heads = 2, .tokens = {70, 3}},
    {.layers = {3}, .heads = 3, .tokens = {1}, .causal = true},
};
static const float sizes[][2] = {{1600, 1000}, {1280, 800}, {1024, 768}, {800, 600}, {3840, 2160}};
enum { SHAPES = sizeof shapes / sizeof *shapes, SIZES = sizeof sizes / sizeof *sizes, BOXES_MAX = 4096 };

/* ---- reading a list ---- */

static const char *text_of(const DisplayList *dl, const DlCommand *c) { return dl_text_at(dl, c->text.text); }

/* All that is written, with a space between texts: sentences are set word by word. */
static bool says(const DisplayList *dl, const char *part) {
    StrBuf all;
    sb_init(&all, dl->arena);
    for (int i = 0; i < dl->n; i++)
        if (dl->commands[i].kind == DL_TEXT) sb_printf(&all, "%s ", text_of(dl, &dl->commands[i]));
    return all.data && strstr(all.data, part);
}

static const DlGroup *find_group(const DisplayList *dl, const char *name, Rect *box) {
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_GROUP) continue;
        const DlGroup *group = &dl->groups[dl->commands[i].group.group];
        if (!str_eq(dl_text_at(dl, group->name), name)) continue;
        if (box) *box = dl->commands[i].box;
        return group;
    }
    return NULL;
}

/* Boxes of the maps' controls, in the order of drawing. */
typedef struct {
    int n, site[BOXES_MAX], head[BOXES_MAX];
    Rect box[BOXES_MAX];
} Maps;

static Maps *find_maps(const DisplayList *dl, Arena *arena) {
    Maps *maps = ARENA_NEW(arena, Maps);
    for (int i = 0; i < dl->n; i++) {
        if (dl->commands[i].kind != DL_GROUP) continue;
        const DlGroup *group = &dl->groups[dl->commands[i].group.group];
        int site, head;
        if (sscanf(dl_text_at(dl, group->name), "overview.map.%d.%d", &site, &head) != 2) continue;
        assert_true(maps->n < BOXES_MAX);
        assert_string_equal(dl_text_at(dl, group->action), arena_printf(arena, "look %d %d", site, head));
        maps->site[maps->n] = site - 1;
        maps->head[maps->n] = head - 1;
        maps->box[maps->n++] = dl->commands[i].box;
    }
    return maps;
}

static int count_maps(const Run *run) {
    int n = 0;
    for (int i = 0; i < run->n_sites; i++) n += run->sites[i].spec.n_heads;
    return n;
}

static bool meet(Rect a, Rect b, float room) {
    Rect common = rect_meet(a, b);
    return common.w > room && common.h > room;
}

static void check_apart(const Maps *maps, Rect area, const char *what) {
    for (int i = 0; i < maps->n; i++) {
        Rect a = maps->box[i];
        if (fminf(a.w, a.h) < 8) fail_msg("%s: map %d is %.0f × %.0f", what, i, (double)a.w, (double)a.h);
        if (a.x < area.x - 2 || a.y < area.y - 2 || a.x + a.w > area.x + area.w + 2 || a.y + a.h > area.y + area.h + 2)
            fail_msg("%s: map %d lies outside", what, i);
        for (int j = 0; j < i; j++)
            if (meet(a, maps->box[j], 1)) fail_msg("%s: maps %d and %d lie over each other", what, i, j);
    }
}

/* Upright texts: none touches another or a map, all are in the window. */
static void check_texts(const DisplayList *dl, const Maps *maps, Arena *arena, const char *what) {
    const DlCommand **texts = ARENA_ARRAY(arena, const DlCommand *, (size_t)dl->n);
    Rect *box = ARENA_ARRAY(arena, Rect, (size_t)dl->n);
    int n = 0;
    for (int i = 0; i < dl->n; i++) {
        const DlCommand *c = &dl->commands[i];
        if (c->kind != DL_TEXT || c->text.angle > 0) continue;
        box[n] = (Rect){c->box.x, c->box.y - 0.7f * c->text.size, c->text.width, 0.7f * c->text.size};
        texts[n] = c;
        if (c->text.size < 12) fail_msg("%s: '%s' is too small", what, text_of(dl, c));
        if (box[n].x < -1 || box[n].x + box[n].w > dl->width + 1 || box[n].y + box[n].h > dl->height)
            fail_msg("%s: '%s' leaves the window", what, text_of(dl, c));
        for (int k = 0; k < n; k++)
            if (meet(box[n], box[k], 1)) fail_msg("%s: '%s' over '%s'", what, text_of(dl, c), text_of(dl, texts[k]));
        for (int k = 0; k < maps->n; k++)
            if (meet(box[n], maps->box[k], 1)) fail_msg("%s: '%s' over map %d", what, text_of(dl, c), k);
        n++;
    }
}

/* ---- places ---- */

static void every_map_has_its_place(void **state) {
    (void)state;
    for (int k = 0; k < SHAPES; k++) {
        NetworkKit kit;
        network_open(&kit, &shapes[k]);
        for (int size = 0; size < SIZES; size++)
            for (int sort = -1; sort < MEASURE_COUNT; sort++) {
                DisplayList dl;
                Rect area;
                kit.view.sort = sort;
                kit.view.aggregate = (AggregateKind)((sort + 1) % AGGREGATE_KIND_COUNT);
                network_draw(&kit, sizes[size][0], sizes[size][1], &dl);
                const char *what = arena_printf(&kit.frame, "shape %d, size %d, sort %d", k, size, sort);
                Maps *maps = find_maps(&dl, &kit.frame);
                assert_non_null(find_group(&dl, "overview", &area));
                if (maps->n != count_maps(&kit.run) && !says(&dl, "the first ")) fail_msg("%s: %d maps", what, maps->n);
                check_apart(maps, area, what);
                check_texts(&dl, maps, &kit.frame, what);
            }
        network_close(&kit);
    }
}

static void long_networks_show_the_part_around_the_map(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    Rect area;
    network_open(&kit, &(NetworkShape){.layers = {48}, .heads = 25, .tokens = {5}, .causal = true});
    for (int at = 0; at < 48; at += 13) {
        network_look(&kit, at, 20);
        network_draw(&kit, 800, 600, &dl);
        Maps *maps = find_maps(&dl, &kit.frame);
        assert_non_null(find_group(&dl, "overview", &area));
        check_apart(maps, area, "48 layers");
        check_texts(&dl, maps, &kit.frame, "48 layers");
        assert_true(maps->n < 48 * 25);
        assert_non_null(find_group(&dl, arena_printf(&kit.frame, "overview.map.%d.21", at + 1), NULL));
        assert_true(says(&dl, " of 48"));
    }
    kit.view.sort = MEASURE_SAME;
    network_draw(&kit, 800, 600, &dl);
    assert_true(says(&dl, " of 1200"));
    network_close(&kit);
}

/* One stop of the keyboard: the selected map; it is framed in the accent's colour. */
static void the_selected_map_is_framed(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    Rect box;
    network_open(&kit, &twelve);
    network_look(&kit, 4, 7);
    network_draw(&kit, 1600, 1000, &dl);
    assert_true(find_group(&dl, "overview.map.5.8", &box)->focusable);
    assert_false(find_group(&dl, "overview.map.5.7", NULL)->focusable);
    int frames = 0;
    for (int i = 0; i < dl.n; i++) {
        const DlCommand *c = &dl.commands[i];
        if (c->kind == DL_RECT && c->stroke == theme_at(kit.view.theme)->accent && meet(c->box, box, 2) && c->box.w < 2 * box.w) frames++;
    }
    assert_int_equal(frames, 1);
    network_close(&kit);
}

/* ---- order ---- */

/* mean over i >= 1 of weights[i, i - 1], by itself. */
static double previous_share(const Trace *trace, TensorId id, int head) {
    double sum = 0;
    int L = trace_tensor(trace, id)->dim[1];
    for (int i = 1; i < L; i++) {
        const int at[TENSOR_RANK_MAX] = {head, i, i - 1};
        sum += tensor_at(trace_tensor(trace, id), at);
    }
    return sum / (L - 1);
}

static void sorted_maps_stand_in_order(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &twelve);
    kit.view.sort = MEASURE_PREVIOUS;
    network_draw(&kit, 1600, 1000, &dl);
    Maps *maps = find_maps(&dl, &kit.frame);
    assert_int_equal(maps->n, 144);
    for (int i = 0; i < maps->n; i++) {
        double value = previous_share(kit.run.trace, kit.run.sites[maps->site[i]].weights, maps->head[i]);
        char number[NUM_MAX];
        assert_true(says(&dl, num_fixed(number, value, 2, NUM_SCREEN)));
        if (i == 0) continue;
        double before = previous_share(kit.run.trace, kit.run.sites[maps->site[i - 1]].weights, maps->head[i - 1]);
        if (value > before + 1e-9) fail_msg("map %d: %g behind %g", i, value, before);
    }
    kit.view.sort = MEASURE_ENTROPY; /* the smallest first */
    network_draw(&kit, 1600, 1000, &dl);
    maps = find_maps(&dl, &kit.frame);
    double first = trace_summary(kit.run.trace, kit.run.sites[maps->site[0]].weights)->measure[maps->head[0] * MEASURE_COUNT + MEASURE_ENTROPY];
    double last = trace_summary(kit.run.trace, kit.run.sites[maps->site[143]].weights)->measure[maps->head[143] * MEASURE_COUNT + MEASURE_ENTROPY];
    assert_true(first < last);
    assert_true(says(&dl, "smallest first"));
    network_close(&kit);
}

/* One token: all weights are 1, so all maps keep their order; a question that no map can answer is not offered. */
static void equal_maps_keep_their_order(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &shapes[7]);
    kit.view.sort = MEASURE_SAME;
    network_draw(&kit, 1600, 1000, &dl);
    Maps *maps = find_maps(&dl, &kit.frame);
    assert_int_equal(maps->n, 9);
    for (int i = 0; i < 9; i++) {
        assert_int_equal(maps->site[i], i / 3);
        assert_int_equal(maps->head[i], i % 3);
    }
    assert_non_null(find_group(&dl, "overview.sort.same", NULL));
    assert_null(find_group(&dl, "overview.sort.previous", NULL));
    assert_null(find_group(&dl, "overview.sort.special", NULL));
    network_close(&kit);
}

/* ---- around the maps ---- */

static void modes_show_what_belongs_to_them(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &shapes[2]);
    network_draw(&kit, 1280, 800, &dl);
    assert_true(says(&dl, "6 + 6 layers × 8 heads"));
    assert_true(says(&dl, "Encoder") && says(&dl, "Decoder") && says(&dl, "Cross"));
    assert_non_null(find_group(&dl, "overview.large", NULL));
    assert_null(find_group(&dl, "inspector", NULL));
    assert_null(find_group(&dl, "layer.all", NULL));
    kit.view.presenting = true;
    network_draw(&kit, 1280, 800, &dl);
    assert_int_equal(find_maps(&dl, &kit.frame)->n, 3 * 6 * 8);
    assert_null(find_group(&dl, "overview.large", NULL));
    assert_null(find_group(&dl, "overview.sort.none", NULL));
    const char *first, *second;
    Scene scene = network_scene(&kit, font_fake(), 1280, 800);
    scene_captions(&scene, &first, &second);
    assert_true(first[0] && strstr(second, "6 + 6 layers"));
    network_close(&kit);
}

/* A selected number is explained beside the enlarged map, as if the film had reached it. */
static void numbers_are_explained(void **state) {
    (void)state;
    NetworkKit kit;
    DisplayList dl;
    network_open(&kit, &twelve);
    network_look(&kit, 4, 7);
    kit.view.selection = (ViewRef){.tensor = "layers.4.weights", .index = {7, 3, 2}, .rank = 3};
    for (int size = 0; size < SIZES; size++) {
        Rect inspector, large;
        network_draw(&kit, sizes[size][0], sizes[size][1], &dl);
        assert_non_null(find_group(&dl, "inspector", &inspector));
        assert_non_null(find_group(&dl, "inspector.close", NULL));
        assert_non_null(find_group(&dl, "overview.large", &large));
        assert_false(meet(inspector, large, 1));
        const int at[TENSOR_RANK_MAX] = {7, 3, 2};
        char number[NUM_MAX];
        assert_true(says(&dl, num_fixed(number, tensor_at(trace_tensor(kit.run.trace, kit.run.sites[4].weights), at), 3, NUM_SCREEN)));
    }
    network_close(&kit);
}

/* Stages of a network say which layer they show, with one head and with many, wide and narrow. */
static void stages_name_their_layer(void **state) {
    (void)state;
    for (int heads = 1; heads <= 32; heads = heads == 1 ? 8 : heads * 2)
        for (int size = 0; size < SIZES; size++) {
            NetworkKit kit;
            DisplayList dl;
            network_open(&kit, &(NetworkShape){.layers = {3}, .heads = heads, .tokens = {5}, .causal = true});
            kit.view.overview = false;
            const Site *site = &kit.run.sites[1];
            for (int stage = site->first_stage; stage < site->first_stage + site->n_stages; stage++) {
                if (trace_stage(kit.run.trace, stage)->kind >= STAGE_ATTENTION_COUNT) continue;
                kit.view.film.stage = stage;
                network_draw(&kit, sizes[size][0], sizes[size][1], &dl);
                Rect back, next, all;
                if (!find_group(&dl, "layer.back", &back) || !find_group(&dl, "layer.next", &next) || !find_group(&dl, "layer.all", &all))
                    fail_msg("%d heads, stage %d, size %d: no ways to other layers", heads, stage, size);
                assert_false(meet(back, next, 0) || meet(next, all, 0) || meet(back, all, 0));
                if (!says(&dl, "Layer 2 of 3")) fail_msg("%d heads, stage %d, size %d: no name", heads, stage, size);
            }
            network_close(&kit);
        }
}

/* ---- as it was ---- */

/* Grid and enlarged map alone: rail, formula and captions have tests of their own. */
static void draw_alone(NetworkKit *kit, const float size[2], DisplayList *dl) {
    arena_reset(&kit->frame);
    Scene scene = network_scene(kit, font_fake(), size[0], size[1]);
    scene.layout = scene_layout(&scene);
    dl_init(dl, &kit->frame, size[0], size[1], theme_at(kit->view.theme)->background);
    overview_draw(&scene, dl);
    dl_finish(dl);
}

static void looks_as_it_did(void **state) {
    (void)state;
    Arena arena = {0};
    StrBuf out;
    sb_init(&out, &arena);
    for (int k = 0; k < 3; k++) {
        NetworkKit kit;
        network_open(&kit, &shapes[k]);
        network_look(&kit, 1, 2);
        for (int size = 0; size < 3; size++)
            for (int theme = 0; theme < 2; theme++)
                for (int sorted = 0; sorted < 2; sorted++) {
                    DisplayList dl;
                    kit.view.theme = (ThemeKind)theme;
                    kit.view.sort = sorted ? MEASURE_FIRST : -1;
                    draw_alone(&kit, sizes[size], &dl);
                    const char *name = arena_printf(&arena, "%d %.0fx%.0f %s %s", k + 1, (double)sizes[size][0], (double)sizes[size][1],
                                                    theme_names[theme], sorted ? "sorted" : "layers");
                    const char *text = golden_dump(&dl, &arena);
                    golden_line(&out, name, text);
                    if (k == 1 && size == 0 && theme == 0) golden_compare(&arena, sorted ? "overview-sorted" : "overview-layers", text);
                }
        network_close(&kit);
    }
    golden_compare(&arena, "overview", out.data);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_map_has_its_place),
        cmocka_unit_test(long_networks_show_the_part_around_the_map),
        cmocka_unit_test(the_selected_map_is_framed),
        cmocka_unit_test(sorted_maps_stand_in_order),
        cmocka_unit_test(equal_maps_keep_their_order),
        cmocka_unit_test(modes_show_what_belongs_to_them),
        cmocka_unit_test(numbers_are_explained),
        cmocka_unit_test(stages_name_their_layer),
        cmocka_unit_test(looks_as_it_did),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
