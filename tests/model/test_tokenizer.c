/* Tokenizers by table, labels, names that people type for tokens, limits. */
#include "support/support.h"

#include <stdio.h>

#include "base/str.h"
#include "model/tokenizer.h"

static Arena arena;
static Lexicon *lexicon;

static int open_lexicon(void **state) {
    (void)state;
    Err err = {0};
    return lexicon_load(&arena, &lexicon, &err) ? 0 : -1;
}

static int close_lexicon(void **state) {
    (void)state;
    arena_free(&arena);
    return 0;
}

typedef struct {
    TokenizerKind kind;
    const char *text;
    const char *tokens; /* labels joined by | */
} Row;

static const Row rows[] = {
    {TOKENIZER_WORDS, "The cat sat on the mat", "The|cat|sat|on|the|mat"},
    {TOKENIZER_WORDS, "  Hello,  world!\n", "Hello|,|world|!"},
    {TOKENIZER_WORDS, "don't stop well-known 'quotes' rock 'n' roll-", "don't|stop|well-known|'|quotes|'|rock|'|n|'|roll|-"},
    {TOKENIZER_WORDS, "don’t “say” it…", "don’t|“|say|”|it|…"},
    {TOKENIZER_WORDS, "I love NLP <pad> <eos></s>", "I|love|NLP|<pad>|<eos>|</s>"},
    {TOKENIZER_WORDS, "a<b <> < pad> <|end|>", "a|<|b|<|>|<|pad|>|<|end|>"},
    {TOKENIZER_WORDS, "wait...what?!", "wait|.|.|.|what|?|!"},
    {TOKENIZER_WORDS, "a--b a-b", "a|-|-|b|a-b"},
    {TOKENIZER_WORDS, "我爱猫", "我|爱|猫"},
    {TOKENIZER_WORDS, "时间飞逝像一支箭。", "时间|飞逝|像|一支|箭|。"},
    {TOKENIZER_WORDS, "我要听歌", "我|要|听|歌"},
    {TOKENIZER_WORDS, "猫坐在垫子上", "猫|坐|在|垫子|上"},
    {TOKENIZER_WORDS, "龘龖cat猫dog", "龘|龖|cat|猫|dog"},
    {TOKENIZER_WORDS, "我们的GPT模型", "我们|的|GPT|模型"},
    {TOKENIZER_WORDS, "naïve café Ünïcode e\xCC\x81t\xC3\xA9", "naïve|café|Ünïcode|e\xCC\x81t\xC3\xA9"},
    {TOKENIZER_WORDS, "👩‍👩‍👧 ok 🙂", "👩‍👩‍👧|ok|🙂"},
    {TOKENIZER_WORDS, "", ""},
    {TOKENIZER_WORDS, " \t\n", ""},
    {TOKENIZER_CHARACTERS, "a b\n\tc", "a|␣|b|⏎|⇥|c"},
    {TOKENIZER_CHARACTERS, "e\xCC\x81\r\n👩‍👩‍👧猫", "e\xCC\x81|⏎|👩‍👩‍👧|猫"},
    {TOKENIZER_CHARACTERS, "a\x01\x7f", "a|␁|␡"},
    {TOKENIZER_SMILES, "CCCl", "C|C|Cl"},
    {TOKENIZER_SMILES, "CCO", "C|C|O"},
    {TOKENIZER_SMILES, "c1ccccc1Br", "c|1|c|c|c|c|c|1|Br"},
    {TOKENIZER_SMILES, "[NH4+].[Cl-]", "[NH4+]|.|[Cl-]"},
    {TOKENIZER_SMILES, "C%12CC%12", "C|%12|C|C|%12"},
    {TOKENIZER_SMILES, "F/C=C\\F#:", "F|/|C|=|C|\\|F|#|:"},
    {TOKENIZER_SMILES, "N[C@@H](C)C(=O)O", "N|[C@@H]|(|C|)|C|(|=|O|)|O"},
    {TOKENIZER_SMILES, "C@[CH", "C|@|[|C|H"},
    {TOKENIZER_SMILES, "[C H]%1", "[|C|H|]|%|1"},
    {TOKENIZER_SMILES, "Sc1猫", "S|c|1|猫"},
    {TOKENIZER_SMILES, "CC O\n", "C|C|O"},
};

