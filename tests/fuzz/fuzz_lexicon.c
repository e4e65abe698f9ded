/* The lexicon's file. */
#include <string.h>

#include "base/str.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "model/lexicon.h"

static const char *const texts[] = {
    "# words\ncat\tnoun animate\nsat\tverb\nthe\tdet\ncats\tnoun animate plural\n\xE7\x8C\xAB\tnoun animate\n\nquickly\tmodif\non\tprep\n",
    "a\tdet\r\nb\tnoun\r\n", NULL};
static const char *const words[] = {"noun", "verb", "det", "modif", "prep", "animate", "plural", "\t", "cat\tnoun\n", "CAT\tnoun\n", "\xC3\x84\tnoun\n", "cat", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_lexicon", .cases = 400000, .max = 3000, .words = words, .texts = texts};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const asked[] = {"cat", "Cat", "CATS", "dogs", "running", "", "-", "<pad>", "\xE7\x8C\xAB", "\xC3\x84", "ies", "s", "ly"};
    Arena arena = {0};
    Lexicon *lexicon = NULL;
    Err err = {0};
    if (!lexicon_parse((const char *)data, size, "words", &arena, &lexicon, &err)) {
        fuzz_error(&err);
        fuzz_check(str_eq(err.file, "words"), "an error without its file");
    }
    for (size_t i = 0; lexicon && i < sizeof asked / sizeof *asked; i++) {
        size_t n = strlen(asked[i]);
        int bits = lexicon_features(lexicon, asked[i]);
        fuzz_check(bits >= 0 && bits < 128, "features of %s: %d", asked[i], bits);
        fuzz_check(lexicon_find(lexicon, asked[i], n) < 128, "%s", asked[i]);
        fuzz_check(lexicon_longest(lexicon, asked[i], n) <= n, "longest of %s", asked[i]);
    }
    arena_free(&arena);
    return 0;
}
