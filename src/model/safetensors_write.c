/* Writing the container: header of JSON, then float32 numbers without gaps. */
#include <math.h>
#include <string.h>

#include "base/str.h"
#include "base/tr.h"
#include "base/utf8.h"
#include "model/json_text.h"
#include "model/safetensors.h"

enum { PREFIX = 8, ALIGN = 8 };

static void put_bits(unsigned char *p, uint64_t bits, int bytes) {
    for (int i = 0; i < bytes; i++) p[i] = (unsigned char)(bits >> (8 * i));
}

/* Every NaN is written as the same quiet NaN, whatever the machine made. */
static void put_float(unsigned char *p, float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    put_bits(p, isnan(value) ? 0x7FC00000 : bits, 4);
}

static size_t input_count(const TensorInput *tensor) {
    size_t count = 1;
    for (int d = 0; d < tensor->rank; d++) count *= (size_t)tensor->dim[d];
    return count;
}

static bool check_texts(const Safetensors *file, Err *err) {
    for (int i = 0; i < file->n_meta; i++)
        if (!utf8_check(file->meta[i].key, strlen(file->meta[i].key), err) ||
            !utf8_check(file->meta[i].value, strlen(file->meta[i].value), err))
            return false;
    for (int i = 0; i < file->n_tensors; i++) {
        const char *name = file->tensors[i].name;
        if (!utf8_check(name, strlen(name), err)) return false;
        if (str_eq(name, "__metadata__") || input_find(file->tensors, i, name) != NULL)
            return err_set(err, ERR_INPUT, tr("a second tensor cannot be called %s"), name);
    }
    return true;
}

static void add_meta(StrBuf *sb, const Safetensors *file) {
    sb_add(sb, "\"__metadata__\":{");
    for (int i = 0; i < file->n_meta; i++) {
        if (i > 0) sb_add(sb, ",");
        json_text_add(sb, file->meta[i].key);
        sb_add(sb, ":");
        json_text_add(sb, file->meta[i].value);
    }
    sb_add(sb, "}");
}

/* Adds the tensors' entries; `*size` becomes the number of bytes behind the header. */
static bool add_entries(StrBuf *sb, const Safetensors *file, size_t *size, Err *err) {
    size_t at = 0;
    for (int i = 0; i < file->n_tensors; i++) {
        const TensorInput *t = &file->tensors[i];
        size_t bytes;
        if (!size_mul(input_count(t), sizeof(float), &bytes) || at + bytes < at)
            return err_set(err, ERR_LIMIT, tr("tensor %s is too large for a file"), t->name);
        if (i > 0 || file->n_meta > 0) sb_add(sb, ",");
        json_text_add(sb, t->name);
        sb_add(sb, ":{\"dtype\":\"F32\",\"shape\":[");
        for (int d = 0; d < t->rank; d++) sb_printf(sb, d > 0 ? ",%d" : "%d", t->dim[d]);
        sb_printf(sb, "],\"data_offsets\":[%zu,%zu]}", at, at + bytes);
        at += bytes;
    }
    *size = at;
    return true;
}

bool safetensors_format(const Safetensors *file, Arena *arena, void **bytes, size_t *size, Err *err) {
    StrBuf header;
    size_t data_size = 0;
    sb_init(&header, arena);
    if (!check_texts(file, err)) return false;
    sb_add(&header, "{");
    if (file->n_meta > 0) add_meta(&header, file);
    if (!add_entries(&header, file, &data_size, err)) return false;
    sb_add(&header, "}");
    while (header.length % ALIGN != 0) sb_add(&header, " ");
    unsigned char *out = arena_try_raw(arena, PREFIX + header.length + data_size, 1);
    if (out == NULL) return err_set(err, ERR_MEMORY, tr("no memory for a file of %zu bytes"), PREFIX + header.length + data_size);
    put_bits(out, header.length, PREFIX);
    memcpy(out + PREFIX, header.data, header.length);
    unsigned char *p = out + PREFIX + header.length;
    for (int i = 0; i < file->n_tensors; i++)
        for (size_t k = 0, n = input_count(&file->tensors[i]); k < n; k++, p += sizeof(float)) put_float(p, file->tensors[i].data[k]);
    *bytes = out;
    *size = PREFIX + header.length + data_size;
    return true;
}
