/* Scalars of the scenario file: words, numbers, yes and no. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "doc/yaml_schema.h"

/* ---- messages ---- */

bool yaml_bad(YamlReader *r, const YamlNode *at, ErrCode code, const char *fmt, ...) {
    va_list args;
    if (!r->err || r->err->code != ERR_NONE) return false;
    va_start(args, fmt);
    err_set_v(r->err, code, fmt, args);
    va_end(args);
    err_key(r->err, r->path);
    return at ? err_place(r->err, NULL, at->line, at->column) : false;
}

const char *yaml_found(const YamlNode *node, char out[96]) {
    if (node->kind == NODE_MAP) snprintf(out, 96, "%s", tr("a mapping"));
    else if (node->kind == NODE_LIST) snprintf(out, 96, tr("a list of %d"), node->n);
    else if (!node->text[0]) snprintf(out, 96, "%s", tr("nothing"));
    else snprintf(out, 96, "'%.60s'", node->text);
    size_t good = utf8_valid_until(out, strlen(out)); /* never half a character */
    if (good < strlen(out)) snprintf(out + good, 96 - good, "…'");
    return out;
}

size_t yaml_path_enter(YamlReader *r, const char *name, int item) {
    size_t length = strlen(r->path);
    if (name) snprintf(r->path + length, sizeof r->path - length, "%s%.40s", length ? "." : "", name);
    else snprintf(r->path + length, sizeof r->path - length, "[%d]", item);
    return length;
}

void yaml_path_leave(YamlReader *r, size_t length) {
    r->path[length] = 0;
}

/* "none, causal, …" and the nearest of them, or NULL. */
static const char *list_names(const char *const *names, int count, const char *text, char *list, size_t size) {
    StrNearest near = str_nearest(text);
    list[0] = 0;
    for (int i = 0; i < count; i++) {
        if (!names[i]) continue;
        str_offer(&near, names[i]);
        str_list_add(list, size, names[i]);
    }
    return near.word;
}

int yaml_find_key(YamlReader *r, const YamlNode *key, const char *const *names, int count) {
    char list[420];
    int at = str_find(names, count, key->text);
    if (at >= 0) return at;
    const char *near = list_names(names, count, key->text, list, sizeof list);
    if (near) yaml_bad(r, key, ERR_INPUT, tr("unknown key '%.60s' - did you mean %s? Known are %s"), key->text, near, list);
    else yaml_bad(r, key, ERR_INPUT, tr("unknown key '%.60s'; known are %s"), key->text, list);
    return -1;
}

bool yaml_choice(YamlReader *r, const YamlNode *node, const char *const *names, int count, int *out) {
    char list[320], found[96];
    int at = node->kind == NODE_SCALAR ? str_find(names, count, node->text) : -1;
    if (at >= 0) {
        *out = at;
        return true;
    }
    const char *near = list_names(names, count, node->kind == NODE_SCALAR ? node->text : "", list, sizeof list);
    if (near)
        return yaml_bad(r, node, ERR_INPUT, tr("expected one of %s; found %s - did you mean %s?"), list,
                        yaml_found(node, found), near);
    return yaml_bad(r, node, ERR_INPUT, tr("expected one of %s; found %s"), list, yaml_found(node, found));
}

/* ---- scalars ---- */

static bool parse_number(const char *text, double *out) {
    static const struct {
        const char *text;
        double value;
    } special[] = {{".inf", INFINITY}, {"+.inf", INFINITY}, {"-.inf", -INFINITY}, {".nan", NAN}, {".Inf", INFINITY},
                   {"-.Inf", -INFINITY}, {".NaN", NAN}};
    for (size_t i = 0; i < sizeof special / sizeof *special; i++) {
        if (!str_eq(text, special[i].text)) continue;
        *out = special[i].value;
        return true;
    }
    return str_to_double(text, out);
}

bool yaml_number(YamlReader *r, const YamlNode *node, double *out) {
    char found[96];
    if (node->kind == NODE_SCALAR && parse_number(node->text, out)) return true;
    return yaml_bad(r, node, ERR_INPUT, tr("expected a number, found %s"), yaml_found(node, found));
}

bool yaml_int(YamlReader *r, const YamlNode *node, int min, int max, int *out) {
    char found[96];
    int value;
    if (node->kind == NODE_SCALAR && str_to_int(node->text, &value) && value >= min && value <= max) {
        *out = value;
        return true;
    }
    return yaml_bad(r, node, ERR_INPUT, tr("expected a whole number from %d to %d, found %s"), min, max,
                    yaml_found(node, found));
}

