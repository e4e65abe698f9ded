/* Changing numbers of the picture: the field at the cell, the drag, the inputs of computed numbers, giving back.
 *
 * The document by hand: x = a [1, 0], b [1, 1], q = k = v = x, d_k = 2, no mask. Then
 *   scores = x · xᵀ = [[1, 1], [1, 2]], row a: both 1/√2, weights 0.5 and 0.5.
 * With x[b, 1] = 2: scores = [[1, 2], [2, 5]]; row a: 1/√2 and 2/√2, weight of b = 1 / (1 + e^(-1/√2)) = 0.669762. */
#include <stdio.h>

#include "app/drive.h"
#include "doc/doc.h"
#include "draw/theme.h"

static const char TWO[] = "attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [1, 1]]\nprojections: none\nmask: none\n";

static Session *open_yaml(const char *yaml) {
    Err err = {0};
    Session *s = drive_open();
    FILE *f = fopen("number.yaml", "w");
    assert_non_null(f);
    fputs(yaml, f);
    fclose(f);
    if (!session_open_file(s, "number.yaml", 0, &err)) fail_msg("%s", err.message);
    remove("number.yaml");
    return s;
}

static const View *view(Session *s) { return session_view(s); }

static double value(Session *s, const char *tensor, int i, int j, int k) {
    const Trace *trace = session_run(s)->trace;
    TensorId id = trace_find(trace, tensor);
    assert_true(id != TENSOR_NONE);
    return tensor_at(trace_tensor(trace, id), (int[4]){i, j, k, 0});
}

static void mouse(Session *s, InputKind kind, unsigned mods, float x, float y) {
    session_update(s, &(Input){.kind = kind, .x = x, .y = y, .mods = mods, .button = 1, .clicks = 1}, 0.1);
    session_list(s);
}

static void double_click(Session *s, const char *tensor, int head, int row, int col) {
    float x, y;
    cell_middle(s, tensor, head, row, col, &x, &y);
    click_at(s, x, y, 0, 1);
    click_at(s, x, y, 0, 2);
}

/* Some text holds this. */
static bool says(Session *s, const char *part) {
    const DisplayList *list = session_list(s);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT && strstr(dl_text_at(list, list->commands[i].text.text), part)) return true;
    return false;
}

/* ---- the field ---- */

static void a_number_is_typed_at_its_cell(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "stage embed end");
    assert_near(value(s, "weights", 0, 0, 1), 0.5, 1e-6);
    double_click(s, "x", 0, 1, 0);
    assert_string_equal(view(s)->menu, "edit");
    assert_string_equal(view(s)->query, "1");
    type(s, "2"); /* the old one is selected */
    assert_near(value(s, "scores", 0, 1, 1), 5, 1e-6); /* at once */
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "");
    assert_near(value(s, "scores", 0, 0, 1), 2, 1e-6);
    assert_near(value(s, "weights", 0, 0, 1), 0.669762, 1e-6);
    press(s, MOD_CTRL, "z");
    assert_near(value(s, "scores", 0, 1, 1), 2, 1e-6);
    assert_int_equal(session_doc(s)->n_edits, 0);
    press(s, MOD_CTRL | MOD_SHIFT, "z");
    assert_near(value(s, "scores", 0, 1, 1), 5, 1e-6);
    drive_close(s);
}

static void escape_leaves_it_as_it_was(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "select x[2,1]");
    press(s, 0, "F2");
    type(s, "77");
    assert_near(value(s, "x", 1, 0, 0), 77, 0);
    press(s, 0, "Esc");
    assert_string_equal(view(s)->menu, "");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    assert_int_equal(session_doc(s)->n_edits, 0);
    press(s, MOD_CTRL | MOD_SHIFT, "z"); /* what was left does not come back */
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    press(s, 0, "F2");
    type(s, "3");
    press(s, MOD_CTRL, "z"); /* the same while the field is open */
    assert_string_equal(view(s)->menu, "");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    drive_close(s);
}

