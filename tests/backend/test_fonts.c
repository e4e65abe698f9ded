#include <math.h>
#include <stdio.h>

#include <hb.h>

#include "backend/font_shape.h"
#include "backend/fonts.h"
#include "backend/text_ink.h"
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

static Coverage ink(void **state, FontFace face, float size, float angle, const char *text, Arena *arena) {
    return text_ink(*state, &(TextLook){.face = face, .size = size, .angle = angle}, text, 0, arena);
}

/* Ink of each row, 0 at the baseline, added to sums[]. */
enum { ROWS = 100, BASE = 60 };

static void add_rows(double *sums, const Coverage *sheet, double sign) {
    for (int i = 0; i < sheet->w * sheet->h; i++) sums[BASE + sheet->y + i / sheet->w] += sign * sheet->a[i] / 255.0;
}

/* Does a text look like its bytes drawn one by one? How much of each row's ink differs, in pixels. */
static double differs_from_single(void **state, FontFace face, const char *text, Arena *arena) {
    double sums[ROWS] = {0}, differs = 0;
    Coverage whole = ink(state, face, 30, 0, text, arena);
    add_rows(sums, &whole, 1);
    for (size_t i = 0; i < strlen(text); i++) {
        Coverage one = ink(state, face, 30, 0, arena_strndup(arena, text + i, 1), arena);
        add_rows(sums, &one, -1);
    }
    for (int row = 0; row < ROWS; row++) differs += fabs(sums[row]);
    return differs;
}

static void what_was_typed_is_what_is_shown(void **state) {
    /* What fonts make arrows, signs and other heights of: in Inter and in JetBrains Mono. */
    static const char *const texts[] = {"->", "<-->", "=>", "16x4", "3 x 4", "(A)", "A-B", "A:B", "12:30", "a != b", "--------->", "fi ffl", "www", "/* */", "0xFF", "x_1 := 2",
                                        /* here a cut brings out another ligature */ "1<=||1", "(=>x", "|=<<(&:", "->-f--", ">>--@"};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (int face = 0; face < FACE_COUNT; face++) {
            double differs = differs_from_single(state, (FontFace)face, texts[i], &arena);
            if (differs > 1.5) fail_msg("\"%s\" in face %d differs by %.2f pixels", texts[i], face, differs);
            arena_reset(&arena);
        }
    arena_free(&arena);
}

static void pieces_cover_the_text_once(void **state) {
    static const char *const texts[] = {"The cat", "a->b", "16x4 -> 8x2", "a\xe7\x8c\xab""b", "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d x", "e\xcc\x81(A)"};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TextPiece *pieces;
        char seen[32] = {0};
        int count = fonts_pieces(*state, FACE_MONO, texts[i], -INFINITY, INFINITY, &arena, &pieces);
        for (int k = 0; k < count; k++)
            for (size_t at = pieces[k].from; at < pieces[k].to; at++) seen[at]++;
        for (size_t at = 0; at < strlen(texts[i]); at++) assert_int_equal(seen[at], 1);
        assert_int_equal(seen[strlen(texts[i])], 0);
        if (i == 0) assert_int_equal(count, 1);
    }
    arena_free(&arena);
}