bool yaml_bool(YamlReader *r, const YamlNode *node, bool *out) {
    static const char *const words[] = {"false", "true", "no", "yes", "off", "on"};
    char found[96];
    int at = node->kind == NODE_SCALAR ? str_find(words, 6, node->text) : -1;
    if (at < 0) return yaml_bad(r, node, ERR_INPUT, tr("expected true or false, found %s"), yaml_found(node, found));
    *out = at % 2 == 1;
    return true;
}

static const char *yaml_special(const char *text) {
    return str_eq(text, "inf") ? ".inf" : str_eq(text, "-inf") ? "-.inf" : str_eq(text, "nan") ? ".nan" : text;
}

const char *yaml_double(char out[NUM_MAX], double value) {
    return yaml_special(num_double(out, value, NUM_FILE));
}

const char *yaml_float(char out[NUM_MAX], float value) {
    return yaml_special(num_float(out, value, NUM_FILE));
}

/* What a YAML reader would take for a line break or refuse is written as an escape. */
static bool needs_escape(uint32_t c) {
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF;
}

void yaml_put_text(StrBuf *sb, const char *text) {
    size_t length = strlen(text);
    sb_add(sb, "\"");
    for (size_t pos = 0; pos < length;) {
        size_t at = pos;
        uint32_t c = utf8_next(text, length, &pos);
        if (c == '"' || c == '\\') sb_printf(sb, "\\%c", (char)c);
        else if (c == '\n') sb_add(sb, "\\n");
        else if (c == '\t') sb_add(sb, "\\t");
        else if (needs_escape(c)) sb_printf(sb, "\\u%04X", (unsigned)c);
        else sb_add_n(sb, text + at, pos - at);
    }
    sb_add(sb, "\"");
}

/* Several lines can stand as a block, each as it is, when none of them begins with a space or needs an escape. */
static bool stands_as_block(const char *text) {
    size_t length = strlen(text);
    bool starts = true;
    if (text[0] == '\n' || !strchr(text, '\n')) return false;
    for (size_t pos = 0; pos < length;) {
        uint32_t c = utf8_next(text, length, &pos);
        if (c != '\n' && (needs_escape(c) || (starts && c == ' '))) return false;
        starts = c == '\n';
    }
    return true;
}

static void put_block(StrBuf *sb, const char *text) {
    size_t length = strlen(text);
    bool ends = text[length - 1] == '\n', more = ends && text[length - 2] == '\n';
    sb_add(sb, more ? "|+\n" : ends ? "|\n" : "|-\n");
    for (const char *line = text; *line;) {
        size_t n = strcspn(line, "\n");
        sb_printf(sb, "%s%.*s\n", n ? "  " : "", (int)n, line);
        line += n + (line[n] == '\n');
    }
}

bool yaml_write_notes(YamlWriter *w, const YamlKey *key) {
    const Blob *notes = *(Blob *const *)(const void *)((const char *)w->doc + key->at);
    const char *text = notes ? notes->bytes : "";
    if (!text[0]) return false;
    sb_printf(&w->sb, "%s: ", key->name);
    if (stands_as_block(text)) {
        put_block(&w->sb, text);
        return true;
    }
    yaml_put_text(&w->sb, text);
    sb_add(&w->sb, "\n");
    return true;
}

/* ---- fields that a row describes ---- */

static void *field(const YamlReader *r, const YamlKey *key) {
    return (key->in_view ? (char *)r->view : (char *)r->doc) + key->at;
}

static const void *value_of(const YamlWriter *w, const YamlKey *key) {
    return (key->in_view ? (const char *)w->view : (const char *)w->doc) + key->at;
}

static const void *default_of(const YamlWriter *w, const YamlKey *key) {
    return (key->in_view ? (const char *)w->base_view : (const char *)w->base) + key->at;
}

void yaml_put_field(YamlWriter *w, const YamlKey *key, const char *value) {
    if (w->in_view) sb_printf(&w->sb, "%s%s: %s", w->n_fields++ ? ", " : "", key->name, value);
    else sb_printf(&w->sb, "%s: %s\n", key->name, value);
}

bool yaml_read_choice(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    int value;
    if (!yaml_choice(r, node, key->names, key->count, &value)) return false;
    *(int *)field(r, key) = value; /* enums are as wide as int: asserted beside the table */
    return true;
}

bool yaml_write_choice(YamlWriter *w, const YamlKey *key) {
    int value = *(const int *)value_of(w, key);
    if (value == *(const int *)default_of(w, key)) return false;
    yaml_put_field(w, key, key->names[value]);
    return true;
}

