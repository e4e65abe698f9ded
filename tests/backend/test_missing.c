/* No text turns into boxes: a page of scripts and signs is drawn from the fonts that the machine has, and what it has none for
 * is written by its code points. */
#include <math.h>
#include <stdio.h>

#include <fontconfig/fontconfig.h>
#include <hb.h>

#include "backend/font_shape.h"
#include "backend/fonts.h"
#include "backend/text_ink.h"
#include "base/utf8.h"
#include "support/support.h"

static const char *const page[] = {
    "我爱猫，它坐在垫子上。繁體字：貓臺灣", "吾輩は猫である。ネコ、ｶﾅ々〆", "고양이", "éàçüñøåßþæœ ŁĞİşžčř ﬁ Ǣ", "Ελληνικά: ψυχή ἀρχή Ω", "Кошка, їжак, Ђорђе",
    "∈ ∀ ∑ √ ∞ ≤ → ← ⏎ ⇥ ⟨x⟩ ℝ ⊤ ½ ² ₖ ᵀ − × ·", "“quotes” ‘’ — – … « » ¿ ¡ € £ ¥ № § ¶ † ‡ •", "☺ ☀ ♥ ✓ ★ ☃ ♫",
    "😀 😺 🙂 🎉 🐈 👍", "👨‍👩‍👧 👩🏽‍🚀 🏳️‍🌈 ❤️ ☺︎ 1️⃣", "🇩🇪 🇨🇳 🏴󠁧󠁢󠁳󠁣󠁴󠁿",
    /* marks put on letters: one, several, on letters that have no ready form */
    "e\u0301 a\u0308 n\u0303 c\u0327", "q\u0303 x\u0302 m\u0331 k\u0323\u0302", "а\u0301 ё\u0301 Ω\u0301", "猫\u0301 か\u3099 は\u309a", "g\u034f\u0306 a\u200db",
    "三月 四月 −1.00 2.00", /* D42, matplotlib#15062 */
};
enum { PAGE = sizeof page / sizeof page[0] };

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

/* Does any font of the machine have it? Asked anew, by a list of all that have it. */
static bool machine_has(uint32_t code_point) {
    FcCharSet *set = FcCharSetCreate();
    FcPattern *pattern = FcPatternCreate();
    FcObjectSet *objects = FcObjectSetBuild(FC_FILE, (char *)NULL);
    FcCharSetAddChar(set, code_point);
    FcPatternAddCharSet(pattern, FC_CHARSET, set);
    FcFontSet *found = FcFontList(NULL, pattern, objects);
    bool any = found != NULL && found->nfont > 0;
    if (found != NULL) FcFontSetDestroy(found);
    FcObjectSetDestroy(objects);
    FcPatternDestroy(pattern);
    FcCharSetDestroy(set);
    return any;
}

/* Glyphs of a piece that its font does not have. */
static int boxes_in(Fonts *fonts, const char *text, const TextPiece *piece) {
    hb_buffer_t *buffer = hb_buffer_create();
    hb_buffer_add_utf8(buffer, text, -1, (unsigned)piece->from, (int)(piece->to - piece->from));
    hb_buffer_guess_segment_properties(buffer);
    hb_shape(fonts_file(fonts, piece->file)->font, buffer, NULL, 0);
    unsigned count = 0;
    int boxes = 0;
    const hb_glyph_info_t *info = hb_buffer_get_glyph_infos(buffer, &count);
    for (unsigned i = 0; i < count; i++) boxes += info[i].codepoint == 0;
    hb_buffer_destroy(buffer);
    return boxes;
}

typedef struct { int boxes, lacking, wrongly_named; } Missing;

/* What is named although the machine has a font for all of it is wrong, and so is every box. */
static Missing count_missing(Fonts *fonts, FontFace face, const char *text, Arena *arena) {
    TextPiece *pieces;
    Missing missing = {0};
    int count = fonts_pieces(fonts, face, text, -INFINITY, INFINITY, arena, &pieces);
    for (int i = 0; i < count; i++) {
        if (pieces[i].file != FILE_NAMED) {
            missing.boxes += boxes_in(fonts, text, &pieces[i]);
            continue;
        }
        bool lacks = false;
        for (size_t pos = pieces[i].from; pos < pieces[i].to;) {
            uint32_t c = utf8_next(text, pieces[i].to, &pos);
            if (machine_has(c)) continue;
            lacks = true;
            missing.lacking++;
            if (face == FACE_UI) print_message("this machine has no font for U+%04X\n", (unsigned)c);
        }
        missing.wrongly_named += !lacks;
    }
    return missing;
}

static void a_page_of_scripts_has_no_boxes(void **state) {
    Arena arena = {0};
    for (int i = 0; i < PAGE; i++)
        for (int face = 0; face < FACE_COUNT; face++) {
            Missing missing = count_missing(*state, (FontFace)face, page[i], &arena);
            if (missing.boxes > 0 || missing.wrongly_named > 0)
                fail_msg("\"%s\" in face %d: %d boxes, %d named that a font has", page[i], face, missing.boxes, missing.wrongly_named);
        }
    arena_free(&arena);
}

