/* Where a number comes from, step by step: the trail, its way back, what the pointer says and frames, and what is copied. */
#include "app/drive.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "draw/theme.h"
#include "scene/words.h"

static bool at(Session *s, const char *reference) {
    char text[160];
    const View *view = session_view(s);
    TensorId id = trace_find(session_run(s)->trace, view->selection.tensor);
    return id != TENSOR_NONE && str_eq(run_ref_text(text, session_run(s), id, view->selection.index), reference);
}

static const char *const way[] = {"weights[2, sat, cat]", "exp[2, sat, cat]", "masked[2, sat, cat]", "scaled[2, sat, cat]", "scores[2, sat, cat]"};

/* Enter goes on to what the number comes from, Alt+Left and Esc come back the same way, to the place in the film where it began. */
static void the_way_back_is_the_way_there(void **unused) {
    (void)unused;
    static const struct {
        unsigned mods;
        const char *key;
    } back[] = {{MOD_ALT, "Left"}, {0, "Esc"}};
    for (size_t b = 0; b < 2; b++) {
        Session *s = drive_open();
        must(s, "stage softmax end");
        must(s, "back");
        must(s, "head 2");
        must(s, "select weights[2,sat,cat]");
        Film before = session_view(s)->film;
        for (int i = 0; i < 5; i++) {
            assert_true(at(s, way[i]));
            if (i < 4) press(s, 0, "Enter");
        }
        assert_int_equal(session_view(s)->film.stage, 2); /* Scores made it */
        for (int i = 3; i >= 0; i--) {
            press(s, back[b].mods, back[b].key);
            assert_true(at(s, way[i]));
        }
        assert_true(session_view(s)->film.stage == before.stage && session_view(s)->film.position == before.position);
        assert_int_equal(session_view(s)->head, 1);
        assert_int_equal(session_view(s)->n_trail, 0);
        drive_close(s);
    }
}

/* The whole way down to the word is written, and each element of it is a control. */
static void each_element_is_a_control(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "stage softmax end");
    must(s, "select weights[2,sat,cat]");
    assert_true(shows(s, "weights[2, sat, cat]") && shows(s, "scores") && shows(s, "“sat”"));
    assert_false(has_control(s, "inspector.trail.1")); /* that is where we are */
    click(s, "inspector.trail.5");
    assert_true(at(s, way[4]));
    assert_int_equal(session_view(s)->n_trail, 4);
    click(s, "inspector.trail.2");
    assert_true(at(s, way[1]));
    assert_int_equal(session_view(s)->n_trail, 1);
    click(s, "inspector.trail.6"); /* the score came from q: 4 for a verb that looks for a noun, times 1 */
    assert_true(str_starts(session_view(s)->selection.tensor, "q"));
    press(s, MOD_ALT, "Left");
    assert_true(at(s, way[4]));
    click(s, "inspector.trail.1");
    assert_true(at(s, way[0]));
    assert_false(session_do(s, "trail 33", NULL) || session_do(s, "trail no", NULL) || session_do(s, "trail 0", NULL));
    const View *view = session_view(s);
    ViewRef was = view->selection;
    int before = view->n_trail, stage = view->film.stage;
    assert_false(session_do(s, "trail 20", NULL)); /* it ends before: nothing is gone through */
    assert_int_equal(view->n_trail, before);
    assert_int_equal(view->film.stage, stage);
    assert_string_equal(view->selection.tensor, was.tensor);
    drive_close(s);
}

/* At 1024 x 768 it is shorter, and its ends stay. */
static void a_long_way_keeps_its_ends(void **unused) {
    (void)unused;
    Session *s = drive_open();
    session_resize(s, 1024, 768);
    must(s, "stage softmax end");
    must(s, "select weights[2,sat,cat]");
    for (int i = 0; i < 3; i++) press(s, 0, "Enter");
    assert_true(shows(s, "weights[2, sat, cat]") && shows(s, "“sat”") && shows(s, "scaled"));
    must(s, "text.larger");
    must(s, "text.larger");
    assert_true(shows(s, "weights[2, sat, cat]") && shows(s, "“sat”") && shows(s, "scaled"));
    drive_close(s);
}

/* ---- the pointer ---- */

