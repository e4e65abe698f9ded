#include "model/array_file.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/json_tree.h"

enum { BYTES_MOST = 256 << 20, NUMBERS_MOST = 1 << 24, NPY_HEADER_MOST = 1 << 16, RAW_RANK_MOST = 8 };

/* ---- shapes ---- */

/* Leading ones beyond what a map has are a batch. */
static bool take_shape(const size_t *dim, int rank, ArrayFile *out, Err *err) {
    int from = 0;
    while (rank - from > 2 && dim[from] == 1 && (rank - from > ARRAY_RANK_MAX || from == 0)) from++;
    if (rank - from < 1 || rank - from > ARRAY_RANK_MAX)
        return err_set(err, ERR_SHAPE, tr("an array of rank %d; a map is [rows, columns] or [heads, rows, columns], with a batch of one in front at most"), rank);
    out->rank = rank - from;
    out->batch = from > 0;
    for (int i = 0; i < out->rank; i++) {
        if (dim[from + i] < 1 || dim[from + i] > ARRAY_SIDE_MAX)
            return err_set(err, ERR_LIMIT, tr("a side of %zu numbers; 1 to %d are possible"), dim[from + i], ARRAY_SIDE_MAX);
        out->dim[i] = (int)dim[from + i];
    }
    return true;
}

static size_t count_of(const ArrayFile *a) {
    size_t n = 1;
    for (int i = 0; i < a->rank; i++) n *= (size_t)a->dim[i];
    return n;
}

static bool make_room(ArrayFile *a, Arena *arena, Err *err) {
    size_t n = count_of(a);
    if (n > NUMBERS_MOST) return err_set(err, ERR_LIMIT, tr("%zu numbers; up to %d are possible"), n, NUMBERS_MOST);
    a->data = arena_try(arena, n, sizeof *a->data);
    return a->data != NULL || err_set(err, ERR_MEMORY, "%s", tr("out of memory"));
}

/* ---- NumPy ---- */

typedef struct { char kind; int bytes; bool big; } Descr;

/* "<f4", "|b1", ">i2" */
static bool parse_descr(const char *text, size_t n, Descr *out, Err *err) {
    static const struct { char kind; const char *bytes; } known[] = {{'f', "248"}, {'i', "1248"}, {'u', "1248"}, {'b', "1"}};
    bool good = n == 3 && strchr("<>|=", text[0]) != NULL;
    if (good) {
        good = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++) good = good || (text[1] == known[i].kind && strchr(known[i].bytes, text[2]));
    }
    if (!good) return err_set(err, ERR_INPUT, tr("numbers of the type '%.*s'; f2, f4, f8, i1 to i8, u1 to u8 and b1 can be read"), (int)(n < 20 ? n : 20), text);
    *out = (Descr){text[1], text[2] - '0', text[0] == '>'};
    return true;
}

static const char *value_of(const char *header, const char *key) {
    const char *at = strstr(header, key);
    if (at == NULL) return NULL;
    at += strlen(key);
    while (*at == ' ') at++;
    if (*at != ':') return NULL;
    at++;
    while (*at == ' ') at++;
    return at;
}

static bool parse_header(const char *header, Descr *descr, bool *fortran, size_t *dim, int *rank, Err *err) {
    const char *type = value_of(header, "'descr'"), *order = value_of(header, "'fortran_order'"), *shape = value_of(header, "'shape'");
    const char *end = type && *type == '\'' ? strchr(type + 1, '\'') : NULL;
    if (!end || !order || !shape || *shape != '(') return err_set(err, ERR_INPUT, "%s", tr("the header of the .npy file has no descr, fortran_order and shape as NumPy writes them"));
    *fortran = strncmp(order, "True", 4) == 0;
    *rank = 0;
    for (const char *at = shape + 1; *at && *at != ')';) {
        char *after;
        if (*at == ' ' || *at == ',') {
            at++;
            continue;
        }
        unsigned long long n = *at >= '0' && *at <= '9' ? strtoull(at, &after, 10) : 0;
        if (!(*at >= '0' && *at <= '9') || *rank == RAW_RANK_MOST) return err_set(err, ERR_INPUT, "%s", tr("the shape in the header of the .npy file is none that can be read"));
        dim[(*rank)++] = n > SIZE_MAX / 2 ? SIZE_MAX / 2 : (size_t)n;
        at = after;
    }
    return parse_descr(type + 1, (size_t)(end - type - 1), descr, err);
}

