#include <stdio.h>

#include "base/err.h"
#include "base/str.h"
#include "base/utf8.h"
#include "support/support.h"

static void numbers_look_right(void **state) {
    (void)state;
    static const struct {
        double value;
        int decimals;
        const char *screen, *file;
    } cases[] = {
        {0, 2, "0.00", "0.00"},
        {-0.0, 2, "0.00", "0.00"},
        {-0.004, 2, "0.00", "0.00"}, /* never "-0.00" */
        {-0.006, 2, "\u22120.01", "-0.01"},
        {24, 3, "24.000", "24.000"},
        {-13.7, 1, "\u221213.7", "-13.7"},
        {NAN, 2, "NaN", "nan"},
        {INFINITY, 2, "∞", "inf"},
        {-INFINITY, 2, "\u2212∞", "-inf"},
        {-1e9, 2, "\u22121.00e+09", "-1.00e+09"},
        {12345678, 2, "12345678.00", "12345678.00"},
        {1e300, 0, "1e+300", "1e+300"},
        {0.5, 0, "0", "0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char out[NUM_MAX];
        assert_string_equal(num_fixed(out, cases[i].value, cases[i].decimals, NUM_SCREEN), cases[i].screen);
        assert_string_equal(num_fixed(out, cases[i].value, cases[i].decimals, NUM_FILE), cases[i].file);
    }
}

static void floats_read_back_as_they_were(void **state) {
    (void)state;
    uint64_t seed = 7;
    for (int i = 0; i < 20000; i++) {
        uint32_t bits = (uint32_t)random_next(&seed);
        float value;
        memcpy(&value, &bits, sizeof value);
        if (!isfinite(value)) continue;
        char out[NUM_MAX];
        assert_true(strtof(num_float(out, value, NUM_FILE), NULL) == value);
        double wide = (double)value * 1.1;
        assert_true(strtod(num_double(out, wide, NUM_FILE), NULL) == wide);
    }
    char out[NUM_MAX];
    assert_string_equal(num_float(out, 0.1f, NUM_FILE), "0.1");
    assert_string_equal(num_double(out, 0.1, NUM_FILE), "0.1");
    assert_string_equal(num_double(out, 100, NUM_FILE), "100");
    assert_string_equal(num_float(out, -20, NUM_FILE), "-20");
    assert_string_equal(num_float(out, -2.5f, NUM_SCREEN), "\u22122.5");
}

static void text_to_numbers_takes_all_or_nothing(void **state) {
    (void)state;
    int n = 0;
    double d = 0;
    assert_true(str_to_int("-12", &n));
    assert_int_equal(n, -12);
    assert_false(str_to_int("", &n));
    assert_false(str_to_int("12a", &n));
    assert_false(str_to_int("99999999999", &n));
    assert_true(str_to_double("-inf", &d));
    assert_true(isinf(d) && d < 0);
    assert_true(str_to_double("1e3", &d));
    assert_near(d, 1000, 0);
    assert_false(str_to_double("1 ", &d));
    assert_false(str_to_double(" 1", &d));
    assert_false(str_to_double("0x10", &d));
    assert_false(str_to_double("one", &d));
}

static void distances_count_edits(void **state) {
    (void)state;
    assert_int_equal(str_distance("casual", "causal"), 1);
    assert_int_equal(str_distance("maks", "mask"), 1);
    assert_int_equal(str_distance("ca", "abc"), 3);
    assert_int_equal(str_distance("abc", ""), 3);
    assert_int_equal(str_distance("weights", "weigths"), 1);
    assert_int_equal(str_distance("", "abc"), 3);
    assert_int_equal(str_distance("kitten", "sitting"), 3);
}

/* FNV-1a 64: test vectors of draft-eastlake-fnv; splitmix64 seed 1234567: first outputs of the reference code. */
static void slips_are_few(void **state) {
    (void)state;
    static const struct { const char *word; int slips; } cases[] = {{"", 0}, {"ab", 0}, {"abc", 1}, {"abcd", 1}, {"modle", 2}, {"causel", 2}, {"weigths", 3}, {"a much longer one", 3}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) assert_int_equal(str_slips(cases[i].word), cases[i].slips);
}

static void hashes_are_the_published_ones(void **state) {
    (void)state;
    assert_true(hash_fnv1a("", 0) == 0xcbf29ce484222325u);
    assert_true(hash_fnv1a("a", 1) == 0xaf63dc4c8601ec8cu);
    assert_true(hash_fnv1a("foobar", 6) == 0x85944171f73967e8u);
    uint64_t seed = 1234567;
    assert_true(random_next(&seed) == 6457827717110365317u);
    assert_true(random_next(&seed) == 3203168211198807973u);
}

static void growing_text(void **state) {
    (void)state;
    Arena arena = {0};
    StrBuf sb;
    sb_init(&sb, &arena);
    for (int i = 0; i < 1000; i++) sb_printf(&sb, "%d,", i);
    assert_int_equal(sb.length, 3890);
    assert_int_equal(strlen(sb.data), 3890);
    arena_free(&arena);
}

static void utf8_finds_the_first_bad_byte(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t good;
    } cases[] = {
        {"plain", 5},          {"猫", 3},           {"\xff", 0},           {"a\xc0\xaf", 1} /* overlong */,
        {"\xed\xa0\x80", 0} /* surrogate */,        {"\xf4\x90\x80\x80", 0} /* beyond U+10FFFF */,
        {"ab\xe7\x8c", 2} /* cut off */,            {"\xf0\x9f\x98\x80", 4},   {"\x80", 0},
        {"\xe0\x80\x80", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(utf8_valid_until(cases[i].text, strlen(cases[i].text)), cases[i].good);
    Err err = {0};
    assert_false(utf8_check("ab\xff", 3, &err));
    assert_non_null(strstr(err.message, "byte 3 (0xFF)"));
    Arena arena = {0};
    assert_string_equal(utf8_clean(&arena, "a\xff猫", 5), "a\uFFFD猫");
    assert_string_equal(utf8_lower(&arena, "ÄbC猫"), "äbc猫");
    arena_free(&arena);
}

static void graphemes_stay_whole(void **state) {
    (void)state;
    /* e + combining acute; family emoji joined by ZWJ; flag of two regional indicators */
    const char *text = "e\u0301👨\u200d👩\u200d👧🇨🇳x";
    size_t n = strlen(text), pos = 0;
    static const size_t stops[] = {3, 21, 29, 30};
    for (size_t i = 0; i < 4; i++) {
        pos = utf8_grapheme_next(text, n, pos);
        assert_int_equal(pos, stops[i]);
    }
    for (size_t i = 4; i-- > 0;) {
        pos = utf8_grapheme_previous(text, n, pos);
        assert_int_equal(pos, i > 0 ? stops[i - 1] : 0);
    }
}

/* A family, a flag, letters with marks, Hangul in pieces: what one sees as one. */
static const char *const clusters[] = {
    "a", " ", "\xe7\x8c\xab", "e\xcc\x81", "x\xcc\x82\xcc\xa3", "\xf0\x9f\x87\xa9\xf0\x9f\x87\xaa", "\xf0\x9f\x91\xa9\xf0\x9f\x8f\xbd\xe2\x80\x8d\xf0\x9f\x9a\x80",
    "\xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x91\xa7", "\xe2\x9d\xa4\xef\xb8\x8f", "\xe1\x84\x92\xe1\x85\xa1\xe1\x86\xab", "1\xef\xb8\x8f\xe2\x83\xa3", ",",
};
enum { CLUSTERS = sizeof clusters / sizeof clusters[0], LINE = 24 };

/* A line of clusters drawn by a seed; ends[i]: where the i-th ends. Two flags in a row would be the same letters in other pairs. */
static size_t random_line(unsigned seed, char *text, size_t *ends) {
    size_t n = 0, before = CLUSTERS;
    for (int i = 0; i < LINE; i++) {
        seed = seed * 1664525u + 1013904223u;
        size_t which = (seed >> 16) % CLUSTERS;
        if (which == before) which = 0;
        before = which;
        memcpy(text + n, clusters[which], strlen(clusters[which]));
        n += strlen(clusters[which]);
        ends[i] = n;
    }
    text[n] = '\0';
    return n;
}

static bool is_end(const size_t *ends, size_t pos) {
    for (int i = 0; i < LINE; i++)
        if (ends[i] == pos) return true;
    return pos == 0;
}

/* Whatever stands in a line: steps, words and cuts end where clusters do, and steps there and back agree. */
static void nothing_ends_inside_a_cluster(void **state) {
    (void)state;
    char text[LINE * 40], cut[LINE * 40];
    size_t ends[LINE];
    for (unsigned seed = 1; seed <= 500; seed++) {
        size_t n = random_line(seed, text, ends), pos = 0;
        for (int i = 0; i < LINE; i++) {
            assert_int_equal(utf8_grapheme_next(text, n, pos), ends[i]);
            assert_int_equal(utf8_grapheme_previous(text, n, ends[i]), pos);
            pos = ends[i];
        }
        for (pos = 0; pos < n; pos = utf8_word_next(text, n, pos)) assert_true(is_end(ends, pos));
        for (pos = n; pos > 0; pos = utf8_word_previous(text, n, pos)) assert_true(is_end(ends, pos));
        for (size_t most = 0; most <= n; most += 3) {
            size_t fits = utf8_fit(text, n, most);
            assert_true(fits <= most);
            if (fits >= ends[0]) assert_true(is_end(ends, fits));
            snprintf(cut, most + 1, "%s", text);
            utf8_cut(cut, most + 1);
            assert_true(strlen(cut) <= most);
            assert_int_equal(utf8_valid_until(cut, strlen(cut)), strlen(cut));
            if (strlen(cut) > ends[0]) assert_true(is_end(ends, strlen(cut)));
        }
    }
}

static void words_for_the_caret(void **state) {
    (void)state;
    const char *text = "The cat, 猫坐";
    size_t n = strlen(text);
    static const size_t stops[] = {4, 7, 9, 12, 15};
    size_t pos = 0;
    for (size_t i = 0; i < 5; i++) {
        pos = utf8_word_next(text, n, pos);
        assert_int_equal(pos, stops[i]);
    }
    assert_int_equal(utf8_word_previous(text, n, 9), 7);
    assert_int_equal(utf8_word_previous(text, n, 6), 4);
    assert_int_equal(utf8_word_previous(text, n, 0), 0);
}

/* A word never ends inside a cluster: here a joiner, which is no letter, hangs on one. */
static void words_end_where_clusters_do(void **state) {
    (void)state;
    const char *text = "a\u200d b\u0301.\u0301 c";
    size_t n = strlen(text), pos = 0;
    static const size_t stops[] = {5, 8, 12, 13};
    for (size_t i = 0; i < 4; i++) {
        pos = utf8_word_next(text, n, pos);
        assert_int_equal(pos, stops[i]);
    }
}

/* Going back costs the same at the end of a long line as at its start: a million steps, in a moment. */
static void going_back_does_not_start_from_the_front(void **state) {
    (void)state;
    enum { N = 1 << 20 };
    Arena arena = {0};
    char *text = arena_alloc(&arena, N + 1, 1);
    memset(text, 'a', N);
    for (size_t pos = N; pos > 0; pos--) assert_int_equal(utf8_grapheme_previous(text, N, pos), pos - 1);
    arena_free(&arena);
}

static void errors_are_one_line_of_utf8(void **state) {
    (void)state;
    static const struct { const char *said, *kept; } cases[] = {
        {"a\xE7\x8Cz", "az"}, {"a\xFFz", "a?z"}, {"a\nb\x1B[31m", "a b [31m"}, {"\xF0\x9F\x91", ""}, {"\xC3\xA4\xC3", "\xC3\xA4"}, {"\x80\xED\xA0\x80", "????"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        Err err = {0};
        err_set(&err, ERR_INPUT, "%s", cases[i].said);
        err_place(&err, cases[i].said, 0, 0);
        err_key(&err, cases[i].said);
        assert_string_equal(err.message, cases[i].kept);
        assert_string_equal(err.file, cases[i].kept);
        assert_string_equal(err.key, cases[i].kept);
    }
    Err cut = {0};
    char text[1000];
    for (int i = 0; i < 999; i++) text[i] = "\xE7\x8C\xAB"[i % 3];
    text[999] = '\0';
    err_set(&cut, ERR_INPUT, ".%s", text);
    assert_int_equal(strlen(cut.message) % 3, 1);
    assert_true(strlen(cut.message) > 630);
}

static void errors_keep_the_first_and_its_place(void **state) {
    (void)state;
    Err err = {0};
    char out[256];
    assert_false(err_set(&err, ERR_INPUT, "found %d", 3));
    assert_false(err_set(&err, ERR_IO, "later"));
    err_place(&err, "a.yaml", 4, 7);
    err_place(&err, "b.yaml", 1, 1);
    assert_string_equal(err_format(&err, out, sizeof out), "a.yaml:4:7: found 3");
    Err line = {0};
    err_set(&line, ERR_INPUT, "no feature");
    err_place(&line, "words.tsv", 3, 0);
    assert_string_equal(err_format(&line, out, sizeof out), "words.tsv:3: no feature");
    Err named = {0};
    err_set(&named, ERR_IO, "cannot read a.yaml: no such file");
    err_place(&named, "a.yaml", 0, 0);
    assert_string_equal(err_format(&named, out, sizeof out), "cannot read a.yaml: no such file");
    assert_false(err_set(NULL, ERR_IO, "no place to put it"));
}

static void the_nearest_word_is_what_was_meant(void **state) {
    (void)state;
    StrNearest near = str_nearest("weigths");
    str_offer(&near, "scores");
    assert_null(near.word);
    str_offer(&near, "weight");
    assert_string_equal(near.word, "weight");
    str_offer(&near, "weights");
    str_offer(&near, "weigthss"); /* no nearer than what is there */
    assert_string_equal(near.word, "weights");
    near = str_nearest("");
    str_offer(&near, "a");
    assert_null(near.word);
}

static void a_list_takes_what_fits(void **state) {
    (void)state;
    char list[12] = "";
    str_list_add(list, sizeof list, "one");
    str_list_add(list, sizeof list, "another");
    str_list_add(list, sizeof list, "two");
    assert_string_equal(list, "one, two");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_look_right),
        cmocka_unit_test(floats_read_back_as_they_were),
        cmocka_unit_test(text_to_numbers_takes_all_or_nothing),
        cmocka_unit_test(distances_count_edits),
        cmocka_unit_test(slips_are_few),
        cmocka_unit_test(hashes_are_the_published_ones),
        cmocka_unit_test(growing_text),
        cmocka_unit_test(utf8_finds_the_first_bad_byte),
        cmocka_unit_test(graphemes_stay_whole),
        cmocka_unit_test(nothing_ends_inside_a_cluster),
        cmocka_unit_test(words_for_the_caret),
        cmocka_unit_test(words_end_where_clusters_do),
        cmocka_unit_test(going_back_does_not_start_from_the_front),
        cmocka_unit_test(errors_are_one_line_of_utf8),
        cmocka_unit_test(errors_keep_the_first_and_its_place),
        cmocka_unit_test(the_nearest_word_is_what_was_meant),
        cmocka_unit_test(a_list_takes_what_fits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
