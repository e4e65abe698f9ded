/* Tokenizers part by part, each with what it must do worked out by hand: models, added tokens, normalizers,
 * pre-tokenizers, post-processors, decoders, errors. Whole tokenizers: test_encoder_golden.c. */
#include "model/encoder_kit.h"

/* ---- models ---- */

static void merges_by_rank(void **state) {
    (void)state;
    const char *vocab = "'a': 0, 'b': 1, 'c': 2, 'ab': 3, 'bc': 4, 'abc': 5, 'aa': 6";
    const Encoder *encoder = kit_open(arena_printf(&kit_arena, "{'type': 'BPE', 'vocab': {%s}, 'merges': ['b c', ['a', 'b'], 'a bc', 'a a']}", vocab), "", "");
    assert_string_equal(kit_pieces(encoder, "abc"), "abc[0,3]");
    assert_string_equal(kit_pieces(encoder, "abab"), "ab[0,2] ab[2,4]");
    assert_string_equal(kit_pieces(encoder, "aaa"), "aa[0,2] a[2,3]"); /* the leftmost first */
    assert_string_equal(kit_pieces(encoder, "aabc"), "a[0,1] abc[1,4]");
    assert_string_equal(kit_pieces(encoder, "axc"), "a[0,1] c[2,3]"); /* no unknown token: left out, */
    assert_string_equal(kit_pieces(encoder, "axb"), "ab[0,3]");       /* before anything joins */
    assert_string_equal(kit_pieces(encoder, ""), "");
    assert_string_equal(encoder_kind(encoder), "BPE");
    assert_int_equal(encoder_size(encoder), 7);
    /* without a rule that leads there, a whole piece is found only where merges are ignored */
    encoder = kit_open("{'type': 'BPE', 'vocab': {'a': 0, 'b': 1, 'ab': 2}, 'merges': [], 'ignore_merges': true}", "", "");
    assert_string_equal(kit_pieces(encoder, "ab"), "ab[0,2]");
    assert_string_equal(kit_pieces(encoder, "aba"), "a[0,1] b[1,2] a[2,3]");
}

static void unknown_pieces(void **state) {
    (void)state;
    const Encoder *encoder = kit_open("{'type': 'BPE', 'vocab': {'?': 0, 'a': 1}, 'merges': [], 'unk_token': '?'}", "", "");
    assert_string_equal(kit_pieces(encoder, "xéa"), "?[0,1] ?[1,3] a[3,4]");
    assert_int_equal(encoder_unknown_id(encoder), 0);
    encoder = kit_open("{'type': 'BPE', 'vocab': {'?': 0, 'a': 1}, 'merges': [], 'unk_token': '?', 'fuse_unk': true}", "", "");
    assert_string_equal(kit_pieces(encoder, "xéaz"), "?[0,3] a[3,4] ?[4,5]");
    encoder = kit_open("{'type': 'BPE', 'vocab': {'?': 0, '<0xC3>': 1, '<0xA9>': 2}, 'merges': [], 'unk_token': '?', 'byte_fallback': true}", "", "");
    assert_string_equal(kit_pieces(encoder, "éx"), "<0xC3>[0,2] <0xA9>[0,2] ?[2,3]"); /* each byte came from the whole character */
    assert_string_equal(encoder_kind(encoder), "BPE with byte fallback");
    encoder = kit_open("{'type': 'BPE', 'vocab': {'a</w>': 0, 'a': 1, '@b': 2, '@a</w>': 3, 'a@b': 4, 'ab': 5}, 'merges': ['a @b'], "
                       "'continuing_subword_prefix': '@', 'end_of_word_suffix': '</w>'}", "", "");
    assert_string_equal(kit_pieces(encoder, "a"), "a</w>[0,1]");
    assert_string_equal(kit_pieces(encoder, "aba"), "ab[0,2] @a</w>[2,3]"); /* the prefix goes where two join */
}

