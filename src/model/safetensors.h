/* The .safetensors container: 8 bytes header length, JSON header, data. Untrusted bytes: length,
 * offsets, overlap, shape products and dtype are checked before a pointer is made. */
#ifndef MODEL_SAFETENSORS_H
#define MODEL_SAFETENSORS_H

#include "core/tensor.h"

typedef struct {
    const char *key, *value;
} MetaPair;

typedef struct {
    MetaPair *meta;          /* __metadata__, in file order */
    int n_meta;
    TensorInput *tensors;    /* F32 (F64, F16, BF16 are widened or narrowed to float), in file order */
    int n_tensors;
} Safetensors;

/* Errors name `file`, the tensor, what was found and expected. All in `arena`. */
bool safetensors_parse(const void *bytes, size_t size, const char *file, Arena *arena, Safetensors *out, Err *err);
bool safetensors_read(const char *path, Arena *arena, Safetensors *out, Err *err);
/* The whole file's bytes: F32, no gaps, header padded to 8 with spaces. */
bool safetensors_format(const Safetensors *file, Arena *arena, void **bytes, size_t *size, Err *err);
const char *safetensors_meta(const Safetensors *file, const char *key); /* NULL = absent */
const TensorInput *safetensors_find(const Safetensors *file, const char *name); /* NULL = absent */

#endif
