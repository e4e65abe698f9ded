#include "core/stored.h"

#include <stdint.h>
#include <string.h>

#include "core/vectors.h"

static const size_t sizes[STORED_COUNT] = {[STORED_F32] = 4, [STORED_F16] = 2, [STORED_BF16] = 2};

size_t stored_size(StoredAs as) { return sizes[as]; }

const void *stored_at(const Stored *stored, int row, int column) {
    ptrdiff_t at = (ptrdiff_t)row * stored->row;
    if (stored->group > 0) at = row / stored->group * stored->group_step + row % stored->group * stored->row;
    at += (ptrdiff_t)column * stored->column;
    return (const unsigned char *)stored->data + at * (ptrdiff_t)sizes[stored->as];
}

static float float_of(uint32_t bits) {
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static uint32_t bits_of(float value) {
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* binary16: sign, 5 bits of exponent from -15, 10 of fraction. Moved into a float's fields the exponent is 112 too small; a
 * subnormal number, fraction · 2^-24, gets the fraction of 2^-14 + itself, from which 2^-14 is taken away again. Without
 * branches, so that compilers make vectors of it. */
static float from_f16(uint16_t half) {
    const uint32_t exponent = 0x1fu << 23, of_float = 112u << 23, tiny = 113u << 23;
    uint32_t moved = (uint32_t)(half & 0x7fff) << 13, sign = (uint32_t)(half & 0x8000) << 16;
    uint32_t normal = moved + of_float;
    uint32_t special = moved + 2 * of_float; /* inf and NaN: exponent 31 becomes 255 */
    uint32_t subnormal = bits_of(float_of(moved + tiny) - float_of(tiny));
    uint32_t field = moved & (exponent);
    uint32_t value = field == exponent ? special : field == 0 ? subnormal : normal;
    return float_of(value | sign);
}

static float from_bf16(uint16_t half) { return float_of((uint32_t)half << 16); }

static void copy_f32(const void *from, ptrdiff_t step, size_t n, float *out) {
    const float *in = from;
    if (step == 1) memcpy(out, in, n * sizeof *out);
    else
        for (size_t i = 0; i < n; i++) out[i] = in[(ptrdiff_t)i * step];
}

WIDE_VECTORS
static void copy_f16(const void *from, ptrdiff_t step, size_t n, float *out) {
    const uint16_t *in = from;
    if (step == 1)
        for (size_t i = 0; i < n; i++) out[i] = from_f16(in[i]);
    else
        for (size_t i = 0; i < n; i++) out[i] = from_f16(in[(ptrdiff_t)i * step]);
}

WIDE_VECTORS
static void copy_bf16(const void *from, ptrdiff_t step, size_t n, float *out) {
    const uint16_t *in = from;
    if (step == 1)
        for (size_t i = 0; i < n; i++) out[i] = from_bf16(in[i]);
    else
        for (size_t i = 0; i < n; i++) out[i] = from_bf16(in[(ptrdiff_t)i * step]);
}

static void (*const copies[STORED_COUNT])(const void *from, ptrdiff_t step, size_t n, float *out) = {
    [STORED_F32] = copy_f32, [STORED_F16] = copy_f16, [STORED_BF16] = copy_bf16,
};

void stored_row(const Stored *stored, int row, int column, int n, float *out) {
    copies[stored->as](stored_at(stored, row, column), stored->column, (size_t)n, out);
}

void stored_widen(StoredAs as, const void *from, size_t n, float *out) { copies[as](from, 1, n, out); }