/* The program's own fonts have these, whatever else is installed. */
static void the_own_fonts_have_chinese_japanese_latin_greek_and_cyrillic(void **state) {
    Arena arena = {0};
    for (int i = 0; i < 6; i++) assert_int_equal(count_missing(*state, FACE_UI, page[i], &arena).lacking, 0);
    arena_free(&arena);
}

/* A place in the Unicode table that no font can have: U+0378 is unassigned. */
static void what_no_font_has_is_named(void **state) {
    Arena arena = {0};
    TextPiece *pieces;
    TextName name = fonts_name(*state, "\u0378", 0, 2);
    assert_string_equal(name.text, "U+0378");
    assert_int_equal(fonts_pieces(*state, FACE_UI, "a\u0378b", -INFINITY, INFINITY, &arena, &pieces), 3);
    assert_int_equal(pieces[1].file, FILE_NAMED);
    const FontMetrics *font = fonts_metrics(*state);
    assert_near((double)pieces[2].x, (double)(font_width(font, FACE_UI, 1, "a") + name.width), 1e-4);
    assert_near((double)font_width(font, FACE_UI, 10, "a\u0378b"), (double)(10 * (font_width(font, FACE_UI, 1, "a") + name.width + font_width(font, FACE_UI, 1, "b"))), 0.05);
    Coverage one = text_ink(*state, &(TextLook){.face = FACE_UI, .size = 20}, "\u0378", 0, &arena);
    Coverage two = text_ink(*state, &(TextLook){.face = FACE_UI, .size = 20}, "\u0379", 0, &arena);
    assert_true(one.w > 40 && one.h > 12 && one.w == two.w && one.h == two.h);
    assert_true(memcmp(one.a, two.a, (size_t)(one.w * one.h)) != 0); /* they can be told apart */
    assert_true(fabsf((float)one.w - 20 * name.width) < 5);
    arena_free(&arena);
}

/* A mark that no font has: its letter is drawn, and the mark named behind it. */
static void a_letter_is_drawn_without_its_unknown_mark(void **state) {
    const uint32_t mark = 0x1E4EC; /* of Nag Mundari */
    char marked[32], put[5] = {0};
    if (machine_has(mark)) skip();
    put[utf8_put(put, mark)] = '\0';
    snprintf(marked, sizeof marked, "xa%s\u0301y", put);
    Arena arena = {0};
    TextPiece *pieces;
    if (utf8_grapheme_next(marked, strlen(marked), 1) == 2) skip(); /* this utf8proc does not know it yet */
    assert_int_equal(fonts_pieces(*state, FACE_UI, marked, -INFINITY, INFINITY, &arena, &pieces), 3);
    assert_int_equal(pieces[0].to, 2);
    assert_int_equal(pieces[1].file, FILE_NAMED);
    assert_int_equal(pieces[1].from, 2);
    assert_int_equal(pieces[1].to, strlen(marked) - 1);
    arena_free(&arena);
}

static void marks_stay_with_their_letter(void **state) {
    static const char *const texts[] = {"e\u0301", "q\u0303", "k\u0323\u0302", "Ω\u0301", "か\u3099"};
    Arena arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        TextPiece *pieces;
        int count = fonts_pieces(*state, FACE_UI, texts[i], -INFINITY, INFINITY, &arena, &pieces), file = pieces[0].file;
        for (int k = 0; k < count; k++) assert_int_equal(pieces[k].file, file);
        double wide = (double)font_width(fonts_metrics(*state), FACE_UI, 1, texts[i]);
        size_t letter = 0;
        utf8_next(texts[i], strlen(texts[i]), &letter);
        double bare = (double)fonts_metrics(*state)->width(fonts_metrics(*state)->ctx, FACE_UI, 1, texts[i], letter);
        assert_near(wide, bare, 0.03); /* no room of their own */
    }
    arena_free(&arena);
}

static void signs_come_from_a_face_before_the_chinese_one(void **state) {
    assert_int_equal(fonts_file_with(*state, FACE_MONO, 0x1F600), fonts_file_with(*state, FACE_UI, 0x1F600));
    int file = fonts_file_with(*state, FACE_UI, 0x2208); /* ∈: not in Inter */
    assert_true(file == FACE_MONO || file == FACE_UI);
    assert_int_equal(fonts_file_with(*state, FACE_UI_BOLD, 0x2208), file == FACE_UI ? FACE_UI_BOLD : FACE_MONO_BOLD);
    assert_int_equal(fonts_file_with(*state, FACE_UI, 0x732b), FILE_WIDE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_page_of_scripts_has_no_boxes),
        cmocka_unit_test(the_own_fonts_have_chinese_japanese_latin_greek_and_cyrillic),
        cmocka_unit_test(what_no_font_has_is_named),
        cmocka_unit_test(a_letter_is_drawn_without_its_unknown_mark),
        cmocka_unit_test(marks_stay_with_their_letter),
        cmocka_unit_test(signs_come_from_a_face_before_the_chinese_one),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
