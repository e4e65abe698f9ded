/* Patterns: plain strings, and regular expressions run by PCRE2. What can be typed in a file can be slow, so a
 * search has limits and a time; the expressions of real tokenizers stay far below them. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>
#include <time.h>

#include "base/tr.h"
#include "model/encoder_internal.h"
#include "model/encoder_regex.h"

enum {
    EXPRESSION_BYTES_MAX = 16 * 1024,
    WINDOW = 32 * 1024,  /* bytes of one match with what it looks ahead at */
    STEPS_MAX = 100000,  /* of one match */
    HEAP_KIB_MAX = 64 * 1024,
    CLOCK_EVERY = 64     /* matches between two looks at the clock */
};
static const int64_t time_max = 2000000000; /* ns for all searches of one encoding */

struct EncPattern {
    EncBytes plain; /* bytes NULL: an expression */
    pcre2_code *code;
};

/* ---- memory: PCRE2 gets it from an arena and gives nothing back ---- */

static void *take(PCRE2_SIZE size, void *arena) {
    return arena_try_raw(arena, size, 1);
}

static void give(void *memory, void *arena) {
    (void)memory, (void)arena;
}

/* ---- making ---- */

static bool compile(EncRead *read, const char *key, const char *expression, EncPattern *out) {
    int code;
    PCRE2_SIZE at;
    PCRE2_UCHAR message[160];
    pcre2_general_context *general = pcre2_general_context_create(take, give, read->keep);
    pcre2_compile_context *context = general != NULL ? pcre2_compile_context_create(general) : NULL;
    if (context == NULL) return err_set(read->err, ERR_MEMORY, tr("not enough memory for an expression"));
    pcre2_set_newline(context, PCRE2_NEWLINE_LF);
    uint32_t options = PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C;
    out->code = pcre2_compile((PCRE2_SPTR)expression, PCRE2_ZERO_TERMINATED, options, &code, &at, context);
    if (out->code != NULL) return true;
    pcre2_get_error_message(code, message, sizeof message);
    return enc_refuse(read, key, tr("the expression \"%.160s\" cannot be used: %s"), expression, (const char *)message);
}

static bool open_expression(EncRead *read, const char *key, EncBytes expression, EncPattern *out) {
    if (expression.n > EXPRESSION_BYTES_MAX) return enc_refuse(read, key, tr("an expression of %d bytes; at most %d are read"), expression.n, EXPRESSION_BYTES_MAX);
    const char *reason, *translated = enc_regex_translate(read->keep, expression, &reason);
    if (translated == NULL) return enc_refuse(read, key, tr("the expression \"%.160s\" cannot be used: %s"), expression.bytes, reason);
    return compile(read, key, translated, out);
}

bool enc_pattern_open(EncRead *read, const char *expression, const EncPattern **out) {
    EncPattern *pattern = ARENA_NEW(read->keep, EncPattern);
    *out = pattern;
    return open_expression(read, NULL, (EncBytes){expression, (int)strlen(expression)}, pattern);
}

bool enc_read_pattern(EncRead *read, const JsonNode *node, const char *key, const EncPattern **out) {
    const JsonNode *value = json_tree_get(node, key);
    const JsonNode *regex = json_tree_get(value, "Regex"), *plain = json_tree_get(value, "String");
    if (value != NULL && value->kind == JSON_TREE_STRING) plain = value;
    if (plain == NULL) plain = regex;
    if (plain == NULL || plain->kind != JSON_TREE_STRING) return enc_refuse_kind(read, key, value, tr("{\"String\": \"…\"} or {\"Regex\": \"…\"}"));
    EncBytes text = {plain->as.text, plain->n};
    EncPattern *pattern = ARENA_NEW(read->keep, EncPattern);
    *out = pattern;
    if (plain == regex) return open_expression(read, key, text, pattern);
    pattern->plain = text;
    return true;
}

/* ---- finding ---- */

static bool find_plain(const EncPattern *pattern, const EncText *text, int from, int *start, int *end) {
    const char *found = pattern->plain.n > 0 && from < text->n
        ? memmem(text->bytes + from, (size_t)(text->n - from), pattern->plain.bytes, (size_t)pattern->plain.n) : NULL;
    *start = found != NULL ? (int)(found - text->bytes) : -1;
    *end = *start + pattern->plain.n;
    return true;
}

static bool prepare(EncWork *work) {
    if (work->match != NULL) return true;
    pcre2_general_context *general = pcre2_general_context_create(take, give, work->arena);
    pcre2_match_context *limits = general != NULL ? pcre2_match_context_create(general) : NULL;
    work->match = limits != NULL ? pcre2_match_data_create(1, general) : NULL;
    if (work->match == NULL) return err_set(work->err, ERR_MEMORY, tr("not enough memory for an expression"));
    pcre2_set_match_limit(limits, STEPS_MAX);
    pcre2_set_depth_limit(limits, STEPS_MAX);
    pcre2_set_heap_limit(limits, HEAP_KIB_MAX);
    work->match_limits = limits;
    return true;
}

static bool in_time(EncWork *work) {
    struct timespec now;
    if (work->matches++ % CLOCK_EVERY != 0) return true;
    clock_gettime(CLOCK_MONOTONIC, &now);
    int64_t ns = (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
    if (work->deadline == 0) work->deadline = ns + time_max;
    return ns < work->deadline;
}

/* A match that begins at `at`: 1, or 0 for none, or -1 for too much work. */
static int match_here(EncWork *work, const EncPattern *pattern, const EncText *text, int at, int *start, int *end) {
    int length = text->n - at > WINDOW ? at + WINDOW : text->n;
    while (length < text->n && ((unsigned char)text->bytes[length] & 0xC0) == 0x80) length++;
    if (!in_time(work)) return -1;
    int code = pcre2_match(pattern->code, (PCRE2_SPTR)text->bytes, (PCRE2_SIZE)length, (PCRE2_SIZE)at, PCRE2_ANCHORED | PCRE2_NO_UTF_CHECK, work->match, work->match_limits);
    if (code == PCRE2_ERROR_NOMATCH) return 0;
    if (code < 0) return -1;
    const PCRE2_SIZE *place = pcre2_get_ovector_pointer(work->match);
    if (place[0] < (PCRE2_SIZE)at || place[1] < place[0]) return -1;
    *start = (int)place[0];
    *end = (int)place[1];
    return 1;
}

bool enc_pattern_find(EncWork *work, const EncPattern *pattern, const EncText *text, int from, int *start, int *end) {
    if (pattern->plain.bytes != NULL) return find_plain(pattern, text, from, start, end);
    if (!prepare(work)) return false;
    *start = -1;
    for (int at = from; at <= text->n;) {
        int found = match_here(work, pattern, text, at, start, end);
        if (found > 0) return true;
        if (found < 0) return err_set(work->err, ERR_LIMIT, tr("an expression of the tokenizer needs too long for this text"));
        if (at == text->n) break;
        enc_next(text, &at);
    }
    *start = -1;
    return true;
}