static void wordpiece(void **state) {
    (void)state;
    const char *model = "{'type': 'WordPiece', 'unk_token': '[UNK]', 'max_input_chars_per_word': 6, 'vocab': {'[UNK]': 0, 'un': 1, '##aff': 2, '##able': 3, 'u': 4, '##a': 5, 'é': 6}}";
    const Encoder *encoder = kit_open(model, "", "'pre_tokenizer': {'type': 'WhitespaceSplit'}");
    assert_string_equal(kit_pieces(encoder, "unaff una é"), "un[0,2] ##aff[2,5] un[6,8] ##a[8,9] é[10,12]");
    assert_string_equal(kit_pieces(encoder, "unaf"), "[UNK][0,4]");      /* one bad end spoils the word */
    assert_string_equal(kit_pieces(encoder, "unaffab"), "[UNK][0,7]");
    assert_string_equal(kit_pieces(encoder, "unaaaa"), "un[0,2] ##a[2,3] ##a[3,4] ##a[4,5] ##a[5,6]");
    assert_string_equal(kit_pieces(encoder, "unaaaaa"), "[UNK][0,7]");   /* 7 characters */
    assert_string_equal(kit_pieces(encoder, "éééééé é"), "[UNK][0,12] é[13,15]");
    assert_string_equal(encoder_kind(encoder), "WordPiece");
    encoder = kit_open("{'type': 'WordPiece', 'unk_token': '[UNK]', 'vocab': {'a': 0}}", "", "");
    assert_string_equal(kit_pieces(encoder, "b"), "error: the text has a word that the vocabulary has not, and there is no unknown token for it");
}

static void unigram(void **state) {
    (void)state;
    /* "abcd": abcd is -5; ab + cd is -2.5: the best way. "aa": two ways of -4, aa was reached first */
    const char *model = "{'type': 'Unigram', 'unk_id': 0, 'vocab': [['?', 0], ['a', -2], ['b', -2], ['c', -2], ['d', -2], ['ab', -1], ['cd', -1.5], ['abcd', -5], ['aa', -4]]}";
    const Encoder *encoder = kit_open(model, "", "");
    assert_string_equal(kit_pieces(encoder, "abcd"), "ab[0,2] cd[2,4]");
    assert_string_equal(kit_pieces(encoder, "aa"), "aa[0,2]");
    assert_string_equal(kit_pieces(encoder, "xyaz"), "?[0,2] a[2,3] ?[3,4]"); /* unknown neighbours are one */
    assert_int_equal(encoder_unknown_id(encoder), 0);
    /* "ab": ab is -5; a and an unknown b are -1 and 10 less than the rarest piece, -16 */
    encoder = kit_open("{'type': 'Unigram', 'unk_id': 0, 'vocab': [['?', 0], ['a', -1], ['ab', -5]]}", "", "");
    assert_string_equal(kit_pieces(encoder, "ab"), "ab[0,2]");
    encoder = kit_open("{'type': 'Unigram', 'unk_id': 0, 'byte_fallback': true, 'vocab': [['?', 0], ['<0xC3>', -9], ['<0xA9>', -9]]}", "", "");
    assert_string_equal(kit_pieces(encoder, "é"), "<0xC3>[0,2] <0xA9>[0,2]");
    encoder = kit_open("{'vocab': [['a', -1]]}", "", "");
    assert_string_equal(kit_pieces(encoder, "ab"), "error: the text has a character that no piece has, and the file gives no unk_id");
}

static void wordlevel(void **state) {
    (void)state;
    const Encoder *encoder = kit_open("{'type': 'WordLevel', 'unk_token': '?', 'vocab': {'?': 7, 'a': 1, 'ab': 3}}", "", "'pre_tokenizer': {'type': 'Whitespace'}");
    assert_string_equal(kit_pieces(encoder, "ab a c!"), "ab[0,2] a[3,4] ?[5,6] ?[6,7]");
    assert_int_equal(encoder_size(encoder), 8);
    assert_string_equal(encoder_piece(encoder, 2), "");
    assert_string_equal(encoder_piece(encoder, -1), "");
    assert_string_equal(encoder_piece(encoder, 8), "");
    assert_int_equal(encoder_find(encoder, "ab"), 3);
    assert_int_equal(encoder_find(encoder, "abc"), -1);
}

