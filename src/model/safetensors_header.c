#include "model/safetensors.h"

#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"

enum { PREFIX = 8, HEADER_MAX = 100 * 1000 * 1000, NESTING_MAX = 8, SHOWN_MAX = 80 };
static const json_int_t dim_max = (json_int_t)1 << 40; /* of a tensor that nobody reads */

static const struct {
    const char *name;
    int bytes;
    bool real;
} types[] = {
    {"F32", 4, true}, {"F64", 8, true}, {"F16", 2, true}, {"BF16", 2, true}, {"I64", 8, false}, {"I32", 4, false}, {"I16", 2, false},
    {"I8", 1, false}, {"U64", 8, false}, {"U32", 4, false}, {"U16", 2, false}, {"U8", 1, false}, {"BOOL", 1, false},
};

typedef struct {
    const unsigned char *data; /* the bytes behind the header */
    size_t size;
    const char *file;
    bool reals;                /* every tensor must be one that TensorInput can hold */
    Arena *arena;
    SafetensorsHeader *out;
    Err *err;
} Parse;

static bool refuse(const Parse *p, ErrCode code, const char *fmt, ...) BASE_PRINTF(3, 4);

static bool refuse(const Parse *p, ErrCode code, const char *fmt, ...) {
    va_list args;
    va_start(args, fmt);
    err_set_v(p->err, code, fmt, args);
    va_end(args);
    return err_place(p->err, p->file, 0, 0);
}

/* A member of a tensor's entry that must be there. */
static json_t *member(const Parse *p, const char *name, json_t *object, const char *key) {
    json_t *value = json_object_get(object, key);
    if (value == NULL)
        refuse(p, ERR_INPUT, tr("tensor %.*s has no \"%s\"; dtype, shape and data_offsets are needed"), SHOWN_MAX, name, key);
    return value;
}

static bool read_type(const Parse *p, json_t *object, SafetensorsEntry *entry) {
    json_t *value = member(p, entry->name, object, "dtype");
    if (value == NULL) return false;
    const char *name = json_string_value(value);
    if (name == NULL) return refuse(p, ERR_INPUT, tr("tensor %.*s: dtype is not a string"), SHOWN_MAX, entry->name);
    entry->dtype = arena_strdup(p->arena, name);
    bool real = false;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (str_eq(types[i].name, name)) {
            entry->bytes = types[i].bytes;
            real = types[i].real;
        }
    if (!p->reals || real) return true;
    if (entry->bytes == 0)
        return refuse(p, ERR_INPUT, tr("tensor %.*s: dtype \"%.*s\" is not known; F32, F64, F16 and BF16 are read"), SHOWN_MAX,
                      entry->name, SHOWN_MAX, name);
    return refuse(p, ERR_INPUT, tr("tensor %.*s holds %s, whole numbers; F32, F64, F16 and BF16 are read"), SHOWN_MAX, entry->name, name);
}

static bool read_shape(const Parse *p, json_t *object, SafetensorsEntry *entry, size_t *count) {
    json_t *value = member(p, entry->name, object, "shape");
    if (value == NULL) return false;
    size_t rank = json_array_size(value), most = p->reals ? TENSOR_RANK_MAX : SAFETENSORS_RANK_MAX;
    json_int_t least_dim = p->reals ? 1 : 0, most_dim = p->reals ? TENSOR_DIM_MAX : dim_max;
    if (!json_is_array(value) || rank > most)
        return refuse(p, ERR_SHAPE, tr("tensor %.*s: shape is not a list of 1 to %zu whole numbers"), SHOWN_MAX, entry->name, most);
    entry->rank = (int)rank;
    *count = 1;
    for (size_t i = 0; i < rank; i++) {
        json_t *dim = json_array_get(value, i);
        json_int_t size = json_integer_value(dim);
        if (!json_is_integer(dim) || size < least_dim || size > most_dim)
            return refuse(p, ERR_SHAPE, tr("tensor %.*s: dimension %zu of its shape is not a whole number from %lld to %lld"), SHOWN_MAX,
                          entry->name, i + 1, (long long)least_dim, (long long)most_dim);
        entry->dim[i] = (long long)size;
        if (!size_mul(*count, (size_t)size, count))
            return refuse(p, ERR_LIMIT, tr("tensor %.*s: its shape multiplies to more numbers than memory can hold"), SHOWN_MAX,
                          entry->name);
    }
    return true;
}

