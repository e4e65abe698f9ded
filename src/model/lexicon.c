#include "model/lexicon.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

enum { FEATURE_COUNT = 7, WORD_BYTES_MAX = 64, LEXICON_BYTES_MAX = 4 << 20, STEM_MIN = 2 };

static const char *const feature_names[] = {"noun", "verb", "det", "modif", "prep", "animate", "plural"};
static_assert(sizeof feature_names / sizeof *feature_names == FEATURE_COUNT, "one name a feature bit");
static_assert(1 << (FEATURE_COUNT - 1) == WORD_PLURAL, "bits follow the names");

typedef struct {
    const char *text; /* not terminated */
    size_t length;
    int bits;
} Word;

struct Lexicon {
    Word *words;
    int n_words;
    int *slots;   /* open addressing: position in words + 1, 0 = free; a power of two of them */
    size_t n_slots;
    size_t longest; /* bytes of the longest word */
};

/* ---- looking up ---- */

/* The slot that holds this word, or the free one where it belongs. */
static size_t slot_of(const Lexicon *lexicon, const char *word, size_t length) {
    size_t at = (size_t)hash_fnv1a(word, length) & (lexicon->n_slots - 1);
    while (lexicon->slots[at] != 0) {
        const Word *w = &lexicon->words[lexicon->slots[at] - 1];
        if (w->length == length && memcmp(w->text, word, length) == 0) break;
        at = (at + 1) & (lexicon->n_slots - 1);
    }
    return at;
}

static int find_lower(const Lexicon *lexicon, const char *word, size_t length) {
    int position = lexicon->slots[slot_of(lexicon, word, length)];
    return position == 0 ? -1 : lexicon->words[position - 1].bits;
}

static bool is_ascii(const char *word, size_t length) {
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)word[i] >= 0x80) return false;
    return true;
}

int lexicon_find(const Lexicon *lexicon, const char *word, size_t length) {
    char lower[WORD_BYTES_MAX];
    if (length == 0 || length > sizeof lower) return -1;
    if (is_ascii(word, length)) {
        for (size_t i = 0; i < length; i++) lower[i] = word[i] >= 'A' && word[i] <= 'Z' ? (char)(word[i] | 32) : word[i];
        return find_lower(lexicon, lower, length);
    }
    Arena arena = {0};
    const char *folded = utf8_lower(&arena, arena_strndup(&arena, word, length));
    int bits = find_lower(lexicon, folded, strlen(folded));
    arena_free(&arena);
    return bits;
}

size_t lexicon_longest(const Lexicon *lexicon, const char *text, size_t length) {
    size_t best = 0, limit = length < lexicon->longest ? length : lexicon->longest;
    for (size_t pos = 0; pos < limit;) {
        utf8_next(text, length, &pos);
        if (pos <= limit && find_lower(lexicon, text, pos) >= 0) best = pos;
    }
    return best;
}

/* ---- words that are not listed ---- */

static bool has_letter(const char *word, size_t length) {
    if (length > 1 && word[0] == '<' && word[length - 1] == '>') return false; /* <pad>, <eos>: marks, not words */
    for (size_t pos = 0; pos < length;) {
        uint32_t c = utf8_next(word, length, &pos);
        if (!utf8_is_punctuation(c) && !utf8_is_space(c)) return true;
    }
    return false;
}

/* An ending, what stands in its place in the listed form, and the bits when no listed form is found. */
typedef struct {
    const char *ending, *instead;
    int bits;
} Ending;

static const Ending endings[] = {
    {"ies", "y", WORD_NOUN | WORD_PLURAL},
    {"es", "", WORD_NOUN | WORD_PLURAL},
    {"s", "", WORD_NOUN | WORD_PLURAL},
    {"ed", "", WORD_VERB},
    {"ing", "", WORD_VERB},
    {"ly", "", WORD_MODIF},
};

/* Bits of the listed word without this ending: "dogs" from "dog" is a plural noun, "barks" from "bark" a verb. */
static int stem_bits(const Lexicon *lexicon, const char *word, size_t stem, const Ending *ending) {
    char listed[WORD_BYTES_MAX];
    size_t more = strlen(ending->instead);
    if (stem + more > sizeof listed) return -1;
    memcpy(listed, word, stem);
    memcpy(listed + stem, ending->instead, more);
    int bits = lexicon_find(lexicon, listed, stem + more);
    if (bits < 0) return -1;
    if (bits & WORD_NOUN) return bits | WORD_PLURAL;
    return bits & WORD_VERB ? bits : -1;
}

static bool lower_ends(const char *word, size_t length, const char *ending) {
    size_t n = strlen(ending);
    if (length < n + STEM_MIN) return false;
    for (size_t i = 0; i < n; i++)
        if ((word[length - n + i] | 32) != ending[i]) return false;
    return true;
}

