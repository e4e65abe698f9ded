/* Masks by the pointer and the keyboard: names, cells, strokes, forms, steppers. What a mask then holds is written here by hand. */
#include "app/drive.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"

static const View *view(Session *s) { return session_view(s); }

/* The mask in force, of head 1: "100 110 111"; "" when there is none. */
static const char *mask_of(Session *s) {
    static char text[8192];
    const Trace *trace = session_run(s)->trace;
    TensorId id = trace_find(trace, "mask");
    int n = 0;
    text[0] = 0;
    if (id == TENSOR_NONE) return text;
    const Tensor *t = trace_tensor(trace, id);
    for (int i = 0; i < t->dim[0]; i++) {
        if (i) text[n++] = ' ';
        for (int j = 0; j < t->dim[1]; j++) text[n++] = tensor_at(t, (int[4]){i, j, 0, 0}) != 0 ? '1' : '0';
    }
    text[n] = 0;
    return text;
}

static Session *at_mask(const char *text) {
    Session *s = drive_open();
    Arena arena = {0};
    must(s, arena_printf(&arena, "text \"%s\"", text));
    must(s, "stage mask end");
    arena_free(&arena);
    return s;
}

static void mouse(Session *s, InputKind kind, float x, float y, int button) {
    session_update(s, &(Input){.kind = kind, .x = x, .y = y, .button = button, .clicks = 1}, 0.01);
}

static void right_click(Session *s, float x, float y) {
    mouse(s, INPUT_MOUSE_DOWN, x, y, 3);
    mouse(s, INPUT_MOUSE_UP, x, y, 3);
    pass(s, 2); /* another edit than the next */
}

/* On the name of a column or a row of a tensor's map. */
static void name_click(Session *s, const char *tensor, int row, int col) {
    float x, y, first_x, first_y;
    cell_middle(s, tensor, 0, row < 0 ? 0 : row, col < 0 ? 0 : col, &x, &y);
    cell_middle(s, tensor, 0, 0, 0, &first_x, &first_y);
    if (row < 0) right_click(s, x, control_box(s, "mask.keys.2").y + 2);
    else right_click(s, control_box(s, "mask.queries.1").x + control_box(s, "mask.queries.1").w - 12, y);
}

/* From one cell to the next in one event each; a fast hand sends no more. */
static void stroke(Session *s, const int (*cells)[2], int n) {
    float x = 0, y = 0;
    for (int i = 0; i < n; i++) {
        cell_middle(s, "mask", 0, cells[i][0], cells[i][1], &x, &y);
        mouse(s, i ? INPUT_MOUSE_MOVE : INPUT_MOUSE_DOWN, x, y, 1);
    }
    mouse(s, INPUT_MOUSE_UP, x, y, 1);
    pass(s, 2);
}

static void names_hide_keys_and_queries(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    assert_string_equal(mask_of(s), "100 110 111");
    name_click(s, "mask", -1, 1); /* the column of b */
    assert_string_equal(mask_of(s), "100 100 101");
    name_click(s, "mask", -1, 1); /* as it was */
    assert_string_equal(mask_of(s), "100 110 111");
    name_click(s, "scaled", 2, -1); /* the row of c */
    assert_string_equal(mask_of(s), "100 110 000");
    assert_true(shows(s, "no key allowed → zeros"));
    name_click(s, "scaled", 2, -1);
    assert_string_equal(mask_of(s), "100 110 111");
    press(s, MOD_CTRL, "z");
    assert_string_equal(mask_of(s), "100 110 000");
    press(s, MOD_CTRL, "z");
    assert_string_equal(mask_of(s), "100 110 111");
    drive_close(s);
}

/* Where no mask is set the map of scores has names all the same. */
static void names_without_a_mask(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    must(s, "mask none");
    float x, y;
    cell_middle(s, "scaled", 0, 0, 2, &x, &y);
    Rect band = control_box(s, "mask.keys.1");
    right_click(s, x, band.y + band.h - 4);
    assert_string_equal(mask_of(s), "110 110 110");
    must(s, "mask none");
    must(s, "stage scores");
    float other_x, other_y;
    cell_middle(s, "scores", 0, 0, 0, &other_x, &other_y);
    right_click(s, other_x, other_y - 30); /* another stage: nothing */
    assert_string_equal(mask_of(s), "");
    drive_close(s);
}