static void what_is_no_number_is_said_at_the_field(void **unused) {
    (void)unused;
    static const struct { const char *typed, *says; } wrong[] = {
        {"12,5", "write 12.5"}, {"1 2", "\"1 2\" is not a number"}, {"two", "is not a number"}, {"1e99", "too large"}, {"-inf", "∞ cannot stand here"}, {"", "Type a number"},
    };
    Session *s = open_yaml(TWO);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        must(s, "edit x[2,1]");
        press(s, MOD_CTRL, "a");
        press(s, 0, "Delete");
        type(s, wrong[i].typed);
        tap(s, 0, "Enter");
        assert_string_equal(view(s)->menu, "edit");
        if (!strstr(view(s)->notice, wrong[i].says)) fail_msg("%s: %s", wrong[i].typed, view(s)->notice);
        assert_false(has_control(s, "notice"));
        assert_true(has_control(s, "dialog.field"));
        press(s, 0, "Esc");
        assert_int_equal(session_doc(s)->n_edits, 0);
    }
    must(s, "edit x[2,1]");
    type(s, "−3"); /* the minus of the screen */
    press(s, 0, "Enter");
    assert_near(value(s, "x", 1, 0, 0), -3, 0);
    must(s, "edit x[2,1] nan");
    assert_true(isnan(value(s, "scores", 0, 1, 1)));
    drive_close(s);
}

static void tab_goes_on_to_the_next_cell(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "stage embed end");
    double_click(s, "x", 0, 0, 0);
    type(s, "4");
    press(s, 0, "Tab");
    assert_string_equal(view(s)->menu, "edit");
    assert_string_equal(view(s)->query, "0");
    type(s, "5");
    press(s, 0, "Tab"); /* the next row */
    assert_int_equal(view(s)->selection.index[0], 1);
    assert_int_equal(view(s)->selection.index[1], 0);
    press(s, MOD_SHIFT, "Tab");
    assert_int_equal(view(s)->selection.index[0], 0);
    assert_int_equal(view(s)->selection.index[1], 1);
    press(s, 0, "Esc");
    assert_near(value(s, "x", 0, 0, 0), 4, 0);
    assert_near(value(s, "x", 0, 1, 0), 5, 0);
    press(s, MOD_CTRL, "z"); /* each its own step */
    assert_near(value(s, "x", 0, 0, 0), 4, 0);
    assert_near(value(s, "x", 0, 1, 0), 0, 0);
    drive_close(s);
}

/* The map's scale ends at 1.5 (1 and a quarter, made friendly): an arrow goes by 0.1, with Shift by 0.01. */
static void arrows_nudge_the_number(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "edit x[2,1]");
    press(s, 0, "Up");
    assert_string_equal(view(s)->query, "1.1");
    assert_near(value(s, "x", 1, 0, 0), 1.1, 1e-6);
    press(s, MOD_SHIFT, "Down");
    assert_string_equal(view(s)->query, "1.09");
    press(s, MOD_SHIFT, "Up");
    press(s, 0, "Down");
    press(s, 0, "Enter");
    assert_int_equal(session_doc(s)->n_edits, 0); /* where it began is no change */
    press(s, MOD_CTRL, "z");
    assert_string_equal(view(s)->menu, "");
    drive_close(s);
}

static void the_field_stays_inside_the_window(void **unused) {
    (void)unused;
    static const float sizes[][2] = {{1600, 1000}, {1024, 768}, {800, 600}, {640, 480}, {900, 300}, {500, 240}};
    static const char *const at[] = {"tok[1,1]", "tok[6,16]", "w_q[1,1]", "w_q[4,16]", "w_v[1,16]", "w_o[16,16]", "w_o[1,1]", "w_k[4,1]"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        Session *s = drive_open();
        session_resize(s, sizes[i][0], sizes[i][1]);
        for (size_t k = 0; k < sizeof at / sizeof *at; k++) {
            char line[64];
            snprintf(line, sizeof line, "edit %s", at[k]);
            must(s, line);
            type(s, "x");
            tap(s, 0, "Enter"); /* with the error */
            Rect sheet = control_box(s, "dialog"), field = control_box(s, "dialog.field");
            bool inside = sheet.x >= 0 && sheet.y >= 0 && sheet.x + sheet.w <= sizes[i][0] && sheet.y + sheet.h <= sizes[i][1];
            bool held = field.x >= sheet.x && field.y >= sheet.y && field.x + field.w <= sheet.x + sheet.w && field.y + field.h <= sheet.y + sheet.h;
            if (!inside || !held) fail_msg("%s at %.0f × %.0f: sheet %.0f %.0f %.0f %.0f", at[k], (double)sizes[i][0], (double)sizes[i][1], (double)sheet.x, (double)sheet.y, (double)sheet.w, (double)sheet.h);
            press(s, 0, "Esc");
        }
        must(s, "stage output end");
        must(s, "select out[6,16]");
        must(s, "edit");
        Rect sheet = control_box(s, "menu");
        assert_true(sheet.x >= 0 && sheet.y >= 0 && sheet.x + sheet.w <= sizes[i][0] && sheet.y + sheet.h <= sizes[i][1]);
        drive_close(s);
    }
}

