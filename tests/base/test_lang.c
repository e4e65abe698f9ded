/* The language of the process: which one the environment asks for, switching, numbers that stay those of C, and a catalogue that is
 * read where no locale is installed. */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/lang.h"
#include "base/phrase.h"
#include "base/str.h"
#include "base/tr.h"
#include "support/support.h"

static const char *const variables[] = {"LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"};
enum { VARIABLES = sizeof variables / sizeof *variables };

static void clear_environment(void) {
    for (int i = 0; i < VARIABLES; i++) unsetenv(variables[i]);
}

static void the_first_variable_decides(void **unused) {
    (void)unused;
    static const struct {
        const char *value[VARIABLES];
        LanguageKind language;
    } rows[] = {
        {{NULL, NULL, NULL, NULL}, LANGUAGE_ENGLISH},
        {{NULL, NULL, NULL, "zh_CN.UTF-8"}, LANGUAGE_CHINESE},
        {{NULL, NULL, NULL, "de_DE.UTF-8"}, LANGUAGE_ENGLISH},
        {{NULL, NULL, "zh_CN.UTF-8", "en_GB.UTF-8"}, LANGUAGE_CHINESE},
        {{NULL, "C", "zh_CN.UTF-8", "zh_CN.UTF-8"}, LANGUAGE_ENGLISH},
        {{"zh_CN:en", "C", NULL, NULL}, LANGUAGE_CHINESE},
        {{"en", "zh_CN.UTF-8", NULL, "zh_CN.UTF-8"}, LANGUAGE_ENGLISH},
        {{"", "", "", "zh_CN.UTF-8"}, LANGUAGE_CHINESE}, /* empty is not set */
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        clear_environment();
        for (int i = 0; i < VARIABLES; i++)
            if (rows[r].value[i]) setenv(variables[i], rows[r].value[i], 1);
        if (lang_environment() != rows[r].language) fail_msg("row %zu", r);
    }
    clear_environment();
}

static void chinese_needs_no_locale(void **unused) {
    (void)unused;
    clear_environment();
    setenv("LC_ALL", "C", 1);
    lang_begin();
    assert_string_equal(tr("Softmax"), "Softmax");
    assert_string_equal(tr("Weighted sum"), "Weighted sum");
    lang_set(LANGUAGE_CHINESE);
    assert_string_equal(tr("Weighted sum"), "加权和");
    lang_set(LANGUAGE_ENGLISH);
    assert_string_equal(tr("Weighted sum"), "Weighted sum");
    clear_environment();
}

static void an_empty_text_stays_empty(void **unused) {
    (void)unused;
    lang_set(LANGUAGE_CHINESE);
    assert_string_equal(tr(""), ""); /* gettext("") is the header of the catalogue */
    lang_set(LANGUAGE_ENGLISH);
}

static void counting_has_its_forms(void **unused) {
    (void)unused;
    char text[64];
    lang_set(LANGUAGE_ENGLISH);
    for (int n = 0; n < 3; n++) {
        snprintf(text, sizeof text, tr_count("%d more number goes into it.", "%d more numbers go into it.", n), n);
        assert_string_equal(text, n == 0 ? "0 more numbers go into it." : n == 1 ? "1 more number goes into it." : "2 more numbers go into it.");
    }
    lang_set(LANGUAGE_CHINESE);
    const char *one = tr_count("%d more number goes into it.", "%d more numbers go into it.", 1);
    assert_string_equal(one, tr_count("%d more number goes into it.", "%d more numbers go into it.", 2));
    assert_null(strstr(one, "number"));
    lang_set(LANGUAGE_ENGLISH);
}

