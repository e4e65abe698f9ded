/* Hold as A, change something, compare. Right values by hand: equal scores of 4 tokens under a causal mask give row i the
 * weights 1/i; without a mask all are 1/4. */
#include "app/drive.h"

#include <stdio.h>

#include "base/str.h"


static Session *open_equal_scores(void) {
    Session *s = drive_open();
    must(s, "open \"" TEST_DATA "/scenarios/L06.yaml\"");
    must(s, "stage softmax end");
    return s;
}

/* Is this written somewhere, whatever the pieces it is set in? */
static bool reads(Session *s, const char *part) {
    const DisplayList *list = session_list(s);
    Arena arena = {0};
    StrBuf all;
    sb_init(&all, &arena);
    for (int i = 0; i < list->n; i++)
        if (list->commands[i].kind == DL_TEXT) sb_printf(&all, "%s ", dl_text_at(list, list->commands[i].text.text));
    bool found = strstr(all.data, part) != NULL;
    arena_free(&arena);
    return found;
}

static void the_difference_is_b_minus_a(void **unused) {
    (void)unused;
    Session *s = open_equal_scores();
    press(s, 0, "a");
    must(s, "mask none");
    press(s, 0, "c");
    assert_true(reads(s, "A, held"));
    assert_true(reads(s, "B, now"));
    assert_true(reads(s, "B − A, range ±0.8"));
    assert_true(reads(s, "−0.75")); /* row 1: 1 becomes 1/4 */
    assert_true(reads(s, "0.25"));
    assert_true(reads(s, "−0.08")); /* row 3: 1/3 becomes 1/4 */
    assert_true(reads(s, "mask: causal → none"));
    assert_true(reads(s, "1.00 → 0.25")); /* the largest change stands first */
    must(s, "select weights[1,1,1]");
    assert_true(reads(s, "1.000"));
    assert_true(reads(s, "0.250"));
    assert_true(reads(s, "−0.750"));
    press(s, 0, "Esc"); /* the selection, then the comparison */
    assert_true(reads(s, "A, held"));
    press(s, 0, "Esc");
    assert_false(reads(s, "A, held"));
    drive_close(s);
}

/* ---- somebody's own numbers ---- */

#define BUG(name) "check \"" TEST_DATA "/bugs/" name ".safetensors\""

/* A file of softmax over the queries (tests/data/bugs/make.py): 0.3146 stands where 0.5405 is right. */
static void a_check_shows_their_numbers_beside_the_right_ones(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, BUG("softmax_queries"));
    assert_true(reads(s, "A, yours") && reads(s, "B, right"));
    assert_true(reads(s, "weights differs first at [head 1, query 1, key 1]: yours 0.3146, right 0.5405."));
    assert_true(reads(s, "Likely cause: Softmax runs over the queries."));
    assert_string_equal(session_view(s)->selection.tensor, "weights");
    assert_true(reads(s, "0.315") && reads(s, "0.540") && reads(s, "+0.226"));
    must(s, "stage scores end");
    assert_true(reads(s, "A and B do not differ here.")); /* within the tolerance */
    drive_close(s);
}

/* The settings are those that the right numbers are made with, and each change is looked at again. */
static void a_check_follows_the_settings(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, BUG("mask_missing"));
    assert_true(reads(s, "All 9 tensors that could be compared agree."));
    must(s, "mask causal");
    assert_true(reads(s, "masked differs first at [head 1, query 1, key 2]"));
    assert_true(reads(s, "Likely cause: The mask is not applied"));
    must(s, "undo");
    assert_true(reads(s, "All 9 tensors that could be compared agree."));
    must(s, "new"); /* another document: nothing of theirs is left */
    assert_false(reads(s, "A, yours"));
    drive_close(s);
}

/* A tensor that the file does not have is not made up. */
static void a_check_shows_no_numbers_that_the_file_does_not_have(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, BUG("torch_joined")); /* scaled and out alone, beside what they are made from */
    assert_true(reads(s, "scaled differs first"));
    must(s, "stage softmax end");
    assert_true(reads(s, "Your file does not have these numbers."));
    assert_false(reads(s, "A, yours"));
    must(s, "hold"); /* what is there becomes A */
    assert_false(reads(s, "B, right"));
    drive_close(s);
}

static void what_cannot_be_checked_is_refused(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    assert_false(session_do(s, BUG("gelu"), &err));
    err = (Err){0};
    assert_false(session_do(s, "check absent.safetensors", &err));
    assert_non_null(strstr(err.message, "absent"));
    must(s, "open \"" TEST_DATA "/bugs/scale_missing.safetensors\""); /* opening such a file checks it */
    assert_true(reads(s, "Likely cause: The scores are not divided by"));
    drive_close(s);
}

