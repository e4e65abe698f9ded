/* The edges of tokenizers: what is put around a text, ids back to text, labels, files that cannot be used, limits. */
#include "model/encoder_kit.h"

#include "base/file.h"

/* ---- post-processors ---- */

static const char around[] =
    "'post_processor': {'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': '<s>', 'type_id': 0}}, {'Sequence': {'id': 'A', 'type_id': 0}}], "
    "'pair': [{'Sequence': {'id': 'B', 'type_id': 1}}, {'SpecialToken': {'id': '<s>', 'type_id': 2}}, {'Sequence': {'id': 'A', 'type_id': 0}}], "
    "'special_tokens': {'<s>': {'id': '<s>', 'ids': [200, 201], 'tokens': ['<s>', '</s>']}}}";
static const char specials[] = "[{'id': 200, 'content': '<s>', 'special': true}, {'id': 201, 'content': '</s>', 'special': true}]";

static void templates(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), specials, around);
    assert_string_equal(kit_pieces(encoder, "ab"), "<s>+ </s>+ a[0,1] b[1,2]");
    assert_string_equal(kit_pieces(encoder, ""), "<s>+ </s>+");
    assert_string_equal(kit_pair(encoder, "a", "b"), "b[0,1]1 <s>+2 </s>+2 a[0,1]0");
    assert_string_equal(kit_pair(encoder, "a", ""), "<s>+2 </s>+2 a[0,1]0");
    Encoding plain;
    Err err = {0};
    assert_true(encoder_encode(encoder, "a", 1, "b", 1, false, &kit_arena, &plain, &err));
    assert_int_equal(plain.n, 2);
    assert_int_equal(plain.source[0], 1);
    assert_int_equal(plain.source[1], 0);
    assert_int_equal(plain.type_ids[0], 1);
}

static void bert_and_roberta(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), specials, "'post_processor': {'type': 'BertProcessing', 'cls': ['<s>', 200], 'sep': ['</s>', 201]}");
    assert_string_equal(kit_pair(encoder, "a", "b"), "<s>+0 a[0,1]0 </s>+0 b[0,1]1 </s>+1");
    assert_string_equal(kit_pieces(encoder, "a"), "<s>+ a[0,1] </s>+");
    encoder = kit_open(kit_letters(), specials, "'post_processor': {'type': 'RobertaProcessing', 'cls': ['<s>', 200], 'sep': ['</s>', 201]}");
    assert_string_equal(kit_pair(encoder, "a", "b"), "<s>+0 a[0,1]0 </s>+0 </s>+0 b[0,1]0 </s>+0");
    encoder = kit_open(kit_letters(), specials, arena_printf(&kit_arena, "'post_processor': {'type': 'Sequence', 'processors': [{'type': 'ByteLevel'}, %s]}", strchr(around, '{')));
    assert_string_equal(kit_pieces(encoder, "a"), "<s>+ </s>+ a[0,1]");
    encoder = kit_open(kit_letters(), "", ""); /* nothing is put in: the second text has type 1 */
    assert_string_equal(kit_pair(encoder, "a", "b"), "a[0,1]0 b[0,1]1");
}

/* ---- back to text ---- */

