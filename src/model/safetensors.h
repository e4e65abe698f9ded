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

/* ---- the header alone: nothing is copied ---- */

enum { SAFETENSORS_RANK_MAX = 8, SAFETENSORS_SHAPE_TEXT = 8 * 16 + 8 };

/* One tensor as the header lists it. */
typedef struct {
    const char *name, *dtype;   /* "F32" … as the file writes it */
    int bytes;                  /* of one number; 0: a dtype that is not known */
    int rank;                   /* 0 = a single number */
    long long dim[SAFETENSORS_RANK_MAX];
    size_t count;               /* product of dim */
    size_t begin, end;          /* bytes behind the header */
    const unsigned char *data;  /* into the file's bytes; aligned to nothing */
} SafetensorsEntry;

typedef struct {
    const char *file;
    MetaPair *meta; int n_meta;
    SafetensorsEntry *entries; int n_entries; /* in file order */
    const char *json; size_t json_size;       /* the header's text */
} SafetensorsHeader;

/* Checks everything that can be checked without reading numbers: length, JSON, shapes, that offsets lie in the file, agree with the
 * shapes, do not overlap and leave no gap. reals: only dtypes and shapes that a TensorInput can hold; else any dtype and rank, and
 * dimensions of 0, for tensors that nobody reads. `bytes` are borrowed. */
bool safetensors_header(const void *bytes, size_t size, const char *file, bool reals, Arena *arena, SafetensorsHeader *out, Err *err);
const SafetensorsEntry *safetensors_entry(const SafetensorsHeader *header, const char *name); /* NULL = absent */
/* An entry's numbers, read one by one wherever they lie: F32, F64, F16, BF16 as floats; I64 and I32 as ints (ERR_LIMIT beyond 32 bits). */
bool safetensors_floats(const SafetensorsHeader *header, const SafetensorsEntry *entry, Arena *arena, const float **out, Err *err);
bool safetensors_ints(const SafetensorsHeader *header, const SafetensorsEntry *entry, Arena *arena, int **out, Err *err);
char *safetensors_shape_text(const SafetensorsEntry *entry, char out[SAFETENSORS_SHAPE_TEXT]); /* "[4, 6]". Returns `out` */

/* ---- whole files ---- */

#define SAFETENSORS_FILE_MAX ((size_t)2 << 30) /* bytes that are read whole */

/* Errors name `file`, the tensor, what was found and expected. All in `arena`. */
bool safetensors_parse(const void *bytes, size_t size, const char *file, Arena *arena, Safetensors *out, Err *err);
bool safetensors_read(const char *path, Arena *arena, Safetensors *out, Err *err);
/* The whole file's bytes: F32, no gaps, header padded to 8 with spaces. */
bool safetensors_format(const Safetensors *file, Arena *arena, void **bytes, size_t *size, Err *err);
const char *safetensors_meta(const Safetensors *file, const char *key); /* NULL = absent */
const TensorInput *safetensors_find(const Safetensors *file, const char *name); /* NULL = absent */

#endif
