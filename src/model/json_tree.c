#include "model/json_tree.h"

#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"

enum { NUMBER_BYTES_MAX = 120 };

/* Items of lists that are still open lie on a stack; a list that closes moves its own into the arena. */
typedef struct {
    char *start, *at, *end, *line_start; /* line breaks stand between values only */
    int line;
    Arena *arena, scratch;
    JsonNode *stack;
    int used, room, depth;
    Err *err;
} Reader;

static bool read_value(Reader *r, JsonNode *out);

/* ---- errors ---- */

static bool refuse(Reader *r, const char *place, const char *message) {
    bool first = r->err != NULL && r->err->code == ERR_NONE;
    err_set(r->err, ERR_INPUT, "%s", message);
    if (first) {
        r->err->line = r->line;
        r->err->column = (int)(place - r->line_start) + 1;
    }
    return false;
}

static bool no_memory(Reader *r) {
    return err_set(r->err, ERR_MEMORY, tr("not enough memory for a file of %zu bytes"), (size_t)(r->end - r->start));
}

static void skip_space(Reader *r) {
    for (; *r->at == ' ' || *r->at == '\n' || *r->at == '\r' || *r->at == '\t'; r->at++) {
        if (*r->at != '\n') continue;
        r->line++;
        r->line_start = r->at + 1;
    }
}

/* ---- strings ---- */

static bool read_hex(const char *p, uint32_t *out) {
    uint32_t value = 0;
    for (int i = 0; i < 4; i++) {
        char c = p[i];
        int digit = c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
        if (digit < 0) return false;
        value = value << 4 | (uint32_t)digit;
    }
    *out = value;
    return true;
}

/* "\u00e4" or a pair of surrogates at r->at, behind "\u"; the bytes go to `to`. */
static bool read_unicode(Reader *r, char **to) {
    char *place = r->at - 2;
    uint32_t c, low = 0;
    if (!read_hex(r->at, &c)) return refuse(r, place, tr("\\u needs four hexadecimal digits"));
    r->at += 4;
    if (c >= 0xD800 && c < 0xE000) {
        bool pair = c < 0xDC00 && r->at[0] == '\\' && r->at[1] == 'u' && read_hex(r->at + 2, &low) && low >= 0xDC00 && low < 0xE000;
        if (!pair) return refuse(r, place, tr("half a surrogate pair is no character"));
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        r->at += 6;
    }
    *to += utf8_put(*to, c); /* never longer than its escape */
    return true;
}

