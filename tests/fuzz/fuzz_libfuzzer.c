/* What libFuzzer is given besides the target: our own changes, half of the time, with the good inputs to splice from. */
#include <string.h>

#include "base/str.h"
#include "fuzz/fuzz.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed) {
    static FuzzCorpus corpus;
    if (!corpus.good) fuzz_load(&fuzz_target, &corpus);
    uint64_t state = seed;
    if (max_size < fuzz_target.max || size > fuzz_target.max || random_next(&state) % 2) return LLVMFuzzerMutate(data, size, max_size);
    if (size == 0 && corpus.n_good) {
        FuzzInput good = corpus.good[random_next(&state) % (uint64_t)corpus.n_good];
        memcpy(data, good.bytes, size = good.size);
    }
    return fuzz_mutate(&fuzz_target, &corpus, &state, data, size);
}
