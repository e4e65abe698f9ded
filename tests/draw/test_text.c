#include "draw/dl.h"
#include "support/support.h"

/* The made-up font: 6 units a letter at size 10, 10 a wide one. */

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
    dl_init(&dl, *state, 800, 600, 0xffffffff);
    return dl;
}

static const char *shown(const DisplayList *dl, int i) { return dl_text_at(dl, dl->commands[i].text.text); }

static void the_fake_font_measures(void **state) {
    (void)state;
    assert_near((double)font_width(font_fake(), FACE_UI, 10, "abc"), 18, 1e-4);
    assert_near((double)font_width(font_fake(), FACE_MONO, 20, "abc"), 36, 1e-4);
    assert_near((double)font_width(font_fake(), FACE_UI, 10, "\xe7\x8c\xab"), 10, 1e-4);
    assert_near((double)font_width(font_fake(), FACE_UI, 10, "e\xcc\x81"), 6, 1e-4); /* e and a mark on it */
    assert_near((double)font_width(font_fake(), FACE_UI, 10, ""), 0, 0);
}

static void fitting_keeps_whole_clusters(void **state) {
    (void)state;
    const FontMetrics *font = font_fake();
    assert_int_equal(font_fit(font, FACE_UI, 10, "abcdef", 100), 6);
    assert_int_equal(font_fit(font, FACE_UI, 10, "abcdef", 24.5f), 4);
    assert_int_equal(font_fit(font, FACE_UI, 10, "abcdef", 5), 0);
    assert_int_equal(font_fit(font, FACE_UI, 10, "abcdef", 0), 0);
    assert_int_equal(font_fit(font, FACE_UI, 10, "ae\xcc\x81z", 13), 4); /* the mark stays with its letter */
    assert_int_equal(font_fit(font, FACE_UI, 10, "\xe7\x8c\xab\xe7\x8c\xab", 15), 3);
}

static void a_very_long_text_is_cut_without_being_shaped(void **state) {
    (void)state;
    static char text[1 << 20];
    memset(text, 'x', sizeof text - 1);
    assert_int_equal(font_fit(font_fake(), FACE_UI, 10, text, 61), 10);
}

static void labels_are_aligned_and_centred_by_cap_height(void **state) {
    DisplayList dl = list_in(state);
    Rect box = {100, 50, 60, 20};
    assert_near((double)dl_label(&dl, font_fake(), FACE_UI, 10, 1, box, ALIGN_LEFT, "abc"), 18, 1e-4);
    dl_label(&dl, font_fake(), FACE_UI, 10, 1, box, ALIGN_CENTER, "abc");
    dl_label(&dl, font_fake(), FACE_UI, 10, 1, box, ALIGN_RIGHT, "abc");
    assert_near((double)dl.commands[0].box.x, 100, 1e-4);
    assert_near((double)dl.commands[1].box.x, 121, 1e-4);
    assert_near((double)dl.commands[2].box.x, 142, 1e-4);
    assert_near((double)dl.commands[0].box.y, 63.5, 1e-4); /* caps of 7 from 56.5 to 63.5 in 50..70 */
}

static void labels_that_do_not_fit_end_with_dots(void **state) {
    DisplayList dl = list_in(state);
    float width = dl_label(&dl, font_fake(), FACE_UI, 10, 1, (Rect){0, 0, 31, 20}, ALIGN_LEFT, "abc defgh");
    assert_string_equal(shown(&dl, 0), "abc\xe2\x80\xa6"); /* no space before the dots */
    assert_near((double)width, 24, 1e-4);
    assert_near((double)dl_label(&dl, font_fake(), FACE_UI, 10, 1, (Rect){0, 0, 5, 20}, ALIGN_LEFT, "abc"), 0, 0);
    assert_int_equal(dl.n, 1); /* not even the dots fit */
    dl_label(&dl, font_fake(), FACE_UI, 10, 1, (Rect){0, 0, 18, 20}, ALIGN_LEFT, "abc");
    assert_string_equal(shown(&dl, 1), "abc"); /* exactly fits */
}

static float paragraph(DisplayList *dl, float w, float h, const char *text) {
    return dl_paragraph(dl, font_fake(), FACE_UI, 10, 1, (Rect){5, 100, w, h}, 16, text);
}