static void a_click_elsewhere_takes_it_and_does_its_own(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    float x, y, far_x, far_y;
    must(s, "stage embed end");
    cell_middle(s, "x", 0, 0, 0, &far_x, &far_y);
    cell_middle(s, "x", 0, 1, 1, &x, &y);
    double_click(s, "x", 0, 1, 1);
    assert_string_equal(view(s)->menu, "edit");
    type(s, "7");
    Rect field = control_box(s, "dialog.field");
    click_at(s, field.x + field.w / 2, field.y + field.h / 2, 0, 1);
    assert_string_equal(view(s)->menu, "edit"); /* in the field: its caret */
    click_at(s, far_x, far_y, 0, 1);
    assert_string_equal(view(s)->menu, "");
    assert_near(value(s, "x", 1, 1, 0), 7, 0);
    assert_int_equal(view(s)->selection.index[0] + view(s)->selection.index[1], 0);
    click_at(s, far_x, far_y, 0, 2);
    assert_string_equal(view(s)->menu, "edit");
    click_at(s, far_x, far_y, 0, 3);
    assert_string_equal(view(s)->menu, "edit");
    click(s, "top.mask");
    assert_string_equal(view(s)->menu, "mask");
    drive_close(s);
}

/* ---- the drag ---- */

static void a_drag_changes_it_in_one_step(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    float x, y;
    must(s, "stage embed end");
    cell_middle(s, "x", 0, 1, 0, &x, &y);
    move_to(s, x, y);
    session_list(s);
    assert_true(says(s, "drag or double click"));
    SessionEffects effects;
    session_take_effects(s, &effects);
    assert_true(effects.drags_number); /* the pointer points up and down */
    must(s, "stage scores end");
    cell_middle(s, "scores", 0, 1, 0, &x, &y);
    move_to(s, x, y);
    session_take_effects(s, &effects);
    assert_false(effects.drags_number); /* computed */
    must(s, "stage embed end");
    cell_middle(s, "x", 0, 1, 0, &x, &y);
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_MOVE, 0, x + 1, y - 2); /* a click so far */
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    for (int i = 1; i <= 5; i++) { /* 100 of 150 units: two thirds of 1.5 up */
        mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 20 * (float)i);
        double b = value(s, "x", 1, 0, 0);
        assert_near(b, 1 + 0.2 * i, 1e-6);
        assert_near(value(s, "scores", 0, 1, 1), b * b + 1, 1e-5); /* the picture follows */
    }
    mouse(s, INPUT_MOUSE_UP, 0, x, y - 100);
    assert_near(value(s, "scores", 0, 1, 1), 5, 1e-5);
    assert_string_equal(view(s)->selection.tensor, "x");
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_UP, 0, x, y);
    assert_near(value(s, "x", 1, 0, 0), 2, 1e-6);
    press(s, MOD_CTRL, "z");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    assert_int_equal(session_doc(s)->n_edits, 0);
    drive_close(s);
}

static void shift_is_finer_and_escape_takes_a_drag_back(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    float x, y;
    must(s, "stage embed end");
    must(s, "edit x[1,2] 0.25");
    cell_middle(s, "x", 0, 1, 0, &x, &y);
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_MOVE, MOD_SHIFT, x, y - 20);
    assert_near(value(s, "x", 1, 0, 0), 1.02, 1e-6);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 220);
    assert_near(value(s, "x", 1, 0, 0), 3.02, 1e-6);
    tap(s, 0, "Esc");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    assert_near(value(s, "x", 0, 1, 0), 0.25, 0);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 300);
    assert_near(value(s, "x", 1, 0, 0), 1, 0); /* it is over */
    mouse(s, INPUT_MOUSE_UP, 0, x, y - 300);
    assert_string_equal(view(s)->selection.tensor, "x"); /* Esc did nothing else */
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 50);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y);
    mouse(s, INPUT_MOUSE_UP, 0, x, y);
    assert_int_equal(session_doc(s)->n_edits, 1); /* back where it began */
    press(s, MOD_CTRL, "z");
    assert_int_equal(session_doc(s)->n_edits, 0); /* the step before it */
    drive_close(s);
}