static void a_cell_has_a_menu(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    float x, y;
    cell_middle(s, "mask", 0, 2, 1, &x, &y);
    right_click(s, x, y);
    assert_string_equal(view(s)->menu, "mask.cell");
    assert_string_equal(view(s)->selection.tensor, "mask");
    assert_string_equal(mask_of(s), "100 110 111"); /* nothing happened yet */
    for (int i = 0; i < 3; i++) tap(s, 0, "Down"); /* this key for all queries */
    tap(s, 0, "Enter");
    assert_string_equal(mask_of(s), "100 100 101");
    press(s, 0, "K"); /* the cell is still selected */
    assert_string_equal(mask_of(s), "100 110 111");
    press(s, 0, "X");
    assert_string_equal(mask_of(s), "100 110 101");
    press(s, MOD_SHIFT, "K");
    assert_string_equal(mask_of(s), "100 110 000");
    drive_close(s);
}

/* Cells between two events are painted too: row 2 from column 1 to 12, then down to row 12. */
static void a_fast_stroke_leaves_no_gap(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c d e f g h i j k l");
    must(s, "mask custom");
    must(s, "mask none");
    must(s, "mask custom"); /* all 1 */
    stroke(s, (const int[][2]){{1, 0}, {1, 11}, {11, 11}}, 3);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) {
            char kept = mask_of(s)[i * 13 + j];
            if (kept != ((i == 1 || (j == 11 && i > 1)) ? '0' : '1')) fail_msg("row %d, column %d is %c", i + 1, j + 1, kept);
        }
    press(s, MOD_CTRL, "z"); /* the stroke is one step */
    assert_null(strchr(mask_of(s), '0'));
    press(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_non_null(strchr(mask_of(s), '0'));
    drive_close(s);
}

/* 64 tokens: cells of a few units. A diagonal sweep in two events paints 64 cells and no other. */
static void small_cells_are_painted_exactly(void **unused) {
    (void)unused;
    char text[512] = "";
    for (int i = 0; i < 64; i++) sprintf(text + strlen(text), "%s%c%c", i ? " " : "", 'a' + i / 8, 'a' + i % 8);
    Session *s = at_mask(text);
    must(s, "mask custom");
    must(s, "mask none");
    must(s, "mask custom");
    stroke(s, (const int[][2]){{0, 0}, {63, 63}}, 2);
    const char *mask = mask_of(s);
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 64; j++) assert_int_equal(mask[i * 65 + j], i == j ? '0' : '1');
    float x, y;
    cell_middle(s, "mask", 0, 40, 7, &x, &y);
    move_to(s, x, y);
    assert_int_equal(view(s)->hover.index[0], 40);
    assert_int_equal(view(s)->hover.index[1], 7);
    drive_close(s);
}

static void a_zoomed_map_is_painted_where_it_is_seen(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c d e f g h i j k l");
    must(s, "mask none");
    must(s, "mask custom");
    must(s, "zoom 2 12 12"); /* rows and columns 7 to 12 */
    stroke(s, (const int[][2]){{6, 6}, {6, 8}}, 2);
    for (int i = 0; i < 12; i++)
        for (int j = 0; j < 12; j++) assert_int_equal(mask_of(s)[i * 13 + j], i == 6 && j >= 6 && j <= 8 ? '0' : '1');
    drive_close(s);
}

/* Cells for several positions cannot be painted one by one: it is said. */
static void blocks_are_not_painted(void **unused) {
    (void)unused;
    static char text[4096];
    for (int i = 0; i < 600; i++) sprintf(text + strlen(text), "%s%c%c", i ? " " : "", 'a' + i % 26, 'a' + i / 26);
    Session *s = at_mask(text);
    float x, y;
    cell_middle(s, "mask", 0, 3, 100, &x, &y);
    click_at(s, x, y, 0, 1);
    assert_true(strstr(view(s)->notice, "Zoom in") != NULL);
    assert_int_equal(session_doc(s)->masks[0].spec.kind, MASK_CAUSAL);
    drive_close(s);
}

static void the_pointer_says_what_a_press_does(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    Rect keys = control_box(s, "mask.keys.2"), queries = control_box(s, "mask.queries.1");
    move_to(s, keys.x + 5, keys.y + keys.h / 2);
    assert_true(shows(s, "Right button: hide this key from all queries, or show it again"));
    move_to(s, queries.x + 5, queries.y + 5);
    assert_true(shows(s, "Right button: hide all keys from this query, or show them all"));
    drive_close(s);
}

/* A stroke that leaves M and comes back paints what it passed on M, and nothing for the way outside. */
static void outside_nothing_is_painted(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c d");
    must(s, "mask none");
    must(s, "mask custom");
    float x0, y0, x1, y1, x2, y2;
    cell_middle(s, "mask", 0, 0, 2, &x0, &y0);
    cell_middle(s, "mask", 0, 3, 2, &x1, &y1);
    cell_middle(s, "mask", 0, 3, 0, &x2, &y2);
    float pitch = (y1 - y0) / 3;
    mouse(s, INPUT_MOUSE_DOWN, x0, y0, 1);
    mouse(s, INPUT_MOUSE_MOVE, x0, y1 + 2 * pitch, 1); /* straight down and out: the column */
    mouse(s, INPUT_MOUSE_MOVE, x2, y1 + 2 * pitch, 1); /* below M */
    mouse(s, INPUT_MOUSE_MOVE, x2, y2, 1);             /* back in: the last row's first */
    mouse(s, INPUT_MOUSE_UP, x2, y2, 1);
    assert_string_equal(mask_of(s), "1101 1101 1101 0101");
    drive_close(s);
}