static void chinese_comes_from_the_wide_face(void **state) {
    Arena arena = {0};
    TextPiece *pieces;
    int count = fonts_pieces(*state, FACE_UI, "a\xe7\x8c\xab""b", -INFINITY, INFINITY, &arena, &pieces);
    assert_int_equal(count, 3);
    assert_int_equal(pieces[0].file, FACE_UI);
    assert_int_equal(pieces[1].file, FILE_WIDE);
    assert_int_equal(pieces[2].file, FACE_UI);
    assert_int_equal(pieces[1].from, 1);
    assert_int_equal(pieces[2].from, 4);
    assert_near((double)pieces[2].x, ems(state, FACE_UI, "a\xe7\x8c\xab"), 1e-5);
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

static void ink_lies_where_it_was_measured(void **state) {
    static const char *const texts[] = {"The cat sat on the mat", "minimum", "HEH", "0.943", "jot", "16x4->H"};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        for (float size = 12; size < 40; size += 3.5f) {
            Coverage sheet = ink(state, FACE_UI, size, 0, texts[i], &arena);
            double advance = (double)size * ems(state, FACE_UI, texts[i]);
            assert_true((float)sheet.x >= -0.08f * size - 1 && (float)sheet.x <= 0.12f * size + 1);
            assert_near((double)(sheet.x + sheet.w), advance, 0.12 * (double)size + 1); /* side bearings */
            assert_true(sheet.y < 0 && sheet.y > -(int)size);
            arena_reset(&arena);
        }
    arena_free(&arena);
}

/* Place of the ink's middle along the line, in pixels. */
static double middle(const Coverage *sheet) {
    double sum = 0, at = 0;
    for (int i = 0; i < sheet->w * sheet->h; i++) sum += sheet->a[i], at += sheet->a[i] * (sheet->x + i % sheet->w + 0.5);
    return at / sum;
}

static void every_size_and_start_is_exact(void **state) {
    Arena arena = {0};
    for (int face = 0; face < FACE_COUNT; face++)
        for (float size = 10; size < 30; size += 1.3f) { /* letters lie at quarters of a pixel */
            Coverage row = ink(state, (FontFace)face, size, 0, "nnnnnnnn", &arena), large = ink(state, (FontFace)face, 120, 0, "nnnnnnnn", &arena);
            assert_near(middle(&row), middle(&large) * (double)size / 120, 0.1);
            Coverage start = ink(state, (FontFace)face, size, 0, "n", &arena);
            for (int quarter = 1; quarter < 4; quarter++) {
                TextLook look = {.face = (FontFace)face, .size = size, .shift = (float)quarter / 4};
                Coverage moved = text_ink(*state, &look, "n", 0, &arena);
                assert_near(middle(&moved) - middle(&start), quarter / 4.0, 0.1);
            }
            arena_reset(&arena);
        }
    arena_free(&arena);
}

static void baselines_are_level(void **state) {
    static const char *const texts[] = {"H", "\xe1\xba\xbe""H", "jH", "|H", "H\xe7\x8c\xab", "16x4->H", "\xc3\x85H"}; /* U+1EBE is higher than the line */
    Arena arena = {0};
    for (float size = 10; size < 60; size += 2.7f)
        for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
            Coverage sheet = ink(state, FACE_UI, size, 0, texts[i], &arena);
            int left = i == 4 ? 0 : sheet.w - (int)(0.65f * size), right = i == 4 ? (int)(0.7f * size) : sheet.w, last = -1; /* of the H */
            for (int y = 0; y < sheet.h; y++)
                for (int x = left; x < right; x++)
                    if (sheet.a[y * sheet.w + x] > 100) last = y;
            if (sheet.y + last + 1 != 0) fail_msg("the baseline of text %zu at %.1f pixels is at %d", i, (double)size, sheet.y + last + 1);
        }
    arena_free(&arena);
}

static void a_quarter_turn_is_exact(void **state) {
    Arena arena = {0};
    Coverage flat = ink(state, FACE_UI, 15, 0, "query", &arena), up = ink(state, FACE_UI, 15, 90, "query", &arena);
    assert_int_equal(up.w, flat.h);
    assert_int_equal(up.h, flat.w);
    assert_int_equal(up.x, flat.y);
    assert_int_equal(up.y + up.h, -flat.x);
    for (int y = 0; y < flat.h; y++)
        for (int x = 0; x < flat.w; x++) assert_int_equal(up.a[(flat.w - 1 - x) * up.w + y], flat.a[y * flat.w + x]);
    arena_free(&arena);
}

static double ink_sum(const Coverage *sheet) {
    double sum = 0;
    for (int i = 0; i < sheet->w * sheet->h; i++) sum += sheet->a[i] / 255.0;
    return sum;
}

static void a_slanted_text_keeps_its_ink(void **state) {
    Arena arena = {0};
    for (float size = 10; size < 40; size += 4.5f) {
        Coverage flat = ink(state, FACE_UI, size, 0, "query", &arena), slanted = ink(state, FACE_UI, size, 45, "query", &arena);
        assert_near(ink_sum(&slanted) / ink_sum(&flat), 1, 0.06);
        assert_true(slanted.w > flat.w / 2 && slanted.h > flat.w / 2);
        assert_near(slanted.y + slanted.h, (double)size * 0.21 * 0.71, 3); /* the descender of q, turned */
        double dark = 0; /* crisp: some pixels are full, as they are in the level text */
        for (int i = 0; i < slanted.w * slanted.h; i++) dark = slanted.a[i] > dark ? slanted.a[i] : dark;
        assert_true(dark > 200);
    }
    arena_free(&arena);
}