/* The window loses the focus, or another button goes down, in the middle of a drag: what was dragged stays, as a step. */
static void a_drag_that_is_cut_short_is_a_step(void **unused) {
    (void)unused;
    for (int how = 0; how < 2; how++) {
        Session *s = open_yaml(TWO);
        float x, y;
        must(s, "stage embed end");
        must(s, "edit x[1,2] 0.25");
        cell_middle(s, "x", 0, 1, 0, &x, &y);
        mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
        mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 20);
        if (how == 0) session_update(s, &(Input){.kind = INPUT_FOCUS}, 0);
        else session_update(s, &(Input){.kind = INPUT_MOUSE_DOWN, .x = 5, .y = 5, .button = 3, .clicks = 1}, 0);
        mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 90);
        assert_near(value(s, "x", 1, 0, 0), 1.2, 1e-6);
        mouse(s, INPUT_MOUSE_UP, 0, x, y - 90);
        press(s, MOD_CTRL, "z");
        assert_near(value(s, "x", 1, 0, 0), 1, 0);
        must(s, "edit x[1,1]"); /* nothing is left of it */
        press(s, 0, "Esc");
        assert_near(value(s, "x", 0, 1, 0), 0.25, 0);
        assert_int_equal(session_doc(s)->n_edits, 1);
        drive_close(s);
    }
}

/* On a zoomed map a drag pans, unless the number is selected. */
static void a_zoomed_map_pans_but_for_the_selected_number(void **unused) {
    (void)unused;
    char text[2200] = "attnscope: 1\nprojections: none\nmask: none\nx:\n";
    for (int i = 0; i < 24; i++) strcat(text, "- [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0]\n");
    Session *s = open_yaml(text);
    float x, y;
    must(s, "stage embed end");
    must(s, "zoom 3 12 12");
    double row = view(s)->zoom_row;
    cell_middle(s, "x", 0, 11, 11, &x, &y);
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 80);
    mouse(s, INPUT_MOUSE_UP, 0, x, y - 80);
    assert_true(view(s)->zoom_row > row);
    assert_int_equal(session_doc(s)->n_edits, 0);
    must(s, "zoom 3 12 12");
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y); /* a click selects */
    mouse(s, INPUT_MOUSE_UP, 0, x, y);
    assert_string_equal(view(s)->selection.tensor, "x");
    cell_middle(s, "x", 0, 11, 11, &x, &y);
    mouse(s, INPUT_MOUSE_DOWN, 0, x, y);
    mouse(s, INPUT_MOUSE_MOVE, 0, x, y - 80);
    mouse(s, INPUT_MOUSE_UP, 0, x, y - 80);
    assert_near(view(s)->zoom_row, row, 1e-9);
    assert_int_equal(session_doc(s)->n_edits, 1);
    drive_close(s);
}

/* ---- computed numbers ---- */

static void a_computed_number_offers_its_inputs(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "stage scores end");
    double_click(s, "scores", 0, 0, 1); /* a · b = 1·1 + 0·1: x[a, 1] and x[b, 1] count, then what is 0 or meets a 0 */
    assert_string_equal(view(s)->menu, "edit.inputs");
    assert_true(shows(s, "This number is computed. Change one of its inputs:"));
    assert_true(shows(s, "x[a, 1]"));
    assert_true(shows(s, "x[b, 1]"));
    press(s, 0, "Down");
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "edit");
    assert_int_equal(session_run(s)->trace != NULL && view(s)->stage_kind, STAGE_EMBED);
    type(s, "2"); /* x[a, 1] or x[b, 1]: both make the score 2 */
    press(s, 0, "Enter");
    assert_near(value(s, "scores", 0, 0, 1), 2, 1e-6);
    drive_close(s);
    s = drive_open();
    must(s, "stage softmax end");
    static const char *const numbers[] = {"weights[1,3,2]", "head_out[2,3,1]", "out[3,1]", "q[1,2,1]", "x[2,1]", "row_sum[1,2]", "scaled[1,3,2]", "concat[2,3]"};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char line[64];
        snprintf(line, sizeof line, "edit %s", numbers[i]);
        must(s, line);
        assert_string_equal(view(s)->menu, "edit.inputs");
        assert_true(says(s, "tok["));
        press(s, 0, "Esc");
    }
    Err err = {0};
    assert_false(session_do(s, "edit weights[1,1,2]", &err)); /* the future is hidden */
    assert_non_null(strstr(err.message, "hides this key"));
    err = (Err){0};
    assert_false(session_do(s, "edit mask[1,2]", &err));
    assert_non_null(strstr(err.message, "Mask stage"));
    drive_close(s);
}