bool yaml_read_int(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    return yaml_int(r, node, (int)key->min, (int)key->max, field(r, key));
}

bool yaml_write_int(YamlWriter *w, const YamlKey *key) {
    int value = *(const int *)value_of(w, key);
    if (value == *(const int *)default_of(w, key)) return false;
    char number[16];
    snprintf(number, sizeof number, "%d", value);
    yaml_put_field(w, key, number);
    return true;
}

bool yaml_read_double(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    double value;
    char found[96];
    if (!yaml_number(r, node, &value)) return false;
    if (!(value >= key->min && value <= key->max))
        return yaml_bad(r, node, ERR_INPUT, tr("expected %s, found %s"), tr(key->expects), yaml_found(node, found));
    *(double *)field(r, key) = value;
    return true;
}

bool yaml_write_double(YamlWriter *w, const YamlKey *key) {
    char number[NUM_MAX];
    double value = *(const double *)value_of(w, key);
    if (value == *(const double *)default_of(w, key)) return false;
    yaml_put_field(w, key, yaml_double(number, value));
    return true;
}

bool yaml_read_bool(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    return yaml_bool(r, node, field(r, key));
}

bool yaml_write_bool(YamlWriter *w, const YamlKey *key) {
    bool value = *(const bool *)value_of(w, key);
    if (value == *(const bool *)default_of(w, key)) return false;
    yaml_put_field(w, key, value ? "true" : "false");
    return true;
}

bool yaml_read_seed(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    char found[96], *end = NULL;
    bool digits = node->kind == NODE_SCALAR && node->text[0] && node->text[strspn(node->text, "0123456789")] == 0;
    errno = 0;
    unsigned long long value = digits ? strtoull(node->text, &end, 10) : 0;
    if (!digits || errno == ERANGE)
        return yaml_bad(r, node, ERR_INPUT, tr("expected a whole number from 0 to 18446744073709551615, found %s"),
                        yaml_found(node, found));
    *(unsigned long long *)field(r, key) = value;
    return true;
}

bool yaml_write_seed(YamlWriter *w, const YamlKey *key) {
    if (w->doc->seed == w->base->seed) return false;
    sb_printf(&w->sb, "%s: %llu\n", key->name, w->doc->seed);
    return true;
}

bool yaml_read_out_proj(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    if (!yaml_bool(r, node, &r->doc->out_proj)) return false;
    r->doc->out_proj_set = true;
    return true;
}

bool yaml_write_out_proj(YamlWriter *w, const YamlKey *key) {
    if (!w->doc->out_proj_set) return false;
    yaml_put_field(w, key, w->doc->out_proj ? "true" : "false");
    return true;
}

bool yaml_read_scale(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    double number;
    r->doc->scale_number = 0; /* documents that mean the same are the same */
    if (node->kind == NODE_SCALAR && str_eq(node->text, "auto")) r->doc->scale = SCALE_AUTO;
    else if (node->kind == NODE_SCALAR && str_eq(node->text, "none")) r->doc->scale = SCALE_NONE;
    else if (node->kind == NODE_SCALAR && parse_number(node->text, &number) && isfinite(number)) {
        r->doc->scale = SCALE_NUMBER;
        r->doc->scale_number = number;
    } else {
        return yaml_bad(r, node, ERR_INPUT, tr("expected auto, none or the number that multiplies the scores, found %s"),
                        yaml_found(node, found));
    }
    return true;
}

bool yaml_write_scale(YamlWriter *w, const YamlKey *key) {
    char number[NUM_MAX];
    const Doc *doc = w->doc;
    if (doc->scale == SCALE_AUTO) return false;
    yaml_put_field(w, key, doc->scale == SCALE_NONE ? "none" : yaml_double(number, doc->scale_number));
    return true;
}

bool yaml_write_tokenizer(YamlWriter *w, const YamlKey *key) {
    if (w->doc->tokenizer == doc_model_tokenizer(w->doc->model)) return false;
    yaml_put_field(w, key, key->names[w->doc->tokenizer]);
    return true;
}

bool yaml_read_version(YamlReader *r, const YamlKey *key, const YamlNode *node) {
    (void)key;
    char found[96];
    if (node->kind == NODE_SCALAR && str_eq(node->text, "1")) return true;
    return yaml_bad(r, node, ERR_INPUT, tr("the version is %s; this program reads version 1"), yaml_found(node, found));
}

bool yaml_write_version(YamlWriter *w, const YamlKey *key) {
    sb_printf(&w->sb, "%s: 1\n", key->name);
    return true;
}
