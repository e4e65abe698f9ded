/* Tensors of a trace: named, row-major, never changed once the trace has run. The core knows no
 * window, no file format and no title, and allocates nothing but from the arena it is given. */
#ifndef CORE_TENSOR_H
#define CORE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/err.h"

typedef int TensorId; /* position in its trace; TENSOR_NONE = no tensor */
enum { TENSOR_NONE = -1, TENSOR_RANK_MAX = 4, TENSOR_DIM_MAX = 1 << 20 };

typedef enum { DTYPE_F32, DTYPE_F64, DTYPE_COUNT } Dtype;

/* How a given matrix lies in memory when it is not dense floats: trained weights stay as their file has them. Element
 * (r, c) lies (r / group) * group_step + (r % group) * row + c * column elements behind `data`. */
typedef enum { STORED_F32, STORED_F16, STORED_BF16, STORED_COUNT } StoredAs;
typedef struct {
    const void *data;      /* NULL: the matrix is dense floats. Aligned to its element */
    StoredAs as;
    ptrdiff_t row, column; /* elements from one row, one column to the next; [in][out] files: row 1, column `out` */
    int group;             /* rows of a group; 0 = all rows are one */
    ptrdiff_t group_step;  /* from one group to the next: q, k and v of each head in one matrix */
} Stored;

typedef struct {
    const char *id;   /* scope path and name: "layers.3.weights"; "weights" when the scope is "" */
    const char *name; /* the part of `id` behind the scope: "weights" */
    Dtype dtype;      /* F64 only for scaled … weights under precision f64 */
    int rank;         /* 1 to TENSOR_RANK_MAX */
    int dim[TENSOR_RANK_MAX]; /* unused dimensions are 1 */
    const void *data; /* float or double, row-major; NULL until the trace has run, while its part is not in memory
                       * (trace_need), and for stored matrices: read those through tensor_at, tensor_flat, tensor_load */
    Stored stored;    /* of an input of rank 2; stored.data NULL = none */
    int op;           /* position of the op that makes it */
} Tensor;

/* A tensor given from outside. `data` is borrowed and must live as long as the trace. */
typedef struct {
    const char *name;
    int rank;
    int dim[TENSOR_RANK_MAX];
    const float *data; /* NULL: `stored` says where the numbers are (rank 2 only) */
    Stored stored;
} TensorInput;

size_t tensor_count(const Tensor *tensor);                         /* product of dims; checked when it was made */
size_t tensor_bytes(const Tensor *tensor);                         /* of as many numbers of its dtype */
size_t tensor_offset(const Tensor *tensor, const int index[4]);    /* in elements; index from 0 */
bool tensor_has(const Tensor *tensor, const int index[4]);         /* index within the shape? */
bool tensor_readable(const Tensor *tensor);                        /* its numbers are in memory, dense or stored */
double tensor_at(const Tensor *tensor, const int index[4]);        /* as double, exactly; NaN when it cannot be read */
double tensor_flat(const Tensor *tensor, size_t offset);
/* n elements from `offset` on, as doubles: many at once are much faster than one by one. */
void tensor_load(const Tensor *tensor, size_t offset, int n, double *out);
/* "[4, 6, 6]" for messages; at most 64 bytes. Returns `out`. */
char *tensor_shape_text(char out[64], int rank, const int *dim);
bool input_given(const TensorInput *input); /* does it have numbers? */
const TensorInput *input_find(const TensorInput *inputs, int count, const char *name); /* NULL = absent */

#endif