static void paragraphs_break_at_spaces(void **state) {
    DisplayList dl = list_in(state);
    float used = paragraph(&dl, 59, 0, "one two three four");
    assert_int_equal(dl.n, 3);
    assert_string_equal(shown(&dl, 0), "one two");
    assert_string_equal(shown(&dl, 1), "three");
    assert_string_equal(shown(&dl, 2), "four");
    assert_near((double)used, 48, 1e-4);
    assert_near((double)dl.commands[0].box.y, 100 + 2 + 9.5, 1e-4); /* half the leading, then the ascent */
    assert_near((double)(dl.commands[1].box.y - dl.commands[0].box.y), 16, 1e-4);
    assert_near((double)dl_paragraph_height(font_fake(), FACE_UI, 10, 59, 16, "one two three four"), 48, 1e-4);
    assert_near((double)dl_paragraph_height(font_fake(), FACE_UI, 10, 60, 16, ""), 0, 0);
}

static void paragraphs_break_words_that_are_too_long(void **state) {
    DisplayList dl = list_in(state);
    paragraph(&dl, 26, 0, "abcdefghij k");
    assert_string_equal(shown(&dl, 0), "abcd");
    assert_string_equal(shown(&dl, 1), "efgh");
    assert_string_equal(shown(&dl, 2), "ij k");
    dl = list_in(state);
    paragraph(&dl, 1, 0, "ab"); /* narrower than a letter: still ends */
    assert_int_equal(dl.n, 2);
}

static void line_feeds_end_lines(void **state) {
    DisplayList dl = list_in(state);
    float used = paragraph(&dl, 100, 0, "a\n\nb");
    assert_near((double)used, 48, 1e-4);
    assert_int_equal(dl.n, 2); /* the empty line has no text but its height */
    assert_string_equal(shown(&dl, 1), "b");
}

static void chinese_breaks_between_characters_but_not_before_marks(void **state) {
    DisplayList dl = list_in(state);
    /* six wide characters, then a comma: the third line may not begin with it */
    paragraph(&dl, 30, 0, "\xe6\xb3\xa8\xe6\x84\x8f\xe5\x8a\x9b\xe6\x9c\xba\xe5\x88\xb6\xe6\x8a\x8a\xef\xbc\x8c\xe6\xaf\x8f\xe4\xb8\xaa");
    assert_string_equal(shown(&dl, 0), "\xe6\xb3\xa8\xe6\x84\x8f\xe5\x8a\x9b");
    assert_string_equal(shown(&dl, 1), "\xe6\x9c\xba\xe5\x88\xb6");
    assert_string_equal(shown(&dl, 2), "\xe6\x8a\x8a\xef\xbc\x8c\xe6\xaf\x8f");
    assert_string_equal(shown(&dl, 3), "\xe4\xb8\xaa");
}

static void opening_marks_do_not_end_a_line(void **state) {
    DisplayList dl = list_in(state);
    paragraph(&dl, 30, 0, "\xe6\xb3\xa8\xe6\x84\x8f\xe3\x80\x8c\xe5\x8a\x9b\xe3\x80\x8d"); /* 注意「力」 */
    assert_string_equal(shown(&dl, 0), "\xe6\xb3\xa8\xe6\x84\x8f");
    assert_string_equal(shown(&dl, 1), "\xe3\x80\x8c\xe5\x8a\x9b\xe3\x80\x8d");
}

static void a_full_box_ends_with_dots(void **state) {
    DisplayList dl = list_in(state);
    float used = paragraph(&dl, 60, 33, "one two three four five");
    assert_int_equal(dl.n, 2);
    assert_string_equal(shown(&dl, 1), "three fou\xe2\x80\xa6");
    assert_near((double)used, 32, 1e-4);
    dl = list_in(state);
    paragraph(&dl, 60, 32, "one two three");
    assert_string_equal(shown(&dl, 1), "three"); /* everything fits: no dots */
    dl = list_in(state);
    paragraph(&dl, 60, 16, "one\ntwo");
    assert_string_equal(shown(&dl, 0), "one\xe2\x80\xa6"); /* the second line is not lost silently */
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fake_font_measures),
        cmocka_unit_test(fitting_keeps_whole_clusters),
        cmocka_unit_test(a_very_long_text_is_cut_without_being_shaped),
        cmocka_unit_test_setup_teardown(labels_are_aligned_and_centred_by_cap_height, set_up, tear_down),
        cmocka_unit_test_setup_teardown(labels_that_do_not_fit_end_with_dots, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paragraphs_break_at_spaces, set_up, tear_down),
        cmocka_unit_test_setup_teardown(paragraphs_break_words_that_are_too_long, set_up, tear_down),
        cmocka_unit_test_setup_teardown(line_feeds_end_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(chinese_breaks_between_characters_but_not_before_marks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(opening_marks_do_not_end_a_line, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_full_box_ends_with_dots, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
