/* The reader of tokenizer.json, and encoding of texts with what it accepts: good ones, bad UTF-8, bytes of the file itself. */
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "model/encoder.h"

static const char *const words[] = {
    "\"model\"", "\"added_tokens\"", "\"normalizer\"", "\"pre_tokenizer\"", "\"post_processor\"", "\"decoder\"", "\"type\"", "\"vocab\"", "\"merges\"", "\"unk_token\"", "\"unk_id\"",
    "\"fuse_unk\"", "\"byte_fallback\"", "\"ignore_merges\"", "\"continuing_subword_prefix\"", "\"end_of_word_suffix\"", "\"max_input_chars_per_word\"", "\"BPE\"", "\"WordPiece\"",
    "\"Unigram\"", "\"WordLevel\"", "\"Sequence\"", "\"normalizers\"", "\"pretokenizers\"", "\"processors\"", "\"decoders\"", "\"NFC\"", "\"NFD\"", "\"NFKC\"", "\"NFKD\"", "\"Lowercase\"", "\"Strip\"",
    "\"StripAccents\"", "\"Replace\"", "\"Prepend\"", "\"BertNormalizer\"", "\"Nmt\"", "\"ByteLevel\"", "\"Precompiled\"", "\"Whitespace\"", "\"WhitespaceSplit\"", "\"BertPreTokenizer\"", "\"Metaspace\"",
    "\"Split\"", "\"Punctuation\"", "\"Digits\"", "\"CharDelimiterSplit\"", "\"FixedLength\"", "\"TemplateProcessing\"", "\"BertProcessing\"", "\"RobertaProcessing\"", "\"Fuse\"", "\"ByteFallback\"",
    "\"BPEDecoder\"", "\"CTC\"", "\"Regex\"", "\"String\"", "\"pattern\"", "\"content\"", "\"behavior\"", "\"invert\"", "\"Removed\"", "\"Isolated\"", "\"MergedWithNext\"", "\"MergedWithPrevious\"",
    "\"Contiguous\"", "\"special\"", "\"lstrip\"", "\"rstrip\"", "\"single_word\"", "\"normalized\"", "\"trim_offsets\"", "\"add_prefix_space\"", "\"use_regex\"", "\"prepend_scheme\"", "\"first\"",
    "\"SpecialToken\"", "\"ids\"", "\"A\"", "\"B\"", "true", "false", "null", "0", "-1", "16777215", "4294967296", "1e308", "0.5", "\\u0000", "\\ud83d\\ude00", "\\ud800", "[^\\\\s\\\\p{L}]+", "(?!\\\\S)",
    "(?i:x)", "[a-z&&[^b]]", "(a*)*b", "\\\\p{Han}", "{2,}", "\u2581", "\u0120", "<0x41>", "</w>", "##", "{}", "[]", ",", ":", NULL};