static void other_forms_are_for_reading(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    click(s, "mask.form.ignore");
    assert_int_equal(view(s)->mask_form, MASK_FORM_IGNORE);
    float x, y;
    cell_middle(s, "mask", 0, 0, 2, &x, &y);
    click_at(s, x, y, 0, 1);
    assert_string_equal(mask_of(s), "100 110 111");
    assert_true(strstr(view(s)->notice, "KEEP/HIDE") != NULL);
    assert_string_equal(view(s)->menu, "mask.cell"); /* the way back */
    tap(s, 0, "Esc");
    click(s, "mask.form.words");
    click_at(s, x, y, 0, 1);
    assert_string_equal(mask_of(s), "101 110 111");
    cell_middle(s, "scaled", 0, 0, 2, &x, &y);
    click_at(s, x, y, 0, 1); /* a score explains */
    assert_string_equal(view(s)->selection.tensor, "scaled");
    assert_string_equal(mask_of(s), "101 110 111");
    drive_close(s);
}

static void steppers_by_pointer_wheel_and_keys(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c d");
    must(s, "mask window 1 0");
    assert_string_equal(mask_of(s), "1000 1100 0110 0011");
    click(s, "mask.1.left.more");
    assert_string_equal(mask_of(s), "1000 1100 1110 0111");
    Rect box = control_box(s, "mask.1.right");
    move_to(s, box.x + box.w / 2, box.y + box.h / 2);
    session_update(s, &(Input){.kind = INPUT_WHEEL, .y = 1}, 0.1);
    assert_string_equal(mask_of(s), "1100 1110 1111 0111");
    session_update(s, &(Input){.kind = INPUT_WHEEL, .y = -1}, 0.1);
    session_update(s, &(Input){.kind = INPUT_WHEEL, .y = -1}, 0.1); /* at its end */
    assert_string_equal(mask_of(s), "1000 1100 1110 0111");
    for (int i = 0; i < 60 && !str_eq(view(s)->focus, "mask.1.left"); i++) tap(s, 0, "Tab");
    assert_string_equal(view(s)->focus, "mask.1.left");
    int stage = view(s)->film.stage;
    tap(s, 0, "Left");
    tap(s, 0, "Down");
    assert_string_equal(mask_of(s), "1000 0100 0010 0001");
    tap(s, 0, "Up");
    assert_string_equal(mask_of(s), "1000 1100 0110 0011");
    assert_int_equal(view(s)->film.stage, stage); /* arrows are the stepper's */
    drive_close(s);
}

static void an_empty_row_has_its_switch(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    assert_false(has_control(s, "mask.empty.nan"));
    must(s, "mask.row 2");
    must(s, "select masked[1,2,1]");
    assert_true(has_control(s, "inspector.empty.nan"));
    click(s, "mask.empty.nan");
    assert_true(shows(s, "no key allowed → NaN"));
    click(s, "inspector.empty.zero");
    assert_true(shows(s, "no key allowed → zeros"));
    must(s, "select masked[1,1,1]");
    assert_false(has_control(s, "inspector.empty.nan"));
    drive_close(s);
}

static void the_form_is_kept_in_a_file(void **unused) {
    (void)unused;
    Session *s = at_mask("a b c");
    must(s, "mask.form keep");
    must(s, "save form.yaml");
    must(s, "mask.form words");
    must(s, "open form.yaml");
    remove("form.yaml");
    assert_int_equal(view(s)->mask_form, MASK_FORM_KEEP);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_hide_keys_and_queries),     cmocka_unit_test(names_without_a_mask),        cmocka_unit_test(a_cell_has_a_menu),
        cmocka_unit_test(a_fast_stroke_leaves_no_gap),     cmocka_unit_test(small_cells_are_painted_exactly), cmocka_unit_test(outside_nothing_is_painted),
        cmocka_unit_test(a_zoomed_map_is_painted_where_it_is_seen), cmocka_unit_test(blocks_are_not_painted), cmocka_unit_test(the_pointer_says_what_a_press_does),
        cmocka_unit_test(other_forms_are_for_reading),     cmocka_unit_test(steppers_by_pointer_wheel_and_keys), cmocka_unit_test(an_empty_row_has_its_switch),
        cmocka_unit_test(the_form_is_kept_in_a_file),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
