#include "draw/geom.h"
#include "draw/ramp.h"
#include "support/support.h"

static void assert_rect(Rect r, float x, float y, float w, float h) {
    assert_near((double)r.x, (double)x, 1e-5);
    assert_near((double)r.y, (double)y, 1e-5);
    assert_near((double)r.w, (double)w, 1e-5);
    assert_near((double)r.h, (double)h, 1e-5);
}

static void cuts_take_from_each_side(void **state) {
    (void)state;
    Rect r = {10, 20, 100, 50};
    assert_rect(rect_cut_left(&r, 30), 10, 20, 30, 50);
    assert_rect(rect_cut_right(&r, 20), 90, 20, 20, 50);
    assert_rect(rect_cut_top(&r, 10), 40, 20, 50, 10);
    assert_rect(rect_cut_bottom(&r, 5), 40, 65, 50, 5);
    assert_rect(r, 40, 30, 50, 35);
}

static void cuts_take_no_more_than_there_is(void **state) {
    (void)state;
    Rect r = {0, 0, 10, 10};
    assert_rect(rect_cut_left(&r, 25), 0, 0, 10, 10);
    assert_rect(r, 10, 0, 0, 10);
    assert_rect(rect_cut_right(&r, 1), 10, 0, 0, 10);
    assert_rect(rect_cut_top(&r, -4), 10, 0, 0, 0);
}

static void insets_stop_at_nothing(void **state) {
    (void)state;
    assert_rect(rect_inset((Rect){0, 0, 10, 4}, 3), 3, 3, 4, 0);
    assert_rect(rect_inset((Rect){5, 5, 10, 10}, -2), 3, 3, 14, 14);
}

static void a_rect_has_its_first_edge_but_not_its_last(void **state) {
    (void)state;
    Rect r = {1, 2, 3, 4};
    assert_true(rect_has(r, 1, 2));
    assert_false(rect_has(r, 4, 3));
    assert_false(rect_has(r, 2, 6));
    assert_false(rect_has((Rect){1, 1, 0, 0}, 1, 1));
}

static void meeting_rects(void **state) {
    (void)state;
    assert_rect(rect_meet((Rect){0, 0, 10, 10}, (Rect){4, -5, 20, 8}), 4, 0, 6, 3);
    Rect apart = rect_meet((Rect){0, 0, 1, 1}, (Rect){5, 5, 1, 1});
    assert_true(apart.w == 0 && apart.h == 0);
}

static void luminance_and_contrast_are_those_of_wcag(void **state) {
    (void)state;
    assert_near(color_contrast(0x000000ff, 0xffffffff), 21, 1e-9);
    assert_near(color_contrast(0x777777ff, 0xffffffff), 4.478, 0.001); /* the well-known pair that just fails */
    assert_near(color_luminance(0xff0000ff), 0.2126, 1e-9);
    assert_near(color_luminance(0x808080ff), 0.2158605, 1e-6);
}

static void mixing_and_alpha(void **state) {
    (void)state;
    assert_int_equal(color_mix(0x000000ff, 0xff8000ff, 0), 0x000000ff);
    assert_int_equal(color_mix(0x000000ff, 0xff8000ff, 1), 0xff8000ff);
    assert_int_equal(color_mix(0x00000000, 0x646464c8, 0.5), 0x32323264);
    assert_int_equal(color_mix(0x000000ff, 0xffffffff, 7), 0xffffffff);
    assert_int_equal(color_mix(0x102030ff, 0xffffffff, NAN), 0x102030ff);
    assert_int_equal(color_alpha(0x112233ff, 0.5), 0x11223380);
    assert_int_equal(color_alpha(0x112233ff, -1), 0x11223300);
    assert_int_equal(color_alpha(0x112233ff, 9), 0x112233ff);
}

static void ink_reads_on_every_colour(void **state) {
    (void)state;
    for (unsigned r = 0; r < 256; r += 5)
        for (unsigned g = 0; g < 256; g += 5)
            for (unsigned b = 0; b < 256; b += 5) {
                Color cell = r << 24 | g << 16 | b << 8 | 255u;
                Color ink = color_ink_on(cell);
                assert_true(ink == 0x000000ffu || ink == 0xffffffffu);
                assert_true(color_contrast(cell, ink) >= 4.58);
            }
}

static void named_ramps_have_their_known_ends_and_middles(void **state) {
    (void)state;
    assert_int_equal(ramp_color(RAMP_VIRIDIS, 0), 0x440154ff);
    assert_int_equal(ramp_color(RAMP_VIRIDIS, 1), 0xfde725ff);
    assert_int_equal(ramp_color(RAMP_VIRIDIS, 128 / 255.0), 0x21918cff); /* matplotlib's viridis(128) */
    assert_int_equal(ramp_color(RAMP_CIVIDIS, 0), 0x00224eff);
    assert_int_equal(ramp_color(RAMP_CIVIDIS, 1), 0xfee838ff);
    assert_int_equal(ramp_color(RAMP_YLORRD, 0.5), 0xfd8d3cff);
    assert_int_equal(ramp_color(RAMP_YLORRD, -3), 0xffffccff);
    assert_int_equal(ramp_color(RAMP_YLORRD, NAN), 0xffffccff);
    assert_int_equal(ramp_color(RAMP_YLORRD, INFINITY), 0x800026ff);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cuts_take_from_each_side),
        cmocka_unit_test(cuts_take_no_more_than_there_is),
        cmocka_unit_test(insets_stop_at_nothing),
        cmocka_unit_test(a_rect_has_its_first_edge_but_not_its_last),
        cmocka_unit_test(meeting_rects),
        cmocka_unit_test(luminance_and_contrast_are_those_of_wcag),
        cmocka_unit_test(mixing_and_alpha),
        cmocka_unit_test(ink_reads_on_every_colour),
        cmocka_unit_test(named_ramps_have_their_known_ends_and_middles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