static bool read_offsets(const Parse *p, json_t *object, SafetensorsEntry *entry) {
    json_t *value = member(p, entry->name, object, "data_offsets");
    if (value == NULL) return false;
    json_t *begin = json_array_get(value, 0), *end = json_array_get(value, 1);
    if (json_array_size(value) != 2 || !json_is_integer(begin) || !json_is_integer(end))
        return refuse(p, ERR_INPUT, tr("tensor %.*s: data_offsets is not a list of two whole numbers"), SHOWN_MAX, entry->name);
    json_int_t from = json_integer_value(begin), to = json_integer_value(end);
    if (from < 0 || to < from || (uint64_t)to > p->size)
        return refuse(p, ERR_INPUT, tr("tensor %.*s: data_offsets [%lld, %lld] do not lie within the %zu bytes behind the header"),
                      SHOWN_MAX, entry->name, (long long)from, (long long)to, p->size);
    entry->begin = (size_t)from;
    entry->end = (size_t)to;
    entry->data = p->data + from;
    return true;
}

char *safetensors_shape_text(const SafetensorsEntry *entry, char out[SAFETENSORS_SHAPE_TEXT]) {
    size_t at = 0;
    out[at++] = '[';
    for (int i = 0; i < entry->rank; i++)
        at += (size_t)snprintf(out + at, SAFETENSORS_SHAPE_TEXT - at, "%s%lld", i > 0 ? ", " : "", entry->dim[i]);
    snprintf(out + at, SAFETENSORS_SHAPE_TEXT - at, "]");
    return out;
}

static bool read_entry(Parse *p, const char *name, json_t *object) {
    SafetensorsEntry *entry = &p->out->entries[p->out->n_entries];
    size_t count, bytes;
    char shape[SAFETENSORS_SHAPE_TEXT];
    *entry = (SafetensorsEntry){.name = arena_strdup(p->arena, name)};
    if (!json_is_object(object))
        return refuse(p, ERR_INPUT, tr("tensor %.*s: its entry in the header is not an object"), SHOWN_MAX, name);
    if (!read_type(p, object, entry) || !read_shape(p, object, entry, &count) || !read_offsets(p, object, entry)) return false;
    entry->count = count;
    if (entry->bytes > 0 && (!size_mul(count, (size_t)entry->bytes, &bytes) || bytes != entry->end - entry->begin))
        return refuse(p, ERR_SHAPE, tr("tensor %.*s: shape %s of %s needs %zu bytes, its data_offsets hold %zu"), SHOWN_MAX, name,
                      safetensors_shape_text(entry, shape), entry->dtype, bytes, entry->end - entry->begin);
    p->out->n_entries++;
    return true;
}

static bool read_meta(Parse *p, json_t *meta) {
    const char *key;
    json_t *value;
    if (!json_is_object(meta)) return refuse(p, ERR_INPUT, tr("__metadata__ is not an object"));
    p->out->meta = ARENA_ARRAY(p->arena, MetaPair, json_object_size(meta) + 1);
    json_object_foreach(meta, key, value) {
        if (!json_is_string(value)) return refuse(p, ERR_INPUT, tr("__metadata__: %.*s is not a string"), SHOWN_MAX, key);
        p->out->meta[p->out->n_meta++] = (MetaPair){arena_strdup(p->arena, key), arena_strdup(p->arena, json_string_value(value))};
    }
    return true;
}

/* ---- where the bytes lie ---- */

