#include "core/tensor.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "core/stored.h"

size_t tensor_count(const Tensor *tensor) {
    size_t count = 1;
    for (int d = 0; d < tensor->rank; d++) count *= (size_t)tensor->dim[d];
    return count;
}

size_t tensor_bytes(const Tensor *tensor) {
    return tensor_count(tensor) * (tensor->dtype == DTYPE_F64 ? sizeof(double) : sizeof(float));
}

size_t tensor_offset(const Tensor *tensor, const int index[TENSOR_RANK_MAX]) {
    size_t offset = 0;
    for (int d = 0; d < tensor->rank; d++) offset = offset * (size_t)tensor->dim[d] + (size_t)index[d];
    return offset;
}

bool tensor_has(const Tensor *tensor, const int index[TENSOR_RANK_MAX]) {
    for (int d = 0; d < TENSOR_RANK_MAX; d++) {
        int size = d < tensor->rank ? tensor->dim[d] : 1;
        if (index[d] < 0 || index[d] >= size) return false;
    }
    return true;
}

bool tensor_readable(const Tensor *tensor) { return tensor->data || tensor->stored.data; }

double tensor_flat(const Tensor *tensor, size_t offset) {
    double value;
    if (tensor->data)
        return tensor->dtype == DTYPE_F64 ? ((const double *)tensor->data)[offset]
                                          : (double)((const float *)tensor->data)[offset];
    tensor_load(tensor, offset, 1, &value);
    return value;
}

/* Row by row of the stored matrix, in short pieces. */
static void load_stored(const Tensor *tensor, size_t offset, int n, double *out) {
    enum { PIECE = 256 };
    float piece[PIECE];
    size_t columns = (size_t)tensor->dim[1];
    for (int done = 0; done < n;) {
        size_t row = (offset + (size_t)done) / columns, column = (offset + (size_t)done) % columns;
        size_t left = columns - column;
        int take = n - done < PIECE ? n - done : PIECE;
        if ((size_t)take > left) take = (int)left;
        stored_row(&tensor->stored, (int)row, (int)column, take, piece);
        for (int i = 0; i < take; i++) out[done + i] = (double)piece[i];
        done += take;
    }
}

void tensor_load(const Tensor *tensor, size_t offset, int n, double *out) {
    if (!tensor->data) {
        if (tensor->stored.data) load_stored(tensor, offset, n, out);
        else
            for (int i = 0; i < n; i++) out[i] = (double)NAN;
        return;
    }
    if (tensor->dtype == DTYPE_F64) {
        memcpy(out, (const double *)tensor->data + offset, (size_t)n * sizeof *out);
        return;
    }
    const float *in = (const float *)tensor->data + offset;
    for (int i = 0; i < n; i++) out[i] = (double)in[i];
}

double tensor_at(const Tensor *tensor, const int index[TENSOR_RANK_MAX]) {
    assert(tensor_has(tensor, index));
    return tensor_flat(tensor, tensor_offset(tensor, index));
}

char *tensor_shape_text(char out[64], int rank, const int *dim) {
    size_t used = 0;
    out[used++] = '[';
    for (int d = 0; d < rank && d < TENSOR_RANK_MAX; d++)
        used += (size_t)snprintf(out + used, 64 - used, d ? ", %d" : "%d", dim[d]);
    snprintf(out + used, 64 - used, "]");
    return out;
}

bool input_given(const TensorInput *input) { return input->data || input->stored.data; }

const TensorInput *input_find(const TensorInput *inputs, int count, const char *name) {
    for (int i = 0; i < count; i++)
        if (strcmp(inputs[i].name, name) == 0) return &inputs[i];
    return NULL;
}
