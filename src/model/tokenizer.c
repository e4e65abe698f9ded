#include "model/tokenizer.h"

#include <assert.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

const char *const tokenizer_names[] = {
    [TOKENIZER_WORDS] = "words", [TOKENIZER_CHARACTERS] = "characters", [TOKENIZER_SMILES] = "smiles"};
static_assert(sizeof tokenizer_names / sizeof *tokenizer_names == TOKENIZER_KIND_COUNT, "one name a tokenizer");

/* How far a token that needs its end is looked for, so that a long text stays quick. */
enum { MARK_BYTES_MAX = 40, CJK_WORD_BYTES_MAX = 64, ATOM_BYTES_MAX = 64 };

/* Typed text and how far it has been read. */
typedef struct {
    const char *text;
    size_t length;
    const Lexicon *lexicon; /* may be NULL: no word list */
} Typed;

static uint32_t peek(const Typed *t, size_t pos) {
    return utf8_next(t->text, t->length, &pos);
}

/* Each cutter returns the end of the token that begins at `pos`. */

/* ---- words ---- */

/* End of "<pad>", "</s>", "<|end|>" at `pos`; `pos` when there is none. */
static size_t mark_end(const Typed *t, size_t pos) {
    if (t->text[pos] != '<') return pos;
    for (size_t i = pos + 1; i < t->length && i - pos < MARK_BYTES_MAX; i++) {
        unsigned char c = (unsigned char)t->text[i];
        if (c == '>') return i > pos + 1 ? i + 1 : pos;
        bool letter = (c | 32) >= 'a' && (c | 32) <= 'z';
        bool other = (c >= '0' && c <= '9') || c == '_' || c == '|' || c == '-' || c >= 0x80;
        if (!letter && !other && !(c == '/' && i == pos + 1)) return pos;
    }
    return pos;
}

static bool is_word_part(uint32_t c) {
    return !utf8_is_space(c) && !utf8_is_punctuation(c) && !utf8_is_cjk(c);
}

/* Apostrophes and hyphens that join the two sides of one word: don't, well-known. */
static bool is_joint(uint32_t c) {
    return c == '\'' || c == 0x2019 || c == '-' || c == 0x2010 || c == 0x2011;
}

static size_t latin_end(const Typed *t, size_t pos) {
    while (pos < t->length) {
        size_t next = pos;
        uint32_t c = utf8_next(t->text, t->length, &next);
        bool joins = is_joint(c) && next < t->length && is_word_part(peek(t, next));
        if (!is_word_part(c) && !joins) break;
        pos = utf8_grapheme_next(t->text, t->length, pos);
    }
    return pos;
}

static size_t cjk_end(const Typed *t, size_t pos) {
    size_t run = pos, next = pos;
    while (next < t->length && next - pos < CJK_WORD_BYTES_MAX && utf8_is_cjk(utf8_next(t->text, t->length, &next))) run = next;
    size_t known = t->lexicon != NULL ? lexicon_longest(t->lexicon, t->text + pos, run - pos) : 0;
    size_t one = utf8_grapheme_next(t->text, t->length, pos);
    return pos + known > one ? pos + known : one;
}

static size_t word_end(const Typed *t, size_t pos) {
    size_t mark = mark_end(t, pos);
    if (mark > pos) return mark;
    uint32_t c = peek(t, pos);
    if (utf8_is_cjk(c)) return cjk_end(t, pos);
    if (utf8_is_punctuation(c)) return utf8_grapheme_next(t->text, t->length, pos);
    return latin_end(t, pos);
}

/* ---- characters ---- */

static size_t character_end(const Typed *t, size_t pos) {
    return utf8_grapheme_next(t->text, t->length, pos);
}

/* ---- SMILES (Weininger 1988; OpenSMILES 2007) ---- */

static bool is_digit(const Typed *t, size_t pos) {
    return pos < t->length && t->text[pos] >= '0' && t->text[pos] <= '9';
}

/* Bytes of "[NH4+]"; 0 when the bracket does not close. */
static size_t bracket_end(const char *p) {
    for (size_t i = 1; i < ATOM_BYTES_MAX && p[i] != '\0' && strchr(" \t\r\n", p[i]) == NULL; i++)
        if (p[i] == ']') return i + 1;
    return 0;
}

static size_t smiles_end(const Typed *t, size_t pos) {
    const char *p = t->text + pos;
    if (p[0] == '[' && bracket_end(p) > 0) return pos + bracket_end(p);
    if ((p[0] == 'C' && p[1] == 'l') || (p[0] == 'B' && p[1] == 'r')) return pos + 2;
    if (p[0] == '%' && is_digit(t, pos + 1) && is_digit(t, pos + 2)) return pos + 3;
    return utf8_grapheme_next(t->text, t->length, pos);
}

/* ---- the table of tokenizers ---- */

typedef struct {
    size_t (*end)(const Typed *t, size_t pos);
    bool spaces; /* spaces are tokens; else they part tokens */
} Cutter;

static const Cutter cutters[] = {
    [TOKENIZER_WORDS] = {word_end, false},
    [TOKENIZER_CHARACTERS] = {character_end, true},
    [TOKENIZER_SMILES] = {smiles_end, false},
};
static_assert(sizeof cutters / sizeof *cutters == TOKENIZER_KIND_COUNT, "one cutter a tokenizer");

static size_t skip_spaces(const Typed *t, size_t pos) {
    while (pos < t->length) {
        size_t next = pos;
        if (!utf8_is_space(utf8_next(t->text, t->length, &next))) break;
        pos = next;
    }
    return pos;
}

/* Counts the tokens; writes the bytes of so many as there may be into `items` when it is not NULL. */
static int cut(const Cutter *cutter, const Typed *t, Token *items) {
    int n = 0;
    for (size_t pos = 0; pos < t->length;) {
        if (!cutter->spaces) pos = skip_spaces(t, pos);
        if (pos >= t->length) break;
        size_t end = cutter->end(t, pos);
        assert(end > pos);
        if (items != NULL && n < TOKENS_MAX) items[n] = (Token){.start = (int)pos, .end = (int)end};
        n++;
        pos = end;
    }
    return n;
}

bool tokenize(TokenizerKind kind, const char *text, const Lexicon *lexicon, Arena *arena, TokenList *out, Err *err) {
    Typed t = {text, strlen(text), lexicon};
    if (t.length > TEXT_MAX)
        return err_set(err, ERR_LIMIT, tr("the text has %zu bytes; the limit is %d"), t.length, TEXT_MAX);
    int n = cut(&cutters[kind], &t, NULL);
    if (n > TOKENS_MAX) return err_set(err, ERR_LIMIT, tr("the text has %d tokens; a map shows at most %d: shorten it"), n, TOKENS_MAX);
    *out = (TokenList){n, ARENA_ARRAY(arena, Token, (size_t)n + 1)};
    cut(&cutters[kind], &t, out->items);
    for (int i = 0; i < n; i++) {
        Token *token = &out->items[i];
        token->text = arena_strndup(arena, text + token->start, (size_t)(token->end - token->start));
        token->label = token_label(token->text, arena);
    }
    return true;
}

void tokens_from_list(const char *const *words, int n, Arena *arena, TokenList *out) {
    *out = (TokenList){n, ARENA_ARRAY(arena, Token, (size_t)n + 1)};
    for (int i = 0; i < n; i++) {
        const char *text = arena_strdup(arena, words[i]);
        out->items[i] = (Token){.text = text, .label = token_label(text, arena)};
    }
}
