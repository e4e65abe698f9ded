#include "model/safetensors.h"

#include <assert.h>
#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

enum { PREFIX = 8, HEADER_MAX = 100 * 1000 * 1000, JSON_DEPTH_MAX = 8, SHOWN_MAX = 80 };
static const size_t file_max = (size_t)2 << 30;

/* ---- numbers of each dtype, little-endian, to float ---- */

static uint64_t read_bits(const unsigned char *p, int bytes) {
    uint64_t bits = 0;
    for (int i = bytes - 1; i >= 0; i--) bits = bits << 8 | p[i];
    return bits;
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static float read_f32(const unsigned char *p) {
    return float_of((uint32_t)read_bits(p, 4));
}

static float read_f64(const unsigned char *p) {
    uint64_t bits = read_bits(p, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    return (float)value;
}

static float read_bf16(const unsigned char *p) {
    return float_of((uint32_t)read_bits(p, 2) << 16);
}

/* IEEE 754 half: 1 sign, 5 exponent (bias 15), 10 fraction bits. Every half is a float. */
static float read_f16(const unsigned char *p) {
    uint32_t half = (uint32_t)read_bits(p, 2), sign = (half & 0x8000) << 16, exponent = half >> 10 & 31, fraction = half & 0x3FF;
    if (exponent == 31) return float_of(sign | 0x7F800000 | fraction << 13);
    float size = exponent == 0 ? ldexpf((float)fraction, -24) : ldexpf((float)(fraction | 0x400), (int)exponent - 25);
    return sign ? -size : size;
}

typedef struct {
    const char *name;
    int bytes;
    float (*read)(const unsigned char *p); /* NULL: known, but of no use here */
} StoredType;

static const StoredType stored_types[] = {
    {"F32", 4, read_f32}, {"F64", 8, read_f64}, {"F16", 2, read_f16}, {"BF16", 2, read_bf16},
    {"I64", 8, NULL}, {"I32", 4, NULL}, {"I16", 2, NULL}, {"I8", 1, NULL}, {"U64", 8, NULL}, {"U32", 4, NULL},
    {"U16", 2, NULL}, {"U8", 1, NULL}, {"BOOL", 1, NULL},
};

static const StoredType *find_type(const char *name) {
    for (size_t i = 0; i < sizeof stored_types / sizeof *stored_types; i++)
        if (str_eq(stored_types[i].name, name)) return &stored_types[i];
    return NULL;
}

/* ---- the header ---- */

/* Where a tensor's bytes lie, counted from the first byte behind the header. */
typedef struct {
    const char *name;
    const StoredType *type;
    size_t begin, end;
} Place;

typedef struct {
    const unsigned char *data; /* the bytes behind the header */
    size_t size;
    const char *file;
    Arena *arena;
    Safetensors *out;
    Place *places; /* one a tensor, in file order */
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
static json_t *member(const Parse *p, const char *name, json_t *entry, const char *key) {
    json_t *value = json_object_get(entry, key);
    if (value == NULL)
        refuse(p, ERR_INPUT, tr("tensor %.*s has no \"%s\"; dtype, shape and data_offsets are needed"), SHOWN_MAX, name, key);
    return value;
}

static bool read_type(const Parse *p, json_t *entry, Place *place) {
    json_t *value = member(p, place->name, entry, "dtype");
    if (value == NULL) return false;
    const char *name = json_string_value(value);
    if (name == NULL) return refuse(p, ERR_INPUT, tr("tensor %.*s: dtype is not a string"), SHOWN_MAX, place->name);
    place->type = find_type(name);
    if (place->type == NULL)
        return refuse(p, ERR_INPUT, tr("tensor %.*s: dtype \"%.*s\" is not known; F32, F64, F16 and BF16 are read"), SHOWN_MAX,
                      place->name, SHOWN_MAX, name);
    if (place->type->read == NULL)
        return refuse(p, ERR_INPUT, tr("tensor %.*s holds %s, whole numbers; F32, F64, F16 and BF16 are read"), SHOWN_MAX,
                      place->name, name);
    return true;
}

/* A shape of rank 1 to 4; a single number without a shape is read as [1]. */
static bool read_shape(const Parse *p, json_t *entry, const Place *place, TensorInput *tensor, size_t *count) {
    json_t *value = member(p, place->name, entry, "shape");
    if (value == NULL) return false;
    size_t rank = json_array_size(value);
    if (!json_is_array(value) || rank > TENSOR_RANK_MAX)
        return refuse(p, ERR_SHAPE, tr("tensor %.*s: shape is not a list of 1 to %d whole numbers"), SHOWN_MAX,
                      place->name, TENSOR_RANK_MAX);
    *tensor = (TensorInput){.name = place->name, .rank = rank > 0 ? (int)rank : 1, .dim = {1, 1, 1, 1}};
    *count = 1;
    for (size_t i = 0; i < rank; i++) {
        json_t *dim = json_array_get(value, i);
        json_int_t size = json_integer_value(dim);
        if (!json_is_integer(dim) || size < 1 || size > TENSOR_DIM_MAX)
            return refuse(p, ERR_SHAPE, tr("tensor %.*s: dimension %zu of its shape is not a whole number from 1 to %d"), SHOWN_MAX,
                          place->name, i + 1, TENSOR_DIM_MAX);
        tensor->dim[i] = (int)size;
        if (!size_mul(*count, (size_t)size, count))
            return refuse(p, ERR_LIMIT, tr("tensor %.*s: its shape multiplies to more numbers than memory can hold"), SHOWN_MAX,
                          place->name);
    }
    return true;
}

static bool read_offsets(const Parse *p, json_t *entry, Place *place) {
    json_t *value = member(p, place->name, entry, "data_offsets");
    if (value == NULL) return false;
    json_t *begin = json_array_get(value, 0), *end = json_array_get(value, 1);
    if (json_array_size(value) != 2 || !json_is_integer(begin) || !json_is_integer(end))
        return refuse(p, ERR_INPUT, tr("tensor %.*s: data_offsets is not a list of two whole numbers"), SHOWN_MAX, place->name);
    json_int_t from = json_integer_value(begin), to = json_integer_value(end);
    if (from < 0 || to < from || (uint64_t)to > p->size)
        return refuse(p, ERR_INPUT, tr("tensor %.*s: data_offsets [%lld, %lld] do not lie within the %zu bytes behind the header"),
                      SHOWN_MAX, place->name, (long long)from, (long long)to, p->size);
    place->begin = (size_t)from;
    place->end = (size_t)to;
    return true;
}

static bool read_tensor(Parse *p, const char *name, json_t *entry) {
    TensorInput *tensor = &p->out->tensors[p->out->n_tensors];
    Place *place = &p->places[p->out->n_tensors];
    size_t count, bytes;
    char shape[64];
    *place = (Place){.name = arena_strdup(p->arena, name)};
    if (!json_is_object(entry))
        return refuse(p, ERR_INPUT, tr("tensor %.*s: its entry in the header is not an object"), SHOWN_MAX, name);
    if (!read_type(p, entry, place) || !read_shape(p, entry, place, tensor, &count) || !read_offsets(p, entry, place)) return false;
    if (!size_mul(count, (size_t)place->type->bytes, &bytes) || bytes != place->end - place->begin)
        return refuse(p, ERR_SHAPE, tr("tensor %.*s: shape %s of %s needs %zu bytes, its data_offsets hold %zu"), SHOWN_MAX, name,
                      tensor_shape_text(shape, tensor->rank, tensor->dim), place->type->name, bytes, place->end - place->begin);
    p->out->n_tensors++;
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
    const Place *x = a, *y = b;
    if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
    return (x->end > y->end) - (x->end < y->end);
}

/* Tensors fill the bytes behind the header without gap or overlap. */
static bool check_places(const Parse *p) {
    size_t n = (size_t)p->out->n_tensors, at = 0;
    Place *sorted = ARENA_ARRAY(p->arena, Place, n + 1);
    memcpy(sorted, p->places, n * sizeof *sorted);
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

static bool read_data(const Parse *p, TensorInput *tensor, const Place *place) {
    size_t step = (size_t)place->type->bytes, count = (place->end - place->begin) / step;
    float *data = arena_try_raw(p->arena, count, sizeof *data);
    if (data == NULL) return refuse(p, ERR_MEMORY, tr("no memory for the %zu numbers of tensor %.*s"), count, SHOWN_MAX, place->name);
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = p->data + place->begin + i * step;
        data[i] = place->type->read(at);
        bool infinite_double = step == 8 && (read_bits(at, 8) & 0x7FFFFFFFFFFFFFFF) == 0x7FF0000000000000;
        if (step == 8 && isinf(data[i]) && !infinite_double)
            return refuse(p, ERR_LIMIT, tr("tensor %.*s: number %zu is larger than float32 can hold"), SHOWN_MAX, place->name, i + 1);
    }
    tensor->data = data;
    return true;
}

/* ---- from the outside in ---- */

/* How deep the brackets of a JSON text nest, without parsing it. */
static int json_depth(const char *text, size_t length) {
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

static bool read_header(Parse *p, json_t *header) {
    const char *key;
    json_t *value;
    size_t n = json_object_size(header);
    p->out->tensors = ARENA_ARRAY(p->arena, TensorInput, n + 1);
    p->places = ARENA_ARRAY(p->arena, Place, n + 1);
    json_object_foreach(header, key, value)
        if (!(str_eq(key, "__metadata__") ? read_meta(p, value) : read_tensor(p, key, value))) return false;
    if (!check_places(p)) return false;
    for (int i = 0; i < p->out->n_tensors; i++)
        if (!read_data(p, &p->out->tensors[i], &p->places[i])) return false;
    return true;
}

static bool parse_header(Parse *p, const char *text, size_t length) {
    json_error_t problem;
    if (length == 0 || text[0] != '{')
        return refuse(p, ERR_INPUT, tr("the header does not begin with {: this is not a .safetensors file"));
    int depth = json_depth(text, length);
    if (depth > JSON_DEPTH_MAX) return refuse(p, ERR_INPUT, tr("the header nests %d deep; %d is the limit"), depth, JSON_DEPTH_MAX);
    json_t *header = json_loadb(text, length, JSON_REJECT_DUPLICATES, &problem);
    if (header == NULL)
        return refuse(p, ERR_INPUT, tr("the header is not JSON that can be read: %s (byte %d of the header)"), problem.text,
                      problem.position);
    bool good = read_header(p, header);
    json_decref(header);
    return good;
}

bool safetensors_parse(const void *bytes, size_t size, const char *file, Arena *arena, Safetensors *out, Err *err) {
    Safetensors made = {0};
    Parse p = {.file = file, .arena = arena, .out = &made, .err = err};
    if (size < PREFIX)
        return refuse(&p, ERR_INPUT, tr("%zu bytes are too few for a .safetensors file, which begins with 8 bytes of length"), size);
    uint64_t length = read_bits(bytes, PREFIX);
    if (length > HEADER_MAX)
        return refuse(&p, ERR_LIMIT, tr("the header says it is %llu bytes long; the limit is %d (is this a .safetensors file?)"),
                      (unsigned long long)length, HEADER_MAX);
    if (length > size - PREFIX)
        return refuse(&p, ERR_INPUT, tr("the header says it is %llu bytes long, but only %zu follow: the file is cut off"),
                      (unsigned long long)length, size - PREFIX);
    p.data = (const unsigned char *)bytes + PREFIX + length;
    p.size = size - PREFIX - (size_t)length;
    if (!parse_header(&p, (const char *)bytes + PREFIX, (size_t)length)) return false;
    *out = made;
    return true;
}

bool safetensors_read(const char *path, Arena *arena, Safetensors *out, Err *err) {
    Arena whole = {0}; /* the file's bytes are not needed once the numbers are out */
    char *bytes;
    size_t size;
    bool good = file_read(path, file_max, &whole, &bytes, &size, err) && safetensors_parse(bytes, size, path, arena, out, err);
    arena_free(&whole);
    return good;
}

const char *safetensors_meta(const Safetensors *file, const char *key) {
    for (int i = 0; i < file->n_meta; i++)
        if (str_eq(file->meta[i].key, key)) return file->meta[i].value;
    return NULL;
}

const TensorInput *safetensors_find(const Safetensors *file, const char *name) {
    return input_find(file->tensors, file->n_tensors, name);
}
