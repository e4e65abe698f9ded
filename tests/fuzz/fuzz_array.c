/* Arrays of others: the first byte says of which kind, the rest is the file. */
#include <string.h>

#include "fuzz/fuzz.h"
#include "fuzz/fuzz_run.h"
#include "model/array_file.h"

static const char *const words[] = {"\x93NUMPY\x01", "'descr': '<f4'", "'fortran_order': True", "'shape': (2, 2)", "[[1, 2], ", "]", ",", "\"", "\r\n", "head,row_name,", "-inf", "NaN", "1e999", "(9999999999999999999999,", NULL};
static const char *const texts[] = {"0\x93NUMPY\x01 0 {'descr': '<f4', 'fortran_order': False, 'shape': (1, 1), }1234", "1,a,b\r\na,1,0\r\n\"b\",0.5,0.5\r\n", "1head,row_name,a\n1,a,1\n2,a,1\n", "2[[1, 0], [0.25, 0.75]]", NULL};

const FuzzTarget fuzz_target = {.name = "fuzz_array", .cases = 40000, .max = 600, .words = words, .texts = texts};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const endings[] = {"npy", "csv", "json"};
    Arena arena = {0};
    ArrayFile array;
    Err err = {0};
    if (size == 0) return 0;
    char *bytes = arena_alloc(&arena, size, 1);
    memcpy(bytes, data + 1, size - 1);
    bytes[size - 1] = '\0';
    if (!array_file_parse(endings[data[0] % 3], bytes, size - 1, &arena, &array, &err)) {
        fuzz_error(&err);
    } else {
        size_t n = 1;
        float sum = 0;
        for (int i = 0; i < array.rank; i++) {
            fuzz_check(array.dim[i] >= 1 && array.dim[i] <= ARRAY_SIDE_MAX, "a side of %d", array.dim[i]);
            n *= (size_t)array.dim[i];
        }
        for (size_t i = 0; i < n; i++) sum += array.data[i]; /* all of it can be read */
        fuzz_check(array.n_names == 0 || array.names[array.n_names - 1] != NULL, "a name is missing after %g", (double)sum);
    }
    arena_free(&arena);
    return 0;
}
