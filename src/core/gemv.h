/* One row times a matrix, read where it lies: bound by memory, not by arithmetic. Sums run in double, in an order that
 * depends on neither machine nor threads. The core's own. */
#ifndef CORE_GEMV_H
#define CORE_GEMV_H

#include "core/tensor.h"

enum { GEMV_FROM = 1 << 15 }; /* elements of the matrix from which this is faster than the plain product, as measured */

/* Are neighbours in a row or in a column neighbours in memory? Only then it works. */
bool gemv_can(const Stored *w);
/* sum[j] += Σ a[k] w[row0 + j][k], k from k0 to k1 - 1; the rows must lie in one group. */
void gemv_add(const Stored *w, int row0, int n, int k0, int k1, const float *a, double *sum);

#endif