static const char *said(Session *s, const char *tensor, int head, int row, int col) {
    static Arena arena;
    int index[TENSOR_RANK_MAX] = {0};
    const Trace *trace = session_run(s)->trace;
    TensorId id = trace_find(trace, tensor);
    const Tensor *t = trace_tensor(trace, id);
    if (t->rank == 3) index[0] = head;
    if (t->rank > 1) index[t->rank - 2] = row;
    index[t->rank - 1] = col;
    return words_hover(session_run(s), id, index, &arena);
}

static void the_pointer_says_one_sentence(void **unused) {
    (void)unused;
    Session *s = drive_open();
    assert_string_equal(said(s, "weights", 1, 2, 1), "query sat reads key cat: 0.94"); /* e^3.5 / (e^3.5 + 2) = 0.943 */
    assert_string_equal(said(s, "scores", 1, 2, 1), "query sat matches key cat: 7.000");
    assert_string_equal(said(s, "scaled", 1, 2, 1), "query sat matches key cat, scaled: 3.500");
    assert_string_equal(said(s, "mask", 0, 1, 2), "may query cat read key sat? hide (−∞)");
    assert_string_equal(said(s, "weights", 0, 0, 2), "query The reads key sat: hidden by the mask");
    assert_string_equal(said(s, "masked", 0, 0, 2), "query The matches key sat, after the mask: hidden by the mask");
    assert_string_equal(said(s, "weights", 3, 2, 2), "query sat reads key sat: less than 0.001"); /* e^-12 and less */
    assert_string_equal(said(s, "weights", 2, 1, 0), "query cat reads key The: less than 0.001");
    assert_non_null(strstr(said(s, "q", 0, 2, 1), "the query of “sat” asks ")); /* behind no "query" a word stands in quotes */
    must(s, "stage softmax end");
    float x, y;
    cell_middle(s, "weights", 1, 2, 1, &x, &y);
    move_to(s, x, y);
    assert_true(shows(s, "query sat reads key cat: 0.94"));
    must(s, "select weights[2,3,2]"); /* its operands in the panel say the same as their cells */
    Rect box = control_box(s, "inspector.term.1");
    move_to(s, box.x + box.w / 2, box.y + box.h / 2);
    assert_non_null(strstr(session_view(s)->hover.tensor, "masked"));
    drive_close(s);
}

/* In a narrow window the sentence of a number that can be changed keeps what it is and leaves out what else could be done. */
static void no_sentence_is_cut(void **unused) {
    (void)unused;
    for (int zh = 0; zh < 2; zh++) {
        Session *s = drive_open();
        must(s, "text \"The cat sat\"");
        must(s, zh ? "language zh" : "language en");
        session_resize(s, 1024, 768);
        must(s, "stage embed end");
        float x, y;
        cell_middle(s, "tok", 0, 1, 1, &x, &y);
        move_to(s, x, y);
        assert_non_null(strstr(dump(s), "“cat”")); /* it says what the number is */
        const DisplayList *list = session_list(s);
        for (int i = 0; i < list->n; i++) {
            const DlCommand *c = &list->commands[i];
            const char *text = c->kind == DL_TEXT ? dl_text_at(list, c->text.text) : "";
            if (c->box.y > 660 && strstr(text, "…") && strstr(text, "cat")) fail_msg("cut: %s", text);
        }
        drive_close(s);
    }
}

/* Of every number of every machine something is said, with the number in it and nothing left open. */
static void every_number_has_a_sentence(void **unused) {
    (void)unused;
    static const char *const opens[] = {"text \"The cat sat on the mat\"", "model random", "position rope_half", "position alibi", "source \"the black cat\"",
                                        "model " TEST_DATA "/models/tiny-gpt2", "model " TEST_DATA "/models/tiny-llama3", "model " TEST_DATA "/models/tiny-bert-mlm"};
    for (size_t i = 0; i < sizeof opens / sizeof *opens; i++) {
        Session *s = drive_open();
        Arena arena = {0};
        must(s, opens[i]);
        Err err = {0};
        assert_true(session_need_run(s, &err));
        const Run *run = session_run(s);
        for (int id = 0; id < trace_tensor_count(run->trace); id++) {
            const Tensor *t = trace_tensor(run->trace, id);
            int index[TENSOR_RANK_MAX] = {0};
            if (!trace_resident(run->trace, id) || t->rank < 1) continue;
            const char *text = words_hover(run, id, index, &arena);
            if (strlen(text) < 8 || strstr(text, "(null)") || strchr(text, '%')) fail_msg("%s: '%s'", t->id, text);
            if (strlen(text) > 200) fail_msg("%s is long: '%s'", t->id, text);
        }
        arena_free(&arena);
        drive_close(s);
    }
}

