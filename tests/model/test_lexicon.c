/* The lexicon: its own file, words that are not in it, and files that cannot be used. */
#include "support/support.h"

#include "base/str.h"
#include "model/lexicon.h"

static Arena arena;
static Lexicon *own;

static int open_own(void **state) {
    (void)state;
    Err err = {0};
    return lexicon_load(&arena, &own, &err) ? 0 : -1;
}

static int close_own(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

static void test_features(void **state) {
    (void)state;
    static const struct { const char *word; int bits; } rows[] = {
        {"the", WORD_DET}, {"The", WORD_DET}, {"THE", WORD_DET}, {"cat", WORD_NOUN | WORD_ANIMATE}, {"sat", WORD_VERB},
        {"on", WORD_PREP}, {"mat", WORD_NOUN}, {"flies", WORD_VERB}, {"like", WORD_VERB | WORD_PREP}, {"an", WORD_DET},
        {"arrow", WORD_NOUN}, {"time", WORD_NOUN}, {"bites", WORD_VERB}, {"man", WORD_NOUN | WORD_ANIMATE},
        {"I", WORD_NOUN | WORD_ANIMATE}, {"tea", WORD_NOUN}, {"down", WORD_MODIF}, {"don't", WORD_VERB}, {"well-known", WORD_MODIF},
        {"猫", WORD_NOUN | WORD_ANIMATE}, {"爱", WORD_VERB}, {"时间", WORD_NOUN}, {"飞逝", WORD_VERB}, {"像", WORD_PREP},
        {"一支", WORD_DET}, {"箭", WORD_NOUN}, {"垫子", WORD_NOUN}, {"坐", WORD_VERB}, {"听", WORD_VERB}, {"歌", WORD_NOUN},
        {"我们", WORD_NOUN | WORD_ANIMATE | WORD_PLURAL},
        /* not listed: by the listed word inside, by the ending, else a noun */
        {"giraffe", WORD_NOUN}, {"puppies", WORD_NOUN | WORD_ANIMATE | WORD_PLURAL}, {"kittens", WORD_NOUN | WORD_ANIMATE | WORD_PLURAL},
        {"boxes", WORD_NOUN | WORD_PLURAL}, {"giraffes", WORD_NOUN | WORD_PLURAL}, {"pulls", WORD_VERB}, {"zapped", WORD_VERB},
        {"zapping", WORD_VERB}, {"boldly", WORD_MODIF}, {"Boldly", WORD_MODIF}, {"moss", WORD_NOUN}, {"bus", WORD_NOUN},
        {"virus", WORD_NOUN}, {"basis", WORD_NOUN}, {"火锅", WORD_NOUN}, {"X9", WORD_NOUN},
        /* marks have no features */
        {".", 0}, {"!", 0}, {"，", 0}, {"<pad>", 0}, {"<eos>", 0}, {" ", 0}, {"", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (lexicon_features(own, rows[i].word) != rows[i].bits)
            fail_msg("%s has bits %d, expected %d", rows[i].word, lexicon_features(own, rows[i].word), rows[i].bits);
}

static void test_find_and_longest(void **state) {
    (void)state;
    assert_int_equal(lexicon_find(own, "Cat", 3), WORD_NOUN | WORD_ANIMATE);
    assert_int_equal(lexicon_find(own, "cat sat", 3), WORD_NOUN | WORD_ANIMATE);
    assert_int_equal(lexicon_find(own, "zebra-crossing", 14), -1);
    assert_int_equal(lexicon_find(own, "", 0), -1);
    assert_int_equal(lexicon_longest(own, "飞逝像", strlen("飞逝像")), strlen("飞逝"));
    assert_int_equal(lexicon_longest(own, "飞逝像", strlen("飞")), strlen("飞"));
    assert_int_equal(lexicon_longest(own, "龘", strlen("龘")), 0);
    assert_int_equal(lexicon_longest(own, "", 0), 0);
    char many[4000];
    memset(many, 'x', sizeof many);
    assert_int_equal(lexicon_find(own, many, sizeof many), -1);
}

static void test_bad_files(void **state) {
    (void)state;
    static const struct { const char *text; int line; const char *says; } rows[] = {
        {"cat\tnoun\ncat\tnoun\tanimate\n", 2, "twice"},
        {"# words\n\ncat\tnuon\n", 3, "nuon"},
        {"cat\n", 1, "no feature"},
        {"cat\t\n", 1, "no feature"},
        {"\tnoun\n", 1, "begins with a word"},
        {"cat noun\n", 1, "no feature"},
        {"Cat\tnoun\n", 1, "lower case"},
        {"a-word-that-is-far-far-far-far-far-far-far-far-far-far-far-far-too-long\tnoun\n", 1, "limit is 64"},
        {"cat\tnoun\nd\xffg\tnoun\n", 0, "UTF-8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        Lexicon *lexicon;
        Err err = {0};
        assert_false(lexicon_parse(rows[i].text, strlen(rows[i].text), "words.tsv", &arena, &lexicon, &err));
        assert_string_equal(err.file, "words.tsv");
        if (err.line != rows[i].line || strstr(err.message, rows[i].says) == NULL)
            fail_msg("row %zu: line %d, \"%s\"", i, err.line, err.message);
    }
    static const char good[] = "# no newline at the end, a carriage return, a byte 0\r\ncat\tnoun\tanimate\r\n\0x\tverb";
    Lexicon *lexicon;
    Err err = {0};
    assert_true(lexicon_parse(good, sizeof good - 1, "words.tsv", &arena, &lexicon, &err));
    assert_int_equal(lexicon_find(lexicon, "cat", 3), WORD_NOUN | WORD_ANIMATE);
    assert_true(lexicon_parse("", 0, "words.tsv", &arena, &lexicon, &err));
    assert_int_equal(lexicon_find(lexicon, "cat", 3), -1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features),
        cmocka_unit_test(test_find_and_longest),
        cmocka_unit_test(test_bad_files),
    };
    return cmocka_run_group_tests(tests, open_own, close_own);
}