/* IEEE 754 binary16. */
static double half_of(uint64_t bits) {
    int exponent = (int)(bits >> 10 & 31), mantissa = (int)(bits & 1023);
    double value = exponent == 31 ? (mantissa ? (double)NAN : (double)INFINITY) : exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);
    return bits >> 15 & 1 ? -value : value;
}

static double number_of(const uint8_t *at, const Descr *d) {
    uint64_t bits = 0;
    for (int i = 0; i < d->bytes; i++) bits |= (uint64_t)at[d->big ? d->bytes - 1 - i : i] << (8 * i);
    if (d->kind == 'f' && d->bytes == 2) return half_of(bits);
    if (d->kind == 'f' && d->bytes == 4) {
        uint32_t narrow = (uint32_t)bits;
        float value;
        memcpy(&value, &narrow, 4);
        return (double)value;
    }
    if (d->kind == 'f') {
        double value;
        memcpy(&value, &bits, 8);
        return value;
    }
    if (d->kind == 'i' && d->bytes < 8 && bits >> (8 * d->bytes - 1) & 1) return (double)((int64_t)bits - ((int64_t)1 << (8 * d->bytes)));
    return d->kind == 'i' ? (double)(int64_t)bits : (double)bits;
}

/* Where element i of C order lies in Fortran order. */
static size_t fortran_place(const ArrayFile *a, size_t i) {
    size_t place = 0, step = 1;
    int index[ARRAY_RANK_MAX];
    for (int axis = a->rank - 1; axis >= 0; axis--) index[axis] = (int)(i % (size_t)a->dim[axis]), i /= (size_t)a->dim[axis];
    for (int axis = 0; axis < a->rank; axis++) place += (size_t)index[axis] * step, step *= (size_t)a->dim[axis];
    return place;
}

static bool parse_npy(char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err) {
    const uint8_t *raw = (const uint8_t *)bytes;
    if (size < 12 || memcmp(raw, "\x93NUMPY", 6) != 0) return err_set(err, ERR_INPUT, "%s", tr("this is no .npy file: it does not begin with \\x93NUMPY"));
    int version = raw[6];
    size_t at = version >= 2 ? 12 : 10, length = raw[8] | (size_t)raw[9] << 8 | (version >= 2 ? (size_t)raw[10] << 16 | (size_t)raw[11] << 24 : 0);
    if (version < 1 || version > 3) return err_set(err, ERR_INPUT, tr("a .npy file of version %d; 1 to 3 can be read"), version);
    if (length > NPY_HEADER_MOST || length > size - at) return err_set(err, ERR_INPUT, tr("the header of the .npy file has %zu bytes, beyond the file's end"), length);
    Descr descr = {0};
    bool fortran = false;
    size_t dim[RAW_RANK_MOST];
    int rank = 0;
    if (!parse_header(arena_strndup(arena, bytes + at, length), &descr, &fortran, dim, &rank, err) || !take_shape(dim, rank, out, err) || !make_room(out, arena, err)) return false;
    size_t n = count_of(out), there = size - at - length;
    if (there != n * (size_t)descr.bytes)
        return err_set(err, ERR_INPUT, tr("%zu bytes of numbers; the shape in the header of the .npy file wants %zu"), there, n * (size_t)descr.bytes);
    for (size_t i = 0; i < n; i++) out->data[i] = (float)number_of(raw + at + length + (fortran ? fortran_place(out, i) : i) * (size_t)descr.bytes, &descr);
    return true;
}

/* ---- CSV ---- */

typedef struct { char **field; int n, line; } Record;