static int frames(Session *s, Color color, bool cells_only) {
    const DisplayList *list = session_list(s);
    int n = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        bool frame = c->kind == DL_RECT && (c->fill & 255u) == 0 && c->width == 1 && (c->stroke >> 8) == (color >> 8);
        n += frame && ((c->stroke & 255u) == 255u) == cells_only;
    }
    return n;
}

/* The row and the column of the number under the pointer have a frame in the map of each head. */
static void rows_and_columns_in_all_heads(void **unused) {
    (void)unused;
    static const char *const looks[] = {"heads.show all", "heads.show one"};
    for (size_t i = 0; i < 2; i++) {
        Session *s = drive_open();
        float x, y;
        must(s, "stage softmax end");
        must(s, looks[i]);
        must(s, "head 2");
        cell_middle(s, "weights", 1, 2, 1, &x, &y);
        Color ink = theme_at(THEME_LIGHT)->ink;
        int bands = frames(s, ink, false), cells = frames(s, ink, true);
        move_to(s, x, y);
        int maps = i == 0 ? 4 : 5; /* four, or one and the four small ones */
        assert_int_equal(frames(s, ink, false) - bands, 2 * maps);
        assert_int_equal(frames(s, ink, true) - cells, maps);
        drive_close(s);
    }
}

/* How many frames of rows there are, and how many of them are around that height. */
static int row_frames(Session *s, float y, int *around) {
    const DisplayList *list = session_list(s);
    int n = *around = 0;
    for (int i = 0; i < list->n; i++) {
        const DlCommand *c = &list->commands[i];
        if (c->kind != DL_RECT || c->fill != COLOR_NONE || c->stroke != theme_at(THEME_LIGHT)->q || c->width < 2) continue;
        n++;
        *around += y > c->box.y && y < c->box.y + c->box.h;
    }
    return n;
}

/* Whatever the weight of "sat" came from: its row stays framed, and the sentence is about it. */
static void the_row_stays_in_sight(void **unused) {
    (void)unused;
    static const char *const looks[] = {"heads.show all", "heads.show one"};
    for (size_t i = 0; i < 2; i++) {
        Session *s = drive_open();
        float x, y;
        must(s, "stage softmax end");
        must(s, looks[i]);
        must(s, "select weights[2,sat,cat]");
        cell_middle(s, "weights", 1, 2, 1, &x, &y);
        int steps = 0;
        for (; session_view(s)->film.stage == STAGE_SOFTMAX; steps++, must(s, "explain")) {
            int around, all = row_frames(s, y, &around);
            assert_int_equal(around, 2); /* heads 1 and 2 stand side by side; or scores and weights of one */
            assert_int_equal(all, i == 0 ? 4 : 2);
            assert_true(shows(s, "Row")); /* not what Softmax does with any row */
        }
        assert_true(steps >= 2);
        drive_close(s);
    }
}

/* ---- copying ---- */

static const char *copied(Session *s, const char *line) {
    must(s, line);
    const char *text = effects_clipboard(s);
    assert_non_null(text);
    return text;
}

/* q = k = v: a 2 x 2 example of equal scores under a causal mask. Row 1: 1, 0; row 2: 1/2, 1/2. */
static Session *open_halves(void) {
    Session *s = drive_open();
    must(s, "text \"a b\"");
    must(s, "set scores [[0,0],[0,0]]");
    must(s, "set d_k 1");
    must(s, "stage softmax end");
    must(s, "select weights[1,2,1]");
    return s;
}