/* Places in bytes and in characters. */
static void places(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), "", "");
    Encoding found;
    Err err = {0};
    assert_true(encoder_encode(encoder, "a中é\U0001F600b", 11, "é", 2, true, &kit_arena, &found, &err));
    static const int start[] = {0, 1, 4, 6, 10, 0}, end[] = {1, 4, 6, 10, 11, 2}, from[] = {0, 1, 2, 3, 4, 0}, to[] = {1, 2, 3, 4, 5, 1}, source[] = {0, 0, 0, 0, 0, 1};
    assert_int_equal(found.n, 6);
    for (int i = 0; i < 6; i++) {
        assert_int_equal(found.start[i], start[i]);
        assert_int_equal(found.end[i], end[i]);
        assert_int_equal(found.char_start[i], from[i]);
        assert_int_equal(found.char_end[i], to[i]);
        assert_int_equal(found.source[i], source[i]);
    }
}

/* ---- added tokens ---- */

static void added_tokens(void **state) {
    (void)state;
    const char *added = "[{'id': 200, 'content': '<m>', 'special': true, 'lstrip': true, 'rstrip': true}, {'id': 201, 'content': '<m>x', 'special': true}, "
                        "{'id': 202, 'content': 'cat', 'single_word': true, 'normalized': false}, {'id': 203, 'content': 'DOG'}]";
    const Encoder *encoder = kit_open(kit_letters(), added, "'normalizer': {'type': 'Lowercase'}");
    assert_string_equal(kit_pieces(encoder, "A <m>\t b"), "a[0,1] <m>[1,7] b[7,8]");
    assert_string_equal(kit_pieces(encoder, " <m>\n<m> "), "<m>[0,5] <m>[5,9]"); /* space that is taken is not taken again */
    assert_string_equal(kit_pieces(encoder, "<m>xy"), "<m>x[0,4] y[4,5]"); /* the longest */
    assert_string_equal(kit_pieces(encoder, "cat"), "cat[0,3]");
    assert_string_equal(kit_pieces(encoder, "cats"), "c[0,1] a[1,2] t[2,3] s[3,4]");
    assert_string_equal(kit_pieces(encoder, "_cat"), "_[0,1] c[1,2] a[2,3] t[3,4]");
    assert_string_equal(kit_pieces(encoder, ".cat!"), ".[0,1] cat[1,4] ![4,5]");
    assert_string_equal(kit_pieces(encoder, "CAT"), "c[0,1] a[1,2] t[2,3]");
    assert_string_equal(kit_pieces(encoder, "DoG"), "DOG[0,3]"); /* looked for behind the normalizer, in lower case on both sides */
    assert_true(encoder_is_special(encoder, 200));
    assert_false(encoder_is_special(encoder, 202));
    assert_false(encoder_is_special(encoder, 9999));
    assert_int_equal(encoder_find(encoder, "<m>"), 200);
    assert_int_equal(encoder_size(encoder), 204);
    assert_int_equal(encoder_mask_id(encoder), -1);
    encoder = kit_open(kit_letters(), "[{'id': 200, 'content': '[MASK]', 'special': true}]", "");
    assert_int_equal(encoder_mask_id(encoder), 200);
}

/* ---- normalizers ---- */

static const char *normalized(const char *normalizer, const char *text) {
    return kit_pieces(kit_open(kit_letters(), "", arena_printf(&kit_arena, "'normalizer': %s", normalizer)), text);
}

