#include "base/blob.h"

#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64 };

/* Header and bytes are one allocation. */
Blob *blob_new(const void *bytes, size_t size) {
    size_t header = (sizeof(Blob) + ALIGN - 1) / ALIGN * ALIGN;
    if (size > SIZE_MAX - header - 1) return NULL;
    void *memory = NULL;
    if (posix_memalign(&memory, ALIGN, header + size + 1) != 0) return NULL;
    Blob *blob = memory;
    unsigned char *data = (unsigned char *)memory + header;
    *blob = (Blob){.size = size, .bytes = data};
    atomic_init(&blob->refs, 1);
    if (bytes) memcpy(data, bytes, size);
    else memset(data, 0, size);
    data[size] = 0;
    return blob;
}

Blob *blob_keep(Blob *blob) {
    if (blob) atomic_fetch_add(&blob->refs, 1);
    return blob;
}

void blob_drop(Blob *blob) {
    if (!blob) return;
    int before = atomic_fetch_sub(&blob->refs, 1);
    assert(before > 0);
    if (before == 1) free(blob);
}
