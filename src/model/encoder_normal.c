/* Normalizers: what is done to the text before it is cut. */
#include <assert.h>
#include <string.h>
#include <utf8proc.h>

#include "base/tr.h"
#include "model/encoder_internal.h"

typedef enum {
    NORMAL_BERT, NORMAL_BYTES, NORMAL_LOWER, NORMAL_NFC, NORMAL_NFD, NORMAL_NFKC, NORMAL_NFKD, NORMAL_NMT, NORMAL_CHARSMAP,
    NORMAL_PREPEND, NORMAL_REPLACE, NORMAL_STRIP, NORMAL_ACCENTS, NORMAL_COUNT
} Normal;

/* ---- reading ---- */

static bool read_bert(EncRead *read, const JsonNode *node, EncStep *step) {
    step->clean = step->chinese = step->lower = true;
    if (!enc_read_bool(read, node, "clean_text", &step->clean) || !enc_read_bool(read, node, "handle_chinese_chars", &step->chinese) ||
        !enc_read_bool(read, node, "lowercase", &step->lower))
        return false;
    step->accents = step->lower; /* null: as lowercase */
    return enc_read_bool(read, node, "strip_accents", &step->accents);
}

static bool read_prepend(EncRead *read, const JsonNode *node, EncStep *step) {
    const JsonNode *text;
    return enc_need(read, node, "prepend", JSON_TREE_STRING, &text) && enc_read_text(read, node, "prepend", &step->text);
}

static bool read_replace(EncRead *read, const JsonNode *node, EncStep *step) {
    const JsonNode *text;
    return enc_need(read, node, "content", JSON_TREE_STRING, &text) && enc_read_text(read, node, "content", &step->content) &&
           enc_read_pattern(read, node, "pattern", &step->pattern);
}

static bool read_strip(EncRead *read, const JsonNode *node, EncStep *step) {
    step->left = step->right = true;
    return enc_read_bool(read, node, "strip_left", &step->left) && enc_read_bool(read, node, "strip_right", &step->right);
}

static const EncStepKind kinds[] = {
    [NORMAL_BERT] = {"BertNormalizer", read_bert},
    [NORMAL_BYTES] = {"ByteLevel", NULL},
    [NORMAL_LOWER] = {"Lowercase", NULL},
    [NORMAL_NFC] = {"NFC", NULL},
    [NORMAL_NFD] = {"NFD", NULL},
    [NORMAL_NFKC] = {"NFKC", NULL},
    [NORMAL_NFKD] = {"NFKD", NULL},
    [NORMAL_NMT] = {"Nmt", NULL},
    [NORMAL_CHARSMAP] = {"Precompiled", enc_read_charsmap},
    [NORMAL_PREPEND] = {"Prepend", read_prepend},
    [NORMAL_REPLACE] = {"Replace", read_replace},
    [NORMAL_STRIP] = {"Strip", read_strip},
    [NORMAL_ACCENTS] = {"StripAccents", NULL},
};
static_assert(sizeof kinds / sizeof *kinds == NORMAL_COUNT, "one row a normalizer");
const EncSection enc_normalizers = {"normalizer", "normalizers", kinds, NORMAL_COUNT};

/* ---- character by character ---- */

/* What becomes of one character; `step` says how. */
typedef void CharacterRule(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c);

static bool each_character(EncWork *work, CharacterRule *rule, const EncStep *step, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n);
    for (int at = 0; at < text->n;) {
        int start = at;
        uint32_t c = enc_next(text, &at);
        rule(step, &maker, text, start, at, c);
    }
    return enc_maker_end(&maker, text->origin, text, work->err);
}

static void clean(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    bool kept = c == '\t' || c == '\n' || c == '\r'; /* control characters that are spaces */
    if (!kept && (c == 0xFFFD || enc_is_control(c))) return;
    if (enc_is_white(c)) enc_put(maker, ' ', text->spans[start]);
    else enc_put_text(maker, text, start, end);
}

/* The blocks that BERT's authors took for Chinese. */
static bool is_chinese(uint32_t c) {
    return (c >= 0x4E00 && c <= 0x9FFF) || (c >= 0x3400 && c <= 0x4DBF) || (c >= 0x20000 && c <= 0x2A6DF) || (c >= 0x2A700 && c <= 0x2B73F) ||
           (c >= 0x2B740 && c <= 0x2B81F) || (c >= 0x2B920 && c <= 0x2CEAF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0x2F800 && c <= 0x2FA1F);
}

static void space_chinese(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    bool chinese = is_chinese(c);
    if (chinese) enc_put(maker, ' ', enc_span_before(text, start));
    enc_put_text(maker, text, start, end);
    if (chinese) enc_put(maker, ' ', text->spans[start]);
}

static void lower(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    uint32_t small = (uint32_t)utf8proc_tolower((utf8proc_int32_t)c);
    if (c == 0x130) enc_put_bytes(maker, (EncBytes){"i\u0307", 3}, text->spans[start]); /* the one that becomes two */
    else if (small == c) enc_put_text(maker, text, start, end);
    else enc_put(maker, small, text->spans[start]);
}

static void drop_nonspacing(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    if (!enc_is_nonspacing(c)) enc_put_text(maker, text, start, end);
}