static void test_tables(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const Row *row = &rows[i];
        TokenList list;
        Err err = {0};
        StrBuf joined;
        sb_init(&joined, &arena);
        if (!tokenize(row->kind, row->text, lexicon, &arena, &list, &err)) fail_msg("%s", err.message);
        int before = 0;
        for (int k = 0; k < list.n; k++) {
            const Token *t = &list.items[k];
            sb_printf(&joined, "%s%s", k > 0 ? "|" : "", t->label);
            assert_true(t->start >= before && t->end > t->start && (size_t)t->end <= strlen(row->text));
            assert_int_equal(strlen(t->text), t->end - t->start);
            assert_memory_equal(t->text, row->text + t->start, strlen(t->text));
            before = t->end;
        }
        assert_string_equal(joined.length > 0 ? joined.data : "", row->tokens);
    }
}

static void test_offsets(void **state) {
    (void)state;
    TokenList list;
    Err err = {0};
    assert_true(tokenize(TOKENIZER_WORDS, " 我爱 cats!", lexicon, &arena, &list, &err));
    static const int spans[4][2] = {{1, 4}, {4, 7}, {8, 12}, {12, 13}};
    assert_int_equal(list.n, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(list.items[i].start, spans[i][0]);
        assert_int_equal(list.items[i].end, spans[i][1]);
    }
}

static void test_without_lexicon(void **state) {
    (void)state;
    TokenList list;
    Err err = {0};
    assert_true(tokenize(TOKENIZER_WORDS, "时间 flies", NULL, &arena, &list, &err));
    assert_int_equal(list.n, 3);
}

static void test_limits(void **state) {
    (void)state;
    static const char units[TOKENIZER_KIND_COUNT][4] = {"a ", "b", "C"};
    for (int kind = 0; kind < TOKENIZER_KIND_COUNT; kind++) {
        StrBuf text;
        sb_init(&text, &arena);
        for (int i = 0; i < TOKENS_MAX; i++) sb_add(&text, units[kind]);
        TokenList list;
        Err err = {0};
        assert_true(tokenize((TokenizerKind)kind, text.data, lexicon, &arena, &list, &err));
        assert_int_equal(list.n, TOKENS_MAX);
        sb_add(&text, units[kind]);
        assert_false(tokenize((TokenizerKind)kind, text.data, lexicon, &arena, &list, &err));
        assert_int_equal(err.code, ERR_LIMIT);
        assert_non_null(strstr(err.message, "2048"));
    }
    char *large = arena_alloc(&arena, TEXT_MAX + 2, 1);
    memset(large, ' ', TEXT_MAX + 1);
    TokenList list;
    Err err = {0};
    assert_false(tokenize(TOKENIZER_WORDS, large, lexicon, &arena, &list, &err));
    assert_non_null(strstr(err.message, "1048576"));
    large[TEXT_MAX] = '\0';
    memset(large, 'x', TEXT_MAX); /* one word of a million letters, and a lone "<" in front */
    large[0] = '<';
    Err none = {0};
    assert_true(tokenize(TOKENIZER_WORDS, large, lexicon, &arena, &list, &none));
    assert_int_equal(list.n, 2);
    memset(large, '[', TEXT_MAX); /* brackets that never close: many are refused at once, without reading to the end for each */
    assert_false(tokenize(TOKENIZER_SMILES, large, lexicon, &arena, &list, &err));
}

static void test_bad_bytes_never_crash(void **state) {
    (void)state;
    for (int kind = 0; kind < TOKENIZER_KIND_COUNT; kind++)
        for (int b = 0x80; b < 0x100; b++) {
            char text[8] = {'a', (char)b, '[', (char)b, '\'', (char)b, '%', 0};
            TokenList list;
            Err err = {0};
            assert_true(tokenize((TokenizerKind)kind, text, lexicon, &arena, &list, &err));
            assert_int_equal(list.items[list.n - 1].end, 7);
        }
}

