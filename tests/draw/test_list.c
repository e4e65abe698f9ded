#include "draw/dl.h"
#include "support/support.h"

static int set_up(void **state) {
    static Arena arena;
    *state = &arena;
    return 0;
}

static int tear_down(void **state) {
    arena_free(*state);
    return 0;
}

static DisplayList list_in(void **state) {
    DisplayList dl;
    dl_init(&dl, *state, 800, 600, 0xfbfaf7ff);
    return dl;
}

static void cell_edges_are_whole_and_fair(void **state) {
    (void)state;
    for (int n = 1; n <= 70; n++)
        for (int w = n; w < 500; w += 7) {
            Rect box = {13, 17, (float)w, 40};
            float gap = w >= 4 * n ? 2 : 0, least = 1e9f, most = 0, end = box.x;
            for (int i = 0; i < n; i++) {
                Rect cell = dl_cell_box(box, 1, n, gap, 0, i);
                assert_true(cell.x == floorf(cell.x) && cell.w == floorf(cell.w));
                assert_true(cell.w >= 1);
                if (i > 0) assert_true(cell.x == end + gap);
                end = cell.x + cell.w;
                least = fminf(least, cell.w), most = fmaxf(most, cell.w);
            }
            assert_true(most - least <= 1);
            assert_near((double)end, (double)(box.x + box.w), 1e-3);
        }
}

static void more_cells_than_units_still_divide_the_box(void **state) {
    (void)state;
    Rect box = {10, 10, 100, 100};
    Rect first = dl_cell_box(box, 400, 400, 2, 0, 0), last = dl_cell_box(box, 400, 400, 2, 399, 399);
    assert_near((double)first.w, 0.25, 1e-6);
    assert_near((double)(last.x + last.w), 110, 1e-4);
    assert_near((double)(last.y + last.h), 110, 1e-4);
}

static void texts_keep_their_offsets_while_the_pool_grows(void **state) {
    DisplayList dl = list_in(state);
    uint32_t first = dl_store(&dl, "first"), none = dl_store(&dl, "");
    assert_int_equal(none, DL_NO_TEXT);
    assert_int_equal(dl_store(&dl, NULL), DL_NO_TEXT);
    for (int i = 0; i < 1000; i++) dl_store(&dl, "some longer text that makes the pool grow");
    assert_string_equal(dl_text_at(&dl, first), "first");
    assert_string_equal(dl_text_at(&dl, DL_NO_TEXT), "");
}

static void groups_that_stay_open_are_found(void **state) {
    DisplayList dl = list_in(state);
    dl_clip(&dl, (Rect){0, 0, 10, 10});
    assert_int_equal(dl.depth_clip, 1);
    dl_unclip(&dl);
    dl_control(&dl, (Rect){0, 0, 1, 1}, ROLE_BUTTON, "a", NULL, NULL);
    assert_int_equal(dl.depth_group, 1);
    dl_ungroup(&dl);
    dl_finish(&dl);
}

static void hits_find_the_topmost(void **state) {
    DisplayList dl = list_in(state);
    DlHit hit;
    assert_false(dl_hit(&dl, 5, 5, &hit));
    dl_control(&dl, (Rect){0, 0, 100, 100}, ROLE_PANEL, "below", NULL, NULL);
    dl_control(&dl, (Rect){10, 10, 30, 30}, ROLE_BUTTON, "inside", "next", "Next step");
    dl_ungroup(&dl);
    dl_ungroup(&dl);
    dl_control(&dl, (Rect){20, 20, 100, 100}, ROLE_MENU, "above", NULL, NULL);
    dl_ungroup(&dl);
    assert_true(dl_hit(&dl, 12, 12, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->name), "inside");
    assert_string_equal(dl_text_at(&dl, hit.group->action), "next");
    assert_near((double)hit.box.w, 30, 0);
    assert_int_equal(hit.row, -1);
    assert_true(dl_hit(&dl, 25, 25, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->name), "above");
    assert_true(dl_hit(&dl, 5, 5, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->name), "below");
    assert_false(dl_hit(&dl, 400, 5, &hit));
    assert_null(hit.group);
}

static void groups_without_meaning_are_passed_through(void **state) {
    DisplayList dl = list_in(state);
    DlGroup plain = {.role = ROLE_ROW, .tensor = -1, .at = {-1, -1, -1, -1}};
    dl_control(&dl, (Rect){0, 0, 50, 50}, ROLE_BUTTON, "b", NULL, NULL);
    dl_group(&dl, (Rect){0, 0, 50, 50}, &plain);
    dl_ungroup(&dl);
    dl_ungroup(&dl);
    DlHit hit;
    assert_true(dl_hit(&dl, 5, 5, &hit));
    assert_string_equal(dl_text_at(&dl, hit.group->name), "b");
}