static void drop_marks(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    if (!enc_is_mark(c)) enc_put_text(maker, text, start, end);
}

/* Control characters go, and some that cannot be seen become spaces (the rules of a translation toolkit). */
static void nmt(const EncStep *step, EncMaker *maker, const EncText *text, int start, int end, uint32_t c) {
    (void)step;
    bool gone = (c >= 1 && c <= 8) || c == 0x0B || (c >= 0x0E && c <= 0x1F) || c == 0x7F || c == 0x8F || c == 0x9F;
    bool space = c == 9 || c == 0x0A || c == 0x0C || c == 0x0D || c == 0x1680 || (c >= 0x200B && c <= 0x200F) || c == 0x2028 ||
                 c == 0x2029 || c == 0x2581 || c == 0xFEFF || c == 0xFFFD;
    if (space) enc_put(maker, ' ', text->spans[start]);
    else if (!gone) enc_put_text(maker, text, start, end);
}

/* ---- the others ---- */

static bool run_bert(EncWork *work, const EncStep *step, EncText *text) {
    if (step->clean && !each_character(work, clean, step, text)) return false;
    if (step->chinese && !each_character(work, space_chinese, step, text)) return false;
    if (step->accents && !(enc_form(work, ENC_NFD, text) && each_character(work, drop_nonspacing, step, text))) return false;
    return !step->lower || each_character(work, lower, step, text);
}

static bool run_prepend(EncWork *work, const EncStep *step, EncText *text) {
    EncMaker maker;
    if (text->n == 0) return true;
    enc_maker_init(&maker, work->arena, text->n + step->text.n);
    enc_put_bytes(&maker, step->text, text->spans[0]);
    enc_put_text(&maker, text, 0, text->n);
    return enc_maker_end(&maker, text->origin, text, work->err);
}

static bool run_replace(EncWork *work, const EncStep *step, EncText *text) {
    EncMaker maker;
    enc_maker_init(&maker, work->arena, text->n);
    int done = 0, from = 0, start, end;
    while (from <= text->n) {
        if (!enc_pattern_find(work, step->pattern, text, from, &start, &end)) return false;
        if (start < 0) break;
        enc_put_text(&maker, text, done, start);
        enc_put_bytes(&maker, step->content, enc_span_before(text, end));
        done = from = end;
        if (start < end) continue;
        if (from < text->n) enc_next(text, &from); /* nothing was found: look one character on */
        else from++;
    }
    enc_put_text(&maker, text, done, text->n);
    return enc_maker_end(&maker, text->origin, text, work->err);
}

static bool run_strip(EncWork *work, const EncStep *step, EncText *text) {
    (void)work;
    int first = text->n, last = text->n; /* what is not white; nothing: both at the end */
    bool found = false;
    for (int at = 0; at < text->n;) {
        int before = at;
        if (enc_is_white(enc_next(text, &at))) continue;
        if (!found) first = before;
        found = true;
        last = at;
    }
    if (!found && !step->left && !step->right) return true;
    *text = enc_slice(text, step->left || !found ? first : 0, step->right || !found ? last : text->n);
    return true;
}

static bool run_bytes(EncWork *work, const EncStep *step, EncText *text) {
    (void)step;
    return enc_bytes_run(work, text);
}

static bool run_charsmap(EncWork *work, const EncStep *step, EncText *text) {
    return enc_charsmap_run(work, step->map, text);
}

static bool run_form(EncWork *work, const EncStep *step, EncText *text) {
    static const EncForm forms[NORMAL_COUNT] = {[NORMAL_NFC] = ENC_NFC, [NORMAL_NFD] = ENC_NFD, [NORMAL_NFKC] = ENC_NFKC, [NORMAL_NFKD] = ENC_NFKD};
    return enc_form(work, forms[step->kind], text);
}

static bool run_lower(EncWork *work, const EncStep *step, EncText *text) {
    return each_character(work, lower, step, text);
}

static bool run_nmt(EncWork *work, const EncStep *step, EncText *text) {
    return each_character(work, nmt, step, text);
}

static bool run_accents(EncWork *work, const EncStep *step, EncText *text) {
    return each_character(work, drop_marks, step, text);
}

static bool (*const runs[])(EncWork *work, const EncStep *step, EncText *text) = {
    [NORMAL_BERT] = run_bert,       [NORMAL_BYTES] = run_bytes, [NORMAL_LOWER] = run_lower, [NORMAL_NFC] = run_form,
    [NORMAL_NFD] = run_form,        [NORMAL_NFKC] = run_form,   [NORMAL_NFKD] = run_form,   [NORMAL_NMT] = run_nmt,
    [NORMAL_CHARSMAP] = run_charsmap, [NORMAL_PREPEND] = run_prepend, [NORMAL_REPLACE] = run_replace, [NORMAL_STRIP] = run_strip,
    [NORMAL_ACCENTS] = run_accents,
};
static_assert(sizeof runs / sizeof *runs == NORMAL_COUNT, "each normalizer does something");

bool enc_normalize(EncWork *work, const EncSteps *steps, EncText *text) {
    for (int i = 0; i < steps->n; i++)
        if (!runs[steps->items[i].kind](work, &steps->items[i], text)) return false;
    return true;
}
