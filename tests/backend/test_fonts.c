#include <stdio.h>

#include <hb.h>

#include "backend/font_ft.h"
#include "backend/font_shape.h"
#include "backend/glyphs.h"
#include "base/file.h"
#include "support/support.h"

static int set_up(void **state) {
    Err err = {0};
    *state = fonts_open(&err);
    if (*state == NULL) fail_msg("%s", err.message);
    return 0;
}

static int tear_down(void **state) {
    fonts_close(*state);
    return 0;
}

static double ems(void **state, FontFace face, const char *text) {
    return (double)font_width(fonts_metrics(*state), face, 1, text);
}

/* The same text through HarfBuzz alone, with the kerning it does by default. */
static double shaped_width(const FontFile *file, const char *text) {
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_add_utf8(buffer, text, -1, 0, -1);
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(file->font, buffer, NULL, 0);
    unsigned n;
    const hb_glyph_position_t *at = hb_buffer_get_glyph_positions(buffer, &n);
    long sum = 0;
    for (unsigned i = 0; i < n; i++) sum += at[i].x_advance;
    hb_buffer_destroy(buffer);
    return (double)sum / (double)file->upem;
}

static void widths_are_those_of_harfbuzz(void **state) {
    static const char *const texts[] = {"The cat sat on the mat", "AVATAR To We", "Every query meets every key.", "0.943", "\xe2\x88\x92""1.00"};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int face = 0; face < FACE_COUNT; face++)
            assert_near(24 * ems(state, (FontFace)face, texts[i]), 24 * shaped_width(fonts_file(*state, face), texts[i]), 0.01);
}

static void pairs_are_kerned_and_numbers_are_not(void **state) {
    assert_true(ems(state, FACE_UI, "AV") < ems(state, FACE_UI, "A") + ems(state, FACE_UI, "V") - 0.01);
    assert_near(ems(state, FACE_MONO, "0.00"), ems(state, FACE_MONO, "1.11"), 1e-6);
    assert_near(ems(state, FACE_MONO, "\xe2\x88\x92""8"), 2 * ems(state, FACE_MONO, "8"), 1e-6); /* the minus is as wide as a digit */
}

static void what_was_typed_is_what_is_shown(void **state) {
    Arena arena = {0};
    ShapedGlyph *glyphs;
    int count;
    fonts_shape(*state, FACE_MONO, "->", 2, &arena, &glyphs, &count); /* no arrow ligature */
    assert_int_equal(count, 2);
    assert_int_equal(glyphs[1].glyph, FT_Get_Char_Index(fonts_file(*state, FACE_MONO)->face, '>'));
    fonts_shape(*state, FACE_UI, "16x4", 4, &arena, &glyphs, &count); /* no multiplication sign */
    assert_int_equal(glyphs[2].glyph, FT_Get_Char_Index(fonts_file(*state, FACE_UI)->face, 'x'));
    arena_free(&arena);
}

static void chinese_comes_from_the_wide_face(void **state) {
    Arena arena = {0};
    ShapedGlyph *glyphs;
    int count;
    const char *text = "a\xe7\x8c\xab""b";
    fonts_shape(*state, FACE_UI, text, strlen(text), &arena, &glyphs, &count);
    assert_int_equal(count, 3);
    assert_int_equal(glyphs[0].file, FACE_UI);
    assert_int_equal(glyphs[1].file, FILE_WIDE);
    assert_int_equal(glyphs[2].file, FACE_UI);
    assert_int_equal(glyphs[1].cluster, 1);
    assert_int_equal(glyphs[2].cluster, 4);
    assert_true(glyphs[1].glyph != 0);
    assert_near((double)glyphs[2].x, ems(state, FACE_UI, "a\xe7\x8c\xab"), 1e-5);
    arena_free(&arena);
}

static void marks_sit_on_their_letters(void **state) {
    assert_near(ems(state, FACE_UI, "e\xcc\x81"), ems(state, FACE_UI, "\xc3\xa9"), 0.01);
    assert_near(ems(state, FACE_UI, "x\xcc\x81\xcc\x82"), ems(state, FACE_UI, "x"), 0.01);
}

static void any_bytes_can_be_measured(void **state) {
    assert_near(ems(state, FACE_UI, ""), 0, 0);
    assert_true(ems(state, FACE_UI, "\xff\xfe\x80") > 0);
    assert_true(ems(state, FACE_UI, "ok\xe7\x8c") > ems(state, FACE_UI, "ok")); /* cut in the middle of a character */
    assert_true(ems(state, FACE_UI, "\xf0\x9f\x98\x80") > 0);                   /* four bytes: U+1F600 */
    assert_true(ems(state, FACE_UI, "\xf4\x8f\xbf\xbd") > 0);                   /* nobody has U+10FFFD: a box */
    assert_true(ems(state, FACE_UI, "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d") > 0);   /* right to left */
}

static void a_huge_text_is_measured(void **state) {
    const size_t length = 1 << 20;
    char *text = malloc(length + 1);
    memset(text, 'm', length);
    text[length] = '\0';
    double one = ems(state, FACE_UI, "m");
    assert_near(ems(state, FACE_UI, text) / (one * (double)length), 1, 0.001);
    free(text);
}