static void clips_hide_what_is_outside(void **state) {
    DisplayList dl = list_in(state);
    dl_clip(&dl, (Rect){0, 0, 50, 50});
    dl_clip(&dl, (Rect){25, 0, 100, 100});
    dl_control(&dl, (Rect){0, 0, 200, 200}, ROLE_BUTTON, "clipped", NULL, NULL);
    dl_ungroup(&dl);
    dl_unclip(&dl);
    dl_unclip(&dl);
    dl_control(&dl, (Rect){300, 300, 20, 20}, ROLE_BUTTON, "free", NULL, NULL);
    dl_ungroup(&dl);
    DlHit hit;
    assert_true(dl_hit(&dl, 30, 30, &hit));
    assert_false(dl_hit(&dl, 10, 10, &hit));
    assert_false(dl_hit(&dl, 60, 30, &hit));
    assert_true(dl_hit(&dl, 310, 310, &hit));
}

static void add_map(DisplayList *dl, Rect box, int rows, int cols, uint8_t last_mark) {
    Color colors[64];
    uint8_t marks[64] = {0};
    for (int i = 0; i < rows * cols; i++) colors[i] = 0x336699ff;
    marks[rows * cols - 1] = last_mark;
    DlGroup group = {.role = ROLE_TENSOR, .tensor = 9, .at = {-1, -1, -1, -1}};
    dl_group(dl, box, &group);
    dl_cells(dl, box, rows, cols, 2, 3, colors, NULL, marks, 9, 1, 10, 20);
    dl_ungroup(dl);
}

static void a_hit_in_a_map_names_the_cell(void **state) {
    DisplayList dl = list_in(state);
    Rect box = {100, 100, 118, 78};
    add_map(&dl, box, 4, 6, CELL_NONE);
    DlHit hit;
    for (int row = 0; row < 4; row++)
        for (int col = 0; col < 6; col++) {
            Rect cell = dl_cell_box(box, 4, 6, 2, row, col);
            bool there = dl_hit(&dl, cell.x + cell.w / 2, cell.y + 1, &hit);
            assert_true(there);
            if (row == 3 && col == 5) {
                assert_int_equal(hit.row, -1); /* no such cell: the map is hit, not a cell of it */
                continue;
            }
            assert_int_equal(hit.row, row + 10);
            assert_int_equal(hit.col, col + 20);
            assert_int_equal(hit.tensor, 9);
            assert_int_equal(hit.head, 1);
            assert_int_equal(hit.group->role, ROLE_TENSOR);
            assert_near((double)hit.box.x, (double)cell.x, 0);
        }
    assert_true(dl_hit(&dl, 100, 100, &hit) && hit.row == 10 && hit.col == 20);
    assert_true(dl_hit(&dl, 119.5f, 101, &hit) && hit.col == 21); /* the gap belongs half to each side */
}

static void focus_runs_over_focusable_groups(void **state) {
    DisplayList dl = list_in(state);
    DlGroup deaf = {.role = ROLE_BUTTON, .tensor = -1, .name = dl_store(&dl, "deaf")};
    assert_null(dl_focus_at(&dl, 0, NULL));
    const char *names[] = {"a", "b", "c"};
    for (int i = 0; i < 3; i++) {
        dl_control(&dl, (Rect){(float)i, 0, 1, 1}, ROLE_BUTTON, names[i], NULL, NULL);
        dl_ungroup(&dl);
        dl_group(&dl, (Rect){0}, &deaf);
        dl_ungroup(&dl);
    }
    assert_int_equal(dl_focus_count(&dl), 3);
    assert_int_equal(dl_focus_find(&dl, "c"), 2);
    assert_int_equal(dl_focus_find(&dl, "deaf"), -1);
    Rect box;
    assert_string_equal(dl_text_at(&dl, dl_focus_at(&dl, 1, &box)->name), "b");
    assert_near((double)box.x, 1, 0);
    assert_string_equal(dl_text_at(&dl, dl_focus_at(&dl, 3, NULL)->name), "a");
    assert_string_equal(dl_text_at(&dl, dl_focus_at(&dl, -1, NULL)->name), "c");
}

