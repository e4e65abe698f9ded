/* Reading matrices that lie in memory as their file has them: half-precision numbers, other orders of rows and columns.
 * Widening is exact: each binary16 (IEEE 754-2008) and each bfloat16 number is a float too. The core's own. */
#ifndef CORE_STORED_H
#define CORE_STORED_H

#include "core/tensor.h"

/* Bytes of one element. */
size_t stored_size(StoredAs as);
/* Where element (row, column) lies. */
const void *stored_at(const Stored *stored, int row, int column);
/* out[i] = element (row, column + i) */
void stored_row(const Stored *stored, int row, int column, int n, float *out);
/* n neighbours in memory as floats: F32 is copied. */
void stored_widen(StoredAs as, const void *from, size_t n, float *out);

#endif