/* Splits in place, by RFC 4180; a tab or a semicolon may stand for the comma. */
static int split_records(char *text, Arena *arena, Record **out, Err *err) {
    char between = strchr(text, ',') ? ',' : strchr(text, '\t') ? '\t' : ';';
    int n = 0, capacity = 0, line = 1;
    Record *list = NULL;
    char **fields = ARENA_ARRAY(arena, char *, ARRAY_SIDE_MAX + 3);
    for (char *at = text; *at;) {
        Record record = {.field = fields, .line = line};
        for (bool more = true; more;) {
            char *to = at;
            if (record.n == ARRAY_SIDE_MAX + 2) return err_set(err, ERR_LIMIT, tr("line %d has more than %d fields"), line, ARRAY_SIDE_MAX + 2), -1;
            record.field[record.n++] = to;
            bool quoted = *at == '"';
            if (quoted) at++;
            while (*at && (quoted || (*at != between && *at != '\n' && *at != '\r'))) {
                if (quoted && *at == '"' && at[1] != '"') {
                    quoted = false;
                    at++;
                    continue;
                }
                if (quoted && *at == '"') at++;
                line += *at == '\n';
                *to++ = *at++;
            }
            if (quoted) return err_set(err, ERR_INPUT, tr("line %d: a quote is not closed"), record.line), -1;
            more = *at == between;
            char end = *at;
            if (*at) at++;
            if (end == '\r' && *at == '\n') at++;
            line += end == '\n' || end == '\r';
            *to = '\0';
        }
        if (record.n == 1 && !record.field[0][0]) continue; /* an empty line */
        if (n == capacity) {
            capacity = capacity * 2 + 64;
            Record *larger = ARENA_ARRAY(arena, Record, (size_t)capacity);
            if (n > 0) memcpy(larger, list, (size_t)n * sizeof *larger);
            list = larger;
        }
        char **exact = ARENA_ARRAY(arena, char *, (size_t)record.n);
        memcpy(exact, record.field, (size_t)record.n * sizeof *exact);
        record.field = exact;
        list[n++] = record;
        if (n > NUMBERS_MOST / 2) return err_set(err, ERR_LIMIT, tr("more than %d lines"), NUMBERS_MOST / 2), -1;
    }
    *out = list;
    return n;
}

static bool is_number(const char *text, double *out) {
    while (*text == ' ') text++;
    if (strcasecmp(text, "nan") == 0) return *out = (double)NAN, true;
    if (strcasecmp(text, "inf") == 0 || strcasecmp(text, "-inf") == 0) return *out = text[0] == '-' ? (double)-INFINITY : (double)INFINITY, true;
    return text[0] && str_to_double(text, out);
}

/* A first line that is not all numbers names the columns, a first column that is none names the rows; "head,row_name,…" is the wide
 * table of several heads. */
static bool parse_csv(char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err) {
    Record *list;
    double number;
    if (memchr(bytes, 0, size) != NULL) return err_set(err, ERR_INPUT, "%s", tr("the CSV holds a NUL character"));
    if (!utf8_check(bytes, size, err)) return false;
    int n = split_records(bytes, arena, &list, err), first = 0;
    if (n < 0) return false;
    if (n == 0) return err_set(err, ERR_INPUT, "%s", tr("the CSV holds no line"));
    bool wide = list[0].n > 2 && str_eq(list[0].field[0], "head") && str_eq(list[0].field[1], "row_name");
    for (int i = 1; i < list[0].n; i++) first = first || !is_number(list[0].field[i], &number);
    first = first || (list[0].n == 1 && !is_number(list[0].field[0], &number));
    if (first >= n) return err_set(err, ERR_INPUT, "%s", tr("the CSV holds names and no numbers"));
    int skip = wide ? 2 : !is_number(list[first].field[0], &number), rows = n - first, cols = list[first].n - skip, heads = 1;
    for (int i = first; wide && i < n; i++)
        if (i > first && !str_eq(list[i].field[0], list[i - 1].field[0])) heads++;
    if (cols < 1 || rows % heads != 0) return err_set(err, ERR_SHAPE, tr("%d lines of numbers for %d heads: they are not as many for each"), rows, heads);
    size_t dim[] = {(size_t)heads, (size_t)(rows / heads), (size_t)cols};
    if (!take_shape(heads > 1 ? dim : dim + 1, heads > 1 ? 3 : 2, out, err) || !make_room(out, arena, err)) return false;
    out->names = skip ? ARENA_ARRAY(arena, const char *, (size_t)(rows / heads)) : NULL;
    out->n_names = skip ? rows / heads : 0;
    for (int i = 0; i < rows; i++) {
        const Record *record = &list[first + i];
        if (record->n - skip != cols) return err_set(err, ERR_SHAPE, tr("line %d has %d numbers, the lines before it have %d"), record->line, record->n - skip, cols);
        if (skip && i < out->n_names) out->names[i] = record->field[skip - 1];
        for (int j = 0; j < cols; j++) {
            if (!is_number(record->field[skip + j], &number))
                return err_set(err, ERR_INPUT, tr("line %d, field %d: \"%.40s\" is not a number"), record->line, skip + j + 1, record->field[skip + j]);
            out->data[(size_t)i * (size_t)cols + (size_t)j] = (float)number;
        }
    }
    return true;
}