static void normalizers(void **state) {
    (void)state;
    assert_string_equal(normalized("{'type': 'Lowercase'}", "aBİ"), "a[0,1] b[1,2] i[2,4] ?u[2,4]");
    assert_string_equal(normalized("{'type': 'NFD'}", "éa"), "e[0,2] \u0301[0,2] a[2,3]");
    assert_string_equal(normalized("{'type': 'NFC'}", "e\u0301a"), "é[0,1] a[3,4]"); /* the place of its first part */
    assert_string_equal(normalized("{'type': 'NFD'}", "e\u0301\u0323"), "e[0,1] ?u[3,5] \u0301[1,3]"); /* the mark below comes first */
    assert_string_equal(normalized("{'type': 'NFC'}", "e\u030d\u0301"), "e[0,1] ?u[1,3] \u0301[3,5]"); /* a mark of the same class stands between */
    assert_string_equal(normalized("{'type': 'NFKC'}", "ﬁ½"), "f[0,3] i[0,3] 1[3,5] ⁄[3,5] 2[3,5]");
    assert_string_equal(normalized("{'type': 'NFKD'}", "é\u00a0"), "e[0,2] \u0301[0,2]  [2,4]");
    assert_string_equal(normalized("{'type': 'StripAccents'}", "e\u0301a"), "e[0,1] a[3,4]");
    assert_string_equal(normalized("{'type': 'Strip'}", " \té "), "é[2,4]");
    assert_string_equal(normalized("{'type': 'Strip', 'strip_left': false}", " a "), " [0,1] a[1,2]");
    assert_string_equal(normalized("{'type': 'Strip', 'strip_right': false}", " a "), "a[1,2]  [2,3]");
    assert_string_equal(normalized("{'type': 'Strip'}", " \n "), "");
    assert_string_equal(normalized("{'type': 'Replace', 'pattern': {'String': 'ab'}, 'content': '--'}", "xabab"), "x[0,1] -[2,3] -[2,3] -[4,5] -[4,5]");
    assert_string_equal(normalized("{'type': 'Replace', 'pattern': {'Regex': ' {2,}'}, 'content': '_'}", "a   b c"), "a[0,1] _[3,4] b[4,5]  [5,6] c[6,7]");
    assert_string_equal(normalized("{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': ''}", "aba"), "b[1,2]");
    assert_string_equal(normalized("{'type': 'Replace', 'pattern': {'Regex': '^'}, 'content': '_'}", "a"), "_[0,0] a[0,1]");
    assert_string_equal(normalized("{'type': 'Prepend', 'prepend': '▁'}", "ab"), "▁[0,1] a[0,1] b[1,2]");
    assert_string_equal(normalized("{'type': 'Prepend', 'prepend': '▁'}", ""), "");
    assert_string_equal(normalized("{'type': 'Nmt'}", "a\x01\tb\u200b"), "a[0,1]  [2,3] b[3,4]  [4,7]");
    assert_string_equal(normalized("{'type': 'ByteLevel'}", "é "), "Ã[0,2] ©[0,2] Ġ[2,3]");
    assert_string_equal(normalized("{'type': 'Sequence', 'normalizers': [{'type': 'NFD'}, {'type': 'StripAccents'}, {'type': 'Prepend', 'prepend': '_'}]}", "É"), "_[0,2] E[0,2]");
    assert_string_equal(normalized("null", "É"), "?u[0,2]");
}

static void bert_normalizer(void **state) {
    (void)state;
    assert_string_equal(normalized("{'type': 'BertNormalizer'}", "É\t\x01 \u200bb"), "e[0,2]  [2,3]  [4,5] b[8,9]");
    assert_string_equal(normalized("{'type': 'BertNormalizer'}", "a中b"), "a[0,1]  [0,1] 中[1,4]  [1,4] b[4,5]");
    assert_string_equal(normalized("{'type': 'BertNormalizer', 'lowercase': false}", "Eé"), "E[0,1] é[1,3]");
    assert_string_equal(normalized("{'type': 'BertNormalizer', 'lowercase': false, 'strip_accents': true}", "Eé"), "E[0,1] e[1,3]");
    assert_string_equal(normalized("{'type': 'BertNormalizer', 'strip_accents': false}", "Eé"), "e[0,1] é[1,3]");
    assert_string_equal(normalized("{'type': 'BertNormalizer', 'handle_chinese_chars': false, 'clean_text': false}", "a中\x01"), "a[0,1] 中[1,4] ?u[4,5]");
}