static void what_is_equal_is_said(void **unused) {
    (void)unused;
    Session *s = open_equal_scores();
    must(s, "hold");
    must(s, "compare");
    assert_true(reads(s, "A and B do not differ here."));
    assert_true(reads(s, "Nothing yet: change a setting"));
    drive_close(s);
}

static void texts_of_other_lengths_have_no_difference(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "hold");
    must(s, "text \"The cat sat\"");
    must(s, "stage softmax end");
    must(s, "compare");
    assert_true(reads(s, "A has 6 tokens, B has 3"));
    assert_true(reads(s, "A, held") && reads(s, "B, now"));
    assert_false(reads(s, "B − A"));
    drive_close(s);
}

/* What is held outlives the document, the model and the run. */
static void what_is_held_stays(void **unused) {
    (void)unused;
    Session *s = drive_open();
    must(s, "hold");
    must(s, "example 02-the-cat-sat-down");
    must(s, "new");
    must(s, "model random");
    must(s, "temperature 2");
    must(s, "stage softmax end");
    must(s, "compare");
    for (int stage = 1; stage <= 9; stage++) {
        char line[32];
        snprintf(line, sizeof line, "stage %d end", stage);
        must(s, line);
        assert_true(reads(s, "A, held"));
    }
    assert_true(reads(s, "model: classroom → random"));
    assert_true(reads(s, "temperature: 1 → 2"));
    must(s, "hold.drop");
    assert_false(reads(s, "A, held"));
    drive_close(s);
}

static void without_anything_held_it_says_how(void **unused) {
    (void)unused;
    Session *s = drive_open();
    Err err = {0};
    assert_false(session_do(s, "compare", &err));
    assert_non_null(strstr(err.message, "press A"));
    drive_close(s);
}

static void a_row_of_the_list_selects_its_number(void **unused) {
    (void)unused;
    Session *s = open_equal_scores();
    must(s, "hold");
    must(s, "mask none");
    must(s, "compare");
    click(s, "compare.row.1");
    assert_string_equal(session_view(s)->selection.tensor, "weights");
    assert_int_equal(session_view(s)->selection.index[1], 0);
    assert_int_equal(session_view(s)->selection.index[2], 0);
    drive_close(s);
}

/* Larger ones come later, with either sign; of 2 and −2, and of −3 and 3, the first one. 1 and −2 are left out. */
static void the_largest_changes_stand_first(void **unused) {
    (void)unused;
    static const int edits[][3] = {{1, 1, 1}, {1, 2, -3}, {2, 1, 2}, {2, 3, 3}, {3, 2, -5}, {3, 4, 4}, {4, 1, -2}, {4, 4, 6}};
    static const int first[][2] = {{4, 4}, {3, 2}, {3, 4}, {1, 2}, {2, 3}, {2, 1}};
    Session *s = open_equal_scores();
    char line[64];
    must(s, "stage scores end");
    must(s, "hold");
    for (size_t i = 0; i < sizeof edits / sizeof *edits; i++) {
        snprintf(line, sizeof line, "edit scores[1,%d,%d] %d", edits[i][0], edits[i][1], edits[i][2]);
        must(s, line);
    }
    must(s, "compare");
    must(s, "select scores[1,1,1]");
    for (int i = 0; i < 6; i++) {
        snprintf(line, sizeof line, "compare.row.%d", i + 1);
        click(s, line);
        assert_string_equal(session_view(s)->selection.tensor, "scores");
        assert_int_equal(session_view(s)->selection.index[1], first[i][0] - 1);
        assert_int_equal(session_view(s)->selection.index[2], first[i][1] - 1);
    }
    drive_close(s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_difference_is_b_minus_a), cmocka_unit_test(what_is_equal_is_said),
        cmocka_unit_test(a_check_shows_their_numbers_beside_the_right_ones), cmocka_unit_test(a_check_follows_the_settings),
        cmocka_unit_test(a_check_shows_no_numbers_that_the_file_does_not_have), cmocka_unit_test(what_cannot_be_checked_is_refused),
        cmocka_unit_test(texts_of_other_lengths_have_no_difference), cmocka_unit_test(what_is_held_stays),
        cmocka_unit_test(without_anything_held_it_says_how), cmocka_unit_test(a_row_of_the_list_selects_its_number),
        cmocka_unit_test(the_largest_changes_stand_first),
    };
    return cmocka_run_group_tests_name("compare", tests, NULL, NULL);
}