static void a_turned_dot_lies_on_its_line(void **state) {
    (void)state;
    Arena arena = {0};
    Coverage sheet = coverage_for(&arena, 30, -3, 33, 0); /* 10 pixels along, in a sheet that is 3 times finer */
    memset(sheet.a, 255, 9);
    for (int angle = 0; angle < 360; angle += 15) {
        double turn = angle * 3.14159265358979 / 180, x = 0, y = 0;
        Coverage out = coverage_turned(&sheet, (float)angle, 3, &arena);
        for (int i = 0; i < out.w * out.h; i++) {
            x += out.a[i] / 255.0 * (out.x + i % out.w + 0.5);
            y += out.a[i] / 255.0 * (out.y + i / out.w + 0.5);
        }
        assert_near(ink_sum(&out), 1, 0.05);
        assert_near(x, 10.5 * cos(turn) - 0.5 * sin(turn), 0.5);
        assert_near(y, -10.5 * sin(turn) - 0.5 * cos(turn), 0.5);
    }
    arena_free(&arena);
}

static void many_sizes_do_not_change_a_text(void **state) {
    Arena arena = {0};
    Coverage first = ink(state, FACE_UI, 15, 0, "The cat sat on the mat", &arena);
    for (int size = 8; size < 8 + 3 * FONT_SETTINGS; size++) {
        Arena other = {0};
        assert_true(ink(state, (FontFace)(size % FACE_COUNT), (float)size, 0, "ABC", &other).w > size);
        arena_free(&other);
    }
    Coverage again = ink(state, FACE_UI, 15, 0, "The cat sat on the mat", &arena);
    assert_int_equal(again.w, first.w);
    assert_int_equal(again.h, first.h);
    assert_memory_equal(again.a, first.a, (size_t)(first.w * first.h));
    arena_free(&arena);
}

static void odd_sizes_and_texts_have_limits(void **state) {
    Arena arena = {0};
    assert_true(ink(state, FACE_UI, 1e9f, 0, "A", &arena).w > 0); /* sizes are held to what can be drawn */
    assert_true(ink(state, FACE_UI, 1e-9f, 45, "A", &arena).w > 0);
    assert_int_equal(ink(state, FACE_UI, 15, 0, "   ", &arena).w, 0);
    assert_int_equal(ink(state, FACE_UI, 15, 0, "", &arena).w, 0);
    assert_int_equal(ink(state, FACE_UI, 15, 45, " ", &arena).w, 0);
    assert_int_equal(ink(state, FACE_UI, 15, 90, " ", &arena).w, 0);
    assert_true(ink(state, FACE_UI, 15, 0, "\xff\xe7\x8c \x01 \xf0\x9f\x98\x80", &arena).w > 0);
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_are_those_of_harfbuzz),
        cmocka_unit_test(pairs_are_kerned_and_numbers_are_not),
        cmocka_unit_test(what_was_typed_is_what_is_shown),
        cmocka_unit_test(pieces_cover_the_text_once),
        cmocka_unit_test(chinese_comes_from_the_wide_face),
        cmocka_unit_test(marks_sit_on_their_letters),
        cmocka_unit_test(any_bytes_can_be_measured),
        cmocka_unit_test(a_huge_text_is_measured),
        cmocka_unit_test(a_second_question_gets_the_same_answer),
        cmocka_unit_test(heights_are_sensible),
        cmocka_unit_test(a_missing_font_is_named),
        cmocka_unit_test(a_broken_font_is_named),
        cmocka_unit_test(ink_lies_where_it_was_measured),
        cmocka_unit_test(every_size_and_start_is_exact),
        cmocka_unit_test(baselines_are_level),
        cmocka_unit_test(a_quarter_turn_is_exact),
        cmocka_unit_test(a_slanted_text_keeps_its_ink),
        cmocka_unit_test(a_turned_dot_lies_on_its_line),
        cmocka_unit_test(many_sizes_do_not_change_a_text),
        cmocka_unit_test(odd_sizes_and_texts_have_limits),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