/* ---- pre-tokenizers: every piece that it makes is a word that there is not ---- */

static const char *cut(const char *pre_tokenizer, const char *text) {
    return kit_pieces(kit_open("{'type': 'WordLevel', 'unk_token': '', 'vocab': {'': 0}}", "", arena_printf(&kit_arena, "'pre_tokenizer': %s", pre_tokenizer)), text);
}

static void pre_tokenizers(void **state) {
    (void)state;
    assert_string_equal(cut("{'type': 'Whitespace'}", "a_b, c!? é"), "[0,3] [3,4] [5,6] [6,8] [9,11]");
    assert_string_equal(cut("{'type': 'WhitespaceSplit'}", " ab\t\u3000c"), "[1,3] [7,8]");
    assert_string_equal(cut("{'type': 'BertPreTokenizer'}", "a,b  c$"), "[0,1] [1,2] [2,3] [5,6] [6,7]");
    assert_string_equal(cut("{'type': 'Punctuation'}", "a,,b"), "[0,1] [1,2] [2,3] [3,4]");
    assert_string_equal(cut("{'type': 'Punctuation', 'behavior': 'Contiguous'}", "a,,b"), "[0,1] [1,3] [3,4]");
    assert_string_equal(cut("{'type': 'Digits'}", "a12b"), "[0,1] [1,3] [3,4]");
    assert_string_equal(cut("{'type': 'Digits', 'individual_digits': true}", "a12b"), "[0,1] [1,2] [2,3] [3,4]");
    assert_string_equal(cut("{'type': 'CharDelimiterSplit', 'delimiter': '-'}", "-a--b"), "[1,2] [4,5]");
    assert_string_equal(cut("{'type': 'FixedLength', 'length': 2}", "aébc!"), "[0,3] [3,5] [5,6]");
    assert_string_equal(cut("{'type': 'Sequence', 'pretokenizers': [{'type': 'WhitespaceSplit'}, {'type': 'Digits'}]}", "a1 b"), "[0,1] [1,2] [3,4]");
}