static void test_labels(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"Ġthe", "␣the"}, {"▁the", "␣the"}, {"\n", "⏎"}, {" ", "␣"}, {"\t", "⇥"}, {"\r\n", "⏎"}, {"\r", "␍"}, {"ĊĊ", "⏎⏎"},
        {"ĠĠ", "␣␣"}, {"", "∅"}, {"cat", "cat"}, {"a b", "a␣b"}, {"\x1b[0m", "␛[0m"}, {"\xE2\x80\x8B", "U+200B"},
        {"\xC2\xA0", "␣"}, {"\xE3\x80\x80", "␣"}, {"\xEF\xBB\xBF", "U+FEFF"}, {"👩‍👧", "👩‍👧"}, {"\xE2\x80\xAEgpj", "U+202Egpj"},
        {"oĠ", "oĠ"}, {"▁", "␣"}, {"Ġ", "␣"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) assert_string_equal(token_label(pairs[i][0], &arena), pairs[i][1]);
    const char *const words[] = {"Ġthe", " "};
    TokenList list;
    tokens_from_list(words, 2, &arena, &list);
    assert_string_equal(list.items[0].text, "Ġthe");
    assert_string_equal(list.items[1].label, "␣");
    assert_int_equal(list.items[1].end, 0);
}

static void test_names(void **state) {
    (void)state;
    static const char *const words[] = {"the", "cat", "3", "the", "a#2", "The", "\"", "Ġok", "say \"hi\"", "#"};
    TokenList list;
    tokens_from_list(words, 10, &arena, &list);
    static const struct { const char *name; int position; const char *says; } names[] = {
        {"cat", 1, NULL}, {"the#1", 0, NULL}, {"the#2", 3, NULL}, {"The", 5, NULL}, {"1", 0, NULL}, {"10", 9, NULL}, {"\"3\"", 2, NULL},
        {"3", 2, NULL}, {"a#2", 4, NULL}, {"cat#1", 1, NULL}, {"\"the\"#2", 3, NULL}, {"\"cat\"", 1, NULL}, {"\"", 6, NULL},
        {"␣ok", 7, NULL}, {"Ġok", 7, NULL}, {"say \"hi\"", 8, NULL}, {"#", 9, NULL}, {"\"a#2\"", 4, NULL},
        {"the", -1, "positions 1, 4"}, {"\"the\"", -1, "positions 1, 4"}, {"the#3", -1, "1, 4"}, {"the#0", -1, "1, 4"},
        {"Cat", -1, "did you mean \"cat\""}, {"dog", -1, "1 the, 2 cat, 3 3"}, {"0", -1, "outside 1 to 10"}, {"11", -1, "outside 1 to 10"},
        {"99999999999999999999", -1, "outside"}, {"", -1, "no token"}, {"\"\"", -1, "no token"}, {"cat#2", -1, "stands at 2"},
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        int position = -1;
        Err err = {0};
        bool good = token_resolve(&list, names[i].name, &position, &err);
        bool right = names[i].says == NULL ? good && position == names[i].position
                                           : !good && strstr(err.message, names[i].says) != NULL;
        if (!right) fail_msg("%s -> %d \"%s\"", names[i].name, position, err.message);
    }
}

static void test_names_of_long_lists(void **state) {
    (void)state;
    const char *words[300];
    char long_name[600];
    memset(long_name, 'x', sizeof long_name);
    long_name[599] = '\0';
    for (int i = 0; i < 300; i++) words[i] = i % 2 ? "猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫猫" : "an";
    TokenList list;
    tokens_from_list(words, 300, &arena, &list);
    static const char *const names[] = {"an", "dog", "An"};
    for (size_t i = 0; i < 3; i++) {
        Err err = {0};
        int position;
        assert_false(token_resolve(&list, names[i], &position, &err));
        assert_true(strlen(err.message) < 600 && strlen(err.message) > 20);
    }
    Err err = {0};
    int position;
    assert_false(token_resolve(&list, long_name, &position, &err));
    TokenList none = {0};
    Err empty = {0};
    assert_false(token_resolve(&none, "cat", &position, &empty));
    assert_non_null(strstr(empty.message, "no tokens"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),  cmocka_unit_test(test_offsets), cmocka_unit_test(test_without_lexicon),
        cmocka_unit_test(test_limits),  cmocka_unit_test(test_bad_bytes_never_crash),
        cmocka_unit_test(test_labels),  cmocka_unit_test(test_names),   cmocka_unit_test(test_names_of_long_lists),
    };
    return cmocka_run_group_tests(tests, open_lexicon, close_lexicon);
}
