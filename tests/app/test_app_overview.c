/* The overview in the session: what pointer and keys do with its maps, and what of the numbers it waits for. */
#include "app/drive.h"
#include "base/file.h"
#include "base/str.h"

static Session *open_overview(const char *model, size_t memory, const char *text) {
    Err err = {0};
    const char *folder = data_path(model);
    if (!file_exists(folder)) skip();
    Session *s = session_open(&(SessionOptions){.memory = memory}, &err);
    if (!s || !session_open_model(s, folder, &err)) fail_msg("%s", err.message);
    must(s, text);
    return s;
}

static Session *open_tiny(void) { return open_overview("models/tiny-gpt2", 0, "text \"The cat sat on the mat\""); }

static int site_of(const Session *s) { return session_run(s)->stage_site[session_view(s)->film.stage]; }

static void a_click_steps_through_the_head(void **state) {
    (void)state;
    Session *s = open_tiny();
    click(s, "overview.map.2.3");
    assert_false(session_view(s)->overview);
    assert_int_equal(site_of(s), 1);
    assert_int_equal(session_view(s)->head, 2);
    assert_false(has_control(s, "overview.map.2.3"));
    click(s, "layer.back");
    assert_int_equal(site_of(s), 0);
    click(s, "layer.all");
    assert_true(session_view(s)->overview);
    assert_true(has_control(s, "overview.map.1.3"));
    click(s, "overview.step");
    assert_false(session_view(s)->overview);
    assert_int_equal(session_view(s)->head, 2);
    drive_close(s);
}

/* The pointer shows a map large, the arrows choose one; Enter steps through it. */
static void pointer_and_keys_choose_a_map(void **state) {
    (void)state;
    Session *s = open_tiny();
    Rect box = control_box(s, "overview.map.2.4");
    move_to(s, box.x + box.w / 2, box.y + box.h / 2);
    assert_true(strstr(dump(s), "\"4\"") != NULL && strstr(session_view(s)->hot, "overview.map.2.4") != NULL);
    float x, y;
    cell_middle(s, "layers.1.weights", 3, 2, 1, &x, &y); /* the enlarged map */
    move_to(s, 2, 2);
    press(s, 0, "Right");
    press(s, 0, "Down");
    assert_int_equal(site_of(s), 1);
    assert_int_equal(session_view(s)->head, 1);
    assert_true(session_view(s)->overview);
    cell_middle(s, "layers.1.weights", 1, 2, 1, &x, &y);
    press(s, 0, "Enter");
    assert_false(session_view(s)->overview);
    assert_int_equal(site_of(s), 1);
    assert_int_equal(session_view(s)->head, 1);
    drive_close(s);
}

static void numbers_of_the_enlarged_map_are_explained(void **state) {
    (void)state;
    Session *s = open_tiny();
    float x, y;
    cell_middle(s, "layers.0.weights", 0, 3, 2, &x, &y);
    click_at(s, x, y, 0, 1);
    assert_string_equal(session_view(s)->selection.tensor, "layers.0.weights");
    assert_true(session_view(s)->overview);
    assert_true(has_control(s, "inspector.close"));
    assert_false(shows(s, "…")); /* all is there, wherever the film stands */
    click(s, "inspector.close");
    assert_false(has_control(s, "inspector.close"));
    click(s, "overview.show.length");
    cell_middle(s, "layers.0.weighted_length", 0, 3, 2, &x, &y);
    click_at(s, x, y, 0, 1);
    assert_string_equal(session_view(s)->selection.tensor, "layers.0.weighted_length");
    assert_true(has_control(s, "inspector.close"));
    drive_close(s);
}

static void measures_sort_by_a_click(void **state) {
    (void)state;
    Session *s = open_tiny();
    click(s, "overview.sort.entropy");
    assert_int_equal(session_view(s)->sort, MEASURE_ENTROPY);
    assert_true(has_control(s, "overview.map.1.1"));
    click(s, "overview.sort.none");
    assert_int_equal(session_view(s)->sort, -1);
    drive_close(s);
}