/* ---- JSON ---- */

static bool fill_json(const JsonNode *node, int axis, ArrayFile *out, size_t *at, Err *err) {
    if (axis == out->rank) {
        if (node->kind == JSON_TREE_NUMBER) out->data[(*at)++] = (float)node->as.number;
        else if (node->kind == JSON_TREE_STRING) {
            double number;
            const char *text = node->as.text;
            if (str_eq(text, "NaN")) number = (double)NAN;
            else if (str_eq(text, "Infinity") || str_eq(text, "-Infinity")) number = text[0] == '-' ? (double)-INFINITY : (double)INFINITY;
            else return err_set(err, ERR_INPUT, tr("expected a number, found \"%.40s\""), text);
            out->data[(*at)++] = (float)number;
        } else return err_set(err, ERR_INPUT, tr("expected a number, found %s"), json_tree_kind(node));
        return true;
    }
    if (node->kind != JSON_TREE_ARRAY || node->n != out->dim[axis])
        return err_set(err, ERR_SHAPE, tr("expected a list of %d, found %s of %d: the lists are not as long as each other"), out->dim[axis], json_tree_kind(node), node->kind == JSON_TREE_ARRAY ? node->n : 1);
    for (int i = 0; i < node->n; i++)
        if (!fill_json(&node->as.items[i], axis + 1, out, at, err)) return false;
    return true;
}

static bool parse_json(char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err) {
    const JsonNode *root;
    size_t dim[RAW_RANK_MOST], n = 0;
    int rank = 0;
    if (!json_tree_read(bytes, size, arena, &root, err)) return false;
    for (const JsonNode *node = root; node->kind == JSON_TREE_ARRAY; node = &node->as.items[0]) {
        if (node->n == 0 || rank == RAW_RANK_MOST) return err_set(err, ERR_SHAPE, "%s", tr("expected lists of numbers in lists, such as [[1, 0], [0.5, 0.5]]"));
        dim[rank++] = (size_t)node->n;
    }
    if (rank == 0) return err_set(err, ERR_INPUT, tr("expected lists of numbers in lists, such as [[1, 0], [0.5, 0.5]], found %s"), json_tree_kind(root));
    if (!take_shape(dim, rank, out, err) || !make_room(out, arena, err)) return false;
    for (int i = out->rank; i < rank; i++) root = &root->as.items[0];
    return fill_json(root, 0, out, &n, err);
}

/* ---- all ---- */

static const struct { const char *ending; bool (*parse)(char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err); } kinds[] = {
    {"npy", parse_npy}, {"csv", parse_csv}, {"json", parse_json}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int kind_of(const char *ending) {
    for (int i = 0; i < KINDS; i++)
        if (strcasecmp(ending, kinds[i].ending) == 0) return i;
    return -1;
}

static const char *ending_of(const char *path) {
    const char *dot = strrchr(path_name(path), '.');
    return dot ? dot + 1 : "";
}

bool array_file_is(const char *path) { return kind_of(ending_of(path)) >= 0; }

bool array_file_parse(const char *ending, char *bytes, size_t size, Arena *arena, ArrayFile *out, Err *err) {
    *out = (ArrayFile){0};
    return kinds[kind_of(ending)].parse(bytes, size, arena, out, err);
}

bool array_file_read(const char *path, Arena *arena, ArrayFile *out, Err *err) {
    char *bytes;
    size_t size;
    return file_read(path, BYTES_MOST, arena, &bytes, &size, err) && (array_file_parse(ending_of(path), bytes, size, arena, out, err) || err_place(err, path, 0, 0));
}