/* In a locale that writes 0,5: where this machine can make one. */
static void numbers_stay_those_of_c(void **unused) {
    (void)unused;
    char text[64], number[NUM_MAX], folder[] = TEST_BUILD "/scratch/locales";
    mkdir(TEST_BUILD "/scratch", 0755);
    mkdir(folder, 0755);
    bool made = system("localedef -i de_DE -f UTF-8 " TEST_BUILD "/scratch/locales/de_DE.UTF-8 >/dev/null 2>&1") == 0;
    clear_environment();
    setenv("LOCPATH", folder, 1);
    setenv("LC_ALL", "de_DE.UTF-8", 1);
    if (made) { /* it is one that would do harm */
        assert_non_null(setlocale(LC_NUMERIC, ""));
        snprintf(text, sizeof text, "%.1f", 0.5);
        assert_string_equal(text, "0,5");
        setlocale(LC_ALL, "C");
    }
    lang_begin();
    lang_set(LANGUAGE_CHINESE);
    snprintf(text, sizeof text, "%.1f", 0.5);
    assert_string_equal(text, "0.5");
    assert_string_equal(localeconv()->decimal_point, ".");
    assert_string_equal(setlocale(LC_NUMERIC, NULL), "C");
    assert_string_equal(num_fixed(number, 1234.5, 1, NUM_FILE), "1234.5");
    double read;
    assert_true(str_to_double("0.5", &read));
    lang_set(LANGUAGE_ENGLISH);
    unsetenv("LOCPATH");
    clear_environment();
}

/* By hand: 124,439,808 is 1.24 亿, 78,080 is 7.81 万. */
static void counts_have_the_steps_of_the_language(void **unused) {
    (void)unused;
    static const struct {
        double count;
        const char *english, *chinese;
    } rows[] = {
        {0, "0", "0"},
        {999, "999", "999"},
        {1000, "1.00 thousand", "1000"},
        {78080, "78.1 thousand", "7.81 万"},
        {999999, "1.00 million", "100 万"},
        {1e6, "1.00 million", "100 万"},
        {124439808, "124 million", "1.24 亿"},
        {7.25e9, "7.25 billion", "72.5 亿"},
    };
    Arena arena = {0};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        lang_set(LANGUAGE_ENGLISH);
        assert_string_equal(phrase_count(&arena, rows[i].count), rows[i].english);
        lang_set(LANGUAGE_CHINESE);
        assert_string_equal(phrase_count(&arena, rows[i].count), rows[i].chinese);
    }
    lang_set(LANGUAGE_ENGLISH);
    arena_free(&arena);
}

static void lists_leave_out_what_is_not_there(void **unused) {
    (void)unused;
    Arena arena = {0};
    lang_set(LANGUAGE_ENGLISH);
    assert_null(phrase_list(&arena, NULL, NULL));
    assert_string_equal(phrase_list(&arena, "a", NULL), "a");
    assert_string_equal(phrase_list(&arena, NULL, "b"), "b");
    assert_string_equal(phrase_list(&arena, "a", "b"), "a · b");
    assert_string_equal(phrase_sentences(&arena, "A.", "B."), "A. B.");
    assert_string_equal(phrase_names(&arena, "a", "b"), "a, b");
    lang_set(LANGUAGE_CHINESE);
    assert_string_equal(phrase_list(&arena, "甲", "乙"), "甲 · 乙");
    assert_string_equal(phrase_sentences(&arena, "甲。", "乙。"), "甲。乙。");
    assert_string_equal(phrase_names(&arena, "甲", "乙"), "甲、乙");
    lang_set(LANGUAGE_ENGLISH);
    assert_string_equal(phrase_clause(&arena, "Undo one thing: menu, field."), "Undo one thing");
    assert_string_equal(phrase_clause(&arena, "撤销一件事：菜单、字段。"), "撤销一件事");
    arena_free(&arena);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_first_variable_decides),  cmocka_unit_test(chinese_needs_no_locale), cmocka_unit_test(an_empty_text_stays_empty),
        cmocka_unit_test(counting_has_its_forms),      cmocka_unit_test(numbers_stay_those_of_c),
        cmocka_unit_test(counts_have_the_steps_of_the_language),
        cmocka_unit_test(lists_leave_out_what_is_not_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
