/* SentencePiece's compiled table of replacements ("Precompiled"): a double array that maps byte strings to
 * places in a list of 0-terminated texts, written as base64. */
#include <string.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

enum { CLUSTER_BYTES = 6 }; /* longer clusters are looked up character by character */

struct EncCharsMap {
    const unsigned char *units; /* 32 bits each, little-endian */
    uint32_t n_units;
    const char *texts;
    int n_texts;
};

/* ---- reading ---- */

static int base64_value(char c) {
    if (c >= 'A' && c <= 'Z') return c - 'A';
    if (c >= 'a' && c <= 'z') return c - 'a' + 26;
    if (c >= '0' && c <= '9') return c - '0' + 52;
    return c == '+' ? 62 : c == '/' ? 63 : -1;
}

/* Bytes written to `out` (room for 3/4 of n); -1: not base64 (RFC 4648). */
static int read_base64(EncBytes text, unsigned char *out) {
    int n = text.n, size = 0;
    if (n % 4 != 0) return -1;
    while (n > 0 && text.n - n < 2 && text.bytes[n - 1] == '=') n--;
    uint32_t bits = 0;
    for (int i = 0; i < n; i++) {
        int value = base64_value(text.bytes[i]);
        if (value < 0) return -1;
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 == 1) out[size++] = (unsigned char)(bits >> 4);
        if (i % 4 == 2) out[size++] = (unsigned char)(bits >> 2);
        if (i % 4 == 3) out[size++] = (unsigned char)bits;
    }
    return n % 4 == 1 ? -1 : size;
}

static uint32_t unit_at(const EncCharsMap *map, uint32_t i) {
    const unsigned char *p = map->units + (size_t)i * 4;
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

bool enc_read_charsmap(EncRead *read, const JsonNode *node, EncStep *step) {
    const char *key = "precompiled_charsmap";
    const JsonNode *text;
    if (!enc_need(read, node, key, JSON_TREE_STRING, &text)) return false;
    unsigned char *bytes = arena_try_raw(read->keep, (size_t)text->n / 4 * 3 + 4, 1);
    if (bytes == NULL) return err_set(read->err, ERR_MEMORY, tr("not enough memory for a table of %d bytes"), text->n);
    int size = read_base64((EncBytes){text->as.text, text->n}, bytes);
    if (size < 0) return enc_refuse(read, key, tr("this is not base64"));
    EncCharsMap *map = ARENA_NEW(read->keep, EncCharsMap);
    map->units = bytes;
    uint32_t trie = size >= 4 ? unit_at(map, 0) : 0;
    if (size < 4 || trie % 4 != 0 || trie > (uint32_t)size - 4 || trie == 0)
        return enc_refuse(read, key, tr("the table says that its tree has %u bytes; it has %d in all"), trie, size);
    *map = (EncCharsMap){bytes + 4, trie / 4, (const char *)bytes + 4 + trie, size - 4 - (int)trie};
    if (utf8_valid_until(map->texts, (size_t)map->n_texts) < (size_t)map->n_texts) return enc_refuse(read, key, tr("the texts of the table are not UTF-8"));
    step->map = map;
    return true;
}

/* ---- looking up (units as in darts-clone: leaf bit 8, label 0-7 and 31, offset 10-30 times 256 where bit 9 is set) ---- */

static uint32_t unit_offset(uint32_t unit) {
    return (unit >> 10) << ((unit & (1u << 9)) >> 6);
}

/* The text for the shortest key that `key` begins with; false when there is none. */
static bool look_up(const EncCharsMap *map, const char *key, int n, EncBytes *out) {
    uint32_t at = unit_offset(unit_at(map, 0));
    for (int i = 0; i < n && key[i] != '\0'; i++) {
        at ^= (unsigned char)key[i];
        if (at >= map->n_units) return false;
        uint32_t unit = unit_at(map, at);
        if ((unit & (1u << 31 | 0xFF)) != (unsigned char)key[i]) return false;
        at ^= unit_offset(unit);
        if ((unit & 1u << 8) == 0) continue;
        uint32_t place = at < map->n_units ? unit_at(map, at) & ~(1u << 31) : UINT32_MAX;
        if (place >= (uint32_t)map->n_texts) return false;
        const char *text = map->texts + place, *end = memchr(text, '\0', (size_t)map->n_texts - place);
        *out = (EncBytes){text, end != NULL ? (int)(end - text) : map->n_texts - (int)place};
        return ((unsigned char)text[0] & 0xC0) != 0x80; /* never into a character */
    }
    return false;
}

/* One cluster; every character of a replacement comes from all that it replaces. */
static void put_cluster(const EncCharsMap *map, EncMaker *maker, const EncText *text, int start, int end) {
    EncBytes found;
    if (end - start < CLUSTER_BYTES && look_up(map, text->bytes + start, end - start, &found)) {
        enc_put_bytes(maker, found, enc_span_of(text, start, end));
        return;
    }
    for (int at = start; at < end;) {
        int from = at;
        enc_next(text, &at);
        if (look_up(map, text->bytes + from, at - from, &found)) enc_put_bytes(maker, found, enc_span_of(text, from, at));
        else enc_put_text(maker, text, from, at);
    }
}

bool enc_charsmap_run(EncWork *work, const EncCharsMap *map, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n);
    for (int at = 0; at < text->n;) {
        int end = (int)utf8_grapheme_next(text->bytes, (size_t)text->n, (size_t)at);
        put_cluster(map, &maker, text, at, end);
        at = end;
    }
    return enc_maker_end(&maker, text->origin, text, work->err);
}