static void byte_labels(void **state) {
    (void)state;
    /* Ġ = space, ä½ł = the bytes of 你, ä½ = the first two of them, Ā = 0 */
    const Encoder *encoder = kit_open("{'type': 'BPE', 'merges': [], 'vocab': {'Ġcat': 0, 'ä½ł': 1, 'ä½': 2, 'ł': 3, 'Ċ': 4, 'Ā': 5, 'Ġä': 6, 'Ã©a': 7, 'ï¿½': 8}}", specials,
                                      "'pre_tokenizer': {'type': 'ByteLevel'}, 'decoder': {'type': 'ByteLevel'}");
    static const struct { int id; const char *text, *label; } rows[] = {
        {0, " cat", "␣cat"}, {1, "你", "你"}, {2, "<0xE4><0xBD>", "<0xE4><0xBD>"}, {3, "<0xA0>", "<0xA0>"}, {4, "\n", "⏎"}, {5, "<0x00>", "␀"},
        {6, " <0xE4>", "␣<0xE4>"}, {7, "éa", "éa"}, {8, "\uFFFD", "\uFFFD"}, {200, "<s>", "<s>"}, {9, "", ""}, {-1, "", ""}, {100000, "", ""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        assert_string_equal(encoder_text(encoder, rows[i].id, &kit_arena), rows[i].text);
        assert_string_equal(encoder_label(encoder, rows[i].id, &kit_arena), rows[i].label);
    }
    const int whole[] = {200, 0, 2, 3, 0, 2}; /* the last character is cut off */
    assert_string_equal(encoder_decode(encoder, whole, 6, &kit_arena), " cat你 cat\uFFFD\uFFFD");
    encoder = kit_open("{'type': 'BPE', 'merges': [], 'vocab': {'Ġcat': 0}}", "", "'pre_tokenizer': {'type': 'ByteLevel'}"); /* no decoder is named */
    assert_string_equal(encoder_text(encoder, 0, &kit_arena), " cat");
}

static void fallback_labels(void **state) {
    (void)state;
    const Encoder *encoder = kit_open("{'type': 'BPE', 'merges': [], 'byte_fallback': true, 'vocab': {'▁ca': 0, 't': 1, '<0xE4>': 2, '<0xBD>': 3, '<0xA0>': 4, '<0x0A>': 5, '▁': 6, '<0xZZ>': 7}}", specials,
                                      "'decoder': {'type': 'Sequence', 'decoders': [{'type': 'Replace', 'pattern': {'String': '▁'}, 'content': ' '}, {'type': 'ByteFallback'}, "
                                      "{'type': 'Fuse'}, {'type': 'Strip', 'content': ' ', 'start': 1, 'stop': 0}]}");
    assert_string_equal(encoder_text(encoder, 0, &kit_arena), " ca");
    assert_string_equal(encoder_label(encoder, 0, &kit_arena), "␣ca");
    assert_string_equal(encoder_text(encoder, 2, &kit_arena), "<0xE4>");
    assert_string_equal(encoder_label(encoder, 5, &kit_arena), "⏎");
    assert_string_equal(encoder_label(encoder, 6, &kit_arena), "␣");
    assert_string_equal(encoder_text(encoder, 7, &kit_arena), "<0xZZ>");
    const int ids[] = {200, 0, 1, 2, 3, 4, 6, 201};
    assert_string_equal(encoder_decode(encoder, ids, 8, &kit_arena), "cat你 "); /* the space in front of the whole goes */
}

static void other_labels(void **state) {
    (void)state;
    const Encoder *encoder = kit_open("{'type': 'WordPiece', 'unk_token': '[UNK]', 'vocab': {'[UNK]': 0, 'play': 1, '##ing': 2, '.': 3}}", "", "'decoder': {'type': 'WordPiece'}");
    assert_string_equal(encoder_text(encoder, 1, &kit_arena), " play");
    assert_string_equal(encoder_text(encoder, 2, &kit_arena), "ing");
    assert_string_equal(encoder_text(encoder, 3, &kit_arena), ".");
    assert_string_equal(encoder_label(encoder, 2, &kit_arena), "##ing");
    const int ids[] = {1, 2, 1, 3};
    assert_string_equal(encoder_decode(encoder, ids, 4, &kit_arena), "playing play.");
    encoder = kit_open(kit_letters(), "", "'decoder': {'type': 'Metaspace'}");
    const int spaced[] = {encoder_find(encoder, "▁"), encoder_find(encoder, "a"), encoder_find(encoder, "▁"), encoder_find(encoder, "b")};
    assert_string_equal(encoder_decode(encoder, spaced, 4, &kit_arena), "a b");
    assert_string_equal(encoder_text(encoder, spaced[0], &kit_arena), " ");
    encoder = kit_open("{'type': 'BPE', 'merges': [], 'vocab': {'a</w>': 0, 'b': 1}}", "", "'decoder': {'type': 'BPEDecoder'}");
    assert_string_equal(encoder_text(encoder, 0, &kit_arena), "a ");
    encoder = kit_open("{'type': 'BPE', 'merges': [], 'vocab': {'A': 0}}", "", "");
    assert_string_equal(encoder_text(encoder, 0, &kit_arena), "A");
}

/* ---- files that cannot be used ---- */

static void refused(void **state) {
    (void)state;
    static const char good[] = "{'type': 'BPE', 'vocab': {'a': 0}, 'merges': []}";
    static const struct { const char *model, *added, *sections, *key, *says; } rows[] = {
        {"5", "", "", "model", "found 5; an object is expected"},
        {"{'type': 'Magic'}", "", "", "model.type", "found \"Magic\"; known are BPE, WordPiece, Unigram, WordLevel"},
        {"{'type': 'BPE'}", "", "", "model.vocab", "found nothing; an object is expected"},
        {"{'type': 'BPE', 'vocab': {'a': 0}}", "", "", "model.merges", "found nothing; a list is expected"},
        {"{'type': 'BPE', 'vocab': {'a': -1}, 'merges': []}", "", "", "model.vocab", "the id of \"a\" is -1"},
        {"{'type': 'BPE', 'vocab': {'a': 1.5}, 'merges': []}", "", "", "model.vocab", "the id of \"a\" is 1.5"},
        {"{'type': 'BPE', 'vocab': {'a': 16777216}, 'merges': []}", "", "", "model.vocab", "the id of \"a\" is 16777216"},
        {"{'type': 'BPE', 'vocab': {'a': 9000000}, 'merges': []}", "", "", "model.vocab", "close together"},
        {"{'type': 'BPE', 'vocab': {'a': 'x'}, 'merges': []}", "", "", "model.vocab", "the id of \"a\" is a string"},
        {"{'type': 'BPE', 'vocab': {'a': 3, 'b': 3}, 'merges': []}", "", "", "model.vocab", "\"a\" and \"b\" have the same id 3"},
        {"{'type': 'BPE', 'vocab': {'a': 0}, 'merges': ['a b']}", "", "", "model.merges", "merge 1 joins \"b\", which the vocabulary has not"},
        {"{'type': 'BPE', 'vocab': {'a': 0}, 'merges': ['a a']}", "", "", "model.merges", "merge 1 makes a piece that the vocabulary has not"},
        {"{'type': 'BPE', 'vocab': {'a': 0, 'aa': 1}, 'merges': ['a a', 'aaa']}", "", "", "model.merges", "merge 2 is \"aaa\"; two pieces"},
        {"{'type': 'BPE', 'vocab': {'a': 0}, 'merges': [7]}", "", "", "model.merges", "found 7"},
        {"{'type': 'BPE', 'vocab': {'a': 0}, 'merges': [], 'fuse_unk': 1}", "", "", "model.fuse_unk", "found 1; true or false is expected"},
        {"{'type': 'WordPiece', 'vocab': {}, 'max_input_chars_per_word': -5}", "", "", "model.max_input_chars_per_word", "found -5; a whole number from 0 to"},
        {"{'type': 'Unigram', 'vocab': [['a']]}", "", "", "model.vocab[0]", "[piece, score] is expected"},
        {"{'type': 'Unigram', 'vocab': [['a', 1]], 'unk_id': 1}", "", "", "model.unk_id", "found 1; a whole number from 0 to 0"},
        {good, "{}", "", "added_tokens", "a list is expected"},
        {good, "[3]", "", "added_tokens[0]", "an object with id and content"},
        {good, "[{'id': 1}]", "", "added_tokens[0].content", "a string is expected"},
        {good, "[{'content': 'x'}]", "", "added_tokens[0].id", "\"x\" has no id"},
        {good, "[{'content': 'x', 'id': 99999999}]", "", "added_tokens[0].id", "found 99999999"},
        {good, "", "'normalizer': {'type': 'NFX'}", "normalizer.type", "found \"NFX\"; known are Sequence, BertNormalizer, ByteLevel"},
        {good, "", "'normalizer': {}", "normalizer.type", "found nothing; a string is expected"},
        {good, "", "'normalizer': {'type': 'Sequence'}", "normalizer.normalizers", "found nothing; a list is expected"},
        {good, "", "'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFC'}, {'type': 'Prepend'}]}", "normalizer.normalizers[1].prepend", "found nothing"},
        {good, "", "'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': '!'}", "normalizer.precompiled_charsmap", "not base64"},
        {good, "", "'normalizer': {'type': 'Precompiled', 'precompiled_charsmap': 'AAEAAAA='}", "normalizer.precompiled_charsmap", "its tree has 256 bytes; it has 5 in all"},
        {good, "", "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '('}, 'behavior': 'Removed'}", "pre_tokenizer.pattern", "the expression \"(\" cannot be used"},
        {good, "", "'pre_tokenizer': {'type': 'Split', 'pattern': {'Regex': '[a'}, 'behavior': 'Removed'}", "pre_tokenizer.pattern", "a set does not end"},
        {good, "", "'pre_tokenizer': {'type': 'Split', 'pattern': 4, 'behavior': 'Removed'}", "pre_tokenizer.pattern", "found 4"},
        {good, "", "'pre_tokenizer': {'type': 'Split', 'pattern': {'String': 'a'}, 'behavior': 'Eaten'}", "pre_tokenizer.behavior", "known are Removed, Isolated, MergedWithPrevious"},
        {good, "", "'pre_tokenizer': {'type': 'Metaspace', 'prepend_scheme': 'often'}", "pre_tokenizer.prepend_scheme", "known are always, first, never"},
        {good, "", "'post_processor': {'type': 'TemplateProcessing', 'single': [{'SpecialToken': {'id': 'x'}}]}", "post_processor.single[0]", "special_tokens has no ids for \"x\""},
        {good, "", "'post_processor': {'type': 'TemplateProcessing', 'single': [{'Sequence': {'id': 'C'}}]}", "post_processor.single[0].id", "found \"C\"; A or B"},
        {good, "", "'post_processor': {'type': 'BertProcessing', 'cls': ['x', 5], 'sep': ['y', 0]}", "post_processor", "it adds the id 5, which the vocabulary has not"},
        {good, "", "'post_processor': {'type': 'BertProcessing', 'cls': 'x', 'sep': ['y', 0]}", "post_processor.cls", "[\"token\", id] is expected"},
        {good, "", "'decoder': {'type': 'Undo'}", "decoder.type", "found \"Undo\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) kit_refused(kit_json(rows[i].model, rows[i].added, rows[i].sections), rows[i].key, rows[i].says);
    kit_refused("[]", "", "found a list; an object is expected");
    kit_refused("{\"model\": tru}", "", "a value is expected");
}

static void deep_sequences(void **state) {
    (void)state;
    static const struct { int depth; const char *says; } rows[] = {{17, "more than 16 deep"}, {100, "too deeply"}};
    for (size_t r = 0; r < 2; r++) {
        StrBuf sb;
        sb_init(&sb, &kit_arena);
        for (int i = 0; i < rows[r].depth; i++) sb_add(&sb, "{'type': 'Sequence', 'normalizers': [");
        sb_add(&sb, "{'type': 'NFC'}");
        for (int i = 0; i < rows[r].depth; i++) sb_add(&sb, "]}");
        const char *json = kit_json("{'type': 'BPE', 'vocab': {'a': 0}, 'merges': []}", "", arena_printf(&kit_arena, "'normalizer': %s", sb.data));
        Encoder *encoder;
        Err err = {0};
        assert_false(encoder_open_text(json, strlen(json), "kit", &kit_arena, &encoder, &err));
        assert_non_null(strstr(err.message, rows[r].says));
    }
}

static void folders(void **state) {
    (void)state;
    const char *folder = arena_strdup(&kit_arena, scratch_folder("encoder_folders"));
    Encoder *encoder;
    Err err = {0};
    assert_false(encoder_open(folder, &kit_arena, &encoder, &err));
    assert_int_equal(err.code, ERR_IO);
    assert_non_null(strstr(err.message, "tokenizer.json"));
    assert_non_null(strstr(err.message, "vocab.txt"));
    err = (Err){0};
    assert_true(file_write(path_join(&kit_arena, folder, "tokenizer.json"), "{\n \"model\": x}", 14, &err));
    assert_false(encoder_open(folder, &kit_arena, &encoder, &err));
    assert_non_null(strstr(err.file, "encoder_folders/tokenizer.json"));
    assert_int_equal(err.line, 2);
    file_remove(path_join(&kit_arena, folder, "tokenizer.json"));
    err = (Err){0};
    assert_true(file_write(path_join(&kit_arena, folder, "vocab.json"), "{\"a\": 0}", 8, &err));
    assert_true(file_write(path_join(&kit_arena, folder, "merges.txt"), "#version: 0.2\na b\n", 18, &err));
    assert_false(encoder_open(folder, &kit_arena, &encoder, &err));
    assert_non_null(strstr(err.file, "merges.txt"));
    assert_non_null(strstr(err.message, "merge 1 joins \"b\""));
}

/* ---- limits ---- */

static void bad_text(void **state) {
    (void)state;
    const Encoder *encoder = kit_open(kit_letters(), "", "");
    assert_non_null(strstr(kit_pieces(encoder, "a\xff"), "byte 2 (0xFF) is not UTF-8"));
    Encoding found;
    Err err = {0};
    char *text = arena_alloc(&kit_arena, TEXT_MAX + 1, 1);
    memset(text, 'a', TEXT_MAX + 1);
    assert_true(encoder_encode(encoder, text, TOKENS_MAX, NULL, 0, true, &kit_arena, &found, &err));
    assert_int_equal(found.n, TOKENS_MAX);
    assert_false(encoder_encode(encoder, text, TOKENS_MAX + 1, NULL, 0, true, &kit_arena, &found, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    assert_int_equal(found.n, 0);
    err = (Err){0};
    assert_false(encoder_encode(encoder, text, TEXT_MAX + 1, NULL, 0, true, &kit_arena, &found, &err));
    assert_int_equal(err.code, ERR_LIMIT);
    err = (Err){0}; /* a million letters that all join to a few tokens: quickly, or not at all in the time of a test */
    encoder = kit_open("{'type': 'BPE', 'vocab': {'a': 0, 'aa': 1, 'aaaa': 2, 'aaaaaaaa': 3, 'aaaaaaaaaaaaaaaa': 4, 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': 5, "
                       "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa': 6}, 'merges': ['a a', 'aa aa', 'aaaa aaaa', 'aaaaaaaa aaaaaaaa', "
                       "'aaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaa', 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa']}", "", "");
    assert_true(encoder_encode(encoder, text, 64 * TOKENS_MAX, NULL, 0, true, &kit_arena, &found, &err));
    assert_int_equal(found.n, TOKENS_MAX);
    assert_false(encoder_encode(encoder, text, TEXT_MAX, NULL, 0, true, &kit_arena, &found, &err));
    assert_int_equal(err.code, ERR_LIMIT);
}

/* A normalizer that makes much of little is stopped. */
static void growing_text(void **state) {
    (void)state;
    char content[2001];
    memset(content, 'a', 2000);
    content[2000] = '\0';
    const Encoder *encoder = kit_open(kit_letters(), "", arena_printf(&kit_arena, "'normalizer': {'type': 'Sequence', 'normalizers': ["
        "{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': '%s'}, {'type': 'Replace', 'pattern': {'String': 'a'}, 'content': '%s'}, "
        "{'type': 'Replace', 'pattern': {'String': 'a'}, 'content': '%s'}]}", content, content, content));
    assert_non_null(strstr(kit_pieces(encoder, "a"), "the tokenizer makes too much of this text"));
    assert_string_equal(kit_pieces(encoder, "b"), "b[0,1]");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(templates, kit_clear),       cmocka_unit_test_teardown(bert_and_roberta, kit_clear), cmocka_unit_test_teardown(byte_labels, kit_clear),
        cmocka_unit_test_teardown(fallback_labels, kit_clear), cmocka_unit_test_teardown(other_labels, kit_clear),     cmocka_unit_test_teardown(refused, kit_clear),
        cmocka_unit_test_teardown(deep_sequences, kit_clear),  cmocka_unit_test_teardown(folders, kit_clear),          cmocka_unit_test_teardown(bad_text, kit_clear),
        cmocka_unit_test_teardown(growing_text, kit_clear),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
