#include "model/safetensors.h"

#include <math.h>
#include <string.h>

#include "base/file.h"
#include "base/str.h"
#include "base/tr.h"

enum { SHOWN_MAX = 80 };

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

static const struct {
    const char *name;
    float (*read)(const unsigned char *p);
} readers[] = {{"F32", read_f32}, {"F64", read_f64}, {"F16", read_f16}, {"BF16", read_bf16}};

/* ---- tensors out of a file ---- */

static bool refuse_entry(const SafetensorsHeader *header, Err *err) {
    return err_place(err, header->file, 0, 0);
}

bool safetensors_floats(const SafetensorsHeader *header, const SafetensorsEntry *entry, Arena *arena, const float **out, Err *err) {
    float (*read)(const unsigned char *p) = NULL;
    for (size_t i = 0; i < sizeof readers / sizeof *readers; i++)
        if (str_eq(readers[i].name, entry->dtype)) read = readers[i].read;
    if (read == NULL) {
        err_set(err, ERR_INPUT, tr("tensor %.*s holds %.*s; F32, F64, F16 and BF16 are read"), SHOWN_MAX, entry->name, SHOWN_MAX, entry->dtype);
        return refuse_entry(header, err);
    }
    size_t step = (size_t)entry->bytes, count = entry->count;
    float *data = arena_try_raw(arena, count + (count == 0), sizeof *data);
    if (data == NULL) {
        err_set(err, ERR_MEMORY, tr("no memory for the %zu numbers of tensor %.*s"), count, SHOWN_MAX, entry->name);
        return refuse_entry(header, err);
    }
    for (size_t i = 0; i < count; i++) {
        const unsigned char *at = entry->data + i * step;
        data[i] = read(at);
        bool infinite_double = step == 8 && (read_bits(at, 8) & 0x7FFFFFFFFFFFFFFF) == 0x7FF0000000000000;
        if (step == 8 && isinf(data[i]) && !infinite_double) {
            err_set(err, ERR_LIMIT, tr("tensor %.*s: number %zu is larger than float32 can hold"), SHOWN_MAX, entry->name, i + 1);
            return refuse_entry(header, err);
        }
    }
    *out = data;
    return true;
}

bool safetensors_ints(const SafetensorsHeader *header, const SafetensorsEntry *entry, Arena *arena, int **out, Err *err) {
    bool wide = str_eq(entry->dtype, "I64");
    if (!wide && !str_eq(entry->dtype, "I32")) {
        err_set(err, ERR_INPUT, tr("tensor %.*s holds %.*s; whole numbers, I64 or I32, are expected"), SHOWN_MAX, entry->name, SHOWN_MAX,
                entry->dtype);
        return refuse_entry(header, err);
    }
    int *numbers = arena_try(arena, entry->count + 1, sizeof *numbers);
    if (numbers == NULL) {
        err_set(err, ERR_MEMORY, tr("no memory for the %zu numbers of tensor %.*s"), entry->count, SHOWN_MAX, entry->name);
        return refuse_entry(header, err);
    }
    for (size_t i = 0; i < entry->count; i++) {
        uint64_t bits = read_bits(entry->data + i * (size_t)entry->bytes, entry->bytes);
        int64_t number = wide ? (int64_t)bits : (int64_t)(int32_t)(uint32_t)bits;
        if (number < INT32_MIN || number > INT32_MAX) {
            err_set(err, ERR_LIMIT, tr("tensor %.*s: number %zu, %lld, has more than 32 bits"), SHOWN_MAX, entry->name, i + 1, (long long)number);
            return refuse_entry(header, err);
        }
        numbers[i] = (int)number;
    }
    *out = numbers;
    return true;
}

bool safetensors_parse(const void *bytes, size_t size, const char *file, Arena *arena, Safetensors *out, Err *err) {
    SafetensorsHeader header;
    if (!safetensors_header(bytes, size, file, true, arena, &header, err)) return false;
    Safetensors made = {.meta = header.meta, .n_meta = header.n_meta, .n_tensors = header.n_entries};
    made.tensors = ARENA_ARRAY(arena, TensorInput, (size_t)header.n_entries + 1);
    for (int i = 0; i < header.n_entries; i++) {
        const SafetensorsEntry *entry = &header.entries[i];
        TensorInput *tensor = &made.tensors[i];
        /* a single number without a shape is read as [1] */
        *tensor = (TensorInput){.name = entry->name, .rank = entry->rank > 0 ? entry->rank : 1, .dim = {1, 1, 1, 1}};
        for (int k = 0; k < entry->rank; k++) tensor->dim[k] = (int)entry->dim[k];
        if (!safetensors_floats(&header, entry, arena, &tensor->data, err)) return false;
    }
    *out = made;
    return true;
}

bool safetensors_read(const char *path, Arena *arena, Safetensors *out, Err *err) {
    Arena whole = {0}; /* the file's bytes are not needed once the numbers are out */
    char *bytes;
    size_t size;
    bool good = file_read(path, SAFETENSORS_FILE_MAX, &whole, &bytes, &size, err) && safetensors_parse(bytes, size, path, arena, out, err);
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
