/* What tokens are called: the visible label of any text, and names that people type for tokens. */
#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/tokenizer.h"

/* ---- labels ---- */

/* Code points that show nothing, and what stands for them; NULL: "U+200B". */
typedef struct {
    uint32_t from, to;
    const char *label;
    bool joins; /* harmless inside a visible token: left alone there */
} Invisible;

static const Invisible invisibles[] = {
    {' ', ' ', "␣", false},          {'\t', '\t', "⇥", false},       {'\n', '\n', "⏎", false},
    {0x7F, 0x7F, "␡", false},        {0x80, 0x9F, NULL, false},      {0xA0, 0xA0, "␣", false},
    {0xAD, 0xAD, NULL, true},        {0x1680, 0x1680, "␣", false},   {0x2000, 0x200A, "␣", false},
    {0x200B, 0x200F, NULL, true},    {0x2028, 0x2029, "⏎", false},   {0x202A, 0x202E, NULL, false},
    {0x202F, 0x202F, "␣", false},    {0x205F, 0x205F, "␣", false},   {0x2060, 0x206F, NULL, true},
    {0x2581, 0x2581, "␣", false},    {0x3000, 0x3000, "␣", false},   {0x3164, 0x3164, NULL, false},
    {0xFE00, 0xFE0F, NULL, true},    {0xFEFF, 0xFEFF, NULL, true},   {0xE0000, 0xE0FFF, NULL, true},
};

static const Invisible *find_invisible(uint32_t c) {
    for (size_t i = 0; i < sizeof invisibles / sizeof *invisibles; i++)
        if (c >= invisibles[i].from && c <= invisibles[i].to) return &invisibles[i];
    return NULL;
}

static bool is_control(uint32_t c) {
    return c < 0x20 && c != '\t' && c != '\n';
}

/* Is there anything in the text that can be seen by itself? */
static bool has_visible(const char *text, size_t length) {
    for (size_t pos = 0; pos < length;) {
        uint32_t c = utf8_next(text, length, &pos);
        if (!is_control(c) && find_invisible(c) == NULL) return true;
    }
    return false;
}

static void add_label(StrBuf *sb, uint32_t c, const char *bytes, size_t n, bool visible) {
    const Invisible *entry = find_invisible(c);
    char picture[4];
    if (is_control(c)) sb_add_n(sb, picture, (size_t)utf8_put(picture, 0x2400 + c)); /* ␀ … ␟ */
    else if (entry == NULL || (entry->joins && visible)) sb_add_n(sb, bytes, n);
    else if (entry->label != NULL) sb_add(sb, entry->label);
    else sb_printf(sb, "U+%04X", (unsigned)c);
}

const char *token_label(const char *text, Arena *arena) {
    size_t length = strlen(text);
    StrBuf sb;
    sb_init(&sb, arena);
    if (length == 0) sb_add(&sb, "∅");
    bool visible = has_visible(text, length), start = true;
    for (size_t pos = 0; pos < length;) {
        size_t at = pos;
        uint32_t c = utf8_next(text, length, &pos);
        /* byte-level vocabularies write a space in front of a word as Ġ, a newline as Ċ */
        bool byte_space = start && c == 0x120, byte_line = c == 0x10A && start;
        start = byte_space || byte_line;
        if (c == '\r' && text[pos] == '\n') continue;
        if (byte_space) sb_add(&sb, "␣");
        else if (byte_line) sb_add(&sb, "⏎");
        else add_label(&sb, c, text + at, pos - at, visible);
    }
    return sb.data;
}

/* ---- names ---- */

enum { LISTED_MAX = 12, NAME_MAX_BYTES = 512, CLIP_BYTES = 64 };

/* The beginning of a text for a message, never half a character. */
static const char *clip(const char *text, char out[CLIP_BYTES]) {
    size_t length = strlen(text), end = 0;
    for (size_t pos = 0; pos < length && pos < CLIP_BYTES; end = pos < CLIP_BYTES ? pos : end)
        utf8_next(text, length, &pos);
    memcpy(out, text, end);
    out[end] = '\0';
    return out;
}

/* "the#2": the word and which of its places; counted from 1. */
typedef struct {
    char word[NAME_MAX_BYTES];
    int nth;
    bool nth_said;
} Name;

static bool token_is(const Token *token, const char *word) {
    return str_eq(token->text, word) || str_eq(token->label, word);
}

static int count_matches(const TokenList *tokens, const char *word) {
    int n = 0;
    for (int i = 0; i < tokens->n; i++) n += token_is(&tokens->items[i], word);
    return n;
}

static bool all_digits(const char *text) {
    return text[0] != '\0' && text[strspn(text, "0123456789")] == '\0';
}

/* Takes "#2" off the end of the word when it is there. */
static void split_nth(Name *name) {
    char *hash = strrchr(name->word, '#');
    if (hash == NULL || hash == name->word || !all_digits(hash + 1) || !str_to_int(hash + 1, &name->nth)) return;
    name->nth_said = true;
    *hash = '\0';
}