static void a_map_in_each_form(void **unused) {
    (void)unused;
    Session *s = open_halves();
    assert_string_equal(copied(s, "copy map"), "\ta\tb\na\t1\t0\nb\t0.5\t0.5\n");
    assert_string_equal(copied(s, "copy map latex"), "\\begin{bmatrix}\n1.000 & 0.000 \\\\\n0.500 & 0.500\n\\end{bmatrix}\n");
    assert_string_equal(copied(s, "copy map numpy"), "np.array([\n    [1, 0],\n    [0.5, 0.5]\n], dtype=np.float32)\n");
    assert_string_equal(copied(s, "copy map c"), "const float weights[2][2] = {\n    {1.0f, 0.0f},\n    {0.5f, 0.5f}\n};\n");
    assert_string_equal(copied(s, "copy row numpy"), "np.array([0.5, 0.5], dtype=np.float32)\n");
    assert_string_equal(copied(s, "copy row c"), "const float weights[2] = {0.5f, 0.5f};\n");
    assert_string_equal(copied(s, "copy row"), "\ta\tb\nb\t0.5\t0.5\n");
    assert_string_equal(copied(s, "copy column latex"), "\\begin{bmatrix}\n1.000 \\\\\n0.500\n\\end{bmatrix}\n");
    assert_string_equal(copied(s, "copy column c"), "const float weights[2] = {1.0f, 0.5f};\n");
    assert_string_equal(copied(s, "copy number"), "0.5");
    assert_string_equal(copied(s, "copy number c"), "0.5f");
    assert_string_equal(copied(s, "copy sentence"), "query b reads key a: 0.50");
    must(s, "select masked[1,1,2]");
    assert_string_equal(copied(s, "copy number"), "-inf");
    assert_string_equal(copied(s, "copy number numpy"), "-np.inf");
    assert_string_equal(copied(s, "copy number c"), "-INFINITY");
    assert_string_equal(copied(s, "copy row latex"), "\\begin{bmatrix}\n0.000 & -\\infty\n\\end{bmatrix}\n");
    must(s, "precision f64");
    must(s, "select weights[1,2,1]");
    assert_string_equal(copied(s, "copy row c"), "const double weights[2] = {0.5, 0.5};\n");
    assert_string_equal(copied(s, "copy row numpy"), "np.array([0.5, 0.5], dtype=np.float64)\n");
    assert_false(session_do(s, "copy map yaml", NULL) || session_do(s, "copy words c", NULL) || session_do(s, "copy all", NULL));
    drive_close(s);
}

/* What is copied as a table has the digits that give the same numbers again. */
static void copied_numbers_come_back_exactly(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "model random");
    must(s, "stage scores end");
    must(s, "select scores[1,1,1]");
    const Trace *trace = session_run(s)->trace;
    const Tensor *t = trace_tensor(trace, trace_find(trace, "scores"));
    const char *text = strchr(copied(s, "copy map"), '\n') + 1;
    for (int row = 0; row < t->dim[1]; row++, text++) {
        text = strchr(text, '\t');
        for (int col = 0; col < t->dim[2]; col++) {
            char *end;
            float value = strtof(text + 1, &end);
            assert_true(value == (float)tensor_at(t, (int[]){0, row, col, 0}));
            text = end;
        }
    }
    drive_close(s);
}

static void the_button_opens_all_of_them(void **unused) {
    (void)unused;
    Session *s = open_halves();
    click(s, "inspector.copy");
    assert_true(shows(s, "One sentence") && shows(s, "NumPy"));
    press(s, 0, "Esc");
    must(s, "select.none");
    must(s, "menu copy");
    assert_true(shows(s, "The stage’s map as"));
    assert_false(shows(s, "One sentence"));
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_sentence_is_cut),
        cmocka_unit_test(the_way_back_is_the_way_there),
        cmocka_unit_test(each_element_is_a_control),
        cmocka_unit_test(a_long_way_keeps_its_ends),
        cmocka_unit_test(the_pointer_says_one_sentence),
        cmocka_unit_test(every_number_has_a_sentence),
        cmocka_unit_test(rows_and_columns_in_all_heads),
        cmocka_unit_test(the_row_stays_in_sight),
        cmocka_unit_test(a_map_in_each_form),
        cmocka_unit_test(copied_numbers_come_back_exactly),
        cmocka_unit_test(the_button_opens_all_of_them),
    };
    return cmocka_run_group_tests_name("where numbers come from", tests, NULL, NULL);
}