static const char *const texts[] = {
    "{\"model\":{\"type\":\"BPE\",\"unk_token\":\"?\",\"fuse_unk\":true,\"byte_fallback\":true,\"vocab\":{\"?\":0,\"a\":1,\"b\":2,\"ab\":3,\"\u2581\":4,\"\u2581a\":5,\"<0x0A>\":6},\"merges\":[\"a b\",[\"\u2581\",\"a\"]]},"
    "\"added_tokens\":[{\"id\":7,\"content\":\"<s>\",\"special\":true,\"lstrip\":true,\"rstrip\":true},{\"id\":8,\"content\":\"x\",\"single_word\":true}],"
    "\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"NFKC\"},{\"type\":\"Replace\",\"pattern\":{\"Regex\":\" {2,}|\\\\n\"},\"content\":\" \"},{\"type\":\"Prepend\",\"prepend\":\"\u2581\"},{\"type\":\"Strip\"}]},"
    "\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Metaspace\",\"prepend_scheme\":\"first\"},{\"type\":\"Split\",\"pattern\":{\"Regex\":\"[^\\\\r\\\\n\\\\p{L}]?\\\\p{L}+|\\\\s+\"},\"behavior\":\"MergedWithNext\",\"invert\":true}]},"
    "\"post_processor\":{\"type\":\"TemplateProcessing\",\"single\":[{\"SpecialToken\":{\"id\":\"<s>\",\"type_id\":0}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],\"pair\":[{\"Sequence\":{\"id\":\"B\",\"type_id\":1}},{\"Sequence\":{\"id\":\"A\",\"type_id\":0}}],"
    "\"special_tokens\":{\"<s>\":{\"id\":\"<s>\",\"ids\":[7],\"tokens\":[\"<s>\"]}}},\"decoder\":{\"type\":\"Sequence\",\"decoders\":[{\"type\":\"Replace\",\"pattern\":{\"String\":\"\u2581\"},\"content\":\" \"},{\"type\":\"ByteFallback\"},{\"type\":\"Fuse\"},{\"type\":\"Strip\",\"content\":\" \",\"start\":1}]}}",
    "{\"model\":{\"type\":\"Unigram\",\"unk_id\":0,\"vocab\":[[\"?\",0],[\"a\",-1],[\"b\",-1],[\"ab\",-2],[\"\u2581\",-3]]},\"normalizer\":{\"type\":\"Sequence\",\"normalizers\":[{\"type\":\"Nmt\"},{\"type\":\"NFD\"},{\"type\":\"StripAccents\"},"
    "{\"type\":\"Precompiled\",\"precompiled_charsmap\":\"CAAAAAAEAAAAAAAAYQBiAA==\"}]},\"pre_tokenizer\":{\"type\":\"Metaspace\",\"replacement\":\"\u2581\",\"add_prefix_space\":true},\"decoder\":{\"type\":\"Metaspace\"}}",
    "{\"model\":{\"type\":\"WordPiece\",\"unk_token\":\"[UNK]\",\"max_input_chars_per_word\":100,\"vocab\":{\"[UNK]\":0,\"a\":1,\"##b\":2,\"[CLS]\":3}},\"added_tokens\":[{\"id\":3,\"content\":\"[CLS]\",\"special\":true}],\"normalizer\":{\"type\":\"BertNormalizer\",\"strip_accents\":null},"
    "\"pre_tokenizer\":{\"type\":\"BertPreTokenizer\"},\"post_processor\":{\"type\":\"BertProcessing\",\"cls\":[\"[CLS]\",3],\"sep\":[\"[CLS]\",3]},\"decoder\":{\"type\":\"WordPiece\",\"prefix\":\"##\",\"cleanup\":true}}",
    "{\"model\":{\"type\":\"WordLevel\",\"unk_token\":\"?\",\"vocab\":{\"?\":0,\"a\":2}},\"pre_tokenizer\":{\"type\":\"Sequence\",\"pretokenizers\":[{\"type\":\"Whitespace\"},{\"type\":\"Punctuation\",\"behavior\":\"Contiguous\"},{\"type\":\"Digits\",\"individual_digits\":true},"
    "{\"type\":\"CharDelimiterSplit\",\"delimiter\":\"_\"},{\"type\":\"FixedLength\",\"length\":3}]}}",
    "{\"model\":{\"type\":\"BPE\",\"vocab\":{\"\u0120\":0,\"a\":1,\"\u0120a\":2,\"<s>\":3},\"merges\":[\"\u0120 a\"],\"continuing_subword_prefix\":\"\",\"end_of_word_suffix\":\"\"},\"pre_tokenizer\":{\"type\":\"ByteLevel\",\"add_prefix_space\":true},"
    "\"post_processor\":{\"type\":\"RobertaProcessing\",\"cls\":[\"<s>\",3],\"sep\":[\"<s>\",3],\"trim_offsets\":true},\"decoder\":{\"type\":\"ByteLevel\"}}",
    NULL};

const FuzzTarget fuzz_target = {
    .name = "fuzz_encoder", .cases = 100000, .max = 9000, .folders = {"tests/data/models/tiny-gpt2", "tests/data/models/tiny-bert-mlm", "tests/data/models/tiny-marian", NULL},
    .suffix = "tokenizer.json", .words = words, .texts = texts};

static bool begins(const char *text, int at, size_t length) {
    return at == (int)length || ((unsigned char)text[at] & 0xC0) != 0x80;
}

