#include "base/utf8.h"

#include <string.h>
#include <utf8proc.h>

#include "base/str.h"
#include "base/tr.h"

enum { REPLACEMENT = 0xFFFD };

typedef struct {
    int length;
    uint32_t code_point;
} Decoded;

/* One sequence at `p` with `left` bytes; length 0 when it is not good UTF-8 (RFC 3629). */
static Decoded decode(const unsigned char *p, size_t left) {
    static const uint32_t least[5] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = p[0];
    int length = first < 0x80 ? 1 : first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
    if (length == 1) return (Decoded){1, first};
    if (first < 0xC2 || first > 0xF4 || (size_t)length > left) return (Decoded){0, REPLACEMENT};
    uint32_t value = first & (0xFFu >> (length + 1));
    for (int i = 1; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80) return (Decoded){0, REPLACEMENT};
        value = value << 6 | (p[i] & 0x3Fu);
    }
    bool surrogate = value >= 0xD800 && value <= 0xDFFF;
    if (value < least[length] || value > 0x10FFFF || surrogate) return (Decoded){0, REPLACEMENT};
    return (Decoded){length, value};
}

uint32_t utf8_next(const char *text, size_t length, size_t *pos) {
    Decoded d = decode((const unsigned char *)text + *pos, length - *pos);
    *pos += d.length > 0 ? (size_t)d.length : 1;
    return d.code_point;
}

int utf8_put(char out[4], uint32_t code_point) {
    return (int)utf8proc_encode_char((utf8proc_int32_t)code_point, (utf8proc_uint8_t *)out);
}

size_t utf8_valid_until(const char *text, size_t length) {
    size_t pos = 0;
    while (pos < length) {
        Decoded d = decode((const unsigned char *)text + pos, length - pos);
        if (d.length == 0) break;
        pos += (size_t)d.length;
    }
    return pos;
}

void utf8_cut(char *text, size_t size) {
    size_t length = strlen(text), good = utf8_valid_until(text, length);
    if (length + 1 >= size && good > 0) {
        size_t last = utf8_grapheme_previous(text, good, good); /* more of it may have followed */
        if (last > 0) good = last;
    }
    text[good] = '\0';
}

size_t utf8_fit(const char *text, size_t length, size_t most) {
    if (length <= most) return length;
    size_t end = 0;
    for (;;) {
        size_t next = utf8_grapheme_next(text, length, end);
        if (next > most) break;
        end = next;
    }
    return end > 0 ? end : utf8_valid_until(text, most);
}

bool utf8_check(const char *text, size_t length, Err *err) {
    size_t good = utf8_valid_until(text, length);
    if (good == length) return true;
    return err_set(err, ERR_INPUT, tr("byte %zu (0x%02X) is not UTF-8; save the text as UTF-8"), good + 1,
                   (unsigned)(unsigned char)text[good]);
}

char *utf8_clean(Arena *arena, const char *text, size_t length) {
    StrBuf sb;
    sb_init(&sb, arena);
    for (size_t pos = 0; pos < length;) {
        size_t start = pos;
        uint32_t c = utf8_next(text, length, &pos);
        if (c == REPLACEMENT) sb_add(&sb, "\uFFFD");
        else sb_add_n(&sb, text + start, pos - start);
    }
    return sb.data;
}

size_t utf8_grapheme_next(const char *text, size_t length, size_t pos) {
    if (pos >= length) return length;
    utf8proc_int32_t state = 0;
    uint32_t before = utf8_next(text, length, &pos);
    while (pos < length) {
        size_t start = pos;
        uint32_t c = utf8_next(text, length, &pos);
        if (utf8proc_grapheme_break_stateful((utf8proc_int32_t)before, (utf8proc_int32_t)c, &state)) return start;
        before = c;
    }
    return length;
}

/* Start of the character that ends at or holds the byte before `pos`; pos > 0. */
static size_t character_before(const char *text, size_t length, size_t pos) {
    size_t start = pos - 1;
    while (start > 0 && pos - start < 4 && ((unsigned char)text[start] & 0xC0) == 0x80) start--;
    size_t end = start;
    utf8_next(text, length, &end);
    return end >= pos ? start : pos - 1; /* bytes that are no character stand alone */
}

static uint32_t peek(const char *text, size_t length, size_t pos) {
    return utf8_next(text, length, &pos);
}

/* Clusters can only be found from their start: walk from the nearest place before `pos` where two characters
 * part whatever stands in front of them. */
