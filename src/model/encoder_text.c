/* Text that knows where it came from, and the classes of its characters. */
#include <string.h>
#include <utf8proc.h>

#include "base/tr.h"
#include "base/utf8.h"
#include "model/encoder_internal.h"

/* ---- making ---- */

static bool make_room(EncMaker *maker, int more) {
    if (maker->full || more > ENC_TEXT_MAX - maker->n || maker->arena->used > ENC_WORK_MAX) {
        maker->full = true;
        return false;
    }
    if (maker->n + more < maker->room) return true;
    int room = maker->n + more + maker->room + 16;
    char *bytes = arena_try_raw(maker->arena, (size_t)room, 1);
    EncSpan *spans = arena_try_raw(maker->arena, (size_t)room, sizeof *spans);
    if (bytes == NULL || spans == NULL) {
        maker->full = true;
        return false;
    }
    if (maker->n > 0) {
        memcpy(bytes, maker->bytes, (size_t)maker->n);
        memcpy(spans, maker->spans, (size_t)maker->n * sizeof *spans);
    }
    maker->bytes = bytes;
    maker->spans = spans;
    maker->room = room;
    return true;
}

void enc_maker_init(EncMaker *maker, Arena *arena, int expected) {
    *maker = (EncMaker){.arena = arena};
    make_room(maker, expected < ENC_TEXT_MAX ? expected : ENC_TEXT_MAX);
}

void enc_put_bytes(EncMaker *maker, EncBytes bytes, EncSpan span) {
    if (!make_room(maker, bytes.n)) return;
    memcpy(maker->bytes + maker->n, bytes.bytes, (size_t)bytes.n);
    for (int i = 0; i < bytes.n; i++) maker->spans[maker->n + i] = span;
    maker->n += bytes.n;
}

void enc_put(EncMaker *maker, uint32_t c, EncSpan span) {
    char bytes[4];
    enc_put_bytes(maker, (EncBytes){bytes, utf8_put(bytes, c)}, span);
}

void enc_put_text(EncMaker *maker, const EncText *text, int start, int end) {
    int n = end - start;
    if (!make_room(maker, n)) return;
    memcpy(maker->bytes + maker->n, text->bytes + start, (size_t)n);
    memcpy(maker->spans + maker->n, text->spans + start, (size_t)n * sizeof *text->spans);
    maker->n += n;
}

bool enc_maker_end(const EncMaker *maker, int origin, EncText *out, Err *err) {
    if (maker->full) return err_set(err, ERR_LIMIT, tr("the tokenizer makes too much of this text: more than %d bytes"), ENC_TEXT_MAX);
    *out = (EncText){maker->bytes, maker->spans, maker->n, origin};
    return true;
}

/* ---- places ---- */

EncText enc_slice(const EncText *text, int start, int end) {
    int origin = start < end ? text->spans[start].start : text->origin;
    return (EncText){text->bytes + start, text->spans + start, end - start, origin};
}

EncSpan enc_span_before(const EncText *text, int at) {
    return at > 0 ? text->spans[at - 1] : (EncSpan){text->origin, text->origin};
}

EncSpan enc_span_of(const EncText *text, int start, int end) {
    if (start >= end) {
        int at = start < text->n ? text->spans[start].start : text->n > 0 ? text->spans[text->n - 1].end : text->origin;
        return (EncSpan){at, at};
    }
    return (EncSpan){text->spans[start].start, text->spans[end - 1].end};
}

uint32_t enc_next(const EncText *text, int *at) {
    unsigned char byte = (unsigned char)text->bytes[*at];
    if (byte < 0x80) {
        ++*at;
        return byte;
    }
    size_t pos = (size_t)*at;
    uint32_t c = utf8_next(text->bytes, (size_t)text->n, &pos);
    *at = (int)pos;
    return c;
}

bool enc_splits_add(EncWork *work, EncSplits *splits, EncSplit split) {
    if (splits->n >= ENC_SPLITS_MAX || work->arena->used > ENC_WORK_MAX)
        return err_set(work->err, ERR_LIMIT, tr("the tokenizer cuts this text into more than %d pieces; at most %d tokens are shown"), splits->n, TOKENS_MAX);
    if (splits->n == splits->room) {
        int room = splits->room * 2 + 16;
        EncSplit *items = arena_try_raw(work->arena, (size_t)room, sizeof *items);
        if (items == NULL) return err_set(work->err, ERR_MEMORY, tr("not enough memory for %d pieces of text"), room);
        if (splits->n > 0) memcpy(items, splits->items, (size_t)splits->n * sizeof *items);
        splits->items = items;
        splits->room = room;
    }
    splits->items[splits->n++] = split;
    return true;
}

/* ---- classes (Unicode Character Database) ---- */

static utf8proc_category_t category(uint32_t c) {
    return utf8proc_category((utf8proc_int32_t)c);
}

bool enc_is_white(uint32_t c) {
    return (c >= 9 && c <= 13) || c == ' ' || c == 0x85 || c == 0xA0 || c == 0x1680 || (c >= 0x2000 && c <= 0x200A) ||
           c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F || c == 0x3000;
}

bool enc_is_punctuation(uint32_t c) {
    if (c < 0x80) return (c > 0x20 && c < '0') || (c > '9' && c < 'A') || (c > 'Z' && c < 'a') || (c > 'z' && c < 0x7F);
    utf8proc_category_t g = category(c);
    return g >= UTF8PROC_CATEGORY_PC && g <= UTF8PROC_CATEGORY_PO;
}

bool enc_is_numeric(uint32_t c) {
    utf8proc_category_t g = category(c);
    return g >= UTF8PROC_CATEGORY_ND && g <= UTF8PROC_CATEGORY_NO;
}

bool enc_is_mark(uint32_t c) {
    utf8proc_category_t g = category(c);
    return g >= UTF8PROC_CATEGORY_MN && g <= UTF8PROC_CATEGORY_ME;
}

bool enc_is_nonspacing(uint32_t c) {
    return category(c) == UTF8PROC_CATEGORY_MN;
}

bool enc_is_control(uint32_t c) {
    utf8proc_category_t g = category(c);
    return g == UTF8PROC_CATEGORY_CC || g == UTF8PROC_CATEGORY_CF || g == UTF8PROC_CATEGORY_CO;
}

/* Letters in circles and squares are symbols that count as alphabetic. */
static bool is_alphabetic_symbol(uint32_t c) {
    return (c >= 0x24B6 && c <= 0x24E9) || (c >= 0x1F130 && c <= 0x1F149) || (c >= 0x1F150 && c <= 0x1F169) || (c >= 0x1F170 && c <= 0x1F189);
}

bool enc_is_word(uint32_t c) {
    utf8proc_category_t g = category(c);
    bool letter = g >= UTF8PROC_CATEGORY_LU && g <= UTF8PROC_CATEGORY_LO;
    bool number = g == UTF8PROC_CATEGORY_ND || g == UTF8PROC_CATEGORY_NL;
    return letter || number || enc_is_mark(c) || g == UTF8PROC_CATEGORY_PC || c == 0x200C || c == 0x200D || is_alphabetic_symbol(c);
}