/* The five behaviours on the same text, as the reference library documents them; and turned round. */
static void behaviours(void **state) {
    (void)state;
    static const struct { const char *behaviour, *invert, *cut; } rows[] = {
        {"Removed", "false", "[0,3] [4,9] [11,20]"},
        {"Isolated", "false", "[0,3] [3,4] [4,9] [9,10] [10,11] [11,20]"},
        {"MergedWithPrevious", "false", "[0,4] [4,10] [10,11] [11,20]"},
        {"MergedWithNext", "false", "[0,3] [3,9] [9,10] [10,20]"},
        {"Contiguous", "false", "[0,3] [3,4] [4,9] [9,11] [11,20]"},
        {"Removed", "true", "[3,4] [9,10] [10,11]"},
        {"MergedWithPrevious", "true", "[0,3] [3,9] [9,10] [10,20]"},
        {"MergedWithNext", "true", "[0,4] [4,10] [10,11] [11,20]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const char *step = arena_printf(&kit_arena, "{'type': 'Split', 'pattern': {'String': '-'}, 'behavior': '%s', 'invert': %s}", rows[i].behaviour, rows[i].invert);
        assert_string_equal(cut(step, "the-final--countdown"), rows[i].cut);
        step = arena_printf(&kit_arena, "{'type': 'Split', 'pattern': {'Regex': '-'}, 'behavior': '%s', 'invert': %s}", rows[i].behaviour, rows[i].invert);
        assert_string_equal(cut(step, "the-final--countdown"), rows[i].cut);
    }
}

static void metaspace(void **state) {
    (void)state;
    const char *letters = kit_letters(), *added = "[{'id': 200, 'content': '<m>', 'special': true}]";
    const Encoder *encoder = kit_open(letters, added, "'pre_tokenizer': {'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'always'}");
    assert_string_equal(kit_pieces(encoder, "a b<m>c"), "▁[0,1] a[0,1] ▁[1,2] b[2,3] <m>[3,6] ▁[6,7] c[6,7]");
    assert_string_equal(kit_pieces(encoder, " a"), "▁[0,1] a[1,2]");
    encoder = kit_open(letters, added, "'pre_tokenizer': {'type': 'Metaspace', 'replacement': '▁', 'prepend_scheme': 'first', 'split': false}");
    assert_string_equal(kit_pieces(encoder, "a<m>c"), "▁[0,1] a[0,1] <m>[1,4] c[4,5]");
    encoder = kit_open(letters, "[{'id': 200, 'content': '#', 'special': true}]", "'pre_tokenizer': {'type': 'Metaspace', 'prepend_scheme': 'first'}");
    assert_string_equal(kit_pieces(encoder, "#c"), "#[0,1] c[1,2]"); /* behind a token is not first */
    encoder = kit_open(letters, added, "'pre_tokenizer': {'type': 'Metaspace', 'replacement': '_', 'add_prefix_space': false}");
    assert_string_equal(kit_pieces(encoder, "a b"), "a[0,1] _[1,2] b[2,3]");
    /* where it is cut: a piece of "a▁" is never joined */
    encoder = kit_open("{'type': 'BPE', 'vocab': {'▁': 0, 'a': 1, 'a▁': 2, '▁a': 3}, 'merges': ['a ▁', '▁ a']}", "", "'pre_tokenizer': {'type': 'Metaspace'}");
    assert_string_equal(kit_pieces(encoder, "a a"), "▁a[0,1] ▁a[1,3]");
}

static void byte_level(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), "", "'pre_tokenizer': {'type': 'ByteLevel', 'add_prefix_space': true}, 'decoder': {'type': 'ByteLevel'}");
    assert_string_equal(kit_pieces(encoder, "aé\n"), "Ġ[0,1] a[0,1] Ã[1,3] ©[1,3] Ċ[3,4]");
    assert_string_equal(encoder_kind(encoder), "byte-level BPE");
    encoder = kit_open(kit_letters(), "", "'pre_tokenizer': {'type': 'ByteLevel'}, 'post_processor': {'type': 'ByteLevel'}");
    assert_string_equal(kit_pieces(encoder, " a"), "Ġ[0,0] a[1,2]"); /* nothing but space has no place */
    assert_string_equal(kit_pieces(encoder, "a b"), "Ġ[0,0] a[0,1] Ġ[2,2] b[2,3]");
    encoder = kit_open(kit_letters(), "", "'pre_tokenizer': {'type': 'ByteLevel'}, 'post_processor': {'type': 'ByteLevel', 'trim_offsets': false}");
    assert_string_equal(kit_pieces(encoder, "a b"), "Ġ[0,1] a[0,1] Ġ[1,2] b[2,3]");
}

/* ---- expressions as Oniguruma reads them ---- */

static const char *matches(const char *expression, const char *text) {
    return cut(arena_printf(&kit_arena, "{'type': 'Split', 'pattern': {'Regex': '%s'}, 'behavior': 'Removed', 'invert': true}", expression), text);
}

static void expressions(void **state) {
    (void)state;
    assert_string_equal(matches("\\\\d+", "a12\u0663"), "[1,5]");             /* any decimal digit */
    assert_string_equal(matches("\\\\w+", "a_\u0301!\u2167"), "[0,4] [5,8]"); /* marks and letter numbers too */
    assert_string_equal(matches("[^\\\\w]", "a!"), "[1,2]");
    assert_string_equal(matches("\\\\s", "a\xC2\x85\u180e\u3000"), "[1,3] [6,9]"); /* U+180E is no space */
    assert_string_equal(matches("\\\\S+", " a\u180e "), "[1,5]");
    assert_string_equal(matches("\\\\h+", "xfFgz9"), "[1,3] [5,6]");
    assert_string_equal(matches("\\\\p{^L}+|\\\\p{Letter}", "a12b"), "[0,1] [1,3] [3,4]");
    assert_string_equal(matches("\\\\p{Han}+", "a中文b"), "[1,7]");
    assert_string_equal(matches("\\\\u4e2d", "中文"), "[0,3]");
}