/* ---- every kind of given number ---- */

static void given_matrices_can_be_changed(void **unused) {
    (void)unused;
    Session *s = open_yaml("attnscope: 1\ntokens: [\"a\", \"b\"]\nmask: none\nd_k: 1\nscores: [[0, 0], [0, 0]]\nv: [[1], [3]]\n");
    must(s, "stage scores end");
    double_click(s, "scores", 0, 0, 1);
    assert_string_equal(view(s)->menu, "edit");
    type(s, "-inf"); /* hides the key */
    press(s, 0, "Enter");
    assert_near(value(s, "weights", 0, 0, 0), 1, 0);
    assert_near(value(s, "weights", 0, 0, 1), 0, 0);
    must(s, "edit v[1,1,1] 7");
    assert_near(value(s, "head_out", 0, 0, 0), 7, 1e-6);
    drive_close(s);
    s = open_yaml("attnscope: 1\ntokens: [\"a\", \"b\"]\nmask: none\nweights: [[1, 0], [0.5, 0.5]]\nv: [[1], [3]]\n");
    must(s, "edit weights[1,1,2] 1");
    assert_near(value(s, "head_out", 0, 0, 0), 4, 1e-6);
    drive_close(s);
    s = open_yaml("attnscope: 1\ntokens: [\"a\", \"b\"]\nmask: none\nq: [[1], [1]]\nk: [[1], [2]]\nv: [[1], [3]]\n");
    must(s, "edit q[1,1,1] 3");
    assert_near(value(s, "scores", 0, 0, 1), 6, 1e-6);
    drive_close(s);
    s = open_yaml("attnscope: 1\ntext: \"a b\"\nmodel: random\nposition: learned\n");
    must(s, "stage embed end");
    double before = value(s, "x", 1, 0, 0);
    double_click(s, "pe", 0, 1, 0); /* the rows of pos_emb */
    assert_string_equal(view(s)->menu, "edit");
    double was = value(s, "pe", 1, 0, 0);
    type(s, "9");
    press(s, 0, "Enter");
    assert_near(value(s, "x", 1, 0, 0), before + 9 - was, 1e-5);
    assert_int_equal(doc_edit_at(session_doc(s), 0)->matrix, MATRIX_POS_EMB);
    press(s, 0, "Delete");
    assert_near(value(s, "pe", 1, 0, 0), was, 0);
    drive_close(s);
}

static void a_row_belongs_to_its_position(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "text \"cat and cat\"");
    must(s, "stage embed end");
    double_click(s, "tok", 0, 2, 0);
    assert_true(shows(s, "Only the “cat” at position 3 changes."));
    type(s, "5");
    press(s, 0, "Enter");
    assert_near(value(s, "tok", 2, 0, 0), 5, 0);
    assert_near(value(s, "tok", 0, 0, 0), 1, 0);
    drive_close(s);
}

/* ---- giving back ---- */

static void changed_numbers_are_given_back(void **unused) {
    (void)unused;
    Session *s = open_yaml("attnscope: 1\ntokens: [\"a\", \"b\"]\nx: [[1, 0], [1, 1]]\nprojections: none\nmask: none\n"
                           "edit:\n- {at: \"x[2, 1]\", value: 2}\n- {at: \"w_q[1, 1]\", value: 3}\n- {at: \"x[9, 1]\", value: 4}\n");
    must(s, "stage embed end");
    must(s, "select x[2,1]");
    assert_non_null(strstr(dump(s), "label \"Back to 1\""));
    click(s, "inspector.reset");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    assert_false(has_control(s, "inspector.reset"));
    press(s, MOD_CTRL, "z");
    press(s, 0, "Delete");
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    Err err = {0};
    assert_false(session_do(s, "edit.reset", &err));
    press(s, MOD_CTRL, "z");
    must(s, "edits");
    assert_true(shows(s, "Changed numbers (3)"));
    assert_true(shows(s, "x[b, 1]: 1 → 2"));
    assert_true(shows(s, "w_q[1, 1] → 3"));
    assert_true(shows(s, "waits: there is no w_q now"));
    assert_true(shows(s, "lies outside: x has the shape [2, 2] now"));
    press(s, 0, "Esc");
    must(s, "edits");
    for (int i = 0; i < 2; i++) press(s, 0, "Down"); /* behind the one that can be gone to: the first and the second to give back */
    press(s, 0, "Enter");
    assert_string_equal(view(s)->menu, "edits"); /* for the next one */
    assert_true(shows(s, "Changed numbers (2)"));
    assert_int_equal(session_doc(s)->n_edits, 2);
    assert_int_equal(doc_edit_at(session_doc(s), 1)->matrix, MATRIX_X);
    press(s, 0, "Esc");
    must(s, "edits.clear");
    assert_int_equal(session_doc(s)->n_edits, 0);
    assert_near(value(s, "x", 1, 0, 0), 1, 0);
    drive_close(s);
}