/* Down goes through the encoder, the decoder, what the decoder sees of the encoder; and up all the way back. */
static void arrows_go_as_the_maps_stand(void **state) {
    (void)state;
    Session *s = open_overview("models/tiny-bart", 0, "text \"on the mat\"");
    must(s, "source \"the cat sat\"");
    static const char *const names[] = {"encoder.layers.0", "encoder.layers.1", "decoder.layers.0.self", "decoder.layers.1.self",
                                        "decoder.layers.0.cross", "decoder.layers.1.cross"};
    must(s, "layer encoder 1");
    for (int i = 0; i < 11; i++) {
        assert_string_equal(session_run(s)->sites[site_of(s)].scope, names[i < 6 ? i : 10 - i]);
        press(s, 0, i < 5 ? "Down" : "Up");
    }
    assert_string_equal(session_run(s)->sites[site_of(s)].scope, names[0]);
    drive_close(s);
}

/* Sorted maps stand in lines of several: Right is the next in rank, Down the one that stands below. */
static void arrows_go_by_rank_where_maps_are_sorted(void **state) {
    (void)state;
    Session *s = open_tiny();
    must(s, "sort entropy");
    const Run *run = session_run(s);
    RankedMap *maps;
    Arena arena = {0};
    int n = run_rank_maps(run, MEASURE_ENTROPY, &arena, &maps), across = 0;
    assert_int_equal(n, 8);
    Rect box[8] = {{0}};
    for (int i = 0; i < n; i++) {
        box[i] = control_box(s, arena_printf(&arena, "overview.map.%d.%d", maps[i].site + 1, maps[i].head + 1));
        assert_true(i == 0 || maps[i].value >= maps[i - 1].value);
        across += box[i].y <= box[0].y;
    }
    assert_true(across > 1 && across < n);
    while (session_view(s)->head != maps[0].head || site_of(s) != maps[0].site) press(s, 0, "Left");
    press(s, 0, "Left"); /* it is the first */
    for (int i = 0; i < n; i++) {
        assert_int_equal(site_of(s), maps[i].site);
        assert_int_equal(session_view(s)->head, maps[i].head);
        press(s, 0, "Right");
    }
    for (int i = n - 1; i > 0; i--) press(s, 0, "Left");
    press(s, 0, "Down");
    assert_int_equal(site_of(s), maps[across].site);
    assert_int_equal(session_view(s)->head, maps[across].head);
    assert_near(box[across].x, box[0].x, 0.5);
    assert_true(box[across].y > box[0].y);
    press(s, 0, "Up");
    assert_true(site_of(s) == maps[0].site && session_view(s)->head == maps[0].head);
    arena_free(&arena);
    drive_close(s);
}

/* Under a limit of memory each layer's numbers are there when it is looked at. */
static void dropped_layers_come_back(void **state) {
    (void)state;
    Session *s = open_overview("models/tiny-gpt2", 1, "text \"The cat sat on the mat\"");
    for (int layer = 0; layer < 2; layer++) {
        if (layer) press(s, 0, "Down");
        assert_int_equal(site_of(s), layer);
        const char *id = layer ? "layers.1.weights" : "layers.0.weights";
        float x, y;
        cell_middle(s, id, 0, 1, 1, &x, &y);
        assert_false(shows(s, "Computing…"));
    }
    click(s, "overview.show.rollout");
    assert_false(shows(s, "Computing…"));
    float x, y;
    cell_middle(s, "layers.1.rollout", 0, 1, 1, &x, &y);
    drive_close(s);
}

/* An encoder of 4 heads, a decoder of 5: the table of the last head is that head's. */
static void a_table_is_copied_of_any_head(void **state) {
    (void)state;
    Session *s = open_overview("models/tiny-bart", 0, "text \"on the mat\"");
    must(s, "source \"the cat sat\"");
    must(s, "look 6 5");
    must(s, "stage softmax end");
    must(s, "copy map");
    const Trace *trace = session_run(s)->trace;
    const Tensor *weights = trace_tensor(trace, trace_find(trace, "decoder.layers.1.cross.weights"));
    const char *row = strchr(effects_clipboard(s), '\n') + 1, *number = strchr(row, '\t') + 1;
    assert_near(strtod(number, NULL), tensor_at(weights, (int[4]){4, 0, 0, 0}), 1e-6);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_click_steps_through_the_head),
        cmocka_unit_test(pointer_and_keys_choose_a_map),
        cmocka_unit_test(numbers_of_the_enlarged_map_are_explained),
        cmocka_unit_test(measures_sort_by_a_click),
        cmocka_unit_test(arrows_go_as_the_maps_stand),
        cmocka_unit_test(arrows_go_by_rank_where_maps_are_sorted),
        cmocka_unit_test(dropped_layers_come_back),
        cmocka_unit_test(a_table_is_copied_of_any_head),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