static void a_second_question_gets_the_same_answer(void **state) {
    double first = ems(state, FACE_UI, "twice");
    char text[16];
    for (int i = 0; i < 20000; i++) { /* more than the cache holds */
        snprintf(text, sizeof text, "%d", i);
        ems(state, FACE_UI, text);
    }
    assert_near(ems(state, FACE_UI, "twice"), first, 0);
}

static void heights_are_sensible(void **state) {
    const FontMetrics *m = fonts_metrics(*state);
    for (int face = 0; face < FACE_COUNT; face++) {
        assert_near((double)m->cap_height(m->ctx, (FontFace)face, 100), 73, 1);
        assert_true(m->ascent(m->ctx, (FontFace)face, 100) > 80);
        assert_true(m->descent(m->ctx, (FontFace)face, 100) > 10);
    }
}

static void a_missing_font_is_named(void **state) {
    (void)state;
    Err err = {0};
    const char *folder = scratch_folder("no_fonts");
    assert_null(fonts_open_folder(folder, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.message, "Inter-Regular.otf"));
    assert_non_null(strstr(err.message, folder));
}

static void a_broken_font_is_named(void **state) {
    (void)state;
    Err err = {0};
    char path[1200];
    const char *folder = scratch_folder("bad_fonts");
    snprintf(path, sizeof path, "%s/Inter-Regular.otf", folder);
    assert_true(file_write(path, "not a font", 10, &err));
    assert_null(fonts_open_folder(folder, &err));
    assert_int_equal(err.code, ERR_INPUT);
    assert_non_null(strstr(err.message, "Inter-Regular.otf"));
}

static void ink_stays_within_the_advance(void **state) {
    static const char *const texts[] = {"The cat sat on the mat", "minimum", "HEH", "0.943"};
    Arena arena = {0};
    Glyphs *glyphs = glyphs_open(*state);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (float size = 12; size < 40; size += 3.5f) {
            Coverage ink = glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = size, .angle = 0}, texts[i], 0, &arena);
            double advance = (double)size * ems(state, FACE_UI, texts[i]);
            assert_true(ink.x >= -1 && ink.x <= 0.12f * size + 1);
            assert_near((double)(ink.x + ink.w), advance, 0.12 * (double)size + 1); /* side bearings */
            assert_true(ink.y < 0 && ink.y > -(int)size);
        }
    glyphs_close(glyphs);
    arena_free(&arena);
}

static void a_quarter_turn_is_exact(void **state) {
    Arena arena = {0};
    Glyphs *glyphs = glyphs_open(*state);
    Coverage flat = glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = 15, .angle = 0}, "query", 0, &arena), up = glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = 15, .angle = 90}, "query", 0, &arena);
    assert_int_equal(up.w, flat.h);
    assert_int_equal(up.h, flat.w);
    assert_int_equal(up.x, flat.y);
    assert_int_equal(up.y + up.h, -flat.x);
    for (int y = 0; y < flat.h; y++)
        for (int x = 0; x < flat.w; x++) assert_int_equal(up.a[(flat.w - 1 - x) * up.w + y], flat.a[y * flat.w + x]);
    Coverage slanted = glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = 15, .angle = 45}, "query", 0, &arena);
    assert_true(slanted.w > flat.w / 2 && slanted.h > flat.w / 2 && slanted.y + slanted.h > -2 && slanted.y + slanted.h < 8);
    glyphs_close(glyphs);
    arena_free(&arena);
}

static void glyph_pictures_stay_bounded(void **state) {
    Glyphs *glyphs = glyphs_open(*state);
    for (int size = 8; size < 400; size++) {
        Arena arena = {0};
        glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = (float)size, .angle = 0}, "ABCDEFGHIJKLMNOPQRSTUVWXYZ", 0, &arena);
        arena_free(&arena);
        assert_true(glyphs_memory(glyphs) < 20u << 20);
    }
    Arena arena = {0};
    assert_true(glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = 1e9f, .angle = 0}, "A", 0, &arena).w > 0); /* sizes are held to what can be drawn */
    assert_int_equal(glyphs_text(glyphs, &(TextLook){.face = FACE_UI, .size = 15, .angle = 0}, "   ", 0, &arena).w, 0);
    arena_free(&arena);
    glyphs_close(glyphs);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_those_of_harfbuzz),
        cmocka_unit_test(pairs_are_kerned_and_numbers_are_not),
        cmocka_unit_test(what_was_typed_is_what_is_shown),
        cmocka_unit_test(chinese_comes_from_the_wide_face),
        cmocka_unit_test(marks_sit_on_their_letters),
        cmocka_unit_test(any_bytes_can_be_measured),
        cmocka_unit_test(a_huge_text_is_measured),
        cmocka_unit_test(a_second_question_gets_the_same_answer),
        cmocka_unit_test(heights_are_sensible),
        cmocka_unit_test(a_missing_font_is_named),
        cmocka_unit_test(a_broken_font_is_named),
        cmocka_unit_test(ink_stays_within_the_advance),
        cmocka_unit_test(a_quarter_turn_is_exact),
        cmocka_unit_test(glyph_pictures_stay_bounded),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