static void check_tokens(const Encoder *encoder, const Encoding *found, const char *text, size_t length, const char *pair, size_t pair_length, Arena *arena) {
    fuzz_check(found->n >= 0 && found->n <= TOKENS_MAX, "%d tokens", found->n);
    for (int i = 0; i < found->n; i++) {
        const char *from = found->source[i] == 1 ? pair : text;
        size_t size = found->source[i] == 1 ? pair_length : length;
        int start = found->start[i], end = found->end[i];
        fuzz_check(found->ids[i] >= 0 && found->ids[i] < encoder_size(encoder), "id %d of %d", found->ids[i], encoder_size(encoder));
        fuzz_check(found->added[i] == (found->source[i] < 0), "token %d", i);
        if (found->added[i]) continue;
        fuzz_check(from != NULL && start >= 0 && start <= end && (size_t)end <= size, "token %d lies at %d-%d of %zu", i, start, end, size);
        fuzz_check(found->char_start[i] >= 0 && found->char_start[i] <= found->char_end[i] && (size_t)found->char_end[i] <= size, "token %d", i);
        fuzz_check(begins(from, start, size) || end - start < 4, "token %d begins inside a character", i);
        const char *label = encoder_label(encoder, found->ids[i], arena), *said = encoder_text(encoder, found->ids[i], arena);
        fuzz_check(utf8_valid_until(label, strlen(label)) == strlen(label), "the label of %d is not UTF-8", found->ids[i]);
        fuzz_check(utf8_valid_until(said, strlen(said)) == strlen(said), "the text of %d is not UTF-8", found->ids[i]);
    }
    const char *whole = encoder_decode(encoder, found->ids, found->n, arena);
    fuzz_check(utf8_valid_until(whole, strlen(whole)) == strlen(whole), "decoded text is not UTF-8");
}

/* False: there is no use in more texts. */
static bool encode(const Encoder *encoder, const char *text, size_t length, const char *pair, size_t pair_length) {
    Arena arena = {0};
    bool on = true;
    for (int special = 0; special < 2 && on; special++) {
        Encoding found;
        Err err = {0};
        if (encoder_encode(encoder, text, length, pair, pair_length, special, &arena, &found, &err)) {
            check_tokens(encoder, &found, text, length, pair, pair_length, &arena);
        } else {
            fuzz_error(&err);
            fuzz_check(found.n == 0, "tokens beside an error");
            on = err.code != ERR_LIMIT;
        }
    }
    arena_free(&arena);
    return on;
}

static void encode_all(const Encoder *encoder, const char *data, size_t size) {
    static const char mixed[] = "The cat \0 sat\n\nab aba <s> x 12\u4f60\u597d e\u0301\ufb01\u00bd \U0001F600 \u2581a \u0120\t  don't_A";
    size_t part = size > 400 ? 400 : size, middle = size / 2, behind = size - middle > 200 ? 200 : size - middle;
    bool on = encode(encoder, mixed, sizeof mixed - 1, NULL, 0) && encode(encoder, "", 0, "a b", 3) && encode(encoder, data, part, NULL, 0);
    on = on && encode(encoder, data + middle, behind, data, part / 4) && encode(encoder, "\xff\xc3", 2, NULL, 0);
    for (int id = -1; on && id <= encoder_size(encoder) && id < 40; id++) {
        Arena arena = {0};
        fuzz_check(encoder_piece(encoder, id) != NULL && encoder_text(encoder, id, &arena) != NULL && encoder_label(encoder, id, &arena) != NULL, "id %d", id);
        arena_free(&arena);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    Arena arena = {0};
    Encoder *encoder;
    Err err = {0};
    if (encoder_open_text((const char *)data, size, "input", &arena, &encoder, &err)) {
        encode_all(encoder, (const char *)data, size);
    } else {
        fuzz_error(&err);
        fuzz_check(str_eq(err.file, "input"), "an error without its file: %s", err.message);
        fuzz_check(encoder == NULL, "an encoder beside an error");
    }
    arena_free(&arena);
    return 0;
}