int lexicon_features(const Lexicon *lexicon, const char *word) {
    size_t length = strlen(word);
    int bits = lexicon_find(lexicon, word, length);
    if (bits >= 0) return bits;
    if (!has_letter(word, length)) return 0;
    const Ending *rule = NULL;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        const Ending *e = &endings[i];
        if (!lower_ends(word, length, e->ending)) continue;
        bool plural = (e->bits & WORD_PLURAL) != 0;
        bits = plural ? stem_bits(lexicon, word, length - strlen(e->ending), e) : -1;
        if (bits >= 0) return bits;
        rule = e;
    }
    if (rule == NULL) return WORD_NOUN;
    static const char *const no_plural[] = {"ss", "us", "is"};
    for (size_t i = 0; i < sizeof no_plural / sizeof *no_plural; i++)
        if (lower_ends(word, length, no_plural[i])) return WORD_NOUN;
    return rule->bits;
}

/* ---- reading the file ---- */

typedef struct {
    Lexicon *lexicon;
    Arena *arena;
    const char *file;
    int line;
    Err *err;
} Reader;

static bool BASE_PRINTF(2, 3) bad_line(const Reader *r, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(r->err, ERR_INPUT, fmt, args);
    va_end(args);
    return err_place(r->err, r->file, r->line, 0);
}

/* One tab-separated feature name into `bits`. */
static bool read_feature(const Reader *r, const char *name, size_t length, int *bits) {
    for (int i = 0; i < FEATURE_COUNT; i++)
        if (strlen(feature_names[i]) == length && memcmp(feature_names[i], name, length) == 0) {
            *bits |= 1 << i;
            return true;
        }
    int shown = length < WORD_BYTES_MAX ? (int)length : WORD_BYTES_MAX;
    return bad_line(r, tr("\"%.*s\" is no feature; noun, verb, det, modif, prep, animate and plural are"), shown, name);
}

static bool add_word(const Reader *r, const char *word, size_t length, int bits) {
    Lexicon *lexicon = r->lexicon;
    if (length > WORD_BYTES_MAX) return bad_line(r, tr("a word of %zu bytes; the limit is %d"), length, WORD_BYTES_MAX);
    const char *written = arena_strndup(r->arena, word, length);
    if (!str_eq(written, utf8_lower(r->arena, written)))
        return bad_line(r, tr("write \"%s\" in lower case; capitals are ignored when words are looked up"), written);
    size_t at = slot_of(lexicon, word, length);
    if (lexicon->slots[at] != 0)
        return bad_line(r, tr("\"%s\" is listed twice; give it all its features in one line"), written);
    lexicon->words[lexicon->n_words++] = (Word){word, length, bits};
    lexicon->slots[at] = lexicon->n_words;
    if (length > lexicon->longest) lexicon->longest = length;
    return true;
}

static bool read_line(const Reader *r, const char *line, size_t length) {
    if (length > 0 && line[length - 1] == '\r') length--;
    if (length == 0 || line[0] == '#') return true;
    size_t start = 0, word = 0;
    int bits = 0;
    for (size_t i = 0; i <= length; i++) {
        if (i < length && line[i] != '\t') continue;
        if (start == 0) word = i;
        else if (!read_feature(r, line + start, i - start, &bits)) return false;
        start = i + 1;
    }
    if (word == 0) return bad_line(r, tr("a line begins with a word, then a tab, then its features"));
    int shown = word < WORD_BYTES_MAX ? (int)word : WORD_BYTES_MAX;
    if (bits == 0)
        return bad_line(r, tr("\"%.*s\" has no feature; write the word, a tab, and noun, verb, det, modif, prep, "
                              "animate or plural"), shown, line);
    return add_word(r, line, word, bits);
}

bool lexicon_parse(const char *text, size_t size, const char *file, Arena *arena, Lexicon **out, Err *err) {
    if (size > LEXICON_BYTES_MAX)
        return err_set(err, ERR_LIMIT, tr("%zu bytes; a lexicon may have %d"), size, LEXICON_BYTES_MAX);
    if (!utf8_check(text, size, err)) return err_place(err, file, 0, 0);
    size_t lines = 1;
    for (size_t i = 0; i < size; i++) lines += text[i] == '\n';
    Lexicon *lexicon = ARENA_NEW(arena, Lexicon);
    lexicon->words = ARENA_ARRAY(arena, Word, lines);
    for (lexicon->n_slots = 16; lexicon->n_slots < 2 * lines; lexicon->n_slots *= 2) {}
    lexicon->slots = ARENA_ARRAY(arena, int, lexicon->n_slots);
    Reader r = {lexicon, arena, file, 0, err};
    const char *copy = arena_strndup(arena, text, size);
    for (size_t start = 0; start <= size;) {
        const char *end = memchr(copy + start, '\n', size - start);
        size_t length = end != NULL ? (size_t)(end - copy) - start : size - start;
        r.line++;
        if (!read_line(&r, copy + start, length)) return false;
        start += length + 1;
    }
    *out = lexicon;
    return true;
}

bool lexicon_load(Arena *arena, Lexicon **out, Err *err) {
    char *text, *path = path_data(arena, "assets/lexicon.tsv", err);
    size_t size;
    return path != NULL && file_read(path, LEXICON_BYTES_MAX, arena, &text, &size, err) &&
           lexicon_parse(text, size, path, arena, out, err);
}
