/* Immutable bytes shared by several documents (matrices, masks, texts): counted references.
 * Contents never change after blob_new returns to its maker. References are counted from any thread. */
#ifndef BASE_BLOB_H
#define BASE_BLOB_H

#include <stdatomic.h>
#include <stddef.h>

typedef struct {
    atomic_int refs;
    size_t size;
    void *bytes; /* 64-byte aligned, a 0 byte behind the end */
} Blob;

/* A copy of `size` bytes (zeros when bytes is NULL) with one reference; NULL when memory is out. */
Blob *blob_new(const void *bytes, size_t size);
Blob *blob_keep(Blob *blob); /* NULL stays NULL */
void blob_drop(Blob *blob);  /* NULL is fine */

#endif