static void more_expressions(void **state) {
    (void)state;
    assert_string_equal(matches("(?i:x)B", "XB xb"), "[0,2]");
    assert_string_equal(matches("a.b", "a\nb a b"), "[4,7]");
    assert_string_equal(matches("(?m:a.b)", "a\nb"), "[0,3]");               /* m: the dot matches all */
    assert_string_equal(matches("^b$", "a\nb\nc"), "[2,3]");                 /* lines */
    assert_string_equal(matches("[a[bc]]+", "abcd"), "[0,3]");               /* a set in a set */
    assert_string_equal(matches("[a[+-]b]+", "+-a,b"), "[0,3] [4,5]");       /* no range from + to b */
    assert_string_equal(matches(" ?[^(\\\\s|[.,!?])]+", "ab, cd!"), "[0,2] [3,6]");
    assert_string_equal(matches("[^\\\\r\\\\n\\\\p{L}]?+[\\\\p{Lu}\\\\p{M}]*[\\\\p{Ll}\\\\p{M}]++|[!#\\\\-./\\\\[\\\\]^_`{|}~][A-Z]+", "aB.C-x"), "[0,1] [2,4] [4,6]");
    assert_string_equal(matches("[a-z&&[^aeiou]]+", "abcde"), "[1,4]");      /* both */
    assert_string_equal(matches("[^a-z&&[b-y]]+", "abyzA"), "[0,1] [3,5]");
    assert_string_equal(matches("[[:digit:]x]+", "a1x"), "[1,3]");
    assert_string_equal(matches("\\\\s+(?!\\\\S)|\\\\s+", "a   b"), "[1,3] [3,4]");
    assert_string_equal(matches("a++b|a", "aab a"), "[0,3] [4,5]");
    assert_string_equal(matches("x*", "axxb"), "[1,3]");                     /* nothing is no piece */
    assert_string_equal(matches("(?<=a)b", "ab b"), "[1,2]");
}

/* What would take for ever is told. */
static void slow_expression(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), "", "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '(a*)*(a*)*(a*)*[bc]'}, 'behavior': 'Isolated'}");
    char text[301];
    memset(text, 'a', 300);
    text[300] = '\0';
    assert_string_equal(kit_pieces(encoder, text), "error: an expression of the tokenizer needs too long for this text");
    assert_string_equal(kit_pieces(encoder, "aab"), "a[0,1] a[1,2] b[2,3]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(merges_by_rank, kit_clear), cmocka_unit_test_teardown(unknown_pieces, kit_clear), cmocka_unit_test_teardown(wordpiece, kit_clear),
        cmocka_unit_test_teardown(unigram, kit_clear),        cmocka_unit_test_teardown(wordlevel, kit_clear), cmocka_unit_test_teardown(places, kit_clear),      cmocka_unit_test_teardown(added_tokens, kit_clear),
        cmocka_unit_test_teardown(normalizers, kit_clear),    cmocka_unit_test_teardown(bert_normalizer, kit_clear), cmocka_unit_test_teardown(pre_tokenizers, kit_clear),
        cmocka_unit_test_teardown(behaviours, kit_clear),     cmocka_unit_test_teardown(metaspace, kit_clear),      cmocka_unit_test_teardown(byte_level, kit_clear),
        cmocka_unit_test_teardown(expressions, kit_clear),    cmocka_unit_test_teardown(more_expressions, kit_clear), cmocka_unit_test_teardown(slow_expression, kit_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