static bool read_escape(Reader *r, char **to) {
    static const char names[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
    char name = *++r->at;
    if (name != '\0') r->at++;
    if (name == 'u') return read_unicode(r, to);
    const char *found = name != '\0' ? strchr(names, name) : NULL;
    if (found == NULL) return refuse(r, r->at - 1, tr("a backslash stands before one of \" \\ / b f n r t u"));
    *(*to)++ = values[found - names];
    return true;
}

static bool read_string(Reader *r, JsonNode *out) {
    char *open = r->at++, *to = r->at, *text = r->at;
    for (;;) {
        char *run = r->at;
        while (*r->at != '"' && *r->at != '\\' && (unsigned char)*r->at >= 0x20) r->at++;
        size_t length = (size_t)(r->at - run);
        if (to != run) memmove(to, run, length);
        to += length;
        if (*r->at == '"') break;
        if (*r->at == '\\') {
            if (!read_escape(r, &to)) return false;
            continue;
        }
        if (r->at >= r->end) return refuse(r, open, tr("this string does not end"));
        return refuse(r, r->at, tr("a control character in a string must be written as \\u00…"));
    }
    r->at++;
    *to = '\0';
    *out = (JsonNode){JSON_TREE_STRING, (int)(to - text), {.text = text}};
    return true;
}

/* ---- numbers and words ---- */

static char *skip_digits(char *p) {
    while (*p >= '0' && *p <= '9') p++;
    return p;
}

/* End of a number as the grammar has it; NULL when there is none. */
static char *number_end(char *p) {
    if (*p == '-') p++;
    char *digits = p;
    p = skip_digits(p);
    if (p == digits || (*digits == '0' && p > digits + 1)) return NULL;
    if (*p == '.') {
        char *fraction = ++p;
        if ((p = skip_digits(p)) == fraction) return NULL;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        char *exponent = p;
        if ((p = skip_digits(p)) == exponent) return NULL;
    }
    return p;
}

static bool read_number(Reader *r, JsonNode *out) {
    char *end = number_end(r->at), copy[NUMBER_BYTES_MAX + 1];
    size_t length = end != NULL ? (size_t)(end - r->at) : 0;
    if (end == NULL) return refuse(r, r->at, tr("this is no number"));
    if (length > NUMBER_BYTES_MAX) return refuse(r, r->at, tr("a number with too many digits"));
    double value = 0;
    bool small = length < 10 && r->at[0] != '-';
    for (size_t i = 0; i < length && small; i++) {
        small = r->at[i] >= '0' && r->at[i] <= '9';
        value = value * 10 + (r->at[i] - '0');
    }
    if (!small) {
        memcpy(copy, r->at, length);
        copy[length] = '\0';
        value = strtod(copy, NULL);
    }
    if (!isfinite(value)) return refuse(r, r->at, tr("this number is larger than a double can be"));
    r->at = end;
    *out = (JsonNode){JSON_TREE_NUMBER, 0, {.number = value}};
    return true;
}

static bool read_word(Reader *r, JsonNode *out) {
    static const struct { const char *word; JsonNode node; } words[] = {
        {"null", {JSON_TREE_NULL, 0, {.flag = false}}},
        {"true", {JSON_TREE_BOOL, 0, {.flag = true}}},
        {"false", {JSON_TREE_BOOL, 0, {.flag = false}}},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        if (!str_starts(r->at, words[i].word)) continue;
        r->at += strlen(words[i].word);
        *out = words[i].node;
        return true;
    }
    return refuse(r, r->at, r->at < r->end ? tr("a value is expected here") : tr("the file ends too early"));
}

/* ---- lists and objects ---- */

static bool push(Reader *r, const JsonNode *node) {
    if (r->used == r->room) {
        int room = r->room > 0 ? r->room * 2 : 1024;
        JsonNode *stack = r->room < INT_MAX / 4 ? arena_try_raw(&r->scratch, (size_t)room, sizeof *stack) : NULL;
        if (stack == NULL) return no_memory(r);
        if (r->used > 0) memcpy(stack, r->stack, (size_t)r->used * sizeof *stack);
        r->stack = stack;
        r->room = room;
    }
    r->stack[r->used++] = *node;
    return true;
}

static bool read_member(Reader *r, bool object) {
    JsonNode node;
    if (object) {
        skip_space(r);
        if (*r->at != '"') return refuse(r, r->at, tr("a name in double quotes is expected here"));
        if (!read_string(r, &node) || !push(r, &node)) return false;
        skip_space(r);
        if (*r->at != ':') return refuse(r, r->at, tr("a colon is expected here"));
        r->at++;
    }
    return read_value(r, &node) && push(r, &node);
}

static bool read_list(Reader *r, JsonNode *out) {
    bool object = *r->at == '{';
    char *open = r->at++, close = object ? '}' : ']';
    int first = r->used;
    if (++r->depth > JSON_DEPTH_MAX) return refuse(r, open, tr("lists and objects lie in each other too deeply"));
    skip_space(r);
    bool more = *r->at != close;
    while (more) {
        if (!read_member(r, object)) return false;
        skip_space(r);
        more = *r->at == ',';
        if (more) r->at++;
        else if (*r->at != close)
            return refuse(r, r->at, r->at >= r->end ? tr("the file ends too early") : object ? tr("a comma or } is expected here") : tr("a comma or ] is expected here"));
    }
    r->at++;
    r->depth--;
    int count = r->used - first;
    JsonNode *items = arena_try_raw(r->arena, (size_t)count, sizeof *items);
    if (items == NULL) return no_memory(r);
    if (count > 0) memcpy(items, r->stack + first, (size_t)count * sizeof *items);
    r->used = first;
    *out = (JsonNode){object ? JSON_TREE_OBJECT : JSON_TREE_ARRAY, object ? count / 2 : count, {.items = items}};
    return true;
}

static bool read_value(Reader *r, JsonNode *out) {
    skip_space(r);
    char c = *r->at;
    if (c == '"') return read_string(r, out);
    if (c == '{' || c == '[') return read_list(r, out);
    if (c == '-' || (c >= '0' && c <= '9')) return read_number(r, out);
    return read_word(r, out);
}

bool json_tree_read(char *text, size_t size, Arena *arena, const JsonNode **out, Err *err) {
    assert(text[size] == '\0');
    Reader r = {.start = text, .at = text, .end = text + size, .line_start = text, .line = 1, .arena = arena, .err = err};
    JsonNode *root = ARENA_NEW(arena, JsonNode);
    size_t good = utf8_valid_until(text, size);
    if (size > INT_MAX / 2) return err_set(err, ERR_LIMIT, tr("a file of %zu bytes; at most %d are read"), size, INT_MAX / 2);
    if (good < size) return err_set(err, ERR_INPUT, tr("byte %zu is not UTF-8"), good + 1);
    bool ok = read_value(&r, root);
    if (ok) skip_space(&r);
    if (ok && r.at < r.end) ok = refuse(&r, r.at, tr("nothing more is expected here"));
    arena_free(&r.scratch);
    *out = ok ? root : NULL;
    return ok;
}

const JsonNode *json_tree_get(const JsonNode *node, const char *name) {
    if (node == NULL || node->kind != JSON_TREE_OBJECT) return NULL;
    size_t length = strlen(name);
    for (int i = node->n - 1; i >= 0; i--) {
        const JsonNode *key = &node->as.items[2 * i];
        if ((size_t)key->n == length && memcmp(key->as.text, name, length) == 0) return key + 1;
    }
    return NULL;
}

const char *json_tree_kind(const JsonNode *node) {
    const char *const names[] = {
        [JSON_TREE_NULL] = tr_mark("null"),       [JSON_TREE_BOOL] = tr_mark("true or false"), [JSON_TREE_NUMBER] = tr_mark("a number"),
        [JSON_TREE_STRING] = tr_mark("a string"), [JSON_TREE_ARRAY] = tr_mark("a list"),       [JSON_TREE_OBJECT] = tr_mark("an object")};
    static_assert(sizeof names / sizeof *names == JSON_TREE_KIND_COUNT, "one name a kind");
    return node == NULL ? tr("nothing") : tr(names[node->kind]);
}

bool json_tree_int(const JsonNode *node, int least, int most, int *out) {
    if (node == NULL || node->kind != JSON_TREE_NUMBER) return false;
    double value = node->as.number;
    if (!(value >= least && value <= most) || value != floor(value)) return false;
    *out = (int)value;
    return true;
}