size_t utf8_grapheme_previous(const char *text, size_t length, size_t pos) {
    if (pos > length) pos = length;
    if (pos == 0) return 0;
    size_t start = character_before(text, length, pos);
    while (start > 0) {
        size_t before = character_before(text, length, start);
        uint32_t c = peek(text, length, before);
        bool joins = c == 0x200D; /* whether a joiner joins depends on what it follows */
        if (!joins && utf8proc_grapheme_break((utf8proc_int32_t)c, (utf8proc_int32_t)peek(text, length, start))) break;
        start = before;
    }
    size_t last = start;
    while (start < pos) {
        last = start;
        start = utf8_grapheme_next(text, length, start);
    }
    return last;
}

static bool word_part(uint32_t c) {
    return !utf8_is_space(c) && !utf8_is_punctuation(c);
}

/* A run of letters, or a run of punctuation, then the space behind it; a CJK character is a word of its own.
 * Goes by clusters, so that a word never ends inside one. */
size_t utf8_word_next(const char *text, size_t length, size_t pos) {
    if (pos >= length) return length;
    uint32_t first = peek(text, length, pos);
    bool letters = word_part(first), space = utf8_is_space(first), single = utf8_is_cjk(first);
    if (!space) pos = utf8_grapheme_next(text, length, pos);
    while (pos < length && !single && !space) {
        uint32_t c = peek(text, length, pos);
        if (utf8_is_space(c) || word_part(c) != letters || utf8_is_cjk(c)) break;
        pos = utf8_grapheme_next(text, length, pos);
    }
    while (pos < length && utf8_is_space(peek(text, length, pos))) pos = utf8_grapheme_next(text, length, pos);
    return pos;
}

size_t utf8_word_previous(const char *text, size_t length, size_t pos) {
    size_t at = 0, last = 0;
    if (pos > length) pos = length;
    while (at < pos) {
        last = at;
        at = utf8_word_next(text, length, at);
    }
    return last;
}

char *utf8_lower(Arena *arena, const char *text) {
    StrBuf sb;
    sb_init(&sb, arena);
    size_t length = strlen(text);
    for (size_t pos = 0; pos < length;) {
        uint32_t c = utf8_next(text, length, &pos);
        char out[4];
        sb_add_n(&sb, out, (size_t)utf8_put(out, (uint32_t)utf8proc_tolower((utf8proc_int32_t)c)));
    }
    return sb.data;
}

bool utf8_is_cjk(uint32_t c) {
    static const uint32_t ranges[][2] = {
        {0x3040, 0x30FF},   {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},
        {0xF900, 0xFAFF},   {0x20000, 0x323AF},
    };
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (c >= ranges[i][0] && c <= ranges[i][1]) return true;
    return false;
}

static utf8proc_category_t category(uint32_t c) {
    return utf8proc_category((utf8proc_int32_t)c);
}

bool utf8_is_space(uint32_t c) {
    if (c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f' || c == 0x85) return true;
    utf8proc_category_t kind = category(c);
    return kind == UTF8PROC_CATEGORY_ZS || kind == UTF8PROC_CATEGORY_ZL || kind == UTF8PROC_CATEGORY_ZP;
}

bool utf8_is_punctuation(uint32_t c) {
    utf8proc_category_t kind = category(c);
    return kind >= UTF8PROC_CATEGORY_PC && kind <= UTF8PROC_CATEGORY_SO;
}

/* ---- where lines end ---- */

/* Marks that may not begin a line, and those that may not end one. */
static bool stays_with_before(uint32_t c) {
    static const uint32_t marks[] = {0xff0c, 0x3002, 0xff1b, 0xff1a, 0x3001, 0xff01, 0xff1f, 0xff09, 0x300d, 0x300f, 0x300b, 0x3009,
                                     0x3011, 0x3015, 0x201d, 0x2019, 0x2026, 0x2014, 0xff05, 0x00b7, ',',    '.',    ';',    ':',
                                     '!',    '?',    ')',    ']',    '}',    '%'};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i] == c) return true;
    return false;
}

static bool stays_with_next(uint32_t c) {
    static const uint32_t marks[] = {0xff08, 0x300c, 0x300e, 0x300a, 0x3008, 0x3010, 0x3014, 0x201c, 0x2018, '(', '[', '{'};
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++)
        if (marks[i] == c) return true;
    return false;
}

static bool is_wide(uint32_t c) { return utf8_is_cjk(c) || (c >= 0x3000 && c < 0x3040) || (c >= 0xff00 && c < 0xff61); }

bool utf8_breaks_between(uint32_t before, uint32_t after) {
    if (stays_with_before(after) || stays_with_next(before)) return false;
    return is_wide(before) || is_wide(after);
}