static const char golden[] =
    "list 800.0x600.0 background #fbfaf7\n"
    "clip 0.0,0.0 400.0x300.0\n"
    "  group button 8.0,8.0 80.0x24.0 name \"play\" action \"play \\\"x\\\"\" label \"Play\" focusable\n"
    "    rect 8.0,8.0 80.0x24.0 radius 8.0 fill #5b4bd6 stroke #00000080 width 1.0\n"
    "    text 10.0,25.0 \"Ab\" mono 10.0 width 12.0 fill #1d2129\n"
    "  end\n"
    "unclip\n"
    "group tensor 100.0,100.0 118.0x78.0 tensor 9\n"
    "  cells 100.0,100.0 118.0x78.0 2x2 gap 2.0 radius 3.0 tensor 9 head 1 from 10,20 colors 287254d8775ebd4d marks vv v/ values 0.000 0.000 0.000 0.000\n"
    "end\n"
    "line 0.0,0.5 to 10.0,0.5 stroke #e3e0d8 width 1.0 dash 3.0\n"
    "path closed 0.0,0.0 4.0,0.0 2.0,3.5 fill #000000\n"
    "ribbon 5.0,10.0+4.0 to 45.0,30.0+1.0 fill #0c754e80\n"
    "shade 0.0,0.0 100.0x50.0 but 30.0,20.0 from 5.0 to 9.5 fill #00000080\n"
    "text 1.0,2.0 \"up\" ui-semibold 10.0 width 12.0 angle 90.0 fill #000000\n";

static void the_dump_is_stable_text(void **state) {
    DisplayList dl = list_in(state);
    dl_clip(&dl, (Rect){0, 0, 400, 300});
    dl_control(&dl, (Rect){8, 8, 80, 24}, ROLE_BUTTON, "play", "play \"x\"", "Play");
    dl_rect(&dl, (Rect){8, 8, 80, 24}, 8, 0x5b4bd6ff, 0x00000080, 1);
    dl_text(&dl, font_fake(), FACE_MONO, 10, 0x1d2129ff, 10, 25, "Ab");
    dl_ungroup(&dl);
    dl_unclip(&dl);
    add_map(&dl, (Rect){100, 100, 118, 78}, 2, 2, CELL_MASKED);
    dl_dash(&dl, -0.01f, 0.5f, 10, 0.5f, 0xe3e0d8ff, 1, 3);
    DlPoint points[] = {{0, 0}, {4, 0}, {2, 3.5f}};
    dl_path(&dl, points, 3, true, 0x000000ff, COLOR_NONE, 0);
    dl_ribbon(&dl, 45, 30, 1, 5, 10, 4, 0x0c754e80);
    dl_shade(&dl, (Rect){0, 0, 100, 50}, 30, 20, 5, 9.5f, 0x00000080);
    dl_text_turned(&dl, font_fake(), FACE_UI_SEMIBOLD, 10, 0x000000ff, 1, 2, 90, "up");
    dl_finish(&dl);
    StrBuf out;
    sb_init(&out, *state);
    dl_dump(&dl, &out);
    assert_string_equal(out.data, golden);
}

/* Where a layout has no room left, its pieces are empty: no area has less than no size. */
static void areas_are_not_turned_inside_out(void **state) {
    DisplayList dl;
    dl_init(&dl, *state, 400, 300, 0);
    dl_clip(&dl, (Rect){10, 10, -4, 5});
    dl_rect(&dl, (Rect){10, 10, 4, -5}, 0, 0xffffffff, COLOR_NONE, 0);
    dl_unclip(&dl);
    dl_line(&dl, 10, 10, 2, 3, 0x000000ff, 1);
    dl_finish(&dl);
    assert_near(dl.commands[0].box.w, 0, 0);
    assert_near(dl.commands[0].box.h, 5, 0);
    assert_near(dl.commands[1].box.h, 0, 0);
    assert_near(dl.commands[3].box.w, -8, 0);
    DlHit hit;
    assert_false(dl_hit(&dl, 8, 12, &hit));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cell_edges_are_whole_and_fair),
        cmocka_unit_test(more_cells_than_units_still_divide_the_box),
        cmocka_unit_test_setup_teardown(texts_keep_their_offsets_while_the_pool_grows, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_that_stay_open_are_found, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hits_find_the_topmost, set_up, tear_down),
        cmocka_unit_test_setup_teardown(groups_without_meaning_are_passed_through, set_up, tear_down),
        cmocka_unit_test_setup_teardown(clips_hide_what_is_outside, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_hit_in_a_map_names_the_cell, set_up, tear_down),
        cmocka_unit_test_setup_teardown(focus_runs_over_focusable_groups, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_dump_is_stable_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(areas_are_not_turned_inside_out, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