static int by_begin(const void *a, const void *b) {
    const SafetensorsEntry *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Tensors fill the bytes behind the header without gap or overlap. */
static bool check_places(const Parse *p) {
    size_t n = (size_t)p->out->n_entries, at = 0;
    SafetensorsEntry *sorted = ARENA_ARRAY(p->arena, SafetensorsEntry, n + 1);
    memcpy(sorted, p->out->entries, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_begin);
    for (size_t i = 0; i < n; i++) {
        if (sorted[i].begin < at)
            return refuse(p, ERR_INPUT, tr("tensors %.*s and %.*s overlap: one ends at byte %zu, the other begins at %zu"), SHOWN_MAX,
                          sorted[i - 1].name, SHOWN_MAX, sorted[i].name, at, sorted[i].begin);
        if (sorted[i].begin > at)
            return refuse(p, ERR_INPUT, tr("tensor %.*s begins at byte %zu; the bytes before it are used up to %zu only"), SHOWN_MAX,
                          sorted[i].name, sorted[i].begin, at);
        at = sorted[i].end;
    }
    if (at != p->size)
        return refuse(p, ERR_INPUT, tr("%zu bytes follow the header, but its tensors fill %zu"), p->size, at);
    return true;
}

/* ---- from the outside in ---- */

/* How deep the brackets of a JSON text nest, without parsing it. */
static int json_nesting(const char *text, size_t length) {
    int depth = 0, deepest = 0;
    bool quoted = false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (quoted && c == '\\') i++;
        else if (c == '"') quoted = !quoted;
        else if (!quoted && (c == '{' || c == '[')) deepest = ++depth > deepest ? depth : deepest;
        else if (!quoted && (c == '}' || c == ']')) depth--;
    }
    return deepest;
}

static bool read_members(Parse *p, json_t *header) {
    const char *key;
    json_t *value;
    p->out->entries = ARENA_ARRAY(p->arena, SafetensorsEntry, json_object_size(header) + 1);
    json_object_foreach(header, key, value)
        if (!(str_eq(key, "__metadata__") ? read_meta(p, value) : read_entry(p, key, value))) return false;
    return check_places(p);
}

static bool read_json(Parse *p, const char *text, size_t length) {
    json_error_t problem;
    if (length == 0 || text[0] != '{')
        return refuse(p, ERR_INPUT, tr("the header does not begin with {: this is not a .safetensors file"));
    int depth = json_nesting(text, length);
    if (depth > NESTING_MAX) return refuse(p, ERR_INPUT, tr("the header nests %d deep; %d is the limit"), depth, NESTING_MAX);
    json_t *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (header == NULL)
        return refuse(p, ERR_INPUT, tr("the header is not JSON that can be read: %s (byte %d of the header)"), problem.text,
                      problem.position);
    bool good = read_members(p, header);
    json_decref(header);
    return good;
}

bool safetensors_header(const void *bytes, size_t size, const char *file, bool reals, Arena *arena, SafetensorsHeader *out, Err *err) {
    SafetensorsHeader made = {.file = file};
    Parse p = {.file = file, .reals = reals, .arena = arena, .out = &made, .err = err};
    if (size < PREFIX)
        return refuse(&p, ERR_INPUT, tr("%zu bytes are too few for a .safetensors file, which begins with 8 bytes of length"), size);
    uint64_t length = 0;
    for (int i = PREFIX - 1; i >= 0; i--) length = length << 8 | ((const unsigned char *)bytes)[i];
    if (length > HEADER_MAX)
        return refuse(&p, ERR_LIMIT, tr("the header says it is %llu bytes long; the limit is %d (is this a .safetensors file?)"),
                      (unsigned long long)length, HEADER_MAX);
    if (length > size - PREFIX)
        return refuse(&p, ERR_INPUT, tr("the header says it is %llu bytes long, but only %zu follow: the file is cut off"),
                      (unsigned long long)length, size - PREFIX);
    made.json = (const char *)bytes + PREFIX;
    made.json_size = (size_t)length;
    p.data = (const unsigned char *)bytes + PREFIX + length;
    p.size = size - PREFIX - (size_t)length;
    if (!read_json(&p, made.json, made.json_size)) return false;
    *out = made;
    return true;
}

const SafetensorsEntry *safetensors_entry(const SafetensorsHeader *header, const char *name) {
    for (int i = 0; i < header->n_entries; i++)
        if (str_eq(header->entries[i].name, name)) return &header->entries[i];
    return NULL;
}
