#include "draw/theme.h"
#include "base/str.h"
#include "support/support.h"

/* Every pair below must pass; a failure names the pair. */
static void check_contrast(const Theme *t, const char *what, Color text, Color ground, double least) {
    double contrast = color_contrast(text, ground);
    if (contrast < least) fail_msg("%s theme: %s has contrast %.2f, needs %.1f", t->name, what, contrast, least);
}

static void check_text(const Theme *t, const char *what, Color text) {
    check_contrast(t, what, text, t->background, 4.5);
    check_contrast(t, what, text, t->panel, 4.5);
    check_contrast(t, what, text, t->empty_cell, 4.5);
}

static void text_colours_read_on_every_ground(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        check_text(t, "ink", t->ink);
        check_text(t, "muted", t->muted);
        check_text(t, "accent", t->accent);
        check_text(t, "q", t->q);
        check_text(t, "k", t->k);
        check_text(t, "v", t->v);
        check_text(t, "out", t->out);
        check_text(t, "error", t->error);
        for (int head = 0; head < 4; head++) check_text(t, "head", t->head[head]);
    }
}

static void controls_read(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        check_contrast(t, "text on the accent", t->on_accent, t->accent, 4.5);
        check_contrast(t, "ink on a button", t->ink, t->button, 4.5);
        check_contrast(t, "ink on a hovered button", t->ink, t->button_hover, 4.5);
        check_contrast(t, "muted on a button", t->muted, t->button, 4.5);
        check_contrast(t, "accent stroke", t->accent, t->panel, 3);
        check_contrast(t, "muted stroke", t->muted, t->background, 3);
    }
}

static void the_colours_are_those_of_the_design(void **state) {
    (void)state;
    const Theme *light = theme_at(THEME_LIGHT), *dark = theme_at(THEME_DARK);
    assert_int_equal(light->background, 0xfbfaf7ff);
    assert_int_equal(light->empty_cell, 0xf1efe9ff);
    assert_int_equal(light->accent, 0x5b4bd6ff);
    assert_int_equal(light->k, 0xbf2f49ff);
    assert_int_equal(light->on_accent, 0xffffffff);
    assert_int_equal(dark->background, 0x12151bff);
    assert_int_equal(dark->highlight, 0xffd166ff);
    assert_int_equal(dark->head[2], 0x5cc7d0ff);
    assert_int_equal(dark->on_accent, dark->background);
    assert_true(dark->dark && !light->dark);
}

static void themes_know_their_names(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) assert_string_equal(theme_at((ThemeKind)i)->name, theme_names[i]);
}

/* More weight is darker on light themes and lighter on the dark one, at every step and also on a grey copy. */
static void weights_run_one_way(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        double sign = t->dark ? 1 : -1, before = color_luminance(theme_weight_color(t, RAMP_THEME, 0));
        for (int k = 1; k <= 200; k++) {
            double now = color_luminance(theme_weight_color(t, RAMP_THEME, k / 200.0));
            if (sign * (now - before) < -1e-9) fail_msg("%s theme: weight %.3f turns back", t->name, k / 200.0);
            before = now;
        }
    }
}

static int distance(Color a, Color b) {
    int sum = 0;
    for (int shift = 8; shift < 32; shift += 8) sum += abs((int)(a >> shift & 255u) - (int)(b >> shift & 255u));
    return sum;
}

static void zero_is_not_the_empty_cell(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        assert_true(distance(theme_weight_color(t, RAMP_THEME, 0), t->empty_cell) >= 15);
        assert_true(distance(theme_signed_color(t, 0, 1), t->empty_cell) >= 15);
    }
}

static void signed_numbers_are_blue_neutral_red(void **state) {
    (void)state;
    for (int i = 0; i < THEME_COUNT; i++) {
        const Theme *t = theme_at((ThemeKind)i);
        Color below = theme_signed_color(t, -3, 3), zero = theme_signed_color(t, 0, 3), above = theme_signed_color(t, 3, 3);
        assert_true((below >> 8 & 255u) > (below >> 24)); /* blue over red */
        assert_true((above >> 24) > (above >> 8 & 255u));
        assert_true(distance(zero, (zero & 0xff000000u) | zero >> 8 | 255u) < 40); /* hardly any hue */
        assert_int_equal(theme_signed_color(t, 0, 0), zero);
        assert_int_equal(theme_signed_color(t, 99, 3), above);
        assert_int_equal(theme_signed_color(t, -INFINITY, 3), below);
        assert_true(color_luminance(theme_signed_color(t, -1.5, 3)) != color_luminance(below));
    }
}

static void a_palette_overrides_the_theme(void **state) {
    (void)state;
    assert_int_equal(theme_weight_color(theme_at(THEME_DARK), RAMP_VIRIDIS, 0), ramp_color(RAMP_VIRIDIS, 0));
    assert_int_not_equal(theme_weight_color(theme_at(THEME_DARK), RAMP_THEME, 0), ramp_color(RAMP_VIRIDIS, 0));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(text_colours_read_on_every_ground),
        cmocka_unit_test(controls_read),
        cmocka_unit_test(the_colours_are_those_of_the_design),
        cmocka_unit_test(themes_know_their_names),
        cmocka_unit_test(weights_run_one_way),
        cmocka_unit_test(zero_is_not_the_empty_cell),
        cmocka_unit_test(signed_numbers_are_blue_neutral_red),
        cmocka_unit_test(a_palette_overrides_the_theme),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