/* Round marks in the accent colour: dots are filled, rings are not. */
static int marks(Session *s, bool rings) {
    const DisplayList *list = session_list(s);
    Color accent = theme_at(session_view(s)->theme)->accent;
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        bool round = c->kind == DL_RECT && c->box.w < 12 && c->radius > 0.4f * c->box.w;
        n += round && (rings ? c->stroke == accent && c->fill == COLOR_NONE : c->fill == accent);
    }
    return n;
}

static void changed_numbers_are_marked_where_they_stand(void **unused) {
    (void)unused;
    Session *s = open_yaml(TWO);
    must(s, "stage embed end");
    int dots = marks(s, false);
    must(s, "edit x[2,1] 2");
    must(s, "select.none");
    assert_int_equal(marks(s, false), dots + 1);
    drive_close(s);
    s = open_yaml("attnscope: 1\ntokens: [\"a\", \"b\"]\nmask: none\nscores: [[0, 1], [2, 3]]\nd_k: 1\nv: [[1], [3]]\nedit:\n"
                  "- {at: \"scores[1, 1, 2]\", value: 9}\n- {at: \"v[1, 2, 1]\", value: 8}\n");
    must(s, "stage scores end");
    assert_true(marks(s, false) >= 1);
    must(s, "stage wsum end");
    assert_true(marks(s, false) >= 1);
    drive_close(s);
    s = open_yaml("attnscope: 1\ntext: a b c d\nmodel: random\nd_model: 128\nheads: 2\nedit: [{at: \"w_q[3, 9]\", value: 5}]\n");
    must(s, "stage project end");
    must(s, "step 1"); /* Q's own part of the stage */
    assert_int_equal(marks(s, true), 1); /* cells of 2 units */
    must(s, "edits.clear");
    assert_int_equal(marks(s, true), 0);
    drive_close(s);
}

/* An edit whose matrix is not there now is kept, and counts again when it is. */
static void inactive_edits_wait(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "edit w_q[1,1] 5");
    must(s, "set projections none");
    assert_int_equal(session_doc(s)->n_edits, 1);
    assert_int_equal(session_run(s)->n_edits_inactive, 1);
    assert_non_null(strstr(view(s)->notice, "1 changed number waits"));
    must(s, "save waiting.yaml");
    must(s, "new");
    must(s, "open waiting.yaml");
    remove("waiting.yaml");
    assert_non_null(strstr(view(s)->notice, "1 changed number waits"));
    must(s, "set projections linear");
    assert_string_equal(view(s)->notice, "1 changed number waits: it has no place now. ☰ → Changed numbers says why.");
    assert_near(value(s, "w_q", 0, 0, 0), 5, 0);
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_number_is_typed_at_its_cell),
        cmocka_unit_test(escape_leaves_it_as_it_was),
        cmocka_unit_test(what_is_no_number_is_said_at_the_field),
        cmocka_unit_test(tab_goes_on_to_the_next_cell),
        cmocka_unit_test(arrows_nudge_the_number),
        cmocka_unit_test(the_field_stays_inside_the_window),
        cmocka_unit_test(a_click_elsewhere_takes_it_and_does_its_own),
        cmocka_unit_test(a_drag_changes_it_in_one_step),
        cmocka_unit_test(shift_is_finer_and_escape_takes_a_drag_back),
        cmocka_unit_test(a_drag_that_is_cut_short_is_a_step),
        cmocka_unit_test(a_zoomed_map_pans_but_for_the_selected_number),
        cmocka_unit_test(a_computed_number_offers_its_inputs),
        cmocka_unit_test(given_matrices_can_be_changed),
        cmocka_unit_test(a_row_belongs_to_its_position),
        cmocka_unit_test(changed_numbers_are_given_back),
        cmocka_unit_test(changed_numbers_are_marked_where_they_stand),
        cmocka_unit_test(inactive_edits_wait),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
