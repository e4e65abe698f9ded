/* The normal forms of Unicode (annex 15): characters taken apart, marks put in order, characters put together. */
#include <string.h>
#include <utf8proc.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

enum { PARTS_MAX = 32, CLASSES = 256, FIRST_SECOND = 0x300 /* nothing below is the second part of a character */ };

typedef struct {
    utf8proc_int32_t c;
    EncSpan span;
} Part;

static int class_of(utf8proc_int32_t c) {
    return c < FIRST_SECOND ? 0 : utf8proc_get_property(c)->combining_class;
}

static int take_apart(utf8proc_int32_t c, bool compatible, utf8proc_int32_t parts[PARTS_MAX]) {
    utf8proc_option_t options = compatible ? UTF8PROC_DECOMPOSE | UTF8PROC_COMPAT : UTF8PROC_DECOMPOSE;
    utf8proc_ssize_t n = c < 0x80 ? 0 : utf8proc_decompose_char(c, parts, PARTS_MAX, options, NULL);
    if (n > 0 && n <= PARTS_MAX) return (int)n;
    parts[0] = c;
    return 1;
}

static Part *decompose(EncWork *work, const EncText *text, bool compatible, int *n) {
    utf8proc_int32_t parts[PARTS_MAX];
    size_t count = 0;
    for (int at = 0; at < text->n;) count += (size_t)take_apart((utf8proc_int32_t)enc_next(text, &at), compatible, parts);
    Part *all = count <= ENC_TEXT_MAX ? arena_try_raw(work->arena, count, sizeof *all) : NULL;
    if (all == NULL) {
        err_set(work->err, ERR_MEMORY, tr("not enough memory for the normal form of %d bytes"), text->n);
        return NULL;
    }
    *n = 0;
    for (int at = 0; at < text->n;) {
        EncSpan span = text->spans[at];
        int more = take_apart((utf8proc_int32_t)enc_next(text, &at), compatible, parts);
        for (int i = 0; i < more; i++) all[(*n)++] = (Part){parts[i], span};
    }
    return all;
}

/* A run of marks by class; marks of one class keep their order. */
static bool sort_run(EncWork *work, Part *run, int n) {
    int place[CLASSES + 1] = {0};
    Part *copy = arena_try_raw(work->arena, (size_t)n, sizeof *copy);
    if (copy == NULL) return err_set(work->err, ERR_MEMORY, tr("not enough memory for %d marks"), n);
    memcpy(copy, run, (size_t)n * sizeof *copy);
    for (int i = 0; i < n; i++) place[class_of(copy[i].c) + 1]++;
    for (int i = 0; i < CLASSES; i++) place[i + 1] += place[i];
    for (int i = 0; i < n; i++) run[place[class_of(copy[i].c)]++] = copy[i];
    return true;
}

static bool put_in_order(EncWork *work, Part *parts, int n) {
    for (int i = 0; i < n;) {
        int start = i;
        bool sorted = true;
        for (; i < n && class_of(parts[i].c) > 0; i++) sorted = sorted && (i == start || class_of(parts[i - 1].c) <= class_of(parts[i].c));
        if (!sorted && !sort_run(work, parts + start, i - start)) return false;
        if (i == start) i++;
    }
    return true;
}

/* The character that two make; 0 = none. */
static utf8proc_int32_t put_together(utf8proc_int32_t first, utf8proc_int32_t second) {
    utf8proc_int32_t pair[3] = {first, second, 0};
    if (second < FIRST_SECOND) return 0;
    utf8proc_ssize_t n = utf8proc_normalize_utf32(pair, 2, UTF8PROC_COMPOSE | UTF8PROC_STABLE);
    return n == 1 ? pair[0] : 0;
}

/* A character that was put together keeps the place of its first part. */
static int compose(Part *parts, int n) {
    int kept = 0, starter = -1, before = -1; /* before: class of what stands between the starter and here; -1 = nothing */
    for (int i = 0; i < n; i++) {
        int class = class_of(parts[i].c);
        utf8proc_int32_t whole = starter >= 0 && before < class ? put_together(parts[starter].c, parts[i].c) : 0;
        if (whole != 0) {
            parts[starter].c = whole;
            continue;
        }
        parts[kept] = parts[i];
        if (class == 0) starter = kept;
        before = class == 0 ? -1 : class;
        kept++;
    }
    return kept;
}

static bool is_ascii(const EncText *text) {
    unsigned char all = 0;
    for (int i = 0; i < text->n; i++) all |= (unsigned char)text->bytes[i];
    return all < 0x80;
}

bool enc_form(EncWork *work, EncForm form, EncText *text) {
    int n;
    if (is_ascii(text)) return true;
    Part *parts = decompose(work, text, form == ENC_NFKC || form == ENC_NFKD, &n);
    if (parts == NULL || !put_in_order(work, parts, n)) return false;
    if (form == ENC_NFC || form == ENC_NFKC) n = compose(parts, n);
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n);
    for (int i = 0; i < n; i++) enc_put(&maker, (uint32_t)parts[i].c, parts[i].span);
    return enc_maker_end(&maker, text->origin, text, work->err);
}