static bool parse_name(const TokenList *tokens, const char *text, Name *name, Err *err) {
    *name = (Name){.nth = 0};
    size_t size = strlen(text) + 1;
    if (size > sizeof name->word)
        return err_set(err, ERR_INPUT, tr("a token name of %zu bytes; the limit is %d"), size - 1, NAME_MAX_BYTES - 1);
    memcpy(name->word, text, size);
    if (count_matches(tokens, text) == 0) split_nth(name);
    size_t length = strlen(name->word);
    if (length < 2 || name->word[0] != '"' || name->word[length - 1] != '"') return true;
    if (!name->nth_said && count_matches(tokens, name->word) > 0) return true; /* a token with quotes of its own */
    name->word[length - 1] = '\0';
    memmove(name->word, name->word + 1, length - 1);
    return true;
}

/* "2, 5, 7" for the places of a word; at most LISTED_MAX of them. */
static void list_places(const TokenList *tokens, const char *word, char *out, size_t size) {
    int listed = 0;
    size_t at = 0;
    out[0] = '\0';
    for (int i = 0; i < tokens->n && listed <= LISTED_MAX; i++) {
        if (!token_is(&tokens->items[i], word)) continue;
        int n = listed == LISTED_MAX ? snprintf(out + at, size - at, ", …")
                                     : snprintf(out + at, size - at, "%s%d", listed == 0 ? "" : ", ", i + 1);
        if (n < 0 || (size_t)n >= size - at) break;
        at += (size_t)n;
        listed++;
    }
}

static void list_tokens(const TokenList *tokens, char *out, size_t size) {
    size_t at = 0;
    char shown[CLIP_BYTES];
    out[0] = '\0';
    for (int i = 0; i < tokens->n && i <= LISTED_MAX; i++) {
        int n = i == LISTED_MAX ? snprintf(out + at, size - at, ", …")
                                : snprintf(out + at, size - at, "%s%d %s", i == 0 ? "" : ", ", i + 1,
                                           clip(tokens->items[i].label, shown));
        if (n < 0 || (size_t)n >= size - at) {
            out[at] = '\0';
            break;
        }
        at += (size_t)n;
    }
}

static const Token *find_any_case(const TokenList *tokens, const char *word) {
    Arena arena = {0};
    const char *lower = utf8_lower(&arena, word);
    const Token *found = NULL;
    for (int i = 0; i < tokens->n && found == NULL; i++)
        if (str_eq(utf8_lower(&arena, tokens->items[i].text), lower)) found = &tokens->items[i];
    arena_free(&arena);
    return found;
}

static bool unknown_name(const TokenList *tokens, const char *word, Err *err) {
    char said[CLIP_BYTES], other[CLIP_BYTES], listed[360];
    clip(word, said);
    const Token *near = find_any_case(tokens, word);
    list_tokens(tokens, listed, sizeof listed);
    if (near != NULL)
        return err_set(err, ERR_INPUT, tr("no token is \"%s\"; capitals count: did you mean \"%s\"?"), said,
                       clip(near->text, other));
    if (tokens->n == 0) return err_set(err, ERR_INPUT, tr("no token is \"%s\": there are no tokens"), said);
    return err_set(err, ERR_INPUT, tr("no token is \"%s\"; the tokens are %s"), said, listed);
}

static bool resolve_word(const TokenList *tokens, const Name *name, int *position, Err *err) {
    char places[160], said[CLIP_BYTES];
    int n = count_matches(tokens, name->word);
    if (n == 0) return unknown_name(tokens, name->word, err);
    list_places(tokens, name->word, places, sizeof places);
    clip(name->word, said);
    if (n > 1 && !name->nth_said)
        return err_set(err, ERR_INPUT, tr("\"%s\" stands at positions %s; write the position, or %s#2 for the second"),
                       said, places, said);
    if (name->nth > n || name->nth_said != (name->nth > 0))
        return err_set(err, ERR_INPUT, tr("\"%s\" has no place number %d; it stands at %s"), said, name->nth, places);
    int left = name->nth_said ? name->nth : 1;
    for (int i = 0; i < tokens->n; i++)
        if (token_is(&tokens->items[i], name->word) && --left == 0) *position = i;
    return true;
}

bool token_resolve(const TokenList *tokens, const char *name, int *position, Err *err) {
    if (all_digits(name)) {
        int at = 0;
        if (!str_to_int(name, &at) || at < 1 || at > tokens->n)
            return err_set(err, ERR_INPUT, tr("position %.20s is outside 1 to %d"), name, tokens->n);
        *position = at - 1;
        return true;
    }
    Name parsed;
    return parse_name(tokens, name, &parsed, err) && resolve_word(tokens, &parsed, position, err);
}
