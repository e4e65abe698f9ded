/* Tokenizers and the text functions under them, on any bytes. The first byte says which tokenizer. */
#include <string.h>

#include "base/str.h"
#include "base/utf8.h"
#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "model/json_text.h"
#include "model/tokenizer.h"

static const char *const texts[] = {
    "0The cat sat on the mat. Don't! well-known <pad> </s> <|end|>", "1\xE7\x8C\xAB\xE5\x9D\x90\xE5\x9C\xA8\xE5\x9E\xAB\xE5\xAD\x90\xE4\xB8\x8A\xE3\x80\x82 the",
    "2CC(=O)Oc1ccccc1C(=O)O[NH4+]%12Cl.Br", "3e\xCC\x81 \xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7 \xE2\x80\x8B\xC2\xA0 \xEF\xBB\xBF",
    "0\r\n\t\v the the the#2 \"quoted\" 3 \"3\"", "4\xC4\xA0the \xE2\x96\x81" "cat \xC4\x8A", NULL};

static const char *const words[] = {
    "Cl", "Br", "%12", "[nH]", "[13C@@H]", "<pad>", "</s>", "n't", "'s", "-", "#2", "\"", "\xE7\x8C\xAB", "\xE5\x9E\xAB\xE5\xAD\x90", "\xE2\x80\x8D", "\xCC\x81",
    "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "\xE2\x80\xAE", "\r\n", "\t", "\xC2\xA0", "\xE3\x80\x80", "\xE1\x84\x80\xE1\x85\xA1\xE1\x86\xA8", "\xEF\xB8\x8F", "dogs", "running",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaing", NULL};

const FuzzTarget fuzz_target = {
    .name = "fuzz_tokens", .cases = 18000, .max = 700, .folders = {"assets/scenarios", NULL}, .suffix = ".yaml", .words = words, .texts = texts};

static void check_label(const Token *token) {
    size_t n = strlen(token->label);
    fuzz_check(n > 0 && utf8_valid_until(token->label, n) == n, "the label of \"%s\"", token->text);
}

/* Tokens are pieces of the text, in order; between them nothing but space (words, smiles) or nothing. */
static void check_pieces(const TokenList *tokens, const char *text, bool spaces_between) {
    size_t length = strlen(text), at = 0;
    for (int i = 0; i <= tokens->n; i++) {
        size_t start = i < tokens->n ? (size_t)tokens->items[i].start : length;
        fuzz_check(start >= at && start <= length, "token %d begins at %zu", i, start);
        while (at < start) fuzz_check(utf8_is_space(utf8_next(text, length, &at)) && spaces_between, "byte %zu of \"%s\" is lost", at, text);
        if (i == tokens->n) break;
        const Token *token = &tokens->items[i];
        size_t n = strlen(token->text);
        fuzz_check(token->end > token->start && (size_t)(token->end - token->start) == n && memcmp(text + start, token->text, n) == 0,
                   "token %d is not its piece of the text", i);
        check_label(token);
        at = (size_t)token->end;
    }
}

static void check_names(const TokenList *tokens, Arena *arena) {
    for (int i = 0; i < tokens->n; i += 1 + tokens->n / 4) {
        int position = -1;
        Err err = {0};
        const char *names[] = {tokens->items[i].text, arena_printf(arena, "\"%s\"", tokens->items[i].text), arena_printf(arena, "%s#2", tokens->items[i].text),
                               arena_printf(arena, "%d", i + 1)};
        for (int n = 0; n < 4; n++) {
            err = (Err){0};
            if (!token_resolve(tokens, names[n], &position, &err)) fuzz_error(&err);
            else fuzz_check(position >= 0 && position < tokens->n, "%s is position %d", names[n], position);
        }
        fuzz_check(position == i, "position %d is not read back", i + 1);
    }
}

static void check_json(const TokenList *tokens, Arena *arena) {
    const char **list = ARENA_ARRAY(arena, const char *, (size_t)tokens->n + 1), **again;
    int n;
    Err err = {0};
    for (int i = 0; i < tokens->n; i++) list[i] = tokens->items[i].text;
    char *json = json_text_list(arena, list, tokens->n);
    fuzz_check(json_text_parse_list(json, tokens->n, "list", arena, &again, &n, &err), "%s: %s", err.message, json);
    fuzz_check(n == tokens->n, "%d labels of %d", n, tokens->n);
    for (int i = 0; i < n; i++) fuzz_check(str_eq(list[i], again[i]), "label %d", i);
}

/* Going forward and back over clusters and words gets somewhere and stays on boundaries. */
static void check_moves(const char *text, size_t length) {
    for (size_t at = 0, next; at < length; at = next) {
        next = utf8_grapheme_next(text, length, at);
        fuzz_check(next > at && next <= length, "a cluster at %zu ends at %zu", at, next);
        fuzz_check(utf8_grapheme_previous(text, length, next) == at, "back from %zu is %zu, not %zu", next, utf8_grapheme_previous(text, length, next), at);
    }
    if (length > 200) return; /* a word before is looked for from the front */
    for (size_t at = 0, next; at < length; at = next) {
        next = utf8_word_next(text, length, at);
        fuzz_check(next > at && next <= length, "a word at %zu ends at %zu", at, next);
        fuzz_check(utf8_word_previous(text, length, next) == at, "back from word end %zu", next);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    FuzzBytes bytes = {data, size, 0};
    Arena arena = {0};
    unsigned which = fuzz_byte(&bytes);
    TokenizerKind kind = (TokenizerKind)(which % TOKENIZER_KIND_COUNT);
    const char *raw = fuzz_rest(&bytes, &arena);
    char *text = utf8_clean(&arena, raw, strlen(raw));
    size_t length = strlen(text);
    fuzz_check(utf8_valid_until(text, length) == length, "clean text is not clean");
    const char *lower = utf8_lower(&arena, text);
    fuzz_check(utf8_valid_until(lower, strlen(lower)) == strlen(lower), "lower case is not UTF-8");
    TokenList tokens;
    Err err = {0};
    if (tokenize(kind, text, which & 8 ? NULL : fuzz_context()->lexicon, &arena, &tokens, &err)) {
        check_pieces(&tokens, text, kind != TOKENIZER_CHARACTERS);
        check_names(&tokens, &arena);
        check_json(&tokens, &arena);
        for (int i = 0; i < tokens.n; i++) fuzz_check(lexicon_features(fuzz_context()->lexicon, tokens.items[i].text) < 128, "features of %s", tokens.items[i].text);
    } else {
        fuzz_error(&err);
    }
    check_moves(text, length);
    arena_free(&arena);
    return 0;
}
